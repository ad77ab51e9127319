/* Compiled code has the bits of the interpreter's: random bodies of all operations, every register
 * under pressure, numbers of all kinds, every instruction set that this CPU has. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/program/function.h"
#include "core/program/native/executable.h"
#include "core/program/native/native.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

enum {
    INPUTS = 7,
    CONSTANTS = 5,
    SHARED = 40, /* rows that are used again and again */
    OUTPUTS = 8, /* a whole block, of which the body computes OWN */
    OWN = 5,
    ROWS = INPUTS + CONSTANTS + SHARED + OUTPUTS,
    FIRST_SHARED = INPUTS + CONSTANTS,
    FIRST_OUTPUT = FIRST_SHARED + SHARED,
    MOST_LANES = 64,
};

#define OPERANDS(name, operands, expression) operands,
static const unsigned OPERANDS_OF[] = {PROGRAM_OP_LIST(OPERANDS) 1};
#undef OPERANDS

/* Zeros of both signs, subnormal, huge, not finite, where reductions of sines change (SLEEF's at 15
 * and 1e14, ours at 2^30), and plain ones. */
static double draw_number(Random *random)
{
    static const double SPECIAL[] = {0.0,        -0.0,   INFINITY, -INFINITY, NAN,  0x1p-1074,
                                     -0x1p-1030, 0x1p30, 1e14,     0x1p1023,  -1.0, 1.0,
                                     1e16,       14.999, 709.0,    0.5};
    const size_t n = sizeof SPECIAL / sizeof *SPECIAL;
    const double u = random_uniform(random, 0, 1);
    if (u < 0.1)
        return SPECIAL[(size_t)random_uniform(random, 0, (double)n)];
    if (u < 0.2)
        return ldexp(random_normal(random), (int)random_uniform(random, -60, 60));
    return random_uniform(random, -3, 3);
}

static uint32_t draw(Random *random, uint32_t from, uint32_t n)
{
    return from + (uint32_t)random_uniform(random, 0, n);
}

typedef struct Body {
    Program program;
    Instruction code[1 + 400];
    double constants[CONSTANTS];
    uint32_t output_rows[OUTPUTS], direct[OUTPUTS];
    OutputCopy copies[OUTPUTS];
    uint32_t lists[64];
    bool written[ROWS];
} Body;

static uint32_t draw_operand(const Body *b, Random *random)
{
    uint32_t row;
    do
        row = draw(random, 0, FIRST_OUTPUT + OWN);
    while (!b->written[row]);
    return row;
}

/* Half of the operations of one kind, so that functions and sums alone occur, too. */
static uint32_t draw_op(Random *random, int kind)
{
    const uint32_t functions = OP_SIN, fused = OP_HYPOT + 1;
    switch (kind) {
    case 0:
        return draw(random, 0, functions);
    case 1:
        return draw(random, fused, OP_SINCOS - fused);
    default:
        return draw(random, 0, OP_SINCOS + 1);
    }
}

/* An output's own row is written once. */
static uint32_t draw_result(const Body *b, Random *random, bool output)
{
    for (uint32_t row = FIRST_OUTPUT; output && row < FIRST_OUTPUT + OWN; row++)
        if (!b->written[row])
            return row;
    return draw(random, FIRST_SHARED, SHARED - 1);
}

static void make_body(Body *b, Random *random, size_t n)
{
    const int kind = (int)draw(random, 0, 3);
    memset(b, 0, sizeof *b);
    memset(b->written, 1, FIRST_SHARED);
    for (size_t k = 0; k < CONSTANTS; k++)
        b->constants[k] = draw_number(random);
    for (size_t k = 0; k < n; k++) {
        Instruction *code = &b->code[k];
        code->op = draw_op(random, kind);
        for (unsigned i = 0; i < OPERANDS_OF[code->op]; i++)
            code->arg[i] = draw_operand(b, random);
        code->result =
            draw_result(b, random, k + 3 * OWN >= n && k % 3 == 0 && code->op != OP_SINCOS);
        b->written[code->result] = true;
        if (code->op == OP_SINCOS)
            b->written[code->result + 1] = true;
    }
    b->code[n].op = OP_END;
    for (uint32_t k = 0; k < OUTPUTS; k++) {
        b->output_rows[k] = FIRST_OUTPUT + k;
        if (k >= OWN || !b->written[FIRST_OUTPUT + k]) {
            b->output_rows[k] = draw_operand(b, random);
            b->copies[b->program.n_copies++] = (OutputCopy){k, b->output_rows[k], 1};
        } else {
            b->direct[b->program.n_direct++] = k;
        }
    }
}

