/* Typed access to a JSON document; every mistake becomes a diagnostic with its pointer.
 *
 * Getters return false after adding a diagnostic. A document is read to its end so that all
 * mistakes are found. Strings and pointers live in the reader's arena. Out of memory is sticky
 * (`no_memory`): test it once, at the end. */
#ifndef API_JSON_READER_H
#define API_JSON_READER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/json/validate.h"
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/status.h"

/* The first half of json_parse(); json_tree() is the other. */
Status json_check(const char *bytes, size_t size, Diagnostics *diag, JsonFacts *ret_facts,
                  bool *ret_is_json, Error *err) MUST_CHECK;
/* Validates and parses. ERR_INVALID after a diagnostic. *ret_is_json (may be NULL; also written on
 * ERR_INVALID) is false if the bytes are not JSON: then the offset counts in the whole text.
 * Release the tree with cJSON_Delete(). */
Status json_parse(const char *bytes, size_t size, Diagnostics *diag, cJSON **ret_tree,
                  bool *ret_is_json, Error *err) MUST_CHECK;

typedef struct JsonReader {
    Arena *arena;
    Diagnostics *diag;
    bool no_memory;
    size_t unknown; /* members refused by json_object_of(): the rest of the document is still
                     * sound */
    const char *const *top; /* names[n_top] of the members of the document itself, once known */
    size_t n_top;
    bool accepted; /* the document was accepted before: newer limits on lists do not apply */
} JsonReader;

/* A value and its place. item NULL: the value is missing. */
typedef struct JsonValue {
    const cJSON *item;
    const char *pointer;
} JsonValue;

static inline bool json_present(JsonValue value)
{
    return value.item != NULL;
}

/* The member of an object, case-sensitive. Not present if it is missing or `object` is no
 * object. */
JsonValue json_member(JsonReader *reader, JsonValue object, const char *name);

/* Walks the elements of an array or the members of an object:
 *     for (JsonValue v = json_first(r, list); json_present(v); v = json_following(r, list, v)) */
JsonValue json_first(JsonReader *reader, JsonValue parent);
JsonValue json_following(JsonReader *reader, JsonValue parent, JsonValue child);
size_t json_count(JsonValue parent);
/* Element number `index` of an array, reached by the caller's own walk over ->next. For long lists,
 * in which only the mistakes need a pointer. */
JsonValue json_element(JsonReader *reader, JsonValue array, const cJSON *item, size_t index);

/* The name of a member reached by a walk, copied. */
const char *json_name(JsonReader *reader, JsonValue member);

/* Adds: "PATH" must be EXPECTED, not FOUND. Always false. */
bool json_expected(JsonReader *reader, JsonValue value, const char *expected);
/* Adds a message at the value. Always false. */
bool json_wrong(JsonReader *reader, JsonValue value, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The name of a value in messages: "time.at[3]"; "" for the document. Lives in the arena. */
const char *json_path(JsonReader *reader, const char *pointer);

/* An object with no other members than names[n]. `what` names it in messages: "a model". */
bool json_object_of(JsonReader *reader, JsonValue value, const char *what, const char *const *names,
                    size_t n);
bool json_is_object(JsonReader *reader, JsonValue value, const char *expected);
bool json_is_array(JsonReader *reader, JsonValue value, const char *expected);
/* A list or an object with at most `most` entries. */
bool json_at_most(JsonReader *reader, JsonValue list, size_t most);
bool json_string(JsonReader *reader, JsonValue value, const char *expected, const char **ret_text);
bool json_bool(JsonReader *reader, JsonValue value, bool *ret_value);
bool json_number(JsonReader *reader, JsonValue value, const char *expected, double *ret_value);
/* An integer in [min, max] (at most 2^53 in size); `expected` says so in words. */
bool json_integer(JsonReader *reader, JsonValue value, const char *expected, int64_t min,
                  int64_t max, int64_t *ret_value);
/* One of the names; *ret_index is its index. */
bool json_choice(JsonReader *reader, JsonValue value, const char *const *names, size_t n,
                 size_t *ret_index);
/* n zeroed elements of the arena; NULL if n = 0 or if the arena is out of memory. */
void *json_alloc(JsonReader *reader, size_t n, size_t size);

/* The result of reading: ERR_NO_MEMORY, ERR_INVALID with the first mistake that was added after the
 * first `before` mistakes, or OK. */
Status json_read_end(const JsonReader *reader, size_t before, Error *err) MUST_CHECK;

#endif
