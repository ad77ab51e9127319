/* Private to api/routes: statistics of an ensemble over time, at the instants of its samples. */
#ifndef API_ROUTES_ENVELOPES_H
#define API_ROUTES_ENVELOPES_H

#include "api/routes/ensemble.h"

typedef struct EnvelopeQuestion {
    const EnsembleJob *ensemble;
    const EnsembleDocument *document;
    RowExpression *where; /* over the summary; NULL: all members that have ended. Borrowed */
    const double *levels; /* n_levels, of quantiles */
    size_t n_levels;
} EnvelopeQuestion;

/* Of the columns that the parameter `of` names; a 409 where neither trajectories nor statistics over time are kept. */
Status envelopes_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err) MUST_CHECK;

#endif
