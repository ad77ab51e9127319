/* Private to api/routes: statistics over time of the columns in ensemble.over_time. */
#ifndef API_ROUTES_OVER_TIME_H
#define API_ROUTES_OVER_TIME_H

#include "api/routes/envelope_question.h"

/* Does the question concern all members, and only these columns? */
bool over_time_answers(const ApiRequest *req, const EnvelopeQuestion *question);

/* Answers with the columns in the parameter `of`, or all. */
Status over_time_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err) MUST_CHECK;

#endif
