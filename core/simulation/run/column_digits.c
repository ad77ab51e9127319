/* Where the terms of an observed column cancel, as in sqrt(x^2 + 1e16) - 1e8 or in x - x0 far away, little or nothing of what it
 * shows is right. What errors of the state and rounding of its terms come to is measured by stochastic arithmetic, as in
 * cancellation.c. */
#include "core/simulation/run/column_digits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/simulation/run/cancellation.h"
#include "core/simulation/run/result.h"

/* By so much operands, or the state, are moved; by MORE times that what is smooth changes so many times as much, what jumps
 * does not. */
static const double SHAKE = 0x1p-46, MORE = 16, SMOOTH = 4;
enum { SHAKES = 3, LOOKS = 20 };
/* So many units of rounding are made of each operand, and of what is zero at the start. */
static const double ROUNDINGS = 4, ZERO = 64;
/* A column that is so small beside the way of its parts is what errors make of a constant. */
static const double CONSTANT = 1e-6;
/* Of the way of coordinates and velocities, so much moves their parts. */
static const double WAY = 0x1p-10;

static const double *observed_row(const Run *run)
{
    return run->row + 1 + 2 * run->model->n + run->model->r + run->s->motion->n_own;
}

void column_digits_init(Run *run, Arena *memory)
{
    const size_t n = run->s->n_observe, inputs = 3 * run->model->n + run->model->r;
    const size_t both = 2 * run->model->n;
    ColumnDigits *d = &run->digits;
    const ArenaPiece pieces[] = {{&d->low, n},     {&d->high, n},   {&d->first, n},
                                 {&d->state, n},   {&d->terms, n},  {&d->way, n},
                                 {&d->values, n},  {&d->others, n}, {&d->moved, inputs},
                                 {&d->from, both}, {&d->to, both}};

    if (n > 0)
        arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
    random_init(&d->random, 1);
}

static double either(Random *random, double by)
{
    return random_uniform(random, -1, 1) < 0 ? -by : by;
}

/* The state with coordinates and velocities moved by a part of their values. */
static ObservedState move_state(Run *run, double by, Random *random)
{
    const size_t n = run->model->n;
    double *q = run->digits.moved, *v = q + n;
    ObservedState state = run->state;

    for (size_t i = 0; i < n; i++) {
        q[i] = state.q[i] * (1 + either(random, by));
        v[i] = state.v[i] * (1 + either(random, by));
    }
    state.q = q;
    state.v = v;
    return state;
}

/* The columns where the state, or else every operand, is moved. */
static void look(Run *run, bool terms, double by, Random random, double *ret_values)
{
    if (terms) {
        observed_columns_shaken(run->s->observed, &run->state, by, &random, ret_values);
        return;
    }
    const ObservedState state = move_state(run, by, &random);
    observed_columns(run->s->observed, &state, ret_values);
}

/* How many times as far columns move; what jumps tells nothing. */
static void take_moves(Run *run, bool terms, double *most)
{
    ColumnDigits *d = &run->digits;
    const double *here = observed_row(run);

    for (int k = 0; k < SHAKES; k++) {
        look(run, terms, MORE * SHAKE, d->random, d->others);
        look(run, terms, SHAKE, d->random, d->values);
        (void)random_uniform(&d->random, -1, 1);
        for (size_t c = 0; c < run->s->n_observe; c++) {
            const double near = fabs(d->values[c] - here[c]), far = fabs(d->others[c] - here[c]);
            if (isfinite(far) && near * SMOOTH <= far)
                most[c] = fmax(most[c], far / (MORE * SHAKE));
        }
    }
}

/* What the parts of the columns do along the motion: the state moves by a share of its way up to now. */
static void take_way(Run *run)
{
    const size_t n = run->model->n, r = run->model->r;
    ColumnDigits *d = &run->digits;
    double *q = d->moved, *v = q + n, *vdot = v + n, *lambda = vdot + n;
    ObservedState state = run->state;

    for (size_t i = 0; i < n; i++) {
        q[i] = state.q[i] + either(&d->random, WAY * (d->to[i] - d->from[i]));
        v[i] = state.v[i] + either(&d->random, WAY * (d->to[n + i] - d->from[n + i]));
        vdot[i] = state.vdot[i] * (1 + either(&d->random, WAY));
    }
    for (size_t a = 0; a < r; a++)
        lambda[a] = state.lambda[a] * (1 + either(&d->random, WAY));
    state.q = q;
    state.v = v;
    state.vdot = vdot;
    state.lambda = lambda;
    observed_columns(run->s->observed, &state, d->values);
    for (size_t c = 0; c < run->s->n_observe; c++) {
        const double rounding = ROUNDINGS * DBL_EPSILON * d->terms[c];
        const double change = fabs(d->values[c] - observed_row(run)[c]) - rounding;
        if (isfinite(change) && change > 0)
            d->way[c] = fmax(d->way[c], change / WAY);
    }
}

