/* SIGINT, SIGTERM and SIGHUP for commands that end cleanly: they stop the work by the thread's stop
 * token. */
#ifndef SERVER_COMMAND_STOP_SIGNAL_H
#define SERVER_COMMAND_STOP_SIGNAL_H

#include "core/base/stop_token.h"

/* From here on the first signal stops the work of this thread with ERR_CANCELLED; a second one ends
 * the process at once. */
void stop_signal_begin(StopToken *token);
/* The status of the work; ERR_CANCELLED if a signal has come, whatever went wrong after it: a
 * sender that gets the same signal cuts its last line. */
Status stop_signal_settle(Status status, Error *err) MUST_CHECK;
void stop_signal_end(StopToken *token);

#endif
