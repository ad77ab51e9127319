/* Ensembles of members of another ensemble. A document with ensemble.members_of describes the
 * changes to the other job's document (a JSON merge patch, RFC 7396), and selects members. It is
 * expanded to a document of its own with their numbers and values as a table, and no longer needs
 * the other job. */
#ifndef API_DOCUMENTS_MEMBERS_OF_H
#define API_DOCUMENTS_MEMBERS_OF_H

#include "api/documents/member_document.h"
#include "core/base/diagnostics.h"

typedef struct MembersOf {
    const char *job;
    const char *where; /* a condition over the columns of its summary; NULL: all */
} MembersOf;

/* The place of ensemble.members_of in the document. */
#define MEMBERS_OF_POINTER "/ensemble/members_of"

/* *ret_given false: the document does not refer to another ensemble, or is no JSON, which a later
 * reader reports. ERR_INVALID after mistakes. Strings live in the arena. */
Status members_of_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                       bool *ret_given, MembersOf *ret_of, Error *err) MUST_CHECK;

/* The document of the other job, its design, and the selected members. */
typedef struct MembersSource {
    AcceptedDocument document;
    const Design *design;
    const DesignAxis *axes; /* n_axes */
    size_t n_axes;
    const uint64_t *members; /* n */
    size_t n;
} MembersSource;

/* Numbers in the table. */
double members_of_values(const MembersSource *source);
/* Appends the expanded document: the source's document with the changes in `bytes`. */
Status members_of_write(const MembersSource *source, const MembersOf *of, const char *bytes,
                        size_t size, Text *out, Error *err) MUST_CHECK;

#endif
