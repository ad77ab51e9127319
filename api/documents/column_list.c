/* Names and units of columns to JSON and back. */
#include "api/documents/column_list.h"

#include <cjson/cJSON.h>

#include "api/json/writer.h"

const char *column_list_write(const char *const *names, const char *const *units, size_t n,
                              Arena *arena)
{
    Text text = TEXT_INIT;
    JsonWriter w;

    json_writer_init(&w, &text);
    json_open_array(&w);
    /* a name, or an object with a unit */
    for (size_t c = 0; c < n; c++) {
        if (!units || !units[c]) {
            json_put_strings(&w, &names[c], 1);
            continue;
        }
        json_open_object(&w);
        json_member_string(&w, "name", names[c]);
        json_member_string(&w, "unit", units[c]);
        json_close_object(&w);
    }
    json_close_array(&w);
    const char *copy = text_ok(&text) ? arena_strdup(arena, text_string(&text)) : NULL;
    text_done(&text);
    return copy;
}

static const char *copy(Arena *arena, const cJSON *item)
{
    const char *text = cJSON_GetStringValue(item);
    return text ? arena_strdup(arena, text) : NULL;
}

Status column_list_read(const char *json, Arena *arena, const char ***ret_names,
                        const char ***ret_units, size_t *ret_n, Error *err)
{
    cJSON *array = json ? cJSON_Parse(json) : NULL;
    const size_t count = (size_t)cJSON_GetArraySize(array);
    const char **names = ARENA_NEW(arena, count + 1, const char *);
    const char **units = ARENA_NEW(arena, count + 1, const char *);
    size_t n = 0, n_units = 0;
    bool ok = names && units && (array || !json);

    /* each item into its name and unit */
    for (const cJSON *item = array ? array->child : NULL; ok && item; item = item->next, n++) {
        const cJSON *name = cJSON_IsObject(item) ? cJSON_GetObjectItem(item, "name") : item;
        names[n] = copy(arena, name);
        units[n] = copy(arena, cJSON_GetObjectItem(item, "unit"));
        n_units += units[n] != NULL;
        ok = names[n] != NULL;
    }
    cJSON_Delete(array);
    if (!ok || arena_failed(arena))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret_names = names;
    *ret_units = n_units ? units : NULL;
    *ret_n = n;
    return OK;
}
