/* Expression bombs are refused, and long texts read, with little work: counted, not timed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

/* Units of expr_pool_work() that a byte of text, a node and an operand may cost. */
enum { WORK_PER_BYTE = 12, WORK_PER_NODE = 20, WORK_PER_OPERAND = 12 };

/* `begin`, then n times `middle`, then `end`. */
static char *repeat(const char *begin, const char *middle, size_t n, const char *end)
{
    Text text = TEXT_INIT;
    text_puts(&text, begin);
    for (size_t i = 0; i < n; i++)
        text_puts(&text, middle);
    text_puts(&text, end);
    ck_assert(text_ok(&text));
    return text.data;
}

/* Parses with work in proportion to the text; true when it is an expression, else at least one
 * diagnostic. */
static bool parses(Fixture *fixture, char *text)
{
    diagnostics_init(&fixture->diag, fixture->arena);
    const uint64_t before = expr_pool_work(fixture->pool);
    Expr e = expr_parse(fixture->pool, fixture->scope, text, PARSE_EXPRESSION, "", &fixture->diag);
    const uint64_t work = expr_pool_work(fixture->pool) - before;
    ck_assert_msg(work <= WORK_PER_BYTE * (uint64_t)strlen(text), "%.30s...: work %llu", text,
                  (unsigned long long)work);
    ck_assert(expr_is_none(e) == (fixture->diag.total > 0));
    free(text);
    return !expr_is_none(e);
}

static const struct {
    const char *begin, *middle, *end;
    size_t n;
    const char *message;
} BOMBS[] = {
    {"", "(", "x", 100000, "nested deeper than 200 levels"},
    {"", "sin(", "x", 100000, "nested deeper than 200 levels"},
    {"x", "^x", "", 100000, "nested deeper than 200 levels"},
    {"x", "^-x", "", 100000, "nested deeper than 200 levels"},
    {"x", ")", "", 100000, "\")\" without \"(\""},
    {"", "$", "", 100000, "unexpected character"},
    {"0", "+qq", "", 100000, "unknown name"},
    {"", "x ", "", 100000, "an operator is missing"},
    {"0", "+a", "", 600000, "longer than 1048576 bytes"},
    {"", "\xce\xb8 ", "", 100000, "unexpected character"},
};

START_TEST(bombs_are_refused_with_little_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    ck_assert(
        !parses(&fixture, repeat(BOMBS[_i].begin, BOMBS[_i].middle, BOMBS[_i].n, BOMBS[_i].end)));
    bool found = false;
    for (size_t i = 0; i < fixture.diag.count; i++)
        found = found || strstr(fixture.diag.items[i].message, BOMBS[_i].message);
    ck_assert_msg(found, "%s", fixture.diag.items[0].message);
    fixture_done(&fixture);
}
END_TEST

/* Long but harmless. */
static const struct {
    const char *begin, *middle, *end;
    size_t n;
} LONG[] = {
    {"0", "+x", "", 150000},
    {"x", "*m", "", 150000},
    {"", "-", "x", 500000},
    {"", "- +", "x", 150000},
    {"1", "+sin(x)", "", 100000},
    {"max(x", ",m,g", ")", 100000},
    {"if(x<m", " or m<g", ",1,2)", 900},
    {"if(", "not ", "x<m,1,2)", 150000},
    {"x", "/m", "", 150000},
    {"0", "+dot(x*theta)", "", 50000},
    {"", " ", "x", 1000000},
};

START_TEST(long_texts_are_read_with_linear_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    ck_assert_msg(
        parses(&fixture, repeat(LONG[_i].begin, LONG[_i].middle, LONG[_i].n, LONG[_i].end)), "%s",
        fixture.diag.count ? fixture.diag.items[0].message : "");
    fixture_done(&fixture);
}
END_TEST

