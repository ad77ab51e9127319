/* What program.h promises besides the values: rows, binding, limits, mistakes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/program/function.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

/* Symbols 0 and 1 are inputs x and y, 2 and 3 parameters a and b. */
typedef struct Fixture {
    ExprPool *pool;
    Expr x, y, a, b;
    Expr symbols[4];
} Fixture;

static Fixture fixture_new(void)
{
    Fixture f = {.pool = expr_pool_new((ExprLimits){0})};
    for (uint32_t k = 0; k < 4; k++)
        f.symbols[k] = expr_symbol(f.pool, k);
    f.x = f.symbols[0];
    f.y = f.symbols[1];
    f.a = f.symbols[2];
    f.b = f.symbols[3];
    return f;
}

static ProgramSpec fixture_spec(const Fixture *f, const Expr *outputs, size_t n)
{
    return (ProgramSpec){.pool = f->pool,
                         .params = f->symbols + 2,
                         .n_params = 2,
                         .inputs = f->symbols,
                         .n_inputs = 2,
                         .outputs = outputs,
                         .n_outputs = n};
}

static Program *compile_outputs(const Fixture *f, const Expr *outputs, size_t n)
{
    const ProgramSpec spec = fixture_spec(f, outputs, n);
    return compile_or_fail(&spec, interpreter_best());
}

