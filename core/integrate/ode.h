/* Initial value problems: the system, the method, and the reports on the way.
 *
 * A drive integrates one motion. Steps of several drives can be attempted together, in lanes
 * (batched_step.h), and each motion has the bits of one alone. Arrays of several lanes are
 * component-major, [component][lane]; callbacks for one motion get contiguous arrays.
 *
 * State: dim components under error control, then `extra` quadratures that are integrated with the
 * same stages but outside the error norm, so that they never change the bits of the motion. The
 * rates must not depend on quadratures: where they are evaluated these have no rows. */
#ifndef CORE_INTEGRATE_ODE_H
#define CORE_INTEGRATE_ODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* A row of the table of methods (method.h). */
typedef struct OdeMethod OdeMethod;

/* The motion over one step by its dense output. */
typedef struct OdeArc {
    double t, h;
    double gap; /* the longest part of it in which the method does not evaluate the rates */
    /* The state at t + theta h, y[dim + extra], 0 <= theta <= 1. */
    void (*state)(const struct OdeArc *arc, double theta, double *ret_y);
    /* Its rate of change there; NULL but on a passage, and where said. */
    void (*rates)(const struct OdeArc *arc, double theta, double *ret_rates);
    /* [dim]: tolerance, largest move at rest, error by rounding of the rates. NULL at ends. */
    void (*tolerances)(const struct OdeArc *arc, double *ret_told, double *ret_resting,
                       double *ret_noise);
    const void *step;
    bool smooth; /* states and rates are those of OdeSystem.smooth */
} OdeArc;

/* The same motion in variables z that stay smooth across singular instants. For one lane; `self` is
 * the system's. Behind the dim components come the quadratures of the system. */
typedef struct OdeSmooth {
    size_t dim;
    /* z at y, and its rates: dim each. */
    void (*follow)(void *self, double t, const double *y, double *ret_z, double *ret_rates);
    /* A passage begins at z; from here on rates may be asked for. May derive and compile the
     * equations. ret_size[dim]: the factor of atol, the largest of a kind; ret_noise, ret_carried:
     * see OdeRoundingErrors. False: none. */
    bool (*begin)(void *self, double t, const double *z, double *ret_size, double *ret_noise,
                  double *ret_carried);
    void (*rates)(void *self, double t, const double *z, double *ret_rates); /* dim + extra */
    /* Puts z onto the constraints. NULL: as OdeSystem.project. */
    Status (*project)(void *self, double t, double *z, Error *err);
    /* y[dim of the system] at z; in: one near by. False: y has no value. `end`: a step ends there,
     * and rates are asked for at y: where y has several, those of z. */
    bool (*leave)(void *self, double t, const double *z, double *y, bool end);
} OdeSmooth;

/* A guard over a part of a step. */
typedef struct OdeRange {
    double low, high;           /* its values are in between; none where low > high */
    double rate_low, rate_high; /* those of its derivative along theta */
    bool whole;                 /* it is defined everywhere there and does not jump */
    double noise;               /* the rounding error of a value */
    /* its sign in the middle is unknown, and only because its arguments are polynomials */
    bool blurred;
} OdeRange;

/* Things that a step may have missed between the places where it evaluates the rates. */
typedef enum OdePassed {
    ODE_NOTHING,
    ODE_FEATURE, /* something that the rates do only there */
    ODE_VISIT,   /* a guard that changes its sign twice */
} OdePassed;

/* Watches steps for features between the places where they evaluate the rates. */
typedef struct OdeWatch {
    void *self;
    /* May the step have passed something? Asked with its ends alone (state and rates of the arc at
     * theta = 0 and 1), because dense output costs evaluations. NULL: it may. */
    bool (*may_pass)(void *self, const OdeArc *arc);
    /* Has it? Then it is taken again up to theta = *ret_from < 1: where a feature begins, and
     * then steps of *ret_length see it; or in the midst of a visit. NULL: never. */
    OdePassed (*passed)(void *self, const OdeArc *arc, double *ret_from, double *ret_length);
} OdeWatch;