START_TEST(two_hundred_levels_are_read)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    for (int i = 0; i < PARSE_MAX_NESTING; i++)
        text_puts(&text, "sin(");
    text_puts(&text, "x");
    for (int i = 0; i < PARSE_MAX_NESTING; i++)
        text_puts(&text, ")");
    ck_assert(parses(&fixture, text.data));
    fixture_done(&fixture);
}
END_TEST

START_TEST(flat_sums_of_many_different_terms_are_little_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    text_puts(&text, "0");
    for (int i = 0; i < 60000; i++)
        text_printf(&text, "+sin(%d*x)", i + 1);
    parses(&fixture, text.data);
    fixture_done(&fixture);
}
END_TEST

START_TEST(names_without_number_are_little_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    for (int i = 0; i < 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "parameter_%d", i);
        ck_assert(expr_scope_add(fixture.scope, name, fixture.symbols[7]));
    }
    text_puts(&text, "0");
    for (int i = 0; i < 20000; i++)
        text_printf(&text, "+parameter_%d", i);
    ck_assert(parses(&fixture, text.data));
    fixture_done(&fixture);
}
END_TEST

START_TEST(many_unknown_names_among_many_known_ones_are_little_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    for (int i = 0; i < 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "parameter_%05d", i);
        ck_assert(expr_scope_add(fixture.scope, name, fixture.symbols[7]));
    }
    text_puts(&text, "0");
    for (int i = 0; i < 1000; i++)
        text_printf(&text, "+parametre_%05d", i);
    ck_assert(!parses(&fixture, text.data));
    ck_assert_str_eq(fixture.diag.items[0].hint, "did you mean \"parameter_00000\"?");
    fixture_done(&fixture);
}
END_TEST

/* The work of reading a sum of n terms, each with its number between `begin` and `end`. */
static double work_of_sum(const char *begin, const char *end, int n)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    text_puts(&text, "0");
    for (int i = 0; i < n; i++)
        text_printf(&text, "%s%d%s", begin, i + 1, end);
    Expr e = expr_parse(fixture.pool, fixture.scope, text_string(&text), PARSE_EXPRESSION, "",
                        &fixture.diag);
    ck_assert(!expr_is_none(e));
    text_done(&text);
    double work = (double)expr_pool_work(fixture.pool);
    fixture_done(&fixture);
    return work;
}

START_TEST(twice_the_terms_are_twice_the_work)
{
    static const struct {
        const char *begin, *end;
        int n;
    } SUMS[] = {{"+sin(", "*x)", 30000},
                {"+", "*x", 60000},
                {"+x^", "", 60000},
                {"+dot(x*", ")", 30000},
                {"+dot(sin(", "*x))", 20000}};
    for (size_t i = 0; i < sizeof SUMS / sizeof SUMS[0]; i++) {
        double half = work_of_sum(SUMS[i].begin, SUMS[i].end, SUMS[i].n);
        double all = work_of_sum(SUMS[i].begin, SUMS[i].end, 2 * SUMS[i].n);
        ck_assert_msg(all <= 2.2 * half, "%s: %g and %g", SUMS[i].begin, half, all);
    }
}
END_TEST

/* Every factor has a partner: pairs must not be looked for among all of them. */
START_TEST(long_products_of_squares_are_little_work)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Text text = TEXT_INIT;
    text_puts(&text, "cos(x)^2 + 1");
    for (int i = 0; i < 20000; i++)
        text_printf(&text, "*sin(%d*x)^2*cos(%d*x)", i + 1, i + 1);
    ck_assert(parses(&fixture, text.data));
    fixture_done(&fixture);
}
END_TEST

