/* Initial states that are made in lanes are those that are made alone, to the bit. */
#include <math.h>
#include <string.h>

#include "core/model/evaluate.h"
#include "core/model/initial_lanes.h"
#include "tests/core/model/references.h"
#include "tests/kernels.h"
#include "tests/suite.h"

enum { LANES = INITIAL_LANES, MAX = 8, MAX_PARAMS = 32 };

/* What each lane is given. */
typedef struct Starts {
    double t, q[LANES][MAX], v[LANES][MAX], params[LANES][MAX_PARAMS];
    bool given[MAX];
} Starts;

/* Of a lane, whether it is as the same state made alone. */
static void expect_same(Bench *bench, const Starts *starts, Consistency consistency,
                        const InitialLanes *lanes, size_t l)
{
    const size_t n = bench->model->n, r = bench->model->r;
    double q[MAX], v[MAX], made_q[MAX], made_v[MAX];
    size_t rows[MAX], made_rows[MAX];
    InitialReport report = {.independent = rows}, made = {.independent = made_rows};
    ModelEval *eval;
    Error err;

    memcpy(q, starts->q[l], sizeof q);
    memcpy(v, starts->v[l], sizeof v);
    InitialState state = {.t = starts->t,
                          .q = q,
                          .v = v,
                          .v_given = starts->given,
                          .consistency = consistency,
                          .pointer = "/initial",
                          .no_conditions = true};
    model_eval_renew(bench->eval, starts->params[l]);
    diagnostics_init(&bench->diag, bench->arena);
    ck_assert_int_eq(model_initial_state(bench->eval, &state, &report, &bench->diag, &err), OK);
    ck_assert_int_eq(model_eval_new(bench->programs, starts->params[l], &eval, &err), OK);
    initial_lanes_take(lanes, l, eval, made_q, made_v, &made);
    ck_assert_mem_eq(made_q, q, n * sizeof *q);
    ck_assert_mem_eq(made_v, v, n * sizeof *v);
    ck_assert_uint_eq(made.rank, report.rank);
    ck_assert(r == 0 || memcmp(made_rows, rows, report.rank * sizeof *rows) == 0);
    ck_assert_uint_eq(made.n_redundant, report.n_redundant);
    ck_assert(made.position_change == report.position_change &&
              made.velocity_change == report.velocity_change);
    ck_assert(made.metric_is_mass == report.metric_is_mass &&
              made.mass_positive == report.mass_positive &&
              made.mass_divides == report.mass_divides &&
              made.rank_is_clear == report.rank_is_clear &&
              memcmp(&eval->metric, &bench->eval->metric, sizeof eval->metric) == 0);
    /* what the model is there is known */
    const ModelPoint here = model_point(bench->eval, state.t, q, v);
    const ModelPoint taken = model_point(eval, state.t, q, v);
    ck_assert_mem_eq(taken.M, here.M, program_n_outputs(eval->point.program) * sizeof *here.M);
    model_eval_free(eval);
}

/* Returns how many were made; those that were put are in the masks. */
static unsigned compare(Bench *bench, const Starts *starts, Consistency consistency,
                        const InitialKernel *kernel, const int64_t *put)
{
    InitialLanes lanes;
    int64_t masks[LANES];
    unsigned made = 0;
    Error err;

    ck_assert_int_eq(initial_lanes_init(&lanes, bench->programs, &err), OK);
    lanes.kernel = kernel;
    memcpy(masks, put, sizeof masks);
    for (size_t l = 0; l < LANES; l++) {
        double q[MAX], v[MAX];
        memcpy(q, starts->q[l], sizeof q);
        memcpy(v, starts->v[l], sizeof v);
        const InitialState state = {.t = starts->t, .q = q, .v = v, .v_given = starts->given};
        if (put[l] && !initial_lanes_put(&lanes, l, &state, starts->params[l]))
            masks[l] = 0;
    }
    initial_lanes_make(&lanes, consistency, masks);
    for (size_t l = 0; l < LANES; l++) {
        ck_assert(put[l] || !masks[l]);
        made += masks[l] != 0;
        if (masks[l])
            expect_same(bench, starts, consistency, &lanes, l);
    }
    initial_lanes_done(&lanes);
    return made;
}

static unsigned compare_kernels(Bench *bench, const Starts *starts, const int64_t *put)
{
    const InitialKernel *kernels[KERNELS_MOST];
    const int n = KERNELS_HERE(initial_kernel, kernels);
    unsigned made = 0;

    for (int k = 0; k < n; k++) {
        const unsigned of_kernel = compare(bench, starts, CONSISTENCY_PROJECT, kernels[k], put) +
                                   compare(bench, starts, CONSISTENCY_REQUIRE, kernels[k], put);
        ck_assert(k == 0 || of_kernel == made);
        made = of_kernel;
    }
    return made;
}

