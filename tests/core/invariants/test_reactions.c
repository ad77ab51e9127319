/* Reaction forces and the distribution that annihilates them, on systems whose reactions are known
 * in closed form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/invariants/reaction_annihilator/annihilator.h"
#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

/* A particle on belts: R = (V_z, for the rest as S) S / (1 + x^2 + y^2) with S = (-y, x, 1). */
#define BELTS(POTENTIAL)                                                      \
    {                                                                         \
        .coordinates = {"x", "y", "z"},                                       \
        .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (" POTENTIAL ")", \
        .constraints = {"dot(z) + x*dot(y) - y*dot(x) = 3/4"},                \
    }

static const Value *member(const Setting *s, const char *record, const char *name)
{
    return value_member(value_member(s->findings.record, record), name);
}

START_TEST(reaction_of_the_particle_on_belts_is_printed)
{
    const SettingModel model = BELTS("z");
    Setting *s = setting_new(&model);

    setting_run(s, "reactions", NULL);
    const Value *force = member(s, "reactions", "force");
    ck_assert_str_eq(value_member(force, "x")->text, "-y/(x^2 + y^2 + 1)");
    ck_assert_str_eq(value_member(force, "y")->text, "x/(x^2 + y^2 + 1)");
    ck_assert_str_eq(value_member(force, "z")->text, "1/(x^2 + y^2 + 1)");
    ck_assert_str_eq(value_member(member(s, "reactions", "multipliers"), "c1")->text,
                     "1/(x^2 + y^2 + 1)");
    setting_free(s);
}
END_TEST

static const struct {
    const char *potential;
    Predicted vanishes, works_not;
    size_t rank;
} POTENTIALS[] = {
    {"0", PREDICTED_YES, PREDICTED_YES, 3}, {"(x^2 + y^2)/2", PREDICTED_YES, PREDICTED_YES, 3},
    {"z", PREDICTED_NO, PREDICTED_NO, 2},   {"y^2", PREDICTED_NO, PREDICTED_NO, 2},
    {"x", PREDICTED_NO, PREDICTED_NO, 2},
};

START_TEST(the_potential_decides_what_the_belts_do)
{
    SettingModel model = BELTS("0");
    char lagrangian[120];
    snprintf(lagrangian, sizeof lagrangian, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - (%s)",
             POTENTIALS[_i].potential);
    model.lagrangian = lagrangian;
    Setting *s = setting_new(&model);

    setting_run(s, "reactions", NULL);
    setting_run(s, "reaction_annihilator", NULL);
    ck_assert_int_eq(setting_verdict(s, "reaction_vanishes")->predicted, POTENTIALS[_i].vanishes);
    ck_assert_int_eq(setting_verdict(s, "reaction_does_no_work")->predicted,
                     POTENTIALS[_i].works_not);
    ck_assert_int_eq(setting_verdict(s, "affine_part")->predicted, POTENTIALS[_i].works_not);
    ck_assert(member(s, "reaction_annihilator", "generic_rank")->number ==
              (double)POTENTIALS[_i].rank);
    ck_assert_uint_eq(value_count(member(s, "reaction_annihilator", "random_configurations")), 8);
    setting_free(s);
}
END_TEST

/* Its power vanishes with the velocity, the force does not. */
START_TEST(a_reaction_without_power_is_one)
{
    static const SettingModel SHELF = {.coordinates = {"x", "y"},
                                       .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - y",
                                       .constraints = {"dot(y) = 0"}};
    Setting *s = setting_new(&SHELF);

    setting_run(s, "reactions", NULL);
    ck_assert_int_eq(setting_verdict(s, "reaction_vanishes")->predicted, PREDICTED_NO);
    ck_assert_int_eq(setting_verdict(s, "reaction_does_no_work")->predicted, PREDICTED_YES);
    setting_free(s);
}
END_TEST

/* Gravity of 1e-13 beside forces of one: as small as rounding, and yet a reaction; or one far above
 * the motion. */
START_TEST(a_generic_rank_is_proved_however_small_or_far_a_force_is)
{
#define PLAIN "(dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2)/2 - w "
    const SettingModel model = {
        .coordinates = {"x", "y", "z", "w"},
        .lagrangian = _i == 0 ? PLAIN "- 1e-13*z" : PLAIN "- max(0, z - 4000)^2*z",
#undef PLAIN
        .constraints = {"dot(z) + x*dot(y) - y*dot(x) = 3/4", "dot(w) = 0"}};
    Setting *s = setting_new(&model);

    setting_run(s, "reaction_annihilator", NULL);
    ck_assert(member(s, "reaction_annihilator", "generic_rank")->number == 3);
    const Value *proof = member(s, "reaction_annihilator", "proof");
    ck_assert_str_ne(value_member(proof, "method")->text, "samples");
    setting_free(s);
}
END_TEST

START_TEST(the_basis_is_orthogonal_to_the_reaction)
{
    const SettingModel model = BELTS("z");
    const double q[3] = {0.4, -1.3, 2};
    Setting *s = setting_new(&model);
    Annihilator a;

    ck_assert_int_eq(annihilator_init(&a, &s->context, 0, q, NULL), OK);
    ck_assert(a.decided);
    ck_assert_uint_eq(a.rank, 2);
    for (size_t k = 0; k < a.rank; k++) {
        const double *z = a.basis + k * 3;
        ck_assert_double_le(fabs(-q[1] * z[0] + q[0] * z[1] + z[2]), 1e-13);
        ck_assert(z[0] == 1 || z[1] == 1 || z[2] == 1);
    }
    setting_free(s);
}
END_TEST

START_TEST(units_do_not_change_the_rank)
{
    /* the particle with x in units of 1e6 and z in units of 1e-5 */
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian =
                                    "(1e12*dot(x)^2 + dot(y)^2 + 1e-10*dot(z)^2)/2 - 1e-5*z",
                                .constraints = {"1e-5*dot(z) + 1e6*x*dot(y) - 1e6*y*dot(x) = 3/4"}};
    const double q[3] = {4e-7, -1.3, 2e5};
    Setting *s = setting_new(&model);
    Annihilator a;

    ck_assert_int_eq(annihilator_init(&a, &s->context, 0, q, NULL), OK);
    ck_assert(a.decided);
    ck_assert_uint_eq(a.rank, 2);
    setting_free(s);
}
END_TEST

