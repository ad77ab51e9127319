/* A drive: the integration of one motion, with its state between steps, the Lane. (In
 * batched_step.h a lane is a column of a batch; each column has a drive of its own.)
 *
 * The functions lane_..() below are in lane.c (steps), lane_roots.c (steps that end at roots),
 * lane_tell.c (calls of the observer), lane_breaks.c (clocks and events), approach.c (singular
 * instants) and failures.c (reasons to end). */
#ifndef CORE_INTEGRATE_DRIVE_H
#define CORE_INTEGRATE_DRIVE_H

#include "core/integrate/events.h"
#include "core/integrate/history.h"
#include "core/integrate/passage.h"

/* The result of an attempt; LANE_DONE for good. */
typedef enum LaneState {
    LANE_DONE,
    LANE_READY,     /* to attempt a step */
    LANE_REJECTED,  /* its error was too big */
    LANE_CANDIDATE, /* the step can be accepted */
    LANE_BLOCKED,   /* a break was found at the very start of the step */
    LANE_ACCEPTED,
} LaneState;

/* The counters of stiffness.c since the last break. */
typedef struct LaneStiffness {
    bool asked;                  /* it was watched */
    bool watched;                /* the next steps are looked at */
    bool known;                  /* the motion is stiff */
    bool due;                    /* the method for stiff systems takes over after this step */
    unsigned steps, stiff, calm; /* looked at; of these stiff; others since the last of these */
    double since;                /* t where the watch began */
    double ratio;                /* h rho of the last step looked at */
} LaneStiffness;

/* A start, or a break that jumped. */
typedef struct LaneStart {
    bool fresh;     /* the rates and the sides of guards are unknown */
    bool changed;   /* the state is new: sides of guards are taken from it */
    bool unknown_h; /* so is the step size */
    bool guessed;   /* the step is a guess of control_first_step(), and none was accepted since */
} LaneStart;

/* The breaks at the end of a step. */
typedef struct LaneBreaks {
    bool at_end;      /* the step ends at a break .. */
    bool ticked;      /* .. or at the instant of a clock */
    bool jumped;      /* after the last step the motion is not the continuation of the one before */
    double t;         /* of the last break, or of the start */
    size_t guard;     /* that broke last */
    unsigned at_once; /* breaks since t moved on */
} LaneBreaks;

/* A step that is to end at the root of a guard is taken again up to t, until that is 0 there. */
typedef struct LaneAim {
    bool active;
    double t;
    size_t guard;
    int direction;    /* of the crossing, along the integration */
    unsigned targets; /* roots aimed at in this step */
    unsigned tries;   /* at this root; the last ended at missed_t with this value of the guard */
    double missed_t, missed_value;
} LaneAim;

/* Rejections in a row, and the last of them: they tell an error that does not shrink with h. */
typedef struct LaneRejected {
    unsigned n;
    double h, error;
    bool noisy; /* rounding seems to make the error */
    bool lucky; /* one of them was for an error that had fallen too fast to be believed */
} LaneRejected;

/* A singular instant ahead. */
typedef struct LaneSingular {
    bool suspect;        /* it may be in the step or soon after */
    bool approaching;    /* the step ends half way to it */
    bool prepared;       /* a passage is ready to begin at the end of the step */
    bool passing;        /* a passage is under way */
    unsigned approaches; /* without a passage */
    double usual_h;      /* the step before the first of them */
    double failed;       /* the way to the instant at the last failed passage; INFINITY: none */
} LaneSingular;

/* Progress is checked when this many steps were attempted; t and breaks at the last check. */
typedef struct LaneStuck {
    uint64_t steps, breaks;
    double t;
} LaneStuck;

/* A step of length h had too many roots, up to t; 0: none. */
typedef struct LaneCrowd {
    double h, t;
} LaneCrowd;

typedef struct Lane {
    LaneState state;
    const OdeSpan *span;
    OdeOutcome *outcome;
    double direction; /* +1 or -1 */
    double h;         /* the step the method proposes; t_new of the one attempted now */
    double t_new;
    bool cut;      /* the step is the rest of one that passed something: no stop stretches it */
    double most;   /* the step after the next one is no longer; 0: as the method says */
    double stop;   /* the next instant at which a step ends: a clock's, or the end */
    size_t sample; /* the next one, at sample_t; sample_t is infinite when there is none */
    double sample_t;
    size_t n_roots;   /* in this step */
    bool unprojected; /* the end of the step is beyond a switch */
    bool may_pass;    /* something may be between the ends of the step */
    double last_h;    /* of the last step accepted */
    bool short_step;  /* and its error was too big at first */
    LaneStart start;
    LaneBreaks breaks;
    LaneAim aim;
    LaneRejected rejected;
    LaneSingular singular;
    LaneStuck stuck;
    LaneCrowd crowd;
    LaneStiffness stiffness;
} Lane;

