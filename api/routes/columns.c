/* Lists of names that may themselves contain commas. */
#include "api/routes/columns.h"

#include <string.h>

#include "core/base/diagnostics.h"
#include "core/base/text.h"

/* The decoded list. plain[i]: the comma at text[i] was not percent-encoded. */
typedef struct NameList {
    char *text;
    bool *plain;
} NameList;

static bool list_decode(Arena *arena, const char *raw, NameList *ret)
{
    char *text = arena_alloc(arena, strlen(raw) + 1, 1);
    bool *plain = arena_alloc(arena, strlen(raw) + 1, sizeof *plain);
    size_t n = 0;
    if (!text || !plain)
        return false;
    /* each part up to a plain comma */
    for (;;) {
        size_t length = strcspn(raw, ",");
        const char *part = api_percent_decode(arena, raw, length, true);
        if (!part)
            return false;
        memcpy(text + n, part, strlen(part));
        n += strlen(part);
        if (!raw[length])
            break;
        plain[n] = true;
        text[n++] = ',';
        raw += length + 1;
    }
    *ret = (NameList){text, plain};
    return true;
}

/* Is text[at..end) a whole item of the client's list? Items are separated by plain commas; inside
 * an item, a plain comma may only stand in parentheses. */
static bool item_is_whole(const NameList *list, size_t at, size_t end)
{
    int depth = 0;
    if (list->text[end] && !list->plain[end])
        return false;
    for (size_t i = at; i < end; i++) {
        char c = list->text[i];
        depth += (c == '(') - (c == ')');
        if (c == ',' && list->plain[i] && depth <= 0)
            return false;
    }
    return true;
}

/* The index of the name at text[at]: the name that is a whole item of the list, else the longest
 * name; n_names if there is none. */
static size_t find_name(const ResultRequest *request, const NameList *list, size_t at)
{
    size_t best = request->n_names, best_length = 0;
    for (size_t i = 0; i < request->n_names; i++) {
        const char *name = request->names[i];
        size_t length = strlen(name);
        if (strncmp(list->text + at, name, length) != 0 ||
            (list->text[at + length] && list->text[at + length] != ','))
            continue;
        if (item_is_whole(list, at, at + length))
            return i;
        if (best == request->n_names || length > best_length) {
            best = i;
            best_length = length;
        }
    }
    return best;
}

/* The length of an unknown name: up to a comma outside parentheses. */
static size_t unknown_length(const char *text)
{
    int depth = 0;
    size_t i = 0;
    for (; text[i] && !(text[i] == ',' && depth <= 0); i++)
        depth += (text[i] == '(') - (text[i] == ')');
    return i;
}

enum { TOLD_MOST = 12 /* column names listed in the message, if none is near */ };

static Status fail_unknown(const ApiRequest *req, ApiResponse *res, const ResultRequest *request,
                           const char *text, Error *err)
{
    size_t length = unknown_length(text);
    const char *near = nearest_name(text, length, request->names, request->n_names);
    Text known = TEXT_INIT;

    /* the nearest name, or the first names */
    if (near)
        text_printf(&known, "did you mean \"%s\"?", near);
    else
        text_puts(&known, "there are ");
    for (size_t i = 0; !near && i < request->n_names && i < TOLD_MOST; i++)
        text_printf(&known, "%s%s", i ? ", " : "", request->names[i]);
    if (!near && request->n_names > TOLD_MOST)
        text_printf(&known, " and %zu more", request->n_names - TOLD_MOST);
    const char *hint = text_keep(&known, req->arena);
    if (!hint)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return api_fail(res, PROBLEM_PARAMETER, err, "there is no column \"%.*s\"; %s",
                    length > 80 ? 80 : (int)length, text, hint);
}

Status columns_select(const ApiRequest *req, ApiResponse *res, const char *parameter,
                      ResultRequest *request, Error *err)
{
    const char *raw = api_query_raw(req, parameter);
    if (!raw)
        return OK;
    NameList list;
    size_t *columns = arena_alloc(req->arena, request->n_names + 1, sizeof *columns), n = 0;
    if (!columns || !list_decode(req->arena, raw, &list))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* name after name, each at most once */
    for (size_t at = 0;; at++) {
        size_t i = find_name(request, &list, at);
        if (i == request->n_names)
            return fail_unknown(req, res, request, list.text + at, err);
        for (size_t k = 0; k < n; k++)
            if (columns[k] == i)
                return api_fail(res, PROBLEM_PARAMETER, err, "the column \"%s\" is named twice",
                                request->names[i]);
        columns[n++] = i;
        at += strlen(request->names[i]);
        if (!list.text[at])
            break;
    }
    request->columns = columns;
    request->n_columns = n;
    return OK;
}
