/* Gauge momenta: p.Y for fields Y tangent to the orbits of the symmetries, Y = sum of f_a(q)
 * xi_a.
 *
 * p.Y is conserved if Y leaves L unchanged where the constraints hold, Y^TQ(L) = 0 on M, and the
 * reaction annihilates it, R.Y = 0 (F. Fasso, N. Sansonetto, Prop. 3); Y itself need be no
 * symmetry. The search takes coefficients f_a from a stated ansatz (problem.h), rounds them to
 * simple numbers if possible, and tests the fields once more at other states. Given fields are
 * judged. */
#include <math.h>
#include <string.h>

#include "core/base/fraction.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/gauge_momenta/problem.h"
#include "core/invariants/observation.h"
#include "core/invariants/reaction_annihilator/annihilator.h"
#include "core/invariants/search/augmented.h"

typedef struct Gauge {
    const AnalysisContext *context; /* with the reactions of Lagrange-d'Alembert */
    ExprPool *pool;
    Generators generators;
    Ansatz ansatz;
    Findings *findings;
    Value *record;
} Gauge;

static void describe_ansatz(const Gauge *g)
{
    Arena *arena = g->context->arena;
    Value *item = value_add(arena, g->record, "ansatz", VALUE_RECORD);
    Value *atoms = value_add(arena, item, "functions", VALUE_LIST);

    for (size_t k = 0; k < g->ansatz.n_atoms; k++)
        value_add_text(arena, atoms, NULL, analysis_text(g->context, g->ansatz.atoms[k], "(long)"));
    value_add_count(arena, item, "degree", g->ansatz.degree);
}

/* "cos(gamma)*spin_x + sin(gamma)*spin_y - 0.16*z*about_axis" */
static const char *combination(const Gauge *g, const double *coefs)
{
    Arena *arena = g->context->arena;
    const size_t n = g->generators.n;
    const char *text = NULL;

    /* term by term, with a factor unless it is 1 */
    for (size_t k = 0; k < g->ansatz.n * n; k++) {
        if (coefs[k] == 0)
            continue;
        Expr factor = expr_scale(g->pool, fabs(coefs[k]), g->ansatz.functions[k / n]);
        const char *name = g->generators.fields[k % n].name, *number = "";
        double value;
        if (!expr_is_const(g->pool, factor, &value) || value != 1)
            number = arena_printf(arena, "%s*", analysis_text(g->context, factor, "(long)"));
        if (!text)
            text = arena_printf(arena, "%s%s%s", coefs[k] < 0 ? "-" : "", number, name);
        else
            text = arena_printf(arena, "%s %c %s%s", text, coefs[k] < 0 ? '-' : '+', number, name);
    }
    return text ? text : "0";
}

/* The conditions of a gauge symmetry, one by one and together. */
typedef struct Judgement {
    Expr J;
    Predicted leaves;      /* Y^TQ(L) = 0 on the constraints */
    Predicted annihilates; /* R.Y = 0 */
    Projection projection;
    bool projected; /* there is a projection */
} Judgement;

static Status gauge_momenta_judge(const Gauge *g, const Expr *Y, Judgement *ret, Verdict *verdict,
                                  Error *err)
{
    const Model *m = g->context->model;
    Expr *terms = ARENA_NEW(g->context->scratch, 2 + m->r, Expr);
    if (!terms)
        return arena_status(g->context->scratch, err);

    /* the rate of p.Y: the change of L, the force, the reaction of each constraint */
    ret->J = expr_dot(g->pool, m->n, m->p, Y);
    terms[0] = generator_change(g->pool, m, Y, m->L, m->p);
    terms[1] = expr_dot(g->pool, m->n, m->F, Y);
    for (size_t a = 0; a < m->r; a++)
        terms[2 + a] = reaction_along(g->pool, m, a, Y);
    Expr scale = generator_rate_scale(g->context, Y);
    const TermSum rate = {terms, 2 + m->r, scale, ret->J, Y};
    const TermSum change = {.terms = terms, .n = 1, .scale = scale},
                  reaction = {.terms = terms + 2, .n = m->r, .scale = scale};
    Status status = verdict_predict(g->context, &rate, verdict, NULL, err);
    if (status == OK)
        status = verdict_answer(g->context, &change, &ret->leaves, err);
    if (status == OK)
        status = verdict_answer(g->context, &reaction, &ret->annihilates, err);
    ret->projected = m->r > 0 && annihilator_defined(m);
    if (status == OK && ret->projected)
        status = projection_judge(g->context, Y, &ret->projection, err);
    return status;
}

