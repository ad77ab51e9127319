/* A job's motion without all that a job does beside it: the same equations, method and tolerance,
 * no projection and no evidence. What a step costs beyond that is what its evidence costs. */
#include "bench/peers/bare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/integrate/methods.h"
#include "core/motion/eval.h"
#include "core/prepare/simulation.h"

enum { STATE_DOUBLES = 64 };

static double *place(void *self)
{
    return motion_eval_place(self);
}

static void rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)lanes; /* one */
    motion_eval_rates(self, t, y, ret);
}

double bare_step_seconds(const Simulation *s, int rounds)
{
    const Motion *motion = s->motion;
    const OdeOptions options = {.rtol = s->integration.options.rtol,
                                .atol = s->integration.options.atol,
                                .max_steps = s->integration.options.max_steps};
    const OdeSpan span = {.t0 = s->times.t0, .t_end = s->times.end};
    double y[STATE_DOUBLES], least = INFINITY;
    OdeOutcome outcome;
    MotionEval *eval;
    Error err;

    /* the problems are plain: their states are coordinates and velocities */
    if (!motion->plain || motion->dim >= STATE_DOUBLES ||
        motion_eval_new(s->compiled->model, motion, s->params, false, &eval, &err) != OK)
        abort();
    const OdeSystem system = {
        .self = eval, .dim = motion->dim, .extra = 1, .rates = rates, .place = place};
    for (int round = 0; round < rounds; round++) {
        memcpy(y, s->start.q, motion->n * sizeof *y);
        memcpy(y + motion->n, s->start.v, motion->n * sizeof *y);
        y[motion->dim] = 0;
        const double start = clock_seconds();
        if (ode_drive(&(OdeTask){.system = &system,
                                 .method = s->integration.method,
                                 .options = &options,
                                 .span = &span,
                                 .outcome = &outcome},
                      y, &err) != OK)
            abort();
        const double seconds = clock_seconds() - start;
        least = fmin(least, seconds / (double)(outcome.accepted + outcome.rejected));
    }
    motion_eval_free(eval);
    return least;
}
