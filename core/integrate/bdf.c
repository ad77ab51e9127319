/* BDF: backward differentiation formulas of orders 1 to 5, for stiff systems, with the exact
 * Jacobian.
 *
 * L. F. Shampine, M. W. Reichelt: The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22:
 * numerical differentiation formulas (Klopfenstein's modification of the BDF) over backward
 * differences with a step that changes seldom; then the differences are interpolated.
 *
 * The history is kept as differences so that a projected state can enter it: the newest value
 * has the coefficient 1 in the differences of all orders, hence what the projection adds to it
 * is added to each of them. The method goes on from the projected state exactly as if it had
 * computed it; nothing drifts and nothing is restarted. (GSL's msbdf cannot: it goes on from a
 * history of its own whatever became of the state, and falls back to order 1 when a step is
 * taken again a few times to end at a root.) The first step after a start or a jump is one of
 * DOP853 (C. W. Gear, Runge-Kutta starters for multistep methods, ACM TOMS 6 (1980) 263): its
 * dense output gives the differences of order 5. A start at order 1 would have to be so short
 * that h^2 is below the tolerance of what grows like h^2. Dense output is the polynomial through
 * the newest order + 1 states. The quadratures follow the same formulas, explicitly. Lanes
 * iterate together, so that each evaluation of the rates serves all of them. */
#include "core/integrate/control.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numeric/lu.h"

enum { MAX_ORDER = 5, DIFFERENCES = MAX_ORDER + 3, ITERATIONS = 4, MOST_TROUBLE = 12 };

/* If a step is below this fraction of the spacing, differences of high order would be rounding
 * errors at the new spacing (heuristic). */
static const double MIN_RESCALE = 1e-3;
/* The factor of a step whose error estimate is zero: it only has to exceed every other one. */
static const double FACTOR_OF_NO_ERROR = 1e9;

/* Klopfenstein's kappa, sums of 1/j, and what follows from them. */
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

typedef struct BdfLane {
    unsigned order; /* 0: at a start, the step is one of DOP853; `ready`: with its dense output */
    bool ready;
    unsigned equal_steps; /* accepted with this h and order */
    double h;             /* spacing of the differences */
    double lu_h;          /* step and order for which the matrix is factored; 0: none */
    unsigned lu_order;
    bool has_jacobian, fresh_jacobian;
    bool iterating, converged;
    double last_norm;    /* of the Newton correction */
    unsigned iterations; /* that the last step took */
    unsigned trouble;    /* 2 for each rejection, less the steps accepted since */
} BdfLane;

typedef struct Bdf {
    BdfLane *lanes;
    double *differences, *next; /* [lane][DIFFERENCES][rows]; next: as if the step were accepted */
    double *psi, *correction;   /* [lane][rows] */
    double *jacobian;           /* [lane][dim][dim] */
    double *lu;                 /* [lane][lu_doubles(dim)] */
    double *damped;             /* [rows][lanes]: OdeStep.damped */
    double *dfdt;               /* [dim] scratch: the formulas do not need it */
    double *column, *delta;     /* [rows] scratch */
    double *rates;              /* [rows][lanes] */
    bool *counted, *starting;   /* [lanes] */
    void *starter;              /* the work of DOP853 */
} Bdf;

static size_t bdf_work_size(const OdeSystem *system, size_t lanes)
{
    const size_t dim = system->dim, rows = dim + system->extra;
    return cut_aligned(sizeof(Bdf) + lanes * (sizeof(BdfLane) + 2 * sizeof(bool)) +
                       sizeof(double) *
                           (lanes * ((2 * DIFFERENCES + 4) * rows + dim * dim + lu_doubles(dim)) +
                            dim + 2 * rows));
}

static size_t bdf_work_size_with_starter(const OdeSystem *system, size_t lanes)
{
    return bdf_work_size(system, lanes) + ode_dop853.work_size(system, lanes);
}

/* DOP853 works on the same step. */
static void exchange_work(OdeStep *step, void *work)
{
    step->work = work;
}

