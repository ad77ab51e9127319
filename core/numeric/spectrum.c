/* Discs around eigenvalues, from an eigenvector matrix X: the discs of Gershgorin for
 * X^-1 (A + E) X, or, if X is nearly singular, those of L. Elsner (Linear Algebra Appl. 71 (1985)
 * 77-80) with the radius (|A| + |A + E|)^(1 - 1/n) |E|^(1/n). The matrix is first split into the
 * diagonal blocks of its block triangular form, and each block is balanced, so that a large block
 * does not blur a small one. Eigenvectors are found by inverse iteration (H. Wielandt, 1944). */
#include "core/numeric/spectrum.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "core/base/arena.h"
#include "core/base/finite.h"
#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "core/numeric/dense.h"
#include "core/numeric/lu.h"
#include "core/numeric/vectors.h"

enum { BALANCE_SWEEPS = 20, INVERSE_STEPS = 3, PERTURBATIONS = 4 };
/* Operations of GSL's functions over n^3. They cannot be interrupted (core/base/stop_token.h). */
enum { VECTORS_WORK = 4, COMPLEX_WORK = 4 };
/* Change of an entry in a row of zeros, relative to the largest entry; a convention. */
static const double ZERO_ROW_PERTURBATION = 1e-30;
/* Largest norm |1 - X^-1 X| at which X^-1 is accepted as the inverse. No unit; a convention. */
static const double MAX_INVERSE_DEFECT = 0.1;

/* A diagonal block, balanced. */
typedef struct Block {
    size_t n;
    double *a, *error;         /* n x n */
    gsl_matrix *work;          /* GSL's copy of a; NULL if out of memory */
    gsl_matrix_complex *X, *Y; /* eigenvectors; their inverse */
    gsl_vector_complex *values;
    double *defect; /* n x n: |A X - X D| + E |X| */
    double *row;    /* n: work space */
} Block;

static void block_free(Block *b)
{
    gsl_matrix_free(b->work);
    gsl_matrix_complex_free(b->X);
    gsl_matrix_complex_free(b->Y);
    gsl_vector_complex_free(b->values);
}

/* Scales rows and columns by powers of two until their norms are similar (E. E. Osborne, 1960). */
static void block_balance(Block *b)
{
    const size_t n = b->n;
    bool changed = true;

    for (int sweep = 0; changed && sweep < BALANCE_SWEEPS; sweep++) {
        changed = false;
        for (size_t i = 0; i < n; i++) {
            /* norms of row and column i without the diagonal */
            double row = 0, column = 0;
            for (size_t j = 0; j < n; j++) {
                if (j == i)
                    continue;
                row = hypot(row, fabs(b->a[i * n + j]) + b->error[i * n + j]);
                column = hypot(column, fabs(b->a[j * n + i]) + b->error[j * n + i]);
            }
            if (!(row > 0 && column > 0))
                continue;
            const int exponent = (int)lrint((log2(row) - log2(column)) / 2);
            changed = changed || exponent != 0;
            for (size_t j = 0; exponent && j < n; j++) {
                if (j == i)
                    continue;
                b->a[i * n + j] = ldexp(b->a[i * n + j], -exponent);
                b->error[i * n + j] = ldexp(b->error[i * n + j], -exponent);
                b->a[j * n + i] = ldexp(b->a[j * n + i], exponent);
                b->error[j * n + i] = ldexp(b->error[j * n + i], exponent);
            }
        }
    }
}

/* Scales the largest entry into [1/2, 1); returns the exponent taken out. */
static int block_normalise(Block *b)
{
    double largest = 0;
    int exponent = 0;

    for (size_t k = 0; k < b->n * b->n; k++)
        largest = fmax(largest, fmax(fabs(b->a[k]), b->error[k]));
    (void)frexp(largest, &exponent);
    for (size_t k = 0; k < b->n * b->n; k++) {
        b->a[k] = ldexp(b->a[k], -exponent);
        b->error[k] = ldexp(b->error[k], -exponent);
    }
    return exponent;
}

static double modulus_at(const gsl_matrix_complex *matrix, size_t i, size_t j)
{
    const gsl_complex value = gsl_matrix_complex_get(matrix, i, j);
    return hypot(GSL_REAL(value), GSL_IMAG(value));
}

