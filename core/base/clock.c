/* Time: monotonic for durations, the calendar for people. */
#include "core/base/clock.h"

#include <stdio.h>
#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void clock_timespec(double seconds, struct timespec *ret_time)
{
    ret_time->tv_sec = (time_t)seconds;
    ret_time->tv_nsec = (long)((seconds - (double)ret_time->tv_sec) * 1e9);
}

int64_t clock_unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void clock_format(int64_t unix_ms, char *ret_text)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm date;
    gmtime_r(&seconds, &date);
    snprintf(ret_text, CLOCK_TEXT_MAX, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
             (date.tm_year + 1900) % 10000, date.tm_mon + 1, date.tm_mday, date.tm_hour,
             date.tm_min, date.tm_sec, (int)(unix_ms % 1000));
}
