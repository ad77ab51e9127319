#include "core/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/linearised.h"
#include "core/numeric/dense.h"

static const double PI = 3.14159265358979323846;
/* A singular value of [dq | A^T], relative to the size of the linearised motion, that counts as
 * zero at a conjugate point. */
static const double NULLITY = 1e-6;

struct Variation {
    Simulation *s;
    const Model *model;
    Linearised *linearised;
    size_t n, m, rank, rows; /* rows of the state: 2 n + 2 n m */
    double t0, t1;
    Program *program; /* t, q, v, vdot -> L, then per coordinate L_q.eta + L_v.etadot, L_v.eta */
    double *in, *out, *work;
    double *N;       /* n x m */
    double *y;       /* rows + quadratures */
    double *frame;   /* n x n: [dq | A^T], and its derivative behind it */
    double *scratch; /* n x n */
    double *vdot;    /* n */
    double *dq1;     /* n x m */
    size_t conjugate;
    const SimulationSink *sink;
    double *block; /* owns the arrays */
};

static size_t quadratures(const Variation *x)
{
    return 1 + 2 * (size_t)VARIATION_WAVES * x->n;
}

void variation_free(Variation *x)
{
    if (!x)
        return;
    linearised_free(x->linearised);
    program_free(x->program);
    free(x->block);
    free(x);
}

size_t variation_freedom(const Variation *x)
{
    return x->m;
}

/* P e_i = e_i - A^T (A A^T)^-1 A e_i over the constraints in use. */
static bool admissible_direction(ExprPool *pool, const Simulation *s, size_t i, Expr *ret_eta)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n, r = s->report.rank;
    Expr *gram = alloc_array(r * r + 2 * r, sizeof *gram), *rhs = gram + r * r, *x = rhs + r;

    if (!gram)
        return false;
    for (size_t j = 0; j < n; j++)
        ret_eta[j] = expr_const(pool, j == i);
    for (size_t a = 0; a < r; a++) {
        const Expr *row = model->A + s->rows[a] * n;
        for (size_t b = 0; b < r; b++)
            gram[a * r + b] = expr_dot(pool, n, row, model->A + s->rows[b] * n);
        rhs[a] = row[i];
    }
    if (r) {
        expr_solve(pool, expr_factor(pool, r, gram), r, rhs, x);
        for (size_t a = 0; a < r; a++)
            for (size_t j = 0; j < n; j++)
                ret_eta[j] =
                    expr_sub(pool, ret_eta[j], expr_mul(pool, model->A[s->rows[a] * n + j], x[a]));
    }
    free(gram);
    return true;
}

/* The outputs of the program; symbols and rates are scratch of 2 n + 1. */
static bool build_outputs(ExprPool *pool, const Simulation *s, Expr *out, Expr *scratch)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    Expr *symbols = scratch, *rates = symbols + 2 * n + 1, *L_q = rates + 2 * n + 1;
    Expr *eta = L_q + n, *etadot = eta + n;

    symbols[0] = model->t;
    rates[0] = expr_const(pool, 1);
    memcpy(symbols + 1, model->q, n * sizeof *symbols);
    memcpy(symbols + 1 + n, model->v, n * sizeof *symbols);
    memcpy(rates + 1, model->v, n * sizeof *rates);
    memcpy(rates + 1 + n, model->vdot, n * sizeof *rates);
    out[0] = model->L;
    expr_gradient(pool, model->L, model->q, n, L_q);
    for (size_t i = 0; i < n; i++) {
        if (!admissible_direction(pool, s, i, eta))
            return false;
        expr_directional(pool, eta, n, symbols, rates, 2 * n + 1, etadot);
        out[1 + 2 * i] =
            expr_add(pool, expr_dot(pool, n, L_q, eta), expr_dot(pool, n, model->p, etadot));
        out[2 + 2 * i] = expr_dot(pool, n, model->p, eta);
    }
    return true;
}

