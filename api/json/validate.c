/* A strict validator of JSON (RFC 8259) in one pass without recursion; it reports the first
 * mistake with its place. */
#include "api/json/validate.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/json/keys.h"
#include "api/json/utf8.h"
#include "core/base/number.h"
#include "core/base/text.h"

/* An array or object that is open. */
typedef struct Level {
    bool is_object;
    const char *key; /* of the member being read, without quotes, escapes as written */
    size_t key_length;
    size_t index; /* of the element being read */
} Level;

typedef struct Validator {
    const char *bytes, *end, *p;
    Level levels[JSON_MAX_DEPTH];
    size_t depth;
    JsonFacts facts;
    JsonKeys keys;
    Text name; /* a member name with its escapes decoded */
    JsonMistake *mistake;
    Status status;
} Validator;

/* Appends one token of a pointer; false when it no longer fits. */
static bool pointer_add(char *pointer, size_t max, const char *token, size_t length)
{
    size_t used = strlen(pointer);
    char escaped[sizeof((JsonMistake *)0)->pointer];
    size_t n = 0;

    /* a character takes at most two bytes when escaped */
    if (2 * length + used + 2 > max || 2 * length + 1 > sizeof escaped)
        return false;
    escaped[n++] = '/';
    for (size_t i = 0; i < length; i++) {
        if (token[i] == '~' || token[i] == '/') {
            escaped[n++] = '~';
            escaped[n++] = token[i] == '~' ? '0' : '1';
        } else {
            escaped[n++] = token[i];
        }
    }
    memcpy(pointer + used, escaped, n);
    pointer[used + n] = '\0';
    return true;
}

static void mistake_pointer(Validator *v, char *pointer, size_t max)
{
    pointer[0] = '\0';
    for (size_t i = 0; i < v->depth; i++) {
        const Level *level = &v->levels[i];
        char index[24];
        bool fits;
        /* a member whose name is not read yet has no token */
        if (level->is_object && !level->key)
            return;
        if (level->is_object) {
            text_reset(&v->name);
            json_unescape(level->key, level->key_length, &v->name);
            fits = pointer_add(pointer, max, text_string(&v->name), v->name.length);
        } else {
            int n = snprintf(index, sizeof index, "%zu", level->index);
            fits = pointer_add(pointer, max, index, (size_t)n);
        }
        if (!fits)
            return;
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Always false. */
static bool note_mistake(Validator *v, Status status, const char *place, const char *format,
                         va_list args) __attribute__((format(printf, 4, 0)));

static bool note_mistake(Validator *v, Status status, const char *place, const char *format,
                         va_list args)
{
    JsonMistake *mistake = v->mistake;

    /* at the end of the text, the mistake is placed behind the last word, not in a blank line */
    if (place == v->end)
        while (place > v->bytes && is_blank(place[-1]))
            place--;
    /* line and column, from 1 */
    v->status = status;
    mistake->offset = text_characters(v->bytes, (size_t)(place - v->bytes));
    mistake->line = 1;
    mistake->column = 1;
    for (const char *c = v->bytes; c < place; c++) {
        if (*c == '\n') {
            mistake->line++;
            mistake->column = 1;
        } else if (((unsigned char)*c & 0xc0) != 0x80) {
            mistake->column++;
        }
    }
    mistake_pointer(v, mistake->pointer, sizeof mistake->pointer);
    vsnprintf(mistake->message, sizeof mistake->message, format, args);
    if (!text_ok(&v->name))
        v->status = ERR_NO_MEMORY; /* a name is missing in the pointer */
    return false;
}

/* Notes the mistake at `place`; always false. */
static bool __attribute__((format(printf, 3, 4)))
wrong(Validator *v, const char *place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_mistake(v, ERR_INVALID, place, format, args);
    va_end(args);
    return false;
}

/* Notes that a limit is exceeded at v->p; always false. */
static bool __attribute__((format(printf, 2, 3))) too_many(Validator *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_mistake(v, ERR_LIMIT, v->p, format, args);
    va_end(args);
    return false;
}

/* The byte at a place in words, for a message. */
static const char *found(const Validator *v, const char *place, char ret_text[32])
{
    if (place >= v->end)
        return "the end of the text";
    unsigned char c = (unsigned char)*place;
    if (c > 0x20 && c < 0x7f)
        snprintf(ret_text, 32, "'%c'", c);
    else if (c == '\n')
        return "the end of the line";
    else if (c == ' ')
        return "a space";
    else
        snprintf(ret_text, 32, "byte 0x%02x", c);
    return ret_text;
}

static bool unexpected(Validator *v, const char *place, const char *expected)
{
    char text[32];
    return wrong(v, place, "expected %s, found %s", expected, found(v, place, text));
}

static void validate_skip_space(Validator *v)
{
    while (v->p < v->end && is_blank(*v->p))
        v->p++;
}

/* p[0..3] as a hexadecimal number; -1 when it is none. */
static long validate_hex4(const char *p, const char *end)
{
    long value = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = 16 * value + digit;
    }
    return value;
}

/* An escape; v->p is at the backslash. */
static bool scan_escape(Validator *v)
{
    const char *start = v->p;

    /* a short escape: one letter */
    if (v->end - start < 2)
        return wrong(v, start, "the text ends inside a string");
    if (start[1] != 'u') {
        if (start[1] == '\0' || !strchr("\"\\/bfnrt", start[1]))
            return unexpected(v, start + 1, "one of \" \\ / b f n r t u after a backslash");
        v->p += 2;
        return true;
    }
    /* \uXXXX; a high surrogate needs a low one behind it */
    long unit = validate_hex4(start + 2, v->end);
    if (unit < 0)
        return wrong(v, start, "\\u needs four hexadecimal digits");
    if (unit == 0)
        return wrong(v, start, "\\u0000 is not allowed in a string");
    v->p += 6;
    if (unit < 0xd800 || unit > 0xdfff)
        return true;
    long low = v->end - v->p >= 6 && v->p[0] == '\\' && v->p[1] == 'u'
                   ? validate_hex4(v->p + 2, v->end)
                   : -1;
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return wrong(v, start, "\\u%04lx is half of a surrogate pair", (unsigned long)unit);
    v->p += 6;
    return true;
}

/* A string; v->p is at the opening quote. */
static bool scan_string(Validator *v, const char **ret_text, size_t *ret_length, bool *ret_escaped)
{
    const char *start = ++v->p;
    bool escaped = false;

    while (v->p < v->end) {
        unsigned char c = (unsigned char)*v->p;
        if (c == '"') {
            *ret_text = start;
            *ret_length = (size_t)(v->p++ - start);
            *ret_escaped = escaped;
            return true;
        }
        /* an escape, or a character of one or more bytes */
        if (c == '\\') {
            escaped = true;
            if (!scan_escape(v))
                return false;
        } else if (c < 0x20) {
            return wrong(v, v->p, "a control character (0x%02x) in a string; write \\u%04x", c, c);
        } else if (c < 0x80) {
            v->p++;
        } else {
            size_t length = utf8_length(v->p, (size_t)(v->end - v->p));
            if (length == 0)
                return wrong(v, v->p, "byte 0x%02x is not UTF-8 here", c);
            v->p += length;
        }
    }
    return wrong(v, start - 1, "this string has no end");
}

static size_t count_digits(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - start);
}

