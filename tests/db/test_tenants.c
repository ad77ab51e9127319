/* Two tenants of one store: neither learns of the other's jobs and models, and neither waits longer
 * than its share for the other's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;
static TenantStore ours, theirs; /* "default", and another one */

static TenantStore add_tenant(const char *name, TenantQuotas quotas)
{
    TenantRecord tenant = {.name = name, .quotas = quotas};
    ck_ok(store_tenant_add(f.store, &tenant, err));
    return (TenantStore){f.store, tenant.number};
}

static void setup(void)
{
    fixture_init(&f);
    ours = default_tenant(f.store);
    theirs = add_tenant("theirs", (TenantQuotas){0});
}

static void reopen(void)
{
    fixture_reopen(&f);
    ours.store = theirs.store = f.store;
}

static void teardown(void)
{
    fixture_done(&f);
}

static JobRecord add_draft(TenantStore of, const JobDraft *draft)
{
    JobRecord job;
    bool replayed;
    ck_ok(store_job_add(of, draft, f.arena, &job, &replayed, err));
    return job;
}

static JobRecord add(TenantStore of)
{
    const JobDraft draft = draft_of("{}");
    return add_draft(of, &draft);
}

static JobFilter all(void)
{
    return (JobFilter){.since = -1, .limit = 1000};
}

static size_t count_listed(TenantStore of, JobFilter filter)
{
    JobRecord *jobs;
    size_t n;
    bool more;
    ck_ok(store_job_list(of, &filter, f.arena, &jobs, &n, &more, err));
    return n;
}

static StoreCounts counts_of(TenantStore of)
{
    StoreCounts counts;
    ck_ok(store_counts(of, &counts, err));
    return counts;
}

/* Everything that takes the id of a job. */

static char sought[JOB_ID_MAX];

static Status get(TenantStore of, Error *err)
{
    JobRecord job;
    return store_job_get(of, sought, f.arena, &job, err);
}

static Status get_request(TenantStore of, Error *err)
{
    const char *bytes;
    size_t size;
    return store_job_request(of, sought, f.arena, &bytes, &size, err);
}

static Status get_document(TenantStore of, Error *err)
{
    const char *text;
    return store_job_document(of, sought, JOB_INVARIANTS, f.arena, &text, err);
}

static Status get_block(TenantStore of, Error *err)
{
    ResultBlock block;
    return store_result_block(of, sought, -1, 0, f.arena, &block, err);
}

static Status find_time(TenantStore of, Error *err)
{
    uint64_t row;
    return store_result_find(of, sought, -1, 0.5, &row, err);
}

static Status get_rows(TenantStore of, Error *err)
{
    uint64_t rows;
    return store_result_rows(of, sought, -1, &rows, err);
}

static Status get_member(TenantStore of, Error *err)
{
    ResultBlock block;
    return store_member_block(of, sought, -1, 0, 0, f.arena, &block, err);
}

static Status get_table(TenantStore of, Error *err)
{
    ResultBlock block;
    uint64_t place = 0;
    return store_table_next(of, sought, -1, &place, f.arena, &block, err);
}

static Status get_nodes(TenantStore of, Error *err)
{
    MemberNode *nodes;
    size_t n;
    return store_member_nodes(of, sought, 0, f.arena, &nodes, &n, err);
}

static Status cancel(TenantStore of, Error *err)
{
    JobRecord job;
    return store_job_cancel(of, sought, f.arena, &job, err);
}

static Status cancel_in_bulk(TenantStore of, Error *err)
{
    const char *const ids[] = {sought};
    Status each[1];
    const Status status = store_jobs_cancel(of, ids, 1, each, err);
    return status == OK ? error_set(err, each[0], "no job '%s'", sought) : status;
}

static Status delete_in_bulk(TenantStore of, Error *err)
{
    const char *const ids[] = {sought};
    Status each[1];
    const Status status = store_jobs_delete(of, ids, 1, each, err);
    return status == OK ? error_set(err, each[0], "no job '%s'", sought) : status;
}

