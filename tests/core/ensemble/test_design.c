/* Designs of ensembles: what random bits and sequences are said to be in the literature, and what
 * designs promise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ensemble/design.h"
#include "core/ensemble/sequences.h"
#include "tests/suite.h"

/* Known answers of Random123, file kat_vectors. */
START_TEST(philox_has_its_known_answers)
{
    static const struct {
        uint32_t counter[4];
        uint64_t key;
        uint32_t answer[4];
    } KNOWN[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         UINT64_C(0xffffffffffffffff),
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         UINT64_C(0x299f31d0a4093822),
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++) {
        Philox counter;
        memcpy(counter.word, KNOWN[k].counter, sizeof counter.word);
        const Philox x = philox(counter, KNOWN[k].key);
        ck_assert_mem_eq(x.word, KNOWN[k].answer, sizeof x.word);
    }
}
END_TEST

/* Points by scipy.stats.qmc.Sobol, which has them in Gray's order: its k-th is ours at k ^ k >>
 * 1. */
START_TEST(sobol_has_its_known_points)
{
    static const size_t DIMENSION[] = {0, 1, 2, 5, 30, 127};
    static const struct {
        uint64_t k;
        double x[6];
    } KNOWN[] = {
        {1, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
        {2, {0.75, 0.25, 0.25, 0.75, 0.25, 0.25}},
        {17, {0.59375, 0.96875, 0.96875, 0.46875, 0.90625, 0.84375}},
        {63, {0.015625, 0.796875, 0.359375, 0.140625, 0.015625, 0.640625}},
    };

    for (size_t d = 0; d < 6; d++) {
        const Sobol sobol = sobol_dimension(DIMENSION[d]);
        for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++)
            ck_assert_double_eq(ldexp(sobol_point(&sobol, KNOWN[k].k ^ KNOWN[k].k >> 1), -32),
                                KNOWN[k].x[d]);
    }
}
END_TEST

/* Scrambled too, each block of 2^m points has one in each of 2^m equal parts of every axis; in the
 * first two dimensions one in each box of area 2^-m. */
START_TEST(scrambled_points_are_spread_evenly)
{
    enum { M = 8, POINTS = 1 << M };

    for (size_t d = 0; d < SOBOL_DIMENSIONS; d++) {
        const Sobol sobol = sobol_dimension(d);
        for (unsigned block = 0; block < 3; block++) {
            bool seen[POINTS] = {false};
            for (unsigned k = 0; k < POINTS; k++) {
                const double u = sobol_uniform(&sobol, 77 + d, (uint64_t)block * POINTS + k);
                ck_assert(u > 0 && u < 1);
                const size_t part = (size_t)(u * POINTS);
                ck_assert(!seen[part]);
                seen[part] = true;
            }
        }
    }
    const Sobol first = sobol_dimension(0), second = sobol_dimension(1);
    for (unsigned across = 0; across <= M; across++) {
        bool seen[POINTS] = {false};
        for (unsigned k = 0; k < POINTS; k++) {
            const size_t i = (size_t)ldexp(sobol_uniform(&first, 1, k), (int)across);
            const size_t j = (size_t)ldexp(sobol_uniform(&second, 2, k), (int)(M - across));
            ck_assert(!seen[i << (M - across) | j]);
            seen[i << (M - across) | j] = true;
        }
    }
}
END_TEST

START_TEST(latin_strata_are_a_permutation)
{
    static const uint64_t COUNTS[] = {1, 2, 3, 5, 16, 17, 100, 1000, 4096, 4097, 100003};

    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        const uint64_t count = COUNTS[c];
        bool *seen = calloc(count, sizeof *seen);
        size_t kept = 0;
        for (uint64_t k = 0; k < count; k++) {
            const uint64_t s = latin_stratum(5, 3, count, k);
            ck_assert(s < count && !seen[s]);
            seen[s] = true;
            kept += s == k;
            const double u = latin_uniform(5, 3, count, k);
            ck_assert(u > 0 && u < 1 && (uint64_t)(u * (double)count) == s);
        }
        ck_assert(count < 100 || kept < count / 10);
        free(seen);
    }
}
END_TEST

static Design *design(const DesignSpec *spec, Arena *arena)
{
    Design *made = NULL;
    Error err = {0};
    ck_assert_msg(design_new(spec, 1000000, arena, &made, &err) == OK, "%s", err.message);
    return made;
}

