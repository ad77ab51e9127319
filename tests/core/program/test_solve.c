/* Linear systems inside programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

enum { MAX_N = 9, POINTS = 77, RHS = 2, NO_SADDLE = MAX_N + 1 };

/* x_k = A^-1 b_k for two right-hand sides, and rcond(A); inputs A, b_0, b_1. */
typedef struct System {
    size_t n, n_inputs, n_outputs;
    Program *program;
} System;

/* r < n: of [K B; C 0] with r rows C. */
static System compile_saddle(size_t n, size_t r, InterpreterLevel level, bool with_rcond)
{
    System system = {.n = n, .n_inputs = n * (n + RHS), .n_outputs = RHS * n + with_rcond};
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr inputs[MAX_N * (MAX_N + RHS)], outputs[RHS * MAX_N + 1];
    for (size_t k = 0; k < system.n_inputs; k++)
        inputs[k] = expr_symbol(pool, (uint32_t)k);
    const Expr factor =
        r < n ? expr_factor_saddle(pool, n, r, inputs) : expr_factor(pool, n, inputs);
    for (size_t k = 0; k < RHS; k++)
        expr_solve(pool, factor, n, inputs + n * n + k * n, outputs + k * n);
    outputs[RHS * n] = expr_rcond(pool, factor);
    const ProgramSpec spec = {.pool = pool,
                              .inputs = inputs,
                              .n_inputs = system.n_inputs,
                              .outputs = outputs,
                              .n_outputs = system.n_outputs};
    system.program = compile_or_fail(&spec, level);
    expr_pool_free(pool);
    return system;
}

static System compile_system(size_t n, InterpreterLevel level, bool with_rcond)
{
    return compile_saddle(n, NO_SADDLE, level, with_rcond);
}

static void fill(Random *random, double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        values[k] = random_normal(random);
}

/* |A x - b| <= tolerance * (|A| |x| + |b|), row by row. */
static void check_residual(const double *a, const double *b, const double *x, size_t n,
                           double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        double residual = -b[i], size = fabs(b[i]);
        for (size_t j = 0; j < n; j++) {
            residual += a[i * n + j] * x[j];
            size += fabs(a[i * n + j] * x[j]);
        }
        ck_assert_msg(fabs(residual) <= tolerance * size, "residual %g of %g", residual, size);
    }
}

START_TEST(solutions_have_small_residuals_whatever_the_scale_of_the_rows)
{
    Random random;
    random_init(&random, 21);
    for (size_t n = 1; n <= MAX_N; n++) {
        const System system = compile_system(n, interpreter_best(), false);
        for (int round = 0; round < 50; round++) {
            double in[MAX_N * (MAX_N + RHS)], out[RHS * MAX_N];
            fill(&random, in, system.n_inputs);
            if (round % 3 == 0 && n > 1)
                in[0] = 0.0; /* needs an exchange of rows */
            for (size_t i = 0; i < n; i++) {
                const double scale = pow(10.0, random_uniform(&random, -100.0, 100.0));
                for (size_t j = 0; j < n; j++)
                    in[i * n + j] *= scale;
                in[n * n + i] *= scale;
                in[n * n + n + i] *= scale;
            }
            run_points(system.program, NULL, in, 1, 1, out);
            check_residual(in, in + n * n, out, n, 1e-13);
            check_residual(in, in + n * n + n, out + n, n, 1e-13);
        }
        program_free(system.program);
    }
}
END_TEST

START_TEST(a_system_is_factorised_once_for_all_right_hand_sides)
{
    const System system = compile_system(4, interpreter_best(), true);
    size_t factors = 0, solves = 0;
    for (size_t k = 0; k < system.program->n_body; k++) {
        factors += system.program->body[k].op == OP_FACTOR;
        solves += system.program->body[k].op == OP_SOLVE;
    }
    ck_assert_uint_eq(factors, 1);
    ck_assert_uint_eq(solves, 2);
    program_free(system.program);
}
END_TEST

