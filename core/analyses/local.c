/* The equations of Lagrange-d'Alembert linearised beside a motion, on the constraint manifold. */
#include "core/analyses/local.h"

#include <math.h>

#include "core/base/stop_token.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/jumps.h"
#include "core/model/dimensions.h"

void local_done(Local *x)
{
    linearised_free(x->linearised);
    motion_free(x->own);
    *x = (Local){0};
}

static Status local_refuse(const AnalysisContext *context, const AnalysedRun *run, Error *err)
{
    if (context->formulation && context->formulation->keeps_multipliers)
        return error_set(err, ERR_INVALID,
                         "the formulation %s has other motions than those of Lagrange-d'Alembert; "
                         "this analysis linearises the latter",
                         context->formulation->name);
    if (run->impact)
        return error_set(err, ERR_INVALID,
                         "the event %s changes the state: the motion is linearised only where "
                         "it is smooth",
                         run->impact);
    return OK;
}

static Status local_choose_motion(Local *x, const AnalysisContext *context, const AnalysedRun *run,
                                  Error *err)
{
    const Formulation *formulation = formulation_find("lagrange-dalembert");
    const ModelMetric metric = model_eval_metric(context->eval);
    /* the choice of dependent coordinates belongs to another formulation */
    const MotionOptions options = {
        .rows = context->rows, .n_rows = context->n_rows, .dependent = context->rows};

    if (run->motion && run->motion->formulation == formulation) {
        x->motion = run->motion;
        return OK;
    }
    Status status =
        motion_best(context->model, formulation, &options,
                    metric.mass_for_velocities ? MOTION_POSITIVE_ON_CONSTRAINTS : MOTION_INDEFINITE,
                    &x->own, err);
    x->motion = x->own;
    return status;
}

size_t local_dimension(const AnalysisContext *context)
{
    size_t d = 2 * context->model->n - context->n_rows;

    for (size_t k = 0; k < context->n_rows; k++)
        d -= context->model->constraints[context->rows[k]].kind == CONSTRAINT_HOLONOMIC;
    return d;
}

bool local_is_autonomous(const Model *model)
{
    bool timed = expr_may_use(model->pool, &model->L, 1, &model->sym.t, 1) ||
                 expr_may_use(model->pool, model->F, model->n, &model->sym.t, 1);

    for (size_t k = 0; k < model->r; k++)
        timed = timed || model->constraints[k].time_dependent;
    return !timed;
}

Status local_init(Local *x, const AnalysisContext *context, const AnalysedRun *run, size_t columns,
                  Error *err)
{
    *x = (Local){.n = context->model->n, .dim = 2 * context->model->n, .at_place = x->at_place};
    Status status = local_refuse(context, run, err);
    /* the equations of Lagrange-d'Alembert, without corners unless one state is asked for */
    if (status == OK)
        status = local_choose_motion(x, context, run, err);
    if (status == OK && x->motion->n_switches && !x->at_place)
        status = error_set(err, ERR_INVALID,
                           "the equations have corners (abs, min, max, sign or if): the motion is "
                           "linearised only where it is smooth");
    if (status == OK) {
        LinearisedSpec spec = {.model = context->model,
                               .motion = x->motion,
                               .params = context->params,
                               .eval = context->eval,
                               .columns = columns,
                               .limits = true};
        status = linearised_new(&spec, &x->linearised, err);
    }
    if (status == OK) {
        x->space = linearised_space(x->linearised);
        x->d = tangent_space_dimension(x->space);
    }
    return status;
}

Status local_jumps(const AnalysisContext *context, ExprPool *pool, Expr *ret_guards, size_t *ret_n,
                   Error *err)
{
    const Model *model = context->model;
    Arena scratch = {0};
    Expr *roots = ARENA_NEW(&scratch, 1 + 2 * context->n_rows, Expr);
    size_t n_roots = 0, n_steps = 0;
    Status status = arena_status(&scratch, err);

    *ret_n = 0;
    if (status == OK) {
        /* expressions at whose jumps the motion may jump: L and the constraints */
        roots[0] = model->L;
        n_roots = 1 + constraint_roots(model, context->rows, context->n_rows, roots + 1);
        status = expr_steps(pool, roots, n_roots, ret_guards, LOCAL_MOST_GUARDS, &n_steps, err);
    }
    if (status == OK && n_steps > LOCAL_MOST_GUARDS)
        status =
            error_set(err, ERR_LIMIT, "the model has more than %d conditions", LOCAL_MOST_GUARDS);
    for (size_t k = 0; status == OK && k < n_steps; k++) {
        /* keep the conditions at which one of them does */
        const Expr guard = ret_guards[k];
        bool jumps = false;
        for (size_t i = 0; status == OK && i < n_roots && !jumps; i++) {
            bool by_turns = false;
            status = jumps_by_turns(model, pool, roots[i], guard, &by_turns, err);
            jumps = !by_turns && (!expr_vanishes(pool, expr_jump(pool, roots[i], guard, 1)) ||
                                  !expr_vanishes(pool, expr_jump(pool, roots[i], guard, -1)));
        }
        if (jumps)
            ret_guards[(*ret_n)++] = guard;
        if (status == OK)
            status = expr_pool_status(pool, err);
    }
    arena_done(&scratch);
    return status;
}

void local_reduce(const double *Z, const double *A, size_t dim, size_t d, double *ret)
{
    for (size_t i = 0; i < d && stop_token_spend(d * dim, NULL) == OK; i++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++)
                sum += Z[k * d + i] * A[k * d + j];
            ret[i * d + j] = sum;
        }
}

void local_report_eigenvalues(Arena *arena, Value *parent, const char *name,
                              const Eigenvalue *values, size_t n, bool modulus)
{
    Value *list = value_add(arena, parent, name, VALUE_LIST);

    for (size_t i = 0; i < n; i++) {
        Value *value = value_add(arena, list, NULL, VALUE_RECORD);
        value_add_number(arena, value, "re", values[i].re);
        value_add_number(arena, value, "im", values[i].im);
        if (modulus)
            value_add_number(arena, value, "modulus", hypot(values[i].re, values[i].im));
    }
}

void local_report_state(Arena *arena, Value *parent, const Model *model, const double *q,
                        const double *v)
{
    Value *positions = value_add(arena, parent, "q", VALUE_RECORD);
    Value *velocities = value_add(arena, parent, "v", VALUE_RECORD);

    for (size_t i = 0; i < model->n; i++) {
        const char *name = model->names.coordinates[i];
        value_add_number(arena, positions, name, units_shown(model, i, q[i]));
        value_add_number(arena, velocities, name, units_shown(model, model->n + i, v[i]));
    }
}
