/* Runs whose lanes take the fast path. */
#include "core/run/batch/fast_runs.h"

#include <math.h>
#include <string.h>

#include "core/integrate/limits.h"
#include "core/program/kernels.h"
#include "core/run/tell/reduce.h"
#include "core/run/watch/energy_bound.h"
#include "core/run/watch/observe.h"
#include "core/run/watch/residuals.h"
#include "core/run/watchers.h"

/* Is everything that the run watches watched in lanes, and does nothing want its next step? */
static bool fits(const FastRuns *c, const Run *run)
{
    /* corrections evaluate the matrices that are watched */
    const bool corrected = c->ends->end->options.n_rows > 0;
    const bool watched = (corrected || !(c->watches_mass || c->watches_rank)) &&
                         (run->at.eq.mass.rows.pivots != NULL) == c->watches_mass &&
                         singular_watches(&run->at.singular) == c->watches_rank;

    return run->at.s->integration.projection && watched && run->at.size == c->size &&
           reduce_wants_states(run->at.s) == (c->drifts.program != NULL) &&
           inside_lanes_possible(run) && inside_lanes_wanted(run) == !!c->runs.look_inside &&
           !watchers_want_next_step(run);
}

static bool enter(void *self, size_t lane)
{
    FastRuns *c = self;
    Run *run = c->slots[lane];

    if (!run || !fits(c, run))
        return false;
    c->steps[lane] = (int64_t)run->progress.steps;
    c->t0[lane] = run->watch.collapse.t0;
    evidence_lanes_move(&c->evidence, lane, run, INTO_LANE);
    if (c->watches_mass)
        mass_lanes_enter(&c->mass, lane, &run->at.eq.mass);
    if (c->watches_rank)
        rank_lanes_enter(&c->rank, lane, &run->at.singular.watch);
    return true;
}

static void leave(void *self, size_t lane, double t, const double *y)
{
    FastRuns *c = self;
    Run *run = c->slots[lane];

    run->progress.steps = (uint64_t)c->steps[lane];
    evidence_lanes_move(&c->evidence, lane, run, OUT_OF_LANE);
    if (c->watches_mass)
        mass_lanes_leave(&c->mass, lane, &run->at.eq.mass);
    if (c->watches_rank)
        rank_lanes_leave(&c->rank, lane, &run->at.singular.watch, t, y);
}

static void correct(void *self, double *y, int64_t *masks)
{
    FastRuns *c = self;
    step_end_lanes_correct(c->ends, y, masks);
}

static WatchedStep watched(const FastRuns *c, const FastStep *step)
{
    WatchedStep all = {.t = step->t,
                       .t_new = step->t_new,
                       .y = step->y,
                       .y_new = step->y_new,
                       .looks = step->looks};

    step_end_lanes_matrices(c->ends, &all);
    return all;
}

static const double *end_of_step(const FastRuns *c, const FastStep *step, size_t lane)
{
    for (size_t r = 0; r <= c->size; r++)
        c->y[r] = step->y_new[r * c->lanes + lane];
    return c->y;
}

/* Every few steps the equations are looked at for how regular they are. A lane whose energy is out
 * of balance, or whose steps shrink without an end, goes on by itself. */
static bool observe(const FastRuns *c, const FastStep *step, size_t lane)
{
    const double t = step->t_new[lane];

    if (evidence_lanes_doubt(&c->evidence, lane) || collapse_has(c->t0[lane], t, t - step->t[lane]))
        return false;
    Run *run = c->slots[lane];
    return c->steps[lane] % REGULARITY_STEPS != 0 ||
           observe_regular(&run->at, &run->evidence.motion, t, end_of_step(c, step, lane));
}

/* The first step of a lane that throws the energy out of balance. */
static void doubt(FastRuns *c, const FastStep *step, size_t lane)
{
    Run *run = c->slots[lane];
    Evidence *evidence = &run->evidence.motion;
    const double t = step->t_new[lane];

    evidence_lanes_move_sums(&c->evidence, lane, run, OUT_OF_LANE);
    evidence_recall_doubt(evidence, fabs(t - step->t[lane]));
    evidence_spare(evidence, energy_error_bound(&run->at, evidence, t, end_of_step(c, step, lane)));
    evidence_lanes_move_sums(&c->evidence, lane, run, INTO_LANE);
}

static void judge(void *self, const FastStep *step, int64_t *masks)
{
    FastRuns *c = self;
    const WatchedStep all = watched(c, step);

    c->kernel->look(&c->evidence, CONTRADICTION, masks);
    if (c->watches_rank)
        c->watch->rank_look(&c->rank, &all, LOOK_BEYOND_STEP, step->horizon, step->margin, masks);
    if (c->watches_mass)
        c->watch->mass_look(&c->mass, &all, masks);
    for (size_t k = 0; k < c->lanes; k++)
        if (masks[k] && !observe(c, step, k))
            masks[k] = 0;
}

static void look_inside(void *self, const FastStep *step, int64_t *masks)
{
    FastRuns *c = self;
    inside_lanes_look(&c->inside, step, masks);
}

static void open_run(void *self, size_t lane)
{
    FastRuns *c = self;
    evidence_lanes_move(&c->evidence, lane, c->slots[lane], OUT_OF_LANE);
}

static void close_run(void *self, size_t lane)
{
    FastRuns *c = self;
    evidence_lanes_move(&c->evidence, lane, c->slots[lane], INTO_LANE);
}

