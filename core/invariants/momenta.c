/* The momenta p.Y of the model's symmetries Y: which are conserved on every motion, and why.
 *
 * Along any motion of M vdot + l = F + R, R = A^T lambda,
 *
 *     d(p.Y)/dt = Y^TQ(L) + p.Y_t + (F + R).Y,      Y^TQ(L) = L_q.Y + L_v.(Y_q v),
 *
 * of which the first two terms are the change of L along Y. If Y leaves L unchanged and no force
 * acts, p.Y is conserved exactly when Y is a section of the reaction-annihilator distribution
 * (F. Fasso, N. Sansonetto, Prop. 2): a symmetry of the constraints is neither needed nor
 * enough.
 *
 * If the multipliers mu are part of the motion (vakonomic) the momentum is that of L - mu phi,
 * (p - mu A).Y, and no reaction acts. */
#include <math.h>

#include "core/base/accuracy.h"
#include "core/base/random.h"
#include "core/invariants/generator.h"
#include "core/invariants/laws.h"

/* The terms of the rate, the change of L first; then one for each constraint: R.Y = lambda_a (A
 * Y)_a, or of the vakonomic momentum -mu_a times the change of phi_a. */
enum { CHANGE, FORCE, FIXED_TERMS };

typedef struct Momentum {
    const AnalysisContext *context;
    ExprPool *pool;
    const char *name;
    const Expr *field;      /* n: Y */
    const char *coordinate; /* the field is d/dq of this one, which L does not contain; or NULL */
    bool extended;          /* of L - mu phi */
    size_t n_terms;         /* FIXED_TERMS + r */
    Expr *terms;
    Expr scale;
    double *worst;         /* n_terms: of the largest rate */
    Predicted everywhere;  /* Y^TQ(L) + p.Y_t = 0 at any state */
    Predicted admissible;  /* at admissible states */
    Predicted annihilates; /* R.Y = 0 there */
} Momentum;

/* p.Y, or (p - mu A).Y */
static Expr momentum_of(const AnalysisContext *context, const Expr *Y)
{
    ExprPool *pool = context->pool;
    const Model *model = context->model;
    const size_t n = model->n;
    Expr J = expr_dot(pool, n, model->p, Y);

    for (size_t a = 0; a < model->r && analysis_keeps_multipliers(context); a++) {
        Expr along = expr_dot(pool, n, model->A + a * n, Y);
        J = expr_sub(pool, J, expr_mul(pool, model->sym.lambda[a], along));
    }
    return J;
}

static void momentum_terms(Momentum *m)
{
    const Model *model = m->context->model;
    const size_t n = model->n;

    m->terms[CHANGE] = generator_change(m->pool, model, m->field, model->L, model->p);
    m->terms[FORCE] = expr_dot(m->pool, n, model->F, m->field);
    for (size_t a = 0; a < model->r; a++) {
        const Expr *A = model->A + a * n;
        const Expr phi = model->constraints[a].phi;
        const Expr along =
            m->extended ? expr_neg(m->pool, generator_change(m->pool, model, m->field, phi, A))
                        : expr_dot(m->pool, n, A, m->field);
        m->terms[FIXED_TERMS + a] = expr_mul(m->pool, model->sym.lambda[a], along);
    }
    /* the scale of samples, which exist for values of the parameters only */
    m->scale =
        m->context->inquiry.any_values ? EXPR_NONE : generator_rate_scale(m->context, m->field);
}

/* As many random states as the context has, admissible or not. */
static Status make_any_states(const AnalysisContext *context, Trajectory *ret, Error *err)
{
    const size_t n = context->model->n, r = context->model->r, count = context->states->n_states;
    const StateRange *range = &context->range;
    double *t = arena_doubles(context->scratch, count * (1 + 3 * n + r));
    Random random;
    if (!t)
        return arena_status(context->scratch, err);

    double *q = t + count, *v = q + count * n, *vdot = v + count * n;
    /* times and positions in the range, any velocities and accelerations of its speed */
    random_init(&random, 14);
    for (size_t k = 0; k < count; k++) {
        t[k] = random_uniform(&random, range->t_from, range->t_to);
        for (size_t i = 0; i < n; i++) {
            q[k * n + i] = range->centre[i] + range->width[i] * random_uniform(&random, -1, 1);
            v[k * n + i] = range->speed[i] * random_normal(&random);
            vdot[k * n + i] = range->speed[i] * random_normal(&random);
        }
    }
    *ret = (Trajectory){
        .n_states = count, .t = t, .q = q, .v = v, .vdot = vdot, .lambda = vdot + count * n};
    return OK;
}

