/* The structure of constraints, on distributions whose flags are known, against finite differences
 * of the constraint forms, and on random constraints that are integrable by construction or not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/invariants/analysis.h"
#include "core/numeric/dense.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

#define EUCLIDEAN3 "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"
#define EUCLIDEAN4 "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2"
#define EUCLIDEAN5 "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2 + dot(u)^2)/2"

/* A setting whose dependent coordinates are given, as numbers; the others are the base. */
static Setting *setting_with(const SettingModel *model, const size_t *dependent)
{
    Setting *s = setting_new(model);
    s->context.dependent = dependent;
    setting_run(s, "structure", NULL);
    return s;
}

static const Value *at(const Setting *s, const char *record, const char *part, const char *name)
{
    return value_member(value_member(value_member(s->findings.record, record), part), name);
}

/* "2 3 5" */
static const char *numbers(const Value *list, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (const Value *v = list ? list->first : NULL; v && used < size; v = v->next)
        used += (size_t)snprintf(text + used, size - used, "%s%g", used ? " " : "", v->number);
    return text;
}

static const struct {
    const char *what;
    SettingModel model;
    size_t dependent[3];
    const char *frozen, *extended, *derived; /* growth vectors; ranks of the derived systems */
    Predicted generating, integrable;        /* at frozen time; on the extended space */
} KNOWN[] = {
    {"Heisenberg",
     {.coordinates = {"x", "y", "z"},
      .lagrangian = EUCLIDEAN3,
      .constraints = {"dot(z) = x*dot(y)"}},
     {2},
     "2 3",
     "3 4",
     "1 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"Martinet",
     {.coordinates = {"x", "y", "z"},
      .lagrangian = EUCLIDEAN3,
      .constraints = {"dot(z) = y^2*dot(x)"}},
     {2},
     "2 3",
     "3 4",
     "1 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"Engel",
     {.coordinates = {"x", "y", "z", "w"},
      .lagrangian = EUCLIDEAN4,
      .constraints = {"dot(z) = y*dot(x)", "dot(w) = z*dot(x)"}},
     {2, 3},
     "2 3 4",
     "3 4 5",
     "2 1 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"Cartan's (2,3,5)",
     {.coordinates = {"x", "y", "z", "w", "u"},
      .lagrangian = EUCLIDEAN5,
      .constraints = {"dot(z) = x*dot(y)", "dot(w) = z*dot(x)", "dot(u) = z*dot(y)"}},
     {2, 3, 4},
     "2 3 5",
     "3 4 6",
     "3 2 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"a chain of length four",
     {.coordinates = {"x", "y", "z", "w", "u"},
      .lagrangian = EUCLIDEAN5,
      .constraints = {"dot(z) = y*dot(x)", "dot(w) = z*dot(x)", "dot(u) = w*dot(x)"}},
     {2, 3, 4},
     "2 3 4 5",
     "3 4 5 6",
     "3 2 1 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"an upright disk",
     {.coordinates = {"x", "y", "z", "w"},
      .lagrangian = EUCLIDEAN4,
      .constraints = {"dot(x) = cos(w)*dot(z)", "dot(y) = sin(w)*dot(z)"}},
     {0, 1},
     "2 3 4",
     "3 4 5",
     "2 1 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"a rolling sphere",
     {.coordinates = {"x", "y", "z", "w", "u"},
      .lagrangian = EUCLIDEAN5,
      .constraints = {"dot(x) = dot(u)*sin(z) - dot(w)*cos(z)*sin(u)",
                      "dot(y) = -dot(u)*cos(z) - dot(w)*sin(z)*sin(u)"}},
     {0, 1},
     "3 5",
     "4 6",
     "2 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"one integrable constraint beside another",
     {.coordinates = {"x", "y", "z", "w"},
      .lagrangian = EUCLIDEAN4,
      .constraints = {"dot(z) = x*dot(y)", "dot(w) = 2*dot(x)"}},
     {2, 3},
     "2 3",
     "3 4",
     "2 1",
     PREDICTED_NO,
     PREDICTED_NO},
    {"integrable at frozen time only",
     {.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .constraints = {"dot(x) = (1 + t)*dot(y)"}},
     {0},
     "1",
     "2 3",
     "1 0",
     PREDICTED_NO,
     PREDICTED_NO},
    {"brackets that are parallel but for 1e-12",
     {.coordinates = {"x", "y", "u", "z", "w"},
      .lagrangian = EUCLIDEAN5,
      .constraints = {"dot(z) = x*dot(y) + x*dot(u)",
                      "dot(w) = x*dot(y) + 1.000000000001*x*dot(u)"}},
     {3, 4},
     "3 5",
     "4 6",
     "2 0",
     PREDICTED_YES,
     PREDICTED_NO},
    {"a belt",
     {.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .constraints = {"y*dot(x) + x*dot(y) = cos(t)"}},
     {0},
     "1",
     "2",
     "1",
     PREDICTED_NO,
     PREDICTED_YES},
    {"a circle that breathes, and a blade on it",
     {.coordinates = {"x", "y", "z", "w"},
      .lagrangian = EUCLIDEAN4,
      .constraints = {"x^2 + y^2 = (2 + sin(t))^2", "dot(w) = x*dot(z)"},
      .centre = {1.5, 1.5}},
     {0, 3},
     "2 3",
     "3 4",
     "2 1",
     PREDICTED_YES,
     PREDICTED_NO},
};

