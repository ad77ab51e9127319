/* Holonomic constraints hidden in velocity constraints: functions F(q, t) that the constraints
 * alone keep constant, for any forces.
 *
 * Their differentials span the annihilator of the involutive closure of the allowed directions
 * (core/invariants/structure/growth.h), whose rank is their number. One is written down if a
 * combination of the constraint forms with constant coefficients, or one of them divided by
 * coefficients of its own, is an exact differential whose integral is found. The others are
 * followed by quadrature along the motion's path in the base coordinates: on a leaf the
 * dependent coordinates are functions of these. */
#ifndef CORE_INVARIANTS_STRUCTURE_HIDDEN_H
#define CORE_INVARIANTS_STRUCTURE_HIDDEN_H

#include <stdbool.h>

#include "core/expr/graph/expr.h"
#include "core/invariants/structure/distribution.h"

/* A search, and its results in `findings` and `list`. */
typedef struct HiddenSearch {
    const Distribution *d;
    const Flags *extended;
    const Fields *fields; /* of the extended flags */
    Findings *findings;
    Value *list;
} HiddenSearch;

/* Adds a verdict and an entry of the list for each. */
Status hidden_find(const HiddenSearch *search, Error *err) MUST_CHECK;

/* Inside: their number; 0 if the flags leave it open. */
size_t hidden_count(const HiddenSearch *search);
/* Inside: a named verdict. */
Verdict *hidden_add(const HiddenSearch *search);

/* Inside: those beyond the ones with the given differentials at the start (rows [n_known][n +
 * 1]: of holonomic constraints and of functions found). */
Status hidden_follow(const HiddenSearch *search, const double *known, size_t n_known,
                     Error *err) MUST_CHECK;

/* Integrals of the closed ones among the constraint forms w^a = S_ai dq^i + s_a dt. */
typedef struct ClosedForms {
    size_t n_found;
    Expr *F; /* n_found: functions of q and t whose differentials are independent
                   combinations of the forms */
} ClosedForms;

/* Looks for at most `wanted` of them; states: at which closedness is tested. Everything found
 * lives in the scratch memory. */
Status closed_forms_find(const Distribution *d, const Trajectory *states, size_t wanted,
                         ClosedForms *ret, Error *err) MUST_CHECK;

/* F with dF/dsymbols[k] = form[k] of a closed form. False: no such F was found. */
bool potential(ExprPool *pool, const Expr *form, const Expr *symbols, size_t n, Expr *ret);

#endif
