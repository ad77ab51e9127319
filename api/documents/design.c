/* The design of an ensemble as JSON. */
#include "api/documents/documents.h"
#include "api/json/writer.h"

void design_write(Text *out, const char *kind, const DesignSpec *design)
{
    const bool grid = design->kind == DESIGN_GRID, random = !grid && design->kind != DESIGN_ZIP;
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    json_member_string(w, "kind", kind);
    /* the numbers of a random design */
    if (random) {
        json_member_unsigned(w, "count", design->count);
        json_member_unsigned(w, "seed", design->seed);
    }
    /* the job whose members they were */
    if (design->of_job) {
        json_member_object(w, "of");
        json_member_string(w, "job", design->of_job);
        if (design->of_where)
            json_member_string(w, "where", design->of_where);
        json_close_object(w);
    }
    json_member_array(w, "axes");
    for (size_t a = 0; a < design->n_axes; a++) {
        json_open_object(w);
        json_member_string(w, "path", design->axes[a].path);
        if (grid)
            json_member_unsigned(w, "count", design->axes[a].count);
        json_close_object(w);
    }
    json_close_array(w);
    json_close_object(w);
}
