/* A growing text buffer. Sticky: after a failed allocation every further call is a no-op and
 * text_ok() is false; ask once at the end. `data` is never NULL once something was appended and
 * always ends with a zero byte; embedded zero bytes are allowed. */
#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

typedef struct Text {
    char *data;
    size_t length, capacity;
    bool failed;
} Text;

#define TEXT_INIT         \
    {                     \
        NULL, 0, 0, false \
    }

void text_done(Text *text);  /* releases the contents */
void text_reset(Text *text); /* empties it, keeps the memory */
bool text_ok(const Text *text);
const char *text_string(const Text *text); /* "" if empty; borrowed */
/* A copy in the arena; the text itself is released. NULL if memory is out. */
const char *text_keep(Text *text, Arena *arena);

/* Optional: makes room for this number of further bytes at once. */
void text_reserve(Text *text, size_t extra);
void text_append(Text *text, const char *bytes, size_t length);
void text_puts(Text *text, const char *string);
void text_putc(Text *text, char c);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The shortest text that reads back as the same bits (core/base/number.h). */
void text_number(Text *text, double value);

/* Characters (code points) of UTF-8: the number that begin in the bytes, and the byte at which the
 * character with this number, from 0, begins, or the length. */
size_t text_characters(const char *bytes, size_t length);
size_t text_byte_of(const char *bytes, size_t length, size_t character);

#endif
