/* What a yes and a no rest on: features that are small beside others or far from the motion,
 * planted in models whose laws are known, in coefficients of all sizes. The oracle is how each was
 * made. */
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

/* Steps in what is differentiated: L, a field, a constraint. Two directions, x and y; what is said
 * of the energy and of the momenta along them. */
#define YES PREDICTED_YES
#define NO PREDICTED_NO
#define OPEN PREDICTED_UNDECIDED
START_TEST(a_law_that_jumps_is_no_law)
{
    static const struct {
        const char *potential; /* L is T less this */
        Predicted energy, along_x, along_y;
    } CASES[] = {
        /* jumps in time */
        {"if(t < 5, 1, 4)*x^2/2", NO, NO, YES},
        {"x*if(t > 0.5, 1, 0)", NO, NO, YES},
        {"x*sign(t - 100)", NO, NO, YES},
        {"if(t > 30, x^2, x^2 + y^2)", NO, NO, NO},
        {"1e-14*x*sign(t^3 - 8)", NO, NO, YES},
        /* in space: the momentum along the slope meets an impulse that no force shows */
        {"5*if(x > 3, 1, 0)", NO, OPEN, YES},
        {"0.3*sign(x - 1e6)", NO, OPEN, YES},
        {"if(x^2 + y^2 > 100, 1e-9, 0)", NO, OPEN, OPEN},
        {"if(x > 30, 1 + (x - 30)^2, 0)", NO, NO, YES},
        {"if(x + t > 1000, 1, 0)", NO, OPEN, YES},
        {"if(x > 3 and t > 2, 1, 0)", NO, OPEN, YES},
        {"if(x > 3, sign(y), 0)", NO, OPEN, OPEN},
        /* in the velocities, or where velocities follow a jump of L_v */
        {"if(dot(x) > 30, 1, 0)", OPEN, OPEN, OPEN},
        {"if(t > 30, 1, 2)*dot(x)^2/5", OPEN, OPEN, OPEN},
        {"if(x > 30, 1, 2)*dot(x)^2/5", OPEN, OPEN, OPEN},
        {"if(dot(x) > 30, dot(x) - 30, 0)", OPEN, OPEN, OPEN},
        {"if(dot(x) > 30, (dot(x) - 31)^2, 0)*y", OPEN, OPEN, NO},
        /* of the energy alone: L goes on beyond the cut */
        {"atan2(y, x)", NO, NO, NO},
        {"atan2(x - 3, 1 - x) + x^2", NO, NO, YES},
        {"atan2(x, cos(y) - 2)*y", NO, NO, NO},
        {"atan2(y, x)^3", NO, NO, NO},
        {"atan2(y, x) - atan2(y, x - 1)", NO, NO, NO},
        {"if(if(x < 0, y, 1) < 0, 1, 0)", NO, OPEN, OPEN},
        /* where others change as well */
        {"if(2*x < 4, if(x < 2, 1, 0), 0)", NO, OPEN, YES},
        {"if(x^3 < 8, if(x < 2, 1, 0), 0)", OPEN, OPEN, YES},
        {"if(x^2 < 4, if(x < 2, 1, 0)*(x + 2), 0)", OPEN, NO, YES},
        {"sign(x*y) - sign(x)*sign(y) + x", OPEN, NO, OPEN},
        {"if(x^2 > 4, 1, 0) - if(x > 2, 1, 0) - if(x < -2, 1, 0)", OPEN, OPEN, YES},
        /* that are none */
        {"if(2*x > 1, 1, 0) - if(x > 0.5, 1, 0)", YES, YES, YES},
        {"if(x + y > 1, 1, 0) + if(3 >= 3*x + 3*y, 1, 0)", YES, YES, YES},
        {"if(x^2 < 4, if(x <= 2, 1, 0)*(x + 2)*(x - 2), 0)", YES, NO, YES},
        {"cos(3*atan2(y, x)) + sin(2*atan2(y, x))*(x^2 + y^2)", YES, NO, NO},
        {"atan2(y, x)^2 + atan2(y, 1 + x^2) + atan2(1 + x^2, y)", YES, NO, NO},
        {"if(dot(x) > 30, (dot(x) - 30)^2, 0)", YES, YES, YES},
        {"if(dot(x) + dot(y) > 3*x, (dot(x) + dot(y) - 3*x)^3, 0)", YES, NO, YES},
        {"if(dot(x) > x*y, (dot(x)^2 - x^2*y^2)^2, 0)", YES, NO, NO},
        {"if(x > 3, (x - 3)^2, 0)", YES, NO, YES},
        {"if(x^2 > y^2, x^2, y^2)", YES, NO, NO},
        {"if(x > 3, sin(2*x)*y, 2*sin(x)*cos(x)*y)", YES, NO, NO},
        {"x*if(t < 5, 1 + t, 6)", NO, NO, YES},
        {"(x - 3)*sign(x - 3) + abs(y) + max(x, y)", YES, NO, NO},
        {"min(x, 3)^2", YES, NO, YES},
        {"sign(x)^2*x^2", YES, NO, YES},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char L[200];
        snprintf(L, sizeof L, "(dot(x)^2 + dot(y)^2)/2 - (%s)", CASES[k].potential);
        const SettingModel model = {.coordinates = {"x", "y"},
                                    .lagrangian = L,
                                    .symmetries = {{"along_x", "x", "1"}, {"along_y", "y", "1"}}};
        Setting *s = setting_new(&model);
        setting_run(s, "energy", NULL);
        setting_run(s, "momenta", NULL);
        const struct {
            const char *name;
            Predicted predicted;
        } WANTED[] = {{"energy", CASES[k].energy},
                      {"along_x", CASES[k].along_x},
                      {"along_y", CASES[k].along_y}};
        for (size_t i = 0; i < 3; i++) {
            const Verdict *v = setting_verdict(s, WANTED[i].name);
            ck_assert_msg(v->predicted == WANTED[i].predicted, "%s: %s is %s: %s",
                          CASES[k].potential, v->name, predicted_name(v->predicted), v->reason);
            if (v->predicted == PREDICTED_UNDECIDED)
                ck_assert_ptr_nonnull(strstr(v->reason, "condition"));
        }
        setting_free(s);
    }
}
END_TEST

