/* Values are put at their paths (core/ensemble/member.h); missing objects on the way are made. */
#include "api/documents/member_document.h"

#include <stdlib.h>
#include <string.h>

#include "api/documents/read.h"
#include "api/json/canonical.h"
#include "api/json/reader.h"
#include "core/base/arena.h"

/* Objects that hold names: the rest of a path is one name, dots included. */
static const char *const HOLDERS[][3] = {{"parameters"},
                                         {"initial", "chart", "q"},
                                         {"initial", "chart", "v"},
                                         {"initial", "q"},
                                         {"initial", "v"},
                                         {"initial", "mu"},
                                         {"initial"},
                                         {"time"}};
enum { N_HOLDERS = sizeof HOLDERS / sizeof *HOLDERS };

/* The rest of a path behind "a.b."; NULL if the path does not begin with the holder. */
static const char *name_in(const char *path, const char *const holder[3])
{
    for (size_t i = 0; i < 3 && holder[i]; i++) {
        const size_t length = strlen(holder[i]);
        if (strncmp(path, holder[i], length) != 0 || path[length] != '.')
            return NULL;
        path += length + 1;
    }
    return path;
}

/* Takes over the item. */
static bool put(cJSON *object, const char *name, cJSON *item)
{
    if (cJSON_GetObjectItemCaseSensitive(object, name))
        cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    if (item && cJSON_AddItemToObject(object, name, item))
        return true;
    cJSON_Delete(item);
    return false;
}

static cJSON *object_in(cJSON *object, const char *name)
{
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);

    if (cJSON_IsObject(found))
        return found;
    return put(object, name, cJSON_CreateObject()) ? cJSON_GetObjectItemCaseSensitive(object, name)
                                                   : NULL;
}

/* False: out of memory. */
static bool put_value(cJSON *job, const char *path, double value)
{
    const char *name = NULL;
    size_t k = 0;

    while (k < N_HOLDERS && !(name = name_in(path, HOLDERS[k])))
        k++;
    if (!name)
        return true;
    cJSON *object = job;
    for (size_t i = 0; i < 3 && HOLDERS[k][i] && object; i++)
        object = object_in(object, HOLDERS[k][i]);
    return object && put(object, name, cJSON_CreateNumber(value));
}

static Status parse_job(const char *job, size_t size, cJSON **ret_tree, Error *err)
{
    Arena arena = {0};
    Diagnostics diag;

    diagnostics_init(&diag, &arena);
    const Status status = json_parse(job, size, &diag, ret_tree, NULL, err);
    arena_done(&arena);
    return status;
}

void forget_instant(cJSON *job)
{
    cJSON_DeleteItemFromObjectCaseSensitive(job, "not_after");
}

Status accepted_model_put(cJSON *job, const AcceptedDocument *document, Error *err)
{
    cJSON *model = NULL;

    if (!document->model || !model_is_reference(cJSON_GetObjectItemCaseSensitive(job, "model")))
        return OK;
    const Status status = parse_job(document->model, document->model_size, &model, err);
    if (status != OK)
        return status;
    if (cJSON_ReplaceItemInObjectCaseSensitive(job, "model", model))
        return OK;
    cJSON_Delete(model);
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

Status member_document_write(const AcceptedDocument *job, const DesignAxis *axes, size_t n_axes,
                             const double *values, Text *out, Error *err)
{
    cJSON *tree = NULL;
    Status status = parse_job(job->bytes, job->size, &tree, err);
    if (status != OK)
        return status;
    /* a catalog name stays valid, but a stored model may be deleted */
    if (cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tree, "model"), "id"))
        status = accepted_model_put(tree, job, err);
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "vary");
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "ensemble");
    forget_instant(tree);
    cJSON_DeleteItemFromObjectCaseSensitive(tree, "notify"); /* it belongs to the whole ensemble */
    for (size_t a = 0; a < n_axes && status == OK; a++)
        if (!put_value(tree, axes[a].path, values[a]))
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = json_in_order(tree, out, err);
    cJSON_Delete(tree);
    return status;
}

