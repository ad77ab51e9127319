/* Random numbers whose sequence is the same on every machine: xoshiro256**, seeded by splitmix64
 * (Blackman and Vigna, 2018); normal ones by the polar method (Marsaglia). */
#include "core/base/random.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void random_init(Random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->s[i] = z ^ (z >> 31);
    }
}

uint64_t random_bits(Random *random)
{
    uint64_t *s = random->s;
    uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_uniform(Random *random, double from, double to)
{
    return from + (to - from) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method; the second value is dropped to keep the state plain. */
double random_normal(Random *random)
{
    for (;;) {
        double x = random_uniform(random, -1, 1), y = random_uniform(random, -1, 1);
        double r = x * x + y * y;
        if (r > 0 && r < 1)
            return x * sqrt(-2 * log(r) / r);
    }
}