static Status test(const Momentum *m, const AnalysisContext *context, const Expr *terms, size_t n,
                   Predicted *ret, Error *err)
{
    const TermSum sum = {terms, n, m->scale, expr_const(m->pool, 0), m->field};
    return verdict_answer(context, &sum, ret, err);
}

static Status test_invariance(Momentum *m, Error *err)
{
    AnalysisContext anywhere = *m->context;
    Trajectory states;

    m->everywhere = m->admissible = PREDICTED_YES;
    if (expr_vanishes(m->pool, m->terms[CHANGE]))
        return OK;
    Status status = make_any_states(m->context, &states, err);
    if (status == OK) {
        anywhere.states = &states;
        anywhere.inquiry.anywhere = true;
        status = test(m, &anywhere, &m->terms[CHANGE], 1, &m->everywhere, err);
    }
    m->admissible = m->everywhere;
    if (status == OK && m->everywhere != PREDICTED_YES)
        status = test(m, m->context, &m->terms[CHANGE], 1, &m->admissible, err);
    return status;
}

static bool only_reactions(const Momentum *m)
{
    return !m->extended && exprs_are_zero(m->pool, m->terms, FIXED_TERMS);
}

/* NULL: the field is no symmetry of L, or it is not known. */
static const char *invariance(const Momentum *m)
{
    Arena *arena = m->context->arena;

    if (m->coordinate)
        return arena_printf(arena, "L does not contain the coordinate %s", m->coordinate);
    if (m->everywhere == PREDICTED_YES)
        return arena_printf(arena, "The symmetry '%s' leaves L unchanged", m->name);
    if (m->admissible == PREDICTED_YES)
        return arena_printf(arena,
                            "The field '%s' leaves L unchanged, if not everywhere, then wherever "
                            "the constraints hold",
                            m->name);
    return NULL;
}

static const char *term_name(const Momentum *m, size_t i)
{
    Arena *arena = m->context->arena;

    if (i == CHANGE)
        return "the change of L";
    if (i == FORCE)
        return "the force";
    const char *name = m->context->model->constraints[i - FIXED_TERMS].name;
    return arena_printf(
        arena, m->extended ? "the change of the constraint %s" : "the reaction of %s", name);
}

/* "the force (-0.1), the reaction of c1 (0.3) and the reaction of c2 (1.2)" at the largest rate. */
static const char *contributions(const Momentum *m)
{
    Arena *arena = m->context->arena;
    const char *text = NULL, *last = NULL;
    double size = 0;

    for (size_t i = 0; i < m->n_terms; i++)
        size += fabs(m->worst[i]);
    for (size_t i = 0; i < m->n_terms; i++) {
        /* a reason does not name smaller terms of the rate */
        if (fabs(m->worst[i]) <= ACCURACY_COMPARED * size)
            continue;
        if (last)
            text = text ? arena_printf(arena, "%s, %s", text, last) : last;
        last = arena_printf(arena, "%s (%.3g)", term_name(m, i), m->worst[i]);
    }
    return text   ? arena_printf(arena, "%s and %s", text, last)
           : last ? last
                  : "less than rounding shows";
}

static const char *identity_reason(const Momentum *m)
{
    Arena *arena = m->context->arena;

    if (m->extended)
        return arena_printf(arena,
                            "Neither L nor a constraint changes along the field of '%s', and no "
                            "force acts along it.",
                            m->name);
    return arena_printf(arena,
                        m->context->model->r == 0 ? "%s, and no force acts along it."
                                                  : "%s, and no force or reaction acts along it.",
                        invariance(m));
}

static const char *yes_reason(const Momentum *m, const Verdict *verdict)
{
    Arena *arena = m->context->arena;
    const char *unchanged = invariance(m);

    /* nothing acts, the reaction is idle, or all parts cancel */
    if (verdict->evidence == EVIDENCE_IDENTITY ||
        (unchanged && m->context->model->r == 0 && !m->extended))
        return identity_reason(m);
    if (unchanged && !m->extended && m->annihilates == PREDICTED_YES)
        return arena_printf(arena,
                            "%s, and at every admissible state the reaction force does no work "
                            "along it: the field lies in the reaction-annihilator distribution.",
                            unchanged);
    return arena_printf(arena,
                        "At every admissible state all that changes the momentum of '%s' adds up "
                        "to zero.",
                        m->name);
}