/* The state, and others farther and farther from it: off the constraints, and where numbers have no squares. */
static void spread(Starts *starts, const Model *m, const double *q, const double *v, Random *random)
{
    static const double SPREAD[] = {0, 1e-15, 1e-9, 1e-3, 0.3, 3, 1e160};

    for (size_t l = 0; l < LANES; l++) {
        const double by = SPREAD[l % 7], of_q = l < 7 ? 0 : by / 16;
        for (size_t i = 0; i < m->n; i++) {
            starts->q[l][i] = q[i] + of_q * random_normal(random);
            starts->v[l][i] = v[i] + by * random_normal(random);
        }
        for (size_t k = 0; k < m->n_params; k++)
            starts->params[l][k] =
                m->param_values[k] * (l % 2 ? 1 + 1e-3 * random_normal(random) : 1);
    }
}

START_TEST(catalog_systems_start_in_lanes_as_they_start_alone)
{
    unsigned made = 0, found = 0;

    for (int k = 0; k < n_references(); k++) {
        Random random;
        Reference ref;
        Bench bench;
        Starts starts = {0};
        int64_t all[LANES], some[LANES];

        reference_init(&ref, &bench, k);
        random_init(&random, 4711 + (uint64_t)k);
        if (initial_lanes_possible(bench.model)) {
            ck_assert_uint_le(bench.model->n_params, MAX_PARAMS);
            starts.t = ref.t;
            spread(&starts, bench.model, ref.q, ref.v, &random);
            memset(all, -1, sizeof all);
            kernels_draw_masks(&random, some, LANES);
            memset(starts.given, true, sizeof starts.given);
            made += compare_kernels(&bench, &starts, all);
            compare_kernels(&bench, &starts, some);
            /* one velocity is left out, and found */
            starts.given[(size_t)k % bench.model->n] = false;
            found += compare_kernels(&bench, &starts, all);
        }
        bench_done(&bench);
    }
    ck_assert_uint_ge(
        made,
        16 * (unsigned)n_references()); /* of 2 LANES each, 1e160 and off positions among them */
    ck_assert_uint_ge(found, 8 * (unsigned)n_references());
}
END_TEST

/* Made in lanes; the others are not clear: rows that depend on each other, always or nearly; a mass that vanishes; a corner that
 * is no number; a cone, on which something else may be nearer. */
START_TEST(what_is_not_clear_is_made_alone)
{
    static const struct {
        Sketch sketch;
        unsigned made; /* of 2 LANES: projected, and required, where all are admissible as given */
    } CASES[] = {
        {{.coordinates = "x y", .lagrangian = "(dot(x)^2 + dot(y)^2)/2"}, 32},
        {{.coordinates = "x y",
          .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
          .constraints = {"dot(x) = 0", "3*dot(x) = 0"}},
         0},
        {{.coordinates = "x y",
          .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
          .constraints = {"dot(x) = 0", "dot(x) + 1e-5*dot(y) = 0"}},
         0},
        {{.coordinates = "x y", .lagrangian = "(dot(x)^2 + x^40*dot(y)^2)/2"}, 24},
        {{.coordinates = "x y", .lagrangian = "(dot(x)^2 + dot(y)^2)/2 - sqrt(y - 0.5)"}, 20},
        {{.coordinates = "x y",
          .lagrangian = "(dot(x)^2 + dot(y)^2)/2",
          .constraints = {"dot(x)^2 - dot(y)^2 = 0"}},
         0},
    };
    const InitialKernel *kernels[KERNELS_MOST];
    Starts starts = {.given = {true, true}};
    int64_t all[LANES];
    Bench bench;

    bench_init(&bench, &CASES[_i].sketch);
    KERNELS_HERE(initial_kernel, kernels);
    memset(all, -1, sizeof all);
    for (size_t l = 0; l < LANES; l++) {
        starts.q[l][0] = l % 4 ? 1 + 0.01 * (double)l : 1e-9;
        starts.q[l][1] = 0.1 * (double)l;
        starts.v[l][1] = CASES[_i].sketch.constraints[0] ? 1 : 0;
    }
    ck_assert_uint_eq(compare_kernels(&bench, &starts, all), CASES[_i].made);
    bench_done(&bench);
}
END_TEST

SUITE(initial_lanes)
{
    TCase *tc = suite_case(suite, "initial_lanes");
    tcase_add_test(tc, catalog_systems_start_in_lanes_as_they_start_alone);
    tcase_add_loop_test(tc, what_is_not_clear_is_made_alone, 0, 6);
}