static Program *program_of(Body *b, InterpreterLevel level)
{
    Program *p = &b->program;
    size_t n = 0;
    while (b->code[n].op != OP_END)
        n++;
    p->n_inputs = INPUTS;
    p->n_outputs = OUTPUTS;
    p->n_constants = CONSTANTS;
    p->n_rows = ROWS;
    p->body = b->code;
    p->n_body = n;
    p->lists = b->lists;
    p->constants = b->constants;
    p->outputs = FIRST_OUTPUT;
    p->output_rows = b->output_rows;
    p->direct = b->direct;
    p->copies = b->copies;
    p->prologue = &b->code[n];
    p->run_prologue = (ProgramSequence){p->prologue, p->lists};
    p->run_body = (ProgramSequence){p->body, p->lists};
    p->interpreter = interpreter_get(level);
    p->native = native_new(p, level);
    ck_assert_ptr_nonnull(p->native);
    return p;
}

static void never(const Program *program)
{
    for (size_t k = 0; k < NATIVE_WIDTHS; k++)
        atomic_store(&program->native->widths[k].evaluations, NATIVE_NEVER);
}

static void check_body(Body *b, InterpreterLevel level, size_t lanes, const double *points,
                       size_t n_points)
{
    double *out = calloc(2 * n_points * OUTPUTS, sizeof *out), *native = out + n_points * OUTPUTS;
    const size_t stride = lanes == 1 ? 1 : (lanes + 7) / 8 * 8;
    char what[100];

    Program *p = program_of(b, level);
    never(p);
    run_points(p, NULL, points, n_points, lanes, out);
    ck_assert(native_compile(p, stride));
    run_points(p, NULL, points, n_points, lanes, native);
    snprintf(what, sizeof what, "%s, %zu instructions", p->interpreter->name, p->n_body);
    check_same(native, out, n_points * OUTPUTS, what, lanes);
    native_free(p->native);
    free(out);
}

START_TEST(random_bodies)
{
    enum { BODIES = 60, POINTS = 24 };
    static const size_t LANES[] = {1, 8, 16, 64, 5, 1};
    Random random;
    double points[POINTS * INPUTS];
    Body *b = malloc(sizeof *b);

    random_init(&random, 77 + (uint64_t)_i);
    for (int k = 0; k < BODIES; k++) {
        make_body(b, &random, (size_t)random_uniform(&random, 0, k % 6 == 0 ? 10 : 400));
        for (size_t i = 0; i < sizeof points / sizeof *points; i++)
            points[i] = draw_number(&random);
        for (InterpreterLevel level = INTERPRETER_AVX2; level <= interpreter_best(); level++)
            check_body(b, level, LANES[k % 6], points, POINTS);
    }
    free(b);
    ck_assert_uint_eq(executable_used(), 0);
}
END_TEST

/* A matrix with pivots of its own in each lane, its condition and a solution, between other
 * operations. */
