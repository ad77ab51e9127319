/* Inside core/run/: states of the motion and of the model, and how they come back onto the
 * constraints. */
#ifndef CORE_RUN_STATE_PROJECTION_H
#define CORE_RUN_STATE_PROJECTION_H

#include "core/run/state/run_state.h"

/* The model's coordinates and velocities at a state of the motion; until the next evaluation. */
void run_locate_of(Run *run, double t, const double *y, const double **ret_q, const double **ret_v);
static inline void run_locate(Run *run, double t, const double *y, const double **ret_q,
                              const double **ret_v)
{
    if (run->s->motion->plain) {
        *ret_q = y;
        *ret_v = y + run->model->n;
        return;
    }
    run_locate_of(run, t, y, ret_q, ret_v);
}
/* For Singular. */
void run_state_of(void *self, double t, const double *y, const double **ret_q,
                  const double **ret_v);

double run_energy(Run *run, double t, const double *q, const double *v);

/* Copies the model's state, and the multipliers the motion keeps, to where it may be changed. */
void run_take_out(Run *run, double t, const double *y);
Status run_put_back(Run *run, double t, double *y, Error *err) MUST_CHECK;

/* Makes q, v admissible. */
Status run_project_model(Run *run, double t, double *q, double *v, Change *ret,
                         Error *err) MUST_CHECK;

/* ERR_NUMERIC where the motion does not go on past the corner that it is at. */
Status run_check_corner(Run *run, double t, const double *y, Error *err) MUST_CHECK;

/* For OdeSystem: the state y, at the end of a step or inside it. */
Status run_project_state(void *self, double t, double *y, bool on_step_end, Error *err) MUST_CHECK;

#endif
