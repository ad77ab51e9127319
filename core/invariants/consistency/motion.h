/* The individual test: is one nonholonomic motion a vakonomic one for some multipliers?
 *
 * Along a motion with reactions A^T lambda the multipliers of a vakonomic motion obey a linear
 * equation, mudot = lambda - P C^T mu with P A^T = 1, whose solutions are mu = Phi mu0 + mu_p. They
 * make it vakonomic when N^T C^T mu = 0 all along (see section.h for A, C and N; M.
 * Crampin, T. Mestdag, end of section 5). The best mu0 is found by least squares over the motion.
 *
 * A section that is strongly consistent gives such multipliers to every motion: a motion that has
 * none proves that there is no such section around it. */
#ifndef CORE_INVARIANTS_CONSISTENCY_MOTION_H
#define CORE_INVARIANTS_CONSISTENCY_MOTION_H

#include "core/invariants/consistency/section.h"

/* Beyond this the test is not made. */
enum { INDIVIDUAL_MAX_COORDINATES = 100, INDIVIDUAL_MAX_CONSTRAINTS = 24 };

typedef struct MotionTest {
    const SectionProblem *problem;
    double t0, t_end;
    const double *q0, *v0; /* n: consistent */
    size_t samples;        /* >= 2, evenly spaced from t0 to t_end */
    /* A motion from (t0, q0, v0): its states are the samples then, at most so many of them, and the
     * test ends where it is another motion than the one without impacts. NULL: none. */
    const Trajectory *follow;
    const double *mu0; /* r: test these multipliers, instead of the best ones; NULL: none given */
} MotionTest;

typedef struct MotionFinding {
    size_t samples;  /* reached; 0: the test could not be made */
    double t;        /* of the last of them */
    double residual; /* largest, relative to the terms and the forces that act */
    size_t failures; /* samples at which it was above 1e-7 */
    size_t freedom;  /* dimension of the set of multipliers that serve as well */
    double *mu0;     /* r: of the rows in use; at t0, the smallest; the caller's */
} MotionFinding;

/* ret->mu0 comes with room for r. Where the motion ends early (a singularity), what was reached
 * counts. */
Status motion_test(const MotionTest *test, MotionFinding *ret, Error *err) MUST_CHECK;

#endif