static bool project(void *self, size_t lane, double t, double *y)
{
    const FastRuns *c = self;
    Run *run = c->slots[lane];
    StepEndChange ignored;

    return !run->progress.system.project ||
           step_end_correct(&run->evidence.motion.end, t, y, y + run->at.model->n, &ignored);
}

/* Behind a sample the end of a step is looked at by the program of its own, and residuals are
 * measured by the rounding that was met there, too. */
static void told(void *self, const FastStep *step, int64_t *masks)
{
    FastRuns *c = self;

    for (size_t k = 0; k < c->lanes; k++) {
        Run *run = c->slots[k];
        if (!masks[k])
            continue;
        masks[k] = fits(c, run) ? -1 : 0;
        const double *y = end_of_step(c, step, k);
        step_end_lanes_take_look(
            c->ends, k,
            step_end_look(&run->evidence.motion.end, step->t_new[k], y, y + run->at.model->n));
    }
    c->kernel->look(&c->evidence, CONTRADICTION, masks);
}

static void forget(void *self, size_t lane)
{
    const FastRuns *c = self;
    step_end_forget(&c->slots[lane]->evidence.motion.end);
}

static void take_drifts(FastRuns *c, const FastStep *step, const int64_t *masks)
{
    Function *f = &c->drifts;
    const size_t lanes = c->lanes, n = program_n_outputs(f->program);

    memcpy(f->in, step->t_new, lanes * sizeof *f->in);
    memcpy(f->in + lanes, step->y_new, c->size * lanes * sizeof *f->in);
    function_eval(f);
    for (size_t l = 0; l < lanes; l++) {
        if (!masks[l])
            continue;
        Reduce *reduce = &c->slots[l]->rows.reduce;
        for (size_t k = 0; k < n; k++)
            reduce->at_values[k] = f->out[k * lanes + l];
        reduce_drifts(reduce, c->slots[l]->at.s->reductions, step->t_new[l]);
    }
}

static void take(void *self, const FastStep *step, const int64_t *masks)
{
    FastRuns *c = self;
    const WatchedStep all = watched(c, step);

    c->kernel->take(&c->evidence, step->t_new, step->y_new, masks);
    if (c->watches_rank)
        c->watch->rank_take(&c->rank, &all, masks);
    if (c->watches_mass)
        c->watch->mass_take(&c->mass, masks);
    if (c->runs.look_inside)
        inside_lanes_take(&c->inside, step, masks);
    if (c->drifts.program)
        take_drifts(c, step, masks);
    for (size_t k = 0; k < c->lanes; k++) {
        /* a mask is 0 or -1: this counts the step */
        c->steps[k] -= masks[k];
        if (masks[k] && evidence_lanes_doubt(&c->evidence, k))
            doubt(c, step, k);
    }
}

Status fast_runs_init(FastRuns *c, const Run *first, StepEndLanes *ends, Error *err)
{
    const StepEndOptions *options = &ends->end->options;
    const size_t n = ends->end->n, lanes = ends->correct.lanes;

    /* an expression that lanes cannot examine keeps runs out */
    const bool looks_inside = inside_lanes_wanted(first) && inside_lanes_possible(first);

    *c = (FastRuns){.runs = {.self = c,
                             .enter = enter,
                             .leave = leave,
                             .correct = correct,
                             .judge = judge,
                             .look_inside = looks_inside ? look_inside : NULL,
                             .open = open_run,
                             .close = close_run,
                             .project = project,
                             .told = told,
                             .forget = forget,
                             .take = take},
                    .ends = ends,
                    .kernel = KERNEL_BEST(evidence_kernel),
                    .watch = KERNEL_BEST(watch_kernel),
                    .watches_mass = first->at.eq.mass.rows.pivots != NULL,
                    .watches_rank = singular_watches(&first->at.singular),
                    .lanes = lanes,
                    .size = first->at.size};
    c->slots = ARENA_NEW(&c->memory, lanes, Run *);
    c->steps = ARENA_NEW(&c->memory, lanes, int64_t);
    c->t0 = arena_doubles(&c->memory, lanes);
    c->y = arena_doubles(&c->memory, first->at.size + 1);
    evidence_lanes_init(&c->evidence, first->at.model, ends, &c->memory);
    if (c->watches_mass)
        mass_rows_init(&c->mass, first->at.model->fixed.n_changing, lanes, &c->memory);
    if (c->watches_rank)
        rank_rows_init(&c->rank, n, options->rows, options->n_rows, lanes, &c->memory);
    const Simulation *s = first->at.s;
    Status status = arena_status(&c->memory, err);
    if (status == OK && looks_inside)
        status = inside_lanes_init(&c->inside, first, c->slots, lanes, &c->memory, err);
    if (status == OK && reduce_wants_states(s) && !observed_guards_need_motion(s->reductions->at))
        status = observed_guards_in_lanes(s->reductions->at, s->params, lanes, &c->drifts, err);
    return status;
}

void fast_runs_done(FastRuns *c)
{
    inside_lanes_done(&c->inside);
    function_done(&c->drifts);
    arena_done(&c->memory);
}

void fast_runs_slot(FastRuns *c, size_t lane, Run *run)
{
    c->slots[lane] = run;
    if (run && c->runs.look_inside)
        inside_lanes_slot(&c->inside, lane);
    if (run)
        function_bind_lane(&c->drifts, lane, run->at.s->params);
}
