/* Reproducible random numbers, not for keys: xoshiro256** (Blackman, Vigna 2021), by splitmix64. */
#ifndef CORE_BASE_RANDOM_H
#define CORE_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct Random {
    uint64_t s[4];
} Random;

/* If the compiler knows the seed, the state is four constants. */
static inline void random_init(Random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->s[i] = z ^ (z >> 31);
    }
}

static inline uint64_t random_rotated(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t random_bits(Random *random)
{
    uint64_t *state = random->s;
    const uint64_t result = random_rotated(state[1] * 5, 7) * 9, shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = random_rotated(state[3], 45);
    return result;
}

/* In [from, to). */
static inline double random_uniform(Random *random, double from, double to)
{
    return from + (to - from) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

/* Mean 0, deviation 1: Marsaglia's polar method, whose second value is dropped. */
static inline double random_normal(Random *random)
{
    for (;;) {
        double x = random_uniform(random, -1, 1), y = random_uniform(random, -1, 1);
        double r = x * x + y * y;
        if (r > 0 && r < 1)
            return x * sqrt(-2 * log(r) / r);
    }
}

#endif
