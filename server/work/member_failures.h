/* What members said when they failed: of those that are told, the first MEMBER_TEXTS_MAX by their
 * numbers. */
#ifndef SERVER_MEMBER_FAILURES_H
#define SERVER_MEMBER_FAILURES_H

#include "db/store.h"

typedef struct MemberFailures MemberFailures;

MemberFailures *member_failures_new(void); /* NULL when out of memory */
void member_failures_free(MemberFailures *failures);

/* Each member once. What there is no memory for is left out, as is an empty message. */
void member_failures_add(MemberFailures *failures, uint64_t member, const char *message);
/* Of the members before `end`, in their order; until the next call. */
Status member_failures_list(MemberFailures *failures, uint64_t end, const MemberText **ret_said,
                            size_t *ret_n, Error *err) MUST_CHECK;

#endif