static const char *no_reason(const Momentum *m)
{
    Arena *arena = m->context->arena;
    const char *unchanged = invariance(m);

    if (unchanged)
        return arena_printf(arena,
                            "%s, but its momentum is not conserved: at a random admissible state "
                            "it changes through %s.",
                            unchanged, contributions(m));
    return arena_printf(arena,
                        "The field '%s' is no symmetry of L: at a random admissible state its "
                        "momentum changes through %s.",
                        m->name, contributions(m));
}

static const char *momenta_reason(const Momentum *m, const Verdict *verdict)
{
    if (verdict->jump)
        return verdict_jump_reason(m->context->arena, verdict);
    if (verdict->predicted == PREDICTED_YES)
        return yes_reason(m, verdict);
    if (verdict->predicted == PREDICTED_NO)
        return no_reason(m);
    return verdict_open_reason(m->context->arena,
                               "The rate of the momentum, relative to its scale,", verdict);
}

static void describe(const Momentum *m, Value *item)
{
    Arena *arena = m->context->arena;

    value_add_text(arena, item, "name", m->name);
    generator_describe(m->context, m->field, item, "generator");
    value_add_text(arena, item, "leaves_lagrangian", predicted_name(m->everywhere));
    value_add_text(arena, item, "leaves_lagrangian_on_constraints", predicted_name(m->admissible));
    if (!m->extended)
        value_add_text(arena, item, "in_reaction_annihilator", predicted_name(m->annihilates));
}

static Status momenta_judge(Momentum *m, Verdict *verdict, Error *err)
{
    const AnalysisContext *context = m->context;

    const Expr momentum = momentum_of(context, m->field);

    verdict->kind = "momentum";
    verdict->name = m->name;
    Status status = test_invariance(m, err);
    if (status == OK && !m->extended && !only_reactions(m))
        status = test(m, context, m->terms + FIXED_TERMS, context->model->r, &m->annihilates, err);
    const TermSum rate = {m->terms, m->n_terms, m->scale, momentum, m->field};
    if (status == OK)
        status = verdict_predict(context, &rate, verdict, m->worst, err);
    if (status == OK && only_reactions(m))
        m->annihilates = verdict->predicted; /* the same question */
    if (status != OK || laws_go_on(context))
        return status;
    verdict->expression = analysis_text(context, momentum, "p.Y");
    verdict->reason = momenta_reason(m, verdict);
    return OK;
}

static Status predict(const AnalysisContext *context, size_t k, Verdict *verdict, Value *record,
                      Error *err)
{
    const size_t n_terms = FIXED_TERMS + context->model->r;
    Arena *arena = context->arena;
    Generators g;
    Momentum m = {.context = context,
                  .extended = analysis_keeps_multipliers(context),
                  .pool = context->pool,
                  .n_terms = n_terms,
                  .terms = ARENA_NEW(context->scratch, n_terms, Expr),
                  .worst = arena_doubles(context->scratch, n_terms)};
    Status status = arena_status(context->scratch, err);

    if (status == OK)
        status = generators_of_model(context->model, context->pool, arena, &g, err);
    if (status != OK)
        return status;
    m.field = g.fields[k].components;
    m.name = g.fields[k].name;
    if (g.coordinates) {
        m.coordinate = m.name;
        m.name = arena_printf(arena, "momentum of %s", m.name);
    }
    /* judge the momentum; texts are for the last prediction only */
    status = arena_status(arena, err);
    if (status == OK) {
        momentum_terms(&m);
        status = momenta_judge(&m, verdict, err);
    }
    if (status == OK && !laws_go_on(context))
        describe(&m, record);
    return status;
}

static Status quantities(const AnalysisContext *context, const Expr **ret, size_t *ret_n,
                         Error *err)
{
    Generators g;
    Status status = generators_of_model(context->model, context->pool, context->arena, &g, err);
    Expr *momenta = status == OK ? ARENA_NEW(context->scratch, g.n, Expr) : NULL;

    if (status == OK)
        status = arena_status(context->scratch, err);
    for (size_t k = 0; status == OK && k < g.n; k++)
        momenta[k] = momentum_of(context, g.fields[k].components);
    *ret = momenta;
    *ret_n = status == OK ? g.n : 0;
    return status;
}

static const Laws LAWS = {
    .name = "momenta", .listed = true, .quantities = quantities, .predict = predict};

static bool applies(const Model *model)
{
    return model->given.n_symmetries > 0;
}

const Analysis analysis_momenta = {
    .name = "momenta",
    .meaning = "Is the momentum of each of the model's symmetries conserved?",
    .by_default = true,
    .applies = applies,
    .laws = &LAWS};
