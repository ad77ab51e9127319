/* The plain DOP853, eight trajectories beside each other in the lanes of vectors. Their starts
 * differ by some 1e-7, so that their steps do too. */
#include <math.h>
#include <sleef.h>
#include <stdint.h>

#include "bench/peers/peers.h"

typedef int64_t BatchMask __attribute__((vector_size(sizeof(Batch))));

static inline void sine_cosine(Batch angle, Batch *sine, Batch *cosine)
{
#ifdef __AVX512F__
    const Sleef___m512d_2 both = Sleef_sincosd8_u10avx512f((__m512d)angle);
    *sine = (Batch)both.x;
    *cosine = (Batch)both.y;
#else
    for (int lane = 0; lane < BATCH; lane++) {
        (*sine)[lane] = sin(angle[lane]);
        (*cosine)[lane] = cos(angle[lane]);
    }
#endif
}

#define REAL Batch
#define MASK BatchMask
#define ZERO \
    (Batch)  \
    {        \
        0    \
    }
#define RATES(name) hand_##name
#define SINE_COSINE(angle, sine, cosine) sine_cosine(angle, sine, cosine)
#include "bench/peers/rates.h"

static inline Batch real_set(double a)
{
    return (Batch){0} + a;
}

static inline BatchMask real_less(Batch a, Batch b)
{
    return a < b;
}

static inline bool real_any(BatchMask a)
{
    int64_t any = 0;
    for (int lane = 0; lane < BATCH; lane++)
        any |= a[lane];
    return any != 0;
}

static inline Batch real_select(BatchMask mask, Batch yes, Batch no)
{
    return (Batch)((mask & (BatchMask)yes) | (~mask & (BatchMask)no));
}

static inline Batch real_abs(Batch a)
{
    return (Batch)((BatchMask)a & INT64_MAX);
}

static inline Batch real_sqrt(Batch a)
{
#ifdef __AVX512F__
    return (Batch)_mm512_sqrt_pd((__m512d)a);
#else
    for (int lane = 0; lane < BATCH; lane++)
        a[lane] = sqrt(a[lane]);
    return a;
#endif
}

#include "bench/peers/plain.h"

bool plain_batch(const Problem *problem, double tolerance, double *q, double *v,
                 double *ret_seconds, Work *ret_work)
{
    Batch y[STATE_MOST];
    double first[STATE_MOST];

    (void)ret_seconds;
    for (size_t i = 0; i < STATE_MOST; i++)
        for (int lane = 0; lane < BATCH; lane++)
            y[i][lane] = problem->start[i] * (1 + 1e-7 * lane);
    *ret_work = PLAIN_SOLVERS[problem->index](problem->end, tolerance, y);
    for (size_t i = 0; i < STATE_MOST; i++)
        first[i] = y[i][0];
    problem->tell(first, q, v);
    return true;
}
