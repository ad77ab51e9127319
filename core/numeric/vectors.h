/* Sums and sizes of small vectors, term by term in order. */
#ifndef CORE_NUMERIC_VECTORS_H
#define CORE_NUMERIC_VECTORS_H

#include <math.h>
#include <stddef.h>

static inline double vector_dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Compares doubles for qsort(). */
static inline int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The Euclidean length. */
static inline double vector_length(const double *x, size_t n)
{
    return sqrt(vector_dot(x, x, n));
}

/* The Euclidean length of the difference. */
static inline double vector_distance(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* The largest absolute value; 0 if n = 0. NaN is ignored. */
static inline double vector_largest(const double *x, size_t n)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

#endif
