/* The motion at a state from the whole linear system. */
#include "core/invariants/admissible.h"

#include <math.h>

#include "tests/core/invariants/setting.h"
#include "tests/suite.h"

/* Where th turns both rows of the edge, M and A, to one direction: elimination is left with what
 * rounding makes of 0. */
static const SettingModel HEAVY = {
    .coordinates = {"x", "y", "th"},
    .lagrangian = "(dot(x)^2 + dot(y)^2 + 0.35*dot(th)^2)/2 + 0.3*dot(th)*(cos(th)*dot(y) - "
                  "sin(th)*dot(x))",
    .constraints = {"sin(th)*dot(x) = cos(th)*dot(y)"}};
static const SettingModel LIGHT = {
    .coordinates = {"x", "y", "th"},
    .lagrangian = "2^(-60)*((dot(x)^2 + dot(y)^2 + 0.35*dot(th)^2)/2 + 0.3*dot(th)*(cos(th)*dot(y) "
                  "- sin(th)*dot(x)))",
    .constraints = {"sin(th)*dot(x) = cos(th)*dot(y)"}};

START_TEST(light_bodies_have_the_motion_of_heavy_ones)
{
    static const size_t ROW = 0;
    Setting *heavy = setting_new(&HEAVY), *light = setting_new(&LIGHT);
    const Trajectory *states = heavy->context.states;

    for (size_t k = 0; k < states->n_states; k++) {
        const double t = states->t[k], *q = states->q + 3 * k, *v = states->v + 3 * k;
        double scratch[24], a[3], b[3], lambda[1], mu[1];
        ck_assert(admissible_motion(&(ConstrainedModel){heavy->eval, heavy->model, &ROW, 1}, t, q,
                                    v, scratch, a, lambda));
        ck_assert(admissible_motion(&(ConstrainedModel){light->eval, light->model, &ROW, 1}, t, q,
                                    v, scratch, b, mu));
        for (size_t i = 0; i < 3; i++)
            ck_assert_double_eq_tol(a[i], b[i], 1e-13);
        ck_assert_double_eq_tol(lambda[0], ldexp(mu[0], 60), 1e-13);
    }
    setting_free(heavy);
    setting_free(light);
}
END_TEST

SUITE(admissible)
{
    TCase *tc = suite_case(suite, "admissible");
    tcase_add_test(tc, light_bodies_have_the_motion_of_heavy_ones);
}
