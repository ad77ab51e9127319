/* Cutting a batch: one pass over its bytes that recognizes only strings and brackets. The limits of
 * a document (depth, values, names) apply to each element. */
#include "api/documents/batch.h"

#include <string.h>

#include "core/base/text.h"

typedef struct Cutter {
    const char *bytes;
    size_t size, at;
    Diagnostics *diag;
    bool is_json;
} Cutter;

static void skip_space(Cutter *c)
{
    while (c->at < c->size && strchr(" \t\r\n", c->bytes[c->at]) && c->bytes[c->at])
        c->at++;
}

static bool at_end(const Cutter *c)
{
    return c->at == c->size;
}

/* Always false. */
static bool not_json(Cutter *c, const char *message)
{
    diagnostics_add(c->diag, "", (long)text_characters(c->bytes, c->at), NULL, "%s", message);
    c->is_json = false;
    return false;
}

/* Always false. The bytes are JSON, as far as they were read, but no batch. */
static bool no_batch(Cutter *c, const char *pointer, const char *message)
{
    diagnostics_add(c->diag, pointer, -1, NULL, "%s", message);
    return false;
}

static bool take(Cutter *c, char wanted)
{
    skip_space(c);
    if (at_end(c) || c->bytes[c->at] != wanted)
        return false;
    c->at++;
    return true;
}

/* Skips the string that begins here; false if it has no end. */
static bool skip_string(Cutter *c)
{
    for (c->at++; c->at < c->size; c->at++) {
        if (c->bytes[c->at] == '\\')
            c->at++;
        else if (c->bytes[c->at] == '"') {
            c->at++;
            return true;
        }
    }
    c->at = c->size;
    return false;
}

/* Skips the value that begins here, up to a comma or closing bracket at its own depth. */
static bool skip_value(Cutter *c)
{
    size_t depth = 0;
    while (!at_end(c)) {
        const char byte = c->bytes[c->at];
        if (depth == 0 && (byte == ',' || byte == ']' || byte == '}'))
            return true;
        if (byte == '"') {
            if (!skip_string(c))
                return false;
            continue;
        }
        depth += byte == '{' || byte == '[';
        depth -= byte == '}' || byte == ']';
        c->at++;
    }
    return false;
}

/* The elements behind the opening bracket: counted, and stored if items is not NULL. */
static bool cut_elements(Cutter *c, BatchItem *items, size_t *ret_n)
{
    *ret_n = 0;
    if (take(c, ']'))
        return true;
    /* each element without the spaces around it */
    do {
        skip_space(c);
        const size_t start = c->at;
        if (!skip_value(c))
            return not_json(c, "the list of jobs does not end");
        size_t end = c->at;
        while (end > start && strchr(" \t\r\n", c->bytes[end - 1]) && c->bytes[end - 1])
            end--;
        if (end == start)
            return not_json(c, "a value is missing");
        if (items)
            items[*ret_n] = (BatchItem){start, end - start};
        ++*ret_n;
    } while (take(c, ','));
    return take(c, ']') || not_json(c, "expected , or ] in the list of jobs");
}

/* Reads up to and including the bracket that opens the list. */
static bool cut_head(Cutter *c)
{
    static const char NAME[] = "\"jobs\"", SHAPE[] = "a batch is {\"jobs\": [..]} and nothing else";
    if (take(c, '[')) /* only a list: JSON, but no batch */
        return no_batch(c, "", SHAPE);
    if (!take(c, '{'))
        return not_json(c, SHAPE);
    skip_space(c);
    if (at_end(c))
        return not_json(c, "the document does not end");
    if (c->size - c->at < strlen(NAME) || memcmp(c->bytes + c->at, NAME, strlen(NAME)) != 0)
        return no_batch(c, "", SHAPE);
    c->at += strlen(NAME);
    if (!take(c, ':'))
        return not_json(c, "expected : behind a name");
    if (take(c, '['))
        return true;
    return no_batch(c, "/jobs", "\"jobs\" must be a list of jobs");
}

static bool cut_tail(Cutter *c)
{
    if (take(c, ','))
        return no_batch(c, "", "a batch has no members beside \"jobs\"");
    if (!take(c, '}'))
        return not_json(c, "expected } behind the list of jobs");
    skip_space(c);
    return at_end(c) || not_json(c, "there is something behind the document");
}

/* The elements are cut twice: first counted, then stored. */
static bool cut_all(Cutter *c, Arena *arena, BatchItem **ret_items, size_t *ret_n)
{
    if (!cut_head(c))
        return false;
    const size_t first = c->at;
    if (!cut_elements(c, NULL, ret_n) || !cut_tail(c))
        return false;
    if (*ret_n == 0 || *ret_n > BATCH_MAX) {
        diagnostics_add(c->diag, "/jobs", -1, NULL, "a batch has 1 to %d jobs, not %zu", BATCH_MAX,
                        *ret_n);
        return false;
    }
    *ret_items = ARENA_NEW(arena, *ret_n, BatchItem);
    c->at = first;
    return *ret_items && cut_elements(c, *ret_items, ret_n);
}

Status batch_cut(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                 const BatchItem **ret_items, size_t *ret_n, bool *ret_is_json, Error *err)
{
    Cutter c = {.bytes = bytes, .size = size, .diag = diag, .is_json = true};
    BatchItem *items = NULL;
    size_t n = 0;
    const bool good = cut_all(&c, arena, &items, &n);
    *ret_is_json = c.is_json;
    if (diag->total > 0)
        return error_set(err, ERR_INVALID, "%s", diag->items[0].message);
    if (!good)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret_items = items;
    *ret_n = n;
    return OK;
}