static void bdf_start(OdeStep *step)
{
    const size_t lanes = step->lanes, rows = step->rows, dim = step->dim;
    Bdf *m = memset(step->work, 0, bdf_work_size(step->system, step->lanes));
    double *next;
    /* cut the memory behind the struct */
    m->lanes = (BdfLane *)(void *)(m + 1);
    m->differences = next = (double *)(void *)(m->lanes + lanes);
    m->next = next += lanes * DIFFERENCES * rows;
    m->psi = next += lanes * DIFFERENCES * rows;
    m->correction = next += lanes * rows;
    m->rates = next += lanes * rows;
    m->damped = step->rounding.damped = next += lanes * rows;
    m->jacobian = next += lanes * rows;
    m->lu = next += lanes * dim * dim;
    m->dfdt = next += lanes * lu_doubles(dim);
    m->column = next += dim;
    m->delta = next += rows;
    m->counted = (bool *)(void *)(next + rows);
    m->starting = m->counted + lanes;
    m->starter = (char *)step->work + bdf_work_size(step->system, lanes);
    /* DOP853, which makes the first step, has the memory behind that */
    exchange_work(step, m->starter);
    ode_dop853.start(step);
    exchange_work(step, m);
}

static double *bdf_difference(double *table, const OdeStep *step, size_t lane, size_t j)
{
    return table + (lane * DIFFERENCES + j) * step->rows;
}

static void bdf_restart(OdeStep *step, size_t lane, double h)
{
    Bdf *m = step->work;
    m->lanes[lane] = (BdfLane){.h = h};
    exchange_work(step, m->starter);
    ode_dop853.restart(step, lane, h);
    exchange_work(step, m);
}

/* In the midst of a motion: at order 1, from the rates. */
static void restart_low(OdeStep *step, size_t lane, double h)
{
    Bdf *m = step->work;
    double *d0 = bdf_difference(m->differences, step, lane, 0);
    double *d1 = bdf_difference(m->differences, step, lane, 1);
    m->lanes[lane] = (BdfLane){.order = 1, .h = h};
    memset(d0, 0, DIFFERENCES * step->rows * sizeof *d0);
    ode_gather(step, step->y, lane, d0);
    ode_gather(step, step->rates, lane, d1);
    for (size_t r = 0; r < step->rows; r++)
        d1[r] *= h;
}

/* The matrix that takes differences at one spacing to those at factor times it (order n): R(factor)
 * R(1) in Shampine and Reichelt. */
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

static void bdf_rescale(OdeStep *step, size_t lane, double h)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const unsigned n = l->order;
    double r[MAX_ORDER + 1][MAX_ORDER + 1], u[MAX_ORDER + 1][MAX_ORDER + 1];
    double old[MAX_ORDER + 1];
    /* the new differences are (R(h_new / h_old) R(1)) applied to the old ones, row by row */
    rescaling(n, h / l->h, r);
    rescaling(n, 1, u);
    for (size_t row = 0; row < step->rows; row++) {
        double middle[MAX_ORDER + 1];
        for (unsigned j = 0; j <= n; j++)
            old[j] = bdf_difference(m->differences, step, lane, j)[row];
        for (unsigned j = 0; j <= n; j++) {
            middle[j] = 0;
            for (unsigned i = 0; i <= n; i++)
                middle[j] += r[i][j] * old[i];
        }
        for (unsigned j = 1; j <= n; j++) {
            double sum = 0;
            for (unsigned i = 0; i <= n; i++)
                sum += u[i][j] * middle[i];
            bdf_difference(m->differences, step, lane, j)[row] = sum;
        }
    }
    l->h = h;
    l->equal_steps = 0;
}

