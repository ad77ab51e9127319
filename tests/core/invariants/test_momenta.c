/* Momenta: known systems, then random ones with planted and broken symmetries. The oracle is a
 * difference quotient of the printed momentum along the motion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

static const SettingModel DISK = {
    .coordinates = {"x", "y", "theta", "phi"},
    .lagrangian = "dot(x)^2 + dot(y)^2 + 3/8*dot(theta)^2 + dot(phi)^2/4",
    .constraints = {"dot(x) = cos(phi)*dot(theta)/2", "dot(y) = sin(phi)*dot(theta)/2"},
    .symmetries = {{"shift", "x", "1"},
                   {"turn", "x", "-y", "y", "x", "phi", "1"},
                   {"roll", "theta", "1"},
                   {"head", "phi", "1"}}};

START_TEST(a_symmetry_of_the_constraints_is_neither_needed_nor_enough)
{
    Setting *s = setting_new(&DISK);

    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "shift")->predicted, PREDICTED_NO);
    ck_assert_ptr_nonnull(strstr(setting_verdict(s, "shift")->reason, "the reaction of c1"));
    ck_assert_int_eq(setting_verdict(s, "turn")->predicted, PREDICTED_NO);
    ck_assert_int_eq(setting_verdict(s, "roll")->predicted, PREDICTED_YES);
    ck_assert_int_eq(setting_verdict(s, "roll")->evidence, EVIDENCE_RANDOM_STATES);
    /* the heading is no symmetry of the constraints */
    ck_assert_int_eq(setting_verdict(s, "head")->predicted, PREDICTED_YES);
    ck_assert_int_eq(setting_verdict(s, "head")->evidence, EVIDENCE_IDENTITY);
    setting_free(s);
}
END_TEST

START_TEST(without_symmetries_the_coordinates_that_L_lacks_are_tried)
{
    SettingModel model = DISK;
    memset(model.symmetries, 0, sizeof model.symmetries);
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    ck_assert_uint_eq(s->findings.n_verdicts, 4);
    ck_assert_int_eq(setting_verdict(s, "momentum of x")->predicted, PREDICTED_NO);
    ck_assert_int_eq(setting_verdict(s, "momentum of theta")->predicted, PREDICTED_YES);
    setting_free(s);
}
END_TEST

START_TEST(a_force_and_the_fields_own_time_dependence_may_balance)
{
    const SettingModel model = {.coordinates = {"x", "y"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y^2",
                                .forces = {"x", "dot(x)"},
                                .symmetries = {{"decaying", "x", "exp(-t)"}, {"fixed", "x", "1"}}};
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "decaying")->predicted, PREDICTED_YES);
    ck_assert_int_eq(setting_verdict(s, "fixed")->predicted, PREDICTED_NO);
    ck_assert_ptr_nonnull(strstr(setting_verdict(s, "fixed")->reason, "the force"));
    setting_free(s);
}
END_TEST

/* A rotation about a centre that moves leaves L unchanged, a change to a moving frame does not. */
START_TEST(a_field_that_depends_on_time_changes_L_by_its_own_rate_too)
{
    const SettingModel model = {
        .coordinates = {"x", "y"},
        .lagrangian = "((dot(x) - 1)^2 + dot(y)^2)/2 - ((x - t)^2 + y^2)/2",
        .symmetries = {{"turn", "x", "-y", "y", "x - t"}, {"still", "x", "-y", "y", "x"}}};
    const SettingModel free_particle = {
        .coordinates = {"x"}, .lagrangian = "dot(x)^2/2", .symmetries = {{"boost", "x", "t"}}};
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "turn")->predicted, PREDICTED_YES);
    ck_assert_str_eq(setting_verdict(s, "turn")->reason,
                     "The symmetry 'turn' leaves L unchanged, and no force acts along it.");
    ck_assert_int_eq(setting_verdict(s, "still")->predicted, PREDICTED_NO);
    setting_free(s);
    s = setting_new(&free_particle);
    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "boost")->predicted, PREDICTED_NO);
    ck_assert_ptr_nonnull(strstr(setting_verdict(s, "boost")->reason,
                                 "'boost' is no symmetry of L: at a random admissible state its "
                                 "momentum changes through the change of L ("));
    const Value *fields = value_member(s->findings.record, "momenta");
    ck_assert_str_eq(value_member(fields->first, "leaves_lagrangian")->text, "no");
    setting_free(s);
}
END_TEST

