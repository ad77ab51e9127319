/* Submitted ensembles: their data for the store, and the description of one that is only
 * validated. */
#include "api/routes/submit_ensemble.h"

#include "api/documents/column_list.h"
#include "api/ensemble_cost.h"

enum { SHOWN = 3 }; /* of the first members, and of the last */

Status submit_describe_ensemble(const PreparedJob *job, Arena *arena, JobDraft *draft, Error *err)
{
    const char *const *names;
    Text design = TEXT_INIT;

    draft->members = design_count(ensemble_design(job->ensemble));
    size_t n = ensemble_columns(job->ensemble, &names);
    draft->columns = column_list_write(names, ensemble_units(job->ensemble), n, arena);
    n = ensemble_tables(job->ensemble, &names);
    draft->tables = json_strings_text(arena, names, n);
    n = ensemble_table_columns(job->ensemble, &names);
    draft->table_columns = column_list_write(names, ensemble_table_units(job->ensemble), n, arena);
    design_write(&design, job->input.design, &job->input.ensemble.design);
    draft->design = text_keep(&design, arena);
    if (!draft->columns || !draft->tables || !draft->table_columns || !draft->design)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return OK;
}

/* The inputs of members first .. end - 1, as in their rows. */
static void write_inputs(JsonWriter *writer, const char *name, const Ensemble *ensemble,
                         uint64_t first, uint64_t end, double *values)
{
    const Design *design = ensemble_design(ensemble);
    const char *const *columns;

    ensemble_columns(ensemble, &columns);
    json_member_array(writer, name);
    for (uint64_t k = first; k < end; k++) {
        design_values(design, k, values);
        json_open_object(writer);
        json_member_unsigned(writer, columns[0], k);
        for (size_t a = 0; a < design_axes(design); a++)
            json_member_number(writer, columns[1 + a], values[a]);
        json_close_object(writer);
    }
    json_close_array(writer);
}

Status submit_write_members(JsonWriter *writer, const PreparedJob *job, Arena *arena, Error *err)
{
    const Design *design = ensemble_design(job->ensemble);
    const uint64_t count = design_count(design), shown = count < SHOWN ? count : SHOWN;
    double *values = arena_doubles(arena, design_axes(design));

    if (!values)
        return arena_status(arena, err);
    json_member_object(writer, "members");
    json_member_unsigned(writer, "count", count);
    write_inputs(writer, "first", job->ensemble, 0, shown, values);
    write_inputs(writer, "last", job->ensemble, count - shown, count, values);
    json_close_object(writer);
    json_key(writer, "design");
    design_write(writer->out, job->input.design, &job->input.ensemble.design);
    writer->comma = true;
    return OK;
}
