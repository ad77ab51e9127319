/* One motion integrated together with the linear equation of its multipliers, and their initial
 * values by least squares: M. Crampin, T. Mestdag, end of section 5. */
#include "core/invariants/consistency/study.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/integrate/method.h"
#include "core/model/rates.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"
#include "core/program/function.h"

/* Steps at most. Convention. */
enum { MAX_STEPS = 100000 };
/* The distance, in units of the range, at which the integration has left the followed motion.
 * Convention. */
static const double LEFT_DISTANCE = 1e-3;

typedef struct Samples {
    size_t n, most;
    double t_last;
    /* By sample: matrix [n][r + 1] (the last column is of mu_p), the size of the acting forces,
     * and of each C_a; and Phi | mu_p [r][r + 1]. */
    double *matrix, *force, *curl, *phi;
} Samples;

/* The state of the integration, all of size 1: q and v over their units, then the columns of Phi
 * and mu_p as coefficients of unit[a] mu_a. */
typedef struct Walk {
    const MotionTest *test;
    const AnalysisContext *context;
    size_t n, r, dim;
    Function curls; /* t, q, v -> C, and the sizes of its terms */
    Arena scratch;  /* owns the arrays */
    Gauge gauge;
    double *y; /* dim */
    double *q, *v, *vdot, *lambda, *kkt;
    double *column;           /* n */
    double *q_unit, *v_unit;  /* n each */
    double *along, *coupling; /* r, r x r */
    double *unit;             /* r */
    size_t n_followed;        /* states of test->follow before time stands still, as in an impact */
    Samples samples;
} Walk;

static Status walk_compile(Walk *w, Error *err)
{
    const SectionProblem *c = w->test->problem;
    const Model *model = w->context->model;
    const size_t n = w->n, count = w->r * n;
    Expr *inputs = ARENA_NEW(&w->scratch, 1 + 2 * n, Expr);
    Expr *outputs = ARENA_NEW(&w->scratch, 2 * count, Expr);
    Status status = arena_status(&w->scratch, err);
    if (status != OK)
        return status;
    /* C and the sizes of its terms, as functions of the state */
    rates_state(model, inputs);
    memcpy(outputs, c->curl, count * sizeof *outputs);
    memcpy(outputs + count, c->curl_size, count * sizeof *outputs);
    const ProgramSpec spec = {.pool = c->pool,
                              .params = model->sym.params,
                              .n_params = model->n_params,
                              .inputs = inputs,
                              .n_inputs = 1 + 2 * n,
                              .outputs = outputs,
                              .n_outputs = 2 * count};
    return function_init(&w->curls, &spec, w->context->params, err);
}

static Status walk_allocate(Walk *w, Error *err)
{
    const size_t n = w->n, r = w->r, size = n + r, samples = w->samples.most;
    Arena *a = &w->scratch;

    w->q = arena_doubles(a, n);
    w->v = arena_doubles(a, n);
    w->vdot = arena_doubles(a, n);
    w->column = arena_doubles(a, n);
    w->q_unit = arena_doubles(a, n);
    w->v_unit = arena_doubles(a, n);
    w->lambda = arena_doubles(a, w->context->model->r);
    /* as much as admissible_motion() asks for */
    w->kkt = arena_doubles(a, (size + 2) * size);
    w->along = arena_doubles(a, r);
    w->coupling = arena_doubles(a, r * r);
    w->unit = arena_doubles(a, r);
    w->samples.matrix = arena_doubles(a, samples * (r + 1) * n);
    w->samples.phi = arena_doubles(a, samples * (r + 1) * r);
    w->samples.force = arena_doubles(a, samples);
    w->samples.curl = arena_doubles(a, samples * r);
    w->y = arena_doubles(a, w->dim);
    gauge_init(&w->gauge, w->test->problem, a);
    return arena_status(a, err);
}

/* Evaluates the motion at a state of the integration: q, v, vdot, lambda, C and the gauge. */
static bool walk_look(Walk *w, double t, const double *y)
{
    const AnalysisContext *c = w->context;
    const ConstrainedModel constrained = analysis_constrained(c);
    const size_t n = w->n;

    /* back to the units of the model, then the accelerations */
    for (size_t i = 0; i < n; i++) {
        w->q[i] = y[i] * w->q_unit[i];
        w->v[i] = y[n + i] * w->v_unit[i];
    }
    if (!admissible_motion(&constrained, t, w->q, w->v, w->kkt, w->vdot, w->lambda))
        return false;
    double *in = w->curls.in;
    in[0] = t;
    memcpy(in + 1, w->q, n * sizeof *in);
    memcpy(in + 1 + n, w->v, n * sizeof *in);
    (void)function_eval(&w->curls);
    gauge_set(&w->gauge, w->test->problem, t, w->q, w->v, w->vdot);
    return true;
}