START_TEST(flags_of_known_distributions)
{
    Setting *s = setting_with(&KNOWN[_i].model, KNOWN[_i].dependent);
    char text[80];

    ck_assert_msg(strcmp(numbers(at(s, "growth", "frozen", "vector"), text, sizeof text),
                         KNOWN[_i].frozen) == 0,
                  "%s: frozen %s", KNOWN[_i].what, text);
    ck_assert_msg(strcmp(numbers(at(s, "growth", "extended", "vector"), text, sizeof text),
                         KNOWN[_i].extended) == 0,
                  "%s: extended %s", KNOWN[_i].what, text);
    const Value *derived =
        value_member(value_member(s->findings.record, "derived_systems"), "extended");
    ck_assert_msg(strcmp(numbers(derived, text, sizeof text), KNOWN[_i].derived) == 0,
                  "%s: derived systems %s", KNOWN[_i].what, text);
    const Value *generating = at(s, "growth", "frozen", "bracket_generating");
    ck_assert_int_eq(generating->kind, VALUE_BOOL);
    ck_assert_msg(generating->boolean == (KNOWN[_i].generating == PREDICTED_YES), "%s",
                  KNOWN[_i].what);
    ck_assert_int_eq(setting_verdict(s, "integrable")->predicted, KNOWN[_i].integrable);
    setting_free(s);
}
END_TEST

/* Martinet's distribution takes one bracket more on the plane y = 0. */
START_TEST(a_singular_start_takes_longer)
{
    const SettingModel model = KNOWN[1].model;
    const size_t dependent[] = {2};
    Setting *s = setting_new(&model);
    char text[80];
    const Trajectory still = {0};

    s->context.dependent = dependent;
    s->context.trajectory = &still; /* a motion, so that there is a start */
    s->q0[1] = 0;
    setting_run(s, "structure", NULL);
    ck_assert_str_eq(numbers(at(s, "growth", "frozen", "vector"), text, sizeof text), "2 3");
    ck_assert_str_eq(numbers(at(s, "growth", "frozen", "at_start"), text, sizeof text), "2 2 3");
    ck_assert(at(s, "curvature", "coefficients", "A[z](x,y)")->number == 0);
    ck_assert(!at(s, "contact", "frozen", "at_start")->boolean);
    ck_assert(at(s, "contact", "frozen", "contact")->boolean);
    setting_free(s);
}
END_TEST

