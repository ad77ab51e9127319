/* Random numbers whose sequence is the same on every machine: xoshiro256**, seeded by splitmix64
 * (Blackman and Vigna, 2018); normal ones by the polar method (Marsaglia). */
#include "core/base/random.h"

#include <math.h>

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
