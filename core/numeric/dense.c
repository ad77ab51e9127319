/* Matrices by GSL after scaling; singular values and eigenvalues of the smallest by rotations. */
#include "core/numeric/dense.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "core/base/arena.h"
#include "core/base/finite.h"
#include "core/base/stop_token.h"
#include "core/numeric/jacobi.h"
#include "core/numeric/lu.h"
#include "core/numeric/vectors.h"

/* Sides up to which rotations take less than GSL, and need no memory. */
enum { SMALL = 8 };

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Called before a factorization, because GSL cannot be interrupted within one. */
static Status spend(size_t m, size_t n, Error *err)
{
    return stop_token_spend(m * n * smaller(m, n), err);
}

static Status not_finite(Error *err)
{
    return error_set(err, ERR_NUMERIC, "a matrix has an entry that is not finite");
}

static Status no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

static Status from_gsl(int code, const char *what, Error *err)
{
    if (code == GSL_SUCCESS)
        return OK;
    if (code == GSL_ENOMEM)
        return no_memory(err);
    return error_set(err, ERR_NUMERIC, "%s: %s", what, gsl_strerror(code));
}

static void scale_by_two(double *a, size_t n, int exponent)
{
    const bool representable = abs(exponent) < DBL_MAX_EXP - 1;
    const double factor = representable ? ldexp(1.0, exponent) : 1.0;
    if (exponent == 0)
        return;
    for (size_t i = 0; i < n; i++)
        a[i] = representable ? a[i] * factor : ldexp(a[i], exponent);
}

/* GSL squares entries without scaling them: entries beyond 1e154 overflow, entries below 1e-154
 * underflow, and in both cases GSL iterates forever. Therefore the largest entry is scaled into
 * [1/2, 1) by a power of two. Scaled entries below 2^-LEAST_EXPONENT then count as zero. Returns
 * the exponent taken out. */
static int normalise(double *a, size_t n)
{
    enum { LEAST_EXPONENT = 200 };
    double largest = 0.0;
    int exponent = 0;
    for (size_t i = 0; i < n; i++)
        largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
    (void)frexp(largest, &exponent);
    scale_by_two(a, n, -exponent);
    const double least = ldexp(1.0, -LEAST_EXPONENT);
    for (size_t i = 0; i < n; i++)
        if (fabs(a[i]) < least)
            a[i] = 0.0;
    return exponent;
}

/* A = U diag(s) V^T with a full V: zero rows are added until there are as many as columns. */
typedef struct Svd {
    double *u;       /* rows x n */
    double *v;       /* n x n */
    double *s;       /* n, descending */
    size_t rank_max; /* the smaller side before padding */
    Arena memory;    /* owns the arrays */
} Svd;

/* By Golub and Reinsch. GSL's one-sided Jacobi rotations stop too early on long chains of equations
 * and still report success. */
static Status svd_init(Svd *svd, const double *a, size_t m, size_t n, Error *err)
{
    const size_t rows = larger(m, n);

    if (!all_finite(a, m * n))
        return not_finite(err);
    Status status = spend(rows, n, err);
    if (status != OK)
        return status;
    *svd = (Svd){.rank_max = smaller(m, n)};
    svd->u = arena_doubles(&svd->memory, rows * n);
    svd->v = arena_doubles(&svd->memory, n * n);
    svd->s = arena_doubles(&svd->memory, n);
    double *workspace = arena_doubles(&svd->memory, n);
    status = arena_status(&svd->memory, err);
    if (status != OK)
        return status;
    /* scale by a power of two so that squares neither overflow nor underflow */
    memcpy(svd->u, a, m * n * sizeof *a);
    const int exponent = normalise(svd->u, m * n);

    /* factorize in place and undo the scaling */
    gsl_matrix_view u = gsl_matrix_view_array(svd->u, rows, n);
    gsl_matrix_view v = gsl_matrix_view_array(svd->v, n, n);
    gsl_vector_view s = gsl_vector_view_array(svd->s, n);
    gsl_vector_view work = gsl_vector_view_array(workspace, n);
    status = from_gsl(gsl_linalg_SV_decomp(&u.matrix, &v.matrix, &s.vector, &work.vector),
                      "singular value decomposition", err);
    scale_by_two(svd->s, n, exponent);
    if (status != OK)
        arena_done(&svd->memory);
    return status;
}

