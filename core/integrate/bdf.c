/* BDF: backward differentiation formulas of orders 1 to 5, for stiff systems, with the exact
 * Jacobian.
 *
 * L. F. Shampine, M. W. Reichelt: The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22:
 * numerical differentiation formulas (Klopfenstein's modification of the BDF) over backward
 * differences with a step that changes seldom; then the differences are interpolated.
 *
 * The history is kept as differences so that a projected state can enter it: the newest value has
 * the coefficient 1 in the differences of all orders, hence each of them gets the projection's
 * change of the value. The method goes on from the projected state exactly as if it had computed
 * it; nothing drifts and nothing is restarted. The first step after a start or a jump is one of
 * DOP853 (C. W. Gear, Runge-Kutta starters for multistep methods, ACM TOMS 6 (1980) 263), whose
 * dense output gives the differences of order 5: a start at order 1 would need h^2 below the
 * tolerance of what grows like h^2. Dense output is the polynomial through the newest order + 1
 * states. The quadratures follow the same formulas, explicitly. A step has one lane. */
#include "core/base/accuracy.h"
#include "core/integrate/control.h"
#include "core/integrate/limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numeric/lu.h"

enum { MAX_ORDER = 5, DIFFERENCES = MAX_ORDER + 3, ITERATIONS = 4, MOST_TROUBLE = 12 };

/* Ratio: if a step is below this part of the spacing, differences of high order would be rounding
 * errors at the new spacing. Convention: 1e-3^5 is about the rounding of the state. */
static const double MIN_RESCALE = 1e-3;
/* Factors between two steps: the smallest and the largest (those of SciPy's BDF, Virtanen et al.
 * 2020). */
static const double SMALLEST_FACTOR = 0.2, LARGEST_FACTOR = 10;

/* Klopfenstein's kappa, and sums of 1/j. */
static const double KAPPA[MAX_ORDER + 2] = {0, -0.1850, -1.0 / 9, -0.0823, -0.0415, 0, 0};
static const double GAMMA[MAX_ORDER + 2] = {
    0, 1, 3.0 / 2, 11.0 / 6, 25.0 / 12, 137.0 / 60, 49.0 / 20,
};

static double alpha(unsigned order)
{
    return (1 - KAPPA[order]) * GAMMA[order];
}

static double error_constant(unsigned order)
{
    return KAPPA[order] * GAMMA[order] + 1.0 / (order + 1);
}

/* The Jacobian of the last matrix. */
typedef enum JacobianAge { JACOBIAN_NONE, JACOBIAN_OLD, JACOBIAN_FRESH } JacobianAge;

/* Newton's iteration of an attempt. */
typedef enum Newton { NEWTON_FAILED, NEWTON_RUNNING, NEWTON_CONVERGED } Newton;

typedef struct BdfState {
    unsigned order; /* 0: at a start, the step is one of DOP853; `ready`: with its dense output */
    bool ready;
    unsigned equal_steps; /* accepted with this h and order */
    double h;             /* spacing of the differences */
    double lu_h;          /* step and order for which the matrix is factored; 0: none */
    unsigned lu_order;
    JacobianAge jacobian;
    Newton newton;
    double last_norm;    /* of the Newton correction */
    unsigned iterations; /* that the last step took */
    unsigned trouble;    /* 2 for each rejection, less the steps accepted since */
} BdfState;

/* Behind the work of DOP853, which makes the first step. */
typedef struct Bdf {
    BdfState state;
    double *differences, *next; /* [DIFFERENCES][rows]; next: as if the step were accepted */
    double *psi, *correction;   /* [rows] */
    double *jacobian;           /* [dim][dim] */
    double *lu;                 /* [lu_doubles(dim)] */
    double *damped;             /* [rows]: OdeRoundingErrors.damped */
    double *dfdt;               /* [dim] scratch: the formulas do not need it */
    double *column, *delta;     /* [rows] scratch */
    double *rates;              /* [rows] */
} Bdf;

static size_t lay_out(Bdf *m, const OdeSystem *system, void *memory)
{
    const size_t dim = system->dim, rows = dim + system->extra;
    double **const arrays[] = {&m->psi,    &m->correction, &m->rates,
                               &m->damped, &m->column,     &m->delta};
    Cutter cutter = {.memory = memory};

    cut(&cutter, 1, ode_dop853.work_size(system, 1));
    cut(&cutter, 1, sizeof *m);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = cut(&cutter, rows, sizeof(double));
    m->differences = cut(&cutter, DIFFERENCES * rows, sizeof(double));
    m->next = cut(&cutter, DIFFERENCES * rows, sizeof(double));
    m->jacobian = cut(&cutter, dim * dim, sizeof(double));
    m->lu = cut(&cutter, lu_doubles(dim), sizeof(double));
    m->dfdt = cut(&cutter, dim, sizeof(double));
    return cutter.used;
}

