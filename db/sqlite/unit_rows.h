/* The rows of a unit's members until it ends. Those of the summary stay in memory; those of other
 * tables too, unless they become many: then they go to the database before the end, where nobody
 * sees them until then. */
#ifndef DB_SQLITE_UNIT_ROWS_H
#define DB_SQLITE_UNIT_ROWS_H

#include "db/sqlite/sqlite_store.h"

enum { UNIT_HELD_MAX = 8 << 20 }; /* bytes of rows besides the summary's */

/* Rows of one member's table that are not on their way to the database. */
typedef struct MemberRows {
    double *rows;
    size_t n_rows, capacity;
    uint64_t written; /* rows before them */
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
    UnitRows *next; /* among those that are to be freed */
};

UnitRows *unit_rows_new(MemberRange range); /* NULL: out of memory */

/* With the mutex held. All rows or none. */
Status unit_rows_add(UnitRows *unit, int table, uint64_t member, const double *rows, size_t n_rows,
                     size_t n_columns, Error *err) MUST_CHECK;
/* Would so many rows more be too many to hold? */
bool unit_rows_full(const UnitRows *unit, int table, size_t bytes);
/* Sends all that it holds besides the summary to the writer. */
Status unit_rows_post(Store *store, Lease *lease, Error *err) MUST_CHECK;

/* For run(): writes what is left of the first `done` members, and forgets what was written of
 * others. */
Status unit_rows_write(Store *store, const Lease *lease, uint64_t done, Error *err) MUST_CHECK;
/* The rows of so many members were told. */
Status unit_rows_check(const UnitRows *unit, uint64_t done, Error *err) MUST_CHECK;

#endif
