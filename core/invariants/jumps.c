/* Jumps of L, of constraints and of quantities, by exact tests on the border: where the guard of a step
 * vanishes. */
#include "core/invariants/jumps.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus.h"
#include "core/invariants/proof.h"
#include "core/invariants/recall.h"

enum { MOST_GUARDS = 32, TRIES = 8, NEWTON_STEPS = 24 };

typedef struct Jumps {
    const AnalysisContext *context;
    ExprPool *pool;
    const Quantity *quantity;
    Verdict *verdict;
    Arena *scratch;
} Jumps;

/* Where a step changes: guard = 0. */
typedef struct Border {
    Expr guard, guard_t;
    Expr *guard_q;
    bool positions, time, velocities; /* which of them the guard depends on */
    MotionEquations equations;        /* with the guard's */
    ExactStage stages[4];
} Border;

static bool any_used(const ExprPool *pool, const bool *used, const Expr *symbols, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any = any || used[expr_node(pool, symbols[i]).symbol];
    return any;
}

static Status look_at_guard(const Jumps *j, Border *b, Error *err)
{
    const Model *m = j->context->model;
    bool *used = ARENA_NEW(j->scratch, m->first_free, bool);
    b->guard_q = ARENA_NEW(j->scratch, m->n, Expr);
    Status status = arena_status(j->scratch, err);

    if (status == OK)
        status = expr_used_symbols(j->pool, &b->guard, 1, used, m->first_free, err);
    if (status != OK)
        return status;
    b->time = any_used(j->pool, used, &m->t, 1);
    b->positions = any_used(j->pool, used, m->q, m->n);
    b->velocities = any_used(j->pool, used, m->v, m->n) || any_used(j->pool, used, m->vdot, m->n) ||
                    any_used(j->pool, used, m->lambda, m->r);
    expr_gradient(j->pool, b->guard, m->q, m->n, b->guard_q);
    b->guard_t = expr_diff(j->pool, b->guard, m->t);
    return expr_pool_status(j->pool, err);
}

/* The equations of motion with that of the border: among those for q where it depends on q, else
 * before them, for t. */
static Status set_border(const Jumps *j, Border *b, Error *err)
{
    const Model *m = j->context->model;
    Status status = motion_equations_init(&b->equations, j->context, j->pool, j->scratch, err);
    if (status != OK)
        return status;
    ExactProblem *p = &b->equations.problem;
    const ExactStage *places = p->n_stages ? &p->stages[0] : &(ExactStage){0};
    const size_t before = b->positions ? places->n_equations : 0, n = b->positions ? m->n : 1;
    Expr *equations = ARENA_NEW(j->scratch, before + 1, Expr),
         *jacobian = ARENA_NEW(j->scratch, (before + 1) * n, Expr);
    if (!equations || !jacobian)
        return arena_status(j->scratch, err);

    /* the equations for the places, then the guard */
    if (before) {
        memcpy(equations, places->equations, before * sizeof *equations);
        memcpy(jacobian, places->jacobian, before * n * sizeof *jacobian);
    }
    equations[before] = b->guard;
    memcpy(jacobian + before * n, b->positions ? b->guard_q : &b->guard_t, n * sizeof *jacobian);
    b->stages[0] = (ExactStage){.n_unknowns = n,
                                .n_equations = before + 1,
                                .unknowns = b->positions ? m->q : &m->t,
                                .equations = equations,
                                .jacobian = jacobian};
    /* this stage takes the place of that for q, or comes before it */
    const size_t rest = b->positions && p->n_stages ? 1 : 0;
    if (p->n_stages > rest)
        memcpy(b->stages + 1, p->stages + rest, (p->n_stages - rest) * sizeof *b->stages);
    p->n_stages += 1 - rest;
    p->stages = b->stages;
    return OK;
}

static Status border_init(const Jumps *j, Expr guard, Border *b, Error *err)
{
    *b = (Border){.guard = guard};
    Status status = look_at_guard(j, b, err);
    return status == OK && !b->velocities && (b->positions || b->time) ? set_border(j, b, err)
                                                                       : status;
}

/* Whether it is proved that e, a jump, vanishes on the border. */
static Status vanishes(const Jumps *j, Border *b, Expr e, bool *ret, Error *err)
{
    ExactResult result;

    *ret = expr_is_zero(j->pool, e);
    if (*ret || expr_is_none(e) || b->velocities)
        return OK;
    b->equations.problem.terms = &e;
    b->equations.problem.n_terms = 1;
    recall_count(j->context->recall, (RecallWork){.exact_tests = 1});
    Status status = exact_identity(&b->equations.problem, &result, err);
    *ret = status == OK && result.answer == EXACT_ZERO;
    if (*ret) {
        const Proof proof = {.method = PROOF_FINITE_FIELD,
                             .points = result.points,
                             .primes = result.primes,
                             .chance = result.chance};
        j->verdict->evidence = EVIDENCE_RANDOM_STATES;
        proof_join(&j->verdict->proof, &proof);
    }
    return status;
}