START_TEST(a_grid_has_all_combinations_the_last_axis_fastest)
{
    static const double LIST[] = {0.5, 1, 2};
    const DesignAxis axes[] = {
        {.path = "a", .kind = AXIS_RANGE, .count = 11, .from = 0.1, .to = 0.9},
        {.path = "b", .kind = AXIS_LIST, .list = LIST, .count = 3},
        {.path = "c", .kind = AXIS_RANGE, .count = 3, .from = 1e-6, .to = 1e6, .log = true}};
    const DesignSpec spec = {.kind = DESIGN_GRID, .axes = axes, .n_axes = 3};
    Arena *arena = arena_new(1 << 20);
    const Design *d = design(&spec, arena);
    double x[3];

    ck_assert_uint_eq(design_count(d), 99);
    for (uint64_t k = 0; k < 99; k++) {
        design_values(d, k, x);
        ck_assert_double_eq_tol(x[0], 0.1 + 0.08 * (double)(k / 9), 1e-15);
        ck_assert_double_eq(x[1], LIST[k / 3 % 3]);
        ck_assert_double_eq_tol(log10(x[2]), -6 + 6 * (double)(k % 3), 1e-14);
    }
    design_values(d, 98, x);
    ck_assert_double_eq(x[0], 0.9);
    ck_assert_double_eq(x[2], 1e6);
    arena_free(arena);
}
END_TEST

/* Values that have a short name are that number. */
START_TEST(equal_steps_are_rounded_once)
{
    static const struct {
        double from, to;
        uint64_t count, k;
        double value;
    } VALUES[] = {{1, 10, 10, 6, 7},
                  {0, 1, 11, 3, 0.3},
                  {-3, 3, 13, 6, 0},
                  {10, 0, 101, 7, 9.3},
                  {5, 5, 3, 1, 5},
                  {2, 9, 1, 0, 2},
                  {-1e308, 1e308, 5, 1, -5e307},
                  {1e-320, 3e-320, 3, 1, 2e-320}};

    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        const DesignAxis axis = {.path = "a",
                                 .kind = AXIS_RANGE,
                                 .from = VALUES[i].from,
                                 .to = VALUES[i].to,
                                 .count = VALUES[i].count};
        const DesignSpec spec = {.kind = DESIGN_GRID, .axes = &axis, .n_axes = 1};
        Arena *arena = arena_new(1 << 20);
        double x;
        design_values(design(&spec, arena), VALUES[i].k, &x);
        ck_assert_double_eq(x, VALUES[i].value);
        arena_free(arena);
    }
}
END_TEST

START_TEST(equal_ratios_go_over_all_numbers)
{
    static const double ENDS[][2] = {{1e-300, 1e300}, {-1e300, -1e-300}, {1e-308, 1e308}};

    for (size_t i = 0; i < 3; i++) {
        const DesignAxis axis = {.path = "a",
                                 .kind = AXIS_RANGE,
                                 .from = ENDS[i][0],
                                 .to = ENDS[i][1],
                                 .count = 5,
                                 .log = true};
        const DesignSpec spec = {.kind = DESIGN_GRID, .axes = &axis, .n_axes = 1};
        Arena *arena = arena_new(1 << 20);
        double x;
        design_values(design(&spec, arena), 2, &x);
        ck_assert_double_eq_tol(x, copysign(1, ENDS[i][0]), 1e-13);
        design_values(design(&spec, arena), 1, &x);
        ck_assert_double_eq_tol(log10(fabs(x)), log10(fabs(ENDS[i][0])) / 2, 1e-11);
        arena_free(arena);
    }
}
END_TEST

/* Every random kind: the same member from the same seed, another from another; the moments of what
 * was asked for, within five standard errors of independent draws. */
START_TEST(random_designs_have_their_distributions)
{
    enum { COUNT = 4096 };
    const DesignAxis axes[] = {
        {.path = "a", .kind = AXIS_RANGE, .from = -1, .to = 3},
        {.path = "b",
         .kind = AXIS_NORMAL,
         .mean = 2,
         .sd = 0.5,
         .least = -INFINITY,
         .most = INFINITY},
        {.path = "c", .kind = AXIS_NORMAL, .mean = 0, .sd = 1, .least = 8, .most = INFINITY},
        {.path = "d", .kind = AXIS_RANGE, .from = 1e-3, .to = 1e3, .log = true}};
    /* the mean of the tail beyond 8 is its hazard rate, 8.121 */
    static const double MEAN[] = {1, 2, 8.1212, 0}, DEVIATION[] = {1.1547, 0.5, 0.1195, 1.7321};

    for (DesignKind kind = DESIGN_RANDOM; kind <= DESIGN_SOBOL; kind++) {
        const DesignSpec spec = {
            .kind = kind, .axes = axes, .n_axes = 4, .count = COUNT, .seed = 9};
        DesignSpec other = spec;
        other.seed = 10;
        Arena *arena = arena_new(1 << 20);
        const Design *d = design(&spec, arena), *e = design(&other, arena);
        double sum[4] = {0}, square[4] = {0};
        for (uint64_t k = 0; k < COUNT; k++) {
            double x[4], y[4], z[4];
            design_values(d, k, x);
            design_values(d, k, y);
            design_values(e, k, z);
            ck_assert_mem_eq(x, y, sizeof x);
            ck_assert_double_ne(x[0], z[0]);
            x[3] = log10(x[3]);
            for (size_t a = 0; a < 4; a++) {
                sum[a] += x[a];
                square[a] += (x[a] - MEAN[a]) * (x[a] - MEAN[a]);
            }
            ck_assert(x[2] >= 8);
        }
        for (size_t a = 0; a < 4; a++) {
            const double error = DEVIATION[a] / sqrt(COUNT);
            ck_assert_double_eq_tol(sum[a] / COUNT, MEAN[a], 5 * error);
            ck_assert_double_eq_tol(sqrt(square[a] / COUNT), DEVIATION[a], 0.1 * DEVIATION[a]);
        }
        arena_free(arena);
    }
}
END_TEST

