/* Inside core/prepare/: a job that was checked. Other layers use core/simulate.h. */
#ifndef CORE_PREPARE_SIMULATION_H
#define CORE_PREPARE_SIMULATION_H

#include "core/base/clock.h"
#include "core/integrate/methods.h"
#include "core/motion/chart/eval.h"
#include "core/prepare/chosen_analyses.h"
#include "core/prepare/compiled.h"
#include "core/prepare/observed.h"
#include "core/prepare/sample_times.h"

/* The ends of a least-action problem, and the guesses of its solution. */
typedef struct Boundary {
    double t0, t1;
    size_t n;                  /* coordinates of the shooting: the model's, or the chart's */
    const double *start, *end; /* n */
    double *guesses;           /* [n_guesses][n] velocities at t0 */
    size_t n_guesses;
    ChartEval *chart;   /* the chart of the ends; NULL: the model's coordinates */
    const double *q[2]; /* the ends in the coordinates of the model */
} Boundary;

/* The numbers that the columns are differentiated by. */
typedef struct Sensitivities {
    size_t m; /* paths */
    const char **paths;
    size_t n_parameters;
    size_t *parameters; /* indices of the parameters among the paths */
    double *dp;         /* [n_parameters][m]: 1 in a parameter's own columns */
    double *start;      /* [2 n][m]: derivatives of the initial state by the paths; at first, of the
                           given values */
} Sensitivities;

/* A number to which a motion is reduced. */
typedef struct Reduction {
    const char *name;
    ReduceTake take;
    bool has_expr;         /* its value is an expression */
    size_t expr;           /* index of the expression in `along` or `at`; of a label: its first
                              condition */
    size_t event;          /* event whose row it is, or whose rows are counted */
    uint64_t nth;          /* from 1 */
    const double *numbers; /* n_cases: of labels */
    size_t n_cases;
    double otherwise;
    const char *path; /* of a finding */
} Reduction;

/* Expressions as in observed_values_new(). */
typedef struct Reductions {
    size_t n;
    Reduction *items;
    Observed *along,
        *at; /* expressions evaluated along the motion, and at single instants; NULL: none */
    size_t n_along, n_at;
    bool drifts; /* some of `at` are needed after every step */
} Reductions;

/* Whether it is computed along the motion: min, max, mean and rms are. */
static inline bool reduction_is_along(ReduceTake take)
{
    return take == REDUCE_MIN || take == REDUCE_MAX || take == REDUCE_MEAN || take == REDUCE_RMS;
}

/* Names of the columns of a result. */
typedef struct ColumnNames {
    const Motion *of; /* NULL: unknown, after mistakes */
    const char **names;
    size_t n, n_sensitivities; /* the last ones */
} ColumnNames;

/* The equations of the last start and their class; the next start may use them, too. */
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
    const char *note;        /* see MotionOptions.note */
    double *multipliers; /* report.rank: initial data of formulations that keep them; else NULL */
    double *guess;       /* motion->dim: a guess of the state at the start; NULL: zeros */
    double *chart;       /* 2 chart.n: the initial state as given in the model's chart; else NULL */
    InitialReport report;
    const Value *equilibrium; /* a record of the equilibrium at or near the start; else NULL */
    const Value *change; /* a record: distances by which given values were moved; NULL if brief */
} SimulationStart;

typedef struct Integration {
    const OdeMethod *method;
    OdeOptions options;       /* guards, sizes of the state are set by the run */
    double *nominal;          /* 2 n: sizes of coordinates, velocities */
    bool *sized;              /* 2 n: the job gives the size */
    bool absolute;            /* no size comes from the motion */
    const char **state_names; /* 3 n: names of coordinates, velocities and momenta */
    bool projection;
    uint64_t max_event_rows;
} Integration;

/* Columns of the result and of its event tables. */
typedef struct SimulationColumns {
    ColumnNames first; /* of the first motion, in the arena before Simulation.document */
    size_t n;
    const char **names;        /* n */
    const Motion *of;          /* the motion of these columns: a run may continue in another */
    struct ColumnUnits *units; /* NULL: the model has no units */
    const char **tables;       /* n_events */
    size_t n_sensitivities;    /* the last ones */
} SimulationColumns;

/* Repetitions of the same motion for comparison. */
typedef struct SecondMotions {
    Simulation **others; /* n_others: in the formulations to compare with */
    size_t n_others;
    Simulation *finer; /* at tighter tolerance, for the accuracy; else NULL */
    double *terms; /* n columns: the size of the terms of each column, except sensitivities, for the
                      comparison; set by the run; NULL: no comparison */
    double event_step; /* length of the step of the last event; set by the run */
} SecondMotions;

struct Simulation {
    Compiled *compiled;
    const Motion *motion; /* of compiled */
    ChosenMotion chosen;
    Arena *arena;       /* names and every text of the result */
    ArenaMark document; /* mark behind the parts that stay when the job's numbers change */
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
    const Value *choices;         /* see choices_list(); NULL if brief */
    double seconds_prepare;
    struct RunWorkspace *workspace; /* of a simulation that is run repeatedly; else NULL */
};

/* For the reported seconds; 0 if they are not needed. */
static inline double simulation_clock(const Simulation *s)
{
    return s->brief ? 0 : clock_seconds();
}

/* The question to formulations at a state (q, v) of the simulation; all borrowed. */
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

/* The motions of the job's expressions: those of the formulation, then the chosen motion. */
static inline ObservedOf simulation_observed_of(const Simulation *s)
{
    return (ObservedOf){s->compiled->model, s->compiled->formulation, s->motion, s->params};
}

#endif
