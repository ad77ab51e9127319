/* Unit tests of core/numeric: each result is checked by the equations that define it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/numeric/dense.h"
#include "core/numeric/lu.h"
#include "core/numeric/spectrum.h"
#include "tests/suite.h"

enum { MAX = 8, LU_DOUBLES = MAX * MAX + 2 * MAX + 2, ROUNDS = 300 };

static void random_matrix(Random *random, double *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = random_normal(random);
}

/* a (m x n) as a product of random m x rank and rank x n matrices. */
static void random_of_rank(Random *random, double *a, size_t m, size_t n, size_t rank)
{
    double left[MAX * MAX], right[MAX * MAX];
    random_matrix(random, left, m * rank);
    random_matrix(random, right, rank * n);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = 0.0;
            for (size_t k = 0; k < rank; k++)
                a[i * n + j] += left[i * rank + k] * right[k * n + j];
        }
}

static size_t random_size(Random *random, size_t from, size_t to)
{
    return from + (size_t)(random_bits(random) % (to - from + 1));
}

/* (x - 1)(x - 2)(x^2 + 2 x + 5), as a companion matrix at several sizes; and a rotation. */
START_TEST(eigenvalues_are_the_roots_of_the_characteristic_polynomial)
{
    static const double SIZES[] = {1, 1e-200, 1e200};
    const double c[4] = {-10, 11, -1, 1}; /* x^4 = c0 + c1 x + c2 x^2 + c3 x^3 */
    static const double RE[] = {2, 1, -1, -1}, IM[] = {0, 0, 2, -2};
    const double k = SIZES[_i];
    double a[16] = {0}, re[4], im[4];

    for (size_t i = 0; i < 3; i++)
        a[i * 4 + i + 1] = k;
    for (size_t j = 0; j < 4; j++)
        a[12 + j] = c[j] * k;
    ck_assert_int_eq(dense_eigenvalues(a, 4, re, im, NULL), OK);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(re[i] / k, RE[i], 1e-12);
        ck_assert_double_eq_tol(im[i] / k, IM[i], 1e-12);
    }
    a[5] = NAN;
    ck_assert_int_eq(dense_eigenvalues(a, 4, re, im, NULL), ERR_NUMERIC);
}
END_TEST

/* Every cluster contains as many eigenvalues of each matrix within the bound as it has discs. */
START_TEST(discs_contain_the_eigenvalues_of_matrices_nearby)
{
    double a[MAX * MAX], error[MAX * MAX], near[MAX * MAX], re[MAX], im[MAX];
    Eigenvalue values[MAX];
    Random random;

    random_init(&random, 41);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_size(&random, 1, MAX);
        const double size = pow(10, random_uniform(&random, -10, -2));
        random_matrix(&random, a, n * n);
        for (size_t k = 0; k < n * n; k++) {
            a[k] = floor(a[k]) + 0.5; /* often nearly defective */
            error[k] = size * fabs(a[k]);
            near[k] = a[k] + random_uniform(&random, -1, 1) * error[k];
        }
        ck_assert_int_eq(spectrum_discs(a, error, n, values, NULL), OK);
        ck_assert_int_eq(dense_eigenvalues(near, n, re, im, NULL), OK);
        for (size_t c = 0; c < n; c++) {
            size_t discs = 0, inside = 0;
            for (size_t i = 0; i < n; i++)
                discs += values[i].cluster == c;
            for (size_t k = 0; k < n; k++) {
                bool here = false;
                for (size_t i = 0; i < n; i++) {
                    const double rounding = 1e-13 * hypot(re[k], im[k]);
                    here = here || (values[i].cluster == c &&
                                    hypot(values[i].re - re[k], values[i].im - im[k]) <=
                                        values[i].radius + rounding);
                }
                inside += here;
            }
            ck_assert_uint_eq(discs, inside);
        }
    }
}
END_TEST

