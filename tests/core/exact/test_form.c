/* Signs of polynomials that are homogeneous in some weights. */
#include "tests/core/exact/question.h"
#include "tests/suite.h"

enum { MOST_TERMS = 6 };

typedef struct Case {
    size_t n, n_terms;
    const char *coefficients[MOST_TERMS];
    unsigned exponents[MOST_TERMS * 4];
    ExactSign sign;
} Case;

static const Case CASES[] = {
    {1, 1, {"1e-30"}, {4}, EXACT_POSITIVE},
    {1, 1, {"1"}, {3}, EXACT_NEGATIVE},
    {2, 2, {"1", "1"}, {4, 0, 0, 4}, EXACT_POSITIVE},
    {2, 2, {"1", "1"}, {4, 0, 0, 6}, EXACT_POSITIVE},
    /* (u^2 - v^2)^2 is zero where it is least, and what is about it */
    {2, 3, {"1", "-2", "1"}, {4, 0, 2, 2, 0, 4}, EXACT_NO_SIGN},
    {2, 3, {"1", "-1.999", "1"}, {4, 0, 2, 2, 0, 4}, EXACT_POSITIVE},
    {2, 3, {"1", "-2.001", "1"}, {4, 0, 2, 2, 0, 4}, EXACT_NEGATIVE},
    {2, 3, {"1", "-sqrt(k2) - 0.267", "1"}, {4, 0, 2, 2, 0, 4}, EXACT_POSITIVE},
    /* u^4 - 3 u^2 v^3 + 3 v^6, of weights 3 and 2; on the side v = -1 the middle one is positive */
    {2, 3, {"1", "-3", "3"}, {4, 0, 2, 3, 0, 6}, EXACT_POSITIVE},
    {2, 3, {"1", "-3", "2"}, {4, 0, 2, 3, 0, 6}, EXACT_NEGATIVE},
    {2, 3, {"1", "3", "2"}, {4, 0, 2, 3, 0, 6}, EXACT_NEGATIVE},
    /* T. S. Motzkin's, nowhere negative and no sum of squares, with a little less or more */
    {3, 4, {"1", "1", "1", "-2.99"}, {4, 2, 0, 2, 4, 0, 0, 0, 6, 2, 2, 2}, EXACT_NO_SIGN},
    {3,
     6,
     {"1", "1", "1", "-3", "0.2", "0.2"},
     {4, 2, 0, 2, 4, 0, 0, 0, 6, 2, 2, 2, 6, 0, 0, 0, 6, 0},
     EXACT_POSITIVE},
    {3,
     6,
     {"1", "1", "1", "-3.5", "0.2", "0.2"},
     {4, 2, 0, 2, 4, 0, 0, 0, 6, 2, 2, 2, 6, 0, 0, 0, 6, 0},
     EXACT_NEGATIVE},
    {4,
     5,
     {"1", "1", "1", "1", "-3.9"},
     {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 1, 1, 1, 1},
     EXACT_POSITIVE},
    {4,
     5,
     {"1", "1", "1", "1", "-4.1"},
     {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 1, 1, 1, 1},
     EXACT_NEGATIVE},
};

START_TEST(a_sign_is_proved_on_the_faces_of_a_cube)
{
    const Case *c = &CASES[_i];
    Question q;

    question_init(&q);
    ck_assert_int_eq(question_form(&q, c->coefficients, c->n_terms, c->exponents, c->n), c->sign);
    question_done(&q);
}
END_TEST

SUITE(form)
{
    TCase *tc = suite_case(suite, "form");

    tcase_add_loop_test(tc, a_sign_is_proved_on_the_faces_of_a_cube, 0,
                        sizeof CASES / sizeof CASES[0]);
}
