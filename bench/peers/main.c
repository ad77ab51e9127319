/* Peers on the same problems, by turns: lines of tab-separated figures for bench/peers.py.
 *
 *     peers precision [P1 ..]    problem, peer, tolerance, error, microseconds, steps, evaluations
 *     peers cold PROBLEM         the first job of a process: microseconds from text to result
 *     peers fixed                problem, microseconds of a warm job of few steps: prepare,
 *                                integrate,
 *                                analyse, whole; steps
 *     peers step                 problem, nanoseconds a step with all evidence and of the bare
 *                                loop,
 *                                their ratio; steps
 *     peers ensemble             problem, members, microseconds a member of an ensemble at global
 *                                error 1e-9, of
 *                                plain C one at a time, their ratio; steps
 *
 * A figure is the least of five turns; in a turn each peer takes its run of at least a few
 * milliseconds at each tolerance. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/dalembert.h"
#include "bench/peers/ensemble.h"
#include "core/base/clock.h"
#include "core/numeric/numeric.h"

enum {
    TURNS = 5,
    TOLERANCES = 25,
    REPEATS_MOST = 1000,
    FIXED_TURNS = 500,
    STEP_TURNS = 50,
    STEP_ROUNDS = 4,
    MEMBERS = 4096,
    ENSEMBLE_TURNS = 3,
};
static const double TURN_SECONDS = 2e-3, TOLERANCE_FIRST = 1e-3;
static const double FIXED_TOLERANCE = 1e-9, ENSEMBLE_ERROR = 1e-9;

typedef struct Peer {
    const char *name;
    Integrate *integrate;
    double trajectories; /* at once: the time is divided by them */
    double least;        /* tolerance that is tried */
} Peer;

static const Peer PEERS[] = {
    {"dop853", dalembert_dop853, 1, 1e-15},   {"bdf", dalembert_bdf, 1, 1e-10},
    {"plain C", plain_one, 1, 1e-15},         {"plain C, 8 lanes", plain_batch, BATCH, 1e-15},
    {"GSL rk8pd", gsl_rk8pd, 1, 1e-15},       {"ARKODE erk8", sundials_erk, 1, 1e-13},
    {"CVODE adams", sundials_adams, 1, 1e-13}};
enum { N_PEERS = sizeof PEERS / sizeof *PEERS };

typedef struct Figure {
    bool done;
    double error, seconds;
    Work work;
} Figure;

/* One turn of one peer: as many runs as fill it, the least of those that say their time themselves,
 * else the mean. */
static double turn(const Peer *peer, const Problem *problem, double tolerance, Figure *figure)
{
    double q[COORDINATES_MOST], v[COORDINATES_MOST], told = NAN, least = INFINITY;
    const double start = clock_seconds();
    double elapsed = 0;
    int runs = 0;

    while (runs == 0 || (elapsed < TURN_SECONDS && runs < REPEATS_MOST)) {
        figure->done = peer->integrate(problem, tolerance, q, v, &told, &figure->work);
        if (!figure->done)
            return INFINITY;
        least = fmin(least, told);
        elapsed = clock_seconds() - start;
        runs++;
    }
    figure->error = problem_error(problem, q, v);
    return (isnan(told) ? elapsed / runs : least) / peer->trajectories;
}

static double tolerance_of(size_t place)
{
    return TOLERANCE_FIRST * pow(10, -0.5 * (double)place);
}

static void precision(const Problem *problem)
{
    static Figure figures[N_PEERS][TOLERANCES];

    for (size_t p = 0; p < N_PEERS; p++)
        for (size_t k = 0; k < TOLERANCES; k++)
            figures[p][k] = (Figure){.done = true, .seconds = INFINITY};
    for (int round = 0; round < TURNS; round++)
        for (size_t k = 0; k < TOLERANCES; k++)
            for (size_t p = 0; p < N_PEERS; p++) {
                Figure *figure = &figures[p][k];
                figure->done = figure->done && tolerance_of(k) > 0.99 * PEERS[p].least;
                if (figure->done)
                    figure->seconds =
                        fmin(figure->seconds, turn(&PEERS[p], problem, tolerance_of(k), figure));
            }
    for (size_t p = 0; p < N_PEERS; p++)
        for (size_t k = 0; k < TOLERANCES; k++)
            if (figures[p][k].done)
                printf("%s\t%s\t%.3g\t%.3g\t%.4g\t%lu\t%lu\n", problem->id, PEERS[p].name,
                       tolerance_of(k), figures[p][k].error, 1e6 * figures[p][k].seconds,
                       figures[p][k].work.steps, figures[p][k].work.evaluations);
    fflush(stdout);
}

