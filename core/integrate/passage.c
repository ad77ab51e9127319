/* Steps across singular instants: collocation at Gauss' points, solved by iteration (passage.h). */
#include "core/integrate/passage.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/integrate/sizes.h"

enum { POINTS = PASSAGE_POINTS, MAX_ITERATIONS = 30 };

/* The zeros of Legendre's polynomial of degree 12, and the weights of its quadrature, on [-1,
 * 1]. */
static const double X[POINTS] = {-0.98156063424671924, -0.90411725637047491, -0.76990267419430469,
                                 -0.58731795428661748, -0.36783149899818018, -0.12523340851146891,
                                 0.12523340851146891,  0.36783149899818018,  0.58731795428661748,
                                 0.76990267419430469,  0.90411725637047491,  0.98156063424671924};
static const double W[POINTS] = {0.047175336386511828, 0.10693932599531843, 0.16007832854334622,
                                 0.20316742672306592,  0.23349253653835481, 0.24914704581340277,
                                 0.24914704581340277,  0.23349253653835481, 0.20316742672306592,
                                 0.16007832854334622,  0.10693932599531843, 0.047175336386511828};

/* Changes of the points, in units of PASSAGE_PRECISION: below the first the iteration ends; below
 * the second it ends if the changes no longer shrink, and two passages agree. Conventions. */
static const double SOLVED_CHANGE = 1e-4, SETTLED_CHANGE = 0.3;
/* The error of a passage relative to the state, for any tolerance: small enough to tell the
 * passage from a narrow bend, and above the rounding of the rates near a singular instant.
 * Convention. */
static const double PASSAGE_PRECISION = 1e-9;
/* Factor: rounding of the rates near the instant, over the rounding before. Convention. */
static const double NOISE_GROWTH = 1e3;
/* Fraction of the whole passage: the start of the inner one. Convention. */
static const double INNER_START = 0.125;

static size_t dim_of(const OdeSystem *system)
{
    return system->smooth ? system->smooth->dim : system->dim;
}

size_t passage_rows(const OdeSystem *system)
{
    return dim_of(system) + system->extra;
}

void passage_lay_out(Passage *p, const OdeSystem *system, Cutter *cutter)
{
    double **const rows[] = {&p->whole.start, &p->inner.start, &p->state, &p->other,
                             &p->least,       &p->size,        &p->noise, &p->carried};
    double **const points[] = {&p->whole.rates, &p->whole.points, &p->inner.rates,
                               &p->inner.points};

    p->system = system;
    p->smooth = system->smooth;
    p->dim = dim_of(system);
    p->rows = passage_rows(system);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = cut(cutter, p->rows, sizeof(double));
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        *points[k] = cut(cutter, POINTS * p->rows, sizeof(double));
}

/* Legendre's polynomials of degrees 0 .. POINTS at x. */
static void legendre(double x, double *P)
{
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < POINTS; k++)
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

/* Weights of the rates at the points in the polynomial through them, at x, or in its integral from
 * -1 to x: Lagrange's polynomials expanded in Legendre's. */
static void weights(double x, bool integral, double *ret)
{
    double P[POINTS + 1], at[POINTS + 1], I[POINTS];

    legendre(x, P);
    I[0] = integral ? x + 1 : 1;
    for (int k = 1; k < POINTS; k++)
        I[k] = integral ? (P[k + 1] - P[k - 1]) / (2 * k + 1) : P[k];
    for (int j = 0; j < POINTS; j++) {
        double sum = 0;
        legendre(X[j], at);
        for (int k = 0; k < POINTS; k++)
            sum += (2 * k + 1) / 2.0 * at[k] * I[k];
        ret[j] = W[j] * sum;
    }
}

/* The state at t + theta reach. */
static void collocation_state(const Collocation *c, size_t rows, double theta, double *ret_y)
{
    double w[POINTS];

    weights(2 * theta - 1, true, w);
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t j = 0; j < POINTS; j++)
            sum += w[j] * c->rates[j * rows + r];
        ret_y[r] = c->start[r] + c->reach / 2 * sum;
    }
}

