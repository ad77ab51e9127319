/* Inside core/linear/: coordinates of the tangent space of the constraint manifold that are
 * deviations of named coordinates and velocities.
 * 
 * The constraints determine the deviations of some positions (one per holonomic constraint) and
 * of some velocities (one per constraint) by those of the others, s and u: (dq, dv) = T (s, u). */
#ifndef CORE_LINEAR_REDUCED_H
#define CORE_LINEAR_REDUCED_H

#include "core/base/arena.h"
#include "core/linear/tangent_space.h"
#include "core/motion/formulation.h"

typedef struct Reduced {
    size_t n, n_s, n_u; /* coordinates; positions and velocities that are independent */
    size_t *positions;  /* n_s coordinates, ascending */
    size_t *velocities; /* n_u coordinates, ascending */
    double *T;          /* [2 n][n_s + n_u] */
} Reduced;

/* At an admissible state. Dependent velocities are those of the coordinates that the constraints
 * determine best there, outside a given base. Dependent positions are among these. The arrays
 * are in the arena. ERR_NUMERIC if the constraints lose rank. */
Status reduced_coordinates(const MotionQuestion *at, TangentSpace *space, Arena *arena,
                           Reduced *ret, Error *err) MUST_CHECK;

/* ret[d x d], d = n_s + n_u: the rows of s and u of B T, for B[2 n x 2 n]; of |B| |T|, if sizes. */
void reduced_matrix(const Reduced *reduced, const double *B, bool sizes, double *ret);

/* ret[n_u x n_u] = N^T M N, with N the part of T for u and the velocities. */
void reduced_mass(const Reduced *reduced, const double *M, double *ret);

#endif
