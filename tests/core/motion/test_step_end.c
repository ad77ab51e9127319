/* The correction of the program is that of the Newton method with pivots; and what it says of the
 * state it leaves is what other programs say of the numbers that this state is. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/motion/step_end_lanes.h"
#include "tests/core/motion/random_model.h"
#include "tests/kernels.h"
#include "tests/suite.h"

enum { MODELS = 150 };

/* A step end and the state it works at. */
typedef struct Landing {
    StepEnd *end;
    StepEndEval eval;
    double q[RANDOM_MAX_N], v[RANDOM_MAX_N];
    StepEndChange change;
} Landing;

static void landing_init(Landing *x, const Model *model, ModelEval *eval, const size_t *rows,
                         size_t n_rows, bool mass_positive)
{
    const StepEndOptions options = {.rows = rows,
                                    .n_rows = n_rows,
                                    .metric = model_eval_metric(eval),
                                    .mass_positive = mass_positive};
    Error err = {0};

    *x = (Landing){.change = {NAN, NAN, NAN}};
    ck_assert_msg(step_end_new(model, &options, &x->end, &err) == OK, "%s", err.message);
    ck_assert_int_eq(step_end_eval_init(&x->eval, x->end, model->param_values, NULL), OK);
}

static void landing_done(Landing *x)
{
    step_end_eval_done(&x->eval);
    step_end_free(x->end);
}

static bool landing_correct(Landing *x, double t, const double *q, const double *v)
{
    memcpy(x->q, q, x->end->n * sizeof *q);
    memcpy(x->v, v, x->end->n * sizeof *v);
    return step_end_correct(&x->eval, t, x->q, x->v, &x->change);
}

static double largest_gap(const double *a, const double *b, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
    return largest;
}

/* The look after a correction against model_point() there; returns how many residuals are not
 * zero. */
static int check_look(const Landing *x, ModelEval *eval, double t)
{
    const ModelPoint point = model_point(eval, t, x->q, x->v);
    const size_t r = x->end->r;
    const double *look = x->eval.look, *residuals = look + LOOK_RESIDUALS;
    int not_zero = 0;

    ck_assert_ptr_nonnull(look);
    ck_assert_double_le(fabs(look[LOOK_ENERGY] - point.energy),
                        64 * DBL_EPSILON * look[LOOK_TERMS]);
    for (size_t a = 0; a < r; a++) {
        const double phi = residuals[RESIDUAL_PHI * r + a], f = residuals[RESIDUAL_F * r + a];
        const double rounding = residuals[RESIDUAL_PHI_ROUNDING * r + a];
        ck_assert_double_le(fabs(phi - point.phi[a]), 8 * DBL_EPSILON * rounding);
        ck_assert_double_le(fabs(rounding - point.phi_rounding[a]), 1e-12 * rounding);
        ck_assert_double_le(fabs(f - point.f[a]), 8 * DBL_EPSILON * point.f_rounding[a]);
        ck_assert_double_le(point_velocity_residual(&point, a), 4 * DBL_EPSILON);
        ck_assert_double_le(point_position_residual(&point, a), 4 * DBL_EPSILON);
        not_zero += (phi != 0) + (f != 0);
    }
    return not_zero;
}

/* Everything that may occur, with the metric of M; Euclid's; and that of an M which is positive on
 * the constraints alone. */
static const struct {
    unsigned features;
    bool mass, positive;
} KINDS[] = {
    {RANDOM_EVERYTHING, true, true},
    {RANDOM_EVERYTHING, false, false},
    {(RANDOM_HOLONOMIC | RANDOM_LINEAR | RANDOM_AFFINE | RANDOM_TIME | RANDOM_MASSLESS), true,
     false},
};

