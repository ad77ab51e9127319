/* The log: one line an event, written with a single call so that lines do not mix. A line of JSON
 * is made of the line in logfmt. */
#include "server/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/json/writer.h"
#include "core/base/clock.h"
#include "core/base/number.h"

static const char *const LEVELS[] = {"error", "warning", "info", "debug"};
static const char *const FORMATS[] = {"logfmt", "json"};

/* A number with more digits could lose some of them. */
enum { NUMBER_DIGITS = 15 };

bool log_level_parse(const char *name, LogLevel *ret_level)
{
    for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++)
        if (strcmp(LEVELS[i], name) == 0) {
            *ret_level = (LogLevel)i;
            return true;
        }
    return false;
}

bool log_format_parse(const char *name, LogFormat *ret_format)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++)
        if (strcmp(FORMATS[i], name) == 0) {
            *ret_format = (LogFormat)i;
            return true;
        }
    return false;
}

/* Reads a text in quotes, as log_quote() writes it; returns the place behind it. */
static const char *read_quoted(const char *text, Text *ret)
{
    while (*text && *text != '"') {
        if (text[0] == '\\' && text[1] == 'x' && strlen(text) >= 4) {
            const char digits[] = {text[2], text[3], '\0'};
            text_putc(ret, (char)strtoul(digits, NULL, 16));
            text += 4;
            continue;
        }
        text += text[0] == '\\' && text[1];
        text_putc(ret, *text++);
    }
    return text + (*text == '"');
}

/* A value without quotes: true, a number, or a text. */
static void put_bare(JsonWriter *json, const char *text, size_t length)
{
    double number;
    if (length == 4 && strncmp(text, "true", length) == 0) {
        json_put_bool(json, true);
    } else if (length <= NUMBER_DIGITS && number_parse(text, length, &number) == length &&
               length > 0 && isfinite(number)) {
        json_put_number(json, number);
    } else {
        Text copy = TEXT_INIT;
        text_append(&copy, text, length);
        json_put_string(json, text_string(&copy));
        text_done(&copy);
    }
}

/* The fields of a line of logfmt as one JSON object. */
static void write_json(const char *line, Text *out)
{
    JsonWriter json;
    Text text = TEXT_INIT;
    json_writer_init(&json, out);
    json_open_object(&json);
    while (*line) {
        /* the name */
        const size_t length = strcspn(line, "= ");
        text_reset(&text);
        text_append(&text, line, length);
        json_key(&json, text_string(&text));
        line += length + (line[length] == '=');
        /* the value */
        if (*line == '"') {
            text_reset(&text);
            line = read_quoted(line + 1, &text);
            json_put_string(&json, text_string(&text));
        } else {
            const size_t size = strcspn(line, " ");
            put_bare(&json, line, size);
            line += size;
        }
        line += strspn(line, " ");
    }
    json_close_object(&json);
    text_putc(out, '\n');
    text_done(&text);
}

/* A failed write of the log cannot be reported. */
static void write_line(const Log *log, const char *line, size_t length)
{
    ssize_t written = write(log->fd, line, length);
    (void)written;
}

void log_event(const Log *log, LogLevel level, const char *event, const char *format, ...)
{
    if (level > log->level)
        return;
    char time[CLOCK_TEXT_MAX], line[2048];
    clock_format(clock_unix_ms(), time);
    size_t room = sizeof line - 1; /* for the newline */
    int n = snprintf(line, room, "time=%s level=%s event=%s", time, LEVELS[level], event);
    size_t length = n > 0 ? (size_t)n : 0;
    if (*format && length + 1 < room) {
        va_list args;
        va_start(args, format);
        line[length++] = ' ';
        n = vsnprintf(line + length, room - length, format, args);
        va_end(args);
        length += n > 0 ? (size_t)n : 0;
    }
    if (length >= room)
        length = room - 1;
    line[length] = '\0';
    if (log->format == LOG_JSON) {
        Text text = TEXT_INIT;
        write_json(line, &text);
        write_line(log, text_string(&text), text_ok(&text) ? text.length : 0);
        text_done(&text);
        return;
    }
    line[length++] = '\n';
    write_line(log, line, length);
}

const char *log_quote(const char *text, char ret[LOG_QUOTE_MAX])
{
    size_t n = 0;
    ret[n++] = '"';
    for (; *text && n + 6 < LOG_QUOTE_MAX; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            ret[n++] = '\\';
            ret[n++] = (char)c;
        } else if (c < 0x20 || c == 0x7f) {
            n += (size_t)snprintf(ret + n, LOG_QUOTE_MAX - n, "\\x%02x", c);
        } else {
            ret[n++] = (char)c;
        }
    }
    ret[n++] = '"';
    ret[n] = '\0';
    return ret;
}