static void check_widths(const System *system, Random *random)
{
    const size_t n = system->n;
    double *in = malloc(POINTS * system->n_inputs * sizeof *in);
    double *one = malloc(POINTS * system->n_outputs * sizeof *one);
    double *many = malloc(POINTS * system->n_outputs * sizeof *many);
    fill(random, in, POINTS * system->n_inputs);
    memset(in + system->n_inputs, 0, n * n * sizeof *in); /* singular */
    in[5 * system->n_inputs] = NAN;
    in[9 * system->n_inputs] = INFINITY;
    in[13 * system->n_inputs] = 1e-310;
    in[15 * system->n_inputs] = 0x1p1023;
    for (size_t k = 20 * system->n_inputs; k < 40 * system->n_inputs; k++)
        in[k] *= pow(10.0, random_uniform(random, -20.0, 20.0));
    run_points(system->program, NULL, in, POINTS, 1, one);
    const size_t widths[] = {2, 3, 8, 13, 32, 64};
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        run_points(system->program, NULL, in, POINTS, widths[k], many);
        check_same(one, many, POINTS * system->n_outputs, "solve", widths[k]);
    }
    free(in);
    free(one);
    free(many);
}

START_TEST(every_width_pivots_and_solves_with_the_same_bits)
{
    Random random;
    random_init(&random, 22);
    for (size_t n = 1; n <= MAX_N; n += n < 4 ? 1 : 2)
        for (int level = 0; level <= (int)interpreter_best(); level++)
            for (size_t saddle = 0; saddle < 3; saddle++) {
                const size_t r = saddle ? (saddle - 1) * (n / 3) : NO_SADDLE;
                const System system = compile_saddle(n, r, (InterpreterLevel)level, true);
                check_widths(&system, &random);
                program_free(system.program);
            }
}
END_TEST

/* A random [K B; C 0] with right-hand sides. */
static void fill_saddle(Random *random, const System *system, size_t r, double *in)
{
    const size_t n = system->n;
    fill(random, in, system->n_inputs);
    for (size_t i = n - r; i < n; i++)
        for (size_t j = n - r; j < n; j++)
            in[i * n + j] = 0.0;
}

/* Row i times 2^rows[i], column j times 2^columns[j]. */
static void scale_system(const System *system, double *in, const int *rows, const int *columns)
{
    const size_t n = system->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            in[i * n + j] = ldexp(in[i * n + j], rows[i] + columns[j]);
        for (size_t k = 0; k < RHS; k++)
            in[n * n + k * n + i] = ldexp(in[n * n + k * n + i], rows[i]);
    }
}

START_TEST(a_saddle_point_system_has_the_same_bits_in_all_units_of_its_blocks)
{
    Random random;
    random_init(&random, 24);
    for (size_t n = 1; n <= MAX_N; n++)
        for (size_t r = 0; r <= n / 2; r++) {
            const System system = compile_saddle(n, r, interpreter_best(), true);
            for (int round = 0; round < 20; round++) {
                double in[MAX_N * (MAX_N + RHS)], out[RHS * MAX_N + 1], other[RHS * MAX_N + 1];
                int rows[MAX_N] = {0}, columns[MAX_N] = {0};
                fill_saddle(&random, &system, r, in);
                for (size_t k = 0; round % 2 && k < n * n; k++)
                    in[k] *= pow(10.0, random_uniform(&random, -6.0, 6.0));
                run_points(system.program, NULL, in, 1, 1, out);

                /* K times 2^unit, rows of C and columns of B times powers of their own */
                const int unit = (int)random_uniform(&random, -90.0, 90.0);
                for (size_t i = 0; i < n - r; i++)
                    rows[i] = unit;
                for (size_t k = n - r; k < n; k++) {
                    rows[k] = (int)random_uniform(&random, -90.0, 90.0);
                    columns[k] = (int)random_uniform(&random, -90.0, 90.0) - unit;
                }
                scale_system(&system, in, rows, columns);
                run_points(system.program, NULL, in, 1, 1, other);
                for (size_t k = 0; k < RHS * n; k++)
                    other[k] = ldexp(other[k], columns[k % n]);
                check_same(out, other, system.n_outputs, "saddle point", 1);
            }
            program_free(system.program);
        }
}
END_TEST