START_TEST(invariance_where_the_constraints_hold_is_told_from_invariance)
{
    const SettingModel model = {
        .coordinates = {"x", "y", "z"},
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2",
        .constraints = {"dot(z) + x*dot(y)"},
        .symmetries = {{"N", "y", "1/sqrt(1 + x^2)", "z", "-x/sqrt(1 + x^2)"}, {"z", "z", "1"}}};
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "N")->predicted, PREDICTED_YES);
    ck_assert_ptr_nonnull(strstr(setting_verdict(s, "N")->reason, "wherever the constraints hold"));
    ck_assert_int_eq(setting_verdict(s, "z")->predicted, PREDICTED_NO);
    setting_free(s);
}
END_TEST

START_TEST(a_weak_reaction_beside_strong_forces_is_seen)
{
    /* z is light and hardly tied to x, which swings with much energy */
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian =
                                    "1e3*(dot(x)^2 + dot(y)^2) + dot(z)^2/2 - 1e5*(x^2 + y^2)",
                                .constraints = {"dot(z) = 1e-3*x*dot(y)"},
                                .symmetries = {{"z", "z", "1"}}};
    Setting *s = setting_new(&model);

    setting_run(s, "momenta", NULL);
    ck_assert_int_eq(setting_verdict(s, "z")->predicted, PREDICTED_NO);
    setting_free(s);
}
END_TEST

/* Random models. */

enum { MODELS = SUITE_DRAWS(2000) };

typedef struct Planted {
    bool in_L, in_reaction, in_force; /* what breaks the conservation of the momentum of s */
} Planted;

/* A function of x, y, z, and of s if asked for. */
static const char *function(Random *random, bool with_s, Arena *arena)
{
    static const char *const NAMES[] = {"x", "y", "z"};
    const char *a = NAMES[random_bits(random) % 3], *b = NAMES[random_bits(random) % 3];
    double c = random_uniform(random, 0.2, 1), d = random_uniform(random, -1, 1);
    const char *s = with_s ? arena_printf(arena, " + %.3f*s", c) : "";

    switch (random_bits(random) % 4) {
    case 0:
        return arena_printf(arena, "(%.3f*sin(%s + %.3f*%s%s))", c, a, d, b, s);
    case 1:
        return arena_printf(arena, "(%.3f + %.3f*%s*(%s%s))", c, d, a, b, s);
    case 2:
        return arena_printf(arena, "(%.3f/(1 + (%s%s)^2))", c, a, s);
    default:
        return arena_printf(arena, "(%.3f*%s + %.3f*cos(%s%s))", d, a, c, b, s);
    }
}

static Planted random_model(Random *random, SettingModel *ret, Arena *arena)
{
    Planted p = {.in_L = random_bits(random) % 4 == 0,
                 .in_reaction = random_bits(random) % 4 == 0,
                 .in_force = random_bits(random) % 4 == 0};
    const bool s_in_constraint = random_bits(random) % 2;

    *ret = (SettingModel){.coordinates = {"x", "y", "z", "s"}, .symmetries = {{"S", "s", "1"}}};
    ret->lagrangian = arena_printf(
        arena,
        "dot(x)^2 + dot(y)^2/2 + dot(z)^2/2 + 3/4*dot(s)^2 + 0.1*%s*dot(x)*dot(s) + %s*dot(y) - %s",
        function(random, false, arena), function(random, false, arena),
        function(random, p.in_L, arena));
    ret->constraints[0] =
        arena_printf(arena, "dot(x) + %s*dot(y) + %s*dot(z) + %s",
                     function(random, s_in_constraint, arena), function(random, false, arena),
                     random_bits(random) % 2 ? function(random, s_in_constraint, arena) : "0");
    if (p.in_reaction)
        ret->constraints[0] = arena_printf(arena, "%s + %s*dot(s)", ret->constraints[0],
                                           function(random, false, arena));
    if (random_bits(random) % 2) {
        ret->forces[0] = p.in_force ? "s" : "y";
        ret->forces[1] = "-dot(y)/3";
    } else {
        p.in_force = false;
    }
    return p;
}

