/* GET /problems/{code}: the meaning of a problem's code, for people and for programs. */
#include <string.h>

#include "api/json/writer.h"
#include "api/problem_data.h"
#include "api/routes/common.h"
#include "api/routes/routes.h"
#include "core/base/diagnostics.h"

static void put_meaning(JsonWriter *writer, const ProblemMeaning *meaning)
{
    json_open_object(writer);
    json_member_string(writer, "of", meaning->of);
    json_member_signed(writer, "status", meaning->status);
    json_member_string(writer, "when", meaning->when);
    json_member_string(writer, "remedy", meaning->remedy);
    json_close_object(writer);
}

static void page_json(Text *out, const char *code)
{
    JsonWriter writer;
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_string(&writer, "code", code);
    json_member_array(&writer, "meanings");
    for (size_t i = 0; i < PROBLEM_DATA_COUNT; i++)
        if (strcmp(PROBLEM_DATA[i].code, code) == 0)
            put_meaning(&writer, &PROBLEM_DATA[i]);
    json_close_array(&writer);
    json_close_object(&writer);
}

/* Text between ` becomes code. */
static void put_html(Text *out, const char *text)
{
    bool code = false;
    for (; *text; text++) {
        if (*text == '`') {
            text_puts(out, code ? "</code>" : "<code>");
            code = !code;
        } else if (*text == '<' || *text == '>' || *text == '&') {
            text_printf(out, "&#%d;", *text);
        } else {
            text_putc(out, *text);
        }
    }
}

static void page_html(ApiResponse *res, const char *code)
{
    Text *out = &res->body;
    reply_html(res);
    text_printf(out, "<title>%s</title>\n<h1>%s</h1>\n", code, code);
    for (size_t i = 0; i < PROBLEM_DATA_COUNT; i++) {
        const ProblemMeaning *meaning = &PROBLEM_DATA[i];
        if (strcmp(meaning->code, code) != 0)
            continue;
        text_printf(out, "<h2>Of %s, status %d</h2>\n<dl>\n<dt>When\n<dd>",
                    strcmp(meaning->of, "job") == 0 ? "a failed job" : "an answer",
                    meaning->status);
        put_html(out, meaning->when);
        text_puts(out, "\n<dt>What to do\n<dd>");
        put_html(out, meaning->remedy);
        text_puts(out, "\n</dl>\n");
    }
    text_puts(out, "</html>\n");
}

static Status unknown_code(const ApiRequest *req, Error *err)
{
    const char **codes = arena_alloc(req->arena, PROBLEM_DATA_COUNT, sizeof *codes);
    if (!codes)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < PROBLEM_DATA_COUNT; i++)
        codes[i] = PROBLEM_DATA[i].code;
    const char *code = req->params[0];
    const char *near = nearest_name(code, strlen(code), codes, PROBLEM_DATA_COUNT);
    return error_set(err, ERR_NOT_FOUND, "no problem has the code \"%.80s\"%s%s%s", code,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

Status service_problem(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)
{
    const char *type = api_type(req), *code = NULL;
    (void)ctx;
    for (size_t i = 0; i < PROBLEM_DATA_COUNT && !code; i++)
        if (strcmp(PROBLEM_DATA[i].code, req->params[0]) == 0)
            code = PROBLEM_DATA[i].code;
    if (!code)
        return unknown_code(req, err);
    if (type && strcmp(type, "text/html") == 0)
        page_html(res, code);
    else
        page_json(&res->body, code);
    return OK;
}
