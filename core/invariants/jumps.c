/* Exact tests on the border: the surface on which the guard of a step vanishes. */
#include "core/invariants/jumps.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/proof.h"

/* Guards of steps in a question: more leave it open. States from which a border is approached.
 * Steps of Newton's method, which converges quadratically. Conventions. */
enum { MAX_GUARDS = 32, TRIES = 8, NEWTON_STEPS = 24 };
/* Factor by which later states are farther from the motion. Convention. */
static const double FARTHER = 10;

typedef struct Jumps {
    const AnalysisContext *context;
    ExprPool *pool;
    const TermSum *sum; /* vanishes between jumps */
    Verdict *verdict;
    Arena *scratch;
    bool of_L; /* whether jumps of L matter */
} Jumps;

/* The part that may jump at a border. */
typedef enum Jump {
    JUMP_NONE,
    JUMP_CONSTRAINT,
    JUMP_MOMENTA,
    JUMP_LAGRANGIAN,
    JUMP_RATES,
    JUMP_ITSELF
} Jump;

/* The surface guard = 0 on which a step changes. */
typedef struct Border {
    Expr guard, guard_t;
    Expr *guard_q, *guard_v;
    bool positions, time, velocities; /* the guard depends on these */
    bool open;                        /* or on accelerations or multipliers: nothing is proved */
    MotionEquations equations;        /* with the guard's */
    ExactStage stages[4];
} Border;

static Status look_at_guard(const Jumps *j, Border *b, Error *err)
{
    const Model *m = j->context->model;
    bool accelerations = false, multipliers = false;
    b->guard_q = ARENA_NEW(j->scratch, m->n, Expr);
    b->guard_v = ARENA_NEW(j->scratch, m->n, Expr);
    const struct {
        const Expr *symbols;
        size_t n;
        bool *ret;
    } kinds[] = {{&m->sym.t, 1, &b->time},
                 {m->sym.q, m->n, &b->positions},
                 {m->sym.v, m->n, &b->velocities},
                 {m->sym.vdot, m->n, &accelerations},
                 {m->sym.lambda, m->r, &multipliers}};
    Status status = arena_status(j->scratch, err);

    for (size_t k = 0; status == OK && k < sizeof kinds / sizeof *kinds; k++)
        status = expr_uses(j->pool, &b->guard, 1, kinds[k].symbols, kinds[k].n, kinds[k].ret, err);
    if (status != OK)
        return status;
    b->open = accelerations || multipliers;
    /* derivatives for the Jacobian: set_border() adds the guard as an equation */
    expr_gradient(j->pool, b->guard, m->sym.q, m->n, b->guard_q);
    expr_gradient(j->pool, b->guard, m->sym.v, m->n, b->guard_v);
    b->guard_t = expr_diff(j->pool, b->guard, m->sym.t);
    return expr_pool_status(j->pool, err);
}

/* The unknowns for which the guard is solved: the last kind that it depends on. */
static ExactStage guard_stage(const Jumps *j, const Border *b)
{
    const Model *m = j->context->model;

    if (b->velocities)
        return (ExactStage){.n_unknowns = m->n, .unknowns = m->sym.v, .jacobian = b->guard_v};
    if (b->positions)
        return (ExactStage){.n_unknowns = m->n, .unknowns = m->sym.q, .jacobian = b->guard_q};
    return (ExactStage){.n_unknowns = 1, .unknowns = &m->sym.t, .jacobian = &b->guard_t};
}

