/* Steps of the schema that have files of their own: SQL, run in order by schema.c. */
#ifndef DB_SQLITE_SCHEMA_H
#define DB_SQLITE_SCHEMA_H

#define APPLICATION_ID 0x64416c6d /* "dAlm" */

/* Triggers that set the checksum of each row, from SQL for the checksums due to the old and the new
 * row. */
#define SEAL_ADDED(table, column, due_new)                            \
    "CREATE TRIGGER " table "_added AFTER INSERT ON " table " BEGIN " \
    "UPDATE " table " SET " column " = " due_new " WHERE seq = new.seq; END;"
#define SEAL_CHANGED(table, column, due_old, due_new)                              \
    "CREATE TRIGGER " table "_changed AFTER UPDATE ON " table " "                  \
    "WHEN old." column " IS NOT NULL BEGIN "                                       \
    "UPDATE " table " SET " column " = iif(old." column " = " due_old ", " due_new \
    ", " CHECKSUM_DAMAGED ") WHERE seq = new.seq; END;"

extern const char schema_member_texts[];
extern const char schema_member_nodes[];
extern const char schema_not_after[];
extern const char schema_digest[];
extern const char schema_calls[];
extern const char schema_reuse[];
extern const char schema_keys[];
/* The parts of one step. */
extern const char schema_tenants[];
extern const char schema_owners[];
extern const char schema_tenant_seals[];
extern const char schema_traces[];
extern const char schema_ledgers[];
extern const char schema_retention[];

#endif
