/* Inside core/linear/: a motion together with its linearisation along chosen directions at the
 * start, its action and its first variation.
 *
 * State: q, v, then m columns of d(q, v)/dc (see linearised.h), for v0 = v + N c with N the null
 * space of the constraints at the start. Of a motion in a chart: x, xdot, with N the unit matrix
 * (below, q and n mean x and its number then). Quadratures: the action and its first variation
 * along virtual displacements, see core/linear/first_variation.h. */
#ifndef CORE_LINEAR_VARIATION_H
#define CORE_LINEAR_VARIATION_H

#include "core/integrate/ode.h"
#include "core/motion/motion.h"

typedef struct Variation Variation;

/* All borrowed; the motion is plain, or that of a chart, and has no switches. */
typedef struct VariationSpec {
    const Model *model;
    const Motion *motion;
    const double *params;
    ModelEval *eval;    /* with these parameters; its metric is that of the projections */
    const size_t *rows; /* n_rows: the independent constraints */
    size_t n_rows;
    double t0, t1;
    OdeOptions options;                     /* tolerances and limits */
    Status (*poll)(void *self, Error *err); /* as in OdeObserver; may be NULL */
    void *self;
} VariationSpec;

Status variation_new(const VariationSpec *spec, Variation **ret_variation, Error *err) MUST_CHECK;
void variation_free(Variation *variation); /* NULL is fine */

typedef struct VariationResult {
    const double *q1;  /* n: the end point of the motion */
    const double *dq1; /* n x m: its derivative by c; m = n - rank */
    const double *N;   /* n x m */
    double action;
    double first;       /* largest first variation, relative to the sizes of its terms */
    double determinant; /* of dq1, unconstrained; of [dq1 | A^T] with rows of A of length 1 */
    /* |dq| at t1 of the motion beside this one that is displaced least, relative to
     * |(dq, (t1 - t0) dv)| of the same displacement at t1: 0 if the ends are conjugate */
    double displacement;
    bool blind; /* may have passed something narrower than its steps */
    /* with_second: */
    size_t conjugate; /* points between the ends, with their nullity */
    bool convex;      /* L_vv positive definite on the constraints all along */
} VariationResult;

/* The motion from (q0, v0) at t0 to t1. with_second: examines the second variation on the way.
 * Arrays are valid until the next call. ERR_NUMERIC if the motion does not reach t1. */
Status variation_run(Variation *variation, const double *q0, const double *v0, bool with_second,
                     VariationResult *ret, Error *err) MUST_CHECK;

#endif