static size_t bdf_work_size(const OdeSystem *system, size_t lanes)
{
    Bdf counted;
    (void)lanes; /* one */
    return lay_out(&counted, system, NULL);
}

static Bdf *bdf_of(const OdeStep *step)
{
    const size_t starter = cut_aligned(ode_dop853.work_size(step->system, 1));
    return (Bdf *)(void *)((char *)step->work + starter);
}

static void bdf_start(OdeStep *step)
{
    Bdf *m = bdf_of(step);

    memset(step->work, 0, bdf_work_size(step->system, 1));
    lay_out(m, step->system, step->work);
    step->rounding.damped = m->damped;
    ode_dop853.start(step);
}

static double *difference(double *table, const OdeStep *step, size_t j)
{
    return table + j * step->rows;
}

static void bdf_restart(OdeStep *step, double h)
{
    bdf_of(step)->state = (BdfState){.h = h};
    ode_dop853.restart(step, h);
}

/* In the midst of a motion: at order 1, from the rates. */
static void restart_low(OdeStep *step, Bdf *m, double h)
{
    double *d0 = difference(m->differences, step, 0);
    double *d1 = difference(m->differences, step, 1);
    m->state = (BdfState){.order = 1, .h = h};
    memset(d0, 0, DIFFERENCES * step->rows * sizeof *d0);
    memcpy(d0, step->y, step->rows * sizeof *d0);
    for (size_t r = 0; r < step->rows; r++)
        d1[r] = step->rates[r] * h;
}

/* R(factor) in Shampine and Reichelt, of order n: R(factor) R(1) changes the spacing by factor. */
static void rescaling(unsigned n, double factor, double ret_r[MAX_ORDER + 1][MAX_ORDER + 1])
{
    for (unsigned j = 0; j <= n; j++)
        ret_r[0][j] = 1;
    for (unsigned i = 1; i <= n; i++) {
        ret_r[i][0] = 0;
        for (unsigned j = 1; j <= n; j++)
            ret_r[i][j] = ret_r[i - 1][j] * (i - 1 - factor * j) / i;
    }
}

static void bdf_rescale(OdeStep *step, Bdf *m, double h)
{
    BdfState *l = &m->state;
    const unsigned n = l->order;
    double r[MAX_ORDER + 1][MAX_ORDER + 1], u[MAX_ORDER + 1][MAX_ORDER + 1];
    double old[MAX_ORDER + 1];
    /* the new differences are (R(h_new / h_old) R(1)) applied to the old ones, row by row */
    rescaling(n, h / l->h, r);
    rescaling(n, 1, u);
    for (size_t row = 0; row < step->rows; row++) {
        double middle[MAX_ORDER + 1];
        for (unsigned j = 0; j <= n; j++)
            old[j] = difference(m->differences, step, j)[row];
        for (unsigned j = 0; j <= n; j++) {
            middle[j] = 0;
            for (unsigned i = 0; i <= n; i++)
                middle[j] += r[i][j] * old[i];
        }
        for (unsigned j = 1; j <= n; j++) {
            double sum = 0;
            for (unsigned i = 0; i <= n; i++)
                sum += u[i][j] * middle[i];
            difference(m->differences, step, j)[row] = sum;
        }
    }
    l->h = h;
    l->equal_steps = 0;
}

/* The factors of I - h/alpha J; false when singular. */
static bool bdf_factor(OdeStep *step, Bdf *m)
{
    BdfState *l = &m->state;
    const size_t n = step->dim;
    const double c = l->h / alpha(l->order);
    const double *jacobian = m->jacobian;
    double *a = m->lu;
    l->lu_h = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = (i == j ? 1.0 : 0.0) - c * jacobian[i * n + j];
    if (!lu_factor(n, a))
        return false;
    l->lu_h = l->h;
    l->lu_order = l->order;
    return true;
}

/* Root mean square of x (contiguous) in units of the tolerance. */
static double bdf_norm(const OdeStep *step, const double *x)
{
    double sum = 0;
    for (size_t r = 0; r < step->dim; r++) {
        double part = x[r] / ode_tolerance(step, r);
        sum += part * part;
    }
    return sqrt(sum / (double)step->dim);
}

