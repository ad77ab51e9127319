/* What kind of constraint a text is. */
#include "tests/core/model/references.h"
#include "tests/suite.h"

START_TEST(references_have_their_kinds)
{
    Reference ref;
    Bench bench;

    reference_init(&ref, &bench, _i);
    for (size_t a = 0; a < bench.model->r; a++) {
        const Constraint *c = &bench.model->constraints[a];
        ck_assert_msg(c->kind == ref.kinds[a], "%s: %s", ref.id, constraint_kind_name(c->kind));
        ck_assert_msg(c->time_dependent == ref.time_dependent[a], "%s", ref.id);
    }
    bench_done(&bench);
}
END_TEST

typedef struct Case {
    const char *text;
    ConstraintKind kind;
    bool time_dependent, homogeneous;
} Case;

static const Case CASES[] = {
    {"x^2 + y^2 = 1", CONSTRAINT_HOLONOMIC, false, true},
    {"x = sin(w*t)", CONSTRAINT_HOLONOMIC, true, false},
    {"dot(x) = y*dot(y)", CONSTRAINT_LINEAR, false, true},
    {"dot(x) = t*dot(y)", CONSTRAINT_LINEAR, true, true},
    {"dot(x) = y", CONSTRAINT_AFFINE, false, false},
    {"dot(x) = 1", CONSTRAINT_AFFINE, false, false},
    {"dot(x) = z*dot(y) + t", CONSTRAINT_AFFINE, true, false},
    {"dot(x)^2 + dot(y)^2 = dot(z)^2", CONSTRAINT_NONLINEAR, false, true},
    {"dot(z) = w*sqrt(dot(x)^2 + dot(y)^2)", CONSTRAINT_NONLINEAR, false, true},
    {"dot(x)^3 = x*dot(y)^3", CONSTRAINT_NONLINEAR, false, true},
    {"dot(x)^2 + dot(y)^2 = 1", CONSTRAINT_NONLINEAR, false, false},
    {"dot(x)*dot(y) = dot(z)", CONSTRAINT_NONLINEAR, false, false},
    /* identities that sums and products do not show */
    {"(dot(x) + y)^2 - dot(x)^2 - 2*y*dot(x) + dot(z)", CONSTRAINT_AFFINE, false, false},
    {"(dot(x) + dot(y))*(dot(x) - dot(y)) - dot(x)^2 + dot(y)^2 + dot(z)", CONSTRAINT_LINEAR, false,
     true},
    {"dot(x) + dot(y)*(sin(2*z) - 2*sin(z)*cos(z))*dot(z)", CONSTRAINT_LINEAR, false, true},
    {"dot(x) + w*(cosh(y)^2 - sinh(y)^2 - 1)", CONSTRAINT_LINEAR, false, true},
    {"x + y*dot(z)*(sin(2*w) - 2*sin(w)*cos(w))", CONSTRAINT_HOLONOMIC, false, true},
    {"dot(x) - dot(y)*(cosh(t)^2 - sinh(t)^2)", CONSTRAINT_LINEAR, false, true},
    /* a parameter that happens to be zero is no zero */
    {"dot(x) + k*y", CONSTRAINT_AFFINE, false, false},
    {"dot(x) + k*dot(y)^2", CONSTRAINT_NONLINEAR, false, false},
    {"dot(x) + k*t*dot(y)", CONSTRAINT_LINEAR, true, true},
    /* corners are not straight, though their second derivatives vanish */
    {"abs(dot(x)) - dot(y)", CONSTRAINT_NONLINEAR, false, false},
    {"max(dot(x), dot(y)) - dot(z)", CONSTRAINT_NONLINEAR, false, false},
    {"dot(x) - if(t < 100, 0, 1)", CONSTRAINT_AFFINE, true, false},
    {"dot(x)/x + log(y)", CONSTRAINT_AFFINE, false, false},
};

START_TEST(texts_have_their_kinds)
{
    const Case *expected = &CASES[_i];
    Sketch sketch = {.coordinates = "x y z",
                     .parameters = "w=1.5 k=0",
                     .lagrangian = "dot(x)^2+dot(y)^2+dot(z)^2",
                     .constraints = {expected->text}};
    Bench bench;

    bench_init(&bench, &sketch);
    const Constraint *c = &bench.model->constraints[0];
    ck_assert_msg(c->kind == expected->kind, "%s: %s", expected->text,
                  constraint_kind_name(c->kind));
    ck_assert_msg(c->time_dependent == expected->time_dependent, "%s", expected->text);
    ck_assert_msg(c->homogeneous == expected->homogeneous, "%s", expected->text);
    ck_assert_uint_eq(bench.model->n_holonomic, expected->kind == CONSTRAINT_HOLONOMIC);
    bench_done(&bench);
}
END_TEST

SUITE(classes)
{
    TCase *tc = suite_case(suite, "classes");
    tcase_add_loop_test(tc, references_have_their_kinds, 0, n_references());
    tcase_add_loop_test(tc, texts_have_their_kinds, 0, sizeof CASES / sizeof *CASES);
}
