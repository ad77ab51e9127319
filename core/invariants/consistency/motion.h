/* The individual test: is one nonholonomic motion a vakonomic one for some multipliers?
 *
 * Along a motion with reactions A^T lambda the multipliers of a vakonomic motion obey a linear
 * equation, mudot = lambda - P C^T mu with P A^T = 1, whose solutions are mu = Phi mu0 + mu_p.
 * They make it vakonomic if N^T C^T mu = 0 all along (see section.h for A, C and N; M. Crampin,
 * T. Mestdag, end of section 5). The best mu0 is found by least squares over the motion.
 *
 * A section that is strongly consistent gives such multipliers to every motion. A motion without
 * such multipliers proves that there is no such section around it. */
#ifndef CORE_INVARIANTS_CONSISTENCY_MOTION_H
#define CORE_INVARIANTS_CONSISTENCY_MOTION_H

#include "core/invariants/consistency/section.h"

/* Larger systems are not tested. Conventions. */
enum { INDIVIDUAL_MAX_COORDINATES = 100, INDIVIDUAL_MAX_CONSTRAINTS = 24 };

typedef struct MotionTest {
    const SectionProblem *problem;
    double t0, t_end;
    const double *q0, *v0; /* n: consistent */
    size_t samples;        /* >= 2, evenly spaced from t0 to t_end */
    /* A motion from (t0, q0, v0), or NULL: its states are the samples then, at most `samples` of
     * them. The test ends where an impact makes it differ from the motion that is integrated. */
    const Trajectory *follow;
    const double *mu0; /* r: test these multipliers, instead of the best ones; NULL: none given */
} MotionTest;

typedef struct MotionFinding {
    size_t samples;  /* reached; 0: the test could not be made */
    double t;        /* of the last of them */
    double residual; /* largest, relative to the terms and the forces that act */
    size_t failures; /* samples at which it was above VERDICT_FAILS */
    size_t freedom;  /* dimension of the set of multipliers with the same residual */
    double *mu0;     /* r: of the rows in use; at t0, the smallest; the caller's */
} MotionFinding;

/* ret->mu0 comes with space for r. If the motion ends early (a singularity), its samples count. */
Status motion_test(const MotionTest *test, MotionFinding *ret, Error *err) MUST_CHECK;

#endif