/* Predicts the new state and prepares the iteration. The step may differ from the spacing of the
 * differences by the rounding of t alone; that is no change of it. */
static void bdf_predict(OdeStep *step, Bdf *m)
{
    BdfState *l = &m->state;
    const double h = step->h[0];
    double *psi = m->psi;
    if (fabs(h - l->h) > 4 * DBL_EPSILON * (fabs(step->t[0]) + fabs(h))) {
        /* a far shorter step, at which differences of higher order would be rounding errors, or
         * one rejected again and again: the differences do not describe the motion ahead */
        if (fabs(h) < MIN_RESCALE * fabs(l->h) || l->trouble >= MOST_TROUBLE) {
            const JacobianAge jacobian = l->jacobian;
            restart_low(step, m, h);
            l->jacobian = jacobian;
        } else {
            bdf_rescale(step, m, h);
        }
    }
    memset(psi, 0, step->rows * sizeof *psi);
    memset(m->correction, 0, step->rows * sizeof *psi);
    memcpy(m->column, difference(m->differences, step, 0), step->rows * sizeof *psi);
    /* y_predicted = sum of the differences; psi = sum of gamma_j d_j / alpha */
    for (unsigned j = 1; j <= l->order; j++) {
        const double *d = difference(m->differences, step, j);
        const double weight = GAMMA[j] / alpha(l->order);
        for (size_t r = 0; r < step->rows; r++) {
            m->column[r] += d[r];
            psi[r] += weight * d[r];
        }
    }
    memcpy(step->y_new, m->column, step->rows * sizeof *psi);
    l->newton = NEWTON_RUNNING;
    l->iterations = 0;
    l->last_norm = 0;
}

/* Errors of the rates, each as large as its rounding, with signs of several patterns, go through
 * Newton's matrix as the rates do: stiff components damp them. */
static void damp_rounding(OdeStep *step, const Bdf *m)
{
    const BdfState *l = &m->state;
    const double c = l->h / alpha(l->order);
    const size_t n = step->dim;

    for (size_t r = 0; r < n; r++)
        m->damped[r] = 0;
    for (size_t pattern = 1; pattern == 1 || pattern < 2 * n; pattern *= 2) {
        for (size_t r = 0; r < n; r++)
            m->column[r] = ((r & pattern) != 0 ? c : -c) * step->rounding.noise[r];
        lu_solve(n, m->lu, m->column, m->delta);
        for (size_t r = 0; r < n; r++) {
            double *damped = &m->damped[r];
            *damped = ode_larger(*damped, fabs(m->delta[r]));
        }
    }
}

/* A factored matrix for the iteration; `anew`: with the Jacobian at the predicted state. */
static void prepare_matrix(OdeStep *step, Bdf *m, bool anew)
{
    BdfState *l = &m->state;
    if (anew || l->jacobian == JACOBIAN_NONE) {
        step->system->jacobian(step->system->self, step->t[0] + step->h[0], step->y_new,
                               m->jacobian, m->dfdt);
        step->jacobians[0]++;
        l->jacobian = JACOBIAN_FRESH;
        l->lu_h = 0;
    }
    if ((l->lu_h != l->h || l->lu_order != l->order) && !bdf_factor(step, m))
        l->newton = NEWTON_FAILED;
    if (l->newton == NEWTON_RUNNING)
        damp_rounding(step, m);
}

/* The largest error that Newton's iteration may leave, in units of the tolerance (that of SciPy's
 * BDF, Virtanen et al. 2020). */
static const double NEWTON_TOLERANCE = 0.03;

/* How far the iteration has to go, as rounding of the state and of the rates allows. */
static double newton_tolerance(const OdeStep *step, const Bdf *m)
{
    const double rtol = fmax(step->rtol, ACCURACY_ROUNDED);
    double *const rounding = m->delta;

    for (size_t r = 0; r < step->dim; r++)
        rounding[r] = ode_rounding(step, r);
    const double of_rates = bdf_norm(step, rounding);
    return fmax(10 * DBL_EPSILON / rtol, fmin(NEWTON_TOLERANCE, fmax(of_rates, sqrt(rtol))));
}

