/* validate_only: the structure of a model, the estimated cost of a job and, with include=equations,
 * the equations of motion. */
#include "api/routes/validation.h"

#include <math.h>
#include <string.h>

#include "api/ensemble_cost.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/equations.h"
#include "api/routes/submit_ensemble.h"

Status validation_read(const ApiRequest *req, ApiResponse *res, ValidationWish *ret_wish,
                       Error *err)
{
    ValidationWish wish = {0};
    const char *include = api_query(req, "include");
    Status status = api_query_flag(req, res, "validate_only", &wish.only, err);
    if (status != OK)
        return status;
    if (include && !wish.only)
        return api_fail(res, PROBLEM_PARAMETER, err, "include needs validate_only=true");
    if (include && strcmp(include, "equations") != 0)
        return api_fail(res, PROBLEM_PARAMETER, err, "include must be equations, not \"%.80s\"",
                        include);
    wish.equations = include != NULL;
    if (api_query(req, "format") && !wish.equations)
        return api_fail(res, PROBLEM_PARAMETER, err, "format needs include=equations");
    status = equations_format(req, res, &wish.format, err);
    if (status != OK)
        return status;
    *ret_wish = wish;
    return OK;
}

/* The requested equations. If the formulation applies at no generic state, the text is empty and
 * diag has the reason; the document is still valid. */
typedef struct Equations {
    PrintFormat format;
    Text text;
    Diagnostics *diag;
} Equations;

/* *ret_later: printing must wait for a call on a thread that may take long. */
static Status find_equations(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             const char *model_id, const Compiled *compiled, Equations *ret,
                             bool *ret_later, Error *err)
{
    Arena *arena = req->arena;
    if (equations_find(ctx, req, model_id, compiled_formulation(compiled), ret->format, &ret->text))
        return OK;
    *ret_later = reply_later(res);
    if (*ret_later)
        return OK;
    ret->diag = ARENA_NEW(arena, 1, Diagnostics);
    if (!ret->diag)
        return arena_status(arena, err);
    diagnostics_init(ret->diag, arena);
    Status status =
        equations_print(ctx, req, model_id, compiled, ret->format, ret->diag, &ret->text, err);
    return status == ERR_INVALID && ret->diag->total > 0 ? OK : status;
}

static void write_equations(JsonWriter *writer, const Equations *equations)
{
    const bool none = equations->text.length == 0;
    json_member_raw(writer, "equations", none ? NULL : text_string(&equations->text));
    if (none)
        json_member_string(writer, "no_equations", equations->diag->items[0].message);
}

/* null if it is unknown. */
static void write_count(JsonWriter *writer, const char *name, double count)
{
    json_member_number(writer, name, count > 0 ? round(count) : NAN);
}

static void write_analyses(JsonWriter *writer, const SimulationEstimate *estimate)
{
    json_member_array(writer, "analyses");
    for (size_t k = 0; k < estimate->n_analyses; k++) {
        const AnalysisEstimate *analysis = &estimate->analyses[k];
        json_open_object(writer);
        json_member_string(writer, "name", analysis->name);
        write_count(writer, "operations", analysis->operations);
        if (analysis->operations > 0 && estimate->operations > 0)
            json_member_bool(writer, "more_than_run", analysis->more_than_run);
        else
            json_member_string(writer, "more_than_run", NULL);
        json_member_string(writer, "reason", analysis->reason);
        json_close_object(writer);
    }
    json_close_array(writer);
}

/* Writes the estimated cost of a job. For an ensemble, samples and analyses are those of one
 * member; everything else is for all members. */
static void write_estimate(JsonWriter *writer, const PreparedJob *job,
                           const SimulationEstimate *estimate)
{
    const char *const *names;
    Ensemble *ensemble = job->ensemble;
    const size_t columns =
        ensemble ? ensemble_columns(ensemble, &names) : simulation_columns(job->simulation, &names);
    const double samples =
        ensemble ? ensemble_samples(ensemble) : (double)simulation_n_samples(job->simulation);
    const double bytes = ensemble ? ensemble_bytes(ensemble, job->input.ensemble.keep)
                                  : samples * (double)columns * sizeof(double);
    json_member_object(writer, "estimate");
    json_member_number(writer, "samples", round(samples));
    json_member_unsigned(writer, "columns", columns);
    json_member_number(writer, "result_bytes", round(bytes));
    json_member_unsigned(writer, "operations_per_evaluation", estimate->operations_per_evaluation);
    write_count(writer, "evaluations", estimate->evaluations);
    write_count(writer, "operations", estimate->operations);
    write_analyses(writer, estimate);
    json_close_object(writer);
}

/* Writes the common part: {"valid", "model_id", "structure", "equations"}, left open. */
static Status write_model(JsonWriter *writer, const ApiRequest *req, const char *model_id,
                          Compiled *compiled, const Equations *equations, Error *err)
{
    Structure structure;
    Status status = compiled_structure(compiled, req->arena, &structure, err);
    if (status != OK)
        return status;
    json_open_object(writer);
    json_member_bool(writer, "valid", true);
    json_member_string(writer, "model_id", model_id);
    json_key(writer, "structure");
    structure_write(writer->out, &structure, compiled_model(compiled));
    writer->comma = true;
    if (equations)
        write_equations(writer, equations);
    if (!text_ok(writer->out) || (equations && !text_ok(&equations->text)))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return OK;
}

/* Writes the part of a job: its estimated cost; for an ensemble also its first and last members. */
static Status write_job(JsonWriter *writer, const ApiRequest *req, const PreparedJob *job,
                        Error *err)
{
    SimulationEstimate estimate;
    const char *warning = NULL;
    Status status = OK;
    json_member_string(writer, "request_hash", job->input.request_hash);
    /* an ensemble, or a plain job */
    if (job->ensemble)
        status = submit_write_members(writer, job, req->arena, err);
    if (status == OK && job->ensemble)
        status =
            ensemble_estimate(job->ensemble, job->compiled, req->arena, &estimate, &warning, err);
    else if (status == OK)
        status = simulation_estimate(job->simulation, req->arena, &estimate, err);
    if (status != OK)
        return status;
    write_estimate(writer, job, &estimate);
    json_member_array(writer, "warnings");
    json_put_strings(writer, job->input.warnings, job->input.n_warnings);
    json_put_strings(writer, &warning, warning != NULL);
    json_close_array(writer);
    return OK;
}

Status validation_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                        const ValidationWish *wish, const char *model_id, Compiled *compiled,
                        const PreparedJob *job, Error *err)
{
    Equations equations = {.format = wish->format, .text = TEXT_INIT};
    JsonWriter writer;
    Status status = OK;
    bool later = false;

    /* nothing is written if the answer comes later */
    if (wish->equations)
        status = find_equations(ctx, req, res, model_id, compiled, &equations, &later, err);
    json_writer_init(&writer, &res->body);
    if (status == OK && !later)
        status =
            write_model(&writer, req, model_id, compiled, wish->equations ? &equations : NULL, err);
    if (status == OK && !later && job)
        status = write_job(&writer, req, job, err);
    if (status == OK && !later)
        json_close_object(&writer);
    text_done(&equations.text);
    return status;
}
