/* Verdicts by samples and proofs.
 *
 * Samples in floating point show where to look: a state at which the sum is large is a
 * counterexample once a ball around it proves that the sum is no rounding. If nothing is large
 * at the samples, prime fields are tried first. If they find no identity, states far from the
 * motion, and behind the corners of the terms, are tried as well: a force that acts only there
 * breaks a law all the same. */
#include <math.h>
#include <string.h>

#include "core/invariants/generator.h"
#include "core/invariants/jumps.h"
#include "core/invariants/proof.h"
#include "core/invariants/recall.h"

/* States of the samples, beside the largest, that exact tests examine; and draws behind corners.
 * Conventions. */
enum { TRIES = 4, BEYOND_DRAWS = 128 };
/* Numbers of a state that a reason lists; a larger state is not described. Convention. */
enum { MAX_LISTED = 7 };

typedef struct Prediction {
    const AnalysisContext *context;
    const TermSum *sum;
    Verdict *verdict;
    double *worst; /* by term: at the state of `largest`, or of the proof */
    Arena *scratch;
    MotionEquations equations;
    double *values; /* [n_states][terms + 1], the last of a row the scale */
    size_t state;   /* of `largest` */
} Prediction;

static Status evaluate(const Prediction *p, const Trajectory *states, double *ret, Error *err)
{
    Expr *all = ARENA_NEW(p->scratch, p->sum->n + 1, Expr);
    if (!all)
        return arena_status(p->scratch, err);
    memcpy(all, p->sum->terms, p->sum->n * sizeof *all);
    all[p->sum->n] = expr_is_none(p->sum->scale) ? expr_const(p->context->pool, 0) : p->sum->scale;
    return analysis_evaluate(p->context, all, p->sum->n + 1, states, ret, err);
}

static double relative(const Prediction *p, const double *row)
{
    double rate = 0, size = fabs(row[p->sum->n]);

    for (size_t i = 0; i < p->sum->n; i++) {
        rate += row[i];
        size += fabs(row[i]);
    }
    return rate == 0 ? 0 : fabs(rate) / size;
}

static void sample(Prediction *p)
{
    const size_t n_states = p->context->states->n_states;
    Tally tally = {0};

    for (size_t k = 0; k < n_states; k++) {
        const double before = tally.largest;
        tally_add(&tally, relative(p, p->values + k * (p->sum->n + 1)));
        if (tally.largest > before)
            p->state = k;
    }
    p->verdict->states = tally.states;
    p->verdict->largest = tally.largest;
    p->verdict->proof.likely = tally_predict(&tally);
    if (tally.largest > 0)
        memcpy(p->worst, p->values + p->state * (p->sum->n + 1), p->sum->n * sizeof *p->worst);
}

static void take_row(Prediction *p, const double *row)
{
    memcpy(p->worst, row, p->sum->n * sizeof *row);
    if (isfinite(relative(p, row)))
        p->verdict->largest = fmax(p->verdict->largest, relative(p, row));
}

/* Takes the terms at the state of the proof, and their size. */
static Status take_terms(Prediction *p, const Trajectory *states, size_t k, Error *err)
{
    const Trajectory one = analysis_state_at(p->context->model, states, k);
    if (states == p->context->states) {
        take_row(p, p->values + k * (p->sum->n + 1)); /* sampled before */
        return OK;
    }
    double *row = arena_doubles(p->scratch, p->sum->n + 1);
    Status status = arena_status(p->scratch, err);

    if (status == OK)
        status = evaluate(p, &one, row, err);
    if (status == OK)
        take_row(p, row);
    return status;
}