typedef struct OdeSystem {
    void *self;
    size_t dim, extra;
    /* Rates [dim + extra][lanes] at t[lanes], y[dim][lanes]; not finite: the step is rejected. */
    void (*rates)(void *self, const double *t, const double *y, double *ret_rates, size_t lanes);
    /* The place for t[lanes] and behind them y[dim][lanes] from which the system needs no copy for
     * its rates; both may lie elsewhere. Asked before each step. NULL: it has no such place. */
    double *(*place)(void *self);
    /* The rates of one lane with random errors of rounding, others at each call; NaN where that is
     * not known. NULL: rounding is not watched where it does not hinder. */
    void (*shaken)(void *self, double t, const double *y, double *ret_rates);
    /* Exact Jacobian of one lane, row-major dim x dim, and the explicit time derivative, dim.
     * NULL: methods that need it refuse the system. */
    void (*jacobian)(void *self, double t, const double *y, double *ret_dfdy, double *ret_dfdt);
    /* Between two steps: jacobian will be called. NULL: at a start it is known whether it will. */
    Status (*make_jacobian)(void *self, Error *err);
    /* Puts one lane's state, y[dim + extra], back onto its constraints: after each step whose error
     * is small enough (one that may yet be taken again, too), and, with `on_step` false, at samples
     * and recorded roots. NULL: nothing to do. A failure ends the lane. */
    Status (*project)(void *self, double t, double *y, bool on_step, Error *err);
    /* A step is rejected if its projection moves it far: onto another branch of the constraints,
     * if they lose rank or jump. False: projections may be long, as of columns that grow. */
    bool projects_near;
    /* Values of the n_guards guard functions of one lane; guards are watched for roots. */
    size_t n_guards;
    void (*guards)(void *self, double t, const double *y, double *ret_values);
    /* Encloses guard k, one of the first n_enclosed, between two places theta of the step that
     * `follow` was told last. That tells the part of this step that can be enclosed: less than 1
     * if the arguments of guards turn too often in it. */
    size_t n_enclosed;
    double (*follow)(void *self, const OdeArc *arc);
    void (*enclose)(void *self, size_t guard, double from, double to, OdeRange *ret_range);
    OdeWatch watch; /* zeroed: steps are not watched */
    /* Singular instants, see below; NULL: there are none. For one lane only. `suspect`: may there
     * be one after the last state told and before this one, at the end of a step whose error is
     * small enough, or `ahead` times as far beyond it? `horizon`: the time from the last state told
     * in which nothing is singular at the present rates of change; 0 ends the motion, because
     * rounding decides how it goes on. *ret_margin: in (0, 1], the distance from there, of the
     * farthest so far. `singular`: the first of them at t + theta h, 0 <= theta <= most, by the
     * dense output, which goes on beyond the step; NaN: none. `pass`: may the motion take the
     * passage over the arc, with the instant in its middle? `agreement`: how far two ways of
     * computing it differ, of the state. */
    bool (*suspect)(void *self, double t, const double *y, double ahead);
    double (*horizon)(void *self, double *ret_margin);
    double (*singular)(void *self, const OdeArc *arc, double most);
    const OdeSmooth *smooth; /* NULL: the system's own variables are as smooth */
    bool (*pass)(void *self, const OdeArc *arc, double agreement);
    /* Before a passage from y: raises sizes to those with the same effect. NULL: there are none. */
    void (*weigh)(void *self, const double *y, double *sizes);
    /* Names of components and guards in messages; NULL, or one of them NULL: by number. */
    const char *const *names, *const *guard_names;
} OdeSystem;

