/* The elementary functions: equal bits in every width and instruction set, the stated accuracy. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/program/vector/elementary.h"
#include "core/program/vector/sines.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

#ifdef __SANITIZE_ADDRESS__ /* which is after other mistakes, and slow */
enum { POINTS = 1 << 16, ACCURACY_POINTS = 10000 };
#else
enum { POINTS = 1 << 20, ACCURACY_POINTS = 200000 };
#endif

/* pi and its parts, and where functions overflow */
static const double SPECIALS[] = {0.0,
                                  -0.0,
                                  INFINITY,
                                  -INFINITY,
                                  NAN,
                                  1.0,
                                  -1.0,
                                  0.5,
                                  -0.5,
                                  DBL_MAX,
                                  -DBL_MAX,
                                  DBL_MIN,
                                  -DBL_MIN,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  1e300,
                                  -1e300,
                                  1e22,
                                  709.7,
                                  -709.7,
                                  745.2,
                                  -745.2,
                                  710.5,
                                  1e15,
                                  1e14,
                                  -1e14,
                                  0x1p-30,
                                  0x1p-500,
                                  1e-300,
                                  15.0,
                                  -15.0,
                                  2.0,
                                  3.0,
                                  1e-8,
                                  3.141592653589793,
                                  1.5707963267948966,
                                  -3.141592653589793,
                                  -1.5707963267948966,
                                  0.7853981633974483,
                                  1e5,
                                  -1e5,
                                  1e9,
                                  0.99999,
                                  -0.99999,
                                  1.00001};
enum { N_SPECIALS = sizeof SPECIALS / sizeof SPECIALS[0] };

typedef struct Function {
    ExprOp op;
    const char *name;
    size_t operands;
} Function;

static const Function FUNCTIONS[] = {
#define FUNCTION_ROW(op, name, operands, arguments, meaning) {op, name, operands},
    EXPR_FUNCTION_LIST(FUNCTION_ROW)
#undef FUNCTION_ROW
        {EXPR_LT, "<", 2},
    {EXPR_LE, "<=", 2},
    {EXPR_EQ, "==", 2},
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

static const size_t WIDTHS[] = {2, 3, 8, 13, 32, 64};
enum { N_WIDTHS = sizeof WIDTHS / sizeof WIDTHS[0] };

/* Arguments of all sizes, most of them near where functions are used, with specials strewn in. */
static void fill_arguments(double *x, size_t n)
{
    Random random;
    random_init(&random, 11);
    for (size_t k = 0; k < n; k++) {
        const uint64_t bits = random_bits(&random);
        switch (bits % 8) {
        case 0:
            x[k] = SPECIALS[(bits >> 8) % N_SPECIALS];
            break;
        case 1:
            memcpy(&x[k], &bits, sizeof bits);
            break;
        case 2:
            x[k] = random_uniform(&random, -1.0, 1.0);
            break;
        case 3:
            x[k] = random_uniform(&random, 0.0, 1000.0);
            break;
        case 4:
            x[k] = random_normal(&random) * 1e6;
            break;
        default:
            x[k] = random_normal(&random) * 10.0;
        }
    }
}

/* A program of the functions under test of inputs x and y. */
static Program *compile_functions(const Function *functions, size_t n, InterpreterLevel level)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    const Expr args[2] = {expr_symbol(pool, 0), expr_symbol(pool, 1)};
    Expr *outputs = calloc(n, sizeof *outputs);
    ck_assert(pool && outputs);
    for (size_t k = 0; k < n; k++)
        outputs[k] = expr_call(pool, functions[k].op, args, functions[k].operands);
    const ProgramSpec spec = {
        .pool = pool, .inputs = args, .n_inputs = 2, .outputs = outputs, .n_outputs = n};
    Program *program = compile_or_fail(&spec, level);
    expr_pool_free(pool);
    free(outputs);
    return program;
}

