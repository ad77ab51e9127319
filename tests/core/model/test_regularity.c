/* Whether M determines the accelerations, whatever its entries are measured in. */
#include <math.h>

#include "core/model/regularity.h"
#include "tests/core/model/sketch.h"
#include "tests/suite.h"

enum { MAX_N = 3, MAX_R = 2 };

typedef struct Case {
    Sketch sketch;
    double q[MAX_N];
    bool regular, positive; /* on the constraints */
} Case;

#define PI 3.14159265358979324

static const Case CASES[] = {
    /* masses as far apart as they like */
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2"}, {0}, true, true},
    {{.coordinates = "x y", .parameters = "m=1e-40", .lagrangian = "dot(x)^2 + m*dot(y)^2"},
     {0},
     true,
     true},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 - 1e-200*dot(y)^2"}, {0}, true, false},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 1e15*dot(x)*dot(y)"},
     {0},
     true,
     true},
    {{.coordinates = "x y", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 2e15*dot(x)*dot(y)"},
     {0},
     false,
     false},
    /* a planet in metres, and a charge in an atom */
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + r^2*dot(a)^2"}, {9e15}, true, true},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + r^2*dot(a)^2"}, {1e-18}, true, true},
    /* the rounding of a place where the chart is singular is no mass */
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + sin(r)^2*dot(a)^2"}, {PI}, false, false},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + (1 - cos(r)^2)*dot(a)^2"},
     {1e-8},
     false,
     false},
    {{.coordinates = "r a", .lagrangian = "dot(r)^2 + (1 - cos(r)^2)*dot(a)^2"},
     {1e-2},
     true,
     true},
    /* what has no mass moves with what has, beside heavy bodies too */
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 + 1e30*dot(y)^2",
      .constraints = {"z = 1e-9*x"}},
     {0},
     true,
     true},
    {{.coordinates = "x y z",
      .lagrangian = "dot(x)^2 + 1e30*dot(y)^2 + 1e5*dot(x)*dot(z)",
      .constraints = {"z = x"}},
     {0},
     true,
     true},
    {{.coordinates = "x y z", .lagrangian = "dot(x)^2 + 1e30*dot(y)^2", .constraints = {"y = x"}},
     {0},
     false,
     false},
};

START_TEST(accelerations_are_determined_in_all_units)
{
    const Case *c = &CASES[_i];
    const size_t rows[MAX_R] = {0, 1};
    const double v[MAX_N] = {0};
    Regularity found = {0};
    Bench bench;

    bench_init(&bench, &c->sketch);
    const Model *model = bench.model;
    const ModelPoint point = model_point(bench.eval, 0, c->q, v);
    ck_assert_int_eq(
        regularity_of(model->n, point.M, point.M_rounding, point.A, rows, model->r, &found, NULL),
        OK);
    ck_assert_int_eq(found.regular, c->regular);
    ck_assert_int_eq(found.positive, c->positive);
    bench_done(&bench);
}
END_TEST

SUITE(regularity)
{
    TCase *tc = suite_case(suite, "regularity");
    tcase_add_loop_test(tc, accelerations_are_determined_in_all_units, 0,
                        sizeof CASES / sizeof CASES[0]);
}
