/* The action along the motion, and whether it is stationary: dS = 0 along virtual displacements
 * (d'Alembert's principle), which with holonomic constraints are the variations tangent to the
 * admissible curves (Hamilton's principle). With nonholonomic ones dS = -int lambda.(A eta) dt
 * along these, and vakonomic motions are the stationary ones
 * (docs/explanation/invariants/action.md). */
#include <math.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/local.h"
#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/integrate/methods.h"
#include "core/linear/first_variation.h"
#include "core/linear/watch.h"
#include "core/motion/eval.h"

enum {
    REMAINING = 8,     /* tangent variations, at least, that are left when the far end is fixed */
    MOST_TANGENT = 64, /* coordinates up to which they are integrated: n^2 components */
};

/* Factor of the number of steps (no unit): the variations change faster than a short motion.
 * Measured: the median over the catalog; an estimate that changes no result. */
static const double SHORTER_STEPS = 1.1;

typedef struct ActionRun {
    const AnalysisContext *context;
    const AnalysedRun *run;
    Motion *own; /* set if the run's equations cannot be used */
    const Motion *motion;
    MotionEval *equations;
    FirstVariation *first;
    /* rows that control the step size: motion->dim, then the rows of first without the sizes */
    size_t size;
    double *y; /* with these */
    Watch watch;
    Arena memory; /* owns it */
} ActionRun;

static void action_done(ActionRun *x)
{
    motion_eval_free(x->equations);
    first_variation_free(x->first);
    watch_done(&x->watch);
    motion_free(x->own);
    arena_done(&x->memory);
}

static Status action_refuse(const AnalysedRun *run, Error *err)
{
    if (run->impact)
        return error_set(err, ERR_INVALID,
                         "the event %s changes the state: the first variation of a motion with "
                         "jumps is not computed",
                         run->impact);
    if (run->motion->n_switches)
        return error_set(err, ERR_INVALID,
                         "the equations have corners (abs, sign, min, max or if), at which the "
                         "first variation is not defined");
    return OK;
}

/* All descriptions of the motion have the same action. The one with the state (q, v) is taken,
 * unless the multipliers are part of the motion. */
static Status action_choose_motion(ActionRun *x, Error *err)
{
    const AnalysisContext *c = x->context;
    const Motion *motion = x->run->motion;

    x->motion = motion;
    if (motion->formulation->keeps_multipliers || (motion->plain && !motion->watches_dependent))
        return OK;
    const MotionOptions options = {.rows = c->rows, .n_rows = c->n_rows, .dependent = c->dependent};
    Status status = motion_best(c->model, formulation_find("lagrange-dalembert"), &options,
                                x->run->kind, &x->own, err);
    x->motion = x->own;
    return status;
}

static Status action_start(ActionRun *x, Error *err)
{
    const AnalysisContext *c = x->context;
    const size_t n = c->model->n;
    const FirstVariationSpec first = {.model = c->model,
                                      .params = c->params,
                                      .rows = c->rows,
                                      .n_rows = c->n_rows,
                                      .t0 = c->t0,
                                      .t1 = c->t_end,
                                      .n_tangent = n <= MOST_TANGENT ? n + REMAINING : 0};

    Status status = action_choose_motion(x, err);
    if (status == OK)
        status = motion_eval_new(c->model, x->motion, c->params, false, &x->equations, err);
    if (status == OK)
        status = first_variation_new(&first, &x->first, err);
    if (status != OK)
        return status;
    x->size =
        x->motion->dim + first_variation_states(x->first) + first_variation_quadratures(x->first);
    const size_t rows = x->size + first_variation_sizes(x->first);
    x->y = arena_doubles(&x->memory, rows);
    const WatchSpec watch = {.model = c->model,
                             .params = c->params,
                             .motion = x->motion,
                             .equations = x->equations,
                             .rows = rows,
                             .beside = true};
    status = arena_status(&x->memory, err);
    if (status == OK)
        status = watch_init(&x->watch, &watch, &x->memory, err);
    if (status != OK)
        return status;
    /* the state at the start, by q and v or in the motion's own variables */
    if (x->motion->plain) {
        memcpy(x->y, c->q0, n * sizeof *x->y);
        memcpy(x->y + n, c->v0, n * sizeof *x->y);
        return OK;
    }
    if (x->run->guess)
        memcpy(x->y, x->run->guess, x->motion->dim * sizeof *x->y);
    return motion_eval_restate(x->equations, c->t0, c->q0, c->v0, x->run->multipliers, x->y, err);
}

