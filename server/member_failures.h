/* What members of ensembles said when they failed, of each ensemble the first so many by their numbers. Kept in memory while
 * it runs: of what failed before a restart only the reason is known. Thread-safe. */
#ifndef SERVER_MEMBER_FAILURES_H
#define SERVER_MEMBER_FAILURES_H

#include "api/documents/documents.h"
#include "db/store.h"

enum { MEMBER_FAILURES_MAX = 1000 };

typedef struct MemberFailures MemberFailures;

MemberFailures *member_failures_new(void); /* NULL when out of memory */
void member_failures_free(MemberFailures *failures);

void member_failures_add(MemberFailures *failures, const char *job_id, uint64_t member,
                         const char *message);
/* What a member said, in the arena, or NULL. */
const char *member_failures_find(MemberFailures *failures, const char *job_id, uint64_t member,
                                 Arena *arena);
void member_failures_drop(MemberFailures *failures, const char *job_id);

#endif
