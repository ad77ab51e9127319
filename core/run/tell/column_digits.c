/* Terms cancel, as in sqrt(x^2 + 1e16) - 1e8 or in x - x0 far away. The effect of errors of the
 * state and of rounding of the terms is measured by stochastic arithmetic, as in cancellation.c. */
#include "core/run/tell/column_digits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/base/accuracy.h"
#include "core/run/parts/result.h"
#include "core/run/state/stochastic.h"
#include "core/run/watch/cancellation.h"

/* Number of samples that are examined, and that number for a member of an ensemble, which keeps no
 * columns. */
enum { LOOKS = 20, FEW_LOOKS = 4 };
/* Factor of the rounding of its terms up to which a first value counts as zero. Convention. */
static const double ZERO_ROUNDINGS = 64;
/* Fraction of the range of coordinates and velocities by which they move to measure the change of
 * the parts of a column. Convention. */
static const double RANGE_MOVE_FRACTION = 0x1p-10;

static bool digits_wanted(const ColumnDigits *all)
{
    bool wanted = false;

    for (size_t k = 0; k < N_DIGITS; k++)
        wanted = wanted || all->of[k].n > 0;
    return wanted;
}

static void init_of(DigitsOf *d, Observed *observed, bool values, size_t n, Arena *memory)
{
    const ArenaPiece pieces[] = {{&d->here, n},  {&d->low, n},   {&d->high, n},
                                 {&d->first, n}, {&d->state, n}, {&d->terms, n},
                                 {&d->way, n},   {&d->moved, n}, {&d->others, n}};

    d->observed = observed;
    d->values = values;
    d->n = n;
    random_init(&d->random, 1);
    if (d->n > 0)
        arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
}

void column_digits_init(ColumnDigits *d, const Simulation *s, Arena *memory)
{
    const size_t n = s->compiled->model->n, both = 2 * n,
                 inputs = 3 * n + s->compiled->model->r + s->motion->n_own;
    const Reductions *x = s->reductions;
    const ArenaPiece pieces[] = {{&d->moved, inputs}, {&d->from, both}, {&d->to, both}};

    if (s->n_observe > 0)
        init_of(&d->of[DIGITS_COLUMNS], s->observed, false, s->n_observe, memory);
    if (x && x->along && !observed_values_are_inputs(x->along))
        init_of(&d->of[DIGITS_ALONG], x->along, true, x->n_along, memory);
    if (x && x->at && !observed_values_are_inputs(x->at))
        init_of(&d->of[DIGITS_AT], x->at, true, x->n_at, memory);
    if (digits_wanted(d))
        arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
}

static double either(Random *random, double by)
{
    return random_uniform(random, -1, 1) < 0 ? -by : by;
}

static void evaluate(const DigitsOf *d, const ObservedState *state, double *ret_values)
{
    if (d->values)
        observed_guards(d->observed, state, ret_values);
    else
        observed_columns(d->observed, state, ret_values);
}

/* The state with coordinates and velocities moved by a part of their values. */
static ObservedState move_state(ColumnDigits *all, const MotionState *at, double by, Random *random)
{
    const size_t n = at->model->n, n_own = at->s->motion->n_own;
    double *q = all->moved, *v = q + n, *own = v + n;
    ObservedState state = at->state;

    for (size_t i = 0; i < n; i++) {
        q[i] = state.q[i] * (1 + either(random, by));
        v[i] = state.v[i] * (1 + either(random, by));
    }
    for (size_t k = 0; k < n_own; k++)
        own[k] = state.own[k] * (1 + either(random, by));
    state.q = q;
    state.v = v;
    state.own = own;
    return state;
}

/* The columns where the state, or else every operand, is moved. */
static void look(ColumnDigits *all, const MotionState *at, const DigitsOf *d, bool terms, double by,
                 Random random, double *ret_values)
{
    if (terms) {
        observed_shaken(d->observed, d->values, &at->state, by, &random, ret_values);
    } else {
        const ObservedState state = move_state(all, at, by, &random);
        evaluate(d, &state, ret_values);
    }
}

/* The magnification of changes in columns. A column that jumps tells nothing. */
static void take_moves(ColumnDigits *all, const MotionState *at, DigitsOf *d, bool terms,
                       double *most)
{
    for (int k = 0; k < SHAKE_DRAWS; k++) {
        look(all, at, d, terms, LARGE_MOVE_RATIO * SHAKE_SIZE, d->random, d->others);
        look(all, at, d, terms, SHAKE_SIZE, d->random, d->moved);
        (void)random_uniform(&d->random, -1, 1);
        for (size_t c = 0; c < d->n; c++) {
            const double near = fabs(d->moved[c] - d->here[c]);
            const double far = fabs(d->others[c] - d->here[c]);
            if (isfinite(far) && near * SMOOTH_CHANGE_RATIO <= far)
                most[c] = fmax(most[c], far / (LARGE_MOVE_RATIO * SHAKE_SIZE));
        }
    }
}

