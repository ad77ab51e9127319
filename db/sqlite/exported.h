/* The objects of an export: which columns they show, and how a store is made of them.
 *
 * The table in exported.c is the only place that names the columns. A column added to the schema
 * takes one line there. If older exports lack its member, the value stored is NULL, unless `stored`
 * says otherwise. */
#ifndef DB_SQLITE_EXPORTED_H
#define DB_SQLITE_EXPORTED_H

#include "core/base/text.h"
#include "db/sqlite/sqlite_store.h"

typedef enum ValueForm {
    AS_VALUE,  /* a number or a string */
    AS_JSON,   /* a text that is JSON, as a part of the object; other texts: as a string */
    AS_BASE64, /* bytes */
} ValueForm;

/* A member of an object; its name is also that of the column. */
typedef struct ExportedMember {
    const char *name;
    ValueForm form;
    const char *shown;  /* SQL of the value in the object; NULL: the column; "": no member */
    const char *stored; /* SQL of the value of the column, ?1 the object; NULL: the member; "": no
                         * column */
} ExportedMember;

typedef struct ExportedKind {
    const char *name;  /* the member "kind" */
    const char *table; /* that import inserts into; NULL: none */
    const char *from;  /* SQL after FROM: the rows of tenant ?1 (0: of all), in their order */
    const ExportedMember *members; /* up to the one without a name */
    const char *then;              /* SQL that import runs after the insertion, ?1 the object */
    const char *then_too;          /* one more, or NULL */
} ExportedKind;

enum { EXPORTED_KINDS = 16 };
extern const ExportedKind exported_kinds[EXPORTED_KINDS]; /* the first describes the export */

/* Appends the query for the objects of a kind, with parameter ?1. */
void exported_query(const ExportedKind *kind, Text *sql);
/* Appends the insertion of an object ?1. */
void exported_insertion(const ExportedKind *kind, Text *sql);

/* Registers the SQL functions that both statements use. */
Status exported_functions(Connection *connection, Error *err) MUST_CHECK;

#endif
