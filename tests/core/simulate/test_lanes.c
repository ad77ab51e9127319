/* A trajectory among others has the same bits as alone, whatever the number of lanes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/motion/eval.h"
#include "core/prepare/compiled.h"
#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

enum { TRAJECTORIES = 32, DIM = 6 };

static const TestModel SLEIGH = {
    .coordinates = {"x", "y", "th"},
    .parameters = {{"a", 0.3, ""}},
    .lagrangian = "(dot(x)^2 + dot(y)^2)/2 + a*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + "
                  "0.3*dot(th)^2 - 0.2*sin(x)",
    .constraints = {"dot(y)*cos(th) - dot(x)*sin(th)"},
    .forces = {{"th", "-0.05*sign(dot(th)) + 0.3*cos(t)", "", NULL}},
};

/* Admissible starts: forward speed u and turning rate w at heading th. */
static void starts(double (*y)[DIM + 1])
{
    Random random;
    random_init(&random, 3);
    for (int k = 0; k < TRAJECTORIES; k++) {
        double th = random_uniform(&random, -3, 3), u = random_normal(&random);
        double state[DIM + 1] = {random_normal(&random),
                                 random_normal(&random),
                                 th,
                                 u * cos(th),
                                 u * sin(th),
                                 random_normal(&random),
                                 0};
        memcpy(y[k], state, sizeof state);
    }
}

enum { STEPS = 700 };
static const double STEP = 0.01;

/* Euler's method for one trajectory, in place. */
static void integrate_alone(Compiled *compiled, const Motion *motion, double y[DIM + 1])
{
    double rates[DIM + 1];
    MotionEval *eval;
    ck_assert_int_eq(
        motion_eval_new(compiled->model, motion, compiled->model->param_values, false, &eval, NULL),
        OK);
    motion_eval_start_switches(eval, false, 0, y);
    for (int k = 0; k < STEPS; k++) {
        const double t = STEP * k;
        motion_eval_rates(eval, &t, y, rates);
        for (size_t i = 0; i <= DIM; i++)
            y[i] += STEP * rates[i];
    }
    motion_eval_free(eval);
}

/* A lane starts in the modes that its trajectory has alone. */
static void start_lane(Compiled *compiled, const Motion *motion, RateLanes *lanes, size_t lane,
                       const double *y)
{
    MotionEval *eval;
    ck_assert_int_eq(
        motion_eval_new(compiled->model, motion, compiled->model->param_values, false, &eval, NULL),
        OK);
    motion_eval_start_switches(eval, false, 0, y);
    rate_lanes_take(lanes, lane, eval);
    motion_eval_free(eval);
}

/* Euler's method for `width` trajectories together, in place. */
static void integrate(Compiled *compiled, const Motion *motion, double (*y)[DIM + 1], size_t width)
{
    double t[TRAJECTORIES], rows[(DIM + 1) * TRAJECTORIES], rates[(DIM + 1) * TRAJECTORIES];
    RateLanes lanes;
    ck_assert_int_eq(rate_lanes_init(&lanes, motion, compiled->model->param_values, width, NULL),
                     OK);
    for (size_t lane = 0; lane < width; lane++) {
        for (size_t i = 0; i <= DIM; i++)
            rows[i * width + lane] = y[lane][i];
        start_lane(compiled, motion, &lanes, lane, y[lane]);
    }
    for (int k = 0; k < STEPS; k++) {
        for (size_t lane = 0; lane < width; lane++)
            t[lane] = STEP * k;
        rate_lanes_eval(&lanes, t, rows, rates);
        for (size_t i = 0; i < (DIM + 1) * width; i++)
            rows[i] += STEP * rates[i];
    }
    for (size_t lane = 0; lane < width; lane++)
        for (size_t i = 0; i <= DIM; i++)
            y[lane][i] = rows[i * width + lane];
    function_done(&lanes.rates);
}

START_TEST(any_number_of_lanes_gives_the_same_bits)
{
    static const Elimination ELIMINATIONS[] = {ELIMINATE_SCHUR, ELIMINATE_PIVOTED};
    static const size_t WIDTHS[] = {2, 8, 32};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    Compiled *compiled = test_compile(&SLEIGH, arena, diag);
    const size_t row = 0;
    MotionOptions options = {
        .rows = &row, .n_rows = 1, .dependent = &row, .elimination = ELIMINATIONS[_i]};
    Motion *motion;
    ck_assert_int_eq(motion_new(compiled->model, compiled->formulation, &options, &motion, NULL),
                     OK);
    ck_assert_uint_eq(motion->n_switches, 1);

    double alone[TRAJECTORIES][DIM + 1], together[TRAJECTORIES][DIM + 1];
    starts(alone);
    for (size_t k = 0; k < TRAJECTORIES; k++)
        integrate_alone(compiled, motion, alone[k]);
    for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++) {
        starts(together);
        for (size_t k = 0; k < TRAJECTORIES; k += WIDTHS[w])
            integrate(compiled, motion, &together[k], WIDTHS[w]);
        ck_assert_mem_eq(together, alone, sizeof alone);
    }
    motion_free(motion);
    compiled_unref(compiled);
    arena_free(arena);
}
END_TEST

SUITE(lanes)
{
    TCase *tc = suite_case(suite, "lanes");
    tcase_add_loop_test(tc, any_number_of_lanes_gives_the_same_bits, 0, 2);
}