static const struct {
    const char *constraints[3];
    const char *expected; /* the hidden relation, or NULL: found without a formula */
} HIDDEN[] = {
    {{"dot(x) = (2*y*t + cos(y))*dot(y) + y^2"}, "x - sin(y) - t*y^2"},
    {{"x*dot(y) = y*dot(x)"}, "-x/y"},
    {{"dot(z) = 2*x*exp(x^2)*dot(x) + 3*dot(y)"}, "z - exp(x^2) - 3*y"},
    {{"(3/2 + sin(x*y))*dot(z) = 0"}, "z"},
    {{"(3/2 + sin(x*y))*dot(4*z + x*y) = 0"}, "x*y + 4*z"},
    {{"dot(z) = x*dot(y)", "dot(x) + x*dot(z) - x^2*dot(y) = cos(2*t)"}, NULL},
    {{"dot(z) = (1 + z^2 + x^2)*dot(x)"}, NULL},
};

/* On the sphere x^2 + y^2 + z^2 = 1, of which no formula is found: x is a function of y and z up to
 * the fold at x = 0. A great circle through (1, 0, 0), and one that grows. */
START_TEST(a_leaf_that_ceases_to_be_a_graph_is_no_error_of_the_motion)
{
    static const struct {
        double angle, growth;
        bool observed, conserved;
    } CASES[] = {
        {1, 0, true, true},
        {1.57, 0, true, true},
        {1, 1e-3, true, false},
        {5, 0, false, false},
        {3.14159265358979312, 0, false, false},
        {5, 1e-3, false, false},
        {-5, 0, false, false},
    };
    enum { STATES = 101 };
    const size_t dependent[] = {0};
    double t[STATES], q[STATES][3], rest[STATES][3] = {{0}};
    const Trajectory motion = {STATES, t, q[0], rest[0], rest[0], rest[0]};
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = EUCLIDEAN3,
                                .constraints = {"exp(y*z)*(x*dot(x) + y*dot(y) + z*dot(z)) = 0"},
                                .centre = {1, 0, 0}};
    for (size_t k = 0; k < STATES; k++) {
        const double part = (double)k / (STATES - 1), angle = CASES[_i].angle * part;
        const double radius = 1 + CASES[_i].growth * part;
        t[k] = part;
        q[k][0] = radius * cos(angle);
        q[k][1] = radius * sin(angle) * 0.8;
        q[k][2] = radius * sin(angle) * 0.6;
    }
    Setting *s = setting_new(&model);
    s->context.dependent = dependent;
    s->context.trajectory = &motion;
    s->context.steps.rtol = 1e-10;
    memcpy(s->q0, q[0], sizeof q[0]);
    setting_run(s, "structure", NULL);

    const Verdict *verdict = setting_verdict(s, "hidden constraint 1");
    ck_assert_ptr_nonnull(verdict);
    ck_assert_int_eq(verdict->predicted, PREDICTED_YES);
    ck_assert_msg(verdict->observed == CASES[_i].observed, "drift %g", verdict->max_drift);
    ck_assert(!verdict->observed || verdict->conserved == CASES[_i].conserved);
    ck_assert((strstr(verdict->reason, "not observed") == NULL) == CASES[_i].observed);
    setting_free(s);
}
END_TEST

/* Each is kept by the motion: differences of the formula along it vanish. */
START_TEST(what_is_hidden_is_found)
{
    SettingModel model = {.coordinates = {"x", "y", "z"},
                          .lagrangian = EUCLIDEAN3 " - x*y + z",
                          .centre = {1.5, 2.5, 0.5}};
    const size_t dependent[] = {_i == 1 ? 1 : _i == 0 ? 0 : 2, 2};
    const size_t two[] = {0, 2};
    memcpy(model.constraints, HIDDEN[_i].constraints, sizeof HIDDEN[_i].constraints);
    Setting *s = setting_with(&model, HIDDEN[_i].constraints[1] ? two : dependent);

    const Verdict *verdict = setting_verdict(s, "hidden constraint 1");
    ck_assert_ptr_nonnull(verdict);
    ck_assert_str_eq(verdict->kind, "hidden holonomic constraint");
    ck_assert_int_eq(verdict->predicted, PREDICTED_YES);
    ck_assert_ptr_null(setting_verdict(s, "hidden constraint 2"));
    const char *found =
        value_member(value_member(s->findings.record, "hidden")->first, "found")->text;
    if (HIDDEN[_i].expected) {
        ck_assert_str_eq(verdict->expression, HIDDEN[_i].expected);
        ck_assert_str_eq(found, "exact differential");
        ck_assert(setting_rate(s, verdict->expression) < 1e-6);
    } else {
        ck_assert_str_eq(found, "path quadrature");
    }
    setting_free(s);
}
END_TEST

