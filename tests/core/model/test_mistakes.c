/* Every mistake of a document has its place and its message, and all come at once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/model/sketch.h"
#include "tests/suite.h"

typedef struct Expected {
    const char *pointer, *fragment, *hint; /* hint NULL: not looked at */
} Expected;

enum { EXPECTED_MAX = 8 };

typedef struct Mistakes {
    Sketch sketch;
    Expected expected[EXPECTED_MAX]; /* exactly these, in any order */
} Mistakes;

#define KINETIC "dot(x)^2/2 + dot(y)^2/2"

static const Mistakes CASES[] = {
    {{.coordinates = "", .lagrangian = "1"}, {{"/model/coordinates", "at least one", NULL}}},
    {{.coordinates = "x 2y sin x", .lagrangian = "dot(x)^2"},
     {{"/model/coordinates/1", "\"2y\" cannot be the name", NULL},
      {"/model/coordinates/2", "word of the language", NULL},
      {"/model/coordinates/3", "a second coordinate \"x\"", NULL}}},
    {{.coordinates = "x y", .parameters = "x=1 dot=2 m=inf", .lagrangian = KINETIC},
     {{"/model/parameters/x", "has the name of a coordinate", NULL},
      {"/model/parameters/dot", "word of the language", NULL},
      {"/model/parameters/m", "not a finite number", NULL}}},
    {{.coordinates = "x y",
      .parameters = "u=1",
      .definitions = {"u: x", "y: 1"},
      .lagrangian = KINETIC},
     {{"/model/definitions/u", "has the name of a parameter", NULL},
      {"/model/definitions/y", "has the name of a coordinate", NULL}}},
    {{.coordinates = "x y", .lagrangian = "x*y"},
     {{"/model/lagrangian", "contains no velocity", NULL}}},
    {{.coordinates = "theta y", .lagrangian = "dot(thta)^2 + ddot(y)"},
     {{"/model/lagrangian", "thta", "theta"}, {"/model/lagrangian", "ddot", NULL}}},
    {{.coordinates = "x y", .lagrangian = KINETIC, .constraints = {"dot(x) +", "one: dot(zz)"}},
     {{"/model/constraints/0", "", NULL}, {"/model/constraints/1/equation", "zz", NULL}}},
    {{.coordinates = "x y",
      .lagrangian = KINETIC " + multiplier(c1)",
      .constraints = {"dot(x) - energy()"}},
     {{"/model/lagrangian", "multiplier", NULL}, {"/model/constraints/0", "energy", NULL}}},
    {{.coordinates = "x y",
      .lagrangian = KINETIC,
      .constraints = {"c2: dot(x)", "c2: dot(y)", "a: x", "a: y", "7: x"}},
     {{"/model/constraints/0/name", "entry 1", NULL},
      {"/model/constraints/1/name", "a second constraint \"c2\"", NULL},
      {"/model/constraints/3/name", "a second constraint \"a\"", NULL},
      {"/model/constraints/4/name", "cannot be the name", NULL}}},
    {{.coordinates = "x y",
      .parameters = "m=1",
      .lagrangian = KINETIC,
      .constraints = {"0", "m - 3", "t - 1", "x - x"}},
     {{"/model/constraints/0", "constrains nothing", NULL},
      {"/model/constraints/1", "constrains nothing", NULL},
      {"/model/constraints/2", "constrains nothing", NULL},
      {"/model/constraints/3", "constrains nothing", NULL}}},
    {{.coordinates = "theta y",
      .lagrangian = "dot(theta)^2+dot(y)^2",
      .forces = {"thet: 1", "y: 2", "y: 3", "theta: nope"}},
     {{"/model/forces/thet", "no coordinate \"thet\"", "did you mean \"theta\"?"},
      {"/model/forces/y", "a second generalised force", NULL},
      {"/model/forces/theta", "nope", "coordinates: theta, y; add it to parameters"}}},
    {{.coordinates = "th", .parameters = "g=9.81 l=1", .lagrangian = "m*l^2*dot(th)^2 - g*th"},
     {{"/model/lagrangian", "unknown name \"m\" at column 1",
       "coordinates: th; parameters: g, l; add it to parameters"}}},
    {{.coordinates = "x y", .lagrangian = KINETIC, .forces = {"force: 1"}},
     {{"/model/forces/force", "no coordinate \"force\"", "coordinates: x, y"}}},
    {{.coordinates = "x y",
      .lagrangian = KINETIC,
      .symmetries = {"turn: x = -y, y = dot(x)", "none: x = 0"},
      .base = "x x w"},
     {{"/model/symmetries/0/y", "no velocities", NULL},
      {"/model/symmetries/1", "is zero", NULL},
      {"/model/base/1", "twice", NULL},
      {"/model/base/2", "no coordinate \"w\"", NULL}}},
    {{.coordinates = "x y",
      .lagrangian = KINETIC,
      .frame = {"X1: x = 1", "X1: y = 1", "sin: x = 1"}},
     {{"/model/frame/2", "too many", NULL}}},
    {{.coordinates = "x y", .lagrangian = KINETIC, .frame = {"A: x = 1", "A: y = q"}},
     {{"/model/frame/1", "a second", NULL}, {"/model/frame/1/y", "q", NULL}}},
    {{.coordinates = "x y",
      .parameters = "a=1",
      .definitions = {"s: x"},
      .lagrangian = KINETIC,
      .chart = "b: x = cos(b) + s"},
     {{"/model/chart/map/x", "contains coordinates of the model", NULL},
      {"/model/chart", "does not say what \"y\" is", NULL}}},
    {{.coordinates = "x y",
      .parameters = "a=1",
      .lagrangian = KINETIC,
      .chart = "a b b c: x = a, y = b"},
     {{"/model/chart", "as many coordinates", NULL},
      {"/model/chart/coordinates/0", "name of a parameter", NULL},
      {"/model/chart/coordinates/2", "a second coordinate", NULL}}},
    {{.coordinates = "x y", .lagrangian = KINETIC, .chart = "b: x = dot(b), y = b"},
     {{"/model/chart/map/x", "no velocities", NULL}}},
    /* cycles, used or not; nothing follows from them */
    {{.coordinates = "x y",
      .definitions = {"a: b + 1", "b: c*x", "c: a", "d: d", "e: a + d", "f: y"},
      .lagrangian = KINETIC " + a*e + f"},
     {{"/model/definitions/a", "a -> b -> c -> a", NULL},
      {"/model/definitions/d", "d -> d", NULL}}},
    /* cycles through the same definition are one mistake */
    {{.coordinates = "x y", .definitions = {"a: b + c", "b: a", "c: a"}, .lagrangian = KINETIC},
     {{"/model/definitions/a", "a -> b -> a", NULL}}},
    /* derivatives of which numbers are too large */
    {{.coordinates = "x y", .lagrangian = KINETIC, .constraints = {"x - y", "1e308*x^2 + y"}},
     {{"/model/constraints/1", "cannot be derived: a constant in a sum", "other units"}}},
    {{.coordinates = "x y", .lagrangian = KINETIC " - 1e308*x^3"},
     {{"/model/lagrangian", "cannot be derived", "other units"}}},
    /* a definition that failed is named once, its uses say nothing */
    {{.coordinates = "x y",
      .definitions = {"T: m/2*dot(x)^2", "p: dot(T)"},
      .lagrangian = "T + p",
      .constraints = {"T - dot(y)", "dot(T) + zeta"}},
     {{"/model/definitions/T", "m", NULL}, {"/model/constraints/1", "zeta", NULL}}},
};

