/* Facts about a compiled model for later jobs: predictions by the hash of everything that they
 * depend on, and the programs of their quantities.
 *
 * Thread-safe. Stores at most RECALL_MAX_ENTRIES predictions of RECALL_MAX_BYTES together, and
 * drops the oldest first; a program for each analysis that asked for one. A recalled prediction
 * equals the one that would be computed: no answer depends on whether it was recalled. */
#ifndef CORE_INVARIANTS_RECALL_H
#define CORE_INVARIANTS_RECALL_H

#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/hash.h"
#include "core/base/value.h"
#include "core/invariants/verdict.h"
#include "core/program/program.h"

/* Predictions, their bytes together, and programs (one for each analysis of laws). Conventions. */
enum { RECALL_MAX_ENTRIES = 256, RECALL_MAX_BYTES = 1 << 20, RECALL_PROGRAMS = 4 };

typedef struct Recall Recall;

typedef struct Recalled {
    bool open;       /* something stayed undecided */
    Verdict verdict; /* without the observation */
    const Value *record;
} Recalled;

Recall *recall_new(void); /* NULL when out of memory */
void recall_free(Recall *recall);

/* A copy in the arena; false: it is not there, or the arena is full. recall NULL is empty. */
bool recall_find(Recall *recall, const Hash *key, Arena *arena, Recalled *ret);
/* Stores a copy; one that does not fit is dropped. */
void recall_keep(Recall *recall, const Hash *key, const Recalled *recalled);

/* Borrowed; NULL: there is none. owner: any pointer that identifies an analysis. */
const Program *recall_program(Recall *recall, const void *owner);
/* Takes the program over if there is space and none is stored; *ret is the one to use. False:
 * the program stays the caller's. */
bool recall_keep_program(Recall *recall, const void *owner, Program *program, const Program **ret);

/* Counted work of predictions. */
typedef struct RecallWork {
    uint64_t exact_tests, states; /* questions put to core/exact; random states drawn */
} RecallWork;
void recall_count(Recall *recall, RecallWork work);
RecallWork recall_work(Recall *recall);

#endif