static Value *describe(const Gauge *g, const Expr *Y, const Judgement *j, const char *name,
                       Value *list)
{
    Arena *arena = g->context->arena;
    Value *item = value_add(arena, list, NULL, VALUE_RECORD);

    value_add_text(arena, item, "name", name);
    generator_describe(g->context, Y, item, "generator");
    value_add_text(arena, item, "leaves_lagrangian_on_constraints", predicted_name(j->leaves));
    value_add_text(arena, item, "in_reaction_annihilator", predicted_name(j->annihilates));
    if (j->projected) {
        Value *projection = value_add(arena, item, "projected_generator", VALUE_RECORD);
        value_add_text(arena, projection, "generates", predicted_name(j->projection.generates));
        if (j->projection.generates == PREDICTED_NO)
            value_add_bool(arena, projection, "up_to_a_constant", j->projection.constant);
        value_add_number(arena, projection, "largest", j->projection.largest);
    }
    return item;
}

static Status finish(const Gauge *g, const Verdict *judged, const Judgement *j, const char *name,
                     const char *reason, Error *err)
{
    Verdict *verdict = findings_add(g->findings);

    *verdict = *judged;
    verdict->name = name;
    verdict->kind = "gauge_momentum";
    verdict->expression = analysis_short_text(g->context, j->J, "p.Y");
    verdict->reason = reason;
    return verdict_observe(g->context, j->J, verdict, err);
}

static bool is_constant(const Gauge *g, const double *coefs)
{
    const size_t n = g->generators.n;
    for (size_t k = n; k < g->ansatz.n * n; k++)
        if (coefs[k] != 0)
            return false;
    return true;
}

/* Relative distance of a fraction of large numbers from a coefficient of the search. No unit;
 * convention. */
static const double SAME_FRACTION = 1e-11;

/* The fraction near a number; false: none. *ret_simple stays true for small numbers only. */
static bool meant(double x, double *ret, bool *ret_simple)
{
    Fraction fraction;
    const bool simple = fraction_near(x, &fraction),
               found = simple || fraction_convergent(x, SAME_FRACTION, &fraction);

    *ret = found ? fraction.numerator / fraction.denominator : x;
    *ret_simple = *ret_simple && simple;
    return found;
}

/* Takes fractions if the field is conserved with them, otherwise the numbers of the search:
 * those are rounded, so nothing is claimed. Simple fractions that the states support remain, even
 * if exact tests disagree. */
static Status judge_coefs(const Gauge *g, const GaugeProblem *problem, double *coefs, Expr *Y,
                          Judgement *j, Verdict *verdict, Error *err)
{
    const size_t n = g->ansatz.n * g->generators.n;
    double *raw = arena_copy_doubles(g->context->scratch, coefs, n);
    bool fractions = true, simple = true;
    if (!raw)
        return arena_status(g->context->scratch, err);

    for (size_t k = 0; k < n; k++)
        fractions = meant(raw[k], &coefs[k], &simple) && fractions;
    gauge_field(problem, coefs, Y);
    Status status = gauge_momenta_judge(g, Y, j, verdict, err);
    const bool holds = fractions && verdict->predicted == PREDICTED_YES,
               settled = simple && verdict->proof.likely == PREDICTED_YES;
    /* otherwise the numbers as they are */
    if (status == OK && !holds && !settled) {
        memcpy(coefs, raw, n * sizeof *raw);
        gauge_field(problem, coefs, Y);
        *verdict = (Verdict){0};
        status = gauge_momenta_judge(g, Y, j, verdict, err);
        verdict_leave_open(verdict);
    }
    return status;
}

static const char *found_reason(const Gauge *g, const double *coefs, const Verdict *verdict)
{
    Arena *arena = g->context->arena;
    const char *text = combination(g, coefs);

    /* jump, undecided, nearly conserved, an ordinary momentum, a gauge momentum */
    if (verdict->jump)
        return verdict_jump_reason(arena, verdict);
    if (verdict->predicted == PREDICTED_UNDECIDED)
        return arena_printf(
            arena,
            "At %zu random admissible states the momentum of Y = %s did not change; "
            "no exact test decides: %s.",
            verdict->states, text, proof_doubt(verdict));
    if (verdict->predicted == PREDICTED_NO)
        return arena_printf(
            arena,
            "At %zu random admissible states the momentum of Y = %s changes by no more than %.3g "
            "of "
            "its terms, yet a ball of %u bits tells that from zero: it is nearly conserved.",
            verdict->states, text, verdict->largest, verdict->proof.bits);
    if (is_constant(g, coefs))
        return verdict->evidence == EVIDENCE_IDENTITY
                   ? arena_printf(arena,
                                  "Y = %s leaves L unchanged, and no force or reaction acts along "
                                  "it; its coefficients are constant: an ordinary momentum.",
                                  text)
                   : arena_printf(arena,
                                  "At %zu random admissible states Y = %s left L unchanged and the "
                                  "reaction force did no work along it; its coefficients are "
                                  "constant: an ordinary momentum.",
                                  verdict->states, text);
    return arena_printf(arena,
                        "Y = %s is no combination of symmetries with constant coefficients, yet it "
                        "leaves L unchanged where the constraints hold, and the reaction force "
                        "does no work along it.",
                        text);
}

