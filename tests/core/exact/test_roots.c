/* Roots by the side of a line, and forms that are positive: of matrices whose roots are known by
 * how they were made, on scales far apart and with roots as near the line as decimals go. */
#include <math.h>
#include <stdio.h>

#include "core/base/random.h"
#include "tests/core/exact/question.h"
#include "tests/suite.h"

enum { SIDE = 5, BLOCK = SIDE * SIDE, LENGTH = 40 };

/* s - A for a triangular A turned by shears, which have whole entries: the roots are the
 * diagonal. */
static void turned(Random *random, const double *diagonal, char (*ret)[LENGTH])
{
    double A[SIDE][SIDE] = {{0}};

    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = i; j < SIDE; j++)
            A[i][j] = i == j ? diagonal[i] : (double)(random_bits(random) % 5) - 2;
    for (size_t round = 0; round < 6; round++) {
        const size_t i = random_bits(random) % SIDE, j = (i + 1) % SIDE;
        for (size_t k = 0; k < SIDE; k++)
            A[i][k] += A[j][k];
        for (size_t k = 0; k < SIDE; k++)
            A[k][j] -= A[k][i];
    }
    for (size_t k = 0; k < 3 * BLOCK; k++) {
        const size_t i = k % BLOCK / SIDE, j = k % SIDE;
        snprintf(ret[k], LENGTH, "%.6f", k < BLOCK ? -A[i][j] : k < 2 * BLOCK && i == j ? 1 : 0);
    }
}

START_TEST(roots_are_counted_on_their_sides)
{
    Random random;
    random_init(&random, (uint64_t)_i);

    for (size_t round = 0; round < 10; round++) {
        char entries[3 * BLOCK][LENGTH];
        const char *texts[3 * BLOCK];
        double diagonal[SIDE];
        size_t right = 0, zeros = 0;
        Question q;
        /* of different sizes, as roots s and -s are told from the line by no scheme; decimals
         * of six places, in which what the shears make of them is exact */
        for (size_t k = 0; k < SIDE; k++) {
            diagonal[k] = (random_bits(&random) & 1 ? 1 : -1) * (9 + 2 * (double)k) *
                          pow(10, (double)(random_bits(&random) % 9) - 6);
            if (random_bits(&random) % 4 == 0)
                diagonal[k] = 0;
            right += diagonal[k] > 0;
            zeros += diagonal[k] == 0;
        }
        question_init(&q);
        turned(&random, diagonal, entries);
        for (size_t k = 0; k < 3 * (size_t)BLOCK; k++)
            texts[k] = entries[k];
        const ExactRoots roots = question_roots(&q, texts, SIDE, SIDE, zeros, 0);
        ck_assert(roots.counted);
        ck_assert_uint_eq(roots.right, right);
        ck_assert_uint_eq(roots.left, SIDE - right - zeros);
        /* a zero that is not known to be one is on the line */
        if (zeros)
            ck_assert(!question_roots(&q, texts, SIDE, SIDE, zeros - 1, 0).counted);
        question_done(&q);
    }
}
END_TEST

/* (s^2 + 1e-13 s + 1e14)(s - line), and a pair on the axis. */
START_TEST(roots_near_the_line_are_told_apart)
{
    static const char *const WEAK[] = {"1e14", "1e-13", "1"}, *const STRONG[] = {"1e14", "-1e-13",
                                                                                 "1"};
    static const char *const AXIS[] = {"k1", "0", "1"}, *const SADDLE[] = {"-k1", "0", "1"};
    Question q;

    question_init(&q);
    ck_assert_uint_eq(question_roots(&q, WEAK, 1, 2, 0, 0).left, 2);
    ck_assert_uint_eq(question_roots(&q, STRONG, 1, 2, 0, 0).right, 2);
    ck_assert(!question_roots(&q, AXIS, 1, 2, 0, 0).counted);
    ck_assert(!question_roots(&q, SADDLE, 1, 2, 0, 0).counted);
    ck_assert_uint_eq(question_roots(&q, SADDLE, 1, 2, 0, 0.1).right, 1);
    question_done(&q);
}
END_TEST

/* At the point of the circle near (0.3, 0.5). */
START_TEST(forms_are_judged_on_the_equations_and_where_rows_vanish)
{
    static const char *const CIRCLE[] = {"x^2 + y^2 - 1", NULL};
    static const char *const FORM[] = {"1", "0", "0", "x^2 + y^2 - 1 + 1e-20*k2"};
    static const char *const ZERO[] = {"1", "0", "0", "x^2 + y^2 - 1"};
    static const char *const MIXED[] = {"1", "0", "0", "-1", "y", "1e9*y*1e-9"};
    static const char *const ALONG[] = {"1", "0", "0", "-1", "1e-12", "1"};
    static const char *const ACROSS[] = {"1", "0", "0", "-1", "1", "1e-12"};
    Question q;

    question_init(&q);
    question_stage(&q, "xy", false, CIRCLE);
    ck_assert(question_positive(&q, FORM, 2, 0));
    ck_assert(!question_positive(&q, ZERO, 2, 0));
    ck_assert(!question_positive(&q, MIXED, 2, 1)); /* zero along (1, -1) */
    ck_assert(question_positive(&q, ALONG, 2, 1));
    ck_assert(!question_positive(&q, ACROSS, 2, 1));
    question_done(&q);
}
END_TEST

SUITE(roots)
{
    TCase *tc = suite_case(suite, "roots");

    tcase_add_loop_test(tc, roots_are_counted_on_their_sides, 0, 8);
    tcase_add_test(tc, roots_near_the_line_are_told_apart);
    tcase_add_test(tc, forms_are_judged_on_the_equations_and_where_rows_vanish);
}
