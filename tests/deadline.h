/* The guard against hanging, and the only place of the tests in C that knows time.
 *
 * A test says what happens and in which order, never how fast: on a loaded machine everything is
 * slow. What must be cheap is counted: nodes, steps, statements, calls. A test that hangs as a
 * whole is ended by Check after CK_DEFAULT_TIMEOUT seconds, which the Makefile sets. */
#ifndef TESTS_DEADLINE_H
#define TESTS_DEADLINE_H

#include <check.h>
#include <stdint.h>
#include <time.h>

enum { DEADLINE_MS = 300000 };

static inline void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* One pause of a loop that waits for something; fails the test after too many of them. */
static inline void deadline(unsigned *pauses, const char *what)
{
    ck_assert_msg(++*pauses < DEADLINE_MS, "still waiting for %s", what);
    pause_ms(1);
}

/* An instant of the calendar that is so far from now (Unix time in ms), for what is told one. */
static inline int64_t instant_in(int64_t ms)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + ms;
}

/* Until the condition holds. */
#define WAIT_UNTIL(condition)               \
    do {                                    \
        unsigned pauses_ = 0;               \
        while (!(condition))                \
            deadline(&pauses_, #condition); \
    } while (0)

#endif