START_TEST(eliminations)
{
    enum { N = 4, POINTS = 40, IN = N * N + N };
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr inputs[IN], matrix[N * N], right[N], outputs[N + 2];
    double points[POINTS * IN], plain[POINTS * (N + 2)], native[POINTS * (N + 2)];
    Random random;

    random_init(&random, 5);
    for (size_t k = 0; k < POINTS * IN; k++)
        points[k] = random_uniform(&random, -2, 2);
    for (uint32_t k = 0; k < IN; k++)
        inputs[k] = expr_symbol(pool, k);
    for (size_t k = 0; k < N * N; k++)
        matrix[k] = k % 3 == 0 ? expr_call(pool, EXPR_SIN, &inputs[k], 1) : inputs[k];
    for (size_t k = 0; k < N; k++)
        right[k] = expr_mul(pool, inputs[N * N + k], matrix[k]);
    const Expr factor = expr_factor(pool, N, matrix);
    expr_solve(pool, factor, N, right, outputs);
    outputs[N] = expr_mul(pool, outputs[0], outputs[1]);
    outputs[N + 1] = expr_rcond(pool, factor);
    const ProgramSpec spec = {
        .pool = pool, .inputs = inputs, .n_inputs = IN, .outputs = outputs, .n_outputs = N + 2};
    for (InterpreterLevel level = INTERPRETER_AVX2; level <= interpreter_best(); level++)
        for (size_t lanes = 1; lanes <= 16; lanes += 3) {
            Program *program = compile_or_fail(&spec, level);
            never(program);
            run_points(program, NULL, points, POINTS, lanes, plain);
            ck_assert(native_compile(program, lanes == 1 ? 1 : (lanes + 7) / 8 * 8));
            run_points(program, NULL, points, POINTS, lanes, native);
            check_same(native, plain, POINTS * (N + 2), program->interpreter->name, lanes);
            program_free(program);
        }
    expr_pool_free(pool);
}
END_TEST

/* Sines and cosines that are not called, but for what is 2^30 or more, or no number: alone or in
 * some lanes of a vector; multiples of a quarter turn and their neighbours, too. */
START_TEST(sines)
{
    enum { POINTS = 1 << 14 };
    static const size_t WIDTHS[] = {1, 8, 32};
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    const Expr x = expr_symbol(pool, 0);
    const Expr outputs[] = {expr_call(pool, EXPR_SIN, &x, 1), expr_call(pool, EXPR_COS, &x, 1)};
    const ProgramSpec spec = {
        .pool = pool, .inputs = &x, .n_inputs = 1, .outputs = outputs, .n_outputs = 2};
    double *points = calloc(5 * POINTS, sizeof *points), *plain = points + POINTS,
           *native = plain + 2 * (size_t)POINTS;
    const int level = interpreter_best();
    Random random;

    random_init(&random, 3);
    for (int k = 0; k < POINTS; k++) {
        const double near = 1 + (k % 5 - 2) * 0x1p-52;
        const double many = floor(random_uniform(&random, -0x1p28, 0x1p28));
        points[k] = k % 64 == 0  ? draw_number(&random)
                    : k % 8 == 1 ? random_uniform(&random, -15.5, 15.5)
                    : k % 8 == 2 ? (k % 21 - 10) * 1.5707963267948966 * near
                    : k % 8 == 3 ? ldexp(random_normal(&random), -(k % 60))
                    : k % 8 == 4 ? 1.1 * many + random_uniform(&random, -1, 1)
                    : k % 8 == 5 ? many * 1.5707963267948966 * near
                    : k % 97 > 0 ? random_uniform(&random, -1, 1)
                                 : (k % 16 < 8 ? -0x1p30 : 0x1p30) * near;
    }
    for (int set = INTERPRETER_AVX2; set <= level; set++)
        for (size_t w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; w++) {
            Program *program = compile_or_fail(&spec, (InterpreterLevel)set);
            never(program);
            run_points(program, NULL, points, POINTS, WIDTHS[w], plain);
            ck_assert(native_compile(program, WIDTHS[w]));
            run_points(program, NULL, points, POINTS, WIDTHS[w], native);
            check_same(native, plain, 2 * (size_t)POINTS, program->interpreter->name, WIDTHS[w]);
            program_free(program);
        }
    expr_pool_free(pool);
    free(points);
}
END_TEST

static Program *small_program(ExprPool *pool)
{
    const Expr x = expr_symbol(pool, 0), y = expr_symbol(pool, 1), inputs[] = {x, y};
    const Expr output = expr_add(pool, expr_mul(pool, x, y), expr_call(pool, EXPR_COS, &x, 1));
    const ProgramSpec spec = {
        .pool = pool, .inputs = inputs, .n_inputs = 2, .outputs = &output, .n_outputs = 1};
    return compile_or_fail(&spec, interpreter_best());
}

static bool has_code(const Program *program, size_t lanes)
{
    return atomic_load(&program->native->widths[lanes / PROGRAM_LANE_BLOCK].code) != NULL;
}

