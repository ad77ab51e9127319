/* Numbers of members in the unit cube, each computed from the number of the member. */
#include "core/ensemble/sequences.h"

#include <math.h>

#include "core/ensemble/sobol_numbers.h"

/* Philox: ten rounds of Philox4x32. */

Philox philox(Philox x, uint64_t key)
{
    /* rounds, multipliers and key increments: the reference's */
    enum { ROUNDS = 10 };
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);

    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * x.word[0], b = UINT64_C(0xCD9E8D57) * x.word[2];
        x = (Philox){{(uint32_t)(b >> 32) ^ x.word[1] ^ key0, (uint32_t)b,
                      (uint32_t)(a >> 32) ^ x.word[3] ^ key1, (uint32_t)a}};
        key0 += UINT32_C(0x9E3779B9);
        key1 += UINT32_C(0xBB67AE85);
    }
    return x;
}

double philox_uniform(uint64_t key, uint64_t k, uint32_t of)
{
    const Philox x = philox((Philox){{(uint32_t)k, (uint32_t)(k >> 32), of, 0}}, key);
    const uint64_t bits = (uint64_t)x.word[0] << 32 | x.word[1];

    return ldexp((double)(bits >> 12) + 0.5, -52);
}

/* Latin hypercubes: strata by a Feistel network of Philox rounds. */

/* Rounds of the Feistel network. Convention. */
enum { FEISTEL_ROUNDS = 8 };

/* A bijection of [0, 2^(2 half)). */
static uint64_t feistel(uint64_t key, uint32_t axis, unsigned half, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    uint64_t left = x >> half, right = x & mask;

    for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
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

/* Sobol's sequences: direction numbers by their recurrence; scrambling bit by bit, each flipped by
 * a hash of those above it. */

_Static_assert(sizeof SOBOL_NUMBERS / sizeof *SOBOL_NUMBERS == SOBOL_DIMENSIONS, "a row each");

/* P. Bratley, B. L. Fox, ACM TOMS 14 (1988) 88: m_k = 2 a_1 m_(k-1) xor .. xor 2^s m_(k-s) xor
 * m_(k-s), and the direction v_k is m_k / 2^k. */
Sobol sobol_dimension(size_t dimension)
{
    const uint32_t polynomial = SOBOL_NUMBERS[dimension].polynomial;
    unsigned s = 0; /* its degree */
    Sobol sobol = {{0}};
    uint32_t *v = sobol.direction;

    while (polynomial >> (s + 1))
        s++;
    /* the first numbers are given, the others follow by the recurrence */
    for (unsigned k = 0; k < SOBOL_BITS; k++) {
        if (s == 0 || k < s) {
            v[k] = (uint32_t)(s == 0 ? 1 : SOBOL_NUMBERS[dimension].first[k])
                   << (SOBOL_BITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] ^ v[k - s] >> s;
        for (unsigned i = 1; i < s; i++)
            if (polynomial >> (s - i) & 1)
                v[k] ^= v[k - i];
    }
    return sobol;
}

uint32_t sobol_point(const Sobol *sobol, uint64_t k)
{
    uint32_t x = 0;

    for (unsigned i = 0; i < SOBOL_BITS; i++)
        if (k >> i & 1)
            x ^= sobol->direction[i];
    return x;
}

/* The last steps of MurmurHash3 as Stafford's variant 13 has them. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static uint32_t scramble(uint32_t x, uint64_t key)
{
    uint32_t flips = 0;

    for (unsigned level = 0; level < SOBOL_BITS; level++) {
        /* the bits above this one, behind a leading 1 that encodes their number */
        const uint64_t above = ((UINT64_C(1) << SOBOL_BITS) | x) >> (SOBOL_BITS - level);
        const uint32_t flip = (uint32_t)(mix(mix(key) + above) >> 63);
        flips |= flip << (SOBOL_BITS - 1 - level);
    }
    return x ^ flips;
}

double sobol_uniform(const Sobol *sobol, uint64_t key, uint64_t k)
{
    return ldexp((double)scramble(sobol_point(sobol, k), key) + 0.5, -SOBOL_BITS);
}
