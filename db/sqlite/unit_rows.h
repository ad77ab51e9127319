/* Rows of a unit's members until it ends. The summary stays in memory. Rows of other tables stay in
 * memory up to UNIT_HELD_MAX; then they go to the database, but readers do not see them until the
 * end. */
#ifndef DB_SQLITE_UNIT_ROWS_H
#define DB_SQLITE_UNIT_ROWS_H

#include "db/sqlite/sqlite_store.h"

enum { UNIT_HELD_MAX = 8 << 20 }; /* bytes of rows besides the summary's */

/* Rows of one member in a table that are not posted yet. */
typedef struct MemberRows {
    double *rows;
    size_t n_rows, capacity;
    uint64_t written; /* rows posted before them */
} MemberRows;

typedef struct UnitTable {
    size_t n_columns;    /* 0: no rows yet */
    MemberRows *members; /* one for each of the unit */
} UnitTable;

struct UnitRows {
    MemberRange range;
    size_t n_columns; /* of the summary; 0: no row yet */
    double *summary;  /* a row for each member */
    bool *told;
    UnitTable *tables;
    size_t n_tables, capacity;
    size_t held;    /* bytes in the tables' rows */
    UnitRows *next; /* in the list of units to be freed */
};

UnitRows *unit_rows_new(MemberRange range); /* NULL: out of memory */

/* With the mutex held. All rows or none. */
Status unit_rows_add(UnitRows *unit, int table, uint64_t member, const double *rows, size_t n_rows,
                     size_t n_columns, Error *err) MUST_CHECK;
/* Whether `bytes` more would exceed UNIT_HELD_MAX. */
bool unit_rows_full(const UnitRows *unit, int table, size_t bytes);
/* Posts all rows but the summary to the writer. */
Status unit_rows_post(Store *store, Lease *lease, Error *err) MUST_CHECK;

/* For run(): writes the remaining rows of the first `done` members, and deletes written rows of the
 * others. */
Status unit_rows_write(Store *store, const Lease *lease, uint64_t done, Error *err) MUST_CHECK;
/* Checks that the first `done` members have a row in the summary. */
Status unit_rows_check(const UnitRows *unit, uint64_t done, Error *err) MUST_CHECK;

#endif