/* |(A - value) x|, largest entry, beside |A| |x| and |value| |x|. */
static double vector_residual(const double *a, size_t n, const Eigenvalue *value, const double *re,
                              const double *im)
{
    double worst = 0;

    for (size_t i = 0; i < n; i++) {
        double off_re = -(value->re * re[i] - value->im * im[i]);
        double off_im = -(value->re * im[i] + value->im * re[i]);
        double size = hypot(value->re, value->im);
        for (size_t j = 0; j < n; j++) {
            off_re += a[i * n + j] * re[j];
            off_im += a[i * n + j] * im[j];
            size += fabs(a[i * n + j]);
        }
        worst = fmax(worst, hypot(off_re, off_im) / (size > 0 ? size : 1));
    }
    return worst;
}

/* Small integers make multiple and defective eigenvalues, and matrices that are singular to the
 * last bit. */
START_TEST(eigenvectors_belong_to_their_eigenvalues)
{
    double a[MAX * MAX], error[MAX * MAX] = {0}, re[MAX], im[MAX];
    Eigenvalue values[MAX];
    Random random;

    random_init(&random, 43);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_size(&random, 1, MAX);
        const double size = pow(10, random_uniform(&random, -12, 12));
        random_matrix(&random, a, n * n);
        for (size_t k = 0; k < n * n; k++)
            a[k] = (round % 2 ? floor(a[k]) : a[k]) * size;
        for (size_t j = 0; round % 3 == 0 && j < n; j++)
            a[j] = 0;
        ck_assert_int_eq(spectrum_discs(a, error, n, values, NULL), OK);
        for (size_t k = 0; k < n; k++) {
            double largest = 0;
            ck_assert_int_eq(spectrum_vector(a, n, &values[k], k, re, im, NULL), OK);
            for (size_t i = 0; i < n; i++)
                largest = fmax(largest, fmax(fabs(re[i]), fabs(im[i])));
            ck_assert_double_eq(largest, 1);
            /* a computed value of a defective one is off by some root of the rounding */
            ck_assert_double_le(vector_residual(a, n, &values[k], re, im),
                                1e-13 + values[k].radius / size);
        }
    }
}
END_TEST

/* A nilpotent matrix has one direction, however long its chain. */
START_TEST(the_vector_of_a_chain_is_its_end)
{
    double a[MAX * MAX] = {0}, re[MAX], im[MAX];
    const Eigenvalue zero = {0};

    for (size_t i = 0; i + 1 < MAX; i++)
        a[i * MAX + i + 1] = 3;
    ck_assert_int_eq(spectrum_vector(a, MAX, &zero, 1, re, im, NULL), OK);
    for (size_t i = 0; i < MAX; i++)
        ck_assert_double_eq_tol(fabs(re[i]), i == 0, 1e-12);
}
END_TEST

/* -5000 +- 1e7 i of a stiff oscillator beside +- 0.1 of a soft saddle. */
START_TEST(small_eigenvalues_are_not_lost_beside_large_ones)
{
    const double a[16] = {0, 1, 0, 0, -1e14 - 25e6, -1e4, 0, 0, 0, 0, 0, 1, 0, 0, 0.01, 0};
    double error[16];
    Eigenvalue values[4];

    for (size_t k = 0; k < 16; k++)
        error[k] = 1e-12 * fabs(a[k]);
    ck_assert_int_eq(spectrum_discs(a, error, 4, values, NULL), OK);
    ck_assert_double_eq_tol(values[0].re, 0.1, 1e-10);
    ck_assert_double_lt(values[0].radius, 1e-10);
    ck_assert_double_eq_tol(values[1].re, -0.1, 1e-10);
    ck_assert_double_eq_tol(values[2].re, -5000, 1e-3);
    ck_assert_double_eq_tol(values[2].im, 1e7, 1e-3);
    ck_assert_double_lt(values[2].radius, 1);
}
END_TEST