static void action_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    ActionRun *x = self;
    const size_t dim = x->motion->dim;

    (void)lanes; /* one */
    /* the motion's own quadrature falls on the first row behind it, which is written next */
    motion_eval_rates(x->equations, t, y, ret);
    MotionPoint at = motion_eval_point(x->equations, *t, y);
    first_variation_rates(x->first, *t, at.q, at.v, at.vdot, y + dim, ret + dim);
}

static Status action_project(void *self, double t, double *y, bool on_step, Error *err)
{
    const ActionRun *x = self;
    const AnalysisContext *c = x->context;
    double dq, dv;

    (void)on_step;
    return model_project(c->eval, t, y, y + c->model->n, c->rows, c->n_rows, &dq, &dv, err);
}

static Status action_renew(void *self, double t, double h, const double *y, Error *err)
{
    const ActionRun *x = self;

    (void)h, (void)err;
    motion_eval_renew(x->equations, t, y);
    return OK;
}

static Status action_poll(void *self, Error *err)
{
    const ActionRun *x = self;
    return analysis_poll(x->context, err);
}

static Status action_integrate(ActionRun *x, FirstVariationResult *ret, Error *err)
{
    const AnalysisContext *c = x->context;
    OdeSystem system = {.self = x,
                        /* the waves of the variations have to control the step size, too */
                        .dim = x->size,
                        .extra = first_variation_sizes(x->first),
                        .rates = action_rates,
                        .project = x->motion->plain && c->n_rows ? action_project : NULL,
                        .watch = watch_system(&x->watch)};
    /* tolerances near the limit of doubles; the absolute one in units of the state */
    OdeOptions options = {.rtol = fmin(c->steps.rtol, ACCURACY_COMPUTED),
                          .atol = fmin(c->steps.atol, ACCURACY_ROUNDED),
                          .max_step = c->steps.max_step,
                          .max_steps = x->run->max_steps};
    OdeObserver observer = {.self = x, .step = action_renew, .poll = action_poll};

    Status status = ode_reach(&system, ode_method_find("dop853"), &options,
                              &(OdeSpan){.t0 = c->t0, .t_end = c->t_end}, x->y, &observer, err);
    if (status == OK)
        status = first_variation_result(x->first, x->y + x->motion->dim, ret, err);
    return status;
}

/* A principle that defines the motions holds for all of them. Any other principle is refuted by
 * a motion that violates it. */
static Verdict *action_judge(Findings *findings, const char *name, const char *expression,
                             bool by_law, double largest, bool known)
{
    Verdict *verdict = findings_add(findings);

    verdict->name = name;
    verdict->kind = "action";
    verdict->expression = expression;
    verdict->largest = largest;
    /* a motion that violates it refutes it; numbers of motions that satisfy it prove nothing */
    if (by_law) {
        verdict->predicted = PREDICTED_YES;
        verdict->evidence = EVIDENCE_IDENTITY;
    } else if (largest > ACCURACY_DIFFERENCED && known) {
        verdict->predicted = PREDICTED_NO;
        verdict->evidence = EVIDENCE_COUNTEREXAMPLE;
        verdict->states = 1;
    } else {
        verdict->predicted = PREDICTED_UNDECIDED;
        verdict->evidence = EVIDENCE_RANDOM_STATES;
    }
    return verdict;
}

static const char *virtual_reason(const AnalysisContext *c, bool vakonomic,
                                  const FirstVariationResult *found)
{
    if (!vakonomic || model_is_holonomic(c->model))
        return arena_printf(c->arena,
                            "Reaction forces do no work along virtual displacements: the first "
                            "variation of the action along %zu of them is %.2g of its terms.",
                            VIRTUAL_WAVES * c->model->n, found->virtual_largest);
    if (found->virtual_largest > ACCURACY_DIFFERENCED)
        return arena_printf(c->arena,
                            "The motion is stationary among curves that keep to the constraints, "
                            "not along virtual displacements: there the action changes to first "
                            "order, by %.2g of its terms.",
                            found->virtual_largest);
    return arena_printf(c->arena,
                        "Vakonomic motions need not satisfy it; this one does, to %.2g of the "
                        "terms of the first variation: it is a nonholonomic motion too.",
                        found->virtual_largest);
}

