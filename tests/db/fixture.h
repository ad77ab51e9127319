/* What the tests of the store share: a store in a directory of its own, and jobs to put in. */
#ifndef TESTS_DB_FIXTURE_H
#define TESTS_DB_FIXTURE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "db/store.h"

typedef struct Fixture {
    char directory[64];
    StoreOptions options;
    Store *store;
    Arena *arena;
} Fixture;

void fixture_init(Fixture *fixture); /* a new directory, an open store */
void fixture_reopen(Fixture *fixture);
void fixture_done(Fixture *fixture); /* closes, removes the directory */
void remove_directory(const char *path);

/* Fails the test with the message when the status is not OK. */
#define ck_ok(call)                                                                            \
    do {                                                                                       \
        Error error_ = {0};                                                                    \
        Error *err = &error_;                                                                  \
        Status status_ = (call);                                                               \
        ck_assert_msg(status_ == OK, #call ": %s (%s)", status_text(status_), error_.message); \
    } while (0)
#define ck_fails(call, expected)                                                      \
    do {                                                                              \
        Error error_ = {0};                                                           \
        Error *err = &error_;                                                         \
        Status status_ = (call);                                                      \
        ck_assert_msg(status_ == (expected), #call ": %s (%s)", status_text(status_), \
                      error_.message);                                                \
        ck_assert_msg(error_.message[0] != '\0', #call ": no message");               \
    } while (0)

JobDraft draft_of(const char *request); /* all else plain */
JobRecord add_job(Fixture *fixture, const char *request);
JobRecord add_priority(Fixture *fixture, const char *request, int priority);
JobLease claim_job(Fixture *fixture);
JobRecord get_job(Fixture *fixture, const char *id);
void finish_job(Fixture *fixture, const JobLease *lease, JobState state);

#endif
