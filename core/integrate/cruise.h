/* Lanes of a lockstep that cruise: nothing happens to them but steps, which are accepted. Their
 * course, all that their drives and runs count and remember from step to step, lies in rows of
 * lanes, and a step changes it for all of them at once, in the order of one lane alone: the same
 * bits.
 *
 * Samples inside a step are told to the run itself, by the dense output of all lanes, before the
 * step is accepted.
 *
 * A lane goes out of the cruise before anything else happens: before a step that ends at a stop,
 * or may be the last one, or ends at a sample, or is not accepted as it is, or needs a closer
 * look. Then its drive and its run have the values of a run alone, and it makes its step by
 * itself. */
#ifndef CORE_INTEGRATE_CRUISE_H
#define CORE_INTEGRATE_CRUISE_H

#include "core/integrate/drive.h"

/* A step of the lanes that cruise, [row][lane]. masks: -1 in lanes that do, else 0. */
typedef struct CruiseStep {
    const double *t, *t_new, *h; /* its start, end and length */
    const double *y, *y_new;     /* dim + extra rows: the states there */
    double *horizon,
        *margin; /* see OdeSystem.horizon: written by judge() where there are singular instants */
    const int64_t *looks;    /* -1 in lanes that look so far ahead: they know enough states */
    const OdeStep *all;      /* the same, for .. */
    const OdeMethod *method; /* .. dense_row() and dense_reach(), in look_inside() */
} CruiseStep;

/* The work of runs on the steps of their lanes. No function changes a lane that is not in its
 * masks. */
typedef struct CruiseRuns {
    void *self;
    /* Beside steps nothing happens in this lane that the others do not know: its course goes
     * into the rows. */
    bool (*enter)(void *self, size_t lane);
    /* And comes back; y: where its drive is. */
    void (*leave)(void *self, size_t lane, double t, const double *y);
    /* The ends y, whose corrections were evaluated, are put onto the constraints. Lanes where
     * that is not done at once go out of the masks, and their y stays as it was. */
    void (*correct)(void *self, double *y, int64_t *masks);
    /* Lanes to which something may happen in this step, or at its end, go out of the masks.
     * Changes nothing else. */
    void (*judge)(void *self, const CruiseStep *step, int64_t *masks);
    /* The same, of what is between the ends: the dense output is ready. NULL: nothing is looked
     * for there; else each step that is made alone has its dense output made, too, and one that
     * a sample lies in is. */
    void (*look_inside)(void *self, const CruiseStep *step, int64_t *masks);
    /* Before samples are told to the run of this lane, its values come back from the rows, and go
     * there again behind the last one. */
    void (*open)(void *self, size_t lane);
    void (*close)(void *self, size_t lane);
    /* A state inside the step is put onto the constraints; false where that is not done at once:
     * it stays as it was. */
    bool (*project)(void *self, size_t lane, double t, double *y);
    /* Samples were told in these lanes, and all that is known of the ends of their steps is to
     * be looked at anew. Lanes that cannot go on in the cruise go out of the masks. */
    void (*told)(void *self, const CruiseStep *step, int64_t *masks);
    /* The same of a lane that is out by now, and has its end put onto the constraints again. */
    void (*forget)(void *self, size_t lane);
    /* The step is accepted. The findings inside a step in which the lane has ended at a sample are
     * not asked for. */
    void (*take)(void *self, const CruiseStep *step, const int64_t *masks);
} CruiseRuns;

/* How sizes are made of states, of all lanes. */
typedef struct CruiseSizes {
    bool known;
    bool given; /* for all components */
    bool noise; /* rounding of the rates is measured */
} CruiseSizes;

/* Rows of lanes of what a Lane has. */
typedef struct CruiseCourse {
    double *h, *t_new,
        *h_new; /* the step the method proposes; the one to make: its end and length */
    double *stop, *sample_t, *direction, *longest, *paced_h;
    double *limit;              /* of the length of a step; infinite: none */
    double *root, *least;       /* Control.last and .least */
    double *next_h, *next_root; /* of the step after this one, if it is accepted */
    double *horizon, *margin;   /* see CruiseStep */
    double *rejected_h, *rejected_error;
    int64_t *accepted, *rejected, *most; /* steps; how many of both the lane may make */
    int64_t *rejections;                 /* in a row */
    int64_t *slowed;                     /* Control.after_rejection, as a mask */
    int64_t *paced_steps;                /* OdeStep.paced_steps */
} CruiseCourse;

/* Of the last states, [HISTORY_STATES][rows][lanes] and without rows; `newest` is where the last
 * step was put. */
typedef struct CruiseHistory {
    bool kept;
    size_t newest;
    double *t, *y, *rates;
    int64_t *n;     /* [lanes]: the number of states known */
    int64_t *looks; /* [lanes]: -1 where they will be enough to look ahead, with this step's */
} CruiseHistory;

