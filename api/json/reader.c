/* Typed access to a JSON tree: each getter returns a value or reports the mistake with its pointer
 * and a hint. */
#include "api/json/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/json/utf8.h"
#include "core/base/number.h"
#include "core/base/text.h"

enum { QUOTED_MAX = 40 }; /* characters of a client's text that a message quotes */

Status json_check(const char *bytes, size_t size, Diagnostics *diag, JsonFacts *ret_facts,
                  bool *ret_is_json, Error *err)
{
    JsonMistake mistake;

    if (ret_is_json)
        *ret_is_json = true;
    Status status = json_validate(bytes, size, ret_facts, &mistake, err);
    if (status != ERR_INVALID && status != ERR_LIMIT)
        return status;
    diagnostics_add(diag, mistake.pointer, status == ERR_LIMIT ? -1 : (long)mistake.offset, NULL,
                    "line %zu, column %zu: %s", mistake.line, mistake.column, mistake.message);
    if (ret_is_json)
        *ret_is_json = status == ERR_LIMIT;
    return error_set(err, ERR_INVALID, "line %zu, column %zu: %s", mistake.line, mistake.column,
                     mistake.message);
}

Status json_parse(const char *bytes, size_t size, Diagnostics *diag, cJSON **ret_tree,
                  bool *ret_is_json, Error *err)
{
    JsonFacts facts;
    Status status = json_check(bytes, size, diag, &facts, ret_is_json, err);
    if (status != OK)
        return status;
    cJSON *tree = json_tree(bytes, size, &facts);
    if (!tree)
        return error_set(err, ERR_NO_MEMORY, "out of memory while reading JSON");
    *ret_tree = tree;
    return OK;
}

static const char *json_keep(JsonReader *reader, const char *text)
{
    if (!text)
        reader->no_memory = true;
    return text ? text : "";
}

void *json_alloc(JsonReader *reader, size_t n, size_t size)
{
    if (n == 0)
        return NULL;
    void *memory = arena_alloc(reader->arena, n, size);
    if (!memory)
        reader->no_memory = true;
    return memory;
}

/* pointer + "/" + token, escaped (RFC 6901). */
static const char *pointer_to_member(JsonReader *reader, const char *pointer, const char *token)
{
    const size_t parent = strlen(pointer);
    /* the length: '~' and '/' take two characters */
    size_t length = parent + 2;
    for (const char *c = token; *c; c++)
        length += *c == '~' || *c == '/' ? 2 : 1;
    char *text = arena_alloc(reader->arena, length, 1);
    if (!text)
        return json_keep(reader, NULL);

    memcpy(text, pointer, parent);
    char *out = text + parent;
    *out++ = '/';
    for (const char *c = token; *c; c++) {
        if (*c == '~' || *c == '/') {
            *out++ = '~';
            *out++ = *c == '~' ? '0' : '1';
        } else {
            *out++ = *c;
        }
    }
    return text;
}

/* As cJSON_GetObjectItemCaseSensitive(); most names differ in their first letter. */
static const cJSON *find_member(const cJSON *object, const char *name)
{
    const cJSON *item = object->child;
    while (item && (*item->string != *name || strcmp(item->string, name) != 0))
        item = item->next;
    return item;
}

JsonValue json_member(JsonReader *reader, JsonValue object, const char *name)
{
    JsonValue none = {NULL, object.pointer};
    const cJSON *item =
        object.item && cJSON_IsObject(object.item) ? find_member(object.item, name) : NULL;
    return item ? (JsonValue){item, pointer_to_member(reader, object.pointer, name)} : none;
}

JsonValue json_first(JsonReader *reader, JsonValue parent)
{
    const cJSON *item = parent.item ? parent.item->child : NULL;
    if (!item)
        return (JsonValue){NULL, parent.pointer};
    return (JsonValue){item, pointer_to_member(reader, parent.pointer,
                                               cJSON_IsArray(parent.item) ? "0" : item->string)};
}

JsonValue json_following(JsonReader *reader, JsonValue parent, JsonValue child)
{
    const cJSON *item = child.item->next;
    if (!item)
        return (JsonValue){NULL, parent.pointer};
    if (!cJSON_IsArray(parent.item))
        return (JsonValue){item, pointer_to_member(reader, parent.pointer, item->string)};

    /* the index is the last token of the child's pointer */
    const char *slash = strrchr(child.pointer, '/');
    char token[24] = "0";
    size_t index = 0;
    for (const char *c = slash ? slash + 1 : ""; *c >= '0' && *c <= '9'; c++)
        index = 10 * index + (size_t)(*c - '0');
    snprintf(token, sizeof token, "%zu", index + 1);
    return (JsonValue){item, pointer_to_member(reader, parent.pointer, token)};
}

JsonValue json_element(JsonReader *reader, JsonValue array, const cJSON *item, size_t index)
{
    char token[24];
    snprintf(token, sizeof token, "%zu", index);
    return (JsonValue){item, pointer_to_member(reader, array.pointer, token)};
}

