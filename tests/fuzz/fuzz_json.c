/* Strict JSON: what our validator accepts cJSON reads as the same values, and its canonical text is
 * a fixed point. */
#include <cjson/cJSON.h>
#include <string.h>

#include "api/json/canonical.h"
#include "api/json/validate.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* Values of a tree, names not counted; no deeper than the validator lets pass. */
static size_t count_values(const cJSON *tree)
{
    const cJSON *open[JSON_MAX_DEPTH + 1];
    size_t depth = 0, n = 1;
    open[0] = tree->child;
    for (;;) {
        if (!open[depth]) {
            if (depth == 0)
                return n;
            depth--;
            continue;
        }
        const cJSON *item = open[depth];
        open[depth] = item->next;
        n++;
        if (item->child) {
            REQUIRE(depth < JSON_MAX_DEPTH, "deeper than %d", JSON_MAX_DEPTH);
            open[++depth] = item->child;
        }
    }
}

static void canonical_of(const char *text, size_t size, const JsonFacts *facts, Text *out)
{
    Error err = {0};
    cJSON *tree = json_tree(text, size, facts);
    REQUIRE(tree, "cJSON does not read what the validator accepted");
    REQUIRE(json_canonical(tree, out, &err) == OK && text_ok(out), "%s", err.message);
    cJSON_Delete(tree);
}

static void check_accepted(const char *text, size_t size, const JsonFacts *facts)
{
    cJSON *tree = json_tree(text, size, facts);
    REQUIRE(tree, "cJSON does not read what the validator accepted");
    size_t found = count_values(tree);
    cJSON_Delete(tree);
    REQUIRE(found == facts->values, "%zu values, cJSON has %zu", facts->values, found);

    Text once = TEXT_INIT, twice = TEXT_INIT;
    canonical_of(text, size, facts, &once);
    require_json(once.data, once.length, "canonical text");
    canonical_of(once.data, once.length, &(JsonFacts){0}, &twice);
    REQUIRE(once.length == twice.length && memcmp(once.data, twice.data, once.length) == 0,
            "canonical twice:\n%s\n%s", once.data, twice.data);
    text_done(&once);
    text_done(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    JsonMistake mistake;
    Error err = {0};
    JsonFacts facts;

    Status status = json_validate(text, size, &facts, &mistake, &err);
    if (status == OK) {
        check_accepted(text, size, &facts);
        return 0;
    }
    REQUIRE(status == ERR_INVALID, "%s", err.message);
    REQUIRE(mistake.offset <= size, "offset %zu of %zu", mistake.offset, size);
    REQUIRE(mistake.line >= 1 && mistake.column >= 1, "line %zu, column %zu", mistake.line,
            mistake.column);
    REQUIRE(*mistake.message, "no message");
    REQUIRE(!*mistake.pointer || *mistake.pointer == '/', "pointer %s", mistake.pointer);
    return 0;
}
