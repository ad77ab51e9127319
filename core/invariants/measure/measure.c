/* Preserved measures: does the motion keep a volume of states?
 *
 * On the state space of the constraints, with q and the velocities u of the base coordinates
 * (core/invariants/measure/density.h), the flow keeps N dq du exactly when D/Dt ln N + div
 * = 0. Two volumes are natural: dq du, and dq dp with p = dLc/du, dp = det G du. They answer
 * differently (M. Crampin, T. Mestdag: for their class of section 7.1 the density is N in (q, p)
 * and 1/N in (q, u)). */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/text.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/interval/range.h"
#include "core/invariants/generator.h"
#include "core/invariants/measure/density.h"

/* Characters of a divergence in the record, and of a density within a sentence. Conventions. */
enum { DIVERGENCE_LENGTH = 300, QUOTED_LENGTH = 80 };

typedef struct Measure {
    const AnalysisContext *context;
    Findings *findings;
    Distribution d;
    ReducedField field;
    Density density;
    Verdict qv, qp;
    bool single_valued;                /* the formula repeats with the periods of the coordinates */
    bool finite;                       /* and is nowhere infinite */
    const char *volume_qv, *volume_qp; /* "dx dy dz d(dot(x)) d(dot(y))", .. */
} Measure;

/* The coordinates, or those of a chart, then the velocity or momentum of each base coordinate. */
static const char *volume_text(const Measure *m, bool momenta)
{
    const char *const *names = m->context->model->names.coordinates;
    const bool chart = m->d.n_holonomic == m->d.r;
    Arena *arena = m->findings->arena;
    Text text = TEXT_INIT;

    for (size_t i = 0; i < m->d.n; i++)
        if (!chart || sizes_contain(m->d.dependent.base, m->d.m, i))
            text_printf(&text, "%sd%s", text_string(&text)[0] ? " " : "", names[i]);
    for (size_t i = 0; i < m->d.m; i++)
        text_printf(&text, "%s%s%s", momenta ? " dp(" : " d(dot(", names[m->d.dependent.base[i]],
                    momenta ? ")" : "))");
    const char *result = text_keep(&text, arena);
    return result ? result : "dq du";
}

/* Constant densities: the rate of the volume's logarithm. */
static Status judge_volumes(Measure *m, Error *err)
{
    const ReducedField *field = &m->field;
    ExprPool *pool = m->d.pool;
    Expr *terms = ARENA_NEW(m->context->scratch, field->n_terms + 1, Expr);
    Expr scale = expr_const(pool, analysis_frequency(m->context));
    if (!terms)
        return arena_status(m->context->scratch, err);

    memcpy(terms, field->div, field->n_terms * sizeof *terms);
    const TermSum qv = {.terms = terms, .n = field->n_terms, .scale = scale},
                  qp = {.terms = terms, .n = field->n_terms + 1, .scale = scale};
    Status status = verdict_predict(m->context, &qv, &m->qv, NULL, err);
    terms[field->n_terms] = field->log_det_rate;
    if (status == OK)
        status = verdict_predict(m->context, &qp, &m->qp, NULL, err);
    return status;
}

/* Constraints ydot_a = -Delta_a(x1) xdot2 and a constant diagonal mass matrix: the class of
 * section 7.1, whose density is G_22^(-1/2) in (q, p). *ret: the coordinate x2 among the base. */
static bool in_class(const Measure *m, size_t *ret)
{
    const Dependent *dep = &m->d.dependent;
    const Model *model = m->context->model;
    ExprPool *pool = m->d.pool;
    bool found = false;

    if (m->d.m != 2 || m->d.r == 0 || m->d.n_holonomic || !dep->affine)
        return false;
    /* M is diagonal, and its entries have neither q, v nor t */
    for (size_t i = 0; i < model->n; i++)
        for (size_t j = 0; j < model->n; j++) {
            const Expr entry = model->M[i * model->n + j];
            bool moves = true;
            if (model_moves(model, pool, entry, &moves, NULL) != OK || moves ||
                (i != j && !expr_vanishes(pool, entry)))
                return false;
        }
    /* Delta depends on x1 alone, and xdot1 does not occur: either base coordinate may be x1 */
    for (size_t second = 0; second < 2 && !found; second++) {
        const Expr first_q = model->sym.q[dep->base[1 - second]];
        bool fits = true;
        for (size_t k = 0; k < m->d.r && fits; k++) {
            Expr delta = dep->C_i[k * 2 + second];
            fits = expr_vanishes(pool, dep->C_i[k * 2 + 1 - second]) &&
                   expr_vanishes(pool, dep->C_0[k]) &&
                   expr_vanishes(pool, expr_diff(pool, delta, model->sym.t));
            for (size_t i = 0; i < model->n && fits; i++)
                fits = expr_same(model->sym.q[i], first_q) ||
                       expr_vanishes(pool, expr_diff(pool, delta, model->sym.q[i]));
        }
        if (fits)
            *ret = second;
        found = fits;
    }
    return found;
}

