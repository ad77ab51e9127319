/* The terms of an observed column, or of a reduction, may cancel, as in sqrt(x^2 + 1e16) - 1e8 or
 * in x - x0 far away. Then few or no digits of its values are right. The effect of errors of the
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

static bool digits_wanted(const Run *run)
{
    bool wanted = false;

    for (size_t k = 0; k < N_DIGITS; k++)
        wanted = wanted || run->evidence.digits.of[k].n > 0;
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

void column_digits_init(Run *run, Arena *memory)
{
    const Simulation *s = run->at.s;
    const size_t inputs = 3 * run->at.model->n + run->at.model->r + s->motion->n_own,
                 both = 2 * run->at.model->n;
    const Reductions *x = s->reductions;
    ColumnDigits *d = &run->evidence.digits;
    const ArenaPiece pieces[] = {{&d->moved, inputs}, {&d->from, both}, {&d->to, both}};

    if (s->n_observe > 0)
        init_of(&d->of[DIGITS_COLUMNS], s->observed, false, s->n_observe, memory);
    if (x && x->along && !observed_values_are_inputs(x->along))
        init_of(&d->of[DIGITS_ALONG], x->along, true, x->n_along, memory);
    if (x && x->at && !observed_values_are_inputs(x->at))
        init_of(&d->of[DIGITS_AT], x->at, true, x->n_at, memory);
    if (digits_wanted(run))
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
static ObservedState move_state(Run *run, double by, Random *random)
{
    const size_t n = run->at.model->n, n_own = run->at.s->motion->n_own;
    double *q = run->evidence.digits.moved, *v = q + n, *own = v + n;
    ObservedState state = run->at.state;

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
static void look(Run *run, const DigitsOf *d, bool terms, double by, Random random,
                 double *ret_values)
{
    if (terms && d->values) {
        observed_guards_shaken(d->observed, &run->at.state, by, &random, ret_values);
    } else if (terms) {
        observed_columns_shaken(d->observed, &run->at.state, by, &random, ret_values);
    } else {
        const ObservedState state = move_state(run, by, &random);
        evaluate(d, &state, ret_values);
    }
}

/* The magnification of changes in columns. A column that jumps tells nothing. */
static void take_moves(Run *run, DigitsOf *d, bool terms, double *most)
{
    for (int k = 0; k < SHAKE_DRAWS; k++) {
        look(run, d, terms, LARGE_MOVE_RATIO * SHAKE_SIZE, d->random, d->others);
        look(run, d, terms, SHAKE_SIZE, d->random, d->moved);
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
static ObservedState move_along(Run *run, Random *random)
{
    const size_t n = run->at.model->n, r = run->at.model->r, n_own = run->at.s->motion->n_own;
    ColumnDigits *all = &run->evidence.digits;
    double *q = all->moved, *v = q + n, *vdot = v + n, *lambda = vdot + n, *own = lambda + r;
    ObservedState state = run->at.state;

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
static void take_way(Run *run, DigitsOf *d)
{
    const ObservedState state = move_along(run, &d->random);

    evaluate(d, &state, d->moved);
    for (size_t c = 0; c < d->n; c++) {
        const double rounding = ROUNDING_FEW * d->terms[c];
        const double change = fabs(d->moved[c] - d->here[c]) - rounding;
        if (isfinite(change) && change > 0)
            d->way[c] = fmax(d->way[c], change / RANGE_MOVE_FRACTION);
    }
}

/* Widens the ranges of coordinates and velocities by a sample. */
static void widen(Run *run)
{
    const double *state = run->rows.row + 1;
    ColumnDigits *d = &run->evidence.digits;

    for (size_t i = 0; i < 2 * run->at.model->n; i++) {
        d->from[i] = d->seen ? fmin(d->from[i], state[i]) : state[i];
        d->to[i] = d->seen ? fmax(d->to[i], state[i]) : state[i];
    }
}

static void take_values(Run *run, DigitsOf *d)
{
    const bool seen = run->evidence.digits.seen;

    evaluate(d, &run->at.state, d->here);
    for (size_t c = 0; c < d->n; c++) {
        d->first[c] = seen ? d->first[c] : d->here[c];
        d->low[c] = seen ? fmin(d->low[c], d->here[c]) : d->here[c];
        d->high[c] = seen ? fmax(d->high[c], d->here[c]) : d->here[c];
    }
}

void column_digits_take(Run *run, size_t k)
{
    ColumnDigits *all = &run->evidence.digits;
    const size_t most = run->at.s->n_observe > 0 ? LOOKS : FEW_LOOKS;
    const bool looks = k % (run->at.s->times.n / most + 1) == 0 || k + 1 == run->at.s->times.n;

    if (!digits_wanted(run))
        return;
    widen(run);
    for (DigitsOf *d = all->of; d < all->of + N_DIGITS; d++) {
        if (d->n == 0)
            continue;
        /* magnification of errors of the state, of the terms, and the change of the parts */
        take_values(run, d);
        if (!looks)
            continue;
        take_moves(run, d, false, d->state);
        take_moves(run, d, true, d->terms);
        take_way(run, d);
    }
    all->seen = true;
    all->looks = all->looks || looks;
}

/* Errors of an expression: of the state, magnified, and of its own terms. */
static double error_of(const Run *run, const DigitsOf *d, size_t c)
{
    return cancellation_error(run->at.s) * d->state[c] + ROUNDING_FEW * d->terms[c];
}

/* Does anything move that the expression reads? A coordinate at rest has no error. */
static bool reads_what_moves(const Run *run, const DigitsOf *d, size_t c)
{
    const size_t n = run->at.model->n, n_inputs = observed_n_inputs(d->observed);
    bool *reads = ARENA_NEW(run->at.s->arena, n_inputs, bool), moves = false;
    Error ignored;

    if (!reads || observed_reads(d->observed, d->values, c, reads, &ignored) != OK)
        return true;
    for (size_t i = 0; i < n_inputs; i++) {
        const bool rests = i > 0 && i <= 2 * n &&
                           run->evidence.digits.from[i - 1] == run->evidence.digits.to[i - 1];
        moves = moves || (reads[i] && !rests);
    }
    return moves;
}

/* The largest value, between samples too where that is known. */
static double size_of(const Run *run, const DigitsOf *d, size_t c)
{
    const double size = fmax(fabs(d->low[c]), fabs(d->high[c]));
    return d == &run->evidence.digits.of[DIGITS_ALONG] ? fmax(size, run->rows.reduce.along[c].size)
                                                       : size;
}

/* Is an expression zero from the start on, except for errors, as an energy less its first value? */
static bool is_no_more_than_errors(const Run *run, const DigitsOf *d, size_t c)
{
    const double rounding = DBL_EPSILON * fmax(d->state[c], d->terms[c]);

    if (fabs(d->first[c]) > ZERO_ROUNDINGS * rounding)
        return false;
    if (d->low[c] == d->high[c] &&
        ROUNDING_FEW * d->terms[c] <= cancellation_error(run->at.s) * d->state[c])
        return true;
    /* a constant with errors */
    return d->way[c] > 0 && size_of(run, d, c) <= ACCURACY_CLEAR * d->way[c];
}

/* The relative error of an expression if it is beyond the believed one; else 0. */
static double lost_of(const Run *run, const DigitsOf *d, size_t c)
{
    const double size = size_of(run, d, c), error = error_of(run, d, c);
    const double times = fmax(d->state[c], d->terms[c]);

    if (!(times > CANCELLATION_MIN_RATIO * size && error > result_believable(run->at.s) * size) ||
        is_no_more_than_errors(run, d, c) || !reads_what_moves(run, d, c))
        return 0;
    return error / size;
}

/* One warning, of the one that has lost most, and of how many others have lost too much. */
static void warn(Run *run, const DigitsOf *d, size_t c, const char *what, const char *name,
                 size_t others)
{
    char and_others[64] = "";

    if (others > 0)
        snprintf(and_others, sizeof and_others, " (and in %zu others)", others);
    result_warn(run->at.s, &run->result,
                arena_printf(run->at.s->arena,
                             "terms cancel in the %s %s%s: its values are up to %.3g, and their "
                             "errors, from errors of the state and rounding of its terms, are up "
                             "to %.2g. Write it so that less cancels: x^2/(sqrt(x^2 + a^2) + a) "
                             "instead of sqrt(x^2 + a^2) - a, a coordinate x - x0 instead of x",
                             what, name, and_others, size_of(run, d, c), error_of(run, d, c)));
}

static void report_columns(Run *run)
{
    const Simulation *s = run->at.s;
    const DigitsOf *d = &run->evidence.digits.of[DIGITS_COLUMNS];
    size_t found = 0, worst = 0;
    double most = 0;

    for (size_t c = 0; c < d->n; c++) {
        const double lost = lost_of(run, d, c);
        found += lost > 0;
        if (lost > most) {
            most = lost;
            worst = c;
        }
    }
    /* one warning for the worst column */
    if (found > 0)
        warn(run, d, worst, "column",
             s->columns.names[s->columns.n - s->columns.n_sensitivities - s->n_observe + worst],
             found - 1);
}

/* Of labels only the number counts, not how far a condition is from turning. */
static const DigitsOf *digits_of_item(const Run *run, const Reduction *item)
{
    const bool along = reduction_is_along(item->take);
    const DigitsOf *d = &run->evidence.digits.of[along ? DIGITS_ALONG : DIGITS_AT];
    return item->has_expr && item->take != REDUCE_LABEL && d->n > 0 ? d : NULL;
}

static void report_reductions(Run *run, const Reductions *x)
{
    size_t found = 0, worst = 0;
    double most = 0;

    for (size_t i = 0; i < x->n; i++) {
        const DigitsOf *d = digits_of_item(run, &x->items[i]);
        const double lost = d ? lost_of(run, d, x->items[i].expr) : 0;
        found += lost > 0;
        if (lost > most) {
            most = lost;
            worst = i;
        }
    }
    if (found > 0)
        warn(run, digits_of_item(run, &x->items[worst]), x->items[worst].expr, "reduction",
             x->items[worst].name, found - 1);
}

void column_digits_report(Run *run, const OdeOutcome *outcome)
{
    if (outcome->status != OK || !run->evidence.digits.looks)
        return;
    report_columns(run);
    if (run->at.s->reductions)
        report_reductions(run, run->at.s->reductions);
}
