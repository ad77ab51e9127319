/* What is neither small nor large for a model, whatever its units. */
#include "core/model/kinds.h"

#include <math.h>

#include "tests/core/model/sketch.h"
#include "tests/suite.h"

/* Two lengths and an angle: x, y, th. */
static const Sketch SLEIGH = {.coordinates = "x y th",
                              .parameters = "m=2 J=0.5",
                              .lagrangian = "m*(dot(x)^2 + dot(y)^2)/2 + J*dot(th)^2/2",
                              .constraints = {"sin(th)*dot(x) = cos(th)*dot(y)"}};

/* One kind of mass 2 each, one of inertia 0.5. */
static const double M[] = {2, 0, 0, 0, 2, 0, 0, 0, 0.5};

typedef struct Sizes {
    double q[3], v[3];
} Sizes;

static Sizes sizes_of(const Model *model, const double *mass, const double *q, const double *v,
                      double time)
{
    Sizes sizes;
    kinds_scales(model, mass, q, v, time, sizes.q, sizes.v);
    return sizes;
}

START_TEST(coordinates_of_one_kind_have_one_size)
{
    Bench bench;
    bench_init(&bench, &SLEIGH);
    const Sizes s = sizes_of(bench.model, M, (double[]){3, -0.1, 0.2}, (double[]){0.5, -4, 7}, 10);

    ck_assert_double_eq(s.q[0], 3);
    ck_assert_double_eq(s.q[1], 3);
    ck_assert_double_eq(s.v[0], 4);
    ck_assert_double_eq(s.v[1], 4);
    ck_assert_double_eq(s.v[2], 7);
    bench_done(&bench);
}
END_TEST

START_TEST(an_angle_counts_at_least_as_one)
{
    Bench bench;
    bench_init(&bench, &SLEIGH);
    ck_assert_double_eq(
        sizes_of(bench.model, M, (double[]){3, 0, 1e-3}, (double[]){1, 0, 1}, 1).q[2], 1);
    ck_assert_double_eq(sizes_of(bench.model, M, (double[]){3, 0, 40}, (double[]){1, 0, 1}, 1).q[2],
                        40);
    bench_done(&bench);
}
END_TEST

/* M says which length is as large as an angle of 1: sqrt(J / 2 m), by the sum of the masses of the
 * kind. */
START_TEST(what_is_not_known_is_as_large_as_the_others_in_units_of_the_mass)
{
    Bench bench;
    bench_init(&bench, &SLEIGH);
    const Sizes s = sizes_of(bench.model, M, (double[]){0, 0, 0.3}, (double[]){0, 0, 2}, 1);

    ck_assert_double_eq_tol(s.q[0], sqrt(0.5 / 4), 1e-15);
    ck_assert_double_eq_tol(s.v[0], 0.1 * 2 * sqrt(0.5 / 4), 1e-15);
    ck_assert_double_eq(s.v[2], 2);
    bench_done(&bench);
}
END_TEST

START_TEST(a_state_at_rest_gets_there_in_the_time_it_has)
{
    Bench bench;
    bench_init(&bench, &SLEIGH);
    const Sizes s = sizes_of(bench.model, M, (double[]){6, 0, 0}, (double[]){0, 0, 0}, -3);

    ck_assert_double_eq(s.v[0], 2);
    ck_assert_double_gt(s.v[2], 0);
    bench_done(&bench);
}
END_TEST

