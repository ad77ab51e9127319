/* Inside core/linear/: observes a motion step by step for features narrower than its steps
 * (features.h), with any other quantities integrated along. */
#ifndef CORE_LINEAR_WATCH_H
#define CORE_LINEAR_WATCH_H

#include "core/base/value.h"
#include "core/linear/features.h"
#include "core/motion/eval.h"

/* The integrated state begins with that of the motion. */
typedef struct Watch {
    Features features;
    const Model *model;
    const Motion *motion;
    MotionEval *equations;
    size_t rows;
    double *inside;     /* rows: a state inside a step */
    double *seen;       /* 1 + 2 n: t, q, v there */
    double *tolerances; /* 3 rows: of the state */
    double *sizes;      /* n: scratch */
} Watch;

/* Motion and equations are borrowed, and may be replaced later. */
typedef struct WatchSpec {
    const Model *model;
    const double *params;
    const Motion *motion;
    MotionEval *equations;
    size_t rows; /* of the state that is integrated, quadratures too */
    bool beside; /* more than the motion depends on narrow features: columns, an action */
    bool sized;  /* the integration knows the sizes of its state, see OdeOptions.nominal */
    /* a velocity smaller than this fraction counts as zero; not used if `beside` */
    double rtol;
    const Expr *norms; /* n_norms of which nothing depends on the slope alone: see features.h */
    size_t n_norms;
} WatchSpec;

/* Arrays are the arena's. The watch stays where it is. */
Status watch_init(Watch *watch, const WatchSpec *spec, Arena *arena, Error *err) MUST_CHECK;
void watch_done(Watch *watch);

/* For an OdeSystem; `self` is the Watch. Empty if the model has no features. */
OdeWatch watch_system(Watch *watch);
bool watch_may_pass(void *self, const OdeArc *ends);
OdePassed watch_find_passed(void *self, const OdeArc *arc, double *ret_from, double *ret_length);

/* t, q, v inside a step; `self` is the Watch. */
const double *watch_state_inside(void *self, const OdeArc *arc, double theta);

/* Whether the steps may have passed something nevertheless. */
bool watch_is_blind(const Watch *watch);
/* "features": {"watched", "of", "met", "undecided"}; nothing if the model has none. */
void watch_report(const Watch *watch, Arena *arena, Value *record);

#endif
