/* Lanes are filled from columns, and given back as columns, whatever their number; those left out
 * stay as they are. */
#include "core/program/compile/columns.h"
#include "tests/suite.h"

enum { LANES = 9, ROWS = 7 };

START_TEST(columns_come_back_as_they_went)
{
    for (size_t lanes = 1; lanes <= LANES; lanes++) {
        for (size_t n = 0; n <= ROWS; n++) {
            /* one lane in three is left out, at another place each time */
            double in[LANES][ROWS], out[LANES][ROWS], rows[ROWS * LANES];
            const double *from[LANES];
            double *to[LANES];
            for (size_t l = 0; l < lanes; l++) {
                from[l] = (l + n) % 3 ? in[l] : NULL;
                to[l] = (l + n) % 3 ? out[l] : NULL;
                for (size_t r = 0; r < ROWS; r++) {
                    in[l][r] = (double)(100 * l + r);
                    out[l][r] = rows[r * lanes + l] = -1;
                }
            }
            columns_put(rows, n, lanes, from);
            for (size_t r = 0; r < ROWS; r++)
                for (size_t l = 0; l < lanes; l++)
                    ck_assert(rows[r * lanes + l] == (from[l] && r < n ? in[l][r] : -1));
            columns_take(rows, n, lanes, to);
            for (size_t l = 0; l < lanes; l++)
                for (size_t r = 0; r < ROWS; r++)
                    ck_assert(out[l][r] == (to[l] && r < n ? in[l][r] : -1));
        }
    }
}
END_TEST

SUITE(columns)
{
    TCase *tc = suite_case(suite, "columns");
    tcase_add_test(tc, columns_come_back_as_they_went);
}
