/* R0 along the motion and elsewhere; whether the affine part and given fields lie in it. */
#include <stdint.h>
#include <string.h>

#include "core/invariants/generator.h"
#include "core/invariants/observation.h"
#include "core/invariants/proof.h"
#include "core/invariants/reaction_annihilator/annihilator.h"

/* Conventions. */
enum {
    ALONG = 64,    /* states of the motion with a rank */
    SHOWN = 9,     /* of them with a basis */
    ELSEWHERE = 8, /* random configurations */
};

/* The generic rank, to which the ranks of points are compared. */
typedef struct Ranks {
    const AnalysisContext *context;
    Expr *reaction;      /* n: R = A^T lambda */
    GenericRank generic; /* of the reactions over one configuration */
    size_t smallest;     /* rank of R0 at any of the points */
} Ranks;

static Status ranks_init(Ranks *r, const AnalysisContext *context, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;

    *r = (Ranks){
        .context = context, .reaction = ARENA_NEW(context->scratch, n, Expr), .smallest = n};
    if (!r->reaction)
        return arena_status(context->scratch, err);
    reaction_force(context->pool, model, r->reaction);
    /* its rank over one configuration, each copy at its own velocities */
    const RankQuestion question = {.entries = r->reaction,
                                   .rows = 1,
                                   .columns = n,
                                   .copies = context->n_rows,
                                   .states = context->states};
    return generic_rank_prove(context, &question, &r->generic, err);
}

/* Whether a ball at the configuration proves that the reactions have this rank there; no rank
 * exceeds the generic one. */
static Status prove_at(const Ranks *r, double t, const double *q, size_t rank, bool *ret,
                       Error *err)
{
    const AnalysisContext *c = r->context;
    const size_t n = c->model->n, count = c->n_rows, n_states = c->states->n_states;
    Arena scratch = {0};
    double *times = arena_doubles(&scratch, count), *places = arena_doubles(&scratch, count * n),
           *v = arena_doubles(&scratch, count * n), *zero = arena_doubles(&scratch, count * n),
           *lambda = arena_doubles(&scratch, count * c->model->r);
    size_t least = 0;
    Status status = arena_status(&scratch, err);

    /* copies of the configuration with admissible velocities of other states */
    *ret = false;
    for (size_t k = 0; status == OK && n_states && k < count; k++) {
        times[k] = t;
        memcpy(places + k * n, q, n * sizeof *q);
        memcpy(v + k * n, c->states->v + k % n_states * n, n * sizeof *v);
    }
    const Trajectory here = {
        .n_states = count, .t = times, .q = places, .v = v, .vdot = zero, .lambda = lambda};
    /* only the generic rank can be proved from below */
    const RankQuestion question = {
        .entries = r->reaction, .rows = 1, .columns = n, .copies = count, .states = &here};
    if (status == OK && rank == r->generic.most)
        status = generic_rank_least(c, &question, 0, rank, &least, err);
    *ret = status == OK && rank == r->generic.most && least == rank;
    arena_done(&scratch);
    return status;
}

static Status show(const Ranks *r, const Annihilator *a, double t, const double *q, bool with_q,
                   Value *list, Error *err)
{
    const AnalysisContext *context = r->context;
    const Model *model = context->model;
    const size_t n = model->n;
    bool proved = false;
    Status status = a->decided ? prove_at(r, t, q, n - a->rank, &proved, err) : OK;
    Arena *arena = context->arena;
    Value *item = value_add(arena, list, NULL, VALUE_RECORD);

    value_add_number(arena, item, "t", t);
    if (with_q) {
        Value *where = value_add(arena, item, "q", VALUE_RECORD);
        for (size_t i = 0; i < n; i++)
            value_add_number(arena, where, model->names.coordinates[i], q[i]);
    }
    /* the rank, and how well it is known */
    if (a->decided)
        value_add_count(arena, item, "rank", a->rank);
    else
        value_add_text(arena, item, "rank", NULL);
    value_add_text(arena, item, "proof",
                   proof_method_name(proved ? PROOF_INTERVAL : PROOF_SAMPLES));
    value_add_numbers(arena, item, "singular_values", a->singular, a->n_singular);
    if (!a->decided)
        return status;
    Value *basis = value_add(arena, item, "basis", VALUE_LIST);
    for (size_t k = 0; k < a->rank; k++)
        value_add_numbers(arena, basis, NULL, a->basis + k * n, n);
    return status;
}

static void show_change(const AnalysisContext *context, double from, double to, size_t before,
                        size_t after, Value *list)
{
    const double between[2] = {from, to};
    Value *item = value_add(context->arena, list, NULL, VALUE_RECORD);

    value_add_numbers(context->arena, item, "t", between, 2);
    value_add_count(context->arena, item, "from", before);
    value_add_count(context->arena, item, "to", after);
}