/* Models with numbers whose doubles say something else, and with such as are only long. */
START_TEST(numbers_of_a_text_are_not_their_doubles)
{
    static const struct {
        const char *lagrangian, *constraint, *force; /* on x */
        Predicted predicted;                         /* undecided: or no */
    } CASES[] = {
        /* the doubles cancel */
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-(sqrt(2)*1e16 + 1 - sqrt(2)*1e16)*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "(sin(1e-9) - tan(1e-9))*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-(pi - 3.141592653589793)*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-(exp(1)*y - 2.718281828459045*y)*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-(2.23606797749979 - sqrt(5))*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2 - (pi - 3.141592653589793)*t*x", NULL, "0", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2 - sin(t)*(log(2)*x - 0.6931471805599453*x)", NULL, "0", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2*(1 + t*(atan(1e-9) - asin(1e-9)))", NULL, "0", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", "dot(x) = y*dot(y) + cos(1e-9) - 1", "0", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", "x^2 + y^2 = 1 + t*(exp(1) - 2.718281828459045)", "0", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-dot(x)*(1 - tanh(20))", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-dot(x)*(2^(1/3) - 1.2599210498948732)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-dot(x)*(10000000000000001 - 1e16)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-if(pi > 3.141592653589793, 1, 0)*dot(x)", OPEN},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-sin(1e22*pi)*dot(x)", OPEN},
        /* they do not, and nothing keeps it from being decided */
        {"(dot(x)^2 + dot(y)^2)/2 - sqrt(2)*x^2 - pi*x*y", NULL, "0", YES},
        {"(dot(x)^2 + dot(y)^2)/2 - x^2/1.373878287 - y/3", NULL, "0", YES},
        {"dot(x)^2/1.373878287 + dot(y)^2/8.3144626181 - x^2*y^3/2.718281828", NULL, "0", YES},
        {"(dot(x)^2 + dot(y)^2)/2 - x^2/1.373878287", NULL, "-dot(x)/123456789123", NO},
        {"(dot(x)^2 + dot(y)^2)/2 - cos(2*pi*x)/pi - sqrt(5)*x", NULL, "0", YES},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-1e-20*sqrt(2)*dot(x)", NO},
        {"(dot(x)^2 + dot(y)^2)/2 - x*sin(pi*t)/1e9", NULL, "0", NO},
        {"(dot(x)^2 + dot(y)^2)/2 - exp(-x^2/sqrt(pi))", "dot(y) = dot(x)*exp(-1)*x", "0", YES},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "-(sqrt(2)^2 - 1.9)*dot(x)", NO},
        {"(dot(x)^2 + dot(y)^2)/2", NULL, "(3*(pi/3) - pi)*dot(x) + sin(pi)*dot(y)", YES},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        const SettingModel model = {.coordinates = {"x", "y"},
                                    .lagrangian = CASES[k].lagrangian,
                                    .constraints = {CASES[k].constraint},
                                    .forces = {"x", CASES[k].force}};
        Setting *s = setting_new(&model);
        setting_run(s, "energy", NULL);
        const Verdict *v = setting_verdict(s, "energy");
        ck_assert_msg(v->predicted == CASES[k].predicted ||
                          (v->predicted == NO && CASES[k].predicted == OPEN),
                      "%zu: %s %s: %s (%s)", k, CASES[k].lagrangian, CASES[k].force,
                      predicted_name(v->predicted), proof_doubt(v));
        setting_free(s);
    }
}
END_TEST
#undef YES
#undef NO
#undef OPEN

