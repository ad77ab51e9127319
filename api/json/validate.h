/* A strict validator that runs in front of cJSON, which by itself accepts much that is not JSON.
 *
 * RFC 8259 to the letter, UTF-8 without a byte order mark, and beyond it refused: nesting deeper
 * than JSON_MAX_DEPTH, a member name twice in one object, \u0000, surrogates without their
 * partner, numbers that a double cannot hold (1e999, 1e-999). What passes is read by json_tree()
 * without loss. Linear time, no recursion; and since a tree takes many times the memory of its
 * text, values and names are counted here, before there is one. */
#ifndef API_JSON_VALIDATE_H
#define API_JSON_VALIDATE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

/* A tree takes 80 bytes a value; a name, with its place and all that is made of it, 500. */
enum { JSON_MAX_DEPTH = 64, JSON_MAX_VALUES = 1000000, JSON_MAX_NAMES = 100000 };

/* The first mistake of a text. */
typedef struct JsonMistake {
    size_t offset;       /* characters before it */
    size_t line, column; /* from 1; the column counts characters */
    char pointer[512];   /* RFC 6901, of the value in which it is; the front part if it is longer */
    char message[160];
} JsonMistake;

/* What a valid text holds. */
typedef struct JsonFacts {
    size_t values, names;
    size_t longest_number; /* in bytes */
} JsonFacts;

/* With *mistake filled: ERR_INVALID when the bytes are not JSON as above, ERR_LIMIT when there are
 * too many values or names (what follows is not looked at); ERR_NO_MEMORY. ret_facts may be
 * NULL. */
Status json_validate(const char *bytes, size_t size, JsonFacts *ret_facts, JsonMistake *mistake,
                     Error *err) MUST_CHECK;

/* About the bytes that reading a text takes, from a quick look at it: it need not be valid. */
size_t json_weight(const char *bytes, size_t size);

/* Where a value stands in a text. */
typedef struct JsonSpan {
    size_t start, size;
} JsonSpan;

/* The value of the outermost object's member of this name, in a text that was found valid. False
 * where there is none, or where its name is written with escapes. */
bool json_member_span(const char *bytes, size_t size, const char *name, JsonSpan *ret);

/* The tree of a text that was found valid; NULL when out of memory. */
cJSON *json_tree(const char *bytes, size_t size, const JsonFacts *facts);

#endif
