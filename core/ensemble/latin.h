/* Latin hypercube designs (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21 (1979)
 * 239): of `count` members each has a stratum of its own on every axis. The permutation is
 * computed, not stored: a Feistel network, iterated until its value is below count (J. Black, P.
 * Rogaway, CT-RSA 2002). */
#ifndef CORE_ENSEMBLE_LATIN_H
#define CORE_ENSEMBLE_LATIN_H

#include <stdint.h>

/* The stratum of member k < count on an axis: a bijection of [0, count). */
uint64_t latin_stratum(uint64_t key, uint32_t axis, uint64_t count, uint64_t k);

/* In (0, 1), within that stratum. */
double latin_uniform(uint64_t key, uint32_t axis, uint64_t count, uint64_t k);

#endif