/* All widths of one instruction set against a single lane. */
static void check_widths(const Program *program, const double *points, const char *name)
{
    const size_t n = POINTS * program_n_outputs(program);
    double *one = malloc(n * sizeof *one), *many = malloc(n * sizeof *many);
    ck_assert(one && many);
    run_points(program, NULL, points, POINTS, 1, one);
    for (size_t k = 0; k < N_WIDTHS; k++) {
        memset(many, 0, n * sizeof *many);
        run_points(program, NULL, points, POINTS, WIDTHS[k], many);
        check_same(one, many, n, name, WIDTHS[k]);
    }
    free(one);
    free(many);
}

START_TEST(a_function_has_the_same_bits_in_every_width)
{
    double *points = malloc(sizeof *points * 2 * POINTS);
    ck_assert(points);
    fill_arguments(points, (size_t)2 * POINTS);
    for (int level = 0; level <= (int)interpreter_best(); level++) {
        Program *program = compile_functions(&FUNCTIONS[_i], 1, (InterpreterLevel)level);
        check_widths(program, points, FUNCTIONS[_i].name);
        program_free(program);
    }
    free(points);
}
END_TEST

START_TEST(sine_and_cosine_together_have_the_same_bits_in_every_width)
{
    const Function both[] = {{EXPR_SIN, "sin", 1}, {EXPR_COS, "cos", 1}};
    double *points = malloc(sizeof *points * 2 * POINTS);
    ck_assert(points);
    fill_arguments(points, (size_t)2 * POINTS);
    for (int level = 0; level <= (int)interpreter_best(); level++) {
        Program *program = compile_functions(both, 2, (InterpreterLevel)level);
        ck_assert_uint_eq(program->n_body, 1);
        check_widths(program, points, "sincos");
        program_free(program);
    }
    free(points);
}
END_TEST

/* One program with every function, so that the instruction sets with FMA are compared. */
START_TEST(instruction_sets_with_fma_agree)
{
    if (interpreter_best() != INTERPRETER_AVX512)
        return;
    enum { SOME = 1 << 15 };
    double *points = malloc(sizeof *points * 2 * SOME);
    double *a = malloc(sizeof *a * SOME * N_FUNCTIONS), *b = malloc(sizeof *b * SOME * N_FUNCTIONS);
    ck_assert(points && a && b);
    fill_arguments(points, (size_t)2 * SOME);
    Program *avx2 = compile_functions(FUNCTIONS, N_FUNCTIONS, INTERPRETER_AVX2);
    Program *avx512 = compile_functions(FUNCTIONS, N_FUNCTIONS, INTERPRETER_AVX512);
    run_points(avx2, NULL, points, SOME, 13, a);
    run_points(avx512, NULL, points, SOME, 32, b);
    check_same(a, b, (size_t)SOME * N_FUNCTIONS, "avx2 against avx512", 32);
    program_free(avx2);
    program_free(avx512);
    free(points);
    free(a);
    free(b);
}
END_TEST

/* In units in the last place of the exact result; results below the normal range are left out. */
static double ulps(double value, long double exact)
{
    int exponent;
    if (isnan(value) || isinf(value) || fabsl(exact) < DBL_MIN || fabsl(exact) > DBL_MAX)
        return 0.0;
    (void)frexpl(exact, &exponent);
    return (double)(fabsl((long double)value - exact) / ldexpl(1.0L, exponent - DBL_MANT_DIG));
}

/* The exact value to more than double precision by the C library. */
static long double exact_value(ExprOp op, long double x, long double y)
{
    switch (op) { /* -Wswitch-enum: the rest has no rounding worth a test */
#define EXACT_1(op, f) \
    case op:           \
        return f(x);
        EXACT_1(EXPR_SIN, sinl)
        EXACT_1(EXPR_COS, cosl)
        EXACT_1(EXPR_TAN, tanl)
        EXACT_1(EXPR_ASIN, asinl)
        EXACT_1(EXPR_ACOS, acosl)
        EXACT_1(EXPR_ATAN, atanl)
        EXACT_1(EXPR_SINH, sinhl)
        EXACT_1(EXPR_COSH, coshl)
        EXACT_1(EXPR_TANH, tanhl)
        EXACT_1(EXPR_ASINH, asinhl)
        EXACT_1(EXPR_ACOSH, acoshl)
        EXACT_1(EXPR_ATANH, atanhl)
        EXACT_1(EXPR_EXP, expl)
        EXACT_1(EXPR_LOG, logl)
        EXACT_1(EXPR_LOG10, log10l)
        EXACT_1(EXPR_SQRT, sqrtl)
        EXACT_1(EXPR_CBRT, cbrtl)
        EXACT_1(EXPR_ERF, erfl)
#undef EXACT_1
    case EXPR_ATAN2:
        return atan2l(x, y);
    case EXPR_POW:
        return powl(x, y);
    case EXPR_HYPOT:
        return hypotl(x, y);
    case EXPR_CONST:
    case EXPR_SYMBOL:
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_EQ:
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_IF:
    case EXPR_FACTOR:
    case EXPR_SOLVE:
    case EXPR_ELEMENT:
    case EXPR_RCOND:
        break;
    }
    return (long double)NAN;
}

