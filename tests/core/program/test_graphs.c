/* Random graphs: program against the plain evaluation of the graph. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/program/batch.h"
#include "tests/suite.h"

enum {
    INPUTS = 5,
    PARAMS = 3,
    SYMBOLS = INPUTS + PARAMS,
    OUTPUTS = 6,
    MAX_NODES = 400,
    POINTS = 40
};

typedef struct Graph {
    ExprPool *pool;
    Expr symbols[SYMBOLS]; /* the inputs, then the parameters */
    Expr nodes[MAX_NODES];
    size_t n;
    Expr outputs[OUTPUTS];
} Graph;

static Expr pick(const Graph *graph, Random *random)
{
    const uint64_t bits = random_bits(random);
    if (bits % 3 == 0)
        return graph->symbols[(bits >> 8) % SYMBOLS];
    return graph->nodes[(bits >> 8) % graph->n];
}

/* Not a constant: a function of one may not be finite, which a pool refuses. */
static Expr pick_variable(const Graph *graph, Random *random)
{
    const Expr e = pick(graph, random);
    return expr_is_const(graph->pool, e, NULL) ? graph->symbols[0] : e;
}

static Expr random_sum(Graph *graph, Random *random)
{
    const double coefs[] = {1.0, -1.0, 2.0, -0.375, 1.0, -1.0};
    Expr terms[6];
    double of[6];
    const size_t n = 2 + random_bits(random) % 5;
    for (size_t k = 0; k < n; k++) {
        terms[k] = random_bits(random) % 2
                       ? pick(graph, random)
                       : expr_mul(graph->pool, pick(graph, random), pick(graph, random));
        of[k] = coefs[random_bits(random) % 6];
    }
    return expr_sum(graph->pool, n, of, terms);
}

static Expr random_power(Graph *graph, Random *random)
{
    const double exponents[] = {2.0, 3.0, -1.0, -2.0, 0.5, 5.0, -3.0};
    return expr_pow(graph->pool, pick_variable(graph, random),
                    expr_const(graph->pool, exponents[random_bits(random) % 7]));
}

static Expr random_if(Graph *graph, Random *random)
{
    ExprPool *pool = graph->pool;
    const ExprOp comparisons[] = {EXPR_LT, EXPR_LE, EXPR_EQ};
    const Expr first[2] = {pick(graph, random), pick(graph, random)};
    const Expr second[2] = {pick(graph, random), pick(graph, random)};
    Expr conditions[2] = {expr_call(pool, comparisons[random_bits(random) % 3], first, 2),
                          expr_call(pool, comparisons[random_bits(random) % 3], second, 2)};
    conditions[1] = expr_call(pool, EXPR_NOT, &conditions[1], 1);
    const Expr joined =
        expr_call(pool, random_bits(random) % 2 ? EXPR_AND : EXPR_OR, conditions, 2);
    const Expr negated = expr_call(pool, EXPR_NOT, &joined, 1);
    const Expr args[3] = {random_bits(random) % 2 ? joined : negated, pick(graph, random),
                          pick(graph, random)};
    return expr_call(pool, EXPR_IF, args, 3);
}

static Expr random_function(Graph *graph, Random *random)
{
    const ExprOp unary[] = {EXPR_SIN,  EXPR_COS,   EXPR_COS,   EXPR_SIN,   EXPR_TANH, EXPR_ATAN,
                            EXPR_ABS,  EXPR_SIGN,  EXPR_ERF,   EXPR_ASINH, EXPR_CBRT, EXPR_EXP,
                            EXPR_SQRT, EXPR_LOG,   EXPR_ASIN,  EXPR_COSH,  EXPR_TAN,  EXPR_ACOS,
                            EXPR_SINH, EXPR_ACOSH, EXPR_ATANH, EXPR_LOG10};
    enum { N_UNARY = sizeof unary / sizeof unary[0] };
    const ExprOp binary[] = {EXPR_ATAN2, EXPR_HYPOT, EXPR_MIN, EXPR_MAX, EXPR_POW};
    const Expr args[2] = {pick_variable(graph, random), pick_variable(graph, random)};
    if (random_bits(random) % 4)
        return expr_call(graph->pool, unary[random_bits(random) % N_UNARY], args, 1);
    return expr_call(graph->pool, binary[random_bits(random) % 5], args, 2);
}

