/* GET /v1/catalog and its entries: the built-in systems. */
#include "api/documents/catalog.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/diagnostics.h"

static Status write_entry(JsonWriter *writer, const ApiRequest *req, const CatalogEntry *entry,
                          Error *err)
{
    static const char *const MEMBERS[] = {"title", "description", "source"};
    cJSON *tree = cJSON_ParseWithLength(entry->text, entry->size);
    if (!tree)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* the entry without its job, and a link to itself */
    json_open_object(writer);
    json_member_string(writer, "name", entry->name);
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; i++) {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(tree, MEMBERS[i]);
        json_member_string(writer, MEMBERS[i], cJSON_GetStringValue(member));
    }
    const cJSON *tag;
    json_member_array(writer, "tags");
    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(tree, "tags"))
        json_put_string(writer, cJSON_GetStringValue(tag));
    json_close_array(writer);
    json_member_object(writer, "links");
    json_member_string(writer, "self", arena_printf(req->arena, "/v1/catalog/%s", entry->name));
    json_close_object(writer);
    json_close_object(writer);
    cJSON_Delete(tree);
    return OK;
}

Status catalog_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    size_t n;
    const CatalogEntry *entries = catalog_entries(&n);
    JsonWriter writer;
    Status status = OK;
    (void)ctx;
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_array(&writer, "systems");
    for (size_t i = 0; i < n && status == OK; i++)
        status = write_entry(&writer, req, &entries[i], err);
    json_close_array(&writer);
    json_close_object(&writer);
    return status;
}

static Status unknown_entry(const ApiRequest *req, Error *err)
{
    size_t n;
    const CatalogEntry *entries = catalog_entries(&n);
    const char **names = arena_alloc(req->arena, n + 1, sizeof *names);
    if (!names)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        names[i] = entries[i].name;
    const char *name = req->params[0], *near = nearest_name(name, strlen(name), names, n);
    return error_set(err, ERR_NOT_FOUND, "no system \"%.80s\" in the catalog%s%s%s", name,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

Status catalog_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const CatalogEntry *entry = catalog_find(req->params[0]);
    (void)ctx;
    if (!entry)
        return unknown_entry(req, err);
    reply_text(res, entry->text, entry->size);
    return OK;
}
