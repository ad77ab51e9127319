/* Inside core/simulation/: what is certain about an equilibrium beyond its linearisation. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_PROOFS_H

#include "core/simulation/analyses/equilibrium.h"

/* Whether the null space of the conditions' derivatives is tangent to a family of solutions of its
 * dimension, by the theorem of implicit functions: the derivatives of the conditions that are not
 * identities have full rank; or by equilibrium_family_shown(). Also true where that space is {0}.
 * `fields`: those of its drift. */
Status equilibrium_family_proven(const Equilibrium *equilibrium, const size_t *fields,
                                 bool *ret_proven, Error *err) MUST_CHECK;

/* Whether the theorem of Lagrange and Dirichlet holds: at rest, constraints holonomic, nothing
 * depends on time, forces linear in the velocities that take energy or none, and the energy's second
 * derivatives positive definite. After equilibrium_linearise(). */
Status equilibrium_minimum(const Equilibrium *equilibrium, bool *ret_minimum,
                           Error *err) MUST_CHECK;

/* The eigenvalues of a symmetric matrix [m x m], which is overwritten, within error [m x m] are
 * positive, in units in which its diagonal is 1. */
Status equilibrium_positive(double *matrix, const double *error, size_t m, bool *ret,
                            Error *err) MUST_CHECK;

#endif
