/* Residuals, and the energy balance E - E0 = work of forces, projections and impacts. */
#include "core/run/parts/evidence.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/model/residuals.h"
#include "core/program/block_of_one.h"
#include "core/run/parts/result.h"

#include "core/run/parts/evidence_blocks.h"

const char *const evidence_names[EVIDENCE_REST] = {"energy_balance", "rcond", "step"};

/* fmax() without a call; `value` where `other` is a NaN. */
static inline double larger(double value, double other)
{
    return other > value ? other : value;
}

Status evidence_init(Evidence *e, const Simulation *simulation, Arena *arena, Error *err)
{
    const Model *model = simulation->compiled->model;
    const size_t r = model->r;
    const double believable = result_believable_energy(simulation);

    Residual *residuals = ARENA_NEW(arena, 2 * r, Residual);
    *e = (Evidence){.model = model,
                    .damped = simulation->integration.method &&
                              ode_method_needs_jacobian(simulation->integration.method),
                    .velocity = residuals,
                    .position = residuals ? residuals + r : NULL,
                    .rcond_min = 1,
                    .step_since = NAN,
                    .rcond_since = INFINITY,
                    .sums = {.lost_t = NAN, .believable = believable}};
    /* from a state of the formulation's own velocities come out with the rounding of what they are
     * computed from, however small they are themselves */
    for (size_t a = 0; a < r && !simulation->motion->plain && !arena_failed(arena); a++)
        e->velocity[a].rounding = e->position[a].rounding = 1;
    return arena_status(arena, err);
}

Status evidence_bind(Evidence *e, const Simulation *simulation, StepEndMatrices matrices,
                     StepEndEval *kept, const double *params, Error *err)
{
    const StepEndOptions options = {
        .rows = simulation->start.rows,
        .n_rows = simulation->integration.projection ? simulation->start.report.rank : 0,
        .metric = model_eval_metric(simulation->eval),
        .mass_positive = simulation->start.report.mass_divides,
        .matrices = matrices};
    const StepEnd *end = kept ? kept->end : NULL;
    Status status = end && compiled_step_end_fits(end, &options)
                        ? OK
                        : compiled_step_end(simulation->compiled, &options, &end, err);
    if (status != OK || !kept || kept->end != end)
        return status == OK ? step_end_eval_init(&e->end, end, simulation->params, err) : status;
    e->end = *kept;
    *kept = (StepEndEval){0};
    step_end_eval_renew(&e->end, params);
    return OK;
}

double evidence_energy(Evidence *e, double t, const double *q, const double *v)
{
    return step_end_look(&e->end, t, q, v)[LOOK_ENERGY];
}

/* A residual whose value, scale and rounding lie r apart, relatively. */
static double relative_to(const Residual *residual, const double *at, size_t r)
{
    return residual_relative(at[0], at[r], larger(residual->rounding, at[2 * r]));
}

static const BlockMask ON = -1;

/* Rules that only read are given what is constant, too. */
static SumRows rows_of(const void *numbers)
{
    return (SumRows){(double *)(uintptr_t)numbers, 1};
}

/* Takes a residual; false when it is beyond the bound (or not a number). */
static bool take_residual(Residual *residual, const double *at, size_t r, double bound)
{
    const SumRows rows = rows_of(residual);
    const double relative = relative_to(residual, at, r);

    residual_take(&rows, 0, &ON, at[0], at[2 * r], relative);
    return relative <= bound;
}

static double turnover(const Evidence *e)
{
    const SumRows sums = rows_of(&e->sums);
    return turnover_of(&sums, 0);
}

static double last_balance(const EvidenceSums *of)
{
    const SumRows sums = rows_of(of);
    return balance_of(&sums, 0, of->energy_last - of->energy_start, of->work_last);
}

static void take_energy(Evidence *e, double t, double energy, double work)
{
    const SumRows sums = rows_of(&e->sums);
    const Imbalance before = {.t = t,
                              .h = fabs(t - e->sums.last_t),
                              .lost_t = e->sums.lost_t,
                              .lost_most = e->sums.lost_most};

    energy_take(&sums, 0, &ON, t, energy, e->look[LOOK_TERMS], work);
    e->imbalance = before;
    e->imbalance.balance = last_balance(&e->sums);
    e->imbalance.scale = turnover(e);
}

void evidence_recall_doubt(Evidence *e, double h)
{
    const EvidenceSums *sums = &e->sums;

    e->imbalance = (Imbalance){.t = sums->last_t,
                               .h = h,
                               .balance = last_balance(sums),
                               .scale = turnover(e),
                               .lost_t = NAN};
}