/* The number of singular values above tolerance times the largest. */
static size_t svd_rank(const Svd *svd, double tolerance)
{
    size_t rank = 0;
    while (rank < svd->rank_max && svd->s[rank] > tolerance * svd->s[0])
        rank++;
    return rank;
}

/* False if the matrix is too large or the rotations do not converge: then use GSL. */
static bool small_singular_values(const double *a, size_t m, size_t n, double *ret_s)
{
    const size_t side = smaller(m, n), length = larger(m, n);
    double rows[SMALL * SMALL];

    if (side > SMALL || length > SMALL)
        return false;
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < length; j++)
            rows[i * length + j] = m <= n ? a[i * n + j] : a[j * n + i];
    const int exponent = normalise(rows, m * n);
    if (!jacobi_singular_values(rows, side, length, ret_s))
        return false;
    scale_by_two(ret_s, side, exponent);
    return true;
}

Status dense_singular_values(const double *a, size_t m, size_t n, double *ret_s, Error *err)
{
    Svd svd = {0};
    if (m == 0 || n == 0)
        return OK;
    if (!all_finite(a, m * n))
        return not_finite(err);
    if (small_singular_values(a, m, n, ret_s))
        return OK;
    Status status = svd_init(&svd, a, m, n, err);
    if (status != OK)
        return status;
    memcpy(ret_s, svd.s, smaller(m, n) * sizeof *ret_s);
    arena_done(&svd.memory);
    return OK;
}

Status dense_orthonormal_columns(double *a, size_t m, size_t n, Error *err)
{
    if (n == 0)
        return OK;
    if (!all_finite(a, m * n))
        return not_finite(err);
    normalise(a, m * n);
    gsl_matrix *factors = gsl_matrix_alloc(m, n), *Q = gsl_matrix_alloc(m, m);
    gsl_matrix *R = gsl_matrix_alloc(m, n);
    gsl_vector *tau = gsl_vector_alloc(n);
    Status status = factors && Q && R && tau ? spend(m, m, err) : no_memory(err);

    if (status == OK) {
        /* factorize a copy, a = Q R */
        memcpy(factors->data, a, m * n * sizeof *a);
        status = from_gsl(gsl_linalg_QR_decomp(factors, tau), "QR factorisation", err);
    }
    if (status == OK)
        status = from_gsl(gsl_linalg_QR_unpack(factors, tau, Q, R), "QR factorisation", err);
    for (size_t i = 0; status == OK && i < m; i++)
        memcpy(a + i * n, Q->data + i * m, n * sizeof *a);
    gsl_matrix_free(factors);
    gsl_matrix_free(Q);
    gsl_matrix_free(R);
    gsl_vector_free(tau);
    return status;
}

/* Divides each row by its Euclidean length; a row of zeros stays. */
static void normalise_rows(double *a, size_t m, size_t n)
{
    for (size_t i = 0; i < m; i++) {
        double *row = a + i * n, sum = 0.0;
        const double largest = vector_largest(row, n);
        if (largest == 0.0)
            continue;
        for (size_t j = 0; j < n; j++) {
            row[j] /= largest; /* first, so that the squares neither overflow nor vanish */
            sum += row[j] * row[j];
        }
        for (size_t j = 0; j < n; j++)
            row[j] /= sqrt(sum);
    }
}

static int compare_sizes(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a > b) - (a < b);
}

