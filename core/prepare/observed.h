/* Inside core/prepare/: a job's own expressions (observables, events, impacts) over a computed
 * motion. */
#ifndef CORE_PREPARE_OBSERVED_H
#define CORE_PREPARE_OBSERVED_H

#include "core/base/diagnostics.h"
#include "core/expr/interval/range.h"
#include "core/expr/parse/parse.h"
#include "core/job.h"
#include "core/linear/directions.h"
#include "core/model/model.h"
#include "core/motion/formulation.h"
#include "core/motion/motion.h"
#include "core/program/function.h"

/* A state with all quantities known at it. */
typedef struct ObservedState {
    double t;
    const double *q, *v, *vdot; /* n */
    const double *lambda;       /* r: all constraints, least norm if redundant */
    const double *lambda_rate;  /* r: only read if the motion keeps the multipliers */
    const double *own;          /* the formulation's columns; only read once they are known */
} ObservedState;

/* The motions to which the expressions apply. */
typedef struct ObservedOf {
    const Model *model; /* borrowed, as is the next */
    /* whether it keeps multipliers: then the reaction is A^T lambda_rate */
    const Formulation *formulation;
    /* source of own columns; NULL: not known, all that the formulation may have are allowed */
    const Motion *motion;
    const double *params; /* n_params: bound */
} ObservedOf;

/* The target of an assignment by an impact: a position or a velocity. */
typedef struct SetTarget {
    size_t coordinate;
    bool velocity;
} SetTarget;

typedef struct Observed Observed;

/* Parses and compiles; mistakes go to diag (then ERR_INVALID). */
Status observed_new(const ObservedOf *of, const JobSpec *spec, Diagnostics *diag,
                    Observed **ret_observed, Error *err) MUST_CHECK;
/* Texts to be compiled. */
typedef struct ObservedTexts {
    const NamedText *texts;
    const ParseFlags *flags; /* n: how each is parsed; NULL: as expressions */
    size_t n;
} ObservedTexts;

/* Expressions that are not watched for roots, in the place of guards. Of the job: `observe`, for
 * hints, and `accepted`. */
Status observed_values_new(const ObservedOf *of, const JobSpec *job, const ObservedTexts *texts,
                           Diagnostics *diag, Observed **ret_observed, Error *err) MUST_CHECK;
/* Makes interval evaluators of the values of observed_values_new(); guards of events have them
 * already. */
Status observed_enclose(Observed *observed, Error *err) MUST_CHECK;
/* Whether a column of the formulation's own is read. NULL is fine, here and below. */
bool observed_reads_own(const Observed *observed);
/* Whether an own column is read that is not the motion's. Then the object has to be made again,
 * with the motion. */
bool observed_is_stale(const Observed *observed, const Motion *motion);
/* The dimension of observable k, or of value k of observed_values_new(). */
Dimension observed_dimension(const Observed *observed, size_t k);
/* The inputs that observable k, or value k, reads: ret[observed_n_inputs()]. */
Status observed_reads(const Observed *observed, bool value, size_t k, bool *ret,
                      Error *err) MUST_CHECK;
/* ret[k], k < n: the union of the bits classes[input] of the inputs that observable, or value,
 * first + k reads; classes[observed_n_inputs()]. */
Status observed_classes(const Observed *observed, bool value, size_t first, size_t n,
                        const unsigned char *classes, unsigned char *ret, Error *err) MUST_CHECK;
/* Whether all values are plain inputs. */
bool observed_values_are_inputs(const Observed *observed);
/* Operations of all observables together. */
size_t observed_length(const Observed *observed);
void observed_free(Observed *observed); /* NULL is fine */
/* Call it after the values in params have changed. Not after observed_linearise(), which has to
 * be called again. */
void observed_rebind(Observed *observed);

/* Whether the events' guards need accelerations or multipliers (else only t, q, v are read). */
bool observed_guards_need_motion(const Observed *observed);

/* ret_values: n_observe, n_events, and the values of event k's assignments. */
void observed_columns(Observed *observed, const ObservedState *state, double *ret_values);
void observed_guards(Observed *observed, const ObservedState *state, double *ret_values);

/* The guards, or else the columns, with random errors (program_eval_shaken). */
void observed_shaken(Observed *observed, bool guards, const ObservedState *state, double by,
                     Random *random, double *ret_values);

/* The inputs at a state, in this order: t, q, v, vdot, lambda, lambda_rate if the motion keeps the
 * multipliers, and the formulation's columns. Valid until the next call. */
size_t observed_n_inputs(const Observed *observed);
const double *observed_inputs(Observed *observed, const ObservedState *state);
/* The range of an event's guard if each input that it reads lies in its range; ranges[n_inputs]. */
bool observed_guard_reads(const Observed *observed, size_t event, size_t input);
Range observed_guard_range(Observed *observed, size_t event, const Range *ranges);
/* After that: whether the guard is as smooth as its inputs (range_eval_calm). */
bool observed_guard_calm(const Observed *observed, size_t event);

/* The guards as a function of the inputs for this number of lanes. It outlives `observed`. */
Status observed_guards_in_lanes(const Observed *observed, const double *params, size_t lanes,
                                Function *ret, Error *err) MUST_CHECK;

/* Prepares observed_columns_along() for directions in which these parameters of the model move
 * as well. `columns` is the usual number of directions. */
Status observed_linearise(Observed *observed, const size_t *parameters, size_t n_parameters,
                          size_t columns, Error *err) MUST_CHECK;
/* ret[n_observe][m]: the derivatives along directions (dq, dv, dvdot, dlambda, dp), rows
 * [..][m]. Not for motions that keep their multipliers. */
void observed_columns_along(Observed *observed, const ObservedState *state,
                            const DirectionRows *parts, size_t n_parts, size_t m, double *ret);
/* Number of assignments of event k; targets and values in the order of the document. */
size_t observed_impact(Observed *observed, size_t event, const ObservedState *state,
                       const SetTarget **ret_targets, const double **ret_values);

#endif
