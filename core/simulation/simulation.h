/* Inside core/simulation/: a job that was checked. Other layers use core/simulate.h. */
#ifndef CORE_SIMULATION_SIMULATION_H
#define CORE_SIMULATION_SIMULATION_H

#include "core/integrate/methods.h"
#include "core/simulation/compiled.h"
#include "core/simulation/prepare/observed.h"
#include "core/simulation/prepare/sample_times.h"

struct Simulation {
    Compiled *compiled;
    const Motion *motion; /* of compiled */
    Arena *arena;         /* names and every text of the result */
    ModelEval *eval;
    Observed *observed;
    double *params;          /* n_params */
    double *q, *v;           /* n each: the consistent initial state */
    size_t *rows;            /* report.rank: the independent constraints */
    const size_t *dependent; /* report.rank: see MotionOptions */
    const char *note;        /* likewise */
    double *multipliers; /* report.rank: initial data of formulations that keep them; else NULL */
    double *guess;       /* motion->dim: near the state at the start; NULL: zeros */
    double *chart;       /* 2 model->chart.n: the initial state as given in the chart; else NULL */
    InitialReport report;
    struct Boundary *boundary; /* of a least-action problem; else NULL */
    Times times;
    const OdeMethod *method;
    OdeOptions options; /* guards are set by the run */
    bool projection;
    uint64_t max_event_rows;
    size_t n_observe, n_events, n_columns;
    const char **columns; /* n_columns */
    const char **tables;  /* n_events */
    struct ChosenAnalysis *analyses;
    size_t n_analyses;
    EventSpec *events;   /* n_events; only name, direction, terminal, n_set */
    Simulation **others; /* n_others: the same motion in the formulations to compare with */
    size_t n_others;
    struct Sensitivities *sensitivities; /* NULL: none asked for */
    size_t n_sensitivities;              /* columns of the result, the last ones */
    Simulation *finer; /* the same job at tighter tolerance, for its accuracy; else NULL */
    double seconds_prepare;
};

/* simulation_new() without the formulations to compare with. */
Status simulation_new_one(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                          Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;

/* Relative errors of a result up to which it is believed: rounding and a method of the tolerance
 * asked for leave less, on motions that are not chaotic. So many tolerances, and at least 1e-5. */
static const double RESULT_TOLERANCES = 1e3;
double result_believable(const Simulation *simulation);
/* Adds a warning to the result; the text lives in the simulation's arena, NULL is ignored. */
void result_warn(const Simulation *simulation, SimulationResult *result, const char *text);

#endif