START_TEST(outputs_may_be_inputs_parameters_constants_and_each_other)
{
    Fixture f = fixture_new();
    const Expr product = expr_mul(f.pool, f.x, f.y);
    const Expr outputs[] = {f.x,     f.a,     expr_const(f.pool, 2.5),       product,
                            product, f.y,     expr_mul(f.pool, f.a, f.b),    f.x,
                            f.a,     product, expr_add(f.pool, product, f.x)};
    enum { N = sizeof outputs / sizeof outputs[0] };
    Program *program = compile_outputs(&f, outputs, N);
    const double params[2] = {3.0, -4.0}, in[4] = {5.0, 7.0, -1.0, 0.5};
    const double expected[2][N] = {{5, 3, 2.5, 35, 35, 7, -12, 5, 3, 35, 40},
                                   {-1, 3, 2.5, -0.5, -0.5, 0.5, -12, -1, 3, -0.5, -1.5}};
    for (size_t lanes = 1; lanes <= 9; lanes++) {
        double out[2 * N];
        run_points(program, params, in, 2, lanes, out);
        for (size_t k = 0; k < (size_t)2 * N; k++)
            ck_assert_double_eq(out[k], expected[k / N][k % N]);
    }
    ck_assert_uint_eq(program_n_inputs(program), 2);
    ck_assert_uint_eq(program_n_params(program), 2);
    ck_assert_uint_eq(program_n_outputs(program), N);
    ck_assert_uint_eq(program_length(program), 2);
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

/* 1 + 1e-17 is 1; what is subtracted from it on paper leaves 1e-17. */
START_TEST(names_stand_for_what_was_rounded)
{
    Fixture f = fixture_new();
    const Expr sum = expr_add(f.pool, f.x, f.y), name = expr_symbol(f.pool, 4);
    const Expr twice = expr_mul(f.pool, name, f.b), second = expr_symbol(f.pool, 5);
    const Expr unused = expr_symbol(f.pool, 6);
    const Expr names[] = {name, second, unused}, meanings[] = {sum, twice, f.x};
    const Expr outputs[] = {expr_sub(f.pool, sum, f.x), expr_sub(f.pool, name, f.x), second};
    ProgramSpec spec = fixture_spec(&f, outputs, 3);
    const double params[2] = {0, 2}, in[2] = {1, 1e-17};
    double out[3];

    spec.names = names;
    spec.meanings = meanings;
    spec.n_names = 3;
    Program *program = compile_or_fail(&spec, interpreter_best());
    run_points(program, params, in, 1, 1, out);
    ck_assert(out[0] == 1e-17 && out[1] == 0 && out[2] == 2);
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(a_program_without_outputs_runs)
{
    Fixture f = fixture_new();
    Program *program = compile_outputs(&f, NULL, 0);
    double params[2] = {1, 2}, in[2] = {3, 4}, out[1] = {9};
    run_points(program, params, in, 1, 8, out);
    ck_assert_double_eq(out[0], 9.0);
    ck_assert_uint_eq(program_length(program), 0);
    program_free(program);
    program_free(NULL);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(each_lane_has_its_own_parameters_and_they_can_be_bound_again)
{
    enum { LANES = 11 };
    Fixture f = fixture_new();
    const Expr args[2] = {expr_mul(f.pool, f.a, f.a), f.b};
    const Expr hypotenuse = expr_call(f.pool, EXPR_HYPOT, args, 2);
    const Expr output = expr_add(f.pool, expr_mul(f.pool, hypotenuse, f.x), f.y);
    Program *program = compile_outputs(&f, &output, 1);
    double *work = malloc(program_work_doubles(program, LANES) * sizeof *work);
    double params[2 * LANES], in[2 * LANES], out[LANES];
    for (int round = 0; round < 3; round++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            params[lane] = 1.0 + (double)lane + round;
            params[LANES + lane] = 0.25 * (double)lane;
            in[lane] = 2.0 - (double)lane;
            in[LANES + lane] = 1.0 / (1.0 + (double)lane);
        }
        program_bind(program, params, work, LANES);
        for (int repeat = 0; repeat < 2; repeat++) {
            program_eval(program, in, out, work, LANES);
            for (size_t lane = 0; lane < LANES; lane++) {
                const double a = params[lane], b = params[LANES + lane];
                ck_assert_double_eq_tol(out[lane], hypot(a * a, b) * in[lane] + in[LANES + lane],
                                        1e-12);
            }
        }
    }
    free(work);
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(what_depends_on_parameters_only_is_not_computed_again)
{
    Fixture f = fixture_new();
    /* 3 a^2 / b * x * y + sin(a) + (2 a - b) */
    const Expr sine = expr_call(f.pool, EXPR_SIN, &f.a, 1);
    const Expr coefficient =
        expr_scale(f.pool, 3.0, expr_div(f.pool, expr_mul(f.pool, f.a, f.a), f.b));
    const Expr term = expr_mul(f.pool, coefficient, expr_mul(f.pool, f.x, f.y));
    const Expr rest = expr_add(f.pool, sine, expr_sub(f.pool, expr_scale(f.pool, 2.0, f.a), f.b));
    const Expr output = expr_add(f.pool, term, rest);
    Program *program = compile_outputs(&f, &output, 1);
    ck_assert_uint_eq(program_length(program), 3);
    const double params[2] = {1.5, 0.5}, in[2] = {2.0, 3.0};
    double out;
    run_points(program, params, in, 1, 1, &out);
    ck_assert_double_eq_tol(out, 81.0 + sin(1.5) + 2.5, 1e-13);
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(work_space_is_enough_at_any_alignment_and_nothing_else_is_written)
{
    const size_t guard = 16;
    Fixture f = fixture_new();
    Expr factor_args[4] = {f.x, f.a, f.b, f.y}, solution[2], outputs[3];
    const Expr factor = expr_factor(f.pool, 2, factor_args);
    expr_solve(f.pool, factor, 2, f.symbols, solution);
    outputs[0] = solution[0];
    outputs[1] = expr_mul(f.pool, solution[1], f.a);
    outputs[2] = expr_rcond(f.pool, factor);
    Program *program = compile_outputs(&f, outputs, 3);
    for (size_t lanes = 1; lanes <= PROGRAM_MAX_LANES; lanes++)
        for (size_t shift = 0; shift < 8; shift++) {
            const size_t n = program_work_doubles(program, lanes);
            double *block = malloc((n + 2 * guard + 8) * sizeof *block);
            double params[2 * PROGRAM_MAX_LANES], in[2 * PROGRAM_MAX_LANES],
                out[3 * PROGRAM_MAX_LANES + 1];
            double *work = block + guard + shift;
            for (size_t k = 0; k < n + 2 * guard + 8; k++)
                block[k] = 12345.0;
            for (size_t k = 0; k < 2 * lanes; k++) {
                params[k] = (double)k + 1.0;
                in[k] = 2.0 - (double)k;
            }
            out[3 * lanes] = 12345.0;
            program_bind(program, params, work, lanes);
            program_eval(program, in, out, work, lanes);
            for (size_t k = 0; k < guard + shift; k++)
                ck_assert_double_eq(block[k], 12345.0);
            for (size_t k = guard + shift + n; k < n + 2 * guard + 8; k++)
                ck_assert_double_eq(block[k], 12345.0);
            ck_assert_double_eq(out[3 * lanes], 12345.0);
            free(block);
        }
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(rows_are_used_again)
{
    Fixture f = fixture_new();
    Expr value = f.x;
    for (int k = 0; k < 200; k++) { /* a long chain needs few rows */
        const Expr sine = expr_call(f.pool, EXPR_SIN, &value, 1);
        value = expr_add(f.pool, expr_mul(f.pool, sine, f.y), f.x);
    }
    Program *program = compile_outputs(&f, &value, 1);
    ck_assert_uint_eq(program->n_body, 400);
    ck_assert_uint_le(program->n_rows, 8 + PROGRAM_LANE_BLOCK); /* the output has a block */
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(an_unknown_symbol_is_an_internal_error)
{
    Fixture f = fixture_new();
    const Expr output = expr_add(f.pool, f.x, expr_symbol(f.pool, 77));
    const ProgramSpec spec = fixture_spec(&f, &output, 1);
    Program *program = NULL;
    Error err = {0};
    ck_assert_int_eq(program_compile(&spec, &program, &err), ERR_INTERNAL);
    ck_assert_ptr_null(program);
    ck_assert_str_eq(err.message, "symbol 77 is neither input, parameter nor name");
    const ProgramSpec none = fixture_spec(&f, &EXPR_NONE, 1);
    ck_assert_int_eq(program_compile(&none, &program, &err), ERR_INTERNAL);
    expr_pool_free(f.pool);
}
END_TEST

START_TEST(a_program_beyond_the_length_limit_is_refused)
{
    Fixture f = fixture_new();
    Random random;
    random_init(&random, 31);
    enum { ROUNDS = 110000 };
    Expr *terms = malloc(ROUNDS * sizeof *terms);
    for (size_t k = 0; k < ROUNDS; k++) {
        const Expr multiple = expr_scale(f.pool, random_uniform(&random, 1.0, 2.0), f.x);
        const Expr value = expr_add(f.pool, multiple, f.y);
        terms[k] = expr_call(f.pool, EXPR_SIN, &value, 1);
    }
    const Expr output = expr_sum(f.pool, ROUNDS, NULL, terms);
    const ProgramSpec spec = fixture_spec(&f, &output, 1);
    Program *program = NULL;
    Error err = {0};
    ck_assert_int_eq(expr_pool_status(f.pool, NULL), OK);
    ck_assert_int_eq(program_compile(&spec, &program, &err), ERR_LIMIT);
    ck_assert_ptr_null(program);
    free(terms);
    expr_pool_free(f.pool);
}
END_TEST

/* By itself or bound to a shared program, in one lane or in several: the bits are the program's. */
START_TEST(a_function_has_its_own_parameters_and_work_space)
{
    Fixture f = fixture_new();
    const Expr sum = expr_add(f.pool, expr_mul(f.pool, f.a, f.x), f.y);
    const Expr outputs[] = {expr_call(f.pool, EXPR_SIN, &sum, 1), expr_div(f.pool, sum, f.b)};
    const ProgramSpec spec = fixture_spec(&f, outputs, 2);
    Program *program = compile_outputs(&f, outputs, 2);
    const double params[2][2] = {{3, -4}, {0.5, 7}}, in[2] = {0.3, 1.1};
    for (size_t k = 0; k < 2; k++) {
        Function owner, many;
        double expected[2], at[2];
        run_points(program, params[k], in, 1, 1, expected);
        ck_assert_int_eq(function_init(&owner, &spec, params[k], NULL), OK);
        ck_assert_int_eq(function_bind(&many, program, params[k], 9, NULL), OK);
        memcpy(owner.in, in, sizeof in);
        ck_assert_mem_eq(function_eval(&owner), expected, sizeof expected);
        owner.out[0] = NAN;
        function_eval_at(&owner, in, at);
        ck_assert_mem_eq(at, expected, sizeof expected);
        ck_assert(isnan(owner.out[0]));
        /* what it is asked to evaluate in place stays there */
        function_eval_at(&owner, owner.in, at);
        ck_assert_mem_eq(at, expected, sizeof expected);
        ck_assert_mem_eq(owner.in, in, sizeof in);
        for (size_t lane = 0; lane < 9; lane++) {
            many.in[lane] = in[0];
            many.in[9 + lane] = in[1];
        }
        const double *values = function_eval(&many);
        for (size_t lane = 0; lane < 9; lane++)
            ck_assert(values[lane] == expected[0] && values[9 + lane] == expected[1]);
        function_done(&owner);
        function_done(&many);
    }
    Function none;
    ck_assert_int_eq(function_bind(&none, NULL, NULL, 1, NULL), OK);
    ck_assert_ptr_null(function_eval(&none));
    function_done(&none);
    program_free(program);
    expr_pool_free(f.pool);
}
END_TEST

SUITE(contract)
{
    TCase *tc = suite_case(suite, "contract");
    tcase_add_test(tc, outputs_may_be_inputs_parameters_constants_and_each_other);
    tcase_add_test(tc, names_stand_for_what_was_rounded);
    tcase_add_test(tc, a_program_without_outputs_runs);
    tcase_add_test(tc, each_lane_has_its_own_parameters_and_they_can_be_bound_again);
    tcase_add_test(tc, what_depends_on_parameters_only_is_not_computed_again);
    tcase_add_test(tc, work_space_is_enough_at_any_alignment_and_nothing_else_is_written);
    tcase_add_test(tc, a_function_has_its_own_parameters_and_work_space);
    tcase_add_test(tc, rows_are_used_again);
    tcase_add_test(tc, an_unknown_symbol_is_an_internal_error);
    tcase_add_test(tc, a_program_beyond_the_length_limit_is_refused);
}
