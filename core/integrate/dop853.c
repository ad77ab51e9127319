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
#include "core/integrate/dop853_lanes.h"
#include "core/integrate/dop853_one.h"
#include "core/integrate/dop853_tableau.h"
#include "core/program/kernels.h"

#include <math.h>
#include <string.h>

enum { ERROR_ORDER = 8 };

typedef struct Dop853 {
    double *k[DOP853_ALL_STAGES]; /* [rows][lanes]; all but k[0], which is the step's, less k[0] */
    double *older; /* [rows]: of one lane, the sum of a stage's argument but for the newest term */
    double *dense[DOP853_DENSE_ROWS];
    double *squares5, *squares3; /* [lanes]: of error estimates, summed */
    StageSum dense_sums[DOP853_DENSE_ROWS];
    const Combine *combine;
    const Dop853One *one;
    const Dop853Lanes *blocks;
    OneLane lane;    /* if there is one */
    Control control; /* of one lane: the lanes of several are controlled by their drives */
} Dop853;

static size_t dop853_work_size(const OdeSystem *system, size_t lanes)
{
    const size_t room = combine_room((system->dim + system->extra) * lanes);
    const size_t arrays = DOP853_ALL_STAGES + DOP853_DENSE_ROWS;
    return cut_aligned(sizeof(Dop853)) + (arrays * room + 2 * combine_room(lanes)) * sizeof(double);
}

/* The first n terms of a row of the tableau. */
static StageSum sum_of(const Dop853 *m, const Dop853Row *row, int n)
{
    StageSum sum = {.n = (size_t)n, .w = row->weight};
    for (int j = 0; j < n; j++)
        sum.k[j] = m->k[row->stage[j]];
    return sum;
}

/* The place of a stage's argument in the step. */
static double node_of(size_t s)
{
    return DOP853_A[s].weight[0];
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
    double *next;

    m->combine = combine_best();
    m->one = KERNEL_BEST(dop853_one);
    m->blocks = KERNEL_BEST(dop853_lanes);
    next = (double *)(void *)((char *)step->work + cut_aligned(sizeof(Dop853)));
    /* rows of stages and of what is made of them, one behind the other */
    for (size_t s = 1; s < DOP853_ALL_STAGES; s++)
        m->k[s] = next_array(&next, room);
    m->older = next_array(&next, room);
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        m->dense[s] = next_array(&next, room);
    m->squares5 = next_array(&next, combine_room(step->lanes));
    m->squares3 = next;
    m->lane = (OneLane){.k = m->k, .older = m->older};
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        m->dense_sums[s] = sum_of(m, &DOP853_D[s], DOP853_D[s].n);
    control_start(&m->control, ERROR_ORDER);
}

static void dop853_restart(OdeStep *step, double h)
{
    Dop853 *m = step->work;
    (void)h;
    control_start(&m->control, ERROR_ORDER);
}

/* A sum of the tableau at component i of one lane. */
static double sum_at(const Dop853 *m, const Dop853Row *row, size_t i)
{
    double sum = row->weight[0] * m->k[row->stage[0]][i];
    for (int j = 1; j < row->n; j++)
        sum += row->weight[j] * m->k[row->stage[j]][i];
    return sum;
}

/* Evaluates stages first .. last of several lanes; the argument of the first is in its place. */
static bool stages_of_lanes(OdeStep *step, size_t first, size_t last, const bool *counted)
{
    const Dop853 *m = step->work;
    const size_t lanes = step->lanes;
    for (size_t s = first;; s++) {
        if (!ode_rates_uncounted(step, step->scratch.place, step->scratch.place + lanes, m->k[s])) {
            ode_count(step, counted, s - first);
            return false;
        }
        if (s == last)
            break;
        m->blocks->take(step, m->k, s);
    }
    ode_count(step, counted, last - first + 1);
    m->combine->less(m->k[last], step->rates, step->rows, lanes);
    return true;
}

/* err = e5^2 / sqrt(e5^2 + 0.01 e3^2), e5 and e3 the norms of the two estimates; NaN where a
 * stage was not finite. */
static double error_of(const OdeStep *step, double square5, double square3)
{
    const double all = square5 + 0.01 * square3;
    return all > 0 ? square5 / sqrt(all * (double)step->dim) : all;
}

static bool stages_one(OdeStep *step, size_t first, size_t last, const bool *counted)
{
    const Dop853 *m = step->work;
    const size_t n = (first == 1 ? m->one->stages : m->one->stages_of_dense)(step, &m->lane);

    ode_count(step, counted, n);
    return n == last - first + 1;
}