/* Guards are watched after each step, at its end and at three points inside. Between these, those
 * that the system encloses are looked at part by part, halved until each has no root or, by the
 * sign of the rate, one at most: no root is missed, however narrow the guard. If MAX_ENCLOSURES do
 * not get through a step, or rounding hides the number of roots, the observer is told. A step with
 * more than MAX_ROOTS is taken again, only so far.
 *
 * Of the others, those points are on a cubic through the ends; where these look like a root or a
 * near miss, on the dense output. So every root that changes the sign from one quarter of the step
 * to the next is found, and two in one quarter when the values around show a bend towards zero; a
 * narrower double crossing can be missed.
 *
 * A guard has a side, the sign it should have. After a break it is the side that was crossed to,
 * with any rounding of the value there: the root does not fire again, a return does, be it at
 * once. A guard that is zero (to round-off) at the start, or was set to zero by a change of the
 * state, takes the side it moves to, without a root; if it has just fired and does not clearly
 * move after the change, it is to return to the side it came from, and fires again at once if it
 * does not: a ball that can no longer leave the ground ends as chattering, not below it. A guard
 * whose value the change has not moved keeps its side. A jump through zero is no root where the
 * state has been changed, but is one where only the rates have: a force that a switch turns on
 * lifts at that instant. A change of sign through a pole is none, but for switches; one across an
 * instant at which the guard has no value (u/abs(u) at u = 0) is.
 *
 * An impact with a direction keeps the motion on the side from which that direction leads: where
 * its guard is zero at the start, or stays zero while others act (bodies that touch), it has that
 * side, and breaks at once when the motion leaves it. Of impacts at one instant each acts on what
 * the one before it has left, and only where the motion still goes on across its guard; that is
 * repeated until none does. One that has acted and would have to act again before t moves on, the
 * next of all or MAX_AT_ONCE in turn, ends the lane: a contact that persists. */

/* Singular instants: the rates have no value there, and near by only with errors that grow, though
 * the motion may be smooth. After each step the motion is followed a little ahead, by Hermite's
 * interpolation of the last states and their rates. If it becomes singular, a passage (passage.h)
 * leads across, to the same distance behind the instant. If none is found, or the system does not
 * let it pass, the motion goes half the way, and so on, until nothing is singular ahead any more,
 * or too near or too often. A step that all the same ends beyond such an instant, or soon before
 * it, is taken again to half the way. */

/* The effect of a root of guard k. */
typedef enum OdeGuardKind {
    ODE_GUARD_RECORD, /* located on the dense output and reported; the step goes on */
    ODE_GUARD_BREAK,  /* the step ends at the root: impacts, terminal events, switches */
} OdeGuardKind;

typedef struct OdeGuard {
    OdeGuardKind kind;
    int direction; /* +1 rising, -1 falling, 0 any: along increasing t, also backwards */
    /* A switch: the rates have a branch on either side. At the start, and if another guard changed
     * the state, its side is the sign of the computed value, by which the branch was chosen. A step
     * that ends on the other side is not projected before it has been shortened. */
    bool is_switch;
    bool is_impact; /* a break that sets the state, see above */
    /* A clock: its roots are the instants of OdeOptions.tick; a step ends there. Its value is 1. */
    bool is_clock;
} OdeGuard;

typedef enum OdeAction {
    ODE_CONTINUE, /* nothing changed */
    ODE_RESTART,  /* the state or the rates jumped: forget the history of the method */
    ODE_RENEW,    /* and the system is another one: take the sides of switches from their values; in
                     smooth variables it is the same motion, without a jump */
    ODE_STOP,     /* the lane ends here, complete */
} OdeAction;

/* The reports of the drive; each may be NULL. An error ends the lane. y is [dim + extra]. */
typedef struct OdeObserver {
    void *self;
    /* After each accepted step, its events and samples; once before the first sample (h = 0). */
    Status (*step)(void *self, double t, double h, const double *y, Error *err);
    /* The motion over each step that stays, before events and samples inside it are told. Asks for
     * the dense output of every step, which changes nothing of the motion. */
    void (*arc)(void *self, const OdeArc *arc);
    /* The state at sample k, projected; t is the requested double. A sample at the instant of a
     * break comes before it and shows the state before it. */
    Status (*sample)(void *self, size_t k, double t, const double *y, Error *err);
    /* A root of guard k, crossed in `direction` (+1: from negative to positive as t increases). For
     * ODE_GUARD_BREAK the state may be changed (an impact); then the action must be ODE_RESTART.
     * For ODE_GUARD_RECORD y is the projected state there, a copy, and the action is not read.
     * Guards with a root at the same instant, to round-off, break in the order of their index. */
    Status (*event)(void *self, size_t guard, int direction, double t, double *y,
                    OdeAction *ret_action, Error *err);
    /* A fixed step from t to t + h has passed a feature. */
    void (*overlooked)(void *self, double t, double h);
    /* Guard k may have roots between t and t + h that were not found. */
    void (*unsure)(void *self, size_t guard, double t, double h);
    /* Guard k has no value about t, or a pole through which it changes its sign. */
    void (*lost)(void *self, size_t guard, double t);
    /* A motion backwards in time has passed impact k at t in the other direction, or starts so. */
    void (*unheeded)(void *self, size_t guard, double t);
    /* From t on the lane is integrated by another method; ratio: h rho, which has decided it. */
    void (*exchanged)(void *self, double t, const OdeMethod *method, double ratio);
    /* Polled about every millisecond; anything but OK (cancelled, timeout) ends them all. */
    Status (*poll)(void *self, Error *err);
} OdeObserver;

