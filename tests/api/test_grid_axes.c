/* The axes of a grid, piece by piece. */
#include "api/documents/grid_axes.h"

#include <string.h>

#include "tests/suite.h"

enum { LONG = 2500 };

START_TEST(axes_come_in_pieces_and_hold_no_more_than_their_lists)
{
    static const double LIST[] = {3, 0.1, -2};
    const DesignAxis axes[] = {
        {.path = "initial.q.\"x", .kind = AXIS_LIST, .list = LIST, .count = 3},
        {.path = "time.end", .kind = AXIS_RANGE, .from = 1, .to = LONG, .count = LONG}};
    const DesignSpec grid = {.kind = DESIGN_GRID, .axes = axes, .n_axes = 2};
    Text whole = TEXT_INIT, expected = TEXT_INIT, piece = TEXT_INIT;
    GridAxes *g = NULL;
    size_t pieces = 0;
    bool last = false;
    Budget budget;
    Error err;

    budget_init(&budget, 1000);
    ck_assert_int_eq(grid_axes_new(&grid, &budget, &g, &err), OK);
    ck_assert_uint_eq(budget_left(&budget), 1000 - sizeof LIST);
    for (; !last; pieces++) {
        text_reset(&piece);
        last = grid_axes_write(g, &piece);
        ck_assert_uint_lt(piece.length, 6000);
        text_append(&whole, piece.data, piece.length);
    }
    ck_assert_uint_eq(pieces, 4);

    text_puts(&expected, "[{\"path\":\"initial.q.\\\"x\",\"values\":[3,0.1,-2]},"
                         "{\"path\":\"time.end\",\"values\":[1");
    for (int k = 2; k <= LONG; k++)
        text_printf(&expected, ",%d", k);
    text_puts(&expected, "]}]");
    ck_assert_str_eq(text_string(&whole), text_string(&expected));

    grid_axes_free(g);
    ck_assert_uint_eq(budget_left(&budget), 1000);
    text_done(&whole);
    text_done(&expected);
    text_done(&piece);
}
END_TEST

SUITE(grid_axes)
{
    TCase *tc = suite_case(suite, "grid_axes");
    tcase_add_test(tc, axes_come_in_pieces_and_hold_no_more_than_their_lists);
}
