/* The mistakes of a document, all of them at once.
 *
 * The texts of a Diagnostics are in its arena. It keeps at most DIAGNOSTICS_MAX items; `total`
 * counts all. Several checks may add to one list; a check is passed if it added none. */
#ifndef CORE_BASE_DIAGNOSTICS_H
#define CORE_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/text.h"

enum { DIAGNOSTICS_MAX = 50 };

typedef struct Diagnostic {
    const char *pointer; /* RFC 6901, into the document: "/model/lagrangian" */
    long offset;         /* character in the text at the pointer, from 0; -1: no text */
    const char *message;
    const char *hint; /* how to mend it; NULL: no hint */
} Diagnostic;

typedef struct Diagnostics {
    Arena *arena;
    size_t count;   /* of items */
    size_t total;   /* of mistakes found; more than count past the limit */
    bool no_memory; /* some items may report this failure, not a mistake of the document */
    Diagnostic items[DIAGNOSTICS_MAX];
} Diagnostics;

void diagnostics_init(Diagnostics *diag, Arena *arena);

/* `hint` may be NULL; `pointer` and `hint` are copied. */
void diagnostics_add(Diagnostics *diag, const char *pointer, long offset, const char *hint,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Memory was out: adds a mistake, so that no check is passed, and sets no_memory. */
void diagnostics_no_memory(Diagnostics *diag, const char *pointer);

/* The name among names[n] nearest to the given one, or NULL if none is near: for hints of the form:
 * did you mean "theta"? Borrowed from names. */
const char *nearest_name(const char *name, size_t length, const char *const *names, size_t n);

enum { NAMES_TOLD = 12 }; /* number of names that one hint lists */

/* Appends "KINDS: a, b, c and 5 more". Reads the first NAMES_TOLD names; n = 0: nothing. */
void names_list(Text *out, const char *kinds, const char *const *names, size_t n);
/* The hint of an unknown name: "did you mean \"theta\"?", else the list of the known names; in
 * diag->arena. NULL if there are no names. */
const char *names_hint(Diagnostics *diag, const char *name, const char *kinds,
                       const char *const *names, size_t n);

#endif
