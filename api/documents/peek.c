/* A look into a document without reading it as a whole: its kind, the text at a pointer, one member
 * as written. */
#include "api/documents/peek.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"

static cJSON *parse(const char *bytes, size_t size)
{
    JsonMistake mistake;
    JsonFacts facts;
    return json_validate(bytes, size, &facts, &mistake, NULL) == OK ? json_tree(bytes, size, &facts)
                                                                    : NULL;
}

/* The member or element named by the pointer's next token; *pointer moves behind the token. */
static const cJSON *peek_descend(const cJSON *item, const char **pointer)
{
    char token[512];
    size_t n = 0;

    for (++*pointer; **pointer && **pointer != '/' && n + 1 < sizeof token; ++*pointer) {
        char c = **pointer;
        if (c == '~' && ((*pointer)[1] == '0' || (*pointer)[1] == '1'))
            c = *++*pointer == '0' ? '~' : '/';
        token[n++] = c;
    }
    token[n] = '\0';
    if (cJSON_IsArray(item))
        return cJSON_GetArrayItem(item, (int)strtol(token, NULL, 10));
    return cJSON_GetObjectItemCaseSensitive(item, token);
}

const char *document_text(const char *bytes, size_t size, const char *pointer, Arena *arena)
{
    cJSON *tree = parse(bytes, size);
    const cJSON *item = tree;

    while (item && *pointer == '/')
        item = peek_descend(item, &pointer);
    const char *text = *pointer == '\0' ? cJSON_GetStringValue(item) : NULL;
    text = text ? arena_strdup(arena, text) : NULL;
    cJSON_Delete(tree);
    return text;
}

/* The place behind the string that starts at the quote p. */
static const char *skip_string(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

/* The place behind the array or object that starts at p. */
static const char *skip_nested(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        p++;
    } while (depth > 0);
    return p;
}

/* The place behind the member's name that starts at the quote p, its colon and the space around it;
 * NULL if it is no name. */
static const char *skip_colon(const char *p)
{
    p = skip_string(p);
    p += strspn(p, " \t\r\n");
    return *p == ':' ? p + 1 + strspn(p + 1, " \t\r\n") : NULL;
}

/* The object that is the member `name` of the object at p. The text is valid JSON, so its braces
 * end every loop. */
static const char *find_object(const char *p, const char *name, size_t *ret_length)
{
    const size_t length = strlen(name);

    for (p++; *p != '}';) {
        /* skip other values */
        if (*p == '{' || *p == '[') {
            p = skip_nested(p);
            continue;
        }
        if (*p != '"') {
            p++;
            continue;
        }
        /* a string: the name we look for, or another one */
        const char *value = skip_colon(p), *end = skip_string(p);
        if (value && *value == '{' && (size_t)(end - p) == length + 2 &&
            memcmp(p + 1, name, length) == 0) {
            *ret_length = (size_t)(skip_nested(value) - value);
            return value;
        }
        p = end;
    }
    return NULL;
}

const char *document_object(const char *bytes, size_t size, const char *name, size_t *ret_length)
{
    cJSON *tree = parse(bytes, size);
    const bool is_object = cJSON_IsObject(tree);

    cJSON_Delete(tree);
    return is_object ? find_object(memchr(bytes, '{', size), name, ret_length) : NULL;
}

bool document_is_job(const char *bytes, size_t size)
{
    static const char *const MEMBERS[] = {"model", "initial", "time"};
    cJSON *tree = parse(bytes, size);
    bool is_job = false;

    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; i++)
        is_job = is_job || cJSON_GetObjectItemCaseSensitive(tree, MEMBERS[i]);
    cJSON_Delete(tree);
    return is_job;
}