START_TEST(a_saddle_point_system_is_solved_as_well_in_other_units_of_its_unknowns)
{
    enum { N = 9, R = 3, LENGTHS = 3 };
    Random random;
    random_init(&random, 26);
    const System system = compile_saddle(N, R, interpreter_best(), true);
    for (int round = 0; round < 300; round++) {
        double in[MAX_N * (MAX_N + RHS)], out[RHS * MAX_N + 1];
        int units[N] = {0};
        const int length = (int)random_uniform(&random, -60.0, 60.0);
        fill_saddle(&random, &system, R, in);
        for (size_t i = 0; i < N; i++) {
            if (i < LENGTHS || i >= N - R)
                units[i] = i < LENGTHS ? length : (int)random_uniform(&random, -60.0, 60.0);
            for (size_t j = 0; j < i; j++)
                in[i * N + j] = in[j * N + i];
        }
        scale_system(&system, in, units, units);
        run_points(system.program, NULL, in, 1, 1, out);
        check_residual(in, in + N * N, out, N, 1e-10);
    }
    program_free(system.program);
}
END_TEST

START_TEST(the_condition_of_a_saddle_point_system_does_not_see_the_units_of_its_unknowns)
{
    enum { N = 8, R = 3 };
    Random random;
    int near = 0;
    random_init(&random, 25);
    const System system = compile_saddle(N, R, interpreter_best(), true);
    for (int round = 0; round < 300; round++) {
        double in[MAX_N * (MAX_N + RHS)], out[RHS * MAX_N + 1], other[RHS * MAX_N + 1];
        int units[N];
        fill_saddle(&random, &system, R, in);
        for (size_t i = 0; i < N; i++) {
            units[i] = (int)random_uniform(&random, -80.0, 80.0) / (round % 3 == 0 ? 2 : 1);
            for (size_t j = 0; j < i; j++)
                // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): fill_saddle() wrote it
                in[i * N + j] = in[j * N + i];
            if (round % 2 && round % 3) /* no inertia of its own */
                in[i * N + i] = 0.0;
        }
        for (size_t j = 0; round % 3 == 0 && j < N - R; j++) /* two rows that almost agree */
            in[(N - 1) * N + j] = in[j * N + N - 1] =
                in[(N - 2) * N + j] + 1e-7 * in[(N - 1) * N + j];
        run_points(system.program, NULL, in, 1, 1, out);
        scale_system(&system, in, units, units);
        run_points(system.program, NULL, in, 1, 1, other);
        const double here = out[RHS * N], there = other[RHS * N];
        /* from 1e-6 on an estimate will do */
        ck_assert_msg(there > 1e-3 * fmin(here, 1e-6) && fmin(there, 1e-6) < 1e3 * here,
                      "%g, then %g", here, there);
        near += here < 1e-6;
    }
    ck_assert_int_gt(near, 90);
    program_free(system.program);
}
END_TEST

START_TEST(a_singular_matrix_has_rcond_zero_and_no_finite_solution)
{
    const System system = compile_system(2, interpreter_best(), true);
    const double matrices[][4] = {{0, 0, 0, 0}, {1, 2, 2, 4}, {0, 1, 0, 3}, {1, 0, 0, 0}};
    for (size_t k = 0; k < 4; k++) {
        double in[8] = {0, 0, 0, 0, 1, 5, 3, 4}, out[5];
        memcpy(in, matrices[k], sizeof matrices[k]);
        run_points(system.program, NULL, in, 1, 1, out);
        ck_assert_double_eq(out[4], 0.0);
        ck_assert(!isfinite(out[0]) || !isfinite(out[1]));
        ck_assert(!isfinite(out[2]) || !isfinite(out[3]));
    }
    program_free(system.program);
}
END_TEST

/* The 1-norm of A and of its inverse, column by column. */
static double exact_rcond(const System *system, const double *in)
{
    const size_t n = system->n;
    double norm = 0.0, inverse = 0.0, point[MAX_N * (MAX_N + RHS)], out[RHS * MAX_N + 1];
    memcpy(point, in, sizeof point);
    for (size_t j = 0; j < n; j++) {
        double column = 0.0, solution = 0.0;
        for (size_t i = 0; i < n; i++) {
            column += fabs(in[i * n + j]);
            point[n * n + i] = i == j;
        }
        run_points(system->program, NULL, point, 1, 1, out);
        for (size_t i = 0; i < n; i++)
            solution += fabs(out[i]);
        norm = fmax(norm, column);
        inverse = fmax(inverse, solution);
    }
    return 1.0 / (norm * inverse);
}

