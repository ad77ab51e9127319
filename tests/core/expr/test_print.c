/* Printed text parses back to the same node; LaTeX and C look as written by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "tests/core/expr/fixture.h"
#include "tests/core/expr/trees.h"
#include "tests/suite.h"

static char *print_text(const ExprPool *pool, Expr e)
{
    Text text = TEXT_INIT;
    Error error;
    PrintNames names = {.names = FIXTURE_TEXT_NAMES, .n = FIXTURE_SYMBOLS};
    ck_assert_msg(expr_print(pool, e, PRINT_TEXT, names, 1 << 20, &text, &error) == OK, "%s",
                  error.message);
    return text.data;
}

/* The text means the node in its own pool, and prints as itself in a fresh one. */
static void check_round_trip(Fixture *fixture, Expr e)
{
    char *text = print_text(fixture->pool, e);
    Expr again = fixture_read(fixture, text);
    ck_assert_msg(expr_same(e, again), "%s\nreads as\n%s", text, print_text(fixture->pool, again));

    Fixture fresh;
    fixture_init(&fresh, false);
    char *second = print_text(fresh.pool, fixture_read(&fresh, text));
    ck_assert_str_eq(text, second);
    free(text);
    free(second);
    fixture_done(&fresh);
}

START_TEST(random_expressions_and_derivatives_survive_the_round_trip)
{
    const uint64_t seed = 4242;
    Random random;
    Trees trees;
    int checked = 0;

    printf("seed %llu\n", (unsigned long long)seed);
    random_init(&random, seed);
    for (int i = 0; i < 4000; i++) {
        Fixture fixture;
        fixture_init(&fixture, false);
        Expr e = tree_build(&trees, tree_random(&trees, &random, 4), fixture.pool);
        if (i % 2)
            e = expr_diff(fixture.pool, e, fixture.symbols[1]);
        if (expr_pool_status(fixture.pool, NULL) == OK) {
            check_round_trip(&fixture, e);
            checked++;
        }
        fixture_done(&fixture);
    }
    ck_assert_int_gt(checked, 3500);
}
END_TEST

/* A text, and how it reads in each format. */
static const struct {
    const char *text, *printed, *latex;
} LOOKS[] = {
    {"m/2*dot(x)^2", "m*dot(x)^2/2", "\\frac{1}{2} \\, m \\, \\dot{x}^{2}"},
    {"-m*g*x + m*dot(x)^2/2", "m*dot(x)^2/2 - m*g*x",
     "\\frac{1}{2} \\, m \\, \\dot{x}^{2} - m \\, g \\, x"},
    {"sin(theta)^2*l", "l*sin(theta)^2", "l \\, \\sin^{2}\\left(\\theta\\right)"},
    {"g/l*sin(theta)", "g*sin(theta)/l", "\\frac{g \\, \\sin\\left(\\theta\\right)}{l}"},
    {"1 - x", "1 - x", "1 - x"},
    {"x + 1", "x + 1", "x + 1"},
    {"-x - 1", "-x - 1", "-x - 1"},
    {"(x + m)^2/l", "(x + m)^2/l", "\\frac{\\left(x + m\\right)^{2}}{l}"},
    {"1/(2*m*x)", "1/(2*m*x)", "\\frac{1}{2 \\, m \\, x}"},
    {"x/3/(x + 2*m)", "x/3/(x + 2*m)", "\\frac{x}{3 \\, \\left(x + 2 \\, m\\right)}"},
    {"2*pi*x/3", "2*pi*x/3", "\\frac{2 \\pi}{3} \\, x"},
    {"0.1*x", "0.1*x", "0.1 \\, x"},
    /* doubles that stand for other numbers */
    {"x/1.373878287 + m/123456789123 + l", NULL, NULL},
    {"x/1.373878287/l - 2.5*pi*m/7.77777777123", NULL, NULL},
    {"sqrt(5)*x + 3.14159265358979323846*m + l*1.0000001^1000", NULL, NULL},
    {"(x/1.373878287 + m/3)^2/8.3144626181 - exp(1)/l", NULL, NULL},
    {"3e-8*x", "3e-08*x", "3 \\cdot 10^{-8} \\, x"},
    {"sqrt(x^2 + 1)", "sqrt(x^2 + 1)", "\\sqrt{x^{2} + 1}"},
    {"exp(-2*x)", "exp(-2*x)", "e^{-2 \\, x}"},
    {"abs(x)", "abs(x)", "\\left|x\\right|"},
    {"3*2^x", "3*2^x", "3 \\cdot 2^{x}"},
    {"x^(m + 1)", "x^(m + 1)", "x^{m + 1}"},
    {"(-2*x)^m", "(-2*x)^m", "\\left(-2 \\, x\\right)^{m}"},
    {"if(x < m and not x == 1, 1, -1)", NULL, NULL},
    {"if(x != m, 1, 0)", "if(x != m, 1, 0)",
     "\\begin{cases} 1 & \\text{if } x \\ne m \\\\ 0 & \\text{otherwise} \\end{cases}"},
    {"hypot(x, sin(m))", "hypot(x, sin(m))", "\\sqrt{x^{2} + \\sin^{2}\\left(m\\right)}"},
    {"atan2(x, m)", "atan2(x, m)", "\\operatorname{atan2}\\left(x, m\\right)"},
};

