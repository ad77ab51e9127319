/* Gauge momenta: those of the ball in a rotating cylinder and of the nonholonomic particle, and
 * whether what is found on random models is conserved. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

static const SettingModel CYLINDER = {
    .coordinates = {"z", "gamma", "phi", "psi", "theta"},
    .lagrangian = "(25/16*dot(gamma)^2 + dot(z)^2)/2 + (dot(theta)^2 + dot(phi)^2 + dot(psi)^2"
                  " + 2*dot(phi)*dot(psi)*cos(theta))/16 - 3/2*z",
    .constraints = {"5/4*dot(gamma) + (dot(phi) + dot(psi)*cos(theta))/2 = 21/16",
                    "dot(z) + (dot(psi)*sin(theta)*cos(gamma - phi)"
                    " + dot(theta)*sin(gamma - phi))/2"},
    .symmetries = {{"about_axis", "gamma", "1"},
                   {"spin_x", "theta", "cos(phi)", "psi", "sin(phi)/sin(theta)", "phi",
                    "-sin(phi)*cos(theta)/sin(theta)"},
                   {"spin_y", "theta", "sin(phi)", "psi", "-cos(phi)/sin(theta)", "phi",
                    "cos(phi)*cos(theta)/sin(theta)"},
                   {"spin_z", "phi", "1"}},
    .centre = {0.3, 0.3, 0.3, 0.3, 1.6}};

static const Value *found(const Setting *s)
{
    return value_member(value_member(s->findings.record, "gauge_momenta"), "found");
}

START_TEST(the_ball_in_the_cylinder_has_F_and_K)
{
    Setting *s = setting_new(&CYLINDER);

    setting_run(s, "gauge_momenta", NULL);
    ck_assert_uint_eq(value_count(found(s)), 2);
    const Value *F = found(s)->first, *K = found(s)->last;
    ck_assert(value_member(F, "constant_coefficients")->boolean);
    /* K = a (wx cos + wy sin) - z gammadot, as a multiple */
    ck_assert(!value_member(K, "constant_coefficients")->boolean);
    ck_assert_str_eq(value_member(K, "combination")->text,
                     "-0.16*z*about_axis + cos(gamma)*spin_x + sin(gamma)*spin_y");
    ck_assert_double_le(setting_rate(s, setting_verdict(s, "gauge_momentum_2")->expression), 1e-6);
    /* (Pi Y - Y).M xi = I (a + r) Omega z / ((a^2 + I) r) is not zero: the generator is not in D */
    const Value *projected = value_member(K, "projected_generator");
    ck_assert_str_eq(value_member(projected, "generates")->text, "no");
    ck_assert(!value_member(projected, "up_to_a_constant")->boolean);
    setting_free(s);
}
END_TEST

START_TEST(an_azimuthal_potential_leaves_the_ball_without_momenta)
{
    SettingModel model = CYLINDER;
    model.lagrangian = "(25/16*dot(gamma)^2 + dot(z)^2)/2 + (dot(theta)^2 + dot(phi)^2 + dot(psi)^2"
                       " + 2*dot(phi)*dot(psi)*cos(theta))/16 - 3/2*z - 5/8*cos(gamma)";
    Setting *s = setting_new(&model);

    setting_run(s, "gauge_momenta", NULL);
    ck_assert_uint_eq(value_count(found(s)), 0);
    setting_free(s);
}
END_TEST

/* {"ansatz": [text, ..], "degree": degree} */
static Value *options(Setting *s, const char *const *functions, double degree)
{
    Value *record = value_new_record(s->arena);
    Value *list = value_add(s->arena, record, "ansatz", VALUE_LIST);
    for (; *functions; functions++)
        value_add_text(s->arena, list, NULL, *functions);
    value_add_number(s->arena, record, "degree", degree);
    return record;
}

