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

#include "core/invariants/structure/distribution.h"

/* Their number; 0 if the flags leave it open. */
size_t hidden_count(const Distribution *d, const Flags *extended);

/* Adds a verdict and an entry of `list` for each. fields: those of the extended flags. */
Status hidden_find(const Distribution *d, const Flags *extended, const Fields *fields,
                   Findings *findings, Value *list, Error *err) MUST_CHECK;

/* Inside: a named verdict. */
Verdict *hidden_add(Findings *findings, const Value *list);

/* Inside: a search, and its results in `findings` and `list`. */
typedef struct HiddenSearch {
    const Distribution *d;
    const Flags *extended;
    const Fields *fields;
    Findings *findings;
    Value *list;
} HiddenSearch;

/* Inside: those beyond the ones with the given differentials at the start (rows [n_known][n +
 * 1]: of holonomic constraints and of functions found). */
Status hidden_follow(const HiddenSearch *search, const double *known, size_t n_known,
                     Error *err) MUST_CHECK;

#endif
