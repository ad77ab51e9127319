/* Inside core/prepare/: a job that was checked. Other layers use core/simulate.h. */
#ifndef CORE_PREPARE_SIMULATION_H
#define CORE_PREPARE_SIMULATION_H

#include "core/base/clock.h"
#include "core/integrate/methods.h"
#include "core/motion/chart/eval.h"
#include "core/prepare/chosen_analyses.h"
#include "core/prepare/compiled.h"
#include "core/prepare/observed.h"
#include "core/prepare/reduction.h"
#include "core/prepare/sample_times.h"

/* The ends of a least-action problem, and where its solution is looked for. */
typedef struct Boundary {
    double t0, t1;
    size_t n;                  /* coordinates that are shot in: the model's, or the chart's */
    const double *start, *end; /* n */
    double *guesses;           /* [n_guesses][n] velocities at t0 */
    size_t n_guesses;
    ChartEval *chart;   /* where the ends are in it; else NULL */
    const double *q[2]; /* the ends in the coordinates of the model */
} Boundary;

/* The numbers that the columns are differentiated by. */
typedef struct Sensitivities {
    size_t m; /* paths */
    const char **paths;
    size_t n_parameters;
    size_t *parameters; /* those among the paths */
    double *dp;         /* [n_parameters][m]: 1 in a parameter's own columns */
    double *start; /* [2 n][m]: of the initial state; before that is known, of what was given */
} Sensitivities;

/* Names of the columns of a result. */
typedef struct ColumnNames {
    const Motion *of; /* NULL: unknown, after mistakes */
    const char **names;
    size_t n, n_sensitivities; /* the last ones */
} ColumnNames;

/* At the last start, for this class: the next one may have it, too. */
typedef struct ChosenMotion {
    const Motion *motion; /* NULL: none */
    MotionClass class;
} ChosenMotion;

/* The consistent initial state, and how it was found. */
typedef struct SimulationStart {
    double *q, *v;           /* n each */
    const char *const *held; /* n: see InitialState; NULL: none */
    size_t *rows;            /* report.rank: the independent constraints */
    const size_t *dependent; /* report.rank: see MotionOptions */
    const char *note;        /* likewise */
    double *multipliers; /* report.rank: initial data of formulations that keep them; else NULL */
    double *guess;       /* motion->dim: near the state at the start; NULL: zeros */
    double *chart;       /* 2 chart.n: the initial state as given in the model's chart; else NULL */
    InitialReport report;
    const Value
        *equilibrium;    /* a record of the one that the motion starts from or beside; else NULL */
    const Value *change; /* a record: how far values of the job were moved; NULL of a brief one */
} SimulationStart;

typedef struct Integration {
    const OdeMethod *method;
    OdeOptions options;       /* guards, sizes of the state are set by the run */
    double *nominal;          /* 2 n: sizes of coordinates, velocities */
    bool *sized;              /* 2 n: the job gives the size */
    bool absolute;            /* no size comes from the motion */
    const char **state_names; /* 3 n: what these are called, and momenta */
    bool projection;
    uint64_t max_event_rows;
} Integration;

/* Columns of the result and of its event tables. */
typedef struct SimulationColumns {
    ColumnNames first; /* of the motion that it was made with, before the mark */
    size_t n;
    const char **names;        /* n */
    const Motion *of;          /* whose they are: a run may go on in others */
    struct ColumnUnits *units; /* NULL: those of the model are not known */
    const char **tables;       /* n_events */
    size_t n_sensitivities;    /* the last ones */
} SimulationColumns;

/* The same motion computed again, and what it is compared by. */
typedef struct SecondMotions {
    Simulation **others; /* n_others: in the formulations to compare with */
    size_t n_others;
    Simulation *finer; /* at tighter tolerance, for the accuracy; else NULL */
    double *terms; /* n columns: what the terms of a column are worth that the motion is compared
                          by, but of sensitivities; set by the run; NULL: it is not compared */
    double event_step; /* length of the step of the event that was told last; set by the run */
} SecondMotions;

struct Simulation {
    Compiled *compiled;
    const Motion *motion; /* of compiled */
    ChosenMotion chosen;
    Arena *arena;       /* names and every text of the result */
    ArenaMark document; /* in it, what is kept of the job when its numbers change */
    ModelEval *eval;
    Observed *observed;
    double *params; /* n_params */
    SimulationStart start;
    Boundary *boundary; /* of a least-action problem; else NULL */
    SampleTimes times;
    Integration integration;
    SimulationColumns columns;
    bool brief; /* condition numbers and seconds are not asked for */
    size_t n_observe, n_events;
    EventSpec *events; /* n_events; only name, direction, terminal, n_set */
    ChosenAnalysis *analyses;
    size_t n_analyses;
    SecondMotions second;
    Reductions *reductions;       /* NULL: none asked for */
    Sensitivities *sensitivities; /* NULL: none asked for */
    const Value *choices; /* see choices_list(); NULL of a brief one, of which nobody asks */
    double seconds_prepare;
    struct RunWorkspace *workspace; /* of one that is run again and again; else NULL */
};

/* For the seconds that a simulation tells; 0 where nobody asks. */
static inline double simulation_clock(const Simulation *s)
{
    return s->brief ? 0 : clock_seconds();
}

/* What formulations are asked at a state (q, v) of the simulation; all borrowed. */
static inline MotionQuestion simulation_question(const Simulation *s, double t, const double *q,
                                                 const double *v, const MotionOptions *options)
{
    return (MotionQuestion){.model = s->compiled->model,
                            .eval = s->eval,
                            .params = s->params,
                            .t = t,
                            .q = q,
                            .v = v,
                            .options = options};
}

/* Over whose motions the job's expressions are: the formulation's, then the motion's once it is
 * known. */
static inline ObservedOf simulation_observed_of(const Simulation *s)
{
    return (ObservedOf){s->compiled->model, s->compiled->formulation, s->motion, s->params};
}

#endif