START_TEST(corrections_are_those_of_the_newton_method)
{
    int met = 0, compared = 0, not_zero = 0;

    for (uint64_t seed = 0; seed < MODELS; seed++) {
        Arena *arena = arena_new(1 << 20);
        const ModelDocument document = random_document(4100 + seed, KINDS[_i].features, arena);
        double q[RANDOM_MAX_N], v[RANDOM_MAX_N], dq, dv;
        Random random;
        RandomModel m;
        Landing x;

        random_init(&random, seed);
        if (document.n_constraints > 0 && random_model_init(&m, &document, &random)) {
            const size_t n = m.model->n;
            model_eval_set_metric(m.eval, (ModelMetric){KINDS[_i].mass, KINDS[_i].mass});
            landing_init(&x, m.model, m.eval, m.rows, m.model->r, KINDS[_i].positive);
            for (size_t i = 0; i < n; i++) {
                q[i] = m.q[i] + 1e-8 * random_normal(&random);
                v[i] = m.v[i] + 1e-8 * random_normal(&random);
            }
            const bool done = landing_correct(&x, m.t, q, v);
            if (done &&
                model_project(m.eval, m.t, q, v, m.rows, m.model->r, &dq, &dv, NULL) == OK) {
                ck_assert_double_le(largest_gap(x.q, q, n), 1e-12);
                ck_assert_double_le(largest_gap(x.v, v, n), 1e-12);
                ck_assert_double_eq_tol(x.change.dq, dq, 1e-11);
                ck_assert_double_eq_tol(x.change.dv, dv, 1e-11);
                not_zero += check_look(&x, m.eval, m.t);
                compared++;
            }
            met++;
            landing_done(&x);
            random_model_done(&m);
        }
        arena_free(arena);
    }
    printf("kind %d: %d of %d models compared, %d residuals not zero\n", _i, compared, met,
           not_zero);
    /* the others have constraints without a velocity of their own, for which M would be divided
     * by */
    ck_assert_int_gt(compared, KINDS[_i].mass && !KINDS[_i].positive ? met / 8 : met / 2);
    /* residuals that were told from what the correction is for could not go wrong */
    ck_assert_int_gt(not_zero, compared / 4);
}
END_TEST

typedef struct System {
    const char *coordinates[5], *lagrangian, *constraints[2];
} System;

/* A sphere that rolls in a cylinder: its radii are parameters. */
static const System SPHERE = {
    .coordinates = {"z", "ga", "ph", "ps", "th"},
    .lagrangian = "(r^2*dot(ga)^2+dot(z)^2)/2+I/2*(dot(th)^2+dot(ph)^2+dot(ps)^2"
                  "+2*dot(ph)*dot(ps)*cos(th))-g*z",
    .constraints = {"r*dot(ga)+a*(dot(ph)+dot(ps)*cos(th))-(r+a)*Om",
                    "dot(z)+a*(dot(ps)*sin(th)*cos(ga-ph)+dot(th)*sin(ga-ph))"}};
static const NamedValue PARAMETERS[] = {{.name = "r", .value = 2, .pointer = ""},
                                        {.name = "a", .value = 0.5, .pointer = ""},
                                        {.name = "I", .value = 0.1, .pointer = ""},
                                        {.name = "Om", .value = 2.5, .pointer = ""},
                                        {.name = "g", .value = 1, .pointer = ""}};

typedef struct Bench {
    Model *model;
    ModelPrograms *programs;
    ModelEval *eval;
} Bench;

static void bench_init(Bench *bench, const System *system)
{
    Arena *arena = arena_new(1 << 20);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    CoordinateText coordinates[5];
    NamedText constraints[2];
    ModelDocument d = {.name = "test",
                       .description = "",
                       .coordinates = coordinates,
                       .parameters = PARAMETERS,
                       .n_parameters = sizeof PARAMETERS / sizeof *PARAMETERS,
                       .lagrangian = {.text = system->lagrangian, .pointer = ""},
                       .constraints = constraints};

    for (; d.n_coordinates < 5 && system->coordinates[d.n_coordinates]; d.n_coordinates++)
        coordinates[d.n_coordinates] =
            (CoordinateText){.name = system->coordinates[d.n_coordinates], .pointer = ""};
    for (; d.n_constraints < 2 && system->constraints[d.n_constraints]; d.n_constraints++)
        constraints[d.n_constraints] =
            (NamedText){.text = system->constraints[d.n_constraints], .pointer = ""};
    diagnostics_init(diag, arena);
    ck_assert_int_eq(model_build(&d, diag, &bench->model, NULL), OK);
    ck_assert_int_eq(model_programs_new(bench->model, &bench->programs, NULL), OK);
    ck_assert_int_eq(model_eval_new(bench->programs, NULL, &bench->eval, NULL), OK);
    arena_free(arena);
}

