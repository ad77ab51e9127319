/* Steps of the schema that have files of their own: SQL, run in order by schema.c. */
#ifndef DB_SQLITE_SCHEMA_H
#define DB_SQLITE_SCHEMA_H

extern const char schema_member_texts[];
extern const char schema_member_nodes[];

#endif
