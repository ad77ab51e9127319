/* Inside core/simulation/: a job's own expressions (observables, events, impacts) over a computed
 * motion. */
#ifndef CORE_SIMULATION_PREPARE_OBSERVED_H
#define CORE_SIMULATION_PREPARE_OBSERVED_H

#include "core/base/diagnostics.h"
#include "core/expr/parse.h"
#include "core/expr/range.h"
#include "core/job.h"
#include "core/model/model.h"
#include "core/motion/formulation.h"
#include "core/motion/motion.h"
#include "core/program/function.h"
#include "core/simulation/linear/directions.h"

/* A state with all that is known at it. */
typedef struct ObservedState {
    double t;
    const double *q, *v, *vdot; /* n */
    const double *lambda;       /* r: all constraints, least norm where redundant */
    const double *lambda_rate;  /* r: where the motion keeps the multipliers; else not read */
    const double *own;          /* the formulation's columns; not read before they are known */
} ObservedState;

/* Over whose motions the expressions are. */
typedef struct ObservedOf {
    const Model *model; /* borrowed, as is the next */
    const Formulation
        *formulation; /* whether it keeps multipliers: the reaction is A^T lambda_rate then */
    const Motion
        *motion; /* its own columns; NULL: not known, any that the formulation may have are read */
    const double *params; /* n_params: bound */
} ObservedOf;

/* What an impact assigns: a position or a velocity. */
typedef struct SetTarget {
    size_t coordinate;
    bool velocity;
} SetTarget;

typedef struct Observed Observed;

/* Parses and compiles; mistakes go to diag (then ERR_INVALID). */
Status observed_new(const ObservedOf *of, const JobSpec *spec, Diagnostics *diag,
                    Observed **ret_observed, Error *err) MUST_CHECK;
/* Expressions that nobody watches for roots, in the place of guards. flags[n]: how texts[n]
 * are read; NULL: as expressions. Of the job: `observe`, for hints, and `accepted`. */
Status observed_values_new(const ObservedOf *of, const JobSpec *job, const NamedText *texts,
                           const ParseFlags *flags, size_t n, Diagnostics *diag,
                           Observed **ret_observed, Error *err) MUST_CHECK;
/* Makes ranges of the values of observed_values_new(); guards of events have theirs. */
Status observed_enclose(Observed *observed, Error *err) MUST_CHECK;
/* Is a column of the formulation's own read? NULL is fine, here and below. */
bool observed_reads_own(const Observed *observed);
/* Is a column of the formulation's own read, and other than the motion's? Then it is to be made again, with
 * the motion. */
bool observed_is_stale(const Observed *observed, const Motion *motion);
/* The dimension of observable k, or of value k of observed_values_new(). */
Dimension observed_dimension(const Observed *observed, size_t k);
/* The inputs that observable k, or value k, reads: ret[observed_n_inputs()]. */
Status observed_reads(const Observed *observed, bool value, size_t k, bool *ret,
                      Error *err) MUST_CHECK;
/* Are all values nothing but inputs? */
bool observed_values_are_inputs(const Observed *observed);
/* Operations of all observables together. */
size_t observed_length(const Observed *observed);
void observed_free(Observed *observed); /* NULL is fine */
/* The values in params have changed. Not after observed_linearise(), which is to be called again. */
void observed_rebind(Observed *observed);

/* Whether the events' guards need accelerations or multipliers (else only t, q, v are read). */
bool observed_guards_need_motion(const Observed *observed);

/* ret_values: n_observe, n_events, and the values of event k's assignments. */
void observed_columns(Observed *observed, const ObservedState *state, double *ret_values);
void observed_guards(Observed *observed, const ObservedState *state, double *ret_values);

/* The columns and the guards with random errors (program_eval_shaken). */
void observed_columns_shaken(Observed *observed, const ObservedState *state, double by,
                             Random *random, double *ret_values);
void observed_guards_shaken(Observed *observed, const ObservedState *state, double by,
                            Random *random, double *ret_values);

/* What expressions read of a state, one after the other: t, q, v, vdot, lambda, where the motion
 * keeps the multipliers lambda_rate, and the formulation's columns. Until the next call. */
size_t observed_n_inputs(const Observed *observed);
const double *observed_inputs(Observed *observed, const ObservedState *state);
/* The guard of an event where each input that it reads is in its range; ranges[n_inputs]. */
bool observed_guard_reads(const Observed *observed, size_t event, size_t input);
Range observed_guard_range(Observed *observed, size_t event, const Range *ranges);
/* Then: is it as smooth as what it reads? (range_eval_calm) */
bool observed_guard_calm(const Observed *observed, size_t event);

/* The guards as a function of the inputs for so many lanes, that outlives `observed`. */
Status observed_guards_in_lanes(const Observed *observed, const double *params, size_t lanes,
                                Function *ret, Error *err) MUST_CHECK;

/* Makes observed_columns_along() ready for directions in which these parameters of the model move
 * too; `columns` is the number usually asked for at a time. */
Status observed_linearise(Observed *observed, const size_t *parameters, size_t n_parameters,
                          size_t columns, Error *err) MUST_CHECK;
/* ret[n_observe][m]: the derivatives along directions (dq, dv, dvdot, dlambda, dp), rows [..][m].
 * Not where the motion keeps its multipliers. */
void observed_columns_along(Observed *observed, const ObservedState *state,
                            const DirectionRows *parts, size_t n_parts, size_t m, double *ret);
/* Number of assignments of event k; targets and values in the order of the document. */
size_t observed_impact(Observed *observed, size_t event, const ObservedState *state,
                       const SetTarget **ret_targets, const double **ret_values);

#endif
