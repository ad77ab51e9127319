/* UUIDs of version 7 (RFC 9562, section 5.7): time first, so that their texts sort by age.
 *
 * A source gives strictly increasing ids, even within a millisecond and when the clock is set back.
 * An id has 48 bits of time, a 12 bit counter, 8 bits of cell and 54 random bits. A cell is one of
 * several stores; its number in the id tells clients which store to ask. Used by one thread at a
 * time. */
#ifndef DB_UUID_H
#define DB_UUID_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { UUID_TEXT_MAX = 37 };

typedef struct UuidSource {
    int64_t ms; /* of the last id; start with {0} */
    unsigned counter;
    uint8_t cell;
} UuidSource;

Status uuid_next(UuidSource *source, int64_t unix_ms, char *ret_text, Error *err) MUST_CHECK;

/* The cell of an id. Ids up to `last_without` (NULL: none) were made before cells had numbers and
 * count as cell 0. */
unsigned uuid_cell(const char *text, const char *last_without);

/* Time and counter of an id, which grow with every id; 0 for a text that is no UUID. */
uint64_t uuid_place(const char *text);

/* The ids to come sort after this one. A text that is no UUID changes nothing. */
void uuid_resume(UuidSource *source, const char *text);

/* Unpredictable bytes from the operating system. */
Status secure_random(void *bytes, size_t size, Error *err) MUST_CHECK;

#endif