static Status compile(Variation *x, Error *err)
{
    const Model *model = x->model;
    const size_t n = x->n, n_out = 1 + 2 * n;
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *all = alloc_array(n_out + 7 * n + 2 + 1 + 3 * n, sizeof *all);
    Status status = pool && all ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK && !build_outputs(pool, x->s, all, all + n_out))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = expr_pool_status(pool, err);
    if (status == OK) {
        Expr *inputs = all + n_out + 7 * n + 2;
        inputs[0] = model->t;
        memcpy(inputs + 1, model->q, n * sizeof *inputs);
        memcpy(inputs + 1 + n, model->v, n * sizeof *inputs);
        memcpy(inputs + 1 + 2 * n, model->vdot, n * sizeof *inputs);
        ProgramSpec spec = {.pool = pool,
                            .params = model->params,
                            .n_params = model->n_params,
                            .inputs = inputs,
                            .n_inputs = 1 + 3 * n,
                            .outputs = all,
                            .n_outputs = n_out};
        status = program_compile(&spec, &x->program, err);
    }
    expr_pool_free(pool);
    free(all);
    return status;
}

static Status allocate(Variation *x, Error *err)
{
    const size_t n = x->n, m = x->m;
    const size_t sizes[] = {1 + 3 * n,
                            1 + 2 * n,
                            program_work_doubles(x->program, 1),
                            n * m,
                            x->rows + quadratures(x),
                            2 * n * n,
                            n * n,
                            n,
                            n * m};
    double **const places[] = {&x->in,    &x->out,     &x->work, &x->N,  &x->y,
                               &x->frame, &x->scratch, &x->vdot, &x->dq1};
    size_t total = 0;

    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        total += sizes[k];
    x->block = alloc_array(total, sizeof *x->block);
    if (!x->block)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    double *next = x->block;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        *places[k] = next;
        next += sizes[k];
    }
    program_bind(x->program, x->s->params, x->work, 1);
    return OK;
}

Status variation_new(Simulation *s, double t0, double t1, Variation **ret_variation, Error *err)
{
    Variation *x = alloc_array(1, sizeof *x);
    if (!x)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const size_t n = s->compiled->model->n;
    *x = (Variation){.s = s,
                     .model = s->compiled->model,
                     .n = n,
                     .rank = s->report.rank,
                     .m = n - s->report.rank,
                     .rows = 2 * n + 2 * n * (n - s->report.rank),
                     .t0 = t0,
                     .t1 = t1};
    LinearisedSpec spec = {.model = x->model,
                           .motion = s->motion,
                           .params = s->params,
                           .eval = s->eval,
                           .columns = x->m};
    Status status = compile(x, err);
    if (status == OK)
        status = allocate(x, err);
    if (status == OK)
        status = linearised_new(&spec, &x->linearised, err);
    if (status != OK) {
        variation_free(x);
        return status;
    }
    *ret_variation = x;
    return OK;
}

/* Rates of the action and of the first variations, with the sizes of their terms. */
static void quadrature_rates(Variation *x, double t, const double *y, const double *vdot,
                             double *ret)
{
    const size_t n = x->n;

    x->in[0] = t;
    memcpy(x->in + 1, y, 2 * n * sizeof *y);
    memcpy(x->in + 1 + 2 * n, vdot, n * sizeof *y);
    program_eval(x->program, x->in, x->out, x->work, 1);
    *ret++ = x->out[0];
    for (size_t k = 1; k <= VARIATION_WAVES; k++) {
        double wave = (double)k * PI / (x->t1 - x->t0), phase = wave * (t - x->t0);
        for (size_t i = 0; i < n; i++) {
            double a = sin(phase) * x->out[1 + 2 * i];
            double b = wave * cos(phase) * x->out[2 + 2 * i];
            *ret++ = a + b;
            *ret++ = fabs(a) + fabs(b);
        }
    }
}