static bool found(const Diagnostics *diag, const Expected *expected)
{
    for (size_t k = 0; k < diag->count; k++)
        if (strcmp(diag->items[k].pointer, expected->pointer) == 0 &&
            strstr(diag->items[k].message, expected->fragment) &&
            (!expected->hint ||
             (diag->items[k].hint && strstr(diag->items[k].hint, expected->hint))))
            return true;
    return false;
}

START_TEST(mistakes_come_at_once_each_with_its_place)
{
    const Mistakes *mistakes = &CASES[_i];
    Arena *arena = arena_new(1 << 24);
    Diagnostics diag;
    Model *model = NULL;
    Error err = {0};
    size_t n = 0;

    diagnostics_init(&diag, arena);
    ModelDocument document = sketch_document(&mistakes->sketch, arena);
    ck_assert_int_eq(model_build(&document, &diag, &model, &err), ERR_INVALID);
    ck_assert_ptr_null(model);
    for (; n < EXPECTED_MAX && mistakes->expected[n].pointer; n++)
        ck_assert_msg(found(&diag, &mistakes->expected[n]), "missing: %s %s; first: %s %s",
                      mistakes->expected[n].pointer, mistakes->expected[n].fragment,
                      diag.items[0].pointer, diag.items[0].message);
    for (size_t k = 0; k < diag.count && diag.total != n; k++)
        fprintf(stderr, "%s: %s\n", diag.items[k].pointer, diag.items[k].message);
    ck_assert_uint_eq(diag.total, n);
    arena_free(arena);
}
END_TEST