/* Tokens in any order: an expression or a diagnostic, never anything else. */
START_TEST(token_soup_is_an_expression_or_a_mistake)
{
    static const char *const TOKENS[] = {
        "x",        "m",     "theta", "1",    "2.5",      "+",    "-",     "*",    "/",
        "^",        "(",     ")",     ",",    "=",        "<",    "<=",    "==",   "!=",
        "not",      "and",   "or",    "sin(", "if(",      "dot(", "ddot(", "min(", "multiplier(",
        "energy()", "t",     "**",    "&&",   "\xc2\xb2", "$",    "bad",   "c1",   "foo(",
        "0",        "sqrt(", "pow(",  "(x)",  " x"};
    enum { N_TOKENS = sizeof TOKENS / sizeof TOKENS[0] };
    Random random;

    random_init(&random, 77);
    for (int i = 0; i < 20000; i++) {
        Fixture fixture;
        char text[400] = "";
        uint64_t n = random_bits(&random) % 14 + 1;
        for (uint64_t k = 0; k < n; k++)
            strcat(text, TOKENS[random_bits(&random) % N_TOKENS]);
        fixture_init(&fixture, i % 2);
        ParseFlags flags = i % 3 ? PARSE_EXPRESSION : PARSE_EQUATION;
        Expr e = expr_parse(fixture.pool, fixture.scope, text, flags, "", &fixture.diag);
        ck_assert_msg(expr_is_none(e) == (fixture.diag.total > 0), "%s", text);
        ck_assert_msg(expr_pool_status(fixture.pool, NULL) == OK, "%s", text);
        for (size_t k = 0; k < fixture.diag.count; k++)
            ck_assert_msg(fixture.diag.items[k].offset >= 0 &&
                              fixture.diag.items[k].offset <= (long)strlen(text),
                          "%s", text);
        fixture_done(&fixture);
    }
}
END_TEST

/* Definitions d0 = x + 1, d1 = d0*d0 + 1, ...: 2^n leaves when written out. */
START_TEST(doubling_definitions_stay_linear_in_the_graph)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    ExprPool *pool = fixture.pool;
    Expr x = fixture.symbols[1], e = x;
    for (int i = 0; i < 150; i++)
        e = expr_add(pool, expr_call(pool, EXPR_SIN, &e, 1), expr_mul(pool, e, e));
    Expr d = expr_diff(pool, e, x), gradient;
    expr_gradient(pool, e, &x, 1, &gradient);
    ck_assert(!expr_is_none(e) && !expr_is_none(d) && !expr_is_none(gradient));
    ck_assert_uint_lt(expr_pool_size(pool), 20000);
    Text text = TEXT_INIT;
    Error error = {0};
    ck_assert_int_eq(expr_print(pool, e, PRINT_TEXT, (PrintNames){.n = 0}, 100000, &text, &error),
                     ERR_LIMIT);
    ck_assert_uint_eq(text.length, 0);
    text_done(&text);
    ck_assert_uint_le(expr_pool_work(pool), WORK_PER_NODE * (uint64_t)expr_pool_size(pool));
    fixture_done(&fixture);
}
END_TEST

START_TEST(growing_sums_meet_the_limit_of_operands)
{
    ExprPool *pool = expr_pool_new((ExprLimits){.max_nodes = 20000});
    Expr sum = expr_symbol(pool, 0);
    for (uint32_t i = 1; i < 20000; i++)
        sum = expr_add(pool, sum, expr_symbol(pool, i));
    ck_assert_int_eq(expr_pool_status(pool, NULL), ERR_LIMIT);
    ck_assert_uint_le(expr_pool_work(pool), WORK_PER_OPERAND * (uint64_t)(8 * 20000));
    expr_pool_free(pool);
}
END_TEST

START_TEST(the_node_limit_is_sticky)
{
    ExprPool *pool = expr_pool_new((ExprLimits){.max_nodes = 10});
    Error error;
    Expr e = EXPR_NONE;
    for (uint32_t i = 0; i < 20; i++)
        e = expr_symbol(pool, i);
    ck_assert(expr_is_none(e));
    ck_assert_int_eq(expr_pool_status(pool, &error), ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(error.message, "10 nodes"));
    ck_assert(expr_is_none(expr_symbol(pool, 0)));
    ck_assert_uint_eq(expr_pool_size(pool), 10);
    ExprPool *clone = expr_pool_clone(pool);
    ck_assert_int_eq(expr_pool_status(clone, NULL), ERR_LIMIT);
    expr_pool_free(clone);
    expr_pool_free(pool);
}
END_TEST

