/* The routes of keys: made, listed and revoked by whoever has a key with the scope admin. */
#include <string.h>

#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/clock.h"

enum { LIST_DEFAULT = 100, LIST_MOST = 500, NAME_MAX_BYTES = 100 };

/* The body of POST /v1/keys. */
typedef struct KeyWish {
    const char *name;
    const char *tenant; /* NULL: the default one */
    unsigned scopes;
    int64_t expires_ms; /* 0: never */
} KeyWish;

static void read_scopes(JsonReader *reader, JsonValue list, KeyWish *wish)
{
    if (!json_present(list)) {
        wish->scopes = SCOPE_READ | SCOPE_WRITE;
        return;
    }
    if (!json_is_array(reader, list, "a list of scopes") || !json_at_most(reader, list, SCOPES))
        return;
    size_t k = 0;
    for (const cJSON *item = list.item->child; item; item = item->next, k++) {
        size_t index;
        if (json_choice(reader, json_element(reader, list, item, k), scope_names, SCOPES, &index))
            wish->scopes |= 1u << index;
    }
    if (k == 0)
        json_wrong(reader, list, NULL, "a key has at least one scope");
}

static void read_expiry(JsonReader *reader, JsonValue value, KeyWish *wish)
{
    static const char WHAT[] = "a date-time such as \"2027-01-31T12:00:00Z\"";
    const char *text = NULL;
    if (!json_present(value) || !json_string(reader, value, WHAT, &text))
        return;
    if (!clock_parse(text, &wish->expires_ms))
        json_expected(reader, value, WHAT);
    else if (wish->expires_ms <= clock_unix_ms())
        json_wrong(reader, value, NULL,
                   "this instant has passed; leave \"expires\" out for a key "
                   "that does not expire");
}

static void read_wish(JsonReader *reader, JsonValue value, void *self)
{
    static const char *const MEMBERS[] = {"name", "tenant", "scopes", "expires"};
    KeyWish *wish = self;
    if (!json_object_of(reader, value, "an object with the name of a key", MEMBERS, 4))
        return;
    JsonValue name = json_member(reader, value, "name");
    if (json_string(reader, name, "a name for people", &wish->name) &&
        (!*wish->name || strlen(wish->name) > NAME_MAX_BYTES))
        json_wrong(reader, name, NULL, "a name has 1 to %d bytes", NAME_MAX_BYTES);
    const JsonValue tenant = json_member(reader, value, "tenant");
    if (json_present(tenant))
        (void)!json_string(reader, tenant, "the name of a tenant", &wish->tenant);
    read_scopes(reader, json_member(reader, value, "scopes"), wish);
    read_expiry(reader, json_member(reader, value, "expires"), wish);
}

static void write_time(JsonWriter *writer, const char *name, int64_t unix_ms)
{
    char text[CLOCK_TEXT_MAX];
    if (unix_ms)
        clock_format(unix_ms, text);
    json_member_string(writer, name, unix_ms ? text : NULL);
}

static void write_key(JsonWriter *writer, const KeyRecord *key, const char *token)
{
    const char *names[SCOPES];
    unsigned scopes = 0;
    size_t n = 0;
    (void)scopes_parse(key->scopes, &scopes);
    for (size_t k = 0; k < SCOPES; k++)
        if (scopes & 1u << k)
            names[n++] = scope_names[k];
    json_open_object(writer);
    json_member_string(writer, "id", key->id);
    if (token)
        json_member_string(writer, "token", token);
    json_member_string(writer, "name", key->name);
    json_member_string(writer, "tenant", key->tenant_name);
    json_member_strings(writer, "scopes", names, n);
    write_time(writer, "created", key->created_ms);
    write_time(writer, "expires", key->expires_ms);
    write_time(writer, "revoked", key->revoked_ms);
    write_time(writer, "last_used", key->last_used_ms);
    json_close_object(writer);
}

static Status refuse_tenant(ApiResponse *res, const char *name, Error *err)
{
    diagnostics_add(res->diag, "/tenant", -1, "make it first: POST /v1/tenants",
                    "there is no tenant \"%.80s\"", name);
    return error_set(err, ERR_INVALID, "there is no such tenant");
}

/* The token is in this answer and nowhere else. */
Status keys_create(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    KeyWish wish = {0};
    char token[TOKEN_MAX], scopes[SCOPES_TEXT_MAX];
    Status status = reply_read_body(req, res, read_wish, &wish, err);
    if (status == OK)
        status = token_make(token, err);
    if (status != OK)
        return status;
    /* store the hash of the token, then let the key in */
    scopes_format(wish.scopes, scopes);
    KeyRecord key = {.name = wish.name,
                     .tenant_name = wish.tenant,
                     .scopes = scopes,
                     .expires_ms = wish.expires_ms};
    const Hash hash = token_hash(token);
    hash_format(&hash, key.hash);
    status = store_key_add(ctx->store.store, &key, false, err);
    if (status == ERR_NOT_FOUND)
        status = refuse_tenant(res, key.tenant_name, err);
    if (status == OK)
        status = keyring_add(ctx->keyring, &key, err);
    if (status != OK)
        return status;
    res->status = 201;
    JsonWriter writer;
    json_writer_init(&writer, &res->body);
    write_key(&writer, &key, token);
    return OK;
}

Status keys_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    KeyRecord *keys;
    size_t n;
    int64_t limit = LIST_DEFAULT;
    keyring_note_uses(ctx->keyring, ctx->store.store);
    Status status = api_query_integer(req, res, "limit", 1, LIST_MOST, &limit, err);
    if (status == OK)
        status = store_key_list(ctx->store.store, api_query(req, "cursor"), (size_t)limit + 1,
                                req->arena, &keys, &n, err);
    if (status != OK)
        return status;
    /* one key more than the page shows that there is a next page */
    const bool more = n > (size_t)limit;
    n -= more;
    JsonWriter writer;
    reply_list_begin(res, &writer, "keys");
    for (size_t i = 0; i < n; i++)
        write_key(&writer, &keys[i], NULL);
    reply_list_end(req, res, &writer, more ? keys[n - 1].id : NULL);
    return OK;
}

/* Memory follows the disk before the answer: from the 204 on the key opens nothing. */
Status keys_revoke(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const char *id = req->params[0];
    keyring_note_uses(ctx->keyring, ctx->store.store);
    const Status status = store_key_revoke(ctx->store.store, id, err);
    if (status != OK)
        return status;
    keyring_remove(ctx->keyring, id);
    ctx->host.keys_changed(ctx->host.self);
    res->status = 204;
    return OK;
}
