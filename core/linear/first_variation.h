/* Inside core/linear/: the action along a curve and its first variation, as quadratures beside
 * a motion.
 *
 *     S[q] = int L dt,  dS[eta] = int (L_q + F).eta + L_v.etadot dt,  eta = 0 at both ends
 *
 * (docs/explanation/invariants/action.md; the virtual work of forces F is added: Hamilton's
 * principle). There are two kinds of test variations. They are the same if all constraints are
 * holonomic:
 *
 *   virtual   A eta = 0: eta = sin(k pi tau) P e_i for every coordinate i and k = 1 ..
 *             VIRTUAL_WAVES. P projects onto the virtual displacements, tau runs from 0 to 1.
 *             dS = 0 is d'Alembert's principle.
 *   tangent   phi_q eta + A etadot = 0: the varied curves satisfy the constraints to first order.
 *             eta is integrated with the motion, etadot = P a - A^T (A A^T)^-1 phi_q eta, for
 *             random smooth a(t); of their combinations those count that vanish at the far end.
 *             dS = 0 is stationary action among admissible curves. */
#ifndef CORE_LINEAR_FIRST_VARIATION_H
#define CORE_LINEAR_FIRST_VARIATION_H

#include "core/model/model.h"

enum { VIRTUAL_WAVES = 3 };

typedef struct FirstVariation FirstVariation;

typedef struct FirstVariationSpec {
    const Model *model;
    const double *params;
    const size_t *rows; /* n_rows: independent constraints */
    size_t n_rows;
    double t0, t1;
    size_t n_tangent; /* variations to integrate; more than n for any to remain; 0: none */
} FirstVariationSpec;

/* Borrows nothing. */
Status first_variation_new(const FirstVariationSpec *spec, FirstVariation **ret,
                           Error *err) MUST_CHECK;
void first_variation_free(FirstVariation *x); /* NULL is fine */

/* Rows of the state, all 0 at the start. First the tangent variations, on which the rates
 * depend; then the quadratures, on which they do not. Last the sizes of their terms: their rates
 * have a corner at each zero of a term and must not control the step size. */
size_t first_variation_states(const FirstVariation *x);
size_t first_variation_quadratures(const FirstVariation *x);
size_t first_variation_sizes(const FirstVariation *x);

/* Rates of these rows y at a state of the motion; allocation-free. */
void first_variation_rates(FirstVariation *x, double t, const double *q, const double *v,
                           const double *vdot, const double *y, double *ret_rates);

/* Sizes are relative: |dS| over the integral of the absolute values of its terms. */
typedef struct FirstVariationResult {
    double action;
    double virtual_largest;
    size_t n_tangent;       /* independent tangent variations that vanish at both ends */
    double tangent_largest; /* along the one with the largest dS; 0 if there is none */
} FirstVariationResult;

/* From the rows y at the far end. */
Status first_variation_result(const FirstVariation *x, const double *y, FirstVariationResult *ret,
                              Error *err) MUST_CHECK;

#endif