/* Random constraints. */

/* A smooth function of x, y, z, w and t, about 1 in size. */
static void random_function(Random *random, bool with_time, char *text, size_t size)
{
    static const char *const NAMES[] = {"x", "y", "z", "w", "t"};
    const size_t n = with_time ? 5 : 4;
    const char *a = NAMES[random_bits(random) % n], *b = NAMES[random_bits(random) % n];

    snprintf(text, size, "(%.2f*%s*%s + %.2f*sin(%s + %.2f*%s) + %.2f*%s)",
             random_uniform(random, -1, 1), a, NAMES[random_bits(random) % n],
             random_uniform(random, -1, 1), b, random_uniform(random, -1, 1), a,
             random_uniform(random, -1, 1), NAMES[random_bits(random) % n]);
}

enum { TEXT = 1000 };

/* dot(w) = a dot(x) + b dot(y) + c dot(z) + d */
static void random_constraint(Random *random, char *text)
{
    char f[4][200];

    for (size_t k = 0; k < 4; k++)
        random_function(random, true, f[k], sizeof f[k]);
    snprintf(text, TEXT, "dot(w) = %s*dot(x) + %s*dot(y) + %s*dot(z) + %s", f[0], f[1], f[2], f[3]);
}

/* A multiple of the derivative of a function in which w counts. */
static void planted_constraint(Random *random, char *text)
{
    char f[200], g[200];

    random_function(random, true, f, sizeof f);
    random_function(random, true, g, sizeof g);
    snprintf(text, TEXT, "(1.5 + sin(%s))*dot(4*w + %s) = 0", g, f);
}

static SettingModel random_model(const char *constraint)
{
    return (SettingModel){
        .coordinates = {"x", "y", "z", "w"}, .lagrangian = EUCLIDEAN4, .constraints = {constraint}};
}

/* The rank of dw on the kernel of the form w = S dq + s dt, by central differences: an oracle that
 * knows nothing of brackets. */
static size_t differenced_rank(const Setting *s, size_t k, bool extended)
{
    static const double H = 1e-5;
    const size_t n = s->model->n, width = n + extended;
    const Trajectory *states = s->context.states;
    double slopes[25], zeros[SETTING_MAX] = {0}, w[5], basis[25], curvature[25] = {0}, values[5];
    size_t dim = 0, rank = 0;

    for (size_t j = 0; j < width; j++) {
        double ends[2][5];
        for (size_t side = 0; side < 2; side++) {
            double q[SETTING_MAX], t = states->t[k];
            memcpy(q, states->q + k * n, n * sizeof *q);
            *(j < n ? &q[j] : &t) += side ? H : -H;
            ModelPoint p = model_point(s->eval, t, q, zeros);
            memcpy(ends[side], p.A, n * sizeof *q);
            ends[side][n] = p.phi[0];
        }
        for (size_t i = 0; i < width; i++)
            slopes[i * width + j] = (ends[1][i] - ends[0][i]) / (2 * H);
    }
    ModelPoint p = model_point(s->eval, states->t[k], states->q + k * n, zeros);
    memcpy(w, p.A, n * sizeof *w);
    w[n] = p.phi[0];
    ck_assert_int_eq(dense_null_space(w, 1, width, 1e-12, basis, &dim, NULL), OK);
    ck_assert_uint_eq(dim, width - 1);
    for (size_t a = 0; a < dim; a++)
        for (size_t b = 0; b < dim; b++)
            for (size_t i = 0; i < width; i++)
                for (size_t j = 0; j < width; j++)
                    curvature[a * dim + b] += basis[i * width + a] * basis[j * width + b] *
                                              (slopes[j * width + i] - slopes[i * width + j]);
    ck_assert_int_eq(dense_singular_values(curvature, dim, dim, values, NULL), OK);
    for (size_t a = 0; a < dim; a++)
        rank += values[a] > 1e-6;
    return rank > 0;
}