static const char *tangent_reason(const AnalysisContext *c, bool vakonomic,
                                  const FirstVariationResult *found)
{
    const Model *model = c->model;
    const char *forces =
        exprs_are_zero(model->pool, model->F, model->n) ? "" : " and the work of the forces";

    /* theorems first: numbers only illustrate them */
    if (c->model->r == 0)
        return arena_printf(c->arena,
                            "No constraint acts, and Hamilton's principle holds: along %zu "
                            "variations that vanish at the ends the first variation of the "
                            "action%s is at most %.2g of its terms.",
                            found->n_tangent, forces, found->tangent_largest);
    if (model_is_holonomic(c->model))
        return arena_printf(c->arena,
                            "All constraints are holonomic, so that curves that satisfy them vary "
                            "by virtual displacements: along %zu such variations the first "
                            "variation of the action%s is at most %.2g of its terms.",
                            found->n_tangent, forces, found->tangent_largest);
    if (vakonomic)
        return arena_printf(c->arena,
                            "Vakonomic motions are those that make the action%s stationary among "
                            "the curves that satisfy the constraints: along %zu variations its "
                            "first variation is at most %.2g of its terms.",
                            forces, found->n_tangent, found->tangent_largest);
    /* without a theorem the numbers of this motion decide */
    if (found->tangent_largest > ACCURACY_DIFFERENCED)
        return arena_printf(c->arena,
                            "Along variations that keep to the nonholonomic constraints the "
                            "reaction does work, although it does none along virtual "
                            "displacements: the action changes to first order, by %.2g of its "
                            "terms.",
                            found->tangent_largest);
    return arena_printf(c->arena,
                        "Motions under nonholonomic constraints need not be stationary; %s: along "
                        "%zu variations that keep to the constraints the first variation is at "
                        "most %.2g of its terms.",
                        found->tangent_largest < ACCURACY_COMPARED
                            ? "this one is"
                            : "of this one it cannot be told",
                        found->n_tangent, found->tangent_largest);
}

static void add_kind(Arena *arena, Value *record, const char *name, size_t variations,
                     double largest, bool known)
{
    Value *kind = value_add(arena, record, name, VALUE_RECORD);

    value_add_count(arena, kind, "variations", variations);
    value_add_number(arena, kind, "largest", largest);
    if (known && (largest < ACCURACY_COMPARED || largest > ACCURACY_DIFFERENCED))
        value_add_bool(arena, kind, "stationary", largest < ACCURACY_COMPARED);
    else
        value_add_text(arena, kind, "stationary", NULL);
}

static Status action_report(const ActionRun *x, const FirstVariationResult *found,
                            Findings *findings, Error *err)
{
    const AnalysisContext *c = x->context;
    const bool known = !watch_is_blind(&x->watch);
    const bool vakonomic = c->formulation->keeps_multipliers;
    const bool holonomic = model_is_holonomic(c->model);
    Value *record = value_add(c->arena, findings->record, "action", VALUE_RECORD);

    value_add_number(c->arena, record, "value", found->action);
    value_add_number(c->arena, record, "from", c->t0);
    value_add_number(c->arena, record, "to", c->t_end);
    add_kind(c->arena, record, "virtual", VIRTUAL_WAVES * c->model->n, found->virtual_largest,
             known);
    /* the verdict along virtual displacements, then along tangent variations */
    Verdict *verdict =
        action_judge(findings, "d'Alembert's principle", "dS[eta] = 0 where A eta = 0",
                     !vakonomic || holonomic, found->virtual_largest, known);
    verdict->reason = virtual_reason(c, vakonomic, found);
    if (found->n_tangent) {
        add_kind(c->arena, record, "tangent", found->n_tangent, found->tangent_largest, known);
        verdict = action_judge(findings, "stationary action",
                               "dS[eta] = 0 where phi_q eta + A d(eta)/dt = 0",
                               vakonomic || holonomic, found->tangent_largest, known);
        verdict->reason = tangent_reason(c, vakonomic, found);
    }
    watch_report(&x->watch, c->arena, record);
    return findings_status(findings, err);
}

Status action_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                  Findings *findings, Error *err)
{
    ActionRun x = {.context = context, .run = run};
    FirstVariationResult found;

    (void)options;
    if (context->t0 == context->t_end)
        return OK;
    Status status = action_refuse(run, err);
    if (status == OK)
        status = action_start(&x, err);
    if (status == OK)
        status = action_integrate(&x, &found, err);
    if (status == OK)
        status = action_report(&x, &found, findings, err);
    action_done(&x);
    return status;
}

double action_cost(const CostQuestion *question, const char **ret_reason)
{
    const size_t n = question->model->n, n_tangent = n <= MOST_TANGENT ? n + REMAINING : 0;

    *ret_reason = arena_printf(question->arena,
                               "The motion is integrated again with %zu variations of it and the "
                               "action along each, in steps that follow these.",
                               n_tangent + VIRTUAL_WAVES * n);
    return SHORTER_STEPS * cost_of_motion(question, question->span, ACCURACY_COMPUTED,
                                          (double)(n_tangent + VIRTUAL_WAVES));
}

const Analysis analysis_action = {.name = "action",
                                  .meaning = "Is the motion stationary, among which curves?"};