/* Questions that are not about L, and one that is about more: a jump matters where it changes what
 * is asked. */
START_TEST(a_jump_matters_to_some_questions)
{
    static const struct {
        const char *potential, *constraint, *force, *analysis, *verdict;
        Predicted predicted;
    } CASES[] = {
        {"if(x > 30, 1, 0)", "dot(y) = x*dot(x)", "0", "structure", "integrable", PREDICTED_YES},
        {"if(x > 30, 1, 0)*dot(x)^2", "dot(y) = x*dot(x)", "0", "structure", "integrable",
         PREDICTED_YES},
        {"0", "dot(y) = if(x > 30, x, 2)*dot(x)", "0", "structure", "integrable",
         PREDICTED_UNDECIDED},
        /* reactions that do no work, whatever they are, and for what L says of them */
        {"if(x > 30, 1, 0)", "dot(y) = x*dot(x)", "0", "reactions", "reaction_does_no_work",
         PREDICTED_YES},
        {"if(x^2 + y^2 > 99, 1, 0) + (x^2 + y^2)/2", "dot(z) = y*dot(x) - x*dot(y) + 1", "0",
         "reactions", "reaction_does_no_work", PREDICTED_UNDECIDED},
        {"if(x^2 + y^2 > 99, 1, 0) + (x^2 + y^2)/2", "dot(z) = y*dot(x) - x*dot(y) + 1", "0",
         "reactions", "reaction_vanishes", PREDICTED_UNDECIDED},
        /* volume is lost where friction jumps, and not at a wall */
        {"if(x > 30, 1, 0)", NULL, "0", "measure", "volume in (q, v)", PREDICTED_YES},
        {"if(x > 30, 1, 0)", NULL, "0", "measure", "volume in (q, p)", PREDICTED_YES},
        {"if(x > 30, x, 30)", NULL, "sign(x)", "measure", "volume in (q, v)", PREDICTED_YES},
        {"0", NULL, "-sign(dot(x))", "measure", "volume in (q, v)", PREDICTED_UNDECIDED},
        {"0", NULL, "if(dot(x) > 0, -1, 1)", "measure", "volume in (q, p)", PREDICTED_UNDECIDED},
        {"0", NULL, "if(dot(x) > x, (dot(x) - x)*y, 0)", "measure", "volume in (q, v)",
         PREDICTED_NO},
        {"if(t > 3, 1, 2)*x^2", NULL, "0", "measure", "volume in (q, v)", PREDICTED_YES},
        {"if(x > 30, 1, 0)*dot(x)^2/5", NULL, "0", "measure", "volume in (q, p)",
         PREDICTED_UNDECIDED},
    };
    char L[200];
    snprintf(L, sizeof L, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)", CASES[_i].potential);
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = L,
                                .constraints = {CASES[_i].constraint},
                                .forces = {"x", CASES[_i].force}};
    const size_t dependent[] = {1};
    Setting *s = setting_new(&model);

    s->context.dependent = dependent;
    setting_run(s, CASES[_i].analysis, NULL);
    const Verdict *v = setting_verdict(s, CASES[_i].verdict);
    ck_assert_ptr_nonnull(v);
    ck_assert_msg(v->predicted == CASES[_i].predicted, "%s is %s: %s", v->name,
                  predicted_name(v->predicted), v->reason);
    if (v->predicted == PREDICTED_UNDECIDED)
        ck_assert_msg(strstr(v->reason, "where a condition") != NULL, "%s", v->reason);
    setting_free(s);
}
END_TEST

/* A drag that is lost, all of it or in part, when the constants of its text are added as
 * doubles. */
