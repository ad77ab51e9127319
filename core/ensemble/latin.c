/* Strata by a Feistel network of Philox rounds. */
#include "core/ensemble/latin.h"

#include "core/ensemble/philox.h"

/* Rounds of the Feistel network. Convention. */
enum { ROUNDS = 8 };

/* A bijection of [0, 2^(2 half)). */
static uint64_t feistel(uint64_t key, uint32_t axis, unsigned half, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    uint64_t left = x >> half, right = x & mask;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        const Philox mixed =
            philox((Philox){{(uint32_t)right, (uint32_t)(right >> 32), axis, 1 + round}}, key);
        const uint64_t next = left ^ (mixed.word[0] & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

uint64_t latin_stratum(uint64_t key, uint32_t axis, uint64_t count, uint64_t k)
{
    unsigned half = 1;

    while (half < 32 && UINT64_C(1) << (2 * half) < count)
        half++;
    /* no more than 4 count places: a walk of four on average */
    do
        k = feistel(key, axis, half, k);
    while (k >= count);
    return k;
}

double latin_uniform(uint64_t key, uint32_t axis, uint64_t count, uint64_t k)
{
    const double within = philox_uniform(key, k, axis);
    const double u = ((double)latin_stratum(key, axis, count, k) + within) / (double)count;

    /* the last stratum may round up to 1 */
    return u < 1 ? u : 1 - 0x1p-53;
}
