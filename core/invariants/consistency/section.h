/* Multipliers as functions of the state, and whether the vakonomic motions that start with them are
 * those of Lagrange-d'Alembert.
 *
 * With constraints A(q) v = 0 the two dynamics are
 *
 *     M vdot + l = F + A^T lambda                      (nonholonomic)
 *     M vdot + l = F + A^T mudot + mu_a C_a            (vakonomic),
 *
 *     C_a,i = (d A_ai/dq_j - d A_aj/dq_i) v_j
 *
 * A section mu = phi(q, v, t) of the multipliers is consistent with the nonholonomic motions,
 * whose derivative is Gamma, when at every admissible state
 *
 *     weakly:   N^T phi_a C_a = 0, N a basis of ker A,
 *     strongly: A^T (Gamma(phi) - lambda) + phi_a C_a = 0.
 *
 * In a frame X_al of ker A and X_a completing it these are phi_a R^a_{al be} w^be = 0 and
 * Gamma(phi_a) + phi_b R^b_{a al} w^al = lambda_a (M. Crampin, T. Mestdag, Theorem 2 and
 * Corollary 1), in any frame. */
#ifndef CORE_INVARIANTS_CONSISTENCY_SECTION_H
#define CORE_INVARIANTS_CONSISTENCY_SECTION_H

#include "core/invariants/analysis.h"

/* The two dynamics of a model, and the states at which sections are judged. */
typedef struct SectionProblem {
    const AnalysisContext *context; /* its states are those of Lagrange-d'Alembert */
    ExprPool *pool;                 /* the context's */
    size_t n, r;                    /* r: constraints in use */
    Expr *A;                        /* r x n */
    Expr *curl;                     /* r x n: C */
    Expr *curl_size;                /* r x n: the sum of the absolute values of its terms */
    double frequency;               /* forces that change M v this fast count as acting */
} SectionProblem;

/* Every constraint in use must be linear and free of time. Lives in the context's scratch
 * memory. */
Status section_problem_init(SectionProblem *problem, const AnalysisContext *context,
                            Error *err) MUST_CHECK;

/* The measure of forces at one state: each over the square root of |M_ii|, so that they add up
 * in any units of the coordinates. */
typedef struct Gauge {
    size_t n, r;
    double *weight; /* n: sqrt |M_ii|, or 1 */
    double *B;      /* r x n: A over the weights */
    double *gram;   /* r x r: B B^T */
    double force;   /* the size of the forces that act */
    double *work;   /* r (r + 1) */
} Gauge;

/* In the arena, whose failure is to be asked before the gauge is used. */
void gauge_init(Gauge *gauge, const SectionProblem *problem, Arena *arena);
void gauge_set(Gauge *gauge, const SectionProblem *problem, double t, const double *q,
               const double *v, const double *vdot);
/* x[n], over the weights, is B^T ret_along[r] and a rest orthogonal to it; the rest replaces x.
 * False: the constraints are not independent. */
bool gauge_split(Gauge *gauge, double *x, double *ret_along);

/* Whether r fields Y[r x n] complete ker A at most of the states. */
Status section_completes(const SectionProblem *problem, const Expr *Y, bool *ret_completes,
                         Error *err) MUST_CHECK;

/* mu[r] with (A Y)^T mu = p.Y + added, for r fields Y[r x n] that complete ker A; added[r] may be
 * NULL. */
Status section_momentum(const SectionProblem *problem, const Expr *Y, const Expr *added,
                        Expr *ret_mu, Error *err) MUST_CHECK;

/* The residual of strong consistency, A^T (Gamma(mu) - lambda) + mu_a C_a: ret[n], of vdot and
 * lambda as well. */
Status section_residual(const SectionProblem *problem, const Expr *mu, Expr *ret,
                        Error *err) MUST_CHECK;

/* Of one section, at the states of the problem. */
typedef struct SectionVerdict {
    Predicted weak, strong;
    size_t states;
    double weak_largest, strong_largest; /* relative to the terms and the forces that act */
    Proof proof;                         /* of `strong` */
} SectionVerdict;

/* Weak or strong are yes only if that is proved (verdict_predict). */
Status section_judge(const SectionProblem *problem, const Expr *mu, SectionVerdict *ret,
                     Error *err) MUST_CHECK;

/* L - mu_a phi_a: if the section is strongly consistent, the nonholonomic motions are solutions
 * of its Euler-Lagrange equations (with the forces of the model). */
Expr section_lagrangian(const SectionProblem *problem, const Expr *mu);

/* Searches for a strongly consistent section mu + k with k linear in the velocities, and adds k to
 * mu[r]. The condition is linear in the section: with k a combination of products of a function of
 * an ansatz (core/invariants/search/ansatz.h) and a velocity, it is a linear problem at random
 * admissible states, simple products first. Not found, too, if the system is too large. Numbers in
 * k belong to the parameters of this run. The states of the problem differ from those of the
 * search: judge the result there. */
Status section_search(const SectionProblem *problem, Expr *mu, bool *ret_found,
                      Error *err) MUST_CHECK;

#endif
