/* Ensembles of members of another one: a document with ensemble.members_of says what is to be other
 * than in that one's document (a JSON merge patch, RFC 7396), and which of its members are meant.
 * It is made a document of its own, with their numbers and values as a table, and needs the other
 * job no more. */
#ifndef API_DOCUMENTS_MEMBERS_OF_H
#define API_DOCUMENTS_MEMBERS_OF_H

#include "api/documents/member_document.h"
#include "core/base/diagnostics.h"

typedef struct MembersOf {
    const char *job;
    const char *where; /* a condition over the columns of its summary; NULL: all */
} MembersOf;

/* Where the parts of ensemble.members_of stand in the document. */
#define MEMBERS_OF_POINTER "/ensemble/members_of"

/* *ret_given false: the document does not speak of another ensemble, or is no JSON, which others
 * tell. ERR_INVALID after mistakes. Strings live in the arena. */
Status members_of_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                       bool *ret_given, MembersOf *ret_of, Error *err) MUST_CHECK;

/* The document of the other job, its design, and the members that are meant. */
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
/* Appends the document that is meant: source with what `bytes` say otherwise. */
Status members_of_write(const MembersSource *source, const MembersOf *of, const char *bytes,
                        size_t size, Text *out, Error *err) MUST_CHECK;

#endif
