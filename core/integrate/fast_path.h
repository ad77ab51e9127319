/* Lanes of a batched step that take the fast path: nothing happens to them but steps, which are
 * accepted. Their course, all that drives and runs count and remember from step to step, lies in
 * rows of lanes. A step changes it for all of them at once in the order, so with the bits, of one.
 *
 * Samples inside a step are told to the run itself before the step is accepted.
 *
 * A lane leaves the fast path before anything else happens: before a step that ends at a stop or a
 * sample, may be the last one, is not accepted as it is, or needs a closer look. Its drive and its
 * run then have the values of a run alone, and it makes that step by itself. */
#ifndef CORE_INTEGRATE_FAST_PATH_H
#define CORE_INTEGRATE_FAST_PATH_H

#include "core/integrate/drive.h"

/* A step of the lanes on the fast path, [row][lane]. masks: -1 in lanes that do, else 0. */
typedef struct FastStep {
    const double *t, *t_new, *h; /* its start, end and length */
    const double *y, *y_new;     /* dim + extra rows: the states there */
    double *horizon,
        *margin; /* see OdeSystem.horizon: written by judge() where there are singular instants */
    const int64_t *looks;    /* -1 in lanes that look so far ahead: they know enough states */
    const OdeStep *all;      /* the same, for .. */
    const OdeMethod *method; /* .. dense_row() and dense_reach(), in look_inside() */
} FastStep;

/* The work of runs on the steps of their lanes. Lanes that are not in the masks do not change. */
typedef struct FastPathRuns {
    void *self;
    /* Beside steps nothing happens in this lane that the others do not know: its course goes
     * into the rows. */
    bool (*enter)(void *self, size_t lane);
    /* And comes back; y: where its drive is. */
    void (*leave)(void *self, size_t lane, double t, const double *y);
    /* The ends y, whose corrections were evaluated, are put onto the constraints. Lanes where
     * that is not done at once go out of the masks, and their y stays as it was. */
    void (*correct)(void *self, double *y, int64_t *masks);
    /* Lanes to which something may happen up to the end of this step go out of the masks. */
    void (*judge)(void *self, const FastStep *step, int64_t *masks);
    /* The same between the ends: the dense output is ready. NULL: nothing is looked for there; else
     * each step made alone has its dense output made, too, and one that a sample lies in is. */
    void (*look_inside)(void *self, const FastStep *step, int64_t *masks);
    /* Before samples are told to this run, its values leave the rows, and then go there again. */
    void (*open)(void *self, size_t lane);
    void (*close)(void *self, size_t lane);
    /* Puts a state inside the step onto the constraints; false: not done at once, nor changed. */
    bool (*project)(void *self, size_t lane, double t, double *y);
    /* Samples were told in these lanes, and all that is known of the ends of their steps is to
     * be looked at anew. Lanes that cannot go on in the fast path go out of the masks. */
    void (*told)(void *self, const FastStep *step, int64_t *masks);
    /* The same of a lane that is out by now, and has its end put onto the constraints again. */
    void (*forget)(void *self, size_t lane);
    /* The step is accepted. A lane that has ended at a sample in it asks for no findings. */
    void (*take)(void *self, const FastStep *step, const int64_t *masks);
} FastPathRuns;

/* How sizes are made of states, of all lanes. */
typedef struct FastSizes {
    bool known;
    bool given; /* for all components */
    bool noise; /* rounding of the rates is measured */
} FastSizes;

/* Rows of lanes of what a Lane has. */
typedef struct FastCourse {
    double *h, *t_new,
        *h_new; /* the step the method proposes; the one to make: its end and length */
    double *stop, *sample_t, *direction, *longest, *paced_h;
    double *limit;              /* of the length of a step; infinite: none */
    double *root, *least;       /* Control.last and .least */
    double *next_h, *next_root; /* of the step after this one, if it is accepted */
    double *horizon, *margin;   /* see FastStep */
    double *rejected_h, *rejected_error;
    int64_t *accepted, *rejected, *most; /* steps; how many of both the lane may make */
    int64_t *rejections;                 /* in a row */
    int64_t *slowed;                     /* Control.after_rejection, as a mask */
    int64_t *paced_steps;                /* OdeStep.rounding.paced_steps */
} FastCourse;