/* The factors of I - h/alpha J; false when singular. */
static bool bdf_factor(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const size_t n = step->dim;
    const double c = l->h / alpha(l->order);
    const double *jacobian = m->jacobian + lane * n * n;
    double *a = m->lu + lane * lu_doubles(n);
    l->lu_h = 0;
    /* Newton's matrix for y = psi + h/alpha f(t, y) */
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
static double bdf_norm(const OdeStep *step, size_t lane, const double *x)
{
    double sum = 0;
    for (size_t r = 0; r < step->dim; r++) {
        double part = x[r] / ode_tolerance(step, r * step->lanes + lane, lane);
        sum += part * part;
    }
    return sqrt(sum / (double)step->dim);
}

/* Predicts the new state and prepares the iteration. The step may differ from the spacing of the
 * differences by the rounding of t alone; that is no change of it. */
static void bdf_predict(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const double h = step->h[lane];
    double *psi = m->psi + lane * step->rows;
    if (fabs(h - l->h) > 4 * DBL_EPSILON * (fabs(step->t[lane]) + fabs(h))) {
        /* so much shorter that differences of higher order would be rounding errors; or again
         * and again too long: what the differences hold does not go on */
        if (fabs(h) < MIN_RESCALE * fabs(l->h) || l->trouble >= MOST_TROUBLE) {
            const BdfLane old = *l;
            restart_low(step, lane, h);
            l->has_jacobian = old.has_jacobian;
        } else {
            bdf_rescale(step, lane, h);
        }
    }
    memset(psi, 0, step->rows * sizeof *psi);
    memset(m->correction + lane * step->rows, 0, step->rows * sizeof *psi);
    memcpy(m->column, bdf_difference(m->differences, step, lane, 0), step->rows * sizeof *psi);
    /* y_predicted = sum of the differences; psi = sum of gamma_j d_j / alpha */
    for (unsigned j = 1; j <= l->order; j++) {
        const double *d = bdf_difference(m->differences, step, lane, j);
        const double weight = GAMMA[j] / alpha(l->order);
        for (size_t r = 0; r < step->rows; r++) {
            m->column[r] += d[r];
            psi[r] += weight * d[r];
        }
    }
    ode_scatter(step, m->column, lane, step->y_new);
    l->iterating = true;
    l->converged = false;
    l->iterations = 0;
    l->last_norm = 0;
}

/* Errors of the rates, each as large as its rounding, with signs of several patterns, go through
 * Newton's matrix as the rates do: what is stiff damps them. */
static void damp_rounding(OdeStep *step, size_t lane)
{
    const Bdf *m = step->work;
    const BdfLane *l = &m->lanes[lane];
    const double c = l->h / alpha(l->order);
    const size_t n = step->dim;

    for (size_t r = 0; r < n; r++)
        m->damped[r * step->lanes + lane] = 0;
    for (size_t pattern = 1; pattern == 1 || pattern < 2 * n; pattern *= 2) {
        for (size_t r = 0; r < n; r++)
            m->column[r] =
                ((r & pattern) != 0 ? c : -c) * step->rounding.noise[r * step->lanes + lane];
        lu_solve(n, m->lu + lane * lu_doubles(n), m->column, m->delta);
        for (size_t r = 0; r < n; r++) {
            double *damped = &m->damped[r * step->lanes + lane];
            *damped = ode_larger(*damped, fabs(m->delta[r]));
        }
    }
}

/* A factored matrix for the iteration; `anew`: with the Jacobian at the predicted state. */
static void prepare_matrix(OdeStep *step, size_t lane, bool anew)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const size_t n = step->dim;
    if (anew || !l->has_jacobian) {
        ode_gather(step, step->y_new, lane, m->column);
        step->system->jacobian(step->system->self, lane, step->t[lane] + step->h[lane], m->column,
                               m->jacobian + lane * n * n, m->dfdt);
        step->jacobians[lane]++;
        l->has_jacobian = l->fresh_jacobian = true;
        l->lu_h = 0;
    }
    if ((l->lu_h != l->h || l->lu_order != l->order) && !bdf_factor(step, lane))
        l->iterating = false;
    if (l->iterating)
        damp_rounding(step, lane);
}

/* The largest error that Newton's iteration may leave, in units of the tolerance, and the least
 * rtol for which it is scaled, about 45 units in the last place (heuristics). */
static const double NEWTON_TOLERANCE = 0.03, MIN_NEWTON_RTOL = 1e-14;

/* How far the iteration has to go: no farther than rounding of the state and of the rates
 * allows. */
