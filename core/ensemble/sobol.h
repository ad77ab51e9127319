/* Sobol's sequences (I. M. Sobol, USSR Comput. Math. Math. Phys. 7 (1967) 86) with nested
 * uniform scrambling (A. B. Owen, MCQMC 1995): the points of every block of 2^k members are
 * spread evenly, and each alone is uniform. Any point is computed from its number. */
#ifndef CORE_ENSEMBLE_SOBOL_H
#define CORE_ENSEMBLE_SOBOL_H

#include <stddef.h>
#include <stdint.h>

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
