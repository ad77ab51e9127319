/* A search for strongly consistent sections mu = p + k with k linear in the velocities.
 *
 * The condition of strong consistency is linear in the section: with k a combination of products
 * of a function of the ansatz of discovery (core/invariants/search/ansatz.h) and a velocity, it is
 * a linear problem at random admissible states. Simple products come first, so that k is made of
 * the simplest that will do. */
#ifndef CORE_INVARIANTS_CONSISTENCY_SEARCH_H
#define CORE_INVARIANTS_CONSISTENCY_SEARCH_H

#include "core/invariants/consistency/section.h"

/* Adds k to mu[r]. Not found, too, if the system is too large. Numbers in k belong to the
 * parameters of this run. Judge the result at the states of the problem, which differ from those
 * of the search. */
Status section_search(const SectionProblem *problem, Expr *mu, bool *ret_found,
                      Error *err) MUST_CHECK;

#endif
