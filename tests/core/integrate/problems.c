/* Differential equations with known solutions: oscillator, Kepler, and stiff ones. */
#include "tests/core/integrate/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* y'' = -y */
static void oscillator_rates(void *self, const double *t, const double *y, double *ret,
                             size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        ret[l] = y[lanes + l];
        ret[lanes + l] = -y[l];
    }
}

static void oscillator_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                                double *ret_dfdt)
{
    const double dfdy[4] = {0, 1, -1, 0};
    (void)self;
    (void)t;
    (void)y;
    memcpy(ret_dfdy, dfdy, sizeof dfdy);
    ret_dfdt[0] = ret_dfdt[1] = 0;
}

static void oscillator_exact(double t, double *ret_y)
{
    ret_y[0] = cos(t);
    ret_y[1] = -sin(t);
}

const Problem oscillator = {
    .name = "oscillator",
    .system = {.dim = 2, .rates = oscillator_rates, .jacobian = oscillator_jacobian},
    .t_end = 10,
    .y0 = {1, 0},
    .exact = oscillator_exact};

/* The two-body problem, eccentricity 1/2, from the pericentre; period 2 pi. */
static void kepler_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)t;
    for (size_t l = 0; l < lanes; l++) {
        double x = y[l], z = y[lanes + l], r2 = x * x + z * z, r3 = r2 * sqrt(r2);
        ret[l] = y[2 * lanes + l];
        ret[lanes + l] = y[3 * lanes + l];
        ret[2 * lanes + l] = -x / r3;
        ret[3 * lanes + l] = -z / r3;
    }
}

static void kepler_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                            double *ret_dfdt)
{
    double x = y[0], z = y[1], r2 = x * x + z * z, r5 = r2 * r2 * sqrt(r2);
    (void)self;
    (void)t;
    memset(ret_dfdy, 0, 16 * sizeof *ret_dfdy);
    memset(ret_dfdt, 0, 4 * sizeof *ret_dfdt);
    ret_dfdy[2] = ret_dfdy[7] = 1;
    ret_dfdy[8] = (3 * x * x - r2) / r5;
    ret_dfdy[9] = ret_dfdy[12] = 3 * x * z / r5;
    ret_dfdy[13] = (3 * z * z - r2) / r5;
}

static void kepler_exact(double t, double *ret_y)
{
    const double e = 0.5, b = sqrt(1 - e * e);
    double u = t;
    for (int i = 0; i < 60; i++)
        u -= (u - e * sin(u) - t) / (1 - e * cos(u));
    double rate = 1 / (1 - e * cos(u));
    ret_y[0] = cos(u) - e;
    ret_y[1] = b * sin(u);
    ret_y[2] = -sin(u) * rate;
    ret_y[3] = b * cos(u) * rate;
}

const Problem kepler = {.name = "kepler",
                        .system = {.dim = 4, .rates = kepler_rates, .jacobian = kepler_jacobian},
                        .t_end = 20,
                        .y0 = {0.5, 0, 0, 1.7320508075688772},
                        .exact = kepler_exact};

/* y' = -2 t y, y = exp(1 - t^2) from t = -1. */
static void clock_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    for (size_t l = 0; l < lanes; l++)
        ret[l] = -2 * t[l] * y[l];
}

static void clock_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                           double *ret_dfdt)
{
    (void)self;
    ret_dfdy[0] = -2 * t;
    ret_dfdt[0] = -2 * y[0];
}

static void clock_exact(double t, double *ret_y)
{
    ret_y[0] = exp(1 - t * t);
}

const Problem time_dependent = {
    .name = "time-dependent",
    .system = {.dim = 1, .rates = clock_rates, .jacobian = clock_jacobian},
    .t0 = -1,
    .t_end = 2,
    .y0 = {1},
    .exact = clock_exact};

const Problem *const SMOOTH[] = {&oscillator, &kepler, &time_dependent};
const size_t N_SMOOTH = sizeof SMOOTH / sizeof *SMOOTH;

Run *run_new(const Problem *problem, const char *method, double tolerance)
{
    Run *run = calloc(1, sizeof *run);
    ck_assert_ptr_nonnull(run);
    run->method = ode_method_find(method);
    ck_assert_ptr_nonnull(run->method);
    run->system = problem->system;
    run->options.rtol = run->options.atol = tolerance;
    run->options.step = 1e-3;
    run->options.max_steps = 10000000;
    run->options.max_breaks = 10000;
    run->t0 = problem->t0;
    run->t_end = problem->t_end;
    memcpy(run->y, problem->y0, sizeof problem->y0);
    return run;
}

static Row *add_row(Run *run, char kind, size_t index, double t, const double *y)
{
    static Row spare;
    Row *row = run->n_rows < MAX_ROWS ? &run->rows[run->n_rows++] : &spare;
    *row = (Row){.kind = kind, .index = index, .t = t};
    memcpy(row->y, y, (run->system.dim + run->system.extra) * sizeof *y);
    return row;
}

static Status see_step(void *self, double t, double h, const double *y, Error *err)
{
    Run *run = self;
    (void)err;
    if (run->steps)
        add_row(run, 'a', 0, t, y)->h = h;
    return OK;
}

static Status see_sample(void *self, size_t k, double t, const double *y, Error *err)
{
    Run *run = self;
    (void)err;
    run->n_seen++;
    run->last_sample_t = t;
    add_row(run, 's', k, t, y);
    return OK;
}

static Status see_event(void *self, size_t guard, int direction, double t, double *y,
                        OdeAction *ret_action, Error *err)
{
    Run *run = self;
    (void)err;
    add_row(run, 'e', guard, t, y)->direction = direction;
    if (run->on_event != NULL)
        return run->on_event(run, guard, direction, t, y, ret_action);
    return OK;
}

static double sample_time(void *self, size_t k)
{
    const Run *run = self;
    if (run->times != NULL)
        return run->times[k];
    if (k + 1 == run->n_samples)
        return run->t_end;
    return run->t0 + (run->t_end - run->t0) * ((double)k / (double)(run->n_samples - 1));
}

void run_go(Run *run)
{
    OdeObserver observer = {
        .self = run, .step = see_step, .sample = see_sample, .event = see_event, .poll = run->poll};
    const OdeSpan span = {.t0 = run->t0,
                          .t_end = run->t_end,
                          .n_samples = run->n_samples,
                          .sample_time = sample_time,
                          .self = run};
    Error err = {0};
    if (run->system.self == NULL)
        run->system.self = run;
    Status status = ode_drive(&(OdeTask){.system = &run->system,
                                         .method = run->method,
                                         .options = &run->options,
                                         .span = &span,
                                         .observer = &observer,
                                         .outcome = &run->outcome},
                              run->y, &err);
    ck_assert_msg(status == OK, "%s", err.message);
}

void run_well(Run *run)
{
    run_go(run);
    ck_assert_msg(run->outcome.status == OK, "%s", run->outcome.error.message);
    if (!run->outcome.stopped)
        ck_assert_double_eq(run->outcome.t, run->t_end);
}

double run_error(const Run *run, void (*exact)(double t, double *ret_y))
{
    double y[MAX_DIM], worst = 0;
    exact(run->t_end, y);
    for (size_t i = 0; i < run->system.dim; i++)
        worst = fmax(worst, fabs(run->y[i] - y[i]));
    return worst;
}

const Row *run_row(const Run *run, char kind, size_t number)
{
    for (size_t i = 0; i < run->n_rows; i++)
        if (run->rows[i].kind == kind && number-- == 0)
            return &run->rows[i];
    return NULL;
}
