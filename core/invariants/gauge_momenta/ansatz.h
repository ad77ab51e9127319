/* The functions that multiply generators in a search for gauge momenta.
 *
 * Products of up to `degree` functions: those of the option "ansatz", or the model's own
 * (core/invariants/search/ansatz.h) with the sine and cosine of every angle, a coordinate that has
 * a period or occurs inside sines and cosines alone. The degree is that of the option "degree", or
 * 2 while there are not too many products, else 1. */
#ifndef CORE_INVARIANTS_GAUGE_MOMENTA_ANSATZ_H
#define CORE_INVARIANTS_GAUGE_MOMENTA_ANSATZ_H

#include "core/invariants/generator.h"
#include "core/invariants/search/ansatz.h"

/* For that many generators (at least one). ERR_LIMIT: the options ask for too many functions.
 * Call ansatz_done() in any case. */
Status gauge_ansatz_init(const Model *model, ExprPool *pool, const Value *options,
                         size_t n_generators, Ansatz *ret, Diagnostics *diag,
                         Error *err) MUST_CHECK;

/* Whether the options "ansatz" and "degree" are right; mistakes go to diag. */
Status gauge_ansatz_check(const Model *model, const Value *options, Diagnostics *diag,
                          Error *err) MUST_CHECK;

#endif