/* Is every digit of the mantissa 0? Then the number is 0 for any exponent. */
static bool mantissa_zero(const char *p, const char *end)
{
    for (; p < end && *p != 'e' && *p != 'E'; p++)
        if (*p >= '1' && *p <= '9')
            return false;
    return true;
}

static bool check_range(Validator *v, const char *start)
{
    size_t length = (size_t)(v->p - start);
    double value = 0;

    if (length > v->facts.longest_number)
        v->facts.longest_number = length;
    number_parse(start, length, &value);
    if (isinf(value))
        return wrong(v, start, "this number is too large: the largest is about 1.8e308");
    if (value == 0 && !mantissa_zero(start, v->p))
        return wrong(v, start, "this number is too small: it would be read as 0");
    return true;
}

static bool scan_number(Validator *v)
{
    const char *start = v->p, *p = v->p;

    /* sign and integer part */
    p += *p == '-';
    size_t digits = count_digits(p, v->end);
    if (digits == 0)
        return unexpected(v, p, "a digit");
    if (*p == '0' && digits > 1)
        return wrong(v, p, "a number does not start with 0 and another digit");
    p += digits;
    /* fraction */
    if (p < v->end && *p == '.') {
        p++;
        if ((digits = count_digits(p, v->end)) == 0)
            return unexpected(v, p, "a digit after the decimal point");
        p += digits;
    }
    /* exponent */
    if (p < v->end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < v->end && (*p == '+' || *p == '-'))
            p++;
        if ((digits = count_digits(p, v->end)) == 0)
            return unexpected(v, p, "a digit of the exponent");
        p += digits;
    }
    v->p = p;
    return check_range(v, start);
}

static bool scan_literal(Validator *v)
{
    static const char *const WORDS[] = {"true", "false", "null"};

    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        size_t length = strlen(WORDS[i]);
        if ((size_t)(v->end - v->p) >= length && memcmp(v->p, WORDS[i], length) == 0) {
            v->p += length;
            return true;
        }
    }
    return unexpected(v, v->p, "a value");
}

static bool open_level(Validator *v, bool is_object)
{
    if (v->depth == JSON_MAX_DEPTH)
        return wrong(v, v->p, "nested deeper than %d levels", JSON_MAX_DEPTH);
    v->levels[v->depth++] = (Level){.is_object = is_object};
    v->p++;
    return true;
}

static void close_level(Validator *v)
{
    if (v->levels[v->depth - 1].is_object)
        json_keys_close(&v->keys, (uint32_t)v->depth);
    v->depth--;
    v->p++;
}