static Status delete (TenantStore of, Error *err)
{
    return store_job_delete(of, sought, err);
}

static Status (*const BY_ID[])(TenantStore of, Error *err) = {
    get,       get_request, get_document, get_block, find_time,      get_rows,      get_member,
    get_table, get_nodes,   cancel,       delete,    cancel_in_bulk, delete_in_bulk};
enum { N_BY_ID = sizeof BY_ID / sizeof *BY_ID };

static int statement_steps(void *count)
{
    (*(uint64_t *)count)++;
    return 0;
}

/* The instructions that SQLite executes for it; each reader and the writer count. */
static uint64_t cost_of(Status (*act)(TenantStore of, Error *err), TenantStore of, const char *id,
                        Error *ret_error)
{
    uint64_t count = 0;
    snprintf(sought, sizeof sought, "%s", id);
    ck_assert_int_eq(act(of, ret_error), ERR_NOT_FOUND); /* before, to prepare the statements */
    for (int k = 0; k < READERS; k++)
        sqlite3_progress_handler(f.store->readers.connections[k].db, 1, statement_steps, &count);
    sqlite3_progress_handler(f.store->writer.connection.db, 1, statement_steps, &count);
    ck_assert_int_eq(act(of, ret_error), ERR_NOT_FOUND);
    for (int k = 0; k < READERS; k++)
        sqlite3_progress_handler(f.store->readers.connections[k].db, 0, NULL, NULL);
    sqlite3_progress_handler(f.store->writer.connection.db, 0, NULL, NULL);
    return count;
}

static JobRecord add_with_result(TenantStore of)
{
    const double rows[4] = {0, 1, 1, 2};
    const JobRecord job = add(of);
    const JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, job.id);
    ck_assert_int_eq(lease.tenant, of.tenant);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[\"t\",\"x\"]", NULL, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, rows, 2, 2, err));
    finish_job(&f, &lease, JOB_SUCCEEDED);
    return job;
}

START_TEST(a_job_of_another_tenant_is_as_no_job)
{
    Error error, expected;
    const JobRecord job = add_with_result(theirs);
    char none[JOB_ID_MAX];
    memcpy(none, job.id, sizeof none);
    none[JOB_ID_MAX - 2] = none[JOB_ID_MAX - 2] == '0' ? '1' : '0'; /* an id of nobody */
    const uint64_t nothing = cost_of(BY_ID[_i], ours, none, &expected);
    const uint64_t foreign = cost_of(BY_ID[_i], ours, job.id, &error);
    /* the same words but for the id; the index finds the row, and its tenant is compared */
    ck_assert_uint_eq(strlen(error.message), strlen(expected.message));
    ck_assert_uint_le(foreign, nothing + 6);
    snprintf(sought, sizeof sought, "%s", job.id);
    ck_ok(get(theirs, err));
    ck_ok(get_block(theirs, err));
}
END_TEST