static Status report_found(const Gauge *g, const GaugeProblem *problem, double *coefs,
                           size_t *number, Value *list, Error *err)
{
    Expr *Y = ARENA_NEW(g->context->scratch, g->context->model->n, Expr);
    Judgement j = {0};
    Verdict verdict = {0};
    Status status = Y ? judge_coefs(g, problem, coefs, Y, &j, &verdict, err)
                      : arena_status(g->context->scratch, err);

    /* a field that fails at other states is dropped */
    if (status == OK && verdict.proof.likely == PREDICTED_YES) {
        const char *name = arena_printf(g->context->arena, "gauge_momentum_%zu", ++*number);
        Value *item = describe(g, Y, &j, name, list);
        value_add_text(g->context->arena, item, "combination", combination(g, coefs));
        value_add_bool(g->context->arena, item, "constant_coefficients", is_constant(g, coefs));
        status = finish(g, &verdict, &j, name, found_reason(g, coefs, &verdict), err);
    }
    return status;
}

static Status search(const Gauge *g, Error *err)
{
    Arena *arena = g->context->arena;
    const GaugeProblem problem = {
        .context = g->context, .generators = &g->generators, .ansatz = &g->ansatz};
    GaugeSolution solution;
    size_t number = 0;
    Value *list = value_add(arena, g->record, "found", VALUE_LIST);
    Status status = gauge_solve(&problem, g->context->scratch, &solution, err);

    for (size_t k = 0; status == OK && solution.decided && k < solution.n_momenta; k++) {
        double *coefs = solution.momenta[k];
        status = gauge_shorten(&problem, &solution, coefs, err);
        if (status == OK)
            status = report_found(g, &problem, coefs, &number, list, err);
    }
    /* the size of the problem and its result */
    if (status == OK) {
        value_add_count(arena, g->record, "unknowns", solution.n);
        value_add_count(arena, g->record, "states", solution.states);
        value_add_count(arena, g->record, "solutions", solution.dimension);
        value_add_count(arena, g->record, "without_momentum", solution.n_idle);
        if (solution.dimension && isfinite(solution.gap))
            value_add_number(arena, g->record, "gap", solution.gap);
        value_add_bool(arena, g->record, "decided", solution.decided);
    }
    return status;
}

/* Whether Y is a combination of the generators, wherever these have their rank. As equations for
 * its coefficients: do those of some coordinates imply the others, or contradict them? */
static Status judge_tangency(const Gauge *g, const Expr *Y, Predicted *ret, Error *err)
{
    const size_t n = g->context->model->n, k = g->generators.n, width = k + 1;
    const Trajectory *states = g->context->states;
    Arena *scratch = g->context->scratch;
    Expr *entries = ARENA_NEW(scratch, n * width, Expr);
    double *values = arena_doubles(scratch, states->n_states * n * width);
    Verdict verdict = {.predicted = PREDICTED_UNDECIDED};
    Status status = arena_status(scratch, err);

    *ret = PREDICTED_UNDECIDED;
    if (status != OK || states->n_states == 0)
        return status;
    /* Y is tangent if the rank of (fields | Y) is that of the fields alone */
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < k; a++)
            entries[i * width + a] = g->generators.fields[a].components[i];
        entries[i * width + k] = Y[i];
    }
    status = analysis_evaluate(g->context, entries, n * width, states, values, err);
    const Augmented equations = {
        .context = g->context, .rows = n, .columns = k, .entries = entries, .values = values};
    if (status == OK)
        status = augmented_refute(&equations, &verdict, err);
    if (status == OK && verdict.predicted == PREDICTED_UNDECIDED)
        status = augmented_confirm(&equations, &verdict, err);
    *ret = verdict.predicted;
    return status;
}