START_TEST(singular_values_of_a_rotated_stretch_are_the_stretches)
{
    /* diag(3, 0.5) between two rotations, then a third row of zeros */
    const double c = cos(0.3), s = sin(0.3), p = cos(1.1), q = sin(1.1);
    const double a[6] = {3 * c * p - 0.5 * s * q,
                         3 * c * q + 0.5 * s * p,
                         3 * s * p + 0.5 * c * q,
                         3 * s * q - 0.5 * c * p,
                         0.0,
                         0.0};
    const double transposed[6] = {a[0], a[2], a[4], a[1], a[3], a[5]};
    double values[2];
    Error err = {0};
    ck_assert_int_eq(dense_singular_values(a, 3, 2, values, &err), OK);
    ck_assert_double_eq_tol(values[0], 3.0, 1e-14);
    ck_assert_double_eq_tol(values[1], 0.5, 1e-14);
    ck_assert_int_eq(dense_singular_values(transposed, 2, 3, values, &err), OK);
    ck_assert_double_eq_tol(values[0], 3.0, 1e-14);
    ck_assert_double_eq_tol(values[1], 0.5, 1e-14);
}
END_TEST

START_TEST(a_power_of_two_scales_the_values_and_nothing_else)
{
    Random random;
    random_init(&random, 77);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t m = random_size(&random, 1, MAX), n = random_size(&random, 1, MAX);
        const int exponent = round % 2 ? 1000 : -1000;
        double a[MAX * MAX], scaled[MAX * MAX], s[MAX], of_scaled[MAX];
        random_matrix(&random, a, m * n);
        for (size_t i = 0; i < m * n; i++)
            scaled[i] = ldexp(a[i], exponent);
        ck_assert_int_eq(dense_singular_values(a, m, n, s, NULL), OK);
        ck_assert_int_eq(dense_singular_values(scaled, m, n, of_scaled, NULL), OK);
        for (size_t k = 0; k < (m < n ? m : n); k++)
            ck_assert_double_eq(of_scaled[k], ldexp(s[k], exponent));
    }
}
END_TEST

/* Columns that end 300 and 600 binary orders below the first one. */
START_TEST(columns_of_very_different_size_do_not_keep_it_busy)
{
    Random random;
    random_init(&random, 78);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t m = random_size(&random, 3, MAX), n = random_size(&random, 3, MAX);
        double a[MAX * MAX], s[MAX], largest = 0.0, first = 0.0;
        random_matrix(&random, a, m * n);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                a[i * n + j] = ldexp(a[i * n + j], 450 - 900 * (int)j / (int)(n - 1));
        for (size_t i = 0; i < m; i++)
            first = hypot(first, a[i * n]);
        ck_assert_int_eq(dense_singular_values(a, m, n, s, NULL), OK);
        for (size_t k = 0; k < (m < n ? m : n); k++)
            largest = fmax(largest, s[k]);
        ck_assert_double_eq_tol(largest / first, 1.0, 1e-14);
    }
}
END_TEST

/* Also graded ones; the same inside a matrix of zeros that is too large for rotations. */
START_TEST(small_matrices_have_the_singular_values_of_large_ones)
{
    enum { LARGE = MAX + 1 };
    Random random;
    random_init(&random, 79);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t m = random_size(&random, 1, MAX), n = random_size(&random, 1, MAX);
        const size_t count = m < n ? m : n, rank = random_size(&random, 1, count);
        double a[MAX * MAX], large[LARGE * LARGE] = {0}, s[MAX], expected[LARGE];
        random_of_rank(&random, a, m, n, rank);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                a[i * n + j] *= pow(10, -(double)(i % 4));
                large[i * LARGE + j] = a[i * n + j];
            }
        ck_assert_int_eq(dense_singular_values(a, m, n, s, NULL), OK);
        ck_assert_int_eq(dense_singular_values(large, LARGE, LARGE, expected, NULL), OK);
        for (size_t k = 0; k < count; k++)
            ck_assert_double_eq_tol(s[k], expected[k], 1e-14 * expected[0]);
    }
}
END_TEST

/* diag(1, d) times a well-conditioned matrix: the product of the two is the determinant. */
START_TEST(small_singular_values_keep_their_digits)
{
    for (int k = 0; k <= 55; k += 5) {
        const double d = pow(10, -k), a[4] = {0.8, 0.6, 0.28 * d, 0.96 * d};
        double s[2];
        ck_assert_int_eq(dense_singular_values(a, 2, 2, s, NULL), OK);
        ck_assert_double_eq_tol(s[0] * s[1] / d / (0.8 * 0.96 - 0.6 * 0.28), 1, 1e-14);
    }
}
END_TEST

