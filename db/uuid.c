/* UUIDs of version 7 (RFC 9562, section 5.7) from a clock, a counter and random bits, strictly
 * increasing. */
#include "db/uuid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { COUNTER_MAX = 0xfff, CELL_SHIFT = 54, TAIL_AT = 19 };

Status secure_random(void *bytes, size_t size, Error *err)
{
    unsigned char *out = bytes;
    size_t done = 0;
    while (done < size) {
        ssize_t n = getrandom(out + done, size - done, 0);
        if (n > 0)
            done += (size_t)n;
        else if (errno != EINTR)
            return error_set(err, ERR_IO, "no random numbers: %s", strerror(errno));
    }
    return OK;
}

Status uuid_next(UuidSource *source, int64_t unix_ms, char *ret_text, Error *err)
{
    uint64_t random[2];
    Status status = secure_random(random, sizeof random, err);
    if (status != OK)
        return status;

    if (unix_ms <= source->ms && source->counter < COUNTER_MAX) {
        source->counter++;
    } else {
        source->ms = unix_ms > source->ms ? unix_ms : source->ms + 1;
        source->counter = (unsigned)random[1] & (COUNTER_MAX >> 1); /* room to count */
    }
    const uint64_t ms = (uint64_t)source->ms & UINT64_C(0xffffffffffff);
    const uint64_t tail = (random[0] & (UINT64_MAX >> 10)) | (uint64_t)source->cell << CELL_SHIFT |
                          UINT64_C(1) << 63; /* variant 10 */
    snprintf(ret_text, UUID_TEXT_MAX, "%08" PRIx64 "-%04" PRIx64 "-7%03x-%04" PRIx64 "-%012" PRIx64,
             ms >> 16, ms & 0xffff, source->counter, tail >> 48, tail & UINT64_C(0xffffffffffff));
    return OK;
}

/* The first n hexadecimal digits of a text, without its hyphens; -1 if there are fewer. */
static int64_t hex_digits(const char *text, int n)
{
    static const char DIGITS[] = "0123456789abcdef";
    int64_t value = 0;
    for (; n > 0; text++) {
        if (*text == '-')
            continue;
        const char *digit = *text ? strchr(DIGITS, *text) : NULL;
        if (!digit)
            return -1;
        value = value * 16 + (digit - DIGITS);
        n--;
    }
    return value;
}

unsigned uuid_cell(const char *text, const char *last_without)
{
    if (strlen(text) != UUID_TEXT_MAX - 1 || (last_without && strcmp(text, last_without) <= 0))
        return 0;
    const int64_t top = hex_digits(text + TAIL_AT, 4); /* the tail's first 16 bits */
    return top < 0 ? 0 : (unsigned)(top >> (CELL_SHIFT - 48)) & 0xff;
}

uint64_t uuid_place(const char *text)
{
    enum { DIGITS = 15, HYPHENS = 2 }; /* 15 digits fit into an int64_t */
    if (strlen(text) != UUID_TEXT_MAX - 1)
        return 0;
    const int64_t top = hex_digits(text, DIGITS), last = hex_digits(text + DIGITS + HYPHENS, 1);
    return top < 0 || last < 0 ? 0 : (uint64_t)top << 4 | (uint64_t)last;
}

void uuid_resume(UuidSource *source, const char *text)
{
    const int64_t ms = hex_digits(text, 12);
    if (ms < source->ms)
        return;
    source->ms = ms;
    source->counter = COUNTER_MAX;
}
