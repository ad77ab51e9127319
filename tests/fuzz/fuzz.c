/* Texts and time limits for the fuzz harnesses. */
#include "tests/fuzz/fuzz.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/json/reader.h"
#include "api/json/validate.h"

char *fuzz_string(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1);
    REQUIRE(copy, "out of memory");
    if (size > 0)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

void require_json(const char *text, size_t size, const char *what)
{
    JsonMistake mistake;
    Error err = {0};
    REQUIRE(json_validate(text, size, NULL, &mistake, &err) == OK, "%s: %s in\n%.*s", what,
            mistake.message, (int)size, text);
}

/* The value of a pointer's next token in `parent`; NULL when there is none. */
static const cJSON *step(const cJSON *parent, const char *token, size_t length)
{
    char name[4096];
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < sizeof name; i++) {
        char c = token[i];
        if (c == '~' && i + 1 < length)
            c = token[++i] == '1' ? '/' : '~';
        name[n++] = c;
    }
    name[n] = '\0';
    if (cJSON_IsArray(parent))
        return cJSON_GetArrayItem(parent, atoi(name));
    return cJSON_GetObjectItemCaseSensitive(parent, name);
}

static void require_place(const cJSON *tree, const Diagnostic *mistake)
{
    const cJSON *value = tree;
    const char *rest = mistake->pointer;
    while (value && *rest == '/') {
        if (cJSON_HasObjectItem(value, "catalog"))
            return; /* into a model that is not in this document */
        size_t length = strcspn(rest + 1, "/");
        value = step(value, rest + 1, length);
        rest += 1 + length;
    }
    REQUIRE(value && !*rest, "\"%s\" points nowhere: %s", mistake->pointer, mistake->message);
    if (mistake->offset >= 0)
        REQUIRE(cJSON_IsString(value) && (size_t)mistake->offset <= strlen(value->valuestring),
                "offset %ld at \"%s\": %s", mistake->offset, mistake->pointer, mistake->message);
}

void require_mistakes(const uint8_t *data, size_t size, const Diagnostics *diag)
{
    Text problem = TEXT_INIT;
    Error err = {0};
    JsonMistake mistake;
    JsonFacts facts;

    REQUIRE(diag->total > 0 && diag->count > 0, "refused without a reason");
    for (size_t i = 0; i < diag->count; i++)
        REQUIRE(diag->items[i].message && *diag->items[i].message, "a mistake without a message");
    if (json_validate((const char *)data, size, &facts, &mistake, &err) == OK) {
        cJSON *tree = json_tree((const char *)data, size, &facts);
        for (size_t i = 0; tree && i < diag->count; i++)
            require_place(tree, &diag->items[i]);
        cJSON_Delete(tree);
    } else {
        REQUIRE(diag->items[0].offset >= 0 && (size_t)diag->items[0].offset <= size,
                "offset %ld of %zu bytes", diag->items[0].offset, size);
    }
    problem_write(&problem, 422, "code", "title", NULL, "/v1/jobs", diag);
    require_json(problem.data, problem.length, "a problem document");
    text_done(&problem);
}