size_t json_count(JsonValue parent)
{
    size_t n = 0;
    for (const cJSON *item = parent.item ? parent.item->child : NULL; item; item = item->next)
        n++;
    return n;
}

const char *json_name(JsonReader *reader, JsonValue member)
{
    return json_keep(reader, arena_strdup(reader->arena, member.item->string));
}

static bool all_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return length > 0;
}

const char *json_path(JsonReader *reader, const char *pointer)
{
    char *text = arena_alloc(reader->arena, 2 * strlen(pointer) + 1, 1), *out = text;
    if (!text)
        return json_keep(reader, NULL);

    /* a token of digits is an index in brackets, any other token a name behind a dot */
    while (*pointer == '/') {
        size_t length = strcspn(++pointer, "/");
        bool index = all_digits(pointer, length);
        if (index)
            *out++ = '[';
        else if (out > text)
            *out++ = '.';
        for (; length > 0; length--, pointer++) {
            if (*pointer == '~' && length > 1) {
                pointer++;
                length--;
                *out++ = *pointer == '0' ? '~' : '/';
            } else {
                *out++ = *pointer;
            }
        }
        if (index)
            *out++ = ']';
    }
    return text;
}

/* The value in words, for a message: a short text in quotes, a number, "a list", ... */
static const char *json_describe(const cJSON *item, char *buffer, size_t size)
{
    /* a text is quoted up to QUOTED_MAX bytes */
    if (cJSON_IsString(item)) {
        const char *text = item->valuestring;
        size_t length = strlen(text), cut = utf8_cut(text, length, QUOTED_MAX);
        snprintf(buffer, size, "\"%.*s%s\"", (int)cut, text, cut < length ? "..." : "");
        return buffer;
    }
    if (cJSON_IsNumber(item)) {
        char number[NUMBER_TEXT_MAX];
        number_print(item->valuedouble, number);
        snprintf(buffer, size, "%s", number);
        return buffer;
    }
    if (cJSON_IsObject(item))
        return "an object";
    if (cJSON_IsArray(item))
        return "a list";
    return cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null";
}

/* The quoted path of a value, or "the document". */
static const char *subject(JsonReader *reader, const char *pointer)
{
    if (*pointer == '\0')
        return "the document";
    return json_keep(reader, arena_printf(reader->arena, "\"%s\"", json_path(reader, pointer)));
}

bool json_expected(JsonReader *reader, JsonValue value, const char *expected)
{
    char buffer[QUOTED_MAX + 16];
    if (reader->diag->count < DIAGNOSTICS_MAX)
        diagnostics_add(reader->diag, value.pointer, -1, NULL, "%s must be %s, not %s",
                        subject(reader, value.pointer), expected,
                        json_describe(value.item, buffer, sizeof buffer));
    else
        reader->diag->total++;
    return false;
}

bool json_wrong(JsonReader *reader, JsonValue value, const char *hint, const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diagnostics_add(reader->diag, value.pointer, -1, hint, "%s", message);
    return false;
}

/* Names of members in other programs, and our names for them. The spelling is too far from ours, or
 * too near to another of ours, for a suggestion by distance. */
static const struct {
    const char *name, *own;
} FOREIGN_MEMBERS[] = {
    {"dt", "every"},  {"step", "every"},        {"tend", "end"},
    {"t_end", "end"}, {"params", "parameters"}, {"velocities", "v"},
};

/* Our name for a foreign name, if ours is among names[n]; else NULL. */
static const char *own_member(const char *name, const char *const *names, size_t n)
{
    for (size_t k = 0; k < sizeof FOREIGN_MEMBERS / sizeof FOREIGN_MEMBERS[0]; k++)
        for (size_t i = 0; i < n && strcmp(FOREIGN_MEMBERS[k].name, name) == 0; i++)
            if (strcmp(names[i], FOREIGN_MEMBERS[k].own) == 0)
                return names[i];
    return NULL;
}

/* The comparison is quadratic in the length of the names, so it is only made for mistakes that are
 * kept. */
static const char *suggestion(JsonReader *reader, const char *name, const char *const *names,
                              size_t n)
{
    const char *near = nearest_name(name, strlen(name), names, n);
    return near ? json_keep(reader, arena_printf(reader->arena, "did you mean \"%s\"?", near))
                : NULL;
}

static const char *list_of(JsonReader *reader, const char *const *names, size_t n)
{
    Text text = TEXT_INIT;
    for (size_t i = 0; i < n; i++)
        text_printf(&text, "%s%s", i ? ", " : "", names[i]);
    const char *kept = json_keep(reader, arena_strdup(reader->arena, text_string(&text)));
    text_done(&text);
    return kept;
}

static bool in_list(const char *name, const char *const *names, size_t n)
{
    size_t i = 0;
    while (i < n && (*names[i] != *name || strcmp(names[i], name) != 0))
        i++;
    return i < n;
}

