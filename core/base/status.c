/* Names of the codes, and errors that grow context on their way up. */
#include "core/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *status_text(Status status)
{
    static const char *const TEXTS[] = {
#define STATUS_TEXT(code, text) [code] = text,
        STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    };
    return TEXTS[status];
}

#undef error_set
Status error_set(Error *err, Status code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}

void error_prefix(Error *err, const char *format, ...)
{
    if (!err)
        return;
    char context[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);

    size_t length = strlen(context), room = sizeof err->message - 1;
    if (length + 2 >= room)
        return; /* the context alone would push the message out */
    memmove(err->message + length + 2, err->message, room - length - 2);
    memcpy(err->message, context, length);
    memcpy(err->message + length, ": ", 2);
    err->message[room] = '\0';
}
