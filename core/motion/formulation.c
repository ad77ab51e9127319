/* The table of the formulations, and their common parts: memory for their equations, symbols,
 * columns, the power, and the names of the components of a state. */
#include "core/motion/formulation.h"

#include <string.h>

static const char *const NAMES[] = {
#define FORMULATION_NAME(name, object) name,
    FORMULATION_LIST(FORMULATION_NAME)
#undef FORMULATION_NAME
};

static const Formulation *const FORMULATIONS[] = {
#define FORMULATION_OBJECT(name, object) &(object),
    FORMULATION_LIST(FORMULATION_OBJECT)
#undef FORMULATION_OBJECT
};

enum { N_FORMULATIONS = sizeof NAMES / sizeof NAMES[0] };

const Formulation *formulation_find(const char *name)
{
    for (size_t i = 0; i < N_FORMULATIONS; i++)
        if (strcmp(NAMES[i], name) == 0)
            return FORMULATIONS[i];
    return NULL;
}

size_t formulation_names(const char *const **ret_names)
{
    *ret_names = NAMES;
    return N_FORMULATIONS;
}

Status equations_init(Equations *eq, const Model *model, size_t n_rows, size_t dim, Error *err)
{
    const size_t n = model->n;

    *eq = (Equations){.n = n, .n_rows = n_rows, .dim = dim, .next_symbol = model->sym.first_free};
    eq->pool = expr_pool_clone(model->pool);
    eq->state = ARENA_NEW(&eq->arena, dim, Expr);
    eq->rates = ARENA_NEW(&eq->arena, dim, Expr);
    eq->restate = ARENA_NEW(&eq->arena, dim, Expr);
    eq->q = ARENA_NEW(&eq->arena, n, Expr);
    eq->v = ARENA_NEW(&eq->arena, n, Expr);
    eq->vdot = ARENA_NEW(&eq->arena, n, Expr);
    eq->lambda = ARENA_NEW(&eq->arena, n_rows, Expr);
    eq->lambda_rate = ARENA_NEW(&eq->arena, n_rows, Expr);
    eq->regularity = ARENA_NEW(&eq->arena, n + n_rows + 1, Expr);
    return eq->pool ? arena_status(&eq->arena, err)
                    : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void equations_done(Equations *eq)
{
    expr_pool_free(eq->pool);
    arena_done(&eq->arena);
    *eq = (Equations){0};
}

void equations_parts(Equations *eq, EquationsPart ret_parts[EQUATIONS_PARTS])
{
    const bool kept = eq->n_rows && !expr_is_none(eq->lambda_rate[0]);
    const EquationsPart list[EQUATIONS_PARTS] = {
        {eq->rates, eq->dim, false},
        {&eq->power, 1, false},
        {eq->q, eq->n, false},
        {eq->v, eq->n, false},
        {eq->vdot, eq->n, false},
        {eq->lambda, eq->n_rows, false},
        {eq->regularity, eq->n_regularity, true},
        {eq->own, eq->n_own, false},
        {eq->implicit, eq->n_implicit, false},
        {eq->lambda_rate, kept ? eq->n_rows : 0, false},
        {&eq->determined, expr_is_none(eq->determined) ? 0 : 1, true},
        {&eq->orientation, expr_is_none(eq->orientation) ? 0 : 1, true},
        {&eq->inertia, expr_is_none(eq->inertia) ? 0 : 1, true}};
    memcpy(ret_parts, list, sizeof list);
}

Status equations_status(const Equations *eq, Error *err)
{
    const Status status = arena_status(&eq->arena, err);
    return status == OK ? expr_pool_status(eq->pool, err) : status;
}

Expr equations_symbol(Equations *eq)
{
    return expr_symbol(eq->pool, eq->next_symbol++);
}

Status equations_implicit(Equations *eq, size_t n, Error *err)
{
    eq->guess = ARENA_NEW(&eq->arena, n, Expr);
    eq->implicit = ARENA_NEW(&eq->arena, n, Expr);
    eq->implicit_start = ARENA_NEW(&eq->arena, n, Expr);
    const Status status = arena_status(&eq->arena, err);
    eq->n_implicit = status == OK ? n : 0;
    for (size_t i = 0; i < eq->n_implicit; i++)
        eq->guess[i] = equations_symbol(eq);
    return status;
}

Status equations_columns(Equations *eq, size_t n, Error *err)
{
    eq->own = ARENA_NEW(&eq->arena, n, Expr);
    eq->own_names = ARENA_NEW(&eq->arena, n, const char *);
    const Status status = arena_status(&eq->arena, err);
    eq->n_own = status == OK ? n : 0;
    return status;
}

Expr equations_power(ExprPool *pool, const Model *model, const MotionOptions *options,
                     const PowerTerms *terms)
{
    const size_t n = model->n;
    Expr power = expr_sub(pool, expr_dot(pool, n, terms->F, terms->v), terms->L_t);

    for (size_t k = 0; k < options->n_rows; k++) {
        if (model->constraints[options->rows[k]].homogeneous)
            continue;
        Expr rate = expr_dot(pool, n, terms->A + k * n, terms->v);
        power = expr_add(pool, power, expr_mul(pool, terms->lambda[k], rate));
    }
    return power;
}

/* The name of a coordinate, or "dot(coordinate)", if the expression is one of these; else NULL. */
static const char *coordinate_name(const Model *model, const Expr *q, const Expr *v, Expr e,
                                   Arena *arena)
{
    for (size_t i = 0; i < model->n; i++) {
        if (expr_same(e, q[i]))
            return model->names.coordinates[i];
        if (expr_same(e, v[i]))
            return arena_printf(arena, "dot(%s)", model->names.coordinates[i]);
    }
    return NULL;
}

const char *equations_state_name(const Equations *eq, const Model *model,
                                 const MotionOptions *options, size_t k, Arena *arena)
{
    const Expr e = eq->state[k];
    const char *name = coordinate_name(model, model->sym.q, model->sym.v, e, arena);

    for (size_t i = 0; !name && i < eq->n_own; i++) {
        if (expr_same(e, eq->own[i]))
            return eq->own_names[i];
        if (expr_same(expr_call(eq->pool, EXPR_EXP, &e, 1), eq->own[i]))
            return arena_printf(arena, "log(%s)", eq->own_names[i]);
    }
    /* a chart's symbol for a coordinate that is the model's own */
    if (!name)
        name = coordinate_name(model, eq->q, eq->v, e, arena);
    for (size_t i = 0; !name && i < eq->n_rows; i++)
        if (expr_same(e, eq->lambda[i]))
            return arena_printf(arena, "multiplier(%s)", model->constraints[options->rows[i]].name);
    return name;
}
