/* Private to api/routes: statistics of an ensemble over time of columns that ensemble.over_time
 * named. */
#ifndef API_ROUTES_OVER_TIME_H
#define API_ROUTES_OVER_TIME_H

#include "api/routes/envelope_question.h"

/* Whether the question is about all members, and no other columns. */
bool over_time_answers(const ApiRequest *req, const EnvelopeQuestion *question);

/* Of the columns that the parameter `of` names, else of all. */
Status over_time_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err) MUST_CHECK;

#endif
