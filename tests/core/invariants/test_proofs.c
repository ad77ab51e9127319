/* What a yes and a no rest on: features that are small beside others or far from the motion, planted
 * in models whose laws are known, in coefficients of all sizes. The oracle is how each was made. */
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

/* The energy's verdict for a model. */
typedef struct EnergyCase {
    SettingModel model;
    Predicted predicted;
} EnergyCase;

static const EnergyCase ENERGY[] = {
    /* forces that are nothing beside others */
    {{.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x^2/2", .forces = {"x", "-1e-13*dot(x)"}},
     PREDICTED_NO},
    {{.coordinates = {"x", "y"},
      .lagrangian = "1e33*dot(x)^2/2 + dot(y)^2/2 - 1e33*x^2 - y^2",
      .forces = {"y", "-0.01*dot(y)"}},
     PREDICTED_NO},
    {{.coordinates = {"x", "y"},
      .lagrangian = "1e33*dot(x)^2/2 + dot(y)^2/2 - 1e33*x^2 - y^2",
      .forces = {"y", "0.01*dot(x)*sin(2*x)", "x", "-0.02*dot(y)*sin(x)*cos(x)"}},
     PREDICTED_YES},
    {{.coordinates = {"x"}, .lagrangian = "dot(x)^2/2 - x^2/2 - 1e-25*sin(t)*x"}, PREDICTED_NO},
    /* that act only far away, or late */
    {{.coordinates = {"x"},
      .lagrangian = "dot(x)^2/2 - x^2/2",
      .forces = {"x", "if(x > 30, -dot(x), 0)"}},
     PREDICTED_NO},
    {{.coordinates = {"x"},
      .lagrangian = "dot(x)^2/2 - x^2/2",
      .forces = {"x", "if(t > 100, -dot(x), 0)"}},
     PREDICTED_NO},
    {{.coordinates = {"x"},
      .lagrangian = "dot(x)^2/2 - x^2/2",
      .forces = {"x", "-dot(x)*max(0, x - 40)"}},
     PREDICTED_NO},
    {{.coordinates = {"x"},
      .lagrangian = "dot(x)^2/2 - x^2/2",
      .forces = {"x", "-exp(-4*(x - 12)^2)*dot(x)"}},
     PREDICTED_NO},
    /* that do no work although nothing in the graph says so */
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - cos(x + y)",
      .forces = {"x", "dot(y)*sin(2*x)", "y", "-2*dot(x)*sin(x)*cos(x)"}},
     PREDICTED_YES},
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .forces = {"x", "dot(y)*abs(x*y)", "y", "-dot(x)*abs(x)*abs(y)"}},
     PREDICTED_YES},
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
      .forces = {"x", "dot(y)*sqrt(1 + x)*sqrt(1 - x)", "y", "-dot(x)*sqrt(1 - x^2)"},
      .centre = {0.01, 0}},
     PREDICTED_YES},
    /* Galilei: a rod between points, in Cartesian coordinates; a force along it */
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
      .constraints = {"x^2 + y^2 = 2"},
      .forces = {"x", "x*(x^2 + y^2)", "y", "2*y"}},
     PREDICTED_YES},
    {{.coordinates = {"x", "y"},
      .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - 9.81*y",
      .constraints = {"x^2 + y^2 = 2"},
      .forces = {"x", "x*(x^2 + y^2)", "y", "2.0000000000001*y"}},
     PREDICTED_NO},
};

START_TEST(energy_is_judged_by_what_the_model_says_and_not_by_what_is_large)
{
    const EnergyCase *c = &ENERGY[_i];
    Setting *s = setting_new(&c->model);

    setting_run(s, "energy", NULL);
    const Verdict *v = setting_verdict(s, "energy");
    ck_assert_msg(v->predicted == c->predicted, "%s, %s: %s; %s", c->model.lagrangian,
                  c->model.forces[1], predicted_name(v->predicted),
                  v->proof.doubt ? v->proof.doubt : "");
    ck_assert_str_eq(proof_name(v), v->predicted == PREDICTED_YES ? "finite_field" : "interval");
    if (v->predicted == PREDICTED_YES) {
        ck_assert_uint_ge(v->proof.points, 6);
        ck_assert_double_le(v->proof.chance, 1e-12);
    } else {
        ck_assert_double_gt(v->largest, 0);
        ck_assert_msg(strstr(v->reason, "power") || strstr(v->reason, "L_t"), "%s", v->reason);
    }
    setting_free(s);
}
END_TEST

/* Constraints that seem to be homogeneous in the velocities, and are not by little. */
START_TEST(a_reaction_that_does_little_work_does_work)
{
    static const struct {
        const char *constraint;
        Predicted predicted;
    } CASES[] = {
        {"dot(z)^2 = dot(x)^2 + dot(y)^2", PREDICTED_YES},
        {"dot(z)^2 = dot(x)^2 + dot(y)^2 + 1e-14*x^2", PREDICTED_NO},
        {"dot(z) = sqrt(dot(x)^2 + dot(y)^2)*(1 + 1e-14*dot(x))", PREDICTED_NO},
        {"dot(z) = sin(2*x)*dot(y) - 2*sin(x)*cos(x)*dot(y)*(1 + 1e-14*dot(y)) + dot(x)",
         PREDICTED_NO},
        {"dot(z) = y*dot(x) + 1e-14*x", PREDICTED_NO},
        {"dot(z) = y*dot(x) + sin(2*x) - 2*sin(x)*cos(x)", PREDICTED_YES},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const SettingModel model = {.coordinates = {"x", "y", "z"},
                                    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - y^2 - z",
                                    .constraints = {CASES[k].constraint}};
        Setting *s = setting_new(&model);
        setting_run(s, "energy", NULL);
        const Verdict *v = setting_verdict(s, "energy");
        ck_assert_msg(v->predicted == CASES[k].predicted, "%s: %s (%s)", CASES[k].constraint,
                      predicted_name(v->predicted), proof_doubt(v));
        setting_free(s);
    }
}
END_TEST