/* Lengths, masses and times in other units: the sizes are the same ones. */
START_TEST(sizes_do_not_depend_on_units)
{
    static const double POWERS[] = {-300, -40, -10, 10, 40, 300};
    static const double STATES[][6] = {
        {3, -0.1, 0.2, 0.5, -4, 7}, {0, 0, 0, 1, 0, 0.3}, {0, 0, 0, 0, 0, 0}, {0, 2, 0, 0, 0, 1}};
    Bench bench;
    bench_init(&bench, &SLEIGH);

    for (size_t of = 0; of < 3; of++)
        for (size_t k = 0; k < sizeof POWERS / sizeof *POWERS; k++)
            for (size_t i = 0; i < sizeof STATES / sizeof *STATES; i++) {
                const double factor = ldexp(1, (int)POWERS[k] / (of == 0 ? 2 : 1));
                const double length = of == 0 ? factor : 1, mass = of == 1 ? factor : 1;
                const double time = of == 2 ? factor : 1, *s = STATES[i];
                const double q[] = {length * s[0], length * s[1], s[2]};
                const double v[] = {length / time * s[3], length / time * s[4], s[5] / time};
                double inertia[9];
                for (size_t j = 0; j < 9; j++)
                    inertia[j] = mass * M[j] * (j == 8 ? length * length : 1);
                const Sizes a = sizes_of(bench.model, M, s, s + 3, 5);
                const Sizes b = sizes_of(bench.model, inertia, q, v, 5 * time);
                for (size_t j = 0; j < 3; j++) {
                    const double unit = j < 2 ? length : 1;
                    ck_assert_double_eq_tol(b.q[j] / unit, a.q[j], 1e-14 * a.q[j]);
                    ck_assert_double_eq_tol(b.v[j] / unit * time, a.v[j], 1e-14 * a.v[j]);
                    ck_assert_double_gt(a.v[j], 0);
                }
            }
    bench_done(&bench);
}
END_TEST

/* m, g, l: a length l, a time sqrt(l/g), whatever the mass; an angle has none. */
START_TEST(parameters_tell_sizes)
{
    static const Sketch PENDULUM = {.coordinates = "x y a",
                                    .parameters = "m=2 g=9.8 l=1e-9 none=0",
                                    .lagrangian =
                                        "m*(dot(x)^2 + dot(y)^2 + l^2*dot(a)^2)/2 - m*g*y",
                                    .constraints = {"x^2 + y^2 = l^2", "x = l*sin(a)"}};
    Bench bench;
    Error err;
    double q[3], time;

    bench_init(&bench, &PENDULUM);
    ck_assert_int_eq(kinds_of_parameters(bench.model, bench.model->param_values, q, &time, &err),
                     OK);
    ck_assert_double_eq_tol(q[0], 1e-9, 1e-23);
    ck_assert_double_eq_tol(q[1], 1e-9, 1e-23);
    ck_assert_double_eq(q[2], 1);
    ck_assert_double_eq_tol(time, sqrt(1e-9 / 9.8), 1e-18);
    bench_done(&bench);
}
END_TEST

/* Nothing of a free particle has a length or a time. */
START_TEST(what_no_parameter_tells_is_one)
{
    static const Sketch FREE = {
        .coordinates = "x", .parameters = "m=1e20", .lagrangian = "m*dot(x)^2/2"};
    Bench bench;
    Error err;
    double q[1], time;

    bench_init(&bench, &FREE);
    ck_assert_int_eq(kinds_of_parameters(bench.model, bench.model->param_values, q, &time, &err),
                     OK);
    ck_assert_double_eq(q[0], 1);
    ck_assert_double_eq(time, 1);
    bench_done(&bench);
}
END_TEST

SUITE(kinds)
{
    TCase *tc = suite_case(suite, "kinds");
    tcase_add_test(tc, coordinates_of_one_kind_have_one_size);
    tcase_add_test(tc, an_angle_counts_at_least_as_one);
    tcase_add_test(tc, what_is_not_known_is_as_large_as_the_others_in_units_of_the_mass);
    tcase_add_test(tc, a_state_at_rest_gets_there_in_the_time_it_has);
    tcase_add_test(tc, sizes_do_not_depend_on_units);
    tcase_add_test(tc, parameters_tell_sizes);
    tcase_add_test(tc, what_no_parameter_tells_is_one);
}
