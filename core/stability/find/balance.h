/* Inside core/stability/: how well the conditions of an equilibrium hold, each in its own measure
 * (docs/explanation/numerics.md, "Residuals"). */
#ifndef CORE_STABILITY_FIND_BALANCE_H
#define CORE_STABILITY_FIND_BALANCE_H

#include "core/analyses/analyses.h"
#include "core/program/function.h"

/* The balance of forces M w + l - F = A^T lambda on a motion whose acceleration should be w. */
typedef struct Balance {
    const AnalysisContext *context;
    size_t s;
    /* t, q, v, c -> size of l - F, its rounding error and that of w; n each */
    Function terms;
} Balance;

/* Along the generators fields[s] of model->given.symmetries. */
Status balance_init(Balance *balance, const AnalysisContext *context, const size_t *fields,
                    size_t s, Error *err) MUST_CHECK;
void balance_done(Balance *balance); /* in any case; {0} is fine */

/* The state at which the conditions are evaluated. */
typedef struct BalanceState {
    double t;
    const double *q, *v, *w; /* n each */
    const double *c;         /* of the first s generators, the others' are 0 */
    size_t s;
    const double *unit;   /* n: sizes of the coordinates */
    const double *slopes; /* [..][m]: of vdot - w, f and phi, */
    const double *known;  /* by unknowns that are known to rounding of these numbers, m */
    size_t m;
} BalanceState;

/* *ret_residual: the largest relative residual of the balance and the constraints. *ret_holds:
 * each row is zero within the rounding of its own terms. A row with a single term never holds. */
Status balance_measure(Balance *balance, const BalanceState *state, double *ret_residual,
                       bool *ret_holds, Error *err) MUST_CHECK;

#endif
