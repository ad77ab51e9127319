/* A store in a new directory, and jobs for it. */
#include "tests/db/fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

void remove_directory(const char *path)
{
    char name[512];
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%.255s", path, entry->d_name);
        unlink(name);
    }
    closedir(directory);
    rmdir(path);
}

void fixture_init(Fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    strcpy(fixture->directory, "/tmp/dalembert-db-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(fixture->directory));
    fixture->options.directory = fixture->directory;
    fixture->arena = arena_new((size_t)1 << 30);
    ck_assert_ptr_nonnull(fixture->arena);
    ck_ok(store_open(&fixture->options, &fixture->store, err));
}

void fixture_reopen(Fixture *fixture)
{
    store_close(fixture->store);
    fixture->store = NULL;
    ck_ok(store_open(&fixture->options, &fixture->store, err));
}

void fixture_done(Fixture *fixture)
{
    store_close(fixture->store);
    arena_free(fixture->arena);
    remove_directory(fixture->directory);
}

JobDraft draft_of(const char *request)
{
    return (JobDraft){
        .request = request,
        .request_size = strlen(request),
        .request_hash = "hash-of-request",
        .model_id = "hash-of-model",
        .model_name = "pendulum",
        .labels = "{}",
        .formulation = "lagrange-dalembert",
        .method = "dop853",
    };
}

JobRecord add_priority(Fixture *fixture, const char *request, int priority)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of(request);
    draft.priority = priority;
    ck_ok(store_job_add(default_tenant(fixture->store), &draft, fixture->arena, &job, &replayed,
                        err));
    ck_assert(!replayed);
    return job;
}

JobRecord add_job(Fixture *fixture, const char *request)
{
    return add_priority(fixture, request, 0);
}

JobLease claim_job(Fixture *fixture)
{
    JobLease lease;
    ck_ok(store_job_claim(fixture->store, fixture->arena, &lease, err));
    return lease;
}

JobRecord get_job(Fixture *fixture, const char *id)
{
    JobRecord job;
    ck_ok(store_job_get(default_tenant(fixture->store), id, fixture->arena, &job, err));
    return job;
}

void finish_job(Fixture *fixture, const JobLease *lease, JobState state)
{
    const JobFinish finish = {.state = state, .complete = state == JOB_SUCCEEDED};
    ck_ok(store_job_finish(fixture->store, lease->job.id, lease->token, &finish, err));
}
