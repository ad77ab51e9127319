/* Direction numbers by their recurrence; scrambling bit by bit, each flipped by a hash of those
 * above it. */
#include "core/ensemble/sobol.h"

#include <math.h>

#include "core/ensemble/sobol_numbers.h"

_Static_assert(sizeof SOBOL_NUMBERS / sizeof *SOBOL_NUMBERS == SOBOL_DIMENSIONS, "a row each");

static unsigned degree_of(uint32_t polynomial)
{
    unsigned degree = 0;

    while (polynomial >> (degree + 1))
        degree++;
    return degree;
}

/* P. Bratley, B. L. Fox, ACM TOMS 14 (1988) 88: m_k = 2 a_1 m_(k-1) xor .. xor 2^s m_(k-s) xor
 * m_(k-s), and the direction v_k is m_k / 2^k. */
Sobol sobol_dimension(size_t dimension)
{
    const uint32_t polynomial = SOBOL_NUMBERS[dimension].polynomial;
    const unsigned s = degree_of(polynomial);
    Sobol sobol = {{0}};
    uint32_t *v = sobol.direction;

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