/* Of the last states, [HISTORY_STATES][rows][lanes], or without rows; `newest`: the last slot. */
typedef struct FastHistory {
    bool kept;
    size_t newest;
    double *t, *y, *rates;
    int64_t *n;     /* [lanes]: the number of states known */
    int64_t *looks; /* [lanes]: -1 where they will be enough to look ahead, with this step's */
} FastHistory;

typedef struct FastPath {
    const FastPathRuns *runs; /* NULL: no lane is on the fast path */
    OdeStep *step;            /* of all lanes */
    const struct FastKernel *kernel;
    const OdeMethod *method;
    unsigned order; /* of the errors of steps */
    size_t n;       /* lanes on the fast path */
    Drive **drives; /* [lanes]; NULL: not this one */
    FastSizes sizes;
    FastCourse course;
    FastHistory history;
    double *attempted; /* [rows][lanes]: ends before their correction */
    uint64_t *counted; /* [lanes]: evaluations when it began */
    int64_t *masks, *left;
    int64_t *told;    /* -1 in lanes to which samples of this step were told */
    int64_t *sampled; /* scratch */
    int64_t *going;   /* -1 in lanes on the fast path and whose step is not rejected */
    bool *wanted;     /* [lanes] scratch */
    /* evaluations of a lane that its dense output took in this step; 0: it is not made */
    uint64_t dense;
    void *memory;
} FastPath;

/* Borrows runs and step; lanes % BLOCK_ROOM != 0 or runs NULL: no lane takes the fast path. */
Status fast_path_init(FastPath *fast_path, const FastPathRuns *runs, OdeStep *step,
                      const OdeMethod *method, Error *err) MUST_CHECK;
void fast_path_done(FastPath *fast_path);

/* The drive, whose next step starts where the lane is, goes into the fast path if it may. */
void fast_path_enter(FastPath *fast_path, size_t lane, Drive *drive);
/* The same of one that starts: the lane gets its state. */
void fast_path_start(FastPath *fast_path, size_t lane, Drive *drive);
/* It goes on by itself: before its step is chosen, or from where it is chosen. */
void fast_path_leave(FastPath *fast_path, size_t lane);
/* Out of a step: and its end is as it was attempted. */
void fast_path_drop(FastPath *fast_path, size_t lane);
static inline bool fast_path_has(const FastPath *fast_path, size_t lane)
{
    return fast_path->n > 0 && fast_path->drives[lane];
}

/* Chooses the next step; lanes that cannot take the fast path in it have left. */
void fast_path_propose(FastPath *fast_path);
/* After the attempts and the evaluation of their corrections: good ends go onto the constraints, in
 * step->y_new, and fast_path_goes(); rejected steps are tried again; other lanes are dropped. */
void fast_path_correct(FastPath *fast_path);
static inline bool fast_path_goes(const FastPath *fast_path, size_t lane)
{
    return fast_path_has(fast_path, lane) && fast_path->going[lane];
}
/* With the rates there: true in left[] for lanes that go on alone from the end of this step, or
 * have ended at a sample; they are still in the fast_path. NULL: none does. If runs look inside
 * steps, or a sample lies there, the dense output of all lanes is made, unless the pulse stops
 * them, and counted to the lanes that stay. */
const int64_t *fast_path_judge(FastPath *fast_path);
/* The step is accepted in these lanes, moved[lane], and ends at step->t. Returns how many. */
size_t fast_path_take(FastPath *fast_path, bool *moved);
/* After ode_go_on(): measurements that are due in some lanes. */
void fast_path_settle(FastPath *fast_path);

/* Compiled once for each instruction set. */
typedef struct FastKernel {
    void (*propose)(FastPath *fast_path); /* takes out of the masks */
    void (*reject)(FastPath *fast_path);  /* lanes in the masks */
    void (*carried)(FastPath *fast_path); /* the same: lanes that the correction moves far */
    void (*judge)(FastPath *fast_path);   /* lanes whose rates are not finite; the next step */
    void (*ahead)(FastPath *fast_path);   /* lanes that are to be looked at for singular instants */
    void (*sizes)(FastPath *fast_path);
    void (*pace)(FastPath *fast_path); /* left: noise is to be measured anew */
    void (*take)(FastPath *fast_path); /* the rest of an accepted step */
} FastKernel;
extern const FastKernel fast_path_kernel_sse2, fast_path_kernel_avx2, fast_path_kernel_avx512;

#endif