/* Adds the equation of the border to those for the same unknowns, or before all. */
static Status set_border(const Jumps *j, Border *b, Error *err)
{
    Status status = motion_equations_init(&b->equations, j->context, j->scratch, err);
    if (status != OK)
        return status;
    ExactProblem *p = &b->equations.problem;
    ExactStage own = guard_stage(j, b);
    size_t place = 0;
    while (place < p->n_stages && p->stages[place].unknowns != own.unknowns)
        place++;
    /* without a stage for these unknowns, an empty one before all */
    const bool joins = place < p->n_stages;
    memcpy(b->stages + !joins, p->stages, p->n_stages * sizeof *b->stages);
    place = joins ? place : 0;
    p->n_stages += !joins;
    p->stages = b->stages;
    const ExactStage *others = &b->stages[place];
    const size_t before = others->n_equations, n = own.n_unknowns;
    Expr *equations = ARENA_NEW(j->scratch, before + 1, Expr),
         *jacobian = ARENA_NEW(j->scratch, (before + 1) * n, Expr);
    if (!equations || !jacobian)
        return arena_status(j->scratch, err);

    /* the equations of that stage, then the guard */
    if (before) {
        memcpy(equations, others->equations, before * sizeof *equations);
        memcpy(jacobian, others->jacobian, before * n * sizeof *jacobian);
    }
    equations[before] = b->guard;
    memcpy(jacobian + before * n, own.jacobian, n * sizeof *jacobian);
    own.n_equations = before + 1;
    own.equations = equations;
    own.jacobian = jacobian;
    b->stages[place] = own;
    return OK;
}

/* Tries to prove that e, a jump, vanishes on the border. */
static Status vanishes(const Jumps *j, const Border *b, Expr e, bool *ret, Error *err)
{
    ExactResult result;

    /* simple cases: it vanishes as written, or nothing can be proved */
    *ret = expr_vanishes(j->pool, e);
    if (*ret || expr_is_none(e) || b->open)
        return OK;
    Status status = motion_identity(&b->equations, &e, 1, &result, err);
    *ret = status == OK && result.answer == EXACT_ZERO;
    if (*ret) {
        const Proof proof = proof_of(&result);
        j->verdict->evidence = EVIDENCE_RANDOM_STATES;
        proof_join(&j->verdict->proof, &proof);
    }
    return status;
}

static Status vanish(const Jumps *j, Border *b, const Expr *exprs, size_t n, bool *ret, Error *err)
{
    Status status = OK;

    *ret = true;
    for (size_t i = 0; status == OK && *ret && i < n; i++) {
        const Expr jump = expr_jump(j->pool, exprs[i], b->guard, 1),
                   other = expr_jump(j->pool, exprs[i], b->guard, -1);
        status = vanishes(j, b, jump, ret, err);
        if (status == OK && *ret && !expr_same(jump, other))
            status = vanishes(j, b, other, ret, err);
    }
    return status;
}

/* Random states. The second half of them is farther and farther from the motion, because a jump
 * may depend on more than its guard. */
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

    /* copy the states, of which times and positions are changed */
    *ret = *from;
    ret->n_states = count;
    ret->t = t;
    ret->q = q;
    for (size_t k = 0; t && q && k < count; k++) {
        farther *= k < TRIES / 2 ? 1 : FARTHER;
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
    /* evaluate guard and gradient at all states, and step */
    memcpy(exprs, b->guard_q, n * sizeof *exprs);
    exprs[n] = b->guard_t;
    exprs[n + 1] = b->guard;
    for (size_t step = 0; status == OK && step < NEWTON_STEPS; step++) {
        status = analysis_evaluate(j->context, exprs, n + 2, ret, values, err);
        for (size_t k = 0; status == OK && k < ret->n_states; k++)
            step_to_border(b, n, values + k * (n + 2), t + k, q + k * n);
    }
    return status;
}

/* The product of all other guards of the quantity: if it is not zero only this one changes. */
static Status other_guards(const Jumps *j, const Border *b, Expr *ret, Error *err)
{
    Expr guards[MAX_GUARDS];
    size_t n = 0;
    Status status = expr_steps(j->pool, &j->sum->rate_of, 1, guards, MAX_GUARDS, &n, err);

    *ret = expr_const(j->pool, n <= MAX_GUARDS);
    for (size_t k = 0; status == OK && k < n && n <= MAX_GUARDS; k++)
        if (!expr_same_guard(j->pool, guards[k], b->guard))
            *ret = expr_mul(j->pool, *ret, guards[k]);
    return status;
}

