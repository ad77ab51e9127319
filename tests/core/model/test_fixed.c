/* What the expressions of A and M tell of all states. */
#include <string.h>

#include "core/model/model.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

static const char TURNING[] = "m/2*(dot(x)^2+dot(y)^2) + (I+m*a^2)/2*dot(th)^2"
                              " + m*a*dot(th)*(dot(y)*cos(th)-dot(x)*sin(th))";

static const struct {
    const char *lagrangian, *constraint;
    bool turns;
    const char *changing; /* coordinates, by their first letters */
} CASES[] = {
    {TURNING, "dot(y)*cos(th) = dot(x)*sin(th)", true, ""},
    {TURNING, "m*dot(y)*cos(th)/a = m*dot(x)*sin(th)/a + t", true, ""},
    /* lengths of the row, pivots that change */
    {"dot(x)^2/2 + dot(y)^2/2 + (1+x^2)*dot(th)^2/2", "dot(y) = x*dot(x)", false, "t"},
    {"dot(x)^2 + dot(x)*dot(y)*cos(x-y) + dot(y)^2 + dot(th)^2", "dot(y) = 2*dot(x)", true, "xy"},
    /* of length one wherever there is one, but not smooth where x and y vanish */
    {TURNING, "(x*dot(x) + y*dot(y))/sqrt(x^2 + y^2) = 0", false, ""},
    {TURNING, "sign(x)*dot(x) = dot(y)", false, ""},
    {"(dot(x)^2 + (1 + abs(x)/x)*dot(y)^2 + dot(th)^2)/2", "dot(y) = dot(x)", true, "y"},
    /* lengths of rows, and pivots, beyond the range of numbers: nothing is known of them */
    {"(dot(x)^2 + dot(y)^2 + dot(th)^2)/2", "1e300*dot(x) + x*dot(y) = 1", false, ""},
    {TURNING, "1e300*dot(x) + sin(th)*dot(y) = 1", false, "xyt"},
    {"dot(x)^2 + dot(y)^2 + 1e300*sin(th)*dot(x)*dot(th) + dot(th)^2", "dot(y) = 2*dot(x)", true,
     "xt"},
};

START_TEST(the_rank_of_turning_rows_and_masses_is_known)
{
    const Sketch sketch = {.coordinates = "x y th",
                           .parameters = "m=2, I=3, a=0.5",
                           .lagrangian = CASES[_i].lagrangian,
                           .constraints = {CASES[_i].constraint}};
    Bench bench;

    bench_init(&bench, &sketch);
    ck_assert_int_eq(bench.model->fixed.A_turns, CASES[_i].turns);
    char found[4] = "";
    for (size_t k = 0; k < bench.model->fixed.n_changing; k++)
        strncat(found, bench.model->names.coordinates[bench.model->fixed.changing[k]], 1);
    ck_assert_str_eq(found, CASES[_i].changing);
    bench_done(&bench);
}
END_TEST

SUITE(fixed)
{
    TCase *tc = suite_case(suite, "what stays as it is");
    tcase_add_loop_test(tc, the_rank_of_turning_rows_and_masses_is_known, 0,
                        sizeof CASES / sizeof *CASES);
}
