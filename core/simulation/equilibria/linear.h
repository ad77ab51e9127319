/* Inside core/simulation/: the linearisation at an equilibrium that was found. */
#ifndef CORE_SIMULATION_EQUILIBRIA_LINEAR_H
#define CORE_SIMULATION_EQUILIBRIA_LINEAR_H

#include "core/simulation/equilibria/state.h"

/* J_red = W^T (J - D X) W, [d x d], by an orthonormal basis W of the tangent space in units of
 * its own, and how wrong its entries may be; x->jacobian too. */
Status equilibrium_linearise(Equilibrium *equilibrium, double *ret_matrix, double *ret_error,
                             Error *err) MUST_CHECK;

/* The same without the family it belongs to, which is invariant: what becomes of deviations from the
 * family, [d - family]^2 from the matrix and error of equilibrium_linearise(). *ret_separated false:
 * its directions are not independent. */
Status equilibrium_beside_family(Equilibrium *x, const double *matrix, const double *error,
                                 double *ret_matrix, double *ret_error, bool *ret_separated,
                                 Error *err) MUST_CHECK;

#endif