static double newton_tolerance(const OdeStep *step, size_t lane)
{
    const double rtol = fmax(step->rtol, MIN_NEWTON_RTOL);
    double sum = 0;

    for (size_t r = 0; r < step->dim; r++) {
        const size_t i = r * step->lanes + lane;
        const double part = ode_rounding(step, i, lane) / ode_tolerance(step, i, lane);
        sum += part * part;
    }
    const double of_rates = sqrt(sum / (double)step->dim);
    return fmax(10 * DBL_EPSILON / rtol, fmin(NEWTON_TOLERANCE, fmax(of_rates, sqrt(rtol))));
}

/* One Newton correction with the rates at y_new. */
static void bdf_correct(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const double c = l->h / alpha(l->order), tolerance = newton_tolerance(step, lane);
    const double *psi = m->psi + lane * step->rows;
    double *correction = m->correction + lane * step->rows, *delta = m->delta;
    double size, ratio;

    ode_gather(step, m->rates, lane, m->column);
    /* residual of h/alpha f(y) = psi + (y - y_predicted); quadratures need no matrix */
    for (size_t r = 0; r < step->rows; r++)
        delta[r] = c * m->column[r] - psi[r] - correction[r];
    memcpy(m->column, delta, step->dim * sizeof *delta);
    lu_solve(step->dim, m->lu + lane * lu_doubles(step->dim), m->column, delta);
    size = bdf_norm(step, lane, delta);
    ratio = l->iterations > 0 ? size / l->last_norm : 0;
    l->iterations++;
    /* corrections that do not shrink: rounding if they are within the tolerance, else diverging; or
     * too slow for the iterations that are left */
    const bool rounding = ratio >= 1 && size <= tolerance;
    if (!isfinite(size) || (ratio >= 1 && !rounding) ||
        (l->iterations > 1 && !rounding &&
         pow(ratio, ITERATIONS - l->iterations + 1) / (1 - ratio) * size > tolerance)) {
        l->iterating = false;
        return;
    }
    for (size_t r = 0; r < step->rows; r++) {
        correction[r] += delta[r];
        step->y_new[r * step->lanes + lane] += delta[r];
    }
    l->last_norm = size;
    /* what is left to go, if the corrections shrink on by this ratio */
    if (size == 0 || rounding || (l->iterations > 1 && ratio / (1 - ratio) * size < tolerance)) {
        l->converged = true;
        l->iterating = false;
    }
}

/* Iterates all lanes that are to; false when the pulse stopped. */
static bool bdf_iterate(OdeStep *step)
{
    Bdf *m = step->work;
    for (unsigned i = 0; i < ITERATIONS; i++) {
        bool any = false;
        for (size_t l = 0; l < step->lanes; l++) {
            m->counted[l] = m->lanes[l].iterating;
            any |= m->counted[l];
        }
        if (!any)
            return true;
        if (!ode_rates(step, step->scratch.times, step->y_new, m->rates, m->counted))
            return false;
        for (size_t l = 0; l < step->lanes; l++)
            if (m->lanes[l].iterating)
                bdf_correct(step, l);
    }
    return true;
}

/* Chooses among these lanes those at a start. */
static bool choose_starting(const OdeStep *step, const bool *lanes)
{
    const Bdf *m = step->work;
    bool any = false;

    for (size_t l = 0; l < step->lanes; l++) {
        m->starting[l] = lanes[l] && m->lanes[l].order == 0;
        any |= m->starting[l];
    }
    return any;
}

/* The steps of lanes at a start; those of the others have no length meanwhile. */
static bool attempt_starts(OdeStep *step)
{
    Bdf *m = step->work;
    bool *const active = step->active;

    if (!choose_starting(step, active))
        return true;
    /* only lanes at a start make a step; nothing damps their rounding */
    for (size_t l = 0; l < step->lanes; l++) {
        step->scratch.times[l] = step->h[l];
        step->h[l] = m->starting[l] ? step->h[l] : 0;
        m->lanes[l].ready = false;
        for (size_t i = l; i < step->rows * step->lanes; i += step->lanes)
            m->damped[i] = INFINITY;
    }
    /* DOP853 attempts it on the same OdeStep with its own work */
    step->active = m->starting;
    exchange_work(step, m->starter);
    const bool goes_on = ode_dop853.attempt(step);
    exchange_work(step, m);
    /* restore lanes and steps */
    step->active = active;
    memcpy(step->h, step->scratch.times, step->lanes * sizeof *step->h);
    return goes_on;
}