static void bdf_correct(OdeStep *step, Bdf *m)
{
    BdfState *l = &m->state;
    const double c = l->h / alpha(l->order), tolerance = newton_tolerance(step, m);
    const double *psi = m->psi;
    double *correction = m->correction, *delta = m->delta;
    double size, ratio;

    /* residual of h/alpha f(y) = psi + (y - y_predicted); quadratures need no matrix */
    for (size_t r = 0; r < step->rows; r++)
        delta[r] = c * m->rates[r] - psi[r] - correction[r];
    memcpy(m->column, delta, step->dim * sizeof *delta);
    lu_solve(step->dim, m->lu, m->column, delta);
    size = bdf_norm(step, delta);
    ratio = l->iterations > 0 ? size / l->last_norm : 0;
    l->iterations++;
    /* corrections do not shrink (by rounding, if within the tolerance), or too slowly */
    const bool rounding = ratio >= 1 && size <= tolerance;
    if (!isfinite(size) || (ratio >= 1 && !rounding) ||
        (l->iterations > 1 && !rounding &&
         pow(ratio, ITERATIONS - l->iterations + 1) / (1 - ratio) * size > tolerance)) {
        l->newton = NEWTON_FAILED;
        return;
    }
    for (size_t r = 0; r < step->rows; r++) {
        correction[r] += delta[r];
        step->y_new[r] += delta[r];
    }
    l->last_norm = size;
    /* the distance left, if the corrections shrink on by this ratio */
    if (size == 0 || rounding || (l->iterations > 1 && ratio / (1 - ratio) * size < tolerance))
        l->newton = NEWTON_CONVERGED;
}

/* Newton's iteration; false when the pulse stopped. */
static bool bdf_iterate(OdeStep *step, Bdf *m)
{
    for (unsigned i = 0; i < ITERATIONS && m->state.newton == NEWTON_RUNNING; i++) {
        if (!ode_rates_one(step, step->scratch.times, step->y_new, m->rates))
            return false;
        bdf_correct(step, m);
    }
    return true;
}

/* The step at a start: one of DOP853. Nothing damps the rounding of its rates. */
static bool attempt_start(OdeStep *step, Bdf *m)
{
    m->state.ready = false;
    for (size_t r = 0; r < step->rows; r++)
        m->damped[r] = INFINITY;
    return ode_dop853.attempt(step);
}

static bool bdf_attempt(OdeStep *step)
{
    Bdf *m = bdf_of(step);
    BdfState *l = &m->state;
    memset(step->carry_new, 0, step->rows * sizeof *step->carry_new);
    if (l->order == 0)
        return attempt_start(step, m);
    step->scratch.times[0] = step->t[0] + step->h[0];
    bdf_predict(step, m);
    if (l->jacobian == JACOBIAN_FRESH)
        l->jacobian = JACOBIAN_OLD;
    prepare_matrix(step, m, false);
    if (!bdf_iterate(step, m))
        return false;
    /* once more, with a new Jacobian, if an old one did not do */
    if (l->newton != NEWTON_CONVERGED && l->jacobian != JACOBIAN_FRESH) {
        bdf_predict(step, m);
        prepare_matrix(step, m, true);
        if (!bdf_iterate(step, m))
            return false;
    }
    step->error[0] = l->newton == NEWTON_CONVERGED
                         ? error_constant(l->order) * bdf_norm(step, m->correction)
                         : NAN;
    return true;
}

/* The differences once y_new, as it is now, is the newest state. */
static void push_state(const OdeStep *step, const Bdf *m)
{
    const BdfState *l = &m->state;
    const unsigned n = l->order;
    for (size_t r = 0; r < step->rows; r++) {
        double sum = 0, moved;
        for (unsigned j = 0; j <= n; j++)
            sum += difference(m->differences, step, j)[r];
        moved = step->y_new[r] - sum; /* correction and projection */
        difference(m->next, step, n + 2)[r] = moved - difference(m->differences, step, n + 1)[r];
        difference(m->next, step, n + 1)[r] = moved;
        for (unsigned j = n + 1; j-- > 0;)
            difference(m->next, step, j)[r] =
                difference(m->differences, step, j)[r] + difference(m->next, step, j + 1)[r];
    }
}

static double safety(const BdfState *l)
{
    return CONTROL_SAFETY * (2 * ITERATIONS + 1) / (2 * ITERATIONS + l->iterations);
}

/* The order with which the next step can be longest; returns by what factor. */
static double choose_order(const OdeStep *step, Bdf *m)
{
    BdfState *l = &m->state;
    const unsigned n = l->order;
    double best = 0;
    unsigned order = n;
    for (unsigned p = n > 1 ? n - 1 : 1; p <= n + 1 && p <= MAX_ORDER; p++) {
        /* the difference that the formula of order p leaves out */
        double error =
            p == n ? step->error[0]
                   : error_constant(p) * bdf_norm(step, difference(m->differences, step, p + 1));
        double longer = error > 0 ? pow(error, -1.0 / (p + 1)) : INFINITY;
        if (longer > best) {
            best = longer;
            order = p;
        }
    }
    l->order = order;
    return fmin(LARGEST_FACTOR, safety(l) * best);
}