/* Fills b->defect with |A X - X D| + E |X|. modulus: n, work space. */
static void block_fill_defect(Block *b, double *modulus)
{
    const size_t n = b->n;

    for (size_t j = 0; j < n; j++) {
        const gsl_complex value = gsl_vector_complex_get(b->values, j);
        const double re = GSL_REAL(value), im = GSL_IMAG(value);
        /* moduli of eigenvector j bound the rounding below */
        for (size_t i = 0; i < n; i++)
            modulus[i] = modulus_at(b->X, i, j);
        for (size_t i = 0; i < n && stop_token_spend(n, NULL) == OK; i++) {
            const gsl_complex x = gsl_matrix_complex_get(b->X, i, j);
            /* entry of A X - X D, with a bound of its error */
            double off_re = -(GSL_REAL(x) * re - GSL_IMAG(x) * im), uncertain = 0;
            double off_im = -(GSL_REAL(x) * im + GSL_IMAG(x) * re);
            double terms = hypot(off_re, off_im);
            for (size_t k = 0; k < n; k++) {
                const gsl_complex y = gsl_matrix_complex_get(b->X, k, j);
                off_re += b->a[i * n + k] * GSL_REAL(y);
                off_im += b->a[i * n + k] * GSL_IMAG(y);
                terms += fabs(b->a[i * n + k]) * modulus[k];
                uncertain += b->error[i * n + k] * modulus[k];
            }
            const double rounding = 2 * (double)(n + 2) * DBL_EPSILON * terms;
            b->defect[i * n + j] = hypot(off_re, off_im) + uncertain + rounding;
        }
    }
}

/* Computes the inverse of X in Y. Returns the norm of Y X - 1; INFINITY if X has no inverse. */
static double block_invert(Block *b)
{
    const size_t n = b->n;
    gsl_matrix_complex *lu = gsl_matrix_complex_alloc(n, n);
    gsl_permutation *permutation = gsl_permutation_alloc(n);
    double off = INFINITY;
    int sign;

    if (!lu || !permutation || stop_token_spend(COMPLEX_WORK * n * n * n, NULL) != OK)
        goto out;
    gsl_matrix_complex_memcpy(lu, b->X);
    if (gsl_linalg_complex_LU_decomp(lu, permutation, &sign) != GSL_SUCCESS ||
        gsl_linalg_complex_LU_invert(lu, permutation, b->Y) != GSL_SUCCESS)
        goto out;
    off = 0;
    for (size_t i = 0; i < n && stop_token_spend(n * n, NULL) == OK; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            double re = i == j ? -1 : 0, im = 0;
            for (size_t k = 0; k < n; k++) {
                const gsl_complex y = gsl_matrix_complex_get(b->Y, i, k);
                const gsl_complex x = gsl_matrix_complex_get(b->X, k, j);
                re += GSL_REAL(y) * GSL_REAL(x) - GSL_IMAG(y) * GSL_IMAG(x);
                im += GSL_REAL(y) * GSL_IMAG(x) + GSL_IMAG(y) * GSL_REAL(x);
            }
            row += hypot(re, im);
        }
        off = row <= off ? off : row; /* NaN stays */
    }
out:
    gsl_matrix_complex_free(lu);
    gsl_permutation_free(permutation);
    return off;
}

/* Row sums of |X^-1| (|A X - X D| + E |X|), enlarged by the error of the inverse. */
static void gershgorin(Block *b, Eigenvalue *ret)
{
    const size_t n = b->n;
    const double off = block_invert(b);
    double largest = 0;

    for (size_t i = 0; i < n; i++)
        ret[i].radius = INFINITY;
    if (!(off < MAX_INVERSE_DEFECT))
        return;
    block_fill_defect(b, b->row);
    for (size_t i = 0; i < n && stop_token_spend(n * n, NULL) == OK; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            const double modulus = modulus_at(b->Y, i, k);
            for (size_t j = 0; j < n; j++)
                sum += modulus * b->defect[k * n + j];
        }
        ret[i].radius = sum;
        largest = fmax(largest, sum);
    }
    /* add the error of the inverse */
    for (size_t i = 0; i < n; i++)
        ret[i].radius += off / (1 - off) * largest;
}

/* Elsner's radius, the same for all discs, with the rounding error of the computed eigenvalues. */
static double elsner(const Block *b)
{
    const double n = (double)b->n;
    double size = 0, error = 0;

    for (size_t k = 0; k < b->n * b->n; k++) {
        size = hypot(size, b->a[k]);
        error = hypot(error, b->error[k]);
    }
    error += 10 * n * DBL_EPSILON * size;
    return pow(2 * size + error, 1 - 1 / n) * pow(error, 1 / n);
}

