/* Stiffness of a motion, and the method that suits it.
 *
 * The step of an explicit method on a stiff motion is limited by stability: h rho stays near the
 * boundary of its region of stability; rho is the spectral radius of the Jacobian of the rates.
 * DOP853 estimates it by its last stage and the end of the step, h |f(y_new) - k_12| / |y_new -
 * Y_12|, at no evaluation (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II,
 * 1996, IV.2; their code DOP853).
 *
 * A lane is watched for some steps, every STUCK_STEPS steps. If it is stiff and a method for
 * stiff systems is offered (OdeOptions.stiff), that method takes over between two steps, if many
 * steps are left; else the outcome says so. The first method goes on behind the next break that
 * changes the state or the rates. All of it counts steps, so that the choice is the same on
 * every machine. */
#ifndef CORE_INTEGRATE_STIFFNESS_H
#define CORE_INTEGRATE_STIFFNESS_H

#include "core/integrate/drive.h"

/* Watches the next steps of the lane. True: for the first time since the last break. */
bool stiffness_watch(Drive *drive);
/* A step of the lane is accepted; its attempt is still in the work of the method. */
void stiffness_see_step(Drive *drive);
/* Between two steps: the method for stiff systems takes over if that is due. A failure ends the
 * lane. */
void stiffness_exchange_method(Drive *drive);
/* The lane has passed a break. `restart`: with another state or other rates. */
void stiffness_pass_break(Drive *drive, bool restart);

#endif