/* A member's name and its colon; v->p is where the name should start. */
static bool scan_key(Validator *v)
{
    Level *level = &v->levels[v->depth - 1];
    const char *start = v->p, *name;
    bool escaped = false;

    level->key = NULL;
    if (++v->facts.names > JSON_MAX_NAMES)
        return too_many(v, "a document has at most %d names", JSON_MAX_NAMES);
    if (v->p >= v->end || *v->p != '"')
        return unexpected(v, v->p, "a member name in quotes");
    if (!scan_string(v, &level->key, &level->key_length, &escaped))
        return false;
    /* names are compared after their escapes are decoded */
    name = level->key;
    size_t length = level->key_length;
    if (escaped) {
        text_reset(&v->name);
        json_unescape(level->key, level->key_length, &v->name);
        name = text_string(&v->name);
        length = v->name.length;
    }
    JsonKeyAnswer answer = text_ok(&v->name)
                               ? json_keys_add(&v->keys, (uint32_t)v->depth, name, length)
                               : JSON_KEY_NO_MEMORY;
    if (answer == JSON_KEY_NO_MEMORY) {
        v->status = ERR_NO_MEMORY;
        return false;
    }
    if (answer == JSON_KEY_DUPLICATE)
        return wrong(v, start, "the member \"%.*s\" appears twice in this object",
                     (int)utf8_cut(name, length, 60), name);
    validate_skip_space(v);
    if (v->p >= v->end || *v->p != ':')
        return unexpected(v, v->p, "':' after a member name");
    v->p++;
    return true;
}

/* One value; of an array or object, only the opening bracket. *ret_opened: its contents follow. */
static bool scan_value(Validator *v, bool *ret_opened)
{
    const char *text;
    size_t length;
    bool escaped;

    *ret_opened = false;
    validate_skip_space(v);
    /* the first character behind the blanks decides the kind of value */
    if (v->p >= v->end && v->facts.values == 0)
        return wrong(v, v->p, "the document is empty");
    if (v->p >= v->end)
        return unexpected(v, v->p, "a value");
    if (++v->facts.values > JSON_MAX_VALUES)
        return too_many(v, "a document has at most %d values", JSON_MAX_VALUES);
    switch (*v->p) {
    case '{':
    case '[':
        *ret_opened = true;
        return open_level(v, *v->p == '{');
    case '"':
        return scan_string(v, &text, &length, &escaped);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return scan_number(v);
    default:
        return scan_literal(v);
    }
}

/* After an opening bracket: reads the first name of an object, or the closing bracket. *ret_closed:
 * the array or object was empty. */
static bool scan_first(Validator *v, bool *ret_closed)
{
    bool is_object = v->levels[v->depth - 1].is_object;

    validate_skip_space(v);
    *ret_closed = v->p < v->end && *v->p == (is_object ? '}' : ']');
    if (*ret_closed) {
        close_level(v);
        return true;
    }
    return !is_object || scan_key(v);
}

/* After a value: closes all arrays and objects that end here, and goes on to the next value.
 * *ret_done: the outermost value is complete. */
static bool scan_next(Validator *v, bool *ret_done)
{
    for (;;) {
        *ret_done = v->depth == 0;
        if (*ret_done)
            return true;
        Level *level = &v->levels[v->depth - 1];
        validate_skip_space(v);
        int c = v->p < v->end ? (unsigned char)*v->p : 0;
        /* the closing bracket, or a comma before the next value */
        if (c == (level->is_object ? '}' : ']')) {
            close_level(v);
            continue;
        }
        if (c != ',')
            return unexpected(v, v->p, level->is_object ? "',' or '}'" : "',' or ']'");
        v->p++;
        level->index++;
        if (!level->is_object)
            return true;
        validate_skip_space(v);
        return scan_key(v);
    }
}

static bool scan_document(Validator *v)
{
    bool opened, done = false;

    if (v->end - v->p >= 3 && memcmp(v->p, "\xef\xbb\xbf", 3) == 0)
        return wrong(v, v->p, "a byte order mark: JSON is UTF-8 without one");
    /* each pass reads one value, then either its first child or the way to its successor */
    while (!done) {
        bool closed = true;
        if (!scan_value(v, &opened) || (opened && !scan_first(v, &closed)))
            return false;
        if (closed && !scan_next(v, &done))
            return false;
    }
    validate_skip_space(v);
    if (v->p < v->end) {
        char text[32];
        return wrong(v, v->p, "the document ends before this, but %s follows",
                     found(v, v->p, text));
    }
    return true;
}

Status json_validate(const char *bytes, size_t size, JsonFacts *ret_facts, JsonMistake *mistake,
                     Error *err)
{
    Validator v = {.bytes = bytes, .end = bytes + size, .p = bytes, .mistake = mistake};

    if (size >= UINT32_MAX)
        return error_set(err, ERR_LIMIT, "a document of %zu bytes", size);
    json_keys_init(&v.keys);
    bool valid = scan_document(&v);
    json_keys_done(&v.keys);
    text_done(&v.name);
    if (valid && ret_facts)
        *ret_facts = v.facts;
    if (valid)
        return OK;
    if (v.status == ERR_NO_MEMORY)
        return error_set(err, ERR_NO_MEMORY, "out of memory while reading JSON");
    return error_set(err, v.status, "line %zu, column %zu: %s", mistake->line, mistake->column,
                     mistake->message);
}