/* Splits C_a over the weights, in w->column: its part along the constraints is B^T ret_along. */
static bool split_curl(Walk *w, size_t a, double *ret_along)
{
    for (size_t i = 0; i < w->n; i++)
        w->column[i] = w->curls.out[a * w->n + i] / w->gauge.weight[i];
    return gauge_split(&w->gauge, w->column, ret_along);
}

static void walk_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    Walk *w = self;
    const size_t n = w->n, r = w->r;
    bool ok = lanes == 1 && walk_look(w, t[0], y);

    for (size_t a = 0; ok && a < r; a++)
        ok = split_curl(w, a, w->coupling + a * r);
    for (size_t i = 0; !ok && i < w->dim; i++)
        ret[i] = NAN;
    if (!ok)
        return;
    for (size_t i = 0; i < n; i++) {
        ret[i] = w->v[i] / w->q_unit[i];
        ret[n + i] = w->vdot[i] / w->v_unit[i];
    }
    /* rates of the multipliers: the last column has the reactions as its source */
    for (size_t j = 0; j <= r; j++) {
        const double *mu = y + 2 * n + j * r;
        double *rate = ret + 2 * n + j * r;
        for (size_t k = 0; k < r; k++) {
            rate[k] = j == r ? w->lambda[w->context->rows[k]] / w->unit[k] : 0;
            for (size_t a = 0; a < r; a++)
                rate[k] -= w->coupling[a * r + k] * mu[a] * w->unit[a] / w->unit[k];
        }
    }
}

static Status walk_project(void *self, double t, double *y, bool on_step, Error *err)
{
    Walk *w = self;
    const AnalysisContext *c = w->context;
    double dq, dv;
    (void)on_step;
    for (size_t i = 0; i < w->n; i++) {
        w->q[i] = y[i] * w->q_unit[i];
        w->v[i] = y[w->n + i] * w->v_unit[i];
    }
    Status status = model_project(c->eval, t, w->q, w->v, c->rows, c->n_rows, &dq, &dv, err);
    for (size_t i = 0; status == OK && i < w->n; i++) {
        y[i] = dq > 0 ? w->q[i] / w->q_unit[i] : y[i];
        y[w->n + i] = dv > 0 ? w->v[i] / w->v_unit[i] : y[w->n + i];
    }
    return status;
}

/* The state of the followed motion at sample k. */
static size_t followed(const Walk *w, size_t k)
{
    return k * (w->n_followed - 1) / (w->samples.most - 1);
}

static bool has_left(const Walk *w, size_t k)
{
    const Trajectory *follow = w->test->follow;
    const size_t n = w->n, at = follow ? followed(w, k) * n : 0;
    bool left = false;

    for (size_t i = 0; follow && i < n; i++)
        left = left || !(fabs(w->q[i] - follow->q[at + i]) <= LEFT_DISTANCE * w->q_unit[i]) ||
               !(fabs(w->v[i] - follow->v[at + i]) <= LEFT_DISTANCE * w->v_unit[i]);
    return left;
}

static Status take_sample(void *self, size_t k, double t, const double *y, Error *err)
{
    Walk *w = self;
    const size_t n = w->n, r = w->r;
    double *matrix = w->samples.matrix + k * n * (r + 1), *phi = w->samples.phi + k * r * (r + 1);
    if (!walk_look(w, t, y))
        return error_set(err, ERR_NUMERIC, "the motion is not determined");
    if (has_left(w, k))
        return error_set(err, ERR_NUMERIC, "the motion is another one from here on");
    /* the solutions of the multipliers' equations that start from the unit vectors and from zero */
    memset(matrix, 0, n * (r + 1) * sizeof *matrix);
    for (size_t a = 0; a < r; a++)
        for (size_t j = 0; j <= r; j++)
            phi[a * (r + 1) + j] = y[2 * n + j * r + a] * w->unit[a];
    /* the residual, linear in these solutions, and the size of the acting forces */
    w->samples.force[k] = w->gauge.force;
    for (size_t a = 0; a < r; a++) {
        double size = 0;
        if (!split_curl(w, a, w->along))
            return error_set(err, ERR_NUMERIC, "the constraints lose rank");
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j <= r; j++)
                matrix[i * (r + 1) + j] += w->column[i] * phi[a * (r + 1) + j];
            double entry = w->curls.out[(r + a) * n + i] / w->gauge.weight[i];
            size += entry * entry;
        }
        w->samples.curl[k * r + a] = sqrt(size);
    }
    w->samples.n = k + 1;
    w->samples.t_last = t;
    return OK;
}

static Status walk_poll(void *self, Error *err)
{
    const Walk *w = self;
    return analysis_poll(w->context, err);
}