/* Q diag Q^T, Q of three reflections. */
START_TEST(eigenvalues_of_a_turned_diagonal_are_its_entries)
{
    Random random;
    random_init(&random, 80);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_size(&random, 1, MAX + 1); /* the largest by GSL */
        double a[(MAX + 1) * (MAX + 1)] = {0}, diagonal[MAX + 1], w[MAX + 1], values[MAX + 1];
        for (size_t i = 0; i < n; i++)
            a[i * n + i] = diagonal[i] = (double)(i / 2) - 1.5; /* twofold, of both signs */
        for (int turn = 0; turn < 3; turn++) {
            double ww = 0;
            for (size_t i = 0; i < n; i++) {
                w[i] = random_normal(&random);
                ww += w[i] * w[i];
            }
            for (int side = 0; side < 2; side++)
                for (size_t j = 0; j < n; j++) {
                    double along = 0;
                    for (size_t i = 0; i < n; i++)
                        along += w[i] * (side ? a[j * n + i] : a[i * n + j]);
                    for (size_t i = 0; i < n; i++)
                        *(side ? &a[j * n + i] : &a[i * n + j]) -= 2 * along * w[i] / ww;
                }
        }
        ck_assert_int_eq(dense_symmetric_eigenvalues(a, n, values, NULL), OK);
        for (size_t i = 0; i < n; i++)
            ck_assert_double_eq_tol(values[i], diagonal[i], 1e-13);
    }
}
END_TEST

/* The least of Hilbert's matrix of 8 rows is 1.1115389663724e-10 (exact arithmetic); the
 * determinant of that of 5 rows is 1/266716800000. */
START_TEST(hilberts_matrix_keeps_its_small_eigenvalue)
{
    double a[64], values[8], product = 1;
    for (size_t i = 0; i < 64; i++)
        a[i] = 1 / (double)(i / 8 + i % 8 + 1);
    ck_assert_int_eq(dense_symmetric_eigenvalues(a, 8, values, NULL), OK);
    ck_assert_double_eq_tol(values[0] / 1.1115389663724e-10, 1, 1e-5);
    for (size_t i = 0; i < 25; i++)
        a[i] = 1 / (double)(i / 5 + i % 5 + 1);
    ck_assert_int_eq(dense_symmetric_eigenvalues(a, 5, values, NULL), OK);
    for (size_t i = 0; i < 5; i++)
        product *= values[i];
    ck_assert_double_eq_tol(product * 266716800000, 1, 1e-9);
}
END_TEST

START_TEST(eigenvalues_of_huge_and_tiny_matrices_are_found)
{
    const double sizes[] = {1e300, 1.0, 1e-300};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const double x = sizes[k], a[4] = {2 * x, x, x, 2 * x};
        double values[2];
        ck_assert_int_eq(dense_symmetric_eigenvalues(a, 2, values, NULL), OK);
        ck_assert_double_eq_tol(values[0] / x, 1.0, 1e-14);
        ck_assert_double_eq_tol(values[1] / x, 3.0, 1e-14);
    }
}
END_TEST

/* Neighbours tied to each other: the singular values of such a chain are 2 sin(k pi / (2 n)). */
START_TEST(long_chains_keep_their_singular_values_and_one_free_direction)
{
    enum { N = 120 };
    static double a[(N - 1) * N], basis[N * N], s[N - 1];
    size_t dim = 0, rank = 0, rows[N - 1];

    for (size_t i = 0; i + 1 < N; i++) {
        a[i * N + i] = 1;
        a[i * N + i + 1] = -1;
    }
    ck_assert_int_eq(dense_singular_values(a, N - 1, N, s, NULL), OK);
    for (size_t k = 0; k + 1 < N; k++)
        ck_assert_double_eq_tol(
            s[k], 2 * sin((double)(N - 1 - k) * 3.14159265358979323846 / (2 * N)), 1e-13);
    ck_assert_int_eq(dense_null_space(a, N - 1, N, 1e-12, basis, &dim, NULL), OK);
    ck_assert_uint_eq(dim, 1);
    ck_assert_double_eq_tol(fabs(basis[0]), 1 / sqrt(N), 1e-12);
    ck_assert_int_eq(dense_independent_rows(a, N - 1, N, 1e-12, rows, &rank, NULL), OK);
    ck_assert_uint_eq(rank, N - 1);
}
END_TEST

