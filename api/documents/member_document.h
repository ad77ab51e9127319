/* The documents of members of an ensemble: of one alone, of some as an ensemble of their own. All
 * are made of the document of an accepted job; members of objects keep their order, and numbers
 * read back bit for bit. */
#ifndef API_DOCUMENTS_MEMBER_DOCUMENT_H
#define API_DOCUMENTS_MEMBER_DOCUMENT_H

#include <cjson/cJSON.h>

#include "core/base/text.h"
#include "core/ensemble/design.h"

/* Takes not_after from a document that a new job is made of: an instant is one submission's. */
void forget_instant(cJSON *job);

/* The document of an accepted job; `model`: that of its model where it may only name one (kept for
 * the job, whatever has become of it since), else NULL. What is made of it needs to look up no
 * model. */
typedef struct AcceptedDocument {
    const char *bytes, *model;
    size_t size, model_size;
} AcceptedDocument;
/* Writes the model out where the tree of the document only names it. */
Status accepted_model_put(cJSON *job, const AcceptedDocument *document, Error *err) MUST_CHECK;

/* That of the job, without what makes it an ensemble, and with a member's values in their places:
 * the same motion alone. A model that is given stands in the place of the id that named it.
 * Appends. */
Status member_document_write(const AcceptedDocument *job, const DesignAxis *axes, size_t n_axes,
                             const double *values, Text *out, Error *err) MUST_CHECK;

/* Some members of an ensemble. */
typedef struct MembersTable {
    const Design *design; /* of the ensemble; axes[n_axes]: its paths */
    const DesignAxis *axes;
    size_t n_axes;
    const uint64_t *members; /* n */
    size_t n;
    /* Where they come from, which is told with them, and their numbers there; NULL: they are still
     * members of that job. */
    const char *of_job, *of_where;
} MembersTable;
/* Makes the job that of these members: their values as a table in the place of what was varied. */
Status members_table_put(cJSON *job, const MembersTable *table, Error *err) MUST_CHECK;

/* That of the job for these members alone, to be run anew whatever is known of it. */
Status members_document_write(const AcceptedDocument *job, const MembersTable *table, Text *out,
                              Error *err) MUST_CHECK;

/* That of the job, to be run anew whatever is known of it. */
Status rerun_document_write(const AcceptedDocument *job, Text *out, Error *err) MUST_CHECK;

#endif
