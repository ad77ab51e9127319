/* JSON and the core's small trees (core/base/value.h). */
#ifndef API_DOCUMENTS_VALUES_H
#define API_DOCUMENTS_VALUES_H

#include "api/json/reader.h"
#include "api/json/writer.h"
#include "core/base/value.h"

/* The members of an object except the one named `without` (NULL: none), as a record. NULL if out of
 * memory. */
Value *value_from_json(JsonReader *reader, JsonValue object, const char *without);

/* Writes the members of a record into the open object. */
void value_write_members(JsonWriter *writer, const Value *record);

#endif