static Status vanish(const Jumps *j, Border *b, const Expr *exprs, size_t n, bool *ret, Error *err)
{
    Status status = OK;

    *ret = true;
    for (size_t i = 0; status == OK && *ret && i < n; i++)
        status = vanishes(j, b, expr_jump(j->pool, exprs[i], b->guard), ret, err);
    return status;
}

/* Random states, the second half of them farther and farther from the motion: where a jump is seen may
 * depend on more than its guard. */
static Status spread_states(const Jumps *j, Trajectory *ret, double **ret_t, double **ret_q,
                            Error *err)
{
    const size_t n = j->context->model->n;
    const Trajectory *from = j->context->states;
    const StateRange *range = &j->context->range;
    const size_t count = from->n_states < TRIES ? from->n_states : TRIES;
    double *t = *ret_t = arena_doubles(j->scratch, count);
    double *q = *ret_q = arena_doubles(j->scratch, count * n);
    double farther = 1;

    *ret = *from;
    ret->n_states = count;
    ret->t = t;
    ret->q = q;
    for (size_t k = 0; t && q && k < count; k++) {
        farther *= k < TRIES / 2 ? 1 : 10;
        t[k] = range->t_from + farther * (from->t[k] - range->t_from);
        for (size_t i = 0; i < n; i++)
            q[k * n + i] = range->centre[i] + farther * (from->q[k * n + i] - range->centre[i]);
    }
    return arena_status(j->scratch, err);
}

/* One step of Newton's method along the guard's slope: row is guard_q, guard_t, guard. */
static void step_to_border(const Border *b, size_t n, const double *row, double *t, double *q)
{
    double square = b->positions ? 0 : row[n] * row[n];

    for (size_t i = 0; b->positions && i < n; i++)
        square += row[i] * row[i];
    const double factor = row[n + 1] / square;
    if (!isfinite(factor))
        return;
    for (size_t i = 0; b->positions && i < n; i++)
        q[i] -= factor * row[i];
    if (!b->positions)
        *t -= factor * row[n];
}

static Status walk_to_border(const Jumps *j, const Border *b, Trajectory *ret, Error *err)
{
    const size_t n = j->context->model->n;
    double *t, *q;
    Status status = spread_states(j, ret, &t, &q, err);
    double *values = arena_doubles(j->scratch, ret->n_states * (n + 2));
    Expr *exprs = ARENA_NEW(j->scratch, n + 2, Expr);

    if (status == OK)
        status = arena_status(j->scratch, err);
    if (status != OK)
        return status;
    memcpy(exprs, b->guard_q, n * sizeof *exprs);
    exprs[n] = b->guard_t;
    exprs[n + 1] = b->guard;
    for (size_t step = 0; status == OK && step < NEWTON_STEPS; step++) {
        status = analysis_evaluate(j->context, j->pool, exprs, n + 2, ret, values, err);
        for (size_t k = 0; status == OK && k < ret->n_states; k++)
            step_to_border(b, n, values + k * (n + 2), t + k, q + k * n);
    }
    return status;
}

/* Whether a motion goes through the border where the quantity jumps: its jump times the guard's rate
 * is not zero. */
static Status refute(const Jumps *j, Border *b, bool *ret, Error *err)
{
    const Model *m = j->context->model;
    Trajectory states;
    ExactResult result;

    *ret = false;
    if (j->context->any_values || b->velocities || !j->context->states)
        return OK;
    Expr jump = expr_jump(j->pool, j->quantity->value, b->guard),
         rate = expr_add(j->pool, expr_dot(j->pool, m->n, b->guard_q, m->v), b->guard_t),
         both = expr_mul(j->pool, jump, rate);
    Status status = expr_pool_status(j->pool, err);
    if (status == OK)
        status = walk_to_border(j, b, &states, err);
    b->equations.problem.terms = &both;
    b->equations.problem.n_terms = 1;
    for (size_t k = 0; status == OK && !*ret && k < states.n_states; k++) {
        motion_equations_at(&b->equations, &states, k);
        recall_count(j->context->recall, (RecallWork){.exact_tests = 1});
        status = exact_difference(&b->equations.problem, b->equations.symbols,
                                  b->equations.n_symbols, &result, err);
        *ret = status == OK && result.answer == EXACT_NONZERO;
    }
    if (*ret)
        j->verdict->proof = (Proof){.method = PROOF_INTERVAL, .bits = result.bits};
    return status;
}

