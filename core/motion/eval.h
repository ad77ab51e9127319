/* A motion evaluated: the rates of one trajectory as a system for core/integrate, its point, and
 * the modes of its switches; and the same programs for the states of several trajectories. */
#ifndef CORE_MOTION_EVAL_H
#define CORE_MOTION_EVAL_H

#include "core/motion/motion.h"
#include "core/program/function.h"

typedef struct MotionEval MotionEval;

/* params[n_params]; with_jacobian: for motion_eval_jacobian(). Borrows motion and model. */
Status motion_eval_new(const Model *model, const Motion *motion, const double *params,
                       bool with_jacobian, MotionEval **ret_eval, Error *err) MUST_CHECK;
void motion_eval_free(MotionEval *eval); /* NULL is fine */
/* Resets an evaluation to the state of a new one with these parameters; params NULL keeps the
 * bound parameters. Returns false and does nothing if eval is NULL, belongs to another motion,
 * or lacks the Jacobian that is requested. */
bool motion_eval_reuse(MotionEval *eval, const Motion *motion, const double *params,
                       bool with_jacobian);

/* y[dim] may be longer; ret_rates[dim + 1], the last one is the rate of the energy's work. If t and
 * y lie at motion_eval_place(), t and then y, they are not copied. */
double *motion_eval_place(MotionEval *eval);
void motion_eval_rates(const MotionEval *eval, const double *t, const double *y, double *ret_rates);
/* The rates with random rounding errors (program_eval_shaken). */
void motion_eval_rates_shaken(MotionEval *eval, double t, const double *y, double *ret_rates);
/* motion_eval_jacobian() can be called from here on; compiles it unless that was done before. */
Status motion_eval_make_jacobian(MotionEval *eval, const Model *model, const double *params,
                                 Error *err) MUST_CHECK;
bool motion_eval_has_jacobian(const MotionEval *eval);
void motion_eval_jacobian(MotionEval *eval, double t, const double *y, double *ret_dfdy,
                          double *ret_dfdt);

/* The rates of several trajectories, each with its parameters, modes and implicit quantities. */
typedef struct RateLanes {
    const Motion *motion;
    Function rates; /* of all lanes */
} RateLanes;

/* params[n_params] are bound in all lanes. function_done(&rates->rates) also after a failure. */
Status rate_lanes_init(RateLanes *rates, const Motion *motion, const double *params, size_t lanes,
                       Error *err) MUST_CHECK;
/* Gives the lane the modes and implicit quantities that `of` has now. */
void rate_lanes_take(RateLanes *rates, size_t lane, const MotionEval *of);
/* As motion_eval_rates(); the place of its arguments is rates->rates.in. */
void rate_lanes_eval(RateLanes *rates, const double *t, const double *y, double *ret_rates);

/* The quantities of the model at a state y[dim]. Arrays live until the next call. */
typedef struct MotionPoint {
    const double *q, *v, *vdot; /* n */
    const double *lambda;       /* n_rows */
    const double *own;          /* n_own: the formulation's columns */
    const double *lambda_rate;  /* n_rows; lambda itself unless the formulation keeps it */
    double regularity;          /* the smallest; 0 or less: singular */
    double determined;          /* see Equations.determined; 1 if it cannot fall */
    double orientation;         /* see Equations.orientation; 1 if there is none */
    double inertia;             /* see Equations.inertia; -1 if there is none */
} MotionPoint;
MotionPoint motion_eval_point(MotionEval *eval, double t, const double *y);
/* The point with random rounding errors (program_eval_shaken). */
MotionPoint motion_eval_point_shaken(MotionEval *eval, double t, const double *y, Shakes *shakes);

/* Renews the implicit quantities of the rates; after each accepted step and each jump. */
void motion_eval_renew(MotionEval *eval, double t, const double *y);

/* Continues from another evaluation, at the state y, on the same branches. Both motions must have
 * the same state, switches and implicit quantities. False if their guards differ. */
bool motion_eval_take_over(MotionEval *eval, MotionEval *from, double t, const double *y);

/* Finds the state y[dim] at the model's state (q, v), with the multipliers lambda[n_rows] if the
 * motion keeps them. y holds a near guess and is overwritten; the implicit quantities are set, too.
 * ERR_NUMERIC if the iteration does not settle. Not for plain motions. */
Status motion_eval_restate(MotionEval *eval, double t, const double *q, const double *v,
                           const double *lambda, double *y, Error *err) MUST_CHECK;
/* motion_eval_restate() for a state between steps. The implicit quantities are left alone, so
 * that the motion does not depend on the instants at which it is observed. */
Status motion_eval_restate_seen(MotionEval *eval, double t, const double *q, const double *v,
                                const double *lambda, double *y, Error *err) MUST_CHECK;

/* One step of that iteration from y[dim], with random errors (program_eval_shaken). */
void motion_eval_restate_shaken(MotionEval *eval, double t, const double *q, const double *v,
                                const double *lambda, double *y, Shakes *shakes);

/* Sets the modes of all switches at the start, or after a jump, by the signs of their guards, or,
 * for a guard that may be zero, by the direction of the motion. */
void motion_eval_start_switches(MotionEval *eval, bool backwards, double t, const double *y);
/* The guards themselves, n_switches, in the present modes. */
void motion_eval_raw_guards(MotionEval *eval, double t, const double *y, double *ret_values);
/* Sets the mode of switch k to -1 or 1, independent of the value of its guard. */
void motion_eval_set_mode(MotionEval *eval, size_t k, double mode);
/* The guards of the switches, n_switches, as the drive should watch them. */
void motion_eval_guards(MotionEval *eval, double t, const double *y, double *ret_values);
/* Chooses the mode of switch k, whose guard crossed zero in `direction` along increasing t. */
void motion_eval_cross(MotionEval *eval, size_t k, int direction, double t, const double *y);

#endif
