/* Antiderivatives of expressions in constraints, and potentials of closed forms. */
#ifndef CORE_INVARIANTS_STRUCTURE_ANTIDERIVATIVE_H
#define CORE_INVARIANTS_STRUCTURE_ANTIDERIVATIVE_H

#include <stdbool.h>

#include "core/expr/graph/expr.h"

/* G with dG/dsymbol = e, by a few rules: sums, powers, elementary functions f(u) beside a
 * multiple of du/dsymbol, powers times sine, cosine and exponential. False: none applies, or out
 * of memory. */
bool antiderivative(ExprPool *pool, Expr e, Expr symbol, Expr *ret);

/* F with dF/dsymbols[k] = form[k] of a closed form. False: no such F was found. */
bool potential(ExprPool *pool, const Expr *form, const Expr *symbols, size_t n, Expr *ret);

#endif