static const char *volume_reason(const Measure *m, const Verdict *verdict, const char *of)
{
    Arena *arena = m->findings->arena;

    if (verdict->predicted == PREDICTED_YES)
        return arena_printf(
            arena, "The flow neither compresses nor expands %s: its divergence vanishes%s.", of,
            verdict->evidence == EVIDENCE_IDENTITY ? " identically"
                                                   : " at all random admissible states");
    if (verdict->predicted == PREDICTED_NO)
        return arena_printf(arena,
                            "At random admissible states the flow compresses or expands %s: a "
                            "constant density is not preserved.",
                            of);
    if (verdict->jump)
        return verdict_jump_reason(arena, verdict);
    return "The divergence was neither clearly zero nor clearly different from it at enough random "
           "admissible states.";
}

static void add_volume(const Measure *m, const Verdict *judged, const char *name, const char *of)
{
    Verdict *verdict = findings_add(m->findings);

    *verdict = *judged;
    verdict->name = name;
    verdict->kind = "measure";
    verdict->expression = of;
    verdict->reason = volume_reason(m, judged, of);
}

static const char *contradiction(const Measure *m)
{
    const Density *density = &m->density;
    bool drifts = !density->autonomous;

    for (size_t k = 0; k < m->d.r; k++)
        drifts = drifts || !expr_is_zero(m->d.pool, m->d.dependent.C_0[k]);
    if (!drifts && !expr_is_zero(m->d.pool, density->theta[m->d.m]))
        return "The flow compresses or expands states already where the velocities are zero, which "
               "no density that depends on the configuration alone can balance.";
    return arena_printf(m->findings->arena,
                        "Around a small circuit of allowed motions the density would have to "
                        "change although it leads back (the brackets of the fields contradict one "
                        "another): no density that depends on the configuration%s is preserved.",
                        density->autonomous ? " alone" : " and time alone");
}

static const char *density_reason(const Measure *m, const char *formula)
{
    const Density *density = &m->density;
    Arena *arena = m->findings->arena;

    /* not examined, constant, no, yes with a formula, yes without, unknown */
    if (!m->d.dependent.affine)
        return "The constraints are not affine in the velocities: whether another than a constant "
               "density is preserved was not asked.";
    if (m->qv.predicted == PREDICTED_YES)
        return arena_printf(arena,
                            "The density is constant: the flow preserves the volume %s itself.",
                            m->volume_qv);
    if (density->exists.predicted == PREDICTED_NO)
        return contradiction(m);
    if (density->exists.predicted == PREDICTED_YES && formula)
        return arena_printf(arena,
                            "The flow expands states just as %s decreases along it, so that %s "
                            "times this is preserved%s.",
                            strlen(formula) <= QUOTED_LENGTH ? formula : "this density",
                            m->volume_qv,
                            !m->single_valued ? " locally; it does not return to its value after a "
                                                "period of the coordinates, so that it is no "
                                                "density on the whole of the configuration space"
                            : !m->finite      ? " locally; it is infinite where a denominator "
                                                "vanishes, so that it is no density on the whole "
                                                "of the configuration space"
                                              : "");
    if (density->exists.predicted == PREDICTED_YES)
        return "The brackets of the fields agree on how the density must change, so that one "
               "exists near every state, but no formula for it was found in the ansatz.";
    return "Neither a formula was found in the ansatz, nor a contradiction between brackets that "
           "would exclude a density.";
}

static const char *density_text(const Measure *m, Expr N)
{
    return expr_is_none(N) ? NULL : analysis_text(m->context, N, "a formula too long to print");
}

static void add_density(const Measure *m, const char *formula)
{
    Verdict *verdict = findings_add(m->findings);

    *verdict = m->density.exists;
    verdict->name = "preserved density";
    verdict->kind = "measure";
    verdict->expression = formula;
    verdict->evidence =
        verdict->predicted == PREDICTED_NO ? EVIDENCE_COUNTEREXAMPLE : EVIDENCE_RANDOM_STATES;
    verdict->reason = density_reason(m, formula);
}