START_TEST(the_depth_limit_is_checked)
{
    ExprPool *pool = expr_pool_new((ExprLimits){.max_depth = 50});
    Expr e = expr_symbol(pool, 0);
    for (int i = 0; i < 50; i++)
        e = expr_call(pool, EXPR_SIN, &e, 1);
    ck_assert(!expr_is_none(e));
    ck_assert(expr_is_none(expr_call(pool, EXPR_SIN, &e, 1)));
    ck_assert_int_eq(expr_pool_status(pool, NULL), ERR_LIMIT);
    expr_pool_free(pool);
}
END_TEST

START_TEST(a_full_pool_is_a_diagnostic)
{
    ExprPool *pool = expr_pool_new((ExprLimits){.max_nodes = 15});
    ExprScope *scope = expr_scope_new();
    Arena *arena = arena_new(1 << 16);
    static Diagnostics diag;
    diagnostics_init(&diag, arena);
    ck_assert(expr_scope_add(scope, "x", expr_symbol(pool, 0)));
    Expr e = expr_parse(pool, scope,
                        "sin(x)+sin(2*x)+sin(3*x)+sin(4*x)+sin(5*x)+sin(6*x)+sin(7*x)+sin(8*x)",
                        PARSE_EXPRESSION, "/p", &diag);
    ck_assert(expr_is_none(e));
    ck_assert_uint_eq(diag.total, 1);
    ck_assert_ptr_nonnull(strstr(diag.items[0].message, "more than 15 nodes"));
    ck_assert(expr_is_none(expr_parse(pool, scope, "x", PARSE_EXPRESSION, "/q", &diag)));
    ck_assert_uint_eq(diag.total, 2);
    arena_free(arena);
    expr_scope_free(scope);
    expr_pool_free(pool);
}
END_TEST

START_TEST(constants_that_are_not_finite_stick)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr zero = expr_const(pool, 0.0), x = expr_symbol(pool, 0);
    ck_assert(expr_is_none(expr_div(pool, x, zero)));
    ck_assert_int_eq(expr_pool_status(pool, NULL), ERR_INVALID);
    ck_assert(expr_is_none(expr_add(pool, x, x)));
    expr_pool_free(pool);
}
END_TEST

SUITE(limits)
{
    TCase *tc = suite_case(suite, "limits");
    tcase_add_loop_test(tc, bombs_are_refused_with_little_work, 0, sizeof BOMBS / sizeof BOMBS[0]);
    tcase_add_loop_test(tc, long_texts_are_read_with_linear_work, 0, sizeof LONG / sizeof LONG[0]);
    tcase_add_test(tc, two_hundred_levels_are_read);
    tcase_add_test(tc, flat_sums_of_many_different_terms_are_little_work);
    tcase_add_test(tc, names_without_number_are_little_work);
    tcase_add_test(tc, many_unknown_names_among_many_known_ones_are_little_work);
    tcase_add_test(tc, twice_the_terms_are_twice_the_work);
    tcase_add_test(tc, long_products_of_squares_are_little_work);
    tcase_add_test(tc, token_soup_is_an_expression_or_a_mistake);
    tcase_add_test(tc, doubling_definitions_stay_linear_in_the_graph);
    tcase_add_test(tc, growing_sums_meet_the_limit_of_operands);
    tcase_add_test(tc, the_node_limit_is_sticky);
    tcase_add_test(tc, the_depth_limit_is_checked);
    tcase_add_test(tc, a_full_pool_is_a_diagnostic);
    tcase_add_test(tc, constants_that_are_not_finite_stick);
}