/* Describes a state far from the motion, if that takes few numbers. */
static void describe_state(Prediction *p, const Trajectory *states, size_t k)
{
    const Model *m = p->context->model;
    Arena *arena = p->context->arena;
    const char *text = arena_printf(arena, "t = %.9g", states->t[k]);

    if (states == p->context->states || 1 + 2 * m->n > MAX_LISTED)
        return;
    for (size_t i = 0; text && i < m->n; i++)
        text = arena_printf(arena, "%s, %s = %.9g", text, m->names.coordinates[i],
                            states->q[k * m->n + i]);
    for (size_t i = 0; text && i < m->n; i++)
        text = arena_printf(arena, "%s, dot(%s) = %.9g", text, m->names.coordinates[i],
                            states->v[k * m->n + i]);
    p->verdict->where = text;
}

/* Whether a ball at state k proves that the sum is not zero there; if so, takes state and terms. */
static Status refute_by(Prediction *p, const Trajectory *states, size_t k, bool *ret, Error *err)
{
    ExactResult result;
    Status status =
        motion_difference(&p->equations, p->sum->terms, p->sum->n, states, k, &result, err);

    *ret = status == OK && result.answer == EXACT_NONZERO;
    if (!*ret)
        return status;
    p->verdict->predicted = PREDICTED_NO;
    p->verdict->evidence = EVIDENCE_COUNTEREXAMPLE;
    p->verdict->proof.method = PROOF_INTERVAL;
    p->verdict->proof.bits = result.bits;
    describe_state(p, states, k);
    return take_terms(p, states, k, err);
}

/* Tests the state at which the samples are largest, then the first ones. */
static Status refute(Prediction *p, bool *ret, Error *err)
{
    const Trajectory *states = p->context->states;
    Status status = OK;

    *ret = false;
    if (states->n_states > 0)
        status = refute_by(p, states, p->state, ret, err);
    for (size_t k = 0; status == OK && !*ret && k < TRIES && k < states->n_states; k++)
        if (k != p->state)
            status = refute_by(p, states, k, ret, err);
    return status;
}

/* Tests states around those of the motion, farther and farther from it. */
static Status refute_far(Prediction *p, bool *ret, Error *err)
{
    /* widths of the ranges over that of the motion; conventions */
    static const double FARTHER[] = {10, 100, 1e4};
    const StateRange *range = &p->context->range;
    const size_t n = p->context->model->n;
    double *width = arena_doubles(p->scratch, n), *speed = arena_doubles(p->scratch, n);
    Status status = arena_status(p->scratch, err);

    *ret = false;
    for (size_t k = 0; status == OK && !*ret && k < sizeof FARTHER / sizeof *FARTHER; k++) {
        AnalysisContext far = *p->context;
        for (size_t i = 0; i < n; i++) {
            width[i] = FARTHER[k] * range->width[i];
            speed[i] = FARTHER[k] * range->speed[i];
        }
        far.arena = p->scratch;
        far.range.width = width;
        far.range.speed = speed;
        far.range.t_to = range->t_from + FARTHER[k] * analysis_time(p->context);
        status = analysis_make_states(&far, 2 * (size_t)TRIES, 77 + k, err);
        for (size_t i = 0; status == OK && !*ret && i < far.states->n_states; i++) {
            status = refute_by(p, far.states, i, ret, err);
        }
    }
    return status;
}

/* Tests those states at which the terms do not vanish in doubles. */
static Status refute_seen(Prediction *p, const Trajectory *states, bool *ret, Error *err)
{
    double *values = arena_doubles(p->scratch, states->n_states * (p->sum->n + 1));
    Status status = arena_status(p->scratch, err);

    if (status == OK)
        status = evaluate(p, states, values, err);
    for (size_t k = 0; status == OK && !*ret && k < states->n_states; k++)
        if (relative(p, values + k * (p->sum->n + 1)) > 0)
            status = refute_by(p, states, k, ret, err);
    return status;
}

