/* The documents of members of an ensemble: of one alone, of some as an ensemble of their own. All are made of the document
 * of an accepted job; members of objects keep their order, and numbers read back bit for bit. */
#ifndef API_DOCUMENTS_MEMBER_DOCUMENT_H
#define API_DOCUMENTS_MEMBER_DOCUMENT_H

#include "core/base/text.h"
#include "core/ensemble/design.h"

/* That of the job, without what makes it an ensemble, and with a member's values in their places: the same motion alone.
 * Appends. */
Status member_document_write(const char *job, size_t size, const DesignAxis *axes, size_t n_axes,
                             const double *values, Text *out, Error *err) MUST_CHECK;

/* That of the job for these members alone, their values as a table. */
Status members_document_write(const char *job, size_t size, const Design *design,
                              const DesignAxis *axes, size_t n_axes, const uint64_t *members,
                              size_t n, Text *out, Error *err) MUST_CHECK;

/* That of the job, to be run anew whatever is known of it. */
Status rerun_document_write(const char *job, size_t size, Text *out, Error *err) MUST_CHECK;

#endif
