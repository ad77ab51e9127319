/* The names of a document: coordinates, parameters and definitions share one namespace. */
#ifndef CORE_MODEL_BUILD_NAMES_H
#define CORE_MODEL_BUILD_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/model/document.h"

typedef enum NameKind { NAME_COORDINATE, NAME_PARAMETER, NAME_DEFINITION } NameKind;

typedef struct NameEntry {
    const char *name;
    NameKind kind;
    size_t index; /* among its kind, in the order of the document */
    size_t order; /* among all */
    const char *pointer;
} NameEntry;

/* Sorted by name, then by order. */
typedef struct NameTable {
    NameEntry *entries;
    size_t n;
} NameTable;

/* Collects and sorts the names and reports invalid, reserved and clashing ones in the order of the
 * document. False when out of memory. The entries live in the arena. */
bool names_init(NameTable *names, const ModelDocument *document, Arena *arena, Diagnostics *diag);

/* The first entry of that name, or NULL. */
const NameEntry *names_find(const NameTable *names, const char *name, size_t length);
/* True if texts with this name mean this entry: valid, and the first of its spelling. */
bool names_owns(const NameTable *names, const char *name, NameKind kind, size_t index);

/* Reports a name that is invalid, or a word of the language; `what` as in "coordinate". */
bool name_check(const char *name, const char *what, const char *pointer, Diagnostics *diag);

#endif