/* Lists every change of rank between consecutive states, and shows the state after it. */
static Status along_motion(Ranks *r, const Trajectory *motion, Value *points, Value *changes,
                           Error *err)
{
    const AnalysisContext *context = r->context;
    const size_t n = context->model->n, count = motion->n_states < ALONG ? motion->n_states : ALONG;
    const size_t every = count > SHOWN ? count / (SHOWN - 1) : 1;
    size_t rank = SIZE_MAX, last = 0;
    Status status = OK;

    for (size_t k = 0; k < count && status == OK; k++) {
        const size_t i = count > 1 ? k * (motion->n_states - 1) / (count - 1) : 0;
        Annihilator a;
        status = annihilator_init(&a, context, motion->t[i], motion->q + i * n, err);
        if (status == OK) {
            /* a change, or one of the states that are shown */
            bool changed = a.decided && rank != SIZE_MAX && a.rank != rank;
            if (changed)
                show_change(context, motion->t[last], motion->t[i], rank, a.rank, changes);
            if (k % every == 0 || changed)
                status = show(r, &a, motion->t[i], motion->q + i * n, false, points, err);
            if (a.decided) {
                rank = a.rank;
                last = i;
                r->smallest = rank < r->smallest ? rank : r->smallest;
            }
        }
        if (status == OK)
            status = analysis_poll(context, err);
    }
    return status;
}

/* At coordinates of random admissible states, unless reactions are not determined there. */
static Status elsewhere(Ranks *r, Value *points, Error *err)
{
    const AnalysisContext *context = r->context;
    const Trajectory *states = context->states;
    const size_t n = context->model->n, count = states->n_states;
    Status status = OK;

    /* each configuration is shown; one without reactions is skipped */
    for (size_t k = 0; k < count && k < ELSEWHERE && status == OK; k++) {
        Annihilator a;
        const double *q = states->q + k * n;
        status = annihilator_init(&a, context, states->t[k], q, err);
        if (status == OK) {
            status = show(r, &a, states->t[k], q, true, points, err);
            if (a.decided && a.rank < r->smallest)
                r->smallest = a.rank;
        } else if (status == ERR_NUMERIC) {
            status = OK;
        }
        if (status == OK)
            status = analysis_poll(context, err);
    }
    return status;
}

/* The points of the motion and others, then the generic rank. context: with the motion. */
static Status show_points(const AnalysisContext *context, Value *record, Error *err)
{
    Arena *arena = context->arena;
    const Trajectory start = {.n_states = 1, .t = &context->t0, .q = context->q0};
    const bool moves = context->trajectory && context->trajectory->n_states > 0;
    Ranks ranks;
    Value *points = value_add(arena, record, "points", VALUE_LIST);
    Value *others = value_add(arena, record, "random_configurations", VALUE_LIST);
    Value *changes = value_add(arena, record, "rank_changes", VALUE_LIST);

    /* the generic rank first: points are compared to it */
    Status status = ranks_init(&ranks, context, err);
    if (status == OK)
        status = along_motion(&ranks, moves ? context->trajectory : &start, points, changes, err);
    if (status == OK)
        status = elsewhere(&ranks, others, err);
    if (status != OK)
        return status;
    const bool proved = ranks.generic.least == ranks.generic.most;
    value_add_count(arena, record, "generic_rank",
                    proved ? context->model->n - ranks.generic.most : ranks.smallest);
    proof_describe(arena, record, &ranks.generic.proof);
    return OK;
}

static const char *affine_reason(const AnalysisContext *context, const Verdict *verdict)
{
    Arena *arena = context->arena;

    /* an identity comes first: it needs no states */
    if (verdict->evidence == EVIDENCE_IDENTITY)
        return "No constraint has an affine part, so that reactions do no work.";
    if (verdict->predicted == PREDICTED_YES)
        return arena_printf(arena,
                            "At %zu random admissible states the reaction force annihilated the "
                            "affine part of the constraints: the motion of the constraints does no "
                            "work on the system.",
                            verdict->states);
    if (verdict->predicted == PREDICTED_NO)
        return arena_printf(arena,
                            "At random admissible states the reaction force did work on the affine "
                            "part of the constraints (up to %.3g of the power that acts): the "
                            "motion of the constraints drives or brakes the system.",
                            verdict->largest);
    return arena_printf(
        arena,
        "The power of the reaction on the affine part of the constraints was at "
        "most %.3g of that which acts, at %zu random admissible states; no exact test decides: %s.",
        verdict->largest, verdict->states, proof_doubt(verdict));
}

