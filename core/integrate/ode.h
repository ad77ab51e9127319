/* Initial value problems in lanes: what is integrated, by what, and what is told on the way.
 *
 * A drive integrates `lanes` independent trajectories of one system together; each has its own
 * time, step size, events and fate, and its result has the same bits whatever the other lanes do.
 * Arrays of several lanes are component-major, [component][lane]; callbacks for one lane get
 * contiguous arrays.
 *
 * State: dim components under error control, then `extra` quadratures that are integrated with
 * the same stages but outside the error norm, so that they never change the bits of the motion. */
#ifndef CORE_INTEGRATE_ODE_H
#define CORE_INTEGRATE_ODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef struct OdeSystem {
    void *self;
    size_t dim, extra;
    /* Rates [dim + extra][lanes] at t[lanes], y[dim + extra][lanes]. A value that is not finite
     * rejects that lane's step. */
    void (*rates)(void *self, const double *t, const double *y, double *ret_rates, size_t lanes);
    /* Exact Jacobian of one lane, row-major dim x dim, and the explicit time derivative, dim.
     * NULL: methods that need it refuse the system. */
    void (*jacobian)(void *self, size_t lane, double t, const double *y, double *ret_dfdy,
                     double *ret_dfdt);
    /* Puts one lane's state, y[dim + extra], back onto its constraints after an accepted step and
     * at dense output. NULL: nothing to do. A failure ends the lane. */
    Status (*project)(void *self, size_t lane, double t, double *y, Error *err);
    /* Values of the n_guards guard functions of one lane; guards are watched for roots. */
    size_t n_guards;
    void (*guards)(void *self, size_t lane, double t, const double *y, double *ret_values);
} OdeSystem;

/* What a root of guard k does. */
typedef enum OdeGuardKind {
    ODE_GUARD_RECORD, /* located on the dense output and reported; the step goes on */
    ODE_GUARD_BREAK,  /* the step ends at the root: impacts, terminal events, switches */
} OdeGuardKind;

typedef struct OdeGuard {
    OdeGuardKind kind;
    int direction; /* +1 rising, -1 falling, 0 any: along increasing t, also backwards */
} OdeGuard;

typedef enum OdeAction {
    ODE_CONTINUE, /* nothing changed */
    ODE_RESTART,  /* the state or the rates jumped: forget the history of the method */
    ODE_STOP,     /* the lane ends here, complete */
} OdeAction;

/* What the drive tells; every pointer may be NULL. An error ends the lane with it. y is [dim +
 * extra]. */
typedef struct OdeObserver {
    void *self;
    /* After each accepted and projected step, and once at the start (h = 0). */
    Status (*step)(void *self, size_t lane, double t, double h, const double *y, Error *err);
    /* The state at sample k, projected; t is the requested double. */
    Status (*sample)(void *self, size_t lane, size_t k, double t, const double *y, Error *err);
    /* A root of guard k, crossed in `direction` (+1: from negative to positive as t increases). For
     * ODE_GUARD_BREAK the state may be changed (an impact); then the action must be ODE_RESTART. */
    Status (*event)(void *self, size_t lane, size_t guard, int direction, double t, double *y,
                    OdeAction *ret_action, Error *err);
    /* Polled at least every few milliseconds of work; anything but OK (ERR_CANCELLED, ERR_TIMEOUT)
     * ends all lanes with it. */
    Status (*poll)(void *self, Error *err);
} OdeObserver;

typedef struct OdeOptions {
    double rtol, atol;      /* error per step: atol + rtol |y|, root mean square over components */
    double step;            /* fixed-step methods: the step (> 0) */
    double first_step;      /* adaptive: 0 for automatic */
    uint64_t max_steps;     /* accepted + rejected, per lane */
    uint32_t max_breaks;    /* breaks by guards, per lane; beyond: chattering */
    const OdeGuard *guards; /* n_guards of the system */
} OdeOptions;

/* Samples of lane k = 0 .. n_samples - 1 in the direction of integration; time k is asked when
 * needed, so that a million of them cost no memory. */
typedef struct OdeSpan {
    double t0, t_end;
    size_t n_samples;
    double (*sample_time)(void *self, size_t k); /* strictly monotone, within [t0, t_end] */
    void *self;
} OdeSpan;

/* How one lane ended. Status OK: t_end was reached or an event stopped it. ERR_NUMERIC: step-size
 * underflow or values that are not finite; ERR_LIMIT: max_steps or chattering. */
typedef struct OdeOutcome {
    Status status;
    Error error;  /* says t, the step and the likely cause */
    bool stopped; /* by an event */
    double t;     /* reached */
    uint64_t accepted, rejected, evaluations, jacobians, breaks;
} OdeOutcome;

/* Integrates lanes trajectories from y[dim + extra][lanes] (in: start; out: where each lane ended).
 * `lanes` spans (one each). Returns an error only when nothing could be started (a method that does
 * not fit, out of memory); else each outcome tells. */
typedef struct OdeMethod OdeMethod;
Status ode_drive(const OdeSystem *system, const OdeMethod *method, const OdeOptions *options,
                 const OdeSpan *spans, size_t lanes, double *y, const OdeObserver *observer,
                 OdeOutcome *ret_outcomes, Error *err) MUST_CHECK;

#endif