typedef struct OdeOptions {
    double rtol,
        atol; /* of ode_weight(); the error of a step is a root mean square of components */
    /* dim sizes; 0: from the motion, see sizes.h. NULL: all are 1. */
    const double *nominal;
    /* [dim], read if there are sizes: the first of a kind; the one whose rate this is, or dim. */
    const size_t *kinds, *integrals;
    double step; /* fixed-step methods: the step (> 0) */
    /* takes over from an explicit method on stiff stretches, see stiffness.c; NULL: none does */
    const OdeMethod *stiff;
    double first_step;      /* adaptive: 0 for automatic */
    double max_step;        /* adaptive: no step is longer; 0: as long as the error allows */
    uint64_t max_steps;     /* accepted + rejected, per lane */
    uint32_t max_breaks;    /* breaks by guards, per lane; beyond: chattering */
    const OdeGuard *guards; /* n_guards of the system */
    /* Instant k = 0, 1, .. of a clock, each behind the one before and the start and not behind the
     * end; then NaN. */
    double (*tick)(void *self, size_t guard, size_t k);
    void *tick_self;
} OdeOptions;

/* Samples of lane k = 0 .. n_samples - 1 in the direction of integration; time k is asked when
 * needed, so that a million of them cost no memory. */
typedef struct OdeSpan {
    double t0, t_end;
    size_t n_samples;
    double (*sample_time)(void *self, size_t k); /* strictly monotone, within [t0, t_end] */
    void *self;
} OdeSpan;

/* Rounding of the rates has decided, rather than the tolerances: from t on an error of `by` was
 * allowed in this component. by = 0: not at all. */
typedef struct OdeRounding {
    size_t component;
    double t, by;
} OdeRounding;

/* OK: at t_end, or stopped by an event. ERR_NUMERIC: step-size underflow, steps that lead nowhere,
 * or values that are not finite. ERR_LIMIT: max_steps or chattering. */
typedef struct OdeOutcome {
    Status status;
    Error error;  /* says t, the step and the likely cause */
    bool stopped; /* by an event */
    bool chattering;
    bool
        stuck; /* STUCK_STEPS steps, and nothing has moved: held at a jump of the rates, or stiff */
    bool singular; /* a singular instant ahead, and no passage */
    /* an explicit method goes on though the motion is stiff, at least from stiff_t on */
    bool stiff;
    double stiff_t;
    bool blown_up;     /* steps became too small: rates without a bound, or not finite */
    size_t last_guard; /* the one that broke last */
    double t;          /* reached */
    double longest;    /* step taken */
    uint64_t accepted, rejected, evaluations, jacobians, breaks;
    uint64_t stiff_accepted, stiff_rejected; /* of these, with OdeOptions.stiff */
    OdeRounding rounding;
} OdeOutcome;

/* The task of a drive; everything is borrowed until the drive is finished. */
typedef struct OdeTask {
    const OdeSystem *system;
    const OdeMethod *method;
    const OdeOptions *options;
    const OdeSpan *span;
    const OdeObserver *observer;      /* NULL: nobody is told */
    OdeOutcome *outcome;              /* written as the motion ends */
    struct DriveWorkspace *workspace; /* drive.h; NULL: the drive has its own memory */
} OdeTask;

/* Integrates from y[dim + extra] (in: the start; out: the end). An error: nothing could be started
 * (a method that does not fit, out of memory); otherwise the outcome tells how it ended. */
Status ode_drive(const OdeTask *task, double *y, Error *err) MUST_CHECK;

/* The same for one lane without samples, which must arrive at the end of the span. If anything but
 * an event ends the lane before, that is the error. */
Status ode_reach(const OdeSystem *system, const OdeMethod *method, const OdeOptions *options,
                 const OdeSpan *span, double *y, const OdeObserver *observer,
                 Error *err) MUST_CHECK;

#endif
