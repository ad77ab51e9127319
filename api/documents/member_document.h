/* The documents of members of an ensemble: of one alone, or of some as an ensemble of their own.
 * All are made from the document of an accepted job. Members of objects keep their order, and
 * numbers read back bit for bit. */
#ifndef API_DOCUMENTS_MEMBER_DOCUMENT_H
#define API_DOCUMENTS_MEMBER_DOCUMENT_H

#include <cjson/cJSON.h>

#include "core/base/text.h"
#include "core/ensemble/design.h"

/* Removes not_after: the instant belongs to one submission, not to a job made from it. */
void forget_instant(cJSON *job);

/* The document of an accepted job. `model`: the model's document, if the job may only refer to it
 * (kept for the job, even if the model was deleted since), else NULL. Documents made from it need
 * no look-up of the model. */
typedef struct AcceptedDocument {
    const char *bytes, *model;
    size_t size, model_size;
} AcceptedDocument;
/* Replaces a reference in the document's tree by the model. */
Status accepted_model_put(cJSON *job, const AcceptedDocument *document, Error *err) MUST_CHECK;

/* Appends the job's document without the ensemble, with a member's values at their paths: the same
 * motion alone. A given model replaces the id that referred to it. */
Status member_document_write(const AcceptedDocument *job, const DesignAxis *axes, size_t n_axes,
                             const double *values, Text *out, Error *err) MUST_CHECK;

/* Some members of an ensemble. */
typedef struct MembersTable {
    const Design *design; /* of the ensemble; axes[n_axes]: its paths */
    const DesignAxis *axes;
    size_t n_axes;
    const uint64_t *members; /* n */
    size_t n;
    /* The job they come from, written with them together with their numbers there; NULL: they are
     * still members of that job. */
    const char *of_job, *of_where;
} MembersTable;
/* Makes the job one of these members: their values become a table in place of "vary". */
Status members_table_put(cJSON *job, const MembersTable *table, Error *err) MUST_CHECK;

/* Appends the job's document for these members alone, to be run again without cached results. */
Status members_document_write(const AcceptedDocument *job, const MembersTable *table, Text *out,
                              Error *err) MUST_CHECK;

/* Appends the job's document, to be run again without cached results. */
Status rerun_document_write(const AcceptedDocument *job, Text *out, Error *err) MUST_CHECK;

#endif