/* Rows with largest entries in [1, 2), on which the scaling does nothing. */
static void scale_rows(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0;
        for (size_t j = 0; j < n; j++)
            largest = fmax(largest, fabs(a[i * n + j]));
        const int exponent = ilogb(largest);
        for (size_t j = 0; j < n; j++)
            a[i * n + j] = scalbn(a[i * n + j], -exponent);
    }
}

START_TEST(rcond_is_never_far_below_and_within_a_factor_of_ten_above)
{
    Random random;
    random_init(&random, 23);
    for (size_t n = 1; n <= MAX_N; n++) {
        const System system = compile_system(n, interpreter_best(), true);
        for (int round = 0; round < 200; round++) {
            double in[MAX_N * (MAX_N + RHS)] = {0}, out[RHS * MAX_N + 1];
            fill(&random, in, n * n);
            if (round % 2 && n > 1) { /* two rows that almost agree */
                for (size_t j = 0; j < n; j++)
                    in[n + j] = in[j] + 1e-9 * in[n + j];
            }
            scale_rows(in, n);
            run_points(system.program, NULL, in, 1, 1, out);
            const double estimate = out[RHS * n], exact = exact_rcond(&system, in);
            ck_assert_msg(estimate >= 0.99 * exact && estimate <= 10.0 * exact,
                          "n = %zu: %g for %g", n, estimate, exact);
        }
        program_free(system.program);
    }
}
END_TEST

START_TEST(a_matrix_of_parameters_is_factorised_when_they_are_bound)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr symbols[6], outputs[3];
    for (uint32_t k = 0; k < 6; k++)
        symbols[k] = expr_symbol(pool, k);
    const Expr factor = expr_factor(pool, 2, symbols);
    expr_solve(pool, factor, 2, symbols + 4, outputs);
    outputs[2] = expr_rcond(pool, factor);
    const ProgramSpec spec = {.pool = pool,
                              .params = symbols,
                              .n_params = 4,
                              .inputs = symbols + 4,
                              .n_inputs = 2,
                              .outputs = outputs,
                              .n_outputs = 3};
    Program *program = compile_or_fail(&spec, interpreter_best());
    ck_assert_uint_eq(program->n_body, 1);
    ck_assert_uint_eq(program->n_prologue, 1);
    const double params[4] = {1, 2, 3, -1}, in[4] = {5, 1, 7, 7};
    double out[6];
    run_points(program, params, in, 2, 3, out);
    ck_assert_double_eq_tol(out[0], 1.0, 1e-15);
    ck_assert_double_eq_tol(out[1], 2.0, 1e-15);
    ck_assert_double_eq_tol(out[3], 3.0, 1e-15);
    ck_assert_double_eq_tol(out[4], 2.0, 1e-15);
    ck_assert_double_gt(out[2], 0.1);
    program_free(program);
    expr_pool_free(pool);
}
END_TEST

SUITE(solve)
{
    TCase *tc = suite_case(suite, "solve");
    tcase_add_test(tc, solutions_have_small_residuals_whatever_the_scale_of_the_rows);
    tcase_add_test(tc, a_system_is_factorised_once_for_all_right_hand_sides);
    tcase_add_test(tc, every_width_pivots_and_solves_with_the_same_bits);
    tcase_add_test(tc, a_saddle_point_system_has_the_same_bits_in_all_units_of_its_blocks);
    tcase_add_test(tc, a_saddle_point_system_is_solved_as_well_in_other_units_of_its_unknowns);
    tcase_add_test(tc,
                   the_condition_of_a_saddle_point_system_does_not_see_the_units_of_its_unknowns);
    tcase_add_test(tc, a_singular_matrix_has_rcond_zero_and_no_finite_solution);
    tcase_add_test(tc, rcond_is_never_far_below_and_within_a_factor_of_ten_above);
    tcase_add_test(tc, a_matrix_of_parameters_is_factorised_when_they_are_bound);
}
