/* The routes of tenants: made, listed and given quotas with a key of the scope admin.
 * */
#include <cjson/cJSON.h>
#include <string.h>

#include "api/json/reader.h"
#include "api/json/writer.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/clock.h"

enum { NAME_MOST = 63, QUOTAS = 3 };
static const char *const QUOTA_NAMES[QUOTAS] = {"queued", "running", "bytes"};

/* The body of POST /v1/tenants and of PATCH /v1/tenants/{name}. */
typedef struct TenantWish {
    bool is_new;
    const char *name;     /* of a new tenant */
    TenantQuotas *quotas; /* as they are; those of the body are changed */
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

static void read_wish(JsonReader *reader, JsonValue value, void *self)
{
    static const char *const MEMBERS[] = {"quotas", "name"};
    TenantWish *wish = self;
    const bool is_new = wish->is_new;
    if (!json_object_of(reader, value, is_new ? "an object with the name of a tenant" : "an object",
                        MEMBERS, is_new ? 2 : 1))
        return;
    const JsonValue name = json_member(reader, value, "name");
    if (is_new && json_string(reader, name, "the name of a tenant", &wish->name) &&
        !name_is_good(wish->name))
        json_wrong(reader, name, NULL,
                   "a name has 1 to %d of the characters a-z, 0-9 and -, and does not begin with -",
                   NAME_MOST);
    const JsonValue quotas = json_member(reader, value, "quotas");
    if (json_present(quotas) &&
        json_object_of(reader, quotas, "an object with quotas", QUOTA_NAMES, QUOTAS))
        for (size_t k = 0; k < QUOTAS; k++)
            read_quota(reader, json_member(reader, quotas, QUOTA_NAMES[k]),
                       quota_of(wish->quotas, k));
}

static void write_tenant(JsonWriter *writer, TenantRecord *tenant)
{
    char created[CLOCK_TEXT_MAX];
    clock_format(tenant->created_ms, created);
    json_open_object(writer);
    json_member_string(writer, "name", tenant->name);
    json_member_string(writer, "created", created);
    json_member_object(writer, "quotas");
    for (size_t k = 0; k < QUOTAS; k++) {
        const uint64_t quota = *quota_of(&tenant->quotas, k);
        if (quota)
            json_member_unsigned(writer, QUOTA_NAMES[k], quota);
        else
            json_member_raw(writer, QUOTA_NAMES[k], NULL);
    }
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
    TenantWish wish = {.is_new = true, .quotas = &tenant.quotas};
    Status status = reply_read_body(req, res, read_wish, &wish, err);
    tenant.name = wish.name;
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
    TenantWish wish = {.quotas = &tenant.quotas};
    Status status = store_tenant_get(ctx->store.store, req->params[0], req->arena, &tenant, err);
    if (status == OK)
        status = reply_read_body(req, res, read_wish, &wish, err);
    if (status == OK)
        status = store_tenant_set(ctx->store.store, tenant.name, &tenant.quotas, err);
    return status == OK ? reply_tenant(ctx, req, res, tenant.name, err) : status;
}