void evidence_spare(Evidence *e, double worth)
{
    const double elapsed = fabs(e->sums.last_t - e->sums.start_t);
    const SumRows sums = rows_of(&e->sums);
    Imbalance *i = &e->imbalance;

    e->sums.bound_integral += i->h * worth;
    if (elapsed > 0)
        worth = larger(worth, e->sums.bound_integral / elapsed);
    i->scale = larger(i->scale, worth);
    e->sums.lost_t = i->lost_t;
    e->sums.lost_most = i->lost_most;
    balance_judge(&sums, 0, &ON, i->t, i->balance, i->scale);
    if (!evidence_doubts(e))
        e->sums.terms_max = larger(e->sums.terms_max, worth);
}

size_t evidence_take(Evidence *e, double t, const double *q, const double *v, bool on_step,
                     double work, double bound)
{
    const size_t r = e->model->r;
    size_t beyond = r;
    e->look = step_end_look(&e->end, t, q, v);
    const double *residuals = e->look + LOOK_RESIDUALS;
    const double *f = residuals + RESIDUAL_F * r, *phi = residuals + RESIDUAL_PHI * r;

    for (size_t a = 0; a < r; a++) {
        bool ok = take_residual(&e->velocity[a], phi + a, r, bound);
        if (e->model->constraints[a].kind == CONSTRAINT_HOLONOMIC)
            ok = take_residual(&e->position[a], f + a, r, bound) && ok;
        if (!ok && beyond == r)
            beyond = a;
    }
    /* the first state: the energy is measured from there */
    if (on_step && e->sums.states == 0) {
        e->sums.start_t = e->sums.last_t = t;
        e->sums.terms_start = e->sums.terms_last = e->look[LOOK_TERMS];
        e->sums.energy_start = e->look[LOOK_ENERGY];
        e->sums.terms_max = e->sums.terms_start;
    }
    if (on_step)
        take_energy(e, t, e->look[LOOK_ENERGY], work);
    e->sums.states++;
    return beyond;
}

double evidence_residual(const Evidence *e, size_t a)
{
    const size_t r = e->model->r;
    const double *residuals = e->look + LOOK_RESIDUALS + a;
    const double *f = residuals + RESIDUAL_F * r, *phi = residuals + RESIDUAL_PHI * r;
    const double velocity = relative_to(&e->velocity[a], phi, r);
    const double position = relative_to(&e->position[a], f, r);

    if (e->model->constraints[a].kind != CONSTRAINT_HOLONOMIC)
        return velocity;
    return velocity <= position ? position : velocity;
}

size_t evidence_beyond(Evidence *e, double t, const double *q, const double *v, double bound)
{
    size_t a = 0;

    e->look = step_end_look(&e->end, t, q, v);
    while (a < e->model->r && !(evidence_residual(e, a) > bound))
        a++;
    return a;
}

void evidence_step(Evidence *e, double h)
{
    if (h == 0)
        return;
    const double now = e->imbalance.balance > 0 ? e->imbalance.balance / e->imbalance.scale : 0;
    e->balance_since = e->stepped ? larger(e->balance_since, now) : now;
    e->step_since = e->stepped ? fmin(e->step_since, fabs(h)) : fabs(h);
    e->stepped = true;
}

void evidence_rcond(Evidence *e, double rcond)
{
    e->rcond_min = rcond < e->rcond_min ? rcond : e->rcond_min;
    e->rcond_since = rcond < e->rcond_since ? rcond : e->rcond_since;
}

/* The larger one of two levels, and from then on none. */
static double take_since(Residual *velocity, Residual *position)
{
    const double worst = larger(velocity->since, position->since);

    velocity->since = position->since = -1;
    return worst < 0 ? NAN : worst;
}

void evidence_instant(Evidence *e, double *ret)
{
    const size_t r = e->model->r;

    for (size_t a = 0; a < r; a++)
        ret[a] = take_since(&e->velocity[a], &e->position[a]);
    ret[r + EVIDENCE_ENERGY] = e->balance_since;
    ret[r + EVIDENCE_RCOND] = isfinite(e->rcond_since) ? e->rcond_since : NAN;
    ret[r + EVIDENCE_STEP] = e->step_since;
    e->rcond_since = INFINITY;
    e->stepped = false;
}

void evidence_projection(Evidence *e, double dq, double dv, double energy_jump)
{
    const SumRows sums = rows_of(&e->sums);
    projection_take(&sums, 0, &ON, dq, dv, energy_jump);
}

void evidence_impact(Evidence *e, double dq, double dv, double energy_jump)
{
    e->impacts.count++;
    e->impacts.max_position = larger(e->impacts.max_position, dq);
    e->impacts.max_velocity = larger(e->impacts.max_velocity, dv);
    e->sums.impact_work += energy_jump;
    e->sums.impact_swing += fabs(energy_jump);
}

