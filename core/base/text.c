/* Growing texts, which remember a failed allocation. */
#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/number.h"

/* Most printed pieces are not longer (bytes). */
enum { SHORT_PRINT = 64 };

void text_done(Text *text)
{
    free(text->data);
    *text = (Text)TEXT_INIT;
}

void text_reset(Text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->data)
        text->data[0] = '\0';
}

bool text_ok(const Text *text)
{
    return !text->failed;
}

const char *text_string(const Text *text)
{
    return text->data ? text->data : "";
}

const char *text_keep(Text *text, Arena *arena)
{
    const char *kept = text_ok(text) ? arena_strdup(arena, text_string(text)) : NULL;

    text_done(text);
    return kept;
}

/* Room for `extra` bytes and the final zero, if there is not enough. */
static bool text_grow(Text *text, size_t extra)
{
    if (text->failed)
        return false;
    size_t need = text->length + extra + 1;
    if (need <= extra || !grow_array(&text->data, &text->capacity, need, 1))
        text->failed = true;
    return !text->failed;
}

static bool make_room(Text *text, size_t extra)
{
    return (!text->failed && extra < text->capacity - text->length) || text_grow(text, extra);
}

void text_reserve(Text *text, size_t extra)
{
    (void)make_room(text, extra);
}

void text_append(Text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_puts(Text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_putc(Text *text, char c)
{
    if (!make_room(text, 1))
        return;
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

/* Prints into the free room, and again after growing if it is too small. */
void text_printf(Text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    text_reserve(text, SHORT_PRINT);
    const size_t room = text->failed ? 0 : text->capacity - text->length;
    const int length = vsnprintf(room ? text->data + text->length : NULL, room, format, args);
    va_end(args);
    if (length < 0)
        text->failed = true;
    else if (make_room(text, (size_t)length)) {
        if ((size_t)length >= room)
            vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void text_number(Text *text, double value)
{
    char buffer[NUMBER_TEXT_MAX];
    text_append(text, buffer, number_print(value, buffer));
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

size_t text_characters(const char *bytes, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++)
        n += begins_character(bytes[i]);
    return n;
}

size_t text_byte_of(const char *bytes, size_t length, size_t character)
{
    for (size_t i = 0; i < length; i++)
        if (begins_character(bytes[i]) && character-- == 0)
            return i;
    return length;
}
