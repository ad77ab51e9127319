/* The reaction force R = A^T lambda in closed form and along the motion; whether it does work, and
 * whether there is one at all. The closed form comes from the symbolic elimination of
 *
 *     M vdot + l = F + A^T lambda,   A vdot + psi = 0. */
#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/observation.h"
#include "core/motion/algebra/eliminate.h"

/* Characters of a closed form that is printed, and n + r up to which one is sought. Conventions. */
enum { SHORT_TEXT = 300, MAX_UNKNOWNS = 40 };

typedef struct Closed {
    Expr *force;      /* n: R */
    Expr *multiplier; /* r */
} Closed;

/* The closed form by one elimination; false: it does not fit the system. */
static bool eliminate_reaction(const AnalysisContext *context, Elimination elimination,
                               const Closed *ret)
{
    const Model *m = context->model;
    const size_t n = m->n, r = context->n_rows;
    ExprPool *pool = context->pool;
    Arena *scratch = context->scratch;
    Expr *A = ARENA_NEW(scratch, r * n, Expr), *psi = ARENA_NEW(scratch, r, Expr);
    Expr *b = ARENA_NEW(scratch, n, Expr), *vdot = ARENA_NEW(scratch, n, Expr);
    Expr *lambda = ARENA_NEW(scratch, r, Expr), *regularity = ARENA_NEW(scratch, r + n, Expr);
    if (arena_failed(scratch))
        return false;
    for (size_t k = 0; k < r; k++) {
        memcpy(A + k * n, m->A + context->rows[k] * n, n * sizeof *A);
        psi[k] = m->constraints[context->rows[k]].psi;
    }
    for (size_t i = 0; i < n; i++)
        b[i] = expr_sub(pool, m->F[i], m->l[i]);
    KktSystem system = {.n = n, .r = r, .M = m->M, .b = b, .A = A, .psi = psi};
    KktSolution solution = {.vdot = vdot, .lambda = lambda, .regularity = regularity};
    bool solved = eliminate_solve(pool, &system, elimination, &solution);
    for (size_t i = 0; solved && i < n; i++) {
        ret->force[i] = expr_const(pool, 0);
        for (size_t k = 0; k < r; k++)
            ret->force[i] = expr_add(pool, ret->force[i], expr_mul(pool, A[k * n + i], lambda[k]));
    }
    for (size_t a = 0; solved && a < m->r; a++)
        ret->multiplier[a] = expr_const(pool, 0); /* rows that follow from the others */
    for (size_t k = 0; solved && k < r; k++)
        ret->multiplier[context->rows[k]] = lambda[k];
    return solved && expr_pool_status(pool, NULL) == OK;
}

/* The shorter of two texts; texts over the limit do not count. */
static const char *shorter(const char *best, const char *text)
{
    if (!text || strlen(text) > SHORT_TEXT)
        return best;
    return best && strlen(best) <= strlen(text) ? best : text;
}

/* texts[n + r]: of the force, then of the multipliers; NULL: none is short. */
static Status closed_forms(const AnalysisContext *context, const char **texts, Error *err)
{
    static const Elimination WAYS[] = {ELIMINATE_NULL_SPACE_EXPANDED, ELIMINATE_NULL_SPACE,
                                       ELIMINATE_SCHUR};
    const Model *m = context->model;
    Expr *results = ARENA_NEW(context->scratch, m->n + m->r, Expr);
    if (!results)
        return arena_status(context->scratch, err);

    for (size_t w = 0; w < sizeof WAYS / sizeof WAYS[0]; w++) {
        AnalysisContext own = *context;
        const Closed closed = {.force = results, .multiplier = results + m->n};
        /* each elimination in its own pool, which is freed with its long expressions */
        Status status = analysis_clone_pool(&own, err);
        if (status != OK)
            return status;
        if (eliminate_reaction(&own, WAYS[w], &closed))
            for (size_t i = 0; i < m->n + m->r; i++)
                texts[i] = shorter(texts[i], analysis_short_text(&own, results[i], NULL));
        expr_pool_free(own.pool);
    }
    return arena_status(context->scratch, err);
}