START_TEST(changes_of_the_rank_along_a_motion_are_listed)
{
    /* R = z S / (1 + x^2 + y^2): nothing at z = 0 */
    const SettingModel model = BELTS("z^2/2");
    const double t[3] = {0, 1, 2}, v[9] = {0};
    const double q[9] = {0.5, 0.2, -1, 0.5, 0.2, 0, 0.5, 0.2, 1};
    const double lambda[3] = {0};
    const Trajectory motion = {.n_states = 3, .t = t, .q = q, .v = v, .vdot = v, .lambda = lambda};
    Setting *s = setting_new(&model);

    s->context.trajectory = &motion;
    setting_run(s, "reaction_annihilator", NULL);
    const Value *changes = member(s, "reaction_annihilator", "rank_changes");
    ck_assert_uint_eq(value_count(changes), 2);
    ck_assert(value_member(changes->first, "from")->number == 2);
    ck_assert(value_member(changes->first, "to")->number == 3);
    ck_assert(value_member(changes->last, "to")->number == 2);
    ck_assert(member(s, "reaction_annihilator", "generic_rank")->number == 2);
    setting_free(s);
}
END_TEST

START_TEST(nonlinear_constraints_have_no_such_distribution)
{
    const SettingModel model = {.coordinates = {"x", "y", "z"},
                                .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - z",
                                .constraints = {"dot(z) = sqrt(1 + dot(x)^2 + dot(y)^2)"}};
    Setting *s = setting_new(&model);

    setting_run(s, "reaction_annihilator", NULL);
    ck_assert_uint_eq(value_count(member(s, "reaction_annihilator", "points")), 0);
    ck_assert_ptr_nonnull(member(s, "reaction_annihilator", "note"));
    ck_assert_uint_eq(s->findings.n_verdicts, 0);
    setting_free(s);
}
END_TEST

SUITE(reactions)
{
    TCase *tc = suite_case(suite, "reactions");

    tcase_add_test(tc, reaction_of_the_particle_on_belts_is_printed);
    tcase_add_loop_test(tc, the_potential_decides_what_the_belts_do, 0,
                        sizeof POTENTIALS / sizeof POTENTIALS[0]);
    tcase_add_test(tc, a_reaction_without_power_is_one);
    tcase_add_loop_test(tc, a_generic_rank_is_proved_however_small_or_far_a_force_is, 0, 2);
    tcase_add_test(tc, the_basis_is_orthogonal_to_the_reaction);
    tcase_add_test(tc, units_do_not_change_the_rank);
    tcase_add_test(tc, changes_of_the_rank_along_a_motion_are_listed);
    tcase_add_test(tc, nonlinear_constraints_have_no_such_distribution);
}