static void passage_state(const OdeArc *arc, double theta, double *ret_y)
{
    const Passage *p = arc->step;
    collocation_state(&p->whole, p->rows, theta, ret_y);
}

static void rates_at(const Passage *p, double t, double *ret_rates)
{
    double w[POINTS];

    weights(2 * (t - p->whole.t) / p->whole.reach - 1, false, w);
    for (size_t r = 0; r < p->rows; r++) {
        double sum = 0;
        for (size_t j = 0; j < POINTS; j++)
            sum += w[j] * p->whole.rates[j * p->rows + r];
        ret_rates[r] = sum;
    }
}

static void passage_arc_rates(const OdeArc *arc, double theta, double *ret_rates)
{
    rates_at(arc->step, arc->t + theta * arc->h, ret_rates);
}

void passage_rates(const Passage *p, double t, double *ret_rates)
{
    if (!p->smooth) {
        rates_at(p, t, ret_rates);
        return;
    }
    /* they bend the first guess of where guards vanish, no more */
    for (size_t r = 0; r < p->system->dim; r++)
        if (!isfinite(ret_rates[r]))
            ret_rates[r] = 0;
}

void passage_prepare(Passage *p, const OdeArc *before, double theta, double reach)
{
    p->whole.t = before->t + theta * before->h;
    p->whole.reach = reach;
    p->tried = p->solved = false;
    for (size_t i = 0; i < POINTS; i++)
        before->state(before, theta + reach / before->h * (1 + X[i]) / 2,
                      p->whole.points + i * p->rows);
}

void passage_remember(Passage *p, const OdeStep *step, History *history)
{
    if (!p->smooth) {
        history_add(history, step->t[0], step->y, step->rates);
        return;
    }
    memset(p->state, 0, p->rows * sizeof *p->state);
    memset(p->other, 0, p->rows * sizeof *p->other);
    p->smooth->follow(p->system->self, step->t[0], step->y, p->state, p->other);
    history_add(history, step->t[0], p->state, p->other);
}

double passage_from(const Passage *p)
{
    return p->whole.t;
}

double passage_end(const Passage *p)
{
    return p->whole.t + p->whole.reach;
}

/* The sizes below which differences do not count: the size of the kind of each component, because
 * the size of an angle says nothing of a length; a smaller error cannot be reached near the
 * instant, even if atol asks for it. If sizes are unknown, atol / rtol is one, but at most the
 * largest of the state. None is less than the rounding of a component that rests. */
static void set_least(Passage *p, const OdeStep *step)
{
    const double part = step->rtol > 0 && step->atol > 0 ? step->atol / step->rtol : INFINITY;
    const double reach = fabs(p->whole.reach);
    double largest = 0;

    for (size_t i = 0; i < p->dim; i++)
        largest = fmax(largest, fabs(p->whole.start[i]));
    for (size_t i = 0; i < p->dim; i++) {
        const double rounding = NOISE_GROWTH * reach * (p->noise[i] + reach * p->carried[i]);
        const double size = step->sizes.nominal ? p->size[i] : fmin(part * p->size[i], largest);
        p->least[i] = fmax(size, rounding / PASSAGE_PRECISION);
    }
}

/* The start of the passage, with sizes and noise. False: nothing leads on from there. */
static bool take_start(Passage *p, const OdeStep *step)
{
    double *start = p->whole.start;

    if (p->smooth) {
        p->smooth->follow(p->system->self, p->whole.t, step->y, start, p->state);
        memcpy(start + p->dim, step->y + step->dim, p->system->extra * sizeof *start);
        return p->smooth->begin(p->system->self, p->whole.t, start, p->size, p->noise, p->carried);
    }
    memcpy(start, step->y, p->rows * sizeof *start);
    for (size_t i = 0; i < p->dim; i++)
        p->size[i] = step->sizes.nominal ? sizes_of_kind(step, i) : 1;
    if (p->system->weigh)
        p->system->weigh(p->system->self, start, p->size);
    memcpy(p->noise, step->rounding.noise, p->dim * sizeof *p->noise);
    memcpy(p->carried, step->rounding.carried, p->dim * sizeof *p->carried);
    return true;
}

