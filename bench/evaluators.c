/* What evaluates programs: the interpreter, the machine code that is made of programs evaluated
 * often, and the same operations as C, compiled by gcc. One lane and 32, timed by turns in one run,
 * results compared bit for bit. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compiler.h"
#include "bench/systems.h"
#include "core/base/clock.h"
#include "core/base/random.h"
#include "core/program/native/native.h"

enum { LANES = 32, POINTS = 64, ROUNDS = 101 };
static const double CHUNK_SECONDS = 1e-4;
static const double LIMIT = 1.3; /* of machine code, of the time of gcc's */

/* One side of a comparison for one width: POINTS blocks of inputs and outputs. */
typedef struct Side {
    const Program *program;
    CompiledEval *by_gcc; /* NULL: as the program does */
    size_t lanes;
    const double *in;
    double *out, *work;
} Side;

static void *aligned_doubles(size_t n)
{
    void *block = NULL;
    if (posix_memalign(&block, PROGRAM_ALIGNMENT, (n + 1) * sizeof(double)) != 0)
        abort();
    memset(block, 0, (n + 1) * sizeof(double));
    return block;
}

static void run_side(const Side *side, size_t repeats)
{
    const size_t n_in = side->program->n_inputs * side->lanes,
                 n_out = side->program->n_outputs * side->lanes;
    for (size_t r = 0; r < repeats; r++)
        for (size_t k = 0; k < POINTS; k++) {
            if (side->by_gcc)
                side->by_gcc(side->in + k * n_in, side->out + k * n_out, side->work);
            else
                program_eval(side->program, side->in + k * n_in, side->out + k * n_out, side->work,
                             side->lanes);
        }
}

static double time_side(const Side *side, size_t repeats)
{
    const double start = clock_seconds();
    run_side(side, repeats);
    return (clock_seconds() - start) / (double)(repeats * POINTS * side->lanes);
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare_doubles);
}

/* Who is compared; the first is what the others are ratios of. */
enum { BY_GCC, BY_NATIVE, BY_INTERPRETER, SIDES };

typedef struct Timing {
    double ns[SIDES];    /* best, per lane */
    double ratio[SIDES]; /* median, of the time of gcc's */
    bool same_bits;
    double compile_us; /* of machine code */
    size_t bytes;
} Timing;

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool same_results(const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (bits_of(a[k]) != bits_of(b[k]) && !(isnan(a[k]) && isnan(b[k])))
            return false;
    return true;
}

/* By turns, so that a change of clock rate meets all sides. */
static Timing compare_sides(const Side *sides)
{
    static double times[SIDES][ROUNDS], ratios[SIDES][ROUNDS];
    const size_t lanes = sides[0].lanes, n = sides[0].program->n_outputs * lanes * POINTS;
    size_t repeats = 1;
    Timing result = {.same_bits = true};

    while (time_side(&sides[BY_GCC], repeats) * (double)(repeats * POINTS * lanes) < CHUNK_SECONDS)
        repeats *= 2;
    for (size_t s = 0; s < SIDES; s++)
        (void)time_side(&sides[s], repeats);
    for (size_t r = 0; r < ROUNDS; r++)
        for (size_t s = 0; s < SIDES; s++) {
            times[s][r] = time_side(&sides[s], repeats);
            ratios[s][r] = times[s][r] / times[BY_GCC][r];
        }
    for (size_t s = 0; s < SIDES; s++) {
        sort(times[s]);
        sort(ratios[s]);
        result.ns[s] = 1e9 * times[s][0];
        result.ratio[s] = ratios[s][ROUNDS / 2];
        result.same_bits = result.same_bits && same_results(sides[s].out, sides[0].out, n);
    }
    return result;
}

/* A program whose parameters are bound, with inputs and room for outputs. */
static Side make_side(const Program *program, CompiledEval *by_gcc, const double *params,
                      const double *in, size_t lanes)
{
    double *rows = aligned_doubles(program->n_params * lanes);
    const Side side = {program,
                       by_gcc,
                       lanes,
                       in,
                       aligned_doubles(program->n_outputs * lanes * POINTS),
                       aligned_doubles(program_work_doubles(program, lanes))};
    for (size_t k = 0; k < program->n_params; k++)
        for (size_t lane = 0; lane < lanes; lane++)
            rows[k * lanes + lane] = params[k];
    program_bind(program, rows, side.work, lanes);
    free(rows);
    return side;
}

