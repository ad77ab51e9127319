/* The first signal is noted, and read by the thread's stop token; the second has its default
 * effect. */
#include "server/command/stop_signal.h"

#include <signal.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static Status poll_signal(void *self, Error *err)
{
    (void)self;
    return stopped ? error_set(err, ERR_CANCELLED, "stopped by a signal") : OK;
}

/* A signal that the caller has told us to ignore, such as SIGHUP below nohup, stays ignored. */
static void handle(int number, void (*handler)(int number))
{
    struct sigaction action, before;
    if (sigaction(number, NULL, &before) != 0 || before.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_all(void (*handler)(int number))
{
    handle(SIGINT, handler);
    handle(SIGTERM, handler);
    handle(SIGHUP, handler);
}

void stop_signal_begin(StopToken *token)
{
    stopped = 0;
    handle_all(on_signal);
    stop_token_begin(token, poll_signal, NULL);
}

Status stop_signal_settle(Status status, Error *err)
{
    return stopped ? poll_signal(NULL, err) : status;
}

void stop_signal_end(StopToken *token)
{
    stop_token_end(token);
    handle_all(SIG_DFL);
}