static void rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    Variation *x = self;

    /* the motion's own quadrature comes where ours begin */
    linearised_rates(x->linearised, t, y, ret, lanes);
    memcpy(x->vdot, ret + x->n, x->n * sizeof *x->vdot);
    quadrature_rates(x, *t, y, x->vdot, ret + x->rows);
}

static Status project(void *self, size_t lane, double t, double *y, bool on_step, Error *err)
{
    Variation *x = self;

    (void)lane, (void)on_step;
    return linearised_project(x->linearised, t, y, err);
}

/* d(q_i)/dc_c in the state; its rate lies n rows further on. */
static size_t place(const Variation *x, size_t i, size_t c)
{
    return 2 * x->n + i * x->m + c;
}

/* Conjugate points -------------------------------------------------------------------------- */

/* [dq | A^T]: singular where the directions fail to reach all neighbours. Orientation is continuous
 * along the motion, as that of a null space would not be. */
static void fill_frame(Variation *x, double t, const double *y, double *frame)
{
    const size_t n = x->n, m = x->m;
    ModelPoint point = model_point(x->s->eval, t, y, y + n);

    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < m; c++)
            frame[i * n + c] = y[place(x, i, c)];
        for (size_t a = 0; a < x->rank; a++)
            frame[i * n + m + a] = point.A[x->s->rows[a] * n + i];
    }
}

static double determinant(double *a, size_t n)
{
    double result = 1;

    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k]))
                p = i;
        if (a[p * n + k] == 0)
            return 0;
        for (size_t j = 0; p != k && j < n; j++) {
            double swap = a[p * n + j];
            a[p * n + j] = a[k * n + j];
            a[k * n + j] = swap;
        }
        result *= p == k ? a[k * n + k] : -a[k * n + k];
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (size_t j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return result;
}

static double frame_determinant(Variation *x, double t, const double *y)
{
    fill_frame(x, t, y, x->frame);
    return determinant(x->frame, x->n);
}

/* The determinant, which vanishes at conjugate points, and its rate, which vanishes with it at
 * those of even nullity. The rate is a difference: it only has to change its sign near the root. */
static void guards(void *self, size_t lane, double t, const double *y, double *ret)
{
    Variation *x = self;
    const size_t n = x->n;
    double h = 1e-6 * (x->t1 - x->t0), d[2];
    double *moved = x->frame + n * n;

    (void)lane;
    ret[0] = frame_determinant(x, t, y);
    for (int side = 0; side < 2; side++) {
        double step = side ? h : -h;
        fill_frame(x, t, y, moved);
        for (size_t c = 0; c < x->m; c++)
            for (size_t i = 0; i < n; i++)
                moved[i * n + c] += step * y[place(x, n + i, c)];
        d[side] = determinant(moved, n);
    }
    ret[1] = (d[1] - d[0]) / (2 * h);
}

static Status on_event(void *self, size_t lane, size_t guard, int direction, double t, double *y,
                       OdeAction *ret_action, Error *err)
{
    Variation *x = self;
    const size_t n = x->n;
    size_t nullity = 0;

    (void)lane, (void)direction, (void)guard;
    *ret_action = ODE_CONTINUE;
    /* the ends themselves do not count, nor does the start, where dq is 0 */
    double margin = 1e-7 * fabs(x->t1 - x->t0);
    if (fabs(t - x->t0) < margin || fabs(t - x->t1) < margin)
        return OK;
    double size = 0;
    for (size_t i = 2 * n; i < x->rows; i++)
        size = hypot(size, y[i]);
    fill_frame(x, t, y, x->frame);
    Status status = dense_singular_values(x->frame, n, n, x->scratch, err);
    for (size_t i = 0; status == OK && i < n; i++)
        nullity += x->scratch[i] < NULLITY * size;
    /* the rate also vanishes where nothing is conjugate; where both fire, the root counts once */
    if (status == OK && (guard == 0 ? nullity > 0 : nullity > 1 && nullity % 2 == 0))
        x->conjugate += nullity;
    return status;
}

