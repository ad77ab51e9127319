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

    for (size_t k = 0; f && f_q && k < n_rows; k++) {
        const size_t row = m->context->rows[k];
        const Constraint *c = &m->model->constraints[row];
        if (c->kind != CONSTRAINT_HOLONOMIC)
            continue;
        f[count] = c->f;
        memcpy(f_q + count++ * n, m->model->A + row * n, n * sizeof *f_q);
    }
    /* without holonomic constraints the positions are free: no equations */
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

/* Ranks: an upper bound for all states, and a lower bound at a state, where one state usually is
 * enough. If the lower bound stays below, states behind corners are tried as well: a rank that is
 * attained in one region only is the generic one all the same. */

/* States at which the lower bound is tested: of the sample, and behind corners. Conventions. */
enum { TRIES = 4, BEYOND_DRAWS = 24 };
/* Stages of equations that copies share: that of the positions. */
enum { SHARED_STAGES = 1 };

typedef struct Asked {
    const AnalysisContext *context;
    const RankQuestion *question;
    MotionEquations equations;
    ExactMatrix matrix;
    double *symbols; /* [copies][n_symbols] */
    Arena scratch;
} Asked;

static Status asked_init(Asked *a, const AnalysisContext *context, const RankQuestion *question,
                         Error *err)
{
    *a = (Asked){.context = context, .question = question};
    Status status = motion_equations_init(&a->equations, context, &a->scratch, err);
    if (status != OK)
        return status;
    a->matrix = (ExactMatrix){.problem = exact_about(&a->equations.problem, question->entries,
                                                     question->rows * question->columns),
                              .columns = question->columns,
                              .copies = question->copies,
                              .shared = SHARED_STAGES};
    a->symbols = arena_doubles(&a->scratch, question->copies * a->equations.problem.n_symbols);
    a->matrix.problem.symbols = a->symbols;
    return arena_status(&a->scratch, err);
}

/* Copy k has the velocities of a later state; the equations make them admissible. */
static void set_copies(Asked *a, const Trajectory *states, size_t state)
{
    const Model *m = a->context->model;
    const size_t count = a->equations.problem.n_symbols;

    motion_equations_at(&a->equations, states, state);
    for (size_t k = 0; k < a->question->copies; k++) {
        double *symbols = a->symbols + k * count;
        const double *v = states->v + (state + k) % states->n_states * m->n;
        memcpy(symbols, a->equations.symbols, count * sizeof *symbols);
        for (size_t i = 0; i < m->n; i++)
            symbols[expr_node(m->pool, m->sym.v[i]).symbol] = v[i];
    }
}

/* Raises *least, the best lower bound so far, to the rank that is proved near a state. */
static Status raise_least(Asked *a, const Trajectory *states, size_t state, size_t wanted,
                          ExactRank *least, Error *err)
{
    ExactRank next;

    set_copies(a, states, state);
    recall_count(a->context->recall, (RecallWork){.exact_tests = 1});
    Status status = exact_rank_least(&a->matrix, wanted, &next, err);
    if (status == OK && next.rank > least->rank)
        *least = next;
    return status;
}

/* Raises *least behind the corners of the entries and of the equations of motion. */
static Status raise_beyond(Asked *a, size_t wanted, ExactRank *least, Error *err)
{
    const Model *m = a->context->model;
    const size_t count = a->matrix.problem.n_terms, n_roots = count + 2 * m->n;
    Expr *roots = ARENA_NEW(&a->scratch, n_roots, Expr);
    Beyond beyond;
    if (!roots)
        return arena_status(&a->scratch, err);

    memcpy(roots, a->question->entries, count * sizeof *roots);
    memcpy(roots + count, m->l, m->n * sizeof *roots);
    memcpy(roots + count + m->n, m->F, m->n * sizeof *roots);
    Status status = beyond_init(&beyond, a->context, roots, n_roots, &a->scratch, err);
    /* states close to the corners, until the rank is attained */
    for (size_t k = 0; status == OK && beyond.any && least->rank < wanted && k < BEYOND_DRAWS;
         k++) {
        const Trajectory *states;
        status = beyond_draw(&beyond, k, &a->scratch, &states, err);
        if (status == OK && states->n_states > 0)
            status = raise_least(a, states, 0, wanted, least, err);
    }
    return status;
}

static Status prove(Asked *a, GenericRank *ret, Error *err)
{
    const size_t n_states = a->question->states->n_states;
    ExactRank most, least = {0};

    /* the upper bound, then lower bounds at states until both agree */
    recall_count(a->context->recall, (RecallWork){.exact_tests = 1});
    Status status = exact_rank_most(&a->matrix, 0, &most, err);
    for (size_t k = 0; status == OK && k < n_states && k < TRIES && least.rank < most.rank; k++)
        status = raise_least(a, a->question->states, k, most.rank, &least, err);
    if (status == OK && least.rank < most.rank)
        status = raise_beyond(a, most.rank, &least, err);
    if (status != OK)
        return status;
    /* report both; without agreement with the reason */
    *ret = (GenericRank){.least = least.rank, .most = most.rank};
    if (least.rank < most.rank)
        ret->proof.doubt =
            most.why ? most.why : "it has no minor of that size of which a ball leaves out zero";
    else
        ret->proof = (Proof){.method = most.points ? PROOF_FINITE_FIELD : PROOF_INTERVAL,
                             .points = most.points,
                             .primes = most.primes,
                             .chance = most.chance,
                             .bits = least.bits};
    return OK;
}

Status generic_rank_prove(const AnalysisContext *context, const RankQuestion *question,
                          GenericRank *ret, Error *err)
{
    Asked a;
    Status status = asked_init(&a, context, question, err);

    if (status == OK)
        status = prove(&a, ret, err);
    arena_done(&a.scratch);
    return status;
}

Status generic_rank_least(const AnalysisContext *context, const RankQuestion *question,
                          size_t state, size_t wanted, size_t *ret, Error *err)
{
    Asked a;
    ExactRank least = {0};
    Status status = asked_init(&a, context, question, err);

    if (status == OK)
        status = raise_least(&a, question->states, state, wanted, &least, err);
    if (status == OK)
        *ret = least.rank;
    arena_done(&a.scratch);
    return status;
}
