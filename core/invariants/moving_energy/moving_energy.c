/* Moving energies J = E - p.zeta for a vector field zeta(q, t).
 *
 * Along any motion of M vdot + l = F + R, R = A^T lambda,
 *
 *     dJ/dt = (F + R).(v - zeta) - L_t - zeta^TQ(L) - p.zeta_t,
 *     zeta^TQ(L) = L_q.zeta + L_v.(zeta_q v).
 *
 * J is the energy in a frame that moves with zeta (B. Jovanovic, on time-dependent nonholonomic
 * systems, Prop. 3.3). The reactions do no work in it if the velocities zeta satisfy the
 * constraints, S zeta + s = 0; nor does L change there if zeta is a symmetry of it. For L
 * quadratic in the velocities J is the kinetic energy of v - zeta and a potential that contains
 * the centrifugal one. */
#include "core/invariants/moving_energy/moving_energy.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/invariants/observation.h"
#include "core/motion/chart/moving_frame.h"
#include "core/numeric/vectors.h"

/* The terms of the rate; then one for each constraint: R.(v - zeta) = -lambda_a (rest). */
enum { FORCE, TIME, LIFT, DRIFT, FIXED_TERMS };

typedef struct Moving {
    const AnalysisContext *context;
    Findings *findings;
    ExprPool *pool;
    Value *record; /* a list, an entry for each field */
    size_t n_terms;
    Expr *terms, *rest, *relative; /* n_terms; r; n: v - zeta */
    double *worst;                 /* n_terms */
    Expr *conserved;               /* n: the last field with a conserved energy; or EXPR_NONE */
} Moving;

static void rate_terms(Moving *m, const Expr *zeta)
{
    const Model *model = m->context->model;
    const size_t n = model->n;
    ExprPool *pool = m->pool;

    for (size_t i = 0; i < n; i++)
        m->relative[i] = expr_sub(pool, model->sym.v[i], zeta[i]);
    m->terms[FORCE] = expr_dot(pool, n, model->F, m->relative);
    m->terms[TIME] = expr_neg(pool, model->L_t);
    m->terms[LIFT] = expr_neg(pool, generator_lift(pool, model, zeta, model->L));
    m->terms[DRIFT] = expr_neg(pool, generator_drift(pool, model, zeta, model->p));
    moving_rest(pool, model, zeta, m->rest);
    for (size_t a = 0; a < model->r; a++)
        m->terms[FIXED_TERMS + a] =
            expr_neg(pool, expr_mul(pool, model->sym.lambda[a], m->rest[a]));
}

static const char *term_name(const Moving *m, size_t i)
{
    static const char *const NAMES[FIXED_TERMS] = {
        [FORCE] = "the forces",
        [TIME] = "the explicit dependence of L on time",
        [LIFT] = "the change of L along the field",
        [DRIFT] = "the field's dependence on time",
    };

    return i < FIXED_TERMS ? NAMES[i]
                           : arena_printf(m->context->arena, "the reaction of %s",
                                          m->context->model->constraints[i - FIXED_TERMS].name);
}

/* "the reaction of c1 (0.3), the forces (-0.1)" */
static const char *contributions(const Moving *m)
{
    Arena *arena = m->context->arena;
    const char *text = NULL;
    double largest = vector_largest(m->worst, m->n_terms);
    /* the reason does not name smaller terms */
    for (size_t i = 0; i < m->n_terms; i++)
        if (fabs(m->worst[i]) > ACCURACY_COMPUTED * largest)
            text = arena_printf(arena, "%s%s%s (%.3g)", text ? text : "", text ? ", " : "",
                                term_name(m, i), m->worst[i]);
    return text ? text : "less than rounding shows";
}

/* The parts that vanish structurally: the reactions' power, or all else. */
static const char *yes_reason(const Moving *m, const char *name, const Verdict *verdict)
{
    Arena *arena = m->context->arena;
    const bool still = exprs_are_zero(m->pool, m->terms, FIXED_TERMS);
    const bool idle = exprs_are_zero(m->pool, m->terms + FIXED_TERMS, m->n_terms - FIXED_TERMS);

    /* if both parts vanish as expressions, no states are needed */
    if (idle && still)
        return arena_printf(arena,
                            "In a frame that moves with '%s' %sL does not change with time and no "
                            "force does work, so that the energy there is conserved.",
                            name,
                            m->n_terms > FIXED_TERMS ? "the constraints are homogeneous, their "
                                                       "reactions do no work, "
                                                     : "");
    return arena_printf(arena,
                        "In a frame that moves with '%s' %s, and at %zu random admissible states "
                        "all powers there added up to zero.",
                        name,
                        idle    ? "the reactions do no work"
                        : still ? "L does not change with time and no force does work"
                                : "neither the reactions nor L are idle by themselves",
                        verdict->states);
}