START_TEST(member_texts_of_another_tenant_are_none)
{
    MemberText *said;
    size_t n = 1;
    const JobRecord job = add(theirs);
    ck_ok(store_member_texts(ours, job.id, 0, 1, f.arena, &said, &n, err));
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(lists_counts_and_revisions_are_of_the_tenant)
{
    const JobLabel label = {"a", "b"};
    JobDraft draft = draft_of("{}");
    draft.labels = "{\"a\":\"b\"}";
    draft.model_id = "model-id";
    for (int k = 0; k < 3; k++)
        add_draft(theirs, &draft);
    const JobRecord mine = add_draft(ours, &draft);
    ck_assert_int_eq(mine.revision, 1);
    ck_assert_int_eq(store_revision(ours), 1);
    ck_assert_int_eq(store_revision(theirs), 3);
    JobFilter filters[] = {all(), all(), all(), all(), all()};
    filters[1].by_state = true;
    filters[2].model_id = draft.model_id;
    filters[3].labels = &label;
    filters[3].n_labels = 1;
    filters[4].since = 0;
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++) {
        ck_assert_uint_eq(count_listed(ours, filters[k]), 1);
        ck_assert_uint_eq(count_listed(theirs, filters[k]), 3);
    }
    ck_assert_uint_eq(counts_of(ours).queued, 1);
    ck_assert_uint_eq(counts_of(theirs).queued, 3);
    ck_assert_uint_eq(counts_of((TenantStore){f.store, TENANT_ALL}).queued, 4);
    /* a restart changes none of it */
    reopen();
    ck_assert_int_eq(store_revision(ours), 1);
    ck_assert_int_eq(store_revision(theirs), 3);
    ck_assert_uint_eq(counts_of(theirs).queued, 3);
}
END_TEST

START_TEST(deletions_are_told_to_their_tenant)
{
    DeletedJob *deleted;
    size_t n;
    int64_t forgotten;
    JobRecord job = add(theirs);
    ck_ok(store_job_cancel(theirs, job.id, f.arena, &job, err));
    ck_ok(store_job_delete(theirs, job.id, err));
    ck_ok(store_deleted_list(ours, 0, 10, f.arena, &deleted, &n, &forgotten, err));
    ck_assert_uint_eq(n, 0);
    ck_ok(store_deleted_list(theirs, 0, 10, f.arena, &deleted, &n, &forgotten, err));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(deleted[0].id, job.id);
    ck_assert_int_eq(deleted[0].revision, store_revision(theirs));
}
END_TEST

START_TEST(an_idempotency_key_is_of_its_tenant)
{
    JobDraft draft = draft_of("{}"), other = draft_of("{\"other\":1}");
    draft.idempotency_key = other.idempotency_key = "key";
    const JobRecord mine = add_draft(ours, &draft);
    const JobRecord foreign = add_draft(theirs, &other); /* with another request: no conflict */
    ck_assert_str_ne(mine.id, foreign.id);
    JobRecord again;
    ck_ok(store_job_replay(ours, &draft, f.arena, &again, err));
    ck_assert_str_eq(again.id, mine.id);
    ck_ok(store_job_replay(theirs, &other, f.arena, &again, err));
    ck_assert_str_eq(again.id, foreign.id);
    ck_fails(store_job_replay(theirs, &draft, f.arena, &again, err), ERR_CONFLICT);
    /* no key of the default tenant is another tenant's stored key */
    draft.idempotency_key = "2\x1fkey";
    ck_fails(store_job_replay(add_tenant("third", (TenantQuotas){0}), &draft, f.arena, &again, err),
             ERR_NOT_FOUND);
}
END_TEST

START_TEST(the_keys_of_a_batch_are_of_its_tenant)
{
    JobDraft drafts[] = {draft_of("{}"), draft_of("{}")}, other = draft_of("{\"other\":1}");
    JobRecord jobs[2];
    bool replayed;
    /* a batch of the default tenant whose key is the number of another one */
    drafts[0].idempotency_key = arena_printf(f.arena, "%lld", (long long)theirs.tenant);
    drafts[1].idempotency_key = batch_key(drafts[0].idempotency_key, 1, f.arena);
    ck_ok(store_jobs_add(ours, drafts, 2, f.arena, jobs, &replayed, err));
    other.idempotency_key = "1";
    add_draft(theirs, &other);
    ck_ok(store_jobs_replay(ours, drafts, 2, f.arena, jobs, err));
    ck_assert_str_ne(jobs[1].id, "");
}
END_TEST