typedef struct Drive {
    const OdeMethod *method; /* `usual`, or that of a passage for as long as it lasts */
    const OdeMethod *usual;
    void *usual_work;
    const OdeMethod *first;        /* that of the task; `usual` is another one on stiff stretches */
    void *first_work, *stiff_work; /* stiff_work: its own memory; NULL: it was not asked for */
    uint64_t accepted_before, rejected_before; /* when `usual` became another one than `first` */
    Passage passage;                           /* if the system has singular instants */
    History history;                           /* with it */
    const OdeOptions *options;
    const OdeObserver *observer;
    OdeStep step;
    Guards guards;
    Lane lane;
    double *state; /* [rows] scratch */
    double *place; /* [1 + dim]: for rates of systems without a place of their own */
    void *memory;  /* all arrays */
    struct DriveWorkspace *workspace; /* whose memory that is; NULL: its own, to be freed with it */
} Drive;

/* Memory that drives take one after the other, never two at a time. {0} at first. */
typedef struct DriveWorkspace {
    void *memory;
    size_t size;
    unsigned interval, left; /* of the pulse of the drive before; 0: there was none */
} DriveWorkspace;
void drive_workspace_done(DriveWorkspace *workspace);

/* ode_drive() in pieces: started, then stepped while it is running, and finished once started. */
Status drive_start(Drive *drive, const OdeTask *task, const double *y, Error *err) MUST_CHECK;
bool drive_running(const Drive *drive);
void drive_step(Drive *drive);
/* Steps until the motion has ended. */
void drive_run(Drive *drive);
void drive_finish(Drive *drive, double *ret_y);

/* A step in pieces, for those who attempt the steps of several drives together (batched_step.c). If
 * one returns false, except drive_judge(), drive_look() and drive_settle(), the pulse has stopped
 * the drive. */

/* 0. At a start: the rates and the first step; a part of 1. */
bool drive_begin(Drive *drive);
/* 1. A ready lane chooses its step: step.active. */
bool drive_propose(Drive *drive);
/* 2. The attempt is judged and projected. True: it is a candidate, and the rates at
 * step.scratch.times, step.y_new are to be evaluated into step.rates_new, and checked. */
bool drive_judge(Drive *drive);
bool drive_evaluate_end(Drive *drive);
void drive_check_end(Drive *drive);
/* 3. True: the dense output is to be made. */
bool drive_look(Drive *drive);
bool drive_make_dense(Drive *drive);
/* 4. The step is reported and accepted, or is to be taken again. True: an accepted step went on
 * from y_new, rates_new and carry_new as they were when the rates there were evaluated, and any
 * other starts at its old place. */
bool drive_settle(Drive *drive);

/* `ulps` units of rounding of t, at the ends of the step. */
double lane_rounding(const Drive *drive, double ulps);

/* Watches the next steps of the lane for stiffness. True: for the first time since a break. */
bool stiffness_watch(Drive *drive);
/* A step of the lane is accepted; its attempt is still in the work of the method. */
void stiffness_see_step(Drive *drive);
/* Between two steps: the method for stiff systems takes over if due. A failure ends the lane. */
void stiffness_exchange_method(Drive *drive);
/* The lane has passed a break. `restart`: with another state or other rates. */
void stiffness_pass_break(Drive *drive, bool restart);
/* The end: counts the steps of the method for stiff systems, and frees its memory. */
void stiffness_end(Drive *drive);

/* A length of step, at most OdeOptions.max_step. */
double lane_bounded(const Drive *drive, double h);

/* One lane ends; the message is put together from the cause and where it is. */
void lane_fail(Drive *drive, Status status, const char *cause);
void lane_fail_stuck(Drive *drive, double way);
void lane_fail_chattering(Drive *drive, const char *how);
void lane_underflow(Drive *drive);
void lane_not_finite_at_start(Drive *drive);

void lane_fail_singular(Drive *drive);

/* With the rates at the end of a step known: may a singular instant be near? */
bool lane_suspects(Drive *drive);
/* Looks for it: true where the step is to be taken again, half way to it. */
bool lane_approach(Drive *drive);
/* After an accepted step: remembers it, and prepares a passage where one is due. `restart`: the
 * state or the rates have jumped, in smooth variables too. */
void lane_look_ahead(Drive *drive, bool restart);
/* A passage that was not found: half of the way to its middle is left to the usual method. */
void lane_give_up_passage(Drive *drive);
/* After an accepted step: begins the passage that is prepared, or ends one that is through. */
void lane_change_method(Drive *drive, bool restart);

void lane_next_stop(Drive *drive);

/* Tells the start and the samples there. */
void lane_start(Drive *drive);

/* Chooses the end of the next step and sets step->h. */
void lane_choose_step(Drive *drive);

/* After an attempt: rejects, or projects the new state and makes the lane a candidate. */
void lane_judge(Drive *drive);
void lane_reject(Drive *drive);

/* With the rates at the new state known: looks at the guards. Either the step is to be taken again,
 * or the result is whether the dense output is needed. */
bool lane_look(Drive *drive);

/* Finds roots; the step is taken again, to a root, or its events and samples are told, and it is
 * accepted. */
void lane_settle(Drive *drive);

/* Once the accepted states are the current ones: tells the step, fires breaks, ends the lane. */
void lane_finish(Drive *drive);

#endif