/* Where coordinates and velocities have been at samples. */
static void widen(Run *run)
{
    const double *state = run->row + 1;
    ColumnDigits *d = &run->digits;

    for (size_t i = 0; i < 2 * run->model->n; i++) {
        d->from[i] = d->seen ? fmin(d->from[i], state[i]) : state[i];
        d->to[i] = d->seen ? fmax(d->to[i], state[i]) : state[i];
    }
}

void column_digits_take(Run *run, size_t k)
{
    const Simulation *s = run->s;
    const double *row = observed_row(run);
    ColumnDigits *d = &run->digits;

    if (s->n_observe == 0)
        return;
    for (size_t c = 0; c < s->n_observe; c++) {
        d->first[c] = d->seen ? d->first[c] : row[c];
        d->low[c] = d->seen ? fmin(d->low[c], row[c]) : row[c];
        d->high[c] = d->seen ? fmax(d->high[c], row[c]) : row[c];
    }
    widen(run);
    d->seen = true;
    if (k % (s->times.n / LOOKS + 1) != 0 && k + 1 != s->times.n)
        return;
    d->looks = true;
    take_moves(run, false, d->state);
    take_moves(run, true, d->terms);
    take_way(run);
}

/* Errors of a column: of the state, magnified, and of its own terms. */
static double error_of(const Run *run, size_t c)
{
    return cancellation_error(run->s) * run->digits.state[c] +
           ROUNDINGS * DBL_EPSILON * run->digits.terms[c];
}

/* Does anything move that the column reads? What rests is where it was put. */
static bool reads_what_moves(const Run *run, size_t c)
{
    const size_t n = run->model->n, n_inputs = observed_n_inputs(run->s->observed);
    bool *reads = ARENA_NEW(run->s->arena, n_inputs, bool), moves = false;
    Error ignored;

    if (!reads || observed_reads(run->s->observed, c, reads, &ignored) != OK)
        return true;
    for (size_t i = 0; i < n_inputs; i++) {
        const bool rests = i > 0 && i <= 2 * n && run->digits.from[i - 1] == run->digits.to[i - 1];
        moves = moves || (reads[i] && !rests);
    }
    return moves;
}

/* A column is zero from the start on, and what errors make of it: an energy less its first value. */
static bool is_no_more_than_errors(const Run *run, size_t c)
{
    const ColumnDigits *d = &run->digits;
    const double size = fmax(fabs(d->low[c]), fabs(d->high[c]));
    const double rounding = DBL_EPSILON * fmax(d->state[c], d->terms[c]);

    if (fabs(d->first[c]) > ZERO * rounding)
        return false;
    if (d->low[c] == d->high[c] &&
        ROUNDINGS * DBL_EPSILON * d->terms[c] <= cancellation_error(run->s) * d->state[c])
        return true;
    return d->way[c] > 0 && size <= CONSTANT * d->way[c];
}

/* One warning, of the column that has lost most, and of how many others have lost too much. */
static void warn(Run *run, size_t c, size_t others)
{
    const Simulation *s = run->s;
    const ColumnDigits *d = &run->digits;
    const char *name = s->columns[s->n_columns - s->n_sensitivities - s->n_observe + c];
    char and_others[64] = "";

    if (others > 0)
        snprintf(and_others, sizeof and_others, " (and in %zu others)", others);
    result_warn(s, &run->result,
                arena_printf(s->arena,
                             "terms cancel in the column %s%s: its values are up to %.3g, and what "
                             "errors of the state and rounding of its terms make of them is up to "
                             "%.2g. Write it so that less cancels: x^2/(sqrt(x^2 + a^2) + a) "
                             "instead of sqrt(x^2 + a^2) - a, a coordinate x - x0 instead of x",
                             name, and_others, fmax(fabs(d->low[c]), fabs(d->high[c])),
                             error_of(run, c)));
}

void column_digits_report(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->s;
    const ColumnDigits *d = &run->digits;
    size_t found = 0, worst = 0;
    double most = 0;

    if (outcome->status != OK || !d->looks)
        return;
    for (size_t c = 0; c < s->n_observe; c++) {
        const double size = fmax(fabs(d->low[c]), fabs(d->high[c])), error = error_of(run, c);
        const double times = fmax(d->state[c], d->terms[c]);
        if (!(times > CANCELLATION_LEAST_TIMES * size && error > result_believable(s) * size) ||
            is_no_more_than_errors(run, c) || !reads_what_moves(run, c))
            continue;
        found++;
        if (error / size > most) {
            most = error / size;
            worst = c;
        }
    }
    if (found > 0)
        warn(run, worst, found - 1);
}
