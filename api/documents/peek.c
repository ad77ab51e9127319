#include "api/documents/peek.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "api/json/validate.h"

static cJSON *parse(const char *bytes, size_t size)
{
    JsonMistake mistake;
    return json_validate(bytes, size, NULL, &mistake, NULL) == OK
               ? cJSON_ParseWithLength(bytes, size)
               : NULL;
}

/* The member or element that a pointer's next token names; *pointer moves behind it. */
static const cJSON *descend(const cJSON *item, const char **pointer)
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
        item = descend(item, &pointer);
    const char *text = *pointer == '\0' ? cJSON_GetStringValue(item) : NULL;
    text = text ? arena_strdup(arena, text) : NULL;
    cJSON_Delete(tree);
    return text;
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