static double sample_time(void *self, size_t k)
{
    const Walk *w = self;
    const MotionTest *test = w->test;
    if (test->follow)
        return test->follow->t[followed(w, k)];
    return k + 1 == test->samples
               ? test->t_end
               : test->t0 + (test->t_end - test->t0) * (double)k / (double)(test->samples - 1);
}

static bool walk_start(Walk *w, double *y)
{
    const MotionTest *test = w->test;
    const StateRange *range = &w->context->range;
    const size_t n = w->n, r = w->r;

    /* units of the state from the range of random states */
    for (size_t i = 0; i < n; i++) {
        w->q_unit[i] = range->width[i] > 0 ? range->width[i] : 1;
        y[i] = test->q0[i] / w->q_unit[i];
        w->v_unit[i] = range->speed[i] > 0 ? range->speed[i] : 1;
        y[n + i] = test->v0[i] / w->v_unit[i];
    }
    if (!walk_look(w, test->t0, y))
        return false;
    /* multipliers whose rates balance the forces that act, over the time of the test */
    double force = w->gauge.force > 0 ? w->gauge.force : 1;
    for (size_t a = 0; a < r; a++) {
        double row = vector_length(w->gauge.B + a * n, n);
        w->unit[a] = row > 0 ? fabs(test->t_end - test->t0) * force / row : 1;
    }
    for (size_t j = 0; j < r; j++)
        y[2 * n + j * r + j] = 1;
    return true;
}

static Status walk(Walk *w, double *y, Error *err)
{
    const OdeSystem system = {
        .self = w, .dim = w->dim, .rates = walk_rates, .project = walk_project};
    /* near the limit of doubles, so that the errors stay far below VERDICT_FAILS */
    const OdeOptions options = {.rtol = ACCURACY_COMPUTED,
                                .atol = ACCURACY_SUMMED,
                                .max_step = w->context->steps.max_step,
                                .max_steps = MAX_STEPS,
                                .max_breaks = 1};
    const OdeSpan span = {.t0 = w->test->t0,
                          .t_end = sample_time(w, w->samples.most - 1),
                          .n_samples = w->samples.most,
                          .sample_time = sample_time,
                          .self = w};
    const OdeObserver observer = {.self = w, .sample = take_sample, .poll = walk_poll};
    OdeOutcome outcome;
    Status status = ode_drive(&(OdeTask){.system = &system,
                                         .method = &ode_dop853,
                                         .options = &options,
                                         .span = &span,
                                         .observer = &observer,
                                         .outcome = &outcome},
                              y, err);

    /* a motion that ends early has samples all the same; a cancel ends the analysis */
    if (status != OK)
        return status;
    if (outcome.status == ERR_CANCELLED || outcome.status == ERR_TIMEOUT ||
        outcome.status == ERR_NO_MEMORY)
        return error_set(err, outcome.status, "%s", outcome.error.message);
    return OK;
}

/* The size of the terms of sample k with multipliers Phi x + mu_p; x NULL: 0. */
static double size_at(const Walk *w, size_t k, const double *x)
{
    const size_t r = w->r;
    double size = w->samples.force[k];

    for (size_t a = 0; a < r; a++) {
        const double *phi = w->samples.phi + (k * r + a) * (r + 1);
        double mu = fabs(phi[r]);
        for (size_t j = 0; x && j < r; j++)
            mu += fabs(phi[j] * x[j]);
        size += w->samples.curl[k * r + a] * mu;
    }
    return size;
}

/* The rows of all samples over the sizes of their terms, with columns of length 1. */
static void walk_fill(const Walk *w, double *matrix, double *right, double *column)
{
    const size_t n = w->n, r = w->r;

    for (size_t k = 0; k < w->samples.n; k++) {
        double size = size_at(w, k, NULL), factor = size > 0 ? 1 / size : 1;
        for (size_t i = k * n; i < (k + 1) * n; i++) {
            right[i] = -factor * w->samples.matrix[i * (r + 1) + r];
            for (size_t j = 0; j < r; j++) {
                matrix[i * r + j] = factor * w->samples.matrix[i * (r + 1) + j];
                column[j] = hypot(column[j], matrix[i * r + j]);
            }
        }
    }
    /* a column of zeros stays: its multiplier has no effect */
    for (size_t j = 0; j < r; j++)
        column[j] = column[j] > 0 ? column[j] : 1;
    for (size_t i = 0; i < w->samples.n * n; i++)
        for (size_t j = 0; j < r; j++)
            matrix[i * r + j] /= column[j];
}

