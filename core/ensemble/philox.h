/* Philox4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel Random Numbers: As
 * Easy as 1, 2, 3, SC11, 2011): random bits are a function of a key and a counter, so that the
 * numbers of a member do not depend on the members before it. */
#ifndef CORE_ENSEMBLE_PHILOX_H
#define CORE_ENSEMBLE_PHILOX_H

#include <stdint.h>

typedef struct Philox {
    uint32_t word[4];
} Philox;

Philox philox(Philox counter, uint64_t key);

/* In the open interval (0, 1): the middle of one of 2^52 parts, for draw `of` of member k. */
double philox_uniform(uint64_t key, uint64_t k, uint32_t of);

#endif