/* The largest difference of two states, of what a passage has to be computed to. */
static double difference(const Passage *p, const double *a, const double *b)
{
    double most = 0;

    for (size_t i = 0; i < p->dim; i++) {
        const double d = fabs(a[i] - b[i]) /
                         (PASSAGE_PRECISION * fmax(p->least[i], fmax(fabs(a[i]), fabs(b[i]))));
        if (!(d <= most)) /* a NaN is taken too */
            most = d;
    }
    return most;
}

static bool project_copy(const Passage *p, double t, const double *y, double *ret_y)
{
    const OdeSystem *system = p->system;
    Error ignored;

    memcpy(ret_y, y, p->rows * sizeof *y);
    if (p->smooth)
        return p->smooth->project == NULL ||
               p->smooth->project(system->self, t, ret_y, &ignored) == OK;
    return system->project == NULL ||
           system->project(system->self, t, ret_y, false, &ignored) == OK;
}

static bool evaluate(const Passage *p, OdeStep *step, double t, const double *y, double *ret_rates)
{
    if (!p->smooth)
        return ode_rates_one(step, &t, y, ret_rates);
    if (!ode_pulse(&step->pulse))
        return false;
    p->smooth->rates(p->system->self, t, y, ret_rates);
    step->evaluations[0]++;
    return true;
}

/* Rates at the points. *ret_found: all are near the constraints. False: the pulse stopped. */
static bool evaluate_points(const Passage *p, OdeStep *step, const Collocation *c, bool *ret_found)
{
    *ret_found = true;
    for (size_t i = 0; i < POINTS && *ret_found; i++) {
        const double t = c->t + c->reach * (1 + X[i]) / 2;
        double *rates = c->rates + i * p->rows;
        *ret_found = project_copy(p, t, c->points + i * p->rows, p->state);
        if (*ret_found && !evaluate(p, step, t, p->state, rates))
            return false;
        for (size_t r = 0; r < p->dim; r++)
            *ret_found = *ret_found && isfinite(rates[r]);
    }
    return true;
}

/* The points that the rates lead to; how far they are from those before. */
static double renew_points(const Passage *p, const Collocation *c)
{
    double most = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double *point = c->points + i * p->rows;
        collocation_state(c, p->rows, (1 + X[i]) / 2, p->state);
        const double change = difference(p, p->state, point);
        most = change <= most ? most : change;
        memcpy(point, p->state, p->rows * sizeof *point);
    }
    return most;
}

/* Iterates until the points stay. *ret_found: they do, on the constraints. False: stopped. */
static bool solve(const Passage *p, OdeStep *step, const Collocation *c, bool *ret_found)
{
    double last = INFINITY;

    *ret_found = false;
    /* fixed-point iteration: rates at the points, then points from the rates */
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        bool found = false;
        if (!evaluate_points(p, step, c, &found))
            return false;
        if (!found)
            return true;
        const double change = renew_points(p, c);
        if (change <= SOLVED_CHANGE || (change <= SETTLED_CHANGE && change > last / 2)) {
            *ret_found = true;
            break;
        }
        if (isnan(change))
            return true;
        last = change;
    }
    /* the projection must leave each point where it is */
    for (size_t i = 0; i < POINTS && *ret_found; i++) {
        const double *point = c->points + i * p->rows;
        *ret_found = project_copy(p, c->t + c->reach * (1 + X[i]) / 2, point, p->state) &&
                     difference(p, point, p->state) <= SETTLED_CHANGE;
    }
    return true;
}

/* A shorter one on the way: how far its end is from the whole one there. NaN when
 * it has none. False: the pulse stopped. */
static bool compare_inner(Passage *p, OdeStep *step, double *ret_difference)
{
    const Collocation *whole = &p->whole;
    Collocation *inner = &p->inner;
    bool found = false;

    *ret_difference = NAN;
    /* start on the whole passage, projected */
    inner->t = whole->t + INNER_START * whole->reach;
    inner->reach = (1 - 2 * INNER_START) * whole->reach;
    collocation_state(whole, p->rows, INNER_START, p->state);
    if (!project_copy(p, inner->t, p->state, inner->start))
        return true;
    for (size_t i = 0; i < POINTS; i++)
        collocation_state(whole, p->rows, (1 + (1 - 2 * INNER_START) * X[i]) / 2,
                          inner->points + i * p->rows);
    if (!solve(p, step, inner, &found))
        return false;
    if (!found)
        return true;
    collocation_state(whole, p->rows, 1 - INNER_START, p->state);
    collocation_state(inner, p->rows, 1, p->other);
    *ret_difference = difference(p, p->state, p->other);
    return true;
}