static void cold(const Problem *problem)
{
    const JobShape shape = {.method = "dop853", .tolerance = FIXED_TOLERANCE, .end = problem->end};
    printf("%s\t%.4g\n", problem->id, 1e6 * job_parts(problem, &shape, NULL).whole);
}

/* A job that ends after a tenth of the problem: some dozen steps. */
static void fixed(const Problem *problem)
{
    const JobShape shape = {
        .method = "dop853", .tolerance = FIXED_TOLERANCE, .end = problem->end / 10};
    CompiledCache *cache = compiled_cache_new(1);
    JobParts least = {
        .prepare = INFINITY, .integrate = INFINITY, .analyse = INFINITY, .whole = INFINITY};

    for (int round = 0; cache && round < FIXED_TURNS; round++) {
        const JobParts parts = job_parts(problem, &shape, cache);
        least = (JobParts){.prepare = fmin(least.prepare, parts.prepare),
                           .integrate = fmin(least.integrate, parts.integrate),
                           .analyse = fmin(least.analyse, parts.analyse),
                           .whole = fmin(least.whole, parts.whole),
                           .work = parts.work};
    }
    printf("%s\t%.4g\t%.4g\t%.4g\t%.4g\t%lu\n", problem->id, 1e6 * least.prepare,
           1e6 * least.integrate, 1e6 * least.analyse, 1e6 * least.whole, least.work.steps);
    compiled_cache_free(cache);
}

/* A step with all evidence, and one of the bare loop, by turns. */
static void step(const Problem *problem)
{
    const JobShape shape = {.method = "dop853",
                            .tolerance = FIXED_TOLERANCE,
                            .end = problem->end,
                            .bare_rounds = STEP_ROUNDS};
    CompiledCache *cache = compiled_cache_new(1);
    double whole = INFINITY, bare = INFINITY;
    unsigned long steps = 0;

    for (int round = 0; cache && round < STEP_TURNS; round++) {
        const JobParts parts = job_parts(problem, &shape, cache);
        steps = parts.work.steps;
        whole = fmin(whole, parts.integrate / (double)steps);
        bare = fmin(bare, parts.bare_step);
    }
    printf("%s\t%.4g\t%.4g\t%.2f\t%lu\n", problem->id, 1e9 * whole, 1e9 * bare, whole / bare,
           steps);
    compiled_cache_free(cache);
}

/* The largest tolerance at which a peer's error is small enough, and its time there. */
static double tolerance_for(const Peer *peer, const Problem *problem, double error,
                            double *ret_seconds)
{
    *ret_seconds = NAN;
    for (size_t k = 0; k < TOLERANCES && tolerance_of(k) > 0.99 * peer->least; k++) {
        Figure figure = {.done = true};
        *ret_seconds = INFINITY;
        for (int round = 0; round < TURNS; round++)
            *ret_seconds = fmin(*ret_seconds, turn(peer, problem, tolerance_of(k), &figure));
        if (figure.done && figure.error <= error)
            return tolerance_of(k);
    }
    return NAN;
}

static void ensemble(const Problem *problem)
{
    double alone, plain, steps;
    const double tolerance = tolerance_for(&PEERS[0], problem, ENSEMBLE_ERROR, &alone);

    (void)tolerance_for(&PEERS[2], problem, ENSEMBLE_ERROR, &plain);
    const double member = ensemble_seconds(problem, tolerance, MEMBERS, ENSEMBLE_TURNS, &steps);
    printf("%s\t%d\t%.4g\t%.4g\t%.2f\t%.4g\n", problem->id, MEMBERS, 1e6 * member, 1e6 * plain,
           member / plain, steps);
    fflush(stdout);
}

static const struct {
    const char *name;
    void (*measure)(const Problem *problem);
} MEASURES[] = {{"precision", precision},
                {"cold", cold},
                {"fixed", fixed},
                {"step", step},
                {"ensemble", ensemble}};

static bool wanted(const Problem *problem, int argc, char **argv)
{
    for (int k = 2; k < argc; k++)
        if (strcmp(argv[k], problem->id) == 0)
            return true;
    return argc == 2;
}

int main(int argc, char **argv)
{
    const Problem *problems;
    bool known = false;

    numeric_init();
    const size_t n = problems_read(&problems);
    for (size_t m = 0; argc > 1 && m < sizeof MEASURES / sizeof *MEASURES; m++)
        if (strcmp(argv[1], MEASURES[m].name) == 0) {
            known = true;
            for (size_t k = 0; k < n; k++)
                if (wanted(&problems[k], argc, argv))
                    MEASURES[m].measure(&problems[k]);
        }
    if (!known)
        fprintf(stderr, "usage: peers precision|cold|fixed|step|ensemble [P1 ..]\n");
    return known ? EXIT_SUCCESS : EXIT_FAILURE;
}