typedef struct Cruise {
    const CruiseRuns *runs; /* NULL: no lane cruises */
    OdeStep *step;          /* of all lanes */
    const struct CruiseKernel *kernel;
    const OdeMethod *method;
    unsigned order; /* of the errors of steps */
    size_t n;       /* lanes that cruise */
    Drive **drives; /* [lanes]; NULL: not this one */
    CruiseSizes sizes;
    CruiseCourse course;
    CruiseHistory history;
    double *attempted; /* [rows][lanes]: ends before their correction */
    uint64_t *counted; /* [lanes]: evaluations when it began */
    int64_t *masks, *left;
    int64_t *told;    /* -1 in lanes to which samples of this step were told */
    int64_t *sampled; /* scratch */
    int64_t *going;   /* -1 in lanes that cruise and whose step is not rejected */
    bool *wanted;     /* [lanes] scratch */
    /* evaluations of a lane that its dense output took in this step; 0: it is not made */
    uint64_t dense;
    void *memory;
} Cruise;

/* Borrows runs and step; lanes % BLOCK_ROOM != 0 or runs NULL: none will cruise. */
Status cruise_init(Cruise *cruise, const CruiseRuns *runs, OdeStep *step, const OdeMethod *method,
                   Error *err) MUST_CHECK;
void cruise_done(Cruise *cruise);

/* The drive, whose next step starts where the lane is, goes into the cruise if it may. */
void cruise_enter(Cruise *cruise, size_t lane, Drive *drive);
/* The same of one that starts: the lane gets its state. */
void cruise_start(Cruise *cruise, size_t lane, Drive *drive);
/* It goes on by itself: before its step is chosen, or from where it is chosen. */
void cruise_leave(Cruise *cruise, size_t lane);
/* Out of a step: and its end is as it was attempted. */
void cruise_drop(Cruise *cruise, size_t lane);
static inline bool cruise_has(const Cruise *cruise, size_t lane)
{
    return cruise->n > 0 && cruise->drives[lane];
}

/* Chooses the next step; lanes that cannot cruise in it have left. */
void cruise_propose(Cruise *cruise);
/* The attempts are made, and their corrections evaluated: ends that are good go onto the
 * constraints, in step->y_new, and cruise_goes(); rejected steps will be tried again; other lanes
 * are dropped. */
void cruise_correct(Cruise *cruise);
static inline bool cruise_goes(const Cruise *cruise, size_t lane)
{
    return cruise_has(cruise, lane) && cruise->going[lane];
}
/* With the rates there: true in left[] for lanes that go on alone from the end of this step, or
 * have ended at a sample; they are still in the cruise. NULL: none does. If runs look inside
 * steps, or a sample lies there, the dense output of all lanes is made, unless the pulse stops
 * them, and counted to the lanes that stay. */
const int64_t *cruise_judge(Cruise *cruise);
/* The step is accepted, in lanes that cruise; step->t is its end. moved[lane] becomes true.
 * Returns how many. */
size_t cruise_take(Cruise *cruise, bool *moved);
/* After ode_go_on(): measurements that are due in some lanes. */
void cruise_settle(Cruise *cruise);

/* Samples, in cruise_samples.c; for cruise_judge(). Whether one that was not told yet lies
 * between the ends of this step. */
bool cruise_has_sample(const Cruise *cruise, size_t lane);
/* Lanes whose next sample is the very end of the step go out of the masks. Whether one lies
 * inside the step of some other. */
bool cruise_end_at_samples(Cruise *cruise);
/* The dense output is ready: those inside the steps of lanes in the masks are told. Lanes that
 * have ended there, or cannot go on in the cruise, go out of the masks; a lane with samples left
 * in this step goes on with these alone. */
void cruise_tell_samples(Cruise *cruise, const CruiseStep *step);

/* Compiled once for each instruction set. */
typedef struct CruiseKernel {
    void (*propose)(Cruise *cruise); /* takes out of the masks */
    void (*reject)(Cruise *cruise);  /* lanes in the masks */
    void (*carried)(Cruise *cruise); /* the same: lanes that the correction moves far */
    void (*judge)(Cruise *cruise);   /* lanes whose rates are not finite; the next step */
    void (*ahead)(Cruise *cruise);   /* lanes that are to be looked at for singular instants */
    void (*sizes)(Cruise *cruise);
    void (*pace)(Cruise *cruise); /* left: noise is to be measured anew */
    void (*take)(Cruise *cruise); /* the rest of an accepted step */
} CruiseKernel;
extern const CruiseKernel cruise_kernel_sse2, cruise_kernel_avx2, cruise_kernel_avx512;

#endif
