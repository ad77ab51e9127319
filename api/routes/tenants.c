/* The routes of tenants: made, listed, and given quotas and a retention, with a key of the scope
 * admin. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "api/json/reader.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/clock.h"

enum { NAME_MOST = 63, QUOTAS = 3 };
static const char *const QUOTA_NAMES[QUOTAS] = {"queued", "running", "bytes"};
static const double KEEP_SECONDS_MOST = 1e10; /* as of serve --keep */

/* The body of POST /v1/tenants and of PATCH /v1/tenants/{name}. */
typedef struct TenantWish {
    bool is_new;          /* its name is in the body */
    TenantRecord *tenant; /* as it is; the members of the body are changed */
} TenantWish;

static uint64_t *quota_of(TenantQuotas *quotas, size_t k)
{
    uint64_t *const members[QUOTAS] = {&quotas->queued, &quotas->running, &quotas->bytes};
    return members[k];
}

/* Names stand in queries, logs and labels of metrics. */
static bool name_is_good(const char *name)
{
    const size_t length = strlen(name);
    return length >= 1 && length <= NAME_MOST && *name != '-' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* null: no limit. */
static void read_quota(JsonReader *reader, JsonValue value, uint64_t *quota)
{
    int64_t most = 0;
    if (!json_present(value))
        return;
    if (cJSON_IsNull(value.item))
        *quota = 0;
    else if (json_integer(reader, value, "a number from 1 on, or null for no limit", 1,
                          INT64_C(1) << 53, &most))
        *quota = (uint64_t)most;
}

/* Seconds; 0: for ever, null: as the service. */
static void read_keep(JsonReader *reader, JsonValue value, int64_t *ms)
{
    double seconds = 0.0;
    if (!json_present(value))
        return;
    if (cJSON_IsNull(value.item)) {
        *ms = 0;
        return;
    }
    if (!json_number(reader, value, "seconds, 0 for ever, or null as the service", &seconds))
        return;
    if (seconds < 0.0 || seconds > KEEP_SECONDS_MOST)
        json_wrong(reader, value, NULL, "the number must be from 0 to %g", KEEP_SECONDS_MOST);
    else
        *ms = seconds > 0.0 ? (int64_t)fmax(1.0, round(seconds * 1e3)) : KEEP_FOR_EVER;
}

static void read_retention(JsonReader *reader, JsonValue value, TenantKeep *keep)
{
    static const char *const NAMES[] = {"keep", "keep_failed", "keep_bytes"};
    if (!json_present(value) || !json_object_of(reader, value,
                                                "an object with the times and bytes "
                                                "that finished jobs are kept",
                                                NAMES, 3))
        return;
    read_keep(reader, json_member(reader, value, "keep"), &keep->done_ms);
    read_keep(reader, json_member(reader, value, "keep_failed"), &keep->failed_ms);
    read_quota(reader, json_member(reader, value, "keep_bytes"), &keep->bytes);
}

static void read_wish(JsonReader *reader, JsonValue value, void *self)
{
    static const char *const MEMBERS[] = {"quotas", "retention", "name"};
    TenantWish *wish = self;
    TenantRecord *tenant = wish->tenant;
    const bool is_new = wish->is_new;
    if (!json_object_of(reader, value, is_new ? "an object with the name of a tenant" : "an object",
                        MEMBERS, is_new ? 3 : 2))
        return;
    const JsonValue name = json_member(reader, value, "name");
    if (is_new && json_string(reader, name, "the name of a tenant", &tenant->name) &&
        !name_is_good(tenant->name))
        json_wrong(reader, name, NULL,
                   "a name has 1 to %d of the characters a-z, 0-9 and -, and does not begin with -",
                   NAME_MOST);
    const JsonValue quotas = json_member(reader, value, "quotas");
    if (json_present(quotas) &&
        json_object_of(reader, quotas, "an object with quotas", QUOTA_NAMES, QUOTAS))
        for (size_t k = 0; k < QUOTAS; k++)
            read_quota(reader, json_member(reader, quotas, QUOTA_NAMES[k]),
                       quota_of(&tenant->quotas, k));
    read_retention(reader, json_member(reader, value, "retention"), &tenant->keep);
}

static void write_keep(JsonWriter *writer, const char *name, int64_t ms)
{
    if (ms == 0)
        json_member_raw(writer, name, NULL);
    else
        json_member_number(writer, name, ms == KEEP_FOR_EVER ? 0.0 : (double)ms / 1e3);
}

/* null: no limit. */
static void write_quota(JsonWriter *writer, const char *name, uint64_t quota)
{
    if (quota)
        json_member_unsigned(writer, name, quota);
    else
        json_member_raw(writer, name, NULL);
}

static void write_tenant(JsonWriter *writer, TenantRecord *tenant)
{
    char created[CLOCK_TEXT_MAX];
    clock_format(tenant->created_ms, created);
    json_open_object(writer);
    json_member_string(writer, "name", tenant->name);
    json_member_string(writer, "created", created);
    json_member_object(writer, "quotas");
    for (size_t k = 0; k < QUOTAS; k++)
        write_quota(writer, QUOTA_NAMES[k], *quota_of(&tenant->quotas, k));
    json_close_object(writer);
    json_member_object(writer, "retention");
    write_keep(writer, "keep", tenant->keep.done_ms);
    write_keep(writer, "keep_failed", tenant->keep.failed_ms);
    write_quota(writer, "keep_bytes", tenant->keep.bytes);
    json_close_object(writer);
    json_member_object(writer, "jobs");
    json_member_unsigned(writer, "queued", tenant->counts.queued);
    json_member_unsigned(writer, "running", tenant->counts.running);
    json_member_unsigned(writer, "succeeded", tenant->counts.succeeded);
    json_member_unsigned(writer, "failed", tenant->counts.failed);
    json_member_unsigned(writer, "cancelled", tenant->counts.cancelled);
    json_close_object(writer);
    json_member_unsigned(writer, "models", tenant->counts.models);
    json_member_unsigned(writer, "bytes", tenant->bytes);
    json_close_object(writer);
}

static Status reply_tenant(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                           const char *name, Error *err)
{
    TenantRecord tenant;
    JsonWriter writer;
    const Status status = store_tenant_get(ctx->store.store, name, req->arena, &tenant, err);
    if (status != OK)
        return status;
    json_writer_init(&writer, &res->body);
    write_tenant(&writer, &tenant);
    return OK;
}

Status tenants_create(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    TenantRecord tenant = {0};
    TenantWish wish = {.is_new = true, .tenant = &tenant};
    Status status = reply_read_body(req, res, read_wish, &wish, err);
    if (status == OK)
        status = store_tenant_add(ctx->store.store, &tenant, err);
    if (status != OK)
        return status;
    res->status = 201;
    api_add_header(res, "Location", arena_printf(req->arena, "/v1/tenants/%s", tenant.name));
    return reply_tenant(ctx, req, res, tenant.name, err);
}

Status tenants_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    TenantRecord *tenants;
    size_t n;
    const Status status = store_tenant_list(ctx->store.store, req->arena, &tenants, &n, err);
    if (status != OK)
        return status;
    JsonWriter writer;
    json_writer_init(&writer, &res->body);
    json_open_object(&writer);
    json_member_array(&writer, "tenants");
    for (size_t i = 0; i < n; i++)
        write_tenant(&writer, &tenants[i]);
    json_close_array(&writer);
    json_close_object(&writer);
    return OK;
}

Status tenants_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    return reply_tenant(ctx, req, res, req->params[0], err);
}

Status tenants_change(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    TenantRecord tenant;
    TenantWish wish = {.tenant = &tenant};
    Status status = store_tenant_get(ctx->store.store, req->params[0], req->arena, &tenant, err);
    if (status == OK)
        status = reply_read_body(req, res, read_wish, &wish, err);
    if (status == OK)
        status = store_tenant_set(ctx->store.store, &tenant, err);
    return status == OK ? reply_tenant(ctx, req, res, tenant.name, err) : status;
}
