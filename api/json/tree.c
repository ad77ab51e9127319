/* A valid text as a tree of cJSON. cJSON reads at most 63 characters of a number, so longer numbers
 * are first rewritten in their shortest form. */
#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"
#include "core/base/number.h"

/* The limit of cJSON 1.7.15, with the zero byte. */
enum { CJSON_NUMBER_MAX = 64 };

/* Upper bounds, measured, of the bytes that reading a document takes: for each value (its node, and
 * its place in the document if it has one), for each quote (half the copies of a string), in
 * addition for each name, and for each byte. */
enum { VALUE_WEIGHT = 160, QUOTE_WEIGHT = 80, NAME_WEIGHT = 224, BYTE_WEIGHT = 4 };

static const char NUMBER_CHARACTERS[] = "+-.0123456789eE";

/* Writes the same number in its shortest form, and spaces over the rest of the long one. */
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

/* A bracket or comma outside strings ends a value; at depth 1, a value of the outermost object. */
bool json_member_span(const char *bytes, size_t size, const char *name, JsonSpan *ret)
{
    const size_t length = strlen(name);
    const char *text = bytes, *value = NULL; /* the last string; the value of the member, once
                                              * found */
    size_t depth = 0;

    for (const char *p = bytes, *end = bytes + size; p < end; p++) {
        const bool closes = *p == '}' || *p == ']';
        /* the end of the member's value, without the spaces before the bracket or comma */
        if (value && depth == 1 && (closes || *p == ',')) {
            for (; is_space(p[-1]); p--)
                continue;
            *ret = (JsonSpan){(size_t)(value - bytes), (size_t)(p - value)};
            return true;
        }
        /* a string, an opening or closing bracket, or the colon behind the member's name */
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
    /* rewrite the long numbers in a copy */
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

/* Each value except the outermost follows a comma or an opening bracket. Each name precedes a
 * colon. */
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