START_TEST(saltelli_changes_one_axis_at_a_time)
{
    const DesignAxis axes[] = {{.path = "a", .kind = AXIS_RANGE, .from = 0, .to = 1},
                               {.path = "b", .kind = AXIS_RANGE, .from = 0, .to = 1},
                               {.path = "c", .kind = AXIS_RANGE, .from = 0, .to = 1}};
    const DesignSpec spec = {
        .kind = DESIGN_SALTELLI, .axes = axes, .n_axes = 3, .count = 64, .seed = 1};
    Arena *arena = arena_new(1 << 20);
    const Design *d = design(&spec, arena);

    ck_assert_uint_eq(design_count(d), 5 * 64);
    for (uint64_t base = 0; base < 64; base++) {
        double x[5][3];
        uint64_t of;
        for (size_t place = 0; place < 5; place++) {
            design_values(d, base * 5 + place, x[place]);
            ck_assert_uint_eq(design_saltelli(d, base * 5 + place, &of), place);
            ck_assert_uint_eq(of, base);
        }
        for (size_t i = 0; i < 3; i++)
            for (size_t a = 0; a < 3; a++)
                ck_assert_double_eq(x[1 + i][a], i == a ? x[4][a] : x[0][a]);
        ck_assert_double_ne(x[0][0], x[4][0]);
    }
    arena_free(arena);
}
END_TEST

START_TEST(too_many_members_and_unequal_lists_are_refused)
{
    static const double LIST[] = {1, 2, 3};
    const DesignAxis axes[] = {{.path = "a", .kind = AXIS_LIST, .list = LIST, .count = 3},
                               {.path = "b", .kind = AXIS_LIST, .list = LIST, .count = 2}};
    DesignSpec spec = {.kind = DESIGN_ZIP, .axes = axes, .n_axes = 2};
    Arena *arena = arena_new(1 << 20);
    Design *d;
    Error err = {0};

    ck_assert_int_eq(design_new(&spec, 10, arena, &d, &err), ERR_INVALID);
    ck_assert_str_eq(err.message, "zipped lists are of one length: a has 3 values, b 2");
    spec.kind = DESIGN_GRID;
    ck_assert_int_eq(design_new(&spec, 5, arena, &d, &err), ERR_LIMIT);
    ck_assert_int_eq(design_new(&spec, 6, arena, &d, &err), OK);
    spec =
        (DesignSpec){.kind = DESIGN_SALTELLI, .axes = axes, .n_axes = 2, .count = UINT64_MAX / 2};
    ck_assert_int_eq(design_new(&spec, 1000, arena, &d, &err), ERR_LIMIT);
    spec.count = (UINT64_C(1) << 32) + 1;
    ck_assert_int_eq(design_new(&spec, UINT64_MAX, arena, &d, &err), ERR_LIMIT);
    ck_assert_str_eq(err.message, "Sobol's sequence has 4294967296 points here");
    arena_free(arena);
}
END_TEST

SUITE(design)
{
    TCase *tc = suite_case(suite, "design");
    tcase_add_test(tc, philox_has_its_known_answers);
    tcase_add_test(tc, sobol_has_its_known_points);
    tcase_add_test(tc, scrambled_points_are_spread_evenly);
    tcase_add_test(tc, latin_strata_are_a_permutation);
    tcase_add_test(tc, a_grid_has_all_combinations_the_last_axis_fastest);
    tcase_add_test(tc, equal_steps_are_rounded_once);
    tcase_add_test(tc, equal_ratios_go_over_all_numbers);
    tcase_add_test(tc, random_designs_have_their_distributions);
    tcase_add_test(tc, saltelli_changes_one_axis_at_a_time);
    tcase_add_test(tc, too_many_members_and_unequal_lists_are_refused);
}