START_TEST(squares_of_singular_values_sum_to_the_squares_of_the_entries)
{
    Random random;
    random_init(&random, 2);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t m = random_size(&random, 1, MAX), n = random_size(&random, 1, MAX);
        const size_t count = m < n ? m : n;
        double a[MAX * MAX], values[MAX], entries = 0.0, sum = 0.0;
        random_matrix(&random, a, m * n);
        ck_assert_int_eq(dense_singular_values(a, m, n, values, NULL), OK);
        for (size_t i = 0; i < m * n; i++)
            entries += a[i] * a[i];
        for (size_t i = 0; i < count; i++) {
            sum += values[i] * values[i];
            ck_assert(i == 0 || values[i] <= values[i - 1]);
        }
        ck_assert_double_eq_tol(sum, entries, 1e-12 * entries);
    }
}
END_TEST

START_TEST(independent_rows_span_all_rows)
{
    Random random;
    random_init(&random, 3);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t rank = random_size(&random, 1, 4), m = random_size(&random, rank, MAX),
                     n = random_size(&random, rank, MAX);
        double a[MAX * MAX], chosen[MAX * MAX], values[MAX];
        size_t rows[MAX], found;
        random_of_rank(&random, a, m, n, rank);
        for (size_t j = 0; j < n; j++) /* the scale of an equation does not matter */
            a[j] *= 1e-9;
        ck_assert_int_eq(dense_independent_rows(a, m, n, 1e-10, rows, &found, NULL), OK);
        ck_assert_uint_eq(found, rank);
        for (size_t i = 0; i < rank; i++) {
            ck_assert(rows[i] < m && (i == 0 || rows[i] > rows[i - 1]));
            for (size_t j = 0; j < n; j++)
                chosen[i * n + j] = a[rows[i] * n + j] * (rows[i] == 0 ? 1e9 : 1.0);
        }
        ck_assert_int_eq(dense_singular_values(chosen, rank, n, values, NULL), OK);
        ck_assert_double_gt(values[rank - 1], 1e-6 * values[0]);
    }
}
END_TEST

START_TEST(a_repeated_row_is_left_out)
{
    const double a[9] = {1, 2, 3, 2, 4, 6, 0, 0, 1};
    const double zero[4] = {0};
    size_t rows[3], rank;
    ck_assert_int_eq(dense_independent_rows(a, 3, 3, 1e-12, rows, &rank, NULL), OK);
    ck_assert_uint_eq(rank, 2);
    ck_assert_uint_eq(rows[1], 2);
    ck_assert_int_eq(dense_independent_rows(zero, 2, 2, 1e-12, rows, &rank, NULL), OK);
    ck_assert_uint_eq(rank, 0);
}
END_TEST

/* The component of x along column k of a (rows x n). */
static double along_column(const double *a, size_t rows, size_t n, size_t k, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < rows; i++)
        sum += a[i * n + k] * x[i];
    return sum;
}

static double along_row(const double *a, size_t n, size_t i, const double *x)
{
    double sum = 0.0;
    for (size_t j = 0; j < n; j++)
        sum += a[i * n + j] * x[j];
    return sum;
}

/* The largest component of x along the columns 0..columns of a. */
static double largest_along(const double *a, size_t rows, size_t n, size_t columns, const double *x)
{
    double largest = 0.0;
    for (size_t k = 0; k < columns; k++)
        largest = fmax(largest, fabs(along_column(a, rows, n, k, x)));
    return largest;
}

