#include <math.h>
#include <stdlib.h>

#include "core/base/text.h"
#include "core/invariants/energy.h"
#include "core/run.h"

const char *reason_name(Status status)
{
    switch (status) {
    case OK:
        return NULL;
    case ERR_NUMERIC:
        return "numeric";
    case ERR_LIMIT:
        return "limit";
    case ERR_TIMEOUT:
        return "timeout";
    case ERR_CANCELLED:
        return "cancelled";
    case ERR_INVALID:
    case ERR_NOT_FOUND:
    case ERR_CONFLICT:
    case ERR_BUSY:
    case ERR_NO_MEMORY:
    case ERR_NO_SPACE:
    case ERR_IO:
    case ERR_INTERNAL:
        return "internal";
    }
    return "internal";
}

void report_outcome(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->s;
    SimulationResult *result = run->result;

    result->status = outcome->status;
    result->reason = reason_name(outcome->status);
    result->message = outcome->status == OK ? NULL : arena_strdup(s->arena, outcome->error.message);
    result->complete = outcome->status == OK;
    result->t_reached = outcome->t;
    result->samples = run->rows.counts[0];
    result->accepted = outcome->accepted;
    result->rejected = outcome->rejected;
    result->evaluations = outcome->evaluations;
    result->jacobians = outcome->jacobians;
    result->switches = run->switches;
    result->events = run->events;
    result->method = ode_method_name(s->method);
    result->rtol = s->options.rtol;
    result->atol = s->options.atol;
    result->elimination = elimination_name(s->motion->elimination);
    result->rank = s->report.rank;
    result->redundant = s->report.n_redundant;
    result->redundant_names = s->report.redundant_texts;
    result->seconds_prepare = s->seconds_prepare;
    result->final_q = s->q;
    result->final_v = s->v;
    result->n = run->model->n;
    result->warnings = &s->note;
    result->n_warnings = s->note ? 1 : 0;
}

/* The text of the energy; a long one is named, not written out. */
static const char *energy_text(const Run *run)
{
    enum { LONG = 2000 };
    Text text = TEXT_INIT;
    const char *result = "v.L_v - L";
    size_t n_names;
    char **names = model_print_names(run->model, PRINT_TEXT, &n_names);

    if (names) {
        PrintNames print = {.names = (const char *const *)names, .n = n_names};
        if (expr_print(run->model->pool, run->model->energy, PRINT_TEXT, print, LONG, &text,
                       NULL) == OK &&
            text_ok(&text))
            result = arena_strdup(run->s->arena, text_string(&text));
    }
    free(names);
    text_done(&text);
    return result;
}

Status report_verdicts(Run *run, Error *err)
{
    Simulation *s = run->s;
    SimulationResult *result = run->result;
    const size_t n = run->model->n;
    double *centre = arena_alloc(s->arena, 2 * n, sizeof *centre), *width = centre + n;
    Verdict *verdict = arena_alloc(s->arena, 1, sizeof *verdict);
    if (!centre || !verdict)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < n; i++) {
        centre[i] = (run->bounds[i] + run->bounds[n + i]) / 2;
        width[i] = fmax(run->bounds[n + i] - run->bounds[i], 0.1);
    }
    EnergyQuestion question = {.model = run->model,
                               .eval = s->eval,
                               .power_terms = s->compiled->power_terms,
                               .params = s->params,
                               .rows = s->rows,
                               .n_rows = s->report.rank,
                               .range = {.t_from = s->times.t0,
                                         .t_to = s->times.end,
                                         .centre = centre,
                                         .width = width,
                                         .speed = run->speed > 0 ? run->speed : 1}};
    Status status = energy_predict(&question, s->arena, verdict, err);
    if (status != OK)
        return status;
    /* what a run at this tolerance can tell from a constant */
    double resolution = 1e3 * fmax(s->options.rtol, 1e-14) * (1 + run->evidence.energy_max);
    verdict->expression = energy_text(run);
    verdict->initial = result->energy.initial;
    verdict->final = result->energy.final;
    verdict->max_drift = result->energy.max_drift;
    verdict->conserved = result->energy.max_drift <= resolution;
    result->verdicts = verdict;
    result->n_verdicts = 1;
    return OK;
}