static void graph_init(Graph *graph, Random *random, size_t n)
{
    *graph = (Graph){.pool = expr_pool_new((ExprLimits){0})};
    ck_assert(graph->pool);
    for (uint32_t k = 0; k < SYMBOLS; k++)
        graph->symbols[k] = expr_symbol(graph->pool, k);
    graph->nodes[graph->n++] = expr_const(graph->pool, 1.5);
    while (graph->n < n) {
        const uint64_t kind = random_bits(random) % 8;
        Expr node;
        if (kind < 3)
            node = random_sum(graph, random);
        else if (kind < 5)
            node = expr_mul(graph->pool, pick(graph, random), pick(graph, random));
        else if (kind == 5)
            node = random_power(graph, random);
        else if (kind == 6)
            node = random_function(graph, random);
        else
            node = random_bits(random) % 3
                       ? expr_div(graph->pool, pick(graph, random), pick_variable(graph, random))
                       : random_if(graph, random);
        ck_assert_int_eq(expr_pool_status(graph->pool, NULL), OK);
        graph->nodes[graph->n++] = node;
    }
    for (size_t k = 0; k < OUTPUTS; k++)
        graph->outputs[k] = k < OUTPUTS - 1 ? graph->nodes[graph->n - 1 - k] : pick(graph, random);
}

static ProgramSpec graph_spec(const Graph *graph)
{
    return (ProgramSpec){.pool = graph->pool,
                         .inputs = graph->symbols,
                         .n_inputs = INPUTS,
                         .params = graph->symbols + INPUTS,
                         .n_params = PARAMS,
                         .outputs = graph->outputs,
                         .n_outputs = OUTPUTS};
}

/* Values with bounds of their errors, by a walk over the graph with the C library's functions: the
 * errors of the operands go through an operation, and it adds a few units of its own. */
typedef struct Bounded {
    double value, error;
} Bounded;

static const double UNIT = 4 * DBL_EPSILON;

static Bounded bounded_power(Bounded x, double exponent)
{
    const double n = fabs(exponent);
    Bounded result = {pow(x.value, exponent), 0.0};
    const double high = pow(fabs(x.value) + x.error, n), low = pow(fabs(x.value) - x.error, n);
    if (fabs(x.value) <= x.error && exponent < 0.0)
        result.error = INFINITY;
    else if (exponent > 0.0)
        result.error = high - pow(fabs(x.value), n) + n * UNIT * high;
    else
        result.error = 1.0 / low - pow(fabs(x.value), exponent) + (n + 1.0) * UNIT / low;
    return result;
}

static Bounded bounded_product(Bounded x, Bounded y)
{
    const double value = x.value * y.value;
    return (Bounded){value, fabs(x.value) * y.error + fabs(y.value) * x.error + x.error * y.error +
                                UNIT * fabs(value) + DBL_MIN};
}

static double plain_function(ExprOp op, double x, double y)
{
    switch ((int)op) {
    case EXPR_SIN:
        return sin(x);
    case EXPR_COS:
        return cos(x);
    case EXPR_TANH:
        return tanh(x);
    case EXPR_ATAN:
        return atan(x);
    case EXPR_ABS:
        return fabs(x);
    case EXPR_SIGN:
        return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
    case EXPR_ERF:
        return erf(x);
    case EXPR_ASINH:
        return asinh(x);
    case EXPR_CBRT:
        return cbrt(x);
    case EXPR_EXP:
        return exp(x);
    case EXPR_SQRT:
        return sqrt(x);
    case EXPR_LOG:
        return log(x);
    case EXPR_LOG10:
        return log10(x);
    case EXPR_ASIN:
        return asin(x);
    case EXPR_ACOS:
        return acos(x);
    case EXPR_COSH:
        return cosh(x);
    case EXPR_SINH:
        return sinh(x);
    case EXPR_ACOSH:
        return acosh(x);
    case EXPR_ATANH:
        return atanh(x);
    case EXPR_TAN:
        return tan(x);
    case EXPR_ATAN2:
        return atan2(x, y);
    case EXPR_HYPOT:
        return hypot(x, y);
    case EXPR_MIN:
        return isnan(x) || isnan(y) ? NAN : fmin(x, y);
    case EXPR_MAX:
        return isnan(x) || isnan(y) ? NAN : fmax(x, y);
    case EXPR_POW:
        return pow(x, y);
    case EXPR_LT:
        return x < y;
    case EXPR_LE:
        return x <= y;
    case EXPR_EQ:
        return x == y;
    case EXPR_NOT:
        return x == 0.0;
    case EXPR_AND:
        return x != 0.0 && y != 0.0;
    case EXPR_OR:
        return x != 0.0 || y != 0.0;
    default:
        ck_abort_msg("operation %d", (int)op);
    }
}

