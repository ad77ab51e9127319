/* The names of a document, sorted: clashes, reserved words and spellings that are no names. */
#include "core/model/build_names.h"

#include <stdlib.h>
#include <string.h>

#include "core/expr/parse/parse.h"

static const char *const KIND_NAMES[] = {
    [NAME_COORDINATE] = "coordinate",
    [NAME_PARAMETER] = "parameter",
    [NAME_DEFINITION] = "definition",
};

bool name_check(const char *name, const char *what, const char *pointer, Diagnostics *diag)
{
    if (!name || !name[0]) {
        diagnostics_add(diag, pointer, -1, NULL, "the %s has no name", what);
        return false;
    }
    if (expr_name_reserved(name)) {
        diagnostics_add(diag, pointer, -1, "choose another name",
                        "\"%.80s\" is a word of the language and cannot name a %s", name, what);
        return false;
    }
    if (!expr_name_valid(name)) {
        diagnostics_add(diag, pointer, -1, "a name is a letter or _, then letters, digits and _",
                        "\"%.80s\" cannot be the name of a %s", name, what);
        return false;
    }
    return true;
}

static int compare_spelling(const char *a, size_t length, const char *b)
{
    int order = strncmp(a, b, length);
    return order ? order : b[length] ? -1 : 0;
}

static int compare_entries(const void *a, const void *b)
{
    const NameEntry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

const NameEntry *names_find(const NameTable *names, const char *name, size_t length)
{
    size_t low = 0, high = names->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_spelling(name, length, names->entries[middle].name) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->n || compare_spelling(name, length, names->entries[low].name) != 0)
        return NULL;
    return &names->entries[low];
}

bool names_owns(const NameTable *names, const char *name, NameKind kind, size_t index)
{
    if (!name || !expr_name_valid(name) || expr_name_reserved(name))
        return false;
    const NameEntry *entry = names_find(names, name, strlen(name));
    return entry && entry->kind == kind && entry->index == index;
}

static void add_entry(NameTable *names, NameKind kind, size_t index, const char *name,
                      const char *pointer)
{
    names->entries[names->n] = (NameEntry){
        .name = name ? name : "",
        .kind = kind,
        .index = index,
        .order = names->n,
        .pointer = pointer,
    };
    names->n++;
}

static void names_report(const NameTable *names, const NameEntry *entry, Diagnostics *diag)
{
    if (!name_check(entry->name, KIND_NAMES[entry->kind], entry->pointer, diag))
        return;
    const NameEntry *first = names_find(names, entry->name, strlen(entry->name));
    if (first->order == entry->order)
        return;
    if (first->kind == entry->kind)
        diagnostics_add(diag, entry->pointer, -1, NULL, "a second %s \"%.80s\"",
                        KIND_NAMES[entry->kind], entry->name);
    else
        diagnostics_add(diag, entry->pointer, -1,
                        "coordinates, parameters and definitions need different names",
                        "the %s \"%.80s\" has the name of a %s", KIND_NAMES[entry->kind],
                        entry->name, KIND_NAMES[first->kind]);
}

bool names_init(NameTable *names, const ModelDocument *document, Arena *arena, Diagnostics *diag)
{
    const size_t n = document->n_coordinates + document->n_parameters + document->n_definitions;
    NameEntry *in_order = arena_alloc(arena, n, sizeof *in_order);

    *names = (NameTable){.entries = in_order};
    if (!in_order)
        return false;
    for (size_t i = 0; i < document->n_coordinates; i++)
        add_entry(names, NAME_COORDINATE, i, document->coordinates[i].name,
                  document->coordinates[i].pointer);
    for (size_t i = 0; i < document->n_parameters; i++)
        add_entry(names, NAME_PARAMETER, i, document->parameters[i].name,
                  document->parameters[i].pointer);
    for (size_t i = 0; i < document->n_definitions; i++) {
        const NamedText *text = &document->definitions[i];
        add_entry(names, NAME_DEFINITION, i, text->name,
                  text->name_pointer ? text->name_pointer : text->pointer);
    }
    /* sort a copy, then report duplicates in the order of the document */
    names->entries = arena_alloc(arena, n, sizeof *names->entries);
    if (!names->entries)
        return false;
    memcpy(names->entries, in_order, n * sizeof *in_order);
    qsort(names->entries, n, sizeof *names->entries, compare_entries);
    for (size_t i = 0; i < n; i++)
        names_report(names, &in_order[i], diag);
    return true;
}
