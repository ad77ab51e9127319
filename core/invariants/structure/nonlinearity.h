/* Constraints that are nonlinear in the velocities. Solved for the dependent velocities, ydot^a
 * = C^a(q, u, t), they are affine exactly if the tensor C^a_ij = d^2 C^a/du^i du^j vanishes. The
 * pseudo-curvature d_V C^a_i - D_i C^a takes the place of the curvature of affine ones. */
#ifndef CORE_INVARIANTS_STRUCTURE_NONLINEARITY_H
#define CORE_INVARIANTS_STRUCTURE_NONLINEARITY_H

#include "core/invariants/structure/distribution.h"

/* Adds a verdict, and coefficients at the start to `record`. */
Status nonlinearity_find(const Distribution *d, Findings *findings, Value *record,
                         Error *err) MUST_CHECK;

/* The start as a series of one state; vdot and lambda are zeros. In the scratch memory. */
Status distribution_start(const AnalysisContext *context, Trajectory *ret, Error *err) MUST_CHECK;

/* "A[z](x,y)"; NULL for the second name: "A[z](x,t)". */
const char *coefficient_name(const Distribution *d, Arena *arena, const char *letter, size_t a,
                             size_t i, const size_t *j);

#endif
