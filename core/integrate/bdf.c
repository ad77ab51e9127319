/* BDF: backward differentiation formulas of orders 1 to 5, for stiff systems, with the exact
 * Jacobian.
 *
 * L. F. Shampine, M. W. Reichelt: The MATLAB ODE Suite, SIAM J. Sci. Comput. 18 (1997) 1-22:
 * numerical differentiation formulas (Klopfenstein's modification of the BDF) over backward
 * differences with a step that changes seldom; then the differences are interpolated.
 *
 * The history is kept as differences so that a projected state can enter it: the newest value has
 * the coefficient 1 in the differences of all orders, hence what the projection adds to it is added
 * to each of them. The method goes on from the projected state exactly as if it had computed it;
 * nothing drifts and nothing is restarted. (GSL's msbdf cannot: it goes on from a history of its
 * own whatever became of the state, and falls back to order 1 when a step is taken again a few
 * times to end at a root.) Dense output is the polynomial through the newest order
 * + 1 states. The quadratures follow the same formulas, explicitly. Lanes iterate together, so that
 * each evaluation of the rates serves all of them. */
#include "core/integrate/control.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/numeric/lu.h"

enum { MAX_ORDER = 5, DIFFERENCES = MAX_ORDER + 3, ITERATIONS = 4, MOST_TROUBLE = 12 };

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
    unsigned order;
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
    double *dfdt;               /* [dim] scratch: the formulas do not need it */
    double *column, *delta;     /* [rows] scratch */
    double *rates;              /* [rows][lanes] */
    bool *counted;              /* [lanes] */
} Bdf;

static size_t bdf_work_size(const OdeSystem *system, size_t lanes)
{
    const size_t dim = system->dim, rows = dim + system->extra;
    return sizeof(Bdf) + lanes * (sizeof(BdfLane) + sizeof(bool)) +
           sizeof(double) * (lanes * ((2 * DIFFERENCES + 3) * rows + dim * dim + lu_doubles(dim)) +
                             dim + 2 * rows);
}

static void bdf_start(OdeStep *step)
{
    const size_t lanes = step->lanes, rows = step->rows, dim = step->dim;
    Bdf *m = memset(step->work, 0, bdf_work_size(step->system, step->lanes));
    double *next;
    m->lanes = (BdfLane *)(void *)(m + 1);
    m->differences = next = (double *)(void *)(m->lanes + lanes);
    m->next = next += lanes * DIFFERENCES * rows;
    m->psi = next += lanes * DIFFERENCES * rows;
    m->correction = next += lanes * rows;
    m->rates = next += lanes * rows;
    m->jacobian = next += lanes * rows;
    m->lu = next += lanes * dim * dim;
    m->dfdt = next += lanes * lu_doubles(dim);
    m->column = next += dim;
    m->delta = next += rows;
    m->counted = (bool *)(void *)(next + rows);
}

static double *bdf_difference(double *table, const OdeStep *step, size_t lane, size_t j)
{
    return table + (lane * DIFFERENCES + j) * step->rows;
}

static void bdf_restart(OdeStep *step, size_t lane, double h)
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
        /* so much shorter that differences of higher order would be rounding errors; or again and again too long: what the
         * differences hold does not go on */
        if (fabs(h) < 1e-3 * fabs(l->h) || l->trouble >= MOST_TROUBLE) {
            const BdfLane old = *l;
            bdf_restart(step, lane, h);
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
}

/* How far the iteration has to go, in units of the tolerance. */
static double newton_tolerance(const OdeStep *step)
{
    double rtol = fmax(step->rtol, 1e-14);
    return fmax(10 * DBL_EPSILON / rtol, fmin(0.03, sqrt(rtol)));
}

/* One Newton correction with the rates at y_new. */
static void bdf_correct(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    const double c = l->h / alpha(l->order), tolerance = newton_tolerance(step);
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
    /* diverging, or too slow for the iterations that are left */
    if (!isfinite(size) || ratio >= 1 ||
        (l->iterations > 1 &&
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
    if (size == 0 || (l->iterations > 1 && ratio / (1 - ratio) * size < tolerance)) {
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
        if (!ode_rates(step, step->times, step->y_new, m->rates, m->counted))
            return false;
        for (size_t l = 0; l < step->lanes; l++)
            if (m->lanes[l].iterating)
                bdf_correct(step, l);
    }
    return true;
}

static bool bdf_attempt(OdeStep *step)
{
    Bdf *m = step->work;
    memset(step->carry_new, 0, step->rows * step->lanes * sizeof *step->carry_new);
    for (size_t l = 0; l < step->lanes; l++) {
        m->lanes[l].iterating = false;
        step->times[l] = step->t[l] + step->h[l];
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
        if (step->active[l] && !m->lanes[l].converged && !m->lanes[l].fresh_jacobian) {
            bdf_predict(step, l);
            prepare_matrix(step, l, true);
        }
    }
    if (!bdf_iterate(step))
        return false;
    for (size_t l = 0; l < step->lanes; l++) {
        const BdfLane *lane = &m->lanes[l];
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
        double longer = error > 0 ? pow(error, -1.0 / (p + 1)) : 1e9;
        if (longer > best) {
            best = longer;
            order = p;
        }
    }
    l->order = order;
    return fmin(10, safety(l) * best);
}

static double bdf_accept(OdeStep *step, size_t lane)
{
    Bdf *m = step->work;
    BdfLane *l = &m->lanes[lane];
    double longer;
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
    l->trouble += 2;
    if (!isfinite(error))
        return step->h[lane] / 2;
    return step->h[lane] * fmax(0.2, safety(l) * pow(error, -1.0 / (l->order + 1)));
}

static bool bdf_dense_prepare(OdeStep *step, const bool *wanted)
{
    for (size_t l = 0; l < step->lanes; l++)
        if (wanted[l])
            push_state(step, l);
    return true;
}

static void bdf_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Bdf *m = step->work;
    const unsigned n = m->lanes[lane].order;
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
    .error_order = 2,
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
