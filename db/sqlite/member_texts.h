/* Stored messages of failed members. */
#ifndef DB_SQLITE_MEMBER_TEXTS_H
#define DB_SQLITE_MEMBER_TEXTS_H

#include "db/sqlite/sqlite_store.h"

/* For run(). Members ascend; each has one message. */
Status member_texts_add(Store *store, int64_t job, const MemberText *said, size_t n,
                        Error *err) MUST_CHECK;
Status member_texts_drop(Store *store, int64_t job, Error *err) MUST_CHECK;

#endif