static const char *moving_energy_reason(const Moving *m, const char *name, const Verdict *verdict)
{
    Arena *arena = m->context->arena;

    if (verdict->jump)
        return verdict_jump_reason(arena, verdict);
    if (verdict->predicted == PREDICTED_YES)
        return yes_reason(m, name, verdict);
    if (verdict->predicted == PREDICTED_NO)
        return arena_printf(arena,
                            "In a frame that moves with '%s' the energy changes: at a random "
                            "admissible state by %s.",
                            name, contributions(m));
    return verdict_open_reason(
        arena, arena_printf(arena, "The rate of E - p.zeta for '%s', relative to its terms,", name),
        verdict);
}

/* (v - zeta).M (v - zeta)/2, and J where that vanishes: the rest has no velocities. */
static Status split(const Moving *m, const Expr *zeta, Expr J, Value *record, Error *err)
{
    const Model *model = m->context->model;
    const size_t n = model->n;
    Arena *arena = m->context->arena;
    Expr parts[2] = {expr_const(m->pool, 0), EXPR_NONE};
    double values[2];

    for (size_t i = 0; i < n; i++)
        parts[0] = expr_add(
            m->pool, parts[0],
            expr_mul(m->pool, m->relative[i], expr_dot(m->pool, n, model->M + i * n, m->relative)));
    parts[0] = expr_scale(m->pool, 0.5, parts[0]);
    expr_substitute(m->pool, &J, 1, model->sym.v, zeta, n, &parts[1]);
    expr_expand(m->pool, &parts[1], 1, &parts[1]);
    value_add_text(arena, record, "kinetic", analysis_text(m->context, parts[0], NULL));
    value_add_text(arena, record, "potential", analysis_text(m->context, parts[1], NULL));
    /* their values at both ends of the motion, if there is one */
    const Trajectory *motion = m->context->trajectory;
    if (!motion || motion->n_states == 0)
        return OK;
    static const char *const ENDS[] = {"initial", "final"};
    for (size_t end = 0; end < 2; end++) {
        const size_t k = end ? motion->n_states - 1 : 0;
        const Trajectory one = analysis_state_at(model, motion, k);
        Status status = analysis_evaluate(m->context, parts, 2, &one, values, err);
        if (status != OK)
            return status;
        Value *at = value_add(arena, record, ENDS[end], VALUE_RECORD);
        value_add_number(arena, at, "kinetic", values[0]);
        value_add_number(arena, at, "potential", values[1]);
    }
    return OK;
}

/* v.L_v - L - p.zeta */
static Expr moving_energy(const Moving *m, const Expr *zeta)
{
    const Model *model = m->context->model;
    return expr_sub(m->pool, model->energy, expr_dot(m->pool, model->n, model->p, zeta));
}

static Status predict(Moving *m, const Expr *zeta, Verdict *verdict, Error *err)
{
    Expr scale =
        expr_add(m->pool, analysis_power_scale(m->context), generator_rate_scale(m->context, zeta));
    const TermSum rate = {m->terms, m->n_terms, scale, moving_energy(m, zeta), NULL};
    rate_terms(m, zeta);
    return verdict_predict(m->context, &rate, verdict, m->worst, err);
}

static Status take_field(Moving *m, const char *name, const char *origin, const Expr *zeta,
                         bool only_if_conserved, Error *err)
{
    const Model *model = m->context->model;
    Arena *arena = m->context->arena;
    Verdict draft = {.kind = "moving energy"};
    Status status = predict(m, zeta, &draft, err);

    /* of the search only a new conserved field counts */
    if (status != OK || (only_if_conserved && draft.predicted != PREDICTED_YES))
        return status;
    if (only_if_conserved && memcmp(m->conserved, zeta, model->n * sizeof *zeta) == 0)
        return OK; /* it is known already */
    if (draft.predicted == PREDICTED_YES)
        memcpy(m->conserved, zeta, model->n * sizeof *zeta);
    const Expr J = moving_energy(m, zeta);
    draft.name = arena_printf(arena, "energy - p.%s", name);
    draft.expression = analysis_text(m->context, J, "v.L_v - L - p.zeta");
    draft.reason = moving_energy_reason(m, name, &draft);
    if (!draft.name || !draft.reason)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    status = verdict_observe(m->context, J, &draft, err);
    *findings_add(m->findings) = draft;

    Value *record = value_add(arena, m->record, NULL, VALUE_RECORD);
    value_add_text(arena, record, "name", name);
    value_add_text(arena, record, "origin", origin);
    generator_describe(m->context, zeta, record, "field");
    if (status == OK && !analysis_has_velocities(model, m->pool, model->M, model->n * model->n))
        status = split(m, zeta, J, record, err);
    return status;
}