START_TEST(constants_are_added_whatever_their_digits)
{
    static const struct {
        const char *drag;
        Predicted predicted;
    } CASES[] = {
        {"1e16 + 1 - 1e16", PREDICTED_NO},
        {"1e6 + 1e-11 - 1e6", PREDICTED_NO},
        {"1e6 + 1e-7 - 1e6", PREDICTED_NO},
        {"sin(x)^2 + cos(x)^2 - 1 + 1e-17", PREDICTED_NO},
        {"(1e5 + y)^2 - 1e10 - 2e5*y - y^2 + 1e-9", PREDICTED_NO},
        {"(1e8 + y)^2 - 1e16 - 2e8*y - y^2 + 1", PREDICTED_NO},
        {"x/3 + 2*x/3 - x + 1e-17*x", PREDICTED_NO},
        {"1.23456789*9.87654321*y - 12.1932631112635*y - 2.7e-16*y", PREDICTED_NO},
        {"1.23456789*9.87654321*y - 12.1932631112635*y - 2.69e-14*y", PREDICTED_YES},
        {"(1e5 + y)^2 - 1e10 - 2e5*y - y^2", PREDICTED_YES},
        {"x/3 + 2*x/7 - 13*x/21", PREDICTED_YES},
        {"0.1 + 0.2 - 0.3", PREDICTED_YES},
        {"1e16*y + y - 1e16*y - y", PREDICTED_YES},
        {"1.36986301369863*y - 100*y/73", PREDICTED_NO}, /* one double */
        {"1e200*y + y - 1e200*y", PREDICTED_UNDECIDED},  /* digits beyond all bounds */
        {"800.4175e12*y/4.736041803 - 800.4175*y/4.736041803e-12", PREDICTED_YES},
        {"800.4175e12*y/4.736041803 - 800.4175*y/4.736041804e-12", PREDICTED_NO},
        {"1.00000001^40 - 1.00000001^40", PREDICTED_YES},
        {"1.00000001^40*y - 1.00000001^39*y", PREDICTED_NO},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char force[120];
        snprintf(force, sizeof force, "-(%s)*dot(x)", CASES[k].drag);
        const SettingModel model = {.coordinates = {"x", "y"},
                                    .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                                    .forces = {"x", force}};
        Setting *s = setting_new(&model);
        setting_run(s, "energy", NULL);
        const Verdict *v = setting_verdict(s, "energy");
        ck_assert_msg(v->predicted == CASES[k].predicted, "%s: %s (%s)", CASES[k].drag,
                      predicted_name(v->predicted), proof_doubt(v));
        setting_free(s);
    }
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

/* Random potentials of x - y and of x, y by themselves, with coefficients 1e-14 .. 1e14: the
 * momentum of the common shift is kept exactly when nothing but x - y occurs. (No two terms of a
 * broken one are alike: the graph adds the coefficients of like terms in double precision, as the
 * motion has them.) */
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

/* Of what is expected to be constant, and what the motion says of it. */
START_TEST(the_motion_is_heard_beside_what_is_expected)
{
    static const struct {
        Predicted predicted, likely, then;
        bool conserved;
        const char *impact, *says;
    } CASES[] = {
        {PREDICTED_UNDECIDED, PREDICTED_YES, PREDICTED_YES, true, NULL, NULL},
        {PREDICTED_UNDECIDED, PREDICTED_YES, PREDICTED_NO, false, NULL, "is not likely"},
        {PREDICTED_UNDECIDED, PREDICTED_YES, PREDICTED_YES, false, "hit", "the event hit"},
        {PREDICTED_UNDECIDED, PREDICTED_NO, PREDICTED_NO, false, NULL, NULL},
        {PREDICTED_YES, PREDICTED_YES, PREDICTED_YES, false, NULL, "or of its evaluation"},
        {PREDICTED_YES, PREDICTED_YES, PREDICTED_YES, false, "hit", "the event hit"},
        {PREDICTED_NO, PREDICTED_UNDECIDED, PREDICTED_UNDECIDED, false, NULL, NULL},
    };
    Arena arena = {0};
    Verdict verdict = {.predicted = CASES[_i].predicted,
                       .proof.likely = CASES[_i].likely,
                       .observed = true,
                       .conserved = CASES[_i].conserved,
                       .max_drift = 2,
                       .reason = "It is."};

    verdict_face_motion(&arena, &verdict, CASES[_i].impact);
    ck_assert_int_eq(verdict.predicted, CASES[_i].predicted);
    ck_assert_int_eq(verdict.proof.likely, CASES[_i].then);
    if (CASES[_i].says)
        ck_assert_msg(strstr(verdict.reason, CASES[_i].says) != NULL, "%s", verdict.reason);
    else
        ck_assert_str_eq(verdict.reason, "It is.");
    arena_done(&arena);
}
END_TEST

SUITE(proofs)
{
    TCase *tc = suite_case(suite, "proofs");

    tcase_add_loop_test(tc, energy_is_judged_by_what_the_model_says_and_not_by_what_is_large, 0,
                        (int)(sizeof ENERGY / sizeof *ENERGY));
    tcase_add_test(tc, a_law_that_jumps_is_no_law);
    tcase_add_loop_test(tc, a_jump_matters_to_some_questions, 0, 14);
    tcase_add_test(tc, constants_are_added_whatever_their_digits);
    tcase_add_test(tc, numbers_of_a_text_are_not_their_doubles);
    tcase_add_test(tc, a_reaction_that_does_little_work_does_work);
    tcase_add_loop_test(tc, symmetries_are_exact, 0, (int)(sizeof TURNS / sizeof *TURNS));
    tcase_add_loop_test(tc, the_motion_is_heard_beside_what_is_expected, 0, 7);
    tcase_add_loop_test(tc, planted_and_broken_shifts, 0, 4);
}
