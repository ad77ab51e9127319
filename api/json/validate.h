/* A strict validator that runs in front of cJSON, because cJSON accepts many texts that are not
 * JSON.
 *
 * It follows RFC 8259 and accepts only UTF-8 without a byte order mark. Beyond the RFC it refuses:
 * nesting deeper than JSON_MAX_DEPTH, a member name twice in one object, \u0000, surrogates without
 * their partner, and numbers that a double cannot hold (1e999, 1e-999). json_tree() reads every
 * accepted text without loss. Linear time, no recursion. A tree takes many times the memory of its
 * text, so values and names are counted here, before the tree is built. */
#ifndef API_JSON_VALIDATE_H
#define API_JSON_VALIDATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* A value takes 80 bytes of the tree. A name, with its place and everything derived from it, takes
 * 500. */
enum { JSON_MAX_DEPTH = 64, JSON_MAX_VALUES = 1000000, JSON_MAX_NAMES = 100000 };

/* The first mistake of a text. */
typedef struct JsonMistake {
    size_t offset;       /* characters before the mistake */
    size_t line, column; /* from 1; the column counts characters */
    char pointer[512];   /* RFC 6901, of the value with the mistake; cut at the end if it is
                          * longer */
    char message[160];
} JsonMistake;

/* Facts about a valid text. */
typedef struct JsonFacts {
    size_t values, names;
    size_t longest_number; /* in bytes */
} JsonFacts;

/* With *mistake filled: ERR_INVALID if the bytes are not JSON as above, ERR_LIMIT if there are too
 * many values or names (the rest is not read). Also ERR_NO_MEMORY. ret_facts may be NULL. */
Status json_validate(const char *bytes, size_t size, JsonFacts *ret_facts, JsonMistake *mistake,
                     Error *err) MUST_CHECK;

/* An estimate of the bytes that reading a text takes, from one pass over it. The text need not be
 * valid. */
size_t json_weight(const char *bytes, size_t size);

/* The place of a value in a text. */
typedef struct JsonSpan {
    size_t start, size;
} JsonSpan;

/* The place of the value of the outermost object's member `name`, in a text that was found valid.
 * False if there is no such member, or if its name is written with escapes. */
bool json_member_span(const char *bytes, size_t size, const char *name, JsonSpan *ret);

/* The tree of a text that was found valid; NULL when out of memory. */
cJSON *json_tree(const char *bytes, size_t size, const JsonFacts *facts);

#endif