/* A turn about the origin, of potentials that are nearly or hardly visibly symmetric. */
static const struct {
    const char *lagrangian;
    Predicted predicted;
} TURNS[] = {
    {"(dot(x)^2 + dot(y)^2)/2 - exp(-4*((x - 12)^2 + y^2))", PREDICTED_NO},
    {"(dot(x)^2 + dot(y)^2)/2 - x^2 - 1.00000000000001*y^2", PREDICTED_NO},
    {"(dot(x)^2 + dot(y)^2)/2 + 1/hypot(x, y) - 1e-40*x", PREDICTED_NO},
    {"(dot(x)^2 + dot(y)^2)/2 + 1/hypot(x, y)", PREDICTED_YES},
    {"(dot(x)^2 + dot(y)^2)/2 - 0.1*(x^4 + 2*x^2*y^2 + y^4)^1.3", PREDICTED_YES},
    {"(dot(x)^2 + dot(y)^2)/2 - 0.1*x^6 - 0.3*x^4*y^2 - 0.3*x^2*y^4 - 0.1*y^6", PREDICTED_YES},
    {"(dot(x)^2 + dot(y)^2)/2 - exp(-x^2)*exp(-y^2)", PREDICTED_YES},
    {"(dot(x)^2 + dot(y)^2)/2 - log(x^2 + y^2)/3 + atan(x^2 + y^2)/7", PREDICTED_YES},
    {"(dot(x)^2 + dot(y)^2)/2 - (x^2 + y^2)/3 - erf(x^2 + y^2)*sin(t)", PREDICTED_YES},
};

START_TEST(symmetries_are_exact)
{
    const SettingModel model = {.coordinates = {"x", "y"},
                                .lagrangian = TURNS[_i].lagrangian,
                                .symmetries = {{"turn", "x", "-y", "y", "x"}}};
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    const Verdict *v = setting_verdict(s, "turn");
    ck_assert_msg(v->predicted == TURNS[_i].predicted, "%s: %s; %s", model.lagrangian,
                  predicted_name(v->predicted), v->proof.doubt ? v->proof.doubt : "");
    setting_free(s);
}
END_TEST

/* Random potentials of x - y and of x, y by themselves, with coefficients 1e-14 .. 1e14: the momentum
 * of the common shift is kept exactly when nothing but x - y occurs. (No two terms of a broken one are
 * alike: the graph adds the coefficients of like terms in double precision, as the motion has them.) */
START_TEST(planted_and_broken_shifts)
{
    enum { MODELS = 125 };
    static const char *const GOOD[] = {
        "(x - y)^2",      "(x - y)^4",   "cos(x - y)",          "exp(y - x)",
        "cos(2*x - 2*y)", "atan(x - y)", "(x^2 - 2*x*y + y^2)", "(cos(x)*cos(y) + sin(x)*sin(y))"};
    static const char *const BAD[] = {
        "x", "y^3", "cos(x + y)", "exp(-9*(x + 7)^2)", "max(0, x - 50)^2", "x*sin(t)"};
    size_t undecided = 0;
    Random random;
    random_init(&random, 40 + (uint64_t)_i);
    for (size_t k = 0; k < MODELS; k++) {
        char text[600];
        int end = snprintf(text, sizeof text, "%g*(dot(x)^2 + dot(y)^2)/2", 1e-14 + 1);
        const bool broken = random_bits(&random) % 2;
        for (size_t i = 0; i < 4; i++)
            end += snprintf(text + end, sizeof text - (size_t)end, " - %de%d*%s",
                            (int)(random_bits(&random) % 999) + 1,
                            (int)(random_bits(&random) % 27) - 14, GOOD[random_bits(&random) % 8]);
        if (broken)
            snprintf(text + end, sizeof text - (size_t)end, " - %de%d*%s",
                     (int)(random_bits(&random) % 999) + 1, (int)(random_bits(&random) % 27) - 14,
                     BAD[random_bits(&random) % 6]);
        const SettingModel model = {.coordinates = {"x", "y"},
                                    .lagrangian = text,
                                    .symmetries = {{"shift", "x", "1", "y", "1"}}};
        Setting *s = setting_new(&model);
        setting_run(s, "momenta", NULL);
        const Predicted predicted = setting_verdict(s, "shift")->predicted;
        undecided += predicted == PREDICTED_UNDECIDED;
        ck_assert_msg(predicted != (broken ? PREDICTED_YES : PREDICTED_NO), "%s: %s", text,
                      predicted_name(predicted));
        setting_free(s);
    }
    printf("planted and broken shifts of %d random models: %zu undecided, no wrong verdict\n",
           MODELS, undecided);
    ck_assert_uint_le(undecided, MODELS / 20);
}
END_TEST

SUITE(proofs)
{
    TCase *tc = suite_case(suite, "proofs");

    tcase_add_loop_test(tc, energy_is_judged_by_what_the_model_says_and_not_by_what_is_large, 0,
                        (int)(sizeof ENERGY / sizeof *ENERGY));
    tcase_add_test(tc, a_reaction_that_does_little_work_does_work);
    tcase_add_loop_test(tc, symmetries_are_exact, 0, (int)(sizeof TURNS / sizeof *TURNS));
    tcase_add_loop_test(tc, planted_and_broken_shifts, 0, 4);
}