START_TEST(no_verdict_on_random_models_is_wrong)
{
    enum { SEED = 4 };
    Random random;
    size_t yes = 0, no = 0;

    random_init(&random, SEED);
    for (size_t k = 0; k < MODELS; k++) {
        Arena *arena = arena_new(1 << 20);
        SettingModel model;
        Planted planted = random_model(&random, &model, arena);
        Setting *s = setting_new(&model);
        setting_run(s, "momenta", NULL);
        const Verdict *verdict = setting_verdict(s, "S");
        const double rate = setting_rate(s, verdict->expression);
        const bool broken = planted.in_L || planted.in_reaction || planted.in_force;
        ck_assert_msg(verdict->predicted == (broken ? PREDICTED_NO : PREDICTED_YES),
                      "seed %d, model %zu: L = %s, %s: %s", SEED, k, model.lagrangian,
                      model.constraints[0], verdict->reason);
        ck_assert_msg(broken == (rate > 1e-6), "seed %d, model %zu: rate %g", SEED, k, rate);
        yes += !broken;
        no += broken;
        setting_free(s);
        arena_free(arena);
    }
    printf("momenta of %d random models (seed %d): %zu conserved, %zu not, no wrong verdict\n",
           MODELS, SEED, yes, no);
}
END_TEST

/* In doubles the force is nothing, and so is every rate; a ball sees it. */
START_TEST(a_no_that_rounding_hides_has_a_reason)
{
    static const SettingModel MODEL = {.coordinates = {"x", "y"},
                                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
                                       .forces = {"x", "(tanh(30 + x^2) - 1)*dot(x)"},
                                       .symmetries = {{"shift", "x", "1"}}};
    static const char *const NAMES[] = {"energy", "shift", "energy - p.shift"};
    Setting *s = setting_new(&MODEL);
    Value *options = value_new_record(s->arena);
    Value *list = value_add(s->arena, options, "fields", VALUE_LIST);
    Value *field = value_add(s->arena, list, NULL, VALUE_RECORD);
    value_add_text(s->arena, field, "name", "shift");
    value_add_text(s->arena, value_add(s->arena, field, "generator", VALUE_RECORD), "x", "1");

    setting_run(s, "energy", NULL);
    setting_run(s, "momenta", NULL);
    setting_run(s, "moving_energy", options);
    for (size_t k = 0; k < 3; k++) {
        const Verdict *verdict = setting_verdict(s, NAMES[k]);
        ck_assert_ptr_nonnull(verdict);
        ck_assert_int_eq(verdict->predicted, PREDICTED_NO);
        ck_assert_msg(strstr(verdict->reason, "less than rounding shows"), "%s", verdict->reason);
    }
    setting_free(s);
}
END_TEST

SUITE(momenta)
{
    TCase *tc = suite_case(suite, "momenta");
    tcase_add_test(tc, a_no_that_rounding_hides_has_a_reason);

    tcase_add_test(tc, a_symmetry_of_the_constraints_is_neither_needed_nor_enough);
    tcase_add_test(tc, a_field_that_depends_on_time_changes_L_by_its_own_rate_too);
    tcase_add_test(tc, without_symmetries_the_coordinates_that_L_lacks_are_tried);
    tcase_add_test(tc, a_force_and_the_fields_own_time_dependence_may_balance);
    tcase_add_test(tc, invariance_where_the_constraints_hold_is_told_from_invariance);
    tcase_add_test(tc, a_weak_reaction_beside_strong_forces_is_seen);
    tcase_add_test(tc, no_verdict_on_random_models_is_wrong);
}
