/* What was found out about a compiled model, for the jobs that come after: predictions by the hash of
 * what they depend on, and the programs of the quantities they are about.
 *
 * Thread-safe. At most RECALL_MAX_ENTRIES predictions of RECALL_MAX_BYTES together are kept, the
 * oldest leave first; a program is there for each analysis that asked for one. What is recalled is what
 * would be found out anew: no answer depends on whether it was. */
#ifndef CORE_INVARIANTS_RECALL_H
#define CORE_INVARIANTS_RECALL_H

#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/value.h"
#include "core/invariants/verdict.h"
#include "core/program/program.h"

enum { RECALL_MAX_ENTRIES = 256, RECALL_MAX_BYTES = 1 << 20, RECALL_PROGRAMS = 4 };

typedef struct Recall Recall;

typedef struct Recalled {
    bool open;       /* something stayed undecided */
    Verdict verdict; /* without what was observed */
    const Value *record;
} Recalled;

Recall *recall_new(void); /* NULL when out of memory */
void recall_free(Recall *recall);

/* A copy in the arena; false where it is not there, or the arena is full. recall NULL knows nothing. */
bool recall_find(Recall *recall, const Hash *key, Arena *arena, Recalled *ret);
/* Keeps a copy; one that does not fit is forgotten. */
void recall_keep(Recall *recall, const Hash *key, const Recalled *recalled);

/* Borrowed; NULL where there is none. owner: any pointer that tells analyses apart. */
const Program *recall_program(Recall *recall, const void *owner);
/* Takes the program over where there is room and none is there; the one that counts comes back. False:
 * it stays the caller's. */
bool recall_keep_program(Recall *recall, const void *owner, Program *program, const Program **ret);

/* Work that was done for predictions, counted. */
typedef struct RecallWork {
    uint64_t exact_tests, states; /* questions put to core/exact; random states drawn */
} RecallWork;
void recall_count(Recall *recall, RecallWork work);
RecallWork recall_work(Recall *recall);

#endif
