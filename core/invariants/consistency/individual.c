/* Motions tested for multipliers of their own: random ones, and that of the run. */
#include "core/base/accuracy.h"
#include "core/invariants/consistency/study.h"

#include <math.h>

#include "core/invariants/generator.h"

/* Samples of a random motion, random motions at most, samples of the run's motion. Conventions. */
enum {
    RANDOM_SAMPLES = 24,
    RANDOM_TRIES = 6,
    MOTION_SAMPLES = 96,
};

bool study_too_large(const Study *s)
{
    return s->problem.n > INDIVIDUAL_MAX_COORDINATES || s->problem.r > INDIVIDUAL_MAX_CONSTRAINTS;
}

/* A time in which a motion crosses its range about four times, at most the range of times. */
static double span(const Study *s)
{
    const double time = fabs(s->context.range.t_to - s->context.range.t_from);
    const double crossing = analysis_crossing(&s->context);
    const double around = crossing > 0 ? 4 / crossing : 1;
    return time > 0 ? fmin(time, around) : around;
}

Status study_refute(Study *s, Error *err)
{
    const Trajectory *states = s->context.states;
    const size_t n = s->problem.n;
    MotionFinding found = {.mu0 = arena_doubles(s->context.scratch, s->problem.r)};
    Status status = arena_status(s->context.scratch, err);

    for (size_t k = 0; status == OK && k < states->n_states && k < RANDOM_TRIES && s->refuted < 2;
         k++) {
        MotionTest test = {.problem = &s->problem,
                           .t0 = states->t[k],
                           .t_end = states->t[k] + span(s),
                           .q0 = states->q + k * n,
                           .v0 = states->v + k * n,
                           .samples = RANDOM_SAMPLES};
        status = motion_test(&test, &found, err);
        /* a motion that ended early, or failed at one sample only, proves nothing */
        if (status != OK || found.samples < RANDOM_SAMPLES / 2)
            continue;
        s->tried++;
        s->refuted += found.failures >= 2 && found.residual > ACCURACY_CLEAR;
    }
    return status;
}

static Predicted judge_motion(const MotionFinding *found, bool given)
{
    if (found->samples == 0)
        return PREDICTED_UNDECIDED;
    if (found->residual < ACCURACY_COMPARED)
        return PREDICTED_YES;
    return found->failures >= (given ? 1 : 2) ? PREDICTED_NO : PREDICTED_UNDECIDED;
}

static const char *motion_reason(Predicted consistent, bool given, const MotionFinding *found)
{
    if (consistent == PREDICTED_YES)
        return given ? "With its multipliers this vakonomic motion is a nonholonomic one as well."
                     : "With the multipliers mu at the start the vakonomic motion from the same "
                       "state is this motion.";
    if (consistent == PREDICTED_NO)
        return given ? "The multipliers of this vakonomic motion push it along velocities that the "
                       "constraints allow, as no reaction does."
                     : "For no choice of the multipliers at the start do the forces of the "
                       "vakonomic equations agree with the reactions along this motion.";
    return found->samples ? "The residual is too small for a no and too large for a yes."
                          : "The motion is too short to be tested.";
}

static void add_multipliers(const Study *s, const double *mu, Value *record)
{
    const AnalysisContext *c = &s->context;
    Value *list = value_add(c->arena, record, "mu", VALUE_RECORD);

    for (size_t k = 0; k < s->problem.r; k++)
        value_add_number(c->arena, list, c->model->constraints[c->rows[k]].name, mu[k]);
}

static void describe_motion(const Study *s, const MotionFinding *found, bool given, Value *record,
                            Verdict *verdict)
{
    Arena *arena = s->context.arena;
    const Predicted consistent = judge_motion(found, given);

    value_add_text(arena, record, "consistent", predicted_name(consistent));
    if (found->samples) {
        value_add_number(arena, record, "residual", found->residual);
        value_add_count(arena, record, "samples", found->samples);
        value_add_number(arena, record, "t_from", s->asked->trajectory->t[0]);
        value_add_number(arena, record, "t_to", found->t);
        if (!given)
            value_add_count(arena, record, "freedom", found->freedom);
        verdict->observed = verdict->apart = true; /* of these multipliers, not of any */
        verdict->final = verdict->max_drift = found->residual;
        verdict->conserved = consistent == PREDICTED_YES;
    }
    if (given || consistent == PREDICTED_YES)
        add_multipliers(s, found->mu0, record);
    value_add_text(arena, record, "reason", motion_reason(consistent, given, found));
}

/* The motion from the first state: with the best multipliers. If the motion of the run is
 * vakonomic, it is tested with its own, and must be nonholonomic as well. */
static Status test_motion(const Study *s, Value *record, Verdict *verdict, Error *err)
{
    const Trajectory *motion = s->asked->trajectory;
    const size_t r = s->problem.r;
    const bool given = analysis_keeps_multipliers(s->asked);
    double *mu0 = arena_doubles(s->context.scratch, 2 * r);
    MotionFinding found = {.mu0 = mu0};
    MotionTest test = {.problem = &s->problem,
                       .t0 = motion->t[0],
                       .q0 = motion->q,
                       .v0 = motion->v,
                       .t_end = motion->t[motion->n_states - 1],
                       .samples = MOTION_SAMPLES,
                       .follow = motion,
                       .mu0 = given ? mu0 + r : NULL};
    if (!mu0)
        return arena_status(s->context.scratch, err);
    /* a vakonomic motion has its multipliers already */
    for (size_t k = 0; given && k < r; k++)
        mu0[r + k] = motion->lambda[s->context.rows[k]];
    Status status = motion_test(&test, &found, err);
    if (status == OK)
        describe_motion(s, &found, given, record, verdict);
    return status;
}

Status study_individual(const Study *s, Value *record, Verdict *verdict, Error *err)
{
    const AnalysisContext *asked = s->asked;

    if (!asked->trajectory || asked->trajectory->n_states < 2)
        return OK;
    Value *individual = value_add(s->context.arena, record, "individual", VALUE_RECORD);
    if (study_too_large(s)) {
        value_add_text(s->context.arena, individual, "consistent", "undecided");
        value_add_text(s->context.arena, individual, "reason",
                       "The system is too large for this test.");
        return OK;
    }
    return test_motion(s, individual, verdict, err);
}