/* The spread of f over the corners of the operands' errors, doubled. */
static Bounded bounded_function(ExprOp op, Bounded x, Bounded y)
{
    Bounded result = {plain_function(op, x.value, y.value), 0.0};
    for (int corner = 0; corner < 9; corner++) {
        const int right = corner % 3 - 1, up = corner / 3 - 1;
        const double value = plain_function(op, x.value + right * x.error, y.value + up * y.error);
        if (!same_double(value, result.value))
            result.error = isnan(value) ? INFINITY : fmax(result.error, fabs(value - result.value));
    }
    /* a fold of the function between the corners */
    if ((op == EXPR_SIN || op == EXPR_COS) && result.error < x.error)
        result.error = fmin(x.error, 2.0);
    result.error = 2.0 * result.error + UNIT * fabs(result.value) + DBL_MIN;
    if (op == EXPR_SIGN || op == EXPR_NOT || op == EXPR_AND || op == EXPR_OR || op == EXPR_LT ||
        op == EXPR_LE || op == EXPR_EQ)
        result.error = result.error > 0.5 ? INFINITY : 0.0;
    return result;
}

static Bounded bounded_if(Bounded condition, Bounded yes, Bounded no)
{
    Bounded chosen = condition.value != 0.0 ? yes : no;
    if (condition.error > 0.0)
        chosen.error = INFINITY;
    return chosen;
}

static void bounded_eval(const Graph *graph, const double *symbols, Bounded *ret_all)
{
    for (uint32_t id = 1; id <= expr_pool_size(graph->pool); id++) {
        const ExprNode node = expr_node(graph->pool, (Expr){id});
        Bounded of[3] = {{0}}, *result = &ret_all[id];
        for (uint32_t k = 0; k < node.n && k < 3; k++)
            of[k] = ret_all[node.args[k].id];
        if (node.op == EXPR_CONST) {
            *result = (Bounded){node.value, 0.0};
        } else if (node.op == EXPR_SYMBOL) {
            *result = (Bounded){symbols[node.symbol], 0.0};
        } else if (node.op == EXPR_SUM) {
            double size = fabs(node.value);
            *result = (Bounded){node.value, 0.0};
            for (uint32_t k = 0; k < node.n; k++) {
                const Bounded term = ret_all[node.args[k].id];
                result->value += node.coefs[k] * term.value;
                result->error += fabs(node.coefs[k]) * term.error;
                size += fabs(node.coefs[k] * term.value) + fabs(node.coefs[k]) * term.error;
            }
            result->error += (node.n + 2) * UNIT * size;
        } else if (node.op == EXPR_PRODUCT) {
            *result = (Bounded){1.0, 0.0};
            for (uint32_t k = 0; k < node.n; k++)
                *result = bounded_product(*result,
                                          bounded_power(ret_all[node.args[k].id], node.coefs[k]));
        } else if (node.op == EXPR_IF) {
            *result = bounded_if(of[0], of[1], of[2]);
        } else {
            *result = bounded_function(node.op, of[0], of[1]);
        }
        if (!isfinite(result->value) || fabs(result->value) > 1e100 || isnan(result->error))
            result->error = INFINITY; /* an overflow may happen earlier or later */
    }
}

static void random_symbols(Random *random, double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        values[k] = random_uniform(random, -2.0, 2.0);
}

static size_t compared; /* of this process: that the bounds let enough through */

static void compare_with_graph(const Graph *graph, const Program *program, Random *random)
{
    Bounded *all = calloc(expr_pool_size(graph->pool) + 1, sizeof *all);
    double symbols[SYMBOLS], out[OUTPUTS], reference[OUTPUTS];
    ck_assert(all);
    random_symbols(random, symbols, SYMBOLS);
    run_points(program, symbols + INPUTS, symbols, 1, 1, out);
    bounded_eval(graph, symbols, all);
    ck_assert_int_eq(expr_eval(graph->pool, graph->outputs, OUTPUTS, symbols, reference, NULL), OK);
    for (size_t k = 0; k < OUTPUTS; k++) {
        const Bounded expected = all[graph->outputs[k].id];
        if (!(expected.error < 1e-3 * (1.0 + fabs(expected.value))))
            continue;
        compared++;
        ck_assert_msg(fabs(out[k] - expected.value) <= 2.0 * expected.error,
                      "output %zu is %.17g, not %.17g within %g", k, out[k], expected.value,
                      expected.error);
        ck_assert_msg(fabs(out[k] - reference[k]) <= 2.0 * expected.error,
                      "output %zu is %.17g, not %.17g within %g", k, out[k], reference[k],
                      expected.error);
    }
    free(all);
}

enum { SEEDS = 5, FIRST_SEED = 100, GRAPHS = 40 };

/* The next graph that the tests of values look at. */
static void next_graph(Graph *graph, Random *random)
{
    graph_init(graph, random, 10 + random_bits(random) % 150);
}