/* The same equations twice: interpreted always, and compiled at once. */
typedef struct Pair {
    System interpreted, native;
} Pair;

static Timing compare_width(const Pair *pair, CompiledEval *by_gcc, size_t lanes)
{
    const Program *program = pair->native.rates;
    const double *params = pair->native.params;
    const size_t n_in = program->n_inputs * lanes * POINTS;
    double *in = aligned_doubles(n_in);
    Random random;

    random_init(&random, 1);
    for (size_t k = 0; k < n_in; k++)
        in[k] = random_uniform(&random, 0.1, 1.5);
    const Side sides[SIDES] = {[BY_GCC] = make_side(program, by_gcc, params, in, lanes),
                               [BY_NATIVE] = make_side(program, NULL, params, in, lanes),
                               [BY_INTERPRETER] =
                                   make_side(pair->interpreted.rates, NULL, params, in, lanes)};
    const double start = clock_seconds();
    if (!native_compile(program, lanes))
        fprintf(stderr, "no machine code here: the interpreter is compared with itself\n");
    const double compile_us = 1e6 * (clock_seconds() - start);
    Timing result = compare_sides(sides);
    result.compile_us = compile_us;
    result.bytes = program->native->widths[lanes / PROGRAM_LANE_BLOCK].bytes;
    for (size_t s = 0; s < SIDES; s++) {
        free(sides[s].out);
        free(sides[s].work);
    }
    free(in);
    return result;
}

/* Prints one row of the table; whether machine code is within its limit, and whether bits are the
 * same. */
static bool bench_pair(const Pair *pair, bool *same_bits)
{
    Compiled compiled = compiler_run(pair->native.rates, LANES);
    const Timing one = compare_width(pair, compiled.one, 1);
    const Timing lanes = compare_width(pair, compiled.lanes, LANES);
    const bool same = one.same_bits && lanes.same_bits;
    compiler_done(&compiled);
    printf("%-36s %5zu |", pair->native.name, program_length(pair->native.rates));
    for (size_t w = 0; w < 2; w++) {
        const Timing *c = w == 0 ? &one : &lanes;
        printf(" %7.2f %7.2f %7.2f %5.2f %5.2f %4.0f %5zu |", c->ns[BY_GCC], c->ns[BY_NATIVE],
               c->ns[BY_INTERPRETER], c->ratio[BY_NATIVE], c->ratio[BY_INTERPRETER], c->compile_us,
               c->bytes);
    }
    printf(" %s\n", same ? "same" : "DIFFERENT");
    fflush(stdout);
    *same_bits = *same_bits && same;
    return one.ratio[BY_NATIVE] <= LIMIT && lanes.ratio[BY_NATIVE] <= LIMIT;
}

int main(int argc, char **argv)
{
    size_t within = 0;
    const size_t n = systems_count(argc, argv);
    bool same_bits = true;

    printf("ns per evaluation and lane: gcc (%s),\nmachine code, interpreter (%s); medians of the "
           "latter two in "
           "gcc's time; us to compile, bytes\n\n",
           COMPILER, interpreter_get(interpreter_best())->name);
    printf("%-36s %5s | %-46s | %-46s | bits\n", "right-hand side", "ops", "one lane", "32 lanes");
    for (size_t k = 0; k < n; k++) {
        if (!program_use_evaluator("interpreter"))
            return EXIT_FAILURE;
        Pair pair = {.interpreted = system_load(k, argc, argv)};
        if (!program_use_evaluator("native"))
            return EXIT_FAILURE;
        pair.native = system_load(k, argc, argv);
        within += bench_pair(&pair, &same_bits);
        system_done(&pair.interpreted);
        system_done(&pair.native);
    }
    printf("\n%zu of %zu: machine code within %.1f times gcc's. Bits: %s.\n", within, n, LIMIT,
           same_bits ? "all the same" : "DIFFERENT");
    return same_bits ? EXIT_SUCCESS : EXIT_FAILURE;
}
