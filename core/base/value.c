/* Records, lists, numbers and texts without a schema, such as findings. */
#include "core/base/value.h"

#include <string.h>

static Value *new_value(Arena *arena, ValueKind kind)
{
    Value *value = arena_alloc(arena, 1, sizeof *value);
    if (value)
        value->kind = kind;
    return value;
}

Value *value_new_record(Arena *arena)
{
    return new_value(arena, VALUE_RECORD);
}

Value *value_new_list(Arena *arena)
{
    return new_value(arena, VALUE_LIST);
}

static void append(Value *parent, Value *value)
{
    if (parent->last)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
}

Value *value_add(Arena *arena, Value *parent, const char *name, ValueKind kind)
{
    Value *value = parent ? new_value(arena, kind) : NULL;

    if (!value)
        return NULL;
    if (name)
        value->name = arena_strdup(arena, name);
    append(parent, value);
    return value;
}

void value_add_number(Arena *arena, Value *parent, const char *name, double number)
{
    Value *value = value_add(arena, parent, name, VALUE_NUMBER);
    if (value)
        value->number = number;
}

void value_add_count(Arena *arena, Value *parent, const char *name, size_t count)
{
    value_add_number(arena, parent, name, (double)count);
}

void value_add_bool(Arena *arena, Value *parent, const char *name, bool boolean)
{
    Value *value = value_add(arena, parent, name, VALUE_BOOL);
    if (value)
        value->boolean = boolean;
}

void value_add_text(Arena *arena, Value *parent, const char *name, const char *text)
{
    Value *value = value_add(arena, parent, name, text ? VALUE_TEXT : VALUE_NULL);
    if (value && text)
        value->text = arena_strdup(arena, text);
}

void value_add_numbers(Arena *arena, Value *parent, const char *name, const double *numbers,
                       size_t n)
{
    Value *list = value_add(arena, parent, name, VALUE_LIST);
    for (size_t i = 0; i < n; i++)
        value_add_number(arena, list, NULL, numbers[i]);
}

const Value *value_member(const Value *record, const char *name)
{
    const Value *value = record ? record->first : NULL;
    while (value && (!value->name || strcmp(value->name, name) != 0))
        value = value->next;
    return value;
}

size_t value_count(const Value *parent)
{
    size_t n = 0;
    for (const Value *value = parent ? parent->first : NULL; value; value = value->next)
        n++;
    return n;
}

/* The reader of the document bounds the nesting (64 levels of JSON). */
/* NOLINTNEXTLINE(misc-no-recursion) */
Value *value_copy(Arena *arena, const Value *value)
{
    if (!value)
        return NULL;
    Value *copy = new_value(arena, value->kind);
    if (!copy)
        return NULL;
    copy->boolean = value->boolean;
    copy->number = value->number;
    copy->name = value->name ? arena_strdup(arena, value->name) : NULL;
    copy->pointer = value->pointer ? arena_strdup(arena, value->pointer) : NULL;
    copy->text = value->text ? arena_strdup(arena, value->text) : NULL;
    /* the children, in their order */
    for (const Value *child = value->first; child; child = child->next) {
        Value *twin = value_copy(arena, child);
        if (!twin)
            return NULL;
        append(copy, twin);
    }
    return copy;
}
