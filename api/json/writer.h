/* A streaming JSON writer: appends to a Text, puts the commas, escapes the strings.
 *
 * Sticky like Text. Numbers are the shortest texts that read back bit for bit; a number that is not
 * finite becomes null and sets `not_finite`. */
#ifndef API_JSON_WRITER_H
#define API_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"

typedef struct JsonWriter {
    Text *out;
    bool comma;      /* a comma goes before the next key or value */
    bool not_finite; /* sticky */
} JsonWriter;

void json_writer_init(JsonWriter *writer, Text *out);

void json_open_object(JsonWriter *writer);
void json_close_object(JsonWriter *writer);
void json_open_array(JsonWriter *writer);
void json_close_array(JsonWriter *writer);
void json_key(JsonWriter *writer, const char *name);

void json_put_string(JsonWriter *writer, const char *text); /* NULL is written null */
void json_put_number(JsonWriter *writer, double value);
void json_put_unsigned(JsonWriter *writer, uint64_t value);
void json_put_signed(JsonWriter *writer, int64_t value);
void json_put_bool(JsonWriter *writer, bool value);
void json_put_null(JsonWriter *writer);
void json_put_raw(JsonWriter *writer, const char *json); /* valid JSON; NULL is written null */
void json_put_strings(JsonWriter *writer, const char *const *texts, size_t n); /* within an array */
/* The texts as a JSON array, in the arena; NULL if out of memory. */
const char *json_strings_text(Arena *arena, const char *const *texts, size_t n);

/* A key and its value. */
void json_member_string(JsonWriter *writer, const char *name, const char *text);
void json_member_number(JsonWriter *writer, const char *name, double value);
void json_member_unsigned(JsonWriter *writer, const char *name, uint64_t value);
void json_member_signed(JsonWriter *writer, const char *name, int64_t value);
void json_member_bool(JsonWriter *writer, const char *name, bool value);
void json_member_raw(JsonWriter *writer, const char *name, const char *json);
void json_member_strings(JsonWriter *writer, const char *name, const char *const *texts, size_t n);
void json_member_object(JsonWriter *writer, const char *name); /* opens */
void json_member_array(JsonWriter *writer, const char *name);  /* opens */

/* Appends text as a JSON string with quotes and the fewest escapes. The text is UTF-8; bytes that
 * are not are replaced by U+FFFD. */
void json_quote(Text *out, const char *text, size_t length);

#endif