/* The pivots of the QR factorization of a's transpose, in the order of their choice. */
static Status pivot_rows(const double *a, size_t m, size_t n, size_t *ret_order, Error *err)
{
    gsl_matrix *qr = gsl_matrix_alloc(n, m);
    gsl_vector *tau = gsl_vector_alloc(smaller(m, n)), *norms = gsl_vector_alloc(m);
    gsl_permutation *order = gsl_permutation_alloc(m);
    Status status = qr && tau && norms && order ? OK : no_memory(err);
    int sign;

    if (status == OK) {
        /* QR pivots columns, so that the transpose gives rows of a */
        gsl_matrix_const_view rows = gsl_matrix_const_view_array(a, m, n);
        gsl_matrix_transpose_memcpy(qr, &rows.matrix);
        status =
            from_gsl(gsl_linalg_QRPT_decomp(qr, tau, order, &sign, norms), "QR factorisation", err);
    }
    for (size_t i = 0; status == OK && i < m; i++)
        ret_order[i] = gsl_permutation_get(order, i);
    gsl_matrix_free(qr);
    gsl_vector_free(tau);
    gsl_vector_free(norms);
    gsl_permutation_free(order);
    return status;
}

Status dense_independent_rows(const double *a, size_t m, size_t n, double tolerance,
                              size_t *ret_rows, size_t *ret_rank, Error *err)
{
    Svd svd = {0};
    Arena scratch = {0};

    if (m == 0 || n == 0) {
        *ret_rank = 0;
        return OK;
    }
    if (!all_finite(a, m * n))
        return not_finite(err);
    /* the rank from the singular values, the rows from the pivots */
    double *rows = arena_copy_doubles(&scratch, a, m * n);
    size_t *order = arena_sizes(&scratch, m);
    Status status = arena_status(&scratch, err);
    if (status == OK) {
        normalise_rows(rows, m, n);
        status = svd_init(&svd, rows, m, n, err);
    }
    if (status == OK)
        status = pivot_rows(rows, m, n, order, err);
    /* keep the first `rank` pivots, in ascending order */
    if (status == OK) {
        *ret_rank = svd_rank(&svd, tolerance);
        memcpy(ret_rows, order, *ret_rank * sizeof *order);
        qsort(ret_rows, *ret_rank, sizeof *ret_rows, compare_sizes);
    }
    arena_done(&svd.memory);
    arena_done(&scratch);
    return status;
}

Status dense_least_norm(const double *a, size_t m, size_t n, const double *b, double tolerance,
                        double *ret_x, Error *err)
{
    Svd svd = {0};

    if (!all_finite(b, m))
        return not_finite(err);
    if (n == 0)
        return OK;
    if (m == 0) {
        memset(ret_x, 0, n * sizeof *ret_x);
        return OK;
    }
    Status status = svd_init(&svd, a, m, n, err);
    if (status != OK)
        return status;
    /* sum over the singular triples that count: x = V S^-1 U^T b */
    const size_t rank = svd_rank(&svd, tolerance);
    memset(ret_x, 0, n * sizeof *ret_x);
    for (size_t k = 0; k < rank; k++) {
        double along = 0.0;
        for (size_t i = 0; i < m; i++)
            along += svd.u[i * n + k] * b[i];
        along /= svd.s[k];
        for (size_t j = 0; j < n; j++)
            ret_x[j] += along * svd.v[j * n + k];
    }
    arena_done(&svd.memory);
    return OK;
}

Status dense_null_space(const double *a, size_t m, size_t n, double tolerance, double *ret_basis,
                        size_t *ret_dim, Error *err)
{
    Svd svd = {0};

    if (n == 0) {
        *ret_dim = 0;
        return OK;
    }
    /* without equations, the null space is the whole space */
    if (m == 0) {
        memset(ret_basis, 0, n * n * sizeof *ret_basis);
        for (size_t i = 0; i < n; i++)
            ret_basis[i * n + i] = 1.0;
        *ret_dim = n;
        return OK;
    }
    Status status = svd_init(&svd, a, m, n, err);
    if (status != OK)
        return status;
    /* the last columns of V are the basis */
    const size_t rank = svd_rank(&svd, tolerance);
    for (size_t i = 0; i < n; i++)
        for (size_t j = rank; j < n; j++)
            ret_basis[i * n + j - rank] = svd.v[i * n + j];
    *ret_dim = n - rank;
    arena_done(&svd.memory);
    return OK;
}