static void report_residuals(const Evidence *e, ConstraintEvidence *items, size_t *n)
{
    for (size_t a = 0; a < e->model->r; a++) {
        const Constraint *c = &e->model->constraints[a];
        const Residual *levels[] = {&e->position[a], &e->velocity[a]};
        static const char *const LEVELS[] = {"position", "velocity"};
        for (size_t level = c->kind != CONSTRAINT_HOLONOMIC; level < 2; level++)
            items[(*n)++] = (ConstraintEvidence){
                .name = c->name,
                .level = LEVELS[level],
                .max = levels[level]->max,
                .rms =
                    e->sums.states ? sqrt(levels[level]->sum_squares / (double)e->sums.states) : 0,
                .max_absolute = levels[level]->max_absolute};
    }
}

/* The work is integrated beside the error norm. If the motion is stiff it forgets errors, but the
 * sum of the work does not: an imbalance that is within the tolerance of its swings tells nothing
 * of such a motion, as on the jumps of a relaxation oscillator. */
static bool is_within_work(const Evidence *e, const Simulation *s)
{
    return e->damped &&
           last_balance(&e->sums) <= ERROR_GROWTH * s->integration.options.rtol * e->sums.work_max;
}

static void warn_of_imbalance(const Evidence *e, const Simulation *s, SimulationResult *ret)
{
    if (is_within_work(e, s))
        return;
    if (!isnan(e->sums.lost_t) && e->sums.lost_most == 0)
        result_warn(s, ret,
                    "from t = %.6g on the energy balance is not known: the energy, or its rate "
                    "(the power of the forces, L by time), is not finite there",
                    e->sums.lost_t);
    else if (!isnan(e->sums.lost_t))
        result_warn(s, ret,
                    "from t = %.6g on the energy balance is off, by up to %.3g of the size of its "
                    "terms: a singularity or a jump of L was passed, or the tolerance or step is "
                    "too coarse for the motion or for the power of the forces",
                    e->sums.lost_t, e->sums.lost_most);
}

/* A close encounter: the terms of E were large though hardly any work was done, so large that a
 * relative tolerance of velocities allowed an error of E that is not believed beside the rest of
 * the motion, and E is off by more than the tolerance leaves elsewhere. */
static void warn_of_encounter(const Evidence *e, const Simulation *s, SimulationResult *ret)
{
    const EvidenceSums *sums = &e->sums;
    const double elapsed = fabs(sums->last_t - sums->start_t);
    const double worth = elapsed > 0 ? sums->bound_integral / elapsed : 0;
    const double terms = larger(turnover(e), worth);
    const double rtol = s->integration.options.rtol, balance = last_balance(sums);

    /* no tolerance, another warning, much work, or errors within the tolerance */
    if (s->integration.options.step > 0 || !isnan(sums->lost_t) ||
        sums->work_max > sums->believable * sums->terms_max ||
        !(rtol * sums->terms_max > sums->believable * terms) ||
        !(balance > ERROR_GROWTH * rtol * terms))
        return;
    result_warn(s, ret,
                "a close encounter was passed: the terms of the energy were %.3g times as large "
                "there as elsewhere, and the energy is off by %.3g of the size of its terms since; "
                "take a smaller rtol",
                sums->terms_max / terms, balance / terms);
}

Status evidence_report(const Evidence *e, const Simulation *s, SimulationResult *ret, Error *err)
{
    ConstraintEvidence *items = arena_alloc(s->arena, 2 * e->model->r, sizeof *items);
    if (!items)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    ret->n_constraints = 0;
    report_residuals(e, items, &ret->n_constraints);
    ret->constraints = items;

    /* if nothing was projected the sums are 0, whatever divides them */
    double count = e->sums.projection.count ? (double)e->sums.projection.count : 1;
    ret->projection.count = e->model->r ? e->sums.projection.count : 0;
    ret->projection.max_position = e->sums.projection.max_dq;
    ret->projection.max_velocity = e->sums.projection.max_dv;
    ret->projection.rms_position = sqrt(e->sums.projection.sum_dq2 / count);
    ret->projection.rms_velocity = sqrt(e->sums.projection.sum_dv2 / count);
    ret->projection.metric_is_mass = s->start.report.metric_is_mass;
    ret->projection.initial_position = s->start.report.position_change;
    ret->projection.initial_velocity = s->start.report.velocity_change;

    ret->energy.initial = e->sums.energy_start;
    ret->energy.final = e->sums.energy_last;
    ret->energy.max_drift = e->sums.max_drift;
    ret->energy.balance_max = e->sums.balance_max;
    ret->energy.balance_scaled =
        e->sums.balance_max > 0 ? e->sums.balance_max / (e->sums.terms_max + e->sums.work_max) : 0;
    ret->energy.projection_work = e->sums.projection_work;
    ret->energy.impact_work = e->sums.impact_work;
    ret->impacts = e->impacts;
    ret->condition.constraints_max = e->condition_max;
    ret->condition.mass_max = s->start.report.condition_M;
    ret->condition.rcond_min = e->rcond_min;
    warn_of_imbalance(e, s, ret);
    warn_of_encounter(e, s, ret);
    return OK;
}