START_TEST(results_are_reused_within_a_tenant)
{
    JobDraft draft = draft_of("{}");
    draft.reuse_key = "inputs";
    draft.program = "program";
    add_draft(theirs, &draft);
    const JobLease lease = claim_job(&f);
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true, .program = "program"};
    ck_ok(store_job_finish(f.store, lease.job.id, lease.token, &finish, err));
    ck_assert_ptr_null(add_draft(ours, &draft).reused.job);
    ck_assert_ptr_nonnull(add_draft(theirs, &draft).reused.job);
}
END_TEST

START_TEST(a_model_is_stored_once_and_owned_by_each)
{
    bool created;
    ModelRecord model, *models;
    size_t n;
    bool more;
    ck_ok(store_model_put(theirs, "id", "name", "{}", 2, &created, err));
    ck_assert(created);
    ck_fails(store_model_get(ours, "id", f.arena, &model, err), ERR_NOT_FOUND);
    ck_fails(store_model_kept(ours, "id", f.arena, &model, err), ERR_NOT_FOUND);
    ck_fails(store_model_delete(ours, "id", err), ERR_NOT_FOUND);
    ck_fails(store_model_list(ours, "id", 10, f.arena, &models, &n, &more, err), ERR_NOT_FOUND);
    ck_ok(store_model_put(ours, "id", "name", "{}", 2, &created, err));
    ck_assert_msg(created, "200 instead of 201 would tell that another tenant has it");
    ck_ok(store_model_put(ours, "id", "name", "{}", 2, &created, err));
    ck_assert(!created);
    ck_assert_uint_eq(counts_of(ours).models, 1);
    /* it goes with its last owner */
    ck_ok(store_model_delete(theirs, "id", err));
    ck_fails(store_model_get(theirs, "id", f.arena, &model, err), ERR_NOT_FOUND);
    ck_ok(store_model_get(ours, "id", f.arena, &model, err));
    ck_ok(store_model_list(ours, NULL, 10, f.arena, &models, &n, &more, err));
    ck_assert_uint_eq(n, 1);
    ck_ok(store_model_delete(ours, "id", err));
    int64_t left;
    Connection *reader = reader_take(f.store);
    ck_ok(connection_int(reader, "SELECT count(*) FROM models", &left, err));
    reader_give(f.store, reader);
    ck_assert_int_eq(left, 0);
}
END_TEST