START_TEST(least_norm_solution_has_normal_residual_and_no_null_part)
{
    Random random;
    random_init(&random, 4);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t rank = random_size(&random, 1, 3), m = random_size(&random, rank, MAX),
                     n = random_size(&random, rank, MAX);
        double a[MAX * MAX], b[MAX], x[MAX], residual[MAX], basis[MAX * MAX], scale = 1.0;
        size_t dim;
        random_of_rank(&random, a, m, n, rank);
        random_matrix(&random, b, m);
        ck_assert_int_eq(dense_least_norm(a, m, n, b, 1e-10, x, NULL), OK);
        ck_assert_int_eq(dense_null_space(a, m, n, 1e-10, basis, &dim, NULL), OK);
        ck_assert_uint_eq(dim, n - rank);
        for (size_t i = 0; i < m; i++)
            residual[i] = along_row(a, n, i, x) - b[i];
        for (size_t j = 0; j < n; j++)
            scale += fabs(x[j]);
        ck_assert_double_le(largest_along(a, m, n, n, residual), 1e-9);
        ck_assert_double_le(largest_along(basis, n, n, dim, x), 1e-10 * scale);
    }
}
END_TEST

/* Column k of the basis (n x n, dim used) has length 1, is normal to the others, and a (m x n)
 * annihilates it. */
static void check_null_vector(const double *a, size_t m, size_t n, const double *basis, size_t dim,
                              size_t k)
{
    double column[MAX];
    for (size_t j = 0; j < n; j++)
        column[j] = basis[j * n + k];
    for (size_t l = 0; l < dim; l++)
        ck_assert_double_eq_tol(along_column(basis, n, n, l, column), k == l, 1e-13);
    for (size_t i = 0; i < m; i++)
        ck_assert_double_eq_tol(along_row(a, n, i, column), 0.0, 1e-13);
}

START_TEST(null_space_is_orthonormal_and_annihilated)
{
    Random random;
    random_init(&random, 5);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t m = random_size(&random, 0, MAX), n = random_size(&random, 1, MAX);
        double a[MAX * MAX], basis[MAX * MAX];
        size_t dim;
        random_matrix(&random, a, m * n);
        ck_assert_int_eq(dense_null_space(a, m, n, 1e-12, basis, &dim, NULL), OK);
        ck_assert_uint_eq(dim, m < n ? n - m : 0);
        for (size_t k = 0; k < dim; k++)
            check_null_vector(a, m, n, basis, dim, k);
    }
}
END_TEST

START_TEST(eigenvalues_ascend_and_match_the_characteristic_polynomial)
{
    const double a[4] = {2.0, 1.0, 1.0, 2.0}, b[9] = {0, 0, 5, 0, -3, 0, 5, 0, 0};
    double values[3];
    ck_assert_int_eq(dense_symmetric_eigenvalues(a, 2, values, NULL), OK);
    ck_assert_double_eq_tol(values[0], 1.0, 1e-15);
    ck_assert_double_eq_tol(values[1], 3.0, 1e-15);
    ck_assert_int_eq(dense_symmetric_eigenvalues(b, 3, values, NULL), OK);
    ck_assert_double_eq_tol(values[0], -5.0, 1e-14);
    ck_assert_double_eq_tol(values[1], -3.0, 1e-14);
    ck_assert_double_eq_tol(values[2], 5.0, 1e-14);
}
END_TEST

START_TEST(solve_gives_small_residuals_for_badly_scaled_rows)
{
    Random random;
    random_init(&random, 6);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_size(&random, 1, MAX);
        double a[MAX * MAX] = {0}, lu[MAX * MAX], b[MAX * 2] = {0}, x[MAX * 2];
        random_matrix(&random, a, n * n);
        random_matrix(&random, b, n * 2);
        for (size_t i = 0; i < n; i++) {
            const double scale = pow(10.0, random_uniform(&random, -12, 12));
            for (size_t j = 0; j < n; j++)
                a[i * n + j] *= scale;
            b[i * 2] *= scale;
            b[i * 2 + 1] *= scale;
        }
        memcpy(lu, a, sizeof lu);
        memcpy(x, b, sizeof x);
        ck_assert_int_eq(dense_solve(lu, n, x, 2, NULL), OK);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 2; k++) {
                double residual = -b[i * 2 + k], scale = fabs(b[i * 2 + k]);
                for (size_t j = 0; j < n; j++) {
                    residual += a[i * n + j] * x[j * 2 + k];
                    scale += fabs(a[i * n + j] * x[j * 2 + k]);
                }
                ck_assert_double_le(fabs(residual), 1e-13 * scale);
            }
    }
}
END_TEST