/* Whether a motion crosses the border where the quantity jumps: its jump times the guard's rate
 * is not zero, and no other guard vanishes there. */
static Status refute(const Jumps *j, Border *b, bool *ret, Error *err)
{
    const Model *m = j->context->model;
    Trajectory states;
    ExactResult result;

    *ret = false;
    if (j->context->inquiry.any_values || b->velocities || b->open || !j->context->states)
        return OK;
    Expr others;
    Status status = other_guards(j, b, &others, err);
    Expr jump = expr_jump(j->pool, j->sum->rate_of, b->guard, 1),
         rate = expr_add(j->pool, expr_dot(j->pool, m->n, b->guard_q, m->sym.v), b->guard_t),
         both = expr_mul(j->pool, expr_mul(j->pool, jump, rate), others);
    if (status == OK)
        status = expr_pool_status(j->pool, err);
    /* test it at states on the border, until one proves it */
    if (status == OK)
        status = walk_to_border(j, b, &states, err);
    for (size_t k = 0; status == OK && !*ret && k < states.n_states; k++) {
        status = motion_difference(&b->equations, &both, 1, &states, k, &result, err);
        *ret = status == OK && result.answer == EXACT_NONZERO;
    }
    if (*ret)
        j->verdict->proof = proof_of(&result);
    return status;
}

/* An impulse along the slope of the guard does not change the momentum of a field along which
 * the guard is constant, if no reaction to the impulse works along the field. */
static Status unmoved_by_impulse(const Jumps *j, Border *b, bool *ret, Error *err)
{
    const Model *m = j->context->model;
    const Expr *Y = j->sum->field;
    Status status = OK;

    *ret = Y && !b->velocities && !b->open &&
           expr_vanishes(j->pool, expr_dot(j->pool, m->n, b->guard_q, Y));
    for (size_t a = 0; status == OK && *ret && a < m->r; a++)
        status = vanishes(j, b, expr_dot(j->pool, m->n, m->A + a * m->n, Y), ret, err);
    return status;
}

Status jumps_by_turns(const Model *m, ExprPool *pool, Expr e, Expr guard, bool *ret, Error *err)
{
    Status status = expr_is_cut(pool, e, guard, ret, err);
    if (status != OK || !*ret)
        return status;
    const Expr jump = expr_jump(pool, e, guard, 1);

    *ret = expr_vanishes(pool, expr_diff(pool, jump, m->sym.t));
    for (size_t i = 0; *ret && i < m->n; i++)
        *ret = expr_vanishes(pool, expr_diff(pool, jump, m->sym.q[i])) &&
               expr_vanishes(pool, expr_diff(pool, jump, m->sym.v[i]));
    return expr_pool_status(pool, err);
}

static Status constraints_vanish(const Jumps *j, Border *b, bool *ret, Error *err)
{
    const Model *m = j->context->model;
    Status status = OK;

    *ret = true;
    for (size_t a = 0; status == OK && *ret && a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        status = vanish(j, b, &c->phi, 1, ret, err);
        if (status != OK || !*ret || c->kind != CONSTRAINT_HOLONOMIC)
            continue;
        status = vanish(j, b, &c->f, 1, ret, err);
        if (status == OK && !*ret)
            status = jumps_by_turns(m, j->pool, c->f, b->guard, ret, err);
    }
    return status;
}

