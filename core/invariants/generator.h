/* Vector fields on the configuration space: their lifts, their momenta, and those that options
 * give. */
#ifndef CORE_INVARIANTS_GENERATOR_H
#define CORE_INVARIANTS_GENERATOR_H

#include "core/base/diagnostics.h"
#include "core/base/value.h"
#include "core/invariants/analysis.h"

/* The derivative of e(q, v, t) along the tangent lift of Y at fixed time, e_q.Y + e_v.(Y_q v);
 * multiplied out if that makes it vanish. */
Expr generator_lift(ExprPool *pool, const Model *model, const Expr *Y, Expr e);

/* w.(Y_t): the contribution of a field's explicit time dependence to the rate of its momentum
 * w.Y. */
Expr generator_drift(ExprPool *pool, const Model *model, const Expr *Y, const Expr *w);

/* Both: e_q.Y + e_v.(Y_q v + Y_t), the derivative of e along the field; slope: e_v. */
Expr generator_change(ExprPool *pool, const Model *model, const Expr *Y, Expr e, const Expr *slope);

/* The sum of |a_i b_i|. */
Expr generator_size(ExprPool *pool, size_t n, const Expr *a, const Expr *b);

/* The power lambda_a (A v)_a of the reaction of constraint a, and along Y: lambda_a (A Y)_a. */
Expr reaction_power(ExprPool *pool, const Model *model, size_t a);
Expr reaction_along(ExprPool *pool, const Model *model, size_t a, const Expr *Y);
/* ret[n]: the reaction force A^T lambda. */
void reaction_force(ExprPool *pool, const Model *model, Expr *ret);

/* How often motions cross the range in a unit of time; 0 if they rest. */
double analysis_crossing(const AnalysisContext *context);
/* A time in which coordinates change by their sizes, and that is no shorter than the motion. */
double analysis_time(const AnalysisContext *context);
/* One over a time in which the motion moves across its range. */
double analysis_frequency(const AnalysisContext *context);

/* A force on coordinate i as large as those that act on the motion: l, F and M vdot. */
Expr analysis_force_scale(const AnalysisContext *context, size_t i);

/* Powers as large as those that act on the motion: of l, F and M vdot, with the sizes of their
 * terms. They tell a power from rounding. */
Expr analysis_power_scale(const AnalysisContext *context);

/* The size of a rate of p.Y that is as fast as the motion. It separates rates from rounding. Has
 * the units of d(p.Y)/dt in any units of the coordinates. */
Expr generator_rate_scale(const AnalysisContext *context, const Expr *Y);

/* Adds a field as a record of texts by coordinate, without the zeros. */
void generator_describe(const AnalysisContext *context, const Expr *Y, Value *parent,
                        const char *name);

/* The symmetries of a model: those it names, or else d/dq of each coordinate that L does not
 * contain, with the coordinate's name. */
typedef struct Generators {
    const ModelField *fields;
    size_t n;
    bool coordinates; /* not named by the model */
} Generators;

/* `pool` is a clone of the model's; arrays live in the arena. */
Status generators_of_model(const Model *model, ExprPool *pool, Arena *arena, Generators *ret,
                           Error *err) MUST_CHECK;

/* The fields of an option, [{"name": "..", "generator": {"x": "-y", ..}}, ..]: functions of q, t
 * and the parameters, built in `pool` (a clone of the model's). Names are Y1, Y2, ... if omitted.
 * Mistakes go to diag; then ERR_INVALID. Arrays live in diag->arena. */
Status generators_read(const Model *model, ExprPool *pool, const Value *option, Diagnostics *diag,
                       ModelField **ret_fields, size_t *ret_n, Error *err) MUST_CHECK;

/* The same in a run, which knows that they have no mistakes; option NULL: there are none. */
Status generators_given(const AnalysisContext *context, const Value *option,
                        const ModelField **ret_fields, size_t *ret_n, Error *err) MUST_CHECK;

#endif