START_TEST(a_program_has_the_value_of_its_graph)
{
    Random random, point_random;
    random_init(&random, FIRST_SEED + (uint64_t)_i);
    random_init(&point_random, 1);
    for (int round = 0; round < GRAPHS; round++) {
        Graph graph;
        next_graph(&graph, &random);
        const ProgramSpec spec = graph_spec(&graph);
        for (int level = 0; level <= (int)interpreter_best(); level++) {
            Program *program = compile_or_fail(&spec, (InterpreterLevel)level);
            for (int point = 0; point < 10; point++)
                compare_with_graph(&graph, program, &point_random);
            program_free(program);
        }
        expr_pool_free(graph.pool);
    }
    ck_assert_msg(compared > 2000, "seed %d compares only %zu values", FIRST_SEED + _i, compared);
}
END_TEST

/* A program whose operations are left apart is the oracle of one whose operations are fused. */
static void compare_with_unfused(const Graph *graph, const Program *program, Random *random)
{
    const ProgramSpec spec = graph_spec(graph);
    const ProgramOptions options = {.level = interpreter_best(), .unfused = true};
    double points[POINTS * INPUTS], params[PARAMS], fused[POINTS * OUTPUTS],
        apart[POINTS * OUTPUTS];
    Program *plain = NULL;
    ck_assert_int_eq(program_compile_with(&spec, options, &plain, NULL), OK);
    for (size_t k = 0; k < plain->n_body; k++)
        ck_assert(plain->body[k].op < OP_MUL_ADD || plain->body[k].op == OP_SINCOS);
    random_symbols(random, points, (size_t)POINTS * INPUTS);
    random_symbols(random, params, PARAMS);
    run_points(program, params, points, POINTS, 1, fused);
    run_points(plain, params, points, POINTS, 1, apart);
    check_same(fused, apart, (size_t)POINTS * OUTPUTS, "fused against unfused", 1);
    run_points(plain, params, points, POINTS, 32, apart);
    check_same(fused, apart, (size_t)POINTS * OUTPUTS, "fused against unfused", 32);
    program_free(plain);
}

START_TEST(fused_operations_change_no_bit)
{
    static const char *const NAMES[] = {
#define OPERATION_NAME(name, operands, expression) [OP_##name] = #name,
        PROGRAM_OP_LIST(OPERATION_NAME)
#undef OPERATION_NAME
    };
    size_t seen[OP_END] = {0};
    Random random;
    random_init(&random, 300);
    for (int round = 0; round < 1000; round++) {
        Graph graph;
        next_graph(&graph, &random);
        const ProgramSpec spec = graph_spec(&graph);
        Program *program = compile_or_fail(&spec, interpreter_best());
        compare_with_unfused(&graph, program, &random);
        for (size_t k = 0; k < program->n_body; k++)
            seen[program->body[k].op]++;
        program_free(program);
        expr_pool_free(graph.pool);
    }
    for (size_t op = 0; op < OP_SINCOS; op++)
        ck_assert_msg(seen[op] > 0, "%s does not occur", NAMES[op]);
}
END_TEST

START_TEST(a_program_has_the_same_bits_in_every_width)
{
    Random random;
    random_init(&random, 200 + (uint64_t)_i);
    for (int round = 0; round < 30; round++) {
        Graph graph;
        double points[POINTS * INPUTS], params[PARAMS], one[POINTS * OUTPUTS],
            many[POINTS * OUTPUTS];
        graph_init(&graph, &random, 10 + random_bits(&random) % 390);
        random_symbols(&random, points, (size_t)POINTS * INPUTS);
        random_symbols(&random, params, PARAMS);
        points[7] = INFINITY; /* one lane's ruin is its own */
        points[11] = NAN;
        points[33] = 1e200;
        const ProgramSpec spec = graph_spec(&graph);
        for (int level = 0; level <= (int)interpreter_best(); level++) {
            Program *program = compile_or_fail(&spec, (InterpreterLevel)level);
            run_points(program, params, points, POINTS, 1, one);
            for (size_t lanes = 2; lanes <= PROGRAM_MAX_LANES; lanes++) {
                run_points(program, params, points, POINTS, lanes, many);
                check_same(one, many, (size_t)POINTS * OUTPUTS, "random graph", lanes);
            }
            program_free(program);
        }
        expr_pool_free(graph.pool);
    }
}
END_TEST

SUITE(graphs)
{
    TCase *tc = suite_case(suite, "graphs");
    tcase_add_loop_test(tc, a_program_has_the_value_of_its_graph, 0, SEEDS);
    tcase_add_test(tc, fused_operations_change_no_bit);
    tcase_add_loop_test(tc, a_program_has_the_same_bits_in_every_width, 0, 3);
}