static Status show_closed_forms(const AnalysisContext *context, Value *record, Error *err)
{
    const Model *m = context->model;
    Arena *arena = context->arena;
    const char **texts = ARENA_NEW(context->scratch, m->n + m->r, const char *);
    Status status = arena_status(context->scratch, err);

    if (status == OK && m->n + m->r <= MAX_UNKNOWNS)
        status = closed_forms(context, texts, err);
    if (status == OK) {
        Value *force = value_add(arena, record, "force", VALUE_RECORD);
        for (size_t i = 0; i < m->n; i++)
            value_add_text(arena, force, m->names.coordinates[i], texts[i]);
        Value *multipliers = value_add(arena, record, "multipliers", VALUE_RECORD);
        for (size_t a = 0; a < m->r; a++)
            value_add_text(arena, multipliers, m->constraints[a].name, texts[m->n + a]);
    }
    return status;
}

/* A column values[k * width + column] as {"start", "largest", "at"}. */
static void show_column(Arena *arena, const Trajectory *motion, const double *values, size_t width,
                        size_t column, const char *name, Value *record)
{
    double largest = 0, when = motion->t[0];

    for (size_t k = 0; k < motion->n_states; k++) {
        double size = fabs(values[k * width + column]);
        if (size > largest) {
            largest = size;
            when = motion->t[k];
        }
    }
    Value *item = value_add(arena, record, name, VALUE_RECORD);
    value_add_number(arena, item, "start", values[column]);
    value_add_number(arena, item, "largest", largest);
    value_add_number(arena, item, "at", when);
}

/* The components and the power of a force[n] along the motion. */
static Status along_motion(const AnalysisContext *context, const Expr *force, Value *record,
                           Error *err)
{
    ExprPool *pool = context->pool;
    const Model *m = context->model;
    const Trajectory *motion = context->trajectory;
    const size_t width = m->n + 1;
    Arena *arena = context->arena;
    if (!motion || motion->n_states == 0)
        return OK;

    Expr *columns = ARENA_NEW(context->scratch, width, Expr);
    double *values = arena_doubles(context->scratch, motion->n_states * width);
    Status status = arena_status(context->scratch, err);
    if (status == OK) {
        /* the power is one more column behind the components */
        memcpy(columns, force, m->n * sizeof *columns);
        columns[m->n] = expr_dot(pool, m->n, force, m->sym.v);
        status = analysis_evaluate(context, columns, width, motion, values, err);
    }
    if (status == OK) {
        Value *along = value_add(arena, record, "along_motion", VALUE_RECORD);
        Value *components = value_add(arena, along, "force", VALUE_RECORD);
        for (size_t i = 0; i < m->n; i++)
            show_column(arena, motion, values, width, i, m->names.coordinates[i], components);
        show_column(arena, motion, values, width, m->n, "power", along);
    }
    return status;
}

static const char *vanishing_reason(const AnalysisContext *context, const Verdict *verdict)
{
    Arena *arena = context->arena;

    if (verdict->predicted == PREDICTED_YES) {
        if (verdict->evidence == EVIDENCE_IDENTITY)
            return "The constraints exert no force.";
        return arena_printf(arena,
                            "At %zu random admissible states no reaction force was needed: the "
                            "motion without constraints keeps them by itself.",
                            verdict->states);
    }
    if (verdict->predicted == PREDICTED_NO)
        return "At random admissible states the constraints exert a force.";
    return verdict_open_reason(arena, "The reaction force, relative to the scale of the forces,",
                               verdict);
}

static const char *work_reason(const AnalysisContext *context, const Verdict *verdict,
                               const double *worst)
{
    const Model *m = context->model;
    Arena *arena = context->arena;
    const char *text = "At a random admissible state", *joint = "";

    if (verdict->predicted == PREDICTED_YES) {
        if (verdict->evidence == EVIDENCE_IDENTITY)
            return "Every constraint is homogeneous in the velocities: the velocity is itself a "
                   "virtual displacement, and reactions do no work on these.";
        return arena_printf(arena,
                            "The powers of all reactions added up to zero at %zu random admissible "
                            "states.",
                            verdict->states);
    }
    if (verdict->predicted == PREDICTED_NO) {
        /* each constraint whose reaction has power, with the largest value in the samples */
        for (size_t a = 0; a < m->r; a++) {
            if (worst[a] == 0)
                continue;
            text = arena_printf(
                arena, "%s%s the reaction of the %s constraint %s has the power %.3g", text, joint,
                constraint_kind_name(m->constraints[a].kind), m->constraints[a].name, worst[a]);
            joint = " and";
        }
        return arena_printf(arena, "%s.", text);
    }
    return verdict_open_reason(
        arena, "The power of the reactions, relative to the scale of the power,", verdict);
}