START_TEST(curvature_agrees_with_differences_of_the_forms)
{
    static const size_t DEPENDENT[] = {3};
    char text[TEXT];
    Random random;

    random_init(&random, 100 + (uint64_t)_i);
    (_i % 3 ? random_constraint : planted_constraint)(&random, text);
    const SettingModel model = random_model(text);
    Setting *s = setting_with(&model, DEPENDENT);
    for (size_t extended = 0; extended < 2; extended++) {
        const char *part = extended ? "extended" : "frozen";
        size_t most = 0;
        for (size_t k = 0; k < 8; k++) {
            const size_t rank = differenced_rank(s, k, extended);
            most = rank > most ? rank : most;
        }
        const Value *rank = at(s, "curvature", part, "rank");
        ck_assert_msg(rank->number == (double)most, "seed %d, %s: %g, not %zu (%s)", 100 + _i, part,
                      rank->number, most, text);
    }
    setting_free(s);
}
END_TEST

enum { A_RUN = 500 };

/* Integrable ones are known as such with what they hide, no other is. */
START_TEST(no_wrong_verdict_on_random_constraints)
{
    static const size_t DEPENDENT[] = {3};
    char text[TEXT];
    size_t written = 0;

    for (size_t k = 0; k < A_RUN; k++) {
        const uint64_t seed = 1000 + (uint64_t)_i * A_RUN + k;
        const bool planted = seed % 2;
        Random random;
        random_init(&random, seed);
        (planted ? planted_constraint : random_constraint)(&random, text);
        const SettingModel model = random_model(text);
        Setting *s = setting_with(&model, DEPENDENT);
        const Verdict *integrable = setting_verdict(s, "integrable");
        const Verdict *hidden = setting_verdict(s, "hidden constraint 1");
        ck_assert_msg(integrable->predicted == (planted ? PREDICTED_YES : PREDICTED_NO),
                      "seed %zu: %s for %s", (size_t)seed, predicted_name(integrable->predicted),
                      text);
        ck_assert_msg((hidden != NULL) == planted, "seed %zu: %s", (size_t)seed, text);
        ck_assert(!hidden || hidden->predicted == PREDICTED_YES);
        if (hidden && !strstr(hidden->expression, "as a function of")) {
            ck_assert_msg(setting_rate(s, hidden->expression) < 1e-6, "%s", hidden->expression);
            written++;
        }
        setting_free(s);
    }
    printf("structure of %d random models (seeds from %d): half integrable, %zu of their integrals "
           "written down, no wrong verdict\n",
           A_RUN, 1000 + _i * A_RUN, written);
}
END_TEST

/* Nonlinear constraints. */

static const struct {
    const char *constraint;
    Predicted nonlinear;
} BENT[] = {
    {"dot(z)^2 = dot(x)^2 + dot(y)^2", PREDICTED_YES},
    {"dot(z) = sqrt(1 + dot(x)^2)", PREDICTED_YES},
    {"exp(dot(z) - x*dot(y)) = 2 + x", PREDICTED_NO}, /* dot(z) = x dot(y) + log(2 + x) */
    {"(dot(z) - x*dot(y))^3 + dot(z) = x*dot(y) + 2", PREDICTED_NO},
    /* however little, and wherever */
    {"dot(z) = dot(x) + 1e-13*dot(y)^2", PREDICTED_YES},
    {"dot(z) = dot(x) + if(x > 30, dot(y)^2, 0)", PREDICTED_YES},
    {"(dot(z) - dot(x))*(1 + dot(y)^2) = 0", PREDICTED_NO},
};

START_TEST(the_tensor_tells_nonlinear_constraints_from_disguised_ones)
{
    static const size_t DEPENDENT[] = {2};
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = EUCLIDEAN3,
                                .constraints = {BENT[_i].constraint}};
    Setting *s = setting_with(&model, DEPENDENT);

    ck_assert_ptr_null(value_member(s->findings.record, "curvature"));
    ck_assert_int_eq(setting_verdict(s, "nonlinear in the velocities")->predicted,
                     BENT[_i].nonlinear);
    setting_free(s);
}
END_TEST

