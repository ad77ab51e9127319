/* Expressions and conditions over rows, and the words of a summary. */
#include <math.h>
#include <string.h>

#include "api/documents/row_expression.h"
#include "api/documents/summary.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/ensemble/ensemble.h"
#include "tests/suite.h"

static const char *const STORED[] = {"member", "parameters.l", "first hit", "t", "state"};
enum { N_STORED = 5, N = N_STORED + 1 };

typedef struct Fixture {
    Arena arena;
    Diagnostics diag;
    SummaryColumns columns;
} Fixture;

static void setup(Fixture *f)
{
    *f = (Fixture){0};
    diagnostics_init(&f->diag, &f->arena);
    ck_assert_int_eq(summary_columns(STORED, NULL, N_STORED, &f->arena, &f->columns, NULL), OK);
    ck_assert_uint_eq(f->columns.n, N);
}

static Status make(Fixture *f, const char *text, bool condition, RowExpression **ret)
{
    const RowColumns columns = {f->columns.names, f->columns.words, f->columns.n};

    return row_expression_new(text, condition, &columns, "where", &f->diag, ret, NULL);
}

/* Of a row of the stored columns. */
static double value_of(Fixture *f, const char *text, bool condition, const double *stored)
{
    RowExpression *e = NULL;
    double row[N], value;

    ck_assert_msg(make(f, text, condition, &e) == OK, "%s: %s", text,
                  f->diag.count ? f->diag.items[0].message : "");
    summary_view(stored, N, row);
    row_expression_eval(e, row, 1, &value);
    row_expression_free(e);
    return value;
}

START_TEST(every_row_has_the_value_it_has_alone)
{
    enum { ROWS = 200 };
    static double rows[ROWS * N], values[ROWS];
    RowExpression *e = NULL;
    Fixture f;
    Random random;

    setup(&f);
    random_init(&random, 5);
    for (size_t k = 0; k < ROWS * N; k++)
        rows[k] = random_uniform(&random, -0.5, 0.5);
    ck_assert_int_eq(make(&f, "abs(parameters.l)*member - column(\"first hit\")", false, &e), OK);
    for (size_t n = 0; n <= ROWS; n += 37) {
        row_expression_eval(e, rows, n, values);
        for (size_t k = 0; k < n; k++) {
            const double *row = rows + k * N;
            const double alone = fabs(row[1]) * row[0] - row[2];
            ck_assert_double_eq(values[k], alone);
        }
    }
    row_expression_free(e);
    arena_done(&f.arena);
}
END_TEST

START_TEST(a_constant_is_the_same_for_all_rows)
{
    double rows[3 * N] = {0}, values[3];
    RowExpression *e = NULL;
    Fixture f;

    setup(&f);
    ck_assert_int_eq(make(&f, "1 < 2", true, &e), OK);
    row_expression_eval(e, rows, 3, values);
    ck_assert(values[0] == 1 && values[1] == 1 && values[2] == 1);
    row_expression_free(e);
    arena_done(&f.arena);
}
END_TEST

static const struct {
    const char *text;
    MemberState state;
    double value;
} STATES[] = {
    {"state == \"succeeded\"", MEMBER_SUCCEEDED, 1},
    {"state == \"failed\"", MEMBER_NUMERIC, 1},
    {"state == \"failed\"", MEMBER_CANCELLED, 0},
    {"state == \"cancelled\"", MEMBER_CANCELLED, 1},
    {"reason == \"numeric\"", MEMBER_NUMERIC, 1},
    {"reason == \"numeric\"", MEMBER_MODEL, 0},
    {"reason == \"numeric\"", MEMBER_SUCCEEDED, 0},
    {"state == \"numeric\"", MEMBER_NUMERIC, 0},
    {"state != \"succeeded\"", MEMBER_TIMEOUT, 1},
    {"reason == \"worker_lost\"", MEMBER_WORKER_LOST, 1},
};

START_TEST(states_and_reasons_are_compared_with_words)
{
    const double stored[N_STORED] = {0, 1, 2, 3, STATES[_i].state};
    Fixture f;

    setup(&f);
    ck_assert_msg(value_of(&f, STATES[_i].text, true, stored) == STATES[_i].value, "%s",
                  STATES[_i].text);
    arena_done(&f.arena);
}
END_TEST

START_TEST(a_column_named_as_a_word_of_the_language_is_the_column)
{
    const double stored[N_STORED] = {0, 1, 2, 3, MEMBER_SUCCEEDED};
    Fixture f;

    setup(&f);
    ck_assert_double_eq(value_of(&f, "t + column(\"t\")", false, stored), 6);
    arena_done(&f.arena);
}
END_TEST

START_TEST(each_member_state_has_its_words)
{
    const double state = _i;
    const double stored[N_STORED] = {0, 1, 2, 3, state};
    double row[N];
    Fixture f;

    setup(&f);
    summary_view(stored, N, row);
    ck_assert_mem_eq(row, stored, 4 * sizeof *row);
    const char *said = result_word(&f.columns.words[N - 2], row[N - 2]);
    const char *reason = result_word(&f.columns.words[N - 1], row[N - 1]);
    ck_assert_str_eq(said, _i == MEMBER_SUCCEEDED   ? "succeeded"
                           : _i == MEMBER_CANCELLED ? "cancelled"
                                                    : "failed");
    ck_assert_int_eq(reason == NULL, _i == MEMBER_SUCCEEDED || _i == MEMBER_CANCELLED);
    arena_done(&f.arena);
}
END_TEST

START_TEST(a_mistake_is_told_with_its_place)
{
    RowExpression *e = NULL;
    Fixture f;

    setup(&f);
    ck_assert_int_eq(make(&f, "parameters.k < 1 and member = 3", true, &e), ERR_INVALID);
    ck_assert_uint_eq(f.diag.total, 2);
    ck_assert_str_eq(f.diag.items[0].pointer, "where");
    ck_assert_int_eq(f.diag.items[0].offset, 0);
    ck_assert(strstr(f.diag.items[0].hint, "parameters.l"));
    ck_assert_int_eq(f.diag.items[1].offset, 28);
    arena_done(&f.arena);
}
END_TEST

SUITE(row_expression)
{
    TCase *tc = suite_case(suite, "rows");
    tcase_add_test(tc, every_row_has_the_value_it_has_alone);
    tcase_add_test(tc, a_constant_is_the_same_for_all_rows);
    tcase_add_loop_test(tc, states_and_reasons_are_compared_with_words, 0,
                        sizeof STATES / sizeof STATES[0]);
    tcase_add_test(tc, a_column_named_as_a_word_of_the_language_is_the_column);
    tcase_add_loop_test(tc, each_member_state_has_its_words, 0, MEMBER_STATES);
    tcase_add_test(tc, a_mistake_is_told_with_its_place);
}
