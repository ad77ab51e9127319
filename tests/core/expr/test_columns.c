/* Conditions and expressions over the columns of a table. */
#include <math.h>
#include <string.h>

#include "tests/core/expr/fixture.h"
#include "tests/suite.h"

static const char *const NAMES[] = {"a",          "initial.q.x", "initial.q.x1",
                                    "with space", "and.b",       "max"};
enum { N_NAMES = sizeof NAMES / sizeof NAMES[0] };

static void setup(Fixture *f)
{
    fixture_init(f, false);
    for (uint32_t k = 0; k < N_NAMES; k++)
        ck_assert(expr_scope_add(f->scope, NAMES[k], expr_symbol(f->pool, k)));
    ck_assert(expr_scope_add(f->scope, "\"failed\"", expr_const(f->pool, 1.0)));
}

/* The value of a text where column k has the value values[k]; NaN after a mistake. */
static double value_of(Fixture *f, const char *text, ParseFlags flags, const double *values)
{
    double value = NAN;

    diagnostics_init(&f->diag, f->arena);
    const Expr e = expr_parse(f->pool, f->scope, text, flags, "/where", &f->diag);
    if (!expr_is_none(e))
        ck_assert_int_eq(expr_eval(f->pool, &e, 1, values, &value, NULL), OK);
    return value;
}

static const struct {
    const char *text;
    double value; /* at the numbers 1, 2, .. of the columns */
} READ[] = {
    {"a + 1", 2},
    {"initial.q.x", 2},
    {"-initial.q.x1*2", -6},
    {"initial.q.x1-initial.q.x", 1},
    {"column(\"with space\")", 4},
    {"2*column( \"initial.q.x\" )^2", 8},
    {"and.b", 5},
    {"max", 6},
    {"max(max, a)", 6},
    {"1.5e0*a", 1.5},
    {"\"failed\" + a", 2},
};

START_TEST(a_column_is_written_as_it_stands_or_in_quotes)
{
    const double values[] = {1, 2, 3, 4, 5, 6};
    Fixture f;

    setup(&f);
    const double value = value_of(&f, READ[_i].text, PARSE_COLUMNS, values);
    ck_assert_msg(value == READ[_i].value, "%s is %g: %s", READ[_i].text, value,
                  f.diag.total ? f.diag.items[0].message : "");
    fixture_done(&f);
}
END_TEST

START_TEST(a_condition_is_one_where_it_holds)
{
    const double values[] = {1, 2, 3, NAN, 5, 6};
    static const struct {
        const char *text;
        double value;
    } CONDITIONS[] = {
        {"a < 2 and initial.q.x == 2", 1},
        {"not (a < 2) or initial.q.x != 2", 0},
        {"(a >= 1)", 1},
        {"a == \"failed\"", 1},
        {"column(\"with space\") < 1", 0}, /* NaN */
        {"column(\"with space\") >= 1", 0},
        {"1 < 2", 1},
        {"if(a < 2, 3, 4) == 3", 1},
    };
    Fixture f;

    setup(&f);
    for (size_t k = 0; k < sizeof CONDITIONS / sizeof CONDITIONS[0]; k++) {
        const double value =
            value_of(&f, CONDITIONS[k].text, PARSE_CONDITION | PARSE_COLUMNS, values);
        ck_assert_msg(value == CONDITIONS[k].value, "%s is %g: %s", CONDITIONS[k].text, value,
                      f.diag.total ? f.diag.items[0].message : "");
    }
    fixture_done(&f);
}
END_TEST

static const struct {
    const char *text;
    ParseFlags flags;
    long offset;
    const char *message, *hint; /* parts of them */
} MISTAKES[] = {
    {"a + 1", PARSE_CONDITION | PARSE_COLUMNS, 0, "needs a condition", "x < 0"},
    {"a = 1", PARSE_CONDITION | PARSE_COLUMNS, 2, "does not compare", "write =="},
    {"a < 1 < 2", PARSE_CONDITION | PARSE_COLUMNS, 6, "do not chain", "and"},
    {"a < 1", PARSE_COLUMNS, 2, "a condition can stand only in if", ""},
    {"initial.q.y", PARSE_COLUMNS, 0, "unknown name \"initial.q.y\"", "initial.q.x"},
    {"1 + initial.q", PARSE_COLUMNS, 4, "unknown name \"initial.q\"", ""},
    {"a.5", PARSE_COLUMNS, 1, "an operator is missing", ""},
    {"column(\"wiht space\")", PARSE_COLUMNS, 7, "unknown column \"wiht space\"", "with space"},
    {"column(a)", PARSE_COLUMNS, 7, "column takes one name in quotes", "column(\"NAME\")"},
    {"column", PARSE_COLUMNS, 0, "unknown name", ""},
    {"a == \"faild\"", PARSE_CONDITION | PARSE_COLUMNS, 5, "the text \"faild\"",
     "did you mean \"failed\"?"},
    {"a == \"nothing like it\"", PARSE_CONDITION | PARSE_COLUMNS, 5, "no column has", "column("},
    {"a == failed", PARSE_CONDITION | PARSE_COLUMNS, 5, "unknown name \"failed\"",
     "did you mean \"failed\"?"},
    {"a == 'failed'", PARSE_CONDITION | PARSE_COLUMNS, 5, "unexpected character", "double quotes"},
    {"a == \"failed", PARSE_CONDITION | PARSE_COLUMNS, 5, "unexpected character", ""},
    {"column(\"a\")", PARSE_EXPRESSION, 0, "unknown function \"column\"", ""},
    {"initial.q.x", PARSE_EXPRESSION, 0, "unknown name \"initial\"", ""},
};

START_TEST(a_mistake_over_columns_is_named_with_its_place)
{
    const double values[N_NAMES] = {0};
    Fixture f;

    setup(&f);
    ck_assert(isnan(value_of(&f, MISTAKES[_i].text, MISTAKES[_i].flags, values)));
    ck_assert_uint_gt(f.diag.total, 0);
    const Diagnostic *first = &f.diag.items[0];
    ck_assert_msg(strstr(first->message, MISTAKES[_i].message), "%s: %s", MISTAKES[_i].text,
                  first->message);
    ck_assert_msg(first->offset == MISTAKES[_i].offset, "%s: %ld", MISTAKES[_i].text,
                  first->offset);
    ck_assert_msg(strstr(first->hint ? first->hint : "", MISTAKES[_i].hint), "%s: %s",
                  MISTAKES[_i].text, first->hint ? first->hint : "");
    fixture_done(&f);
}
END_TEST

SUITE(columns)
{
    TCase *tc = suite_case(suite, "columns");
    tcase_add_loop_test(tc, a_column_is_written_as_it_stands_or_in_quotes, 0,
                        sizeof READ / sizeof READ[0]);
    tcase_add_test(tc, a_condition_is_one_where_it_holds);
    tcase_add_loop_test(tc, a_mistake_over_columns_is_named_with_its_place, 0,
                        sizeof MISTAKES / sizeof MISTAKES[0]);
}
