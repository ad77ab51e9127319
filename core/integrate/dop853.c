/* DOP853: the explicit Runge-Kutta method of order 8 by Dormand and Prince with error estimates of
 * orders 5 and 3 and dense output of order 7: the default for motions that are not stiff.
 *
 * E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, 2nd edition,
 * Springer 1993, sections II.5, II.6, II.10.
 *
 * Twelve evaluations a step, eleven if it is rejected; three more where dense output is wanted.
 * The rates at the end of a step belong to the projected state: they are the first stage of the
 * next step and a stage of the dense output. */
#include "core/integrate/combine.h"
#include "core/integrate/control.h"
#include "core/integrate/dop853_kernel.h"
#include "core/program/block_of_one.h"
#include "core/program/kernels.h"

#include "core/integrate/dop853_dense.h"

#include <math.h>
#include <string.h>

enum { ERROR_ORDER = 8 };

typedef struct Dop853 {
    Dop853Arrays arrays; /* k[0] is the step's */
    const Combine *combine;
    const Dop853Kernel *kernel;
    Control control; /* of one lane: the lanes of several are controlled by their drives */
} Dop853;

static size_t dop853_work_size(const OdeSystem *system, size_t lanes)
{
    const size_t room = combine_room((system->dim + system->extra) * lanes);
    const size_t arrays = DOP853_ALL_STAGES + DOP853_DENSE_ROWS;
    return cut_aligned(sizeof(Dop853)) + (arrays * room + 2 * combine_room(lanes)) * sizeof(double);
}

static double *next_array(double **next, size_t room)
{
    double *array = *next;
    *next += room;
    return array;
}

static void dop853_start(OdeStep *step)
{
    const size_t room = combine_room(step->rows * step->lanes);
    Dop853 *m = step->work;
    Dop853Arrays *arrays = &m->arrays;
    double *next = (double *)(void *)((char *)step->work + cut_aligned(sizeof(Dop853)));

    m->combine = combine_best();
    m->kernel = KERNEL_BEST(dop853);
    for (size_t s = 1; s < DOP853_ALL_STAGES; s++)
        arrays->k[s] = next_array(&next, room);
    arrays->older = next_array(&next, room);
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        arrays->dense[s] = next_array(&next, room);
    arrays->squares5 = next_array(&next, combine_room(step->lanes));
    arrays->squares3 = next;
    control_start(&m->control, ERROR_ORDER);
}

static void dop853_restart(OdeStep *step, double h)
{
    Dop853 *m = step->work;
    (void)h;
    control_start(&m->control, ERROR_ORDER);
}

static double sum_at(const Dop853 *m, const Dop853Row *row, size_t i)
{
    double sum = row->weight[0] * m->arrays.k[row->stage[0]][i];
    for (int j = 1; j < row->n; j++)
        sum += row->weight[j] * m->arrays.k[row->stage[j]][i];
    return sum;
}

/* Evaluates stages first .. last; the argument of the first is in its place. */
static bool evaluate_stages(OdeStep *step, size_t first, size_t last, const bool *counted)
{
    const Dop853 *m = step->work;
    const size_t n = m->kernel->stages(step, &m->arrays, first, last);

    ode_count(step, counted, n);
    return n == last - first + 1;
}

/* err = e5^2 / sqrt(e5^2 + 0.01 e3^2), e5 and e3 the norms of the estimates; NaN if a stage was. */
static double error_of(const OdeStep *step, double square5, double square3)
{
    const double all = square5 + 0.01 * square3;
    return all > 0 ? square5 / sqrt(all * (double)step->dim) : all;
}

static bool dop853_attempt(OdeStep *step)
{
    Dop853 *m = step->work;
    const Dop853Arrays *arrays = &m->arrays;
    const double node = DOP853_A[1].weight[0];

    m->arrays.k[0] = step->rates; /* which may have changed places */
    m->combine->first(step, node, node, step->rates);
    if (!evaluate_stages(step, 1, DOP853_STAGES - 1, step->active))
        return false;
    m->kernel->end(step, arrays);
    for (size_t l = 0; l < step->lanes; l++)
        step->error[l] = error_of(step, arrays->squares5[l], arrays->squares3[l]);
    return true;
}