static bool bdf_dense_prepare(OdeStep *step, const bool *wanted)
{
    Bdf *m = bdf_of(step);

    if (m->state.order > 0) {
        push_state(step, m);
        return true;
    }
    m->state.ready = ode_dop853.dense_prepare(step, wanted);
    return m->state.ready;
}

/* Differences of all orders at the end of the first step, of states `part` of that step apart. */
static void take_differences(OdeStep *step, const Bdf *m, double part)
{
    memcpy(difference(m->differences, step, 0), step->y_new, step->rows * sizeof(double));
    for (unsigned j = 1; j < DIFFERENCES; j++)
        ode_dop853.dense(step, 0, 1 - j * part, difference(m->differences, step, j));
    for (unsigned order = 1; order < DIFFERENCES; order++)
        for (unsigned j = DIFFERENCES; j-- > order;) {
            double *d = difference(m->differences, step, j);
            const double *newer = difference(m->differences, step, j - 1);
            for (size_t r = 0; r < step->rows; r++)
                d[r] = newer[r] - d[r];
        }
}

/* The step of DOP853 is over: it has given the differences for the highest order, so far apart
 * that the next step has the error of the tolerance. */
static double accept_start(OdeStep *step, Bdf *m)
{
    const double widest = 1.0 / (DIFFERENCES - 1);
    BdfState *l = &m->state;

    if (!l->ready && !bdf_dense_prepare(step, step->active))
        return step->h[0]; /* the pulse has stopped the run */
    take_differences(step, m, widest);
    const double error =
        error_constant(MAX_ORDER) * bdf_norm(step, difference(m->differences, step, MAX_ORDER + 1));
    const double closer = error > 0 ? CONTROL_SAFETY * pow(error, -1.0 / (MAX_ORDER + 1)) : 1;
    const double part = widest * fmin(1, closer);
    take_differences(step, m, part);
    l->order = MAX_ORDER;
    l->equal_steps = 0;
    l->h = part * step->h[0];
    step->added += step->error[0];
    return l->h;
}

static double bdf_accept(OdeStep *step)
{
    Bdf *m = bdf_of(step);
    BdfState *l = &m->state;
    double longer;
    if (l->order == 0)
        return accept_start(step, m);
    push_state(step, m);
    memcpy(difference(m->differences, step, 0), difference(m->next, step, 0),
           DIFFERENCES * step->rows * sizeof(double));
    step->added += step->error[0];
    l->trouble -= l->trouble > 0;
    l->equal_steps++;
    if (l->equal_steps < l->order + 1)
        return l->h;
    longer = choose_order(step, m);
    l->equal_steps = 0;
    return l->h * longer;
}

static double bdf_reject(OdeStep *step)
{
    Bdf *m = bdf_of(step);
    BdfState *l = &m->state;
    const double error = step->error[0];
    if (l->order == 0)
        return ode_dop853.reject(step);
    l->trouble += 2;
    if (!isfinite(error))
        return step->h[0] / 2;
    return step->h[0] * fmax(SMALLEST_FACTOR, safety(l) * pow(error, -1.0 / (l->order + 1)));
}

static void bdf_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Bdf *m = bdf_of(step);
    const unsigned n = m->state.order;
    if (n == 0) {
        ode_dop853.dense(step, lane, theta, ret_y);
        return;
    }
    /* Newton's backward formula through the newest states */
    double weight = 1;
    memcpy(ret_y, difference(m->next, step, 0), step->rows * sizeof *ret_y);
    for (unsigned j = 1; j <= n; j++) {
        const double *d = difference(m->next, step, j);
        weight *= (theta - 1 + (j - 1)) / j;
        for (size_t r = 0; r < step->rows; r++)
            ret_y[r] += weight * d[r];
    }
}

const OdeMethod ode_bdf = {
    .name = "bdf",
    .order = 5,
    .error_order = 8, /* the first step is one of DOP853 */
    .dense_order = 5,
    .gap = 1,
    .needs_jacobian = true,
    .multistep = true,
    .work_size = bdf_work_size,
    .start = bdf_start,
    .restart = bdf_restart,
    .attempt = bdf_attempt,
    .accept = bdf_accept,
    .reject = bdf_reject,
    .dense_prepare = bdf_dense_prepare,
    .dense = bdf_dense,
};
