/* Numbers of a model at a state. */
#include "core/model/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/kkt.h"
#include "core/model/rates.h"
#include "core/model/residuals.h"

struct ModelPrograms {
    Model *model; /* a reference */
    Program *point;
    Program *residuals, *linear; /* NULL without constraints */
};

/* Outputs of a program, one after the other. */
typedef struct Outputs {
    Expr *e;
    size_t n;
    const char
        *failed; /* the constraint or coordinate at whose outputs the pool failed; NULL: none */
} Outputs;

static void put(Outputs *out, const Expr *e, size_t n)
{
    if (n)
        memcpy(out->e + out->n, e, n * sizeof *e);
    out->n += n;
}

static void put_residuals(Outputs *out, const Model *m, ExprPool *pool)
{
    const Expr *last = out->e + out->n + RESIDUAL_PHI_ROUNDING * m->r;

    model_residuals(m, pool, out->e + out->n);
    for (size_t a = 0; a < m->r && !out->failed; a++)
        if (expr_is_none(last[a]))
            out->failed = m->constraints[a].name;
    out->n += RESIDUAL_PARTS * m->r;
}

/* Appends a bound of the rounding error of each expression. */
static void put_rounding(Outputs *out, ExprPool *pool, const Expr *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out->e[out->n++] = expr_rounding(pool, e[i]);
}

static void look_for_failure(Outputs *out, const ExprPool *pool, const char *name)
{
    if (!out->failed && expr_pool_status(pool, NULL) != OK)
        out->failed = name;
}

Status model_program(const Model *m, const ExprPool *pool, const Expr *outputs, size_t n_outputs,
                     Program **ret, Error *err)
{
    Expr *inputs = alloc_array(1 + 2 * m->n, sizeof *inputs);
    if (!inputs)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a program");
    rates_state(m, inputs);
    ProgramSpec spec = {
        .pool = pool,
        .params = m->sym.params,
        .n_params = m->n_params,
        .inputs = inputs,
        .n_inputs = 1 + 2 * m->n,
        .outputs = outputs,
        .n_outputs = n_outputs,
    };
    /* a pool that failed has no valid outputs */
    Status status = expr_pool_status(pool, err);
    if (status == OK)
        status = program_compile(&spec, ret, err);
    free(inputs);
    return status;
}

static void put_point(Outputs *out, const Model *m, ExprPool *pool)
{
    const size_t n = m->n, r = m->r;

    /* the equations of motion */
    put(out, m->M, n * n);
    put(out, m->l, n);
    put(out, m->F, n);
    put(out, m->A, r * n);
    for (size_t a = 0; a < r; a++)
        put(out, &m->constraints[a].psi, 1);
    /* bounds of their rounding errors */
    for (size_t a = 0; a < r; a++) {
        put_rounding(out, pool, m->A + a * n, n);
        look_for_failure(out, pool, m->constraints[a].name);
    }
    for (size_t a = 0; a < r; a++) {
        put_rounding(out, pool, &m->constraints[a].psi, 1);
        look_for_failure(out, pool, m->constraints[a].name);
    }
    for (size_t i = 0; i < n; i++) {
        put_rounding(out, pool, &m->M[i * n + i], 1);
        look_for_failure(out, pool, m->names.coordinates[i]);
    }
    /* the invariants of a motion */
    put_residuals(out, m, pool);
    put(out, &m->energy, 1);
}

static Status compile_all(ModelPrograms *programs, ExprPool *pool, Error *err)
{
    const Model *m = programs->model;
    const size_t n = m->n, r = m->r;
    const size_t most = n * n + 3 * n + 2 * r * n + (2 + RESIDUAL_PARTS) * r + 1;
    const size_t equations = n * n + (2 + r) * n + r;
    Outputs out = {.e = alloc_array(most, sizeof *out.e)};

    if (!out.e)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a program");
    put_point(&out, m, pool);
    /* derivatives of hypot(x, y)*x^2 divide by the norm, but a motion may start at norm 0 */
    expr_soften_norms(pool, out.e, equations, out.e, NULL);
    Status status = model_program(m, pool, out.e, out.n, &programs->point, err);
    if (status == ERR_INVALID && expr_pool_status(pool, NULL) == ERR_INVALID)
        error_prefix(err,
                     "how well the equations of %s are known cannot be computed; choose units in "
                     "which its numbers are smaller",
                     out.failed ? out.failed : "the constraints");
    if (status == OK && r > 0) {
        out.n = 0;
        put_residuals(&out, m, pool);
        status = model_program(m, pool, out.e, out.n, &programs->residuals, err);
    }
    if (status == OK && r > 0) {
        out.n = 0;
        put(&out, m->M, n * n);
        put(&out, m->A, r * n);
        status = model_program(m, pool, out.e, out.n, &programs->linear, err);
    }
    free(out.e);
    return status;
}

