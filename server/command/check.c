/* dalembert check: prints the structure of a model (the structure report), or the mistakes of a
 * model or job, without integrating. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/peek.h"
#include "core/numeric/numeric.h"
#include "server/command/args.h"
#include "server/command/commands.h"
#include "server/command/input.h"

static const char USAGE[] =
    "usage: dalembert check MODEL.json [--json]\n"
    "\n"
    "Checks a model or a job (\"-\": standard input) without integrating. Prints the structure of\n"
    "the model (of an ensemble also the number of its members and the varied values), or every\n"
    "mistake with its place; with --json as the daemon answers. Exit status 0: no mistakes.\n";

static const char *plural(size_t n, const char *many)
{
    return n == 1 ? "" : many;
}

static void print_sizes(const Structure *s)
{
    printf("  %zu coordinate%s, ", s->coordinates, plural(s->coordinates, "s"));
    if (!s->objection)
        printf("%zu degree%s of freedom, ", s->degrees_of_freedom,
               plural(s->degrees_of_freedom, "s"));
    printf("%zu parameter%s\n", s->parameters, plural(s->parameters, "s"));
}

static void print_mass(const Structure *s)
{
    if (s->irregular)
        printf("  regular: no; %s\n", s->objection);
    else if (s->objection)
        printf("  mass matrix and ranks are unknown: a motion could not start at any random state; "
               "the last reason:\n    %s\n",
               s->objection);
    else
        printf("  mass matrix: %s, regular on the constraints (condition %.3g)\n",
               s->mass_positive ? "positive definite" : "not positive definite", s->condition);
}

static void print_constraints(const Structure *s)
{
    int width = 0;

    if (s->n_constraints == 0) {
        puts("  no constraints");
        return;
    }
    /* number and rank */
    printf("  constraints: %zu", s->n_constraints);
    if (!s->objection)
        printf(", of rank %zu", s->rank);
    putchar('\n');
    /* one line for each constraint, aligned */
    for (size_t i = 0; i < s->n_constraints; i++)
        if ((int)strlen(s->constraints[i].name) > width)
            width = (int)strlen(s->constraints[i].name);
    for (size_t i = 0; i < s->n_constraints; i++) {
        const StructureConstraint *c = &s->constraints[i];
        printf("    %-*s  %s%s%s%s\n", width, c->name, constraint_kind_name(c->kind),
               c->time_dependent ? ", time-dependent" : "",
               c->redundancy  ? ", redundant: "
               : c->redundant ? ", redundant"
                              : "",
               c->redundancy ? c->redundancy : "");
    }
}

static void print_verdicts(const Structure *s)
{
    for (size_t i = 0; i < s->n_verdicts; i++) {
        const Verdict *v = &s->verdicts[i];
        printf("  %s: %s", v->name, predicted_name(v->predicted));
        if (v->expression)
            printf(" (%s)", v->expression);
        printf("\n    %s\n", v->reason ? v->reason : "");
    }
}

static void print_structure(const Structure *s, const Model *model)
{
    printf("%s\n", *model->names.model ? model->names.model : "a model without a name");
    print_sizes(s);
    print_mass(s);
    print_constraints(s);
    if (s->n_cyclic > 0)
        fputs("  cyclic coordinates:", stdout);
    for (size_t i = 0; i < s->n_cyclic; i++)
        printf("%s %s%s", i ? "," : "", s->cyclic[i], i + 1 == s->n_cyclic ? "\n" : "");
    if (!s->objection)
        printf("  equations: %zu operations an evaluation, %zu switch%s%s\n", s->program_length,
               s->switches, plural(s->switches, "es"),
               s->time_dependent ? ", explicitly time-dependent" : "");
    print_verdicts(s);
}

static void print_members(const PreparedJob *job)
{
    const Design *design = ensemble_design(job->ensemble);

    printf("  an ensemble: %" PRIu64 " members (%s) by", design_count(design), job->input.design);
    for (size_t a = 0; a < design_axes(design); a++)
        printf("%s %s", a ? "," : "", job->input.ensemble.design.axes[a].path);
    putchar('\n');
}

static void print_json(const Structure *structure, const Model *model)
{
    Text text = TEXT_INIT;

    structure_write(&text, structure, model);
    puts(text_string(&text));
    text_done(&text);
}

static Status check_compile_model(CommandInput *input, Compiled **ret_compiled, Error *err)
{
    ModelInput model = {0};
    Status status = model_input_read(input->bytes, input->size, input->arena, &input->diag, &model,
                                     &input->is_json, err);
    return status == OK ? compiled_new(&model.document, NULL, &input->diag, ret_compiled, err)
                        : status;
}

/* A job has more to check than its model: initial state, times, observables, events. */
static Status check_and_print(CommandInput *input, bool as_json, Error *err)
{
    PreparedJob job = {0};
    Structure structure;

    /* prepare the job, or compile the model */
    Status status = document_is_job(input->bytes, input->size)
                        ? command_input_prepare(input, &job, err)
                        : check_compile_model(input, &job.compiled, err);
    if (status == OK)
        status = compiled_structure(job.compiled, input->arena, &structure, err);
    /* print the structure and the notes */
    if (status == OK && as_json) {
        print_json(&structure, compiled_model(job.compiled));
    } else if (status == OK) {
        print_structure(&structure, compiled_model(job.compiled));
        if (job.ensemble)
            print_members(&job);
        for (size_t i = 0; i < job.input.n_warnings; i++)
            printf("  note: %s\n", job.input.warnings[i]);
        const char *units = compiled_model(job.compiled)->units.warning;
        if (units && job.input.n_warnings == 0)
            printf("  note: %s\n", units);
    }
    prepared_job_done(&job);
    return status;
}

static int print_problem(const CommandInput *input, const Error *err)
{
    Text text = TEXT_INIT;

    problem_write(&text, input->is_json ? 422 : 400,
                  input->is_json ? "invalid_document" : "not_json", "The document has mistakes",
                  err->message, NULL, &input->diag);
    puts(text_string(&text));
    text_done(&text);
    return EXIT_JOB_FAILED;
}

int command_check(int argc, char **argv)
{
    bool as_json = false;
    const CommandOption options[] = {{"--json", NULL, NULL, &as_json}};
    const CommandUsage usage = {"check", USAGE, options, 1, 1, 1};
    CommandInput input;
    const char *file;
    Error err = {0};

    numeric_init();
    int exit_status = command_args(argc, argv, &usage, &file);
    if (exit_status != COMMAND_GOES_ON)
        return exit_status;
    /* read the document, then check it */
    Status status = command_input_open(&input, file, &err);
    if (status != OK) {
        fprintf(stderr, "%s\n", err.message);
        exit_status = EXIT_USAGE;
    } else {
        status = check_and_print(&input, as_json, &err);
        if (status == ERR_INVALID && as_json)
            exit_status = print_problem(&input, &err);
        else
            exit_status = status == OK ? EXIT_SUCCESS : command_input_fail(&input, status, &err);
    }
    command_input_done(&input);
    return exit_status;
}
