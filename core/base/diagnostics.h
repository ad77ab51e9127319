/* The mistakes of a document, all of them at once.
 *
 * A Diagnostics belongs to an arena, which holds its texts. At most DIAGNOSTICS_MAX are kept;
 * `total` counts on. Several checks may add to one list; a check is passed when it added none. */
#ifndef CORE_BASE_DIAGNOSTICS_H
#define CORE_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/text.h"

enum { DIAGNOSTICS_MAX = 50 };

typedef struct Diagnostic {
    const char *pointer; /* RFC 6901, into the document: "/model/lagrangian" */
    long offset;         /* character in the text at the pointer, from 0; -1 where there is none */
    const char *message;
    const char *hint; /* how to mend it; NULL when there is nothing to say */
} Diagnostic;

typedef struct Diagnostics {
    Arena *arena;
    size_t count;   /* of items */
    size_t total;   /* of mistakes found; more than count past the limit */
    bool no_memory; /* then some of them are none of the document's */
    Diagnostic items[DIAGNOSTICS_MAX];
} Diagnostics;

void diagnostics_init(Diagnostics *diag, Arena *arena);

/* `hint` may be NULL; `pointer` and `hint` are copied. */
void diagnostics_add(Diagnostics *diag, const char *pointer, long offset, const char *hint,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Memory was out: a mistake all the same, so that no check is passed. Whoever answers says so. */
void diagnostics_no_memory(Diagnostics *diag, const char *pointer);

/* The name among names[n] nearest to the given one, or NULL when none is near: for hints of the
 * form: did you mean "theta"? Borrowed from names. */
const char *nearest_name(const char *name, size_t length, const char *const *names, size_t n);

enum { NAMES_TOLD = 12 }; /* of a list, in one hint */

/* Appends "KINDS: a, b, c and 5 more". Only the first NAMES_TOLD names are read; without names
 * nothing is appended. */
void names_list(Text *out, const char *kinds, const char *const *names, size_t n);
/* The hint of an unknown name: "did you mean \"theta\"?", else the list of those that are known; in
 * diag->arena. NULL: there are none. */
const char *names_hint(Diagnostics *diag, const char *name, const char *kinds,
                       const char *const *names, size_t n);

#endif