static Status block_discs(Block *b, Eigenvalue *ret, Error *err)
{
    const size_t n = b->n;
    gsl_eigen_nonsymmv_workspace *workspace = gsl_eigen_nonsymmv_alloc(n);
    Status status = OK;
    double largest = 0;

    if (!b->work || !b->X || !b->Y || !b->values || !workspace) {
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
        goto out;
    }
    status = stop_token_spend(VECTORS_WORK * n * n * n, err);
    if (status != OK)
        goto out;
    memcpy(b->work->data, b->a, n * n * sizeof *b->a);
    if (gsl_eigen_nonsymmv(b->work, b->values, b->X, workspace) != GSL_SUCCESS) {
        status = error_set(err, ERR_NUMERIC, "eigenvalues were not found");
        goto out;
    }
    gershgorin(b, ret);
    for (size_t i = 0; i < n; i++) {
        const gsl_complex value = gsl_vector_complex_get(b->values, i);
        ret[i].re = GSL_REAL(value);
        ret[i].im = GSL_IMAG(value);
        largest = fmax(largest, ret[i].radius);
    }
    status = stop_token_status(err);
    /* all discs of one kind, because only a whole set of one kind contains all eigenvalues */
    const double other = elsner(b);
    for (size_t i = 0; other < largest && i < n; i++)
        ret[i].radius = other;
out:
    if (workspace)
        gsl_eigen_nonsymmv_free(workspace);
    return status;
}

/* Computes the discs of the block of the given rows and columns. */
static Status take_block(const double *a, const double *error, size_t n, const size_t *members,
                         size_t m, Eigenvalue *ret, Error *err)
{
    Arena scratch = {0};
    Block b = {.n = m,
               .a = arena_doubles(&scratch, m * m),
               .error = arena_doubles(&scratch, m * m),
               .defect = arena_doubles(&scratch, m * m),
               .row = arena_doubles(&scratch, m)};
    Status status = arena_status(&scratch, err);

    if (status != OK)
        goto out;
    /* copy the entries and their errors; a block of one row is its own eigenvalue */
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            b.a[i * m + j] = a[members[i] * n + members[j]];
            b.error[i * m + j] = error[members[i] * n + members[j]];
        }
    if (m == 1) {
        ret[0] = (Eigenvalue){.re = b.a[0], .radius = b.error[0]};
        goto out;
    }
    /* scale the block to size one, compute the discs and undo the scaling */
    b.work = gsl_matrix_alloc(m, m);
    b.X = gsl_matrix_complex_alloc(m, m);
    b.Y = gsl_matrix_complex_alloc(m, m);
    b.values = gsl_vector_complex_alloc(m);
    block_balance(&b);
    const int exponent = block_normalise(&b);
    status = block_discs(&b, ret, err);
    for (size_t i = 0; status == OK && i < m; i++) {
        ret[i].re = ldexp(ret[i].re, exponent);
        ret[i].im = ldexp(ret[i].im, exponent);
        ret[i].radius = ldexp(ret[i].radius, exponent);
    }
    block_free(&b);
out:
    arena_done(&scratch);
    return status;
}

/* reach[i][j]: row i depends on j through entries that may be nonzero (S. Warshall, 1962). */
static void fill_reach(const double *a, const double *error, size_t n, bool *reach)
{
    for (size_t k = 0; k < n * n; k++)
        reach[k] = a[k] != 0 || error[k] != 0;
    for (size_t k = 0; k < n && stop_token_spend(n * n, NULL) == OK; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; reach[i * n + k] && j < n; j++)
                reach[i * n + j] = reach[i * n + j] || reach[k * n + j];
}

static void find_clusters(Eigenvalue *values, size_t n)
{
    bool changed = true;

    for (size_t i = 0; i < n; i++)
        values[i].cluster = i;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const Eigenvalue *x = &values[i], *y = &values[j];
                if (x->cluster < y->cluster &&
                    hypot(x->re - y->re, x->im - y->im) <= x->radius + y->radius) {
                    values[j].cluster = x->cluster;
                    changed = true;
                }
            }
    }
}

