/* The parts of UTF-8 that JSON needs: the length of a valid character, the places to cut a text,
 * and the decoding of JSON's escapes. */
#include "api/json/utf8.h"

#include <stdint.h>
#include <string.h>

static int continues(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

size_t utf8_length(const char *text, size_t size)
{
    const unsigned char *p = (const unsigned char *)text;

    if (size == 0)
        return 0;
    /* one or two bytes */
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2 || size < 2 || !continues(p[1]))
        return 0;
    if (p[0] < 0xe0)
        return 2;
    /* three bytes: no overlong forms, no surrogates */
    if (size < 3 || !continues(p[2]))
        return 0;
    if (p[0] < 0xf0) {
        int overlong = p[0] == 0xe0 && p[1] < 0xa0, surrogate = p[0] == 0xed && p[1] >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    /* four bytes, at most U+10FFFF */
    if (size < 4 || !continues(p[3]) || p[0] > 0xf4)
        return 0;
    int overlong = p[0] == 0xf0 && p[1] < 0x90, beyond = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || beyond ? 0 : 4;
}

size_t utf8_cut(const char *text, size_t length, size_t max)
{
    if (length <= max)
        return length;
    while (max > 0 && continues((unsigned char)text[max]))
        max--;
    return max;
}

static void append_code_point(Text *out, uint32_t code)
{
    char bytes[4];
    size_t n;

    /* one to four bytes, with 7, 11, 16 or 21 bits of the code */
    if (code < 0x80) {
        bytes[0] = (char)code;
        n = 1;
    } else if (code < 0x800) {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        n = 2;
    } else if (code < 0x10000) {
        bytes[0] = (char)(0xe0 | code >> 12);
        bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (code & 0x3f));
        n = 3;
    } else {
        bytes[0] = (char)(0xf0 | code >> 18);
        bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
        bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
        bytes[3] = (char)(0x80 | (code & 0x3f));
        n = 4;
    }
    text_append(out, bytes, n);
}

static uint32_t utf8_hex4(const char *p)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t c = (unsigned char)p[i];
        value = 16 * value + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* Appends the character of the escape at p (after the backslash); returns the place behind it. */
static const char *append_escape(const char *p, Text *out)
{
    static const char LETTERS[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";

    if (*p != 'u') {
        text_putc(out, MEANINGS[strchr(LETTERS, *p) - LETTERS]);
        return p + 1;
    }
    uint32_t code = utf8_hex4(p + 1);
    p += 5;
    if (code >= 0xd800 && code <= 0xdbff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (utf8_hex4(p + 2) - 0xdc00);
        p += 6;
    }
    append_code_point(out, code);
    return p;
}

void json_unescape(const char *text, size_t length, Text *out)
{
    const char *p = text, *end = text + length;

    while (p < end) {
        const char *backslash = memchr(p, '\\', (size_t)(end - p));
        if (!backslash) {
            text_append(out, p, (size_t)(end - p));
            return;
        }
        text_append(out, p, (size_t)(backslash - p));
        p = append_escape(backslash + 1, out);
    }
}