START_TEST(solve_needs_row_exchanges_and_refuses_singular_matrices)
{
    double swapped[4] = {0, 1, 2, 0}, b[2] = {3, 8};
    double singular[4] = {1, 2, 2, 4};
    Error err = {0};
    ck_assert_int_eq(dense_solve(swapped, 2, b, 1, &err), OK);
    ck_assert_double_eq(b[0], 4.0);
    ck_assert_double_eq(b[1], 3.0);
    ck_assert_int_eq(dense_solve(singular, 2, b, 1, &err), ERR_NUMERIC);
    ck_assert_str_eq(err.message, "singular matrix of 2 rows");
}
END_TEST

/* Scaling rows by powers of two changes no bit of the solution, and the determinant by as much. */
START_TEST(factors_do_not_care_how_rows_are_scaled)
{
    Random random;
    random_init(&random, 7);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t n = random_size(&random, 1, MAX);
        double plain[LU_DOUBLES], scaled[LU_DOUBLES], b[MAX], c[MAX], x[MAX], y[MAX], factor = 1;
        random_matrix(&random, plain, n * n);
        random_matrix(&random, b, n);
        for (size_t i = 0; i < n; i++) {
            const double by = ldexp(1, (int)random_size(&random, 0, 60) - 30);
            factor *= by;
            c[i] = by * b[i];
            for (size_t j = 0; j < n; j++)
                // NOLINTNEXTLINE(clang-analyzer-core.*): drawn above
                scaled[i * n + j] = by * plain[i * n + j];
        }
        ck_assert(lu_factor(n, plain) && lu_factor(n, scaled));
        lu_solve(n, plain, b, x);
        lu_solve(n, scaled, c, y);
        ck_assert_mem_eq(x, y, n * sizeof *x);
        ck_assert_double_eq(lu_determinant(n, scaled), factor * lu_determinant(n, plain));
    }
}
END_TEST

/* Vandermonde's determinant, in every order of its rows, and the inverse of a Hilbert matrix. */
START_TEST(determinants_and_conditions_are_the_known_ones)
{
    const double x[4] = {-1, 0.5, 2, 3}, known = 1.5 * 3 * 4 * 1.5 * 2.5 * 1;
    for (size_t shift = 0; shift < 4; shift++) {
        double lu[LU_DOUBLES];
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                lu[i * 4 + j] = pow(x[(i + shift) % 4], (double)j);
        ck_assert(lu_factor(4, lu));
        ck_assert_double_eq_tol(lu_determinant(4, lu), shift % 2 ? -known : known, 1e-13 * known);
    }
    /* Hilbert's matrix with rows scaled by 1, 2, 4: the norm is 47/15; the inverse has the rows
     * (9, -18, 7.5), (-36, 96, -45), (30, -90, 45) */
    double lu[LU_DOUBLES], scratch[2 * MAX];
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            lu[i * 3 + j] = 1.0 / (double)(i + j + 1);
    ck_assert(lu_factor(3, lu));
    ck_assert_double_eq_tol(lu_rcond(3, lu, scratch), 1 / (47.0 / 15 * (36 + 96 + 45)), 1e-12);
    double singular[LU_DOUBLES] = {1, 2, 2, 4};
    ck_assert(!lu_factor(2, singular));
    ck_assert_double_eq(lu_rcond(2, singular, scratch), 0);
    ck_assert_double_eq(lu_determinant(2, singular), 0);
}
END_TEST

