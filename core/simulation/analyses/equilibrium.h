/* Inside core/simulation/: one equilibrium, or relative equilibrium, near a state.
 *
 * A motion along a combination of symmetry generators, v = sum c_a xi_a(q), keeps on along it when
 *     vdot(q, v) - u_q v = 0,   f(q) = 0,   phi(q, v) = 0   with u = sum c_a xi_a,
 * without generators: at rest. Solved for q and c by Gauss-Newton steps of least size, as
 * equilibria come in families (those of a nonholonomic system always do), in units of the model's own.
 * It is one where each of them is zero to the rounding of its own terms. */
#ifndef CORE_SIMULATION_ANALYSES_EQUILIBRIUM_H
#define CORE_SIMULATION_ANALYSES_EQUILIBRIUM_H

#include "core/simulation/analyses/drift.h"
#include "core/simulation/analyses/equilibrium_balance.h"
#include "core/simulation/analyses/equilibrium_scales.h"
#include "core/simulation/analyses/local.h"

typedef struct Equilibrium {
    const AnalysisContext *context;
    Local *local;
    Drift *drift; /* NULL: at rest */
    Balance *balance;
    size_t n, s; /* s: generators, 0 at rest */
    size_t n_conditions;
    double *q, *v, *c; /* n, n, s: in: near what; out: there */
    double residual;   /* of the conditions, relative; the largest */
    size_t family;     /* dimension of the family of solutions it belongs to */
    size_t same;       /* of that part of it with the same c: as many eigenvalues are 0 */
    double *null;      /* [n + s][n + s]: its directions in q and c, in `family` columns */
    double *distance;  /* n + s: how far q and c may be from the solution */
    bool sharp;        /* nothing but rounding is taken for a direction of the family */
    bool lasting;      /* it is one at other times too */
    bool steady;       /* and its linearisation is the same then */
    double *jacobian, *jacobian_error; /* 2 n x 2 n: J - D X; how wrong its entries may be */
    double *basis, rate; /* [2 n][d]: W of q and v / rate, in units; once it is linearised */
    EquilibriumScales scales;
    double *acceleration;                                    /* n: w, that it should have */
    double *conditions, *slopes, *directions, *along, *held; /* scratch */
    Arena memory;                                            /* owns the arrays */
} Equilibrium;

Status equilibrium_init(Equilibrium *equilibrium, const AnalysisContext *context, Local *local,
                        Drift *drift, Balance *balance, Error *err) MUST_CHECK;
void equilibrium_done(Equilibrium *equilibrium);

/* From q, c (and v where there are generators: the c nearest to it are taken). False when none was
 * found; residual tells how close it came. ERR_NUMERIC where the equations are not finite. */
Status equilibrium_find(Equilibrium *equilibrium, bool *ret_found, Error *err) MUST_CHECK;

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

/* Whether the conditions hold, to the rounding of their terms, all the way to these q and c, values[n + s]. */
Status equilibrium_extends(Equilibrium *equilibrium, const double *values, bool *ret,
                           Error *err) MUST_CHECK;

#endif
