/* A small tree of findings or options: records, lists, numbers, texts. Plain data between the
 * layers; not a document format.
 *
 * Values live in an arena. Builders are sticky: out of memory gives NULL, and every builder takes
 * NULL for a parent and does nothing. So a check of the root is enough. */
#ifndef CORE_BASE_VALUE_H
#define CORE_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

typedef enum ValueKind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_NUMBER,
    VALUE_TEXT,
    VALUE_LIST,
    VALUE_RECORD,
} ValueKind;

typedef struct Value {
    ValueKind kind;
    const char *name;    /* as a member of a record; else NULL */
    const char *pointer; /* place of an option in the document; else NULL */
    bool boolean;
    double number;
    const char *text;
    struct Value *first, *last; /* of a list or record */
    struct Value *next;
} Value;

Value *value_new_record(Arena *arena);
Value *value_new_list(Arena *arena);

/* Adds to a record (with a name) or a list (name NULL). Names and texts are copied. */
Value *value_add(Arena *arena, Value *parent, const char *name, ValueKind kind);
void value_add_number(Arena *arena, Value *parent, const char *name, double number);
void value_add_count(Arena *arena, Value *parent, const char *name, size_t count);
void value_add_bool(Arena *arena, Value *parent, const char *name, bool boolean);
/* NULL text: VALUE_NULL. */
void value_add_text(Arena *arena, Value *parent, const char *name, const char *text);
void value_add_numbers(Arena *arena, Value *parent, const char *name, const double *numbers,
                       size_t n);

/* The member of a record; NULL if there is none or record is NULL. */
const Value *value_member(const Value *record, const char *name);
size_t value_count(const Value *parent);

/* A deep copy in another arena; NULL for NULL or out of memory. */
Value *value_copy(Arena *arena, const Value *value);

#endif
