/* The canonical text of a JSON tree: sorted members, shortest numbers, fewest escapes; what
 * documents are hashed by. */
#include "api/json/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"
#include "api/json/writer.h"
#include "core/base/memory.h"

/* An array or object being written. */
typedef struct Frame {
    const cJSON **children; /* in the order of writing; owned */
    size_t n, next;
    bool is_object;
} Frame;

static int by_name(const void *a, const void *b)
{
    const cJSON *const *left = a, *const *right = b;
    return strcmp((*left)->string, (*right)->string);
}

static bool frame_open(Frame *frame, const cJSON *item)
{
    size_t n = 0;
    for (const cJSON *child = item->child; child; child = child->next)
        n++;
    *frame = (Frame){.children = alloc_array(n, sizeof *frame->children),
                     .n = n,
                     .is_object = cJSON_IsObject(item)};
    if (!frame->children)
        return false;
    n = 0;
    for (const cJSON *child = item->child; child; child = child->next)
        frame->children[n++] = child;
    if (frame->is_object)
        qsort(frame->children, n, sizeof *frame->children, by_name);
    return true;
}

static void put_scalar(JsonWriter *writer, const cJSON *item)
{
    if (cJSON_IsString(item))
        json_put_string(writer, item->valuestring);
    else if (cJSON_IsNumber(item))
        json_put_number(writer, item->valuedouble);
    else if (cJSON_IsBool(item))
        json_put_bool(writer, cJSON_IsTrue(item));
    else
        json_put_null(writer);
}

/* Writes a scalar, or opens a frame. */
static Status put_value(JsonWriter *writer, const cJSON *item, Frame *frames, size_t *depth,
                        Error *err)
{
    if (!cJSON_IsObject(item) && !cJSON_IsArray(item)) {
        put_scalar(writer, item);
        return OK;
    }
    if (*depth == JSON_MAX_DEPTH)
        return error_set(err, ERR_LIMIT, "nested deeper than %d levels", JSON_MAX_DEPTH);
    if (!frame_open(&frames[*depth], item))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    ++*depth;
    if (cJSON_IsObject(item))
        json_open_object(writer);
    else
        json_open_array(writer);
    return OK;
}

Status json_canonical(const cJSON *tree, Text *out, Error *err)
{
    Frame frames[JSON_MAX_DEPTH];
    size_t depth = 0;
    JsonWriter writer;

    json_writer_init(&writer, out);
    Status status = put_value(&writer, tree, frames, &depth, err);
    /* a stack of open containers instead of recursion; each gives its next child or closes */
    while (status == OK && depth > 0) {
        Frame *frame = &frames[depth - 1];
        if (frame->next < frame->n) {
            const cJSON *child = frame->children[frame->next++];
            if (frame->is_object)
                json_key(&writer, child->string);
            status = put_value(&writer, child, frames, &depth, err);
            continue;
        }
        if (frame->is_object)
            json_close_object(&writer);
        else
            json_close_array(&writer);
        free(frame->children);
        depth--;
    }
    /* after a failure some are still open */
    while (depth > 0)
        free(frames[--depth].children);
    if (status == OK && !text_ok(out))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    return status;
}
