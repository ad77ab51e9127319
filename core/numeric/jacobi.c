/* Singular values by one-sided rotations (M. R. Hestenes, J. SIAM 6 (1958) 51-90), eigenvalues of
 * symmetric matrices by two-sided ones (C. G. J. Jacobi, Crelle 30 (1846) 51-94), cyclic by rows.
 * Both stop when all pairs of rows are orthogonal within rounding, relative to their sizes.
 * Therefore small values keep their digits beside large ones (J. Demmel, K. Veselic, SIAM J. Matrix
 * Anal. Appl. 13 (1992) 1204-1245). */
#include "core/numeric/jacobi.h"

#include <float.h>
#include <math.h>

#include "core/numeric/vectors.h"

/* Sweeps converge quadratically. A matrix that needs more is reported as not converged. */
enum { MAX_SWEEPS = 40 };

/* Entries are about 1 at most, so smaller ones count as zero; their squares do not underflow. No
 * unit; a convention. */
static const double NEGLIGIBLE_ENTRY = 0x1p-400;

typedef struct Rotation {
    double c, s, t; /* cosine, sine, tangent */
} Rotation;

/* The smaller rotation that brings (left, between; between, right) to a diagonal. */
static Rotation rotation_of(double left, double between, double right)
{
    const double cot = (right - left) / (2 * between); /* of the double angle; may be infinite */
    const double t = (cot < 0 ? -1 : 1) / (fabs(cot) + sqrt(1 + cot * cot));
    const double c = 1 / sqrt(1 + t * t);
    return (Rotation){c, c * t, t};
}

/* Rotates two rows until they are orthogonal; true if they were already. */
static bool make_orthogonal(double *a, double *b, size_t n)
{
    const double aa = vector_dot(a, a, n), bb = vector_dot(b, b, n), ab = vector_dot(a, b, n);

    if (fabs(ab) <= (double)n * DBL_EPSILON * sqrt(aa * bb) || fabs(ab) < NEGLIGIBLE_ENTRY)
        return true;
    const Rotation r = rotation_of(aa, ab, bb);
    for (size_t k = 0; k < n; k++) {
        const double was = a[k];
        a[k] = r.c * was - r.s * b[k];
        b[k] = r.s * was + r.c * b[k];
    }
    return false;
}

static void sort(double *values, size_t n, bool descending)
{
    for (size_t k = 1; k < n; k++) {
        const double value = values[k];
        size_t place = k;
        for (; place > 0 && (values[place - 1] < value) == descending && values[place - 1] != value;
             place--)
            values[place] = values[place - 1];
        values[place] = value;
    }
}

bool jacobi_singular_values(double *a, size_t m, size_t n, double *ret_s)
{
    bool settled = false;

    for (int sweep = 0; !settled && sweep < MAX_SWEEPS; sweep++) {
        settled = true;
        for (size_t i = 0; i < m; i++)
            for (size_t j = i + 1; j < m; j++)
                settled = make_orthogonal(a + i * n, a + j * n, n) && settled;
    }
    for (size_t i = 0; i < m; i++)
        ret_s[i] = vector_length(a + i * n, n);
    sort(ret_s, m, true);
    return settled;
}

/* Rotates the plane of p and q until a_pq is zero; true if a_pq was negligible already. */
static bool annihilate(double *a, size_t n, size_t p, size_t q)
{
    double *pp = &a[p * n + p], *qq = &a[q * n + q], *pq = &a[p * n + q];

    if (fabs(*pq) <= DBL_EPSILON * sqrt(fabs(*pp * *qq)) || fabs(*pq) < NEGLIGIBLE_ENTRY)
        return true;
    const Rotation r = rotation_of(*pp, *pq, *qq);
    *pp -= r.t * *pq;
    *qq += r.t * *pq;
    *pq = a[q * n + p] = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == p || k == q)
            continue;
        const double kp = a[k * n + p], kq = a[k * n + q];
        a[k * n + p] = a[p * n + k] = r.c * kp - r.s * kq;
        a[k * n + q] = a[q * n + k] = r.s * kp + r.c * kq;
    }
    return false;
}

bool jacobi_eigenvalues(double *a, size_t n, double *ret_values)
{
    bool settled = false;

    for (int sweep = 0; !settled && sweep < MAX_SWEEPS; sweep++) {
        settled = true;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                settled = annihilate(a, n, p, q) && settled;
    }
    for (size_t i = 0; i < n; i++)
        ret_values[i] = a[i * n + i];
    sort(ret_values, n, false);
    return settled;
}
