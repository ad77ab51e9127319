/* The directions that constraints affine in the velocities allow, S v + s = 0, spanned by
 *
 *     X_i = d/dx^i + a_nu,i d/dy^nu,      X_0 = d/dt + a_nu d/dy^nu
 *
 * with x the base and y the dependent coordinates (core/motion/dependent/dependent.h): at frozen
 * time by the X_i alone, on the extended space (q, t) with X_0. */
#ifndef CORE_INVARIANTS_STRUCTURE_DISTRIBUTION_H
#define CORE_INVARIANTS_STRUCTURE_DISTRIBUTION_H

#include "core/invariants/structure/growth.h"
#include "core/motion/dependent/dependent.h"

typedef struct Distribution {
    const AnalysisContext *context;
    ExprPool *pool; /* the context's */
    Dependent dependent;
    size_t n, r, m;
    size_t n_holonomic; /* of the rows in use */
} Distribution;

/* dependent[n_rows] NULL: those of the context. ERR_INVALID: they are not determined. For any
 * constraints; the rest is for affine ones. Call distribution_done() in any case. */
Status distribution_init(Distribution *d, const AnalysisContext *context, const size_t *dependent,
                         Error *err) MUST_CHECK;
void distribution_done(Distribution *d);

/* The flags of the brackets, without `extra` components. */
typedef struct Flags {
    Growth small, derived;
    size_t most;  /* the dimension of the space that holonomic constraints leave */
    bool trivial; /* nothing but holonomic constraints: no bracket was needed */
} Flags;

/* The flags of holonomic constraints alone, which need no bracket; only the numbers of *ret_d
 * are set. */
void distribution_holonomic(const AnalysisContext *context, Distribution *ret_d,
                            Flags *ret_extended, Flags *ret_frozen);

/* Leaves the brackets that were made in `fields`; call fields_done() in any case. */
Status distribution_flags(const Distribution *d, bool extended, Fields *fields, Flags *ret,
                          Error *err) MUST_CHECK;

/* The directions gained by one bracket: the rank of the curvature. */
size_t flags_curvature(const Flags *flags);

/* Constraints that are nonlinear in the velocities. Solved for the dependent velocities, ydot^a
 * = C^a(q, u, t), they are affine exactly if the tensor C^a_ij = d^2 C^a/du^i du^j vanishes. The
 * pseudo-curvature d_V C^a_i - D_i C^a takes the place of the curvature of affine ones. Adds a
 * verdict, and coefficients at the start to `record`. */
Status nonlinearity_find(const Distribution *d, Findings *findings, Value *record,
                         Error *err) MUST_CHECK;

/* The start as a series of one state; vdot and lambda are zeros. In the scratch memory. */
Status distribution_start(const AnalysisContext *context, Trajectory *ret, Error *err) MUST_CHECK;

/* "A[z](x,y)"; NULL for the second name: "A[z](x,t)". */
const char *coefficient_name(const Distribution *d, Arena *arena, const char *letter, size_t a,
                             size_t i, const size_t *j);

#endif