static bool bdf_attempt(OdeStep *step)
{
    Bdf *m = step->work;
    memset(step->carry_new, 0, step->rows * step->lanes * sizeof *step->carry_new);
    if (!attempt_starts(step))
        return false;
    for (size_t l = 0; l < step->lanes; l++) {
        m->lanes[l].iterating = false;
        step->scratch.times[l] = step->t[l] + step->h[l];
        if (m->lanes[l].order == 0 && step->active[l])
            continue;
        if (step->active[l]) {
            bdf_predict(step, l);
            m->lanes[l].fresh_jacobian = false;
            prepare_matrix(step, l, false);
        } else {
            for (size_t i = l; i < step->rows * step->lanes; i += step->lanes)
                step->y_new[i] = step->y[i];
        }
    }
    if (!bdf_iterate(step))
        return false;
    /* once more, with a new Jacobian, where an old one did not do */
    for (size_t l = 0; l < step->lanes; l++) {
        m->lanes[l].iterating = false;
        if (step->active[l] && m->lanes[l].order > 0 && !m->lanes[l].converged &&
            !m->lanes[l].fresh_jacobian) {
            bdf_predict(step, l);
            prepare_matrix(step, l, true);
        }
    }
    if (!bdf_iterate(step))
        return false;
    for (size_t l = 0; l < step->lanes; l++) {
        const BdfLane *lane = &m->lanes[l];
        if (step->active[l] && lane->order == 0)
            continue;
        step->error[l] = NAN;
        if (step->active[l] && lane->converged)
            step->error[l] =
                error_constant(lane->order) * bdf_norm(step, l, m->correction + l * step->rows);
    }
    return true;
}

/* The differences once y_new, as it is now, is the newest state. */
static void push_state(const OdeStep *step, size_t lane)
{
    const Bdf *m = step->work;
    const BdfLane *l = &m->lanes[lane];
    const unsigned n = l->order;
    for (size_t r = 0; r < step->rows; r++) {
        double sum = 0, moved;
        for (unsigned j = 0; j <= n; j++)
            sum += bdf_difference(m->differences, step, lane, j)[r];
        moved = step->y_new[r * step->lanes + lane] - sum; /* correction and projection */
        bdf_difference(m->next, step, lane, n + 2)[r] =
            moved - bdf_difference(m->differences, step, lane, n + 1)[r];
        bdf_difference(m->next, step, lane, n + 1)[r] = moved;
        for (unsigned j = n + 1; j-- > 0;)
            bdf_difference(m->next, step, lane, j)[r] =
                bdf_difference(m->differences, step, lane, j)[r] +
                bdf_difference(m->next, step, lane, j + 1)[r];
    }
}

static double safety(const BdfLane *l)
{
    return 0.9 * (2 * ITERATIONS + 1) / (2 * ITERATIONS + l->iterations);
}

/* The order with which the next step can be longest; returns by how much. */
static double choose_order(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const unsigned n = l->order;
    double best = 0;
    unsigned order = n;
    for (unsigned p = n > 1 ? n - 1 : 1; p <= n + 1 && p <= MAX_ORDER; p++) {
        /* the difference that the formula of order p leaves out */
        double error =
            p == n ? step->error[lane]
                   : error_constant(p) *
                         bdf_norm(step, lane, bdf_difference(m->differences, step, lane, p + 1));
        double longer = error > 0 ? pow(error, -1.0 / (p + 1)) : FACTOR_OF_NO_ERROR;
        if (longer > best) {
            best = longer;
            order = p;
        }
    }
    l->order = order;
    return fmin(10, safety(l) * best);
}

static bool bdf_dense_prepare(OdeStep *step, const bool *wanted)
{
    Bdf *m = step->work;

    if (choose_starting(step, wanted)) {
        exchange_work(step, m->starter);
        const bool goes_on = ode_dop853.dense_prepare(step, m->starting);
        exchange_work(step, m);
        if (!goes_on)
            return false;
    }
    for (size_t l = 0; l < step->lanes; l++) {
        m->lanes[l].ready = m->lanes[l].ready || m->starting[l];
        if (wanted[l] && !m->starting[l])
            push_state(step, l);
    }
    return true;
}

