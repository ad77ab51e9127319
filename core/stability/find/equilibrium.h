/* Inside core/stability/: one equilibrium, or relative equilibrium, near a state; its conditions,
 * and how well a state satisfies them.
 *
 * A motion along a combination of symmetry generators, v = sum c_a xi_a(q), continues along it if
 *
 *     vdot(q, v) - u_q v = 0,   f(q) = 0,   phi(q, v) = 0   with u = sum c_a xi_a.
 *
 * Without generators the state is at rest. The conditions are solved for q and c by Gauss-Newton
 * steps of least norm, because equilibria come in families (those of a nonholonomic system always
 * do), in units of the model's own. The state is an equilibrium if each condition is zero to the
 * rounding of its own terms. */
#ifndef CORE_STABILITY_FIND_EQUILIBRIUM_H
#define CORE_STABILITY_FIND_EQUILIBRIUM_H

#include "core/analyses/local.h"
#include "core/exact/exact.h"
#include "core/stability/find/balance.h"
#include "core/stability/find/drift.h"
#include "core/stability/find/scales.h"

/* The family of solutions q and c to which an equilibrium belongs. */
typedef struct EquilibriumFamily {
    size_t dimension;
    size_t states; /* dimension of its states: less if a change of c moves nothing there */
    size_t same;   /* dimension of the part with the same c: as many eigenvalues are 0 */
    double *null;  /* [n + s][n + s]: its directions in q and c, in `dimension` columns */
    bool sharp;    /* no singular value lies between the limits of rounding and of flatness */
    bool *idle;    /* s: generators that vanish there, if they alone explain the difference */
    size_t n_idle; /* between dimension and states; else none */
} EquilibriumFamily;

/* Work arrays of the conditions at the last state. */
typedef struct EquilibriumWork {
    double *conditions; /* n_conditions */
    double *slopes, *directions, *along, *held;
} EquilibriumWork;

typedef struct Equilibrium {
    const AnalysisContext *context;
    Local *local;
    Drift *drift; /* NULL: at rest */
    Balance *balance;
    size_t n, s; /* s: generators, 0 at rest */
    size_t n_conditions;
    double *q, *v, *c; /* n, n, s: the given state, then the equilibrium */
    double residual;   /* largest relative residual of the conditions */
    EquilibriumFamily family;
    double *distance;                  /* n + s: how far q and c may be from the solution */
    bool lasting;                      /* it is an equilibrium at other times, too */
    bool steady;                       /* with the same linearisation */
    double *jacobian, *jacobian_error; /* 2 n x 2 n: J - D X; how wrong its entries may be */
    double *basis, rate; /* [2 n][d]: W of q and v / rate, in units; once it is linearised */
    EquilibriumScales scales;
    double *acceleration; /* n: w, that it should have */
    EquilibriumWork work;
    Arena memory; /* owns the arrays */
} Equilibrium;

Status equilibrium_init(Equilibrium *equilibrium, const AnalysisContext *context, Local *local,
                        Drift *drift, Balance *balance, Error *err) MUST_CHECK;
void equilibrium_done(Equilibrium *equilibrium);

/* The known symbols of an exact problem, and their values. */
typedef struct KnownSymbols {
    Expr *symbols;
    double *values;
} KnownSymbols;

/* A problem in which parameters and the multipliers of unused rows, which are 0, are known, with
 * space for `more` known symbols behind them. */
Status equilibrium_problem(const Equilibrium *x, const ExprPool *pool, size_t more, Arena *arena,
                           KnownSymbols *ret_known, ExactProblem *ret, Error *err) MUST_CHECK;

/* The values of t, q, parameters and c by symbol; those of c follow the model's symbols. */
void equilibrium_symbols(const Equilibrium *x, double *ret);

/* The conditions at (q, c) with the velocity that belongs to them; returns their weighted size. */
double equilibrium_evaluate(Equilibrium *x, double t);
/* That size once more, after the weights have changed. */
double equilibrium_size(const Equilibrium *x);

/* The derivatives of the conditions by q and c, at the state of the last evaluation, and units. */
Status equilibrium_differentiate(Equilibrium *x, double t, Error *err) MUST_CHECK;

/* q, then c, n + s numbers. */
void equilibrium_place(const Equilibrium *x, double *ret);
/* To from + part * step, n + s each. Returns the weighted size of the conditions there. */
double equilibrium_move(Equilibrium *x, double t, const double *from, const double *step,
                        double part);

/* Whether each of the conditions holds there, in its own measure; the largest residual. */
Status equilibrium_judge(Equilibrium *x, double t, double *ret_residual, bool *ret_holds,
                         Error *err) MUST_CHECK;

/* The intended number: 0, or the shortest decimal within this distance of the value. */
double equilibrium_number(double value, double distance);

/* Bounds the rounding error of each row of the derivatives at an equilibrium that was found, for
 * the scales: a block that is not coupled to others counts by its own size. Only for states at
 * rest without constraints. Computes the derivatives again. */
Status equilibrium_find_noise(Equilibrium *equilibrium, Error *err) MUST_CHECK;

/* Starts from q, c (and v with generators: the c nearest to it are taken). If none is found,
 * `residual` says how close the search came. ERR_NUMERIC if the equations are not finite. */
Status equilibrium_find(Equilibrium *equilibrium, bool *ret_found, Error *err) MUST_CHECK;

/* Whether the conditions hold along the straight path to the q and c in values[n + s]. */
Status equilibrium_extends(Equilibrium *equilibrium, const double *values, bool *ret,
                           Error *err) MUST_CHECK;

/* Whether exact tests show that the lifts of the generators fields[s] of its drift are tangent to
 * the constraints and commute with the equations of motion, everywhere. */
Status equilibrium_symmetric(const Equilibrium *equilibrium, const size_t *fields, bool *ret,
                             Error *err) MUST_CHECK;

#endif
