/* Points of random and quasirandom designs, each computed from its number. */
#ifndef CORE_ENSEMBLE_SEQUENCES_H
#define CORE_ENSEMBLE_SEQUENCES_H

#include <stddef.h>
#include <stdint.h>

/* Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel Random Numbers: As
 * Easy as 1, 2, 3, SC11, 2011): random bits are a function of a key and a counter, so that the
 * numbers of a member do not depend on the members before it. */

typedef struct Philox {
    uint32_t word[4];
} Philox;

Philox philox(Philox counter, uint64_t key);

/* In the open interval (0, 1): the middle of one of 2^52 parts, for draw `of` of member k. */
double philox_uniform(uint64_t key, uint64_t k, uint32_t of);

/* Latin hypercube designs (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21 (1979)
 * 239): of `count` members each has a stratum of its own on every axis. The permutation is
 * computed, not stored: a Feistel network, iterated until its value is below count (J. Black, P.
 * Rogaway, CT-RSA 2002). */

/* The stratum of member k < count on an axis: a bijection of [0, count). */
uint64_t latin_stratum(uint64_t key, uint32_t axis, uint64_t count, uint64_t k);

/* In (0, 1), within that stratum. */
double latin_uniform(uint64_t key, uint32_t axis, uint64_t count, uint64_t k);

/* Sobol's sequences (I. M. Sobol, USSR Comput. Math. Math. Phys. 7 (1967) 86) with nested
 * uniform scrambling (A. B. Owen, MCQMC 1995): the points of every block of 2^k members are
 * spread evenly, and each alone is uniform. */

/* Bits of a point; dimensions of the table in sobol_numbers.h. */
enum { SOBOL_BITS = 32, SOBOL_DIMENSIONS = 128 };

typedef struct Sobol {
    uint32_t direction[SOBOL_BITS];
} Sobol;

/* Dimension < SOBOL_DIMENSIONS. */
Sobol sobol_dimension(size_t dimension);

/* Point k < 2^32, as a fraction of 2^32, in the order of binary numbers. */
uint32_t sobol_point(const Sobol *sobol, uint64_t k);

/* Scrambled, in (0, 1): the middle of one of 2^32 parts. `key` is another one in each dimension. */
double sobol_uniform(const Sobol *sobol, uint64_t key, uint64_t k);

#endif