START_TEST(entries_that_are_not_finite_are_numerical_failures)
{
    double a[4] = {1, NAN, NAN, 1}, b[2] = {1, 2}, x[4];
    size_t rows[2], rank;
    ck_assert_int_eq(dense_singular_values(a, 2, 2, x, NULL), ERR_NUMERIC);
    ck_assert_int_eq(dense_independent_rows(a, 2, 2, 1e-12, rows, &rank, NULL), ERR_NUMERIC);
    ck_assert_int_eq(dense_least_norm(a, 2, 2, b, 1e-12, x, NULL), ERR_NUMERIC);
    ck_assert_int_eq(dense_null_space(a, 2, 2, 1e-12, x, &rank, NULL), ERR_NUMERIC);
    ck_assert_int_eq(dense_symmetric_eigenvalues(a, 2, x, NULL), ERR_NUMERIC);
    ck_assert_int_eq(dense_solve(a, 2, b, 1, NULL), ERR_NUMERIC);
}
END_TEST

START_TEST(empty_matrices_have_rank_zero)
{
    const double b[2] = {1, 2};
    double x[4] = {7, 7, 7, 7};
    size_t rank = 9;
    ck_assert_int_eq(dense_independent_rows(b, 0, 2, 1e-12, &rank, &rank, NULL), OK);
    ck_assert_uint_eq(rank, 0);
    ck_assert_int_eq(dense_least_norm(b, 0, 2, b, 1e-12, x, NULL), OK);
    ck_assert(x[0] == 0.0 && x[1] == 0.0);
    ck_assert_int_eq(dense_solve(x, 0, x, 1, NULL), OK);
    ck_assert_int_eq(dense_symmetric_eigenvalues(x, 0, x, NULL), OK);
}
END_TEST

SUITE(dense)
{
    TCase *tc = suite_case(suite, "dense");
    tcase_add_test(tc, discs_contain_the_eigenvalues_of_matrices_nearby);
    tcase_add_test(tc, eigenvectors_belong_to_their_eigenvalues);
    tcase_add_test(tc, the_vector_of_a_chain_is_its_end);
    tcase_add_test(tc, small_eigenvalues_are_not_lost_beside_large_ones);
    tcase_add_test(tc, singular_values_of_a_rotated_stretch_are_the_stretches);
    tcase_add_test(tc, a_power_of_two_scales_the_values_and_nothing_else);
    tcase_add_test(tc, columns_of_very_different_size_do_not_keep_it_busy);
    tcase_add_test(tc, eigenvalues_of_huge_and_tiny_matrices_are_found);
    tcase_add_test(tc, small_matrices_have_the_singular_values_of_large_ones);
    tcase_add_test(tc, small_singular_values_keep_their_digits);
    tcase_add_test(tc, eigenvalues_of_a_turned_diagonal_are_its_entries);
    tcase_add_test(tc, hilberts_matrix_keeps_its_small_eigenvalue);
    tcase_add_test(tc, long_chains_keep_their_singular_values_and_one_free_direction);
    tcase_add_test(tc, squares_of_singular_values_sum_to_the_squares_of_the_entries);
    tcase_add_test(tc, independent_rows_span_all_rows);
    tcase_add_test(tc, a_repeated_row_is_left_out);
    tcase_add_test(tc, least_norm_solution_has_normal_residual_and_no_null_part);
    tcase_add_test(tc, null_space_is_orthonormal_and_annihilated);
    tcase_add_test(tc, eigenvalues_ascend_and_match_the_characteristic_polynomial);
    tcase_add_loop_test(tc, eigenvalues_are_the_roots_of_the_characteristic_polynomial, 0, 3);
    tcase_add_test(tc, solve_gives_small_residuals_for_badly_scaled_rows);
    tcase_add_test(tc, solve_needs_row_exchanges_and_refuses_singular_matrices);
    tcase_add_test(tc, factors_do_not_care_how_rows_are_scaled);
    tcase_add_test(tc, determinants_and_conditions_are_the_known_ones);
    tcase_add_test(tc, entries_that_are_not_finite_are_numerical_failures);
    tcase_add_test(tc, empty_matrices_have_rank_zero);
}