/* Each R_i is predicted; on the motion the powers are observed. */
static Status judge_vanishing(const AnalysisContext *context, const Expr *force, Findings *findings,
                              Error *err)
{
    ExprPool *pool = context->pool;
    const Model *m = context->model;
    Verdict *verdict = findings_add(findings);
    Expr sum = expr_const(pool, 0), *scales = ARENA_NEW(context->scratch, m->n, Expr);
    if (!scales)
        return arena_status(context->scratch, err);

    /* the sum for the observation, and a scale for each component */
    for (size_t i = 0; i < m->n; i++) {
        Expr power = expr_mul(pool, force[i], m->sym.v[i]);
        sum = expr_add(pool, sum, expr_abs(pool, power));
        scales[i] = analysis_force_scale(context, i);
    }
    Status status = verdict_predict_each(context, force, m->n, scales, verdict, err);
    verdict->name = "reaction_vanishes";
    verdict->kind = "reactions";
    verdict->expression = "sum of |R_i v_i|";
    if (status == OK)
        status =
            verdict_observe_vanishing(context, sum, analysis_power_scale(context), verdict, err);
    if (status == OK)
        verdict->reason = vanishing_reason(context, verdict);
    return status;
}

static Status judge_work(const AnalysisContext *context, Findings *findings, Error *err)
{
    const Model *m = context->model;
    Verdict *verdict = findings_add(findings);
    Expr *terms = ARENA_NEW(context->scratch, m->r, Expr);
    double *worst = arena_doubles(context->scratch, m->r);
    Status status = arena_status(context->scratch, err);

    /* a term for each constraint, so that the reason can name those that work */
    for (size_t a = 0; status == OK && a < m->r; a++)
        terms[a] = reaction_power(context->pool, m, a);
    if (status == OK) {
        verdict->name = "reaction_does_no_work";
        verdict->kind = "reactions";
        verdict->expression = "R.v";
        const TermSum power = {.terms = terms, .n = m->r, .scale = analysis_power_scale(context)};
        status = verdict_vanish(context, &power, verdict, worst, err);
    }
    if (status == OK)
        verdict->reason = work_reason(context, verdict, worst);
    return status;
}

static Status report_reactions(const AnalysisContext *context, Value *record, Findings *findings,
                               Error *err)
{
    const Model *m = context->model;
    Expr *force = ARENA_NEW(context->scratch, m->n, Expr);
    if (!force)
        return arena_status(context->scratch, err);

    reaction_force(context->pool, m, force);
    Status status = show_closed_forms(context, record, err);
    if (status == OK)
        status = along_motion(context, force, record, err);
    if (status == OK)
        status = judge_vanishing(context, force, findings, err);
    if (status == OK)
        status = judge_work(context, findings, err);
    return status;
}

static Status reactions_run(const AnalysisContext *asked, const Value *options, Findings *findings,
                            Error *err)
{
    Value *record = value_add(findings->arena, findings->record, "reactions", VALUE_RECORD);
    AnalysisContext context;

    (void)options;
    if (asked->model->r == 0) {
        value_add_text(findings->arena, record, "note",
                       "There are no constraints, hence no reactions.");
        return OK;
    }
    /* reactions are those of Lagrange-d'Alembert, even if the motion is of another theory */
    Status status = reaction_context(asked, &context, err);
    if (status == OK && !context.trajectory && asked->trajectory)
        value_add_text(findings->arena, record, "note",
                       "These are the reactions of Lagrange-d'Alembert; the motion of this job has "
                       "none.");
    if (status == OK)
        status = report_reactions(&context, record, findings, err);
    return status;
}

const Analysis analysis_reactions = {
    .name = "reactions",
    .meaning =
        "The reaction forces, in closed form and along the motion; do they work, do they vanish?",
    .run = reactions_run};