Status spectrum_discs(const double *a, const double *error, size_t n, Eigenvalue *ret, Error *err)
{
    Arena scratch = {0};
    bool *reach = ARENA_NEW(&scratch, n * n, bool), *taken = ARENA_NEW(&scratch, n, bool);
    size_t *members = arena_sizes(&scratch, n), found = 0;
    Status status = arena_status(&scratch, err);

    if (status == OK && !(all_finite(a, n * n) && all_finite(error, n * n)))
        status = error_set(err, ERR_NUMERIC, "a matrix has an entry that is not finite");
    if (status == OK)
        fill_reach(a, error, n, reach);
    for (size_t i = 0; status == OK && i < n; i++) {
        /* equations that act on each other, in both directions, are one block */
        size_t m = 0;
        for (size_t j = i; !taken[i] && j < n; j++)
            if (j == i || (reach[i * n + j] && reach[j * n + i]))
                members[m++] = j;
        if (m == 0)
            continue;
        for (size_t j = 0; j < m; j++)
            taken[members[j]] = true;
        status = m > SPECTRUM_MOST_ROWS
                     ? error_set(err, ERR_LIMIT,
                                 "eigenvalues are computed of at most %d equations that are tied "
                                 "to each other; here are %zu",
                                 SPECTRUM_MOST_ROWS, m)
                     : take_block(a, error, n, members, m, ret + found, err);
        found += m;
    }
    if (status == OK) {
        qsort(ret, n, sizeof *ret, compare_eigenvalues);
        find_clusters(ret, n);
    }
    arena_done(&scratch);
    return status;
}

/* Fills ret with A - value as a real matrix [m x m] of (re, im); m = n if the value is real. */
static void fill_shifted(const double *a, size_t n, double re, double im, size_t m, double *ret)
{
    memset(ret, 0, m * m * sizeof *ret);
    for (size_t half = 0; half < m; half += n)
        for (size_t i = 0; i < n; i++) {
            memcpy(ret + (half + i) * m + half, a + i * n, n * sizeof *a);
            ret[(half + i) * m + half + i] -= re;
            if (m > n)
                ret[(half + i) * m + (half ? i : n + i)] = half ? -im : im;
        }
}

/* Scales x so that its largest entry is 1; false if that entry is 0 or not finite. */
static bool scale_to_one(double *x, size_t n)
{
    double largest = vector_largest(x, n);
    for (size_t i = 0; i < n; i++)
        x[i] /= largest;
    return largest > 0 && isfinite(largest);
}

/* Changes every entry by up to `part` of the largest in its row, so that a matrix that is singular
 * to the last bit becomes regular. Rows of zeros get small entries. */
static void perturb_rows(double *matrix, size_t m, double part, double size, Random *random)
{
    for (size_t i = 0; i < m; i++) {
        double largest = vector_largest(matrix + i * m, m);
        const double change = largest > 0 ? part * largest : ZERO_ROW_PERTURBATION * size;
        for (size_t j = 0; j < m; j++)
            matrix[i * m + j] += random_uniform(random, -change, change);
    }
}

/* Some steps of inverse iteration on x[m]; false if numbers overflow. lu: the matrix; next: m. */
static bool iterate_inverse(size_t m, double *lu, double *next, double *x)
{
    bool good = lu_factor(m, lu);

    for (int k = 0; good && k < INVERSE_STEPS; k++) {
        lu_solve(m, lu, x, next);
        memcpy(x, next, m * sizeof *x);
        good = scale_to_one(x, m);
    }
    return good;
}

Status spectrum_vector(const double *a, size_t n, const Eigenvalue *value, uint64_t seed,
                       double *ret_re, double *ret_im, Error *err)
{
    const size_t m = value->im == 0 ? n : 2 * n;
    Arena scratch = {0};
    double *lu = arena_doubles(&scratch, lu_doubles(m));
    double *x = arena_doubles(&scratch, m), *next = arena_doubles(&scratch, m);
    double size = 0, part = 0;
    bool good = false;
    Random random;
    Status status = arena_status(&scratch, err);

    if (status != OK)
        goto out;
    size = vector_largest(a, n * n);
    /* inverse iteration from a random start; if it fails, retry with perturbed rows */
    random_init(&random, seed);
    for (int k = 0; status == OK && !good && k < PERTURBATIONS; k++) {
        status = stop_token_spend(m * m * m / 3, err);
        for (size_t i = 0; i < m; i++)
            x[i] = random_uniform(&random, -1, 1);
        fill_shifted(a, n, value->re, value->im, m, lu);
        if (part > 0)
            perturb_rows(lu, m, part, size > 0 ? size : 1, &random);
        good = iterate_inverse(m, lu, next, x);
        part = part > 0 ? 4 * part : DBL_EPSILON;
    }
    if (status == OK && !good)
        status = error_set(err, ERR_NUMERIC, "an eigenvector was not found");
    if (status != OK)
        goto out;
    memcpy(ret_re, x, n * sizeof *x);
    memset(ret_im, 0, n * sizeof *x);
    if (m > n)
        memcpy(ret_im, x + n, n * sizeof *x);
out:
    arena_done(&scratch);
    return status;
}
