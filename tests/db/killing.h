/* A process that is killed at its n-th step: before a write, in the middle of one, before an
 * fwrite(), a sync, a truncation, a rename, or a file that is made or removed.
 *
 * Such functions of libc stand in killing.c in place of its own, for SQLite too. In any process but
 * the child of killed_at() they do what they ever do. */
#ifndef TESTS_DB_KILLING_H
#define TESTS_DB_KILLING_H

#include <stdbool.h>

typedef struct Killing {
    int (*body)(void *argument);
    void *argument;
    bool in_the_middle; /* of a write */
} Killing;
/* Runs body(argument) in a child that is killed at its step n. True: it was killed; false: it came
 * to its end, and *ret_code (may be NULL) is what body has returned. *ret_steps: how many there
 * were. */
bool killed_at(const Killing *killing, int n, int *ret_code, int *ret_steps);

#endif