static void walk_measure(const Walk *w, const double *x, MotionFinding *ret)
{
    const size_t n = w->n, r = w->r;

    ret->residual = 0;
    ret->failures = 0;
    /* the residual of each sample against the size of its terms */
    for (size_t k = 0; k < w->samples.n; k++) {
        double sum = 0;
        for (size_t i = k * n; i < (k + 1) * n; i++) {
            double rest = w->samples.matrix[i * (r + 1) + r];
            for (size_t j = 0; j < r; j++)
                rest += w->samples.matrix[i * (r + 1) + j] * x[j];
            sum += rest * rest;
        }
        double relative = sum == 0 ? 0 : sqrt(sum) / size_at(w, k, x);
        ret->residual = fmax(ret->residual, relative);
        ret->failures += relative > VERDICT_FAILS;
    }
}

/* Least squares: rows of samples, their right sides, the lengths of the columns, the solution. */
typedef struct Fit {
    double *matrix, *right, *column, *x;
} Fit;

/* Solves with singular values below `tolerance` of the largest as 0, and stores the multipliers
 * if their residual is smaller than that in ret. */
static Status try_rank(const Walk *w, const Fit *fit, double tolerance, MotionFinding *ret,
                       Error *err)
{
    const size_t r = w->r;
    MotionFinding found;
    double *x = fit->x;
    Status status =
        dense_least_norm(fit->matrix, w->samples.n * w->n, r, fit->right, tolerance, x, err);

    if (status != OK)
        return status;
    /* undo the scaling of the columns */
    for (size_t j = 0; j < r; j++)
        x[j] /= fit->column[j];
    walk_measure(w, x, &found);
    if (!(found.residual < ret->residual))
        return OK;
    ret->residual = found.residual;
    ret->failures = found.failures;
    for (size_t j = 0; j < r; j++)
        ret->mu0[j] = w->unit[j] * x[j];
    return OK;
}

static Status walk_fit(Walk *w, MotionFinding *ret, Error *err)
{
    const size_t r = w->r, rows = w->samples.n * w->n;
    const Fit fit = {.matrix = arena_doubles(&w->scratch, rows * r),
                     .right = arena_doubles(&w->scratch, rows),
                     .column = arena_doubles(&w->scratch, r),
                     .x = arena_doubles(&w->scratch, r)};
    double *s = arena_doubles(&w->scratch, r);
    Status status = arena_status(&w->scratch, err);
    if (status != OK)
        return status;

    /* the dimension of the set of multipliers with the same residual */
    walk_fill(w, fit.matrix, fit.right, fit.column);
    status = dense_singular_values(fit.matrix, rows, r, s, err);
    ret->freedom = r;
    for (size_t j = 0; status == OK && j < r; j++)
        ret->freedom -= s[j] > ACCURACY_COMPARED * s[0];
    for (size_t j = 0; j < r; j++) {
        ret->mu0[j] = w->test->mu0 ? w->test->mu0[j] : 0;
        fit.x[j] = ret->mu0[j] / w->unit[j];
    }
    walk_measure(w, fit.x, ret);
    /* better ones, if they are free */
    const bool free_choice = !w->test->mu0 && status == OK && s[0] > 0;
    if (free_choice)
        status = try_rank(w, &fit, ACCURACY_COMPARED, ret, err);
    /* only rounding counts as 0, because the residual asks for more unknowns */
    if (status == OK && free_choice && ret->residual > ACCURACY_COMPARED)
        status = try_rank(w, &fit, ACCURACY_SUMMED, ret, err);
    return status;
}

/* The number of states before the first whose time does not advance. */
static size_t moving(const Trajectory *follow)
{
    const size_t n = follow->n_states;
    size_t k = n > 0;

    while (k < n && (follow->t[k] - follow->t[k - 1]) * (follow->t[n - 1] - follow->t[0]) > 0)
        k++;
    return k;
}

Status motion_test(const MotionTest *test, MotionFinding *ret, Error *err)
{
    const SectionProblem *c = test->problem;
    Walk w = {.test = test, .context = c->context, .n = c->n, .r = c->r};

    /* the samples: at the followed states, or evenly spaced */
    w.dim = 2 * w.n + w.r * (w.r + 1);
    w.samples.most = test->samples;
    w.n_followed = test->follow ? moving(test->follow) : 0;
    if (test->follow && w.n_followed < w.samples.most)
        w.samples.most = w.n_followed;
    ret->samples = 0;
    if (w.samples.most < 2)
        return OK;
    Status status = walk_compile(&w, err);
    if (status == OK)
        status = walk_allocate(&w, err);
    if (status == OK && walk_start(&w, w.y))
        status = walk(&w, w.y, err);
    const bool enough = w.samples.n >= (test->mu0 ? 1 : 2);
    if (status == OK && enough)
        status = walk_fit(&w, ret, err);
    if (status == OK && enough) {
        ret->samples = w.samples.n;
        ret->t = w.samples.t_last;
    }
    function_done(&w.curls);
    arena_done(&w.scratch);
    return status;
}
