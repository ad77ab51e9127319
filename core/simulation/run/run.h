/* Inside core/simulation/: a run under way, and what is said of it at its end. */
#ifndef CORE_SIMULATION_RUN_RUN_H
#define CORE_SIMULATION_RUN_RUN_H

#include "core/integrate/ode.h"
#include "core/motion/eval.h"
#include "core/simulation/prepare/sensitivities.h"
#include "core/simulation/run/corners.h"
#include "core/simulation/run/evidence.h"
#include "core/simulation/run/row_blocks.h"
#include "core/simulation/run/state_samples.h"
#include "core/simulation/simulation.h"

/* What a change of the model's state does. */
typedef struct Change {
    double dq, dv, energy;
} Change;

typedef struct Run {
    Simulation *s;
    const Model *model;
    Lanes *lanes;
    SensitivityRun *sensitivities; /* NULL: none asked for */
    size_t size; /* of the state that is integrated: the motion's, and the sensitivities'; the
                    energy's work comes after it */
    Rows rows;
    Evidence evidence;
    Keep keep; /* for the analyses */
    Jumps jumps;
    double jump_t;       /* the end of the step under way, where they found one; else NAN */
    double *unprojected; /* size + 1: scratch */
    const SimulationSink *sink;
    SimulationResult *result;
    ObservedState state; /* with the arrays below */
    const double *own;   /* the formulation's columns at that state */
    double *block;
    double *q, *v, *kept; /* n, n, n_rows: a state under projection, and its multipliers */
    size_t *found_rows;   /* r: scratch of the rank */
    double *lambda;       /* r */
    double *reaction;     /* n */
    double *transpose;    /* n x r */
    double *bounds;       /* 2 n: smallest and largest coordinates met, for the verdict's states */
    double speed;         /* largest |v| met */
    Change pending;       /* by the projection of the step under way */
    uint64_t steps, events, switches;
    double last_progress;
    double determined_floor; /* where other dependent coordinates are looked for */
    double determined_side;  /* +1 or -1: the drive takes the side crossed to for granted */
    double *guards, *lost;   /* n_guards: scratch; n_events: since when not finite, NAN: never */
    bool some_lost;          /* an event was not finite somewhere on the step under way */
    bool watches_dependent;  /* a guard does: the first equations can lose theirs */
    bool base_kept;          /* though it was time for others */
    Status sink_status;      /* what the sink failed with, apart from what the motion did */
} Run;

/* simulation_run() without comparisons and accuracy. */
Status run_motion(Simulation *simulation, const SimulationSink *sink, SimulationResult *ret_result,
                  Error *err) MUST_CHECK;

/* The run as the integration sees it; guards and names are still to be set. Every step, sample and
 * event is looked at: residuals, evidence, rows to the sink. */
OdeSystem run_system(Run *run);
OdeObserver run_observer(Run *run);
/* The model's coordinates and velocities at a state of the motion; until the next evaluation. */
void run_locate(Run *run, double t, const double *y, const double **ret_q, const double **ret_v);

/* How clients call the way in which a run ended: "numeric", ...; NULL for OK. */
const char *reason_name(Status status);

/* Fills what the outcome of the drive says. */
void report_outcome(Run *run, const OdeOutcome *outcome);
/* The analyses asked for, from the model and from what the run kept. */
Status report_analyses(Run *run, Error *err) MUST_CHECK;

#endif