/* The values of one axis; for axis n_axes, the numbers of the members. */
static void fill_column(const MembersTable *t, size_t axis, double *values, double *ret_column)
{
    for (size_t k = 0; k < t->n; k++) {
        if (axis < t->n_axes)
            design_values(t->design, t->members[k], values);
        ret_column[k] = axis < t->n_axes ? values[axis] : (double)t->members[k];
    }
}

/* Adds the columns of a table; false: out of memory. */
static bool put_columns(cJSON *columns, const MembersTable *t)
{
    Arena scratch = {0};
    double *values = arena_doubles(&scratch, t->n_axes), *column = arena_doubles(&scratch, t->n);
    bool ok = values && column;

    if (ok && t->of_job) {
        fill_column(t, t->n_axes, values, column);
        ok = put(columns, DESIGN_OF_MEMBER, cJSON_CreateDoubleArray(column, (int)t->n));
    }
    for (size_t a = 0; ok && a < t->n_axes; a++) {
        /* numbers in a job further back have no meaning any more */
        if (t->of_job && strcmp(t->axes[a].path, DESIGN_OF_MEMBER) == 0)
            continue;
        fill_column(t, a, values, column);
        ok = put(columns, t->axes[a].path, cJSON_CreateDoubleArray(column, (int)t->n));
    }
    arena_done(&scratch);
    return ok;
}

/* Adds the origin of the table's rows; false: out of memory. */
static bool put_origin(cJSON *table, const MembersTable *t)
{
    cJSON *of = t->of_job ? object_in(table, "of") : NULL;

    return !t->of_job || (of && put(of, "job", cJSON_CreateString(t->of_job)) &&
                          (!t->of_where || put(of, "where", cJSON_CreateString(t->of_where))));
}

Status members_table_put(cJSON *job, const MembersTable *t, Error *err)
{
    cJSON *ensemble = object_in(job, "ensemble");
    cJSON *table = cJSON_CreateObject();
    cJSON *origin = cJSON_GetObjectItemCaseSensitive(
        cJSON_GetObjectItemCaseSensitive(ensemble, "design"), "of");

    cJSON_DeleteItemFromObjectCaseSensitive(job, "vary");
    cJSON_DeleteItemFromObjectCaseSensitive(ensemble, "combine");
    /* a table with its origin and columns */
    bool ok = table && put(table, "kind", cJSON_CreateString("table"));
    if (ok && origin && !t->of_job)
        ok = put(table, "of", cJSON_Duplicate(origin, true));
    ok = ok && put_origin(table, t) && put(table, "columns", cJSON_CreateObject()) &&
         put_columns(cJSON_GetObjectItemCaseSensitive(table, "columns"), t);
    if (ok && ensemble)
        ok = put(ensemble, "design", table);
    else
        cJSON_Delete(table);
    return ok && ensemble ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

/* The whole document, prepared to run again. */
static Status parse_again(const AcceptedDocument *job, cJSON **ret_tree, Error *err)
{
    Status status = parse_job(job->bytes, job->size, ret_tree, err);

    if (status != OK)
        return status;
    forget_instant(*ret_tree);
    status = accepted_model_put(*ret_tree, job, err);
    if (status == OK && !put(*ret_tree, "cache", cJSON_CreateFalse()))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK)
        cJSON_Delete(*ret_tree);
    return status;
}

Status members_document_write(const AcceptedDocument *job, const MembersTable *table, Text *out,
                              Error *err)
{
    cJSON *tree = NULL;
    Status status = parse_again(job, &tree, err);

    if (status != OK)
        return status;
    status = members_table_put(tree, table, err);
    if (status == OK)
        status = json_in_order(tree, out, err);
    cJSON_Delete(tree);
    return status;
}

Status rerun_document_write(const AcceptedDocument *job, Text *out, Error *err)
{
    cJSON *tree = NULL;
    Status status = parse_again(job, &tree, err);

    if (status != OK)
        return status;
    status = json_in_order(tree, out, err);
    cJSON_Delete(tree);
    return status;
}