static Status refute_beyond(Prediction *p, bool *ret, Error *err)
{
    Beyond beyond;
    Status status = beyond_init(&beyond, p->context, p->sum->terms, p->sum->n, p->scratch, err);

    for (size_t k = 0; status == OK && beyond.any && !*ret && k < BEYOND_DRAWS; k++) {
        const Trajectory *states;
        status = beyond_draw(&beyond, k, p->scratch, &states, err);
        if (status == OK)
            status = refute_seen(p, states, ret, err);
    }
    return status;
}

/* Whether it is an identity; *ret_differs: prime fields say that it is none. */
static Status confirm(Prediction *p, bool *ret, bool *ret_differs, Error *err)
{
    ExactResult result;
    Proof *proof = &p->verdict->proof;
    Status status = motion_identity(&p->equations, p->sum->terms, p->sum->n, &result, err);
    if (status != OK)
        return status;

    /* zero in the fields is a yes, up to the chance of an accident */
    *ret = result.answer == EXACT_ZERO;
    *ret_differs = result.answer == EXACT_NONZERO;
    if (*ret) {
        const Predicted likely = proof->likely;
        p->verdict->predicted = PREDICTED_YES;
        *proof = proof_of(&result);
        proof->likely = likely;
    }
    proof->doubt = result.why ? result.why : "it may hide an identity that is not known here";
    return OK;
}

static Status decide(Prediction *p, Error *err)
{
    bool decided = false, differs = false;
    Status status = OK;

    /* samples that look like a no are tested first, because that is quick */
    p->verdict->predicted = PREDICTED_UNDECIDED;
    p->verdict->evidence = EVIDENCE_RANDOM_STATES;
    if (p->verdict->proof.likely == PREDICTED_NO)
        status = refute(p, &decided, err);
    /* otherwise prime fields, then counterexamples farther and farther away */
    if (status == OK && !decided)
        status = confirm(p, &decided, &differs, err);
    if (status == OK && !decided && p->verdict->proof.likely != PREDICTED_NO)
        status = refute(p, &decided, err);
    if (status == OK && !decided && differs)
        status = refute_far(p, &decided, err);
    if (status == OK && !decided && differs)
        status = refute_beyond(p, &decided, err);
    return status;
}

/* Whether a step (of sign or of a comparison) moves with the values of the parameters. */
static Status steps_move(const Prediction *p, bool *ret, Error *err)
{
    const ExprPool *pool = p->context->pool;
    const Model *model = p->context->model;
    const uint32_t size = expr_pool_size(pool);
    bool *depends = ARENA_NEW(p->scratch, size + 1, bool); /* on a parameter */
    Status status = arena_status(p->scratch, err);

    *ret = false;
    /* upwards: the nodes that depend on a parameter */
    for (uint32_t id = 1; status == OK && id <= size && !*ret; id++) {
        const ExprNode node = expr_node(pool, (Expr){id});
        const bool step = node.op == EXPR_SIGN || (node.op >= EXPR_LT && node.op <= EXPR_IF);
        for (size_t i = 0; node.op == EXPR_SYMBOL && i < model->n_params; i++)
            depends[id] = depends[id] || model->sym.params[i].id == id;
        for (uint32_t k = 0; k < node.n; k++)
            depends[id] = depends[id] || depends[node.args[k].id];
        *ret = step && depends[id];
    }
    return status;
}

/* An identity with parameters as symbols holds for all values at which the constraints are
 * independent. Near a regular point of the equations with these values are points of those with
 * others, and the sum vanishes in the limit, unless something jumps. */
static Status decide_for_any_values(Prediction *p, Error *err)
{
    bool moves, decided, differs;
    Status status = steps_move(p, &moves, err);

    p->verdict->predicted = PREDICTED_UNDECIDED;
    p->verdict->evidence = EVIDENCE_RANDOM_STATES;
    p->verdict->proof.likely = PREDICTED_UNDECIDED;
    return status == OK && !moves ? confirm(p, &decided, &differs, err) : status;
}

