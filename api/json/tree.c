/* A valid text as a tree of cJSON, which reads at most 63 characters of a number: longer ones are
 * put before it in their shortest form. */
#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"
#include "core/base/number.h"

/* Of cJSON 1.7.15, with its zero byte. */
enum { CJSON_NUMBER_MAX = 64 };

/* Measured: bytes that reading a document takes at most for each value (its node, and its place in
 * the document where it has one), half a string (its copies), a name beyond that, a byte. */
enum { VALUE_WEIGHT = 160, QUOTE_WEIGHT = 80, NAME_WEIGHT = 224, BYTE_WEIGHT = 4 };

static const char NUMBER_CHARACTERS[] = "+-.0123456789eE";

/* The same number, then spaces up to where the long one ended. */
static void shorten_number(char *number, size_t length)
{
    double value = 0.0;
    char text[NUMBER_TEXT_MAX];
    number_parse(number, length, &value);
    size_t n = number_print(value, text);
    memcpy(number, text, n);
    memset(number + n, ' ', length - n);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *behind_string(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

static void shorten_numbers(char *text)
{
    for (char *p = text; *p;) {
        size_t length = strspn(p, NUMBER_CHARACTERS);
        if (length >= CJSON_NUMBER_MAX)
            shorten_number(p, length);
        if (*p == '"')
            p += behind_string(p) - p;
        else
            p += length > 0 ? length : 1;
    }
}

/* Brackets and commas outside strings tell where values end; those of the outermost object's
 * members at depth 1. */
bool json_member_span(const char *bytes, size_t size, const char *name, JsonSpan *ret)
{
    const size_t length = strlen(name);
    const char *text = bytes, *value = NULL; /* the last string; of the member, once it is found */
    size_t depth = 0;

    for (const char *p = bytes, *end = bytes + size; p < end; p++) {
        const bool closes = *p == '}' || *p == ']';
        if (value && depth == 1 && (closes || *p == ',')) {
            for (; is_space(p[-1]); p--)
                continue;
            *ret = (JsonSpan){(size_t)(value - bytes), (size_t)(p - value)};
            return true;
        }
        if (*p == '"') {
            text = p;
            p = behind_string(p) - 1;
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (closes) {
            depth--;
        } else if (*p == ':' && depth == 1 && (size_t)(p - text) > length + 1 &&
                   memcmp(text + 1, name, length) == 0 && text[1 + length] == '"') {
            for (p++; is_space(*p); p++)
                continue;
            value = p--; /* looked at next */
        }
    }
    return false;
}

cJSON *json_tree(const char *bytes, size_t size, const JsonFacts *facts)
{
    if (facts->longest_number < CJSON_NUMBER_MAX)
        return cJSON_ParseWithLength(bytes, size);
    char *text = malloc(size + 1);
    if (!text)
        return NULL;
    memcpy(text, bytes, size);
    text[size] = '\0';
    shorten_numbers(text);
    cJSON *tree = cJSON_ParseWithLength(text, size);
    free(text);
    return tree;
}

/* Every value but the outermost stands behind one of these, every name before a colon. */
size_t json_weight(const char *bytes, size_t size)
{
    size_t values = 1, quotes = 0, names = 0;
    for (size_t i = 0; i < size; i++) {
        values += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
        quotes += bytes[i] == '"';
        names += bytes[i] == ':';
    }
    return VALUE_WEIGHT * values + QUOTE_WEIGHT * quotes + NAME_WEIGHT * names + BYTE_WEIGHT * size;
}
