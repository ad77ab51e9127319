/* Conversion of the core's trees of values (core/base/value.h) from JSON and to JSON. */
#include "api/documents/values.h"

#include <string.h>

/* Adds json to parent. The validator bounds the nesting. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void value_add_json(JsonReader *reader, JsonValue json, Value *parent, const char *name)
{
    Arena *arena = reader->arena;
    ValueKind kind = cJSON_IsBool(json.item)     ? VALUE_BOOL
                     : cJSON_IsNumber(json.item) ? VALUE_NUMBER
                     : cJSON_IsString(json.item) ? VALUE_TEXT
                     : cJSON_IsArray(json.item)  ? VALUE_LIST
                     : cJSON_IsObject(json.item) ? VALUE_RECORD
                                                 : VALUE_NULL;
    /* the value, then its members */
    Value *value = value_add(arena, parent, name, kind);
    if (!value) {
        reader->no_memory = true;
        return;
    }
    value->pointer = json.pointer;
    value->boolean = cJSON_IsTrue(json.item);
    if (kind == VALUE_NUMBER)
        value->number = json.item->valuedouble;
    if (kind == VALUE_TEXT)
        value->text = arena_strdup(arena, json.item->valuestring);
    if (kind == VALUE_LIST || kind == VALUE_RECORD)
        for (JsonValue v = json_first(reader, json); json_present(v);
             v = json_following(reader, json, v))
            value_add_json(reader, v, value, kind == VALUE_RECORD ? json_name(reader, v) : NULL);
}

Value *value_from_json(JsonReader *reader, JsonValue object, const char *without)
{
    Value *record = value_new_record(reader->arena);

    if (!record) {
        reader->no_memory = true;
        return NULL;
    }
    record->pointer = object.pointer;
    for (JsonValue v = json_first(reader, object); json_present(v);
         v = json_following(reader, object, v)) {
        const char *name = json_name(reader, v);
        if (!without || !name || strcmp(name, without) != 0)
            value_add_json(reader, v, record, name);
    }
    return record;
}

/* The nesting is bounded by that of the document, or of the trees that analyses build. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void write_value(JsonWriter *w, const Value *value)
{
    /* one case for each kind */
    switch (value->kind) {
    case VALUE_NULL:
        json_put_null(w);
        break;
    case VALUE_BOOL:
        json_put_bool(w, value->boolean);
        break;
    case VALUE_NUMBER:
        json_put_number(w, value->number);
        break;
    case VALUE_TEXT:
        json_put_string(w, value->text);
        break;
    case VALUE_LIST:
        json_open_array(w);
        for (const Value *v = value->first; v; v = v->next)
            write_value(w, v);
        json_close_array(w);
        break;
    case VALUE_RECORD:
        json_open_object(w);
        value_write_members(w, value);
        json_close_object(w);
        break;
    }
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void value_write_members(JsonWriter *w, const Value *record)
{
    for (const Value *v = record ? record->first : NULL; v; v = v->next) {
        json_key(w, v->name);
        write_value(w, v);
    }
}
