/* A look moves the state and all values computed from it. */
#include "core/run/watch/column_sizes.h"

#include <math.h>
#include <string.h>

#include "core/model/kinds.h"
#include "core/run/parts/result.h"
#include "core/run/state/row.h"
#include "core/run/state/stochastic.h"

/* Smallest size of a coordinate or velocity relative to the largest of its kind. Convention: above
 * the rounding that a coordinate at rest collects over many steps. */
static const double MIN_SIZE_OF_KIND = 1e-7;
/* Fraction of its size by which a value moves in one draw. Convention: far above rounding, and
 * small enough for first order. */
static const double MOVE_FRACTION = 0x1p-14;

enum { LOOKS = 20, MOVES = 4 };

void column_sizes_init(ColumnSizes *sizes, const Simulation *s, Arena *memory)
{
    const size_t n = s->compiled->model->n;

    if (!s->second.terms)
        return;
    sizes->share = result_share_of_terms(s);
    sizes->largest = arena_doubles(memory, 2 * n);
    sizes->reach = arena_doubles(memory, 2 * n);
    sizes->y = arena_doubles(memory, s->motion->dim);
    sizes->state = arena_doubles(memory, 2 * n);
    sizes->far = arena_doubles(memory, s->columns.n);
    sizes->near = arena_doubles(memory, s->columns.n);
    random_init(&sizes->random, 1);
}

/* Sizes of coordinates (first: 0) or velocities (n), and by how much they move. */
static void set_reach(ColumnSizes *sizes, const Simulation *s, size_t first)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    const double span = fabs(s->times.end - s->times.t0);
    const double *largest = sizes->largest + first;
    double *reach = sizes->reach + first;

    for (size_t i = 0; i < n; i++) {
        double of_kind = kinds_largest(model, largest, i);
        /* a velocity that is nearly zero beside the change of its coordinate */
        if (first && span > 0)
            of_kind = fmax(of_kind, sizes->largest[i] / span);
        double least = MIN_SIZE_OF_KIND * of_kind;
        if (s->integration.sized[first + i])
            least = fmax(least, s->integration.nominal[first + i]);
        reach[i] = fmax(sizes->share * largest[i], least);
        s->second.terms[1 + first + i] =
            fmax(s->second.terms[1 + first + i], fmax(largest[i], least));
    }
}

/* The state with coordinates and velocities moved, in sizes.y. */
static void move_state(ColumnSizes *sizes, const MotionState *at, const double *row,
                       const double *y, double by, Random *random)
{
    const size_t n = at->model->n;

    for (size_t i = 0; i < 2 * n; i++) {
        const double way = random_uniform(random, -1, 1) < 0 ? -by : by;
        sizes->state[i] = row[1 + i] + way * sizes->reach[i];
    }
    if (at->s->motion->plain) {
        memcpy(sizes->y, sizes->state, 2 * n * sizeof *y);
        return;
    }
    memcpy(sizes->y, y, at->s->motion->dim * sizeof *y);
    motion_eval_restate_shaken(at->eq.eval, row[0], sizes->state, sizes->state + n, at->kept,
                               sizes->y, &(Shakes){.by = by * sizes->share, .random = random});
}

/* The columns of a moved state, computed with errors. */
static Status look(ColumnSizes *sizes, MotionState *at, const double *row, const double *y,
                   double by, Random *random, double *ret_row)
{
    Error ignored;

    move_state(sizes, at, row, y, by, random);
    const MotionPoint point = motion_eval_point_shaken(
        at->eq.eval, row[0], sizes->y, &(Shakes){.by = by * sizes->share, .random = random});
    row_take_point(at, row[0], &point);
    Status status = row_multipliers(at, &point, &ignored);
    if (status == OK)
        observed_shaken(at->s->observed, false, &at->state, by * sizes->share, random,
                        row_state(at, ret_row));
    return status;
}

/* A column that is not finite, or jumps, tells nothing. */
static void take_changes(const ColumnSizes *sizes, const Simulation *s, const double *row)
{
    const size_t n = s->compiled->model->n;

    for (size_t c = 1 + 2 * n; c < s->columns.n - s->columns.n_sensitivities; c++) {
        const double change = fabs(sizes->far[c] - row[c]);
        if (fabs(sizes->near[c] - row[c]) <= change / SMOOTH_CHANGE_RATIO && isfinite(change))
            s->second.terms[c] = fmax(s->second.terms[c], change / MOVE_FRACTION);
    }
}

void column_sizes_widen(ColumnSizes *sizes, size_t n, const double *q, const double *v)
{
    for (size_t i = 0; i < n; i++) {
        sizes->largest[i] = fmax(sizes->largest[i], fabs(q[i]));
        sizes->largest[n + i] = fmax(sizes->largest[n + i], fabs(v[i]));
    }
}

void column_sizes_take(ColumnSizes *sizes, MotionState *at, const double *row, size_t k,
                       const double *y)
{
    const Simulation *s = at->s;
    const size_t n = at->model->n;

    if (!s->second.terms)
        return;
    column_sizes_widen(sizes, n, row + 1, row + 1 + n);
    if (k % (s->times.n / LOOKS + 1) != 0 && k + 1 != s->times.n)
        return;
    set_reach(sizes, s, 0);
    set_reach(sizes, s, n);
    if (s->motion->n_rows)
        memcpy(at->kept, motion_eval_point(at->eq.eval, row[0], y).lambda,
               s->motion->n_rows * sizeof *at->kept);
    /* a large and a small move by the same random signs */
    for (int move = 0; move < MOVES; move++) {
        Random same = sizes->random;
        if (look(sizes, at, row, y, MOVE_FRACTION, &sizes->random, sizes->far) == OK &&
            look(sizes, at, row, y, MOVE_FRACTION / LARGE_MOVE_RATIO, &same, sizes->near) == OK)
            take_changes(sizes, s, row);
    }
}
