/* Reproducible pseudo-random numbers: xoshiro256** (Blackman, Vigna 2021), seeded by splitmix64.
 * For test states, never for keys. */
#ifndef CORE_BASE_RANDOM_H
#define CORE_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t s[4];
} Random;

void random_init(Random *random, uint64_t seed);
uint64_t random_bits(Random *random);
double random_uniform(Random *random, double from, double to); /* in [from, to) */
double random_normal(Random *random);                          /* mean 0, deviation 1 */

#endif
