/* Inside core/run/: a run under way. */
#ifndef CORE_RUN_STATE_RUN_STATE_H
#define CORE_RUN_STATE_RUN_STATE_H

#include "core/integrate/drive.h"
#include "core/linear/watch.h"
#include "core/model/legendre_watch.h"
#include "core/model/mass_watch.h"
#include "core/motion/eval.h"
#include "core/prepare/corners.h"
#include "core/prepare/simulation.h"
#include "core/run/parts/collapse.h"
#include "core/run/parts/corner_checks.h"
#include "core/run/parts/enclosure.h"
#include "core/run/parts/evidence.h"
#include "core/run/parts/reduce_state.h"
#include "core/run/parts/result.h"
#include "core/run/parts/sensitivity_run.h"
#include "core/run/parts/singular.h"
#include "core/run/parts/state_samples.h"

/* The sizes of columns for comparisons of motions: see column_sizes.h. */
typedef struct ColumnSizes {
    double share;       /* fraction of its terms that counts as the size of a column */
    double *largest;    /* 2 n: |q|, |v| at samples */
    double *reach;      /* 2 n: by how much they are moved at a look */
    double *y;          /* dim: moved */
    double *state;      /* 2 n: q, v moved */
    double *far, *near; /* n_columns: rows of states moved by all of that, and by a part */
    Random random;
} ColumnSizes;

/* Error bounds of expressions: see column_digits.h. Arrays without a size are [n]. */
typedef struct DigitsOf {
    Observed *observed;
    bool values;                /* its values, of reductions; else its columns */
    size_t n;                   /* 0: there are none */
    double *here;               /* at the sample */
    double *low, *high, *first; /* at samples */
    double *state, *terms;      /* by how many times as much they change where these are moved */
    double *way;                /* the change of their parts along the motion */
    double *moved, *others;     /* scratch */
    Random random;
} DigitsOf;

enum { DIGITS_COLUMNS, DIGITS_ALONG, DIGITS_AT, N_DIGITS };

typedef struct ColumnDigits {
    DigitsOf of[N_DIGITS];
    double *moved;     /* 3 n + r: q, v, vdot, lambda */
    double *from, *to; /* 2 n: where q, v have been */
    bool seen, looks;  /* a sample; one that was looked at */
} ColumnDigits;

/* Evidence at samples: see tell/rows.h. */
typedef struct Instants {
    double *held;  /* the row of the last sample: t, evidence_instant(); NULL: not asked for */
    double *since; /* scratch */
    bool holds;    /* there is one that has not left */
} Instants;

/* The run across singular configurations in (q, v): see smooth.h. */
typedef struct Smooth {
    bool wanted;
    OdeSmooth variables;
    const Motion *motion;  /* of multipliers; with .. */
    MotionEval *equations; /* NULL before the first passage */
    double *z;             /* 2 n + 1: a state inside a passage */
    double *seen;          /* 2 n: q, v of the state looked at */
    double *largest;       /* 2 n: scratch */
    double *shaken;        /* rates with errors of rounding */
} Smooth;

/* Equations in place of a given base or frame that does not serve: see stand_in.h. */
typedef struct StandIn {
    const Motion *motion; /* of other equations in place of the given ones; NULL: these serve */
    MotionEval *given;    /* these, meanwhile */
    double floor;         /* how well they have to determine the velocities */
    double inertia;       /* of their fields at the start; 0: not known yet */
    double distance;      /* of the constraints from losing rank, at the start */
    double *y;            /* dim: scratch, a state of theirs */
    double *own;          /* n_own: the formulation's columns */
    uint64_t count;       /* how often others have stood in, .. */
    double first;         /* .. since when for the first time */
} StandIn;

/* The choice of dependent coordinates: see change_base.h. */
typedef struct BaseWatch {
    double floor;       /* quality below which others are looked for */
    double orientation; /* of the dependent velocities when they were looked at first */
    double side;        /* +1 or -1: the drive takes the side crossed to for granted */
    bool kept;          /* though it was time for others */
} BaseWatch;

/* The equations that are integrated, and those that may replace them. */
typedef struct RunEquations {
    MotionEval *eval;              /* of stand_in_motion() */
    SensitivityRun *sensitivities; /* NULL: none asked for */
    MassWatch mass;                /* the watch over M, if the equations divide by it, or have done
                                    * so .. */
    const Motion *dividing;        /* .. as this motion does; NULL: they do */
    BaseWatch base;
    bool watches_dependent; /* a guard does: the first equations can lose theirs */
    StandIn stand_in;
    Smooth smooth;
} RunEquations;

