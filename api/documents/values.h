/* JSON and the core's small trees (core/base/value.h). */
#ifndef API_DOCUMENTS_VALUES_H
#define API_DOCUMENTS_VALUES_H

#include "api/json/reader.h"
#include "api/json/writer.h"
#include "core/base/value.h"

/* The members of an object but the one named `without` (NULL: all of them), as a record. NULL when
 * memory is out. */
Value *value_from_json(JsonReader *reader, JsonValue object, const char *without);

/* Writes the members of a record into the object that is open. */
void value_write_members(JsonWriter *writer, const Value *record);

#endif