START_TEST(wrong_dependent_coordinates_are_refused)
{
    const SettingModel model = KNOWN[0].model;
    Setting *s = setting_new(&model);
    Value *options = value_new_record(s->arena);
    Value *list = value_add(s->arena, options, "dependent", VALUE_LIST);
    Diagnostics *diag = arena_alloc(s->arena, 1, sizeof *diag);

    diagnostics_init(diag, s->arena);
    value_add_text(s->arena, list, NULL, "q");
    value_add_text(s->arena, list, NULL, "x");
    value_add_text(s->arena, list, NULL, "x");
    list->pointer = "/analyses/0/dependent";
    for (Value *v = list->first; v; v = v->next)
        v->pointer = "/analyses/0/dependent/0";
    ck_assert_int_eq(analysis_structure.check(s->model, NULL, options, diag, NULL), OK);
    ck_assert_uint_eq(diag->count, 3); /* unknown, twice, too many */
    setting_free(s);
}
END_TEST

/* Rounding leaves nothing to see of these brackets at any state: their ranks are proved all the
 * same. */
START_TEST(brackets_that_doubles_do_not_see_are_proved)
{
    static const size_t DEPENDENT[] = {1, 3};
    Setting *s = setting_with(
        &(SettingModel){.coordinates = {"x", "y", "z", "w"},
                        .lagrangian = EUCLIDEAN4,
                        .constraints = {"1999999999*dot(w) + 1e9*dot(x) + dot(z)*cos(t)",
                                        "dot(z) = 123456789*dot(y)*(2*w + x) + 1/3"}},
        DEPENDENT);
    char text[100];

    ck_assert_str_eq(numbers(at(s, "growth", "extended", "vector"), text, sizeof text), "3 5");
    setting_free(s);
}
END_TEST

/* A floor that begins to turn at y = 50, far from the motion: the ranks are those beyond, and
 * nothing is hidden. */
START_TEST(brackets_beyond_the_motion_count)
{
    static const size_t DEPENDENT[] = {2};
    Setting *s = setting_with(&(SettingModel){.coordinates = {"x", "y", "z"},
                                              .lagrangian = EUCLIDEAN3,
                                              .constraints = {"dot(z) = max(0, y - 50)^2*dot(x)"}},
                              DEPENDENT);
    char text[100];

    ck_assert_str_eq(numbers(at(s, "growth", "frozen", "vector"), text, sizeof text), "2 3");
    ck_assert_str_eq(numbers(at(s, "growth", "extended", "vector"), text, sizeof text), "3 4");
    ck_assert_str_eq(value_member(at(s, "growth", "frozen", "proof"), "method")->text, "interval");
    ck_assert_ptr_null(setting_verdict(s, "hidden constraint 1"));
    setting_free(s);
}
END_TEST

SUITE(structure)
{
    TCase *tc = suite_case(suite, "structure");

    tcase_add_loop_test(tc, flags_of_known_distributions, 0, sizeof KNOWN / sizeof KNOWN[0]);
    tcase_add_test(tc, a_singular_start_takes_longer);
    tcase_add_test(tc, brackets_that_doubles_do_not_see_are_proved);
    tcase_add_test(tc, brackets_beyond_the_motion_count);
    tcase_add_loop_test(tc, a_leaf_that_ceases_to_be_a_graph_is_no_error_of_the_motion, 0, 7);
    tcase_add_loop_test(tc, what_is_hidden_is_found, 0, sizeof HIDDEN / sizeof HIDDEN[0]);
    tcase_add_loop_test(tc, curvature_agrees_with_differences_of_the_forms, 0, 30);
    tcase_add_loop_test(tc, no_wrong_verdict_on_random_constraints, 0, 4);
    tcase_add_loop_test(tc, the_tensor_tells_nonlinear_constraints_from_disguised_ones, 0,
                        sizeof BENT / sizeof BENT[0]);
    tcase_add_test(tc, wrong_dependent_coordinates_are_refused);
}