Status model_programs_new(const Model *model, ModelPrograms **ret, Error *err)
{
    ModelPrograms *programs = alloc_array(1, sizeof *programs);
    ExprPool *pool = expr_pool_clone(model->pool);
    Status status = ERR_NO_MEMORY;

    if (programs && pool) {
        programs->model = model_ref(model);
        status = compile_all(programs, pool, err);
    } else {
        error_set(err, status, "out of memory for the programs of a model");
    }
    expr_pool_free(pool);
    if (status == OK)
        *ret = programs;
    else
        model_programs_free(programs);
    return status;
}

void model_programs_free(ModelPrograms *programs)
{
    if (!programs)
        return;
    program_free(programs->point);
    program_free(programs->residuals);
    program_free(programs->linear);
    model_unref(programs->model);
    free(programs);
}

static void eval_alloc(ModelEval *eval, const double *params)
{
    const Model *m = eval->model;
    const size_t n = m->n, r = m->r, size = n + r;
    Arena *arena = &eval->arena;

    eval->params = arena_copy_doubles(arena, params ? params : m->param_values, m->n_params);
    eval->start = arena_doubles(arena, n);
    eval->best = arena_doubles(arena, n);
    eval->start_q = arena_doubles(arena, n);
    eval->rows_A = arena_doubles(arena, r * n);
    eval->rhs = arena_doubles(arena, size);
    eval->kkt = arena_doubles(arena, kkt_doubles(size));
    eval->positions = arena_sizes(arena, r);
}

/* Places of the outputs of the point's program, in the order of put_point(); not the energy. */
static ModelPoint point_places(const Model *m, const double *out)
{
    const size_t n = m->n, r = m->r, rn = r * n;
    ModelPoint point = {.M = out};

    point.l = point.M + n * n;
    point.F = point.l + n;
    point.A = point.F + n;
    point.psi = point.A + rn;
    point.A_rounding = point.psi + r;
    point.psi_rounding = point.A_rounding + rn;
    point.M_rounding = point.psi_rounding + r;
    /* r numbers of each residual and its sizes, as model_residuals() lists them */
    const double *residuals = point.M_rounding + n;
    point.f = residuals + RESIDUAL_F * r;
    point.f_scale = residuals + RESIDUAL_F_SCALE * r;
    point.f_rounding = residuals + RESIDUAL_F_ROUNDING * r;
    point.phi = residuals + RESIDUAL_PHI * r;
    point.phi_scale = residuals + RESIDUAL_PHI_SCALE * r;
    point.phi_rounding = residuals + RESIDUAL_PHI_ROUNDING * r;
    return point;
}

static Status eval_init(ModelEval *eval, const ModelPrograms *programs, const double *params,
                        Error *err)
{
    eval->model = programs->model;
    eval->metric = (ModelMetric){true, true};
    eval_alloc(eval, params);
    Status status = arena_status(&eval->arena, err);
    if (status == OK)
        status = function_bind(&eval->point, programs->point, eval->params, 1, err);
    if (status == OK)
        status = function_bind(&eval->residuals, programs->residuals, eval->params, 1, err);
    if (status == OK)
        status = function_bind(&eval->linear, programs->linear, eval->params, 1, err);
    if (status == OK)
        eval->at = point_places(eval->model, eval->point.out);
    return status;
}

