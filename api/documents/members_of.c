/* The document is applied as a merge patch; then the table is added. */
#define _GNU_SOURCE /* memmem */
#include "api/documents/members_of.h"

#include <string.h>

#include "api/documents/read.h"
#include "api/json/canonical.h"

/* Most documents do not mention members_of, and need not be parsed twice. An escape may stand for
 * any letter. */
static bool may_speak_of_it(const char *bytes, size_t size)
{
    static const char NAME[] = "members_of", ESCAPE[] = "\\u";

    return memmem(bytes, size, NAME, sizeof NAME - 1) || memmem(bytes, size, ESCAPE, 2);
}

static void read_of(JsonReader *reader, JsonValue job, JsonValue value, MembersOf *ret)
{
    static const char *const MEMBERS[] = {"job", "where"};
    static const char *const OTHERS[] = {"design", "combine"};
    JsonValue ensemble = json_member(reader, job, "ensemble");
    JsonValue vary = json_member(reader, job, "vary"), where = json_member(reader, value, "where");

    if (!json_object_of(reader, value, "an object with \"job\"", MEMBERS, 2) &&
        !cJSON_IsObject(value.item))
        return;
    /* the job and the condition */
    JsonValue id = read_required(reader, value, "job");
    if (json_present(id))
        json_string(reader, id, "the id of a job", &ret->job);
    if (json_present(where))
        json_string(reader, where, "a condition as text", &ret->where);
    /* other sources of members */
    if (json_present(vary) && !cJSON_IsNull(vary.item))
        json_wrong(reader, vary, "leave one of them out",
                   "\"ensemble.members_of\" already selects the members");
    for (size_t k = 0; k < 2; k++)
        if (json_present(json_member(reader, ensemble, OTHERS[k])))
            json_wrong(reader, json_member(reader, ensemble, OTHERS[k]), "leave one of them out",
                       "\"members_of\" already selects the members");
}

Status members_of_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                       bool *ret_given, MembersOf *ret_of, Error *err)
{
    const size_t before = diag->total;
    JsonReader reader = {.arena = arena, .diag = diag};
    Diagnostics others;
    cJSON *tree = NULL;

    *ret_given = false;
    if (!may_speak_of_it(bytes, size))
        return OK;
    diagnostics_init(&others, arena);
    Status status = json_parse(bytes, size, &others, &tree, NULL, err);
    if (status != OK)
        return status == ERR_INVALID ? OK : status;
    /* the member, if it is there */
    const JsonValue job = {tree, ""};
    JsonValue value = json_member(&reader, json_member(&reader, job, "ensemble"), "members_of");
    MembersOf of = {0};
    if (json_present(value))
        read_of(&reader, job, value, &of);
    *ret_given = json_present(value);
    cJSON_Delete(tree);
    /* mistakes elsewhere in the document are found when it is read as a whole */
    status = json_read_end(&reader, before, err);
    if (status == OK)
        *ret_of = of;
    return status;
}

double members_of_values(const MembersSource *source)
{
    return (double)source->n * (double)(source->n_axes + 1);
}

/* RFC 7396: objects are merged member by member, null removes a member, and any other value
 * replaces it. The depth is that of the patch, at most JSON_MAX_DEPTH. False: out of memory. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static bool merge(cJSON *target, const cJSON *patch)
{
    bool ok = true;

    for (const cJSON *p = patch->child; p && ok; p = p->next) {
        cJSON *old = cJSON_GetObjectItemCaseSensitive(target, p->string);
        if (cJSON_IsNull(p)) {
            cJSON_DeleteItemFromObjectCaseSensitive(target, p->string);
            continue;
        }
        if (cJSON_IsObject(p) && cJSON_IsObject(old)) {
            ok = merge(old, p);
            continue;
        }
        /* a new or replaced member; an object is merged into an empty one, which drops its nulls */
        cJSON *item = cJSON_IsObject(p) ? cJSON_CreateObject() : cJSON_Duplicate(p, true);
        ok = item && (!cJSON_IsObject(p) || merge(item, p));
        if (ok && old)
            ok = cJSON_ReplaceItemInObjectCaseSensitive(target, p->string, item);
        else if (ok)
            ok = cJSON_AddItemToObject(target, p->string, item);
        if (!ok)
            cJSON_Delete(item);
    }
    return ok;
}

static Status parse(const char *bytes, size_t size, cJSON **ret_tree, Error *err)
{
    Arena arena = {0};
    Diagnostics diag;

    diagnostics_init(&diag, &arena);
    Status status = json_parse(bytes, size, &diag, ret_tree, NULL, err);
    arena_done(&arena);
    return status;
}

Status members_of_write(const MembersSource *source, const MembersOf *of, const char *bytes,
                        size_t size, Text *out, Error *err)
{
    const MembersTable table = {.design = source->design,
                                .axes = source->axes,
                                .n_axes = source->n_axes,
                                .members = source->members,
                                .n = source->n,
                                .of_job = of->job,
                                .of_where = of->where};
    cJSON *tree = NULL, *patch = NULL;

    Status status = parse(source->document.bytes, source->document.size, &tree, err);
    if (status == OK)
        status = parse(bytes, size, &patch, err);
    if (status == OK)
        status = accepted_model_put(tree, &source->document, err);
    if (status == OK) {
        forget_instant(tree);
        cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(patch, "ensemble"),
                                                "members_of");
        /* a reference replaces the whole model */
        if (model_is_reference(cJSON_GetObjectItemCaseSensitive(patch, "model")))
            cJSON_DeleteItemFromObjectCaseSensitive(tree, "model");
        if (!merge(tree, patch))
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    if (status == OK)
        status = members_table_put(tree, &table, err);
    if (status == OK)
        status = json_in_order(tree, out, err);
    cJSON_Delete(tree);
    cJSON_Delete(patch);
    return status;
}
