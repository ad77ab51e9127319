/* Ranks from both sides, of matrices whose rank is known by how they were made. */
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/exact/question.h"
#include "tests/suite.h"

enum { SIDE = 4, LENGTH = 600 };

static const char *const ATOMS[] = {"x",         "y",      "sin(x)",        "cos(x + y)",
                                    "1/(1 + y)", "exp(z)", "sqrt(1 + x^2)", "k1*z"};

/* A B of SIDE x rank and rank x SIDE entries, multiplied out, each product in an order of its
 * own. */
static void random_matrix(Random *random, size_t rank, char (*ret)[LENGTH])
{
    const char *a[SIDE][SIDE], *b[SIDE][SIDE];

    for (size_t i = 0; i < SIDE; i++)
        for (size_t k = 0; k < rank; k++) {
            a[i][k] = ATOMS[random_bits(random) % 8];
            b[k][i] = ATOMS[random_bits(random) % 8];
        }
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++) {
            size_t end = (size_t)snprintf(ret[i * SIDE + j], LENGTH, "0");
            /* the diagonal makes the factors independent */
            for (size_t k = 0; k < rank; k++)
                end += (size_t)snprintf(ret[i * SIDE + j] + end, LENGTH - end,
                                        " + (%s + %d)*(%s + %d)", a[i][k], i == k ? 7 : 0, b[k][j],
                                        j == k ? 5 : 0);
        }
}

START_TEST(products_have_the_rank_of_their_factors)
{
    Random random;
    random_init(&random, (uint64_t)_i);

    for (size_t rank = 1; rank <= 3; rank++) {
        char entries[SIDE * SIDE][LENGTH];
        const char *texts[SIDE * SIDE];
        ExactRank least, most;
        Question q;
        question_init(&q);
        random_matrix(&random, rank, entries);
        for (size_t k = 0; k < (size_t)SIDE * SIDE; k++)
            texts[k] = entries[k];
        question_rank(&q, texts, SIDE, SIDE, 1, 0, &least, &most);
        ck_assert_uint_eq(most.rank, rank);
        ck_assert_uint_eq(least.rank, rank);
        ck_assert_double_le(most.chance, 1e-12);
        /* and one more with something that hides in rounding */
        strncat(entries[15], " + 1e-17*exp(-z)", LENGTH - strlen(entries[15]) - 1);
        question_rank(&q, texts, SIDE, SIDE, 1, 0, &least, &most);
        ck_assert_uint_eq(most.rank, rank + 1);
        ck_assert_uint_eq(least.rank, rank + 1);
        question_done(&q);
    }
}
END_TEST

START_TEST(equations_lower_the_rank)
{
    static const char *const CIRCLE[] = {"x^2 + y^2 - 1", NULL};
    static const char *const MATRIX[] = {"x", "-y", "y*1", "x^2 + y^2 - 1"};
    static const char *const ROWS[] = {"x^2", "1 - y^2", "1 + z", "1 + z"};
    ExactRank least, most;
    Question q;

    question_init(&q);
    question_rank(&q, ROWS, 2, 2, 1, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 2);
    ck_assert_uint_eq(least.rank, 2);
    question_stage(&q, "xy", false, CIRCLE);
    question_rank(&q, ROWS, 2, 2, 1, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 1);
    ck_assert_uint_eq(least.rank, 1);
    question_rank(&q, MATRIX, 2, 2, 1, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 2);
    ck_assert_uint_eq(least.rank, 2);
    question_done(&q);
}
END_TEST

/* (s, s x) at many s over one x lie on a line, (s, s^2) do not. */
START_TEST(copies_share_what_the_first_stages_determine)
{
    static const char *const FIRST[] = {"x + y - z", NULL}, *const SECOND[] = {"s + p - x", NULL};
    static const char *const LINE[] = {"s", "s*x", "s*y"}, *const CURVE[] = {"s", "s^2", "s*x"};
    ExactRank least, most;
    Question q;

    question_init(&q);
    question_stage(&q, "xy", true, FIRST);
    question_stage(&q, "sp", true, SECOND);
    question_rank(&q, LINE, 1, 3, 5, 1, &least, &most);
    ck_assert_uint_eq(most.rank, 1);
    ck_assert_uint_eq(least.rank, 1);
    /* x + y is z in every copy */
    question_rank(&q, LINE, 1, 3, 5, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 2);
    ck_assert_uint_eq(least.rank, 2);
    question_rank(&q, CURVE, 1, 3, 5, 1, &least, &most);
    ck_assert_uint_eq(most.rank, 2);
    ck_assert_uint_eq(least.rank, 2);
    question_done(&q);
}
END_TEST

/* Unknowns that depend on each other in a way that is not seen: each half keeps to what it
 * knows. */
START_TEST(what_the_fields_do_not_know_stays_open)
{
    static const char *const HIDDEN[] = {"asin(x/3) + acos(x/3)", "1", "acos(0)", "1"};
    static const char *const ZERO[] = {"sin(2*x) - 2*sin(x)*cos(x)"};
    ExactRank least, most;
    Question q;

    question_init(&q);
    question_rank(&q, HIDDEN, 2, 2, 1, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 2);
    ck_assert_uint_eq(least.rank, 1);
    question_rank(&q, ZERO, 1, 1, 1, 0, &least, &most);
    ck_assert_uint_eq(most.rank, 0);
    question_done(&q);
}
END_TEST

SUITE(rank)
{
    TCase *tc = suite_case(suite, "ranks");

    tcase_add_loop_test(tc, products_have_the_rank_of_their_factors, 0, 8);
    tcase_add_test(tc, equations_lower_the_rank);
    tcase_add_test(tc, copies_share_what_the_first_stages_determine);
    tcase_add_test(tc, what_the_fields_do_not_know_stays_open);
}