START_TEST(a_model_of_a_job_is_kept_for_the_tenant_of_the_job)
{
    bool created;
    ModelRecord model;
    JobDraft draft = draft_of("{}");
    draft.model_id = "id";
    ck_ok(store_model_put(theirs, "id", "name", "{}", 2, &created, err));
    add_draft(theirs, &draft);
    ck_ok(store_model_delete(theirs, "id", err));
    ck_ok(store_model_kept(theirs, "id", f.arena, &model, err));
    ck_fails(store_model_kept(ours, "id", f.arena, &model, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_notification_names_the_tenant_whose_secret_signs_it)
{
    DueCall *calls;
    size_t n;
    JobDraft draft = draft_of("{}");
    draft.notify = (JobNotify){"https://a.example/", "https://a.example:443", "[\"done\"]"};
    JobRecord job = add_draft(theirs, &draft);
    ck_ok(store_job_cancel(theirs, job.id, f.arena, &job, err));
    ck_ok(store_calls_due(f.store, INT64_MAX, "", 1, 1, f.arena, &calls, &n, err));
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(calls[0].tenant, "theirs");
}
END_TEST

/* Whose jobs are claimed, one letter each. */
static void claim_all(char *ret_order)
{
    JobLease lease;
    while (store_job_claim(f.store, f.arena, &lease, NULL) == OK) {
        *ret_order++ = lease.tenant == ours.tenant     ? 'o'
                       : lease.tenant == theirs.tenant ? 't'
                                                       : '3';
        finish_job(&f, &lease, JOB_SUCCEEDED);
    }
    *ret_order = '\0';
}

START_TEST(tenants_take_turns)
{
    char order[40];
    const TenantStore third = add_tenant("third", (TenantQuotas){0});
    JobDraft urgent = draft_of("{}");
    urgent.priority = 100;
    for (int k = 0; k < 9; k++)
        add_draft(theirs, &urgent); /* a priority counts among the tenant's own jobs */
    add(ours);
    add(ours);
    add(third);
    claim_all(order);
    ck_assert_str_eq(order, "ot3otttttttt");
}
END_TEST

START_TEST(a_flood_delays_another_tenant_by_its_turns_only)
{
    enum { AT_ONCE = 1000, BATCHES = 2, MANY_BATCHES = 100, OWN = 20 };
    JobDraft drafts[AT_ONCE];
    JobLease lease;
    int claimed = 0, own = 0;
    for (int k = 0; k < AT_ONCE; k++)
        drafts[k] = draft_of("{}");
    for (int k = 0; k < (getenv("POINTS") ? MANY_BATCHES : BATCHES); k++) {
        Arena scratch = {0};
        bool replayed;
        JobRecord *jobs = ARENA_NEW(&scratch, AT_ONCE, JobRecord);
        ck_ok(store_jobs_add(theirs, drafts, AT_ONCE, &scratch, jobs, &replayed, err));
        arena_done(&scratch);
    }
    for (int k = 0; k < OWN; k++)
        add(ours);
    for (; own < OWN; claimed++) {
        lease = claim_job(&f);
        own += lease.tenant == ours.tenant;
        finish_job(&f, &lease, JOB_SUCCEEDED);
    }
    ck_assert_int_le(claimed, 2 * OWN);
}
END_TEST

START_TEST(jobs_whose_process_died_come_after_those_of_all_tenants)
{
    const JobRecord died = add(theirs);
    claim_job(&f);
    reopen(); /* as after a kill: the job ran */
    ck_assert_uint_eq(get_job(&f, add(ours).id).attempt, 0);
    const JobLease first = claim_job(&f), second = claim_job(&f);
    ck_assert_int_eq(first.tenant, ours.tenant);
    ck_assert_str_eq(second.job.id, died.id);
    ck_assert_uint_eq(second.job.attempt, 2);
}
END_TEST

START_TEST(the_quota_of_queued_jobs_is_kept)
{
    const TenantStore small = add_tenant("small", (TenantQuotas){.queued = 2});
    const JobDraft draft = draft_of("{}");
    JobRecord job;
    bool replayed;
    add(small);
    add(small);
    ck_fails(store_job_add(small, &draft, f.arena, &job, &replayed, err), ERR_LIMIT);
    for (int k = 0; k < 5; k++)
        add(ours);
    ck_ok(
        store_tenant_set(f.store, &(TenantRecord){.name = "small", .quotas = {.queued = 3}}, err));
    add(small);
    ck_fails(store_job_add(small, &draft, f.arena, &job, &replayed, err), ERR_LIMIT);
    ck_fails(store_tenant_set(f.store, &(TenantRecord){.name = "nobody"}, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(the_quota_of_running_jobs_makes_jobs_wait)
{
    const TenantStore small = add_tenant("small", (TenantQuotas){.running = 1});
    JobLease first, second;
    Error error;
    add(small);
    add(small);
    first = claim_job(&f);
    ck_assert_int_eq(store_job_claim(f.store, f.arena, &second, &error), ERR_NOT_FOUND);
    add(ours);
    ck_assert_int_eq(claim_job(&f).tenant, ours.tenant);
    finish_job(&f, &first, JOB_SUCCEEDED);
    ck_assert_int_eq(claim_job(&f).tenant, small.tenant);
    /* after a restart too */
    reopen();
    claim_job(&f);
    ck_fails(store_job_claim(f.store, f.arena, &second, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(the_quota_of_bytes_counts_the_rows_that_are_stored)
{
    TenantRecord tenant;
    JobRecord job;
    bool replayed;
    const JobDraft draft = draft_of("{}");
    const TenantStore small = add_tenant("small", (TenantQuotas){.bytes = 32});
    const JobRecord done = add_with_result(small);
    ck_ok(store_tenant_get(f.store, "small", f.arena, &tenant, err));
    ck_assert_uint_eq(tenant.bytes, 32); /* 2 rows of 2 numbers */
    ck_fails(store_job_add(small, &draft, f.arena, &job, &replayed, err), ERR_LIMIT);
    add_with_result(ours);
    ck_ok(store_job_delete(small, done.id, err));
    ck_ok(store_tenant_get(f.store, "small", f.arena, &tenant, err));
    ck_assert_uint_eq(tenant.bytes, 0);
    ck_ok(store_tenant_get(f.store, "default", f.arena, &tenant, err));
    ck_assert_uint_eq(tenant.bytes, 32);
    add(small);
}
END_TEST

START_TEST(tenants_have_names_of_their_own)
{
    TenantRecord again = {.name = "theirs"}, *tenants;
    size_t n;
    ck_fails(store_tenant_add(f.store, &again, err), ERR_CONFLICT);
    ck_fails(store_tenant_get(f.store, "nobody", f.arena, &again, err), ERR_NOT_FOUND);
    ck_ok(store_tenant_list(f.store, f.arena, &tenants, &n, err));
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(tenants[0].name, "default");
    ck_assert_str_eq(tenants[1].name, "theirs");
    ck_assert_uint_eq(store_tenant_count(f.store), 2);
}
END_TEST

START_TEST(the_log_gets_the_name_of_a_tenant_from_memory)
{
    char name[TENANT_NAME_MAX];
    for (int k = 0; k < 2; k++) {
        ck_assert_str_eq(store_tenant_name(ours, name), "default");
        ck_assert_str_eq(store_tenant_name(theirs, name), "theirs");
        reopen();
    }
    /* no bytes of a damaged row */
    ck_ok(connection_script(&f.store->writer.connection,
                            "DROP TRIGGER tenants_changed;"
                            "UPDATE tenants SET name = 'x' || char(10) WHERE seq = 2",
                            err));
    reopen();
    ck_assert_str_eq(store_tenant_name(theirs, name), "?");
}
END_TEST

START_TEST(there_can_be_a_thousand_tenants)
{
    char name[20], order[8];
    for (int k = 3; k <= TENANTS_MAX; k++) {
        snprintf(name, sizeof name, "t-%d", k);
        add_tenant(name, (TenantQuotas){0});
    }
    TenantRecord one_more = {.name = "one-more"};
    ck_fails(store_tenant_add(f.store, &one_more, err), ERR_LIMIT);
    add((TenantStore){f.store, TENANTS_MAX});
    add(theirs);
    claim_all(order);
    ck_assert_str_eq(order, "t3");
    reopen();
    ck_assert_int_eq(store_revision((TenantStore){f.store, TENANTS_MAX}), 3);
}
END_TEST

START_TEST(counters_that_are_wrong_are_counted_anew)
{
    add(ours);
    add(theirs);
    add(theirs);
    Error error;
    ck_assert_int_eq(connection_script(&f.store->writer.connection,
                                       "UPDATE ledgers SET queued = 99, revision = 0", &error),
                     OK);
    reopen();
    ck_assert_uint_eq(counts_of(ours).queued, 1);
    ck_assert_uint_eq(counts_of(theirs).queued, 2);
    ck_assert_int_eq(store_revision(theirs), 2);
}
END_TEST

/* The work of a page for a tenant with few jobs, among many of another one. */
static Status find_key(TenantStore of, Error *err)
{
    JobDraft draft = draft_of("{}");
    JobRecord job;
    draft.idempotency_key = sought;
    return store_job_replay(of, &draft, f.arena, &job, err);
}

START_TEST(a_key_is_looked_for_without_a_look_at_other_jobs)
{
    JobDraft draft = draft_of("{}");
    Error error;
    const uint64_t before = cost_of(find_key, ours, "key", &error);
    for (int k = 0; k < 500; k++) {
        draft.idempotency_key = arena_printf(f.arena, "%d", k);
        add_draft(ours, &draft);
    }
    ck_assert_uint_le(cost_of(find_key, ours, "key", &error), before + before / 10);
}
END_TEST

START_TEST(a_list_costs_what_the_tenant_s_own_jobs_cost)
{
    enum { MANY = 3000 };
    const JobLabel label = {"a", "b"};
    JobDraft draft = draft_of("{}");
    draft.labels = "{\"a\":\"b\"}";
    draft.model_id = "model-id";
    JobFilter filters[] = {all(), all(), all(), all(), all()};
    filters[1].by_state = true;
    filters[2].model_id = draft.model_id;
    filters[3].labels = &label;
    filters[3].n_labels = 1;
    filters[4].since = 0;
    uint64_t before[5], after[5];
    for (int k = 0; k < 10; k++)
        add_draft(ours, &draft);
    for (int round = 0; round < 2; round++) {
        for (size_t k = 0; k < 5; k++) {
            uint64_t *count = round ? &after[k] : &before[k];
            count_listed(ours, filters[k]);
            *count = 0;
            for (int r = 0; r < READERS; r++)
                sqlite3_progress_handler(f.store->readers.connections[r].db, 1, statement_steps,
                                         count);
            count_listed(ours, filters[k]);
            for (int r = 0; r < READERS; r++)
                sqlite3_progress_handler(f.store->readers.connections[r].db, 0, NULL, NULL);
        }
        for (int k = 0; round == 0 && k < MANY; k++)
            add_draft(theirs, &draft);
    }
    for (size_t k = 0; k < 5; k++)
        ck_assert_msg(after[k] <= before[k] + before[k] / 10, "filter %zu: %llu and %llu steps", k,
                      (unsigned long long)before[k], (unsigned long long)after[k]);
}
END_TEST

SUITE(tenants)
{
    TCase *tc = suite_case(suite, "tenants");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, a_job_of_another_tenant_is_as_no_job, 0, N_BY_ID);
    tcase_add_test(tc, member_texts_of_another_tenant_are_none);
    tcase_add_test(tc, lists_counts_and_revisions_are_of_the_tenant);
    tcase_add_test(tc, deletions_are_told_to_their_tenant);
    tcase_add_test(tc, an_idempotency_key_is_of_its_tenant);
    tcase_add_test(tc, the_keys_of_a_batch_are_of_its_tenant);
    tcase_add_test(tc, results_are_reused_within_a_tenant);
    tcase_add_test(tc, a_model_is_stored_once_and_owned_by_each);
    tcase_add_test(tc, a_model_of_a_job_is_kept_for_the_tenant_of_the_job);
    tcase_add_test(tc, a_notification_names_the_tenant_whose_secret_signs_it);
    tcase_add_test(tc, tenants_take_turns);
    tcase_add_test(tc, a_flood_delays_another_tenant_by_its_turns_only);
    tcase_add_test(tc, jobs_whose_process_died_come_after_those_of_all_tenants);
    tcase_add_test(tc, the_quota_of_queued_jobs_is_kept);
    tcase_add_test(tc, the_quota_of_running_jobs_makes_jobs_wait);
    tcase_add_test(tc, the_quota_of_bytes_counts_the_rows_that_are_stored);
    tcase_add_test(tc, tenants_have_names_of_their_own);
    tcase_add_test(tc, the_log_gets_the_name_of_a_tenant_from_memory);
    tcase_add_test(tc, there_can_be_a_thousand_tenants);
    tcase_add_test(tc, counters_that_are_wrong_are_counted_anew);
    tcase_add_test(tc, a_key_is_looked_for_without_a_look_at_other_jobs);
    tcase_add_test(tc, a_list_costs_what_the_tenant_s_own_jobs_cost);
}