START_TEST(code_is_made_when_it_pays)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Program *program = small_program(pool);
    double work[16], in[2] = {0.25, 3}, out[1];
    const double expected = 0.25 * 3 + cos(0.25);

    program_bind(program, NULL, work, 1);
    for (int k = 0; k < NATIVE_AFTER; k++) {
        program_eval(program, in, out, work, 1);
        ck_assert(!has_code(program, 1));
    }
    for (int k = 0; k < 2; k++) {
        program_eval(program, in, out, work, 1);
        ck_assert(has_code(program, 1) && fabs(out[0] - expected) < 1e-15);
        ck_assert(!has_code(program, 8));
    }
    program_free(program);
    expr_pool_free(pool);
    ck_assert_uint_eq(executable_used(), 0);
}
END_TEST

START_TEST(whoever_says_so_interprets)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    double work[16], in[2] = {0.25, 3}, out[1];

    ck_assert(!program_use_evaluator("abacus"));
    ck_assert_str_eq(program_evaluator(), "native");
    ck_assert(program_use_evaluator("interpreter"));
    ck_assert_str_eq(program_evaluator(), "interpreter");
    Program *program = small_program(pool);
    ck_assert(program_use_evaluator("native"));
    program_bind(program, NULL, work, 1);
    for (int k = 0; k < 2 * NATIVE_AFTER; k++)
        program_eval(program, in, out, work, 1);
    ck_assert(!has_code(program, 1));
    program_free(program);
    expr_pool_free(pool);
}
END_TEST

/* Room is found again where it was given back; where there is none programs are interpreted. */
START_TEST(memory_is_bounded)
{
    enum { PIECES = 8, BYTES = EXECUTABLE_BYTES / PIECES };
    uint8_t *bytes = calloc(1, BYTES);
    void *pieces[PIECES];

    for (size_t k = 0; k < PIECES; k++)
        ck_assert_ptr_nonnull(pieces[k] = executable_new(bytes, BYTES));
    ck_assert_uint_eq(executable_used(), EXECUTABLE_BYTES);
    ck_assert_ptr_null(executable_new(bytes, 1));

    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Program *program = small_program(pool);
    double work[16], in[2] = {0.25, 3}, out[1];
    program_bind(program, NULL, work, 1);
    for (int k = 0; k < 2 * NATIVE_AFTER; k++)
        program_eval(program, in, out, work, 1);
    ck_assert(!has_code(program, 1) && !native_compile(program, 1));

    executable_free(pieces[3], BYTES);
    ck_assert_ptr_eq(pieces[3] = executable_new(bytes, BYTES), pieces[3]);
    for (size_t k = 0; k < PIECES; k++)
        executable_free(pieces[k], BYTES);
    ck_assert_uint_eq(executable_used(), 0);
    program_free(program);
    expr_pool_free(pool);
    free(bytes);
}
END_TEST

static void *evaluate_often(void *self)
{
    const Program *program = self;
    double work[16], in[2], out[1];

    program_bind(program, NULL, work, 1);
    for (int k = 0; k < 20 * NATIVE_AFTER; k++) {
        in[0] = 1e-3 * k;
        in[1] = 2;
        program_eval(program, in, out, work, 1);
        if (fabs(out[0] - (2 * in[0] + cos(in[0]))) > 1e-14)
            return self;
    }
    return NULL;
}

START_TEST(threads_share_a_program)
{
    enum { THREADS = 4 };
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Program *program = small_program(pool);
    pthread_t threads[THREADS];
    void *wrong;

    for (size_t k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&threads[k], NULL, evaluate_often, program), 0);
    for (size_t k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_join(threads[k], &wrong), 0);
        ck_assert_ptr_null(wrong);
    }
    ck_assert(has_code(program, 1));
    program_free(program);
    expr_pool_free(pool);
}
END_TEST

SUITE(native)
{
    TCase *tc = suite_case(suite, "native");
    if (interpreter_best() == INTERPRETER_SSE2 || !executable_possible())
        return;
    tcase_add_loop_test(tc, random_bodies, 0, SUITE_DRAWS(20));
    tcase_add_test(tc, eliminations);
    tcase_add_test(tc, sines);
    tcase_add_test(tc, code_is_made_when_it_pays);
    tcase_add_test(tc, whoever_says_so_interprets);
    tcase_add_test(tc, memory_is_bounded);
    tcase_add_test(tc, threads_share_a_program);
}