/* The motion of a run: its equations, and the state that is looked at. */
typedef struct MotionState {
    RunEquations eq;
    Singular singular;     /* where the constraints lose rank on the way */
    double corner_t;       /* end of the step under way if a corner of the constraints is there, and
                              the state is not projected; else NAN */
    ObservedState state;   /* looked at last, with the arrays below */
    double *y;             /* size + 1: where the integration starts, and ends */
    double *q, *v, *kept;  /* n, n, n_rows: a state under projection, and its multipliers */
    double *lambda;        /* r */
    double *reaction;      /* n */
    double *transpose;     /* n x r */
    double *passage_vdot;  /* n: scratch */
    double *scratch;       /* size + 1 */
    double *inside;        /* smooth_widest() + 1: scratch, a state inside a step */
    double *shaken;        /* dim + 1 of the motion: rates with errors of rounding */
    double *bounds;        /* 2 n: smallest and largest coordinates met, for the verdict's states */
    double *speed_squares; /* n: the largest sum met of squares of the velocities of a kind, at its
                              first coordinate; n: scratch */
    Simulation *s;         /* this and the members below last */
    const Model *model;
    size_t size; /* of the state that is integrated: the motion's, and the sensitivities'; the
                    energy's work comes after it */
} MotionState;

/* Events that may go unseen. */
typedef struct EventWatch {
    double *guards;          /* n_guards: scratch */
    double *guards_at_start; /* n_events: scratch */
    double *lost;            /* n_events: since when not finite, NAN: never */
    bool some_lost;          /* an event was not finite somewhere on the step under way */
    uint64_t *unsure;        /* n_events: steps in which a root may have been missed .. */
    double *unsure_t;        /* .. and the start of the first of these steps */
    double *unheeded;        /* n_events: when an impact was first passed backwards; NAN: never */
    bool *at_start; /* n_events: zero at the start, and could act there if it had a direction */
} EventWatch;

/* The watchers that this run needs, listed by the functions that they have: see watchers.h. */
typedef struct Watcher Watcher;
enum { N_WATCHERS = 16 };
typedef struct Watchers {
    const Watcher *step[N_WATCHERS], *sample[N_WATCHERS], *busy[N_WATCHERS];
    size_t n_step, n_sample, n_busy;
    bool alone; /* one of them keeps the run off the fast path */
} Watchers;

/* The watches over the steps. */
typedef struct Watches {
    StepCollapse collapse;
    LegendreWatch legendre; /* if velocities are solved for from momenta */
    Corners corners;
    bool may_cross_twice; /* the step under way: a corner .. */
    bool may_pass;        /* .. something narrow */
    uint64_t overlooked;  /* fixed steps that have passed a feature .. */
    double overlooked_t;  /* .. and where the first of them begins */
    EventWatch events;
    Enclosure enclosure; /* of the events' guards over the step under way; this and the members
                            below last */
    Watch features;      /* of the step under way */
    CornerChecks corner_checks; /* of the model's corners */
    Watchers list;              /* made anew when a motion begins */
} Watches;

/* How right the motion is. */
typedef struct RunEvidence {
    Evidence motion; /* its constraints and its energy */
    Instants instants;
    ColumnSizes sizes;
    ColumnDigits digits;
    double magnified; /* at the end: rounding of the rates over a step, of the state, in units of
                         its own */
} RunEvidence;

/* The rows and reports that leave the run. */
typedef struct RunRows {
    const SimulationSink *sink;
    Status sink_status;  /* status of the sink, apart from that of the motion */
    double *row;         /* n_columns: the next to leave */
    uint64_t n;          /* rows of the trajectory that left */
    StateSamples states; /* for the analyses */
    Reduce reduce;       /* its last member lasts */
} RunRows;

/* The progress of the integration, and its inputs. */
typedef struct Progress {
    uint64_t steps, events, switches;
    StepEndChange pending; /* by the projection of the step under way */
    MethodLog methods;
    double began;     /* by the clock */
    double told_at;   /* by the clock: the last report to the sink */
    bool driven;      /* the drive was started */
    OdeSystem system; /* this and the members below last, or are set anew */
    OdeObserver observer;
    OdeOptions options;
    OdeSpan span;
} Progress;

typedef struct Run {
    Arena lasting; /* arrays that the next run in the same room uses, too: see run_init() .. */
    Arena memory;  /* .. and those of this run alone */
    MotionState at;
    Watches watch;
    RunEvidence evidence;
    RunRows rows;
    Progress progress;
    SimulationResult result;
    OdeOutcome outcome;
    Drive drive;
} Run;

/* The parts that the runs of one simulation leave to the next one: memory, and programs with
 * parameters in them. */
typedef struct RunWorkspace {
    Run run;                 /* the one under way, or the last one, with its arrays */
    const Motion *begun_for; /* the motion of the lasting parts; NULL: nothing lasts */
    DriveWorkspace drive;
    MotionEval *equations; /* NULL: none */
    StepEndEval end;       /* {0}: none */
    double *params;        /* of both; NULL: none are kept */
    double *shakes;        /* the first random factors of cancellation.c; NULL: none .. */
    Random shaken;         /* .. and the generator behind them */
} RunWorkspace;

#endif
