/* The cost of a job, extrapolated from some of its steps. */
#include <math.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/prepare/simulation.h"
#include "core/program/program.h"
#include "core/run/run.h"

/* Steps between which evaluations are counted. The first steps are shorter, so they are left
 * out. */
enum { TRIAL_FROM = 8, TRIAL_TO = 40, EVALUATIONS = 15 /* of a step */ };
/* Most samples of a trial. At rest, one step passes all samples without more evaluations. */
enum { TRIAL_SAMPLES = 100000 };

static Status drop_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

/* Keeps the first TRIAL_SAMPLES samples, at their places. */
static void leave_out_samples(SampleTimes *times)
{
    if (times->n <= TRIAL_SAMPLES)
        return;
    if (times->kind == TIME_SAMPLES) {
        times->every = (times->end - times->t0) / (double)(times->n - 1);
        times->kind = TIME_EVERY;
    }
    times->n = TRIAL_SAMPLES;
}

/* Makes some steps of the job, then puts the simulation back to its start. */
static Status trial(Simulation *s, uint64_t steps, SimulationResult *ret_result, Error *err)
{
    const SimulationSink sink = {.rows = drop_rows};
    const Simulation before = *s;
    const size_t n = s->compiled->model->n;
    Arena scratch = {0};
    double *start = arena_doubles(&scratch, 2 * n);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        /* the run changes these arrays, which the copy of *s shares */
        memcpy(start, s->start.q, n * sizeof *start);
        memcpy(start + n, s->start.v, n * sizeof *start);
        s->integration.options.max_steps =
            steps < s->integration.options.max_steps ? steps : s->integration.options.max_steps;
        s->n_analyses = 0;
        leave_out_samples(&s->times);
        status = run_motion(s, &sink, ret_result, err);
        *s = before;
        memcpy(s->start.q, start, n * sizeof *start);
        memcpy(s->start.v, start + n, n * sizeof *start);
    }
    arena_done(&scratch);
    return status;
}

/* Most operations of the trials. Convention: a client waits for the answer. No unit. */
static const double MOST_WORK = 3e8;

/* Operations of the trials: each evaluation also solves a system of all unknowns. */
static double trial_work(const Simulation *s)
{
    const double size = (double)(s->motion->n + s->motion->n_rows);

    return EVALUATIONS * (TRIAL_FROM + TRIAL_TO) *
           ((double)program_length(s->motion->rates) + size * size * size);
}

/* Sets *ret to 0 if no estimate is possible: for a boundary problem, a motion that fails at once,
 * or steps too large to try. */
static Status estimate_evaluations(Simulation *s, double *ret, Error *err)
{
    SimulationResult first = {0}, more = {0};

    *ret = 0;
    if (s->boundary || trial_work(s) > MOST_WORK)
        return OK;
    Status status = trial(s, TRIAL_FROM, &first, err);
    if (status == OK)
        status = trial(s, TRIAL_TO, &more, err);
    if (status == OK && (first.end.status == ERR_NO_MEMORY || more.end.status == ERR_NO_MEMORY))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK)
        return status;
    const double way = fabs(more.end.t - first.end.t);
    if (more.end.status == OK)
        *ret = (double)more.steps.evaluations; /* the trial reached the end of the motion */
    else if (more.end.status == ERR_LIMIT && way > 0)
        *ret = (double)more.steps.evaluations +
               (double)(more.steps.evaluations - first.steps.evaluations) *
                   fabs(s->times.end - more.end.t) / way;
    return OK;
}

static AnalysisEstimate estimate_analysis(const Simulation *s, const ChosenAnalysis *chosen,
                                          const SimulationEstimate *run, Arena *arena)
{
    const AnalysisRow *row = chosen->row;
    AnalysisEstimate ret = {.name = row->analysis->name, .reason = row->work};
    CostQuestion question = {.model = s->compiled->model,
                             .params = s->params,
                             .options = chosen->options,
                             .dimension = 2 * s->compiled->model->n - s->start.report.rank,
                             .span = fabs(s->times.end - s->times.t0),
                             .rtol = s->integration.options.rtol,
                             .evaluations = run->evaluations,
                             .operations = fmax(1, (double)run->operations_per_evaluation),
                             .arena = arena};

    /* holonomic constraints remove one more dimension each */
    for (size_t k = 0; k < s->start.report.rank; k++)
        question.dimension -=
            s->compiled->model->constraints[s->start.rows[k]].kind == CONSTRAINT_HOLONOMIC;
    if (row->cost)
        ret.operations = row->cost(&question, &ret.reason);
    if (!(ret.operations > 0 && isfinite(ret.operations)))
        ret.operations = 0;
    ret.more_than_run = ret.operations > run->operations && run->operations > 0;
    return ret;
}

Status simulation_estimate(Simulation *s, Arena *arena, SimulationEstimate *ret, Error *err)
{
    SimulationEstimate estimate = {.operations_per_evaluation = program_length(s->motion->rates)};
    AnalysisEstimate *analyses = ARENA_NEW(arena, s->n_analyses, AnalysisEstimate);

    Status status = estimate_evaluations(s, &estimate.evaluations, err);
    if (status == OK)
        status = arena_status(arena, err);
    if (status != OK)
        return status;
    estimate.operations =
        estimate.evaluations * fmax(1, (double)estimate.operations_per_evaluation);
    for (size_t k = 0; k < s->n_analyses; k++)
        analyses[k] = estimate_analysis(s, &s->analyses[k], &estimate, arena);
    estimate.analyses = analyses;
    estimate.n_analyses = s->n_analyses;
    *ret = estimate;
    return arena_status(arena, err);
}