static void bench_done(Bench *bench)
{
    model_eval_free(bench->eval);
    model_programs_free(bench->programs);
    model_unref(bench->model);
}

static const double SPHERE_Q[] = {0, 2.3, 0.5, 0.1, 1.9}, SPHERE_V[] = {0.3, 1, 0.7, -0.4, 0.9};
static const size_t BOTH[] = {0, 1};

/* What corrections in lanes leave behind. */
enum { ABREAST = 16, LEFT = 2048 };
typedef struct Left {
    double y[11 * ABREAST], numbers[LEFT];
    int64_t masks[ABREAST];
    size_t n;
} Left;

static void keep(Left *left, const double *numbers, size_t n)
{
    ck_assert_uint_le(left->n + n, LEFT);
    memcpy(left->numbers + left->n, numbers, n * sizeof *numbers);
    left->n += n;
}

static void correct_with(StepEndLanes *lanes, const StepEndKernel *kernel, const double *t,
                         const double *y, const int64_t *masks, Left *left)
{
    StepEndEval *nobody[ABREAST] = {0};

    memset(left, 0, sizeof *left);
    memcpy(left->y, y, sizeof left->y);
    memcpy(left->masks, masks, sizeof left->masks);
    lanes->kernel = kernel;
    step_end_lanes_eval(lanes, t, y, nobody);
    step_end_lanes_correct(lanes, left->y, left->masks);
    keep(left, lanes->look, look_size(lanes->end->r) * ABREAST);
    keep(left, lanes->dq, ABREAST);
    keep(left, lanes->dv, ABREAST);
    keep(left, lanes->energy, ABREAST);
    keep(left, lanes->correct.in, (1 + 2 * lanes->end->n) * ABREAST);
}

/* Positions on a sphere, a velocity in a plane. */
static const System BEAD = {.coordinates = {"x", "y", "z"},
                            .lagrangian = "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 - g*z",
                            .constraints = {"x^2 + y^2 + z^2 = r^2", "dot(x) + a*y*dot(z)"}};

START_TEST(lanes_are_corrected_with_the_same_bits_with_all_instruction_sets)
{
    const StepEndKernel *all[KERNELS_MOST];
    const size_t n_tables = KERNELS_HERE(step_end_kernel, all);
    const System *system = _i ? &SPHERE : &BEAD;
    const size_t n = _i ? 5 : 3;
    const double bead[] = {1.2, 1.6, 0, 0.8, -0.6, 0.1};
    static Left first, left;
    size_t corrected = 0;
    StepEndLanes lanes;
    Random random;
    Landing x;
    Bench bench;

    bench_init(&bench, system);
    landing_init(&x, bench.model, bench.eval, BOTH, 2, true);
    ck_assert_int_eq(step_end_lanes_init(&lanes, x.end, bench.model->param_values, ABREAST, NULL),
                     OK);
    random_init(&random, 5);
    for (int draw = 0; draw < 50; draw++) {
        double t[ABREAST] = {0}, y[11 * ABREAST] = {0};
        int64_t masks[ABREAST];
        /* from on the constraints to too far from them for one step */
        for (size_t l = 0; l < ABREAST; l++)
            for (size_t i = 0; i < 2 * n; i++) {
                const double at = !_i ? bead[i] : i < n ? SPHERE_Q[i] : SPHERE_V[i - n];
                y[i * ABREAST + l] = at + exp(-2 * (double)l) * random_normal(&random);
            }
        kernels_draw_masks(&random, masks, ABREAST);
        for (size_t a = 0; a < n_tables; a++) {
            correct_with(&lanes, all[a], t, y, masks, a ? &left : &first);
            ck_assert_msg(a == 0 || memcmp(&left, &first, sizeof left) == 0, "draw %d, table %zu",
                          draw, a);
        }
        for (size_t l = 0; l < ABREAST; l++)
            corrected += first.masks[l] != 0;
    }
    ck_assert_uint_gt(corrected, 50);
    ck_assert_uint_lt(corrected, 50 * ABREAST);
    step_end_lanes_done(&lanes);
    landing_done(&x);
    bench_done(&bench);
}
END_TEST

