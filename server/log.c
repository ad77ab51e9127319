/* The log: one line an event in logfmt on standard error, written with a single call so that lines
 * do not mix. */
#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"

static const char *const LEVELS[] = {"error", "warning", "info", "debug"};

bool log_level_parse(const char *name, LogLevel *ret_level)
{
    for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++)
        if (strcmp(LEVELS[i], name) == 0) {
            *ret_level = (LogLevel)i;
            return true;
        }
    return false;
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
    line[length++] = '\n';
    /* a failed write of the log cannot be reported */
    ssize_t written = write(log->fd, line, length);
    (void)written;
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
