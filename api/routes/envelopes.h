/* Private to api/routes: statistics of an ensemble over time, at the instants of its samples. */
#ifndef API_ROUTES_ENVELOPES_H
#define API_ROUTES_ENVELOPES_H

#include "api/routes/envelope_question.h"

/* Answers with the columns that the parameter `of` names; 409 if neither trajectories nor
 * statistics over time are kept. */
Status envelopes_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err) MUST_CHECK;

#endif
