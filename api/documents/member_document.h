/* The document of one member of an ensemble: that of the job, without what makes it one, and with the member's values in
 * their places. Posted, it is the same motion alone. */
#ifndef API_DOCUMENTS_MEMBER_DOCUMENT_H
#define API_DOCUMENTS_MEMBER_DOCUMENT_H

#include "core/base/text.h"
#include "core/ensemble/design.h"

/* Of an accepted job; appends. Members keep their order, and numbers read back bit for bit. */
Status member_document_write(const char *job, size_t size, const DesignAxis *axes, size_t n_axes,
                             const double *values, Text *out, Error *err) MUST_CHECK;

#endif
