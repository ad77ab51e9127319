/* Householder QR of columns that come one by one (G. H. Golub, C. F. Van Loan, Matrix Computations,
 * 5.2.2), and the gap in their singular values. */
#include "core/invariants/search/columns.h"

#include <math.h>
#include <string.h>

void echelon_init(Echelon *e, Arena *arena, size_t rows, size_t capacity)
{
    if (capacity > rows)
        capacity = rows;
    *e = (Echelon){.rows = rows,
                   .capacity = capacity,
                   .reflectors = arena_doubles(arena, capacity * rows),
                   .r = arena_doubles(arena, capacity * capacity),
                   .work = arena_doubles(arena, capacity)};
}

/* Four sums at a time, in a fixed order: one would wait for each addition. */
static double dot(const double *a, const double *b, size_t n)
{
    double s[4] = {0, 0, 0, 0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            s[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void subtract(double *restrict a, double factor, const double *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] -= factor * b[i];
}

/* Solves R x = b for the kept columns, in place. */
static void echelon_solve_upper(const Echelon *e, double *b)
{
    for (size_t k = e->rank; k-- > 0;) {
        const double *column = e->r + k * e->capacity;
        b[k] /= column[k];
        subtract(b, b[k], column, k);
    }
}

/* Solves R^T x = b, in place. */
static void echelon_solve_lower(const Echelon *e, double *b)
{
    for (size_t k = 0; k < e->rank; k++) {
        const double *column = e->r + k * e->capacity;
        b[k] = (b[k] - dot(column, b, k)) / column[k];
    }
}

static void keep(Echelon *e, const double *column, double length)
{
    const size_t k = e->rank;
    double *v = e->reflectors + k * e->rows + k, *r = e->r + k * e->capacity;
    double corner = column[k] > 0 ? -length : length;

    memcpy(r, column, k * sizeof *r);
    r[k] = corner;
    memcpy(v, column + k, (e->rows - k) * sizeof *v);
    v[0] -= corner;
    /* v.v = 2, so that the reflection is x - v (v.x) */
    double scale = 1 / sqrt(length * (length + fabs(column[k])));
    for (size_t i = 0; i < e->rows - k; i++)
        v[i] *= scale;
    e->rank++;
}

/* Turns the column into the axes of the kept ones; returns the length of the part outside of
 * them. */
static double reflect(const Echelon *e, double *column)
{
    for (size_t k = 0; k < e->rank; k++) {
        const double *v = e->reflectors + k * e->rows + k;
        subtract(column + k, dot(v, column + k, e->rows - k), v, e->rows - k);
    }
    const double *rest = column + e->rank;
    return sqrt(dot(rest, rest, e->rows - e->rank));
}

bool echelon_spans(const Echelon *e, double *column, double tolerance)
{
    return reflect(e, column) <= tolerance;
}

bool echelon_take(Echelon *e, double *column, double tolerance, double *ret_coefs)
{
    double length = reflect(e, column);
    if (length > tolerance) {
        if (e->rank < e->capacity)
            keep(e, column, length);
        return true;
    }
    e->dropped += length * length;
    if (ret_coefs) {
        memcpy(ret_coefs, column, e->rank * sizeof *ret_coefs);
        echelon_solve_upper(e, ret_coefs);
    }
    return false;
}

double echelon_gap(const Echelon *e)
{
    enum { ITERATIONS = 8 }; /* convention: the factor is needed to a digit */
    double *x = e->work, smallest = 1;

    /* a start with a part in most directions */
    for (size_t i = 0; i < e->rank; i++)
        x[i] = i % 2 ? -1 : 1;
    /* inverse iteration with R^T R: x grows by one over its smallest eigenvalue */
    for (int k = 0; k < ITERATIONS && e->rank; k++) {
        double length = sqrt(dot(x, x, e->rank));
        for (size_t i = 0; i < e->rank; i++)
            x[i] /= length;
        echelon_solve_lower(e, x);
        echelon_solve_upper(e, x);
        smallest = 1 / sqrt(sqrt(dot(x, x, e->rank)));
    }
    return smallest / sqrt(e->dropped);
}
