/* dalembert selftest: runs the reference jobs that the program carries, by the interpreter and as
 * machine code, and compares the results with the expected numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/numeric/numeric.h"
#include "core/program/kernels.h"
#include "core/program/program.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/selftest.h"

static const char USAGE[] =
    "usage: dalembert selftest [--json]\n"
    "\n"
    "Checks this program on this machine: runs the reference systems that the program carries,\n"
    "and compares the final states with the expected numbers. Each system runs twice, by the\n"
    "interpreter and as machine code. Reads no file and uses no network. One line for each "
    "system:\n"
    "ok, or the first number that differs.\n"
    "\n"
    "On x86-64 processors with AVX2 and FMA all bits must agree. On other processors the last\n"
    "bits of sines and exponentials may differ, so 7 digits must agree.\n"
    "\n"
    "--json prints one document with all numbers.\n"
    "\n"
    "Exit status 0: all agree; 1: a system differs or cannot be run.\n";

enum { MEMORY = 256 << 20 }; /* for one system, in bytes */

/* On processors whose last bits may differ. The jobs have tolerances of 1e-11 and less; a state
 * may amplify this by up to 800 (sensitivity_of_last_sample of tests/reference). */
static const double DIGITS_TOLERANCE = 1e-7;

/* The outcome of one system. */
typedef struct Outcome {
    const char *name;
    const SelftestNumber *numbers; /* n, of the last run; in the arena of the system */
    size_t n;
    Error err; /* OK, or the first difference */
} Outcome;

static double tolerance_here(void)
{
    return CPU_HAS_AVX2 ? 0 : DIGITS_TOLERANCE;
}

static Status run_by(const char *evaluator, const CatalogEntry *job, Arena *arena, Outcome *outcome)
{
    const SelftestExpected *expected = selftest_expected(job->name);
    const SelftestNumber *numbers;
    size_t n;
    Error *err = &outcome->err;
    Status status = OK;
    if (!program_use_evaluator(evaluator))
        status = error_set(err, ERR_INTERNAL, "there is no such evaluator");
    if (status == OK)
        status = selftest_run(job, arena, &numbers, &n, err);
    /* compare the numbers, and keep them for the document */
    if (status == OK) {
        outcome->numbers = numbers;
        outcome->n = n;
        status = expected ? selftest_compare(expected, numbers, n, tolerance_here(), err)
                          : error_set(err, ERR_INTERNAL, "the program has no expected numbers");
    }
    if (status != OK)
        error_prefix(err, "%s", evaluator);
    return status;
}

static void write_outcome(JsonWriter *writer, const Outcome *outcome, bool agrees)
{
    json_open_object(writer);
    json_member_string(writer, "name", outcome->name);
    json_member_bool(writer, "agrees", agrees);
    json_member_string(writer, "difference", agrees ? NULL : outcome->err.message);
    json_member_object(writer, "numbers");
    for (size_t k = 0; k < outcome->n; k++)
        json_member_number(writer, outcome->numbers[k].name, outcome->numbers[k].value);
    json_close_object(writer);
    json_close_object(writer);
}

/* Runs one system by both evaluators, and adds it to the document. */
static bool run_system(const CatalogEntry *job, bool quiet, JsonWriter *writer)
{
    Arena *arena = arena_new(MEMORY);
    Outcome outcome = {.name = job->name};
    Status status = run_by("interpreter", job, arena, &outcome);
    if (status == OK)
        status = run_by("native", job, arena, &outcome);
    write_outcome(writer, &outcome, status == OK);
    if (!quiet && status == OK)
        printf("ok     %-36s %zu numbers\n", job->name, outcome.n);
    else if (!quiet)
        printf("WRONG  %-36s %s\n", job->name, outcome.err.message);
    arena_free(arena);
    return status == OK;
}

static void print_verdict(size_t wrong)
{
    if (wrong > 0)
        printf("%zu of %zu systems differ: on this machine the program does not compute what it "
               "was tested to compute. Install it anew; if they still differ, report these lines\n",
               wrong, SELFTEST_JOBS_COUNT);
    else
        printf("%zu systems: %s%s\n", SELFTEST_JOBS_COUNT,
               tolerance_here() > 0 ? "7 digits agree (this processor has no AVX2 and FMA)"
                                    : "all bits agree",
               strcmp(program_evaluator(), "native") == 0
                   ? ""
                   : "; this system allows no machine code, so the interpreter ran alone");
}

int command_selftest(int argc, char **argv)
{
    bool as_json = false;
    const CommandOption options[] = {{"--json", NULL, NULL, &as_json}};
    const CommandUsage usage = {"selftest", USAGE, options, 1, 0, 0};
    Text text = TEXT_INIT;
    JsonWriter writer;
    size_t wrong = 0;
    numeric_init();
    const int code = command_args(argc, argv, &usage, NULL);
    if (code != COMMAND_GOES_ON)
        return code;
    json_writer_init(&writer, &text);
    json_open_object(&writer);
    json_member_string(&writer, "version", DALEMBERT_VERSION);
    json_member_array(&writer, "systems");
    for (size_t k = 0; k < SELFTEST_JOBS_COUNT; k++)
        wrong += !run_system(&SELFTEST_JOBS[k], as_json, &writer);
    /* the verdict */
    json_close_array(&writer);
    json_member_string(&writer, "compared", tolerance_here() > 0 ? "digits" : "bits");
    json_member_bool(&writer, "agrees", wrong == 0);
    json_close_object(&writer);
    if (as_json)
        puts(text_string(&text));
    else
        print_verdict(wrong);
    text_done(&text);
    return wrong == 0 && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_JOB_FAILED;
}
