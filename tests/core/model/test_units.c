/* Models with units: what is converted, and what an older version accepted. */
#include <string.h>

#include "core/model/model.h"
#include "core/units/unit.h"
#include "tests/suite.h"

/* A spring: x in `length`, m in g, k in N/m, or k without a unit. */
typedef struct Spring {
    CoordinateText x;
    NamedValue parameters[2];
    UnitText units[2];
    ModelDocument document;
    Arena *arena;
    Diagnostics diag;
    Error error;
    Model *model;
} Spring;

static Status spring_build(Spring *s, const char *length, const char *k, const char *lagrangian,
                           bool accepted)
{
    *s = (Spring){.x = {.name = "x",
                        .period = 360,
                        .unit = {length, "/coordinates/0/unit"},
                        .pointer = "/coordinates/0/name"},
                  .parameters = {{"k", 2, "/parameters/k"}, {"m", 2.54, "/parameters/m"}},
                  .units = {{k, "/parameters/k/unit"}, {"g", "/parameters/m/unit"}},
                  .arena = arena_new(1 << 20)};
    s->document = (ModelDocument){.name = "",
                                  .description = "",
                                  .coordinates = &s->x,
                                  .n_coordinates = 1,
                                  .parameters = s->parameters,
                                  .n_parameters = 2,
                                  .parameter_units = s->units,
                                  .lagrangian = {.text = lagrangian, .pointer = "/lagrangian"},
                                  .accepted = accepted};
    diagnostics_init(&s->diag, s->arena);
    return model_build(&s->document, &s->diag, &s->model, &s->error);
}

static void spring_done(Spring *s)
{
    model_unref(s->model);
    arena_free(s->arena);
}

static const char SPRING[] = "m/2*dot(x)^2 - k/2*x^2", WRONG[] = "m/2*dot(x)^2 - k/2*x";

START_TEST(numbers_are_converted)
{
    Spring s;
    ck_assert_int_eq(spring_build(&s, "cm", "N/m", SPRING, false), OK);
    ck_assert(s.model->units.known && !s.model->units.warning);
    ck_assert_double_eq(s.model->param_values[0], 2);
    ck_assert_double_eq(s.model->param_values[1], 0.00254);
    ck_assert_double_eq(s.model->kinds.periods[0], 3.6);
    spring_done(&s);
}
END_TEST

START_TEST(mistakes_are_those_of_new_documents)
{
    static const struct {
        const char *length, *lagrangian, *pointer;
    } CASES[] = {{"widget", SPRING, "/coordinates/0/unit"}, {"cm", WRONG, "/lagrangian"}};

    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        Spring s;
        ck_assert_int_eq(spring_build(&s, CASES[c].length, "N/m", CASES[c].lagrangian, false),
                         ERR_INVALID);
        ck_assert_uint_eq(s.diag.total, 1);
        ck_assert_str_eq(s.diag.items[0].pointer, CASES[c].pointer);
        arena_free(s.arena);
        /* the same, which was accepted once: numbers are what they are written as */
        ck_assert_int_eq(spring_build(&s, CASES[c].length, "N/m", CASES[c].lagrangian, true), OK);
        ck_assert_uint_eq(s.diag.total, 0);
        ck_assert(!s.model->units.known && s.model->units.excused);
        ck_assert_ptr_nonnull(strstr(s.model->units.warning, CASES[c].pointer));
        ck_assert_double_eq(s.model->param_values[1], 2.54);
        spring_done(&s);
    }
}
END_TEST

START_TEST(units_of_some_names_are_not_used)
{
    Spring s;
    ck_assert_int_eq(spring_build(&s, "cm", NULL, WRONG, false), OK);
    ck_assert(!s.model->units.known && !s.model->units.excused);
    ck_assert_str_eq(s.model->units.warning,
                     "units are not used, for not all names have one: \"k\" has none");
    ck_assert_double_eq(s.model->param_values[1], 2.54);
    ck_assert_double_eq(s.model->kinds.periods[0], 360);
    spring_done(&s);
}
END_TEST

SUITE(units)
{
    TCase *tc = suite_case(suite, "units");
    tcase_add_test(tc, numbers_are_converted);
    tcase_add_test(tc, mistakes_are_those_of_new_documents);
    tcase_add_test(tc, units_of_some_names_are_not_used);
}
