/* A model's motions as equations for exact tests. */
#include "core/invariants/proof.h"

#include <string.h>

#include "core/invariants/recall.h"

typedef struct Maker {
    const AnalysisContext *context;
    const Model *model;
    Arena *arena;
} Maker;

/* f = 0 for q: the Jacobian of an equation f is its row of A. */
static bool make_positions(const Maker *m, ExactStage *ret)
{
    const size_t n = m->model->n, n_rows = m->context->n_rows;
    Expr *f = ARENA_NEW(m->arena, n_rows, Expr), *f_q = ARENA_NEW(m->arena, n_rows * n, Expr);
    size_t count = 0;

    /* the holonomic constraints in use */
    for (size_t k = 0; f && f_q && k < n_rows; k++) {
        const size_t row = m->context->rows[k];
        const Constraint *c = &m->model->constraints[row];
        if (c->kind != CONSTRAINT_HOLONOMIC)
            continue;
        f[count] = c->f;
        memcpy(f_q + count++ * n, m->model->A + row * n, n * sizeof *f_q);
    }
    *ret = (ExactStage){.n_unknowns = n,
                        .n_equations = count,
                        .unknowns = m->model->sym.q,
                        .equations = f,
                        .jacobian = f_q};
    return f && f_q;
}

/* phi = 0 for v, linear unless a constraint is not. */
static bool make_velocities(const Maker *m, ExactStage *ret)
{
    const size_t n = m->model->n, n_rows = m->context->n_rows;
    Expr *phi = ARENA_NEW(m->arena, n_rows, Expr), *A = ARENA_NEW(m->arena, n_rows * n, Expr);

    /* the constraints in use */
    for (size_t k = 0; phi && A && k < n_rows; k++) {
        const size_t row = m->context->rows[k];
        phi[k] = m->model->constraints[row].phi;
        memcpy(A + k * n, m->model->A + row * n, n * sizeof *A);
    }
    *ret = (ExactStage){.n_unknowns = n,
                        .n_equations = n_rows,
                        .unknowns = m->model->sym.v,
                        .equations = phi,
                        .jacobian = A,
                        .linear = model_is_linear(m->model, m->context->rows, n_rows)};
    return phi && A;
}

Expr *acceleration_stage(const AnalysisContext *context, ExprPool *pool, Arena *arena,
                         ExactStage *ret)
{
    const Model *model = context->model;
    const size_t n = model->n, r = context->n_rows, size = n + r;
    Expr *unknowns = ARENA_NEW(arena, size, Expr), *g = ARENA_NEW(arena, size + size * size, Expr);
    if (!unknowns || !g)
        return NULL;

    /* the residual at zero unknowns, and its slopes: rows of M, then those of A */
    Expr *J = g + size;
    const Expr zero = expr_const(pool, 0);
    for (size_t i = 0; i < size * size; i++)
        J[i] = zero;
    for (size_t i = 0; i < n; i++) {
        unknowns[i] = model->sym.vdot[i];
        g[i] = expr_sub(pool, model->l[i], model->F[i]);
        memcpy(J + i * size, model->M + i * n, n * sizeof *J);
    }
    for (size_t k = 0; k < r; k++) {
        const size_t row = context->rows[k];
        unknowns[n + k] = model->sym.lambda[row];
        g[n + k] = model->constraints[row].psi;
        for (size_t i = 0; i < n; i++) {
            J[i * size + n + k] = expr_neg(pool, model->A[row * n + i]);
            J[(n + k) * size + i] = model->A[row * n + i];
        }
    }
    *ret = (ExactStage){.n_unknowns = size,
                        .n_equations = size,
                        .unknowns = unknowns,
                        .equations = g,
                        .jacobian = J,
                        .linear = true,
                        .from_zero = true};
    return g;
}

