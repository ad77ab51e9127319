/* Linear equations whose coefficients are functions of the state: rows (a, b) for a x + b = 0,
 * of which only the rank matters. Are they contradictory, or do all follow from some? Decided
 * exactly. */
#ifndef CORE_INVARIANTS_SEARCH_AUGMENTED_H
#define CORE_INVARIANTS_SEARCH_AUGMENTED_H

#include "core/invariants/analysis.h"

typedef struct Augmented {
    const AnalysisContext *context;
    size_t rows, columns; /* of a */
    const Expr *entries;  /* [rows][columns + 1], b last */
    const double *values; /* the same at one state, which choose independent rows */
    size_t first;         /* independent rows are among the first ones; 0: anywhere */
} Augmented;

/* Whether there is a state at which a combination of the rows has a = 0 and b not 0: fills verdict
 * with a proved *no*, or leaves it alone. */
Status augmented_refute(const Augmented *equations, Verdict *verdict, Error *err) MUST_CHECK;

/* Whether, wherever some of the rows are independent, all others are combinations of them: fills
 * verdict with a proved *yes*, or leaves it alone. */
Status augmented_confirm(const Augmented *equations, Verdict *verdict, Error *err) MUST_CHECK;

#endif
