/* Whether a generator xi carries motions into motions: its lift (xi, xi_q v) is tangent to f = 0
 * and phi = 0, and along it vdot changes by d(xi_q v)/dt. That change is one of the solution of the
 * equations of motion, G = 0: with unknowns of its own it solves the same linear system,
 *
 *     [ M  -A^T ] [ d vdot   ]
 *     [ A    0  ] [ d lambda ] = - dG   at fixed vdot and lambda. */
#include "core/stability/find/equilibrium.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/proof.h"

typedef struct Lift {
    const AnalysisContext *context;
    ExprPool *pool;
    Arena *scratch;
    ExactProblem problem; /* the motion with these stages */
    ExactStage stages[4]; /* those of the motion, then the change of vdot and lambda */
    size_t n, size;
    Expr *state, *lift; /* 2 n: q, v; their changes */
} Lift;

/* The lift keeps f = 0 and phi = 0. */
static Status is_tangent(const Lift *x, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    *ret = true;
    for (size_t k = 0; status == OK && *ret && k < x->context->n_rows; k++) {
        const Constraint *c = &model->constraints[x->context->rows[k]];
        const Expr roots[] = {c->phi, c->kind == CONSTRAINT_HOLONOMIC ? c->f : c->phi};
        Expr along[2];
        expr_directional(x->pool, roots, 2, x->state, x->lift, 2 * x->n, along);
        status = exact_vanishes(&x->problem, 2, &along[0], 1, ret, err);
        if (status == OK && *ret && c->kind == CONSTRAINT_HOLONOMIC)
            status = exact_vanishes(&x->problem, 1, &along[1], 1, ret, err);
    }
    return status;
}

/* The fourth stage. */
static Status make_change(Lift *x, Error *err)
{
    const ExactStage *motion = &x->stages[2];
    const size_t size = x->size;
    Expr *G = ARENA_NEW(x->scratch, size, Expr), *change = ARENA_NEW(x->scratch, size, Expr);
    Expr *dG = ARENA_NEW(x->scratch, size, Expr);
    Status status = arena_status(x->scratch, err);

    for (size_t k = 0; status == OK && k < size; k++) {
        /* G = equations + jacobian * unknowns */
        change[k] = expr_symbol(x->pool, x->context->model->sym.first_free + (uint32_t)k);
        G[k] = expr_add(x->pool, motion->equations[k],
                        expr_dot(x->pool, size, motion->jacobian + k * size, motion->unknowns));
    }
    /* its change along the lift is the right-hand side */
    if (status == OK)
        expr_directional(x->pool, G, size, x->state, x->lift, 2 * x->n, dG);
    x->stages[3] = (ExactStage){.n_unknowns = size,
                                .n_equations = size,
                                .unknowns = change,
                                .equations = dG,
                                .jacobian = motion->jacobian,
                                .linear = true,
                                .from_zero = true};
    return status;
}

/* d vdot = d(xi_q v)/dt */
static Status commutes(const Lift *x, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = x->n;
    Expr *rates = ARENA_NEW(x->scratch, 2 * n, Expr), *along = ARENA_NEW(x->scratch, n, Expr);
    Status status = arena_status(x->scratch, err);

    if (status == OK) {
        memcpy(rates, model->sym.v, n * sizeof *rates);
        memcpy(rates + n, model->sym.vdot, n * sizeof *rates);
        expr_directional(x->pool, x->lift + n, n, x->state, rates, 2 * n, along);
    }
    *ret = status == OK;
    for (size_t i = 0; status == OK && *ret && i < n; i++) {
        const Expr terms[] = {x->stages[3].unknowns[i], expr_neg(x->pool, along[i])};
        status = exact_vanishes(&x->problem, 4, terms, 2, ret, err);
    }
    return status;
}

static Status is_symmetry(const Equilibrium *x, size_t field, bool *ret, Error *err)
{
    const Model *model = x->context->model;
    const Expr *xi = model->given.symmetries[field].components;
    Arena scratch = {0};
    MotionEquations motion;
    AnalysisContext own = *x->context;
    Status status = analysis_clone_pool(&own, err);
    Lift lift = {.context = x->context,
                 .pool = own.pool,
                 .scratch = &scratch,
                 .n = x->n,
                 .size = x->n + x->context->n_rows,
                 .state = ARENA_NEW(&scratch, 2 * x->n, Expr),
                 .lift = ARENA_NEW(&scratch, 2 * x->n, Expr)};

    if (status == OK)
        status = arena_status(&scratch, err);
    if (status == OK)
        status = motion_equations_init(&motion, &own, &scratch, err);
    /* the field lifted to velocities is to be tangent to the constraints */
    if (status == OK) {
        memcpy(lift.stages, motion.stages, sizeof motion.stages);
        lift.problem = motion.problem;
        lift.problem.stages = lift.stages;
        memcpy(lift.state, model->sym.q, x->n * sizeof *xi);
        memcpy(lift.state + x->n, model->sym.v, x->n * sizeof *xi);
        memcpy(lift.lift, xi, x->n * sizeof *xi);
        expr_directional(lift.pool, xi, x->n, model->sym.q, model->sym.v, x->n, lift.lift + x->n);
        status = is_tangent(&lift, ret, err);
    }
    /* and to commute with the motion */
    if (status == OK && *ret)
        status = make_change(&lift, err);
    if (status == OK && *ret)
        status = commutes(&lift, ret, err);
    expr_pool_free(lift.pool);
    arena_done(&scratch);
    return status;
}

Status equilibrium_symmetric(const Equilibrium *x, const size_t *fields, bool *ret, Error *err)
{
    Status status = OK;

    *ret = true;
    for (size_t a = 0; status == OK && *ret && a < x->s; a++) {
        *ret = false;
        status = is_symmetry(x, fields[a], ret, err);
    }
    return status;
}
