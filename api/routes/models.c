/* The routes of stored models. A model's id is the hash of its canonical document; it has equations
 * and a structure. */
#include <string.h>

#include "api/documents/drawing.h"
#include "api/routes/common.h"
#include "api/routes/equations.h"
#include "api/routes/routes.h"
#include "api/routes/validation.h"
#include "core/base/clock.h"

enum { LIST_DEFAULT = 50, LIST_MOST = 500 };

static const char DEFAULT_FORMULATION[] = "lagrange-dalembert";

static void write_model(JsonWriter *writer, const ApiRequest *req, const ModelRecord *model,
                        bool with_document)
{
    char created[CLOCK_TEXT_MAX];
    clock_format(model->created_ms, created);
    json_open_object(writer);
    json_member_string(writer, "id", model->id);
    json_member_string(writer, "name", model->name);
    json_member_string(writer, "created", created);
    if (with_document)
        json_member_raw(writer, "document", model->document);
    const char *self = arena_printf(req->arena, "/v1/models/%s", model->id);
    json_member_object(writer, "links");
    json_member_string(writer, "self", self);
    json_member_string(writer, "equations", arena_printf(req->arena, "%s/equations", self));
    json_member_string(writer, "structure", arena_printf(req->arena, "%s/structure", self));
    json_close_object(writer);
    json_close_object(writer);
}

static Status models_read(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                          const char *bytes, size_t size, bool stored, const char *formulation,
                          ModelInput *ret_input, Compiled **ret_compiled, Error *err)
{
    bool is_json = true;
    Diagnostics *diag = reply_diagnostics(req, res);
    if (!diag)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = model_input_read(bytes, size, req->arena, diag, ret_input, &is_json, err);
    if (status != OK && !is_json)
        res->problem = PROBLEM_NOT_JSON;
    ret_input->document.accepted = stored;
    const CacheKey key = {ctx->store.tenant, ret_input->key, formulation};
    if (status == OK)
        status = compiled_cache_get(ctx->setting.cache, &key, &ret_input->document, diag,
                                    ret_compiled, err);
    return status;
}

Status models_create(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ModelInput input = {0};
    ModelRecord model = {0};
    Compiled *compiled = NULL;
    ValidationWish validation;
    bool created = false;
    Status status = validation_read(req, res, &validation, err);
    if (status != OK || reply_later(res))
        return status;
    status = models_read(ctx, req, res, req->body, req->body_size, false, DEFAULT_FORMULATION,
                         &input, &compiled, err);
    if (status != OK)
        return status;
    status = drawing_check(compiled, NULL, &input.drawing, res->diag, err);
    if (status == OK && validation.only)
        status = validation_reply(ctx, req, res, &validation, input.id, compiled, NULL, err);
    compiled_unref(compiled); /* it was only compiled to find mistakes */
    if (status != OK || validation.only)
        return status;
    status = store_model_put(ctx->store, input.id, input.document.name, input.canonical,
                             input.canonical_size, &created, err);
    if (status == OK)
        status = store_model_get(ctx->store, input.id, req->arena, &model, err);
    if (status != OK)
        return status;
    /* the stored model */
    res->status = created ? 201 : 200;
    api_add_header(res, "Location", arena_printf(req->arena, "/v1/models/%s", input.id));
    JsonWriter writer;
    json_writer_init(&writer, &res->body);
    write_model(&writer, req, &model, true);
    return OK;
}

Status models_list(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ModelRecord *models;
    size_t n;
    bool more;
    int64_t limit = LIST_DEFAULT;
    Status status = api_query_integer(req, res, "limit", 1, LIST_MOST, &limit, err);
    if (status == OK)
        status = store_model_list(ctx->store, api_query(req, "cursor"), (size_t)limit + 1,
                                  req->arena, &models, &n, &more, err);
    if (status != OK)
        return status;
    /* the extra model only tells that there is a next page */
    if (more)
        n--;
    JsonWriter writer;
    reply_list_begin(res, &writer, "models");
    for (size_t i = 0; i < n; i++)
        write_model(&writer, req, &models[i], false);
    reply_list_end(req, res, &writer, more ? models[n - 1].id : NULL);
    return OK;
}

Status models_get(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    ModelRecord model;
    Status status = store_model_get(ctx->store, req->params[0], req->arena, &model, err);
    if (status != OK)
        return status;
    JsonWriter writer;
    json_writer_init(&writer, &res->body);
    write_model(&writer, req, &model, true);
    return OK;
}

Status models_delete(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    Status status = store_model_delete(ctx->store, req->params[0], err);
    if (status == OK)
        res->status = 204;
    return status;
}

static Status compile_stored(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                             const char *formulation, Compiled **ret_compiled, Error *err)
{
    ModelRecord model;
    ModelInput input = {0};
    Status status = store_model_get(ctx->store, req->params[0], req->arena, &model, err);
    if (status == OK)
        status = models_read(ctx, req, res, model.document, model.document_size, true, formulation,
                             &input, ret_compiled, err);
    return status;
}

static Status read_formulation(const ApiRequest *req, ApiResponse *res, const char **ret,
                               Error *err)
{
    const char *const *names, *name = api_query(req, "formulation");
    size_t n = formulation_names(&names);
    *ret = name ? name : DEFAULT_FORMULATION;
    for (size_t i = 0; name && i < n; i++)
        if (strcmp(names[i], name) == 0)
            return OK;
    if (!name)
        return OK;
    /* the message lists all names */
    Text list = TEXT_INIT;
    for (size_t i = 0; i < n; i++)
        text_printf(&list, "%s%s", i ? ", " : "", names[i]);
    Status status = !text_ok(&list)
                        ? error_set(err, ERR_NO_MEMORY, "out of memory")
                        : api_fail(res, PROBLEM_PARAMETER, err, "formulation must be one of: %s",
                                   text_string(&list));
    text_done(&list);
    return status;
}

Status models_equations(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    PrintFormat format;
    ModelRecord model;
    Compiled *compiled = NULL;
    const char *formulation, *id = req->params[0];
    Status status = equations_format(req, res, &format, err);
    if (status == OK)
        status = read_formulation(req, res, &formulation, err);
    if (status == OK)
        status = store_model_get(ctx->store, id, req->arena, &model, err);
    if (status != OK)
        return status;
    /* from the cache, or printed now */
    if (equations_find(ctx, req, id, formulation, format, &res->body) || reply_later(res))
        return OK;
    status = compile_stored(ctx, req, res, formulation, &compiled, err);
    if (status == OK)
        status = equations_print(ctx, req, id, compiled, format, res->diag, &res->body, err);
    compiled_unref(compiled);
    return status;
}

Status models_structure(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    Structure structure;
    Compiled *compiled = NULL;
    if (reply_later(res))
        return OK;
    Status status = compile_stored(ctx, req, res, DEFAULT_FORMULATION, &compiled, err);
    if (status == OK)
        status = compiled_structure(compiled, req->arena, &structure, err);
    if (status == OK)
        structure_write(&res->body, &structure, compiled_model(compiled));
    compiled_unref(compiled);
    return status;
}
