/* Inside core/run/: a run under way. */
#ifndef CORE_RUN_RUN_STATE_H
#define CORE_RUN_RUN_STATE_H

#include <stddef.h>

#include "core/base/kept_bytes.h"
#include "core/integrate/drive.h"
#include "core/linear/watch.h"
#include "core/model/legendre_watch.h"
#include "core/model/mass_watch.h"
#include "core/motion/eval.h"
#include "core/prepare/corners.h"
#include "core/prepare/simulation.h"
#include "core/run/enclosure.h"
#include "core/run/evidence.h"
#include "core/run/funnel.h"
#include "core/run/method_log.h"
#include "core/run/reduce_state.h"
#include "core/run/sensitivity_run.h"
#include "core/run/singular.h"
#include "core/run/state_samples.h"
#include "core/run/visits.h"

/* What a change of the model's state does. */
typedef StepEndChange Change;

/* What the columns are made of, where the motion is compared: see column_sizes.h. */
typedef struct ColumnSizes {
    double share;       /* of its terms, so much counts of a column */
    double *largest;    /* 2 n: |q|, |v| at samples */
    double *reach;      /* 2 n: by how much they are moved at a look */
    double *y;          /* dim: moved */
    double *state;      /* 2 n: q, v moved */
    double *far, *near; /* n_columns: rows of states moved by all of that, and by a part */
    Random random;
} ColumnSizes;

/* What errors are worth in expressions: see column_digits.h. [n] where no size is said. */
typedef struct DigitsOf {
    Observed *observed;
    bool values;                /* its values, of reductions; else its columns */
    size_t n;                   /* 0: there are none */
    double *here;               /* at the sample */
    double *low, *high, *first; /* at samples */
    double *state, *terms;      /* by how many times as much they change where these are moved */
    double *way;                /* what their parts do along the motion */
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

/* Evidence at samples: see instants.h. */
typedef struct Instants {
    double *held;  /* the row of the last sample: t, evidence_instant(); NULL: nobody asks */
    double *since; /* scratch */
    bool holds;    /* there is one that has not left */
} Instants;

/* What carries the run across singular configurations in (q, v): see smooth.h. */
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

/* What carries the run on where a base or frame that is given does not serve: see stand_in.h. */
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

typedef struct Run {
    Simulation *s;
    const Model *model;
    MotionEval *equations;         /* of stand_in_motion() */
    SensitivityRun *sensitivities; /* NULL: none asked for */
    size_t size;  /* of the state that is integrated: the motion's, and the sensitivities'; the
                     energy's work comes after it */
    Arena memory; /* owns the arrays */
    double *row;  /* n_columns: the next to leave */
    uint64_t n_samples; /* rows of the trajectory that left */
    Evidence evidence;
    Instants instants;
    StateSamples samples; /* for the analyses .. */
    bool states_wait;     /* .. of which it is enough to look at them later: see observe.h */
    Reduce reduce;
    Corners corners;
    Singular singular;
    Funnel funnel;
    Smooth smooth;
    StandIn stand_in;
    ColumnSizes sizes;
    ColumnDigits digits;
    MethodLog methods;
    MassWatch mass;         /* where the equations divide by it, or have done so .. */
    const Motion *dividing; /* .. as this motion does; NULL: they do */
    LegendreWatch legendre; /* where velocities are solved for from momenta */
    double corner_t;        /* the end of the step under way, where they found one; else NAN */
    double *unprojected;    /* size + 1: scratch */
    const SimulationSink *sink;
    SimulationResult result;
    /* what is integrated, and by whom */
    OdeSystem system;
    OdeObserver observer;
    OdeOptions options;
    OdeSpan span;
    bool driven;           /* the drive was started */
    double *y;             /* size + 1: where it starts, and ends */
    double began;          /* by the clock */
    ObservedState state;   /* with the arrays below */
    double *q, *v, *kept;  /* n, n, n_rows: a state under projection, and its multipliers */
    double *lambda;        /* r */
    double *reaction;      /* n */
    double *transpose;     /* n x r */
    double *passage_vdot;  /* n: scratch */
    double *bounds;        /* 2 n: smallest and largest coordinates met, for the verdict's states */
    double *speed_squares; /* n: the largest sum met of squares of the velocities of a kind, at its
                              first coordinate; n: scratch */
    Change pending;        /* by the projection of the step under way */
    uint64_t steps, events, switches;
    double last_progress;
    double determined_floor;  /* where other dependent coordinates are looked for */
    double orientation;       /* of the dependent velocities when they were looked at first */
    double determined_side;   /* +1 or -1: the drive takes the side crossed to for granted */
    double *guards_at_start;  /* n_events: scratch */
    double *guards, *lost;    /* n_guards: scratch; n_events: since when not finite, NAN: never */
    Enclosure enclosure;      /* of the events' guards over the step under way */
    Watch watch;              /* of the step under way */
    Visits visits;            /* of the model's corners */
    bool may_visit, may_pass; /* the step under way: a corner, something narrow */
    double *inside;           /* smooth_widest() + 1: scratch, a state on it */
    double *shaken;           /* dim + 1 of the motion: rates with errors of rounding */
    uint64_t overlooked;      /* fixed steps that have passed a feature .. */
    double overlooked_t;      /* .. and where the first of them begins */
    uint64_t *unsure;         /* n_events: steps in which a root may have been missed .. */
    double *unsure_t;         /* .. and where the first of them begins */
    double *unheeded;         /* n_events: when an impact was first passed backwards; NAN: never */
    bool *at_start; /* n_events: zero at the start, and could act there if it had a direction */
    /* at the end: rounding of the rates over a step, of the state, in units of its own */
    double magnified;
    bool some_lost;         /* an event was not finite somewhere on the step under way */
    bool watches_dependent; /* a guard does: the first equations can lose theirs */
    bool base_kept;         /* though it was time for others */
    Status sink_status;     /* what the sink failed with, apart from what the motion did */
    OdeOutcome outcome;     /* written when the motion begins, as is .. */
    Drive drive;            /* .. what makes its steps */
} Run;
/* Of a run, what there is before its motion begins. */
enum { RUN_BEGINNING = offsetof(Run, outcome) };

/* A run as it was before it had equations and a start, for another one that begins alike: see
 * room.h. */
typedef struct RunImage {
    bool kept;
    const Motion *motion;
    bool tells_evidence;   /* its sink wants that */
    size_t n_rows;         /* of constraints .. */
    bool watches_rank;     /* .. whose rank may be lost */
    KeptBytes run, memory; /* RUN_BEGINNING of it, and what its memory held up to .. */
    ArenaMark mark;        /* .. here */
} RunImage;

/* What the runs of one simulation leave to the next one: memory, and programs with parameters in
 * them. */
typedef struct RunRoom {
    Run run; /* the one under way */
    RunImage image;
    Arena memory;
    DriveRoom drive;
    MotionEval *equations; /* NULL: none */
    StepEndEval end;       /* {0}: none */
    double *params;        /* of both; NULL: none are kept */
    double *shakes;        /* the first factors of run_room_shakes(); NULL: none .. */
    Random shaken;         /* .. and what comes after them */
    /* the point of a motion with operands moved by these, and its outputs and work; NULL: that of
     * none */
    const Motion *moved_motion;
    const Shaken *moved;
    double *moved_out, *moved_work;
    /* sizes and kinds of a state, and whose they are */
    Arena lasting;
    const Motion *motion; /* NULL: none */
    size_t size;
    OdeOptions sizes;
} RunRoom;

#endif
