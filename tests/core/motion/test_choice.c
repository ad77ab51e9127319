/* What a formulation chooses at a state, and how far it measures the choice to hold, is the same in
 * all units of length. */
#include <math.h>
#include <string.h>

#include "core/motion/choice.h"
#include "core/motion/eval.h"
#include "tests/suite.h"

enum { MAX_N = 5, MAX_R = 3, ARENA_BYTES = 1 << 20 };

/* Bodies of mass m with lengths beside angles, moments of inertia in units of m l^2. */
typedef struct Body {
    const char *coordinates[MAX_N];
    const char *lagrangian;
    const char *constraints[MAX_R];
    bool is_length[MAX_N];
    double q[MAX_N], v[MAX_N]; /* at l = 1; velocities that the constraints admit at q */
} Body;

#define PLANE "m*(dot(x)^2 + dot(y)^2)/2"

static const Body BODIES[] = {
    {{"x", "y", "th", "ph"},
     PLANE " + m*l^2*(dot(th)^2 + 0.5*dot(ph)^2)/6",
     {"dot(x) = l*cos(ph)*dot(th)", "dot(y) = l*sin(ph)*dot(th)"},
     {true, true},
     {0.3, 0.1, 0.2, 0},
     {1, 0, 1, 0.7}},
    {{"x", "y", "th"},
     PLANE " + m*l^2*dot(th)^2/50",
     {"dot(y)*cos(th) - dot(x)*sin(th) + l*dot(th)/5 = 0"},
     {true, true},
     {0, 0, 0},
     {1, -0.06, 0.3}},
    {{"x", "y", "th"},
     PLANE " + m*l^2*dot(th)^2/50",
     {"-sin(th + 0.3)*dot(x) + cos(th + 0.3)*dot(y) + l*dot(th)/5 = 0",
      "-sin(th - 0.3)*dot(x) + cos(th - 0.3)*dot(y) - l*dot(th)/5 = 0"},
     {true, true},
     {0, 0, 0},
     {0.2, 0, 0.295520206661339577}},
    {{"r", "th", "s"},
     "m*(dot(r)^2 + r^2*dot(th)^2)/2 + m*dot(s)^2/3",
     {"dot(r)*cos(th) = l*dot(th)*sin(th) + 2*dot(s)"},
     {true, false, true},
     {1, 0, 0},
     {1, 0.4, 0.5}},
};

static Model *model_of(const Body *body, double l, Arena *arena, Diagnostics *diag)
{
    CoordinateText coordinates[MAX_N] = {0};
    const NamedValue parameters[] = {{"m", 1.5, "/p/0"}, {"l", l, "/p/1"}};
    NamedText constraints[MAX_R] = {0};
    ModelDocument document = {.name = "body",
                              .description = "",
                              .coordinates = coordinates,
                              .parameters = parameters,
                              .n_parameters = 2,
                              .lagrangian = {.text = body->lagrangian, .pointer = "/lagrangian"},
                              .constraints = constraints};
    Model *model = NULL;
    Error err = {0};

    while (document.n_coordinates < MAX_N && body->coordinates[document.n_coordinates]) {
        const size_t i = document.n_coordinates++;
        coordinates[i] = (CoordinateText){.name = body->coordinates[i], .pointer = "/c"};
    }
    while (document.n_constraints < MAX_R && body->constraints[document.n_constraints]) {
        const size_t a = document.n_constraints++;
        constraints[a] = (NamedText){.text = body->constraints[a], .pointer = "/a"};
    }
    diagnostics_init(diag, arena);
    const Status status = model_build(&document, diag, &model, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    return model;
}

/* What is compared. */
typedef struct Found {
    size_t dependent[MAX_R];
    double determined, regularity;
} Found;

static void take_motion(const MotionQuestion *at, const MotionOptions *options,
                        const Formulation *formulation, Found *ret)
{
    Motion *motion = NULL;
    MotionEval *eval = NULL;
    double y[2 * MAX_N + 1] = {0};

    ck_assert_int_eq(motion_best(at->model, formulation, options, MOTION_POSITIVE, &motion, NULL),
                     OK);
    ck_assert_int_eq(motion_eval_new(at->model, motion, at->params, false, &eval, NULL), OK);
    ck_assert_int_eq(motion_eval_restate(eval, 0, at->q, at->v, NULL, y, NULL), OK);
    const MotionPoint point = motion_eval_point(eval, 0, y);
    ret->determined = point.determined;
    ret->regularity = point.regularity;
    motion_eval_free(eval);
    motion_free(motion);
}

static Found found_of(const Body *body, const Formulation *formulation, double l)
{
    Arena *arena = arena_new(ARENA_BYTES);
    Diagnostics diag;
    Model *model = model_of(body, l, arena, &diag);
    ModelPrograms *programs;
    ModelEval *eval;
    Found found = {{0}, 0, 0};
    const size_t rows[MAX_R] = {0, 1, 2};
    MotionOptions options = {.rows = rows, .n_rows = model->r}, chosen;
    double q[MAX_N], v[MAX_N];
    Error err = {0};

    ck_assert_int_eq(model_programs_new(model, &programs, NULL), OK);
    ck_assert_int_eq(model_eval_new(programs, NULL, &eval, NULL), OK);
    for (size_t i = 0; i < model->n; i++) {
        q[i] = body->q[i] * (body->is_length[i] ? l : 1);
        v[i] = body->v[i] * (body->is_length[i] ? l : 1);
    }
    const MotionQuestion at = {.model = model,
                               .eval = eval,
                               .params = model->param_values,
                               .q = q,
                               .v = v,
                               .options = &options};
    const Status status =
        motion_choose_options(formulation, &at, false, arena, &chosen, &diag, &err);
    ck_assert_msg(status == OK, "l = %g: %s", l, err.message);
    memcpy(found.dependent, chosen.dependent, model->r * sizeof *chosen.dependent);
    take_motion(&at, &chosen, formulation, &found);
    model_eval_free(eval);
    model_programs_free(programs);
    model_unref(model);
    arena_free(arena);
    return found;
}

START_TEST(dependent_velocities_and_what_determines_them_do_not_know_the_unit_of_length)
{
    static const Formulation *const FORMULATIONS[] = {&formulation_voronec, &formulation_hamel};
    const Body *body = &BODIES[_i / 2];
    const Formulation *formulation = FORMULATIONS[_i % 2];
    const Found one = found_of(body, formulation, 1);

    ck_assert_double_ge(one.determined, 0.05);
    ck_assert_double_ge(one.regularity, 1e-3);
    for (int k = -12; k <= 12; k += 3) {
        const Found other = found_of(body, formulation, pow(10, k));
        ck_assert_mem_eq(other.dependent, one.dependent, sizeof one.dependent);
        ck_assert_double_eq_tol(other.determined / one.determined, 1, 1e-9);
        ck_assert_double_eq_tol(other.regularity / one.regularity, 1, 1e-9);
    }
}
END_TEST

SUITE(choice)
{
    TCase *tc = suite_case(suite, "choice");
    tcase_add_loop_test(
        tc, dependent_velocities_and_what_determines_them_do_not_know_the_unit_of_length, 0,
        2 * (int)(sizeof BODIES / sizeof BODIES[0]));
}
