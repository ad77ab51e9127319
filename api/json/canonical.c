/* The canonical text of a JSON tree: sorted members, shortest numbers, fewest escapes. Documents
 * are hashed in this form. */
#include "api/json/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "api/json/validate.h"
#include "api/json/writer.h"
#include "core/base/memory.h"

/* Up to this number of members, insertion sort is fast. */
enum { FEW = 24 };

/* The children of all open arrays and objects, one frame after the other. */
typedef struct Children {
    const cJSON **items;
    size_t n, capacity;
} Children;

/* An array or object being written. */
typedef struct Frame {
    const cJSON *item;
    size_t first, n, next; /* indices into the children, in the order of writing */
    bool is_object;
} Frame;

static int by_name(const void *a, const void *b)
{
    const cJSON *const *left = a, *const *right = b;
    return strcmp((*left)->string, (*right)->string);
}

static void sort_by_name(const cJSON **items, size_t n)
{
    if (n > FEW) {
        qsort(items, n, sizeof *items, by_name);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        const cJSON *item = items[k];
        size_t place = k;
        for (; place > 0 && strcmp(items[place - 1]->string, item->string) > 0; place--)
            items[place] = items[place - 1];
        items[place] = item;
    }
}

static bool frame_open(Frame *frame, Children *children, const cJSON *item, bool sorted)
{
    *frame = (Frame){.item = item, .first = children->n, .is_object = cJSON_IsObject(item)};
    for (const cJSON *child = item->child; child; child = child->next) {
        if (!grow_array(&children->items, &children->capacity, children->n + 1,
                        sizeof *children->items))
            return false;
        children->items[children->n++] = child;
    }
    frame->n = children->n - frame->first;
    if (frame->is_object && sorted)
        sort_by_name(children->items + frame->first, frame->n);
    return true;
}

static void put_scalar(JsonWriter *writer, const cJSON *item)
{
    if (cJSON_IsString(item))
        json_put_string(writer, item->valuestring);
    else if (cJSON_IsNumber(item))
        json_put_number(writer, item->valuedouble);
    else if (cJSON_IsRaw(item))
        json_put_raw(writer, item->valuestring);
    else if (cJSON_IsBool(item))
        json_put_bool(writer, cJSON_IsTrue(item));
    else
        json_put_null(writer);
}

typedef struct Canonical {
    JsonWriter writer;
    Frame frames[JSON_MAX_DEPTH];
    size_t depth;
    Children children;
    CanonicalPart *part;
    bool sorted;
} Canonical;

/* Sets the length of the part if the part is the item just written. */
static void end_part(Canonical *c, const cJSON *item)
{
    if (c->part->item == item)
        c->part->length = c->writer.out->length - c->part->start;
}

/* Writes a scalar, or opens a frame. The key of a member is already written, but no comma. */
static Status put_value(Canonical *c, const cJSON *item, Error *err)
{
    /* the part begins behind the comma that the writer may still owe */
    if (c->part->item == item)
        c->part->start = c->writer.out->length + c->writer.comma;
    if (!cJSON_IsObject(item) && !cJSON_IsArray(item)) {
        put_scalar(&c->writer, item);
        end_part(c, item);
        return OK;
    }
    if (c->depth == JSON_MAX_DEPTH)
        return error_set(err, ERR_LIMIT, "nested deeper than %d levels", JSON_MAX_DEPTH);
    if (!frame_open(&c->frames[c->depth], &c->children, item, c->sorted))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    c->depth++;
    if (cJSON_IsObject(item))
        json_open_object(&c->writer);
    else
        json_open_array(&c->writer);
    return OK;
}

static void close_frame(Canonical *c)
{
    const Frame *frame = &c->frames[--c->depth];

    if (frame->is_object)
        json_close_object(&c->writer);
    else
        json_close_array(&c->writer);
    c->children.n = frame->first;
    end_part(c, frame->item);
}

static Status write_tree(const cJSON *tree, bool sorted, CanonicalPart *part, Text *out, Error *err)
{
    Canonical c;

    c.depth = 0;
    c.children = (Children){0};
    c.part = part;
    c.sorted = sorted;
    json_writer_init(&c.writer, out);
    Status status = put_value(&c, tree, err);
    /* a stack of open containers instead of recursion: each pass writes the next child of the
     * innermost container, or closes it */
    while (status == OK && c.depth > 0) {
        Frame *frame = &c.frames[c.depth - 1];
        if (frame->next == frame->n) {
            close_frame(&c);
            continue;
        }
        const cJSON *child = c.children.items[frame->first + frame->next++];
        if (frame->is_object)
            json_key(&c.writer, child->string);
        status = put_value(&c, child, err);
    }
    free(c.children.items);
    if (status == OK && !text_ok(out))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    return status;
}

Status json_canonical_with(const cJSON *tree, CanonicalPart *part, Text *out, Error *err)
{
    return write_tree(tree, true, part, out, err);
}

Status json_canonical(const cJSON *tree, Text *out, Error *err)
{
    CanonicalPart none = {0};
    return write_tree(tree, true, &none, out, err);
}

Status json_in_order(const cJSON *tree, Text *out, Error *err)
{
    CanonicalPart none = {0};
    return write_tree(tree, false, &none, out, err);
}
