/* Writing JSON into a text: commas, quotes, escapes, and numbers that read back bit for bit. */
#include "api/json/writer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/json/utf8.h"

void json_writer_init(JsonWriter *writer, Text *out)
{
    *writer = (JsonWriter){.out = out};
}

/* Puts the comma before a value or a key. */
static void separate(JsonWriter *writer)
{
    if (writer->comma)
        text_putc(writer->out, ',');
    writer->comma = true;
}

static void open_with(JsonWriter *writer, char bracket)
{
    separate(writer);
    text_putc(writer->out, bracket);
    writer->comma = false;
}

static void close_with(JsonWriter *writer, char bracket)
{
    text_putc(writer->out, bracket);
    writer->comma = true;
}

void json_open_object(JsonWriter *writer)
{
    open_with(writer, '{');
}

void json_close_object(JsonWriter *writer)
{
    close_with(writer, '}');
}

void json_open_array(JsonWriter *writer)
{
    open_with(writer, '[');
}

void json_close_array(JsonWriter *writer)
{
    close_with(writer, ']');
}

/* Appends one character that needs an escape or is not ASCII; returns the bytes read. */
static size_t quote_special(Text *out, const char *text, size_t length)
{
    static const char CODES[] = "\"\\\b\f\n\r\t", LETTERS[] = "\"\\bfnrt";
    unsigned char c = (unsigned char)*text;
    const char *code = c ? strchr(CODES, c) : NULL;

    /* an escape of two characters, or of six */
    if (code) {
        text_putc(out, '\\');
        text_putc(out, LETTERS[code - CODES]);
        return 1;
    }
    if (c < 0x20) {
        text_printf(out, "\\u%04x", c);
        return 1;
    }
    /* a UTF-8 character, or U+FFFD for a byte that is not UTF-8 */
    size_t n = utf8_length(text, length);
    if (n > 0)
        text_append(out, text, n);
    else
        text_puts(out, "\xef\xbf\xbd");
    return n > 0 ? n : 1;
}

void json_quote(Text *out, const char *text, size_t length)
{
    size_t start = 0, i = 0;

    text_putc(out, '"');
    while (i < length) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            i++;
            continue;
        }
        text_append(out, text + start, i - start);
        i += quote_special(out, text + i, length - i);
        start = i;
    }
    text_append(out, text + start, i - start);
    text_putc(out, '"');
}

void json_key(JsonWriter *writer, const char *name)
{
    separate(writer);
    json_quote(writer->out, name, strlen(name));
    text_putc(writer->out, ':');
    writer->comma = false;
}

void json_put_string(JsonWriter *writer, const char *text)
{
    if (!text) {
        json_put_null(writer);
        return;
    }
    separate(writer);
    json_quote(writer->out, text, strlen(text));
}

void json_put_number(JsonWriter *writer, double value)
{
    if (!isfinite(value)) {
        writer->not_finite = true;
        json_put_null(writer);
        return;
    }
    separate(writer);
    text_number(writer->out, value);
}

void json_put_unsigned(JsonWriter *writer, uint64_t value)
{
    separate(writer);
    text_printf(writer->out, "%" PRIu64, value);
}

void json_put_signed(JsonWriter *writer, int64_t value)
{
    separate(writer);
    text_printf(writer->out, "%" PRId64, value);
}

void json_put_bool(JsonWriter *writer, bool value)
{
    separate(writer);
    text_puts(writer->out, value ? "true" : "false");
}

void json_put_null(JsonWriter *writer)
{
    separate(writer);
    text_puts(writer->out, "null");
}

void json_put_raw(JsonWriter *writer, const char *json)
{
    separate(writer);
    text_puts(writer->out, json ? json : "null");
}

void json_put_strings(JsonWriter *writer, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_put_string(writer, texts[i]);
}

const char *json_strings_text(Arena *arena, const char *const *texts, size_t n)
{
    Text text = TEXT_INIT;
    JsonWriter writer;

    json_writer_init(&writer, &text);
    json_open_array(&writer);
    json_put_strings(&writer, texts, n);
    json_close_array(&writer);
    return text_keep(&text, arena);
}

void json_member_string(JsonWriter *writer, const char *name, const char *text)
{
    json_key(writer, name);
    json_put_string(writer, text);
}

void json_member_number(JsonWriter *writer, const char *name, double value)
{
    json_key(writer, name);
    json_put_number(writer, value);
}

void json_member_unsigned(JsonWriter *writer, const char *name, uint64_t value)
{
    json_key(writer, name);
    json_put_unsigned(writer, value);
}

void json_member_signed(JsonWriter *writer, const char *name, int64_t value)
{
    json_key(writer, name);
    json_put_signed(writer, value);
}

void json_member_bool(JsonWriter *writer, const char *name, bool value)
{
    json_key(writer, name);
    json_put_bool(writer, value);
}

void json_member_raw(JsonWriter *writer, const char *name, const char *json)
{
    json_key(writer, name);
    json_put_raw(writer, json);
}

void json_member_strings(JsonWriter *writer, const char *name, const char *const *texts, size_t n)
{
    json_member_array(writer, name);
    json_put_strings(writer, texts, n);
    json_close_array(writer);
}

void json_member_object(JsonWriter *writer, const char *name)
{
    json_key(writer, name);
    json_open_object(writer);
}

void json_member_array(JsonWriter *writer, const char *name)
{
    json_key(writer, name);
    json_open_array(writer);
}