Status model_eval_new(const ModelPrograms *programs, const double *params, ModelEval **ret,
                      Error *err)
{
    ModelEval *eval = alloc_array(1, sizeof *eval);
    Status status = eval ? eval_init(eval, programs, params, err)
                         : error_set(err, ERR_NO_MEMORY, "out of memory for an evaluator");

    if (status == OK)
        *ret = eval;
    else
        model_eval_free(eval);
    return status;
}

void model_eval_renew(ModelEval *eval, const double *params)
{
    const size_t size = eval->model->n_params * sizeof *params;
    Function *const functions[] = {&eval->point, &eval->residuals, &eval->linear};
    const bool same = memcmp(eval->params, params, size) == 0;

    memcpy(eval->params, params, size);
    eval->metric = (ModelMetric){true, true};
    eval->points = 0;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        function_renew(functions[k], same ? NULL : params);
}

void model_eval_free(ModelEval *eval)
{
    if (!eval)
        return;
    function_done(&eval->point);
    function_done(&eval->residuals);
    function_done(&eval->linear);
    arena_done(&eval->arena);
    free(eval);
}

ModelMetric model_eval_metric(const ModelEval *eval)
{
    return eval->metric;
}

void model_eval_set_metric(ModelEval *eval, ModelMetric metric)
{
    eval->metric = metric;
}

/* Compares bit by bit. */
static bool is_state(const double *state, size_t n, double t, const double *q, const double *v)
{
    return numbers_are_same(state, &t, 1) && numbers_are_same(state + 1 + n, v, n) &&
           numbers_are_same(state + 1, q, n);
}

const double *evaluated_residuals(const ModelEval *eval)
{
    return eval->at.f - RESIDUAL_F * eval->model->r;
}

const double *evaluated_linear(const ModelEval *eval, const double **ret_A)
{
    *ret_A = eval->at.A;
    return eval->at.M;
}

/* Copies the outputs of a function from those of the point. */
static void take_from_point(const ModelEval *eval, Function *function)
{
    const size_t n = eval->model->n, r = eval->model->r;

    if (function == &eval->linear) {
        memcpy(function->out, eval->at.M, n * n * sizeof *function->out);
        memcpy(function->out + n * n, eval->at.A, r * n * sizeof *function->out);
    } else {
        memcpy(function->out, evaluated_residuals(eval),
               RESIDUAL_PARTS * r * sizeof *function->out);
    }
}

const double *evaluate_at(const ModelEval *eval, Function *function, double t, const double *q,
                          const double *v)
{
    const size_t n = eval->model->n;

    if (!function->program)
        return NULL;
    if (function->evaluated && is_state(function->in, n, t, q, v))
        return function->out;
    function->in[0] = t;
    memcpy(function->in + 1, q, n * sizeof *q);
    memcpy(function->in + 1 + n, v, n * sizeof *v);
    if (function == &eval->point || !eval->point.evaluated || !is_state(eval->point.in, n, t, q, v))
        return function_eval(function);
    take_from_point(eval, function);
    function->evaluated = true;
    return function->out;
}

void model_eval_take_matrices(ModelEval *eval, const double *state, const double *matrices)
{
    const size_t n = eval->model->n, r = eval->model->r;

    memcpy(eval->linear.in, state, (1 + 2 * n) * sizeof *state);
    memcpy(eval->linear.out, matrices, (n + r) * n * sizeof *matrices);
    eval->linear.evaluated = false; /* not evaluated by its own program */
}

uint64_t model_eval_points(const ModelEval *eval)
{
    return eval->points;
}

ModelPoint model_point(ModelEval *eval, double t, const double *q, const double *v)
{
    ModelPoint point = eval->at;

    eval->points++;
    evaluate_at(eval, &eval->point, t, q, v);
    point.energy = evaluated_residuals(eval)[RESIDUAL_PARTS * eval->model->r];
    return point;
}

double point_position_residual(const ModelPoint *point, size_t a)
{
    return residual_relative(point->f[a], point->f_scale[a], point->f_rounding[a]);
}

double point_velocity_residual(const ModelPoint *point, size_t a)
{
    return residual_relative(point->phi[a], point->phi_scale[a], point->phi_rounding[a]);
}