START_TEST(unused_parameters_and_definitions_in_any_order_are_fine)
{
    Sketch sketch = {.coordinates = "x y",
                     .parameters = "m=2 unused=7 c1=3 rail=4",
                     .definitions = {"T: m/2*w", "w: dot(s)^2 + dot(y)^2", "s: 2*x"},
                     .lagrangian = "T",
                     .constraints = {"c1: dot(x) - y", "dot(y) - c1"}};
    double q[] = {0, 0}, v[] = {3, 1}, L;
    Bench bench;

    bench_init(&bench, &sketch);
    bench_values(&bench, 0, q, v, &bench.model->L, 1, &L);
    ck_assert_double_eq(L, 37);
    ck_assert_str_eq(bench.model->constraints[1].name, "c2");
    bench_done(&bench);
}
END_TEST

START_TEST(long_chains_of_definitions_are_followed)
{
    enum { LENGTH = 5000 };
    Arena *arena = arena_new(1 << 26);
    Diagnostics diag;
    Model *model = NULL;
    Error err = {0};
    Sketch sketch = {.coordinates = "x", .lagrangian = "dot(x)^2 + d0"};
    NamedText *texts = arena_alloc(arena, LENGTH, sizeof *texts);

    diagnostics_init(&diag, arena);
    ModelDocument document = sketch_document(&sketch, arena);
    for (int k = 0; k < LENGTH; k++)
        texts[k] = (NamedText){.name = arena_printf(arena, "d%d", k),
                               .text = k + 1 < LENGTH ? arena_printf(arena, "d%d + 1", k + 1) : "x",
                               .pointer = arena_printf(arena, "/model/definitions/d%d", k)};
    document.definitions = texts;
    document.n_definitions = LENGTH;
    ck_assert_msg(model_build(&document, &diag, &model, &err) == OK, "%s", err.message);
    model_unref(model);
    texts[LENGTH - 1].text = "d0";
    ck_assert_int_eq(model_build(&document, &diag, &model, &err), ERR_INVALID);
    ck_assert_uint_eq(diag.total, 1);
    ck_assert_ptr_nonnull(strstr(diag.items[0].message, "d0 -> d1"));
    arena_free(arena);
}
END_TEST

START_TEST(bombs_are_limits)
{
    enum { LEVELS = 40 };
    Arena *arena = arena_new(1 << 26);
    Diagnostics diag;
    Model *model = NULL;
    Error err = {0};
    Sketch sketch = {.coordinates = "x y", .lagrangian = "dot(x)^2 + d0"};
    NamedText *texts = arena_alloc(arena, 2000, sizeof *texts);

    diagnostics_init(&diag, arena);
    ModelDocument document = sketch_document(&sketch, arena);
    for (int k = 0; k < 2000; k++)
        texts[k] = (NamedText){
            .name = arena_printf(arena, "d%d", k),
            .text = k < 1999 ? arena_printf(arena, "sin(d%d*x + d%d)", k + 1, k + 1) : "x*y",
            .pointer = arena_printf(arena, "/model/definitions/d%d", k)};
    document.definitions = texts;
    document.n_definitions = 2000;
    ck_assert_int_eq(model_build(&document, &diag, &model, &err), ERR_LIMIT);
    ck_assert_uint_ge(diag.total, 1);
    ck_assert_uint_le(diag.total, 3);
    arena_free(arena);
}
END_TEST

SUITE(mistakes)
{
    TCase *tc = suite_case(suite, "mistakes");
    tcase_add_loop_test(tc, mistakes_come_at_once_each_with_its_place, 0,
                        sizeof CASES / sizeof *CASES);
    tcase_add_test(tc, unused_parameters_and_definitions_in_any_order_are_fine);
    tcase_add_test(tc, long_chains_of_definitions_are_followed);
    tcase_add_test(tc, bombs_are_limits);
}