/* An impulse along the slope of the guard does not change the momentum of a field along which the guard
 * is constant, where no reaction answers it. */
static bool unmoved_by_impulse(const Jumps *j, const Border *b)
{
    const Model *m = j->context->model;
    const Expr *Y = j->quantity->field;

    return Y && m->r == 0 && !b->velocities &&
           expr_is_zero(j->pool, expr_dot(j->pool, m->n, b->guard_q, Y));
}

/* *ret: neither L nor a constraint jumps, or it does not matter; *ret_moves: velocities may jump. */
static Status model_is_smooth(const Jumps *j, Border *b, bool *ret, bool *ret_moves, Error *err)
{
    const Model *m = j->context->model;
    const bool watched = !expr_is_none(j->quantity->value);
    bool L, p = true, phi = true;
    Status status = vanish(j, b, &m->L, 1, &L, err);

    if (status == OK)
        status = vanish(j, b, m->p, m->n, &p, err);
    for (size_t a = 0; status == OK && phi && a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        status = vanish(j, b, &c->phi, 1, &phi, err);
        if (status == OK && phi && c->kind == CONSTRAINT_HOLONOMIC)
            status = vanish(j, b, &c->f, 1, &phi, err);
    }
    *ret_moves = !p || !phi;
    /* beside what is watched a jump of L in time alone, at fixed velocities, does nothing */
    const bool idle = watched && p && !b->positions && !b->velocities;
    *ret = phi && (L || idle || (p && unmoved_by_impulse(j, b)));
    return status;
}

static void leave_open(const Jumps *j, Predicted predicted)
{
    Verdict *v = j->verdict;

    v->predicted = predicted;
    v->evidence = predicted == PREDICTED_NO ? EVIDENCE_COUNTEREXAMPLE : EVIDENCE_RANDOM_STATES;
    if (predicted == PREDICTED_NO)
        return;
    v->proof =
        (Proof){.method = PROOF_SAMPLES,
                .likely = PREDICTED_UNDECIDED,
                .doubt = "it may jump where a condition in the model changes, and derivatives "
                         "do not show that"};
}

static Status settle_at(const Jumps *j, Expr guard, Error *err)
{
    Border b;
    bool smooth = true, moves = false, steady = true, refuted = false;
    Status status = border_init(j, guard, &b, err);

    if (status != OK || !(b.positions || b.time || b.velocities))
        return status;
    if (!expr_is_none(j->quantity->value))
        status = vanish(j, &b, &j->quantity->value, 1, &steady, err);
    if (status == OK)
        status = model_is_smooth(j, &b, &smooth, &moves, err);
    if (status == OK && smooth && steady && !moves)
        return OK;
    if (status == OK && !steady && !moves)
        status = refute(j, &b, &refuted, err);
    if (status != OK)
        return status;
    leave_open(j, refuted ? PREDICTED_NO : PREDICTED_UNDECIDED);
    j->verdict->jump = analysis_text(j->context, j->pool, guard, "(long)");
    return OK;
}

/* All guards of steps in L, in constraints and in the quantity. */
static Status list_guards(const Jumps *j, Expr *ret, size_t *ret_n, Error *err)
{
    const Model *m = j->context->model;
    Expr *roots = ARENA_NEW(j->scratch, 2 + 2 * m->r, Expr);
    size_t n = 0;
    if (!roots)
        return arena_status(j->scratch, err);

    roots[n++] = m->L;
    if (!expr_is_none(j->quantity->value))
        roots[n++] = j->quantity->value;
    for (size_t a = 0; a < m->r; a++) {
        roots[n++] = m->constraints[a].phi;
        if (m->constraints[a].kind == CONSTRAINT_HOLONOMIC)
            roots[n++] = m->constraints[a].f;
    }
    return expr_steps(j->pool, roots, n, ret, MOST_GUARDS, ret_n, err);
}

Status jumps_settle(const AnalysisContext *context, ExprPool *pool, const Quantity *quantity,
                    Verdict *verdict, Error *err)
{
    Arena scratch = {0};
    const Jumps j = {context, pool, quantity, verdict, &scratch};
    Expr guards[MOST_GUARDS];
    size_t n = 0;
    Status status = list_guards(&j, guards, &n, err);

    if (status == OK && n > MOST_GUARDS)
        leave_open(&j, PREDICTED_UNDECIDED);
    for (size_t k = 0;
         status == OK && n <= MOST_GUARDS && k < n && verdict->predicted != PREDICTED_NO; k++)
        status = settle_at(&j, guards[k], err);
    arena_done(&scratch);
    return status;
}
