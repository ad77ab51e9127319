/* Sums of stages, by the widest vectors that the CPU has. Every lane's sum is added in the same
 * order, so its bits are the same on all of them. */
#include "core/integrate/combine.h"

/* Two components at a time. */
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

/* One lane, the number of terms known to the compiler. Pairs and no more: the newest stage was
 * stored component by component just before, and loads that span several fresh stores have to wait
 * for them. */
static inline __attribute__((always_inline)) void combine_terms(const size_t n, const StageSum *sum,
                                                                size_t rows, double *restrict out)
{
    const double *const w = sum->w, *const base = sum->base;
    const double *const *const k = sum->k;
    const double h = sum->h[0];
    size_t i = 0;
    for (; i + 2 <= rows; i += 2) {
        Pair s = w[0] * *(const Pair *)(k[0] + i);
#pragma GCC unroll 12
        for (size_t j = 1; j < n; j++)
            s += w[j] * *(const Pair *)(k[j] + i);
        s *= h;
        if (base != NULL)
            s += *(const Pair *)(base + i);
        *(Pair *)(out + i) = s;
    }
    if (i < rows) {
        double s = w[0] * k[0][i];
#pragma GCC unroll 12
        for (size_t j = 1; j < n; j++)
            s += w[j] * k[j][i];
        out[i] = base != NULL ? base[i] + h * s : h * s;
    }
}

static void combine_one(const StageSum *sum, size_t rows, double *out)
{
    switch (sum->n) {
#define COMBINE_CASE(n)                   \
    case n:                               \
        combine_terms(n, sum, rows, out); \
        break;
        COMBINE_CASE(1)
        COMBINE_CASE(2)
        COMBINE_CASE(3)
        COMBINE_CASE(4)
        COMBINE_CASE(5)
        COMBINE_CASE(6)
        COMBINE_CASE(7)
        COMBINE_CASE(8)
        COMBINE_CASE(9)
        COMBINE_CASE(10)
        COMBINE_CASE(11)
        COMBINE_CASE(12)
#undef COMBINE_CASE
    default:
        break; /* no sum is longer */
    }
}

static void combine_any(const StageSum *sum, size_t rows, size_t lanes, double *out)
{
    for (size_t r = 0; r < rows; r++) {
        for (size_t l = 0; l < lanes; l++) {
            const size_t i = r * lanes + l;
            double s = sum->w[0] * sum->k[0][i];
            for (size_t j = 1; j < sum->n; j++)
                s += sum->w[j] * sum->k[j][i];
            out[i] = sum->base != NULL ? sum->base[i] + sum->h[l] * s : sum->h[l] * s;
        }
    }
}

void combine_stages(const StageSum *sum, size_t rows, size_t lanes, double *out)
{
    if (lanes == 1)
        combine_one(sum, rows, out);
    else if (lanes % COMBINE_LANES != 0)
        combine_any(sum, rows, lanes, out);
    else if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl"))
        combine_lanes_avx512(sum, rows, lanes, out);
    else if (__builtin_cpu_supports("avx2"))
        combine_lanes_avx2(sum, rows, lanes, out);
    else
        combine_lanes_sse2(sum, rows, lanes, out);
}

void combine_subtract(double *out, const double *other, size_t rows, size_t lanes)
{
    const size_t n = rows * lanes;
    size_t i = 0;
    if (lanes % COMBINE_LANES == 0)
        for (; i < n; i += COMBINE_LANES)
            *(CombineLanes *)(out + i) -= *(const CombineLanes *)(other + i);
    for (; i < n; i++)
        out[i] -= other[i];
}
