/* Messages of failed members: of the reported ones, the first MEMBER_TEXTS_MAX by their numbers. */
#ifndef SERVER_MEMBER_FAILURES_H
#define SERVER_MEMBER_FAILURES_H

#include "db/store.h"

typedef struct MemberFailures MemberFailures;

MemberFailures *member_failures_new(void); /* NULL when out of memory */
void member_failures_free(MemberFailures *failures);

/* Once for each member. An empty message is left out, as is one without memory for it. */
void member_failures_add(MemberFailures *failures, uint64_t member, const char *message);
/* Messages of the members before `end`, ascending; valid until the next call. */
Status member_failures_list(MemberFailures *failures, uint64_t end, const MemberText **ret_said,
                            size_t *ret_n, Error *err) MUST_CHECK;

#endif
