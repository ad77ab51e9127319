/* Linear systems inside programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

enum { MAX_N = 9, POINTS = 77, RHS = 2 };

/* x_k = A^-1 b_k for two right-hand sides, and rcond(A); inputs A, b_0, b_1. */
typedef struct System {
    size_t n, n_inputs, n_outputs;
    Program *program;
} System;

static System compile_system(size_t n, InterpreterLevel level, bool with_rcond)
{
    System system = {.n = n, .n_inputs = n * (n + RHS), .n_outputs = RHS * n + with_rcond};
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr inputs[MAX_N * (MAX_N + RHS)], outputs[RHS * MAX_N + 1];
    for (size_t k = 0; k < system.n_inputs; k++)
        inputs[k] = expr_symbol(pool, (uint32_t)k);
    const Expr factor = expr_factor(pool, n, inputs);
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

START_TEST(every_width_pivots_and_solves_with_the_same_bits)
{
    Random random;
    random_init(&random, 22);
    for (size_t n = 1; n <= MAX_N; n += n < 4 ? 1 : 2)
        for (int level = 0; level <= (int)interpreter_best(); level++) {
            const System system = compile_system(n, (InterpreterLevel)level, true);
            double *in = malloc(POINTS * system.n_inputs * sizeof *in);
            double *one = malloc(POINTS * system.n_outputs * sizeof *one);
            double *many = malloc(POINTS * system.n_outputs * sizeof *many);
            fill(&random, in, POINTS * system.n_inputs);
            memset(in + system.n_inputs, 0, n * n * sizeof *in); /* singular */
            in[5 * system.n_inputs] = NAN;
            in[9 * system.n_inputs] = INFINITY;
            in[13 * system.n_inputs] = 1e-310;
            run_points(system.program, NULL, in, POINTS, 1, one);
            const size_t widths[] = {2, 3, 8, 13, 32, 64};
            for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
                run_points(system.program, NULL, in, POINTS, widths[k], many);
                check_same(one, many, POINTS * system.n_outputs, "solve", widths[k]);
            }
            free(in);
            free(one);
            free(many);
            program_free(system.program);
        }
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
    tcase_add_test(tc, a_singular_matrix_has_rcond_zero_and_no_finite_solution);
    tcase_add_test(tc, rcond_is_never_far_below_and_within_a_factor_of_ten_above);
    tcase_add_test(tc, a_matrix_of_parameters_is_factorised_when_they_are_bound);
}
