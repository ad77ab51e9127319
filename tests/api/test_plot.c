/* Drawings: gaps, dots, single values, many curves, whatever the numbers are. */
#include <math.h>
#include <string.h>

#include "api/plot/plot.h"
#include "tests/suite.h"

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *c = strstr(text, what); c; c = strstr(c + 1, what))
        n++;
    return n;
}

/* The first curve's path. */
static void draw(const double *x, const double *y, size_t n, bool dots, char *ret_path, size_t size)
{
    const PlotColumn column = {"<y>\x01", y};
    const Plot plot = {.title = "a & b",
                       .n = n,
                       .x = {"x", x},
                       .y = &column,
                       .n_y = 1,
                       .width = 300,
                       .height = 200,
                       .dots = dots};
    Text out = TEXT_INIT;

    plot_write(&plot, &out);
    ck_assert_uint_eq(count(text_string(&out), "nan"), 0);
    ck_assert_uint_eq(count(text_string(&out), "inf"), 0);
    ck_assert_ptr_nonnull(strstr(text_string(&out), "a &amp; b"));
    ck_assert_ptr_nonnull(strstr(text_string(&out), "&lt;y&gt;\ufffd"));
    const char *begin = strstr(text_string(&out), "stroke-width=\"");
    begin = begin ? strstr(begin, " d=\"") : NULL;
    ck_assert_ptr_nonnull(begin);
    const size_t length = strcspn(begin + 4, "\"");
    ck_assert_uint_lt(length, size);
    memcpy(ret_path, begin + 4, length);
    ret_path[length] = '\0';
    text_done(&out);
}

START_TEST(what_is_not_finite_leaves_a_gap)
{
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, 2, NAN, 3, INFINITY, 4};
    char path[500];

    draw(x, y, 6, false, path, sizeof path);
    ck_assert_uint_eq(count(path, "M"), 3);
    ck_assert_uint_eq(count(path, "L"), 1);
    draw(x, y, 6, true, path, sizeof path);
    ck_assert_uint_eq(count(path, "M"), 4);
    ck_assert_uint_eq(count(path, "L"), 0);
}
END_TEST

START_TEST(points_on_one_pixel_are_one)
{
    double x[1000], y[1000];
    char path[500];

    for (int k = 0; k < 1000; k++) {
        x[k] = 1 + k * 1e-9;
        y[k] = k == 999 ? 5 : 2;
    }
    x[999] = 2;
    draw(x, y, 1000, false, path, sizeof path);
    ck_assert_uint_eq(count(path, "M") + count(path, "L"), 2);
}
END_TEST

START_TEST(all_numbers_can_be_drawn)
{
    const double HARD[] = {0, 1, -1.7e308, 1.7e308, 5e-324, -1e-300, 1 + 1e-16, NAN, -INFINITY};
    const size_t n = sizeof HARD / sizeof *HARD;
    char path[1000];

    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            const double x[] = {HARD[a], HARD[b]}, y[] = {HARD[b], HARD[a]};
            for (size_t rows = 0; rows <= 2; rows++)
                draw(x, y, rows, rows == 1, path, sizeof path);
        }
}
END_TEST

SUITE(plot)
{
    TCase *tc = suite_case(suite, "plot");
    tcase_add_test(tc, what_is_not_finite_leaves_a_gap);
    tcase_add_test(tc, points_on_one_pixel_are_one);
    tcase_add_test(tc, all_numbers_can_be_drawn);
}
