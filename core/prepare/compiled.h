/* Inside core/prepare/: the parts of a compiled model. Other layers use core/simulate.h. */
#ifndef CORE_PREPARE_COMPILED_H
#define CORE_PREPARE_COMPILED_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/invariants/recall.h"
#include "core/model/state.h"
#include "core/motion/motion.h"
#include "core/motion/step_end.h"
#include "core/simulate.h"

/* The equations for one choice of independent constraints and one class of elimination. */
typedef struct Variant {
    struct Variant *next;
    MotionClass kind;
    Motion *motion;
} Variant;

/* The operations at ends of steps, for one choice of rows and of the metric. */
typedef struct StepEndKept {
    struct StepEndKept *next;
    StepEnd *end;
} StepEndKept;

struct Compiled {
    atomic_uint references;
    Model *model;
    ModelPrograms *programs;
    const Formulation *formulation;
    Program *corners;     /* see corners_compile() */
    Recall *recall;       /* results of analyses of the model */
    pthread_mutex_t lock; /* guards the lists */
    Variant *variants;
    StepEndKept *step_ends;
};

/* The equations for these independent rows and dependent velocities (see MotionOptions); derived at
 * first use, then kept. Borrowed. */
Status compiled_motion(Compiled *compiled, const MotionOptions *options, MotionClass kind,
                       const Motion **ret_motion, Error *err) MUST_CHECK;
/* Whether compiled_motion() would return this motion of class_of_motion; then the call is not
 * needed. */
bool compiled_motion_fits(const Motion *motion, MotionClass class_of_motion,
                          const MotionOptions *options, MotionClass kind);
/* compiled_motion() in another formulation. */
Status compiled_motion_in(Compiled *compiled, const Formulation *formulation,
                          const MotionOptions *options, MotionClass kind, const Motion **ret_motion,
                          Error *err) MUST_CHECK;
/* The same for the operations at ends of steps. */
bool compiled_step_end_fits(const StepEnd *end, const StepEndOptions *options);
Status compiled_step_end(Compiled *compiled, const StepEndOptions *options, const StepEnd **ret_end,
                         Error *err) MUST_CHECK;
/* The same model in another formulation; shares the model. */
Status compiled_in(const Compiled *compiled, const char *formulation, Compiled **ret_compiled,
                   Error *err) MUST_CHECK;

#endif