/* False if the matrix is too large or the rotations do not converge: then use GSL. */
static bool small_eigenvalues(const double *a, size_t n, double *ret_values)
{
    double matrix[SMALL * SMALL];

    if (n > SMALL)
        return false;
    memcpy(matrix, a, n * n * sizeof *a);
    const int exponent = normalise(matrix, n * n);
    if (!jacobi_eigenvalues(matrix, n, ret_values))
        return false;
    scale_by_two(ret_values, n, exponent);
    return true;
}

Status dense_symmetric_eigenvalues(const double *a, size_t n, double *ret_values, Error *err)
{
    if (n == 0)
        return OK;
    if (!all_finite(a, n * n))
        return not_finite(err);
    if (small_eigenvalues(a, n, ret_values))
        return OK;
    /* solve a copy, scaled by a power of two */
    gsl_matrix *matrix = gsl_matrix_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_symm_workspace *workspace = gsl_eigen_symm_alloc(n);
    Status status = matrix && values && workspace ? OK : no_memory(err);

    if (status == OK) {
        memcpy(matrix->data, a, n * n * sizeof *a);
        const int exponent = normalise(matrix->data, n * n);
        status = from_gsl(gsl_eigen_symm(matrix, values, workspace), "eigenvalues", err);
        scale_by_two(values->data, n, exponent);
    }
    /* GSL's order is arbitrary */
    if (status == OK) {
        memcpy(ret_values, values->data, n * sizeof *ret_values);
        qsort(ret_values, n, sizeof *ret_values, compare_doubles);
    }
    gsl_matrix_free(matrix);
    gsl_vector_free(values);
    gsl_eigen_symm_free(workspace);
    return status;
}

int compare_eigenvalues(const void *a, const void *b)
{
    const double *x = a, *y = b;

    if (x[0] != y[0])
        return x[0] < y[0] ? 1 : -1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}

Status dense_eigenvalues(const double *a, size_t n, double *ret_re, double *ret_im, Error *err)
{
    if (n == 0)
        return OK;
    if (!all_finite(a, n * n))
        return not_finite(err);
    gsl_matrix *matrix = gsl_matrix_alloc(n, n);
    gsl_vector_complex *values = gsl_vector_complex_alloc(n);
    gsl_eigen_nonsymm_workspace *workspace = gsl_eigen_nonsymm_alloc(n);
    Status status = matrix && values && workspace ? spend(n, n, err) : no_memory(err);

    if (status == OK) {
        /* scale by a power of two, solve, and undo the scaling */
        memcpy(matrix->data, a, n * n * sizeof *a);
        const int exponent = normalise(matrix->data, n * n);
        gsl_eigen_nonsymm_params(0, 1, workspace);
        status = from_gsl(gsl_eigen_nonsymm(matrix, values, workspace), "eigenvalues", err);
        scale_by_two(values->data, 2 * n, exponent);
    }
    if (status == OK)
        qsort(values->data, n, 2 * sizeof *values->data, compare_eigenvalues);
    for (size_t i = 0; status == OK && i < n; i++) {
        ret_re[i] = values->data[2 * i];
        ret_im[i] = values->data[2 * i + 1];
    }
    gsl_matrix_free(matrix);
    gsl_vector_complex_free(values);
    gsl_eigen_nonsymm_free(workspace);
    return status;
}

Status dense_solve(const double *a, size_t n, double *b, size_t n_rhs, Error *err)
{
    Arena scratch = {0};
    double *lu = arena_doubles(&scratch, lu_doubles(n)), *column = arena_doubles(&scratch, n),
           *x = arena_doubles(&scratch, n);
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = spend(n, n + n_rhs, err);
    if (status == OK) {
        /* factor a copy once for all right sides */
        memcpy(lu, a, n * n * sizeof *a);
        if (!lu_factor(n, lu))
            status = error_set(err, ERR_NUMERIC, "singular matrix of %zu rows", n);
    }
    for (size_t k = 0; status == OK && k < n_rhs; k++) {
        for (size_t i = 0; i < n; i++)
            column[i] = b[i * n_rhs + k];
        lu_solve(n, lu, column, x);
        for (size_t i = 0; i < n; i++)
            b[i * n_rhs + k] = x[i];
    }
    arena_done(&scratch);
    return status;
}