/* Parameters with their values, and the multipliers of rows that are not in use. */
static bool make_known(const Maker *m, ExactProblem *ret)
{
    const Model *model = m->model;
    Expr *known = ARENA_NEW(m->arena, model->n_params + model->r, Expr);
    double *values = arena_doubles(m->arena, model->n_params + model->r);
    size_t n = m->context->inquiry.any_values ? 0 : model->n_params;
    if (!known || !values)
        return false;

    /* the values of the parameters, unless they are symbols */
    if (n > 0) {
        memcpy(known, model->sym.params, n * sizeof *known);
        memcpy(values, m->context->params, n * sizeof *values);
    }
    /* the multipliers of rows that are not in use are 0 */
    const bool fixed = !analysis_keeps_multipliers(m->context) && !m->context->inquiry.anywhere;
    for (size_t a = 0; a < model->r && fixed; a++)
        if (!sizes_contain(m->context->rows, m->context->n_rows, a))
            known[n++] = model->sym.lambda[a];
    ret->known = known;
    ret->values = values;
    ret->n_known = n;
    return true;
}

static Status poll(void *self, Error *err)
{
    return analysis_poll(self, err);
}

Status motion_equations_init(MotionEquations *e, const AnalysisContext *context, Arena *arena,
                             Error *err)
{
    const Maker m = {context, context->model, arena};
    size_t n = 0;

    *e = (MotionEquations){.context = context};
    e->symbols = arena_doubles(arena, context->model->sym.first_free);
    bool made = e->symbols && make_known(&m, &e->problem);
    /* without equations for any states, and without accelerations for free multipliers */
    if (made && !context->inquiry.anywhere) {
        made = make_positions(&m, &e->stages[n++]) && make_velocities(&m, &e->stages[n++]);
        if (made && !analysis_keeps_multipliers(context))
            made = acceleration_stage(context, context->pool, arena, &e->stages[n++]);
    }
    e->problem.pool = context->pool;
    e->problem.stages = e->stages;
    e->problem.n_stages = n;
    e->problem.symbols = e->symbols;
    e->problem.n_symbols = context->model->sym.first_free;
    e->problem.poll = poll;
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): without its const */
    e->problem.self = (void *)(uintptr_t)context;
    return made ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

static ExactProblem ask(const MotionEquations *e, const Expr *terms, size_t n)
{
    recall_count(e->context->recall, (RecallWork){.exact_tests = 1});
    return exact_about(&e->problem, terms, n);
}

Status motion_identity(const MotionEquations *e, const Expr *terms, size_t n, ExactResult *ret,
                       Error *err)
{
    const ExactProblem problem = ask(e, terms, n);
    return exact_identity(&problem, ret, err);
}

Status motion_difference(MotionEquations *e, const Expr *terms, size_t n, const Trajectory *states,
                         size_t k, ExactResult *ret, Error *err)
{
    const ExactProblem problem = ask(e, terms, n);

    motion_equations_at(e, states, k);
    return exact_difference(&problem, ret, err);
}

Proof proof_of(const ExactResult *result)
{
    if (result->answer == EXACT_NONZERO)
        return (Proof){.method = PROOF_INTERVAL, .bits = result->bits};
    return (Proof){.method = PROOF_FINITE_FIELD,
                   .points = result->points,
                   .primes = result->primes,
                   .chance = result->chance};
}

static void set(MotionEquations *e, const Expr *symbols, size_t n, const double *values)
{
    for (size_t i = 0; i < n; i++)
        e->symbols[expr_node(e->context->model->pool, symbols[i]).symbol] = values[i];
}

void motion_equations_at(MotionEquations *e, const Trajectory *states, size_t k)
{
    const ModelSymbols *sym = &e->context->model->sym;
    const size_t n = e->context->model->n, r = e->context->model->r;

    set(e, &sym->t, 1, states->t + k);
    set(e, sym->q, n, states->q + k * n);
    set(e, sym->v, n, states->v + k * n);
    set(e, sym->vdot, n, states->vdot + k * n);
    if (r)
        set(e, sym->lambda, r, states->lambda + k * r);
}
