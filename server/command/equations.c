/* dalembert equations: prints the derived equations of motion as text to read, LaTeX to paste or C
 * to compile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/peek.h"
#include "core/numeric/numeric.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/input.h"

static const char USAGE[] =
    "usage: dalembert equations MODEL.json [--format text|latex|c] [--formulation NAME]\n"
    "\n"
    "Prints the equations of motion derived from a model or from the model of a job (\"-\":\n"
    "standard input): as text (default), as a LaTeX fragment or as a C function.\n";

static bool parse_format(const char *name, PrintFormat *ret_format)
{
    static const char *const NAMES[] = {"text", "latex", "c"};
    static const PrintFormat FORMATS[] = {PRINT_TEXT, PRINT_LATEX, PRINT_C};

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            *ret_format = FORMATS[i];
            return true;
        }
    }
    return false;
}

static bool known_formulation(const char *name)
{
    const char *const *names;
    size_t n = formulation_names(&names);

    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    fprintf(stderr, "unknown formulation \"%s\"; the formulations are", name);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "%s %s", i ? "," : "", names[i]);
    fputc('\n', stderr);
    return false;
}

static Status print_equations(CommandInput *input, PrintFormat format, const char *formulation,
                              Error *err)
{
    JobInput job = {0};
    Compiled *compiled = NULL;
    PrintedEquations equations;

    /* read a job or a model */
    Status status = document_is_job(input->bytes, input->size)
                        ? job_input_read(input->bytes, input->size, NULL, input->arena,
                                         &input->diag, &job, &input->is_json, err)
                        : model_input_read(input->bytes, input->size, input->arena, &input->diag,
                                           &job.model, &input->is_json, err);
    /* derive and print the equations */
    if (status == OK)
        status = compiled_new(&job.model.document, formulation ? formulation : job.spec.formulation,
                              &input->diag, &compiled, err);
    if (status == OK)
        status = compiled_print(compiled, format, input->arena, &input->diag, &equations, err);
    if (status == OK) {
        size_t length = strlen(equations.whole);
        fputs(equations.whole, stdout);
        if (length == 0 || equations.whole[length - 1] != '\n')
            putchar('\n');
    }
    compiled_unref(compiled);
    return status;
}

int command_equations(int argc, char **argv)
{
    const char *format_name = "text", *formulation = NULL, *file;
    const CommandOption options[] = {{"--format", "-f", &format_name, NULL},
                                     {"--formulation", NULL, &formulation, NULL}};
    const CommandUsage usage = {"equations", USAGE, options, 2, 1, 1};
    PrintFormat format = PRINT_TEXT;
    CommandInput input;
    Error err = {0};

    numeric_init();
    /* check the arguments */
    int exit_status = command_args(argc, argv, &usage, &file);
    if (exit_status != COMMAND_GOES_ON)
        return exit_status;
    if (!parse_format(format_name, &format)) {
        fprintf(stderr, "unknown format \"%s\"; the formats are text, latex, c\n", format_name);
        return EXIT_USAGE;
    }
    if (formulation && !known_formulation(formulation))
        return EXIT_USAGE;
    /* read the document and print its equations */
    Status status = command_input_open(&input, file, &err);
    if (status != OK) {
        fprintf(stderr, "%s\n", err.message);
        exit_status = EXIT_USAGE;
    } else {
        status = print_equations(&input, format, formulation, &err);
        exit_status = status == OK ? EXIT_SUCCESS : command_input_fail(&input, status, &err);
    }
    command_input_done(&input);
    return exit_status;
}