/* R.xi = -lambda.s for any xi with S xi = -s. */
static Status judge_affine_part(const AnalysisContext *context, Findings *findings, Error *err)
{
    ExprPool *pool = context->pool;
    const Model *model = context->model;
    Expr *terms = ARENA_NEW(context->scratch, model->r, Expr);
    Expr *still = exprs_zeros(pool, context->scratch, model->n);
    Verdict *verdict = findings_add(findings);
    Status status = arena_status(context->scratch, err);

    /* s is the constraint at rest */
    for (size_t a = 0; status == OK && a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        Expr s = still[0];
        if (!c->homogeneous)
            expr_substitute(pool, &c->phi, 1, model->sym.v, still, model->n, &s);
        terms[a] = expr_neg(pool, expr_mul(pool, model->sym.lambda[a], s));
    }
    if (status == OK) {
        verdict->name = "affine_part";
        verdict->kind = "reaction_annihilator";
        verdict->expression = "R.xi, where S xi = -s";
        const TermSum power = {
            .terms = terms, .n = model->r, .scale = analysis_power_scale(context)};
        status = verdict_vanish(context, &power, verdict, NULL, err);
        verdict->reason = affine_reason(context, verdict);
    }
    return status;
}

static Status judge_field(const AnalysisContext *context, const ModelField *field, Value *list,
                          Error *err)
{
    const Model *model = context->model;
    Verdict verdict = {0};
    AnalysisContext of_power = *context;
    of_power.inquiry.concern = CONCERN_POWER;
    Expr *terms = ARENA_NEW(context->scratch, model->r, Expr);
    if (!terms)
        return arena_status(context->scratch, err);

    /* the field is inside if the reactions have no power along it */
    for (size_t a = 0; a < model->r; a++)
        terms[a] = reaction_along(context->pool, model, a, field->components);
    const TermSum power = {
        .terms = terms, .n = model->r, .scale = generator_rate_scale(context, field->components)};
    Status status = verdict_predict(&of_power, &power, &verdict, NULL, err);
    if (status == OK) {
        Value *item = value_add(context->arena, list, NULL, VALUE_RECORD);
        value_add_text(context->arena, item, "name", field->name);
        value_add_text(context->arena, item, "inside", predicted_name(verdict.predicted));
        value_add_number(context->arena, item, "largest", verdict.largest);
    }
    return status;
}

/* The model's symmetries, then the fields of the options. */
static Status judge_fields(const AnalysisContext *context, const Value *option, Value *record,
                           Error *err)
{
    const Model *model = context->model;
    Value *list = value_add(context->arena, record, "fields", VALUE_LIST);
    const ModelField *fields;
    size_t n_fields;
    Status status = generators_given(context, option, &fields, &n_fields, err);

    for (size_t k = 0; k < model->given.n_symmetries && status == OK; k++)
        status = judge_field(context, &model->given.symmetries[k], list, err);
    for (size_t k = 0; k < n_fields && status == OK; k++)
        status = judge_field(context, &fields[k], list, err);
    return status;
}

static Status annihilator_run(const AnalysisContext *asked, const Value *options,
                              Findings *findings, Error *err)
{
    const Model *model = asked->model;
    Value *record =
        value_add(findings->arena, findings->record, "reaction_annihilator", VALUE_RECORD);
    AnalysisContext context;

    if (model->r == 0 || !annihilator_defined(model)) {
        value_add(findings->arena, record, "points", VALUE_LIST);
        value_add_text(findings->arena, record, "note",
                       model->r == 0 ? "There are no constraints, hence no reactions."
                                     : "The distribution is defined for constraints that are "
                                       "linear or affine in the velocities; here one is not.");
        return OK;
    }
    Status status = reaction_context(asked, &context, err);
    /* points of the motion and random ones; then proofs about the distribution and fields */
    if (status == OK) {
        AnalysisContext moving = context;
        moving.trajectory = asked->trajectory;
        status = show_points(&moving, record, err);
    }
    if (status == OK)
        status = judge_affine_part(&context, findings, err);
    if (status == OK)
        status = judge_fields(&context, value_member(options, "fields"), record, err);
    return status;
}

static const AnalysisOption OPTIONS[] = {
    {.name = "fields",
     .meaning = "fields {name: {coordinate: expression}} of which it is asked whether reactions "
                "work along them",
     .kind = OPTION_FIELDS},
    {.name = NULL}};

const Analysis analysis_reaction_annihilator = {
    .name = "reaction_annihilator",
    .meaning =
        "The directions along which no reaction works: rank, basis, given fields, changes of rank.",
    .options = OPTIONS,
    .run = annihilator_run};