START_TEST(a_function_is_accurate_to_one_unit_in_the_last_place)
{
    const Function *function = &FUNCTIONS[_i];
    double *points = malloc(sizeof *points * 2 * ACCURACY_POINTS);
    double *values = malloc(ACCURACY_POINTS * sizeof *values);
    ck_assert(points && values);
    Random random;
    random_init(&random, 12);
    for (size_t k = 0; k < (size_t)2 * ACCURACY_POINTS; k++) {
        const double size = k % 3 == 0 ? 1.0 : k % 3 == 1 ? 30.0 : 600.0;
        points[k] = random_uniform(&random, -size, size);
    }
    for (int level = 0; level <= (int)interpreter_best(); level++) {
        Program *program = compile_functions(function, 1, (InterpreterLevel)level);
        run_points(program, NULL, points, ACCURACY_POINTS, 32, values);
        double worst = 0.0;
        for (size_t k = 0; k < ACCURACY_POINTS; k++)
            worst = fmax(worst, ulps(values[k],
                                     exact_value(function->op, points[2 * k], points[2 * k + 1])));
        ck_assert_msg(worst <= PROGRAM_FUNCTION_ULPS, "%s errs by %g units", function->name, worst);
        program_free(program);
    }
    free(points);
    free(values);
}
END_TEST

/* Beside multiples of a quarter turn, where nearly all of the angle is taken off; half a quarter
 * turn from there, where errors are largest; and anywhere in the range of the computation of our
 * own, past its end, too. */
static double draw_angle(Random *random, size_t k)
{
    if (k % 3 == 0)
        return random_uniform(random, 0.74, 0.7854) + (double)(k % 7) * 1.5707963267948966;
    const double turns = ldexp(random_uniform(random, -1, 1), (int)(k % 32));
    const double near = 1 + ((double)(k % 5) - 2) * DBL_EPSILON;
    return k % 2 == 0 ? turns : floor(turns) * 1.5707963267948966 * near;
}

/* RANDOM_ANGLES times as many, if that is set. */
START_TEST(sines_are_accurate_whatever_the_angle)
{
    const Function both[] = {{EXPR_SIN, "sin", 1}, {EXPR_COS, "cos", 1}};
    const char *times = getenv("RANDOM_ANGLES");
    const size_t rounds = times ? (size_t)atoi(times) : 1;
    double *points = calloc((size_t)2 * ACCURACY_POINTS, sizeof *points);
    double *values = malloc((size_t)2 * ACCURACY_POINTS * sizeof *values);
    ck_assert(points && values);
    for (int level = 0; level <= (int)interpreter_best(); level++) {
        Program *program = compile_functions(both, 2, (InterpreterLevel)level);
        double worst = 0;
        Random random;
        random_init(&random, 13);
        for (size_t round = 0; round < rounds; round++) {
            for (size_t k = 0; k < ACCURACY_POINTS; k++)
                points[2 * k] = draw_angle(&random, k);
            run_points(program, NULL, points, ACCURACY_POINTS, 32, values);
            for (size_t k = 0; k < (size_t)2 * ACCURACY_POINTS; k++)
                worst =
                    fmax(worst, ulps(values[k], exact_value(both[k % 2].op, points[k / 2 * 2], 0)));
        }
        printf("sines (%s): off by %.3f units at most\n", program->interpreter->name, worst);
        ck_assert_msg(worst <= (level == INTERPRETER_SSE2 ? PROGRAM_FUNCTION_ULPS : SINES_ULPS),
                      "%g units", worst);
        program_free(program);
    }
    free(points);
    free(values);
}
END_TEST