/* Whether accelerations are continuous: nothing in their equations jumps. */
static Status rates_vanish(const Jumps *j, Border *b, bool *ret, Error *err)
{
    const Model *m = j->context->model;
    Status status = vanish(j, b, m->M, m->n * m->n, ret, err);

    if (status == OK && *ret)
        status = vanish(j, b, m->l, m->n, ret, err);
    if (status == OK && *ret)
        status = vanish(j, b, m->F, m->n, ret, err);
    for (size_t a = 0; status == OK && *ret && a < m->r; a++)
        status = vanish(j, b, &m->constraints[a].psi, 1, ret, err);
    return status;
}

/* Whether a jump of L has no effect although L_v does not jump. */
static Status is_idle(const Jumps *j, Border *b, bool *ret, Error *err)
{
    /* a jump in time alone, at fixed velocities, does not change another quantity */
    const Model *m = j->context->model;
    const bool watched = !expr_is_none(j->sum->rate_of);

    *ret = !b->velocities && !b->open &&
           (j->context->inquiry.concern == CONCERN_VOLUME || (watched && !b->positions));
    Status status = *ret ? OK : unmoved_by_impulse(j, b, ret, err);
    return status == OK && !*ret ? jumps_by_turns(m, j->pool, m->L, b->guard, ret, err) : status;
}

/* The first relevant part that is not proved to be continuous. */
static Status find_jump(const Jumps *j, Border *b, Jump *ret, Error *err)
{
    const Model *m = j->context->model;
    bool phi, p = true, L = true, rates = true, steady = true;
    Status status = constraints_vanish(j, b, &phi, err);

    if (status == OK && j->of_L)
        status = vanish(j, b, m->p, m->n, &p, err);
    if (status == OK && j->of_L)
        status = vanish(j, b, &m->L, 1, &L, err);
    if (status == OK && !L)
        status = is_idle(j, b, &L, err);
    if (status == OK && j->context->inquiry.concern == CONCERN_VOLUME && (b->velocities || b->open))
        status = rates_vanish(j, b, &rates, err);
    if (status == OK && !expr_is_none(j->sum->rate_of))
        status = vanish(j, b, &j->sum->rate_of, 1, &steady, err);
    /* a jump of earlier parts explains those of later ones */
    *ret = !phi      ? JUMP_CONSTRAINT
           : !p      ? JUMP_MOMENTA
           : !steady ? JUMP_ITSELF
           : !L      ? JUMP_LAGRANGIAN
           : !rates  ? JUMP_RATES
                     : JUMP_NONE;
    return status;
}

static void leave_open(const Jumps *j, Jump jump, Predicted predicted)
{
    static const char *const DOUBTS[] = {
        [JUMP_NONE] = "it has more conditions than are looked at",
        [JUMP_CONSTRAINT] = "it is not proved that no constraint jumps where a condition changes",
        [JUMP_MOMENTA] =
            "it is not proved that L_v does not jump where a condition changes, with which "
            "velocities or momenta would have to jump",
        [JUMP_LAGRANGIAN] =
            "it is not proved that L does not jump where a condition changes, which "
            "would be an impulse",
        [JUMP_RATES] = "it is not proved that accelerations do not jump where a condition on "
                       "velocities changes, through which volume would be lost or gained",
        [JUMP_ITSELF] = "it is not proved that it does not jump itself where a condition changes",
    };
    Verdict *v = j->verdict;

    v->predicted = predicted;
    v->evidence = predicted == PREDICTED_NO ? EVIDENCE_COUNTEREXAMPLE : EVIDENCE_RANDOM_STATES;
    /* a refutation has stored its own proof */
    if (predicted != PREDICTED_NO)
        v->proof = (Proof){.method = PROOF_SAMPLES, .doubt = DOUBTS[jump]};
}