static void end_one(OdeStep *step)
{
    Dop853 *m = step->work;
    const ErrorSquares squares = m->one->end(step, &m->lane);

    step->error[0] = error_of(step, squares.order5, squares.order3);
    control_see(&m->control, step->error[0]);
}

static void end_lanes(OdeStep *step)
{
    const Dop853 *m = step->work;

    m->blocks->end(step, m->k, m->squares5, m->squares3);
    for (size_t l = 0; l < step->lanes; l++)
        step->error[l] = error_of(step, m->squares5[l], m->squares3[l]);
}

static bool dop853_attempt(OdeStep *step)
{
    Dop853 *m = step->work;
    const bool one = step->lanes == 1;

    m->k[0] = step->rates; /* which may have changed places */
    ode_argument(step, m->combine, node_of(1), DOP853_A[1].weight[0], step->rates);
    if (!(one ? stages_one : stages_of_lanes)(step, 1, DOP853_STAGES - 1, step->active))
        return false;
    (one ? end_one : end_lanes)(step);
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

/* The end of the step is a stage, too. */
static void take_end(OdeStep *step)
{
    const Dop853 *m = step->work;

    if (step->lanes == 1) {
        m->one->take_end(step, &m->lane);
        return;
    }
    memcpy(m->k[DOP853_STAGES], step->rates_new, step->rows * step->lanes * sizeof(double));
    m->blocks->take(step, m->k, DOP853_STAGES);
}

static bool dop853_dense_prepare(OdeStep *step, const bool *wanted)
{
    const Dop853 *m = step->work;
    const size_t lanes = step->lanes, n = step->rows * lanes, first = DOP853_STAGES + 1;

    take_end(step);
    if (!(lanes == 1 ? stages_one : stages_of_lanes)(step, first, DOP853_ALL_STAGES - 1, wanted))
        return false;
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++) {
        m->combine->sum(&m->dense_sums[s], n, m->dense[s]);
        for (size_t i = 0; i < n; i++)
            m->dense[s][i] *= step->h[i % lanes];
    }
    return true;
}

static void dop853_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Dop853 *m = step->work;
    const double h = step->h[lane], rest = 1 - theta;
    for (size_t r = 0; r < step->rows; r++) {
        const size_t i = r * step->lanes + lane;
        const double rise = step->y_new[i] - step->y[i];
        const double start = h * step->rates[i] - rise;
        const double end = rise - h * step->rates_new[i] - start;
        double s = m->dense[2][i] + theta * m->dense[3][i];
        s = m->dense[0][i] + theta * (m->dense[1][i] + rest * s);
        ret_y[r] = step->y[i] + theta * (rise + rest * (start + theta * (end + rest * s)));
    }
}

static void dop853_take_dense(const OdeStep *from, size_t lane, OdeStep *to)
{
    const Dop853 *of_lanes = from->work;
    Dop853 *m = to->work;
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        ode_gather(from, of_lanes->dense[s], lane, m->dense[s], from->rows);
}

static DenseRow dense_row_of(const OdeStep *step, size_t row)
{
    const Dop853 *m = step->work;
    const size_t i = row * step->lanes;
    return (DenseRow){.y = step->y + i,
                      .y_new = step->y_new + i,
                      .rates = step->rates + i,
                      .rates_new = step->rates_new + i,
                      .h = step->h,
                      .d = {m->dense[0] + i, m->dense[1] + i, m->dense[2] + i, m->dense[3] + i}};
}

static void dop853_dense_row(const OdeStep *step, size_t row, double theta, double *ret)
{
    const Dop853 *m = step->work;
    const DenseRow of = dense_row_of(step, row);
    m->combine->dense(&of, theta, step->lanes, ret);
}

static void dop853_dense_reach(const OdeStep *step, size_t row, const DenseReach *ret)
{
    const Dop853 *m = step->work;
    const DenseRow of = dense_row_of(step, row);
    m->combine->reach(&of, step->lanes, ret);
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

    /* the largest error */
    for (size_t i = 0; i < step->dim; i++)
        most = ode_larger(most, error_at(step, i));
    for (size_t i = 0; i < step->dim; i++) {
        /* the last stage lies at t + h, as the end of the step does */
        const double stage = step->y[i] + h * sum_at(m, last, i);
        const double change = fabs(h * (step->rates_new[i] - (m->k[LAST][i] + step->rates[i])));
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
    .only_cuts = true,
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