START_TEST(states_on_the_constraints_keep_their_bits)
{
    Bench bench;
    Landing x;
    double v[5];

    bench_init(&bench, &SPHERE);
    landing_init(&x, bench.model, bench.eval, BOTH, 2, true);
    ck_assert(landing_correct(&x, 0, SPHERE_Q, SPHERE_V));
    ck_assert_double_gt(x.change.dv, 0.1);
    ck_assert_mem_eq(x.q, SPHERE_Q, sizeof SPHERE_Q);
    for (int k = 0; k < 3; k++) { /* once more for what rounding has left */
        memcpy(v, x.v, sizeof v);
        ck_assert(landing_correct(&x, 0, SPHERE_Q, v));
    }
    ck_assert_mem_eq(x.v, v, sizeof v);
    ck_assert(x.change.dv == 0);
    check_look(&x, bench.eval, 0);
    landing_done(&x);
    bench_done(&bench);
}
END_TEST

START_TEST(factors_that_are_powers_of_two_change_no_bit)
{
    System scaled = SPHERE;
    Bench bench, other;
    Landing x, y;

    scaled.lagrangian = "((r^2*dot(ga)^2+dot(z)^2)/2+I/2*(dot(th)^2+dot(ph)^2+dot(ps)^2"
                        "+2*dot(ph)*dot(ps)*cos(th))-g*z)*2^70";
    scaled.constraints[0] = "(r*dot(ga)+a*(dot(ph)+dot(ps)*cos(th))-(r+a)*Om)*2^(-60)";
    bench_init(&bench, &SPHERE);
    bench_init(&other, &scaled);
    landing_init(&x, bench.model, bench.eval, BOTH, 2, true);
    landing_init(&y, other.model, other.eval, BOTH, 2, true);
    ck_assert(landing_correct(&x, 0, SPHERE_Q, SPHERE_V));
    ck_assert(landing_correct(&y, 0, SPHERE_Q, SPHERE_V));
    ck_assert_mem_eq(x.v, y.v, sizeof SPHERE_V);
    ck_assert(y.eval.look[LOOK_ENERGY] == 0x1p70 * x.eval.look[LOOK_ENERGY]);
    landing_done(&x);
    landing_done(&y);
    bench_done(&bench);
    bench_done(&other);
}
END_TEST

START_TEST(of_M_the_part_that_changes_is_told_apart)
{
    static const StepEndMatrices WANTED[] = {{0}, {.changing = true}, {true, true}};
    const double *state, *all, *changing;
    StepEndChange change;
    size_t outputs[3];
    Bench bench;

    bench_init(&bench, &SPHERE);
    const size_t n = 5, r = 2, few = bench.model->fixed.n_changing,
                 *which = bench.model->fixed.changing;
    ck_assert_uint_eq(few, 2); /* the angles ph and ps; th has no part in it */
    for (size_t k = 0; k < 3; k++) {
        const StepEndOptions options = {.rows = BOTH,
                                        .n_rows = 2,
                                        .metric = model_eval_metric(bench.eval),
                                        .mass_positive = true,
                                        .matrices = WANTED[k]};
        double q[5], v[5];
        StepEnd *end;
        StepEndEval eval;
        memcpy(q, SPHERE_Q, sizeof q);
        memcpy(v, SPHERE_V, sizeof v);
        ck_assert_int_eq(step_end_new(bench.model, &options, &end, NULL), OK);
        ck_assert_int_eq(step_end_eval_init(&eval, end, bench.model->param_values, NULL), OK);
        ck_assert(step_end_correct(&eval, 0, q, v, &change));
        all = step_end_matrices(&eval, &state);
        changing = step_end_changing(&eval);
        ck_assert(!all == !WANTED[k].all && !changing == !WANTED[k].changing);
        const ModelPoint point = model_point(bench.eval, 0, state + 1, state + 1 + n);
        for (size_t i = 0; changing && i < few; i++)
            for (size_t j = 0; j < few; j++)
                ck_assert_double_eq_tol(changing[i * few + j], point.M[which[i] * n + which[j]],
                                        1e-15);
        outputs[k] = program_n_outputs(end->correct);
        step_end_eval_done(&eval);
        step_end_free(end);
    }
    ck_assert_uint_eq(outputs[1], outputs[0] + few * few);
    ck_assert_uint_eq(outputs[2], outputs[1] + (n + r) * n);
    bench_done(&bench);
}
END_TEST

