/* Numbers of a chart: its map at a state, and the way back. Off the hot path; allocates. */
#ifndef CORE_MOTION_CHART_EVAL_H
#define CORE_MOTION_CHART_EVAL_H

#include "core/base/text.h"
#include "core/model/model.h"

/* For given parameter values (params[n_params]). Borrows the model. */
typedef struct ChartEval ChartEval;

Status chart_eval_new(const Model *model, const double *params, ChartEval **ret,
                      Error *err) MUST_CHECK;
void chart_eval_free(ChartEval *eval); /* NULL is fine */

/* At the model's time t. Arrays live until the next call. */
typedef struct ChartPoint {
    const double *q, *v; /* n: Q, and Q_x xdot + Q_t */
    const double *J;     /* n x m: Q_x */
} ChartPoint;

ChartPoint chart_point(ChartEval *eval, double t, const double *x, const double *xdot);
ChartPoint chart_point_at_rest(ChartEval *eval, double t, const double *x); /* xdot = 0 */

/* The smallest singular value of Q_x over the largest; 0 if Q_x is not finite. */
Status chart_conditioning(ChartEval *eval, double t, const double *x, double *ret_smallest,
                          Error *err) MUST_CHECK;

/* An x with Q(x, t) = q. The search starts from the given guess and, if that fails, from many
 * starting points; of several solutions it takes the smallest. If there is none, it returns the
 * nearest attempt. *ret_gap: the largest |Q - q| there over chart_size(), minus rounding. */
Status chart_find(ChartEval *eval, double t, const double *q, double *x, double *ret_gap,
                  Error *err) MUST_CHECK;
/* The size to which a gap is relative: the largest |q| of its kind, 1 if all are zero. */
double chart_size(const Model *model, const double *q, size_t i);
/* The xdot with v = Q_x xdot + Q_t, in the sense of least squares. */
Status chart_find_velocities(ChartEval *eval, double t, const double *x, const double *v,
                             double *ret_xdot, Error *err) MUST_CHECK;

/* "a = 0.5, r = 0" */
void chart_print_state(const Model *model, const double *x, Text *out);

#endif
