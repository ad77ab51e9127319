/* The log: one line for each event on standard error, in logfmt or as JSON. Never a body, never a
 * token. */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <stdbool.h>

typedef enum LogLevel { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG } LogLevel;

typedef enum LogFormat { LOG_LOGFMT, LOG_JSON } LogFormat;

typedef struct Log {
    LogLevel level; /* less important events are not written */
    LogFormat format;
    int fd;
} Log;

/* False: there is no level, or no format, of this name. */
bool log_level_parse(const char *name, LogLevel *ret_level);
bool log_format_parse(const char *name, LogFormat *ret_format);

/* `event` is one word; the format gives further fields, e.g. "job=%s ms=%.1f". Foreign text for a
 * %s goes through log_quote() first. Thread-safe: a line is one write. */
void log_event(const Log *log, LogLevel level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

enum { LOG_QUOTE_MAX = 256 };
/* The text in quotes, escaped, cut to LOG_QUOTE_MAX; returns ret. */
const char *log_quote(const char *text, char ret[LOG_QUOTE_MAX]);

#endif
