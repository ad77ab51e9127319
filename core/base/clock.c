/* Time: monotonic for durations, the calendar for people (RFC 3339). */
#include "core/base/clock.h"

#include <stdio.h>
#include <string.h>
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

/* Reads exactly this number of digits. */
static bool read_digits(const char **text, int n, int *ret_value)
{
    int value = 0;
    for (; n > 0; n--, (*text)++) {
        if (**text < '0' || **text > '9')
            return false;
        value = 10 * value + (**text - '0');
    }
    *ret_value = value;
    return true;
}

static bool read_mark(const char **text, const char *marks)
{
    const bool found = **text && strchr(marks, **text);
    *text += found;
    return found;
}

/* ".123456" is 123 ms; no fraction is 0 ms. */
static bool read_fraction(const char **text, int *ret_ms)
{
    *ret_ms = 0;
    if (!read_mark(text, "."))
        return true;
    int unit = 100, digit;
    if (!read_digits(text, 1, &digit))
        return false;
    do {
        *ret_ms += unit * digit;
        unit /= 10;
    } while (read_digits(text, 1, &digit));
    return true;
}

/* "Z", or an offset such as "+01:00", in minutes. */
static bool read_offset(const char **text, int *ret_minutes)
{
    int hours, minutes;
    *ret_minutes = 0;
    if (read_mark(text, "Zz"))
        return true;
    const int sign = **text == '-' ? -1 : 1;
    if (!read_mark(text, "+-") || !read_digits(text, 2, &hours) || !read_mark(text, ":") ||
        !read_digits(text, 2, &minutes) || hours > 23 || minutes > 59)
        return false;
    *ret_minutes = sign * (60 * hours + minutes);
    return true;
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(int year, int month)
{
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : DAYS[month - 1];
}

/* From 1970-01-01 to this date of the Gregorian calendar, from year 0 on. */
static int64_t days_since_1970(int year, int month, int day)
{
    enum { DAYS_TO_1970 = 719528 }; /* from 0000-01-01 */
    const int64_t before =
        year > 0 ? year - 1 : 0; /* the last complete year, counted from year 1 */
    int64_t days = 365 * (int64_t)year + before / 4 - before / 100 + before / 400 + (year > 0);
    for (int m = 1; m < month; m++)
        days += days_of_month(year, m);
    return days + day - 1 - DAYS_TO_1970;
}

bool clock_parse(const char *text, int64_t *ret_unix_ms)
{
    int year, month, day, hour, minute, second, ms, offset;
    if (!read_digits(&text, 4, &year) || !read_mark(&text, "-") || !read_digits(&text, 2, &month) ||
        !read_mark(&text, "-") || !read_digits(&text, 2, &day) || !read_mark(&text, "Tt") ||
        !read_digits(&text, 2, &hour) || !read_mark(&text, ":") ||
        !read_digits(&text, 2, &minute) || !read_mark(&text, ":") ||
        !read_digits(&text, 2, &second) || !read_fraction(&text, &ms) ||
        !read_offset(&text, &offset) || *text)
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, month) || hour > 23 ||
        minute > 59 || second > 60) /* 60: a leap second */
        return false;
    const int64_t minutes = 60 * (24 * days_since_1970(year, month, day) + hour) + minute - offset;
    *ret_unix_ms = 1000 * (60 * minutes + second) + ms;
    return true;
}
