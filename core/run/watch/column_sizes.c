/* The error bounds of the columns of a motion: a look moves the state and all values computed from
 * it. */
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

void column_sizes_init(Run *run, Arena *memory)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n;
    ColumnSizes *sizes = &run->evidence.sizes;

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

/* Sizes of coordinates (at: 0) or velocities (n), and by how much they move. */
static void set_reach(Run *run, size_t at)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n;
    const double span = fabs(s->times.end - s->times.t0);
    const double *largest = run->evidence.sizes.largest + at;
    double *reach = run->evidence.sizes.reach + at;

    for (size_t i = 0; i < n; i++) {
        double of_kind = kinds_largest(run->at.model, largest, i);
        /* a velocity that is nearly zero beside the change of its coordinate */
        if (at && span > 0)
            of_kind = fmax(of_kind, run->evidence.sizes.largest[i] / span);
        double least = MIN_SIZE_OF_KIND * of_kind;
        if (s->integration.sized[at + i])
            least = fmax(least, s->integration.nominal[at + i]);
        reach[i] = fmax(run->evidence.sizes.share * largest[i], least);
        s->second.terms[1 + at + i] = fmax(s->second.terms[1 + at + i], fmax(largest[i], least));
    }
}

/* The state with coordinates and velocities moved, in sizes.y. */
static void move_state(Run *run, const double *y, double by, Random *random)
{
    const size_t n = run->at.model->n;
    ColumnSizes *sizes = &run->evidence.sizes;

    for (size_t i = 0; i < 2 * n; i++) {
        const double way = random_uniform(random, -1, 1) < 0 ? -by : by;
        sizes->state[i] = run->rows.row[1 + i] + way * sizes->reach[i];
    }
    if (run->at.s->motion->plain) {
        memcpy(sizes->y, sizes->state, 2 * n * sizeof *y);
        return;
    }
    memcpy(sizes->y, y, run->at.s->motion->dim * sizeof *y);
    motion_eval_restate_shaken(run->at.eq.eval, run->rows.row[0], sizes->state, sizes->state + n,
                               run->at.kept, sizes->y,
                               &(Shakes){.by = by * sizes->share, .random = random});
}

/* The columns of a moved state, computed with errors. */
static Status look(Run *run, const double *y, double by, Random *random, double *ret_row)
{
    Error ignored;

    move_state(run, y, by, random);
    const MotionPoint point =
        motion_eval_point_shaken(run->at.eq.eval, run->rows.row[0], run->evidence.sizes.y,
                                 &(Shakes){.by = by * run->evidence.sizes.share, .random = random});
    row_take_point(&run->at, run->rows.row[0], &point);
    Status status = row_multipliers(&run->at, &point, &ignored);
    if (status == OK)
        observed_columns_shaken(run->at.s->observed, &run->at.state, by * run->evidence.sizes.share,
                                random, row_state(&run->at, ret_row));
    return status;
}

/* A column that is not finite, or jumps, tells nothing. */
static void take_changes(Run *run)
{
    const Simulation *s = run->at.s;

    for (size_t c = 1 + 2 * run->at.model->n; c < s->columns.n - s->columns.n_sensitivities; c++) {
        const double change = fabs(run->evidence.sizes.far[c] - run->rows.row[c]);
        if (fabs(run->evidence.sizes.near[c] - run->rows.row[c]) <= change / SMOOTH_CHANGE_RATIO &&
            isfinite(change))
            s->second.terms[c] = fmax(s->second.terms[c], change / MOVE_FRACTION);
    }
}

void column_sizes_widen(Run *run, const double *q, const double *v)
{
    const size_t n = run->at.model->n;

    for (size_t i = 0; i < n; i++) {
        run->evidence.sizes.largest[i] = fmax(run->evidence.sizes.largest[i], fabs(q[i]));
        run->evidence.sizes.largest[n + i] = fmax(run->evidence.sizes.largest[n + i], fabs(v[i]));
    }
}

void column_sizes_take(Run *run, size_t k, const double *y)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n;
    ColumnSizes *sizes = &run->evidence.sizes;

    if (!s->second.terms)
        return;
    column_sizes_widen(run, run->rows.row + 1, run->rows.row + 1 + n);
    if (k % (s->times.n / LOOKS + 1) != 0 && k + 1 != s->times.n)
        return;
    /* sizes of coordinates and velocities */
    set_reach(run, 0);
    set_reach(run, n);
    if (s->motion->n_rows)
        memcpy(run->at.kept, motion_eval_point(run->at.eq.eval, run->rows.row[0], y).lambda,
               s->motion->n_rows * sizeof *run->at.kept);
    /* a large and a small move by the same random signs */
    for (int move = 0; move < MOVES; move++) {
        Random same = sizes->random;
        if (look(run, y, MOVE_FRACTION, &sizes->random, sizes->far) == OK &&
            look(run, y, MOVE_FRACTION / LARGE_MOVE_RATIO, &same, sizes->near) == OK)
            take_changes(run);
    }
}
