/* A list of ensembles, each with a sorted array of messages. */
#include "server/member_failures.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { MESSAGE_MAX = 512 };

typedef struct Said {
    uint64_t member;
    char *message;
} Said;

typedef struct Failures {
    struct Failures *next;
    char job_id[JOB_ID_MAX];
    Said *said; /* by member */
    size_t n, capacity;
} Failures;

struct MemberFailures {
    pthread_mutex_t lock;
    Failures *first;
};

MemberFailures *member_failures_new(void)
{
    MemberFailures *failures = alloc_array(1, sizeof *failures);
    if (failures)
        pthread_mutex_init(&failures->lock, NULL);
    return failures;
}

static void failures_free(Failures *failures)
{
    for (size_t i = 0; i < failures->n; i++)
        free(failures->said[i].message);
    free(failures->said);
    free(failures);
}

void member_failures_free(MemberFailures *failures)
{
    if (!failures)
        return;
    for (Failures *f = failures->first, *next; f; f = next) {
        next = f->next;
        failures_free(f);
    }
    pthread_mutex_destroy(&failures->lock);
    free(failures);
}

static Failures **find(MemberFailures *failures, const char *job_id)
{
    Failures **link = &failures->first;
    while (*link && strcmp((*link)->job_id, job_id) != 0)
        link = &(*link)->next;
    return link;
}

/* The first that is not before the member. */
static size_t place_of(const Failures *failures, uint64_t member)
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

static void add(Failures *failures, uint64_t member, const char *message)
{
    const size_t at = place_of(failures, member);
    const bool known = at < failures->n && failures->said[at].member == member;
    if (known || at >= MEMBER_FAILURES_MAX ||
        !grow_array(&failures->said, &failures->capacity, failures->n + 1, sizeof(Said)))
        return;
    char *copy = strndup(message, MESSAGE_MAX);
    if (!copy)
        return;
    memmove(failures->said + at + 1, failures->said + at, (failures->n - at) * sizeof(Said));
    failures->said[at] = (Said){member, copy};
    if (++failures->n > MEMBER_FAILURES_MAX)
        free(failures->said[--failures->n].message);
}

void member_failures_add(MemberFailures *failures, const char *job_id, uint64_t member,
                         const char *message)
{
    pthread_mutex_lock(&failures->lock);
    Failures **of = find(failures, job_id);
    if (!*of) {
        *of = alloc_array(1, sizeof **of);
        if (*of)
            memcpy((*of)->job_id, job_id, strlen(job_id) + 1);
    }
    if (*of)
        add(*of, member, message);
    pthread_mutex_unlock(&failures->lock);
}

const char *member_failures_find(MemberFailures *failures, const char *job_id, uint64_t member,
                                 Arena *arena)
{
    const char *message = NULL;
    pthread_mutex_lock(&failures->lock);
    const Failures *of = *find(failures, job_id);
    const size_t at = of ? place_of(of, member) : 0;
    if (of && at < of->n && of->said[at].member == member)
        message = arena_strdup(arena, of->said[at].message);
    pthread_mutex_unlock(&failures->lock);
    return message;
}

void member_failures_drop(MemberFailures *failures, const char *job_id)
{
    pthread_mutex_lock(&failures->lock);
    Failures **link = find(failures, job_id), *of = *link;
    if (of) {
        *link = of->next;
        failures_free(of);
    }
    pthread_mutex_unlock(&failures->lock);
}
