/* dalembert simulate: runs one job from a file in this process, a motion or an ensemble. */
#include <stdio.h>
#include <stdlib.h>

#include "core/numeric/numeric.h"
#include "core/program/program.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/simulate.h"
#include "server/processors.h"

static const char USAGE[] =
    "usage: dalembert simulate JOB.json [-o FILE] [--diagnostics FILE] [--threads N]\n"
    "                          [--evaluator native|interpreter]\n"
    "\n"
    "Runs a job (\"-\": standard input) without a daemon and prints one JSON document:\n"
    "\n"
    "    {\"job\": .., \"result\": {\"columns\", \"series\", \"complete\"},\n"
    "     \"events\": {NAME: result, ..}, \"diagnostics\": .., \"invariants\": ..}\n"
    "\n"
    "  -o, --output FILE    write to FILE: .json as above; .csv, .ndjson or .npy (numpy) the\n"
    "                       trajectory only\n"
    "  --diagnostics FILE   write {\"job\", \"diagnostics\", ..} to FILE as well\n"
    "\n"
    "For an ensemble (a job with \"vary\" or \"ensemble\") the result is the summary, one row for\n"
    "each member:\n"
    "\n"
    "    {\"job\": .., \"result\": .., \"tables\": {NAME: result, ..}, \"diagnostics\": ..}\n"
    "\n"
    "  --threads N          threads of an ensemble; default: all processors. The numbers do not\n"
    "                       depend on it. Progress is shown on a terminal.\n"
    "\n"
    "  --evaluator NAME     native (default: machine code for equations that are evaluated often,\n"
    "                       if the system allows it) or interpreter. The numbers are the same.\n"
    "\n"
    "Exit status 0: the motion was computed to its end or to a terminal event; of an ensemble the\n"
    "motion of at least one member. 1: the job failed (the part that was computed is written,\n"
    "\"complete\": false) or has mistakes. 2: usage.\n";

enum { THREADS_MOST = 1024 };

static bool read_threads(const char *text, unsigned *ret_threads)
{
    char *end;
    const unsigned long n = strtoul(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || n < 1 || n > THREADS_MOST) {
        fprintf(stderr, "--threads %s: a number from 1 to %d\n", text, THREADS_MOST);
        return false;
    }
    *ret_threads = (unsigned)n;
    return true;
}

static int simulate(CommandInput *input, const SimulateOptions *options)
{
    PreparedJob job = {0};
    Error err = {0};

    Status status = command_input_prepare(input, &job, &err);
    if (status != OK)
        return command_input_fail(input, status, &err);
    const int exit_status = job.ensemble ? simulate_members(input, &job, options)
                                         : simulate_motion(input, &job, options);
    prepared_job_done(&job);
    return exit_status;
}

int command_simulate(int argc, char **argv)
{
    SimulateOptions settings = {.content = CONTENT_JSON};
    const char *threads = NULL, *evaluator = "native", *file;
    const CommandOption options[] = {{"--output", "-o", &settings.output, NULL},
                                     {"--diagnostics", NULL, &settings.diagnostics, NULL},
                                     {"--threads", NULL, &threads, NULL},
                                     {"--evaluator", NULL, &evaluator, NULL}};
    const CommandUsage usage = {"simulate", USAGE, options, sizeof options / sizeof options[0],
                                1,          1};
    CommandInput input;
    Error err = {0};

    numeric_init();
    /* check the arguments */
    int exit_status = command_args(argc, argv, &usage, &file);
    if (exit_status != COMMAND_GOES_ON)
        return exit_status;
    if (!program_use_evaluator(evaluator)) {
        fprintf(stderr, "--evaluator %s: native or interpreter\n", evaluator);
        return EXIT_USAGE;
    }
    settings.threads = processors_available();
    if ((settings.output && !content_of_name(settings.output, &settings.content)) ||
        (threads && !read_threads(threads, &settings.threads)))
        return EXIT_USAGE;
    /* read the job and run it */
    if (command_input_open(&input, file, &err) == OK) {
        exit_status = simulate(&input, &settings);
    } else {
        fprintf(stderr, "%s\n", err.message);
        exit_status = EXIT_USAGE;
    }
    command_input_done(&input);
    return exit_status;
}