START_TEST(the_sine_of_a_zero_is_that_zero)
{
    const Function sine = {EXPR_SIN, "sin", 1};
    for (int level = 0; level <= (int)interpreter_best(); level++) {
        Program *program = compile_functions(&sine, 1, (InterpreterLevel)level);
        const double points[] = {-0.0, 0, 0.0, 0};
        double values[2];
        run_points(program, NULL, points, 2, 2, values);
        ck_assert(values[0] == 0 && signbit(values[0]) && values[1] == 0 && !signbit(values[1]));
        program_free(program);
    }
}
END_TEST

static double apply(ExprOp op, double x, double y)
{
    const Function function = {op, "", op == EXPR_ABS || op == EXPR_SIGN ? 1 : 2};
    const double point[2] = {x, y};
    double one, three;
    Program *program = compile_functions(&function, 1, interpreter_best());
    run_points(program, NULL, point, 1, 1, &one);
    run_points(program, NULL, point, 1, 3, &three);
    ck_assert(same_double(one, three));
    program_free(program);
    return one;
}

START_TEST(functions_with_corners_follow_their_definition)
{
    ck_assert_double_eq(apply(EXPR_SIGN, -3.0, 0.0), -1.0);
    ck_assert_double_eq(apply(EXPR_SIGN, 1e-320, 0.0), 1.0);
    ck_assert_double_eq(apply(EXPR_SIGN, 0.0, 0.0), 0.0);
    ck_assert(isnan(apply(EXPR_SIGN, NAN, 0.0)));
    ck_assert(isnan(apply(EXPR_ABS, NAN, 0.0)));
    ck_assert_double_eq(apply(EXPR_ABS, -INFINITY, 0.0), INFINITY);
    ck_assert_double_eq(apply(EXPR_MIN, 2.0, -3.0), -3.0);
    ck_assert_double_eq(apply(EXPR_MAX, 2.0, -3.0), 2.0);
    ck_assert_double_eq(apply(EXPR_MIN, -INFINITY, 1.0), -INFINITY);
    ck_assert(isnan(apply(EXPR_MIN, NAN, 1.0)) && isnan(apply(EXPR_MIN, 1.0, NAN)));
    ck_assert(isnan(apply(EXPR_MAX, NAN, 1.0)) && isnan(apply(EXPR_MAX, 1.0, NAN)));
}
END_TEST

START_TEST(comparisons_with_nan_are_false)
{
    ck_assert_double_eq(apply(EXPR_LT, NAN, 1.0), 0.0);
    ck_assert_double_eq(apply(EXPR_LE, 1.0, NAN), 0.0);
    ck_assert_double_eq(apply(EXPR_EQ, NAN, NAN), 0.0);
    ck_assert_double_eq(apply(EXPR_LE, 1.0, 1.0), 1.0);
    ck_assert_double_eq(apply(EXPR_LT, 1.0, 1.0), 0.0);
    ck_assert_double_eq(apply(EXPR_EQ, 0.0, -0.0), 1.0);
}
END_TEST

SUITE(functions)
{
    TCase *tc = suite_case(suite, "functions");
    tcase_add_loop_test(tc, a_function_has_the_same_bits_in_every_width, 0, N_FUNCTIONS);
    tcase_add_test(tc, sine_and_cosine_together_have_the_same_bits_in_every_width);
    tcase_add_test(tc, instruction_sets_with_fma_agree);
    tcase_add_loop_test(tc, a_function_is_accurate_to_one_unit_in_the_last_place, 0, N_FUNCTIONS);
    tcase_add_test(tc, sines_are_accurate_whatever_the_angle);
    tcase_add_test(tc, the_sine_of_a_zero_is_that_zero);
    tcase_add_test(tc, functions_with_corners_follow_their_definition);
    tcase_add_test(tc, comparisons_with_nan_are_false);
}
