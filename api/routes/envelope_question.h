/* Private to api/routes: a question about an ensemble over time. */
#ifndef API_ROUTES_ENVELOPE_QUESTION_H
#define API_ROUTES_ENVELOPE_QUESTION_H

#include "api/routes/ensemble.h"

typedef struct EnvelopeQuestion {
    const EnsembleJob *ensemble;
    const EnsembleDocument *document;
    RowExpression *where; /* over the summary; NULL: all members that have ended. Borrowed */
    const double *levels; /* n_levels, of quantiles */
    size_t n_levels;
} EnvelopeQuestion;

#endif