/* The state moved by a share of its way up to now. */
static ObservedState move_along(ColumnDigits *all, const MotionState *at, Random *random)
{
    const size_t n = at->model->n, r = at->model->r, n_own = at->s->motion->n_own;
    double *q = all->moved, *v = q + n, *vdot = v + n, *lambda = vdot + n, *own = lambda + r;
    ObservedState state = at->state;

    /* coordinates and velocities by their ranges, all else by its size */
    for (size_t i = 0; i < n; i++) {
        q[i] = state.q[i] + either(random, RANGE_MOVE_FRACTION * (all->to[i] - all->from[i]));
        v[i] =
            state.v[i] + either(random, RANGE_MOVE_FRACTION * (all->to[n + i] - all->from[n + i]));
        vdot[i] = state.vdot[i] * (1 + either(random, RANGE_MOVE_FRACTION));
    }
    for (size_t a = 0; a < r; a++)
        lambda[a] = state.lambda[a] * (1 + either(random, RANGE_MOVE_FRACTION));
    for (size_t k = 0; k < n_own; k++)
        own[k] = state.own[k] * (1 + either(random, RANGE_MOVE_FRACTION));
    state.q = q;
    state.v = v;
    state.vdot = vdot;
    state.lambda = lambda;
    state.own = own;
    return state;
}

/* The change of the parts of the columns along the motion. */
static void take_way(ColumnDigits *all, const MotionState *at, DigitsOf *d)
{
    const ObservedState state = move_along(all, at, &d->random);

    evaluate(d, &state, d->moved);
    for (size_t c = 0; c < d->n; c++) {
        const double rounding = ROUNDING_FEW * d->terms[c];
        const double change = fabs(d->moved[c] - d->here[c]) - rounding;
        if (isfinite(change) && change > 0)
            d->way[c] = fmax(d->way[c], change / RANGE_MOVE_FRACTION);
    }
}

static void widen(ColumnDigits *d, const double *state, size_t n)
{
    for (size_t i = 0; i < 2 * n; i++) {
        d->from[i] = d->seen ? fmin(d->from[i], state[i]) : state[i];
        d->to[i] = d->seen ? fmax(d->to[i], state[i]) : state[i];
    }
}

static void take_values(DigitsOf *d, const ObservedState *state, bool seen)
{
    evaluate(d, state, d->here);
    for (size_t c = 0; c < d->n; c++) {
        d->first[c] = seen ? d->first[c] : d->here[c];
        d->low[c] = seen ? fmin(d->low[c], d->here[c]) : d->here[c];
        d->high[c] = seen ? fmax(d->high[c], d->here[c]) : d->here[c];
    }
}

void column_digits_take(ColumnDigits *all, const MotionState *at, const double *row, size_t k)
{
    const Simulation *s = at->s;
    const size_t most = s->n_observe > 0 ? LOOKS : FEW_LOOKS;
    const bool looks = k % (s->times.n / most + 1) == 0 || k + 1 == s->times.n;

    if (!digits_wanted(all))
        return;
    widen(all, row + 1, at->model->n);
    for (DigitsOf *d = all->of; d < all->of + N_DIGITS; d++) {
        if (d->n == 0)
            continue;
        take_values(d, &at->state, all->seen);
        /* all samples count for the ranges; moved states cost evaluations, a few have to do */
        if (!looks)
            continue;
        take_moves(all, at, d, false, d->state);
        take_moves(all, at, d, true, d->terms);
        take_way(all, at, d);
    }
    all->seen = true;
    all->looks = all->looks || looks;
}

/* The digits of a run that is over. */
typedef struct Digits {
    const ColumnDigits *all;
    const Simulation *s;
    const Along *along; /* the expressions of DIGITS_ALONG */
    SimulationResult *result;
} Digits;

/* Errors of an expression: of the state, magnified, and of its own terms. */
static double error_of(const Simulation *s, const DigitsOf *d, size_t c)
{
    return cancellation_error(s) * d->state[c] + ROUNDING_FEW * d->terms[c];
}