START_TEST(expressions_read_as_written_by_hand)
{
    Fixture fixture;
    fixture_init(&fixture, false);
    Expr e = fixture_read(&fixture, LOOKS[_i].text);
    check_round_trip(&fixture, e);
    if (LOOKS[_i].printed) {
        ck_assert_str_eq(fixture_print(&fixture, e, PRINT_TEXT), LOOKS[_i].printed);
        ck_assert_str_eq(fixture_print(&fixture, e, PRINT_LATEX), LOOKS[_i].latex);
    }
    fixture_done(&fixture);
}
END_TEST

static const char *const LATEX_NAMES[][2] = {
    {"x", "x"},
    {"theta", "\\theta"},
    {"psi1", "\\psi_{1}"},
    {"m0", "m_{0}"},
    {"theta_12", "\\theta_{12}"},
    {"rolling_x", "\\mathrm{rolling\\_x}"},
    {"speed2", "\\mathrm{speed}_{2}"},
    {"Omega", "\\Omega"},
};

START_TEST(names_become_latex)
{
    Text text = TEXT_INIT;
    print_latex_name(LATEX_NAMES[_i][0], &text);
    ck_assert_str_eq(text_string(&text), LATEX_NAMES[_i][1]);
    text_done(&text);
}
END_TEST

START_TEST(symbols_without_a_name_are_numbered)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    const char *names[] = {"a", NULL};
    Text text = TEXT_INIT;
    Expr e = expr_mul(pool, expr_symbol(pool, 1), expr_symbol(pool, 7));
    ck_assert(expr_print(pool, e, PRINT_TEXT, (PrintNames){.names = names, .n = 2}, 100, &text,
                         NULL) == OK);
    ck_assert_str_eq(text_string(&text), "s1*s7");
    text_done(&text);
    expr_pool_free(pool);
}
END_TEST

/* Runs the compiler on printed C: a program that prints the values of all expressions. */
static void write_program(FILE *file, const ExprPool *pool, const Expr *e, size_t n,
                          const double *symbols)
{
    Text text = TEXT_INIT;

    fprintf(file, "#include <math.h>\n#include <stdio.h>\nint main(void)\n{\n");
    for (int i = 0; i < TREE_SYMBOLS; i++)
        fprintf(file, "double s%d = %.17g; (void)s%d;\n", i, symbols[i], i);
    for (size_t i = 0; i < n; i++) {
        text_reset(&text);
        ck_assert(expr_print(pool, e[i], PRINT_C, (PrintNames){.n = 0}, 1 << 20, &text, NULL) ==
                  OK);
        fprintf(file, "printf(\"%%.17g\\n\", %s);\n", text_string(&text));
    }
    fprintf(file, "return 0;\n}\n");
    text_done(&text);
}

enum { C_CASES = 300 };

START_TEST(printed_c_compiles_and_has_the_same_value)
{
    char folder[] = "/tmp/expr-print-XXXXXX", path[64], command[256];
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    Expr e[C_CASES];
    double symbols[TREE_SYMBOLS], value;
    Random random;
    Trees trees;

    random_init(&random, 5);
    random_point(&random, symbols);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int i = 0; i < C_CASES; i++)
        e[i] = tree_build(&trees, tree_random(&trees, &random, 4), pool);
    ck_assert(expr_pool_status(pool, NULL) == OK);
    snprintf(path, sizeof path, "%s/p.c", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    write_program(file, pool, e, C_CASES, symbols);
    fclose(file);
    snprintf(command, sizeof command,
             "cd %s && cc -std=c99 -pedantic-errors -O0 -o p p.c -lm && ./p > out", folder);
    ck_assert_int_eq(system(command), 0);
    snprintf(path, sizeof path, "%s/out", folder);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < C_CASES; i++) {
        double compiled;
        ck_assert_int_eq(fscanf(file, "%lf", &compiled), 1);
        ck_assert(expr_eval(pool, &e[i], 1, symbols, &value, NULL) == OK);
        if (isfinite(value))
            ck_assert_double_eq_tol(compiled, value, 1e-9 * (1 + fabs(value)));
    }
    fclose(file);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
    expr_pool_free(pool);
}
END_TEST

SUITE(print)
{
    TCase *tc = suite_case(suite, "print");
    tcase_add_test(tc, random_expressions_and_derivatives_survive_the_round_trip);
    tcase_add_loop_test(tc, expressions_read_as_written_by_hand, 0, sizeof LOOKS / sizeof LOOKS[0]);
    tcase_add_loop_test(tc, names_become_latex, 0, sizeof LATEX_NAMES / sizeof LATEX_NAMES[0]);
    tcase_add_test(tc, symbols_without_a_name_are_numbered);
    tcase_add_test(tc, printed_c_compiles_and_has_the_same_value);
}
