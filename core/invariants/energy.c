/* The energy E = v.L_v - L: is it conserved on every motion of the model?
 *
 * Along any motion dE/dt = (F + R).v - L_t with the reaction R = A^T lambda. For constraints
 * affine in the velocities, S v + s = 0, and no forces this is R.xi with S xi = -s: the energy is
 * conserved exactly when xi is a section of the reaction-annihilator distribution (F. Fasso,
 * N. Sansonetto, conservation of energy in systems with affine constraints, Prop. 1).
 *
 * If the multipliers mu are part of the motion (vakonomic) the question is put to the energy of
 * L - mu phi, Ehat = E - mu (A v - phi), with the rate F.v - L_t + mu phi_t. For constraints that
 * are linear in the velocities that is E again. */
#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/laws.h"

/* The terms of the rate: F.v, -L_t, then for every constraint lambda_a (A v)_a, or mu_a phi_a,t if
 * the multipliers are part of the motion. */
static void rate_terms(const AnalysisContext *context, Expr *terms)
{
    const Model *model = context->model;
    ExprPool *pool = context->pool;

    terms[0] = expr_dot(pool, model->n, model->F, model->sym.v);
    terms[1] = expr_neg(pool, model->L_t);
    for (size_t a = 0; a < model->r; a++)
        terms[2 + a] = analysis_keeps_multipliers(context)
                           ? expr_mul(pool, model->sym.lambda[a],
                                      expr_diff(pool, model->constraints[a].phi, model->sym.t))
                           : reaction_power(pool, model, a);
}

/* E, or Ehat if the multipliers are part of the motion. */
static Expr energy_of(const AnalysisContext *context)
{
    const Model *model = context->model;
    ExprPool *pool = context->pool;
    Expr energy = model->energy;

    for (size_t a = 0; a < model->r && analysis_keeps_multipliers(context); a++) {
        const Constraint *c = &model->constraints[a];
        const Expr along = expr_dot(pool, model->n, model->A + a * model->n, model->sym.v);
        Expr excess = expr_sub(pool, along, c->phi);
        expr_expand(pool, &excess, 1, &excess);
        if (c->kind != CONSTRAINT_LINEAR)
            energy = expr_sub(pool, energy, expr_mul(pool, model->sym.lambda[a], excess));
    }
    return energy;
}

static const char *identity_reason(const AnalysisContext *context)
{
    if (context->model->r == 0)
        return "L does not depend on time and no force acts.";
    if (analysis_keeps_multipliers(context))
        return "Neither L nor a constraint depends on time, and no force acts.";
    return "L does not depend on time, no force acts, and every constraint is homogeneous in the "
           "velocities, so that its reaction does no work.";
}

/* The names of the constraints whose reactions may do work; NULL when there is none. */
static const char *working_constraints(const Model *model, Arena *arena)
{
    const char *names = NULL;

    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        if (c->homogeneous)
            continue;
        names =
            names ? arena_printf(arena, "%s, %s", names, c->name) : arena_strdup(arena, c->name);
        if (!names)
            return "";
    }
    return names;
}

static const char *yes_reason(const AnalysisContext *context, const Expr *terms)
{
    const ExprPool *pool = context->pool;
    const char *names = working_constraints(context->model, context->arena);

    if (names && !analysis_keeps_multipliers(context) && expr_is_zero(pool, terms[0]) &&
        expr_is_zero(pool, terms[1]))
        return arena_printf(context->arena,
                            "Although not homogeneous in the velocities, the constraints %s do no "
                            "work: at every admissible state the affine part is annihilated by the "
                            "reaction force.",
                            names);
    return "At every admissible state the powers of forces, reactions and explicit time dependence "
           "add up to zero.";
}

static const char *term_text(const AnalysisContext *context, size_t i, double value)
{
    Arena *arena = context->arena;

    if (i == 0)
        return arena_printf(arena, "the forces do work (power %.3g)", value);
    if (i == 1)
        return arena_printf(arena, "L depends on time explicitly (-L_t = %.3g)", value);
    const Constraint *c = &context->model->constraints[i - 2];
    if (analysis_keeps_multipliers(context))
        return arena_printf(arena, "the constraint %s depends on time (mu phi_t = %.3g)", c->name,
                            value);
    return arena_printf(arena, "the reaction of the %s constraint %s does work (power %.3g)",
                        constraint_kind_name(c->kind), c->name, value);
}

static const char *no_reason(const AnalysisContext *context, const double *worst, const char *where)
{
    Arena *arena = context->arena;
    const char *text = where ? arena_printf(arena, "At %s", where)
                             : arena_strdup(arena, "At a random admissible state"),
               *joint = "";

    for (size_t i = 0; text && i < 2 + context->model->r; i++)
        if (worst[i] != 0) {
            text = arena_printf(arena, "%s%s %s", text, joint, term_text(context, i, worst[i]));
            joint = " and";
        }
    /* exact tests see what doubles do not */
    if (text && !*joint)
        text = arena_printf(arena, "%s it changes, by less than rounding shows", text);
    return text ? arena_printf(arena, "%s.", text) : NULL;
}

static const char *energy_reason(const AnalysisContext *context, const Expr *terms,
                                 const double *worst, const Verdict *verdict)
{
    if (verdict->jump)
        return verdict_jump_reason(context->arena, verdict);
    if (verdict->predicted == PREDICTED_YES)
        return verdict->evidence == EVIDENCE_IDENTITY ? identity_reason(context)
                                                      : yes_reason(context, terms);
    if (verdict->predicted == PREDICTED_NO)
        return no_reason(context, worst, verdict->where);
    return verdict_open_reason(context->arena, "The rate of the energy, relative to its terms,",
                               verdict);
}

static Status quantities(const AnalysisContext *context, const Expr **ret, size_t *ret_n,
                         Error *err)
{
    Expr *energy = ARENA_NEW(context->scratch, 1, Expr);

    if (!energy)
        return arena_status(context->scratch, err);
    *energy = energy_of(context);
    *ret = energy;
    *ret_n = 1;
    return OK;
}

static Status predict(const AnalysisContext *context, size_t k, Verdict *verdict, Value *record,
                      Error *err)
{
    const Model *model = context->model;
    const size_t n_terms = 2 + model->r;
    Expr *terms = ARENA_NEW(context->scratch, n_terms, Expr);
    double *worst = arena_doubles(context->scratch, n_terms);
    Status status = arena_status(context->scratch, err);

    (void)k;
    (void)record;
    /* the terms of the rate decide; texts are for the last prediction only */
    if (status == OK) {
        verdict->name = verdict->kind = "energy";
        rate_terms(context, terms);
        const Expr energy = energy_of(context);
        /* of the size of v.M v, which with its terms' signs dropped is not smooth */
        const Expr scale = expr_dot(context->pool, model->n, model->p, model->sym.v);
        const TermSum rate = {terms, n_terms, scale, energy, NULL};
        status = verdict_predict(context, &rate, verdict, worst, err);
    }
    if (status == OK && !laws_go_on(context)) {
        verdict->expression = analysis_text(context, energy_of(context), "v.L_v - L");
        verdict->reason = energy_reason(context, terms, worst, verdict);
    }
    return status;
}

static const Laws LAWS = {.name = "energy", .quantities = quantities, .predict = predict};

const Analysis analysis_energy = {.name = "energy",
                                  .meaning = "Is the energy conserved? If not: through forces, "
                                             "explicit time, or the reaction of which constraint?",
                                  .by_default = true,
                                  .laws = &LAWS};