static void passage_tolerances(const OdeArc *arc, double *ret_told, double *ret_resting,
                               double *ret_noise)
{
    const Passage *p = arc->step;
    const double h = fabs(p->whole.reach);

    if (!p->smooth) {
        ode_tolerances(p->step, ret_told, ret_resting, ret_noise);
        return;
    }
    for (size_t i = 0; i < p->dim; i++) {
        ret_noise[i] = DBL_MIN + h * (p->noise[i] + h * p->carried[i]);
        ret_told[i] = fmax(p->step->atol * p->size[i] + p->step->rtol * fabs(p->whole.start[i]),
                           ret_noise[i]);
        ret_resting[i] = ode_resting(p->step->atol, p->size[i]);
    }
}

static bool try_passage(Passage *p, OdeStep *step)
{
    const OdeSystem *system = step->system;
    double agreement = NAN;

    p->tried = true;
    p->step = step;
    if (!take_start(p, step))
        return true;
    set_least(p, step);
    p->arc = (OdeArc){.t = p->whole.t,
                      .h = p->whole.reach,
                      .gap = (X[POINTS / 2] - X[POINTS / 2 - 1]) / 2,
                      .state = passage_state,
                      .rates = passage_arc_rates,
                      .tolerances = passage_tolerances,
                      .step = p,
                      .smooth = p->smooth != NULL};
    /* solve the passage, compare it with the inner one, then ask the system */
    if (!solve(p, step, &p->whole, &p->solved))
        return false;
    if (p->solved && !compare_inner(p, step, &agreement))
        return false;
    p->solved = p->solved && agreement <= SETTLED_CHANGE &&
                system->pass(system->self, &p->arc, PASSAGE_PRECISION * agreement);
    return true;
}

/* The state of the system at a time inside; `end`: a step ends there. If its variables have no
 * value, they are NaN, and the result is false. */
static bool state_at(const Passage *p, const OdeStep *step, double t, bool end, double *ret_y)
{
    const double theta = (t - p->whole.t) / p->whole.reach;

    if (!p->smooth) {
        collocation_state(&p->whole, p->rows, theta, ret_y);
        return true;
    }
    collocation_state(&p->whole, p->rows, theta, p->state);
    memcpy(ret_y, step->y, step->dim * sizeof *ret_y);
    const bool has_value = p->smooth->leave(p->system->self, t, p->state, ret_y, end);
    for (size_t i = 0; i < step->dim && !has_value; i++)
        ret_y[i] = NAN;
    memcpy(ret_y + step->dim, p->state + p->dim, p->system->extra * sizeof *ret_y);
    return has_value;
}

static bool passage_attempt(OdeStep *step)
{
    Passage *p = step->work;

    if (!p->tried && !try_passage(p, step))
        return false;
    p->solved = p->solved && state_at(p, step, step->t[0] + step->h[0], true, step->y_new);
    step->error[0] = p->solved ? 0 : INFINITY;
    if (!p->solved) {
        memcpy(step->y_new, step->y, step->rows * sizeof *step->y);
        return true;
    }
    memset(step->carry_new, 0, step->rows * sizeof *step->carry_new);
    return true;
}

static double passage_next(OdeStep *step)
{
    return step->h[0];
}

static void passage_dense(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const Passage *p = step->work;
    (void)state_at(p, step, step->t[lane] + theta * step->h[lane], false, ret_y);
}

const OdeMethod ode_passage = {
    .name = "passage",
    .order = 2 * POINTS,
    .error_order = POINTS,
    .dense_order = POINTS,
    .attempt = passage_attempt,
    .accept = passage_next,
    .reject = passage_next,
    .dense = passage_dense,
};
