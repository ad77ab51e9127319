/* A complete HTTP answer as bytes, without a request to answer: the connection limit, requests that
 * are not HTTP, and requests that never end. */
#ifndef SERVER_RAW_ANSWER_H
#define SERVER_RAW_ANSWER_H

#include "api/errors.h"

/* Sends as much as the socket takes without waiting. */
void raw_answer_send(int fd, Problem problem, const char *detail);

#endif
