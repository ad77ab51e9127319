/* A sorted array of messages. */
#include "server/work/member_failures.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { MESSAGE_MAX = 512 };

typedef struct Said {
    uint64_t member;
    char *message;
} Said;

struct MemberFailures {
    Said *said; /* by member */
    size_t n, capacity;
    MemberText *list;
    size_t list_capacity;
};

MemberFailures *member_failures_new(void)
{
    return alloc_array(1, sizeof(MemberFailures));
}

void member_failures_free(MemberFailures *failures)
{
    if (!failures)
        return;
    for (size_t i = 0; i < failures->n; i++)
        free(failures->said[i].message);
    free(failures->said);
    free(failures->list);
    free(failures);
}

/* The place of the first message that is not before the member. */
static size_t place_of(const MemberFailures *failures, uint64_t member)
{
    size_t low = 0, high = failures->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (failures->said[middle].member < member)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void member_failures_add(MemberFailures *failures, uint64_t member, const char *message)
{
    const size_t at = place_of(failures, member);
    if (!*message || at >= MEMBER_TEXTS_MAX ||
        !grow_array(&failures->said, &failures->capacity, failures->n + 1, sizeof(Said)))
        return;
    char *copy = strndup(message, MESSAGE_MAX);
    if (!copy)
        return;
    memmove(failures->said + at + 1, failures->said + at, (failures->n - at) * sizeof(Said));
    failures->said[at] = (Said){member, copy};
    if (++failures->n > MEMBER_TEXTS_MAX)
        free(failures->said[--failures->n].message);
}

Status member_failures_list(MemberFailures *failures, uint64_t end, const MemberText **ret_said,
                            size_t *ret_n, Error *err)
{
    const size_t n = place_of(failures, end);
    if (!grow_array(&failures->list, &failures->list_capacity, n, sizeof *failures->list))
        return error_set(err, ERR_NO_MEMORY, "out of memory for messages of members");
    for (size_t i = 0; i < n; i++)
        failures->list[i] = (MemberText){failures->said[i].member, failures->said[i].message};
    *ret_said = failures->list;
    *ret_n = n;
    return OK;
}