static void add_volume_record(Arena *arena, Value *record, const char *name, const char *volume,
                              const Verdict *constant, const char *density)
{
    Value *item = value_add(arena, record, name, VALUE_RECORD);

    value_add_text(arena, item, "volume", volume);
    predicted_describe(arena, item, "constant", constant->predicted);
    value_add_text(arena, item, "density", density);
}

static void add_record(const Measure *m, const char *qv, const char *qp)
{
    Arena *arena = m->findings->arena;
    Value *record = value_add(arena, m->findings->record, "measure", VALUE_RECORD);
    Expr div = expr_sum(m->d.pool, m->field.n_terms, NULL, m->field.div);
    size_t second;

    const char *text = analysis_text(m->context, div, NULL);
    if (text && strlen(text) <= DIVERGENCE_LENGTH && !strstr(text, "solve("))
        value_add_text(arena, record, "divergence", text);
    add_volume_record(arena, record, "qv", m->volume_qv, &m->qv, qv);
    add_volume_record(arena, record, "qp", m->volume_qp, &m->qp, qp);
    /* the density, and its closed form if there is one */
    predicted_describe(arena, record, "exists", m->density.exists.predicted);
    if (qv)
        value_add_bool(arena, record, "single_valued", m->single_valued && m->finite);
    if (in_class(m, &second)) {
        Expr G = m->field.G[second * 2 + second], root = expr_call(m->d.pool, EXPR_SQRT, &G, 1);
        value_add_text(arena, record, "closed_form",
                       density_text(m, expr_div(m->d.pool, expr_const(m->d.pool, 1), root)));
    }
}

/* Whether an enclosure of an expression below a fraction bar contains 0. */
static Status divides_by_zero(const Measure *m, Expr below, bool *ret, Error *err)
{
    const Model *model = m->context->model;
    const Interval all = {-INFINITY, INFINITY}, fixed = {0, 0};
    RangeEval *eval = NULL;
    Range *symbols = ARENA_NEW(m->context->scratch, model->sym.first_free, Range);
    Status status = symbols
                        ? range_eval_new(m->d.pool, &below, 1, model->sym.first_free, &eval, err)
                        : arena_status(m->context->scratch, err);

    /* any coordinates, the parameters of this run */
    for (size_t k = 0; status == OK && k < model->sym.first_free; k++)
        symbols[k] = (Range){.value = all, .rate = fixed, .whole = true};
    for (size_t j = 0; status == OK && j < model->n_params; j++) {
        const double value = m->context->params[j];
        symbols[expr_node(model->pool, model->sym.params[j]).symbol].value =
            (Interval){value, value};
    }
    if (status == OK) {
        Range range;
        range_eval(eval, symbols, &range);
        *ret = *ret || !range.whole || (range.value.low <= 0 && range.value.high >= 0);
    }
    range_eval_free(eval);
    return status;
}

/* A density must be finite everywhere: looks for poles of the formula. */
static Status find_poles(Measure *m, Error *err)
{
    const Expr N = m->density.qv;
    bool *reached = ARENA_NEW(m->context->scratch, (size_t)N.id + 1, bool), infinite = false;
    Status status = arena_status(m->context->scratch, err);

    /* walk down from the formula, from nodes to their operands */
    if (status == OK)
        reached[N.id] = true;
    for (uint32_t id = N.id; status == OK && id > 0; id--) {
        if (!reached[id])
            continue;
        const ExprNode node = expr_node(m->d.pool, (Expr){id});
        /* functions with a pole */
        infinite = infinite || node.op == EXPR_TAN || node.op == EXPR_LOG ||
                   node.op == EXPR_LOG10 || node.op == EXPR_ATANH;
        /* each factor below a fraction bar */
        for (uint32_t k = 0; status == OK && k < node.n; k++) {
            reached[node.args[k].id] = true;
            if (node.op == EXPR_PRODUCT ? node.coefs[k] < 0 : node.op == EXPR_POW && k == 0)
                status = divides_by_zero(m, node.args[k], &infinite, err);
        }
    }
    m->finite = !infinite;
    return status;
}