static Status take_given(Moving *m, const Value *option, Error *err)
{
    const ModelField *fields;
    size_t n;
    Status status = generators_given(m->context, option, &fields, &n, err);

    for (size_t k = 0; k < n && status == OK; k++)
        status = take_field(m, fields[k].name, "given", fields[k].components, false, err);
    return status;
}

/* The velocity of a chart, unless it is no function of the model's coordinates. */
static Status take_frame(Moving *m, Error *err)
{
    const AnalysisContext *c = m->context;
    const MotionOptions options = {.rows = c->rows, .n_rows = c->n_rows, .dependent = c->dependent};
    Chart chart;
    MovingFrame frame = {0};
    Status status = chart_init(&chart, m->pool, c->model, &options, EXPR_NONE, err);

    if (status == OK)
        status = moving_frame_init(&frame, &chart, err);
    if (status == OK && frame.affine && !exprs_are_zero(m->pool, frame.omega, c->model->n))
        status = take_field(m, "frame", "chart", frame.omega, false, err);
    moving_frame_done(&frame);
    chart_done(&chart);
    return status;
}

/* If the energy itself is conserved there is nothing to search for. */
static Status energy_is_conserved(Moving *m, bool *ret, Error *err)
{
    Expr *zero = exprs_zeros(m->pool, m->context->scratch, m->context->model->n);
    Predicted answer;
    if (!zero)
        return arena_status(m->context->scratch, err);

    rate_terms(m, zero);
    const TermSum rate = {
        .terms = m->terms, .n = m->n_terms, .scale = analysis_power_scale(m->context)};
    Status status = verdict_answer(m->context, &rate, &answer, err);
    *ret = answer == PREDICTED_YES;
    return status;
}

static Status take_search(Moving *m, Value *record, Error *err)
{
    const Model *model = m->context->model;
    Arena *arena = m->context->arena;
    const ModelField *fields = NULL;
    size_t n_fields = 0;
    Expr *zeta = ARENA_NEW(m->context->scratch, model->n, Expr);
    bool found = false, conserved = false;
    Status status = arena_status(m->context->scratch, err);

    /* search among the candidates, unless the energy is conserved */
    if (status == OK)
        status = energy_is_conserved(m, &conserved, err);
    if (status == OK && !conserved)
        status = moving_candidates(model, m->pool, arena, &fields, &n_fields, err);
    if (status == OK && !conserved)
        status = moving_search(m->context, fields, n_fields, zeta, &found, err);
    if (status == OK && found)
        status = take_field(m, "zeta", "search", zeta, true, err);
    Value *search = value_add(arena, record, "search", VALUE_RECORD);
    value_add_bool(arena, search, "energy_itself", conserved);
    value_add_bool(arena, search, "found", found);
    Value *among = value_add(arena, search, "among", VALUE_LIST);
    for (size_t k = 0; k < n_fields; k++)
        value_add_text(arena, among, NULL, fields[k].name);
    return status;
}

static Status moving_energy_run(const AnalysisContext *context, const Value *options,
                                Findings *findings, Error *err)
{
    const Model *model = context->model;
    const size_t n_terms = FIXED_TERMS + model->r;
    Value *record = value_new_record(context->arena);

    if (analysis_keeps_multipliers(context))
        return error_set(err, ERR_INVALID,
                         "moving energies are those of nonholonomic motions, not of vakonomic "
                         "ones");
    Moving m = {.context = context,
                .findings = findings,
                .record = value_add(context->arena, record, "fields", VALUE_LIST),
                .pool = context->pool,
                .n_terms = n_terms,
                .terms = ARENA_NEW(context->scratch, n_terms, Expr),
                .rest = ARENA_NEW(context->scratch, model->r, Expr),
                .relative = ARENA_NEW(context->scratch, model->n, Expr),
                .worst = arena_doubles(context->scratch, n_terms),
                .conserved = ARENA_NEW(context->scratch, model->n, Expr)};
    Status status = arena_status(context->scratch, err);
    /* fields that are given, that of the chart, and those of a search */
    if (status == OK)
        status = take_given(&m, value_member(options, "fields"), err);
    if (status == OK && model->given.chart.n == model->n)
        status = take_frame(&m, err);
    if (status == OK)
        status = take_search(&m, record, err);
    if (status == OK)
        record_publish(findings->arena, findings->record, "moving_energy", record);
    return status;
}

static const AnalysisOption OPTIONS[] = {
    {.name = "fields",
     .meaning = "fields {name: {coordinate: expression}} that are judged beside those found",
     .kind = OPTION_FIELDS},
    {.name = NULL}};

const Analysis analysis_moving_energy = {
    .name = "moving_energy",
    .meaning = "Is E - p.xi conserved, the energy as seen from a moving frame?",
    .options = OPTIONS,
    .run = moving_energy_run};
