/* Inside core/simulation/: what a compiled model holds. Other layers use core/simulate.h. */
#ifndef CORE_SIMULATION_COMPILED_H
#define CORE_SIMULATION_COMPILED_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/invariants/recall.h"
#include "core/model/state.h"
#include "core/motion/motion.h"
#include "core/simulate.h"

/* The equations for one choice of independent constraints and one class of elimination. */
typedef struct Variant {
    struct Variant *next;
    MotionClass kind;
    Motion *motion;
} Variant;

struct Compiled {
    atomic_uint references;
    Model *model;
    ModelPrograms *programs;
    const Formulation *formulation;
    Program *evidence;    /* t, q, v -> energy, size of its terms, model_residuals() */
    Program *corners;     /* see corners_compile() */
    Recall *recall;       /* what analyses found out about the model */
    pthread_mutex_t lock; /* guards variants */
    Variant *variants;
};

/* The equations for these independent rows and dependent velocities (see MotionOptions); derived at
 * first use, then kept. Borrowed. */
Status compiled_motion(Compiled *compiled, const MotionOptions *options, MotionClass kind,
                       const Motion **ret_motion, Error *err) MUST_CHECK;
/* The same model in another formulation; shares the model. */
Status compiled_in(const Compiled *compiled, const char *formulation, Compiled **ret_compiled,
                   Error *err) MUST_CHECK;

#endif
