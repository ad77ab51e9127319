/* Inside core/stability/: the linearisation at an equilibrium that was found. */
#ifndef CORE_STABILITY_LINEARISE_LINEAR_H
#define CORE_STABILITY_LINEARISE_LINEAR_H

#include "core/stability/find/equilibrium.h"

/* J_red = W^T (J - D X) W, [d x d], with an orthonormal basis W of the tangent space in the
 * system's own units, and the error of its entries. Sets x->jacobian, too. */
Status equilibrium_linearise(Equilibrium *equilibrium, double *ret_matrix, double *ret_error,
                             Error *err) MUST_CHECK;

/* The quotient of the linearisation by the family, which is invariant: the evolution of deviations
 * from the family, [d - family]^2, from the matrix and error of equilibrium_linearise().
 * *ret_separated is false if the family's directions are not independent. */
Status equilibrium_beside_family(Equilibrium *x, const double *matrix, const double *error,
                                 double *ret_matrix, double *ret_error, bool *ret_separated,
                                 Error *err) MUST_CHECK;

#endif
