/* Random numbers whose sequence is the same on every machine: xoshiro256**, seeded by splitmix64
 * (Blackman and Vigna, 2018); normal ones by the polar method (Marsaglia). */
#include "core/base/random.h"

#include <math.h>

void random_init(Random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->s[i] = z ^ (z >> 31);
    }
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
