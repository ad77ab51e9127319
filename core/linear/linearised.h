/* Inside core/linear/: a motion together with columns of its linearisation.
 *
 * The state of the system to integrate is y[linearised_size + 1]: the motion's, q, v (2 n), then
 * the columns [2 n][m] row by row, then the energy's work. Column c is d(q, v)/dc for some number c
 * that the start, or a parameter, depends on; it moves by the exact derivatives of the rates, and
 * is kept tangent to the constraint manifold by the derivative of the projection of (q, v).
 *
 * A motion in a chart has the state (x, xdot): not projected, asked for sizes and rates alone. */
#ifndef CORE_LINEAR_LINEARISED_H
#define CORE_LINEAR_LINEARISED_H

#include "core/integrate/ode.h"
#include "core/linear/tangent_space.h"
#include "core/linear/watch.h"
#include "core/motion/motion.h"

typedef struct Linearised Linearised;

/* All borrowed. The motion is plain, or that of a chart, and has no switches. */
typedef struct LinearisedSpec {
    const Model *model;
    const Motion *motion;
    const double *params;
    ModelEval *eval; /* with these parameters; its metric is that of the projections */
    size_t columns;
    const size_t *parameters; /* n_parameters of the model that depend on a column's number: */
    size_t n_parameters;
    const double *dp; /* [n_parameters][columns]: their derivatives */
    bool limits;      /* of derivatives in the middle of norms: see motion_tangent() */
    bool shaken;      /* linearised_rates_shaken() will be used */
} LinearisedSpec;

Status linearised_new(const LinearisedSpec *spec, Linearised **ret_linearised,
                      Error *err) MUST_CHECK;
void linearised_free(Linearised *linearised); /* NULL is fine */

size_t linearised_size(const Linearised *linearised); /* dim (1 + m) */
TangentSpace *linearised_space(Linearised *linearised);

/* For OdeSystem, one lane: `self` is the Linearised; y and ret_rates as above. */
void linearised_rates(void *self, const double *t, const double *y, double *ret_rates,
                      size_t lanes);
/* Rates with random errors of rounding (program_eval_shaken), [2 n (1 + m)]. */
void linearised_rates_shaken(Linearised *linearised, double t, const double *y, double *ret_rates);
/* The rates of (q, v) alone, [2 n]. */
void linearised_state_rates(Linearised *linearised, double t, const double *state,
                            double *ret_rates);
/* d(vdot)/dc, [n][m], and d(lambda)/dc, [n_rows][m], of the columns of y. */
void linearised_accelerations(Linearised *linearised, double t, const double *y, double *ret);
void linearised_multipliers(Linearised *linearised, double t, const double *y, double *ret);
/* Directions apart from the state's columns: d(rates), [2 n][m]. */
void linearised_along(Linearised *linearised, double t, const double *state,
                      const double *directions, size_t m, double *ret);

/* For motions with corners (n_switches of them): the guards [n_switches] at a state in the
 * current modes; and sets the mode of one, -1 or 1, for later rates and directions. Modes are 0
 * before, which is for motions without corners. */
void linearised_guards(Linearised *linearised, double t, const double *state, double *ret);
void linearised_set_mode(Linearised *linearised, size_t k, double mode);

/* Projects columns of y onto the tangent space at its (admissible) state; or the state first. */
Status linearised_project_columns(Linearised *linearised, double t, double *y,
                                  Error *err) MUST_CHECK;
Status linearised_project(Linearised *linearised, double t, double *y, Error *err) MUST_CHECK;

/* Watches steps of the motion with its columns and so many quadratures. Arrays are the arena's. */
Status linearised_watch(Linearised *linearised, size_t quadratures, Watch *ret_watch, Arena *arena,
                        Error *err) MUST_CHECK;

/* Carries y from t0 to t1; options: tolerances and limits. poll as in OdeObserver, may be NULL. */
typedef struct LinearisedDrive {
    double rtol, atol, max_step;
    uint64_t max_steps;
    Status (*poll)(void *self, Error *err);
    void *self;
    Watch *watch; /* linearised_watch() */
} LinearisedDrive;

Status linearised_advance(Linearised *linearised, const LinearisedDrive *drive, double t0,
                          double t1, double *y, Error *err) MUST_CHECK;

#endif