/* The state inside a step at a start. */
static void start_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Bdf *m = step->work;
    OdeStep of_starter = *step;

    of_starter.work = m->starter;
    ode_dop853.dense(&of_starter, lane, theta, ret_y);
}

/* Differences of all orders at the end of the step at a start, a part of it apart. */
static void take_differences(OdeStep *step, size_t lane, double part)
{
    const Bdf *m = step->work;

    ode_gather(step, step->y_new, lane, bdf_difference(m->differences, step, lane, 0));
    for (unsigned j = 1; j < DIFFERENCES; j++)
        start_dense(step, lane, 1 - j * part, bdf_difference(m->differences, step, lane, j));
    for (unsigned order = 1; order < DIFFERENCES; order++)
        for (unsigned j = DIFFERENCES; j-- > order;) {
            double *d = bdf_difference(m->differences, step, lane, j);
            const double *newer = bdf_difference(m->differences, step, lane, j - 1);
            for (size_t r = 0; r < step->rows; r++)
                d[r] = newer[r] - d[r];
        }
}

/* The step of DOP853 is over: it has given the differences for the highest order, so far apart
 * that the next step has the error of the tolerance. */
static double accept_start(OdeStep *step, size_t lane)
{
    const double widest = 1.0 / (DIFFERENCES - 1);
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];

    for (size_t k = 0; k < step->lanes; k++)
        m->counted[k] = k == lane;
    if (!l->ready && !bdf_dense_prepare(step, m->counted))
        return step->h[lane]; /* the pulse has stopped the run */
    take_differences(step, lane, widest);
    const double error =
        error_constant(MAX_ORDER) *
        bdf_norm(step, lane, bdf_difference(m->differences, step, lane, MAX_ORDER + 1));
    const double closer = error > 0 ? 0.9 * pow(error, -1.0 / (MAX_ORDER + 1)) : 1;
    const double part = widest * fmin(1, closer);
    take_differences(step, lane, part);
    l->order = MAX_ORDER;
    l->equal_steps = 0;
    l->h = part * step->h[lane];
    step->added[lane] += step->error[lane];
    return l->h;
}

static double bdf_accept(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    double longer;
    if (l->order == 0)
        return accept_start(step, lane);
    push_state(step, lane);
    memcpy(bdf_difference(m->differences, step, lane, 0), bdf_difference(m->next, step, lane, 0),
           DIFFERENCES * step->rows * sizeof(double));
    step->added[lane] += step->error[lane];
    l->trouble -= l->trouble > 0;
    l->equal_steps++;
    if (l->equal_steps < l->order + 1)
        return l->h;
    longer = choose_order(step, lane);
    l->equal_steps = 0;
    return l->h * longer;
}

static double bdf_reject(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const double error = step->error[lane];
    if (l->order == 0) {
        exchange_work(step, m->starter);
        const double h = ode_dop853.reject(step, lane);
        exchange_work(step, m);
        return h;
    }
    l->trouble += 2;
    if (!isfinite(error))
        return step->h[lane] / 2;
    return step->h[lane] * fmax(0.2, safety(l) * pow(error, -1.0 / (l->order + 1)));
}

static void bdf_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Bdf *m = step->work;
    const unsigned n = m->lanes[lane].order;
    if (n == 0) {
        start_dense(step, lane, theta, ret_y);
        return;
    }
    /* Newton's backward formula through the newest states */
    double weight = 1;
    memcpy(ret_y, bdf_difference(m->next, step, lane, 0), step->rows * sizeof *ret_y);
    for (unsigned j = 1; j <= n; j++) {
        const double *d = bdf_difference(m->next, step, lane, j);
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
    .work_size = bdf_work_size_with_starter,
    .start = bdf_start,
    .restart = bdf_restart,
    .attempt = bdf_attempt,
    .accept = bdf_accept,
    .reject = bdf_reject,
    .dense_prepare = bdf_dense_prepare,
    .dense = bdf_dense,
};