static const char *given_reason(const Gauge *g, const char *name, const Judgement *j,
                                Predicted tangent, const Verdict *verdict)
{
    Arena *arena = g->context->arena;
    const char *orbits = tangent == PREDICTED_YES ? "is tangent to the orbits of the symmetries"
                         : tangent == PREDICTED_NO
                             ? "is not tangent to the orbits of the symmetries"
                             : "may be tangent to the orbits or not";
    const char *leaves = j->leaves == PREDICTED_YES
                             ? "leaves L unchanged where the constraints hold"
                         : j->leaves == PREDICTED_NO ? "changes L on the constraints"
                                                     : "may change L or not";
    const char *works = j->annihilates == PREDICTED_YES ? "the reaction force does no work along it"
                        : j->annihilates == PREDICTED_NO
                            ? "the reaction force does work along it"
                            : "the reaction force may do work along it or not";
    /* a test of the whole rate: its parts may cancel although none vanishes */
    const char *so = verdict->predicted == PREDICTED_YES  ? "the momentum is conserved"
                     : verdict->predicted == PREDICTED_NO ? "the momentum is not conserved"
                                                          : "nothing is decided";

    return arena_printf(arena, "The field '%s' %s, %s, and %s: %s.", name, orbits, leaves, works,
                        so);
}

static Status report_given(const Gauge *g, const ModelField *field, Value *list, Error *err)
{
    Judgement j = {0};
    Verdict verdict = {0};
    Predicted tangent = PREDICTED_UNDECIDED;
    Status status = gauge_momenta_judge(g, field->components, &j, &verdict, err);

    if (status == OK)
        status = judge_tangency(g, field->components, &tangent, err);
    if (status != OK)
        return status;
    Value *item = describe(g, field->components, &j, field->name, list);
    value_add_text(g->context->arena, item, "tangent_to_orbits", predicted_name(tangent));
    return finish(g, &verdict, &j, field->name, given_reason(g, field->name, &j, tangent, &verdict),
                  err);
}

static Status judge_given(const Gauge *g, const Value *option, Error *err)
{
    const ModelField *fields;
    size_t n;
    Status status = generators_given(g->context, option, &fields, &n, err);
    Value *list = value_add(g->context->arena, g->record, "given", VALUE_LIST);

    for (size_t k = 0; status == OK && k < n; k++)
        status = report_given(g, &fields[k], list, err);
    return status;
}

static Status analyse(Gauge *g, const Value *options, Error *err)
{
    const AnalysisContext *context = g->context;
    const Value *fields = value_member(options, "fields");
    Diagnostics ignored;

    /* the search needs symmetries */
    diagnostics_init(&ignored, context->arena);
    Status status =
        generators_of_model(context->model, g->pool, context->arena, &g->generators, err);
    if (status == OK && g->generators.n == 0)
        value_add_text(context->arena, g->record, "note",
                       "The model names no symmetries, and L contains every coordinate.");
    if (status == OK && g->generators.n > 0) {
        status = gauge_ansatz_init(context->model, g->pool, options, g->generators.n, &g->ansatz,
                                   &ignored, err);
        if (status == OK) {
            describe_ansatz(g);
            status = search(g, err);
        }
    }
    if (status == OK && fields)
        status = judge_given(g, fields, err);
    ansatz_done(&g->ansatz);
    return status;
}

static Status gauge_momenta_run(const AnalysisContext *asked, const Value *options,
                                Findings *findings, Error *err)
{
    AnalysisContext context;
    Gauge g = {.context = &context,
               .pool = asked->pool,
               .findings = findings,
               .record =
                   value_add(findings->arena, findings->record, "gauge_momenta", VALUE_RECORD)};
    Status status = reaction_context(asked, &context, err);

    /* the motion of the job may be of another theory */
    if (status == OK && !context.trajectory && asked->trajectory)
        value_add_text(findings->arena, g.record, "note",
                       "These are momenta of Lagrange-d'Alembert; the motion of this job keeps its "
                       "multipliers and has others.");
    if (status == OK)
        status = analyse(&g, options, err);
    return status;
}

static const AnalysisOption OPTIONS[] = {
    {.name = "ansatz",
     .meaning = "functions of the coordinates, t and parameters; left out: those in the model, "
                "coordinates, sine and cosine of each angle"},
    {.name = "degree",
     .meaning = "products of at most this many of them, 0 to 6; left out: 2, or 1 if 2 makes too "
                "many unknowns"},
    {.name = "fields",
     .meaning = "fields {name: {coordinate: expression}} that are judged as well",
     .kind = OPTION_FIELDS},
    {.name = NULL}};

const Analysis analysis_gauge_momenta = {.name = "gauge_momenta",
                                         .meaning =
                                             "Which fields along the orbits of the symmetries give "
                                             "conserved momenta without being symmetries?",
                                         .options = OPTIONS,
                                         .check = gauge_ansatz_check,
                                         .run = gauge_momenta_run};
