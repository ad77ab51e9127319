/* The system of a correction: its solution, and that the kept factors belong to the matrices. */
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/model/kkt.h"
#include "tests/suite.h"

enum { N = 4, ROWS = 2, SIZE = N + ROWS, ROOM = 256 };

typedef struct System {
    double M[N * N], A[ROWS * N], rhs[SIZE];
} System;

/* A positive definite M, rows and a right-hand side. */
static System system_of(uint64_t seed)
{
    Random random;
    System s;

    random_init(&random, seed);
    for (size_t k = 0; k < ROWS * N; k++)
        s.A[k] = random_uniform(&random, -1, 1);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            s.M[i * N + j] = s.M[j * N + i] = random_uniform(&random, -1, 1) + (i == j ? N : 0);
    for (size_t k = 0; k < SIZE; k++)
        s.rhs[k] = random_uniform(&random, -1, 1);
    return s;
}

/* With n_rows of the rows, in `work`; M or the unit matrix. */
static bool solve(const System *s, bool with_M, size_t n_rows, double *work, double *ret)
{
    memcpy(ret, s->rhs, sizeof s->rhs);
    return kkt_solve(N, with_M ? s->M : NULL, n_rows, s->A, ret, work);
}

START_TEST(the_solution_satisfies_the_equations)
{
    double work[ROOM] = {0}, x[SIZE];
    const System s = system_of((uint64_t)_i);

    ck_assert_uint_le(kkt_doubles(SIZE), ROOM);
    ck_assert(solve(&s, true, ROWS, work, x));
    for (size_t i = 0; i < N; i++) {
        double sum = -s.rhs[i];
        for (size_t j = 0; j < N; j++)
            sum += s.M[i * N + j] * x[j];
        for (size_t a = 0; a < ROWS; a++)
            sum += s.A[a * N + i] * x[N + a];
        ck_assert_double_eq_tol(sum, 0, 1e-14);
    }
    for (size_t a = 0; a < ROWS; a++) {
        double sum = -s.rhs[N + a];
        for (size_t j = 0; j < N; j++)
            sum += s.A[a * N + j] * x[j];
        ck_assert_double_eq_tol(sum, 0, 1e-14);
    }
}
END_TEST

/* A work space that has served other systems gives the bits of a fresh one. */
START_TEST(kept_factors_are_those_of_the_matrices)
{
    double used[ROOM] = {0}, x[SIZE], alone[SIZE];
    System s = system_of(1);

    for (int k = 0; k < 200; k++) {
        const bool with_M = k % 3 != 2;
        const size_t n_rows = k % 5 == 4 ? 1 : ROWS;
        double fresh[ROOM] = {0};
        s.rhs[k % SIZE] += 1;
        /* every other time one entry of M or of A is another, or a row is singular */
        if (k % 4 == 1)
            s.A[k % (ROWS * N)] += 0x1p-40;
        if (k % 8 == 3)
            s.M[k % N * (N + 1)] *= 1 + 0x1p-50;
        System tried = s;
        if (k % 7 == 6)
            memset(tried.A, 0, N * sizeof *tried.A);
        const bool solved = solve(&tried, with_M, n_rows, used, x);
        ck_assert_int_eq(solved, k % 7 != 6);
        ck_assert_int_eq(solved, solve(&tried, with_M, n_rows, fresh, alone));
        if (solved)
            ck_assert_mem_eq(x, alone, (N + n_rows) * sizeof *x);
        /* at once with another right-hand side */
        tried.rhs[0] += 1;
        ck_assert_int_eq(solve(&tried, with_M, n_rows, used, x), solved);
        memset(fresh, 0, sizeof fresh);
        ck_assert_int_eq(solve(&tried, with_M, n_rows, fresh, alone), solved);
        if (solved)
            ck_assert_mem_eq(x, alone, (N + n_rows) * sizeof *x);
    }
}
END_TEST

START_TEST(a_singular_matrix_stays_singular)
{
    static const double MASSES[] = {1, INFINITY, INFINITY, 0, 0, 1};
    double work[ROOM] = {0};

    for (size_t k = 0; k < sizeof MASSES / sizeof *MASSES; k++) {
        double x = 2;
        ck_assert_int_eq(kkt_solve(1, &MASSES[k], 0, NULL, &x, work), MASSES[k] == 1);
        if (MASSES[k] == 1)
            ck_assert_double_eq(x, 2);
    }
}
END_TEST

SUITE(kkt)
{
    TCase *tc = suite_case(suite, "kkt");

    tcase_add_loop_test(tc, the_solution_satisfies_the_equations, 1, 6);
    tcase_add_test(tc, kept_factors_are_those_of_the_matrices);
    tcase_add_test(tc, a_singular_matrix_stays_singular);
}