static void refuse_member(JsonReader *reader, JsonValue object, const cJSON *item,
                          const char *const *names, size_t n)
{
    if (reader->diag->count == DIAGNOSTICS_MAX) {
        reader->diag->total++;
        return;
    }
    size_t length = strlen(item->string), cut = utf8_cut(item->string, length, QUOTED_MAX);
    const char *own = own_member(item->string, names, n);
    const char *hint = in_list(item->string, reader->top, reader->n_top)
                           ? "write it at the top level of the document"
                           : suggestion(reader, own ? own : item->string, names, n);
    if (!hint)
        hint = json_keep(
            reader, arena_printf(reader->arena, "known members: %s", list_of(reader, names, n)));
    diagnostics_add(reader->diag, pointer_to_member(reader, object.pointer, item->string), -1, hint,
                    "unknown member \"%.*s%s\"", (int)cut, item->string, cut < length ? "..." : "");
}

bool json_object_of(JsonReader *reader, JsonValue value, const char *what, const char *const *names,
                    size_t n)
{
    if (!json_is_object(reader, value, what))
        return false;
    if (*value.pointer == '\0') {
        reader->top = names;
        reader->n_top = n;
    }
    bool known = true;
    for (const cJSON *item = value.item->child; item; item = item->next) {
        if (!in_list(item->string, names, n)) {
            refuse_member(reader, value, item, names, n);
            reader->unknown++;
            known = false;
        }
    }
    return known;
}

bool json_is_object(JsonReader *reader, JsonValue value, const char *expected)
{
    return cJSON_IsObject(value.item) || json_expected(reader, value, expected);
}

bool json_is_array(JsonReader *reader, JsonValue value, const char *expected)
{
    return cJSON_IsArray(value.item) || json_expected(reader, value, expected);
}

bool json_at_most(JsonReader *reader, JsonValue list, size_t most)
{
    const size_t n = json_count(list);

    return n <= most || reader->accepted ||
           json_wrong(reader, list, NULL, "\"%s\" has %zu entries; at most %zu are allowed",
                      json_path(reader, list.pointer), n, most);
}

bool json_string(JsonReader *reader, JsonValue value, const char *expected, const char **ret_text)
{
    if (!cJSON_IsString(value.item))
        return json_expected(reader, value, expected);
    *ret_text = json_keep(reader, arena_strdup(reader->arena, value.item->valuestring));
    return true;
}

bool json_bool(JsonReader *reader, JsonValue value, bool *ret_value)
{
    if (!cJSON_IsBool(value.item))
        return json_expected(reader, value, "true or false");
    *ret_value = cJSON_IsTrue(value.item);
    return true;
}

bool json_number(JsonReader *reader, JsonValue value, const char *expected, double *ret_value)
{
    if (!cJSON_IsNumber(value.item))
        return json_expected(reader, value, expected);
    *ret_value = value.item->valuedouble;
    return true;
}

bool json_integer(JsonReader *reader, JsonValue value, const char *expected, int64_t min,
                  int64_t max, int64_t *ret_value)
{
    double number = cJSON_IsNumber(value.item) ? value.item->valuedouble : (double)NAN;
    if (!(number >= (double)min && number <= (double)max) || number != floor(number) ||
        fabs(number) > 0x1p53)
        return json_expected(reader, value, expected);
    *ret_value = (int64_t)number;
    return true;
}

bool json_choice(JsonReader *reader, JsonValue value, const char *const *names, size_t n,
                 size_t *ret_index)
{
    const char *given = cJSON_IsString(value.item) ? value.item->valuestring : NULL;
    for (size_t i = 0; given && i < n; i++) {
        if (strcmp(given, names[i]) == 0) {
            *ret_index = i;
            return true;
        }
    }
    const char *expected =
        json_keep(reader, arena_printf(reader->arena, "one of %s", list_of(reader, names, n)));
    if (!given || reader->diag->count == DIAGNOSTICS_MAX)
        return json_expected(reader, value, expected);
    char buffer[QUOTED_MAX + 16];
    return json_wrong(reader, value, suggestion(reader, given, names, n), "%s must be %s, not %s",
                      subject(reader, value.pointer), expected,
                      json_describe(value.item, buffer, sizeof buffer));
}

Status json_read_end(const JsonReader *reader, size_t before, Error *err)
{
    const Diagnostics *diag = reader->diag;

    if (reader->no_memory)
        return error_set(err, ERR_NO_MEMORY, "out of memory while reading a document");
    if (diag->total == before)
        return OK;
    if (before >= diag->count) /* more than are kept */
        return error_set(err, ERR_INVALID, "the document has mistakes");
    const Diagnostic *first = &diag->items[before];
    return error_set(err, ERR_INVALID, "%s%s%s", first->pointer, *first->pointer ? ": " : "",
                     first->message);
}