static Status poll_sink(void *self, Error *err)
{
    const Variation *x = self;
    return x->sink && x->sink->poll ? x->sink->poll(x->sink->self, err) : OK;
}

/* The run ------------------------------------------------------------------------------------ */

static Status start(Variation *x, const double *q0, const double *v0, Error *err)
{
    const size_t n = x->n, m = x->m;
    size_t found = n;
    double *rows = x->frame;

    ModelPoint point = model_point(x->s->eval, x->t0, q0, v0);
    for (size_t a = 0; a < x->rank; a++)
        memcpy(rows + a * n, point.A + x->s->rows[a] * n, n * sizeof *rows);
    memset(x->scratch, 0, n * n * sizeof *x->scratch);
    if (x->rank) {
        Status status = dense_null_space(rows, x->rank, n, 1e-10, x->scratch, &found, err);
        if (status != OK)
            return status;
    } else {
        for (size_t i = 0; i < n; i++)
            x->scratch[i * n + i] = 1;
    }
    if (found != m)
        return error_set(err, ERR_NUMERIC, "the constraints lose rank at the start");
    memset(x->y, 0, (x->rows + quadratures(x)) * sizeof *x->y);
    memcpy(x->y, q0, n * sizeof *q0);
    memcpy(x->y + n, v0, n * sizeof *v0);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++) {
            x->N[i * m + c] = x->scratch[i * n + c];
            x->y[place(x, n + i, c)] = x->N[i * m + c];
        }
    return OK;
}

static double largest_variation(const Variation *x)
{
    const double *first = x->y + x->rows + 1;
    double worst = 0, scale = 0;

    for (size_t k = 0; k < VARIATION_WAVES * x->n; k++) {
        worst = fmax(worst, fabs(first[2 * k]));
        scale = fmax(scale, fabs(first[2 * k + 1]));
    }
    return scale > 0 ? worst / scale : 0;
}

Status variation_run(Variation *x, const double *q0, const double *v0, bool with_second,
                     const SimulationSink *sink, VariationResult *ret, Error *err)
{
    static const OdeGuard RECORD[2] = {{.kind = ODE_GUARD_RECORD}, {.kind = ODE_GUARD_RECORD}};
    const size_t n = x->n, m = x->m;
    Status status = start(x, q0, v0, err);
    if (status != OK)
        return status;

    OdeSystem system = {.self = x,
                        /* where the variations are wanted their waves steer the steps too */
                        .dim = x->rows + (with_second ? quadratures(x) : 0),
                        .extra = with_second ? 0 : quadratures(x),
                        .rates = rates,
                        .project = x->rank ? project : NULL,
                        .n_guards = with_second ? 2 : 0,
                        .guards = guards};
    OdeOptions options = x->s->options;
    options.guards = RECORD;
    options.step = 0;
    OdeSpan span = {.t0 = x->t0, .t_end = x->t1};
    OdeObserver observer = {.self = x, .event = on_event, .poll = poll_sink};
    OdeOutcome outcome = {0};
    x->conjugate = 0;
    x->sink = sink;
    status = ode_drive(&system, ode_method_find("dop853"), &options, &span, 1, x->y, &observer,
                       &outcome, err);
    if (status == OK && outcome.status != OK)
        status = error_set(err, outcome.status, "%s", outcome.error.message);
    if (status != OK)
        return status;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++)
            x->dq1[i * m + c] = x->y[place(x, i, c)];
    *ret = (VariationResult){.q1 = x->y,
                             .dq1 = x->dq1,
                             .N = x->N,
                             .action = x->y[x->rows],
                             .first = largest_variation(x),
                             .conjugate = x->conjugate,
                             .determinant = frame_determinant(x, x->t1, x->y)};
    return OK;
}