static const SettingModel PARTICLE = {
    .coordinates = {"x", "y", "z"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
    .constraints = {"dot(z) + x*dot(y)"},
};

START_TEST(the_stated_ansatz_decides_what_is_found)
{
    static const char *const ROOT[] = {"1/sqrt(1 + x^2)", "x", NULL};
    Setting *plain = setting_new(&PARTICLE), *rooted = setting_new(&PARTICLE);

    setting_run(plain, "gauge_momenta", NULL);
    ck_assert_uint_eq(value_count(found(plain)), 2); /* dot(x), and that of a screw motion in D */
    ck_assert_str_eq(value_member(found(plain)->last, "combination")->text, "y - x*z + z*x");
    setting_run(rooted, "gauge_momenta", options(rooted, ROOT, 2));
    ck_assert_uint_eq(value_count(found(rooted)), 2); /* and (1 + x^2)^(1/2) dot(y) */
    const Value *projected = value_member(found(rooted)->last, "projected_generator");
    ck_assert_str_eq(value_member(projected, "generates")->text, "yes");
    ck_assert_double_le(
        setting_rate(rooted, setting_verdict(rooted, "gauge_momentum_2")->expression), 1e-6);
    setting_free(plain);
    setting_free(rooted);
}
END_TEST

/* x, y and the sines and cosines of two angles: 6 functions, so 1 + 6 + 21 products of up to two of
 * them, without the two squares of sines, which are one less the squares of cosines; times the
 * translations along 4 coordinates. */
START_TEST(only_squares_of_sines_are_left_out)
{
    static const SettingModel DISK = {
        .coordinates = {"x", "y", "th", "ph"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(th)^2/2 + dot(ph)^2/4)/2",
        .constraints = {"dot(x) - cos(ph)*dot(th)", "dot(y) - sin(ph)*dot(th)"},
    };
    static const double PERIODS[] = {0, 0, 6.283185307179586, 6.283185307179586};
    Setting *s = setting_new(&DISK);

    s->model->kinds.periods = PERIODS;
    setting_run(s, "gauge_momenta", NULL);
    const Value *record = value_member(s->findings.record, "gauge_momenta");
    ck_assert_double_eq(value_member(record, "unknowns")->number, 4 * (1 + 6 + 21 - 2));
    setting_free(s);
}
END_TEST

START_TEST(given_fields_are_judged)
{
    Setting *s = setting_new(&PARTICLE);
    Value *record = value_new_record(s->arena);
    Value *list = value_add(s->arena, record, "fields", VALUE_LIST);
    Value *field = value_add(s->arena, list, NULL, VALUE_RECORD);
    value_add_text(s->arena, field, "name", "good");
    Value *generator = value_add(s->arena, field, "generator", VALUE_RECORD);
    value_add_text(s->arena, generator, "y", "1/sqrt(1 + x^2)");
    value_add_text(s->arena, generator, "z", "-x/sqrt(1 + x^2)");
    field = value_add(s->arena, list, NULL, VALUE_RECORD);
    value_add_text(s->arena, field, "name", "bad");
    generator = value_add(s->arena, field, "generator", VALUE_RECORD);
    value_add_text(s->arena, generator, "y", "1 + x^2");

    setting_run(s, "gauge_momenta", record);
    ck_assert_int_eq(setting_verdict(s, "good")->predicted, PREDICTED_YES);
    ck_assert_int_eq(setting_verdict(s, "bad")->predicted, PREDICTED_NO);
    const Value *given = value_member(value_member(s->findings.record, "gauge_momenta"), "given");
    ck_assert_str_eq(value_member(given->first, "tangent_to_orbits")->text, "yes");
    setting_free(s);
}
END_TEST

/* The orbits of the turn are circles: what leaves them leaves them by however little. */
START_TEST(fields_are_tangent_to_orbits_or_not)
{
    static const struct {
        const char *x, *y, *tangent;
    } CASES[] = {
        {"-y*exp(x)", "x*exp(x)", "yes"},
        {"-y*sin(2*x)", "2*x*sin(x)*cos(x)", "yes"},
        {"-y", "1.01*x", "no"},
        {"-y", "x + 1e-12*x^2", "no"},
        {"0", "0", "yes"},
    };
    const SettingModel model = {
        .coordinates = {"x", "y"},
        .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
        .symmetries = {{"turn", "x", "-y", "y", "x"}},
    };
    Setting *s = setting_new(&model);
    Value *record = value_new_record(s->arena);
    Value *list = value_add(s->arena, record, "fields", VALUE_LIST);
    Value *field = value_add(s->arena, list, NULL, VALUE_RECORD);
    Value *generator = value_add(s->arena, field, "generator", VALUE_RECORD);
    value_add_text(s->arena, generator, "x", CASES[_i].x);
    value_add_text(s->arena, generator, "y", CASES[_i].y);

    setting_run(s, "gauge_momenta", record);
    const Value *given = value_member(value_member(s->findings.record, "gauge_momenta"), "given");
    ck_assert_str_eq(value_member(given->first, "tangent_to_orbits")->text, CASES[_i].tangent);
    setting_free(s);
}
END_TEST

/* Random models. */

/* Linear constraint dot(z) = a(x) dot(y), with or without a potential: z and y are symmetries of
 * L, and for a = b x, b constant, the momenta are those of the nonholonomic particle. */
START_TEST(what_is_found_on_random_models_is_conserved)
{
    enum { SEED = 5, MODELS = 300 };
    Random random;
    size_t number = 0, planted = 0;

    random_init(&random, SEED);
    for (size_t k = 0; k < MODELS; k++) {
        Arena *arena = arena_new(1 << 20);
        static const char *const SLOPES[] = {"sin(x)", "x", "x^2 + w", "cos(x + w)", "x*w"};
        const char *slope = SLOPES[random_bits(&random) % 5];
        const bool potential = random_bits(&random) % 2, force = random_bits(&random) % 4 == 0;
        SettingModel model = {
            .coordinates = {"x", "y", "z", "w"},
            .lagrangian =
                arena_printf(arena, "dot(x)^2/2 + dot(y)^2/2 + %.3f*dot(z)^2 + dot(w)^2/2 - %s",
                             random_uniform(&random, 0.3, 1), potential ? "0.3*sin(x)" : "0"),
            .constraints = {arena_printf(arena, "dot(z) = %s*dot(y)", slope)},
            .forces = {force ? "y" : NULL, "-dot(y)/2"}};
        Setting *s = setting_new(&model);
        setting_run(s, "gauge_momenta", NULL);
        for (size_t i = 0; i < s->findings.n_verdicts; i++) {
            const Verdict *verdict = &s->findings.verdicts[i];
            const double rate = setting_rate(s, verdict->expression);
            ck_assert_msg(verdict->predicted == PREDICTED_YES && rate < 1e-6,
                          "seed %d, model %zu: %s changes at the rate %g", SEED, k,
                          verdict->expression, rate);
            number++;
        }
        /* w is always free of forces */
        ck_assert_uint_ge(s->findings.n_verdicts, 1);
        planted++;
        setting_free(s);
        arena_free(arena);
    }
    printf("gauge momenta of %zu random models (seed %d): %zu found, all conserved\n", planted,
           SEED, number);
}
END_TEST

SUITE(gauge_momenta)
{
    TCase *tc = suite_case(suite, "gauge momenta");

    tcase_add_test(tc, the_ball_in_the_cylinder_has_F_and_K);
    tcase_add_test(tc, an_azimuthal_potential_leaves_the_ball_without_momenta);
    tcase_add_test(tc, the_stated_ansatz_decides_what_is_found);
    tcase_add_test(tc, only_squares_of_sines_are_left_out);
    tcase_add_test(tc, given_fields_are_judged);
    tcase_add_loop_test(tc, fields_are_tangent_to_orbits_or_not, 0, 5);
    tcase_add_test(tc, what_is_found_on_random_models_is_conserved);
}