static Status settle_at(const Jumps *j, Expr guard, Error *err)
{
    Border b = {.guard = guard};
    Jump jump = JUMP_NONE;
    bool refuted = false;
    Status status = look_at_guard(j, &b, err);

    /* a guard without a variable never changes */
    if (status != OK || !(b.positions || b.time || b.velocities || b.open))
        return status;
    status = b.open ? OK : set_border(j, &b, err);
    if (status == OK)
        status = find_jump(j, &b, &jump, err);
    if (status != OK || jump == JUMP_NONE)
        return status;
    /* only a jump of the quantity itself can refute it */
    if (jump == JUMP_ITSELF)
        status = refute(j, &b, &refuted, err);
    if (status != OK)
        return status;
    leave_open(j, jump, refuted ? PREDICTED_NO : PREDICTED_UNDECIDED);
    j->verdict->jump = analysis_text(j->context, guard, "(long)");
    return OK;
}

/* Whether the terms vanish for any accelerations and multipliers, hence for any L. */
static Status holds_for_any_force(const Jumps *j, bool *ret, Error *err)
{
    MotionEquations equations;
    ExactResult result;

    *ret = false;
    if (j->context->inquiry.anywhere || analysis_keeps_multipliers(j->context))
        return OK;
    Status status = motion_equations_init(&equations, j->context, j->scratch, err);
    if (status != OK)
        return status;
    equations.problem.n_stages--; /* the last is for accelerations and multipliers */
    status = motion_identity(&equations, j->sum->terms, j->sum->n, &result, err);
    *ret = status == OK && result.answer == EXACT_ZERO;
    return status;
}

static size_t add_roots(Expr *roots, size_t n, const Expr *exprs, size_t count)
{
    if (count)
        memcpy(roots + n, exprs, count * sizeof *exprs);
    return n + count;
}

static Status list_guards(const Jumps *j, Expr *ret, size_t *ret_n, Error *err)
{
    const Model *m = j->context->model;
    const size_t most = 2 + 3 * m->r + 3 * m->n + m->n * m->n;
    Expr *roots = ARENA_NEW(j->scratch, most, Expr);
    size_t n = 0;
    if (!roots)
        return arena_status(j->scratch, err);

    if (j->of_L)
        n = add_roots(roots, n, &m->L, 1);
    if (!expr_is_none(j->sum->rate_of))
        n = add_roots(roots, n, &j->sum->rate_of, 1);
    n += constraint_roots(m, NULL, m->r, roots + n);
    /* for volumes also the equations of the accelerations */
    if (j->context->inquiry.concern == CONCERN_VOLUME) {
        n = add_roots(roots, n, m->p, m->n);
        n = add_roots(roots, n, m->M, m->n * m->n);
        n = add_roots(roots, n, m->l, m->n);
        n = add_roots(roots, n, m->F, m->n);
        for (size_t a = 0; a < m->r; a++)
            n = add_roots(roots, n, &m->constraints[a].psi, 1);
    }
    return expr_steps(j->pool, roots, n, ret, MAX_GUARDS, ret_n, err);
}

Status jumps_settle(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                    Error *err)
{
    Arena scratch = {0};
    Jumps j = {.context = context,
               .pool = context->pool,
               .sum = sum,
               .verdict = verdict,
               .scratch = &scratch,
               .of_L = context->inquiry.concern != CONCERN_CONSTRAINTS};
    Expr guards[MAX_GUARDS];
    size_t n = 0;
    bool any_force = false;
    Status status = list_guards(&j, guards, &n, err);

    /* jumps of L do not matter if the terms vanish for any accelerations and multipliers */
    if (status == OK && n > 0 && context->inquiry.concern == CONCERN_POWER)
        status = holds_for_any_force(&j, &any_force, err);
    if (status == OK && any_force) {
        j.of_L = false;
        status = list_guards(&j, guards, &n, err);
    }
    /* border by border, until one refutes it */
    if (status == OK && n > MAX_GUARDS)
        leave_open(&j, JUMP_NONE, PREDICTED_UNDECIDED);
    for (size_t k = 0;
         status == OK && n <= MAX_GUARDS && k < n && verdict->predicted != PREDICTED_NO; k++)
        status = settle_at(&j, guards[k], err);
    arena_done(&scratch);
    return status;
}