START_TEST(lanes_have_the_bits_of_one_alone)
{
    enum { LANES = 5, MOST = 128 };
    double in[MOST], out[MOST], wide_in[LANES * MOST], wide_out[LANES * MOST];
    Bench bench;
    Landing x;
    Function wide;
    Random random;

    random_init(&random, 5);
    bench_init(&bench, &SPHERE);
    landing_init(&x, bench.model, bench.eval, BOTH, 2, true);
    const Program *program = x.end->correct;
    const size_t n_in = program_n_inputs(program), n_out = program_n_outputs(program);
    ck_assert_uint_le(n_out, MOST);
    ck_assert_int_eq(function_bind(&wide, program, bench.model->param_values, LANES, NULL), OK);
    for (size_t k = 0; k < n_in * LANES; k++)
        wide_in[k] = random_normal(&random);
    function_eval_at(&wide, wide_in, wide_out);
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t k = 0; k < n_in; k++)
            // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): inputs of every lane were
            // drawn
            in[k] = wide_in[k * LANES + lane];
        function_eval_at(&x.eval.correct, in, out);
        for (size_t k = 0; k < n_out; k++)
            ck_assert_mem_eq(&out[k], &wide_out[k * LANES + lane], sizeof *out);
    }
    function_done(&wide);
    landing_done(&x);
    bench_done(&bench);
}
END_TEST

/* Far off, where nothing is admissible, and where the elimination divides by next to nothing. */
START_TEST(what_needs_pivots_or_more_steps_is_left_as_it_is)
{
    static const System SYSTEMS[] = {
        {.coordinates = {"x", "y"},
         .lagrangian = "dot(x)^2 + dot(y)^2",
         .constraints = {"x^2 + y^2 + 1"}},
        {.coordinates = {"x", "y"},
         .lagrangian = "dot(x)^2 + dot(y)^2",
         .constraints = {"x^4 + y^4 - 1"}},
        {.coordinates = {"x", "y", "z"},
         .lagrangian = "(dot(x)^2 + 2*dot(x)*dot(y) + (1 + z^2)*dot(y)^2 + dot(z)^2)/2",
         .constraints = {"y*dot(x) + x*dot(y) - dot(z)^2"}}};
    const double q[] = {3, 2, 1e-9}, v[] = {1, 2, 3};
    const size_t first = 0;
    Bench bench;
    Landing x;

    bench_init(&bench, &SYSTEMS[_i]);
    landing_init(&x, bench.model, bench.eval, &first, 1, true);
    ck_assert(!landing_correct(&x, 0, q, v));
    // NOLINTNEXTLINE(clang-analyzer-core.*): landing_correct() wrote it
    ck_assert_mem_eq(x.q, q, bench.model->n * sizeof *q);
    ck_assert_mem_eq(x.v, v, bench.model->n * sizeof *v);
    landing_done(&x);
    bench_done(&bench);
}
END_TEST

SUITE(step_end)
{
    TCase *tc = suite_case(suite, "step end");
    tcase_add_loop_test(tc, corrections_are_those_of_the_newton_method, 0,
                        sizeof KINDS / sizeof *KINDS);
    tcase_add_loop_test(tc, lanes_are_corrected_with_the_same_bits_with_all_instruction_sets, 0, 2);
    tcase_add_test(tc, states_on_the_constraints_keep_their_bits);
    tcase_add_test(tc, factors_that_are_powers_of_two_change_no_bit);
    tcase_add_test(tc, of_M_the_part_that_changes_is_told_apart);
    tcase_add_test(tc, lanes_have_the_bits_of_one_alone);
    tcase_add_loop_test(tc, what_needs_pivots_or_more_steps_is_left_as_it_is, 0, 3);
}
