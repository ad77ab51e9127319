/* Inside core/run/: states of the motion and of the model, and how they come back onto the
 * constraints. */
#ifndef CORE_RUN_STATE_PROJECTION_H
#define CORE_RUN_STATE_PROJECTION_H

#include "core/run/state/run_state.h"

/* The model's coordinates and velocities at a state of the motion; until the next evaluation. */
void state_locate_of(MotionState *at, double t, const double *y, const double **ret_q,
                     const double **ret_v);
static inline void state_locate(MotionState *at, double t, const double *y, const double **ret_q,
                                const double **ret_v)
{
    if (at->s->motion->plain) {
        *ret_q = y;
        *ret_v = y + at->model->n;
        return;
    }
    state_locate_of(at, t, y, ret_q, ret_v);
}
/* Inside a passage in smooth variables (smooth.h) the state of the integration may say little about
 * (q, v): at->state has those of the passage from then on. */
void state_look_in_passage(MotionState *at);
/* For Singular; self is the MotionState. */
void state_of(void *self, double t, const double *y, const double **ret_q, const double **ret_v);

/* Copies the model's state, and the multipliers the motion keeps, to where it may be changed. */
void state_take_out(MotionState *at, double t, const double *y);
Status state_put_back(MotionState *at, double t, double *y, Error *err) MUST_CHECK;

/* Makes q, v admissible; *ret: by how much they have changed. */
Status state_project_model(MotionState *at, Evidence *evidence, double t, double *q, double *v,
                           StepEndChange *ret, Error *err) MUST_CHECK;
/* The same for the state y, at the end of a step or inside it. */
Status state_project(MotionState *at, Evidence *evidence, double t, double *y, bool on_step_end,
                     StepEndChange *ret, Error *err) MUST_CHECK;

/* ERR_NUMERIC where the motion does not go on past the corner that it is at. */
Status state_check_corner(MotionState *at, Corners *corners, double t, const double *y,
                          Error *err) MUST_CHECK;

#endif
