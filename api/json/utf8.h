/* The parts of UTF-8 and of JSON's string escapes that the service needs. */
#ifndef API_JSON_UTF8_H
#define API_JSON_UTF8_H

#include <stddef.h>

#include "core/base/text.h"

/* Bytes of the well-formed character at text (RFC 3629: no overlong forms, no surrogates, at most
 * U+10FFFF); 0 if there is none. */
size_t utf8_length(const char *text, size_t size);

/* The largest length <= max at which the valid text can be cut between characters. */
size_t utf8_cut(const char *text, size_t length, size_t max);

/* Appends a valid JSON string's contents with the escapes decoded. */
void json_unescape(const char *text, size_t length, Text *out);

#endif
