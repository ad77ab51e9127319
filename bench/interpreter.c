/* The interpreter against compiled code: the same operations, the same elementary functions, one
 * lane and 32, both timed by turns in one run, results compared bit for bit. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/native.h"
#include "bench/systems.h"
#include "core/base/clock.h"
#include "core/base/random.h"

enum { LANES = 32, POINTS = 64, ROUNDS = 301, WANTED = 5 };
static const double CHUNK_SECONDS = 1e-4;
static const double LIMIT_ONE = 3.0, LIMIT_LANES = 2.0;

/* One side of a comparison for one width: POINTS blocks of inputs and outputs. */
typedef struct Side {
    const Program *program;
    NativeEval *native; /* NULL: the interpreter */
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
            if (side->native)
                side->native(side->in + k * n_in, side->out + k * n_out, side->work);
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

typedef struct Comparison {
    double native_ns, interpreter_ns, best_ratio, median_ratio; /* times: best, per lane */
    bool same_bits;
} Comparison;

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

/* By turns, so that a change of clock rate meets both sides. */
static Comparison compare_sides(const Side *native, const Side *interpreter)
{
    double native_times[ROUNDS], interpreter_times[ROUNDS], ratios[ROUNDS];
    size_t repeats = 1;
    Comparison result;

    while (time_side(native, repeats) * (double)(repeats * POINTS * native->lanes) < CHUNK_SECONDS)
        repeats *= 2;
    (void)time_side(interpreter, repeats);
    for (size_t r = 0; r < ROUNDS; r++) {
        native_times[r] = time_side(native, repeats);
        interpreter_times[r] = time_side(interpreter, repeats);
        ratios[r] = interpreter_times[r] / native_times[r];
    }
    sort(native_times);
    sort(interpreter_times);
    sort(ratios);
    result.native_ns = 1e9 * native_times[0];
    result.interpreter_ns = 1e9 * interpreter_times[0];
    result.best_ratio = interpreter_times[0] / native_times[0];
    result.median_ratio = ratios[ROUNDS / 2];
    result.same_bits = same_results(native->out, interpreter->out,
                                    native->program->n_outputs * native->lanes * POINTS);
    return result;
}

static Comparison compare_width(const Program *program, NativeEval *native, const double *params,
                                size_t lanes)
{
    const size_t n_in = program->n_inputs * lanes * POINTS,
                 n_out = program->n_outputs * lanes * POINTS;
    double *in = aligned_doubles(n_in), *out = aligned_doubles(n_out),
           *native_out = aligned_doubles(n_out), *rows = aligned_doubles(program->n_params * lanes),
           *work = aligned_doubles(program_work_doubles(program, lanes));
    Random random;
    random_init(&random, 1);
    for (size_t k = 0; k < n_in; k++)
        in[k] = random_uniform(&random, 0.1, 1.5);
    for (size_t k = 0; k < program->n_params; k++)
        for (size_t lane = 0; lane < lanes; lane++)
            rows[k * lanes + lane] = params[k];
    program_bind(program, rows, work, lanes);
    const Side compiled = {program, native, lanes, in, native_out, work};
    const Side interpreted = {program, NULL, lanes, in, out, work};
    const Comparison result = compare_sides(&compiled, &interpreted);
    free(in);
    free(out);
    free(native_out);
    free(rows);
    free(work);
    return result;
}

typedef struct Tally {
    size_t systems, within;
    bool same_bits;
} Tally;

/* Prints one row of the table. */
static void bench_program(const char *name, const Program *program, const double *params,
                          Tally *tally)
{
    Native native = native_compile(program, LANES);
    const Comparison one = compare_width(program, native.one, params, 1);
    const Comparison lanes = compare_width(program, native.lanes, params, LANES);
    native_done(&native);
    const bool same_bits = one.same_bits && lanes.same_bits;
    const bool within = one.median_ratio <= LIMIT_ONE && lanes.median_ratio <= LIMIT_LANES;
    printf("%-40s %5zu %5zu %5zu | %7.1f %7.1f %5.2f %5.2f | %7.2f %7.2f %5.2f %5.2f | %s %s\n",
           name, program_length(program), program->n_body, program->n_rows, one.native_ns,
           one.interpreter_ns, one.best_ratio, one.median_ratio, lanes.native_ns,
           lanes.interpreter_ns, lanes.best_ratio, lanes.median_ratio,
           same_bits ? "same" : "DIFFERENT", within ? "" : "beyond");
    fflush(stdout);
    tally->systems++;
    tally->within += within;
    tally->same_bits = tally->same_bits && same_bits;
}

int main(int argc, char **argv)
{
    Tally tally = {.same_bits = true};
    printf("interpreter (%s) against %s, ns per evaluation and lane; limits %.1f and %.1f\n\n",
           interpreter_get(interpreter_best())->name, NATIVE_COMPILER, LIMIT_ONE, LIMIT_LANES);
    printf("%-40s %5s %5s %5s | %-28s | %-28s | bits\n", "right-hand side", "ops", "instr", "rows",
           "one lane: gcc, interp, ratio", "32 lanes: gcc, interp, ratio");
    printf("%-40s %5s %5s %5s | %15s %5s %6s | %15s %5s %6s |\n", "", "", "", "", "", "best",
           "median", "", "best", "median");
    for (size_t k = 0; k < systems_count(argc, argv); k++) {
        System system = system_load(k, argc, argv);
        bench_program(system.name, system.rates, system.params, &tally);
        system_done(&system);
    }
    printf(
        "\n%zu of %zu within both limits; a few operations without a function, which gcc does in\n"
        "2 ns, cost less than the call itself. Bits: %s.\n",
        tally.within, tally.systems, tally.same_bits ? "all the same" : "DIFFERENT");
    return tally.same_bits && (argc > 1 || tally.within >= WANTED) ? EXIT_SUCCESS : EXIT_FAILURE;
}
