/* DOP853: the explicit Runge-Kutta method of order 8 by Dormand and Prince with error estimates of
 * orders 5 and 3 and dense output of order 7: the default for what is not stiff.
 *
 * E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, 2nd edition,
 * Springer 1993, sections II.5, II.6, II.10.
 *
 * Twelve evaluations a step, eleven if it is rejected; three more where dense output is wanted. The
 * rates at the end of a step belong to the projected state: they are the first stage of the next
 * step and a stage of the dense output. */
#include "core/integrate/combine.h"
#include "core/integrate/control.h"
#include "core/integrate/dop853_tableau.h"

#include <math.h>
#include <string.h>

enum { ERROR_ORDER = 8, SUMS = 3 };

typedef struct Dop853 {
    double *k[DOP853_ALL_STAGES]; /* [rows][lanes]; all but k[0], which is the step's, less k[0] */
    double *state;                /* [rows][lanes], where a stage is evaluated */
    double *sums[SUMS];           /* [rows][lanes]: increment and error estimates */
    double *dense[DOP853_DENSE_ROWS];
    /* The sums of the tableau, with their places. */
    StageSum argument[DOP853_ALL_STAGES], increment, error5, error3;
    StageSum dense_sums[DOP853_DENSE_ROWS];
    Control *controls;
} Dop853;

static size_t dop853_work_size(const OdeSystem *system, size_t lanes)
{
    size_t rows = system->dim + system->extra;
    size_t arrays = DOP853_ALL_STAGES - 1 + 1 + SUMS + DOP853_DENSE_ROWS;
    return sizeof(Dop853) + lanes * sizeof(Control) + arrays * rows * lanes * sizeof(double);
}

static void prepare(const OdeStep *step, const Dop853Row *row, const double *base,
                    StageSum *ret_sum)
{
    const Dop853 *m = step->work;
    *ret_sum = (StageSum){.n = (size_t)row->n, .w = row->weight, .h = step->h, .base = base};
    for (int j = 0; j < row->n; j++)
        ret_sum->k[j] = m->k[row->stage[j]];
}

static void dop853_start(OdeStep *step)
{
    const size_t n = step->rows * step->lanes;
    Dop853 *m = step->work;
    double *next;

    m->controls = (Control *)(void *)(m + 1);
    next = (double *)(void *)(m->controls + step->lanes);
    m->k[0] = step->rates;
    for (size_t s = 1; s < DOP853_ALL_STAGES; s++, next += n)
        m->k[s] = next;
    m->state = next;
    next += n;
    for (size_t s = 0; s < SUMS; s++, next += n)
        m->sums[s] = next;
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++, next += n)
        m->dense[s] = next;
    for (size_t s = 1; s < DOP853_ALL_STAGES; s++)
        prepare(step, &DOP853_A[s], step->y, &m->argument[s]);
    prepare(step, &DOP853_B, NULL, &m->increment);
    prepare(step, &DOP853_E5, NULL, &m->error5);
    prepare(step, &DOP853_E3, m->sums[0], &m->error3);
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        prepare(step, &DOP853_D[s], NULL, &m->dense_sums[s]);
    for (size_t l = 0; l < step->lanes; l++)
        control_start(&m->controls[l], ERROR_ORDER);
}

static void dop853_restart(OdeStep *step, size_t lane, double h)
{
    Dop853 *m = step->work;
    (void)h;
    control_start(&m->controls[lane], ERROR_ORDER);
}

/* Evaluates stages first .. last. Quadratures have no influence on rates: their rows of the
 * arguments stay those at the start of the step. */
static bool stages(OdeStep *step, size_t first, size_t last, const bool *counted)
{
    Dop853 *m = step->work;
    const size_t lanes = step->lanes, motion = step->dim * lanes;
    memcpy(m->state + motion, step->y + motion, step->system->extra * lanes * sizeof(double));
    for (size_t s = first; s <= last; s++) {
        combine_stages(&m->argument[s], step->dim, lanes, m->state);
        for (size_t l = 0; l < lanes; l++)
            step->times[l] = step->t[l] + DOP853_A[s].weight[0] * step->h[l];
        if (!ode_rates(step, step->times, m->state, m->k[s], counted))
            return false;
        combine_subtract(m->k[s], step->rates, step->rows, lanes);
    }
    return true;
}

/* err = e5^2 / sqrt(e5^2 + 0.01 e3^2), e5 and e3 the norms of the two estimates. */
static double estimate_error(const OdeStep *step, size_t lane)
{
    const Dop853 *m = step->work;
    const double *e5 = m->sums[1], *e3 = m->sums[2];
    double square5 = 0, square3 = 0, all;
    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes) {
        const double scale = 1 / ode_tolerance(step, i, lane);
        const double a = e5[i] * scale, b = e3[i] * scale;
        square5 += a * a;
        square3 += b * b;
    }
    all = square5 + 0.01 * square3;
    /* NaN where a stage was not finite */
    return all > 0 ? square5 / sqrt(all * (double)step->dim) : all;
}

static bool dop853_attempt(OdeStep *step)
{
    Dop853 *m = step->work;

    if (!stages(step, 1, DOP853_STAGES - 1, step->active))
        return false;
    combine_stages(&m->increment, step->rows, step->lanes, m->sums[0]);
    ode_advance(step, m->sums[0]);
    combine_stages(&m->error5, step->dim, step->lanes, m->sums[1]);
    combine_stages(&m->error3, step->dim, step->lanes, m->sums[2]);
    for (size_t l = 0; l < step->lanes; l++)
        step->error[l] = estimate_error(step, l);
    return true;
}

static double dop853_accept(OdeStep *step, size_t lane)
{
    Dop853 *m = step->work;
    return control_accept(&m->controls[lane], step->h[lane], step->error[lane]);
}

static double dop853_reject(OdeStep *step, size_t lane)
{
    Dop853 *m = step->work;
    return control_reject(&m->controls[lane], step->h[lane], step->error[lane]);
}

static bool dop853_dense_prepare(OdeStep *step, const bool *wanted)
{
    Dop853 *m = step->work;
    const size_t n = step->rows * step->lanes;
    memcpy(m->k[DOP853_STAGES], step->rates_new, n * sizeof(double));
    combine_subtract(m->k[DOP853_STAGES], step->rates, step->rows, step->lanes);
    if (!stages(step, DOP853_STAGES + 1, DOP853_ALL_STAGES - 1, wanted))
        return false;
    for (size_t s = 0; s < DOP853_DENSE_ROWS; s++)
        combine_stages(&m->dense_sums[s], step->rows, step->lanes, m->dense[s]);
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
};
