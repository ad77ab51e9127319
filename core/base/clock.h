/* Two clocks: a monotonic one for durations, and the date. */
#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct timespec;

double clock_seconds(void);  /* monotonic, from an arbitrary origin */
int64_t clock_unix_ms(void); /* milliseconds since 1970-01-01T00:00:00Z */

/* A time of clock_seconds() as a timespec of CLOCK_MONOTONIC. */
void clock_timespec(double seconds, struct timespec *ret_time);

enum { CLOCK_TEXT_MAX = 80 };
/* RFC 3339, UTC, milliseconds: "2026-01-31T12:00:00.000Z". */
void clock_format(int64_t unix_ms, char *ret_text);
/* A date-time of RFC 3339 with its offset, such as "2026-01-31T13:00:00+01:00". Digits beyond
 * milliseconds are dropped. False if the text is not a date-time. */
bool clock_parse(const char *text, int64_t *ret_unix_ms);

#endif