static Status predict(Prediction *p, Error *err)
{
    Status status = motion_equations_init(&p->equations, p->context, p->scratch, err);

    if (status == OK && p->context->inquiry.any_values)
        return decide_for_any_values(p, err);
    if (status == OK)
        status = evaluate(p, p->context->states, p->values, err);
    if (status != OK)
        return status;
    sample(p);
    return decide(p, err);
}

Status verdict_predict(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                       double *ret_worst, Error *err)
{
    Arena scratch = {0};
    Prediction p = {.context = context,
                    .sum = sum,
                    .verdict = verdict,
                    .worst = ret_worst ? ret_worst : arena_doubles(&scratch, sum->n),
                    .values = arena_doubles(&scratch, context->states->n_states * (sum->n + 1)),
                    .scratch = &scratch};
    const bool identity =
        !expr_pool_rounded(context->pool) && exprs_are_zero(context->pool, sum->terms, sum->n);
    Status status = arena_status(&scratch, err);

    verdict->states = 0;
    verdict->largest = 0;
    verdict->jump = verdict->where = NULL;
    verdict->proof = (Proof){.method = PROOF_SAMPLES};
    if (status == OK && ret_worst)
        memset(ret_worst, 0, sum->n * sizeof *ret_worst);
    /* zero as it is written, or to be sampled and put to the exact tests */
    if (status == OK && identity) {
        verdict->predicted = verdict->proof.likely = PREDICTED_YES;
        verdict->evidence = EVIDENCE_IDENTITY;
    } else if (status == OK) {
        status = predict(&p, err);
    }
    if (status == OK && verdict->predicted == PREDICTED_YES)
        status = jumps_settle(context, sum, verdict, err);
    if (status == OK && context->inquiry.open && verdict->predicted == PREDICTED_UNDECIDED)
        *context->inquiry.open = true;
    arena_done(&scratch);
    return status;
}

Status verdict_answer(const AnalysisContext *context, const TermSum *sum, Predicted *ret,
                      Error *err)
{
    Verdict verdict = {0};
    Status status = verdict_predict(context, sum, &verdict, NULL, err);
    *ret = verdict.predicted;
    return status;
}

/* Joins the evidence of a further yes to that of earlier ones. */
static void add_yes(Verdict *all, const Verdict *one)
{
    if (one->evidence == EVIDENCE_IDENTITY)
        return;
    const bool first = all->evidence == EVIDENCE_IDENTITY;
    const double chance = all->proof.chance, largest = all->largest;
    const size_t points = all->proof.points, states = all->states;

    *all = *one;
    if (first)
        return;
    all->proof.chance = fmin(1, one->proof.chance + chance);
    all->proof.points = points < one->proof.points ? points : one->proof.points;
    all->states = states < one->states ? states : one->states;
    all->largest = fmax(largest, one->largest);
}

Status verdict_predict_each(const AnalysisContext *context, const Expr *exprs, size_t n,
                            const Expr *scales, Verdict *verdict, Error *err)
{
    Verdict all = {
        .predicted = PREDICTED_YES, .evidence = EVIDENCE_IDENTITY, .proof.likely = PREDICTED_YES};
    Verdict open = {0};
    bool decided = true;
    Status status = OK;

    /* a yes needs all of them; the first no is the answer, else the first open one */
    for (size_t i = 0; i < n && status == OK; i++) {
        Verdict one = {0};
        const TermSum alone = {.terms = &exprs[i], .n = 1, .scale = scales ? scales[i] : EXPR_NONE};
        status = verdict_predict(context, &alone, &one, NULL, err);
        if (status == OK && one.predicted == PREDICTED_YES) {
            add_yes(&all, &one);
        } else if (status == OK && (decided || one.predicted == PREDICTED_NO)) {
            open = one;
            decided = false;
        }
        if (one.predicted == PREDICTED_NO)
            break;
    }
    if (status == OK)
        *verdict = decided ? all : open;
    return status;
}
