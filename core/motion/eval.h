/* A motion evaluated: several trajectories of one motion as a system for core/integrate.
 *
 * Evaluates the motion's programs for `lanes` trajectories with the same parameters, and keeps the
 * modes of their switches. */
#ifndef CORE_MOTION_EVAL_H
#define CORE_MOTION_EVAL_H

#include "core/motion/motion.h"
#include "core/program/function.h"

typedef struct MotionEval MotionEval;

/* params[n_params]; with_jacobian: motion_eval_jacobian() will be called. Borrows motion and
 * model. */
Status motion_eval_new(const Model *model, const Motion *motion, const double *params, size_t lanes,
                       bool with_jacobian, MotionEval **ret_eval, Error *err) MUST_CHECK;
void motion_eval_free(MotionEval *eval); /* NULL is fine */
/* One of one lane becomes as a new one with these parameters; NULL: with those it has. False, and
 * nothing is done, if it is of another motion, or has no Jacobian though one is asked for. NULL is
 * fine. */
bool motion_eval_reuse(MotionEval *eval, const Motion *motion, const double *params,
                       bool with_jacobian);

/* For OdeSystem: `self` is the MotionEval. y is [dim][lanes] and may be longer, ret_rates [dim +
 * 1][lanes], the last row the rate of the energy's work. If t and y lie at motion_eval_place(),
 * t[lanes] and then y, they are not copied. */
double *motion_eval_place(MotionEval *eval);
/* Where rates of one lane are left without a copy; NULL where there are several. */
double *motion_eval_results(MotionEval *eval);
void motion_eval_rates(void *self, const double *t, const double *y, double *ret_rates,
                       size_t lanes);
/* The rates of one lane with random errors of rounding (program_eval_shaken). */
void motion_eval_rates_shaken(void *self, double t, const double *y, double *ret_rates);
/* motion_eval_jacobian() can be called from here on; compiles it unless that was done before. */
Status motion_eval_make_jacobian(MotionEval *eval, const Model *model, const double *params,
                                 Error *err) MUST_CHECK;
void motion_eval_jacobian(void *self, double t, const double *y, double *ret_dfdy,
                          double *ret_dfdt);

/* The rates of several trajectories of one motion at once, each with parameters, modes of switches
 * and implicit quantities of its own: what a MotionEval of one lane has. */
typedef struct RateLanes {
    const Motion *motion;
    Function rates; /* of all lanes */
} RateLanes;

/* params[n_params]: of all lanes at first. rate_lanes_done() in any case. */
Status rate_lanes_init(RateLanes *rates, const Motion *motion, const double *params, size_t lanes,
                       Error *err) MUST_CHECK;
void rate_lanes_done(RateLanes *rates);
void rate_lanes_bind(RateLanes *rates, size_t lane, const double *params);
/* From here on the lane has the modes and implicit quantities of `of`, as they are now. */
void rate_lanes_take(RateLanes *rates, size_t lane, const MotionEval *of);
/* As motion_eval_place() and motion_eval_rates(). */
double *rate_lanes_place(RateLanes *rates);
void rate_lanes_eval(RateLanes *rates, const double *t, const double *y, double *ret_rates);

/* The points of several states at once, of a motion without switches or implicit quantities. */
typedef struct PointLanes {
    const Motion *motion;
    Function points; /* in: t[lanes], then y[dim][lanes] */
} PointLanes;

/* params[n_params], of all lanes. point_lanes_done() in any case. */
Status point_lanes_init(PointLanes *points, const Motion *motion, const double *params,
                        size_t lanes, Error *err) MUST_CHECK;
void point_lanes_done(PointLanes *points);
/* Evaluates at points.in. */
void point_lanes_eval(PointLanes *points);
/* What that tells of one of them, as motion_eval_point() would; rows are as far apart as there are
 * lanes. */
typedef struct LanePoint {
    const double *vdot, *lambda;
    double regularity;
} LanePoint;
LanePoint point_lanes_read(const PointLanes *points, size_t lane);

/* What the state y[dim] of a lane means. Arrays live until the next call. */
typedef struct MotionPoint {
    const double *q, *v, *vdot; /* n */
    const double *lambda;       /* n_rows */
    const double *own;          /* n_own: the formulation's columns */
    const double *lambda_rate;  /* n_rows; lambda itself unless the formulation keeps it */
    double regularity;          /* the smallest; 0 or less: singular */
    double determined;          /* see Equations.determined; 1 where it cannot fall */
    double orientation;         /* see Equations.orientation; 1 where there is none */
    double inertia;             /* see Equations.inertia; -1 where there is none */
} MotionPoint;
MotionPoint motion_eval_point(MotionEval *eval, size_t lane, double t, const double *y);
/* That of lane 0 with random errors (program_eval_shaken). */
MotionPoint motion_eval_point_shaken(MotionEval *eval, double t, const double *y, Shakes *shakes);

/* Renews what the rates of a lane solve for implicitly; after each accepted step (and jump). */
void motion_eval_renew(MotionEval *eval, size_t lane, double t, const double *y);

/* Goes on from another evaluation, of a motion with the same state, switches and implicit
 * quantities, at the state y of lane 0: on the same branches. False where the switches are not the
 * same. */
bool motion_eval_take_over(MotionEval *eval, MotionEval *from, double t, const double *y);

/* The state of lane 0 at the model's state (q, v), with the multipliers lambda[n_rows] where the
 * motion keeps them: y[dim] holds a near guess and is overwritten; what the rates solve for is set
 * too. ERR_NUMERIC when it does not settle. Not for plain motions. */
Status motion_eval_restate(MotionEval *eval, double t, const double *q, const double *v,
                           const double *lambda, double *y, Error *err) MUST_CHECK;
/* The same for a state that is only looked at: what the rates solve for is left alone, so that the
 * motion does not depend on where it is looked at. */
Status motion_eval_restate_seen(MotionEval *eval, double t, const double *q, const double *v,
                                const double *lambda, double *y, Error *err) MUST_CHECK;

/* The state y[dim] of lane 0 near the one that it holds, to first order, with random errors
 * (program_eval_shaken). */
void motion_eval_restate_shaken(MotionEval *eval, double t, const double *q, const double *v,
                                const double *lambda, double *y, Shakes *shakes);

/* Sets the modes of all switches from the state at the start of a lane (or after a jump), by the
 * signs of their guards, or, if these may be zero, by where the motion goes. */
void motion_eval_start_switches(MotionEval *eval, size_t lane, bool backwards, double t,
                                const double *y);
/* The guards themselves, n_switches, in the modes that are set. */
void motion_eval_raw_guards(MotionEval *eval, size_t lane, double t, const double *y,
                            double *ret_values);
/* The mode of switch k from here on, -1 or 1, whatever its guard is. */
void motion_eval_set_mode(MotionEval *eval, size_t lane, size_t k, double mode);
/* The guards of the switches, n_switches, as the drive should watch them. */
void motion_eval_guards(MotionEval *eval, size_t lane, double t, const double *y,
                        double *ret_values);
/* Switch k was met, its watched guard crossing in `direction` along increasing t: chooses the new
 * mode. */
void motion_eval_cross(MotionEval *eval, size_t lane, size_t k, int direction, double t,
                       const double *y);

#endif