/* Whether the formula takes the same value a period of each coordinate later, at all states. */
static Status compare_periods(Measure *m, Error *err)
{
    const Model *model = m->context->model;
    const size_t n = model->n, count = m->context->states->n_states;
    ExprPool *pool = m->d.pool;
    Expr *exprs = ARENA_NEW(m->context->scratch, n + 1, Expr);
    double *values = arena_doubles(m->context->scratch, count * (n + 1));
    Status status = arena_status(m->context->scratch, err);

    m->single_valued = true;
    /* the formula with one coordinate shifted, for each coordinate */
    if (status == OK) {
        for (size_t i = 0; i < n; i++) {
            Expr later = expr_add(pool, model->sym.q[i], expr_const(pool, model->kinds.periods[i]));
            expr_substitute(pool, &m->density.qv, 1, &model->sym.q[i], &later, 1, &exprs[i]);
        }
        exprs[n] = m->density.qv;
        status = analysis_evaluate(m->context, exprs, n + 1, m->context->states, values, err);
    }
    for (size_t s = 0; status == OK && s < count; s++)
        for (size_t i = 0; i < n; i++) {
            const double *row = values + s * (n + 1);
            if (fabs(row[i] - row[n]) > ACCURACY_COMPARED * fabs(row[n]))
                m->single_valued = false;
        }
    return status;
}

static Status find_density(Measure *m, Error *err)
{
    Density *density = &m->density;
    Status status = density_init(density, &m->field, err);

    if (status == OK && density->affine)
        status = density_decide(density, err);
    if (status == OK && density->affine && density->exists.predicted != PREDICTED_NO)
        status = density_search(density, err);
    if (status == OK && density->found)
        status = compare_periods(m, err);
    if (status == OK && density->found)
        status = find_poles(m, err);
    return status;
}

static Status measure(Measure *m, Error *err)
{
    ExprPool *pool = m->d.pool;
    Status status = reduced_field_init(&m->field, &m->d, err);

    m->single_valued = m->finite = true;
    if (status == OK)
        status = judge_volumes(m, err);
    if (status == OK && m->d.dependent.affine)
        status = find_density(m, err);
    if (status != OK)
        return status;
    m->volume_qv = volume_text(m, false);
    m->volume_qp = volume_text(m, true);
    if (m->qp.predicted == PREDICTED_YES && expr_is_none(m->density.qp))
        m->density.qp = expr_const(pool, 1);
    if (m->qv.predicted == PREDICTED_YES && expr_is_none(m->density.qv))
        m->density.qv = expr_const(pool, 1);
    /* a volume that is preserved has a density */
    if (m->qv.predicted == PREDICTED_YES)
        density_take(&m->density, &m->qv);
    else if (m->qp.predicted == PREDICTED_YES && m->density.exists.predicted != PREDICTED_YES)
        density_take(&m->density, &m->qp);
    const char *qv = density_text(m, m->density.qv);
    if (!qv && m->qp.predicted == PREDICTED_YES)
        qv = "det G";
    const char *qp = density_text(m, m->density.qp);
    add_volume(m, &m->qv, "volume in (q, v)", m->volume_qv);
    add_volume(m, &m->qp, "volume in (q, p)", m->volume_qp);
    add_density(m, qv);
    add_record(m, qv, qp);
    return OK;
}

static Status measure_run(const AnalysisContext *context, const Value *options, Findings *findings,
                          Error *err)
{
    AnalysisContext of_volume = *context;
    Measure m = {.context = &of_volume, .findings = findings};

    (void)options;
    of_volume.inquiry.concern = CONCERN_VOLUME;
    if (analysis_keeps_multipliers(context))
        return error_set(err, ERR_INVALID,
                         "the measure of motions that keep their multipliers is that of a "
                         "Hamiltonian system in more variables; ask it of another formulation");
    if (context->n_rows == context->model->n)
        return error_set(err, ERR_INVALID, "the constraints leave no freedom");
    Status status = distribution_init(&m.d, &of_volume, NULL, err);
    /* the divergence is an expression and needs formulas for these velocities */
    if (status == OK && m.d.dependent.implicit)
        status = error_set(err, ERR_INVALID,
                           "the constraints cannot be solved for the dependent velocities one at a "
                           "time: there is no closed form of the reduced motion");
    if (status == OK)
        status = measure(&m, err);
    distribution_done(&m.d);
    return status;
}

const Analysis analysis_measure = {.name = "measure",
                                   .meaning =
                                       "Does the flow preserve a volume, with which density?",
                                   .run = measure_run};