/* Does anything move that the expression reads? A coordinate at rest has no error. */
static bool reads_what_moves(const Digits *x, const DigitsOf *d, size_t c)
{
    const size_t n = x->s->compiled->model->n, n_inputs = observed_n_inputs(d->observed);
    bool *reads = ARENA_NEW(x->s->arena, n_inputs, bool), moves = false;
    Error ignored;

    if (!reads || observed_reads(d->observed, d->values, c, reads, &ignored) != OK)
        return true;
    for (size_t i = 0; i < n_inputs; i++) {
        const bool rests = i > 0 && i <= 2 * n && x->all->from[i - 1] == x->all->to[i - 1];
        moves = moves || (reads[i] && !rests);
    }
    return moves;
}

/* The largest value, between samples too where that is known. */
static double size_of(const Digits *x, const DigitsOf *d, size_t c)
{
    const double size = fmax(fabs(d->low[c]), fabs(d->high[c]));
    return d == &x->all->of[DIGITS_ALONG] ? fmax(size, x->along[c].size) : size;
}

/* Is an expression zero from the start on, except for errors, as an energy less its first value? */
static bool is_no_more_than_errors(const Digits *x, const DigitsOf *d, size_t c)
{
    const double rounding = DBL_EPSILON * fmax(d->state[c], d->terms[c]);

    if (fabs(d->first[c]) > ZERO_ROUNDINGS * rounding)
        return false;
    if (d->low[c] == d->high[c] &&
        ROUNDING_FEW * d->terms[c] <= cancellation_error(x->s) * d->state[c])
        return true;
    /* a constant with errors */
    return d->way[c] > 0 && size_of(x, d, c) <= ACCURACY_CLEAR * d->way[c];
}

/* The relative error of an expression if it is beyond the believed one; else 0. */
static double lost_of(const Digits *x, const DigitsOf *d, size_t c)
{
    const double size = size_of(x, d, c), error = error_of(x->s, d, c);
    const double times = fmax(d->state[c], d->terms[c]);

    if (!(times > CANCELLATION_MIN_RATIO * size && error > result_believable(x->s) * size) ||
        is_no_more_than_errors(x, d, c) || !reads_what_moves(x, d, c))
        return 0;
    return error / size;
}

/* One warning, of the one that has lost most, and of how many others have lost too much. */
static void warn(const Digits *x, const DigitsOf *d, size_t c, const char *what, const char *name,
                 size_t others)
{
    char and_others[64] = "";

    if (others > 0)
        snprintf(and_others, sizeof and_others, " (and in %zu others)", others);
    result_warn(x->s, x->result,
                "terms cancel in the %s %s%s: its values are up to %.3g, and their errors, from "
                "errors of the state and rounding of its terms, are up to %.2g. Write it so that "
                "less cancels: x^2/(sqrt(x^2 + a^2) + a) instead of sqrt(x^2 + a^2) - a, a "
                "coordinate x - x0 instead of x",
                what, name, and_others, size_of(x, d, c), error_of(x->s, d, c));
}

static void report_columns(const Digits *x)
{
    const Simulation *s = x->s;
    const DigitsOf *d = &x->all->of[DIGITS_COLUMNS];
    size_t found = 0, worst = 0;
    double most = 0;

    for (size_t c = 0; c < d->n; c++) {
        const double lost = lost_of(x, d, c);
        found += lost > 0;
        if (lost > most) {
            most = lost;
            worst = c;
        }
    }
    /* one warning, for the worst; in a row observables come before the sensitivities */
    if (found > 0)
        warn(x, d, worst, "column",
             s->columns.names[s->columns.n - s->columns.n_sensitivities - s->n_observe + worst],
             found - 1);
}

/* Of labels only the number counts, not how far a condition is from turning. */
static const DigitsOf *digits_of_item(const Digits *x, const Reduction *item)
{
    const bool along = reduction_is_along(item->take);
    const DigitsOf *d = &x->all->of[along ? DIGITS_ALONG : DIGITS_AT];
    return item->has_expr && item->take != REDUCE_LABEL && d->n > 0 ? d : NULL;
}

static void report_reductions(const Digits *x)
{
    const Reductions *r = x->s->reductions;
    size_t found = 0, worst = 0;
    double most = 0;

    for (size_t i = 0; i < r->n; i++) {
        const DigitsOf *d = digits_of_item(x, &r->items[i]);
        const double lost = d ? lost_of(x, d, r->items[i].expr) : 0;
        found += lost > 0;
        if (lost > most) {
            most = lost;
            worst = i;
        }
    }
    if (found > 0)
        warn(x, digits_of_item(x, &r->items[worst]), r->items[worst].expr, "reduction",
             r->items[worst].name, found - 1);
}

void column_digits_report(const ColumnDigits *all, const Simulation *s, const Along *along,
                          SimulationResult *result)
{
    const Digits x = {all, s, along, result};

    if (!all->looks)
        return;
    report_columns(&x);
    if (s->reductions)
        report_reductions(&x);
}