static double dop853_accept(OdeStep *step)
{
    Dop853 *m = step->work;
    return control_accept(&m->control, step->h[0], step->error[0]);
}

static double dop853_reject(OdeStep *step)
{
    Dop853 *m = step->work;
    return control_reject(&m->control, step->h[0], step->error[0]);
}

static bool dop853_dense_prepare(OdeStep *step, const bool *wanted)
{
    const Dop853 *m = step->work;

    /* the end of the step is a stage, too */
    m->kernel->take_end(step, &m->arrays, step->rates_new);
    if (!evaluate_stages(step, DOP853_STAGES + 1, DOP853_ALL_STAGES - 1, wanted))
        return false;
    m->kernel->dense(step, &m->arrays);
    return true;
}

static void dop853_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Dop853 *m = step->work;

    for (size_t r = 0; r < step->rows; r++) {
        const DenseBlocks of =
            dense_blocks(step, m->arrays.dense, r * step->lanes + lane, &step->h[lane]);
        ret_y[r] = dense_value(&of, theta);
    }
}

static void dop853_take_dense(const OdeStep *from, size_t lane, OdeStep *to)
{
    const Dop853 *of_lanes = from->work;
    Dop853 *m = to->work;
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        ode_gather(from, of_lanes->arrays.dense[s], lane, m->arrays.dense[s], from->rows);
}

static void dop853_dense_row(const OdeStep *step, size_t row, double theta, double *ret)
{
    const Dop853 *m = step->work;
    m->kernel->dense_row(step, &m->arrays, row, theta, ret);
}

static void dop853_dense_reach(const OdeStep *step, size_t row, const DenseReach *ret)
{
    const Dop853 *m = step->work;
    m->kernel->dense_reach(step, &m->arrays, row, ret);
}

static Control *dop853_control(const OdeStep *step)
{
    Dop853 *m = step->work;
    return &m->control;
}

/* Ratio: a component limits the step if its error is at least this part of the largest.
 * Convention. */
static const double LIMITING_ERROR_FRACTION = 0.5;

static double error_at(const OdeStep *step, size_t r)
{
    return fabs(step->h[0] * sum_at(step->work, &DOP853_E5, r)) / ode_tolerance(step, r);
}

/* By the last stage and the end of the step, both at t + h: the ratio of the differences of their
 * rates and of their states, the largest among the components that limit the step. A change by
 * rounding alone says nothing. */
static double dop853_stiffness(const OdeStep *step)
{
    enum { LAST = DOP853_STAGES - 1 };
    const Dop853 *m = step->work;
    const Dop853Row *last = &DOP853_A[LAST];
    const double h = step->h[0];
    double most = 0, largest = 0;

    for (size_t i = 0; i < step->dim; i++)
        most = ode_larger(most, error_at(step, i));
    for (size_t i = 0; i < step->dim; i++) {
        /* the last stage lies at t + h, as the end of the step does */
        const double stage = step->y[i] + h * sum_at(m, last, i);
        const double change =
            fabs(h * (step->rates_new[i] - (m->arrays.k[LAST][i] + step->rates[i])));
        const double way = fabs(step->y_new[i] - stage);
        if (change > ode_rounding(step, i) && way > 0 &&
            error_at(step, i) >= LIMITING_ERROR_FRACTION * most)
            largest = ode_larger(largest, change / way);
    }
    return largest;
}

const OdeMethod ode_dop853 = {
    .name = "dop853",
    .order = 8,
    .error_order = ERROR_ORDER,
    .dense_order = 7,
    .gap = 0.27,
    .work_size = dop853_work_size,
    .start = dop853_start,
    .restart = dop853_restart,
    .attempt = dop853_attempt,
    .accept = dop853_accept,
    .reject = dop853_reject,
    .dense_prepare = dop853_dense_prepare,
    .dense = dop853_dense,
    .shares_attempts = true,
    .control = dop853_control,
    .take_dense = dop853_take_dense,
    .stiffness = dop853_stiffness,
    .dense_row = dop853_dense_row,
    .dense_reach = dop853_dense_reach,
};
