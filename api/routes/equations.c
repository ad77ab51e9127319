/* Printed equations are cached by tenant, model, formulation and format, because those of a large
 * model take seconds to print. */
#include "api/routes/equations.h"

#include <string.h>

#include "api/documents/documents.h"
#include "api/routes/common.h"

Status equations_format(const ApiRequest *req, ApiResponse *res, PrintFormat *ret, Error *err)
{
    static const struct {
        const char *name;
        PrintFormat format;
    } FORMATS[] = {{"text", PRINT_TEXT}, {"latex", PRINT_LATEX}, {"c", PRINT_C}};
    const char *name = api_query(req, "format");
    *ret = PRINT_TEXT;
    if (!name)
        return OK;
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++)
        if (strcmp(FORMATS[i].name, name) == 0) {
            *ret = FORMATS[i].format;
            return OK;
        }
    return api_fail(res, PROBLEM_PARAMETER, err, "format must be text, latex or c");
}

static const char *key_of(const ApiContext *ctx, const ApiRequest *req, const char *model_id,
                          const char *formulation, PrintFormat format)
{
    return arena_printf(req->arena, "%lld %s %s %d", (long long)ctx->store.tenant, model_id,
                        formulation, (int)format);
}

bool equations_find(const ApiContext *ctx, const ApiRequest *req, const char *model_id,
                    const char *formulation, PrintFormat format, Text *out)
{
    const char *key = key_of(ctx, req, model_id, formulation, format);
    return key && printed_cache_find(ctx->printed, key, out);
}

Status equations_print(const ApiContext *ctx, const ApiRequest *req, const char *model_id,
                       const Compiled *compiled, PrintFormat format, Diagnostics *diag, Text *out,
                       Error *err)
{
    PrintedEquations equations;
    const char *formulation = compiled_formulation(compiled);
    const char *key = key_of(ctx, req, model_id, formulation, format);
    if (!key)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = compiled_print(compiled, format, req->arena, diag, &equations, err);
    if (status != OK)
        return status;
    equations_write(out, &equations, format, formulation);
    if (text_ok(out))
        printed_cache_keep(ctx->printed, key, out);
    return OK;
}
