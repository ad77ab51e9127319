#include "core/integrate/combine.h"

#include "core/integrate/combine_lanes.h"

/* One lane, the number of terms known to the compiler. Components are added one by one: they were
 * stored one by one just before, and a wide load over fresh narrow stores would have to wait. */
static inline __attribute__((always_inline)) void
combine_terms(const size_t n, const Combination *sum, size_t rows, double *restrict out)
{
    const double *const w = sum->w, *const base = sum->base;
    const double *const *const k = sum->k;
    const double h = sum->h[0];
    for (size_t i = 0; i < rows; i++) {
        double s = w[0] * k[0][i];
#pragma GCC unroll 12
        for (size_t j = 1; j < n; j++)
            s += w[j] * k[j][i];
        out[i] = base != NULL ? base[i] + h * s : h * s;
    }
}

static void combine_one(const Combination *sum, size_t rows, double *out)
{
    switch (sum->n) {
    case 1:
        combine_terms(1, sum, rows, out);
        break;
    case 2:
        combine_terms(2, sum, rows, out);
        break;
    case 3:
        combine_terms(3, sum, rows, out);
        break;
    case 4:
        combine_terms(4, sum, rows, out);
        break;
    case 8:
        combine_terms(8, sum, rows, out);
        break;
    default:
        combine_terms(sum->n, sum, rows, out);
        break;
    }
}

static void combine_any(const Combination *sum, size_t rows, size_t lanes, double *out)
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

void combine(const Combination *sum, size_t rows, size_t lanes, double *out)
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
        combine_lanes(sum, rows, lanes, out);
}

void combine_subtract(double *out, const double *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] -= other[i];
}
