/* Exports: every row of a store that matters is in its objects, and a store made of them has the
 * same rows. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/export.h"
#include "db/keys.h"
#include "db/sqlite/exported.h"
#include "tests/db/members.h"
#include "tests/deadline.h"
#include "tests/suite.h"

/* Half the hash of a key. */
#define SECRET "5ec3e75ec3e75ec3e75ec3e75ec3e75e"
enum { OBJECTS_MAX = 200, MEMBERS = 40 };

/* The objects of an export in their order. */
typedef struct Objects {
    char *texts[OBJECTS_MAX];
    size_t n;
} Objects;

static Fixture f;
static char made[100]; /* the directory of the imported store */
static Objects objects, again;

static void forget(Objects *list)
{
    while (list->n > 0)
        free(list->texts[--list->n]);
}

static void setup(void)
{
    fixture_init(&f);
    snprintf(made, sizeof made, "%s-made", f.directory);
    ck_assert_int_eq(mkdir(made, 0700), 0);
}

static void teardown(void)
{
    forget(&objects);
    forget(&again);
    fixture_done(&f);
    remove_directory(made);
}

static Status keep(void *self, const char *text, size_t size, Error *err)
{
    Objects *list = self;
    (void)err;
    ck_assert_uint_lt(list->n, OBJECTS_MAX);
    ck_assert_uint_eq(strlen(text), size);
    ck_assert_ptr_null(strpbrk(text, "\n\r"));
    list->texts[list->n++] = strdup(text);
    return OK;
}

static uint64_t export_from(const char *directory, const char *tenant, Objects *list)
{
    uint64_t jobs = 0;
    const ExportOptions options = {
        .source = directory, .tenant = tenant, .self = list, .object = keep};
    ck_ok(store_export(&options, &jobs, err));
    return jobs;
}

static Status import_objects(const Objects *list, Error *err)
{
    StoreImport *import;
    uint64_t jobs;
    Status status = store_import_begin(made, &import, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < list->n && status == OK; i++)
        status = store_import_object(import, list->texts[i], strlen(list->texts[i]), err);
    if (status == OK)
        status = store_import_end(import, &jobs, err);
    store_import_free(import);
    return status;
}

static void print_damage(void *self, const char *what)
{
    (void)self;
    printf("damaged: %s\n", what);
}

static void check_made(void)
{
    StoreReport report;
    const ReportSink sink = {NULL, print_damage};
    ck_ok(store_verify(made, &sink, &report, err));
    ck_assert_uint_eq(report.structure, 0);
    for (int kind = 0; kind < STORED_KINDS; kind++) {
        ck_assert_uint_eq(report.kinds[kind].damaged, 0);
        ck_assert_uint_eq(report.kinds[kind].unchecked, 0);
    }
}

static bool is_of(const char *object, const char *kind)
{
    char start[60];
    snprintf(start, sizeof start, "{\"kind\":\"%s\",", kind);
    return strncmp(object, start, strlen(start)) == 0;
}

static size_t count(const Objects *list, const char *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += is_of(list->texts[i], kind);
    return n;
}

/* The first object of a kind that contains a text. */
static const char *find(const Objects *list, const char *kind, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (is_of(list->texts[i], kind) && strstr(list->texts[i], text))
            return list->texts[i];
    ck_abort_msg("no object %s with %s", kind, text);
    return NULL;
}

#define ck_has(object, text) \
    ck_assert_msg(strstr(object, text) != NULL, "no %s in %s", text, object)

static TenantStore add_tenant(const char *name)
{
    TenantRecord tenant = {.name = name, .quotas = {.queued = 7, .bytes = 1 << 30}};
    ck_ok(store_tenant_add(f.store, &tenant, err));
    return (TenantStore){f.store, tenant.number};
}

static JobRecord add_draft(TenantStore of, const JobDraft *draft)
{
    JobRecord job;
    bool replayed;
    ck_ok(store_job_add(of, draft, f.arena, &job, &replayed, err));
    return job;
}

static void end_next(JobState state, const char *diagnostics, const char *warnings)
{
    const JobLease lease = claim_job(&f);
    const double rows[] = {-0.1, 1e-300, 1.0 / 3, 2};
    const JobFinish finish = {.state = state,
                              .complete = state == JOB_SUCCEEDED,
                              .reason = state == JOB_FAILED ? "numeric" : NULL,
                              .error = state == JOB_FAILED ? "{\"code\":\"numeric\"}" : NULL,
                              .diagnostics = diagnostics,
                              .warnings = warnings,
                              .digest = "{\"e\":1.50e3}",
                              .program = "this"};
    ck_ok(
        store_result_begin(f.store, lease.job.id, lease.token, "[\"t\",\"x\"]", "[\"hit\"]", err));
    ck_ok(store_result_append(f.store, lease.job.id, lease.token, -1, rows, 2, 2, err));
    ck_ok(store_result_append(f.store, lease.job.id, lease.token, 0, rows, 1, 2, err));
    ck_ok(store_job_finish(f.store, lease.job.id, lease.token, &finish, err));
}

/* An ensemble with members that have ended, that failed with a message, that died, and that run. */
static void add_members(void)
{
    const JobRecord job = add_ensemble(&f, MEMBERS, 9);
    ck_assert(claim_job(&f).in_units);
    const UnitLease unit = claim_unit(&f, job.id, 8);
    const MemberText said[] = {{3, "it fell \"down\"\n"}, {5, "it fell \"down\"\n"}};
    const uint64_t words[] = {1, 0, UINT64_MAX};
    const MemberNode node = {.level = 3, .number = 0, .part = 0, .words = words, .n_words = 3};
    const UnitFinish finish = {
        .done = unit.n, .failed = 2, .said = said, .n_said = 2, .nodes = {.nodes = &node, .n = 1}};
    for (uint64_t k = 0; k < unit.n; k++)
        ck_assert_int_eq(tell(&f, job.id, &unit, k), OK);
    ck_ok(store_unit_finish(f.store, job.id, unit.token, &finish, err));
    claim_unit(&f, job.id, 8); /* its process dies */
    fixture_reopen(&f);
    ck_assert(claim_job(&f).in_units);
    claim_unit(&f, job.id, 1); /* runs until the end of the test */
}

/* Something in every table. */
static void fill_store(void)
{
    KeyRecord key = {.name = "app", .scopes = "read", .hash = SECRET SECRET};
    bool created;
    ck_ok(store_key_add(f.store, &key, false, err));
    add_members();
    ck_ok(store_model_put(default_tenant(f.store), "model-1", "m", "{\n \"a\": \"\\u00e9\"}", 17,
                          &created, err));
    JobDraft draft = draft_of("{ \"a\":\t1e0,\n\"b\": \"\xc3\xa9\\n\" }");
    draft.labels = "{\"who\":\"me\",\"n\":\"1\"}";
    draft.model = "{}";
    draft.model_size = 2;
    draft.priority = 10;
    draft.idempotency_key = "once";
    draft.reuse_key = "same";
    draft.program = "this";
    draft.timeout_ms = 12345;
    draft.trace = (JobTrace){"req-1", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"};
    draft.notify = (JobNotify){"https://example.org/x", "https://example.org", "[\"done\"]"};
    const JobRecord first = add_draft(default_tenant(f.store), &draft);
    end_next(JOB_SUCCEEDED, "{\"energy\":{\"drift\":1e-12}}", "[ \"spaced\" ]");
    draft.idempotency_key = "twice";
    add_draft(default_tenant(f.store), &draft);                      /* shares the result .. */
    ck_ok(store_job_delete(default_tenant(f.store), first.id, err)); /* .. of a deleted job */
    draft = draft_of("{}");
    draft.priority = 10;
    draft.idempotency_key = "batch\037" /* as 0.8.0 named the second job of a batch */
                            "1";
    add_draft(default_tenant(f.store), &draft);
    end_next(JOB_FAILED, "no JSON", NULL);
    const TenantStore theirs = add_tenant("theirs");
    draft.idempotency_key = "once";
    draft.not_after_ms = INT64_C(1) << 50;
    add_draft(theirs, &draft);
}

/* The columns that an import fills in by other means than an insertion of their values. */
static const char *const BY_OTHER_MEANS[] = {
    "jobs.token", "jobs.checksum", "tenants.checksum", "owners.checksum", "units.token",
    "requests.job", "requests.bytes", "requests.checksum", "labels.job", "labels.key",
    "labels.value", "labels.tenant", "store.id", "store.revision", "store.last_without_cell",
    "store.unchecked_jobs", "store.unchecked_models", "ledgers.tenant", "ledgers.revision",
    "ledgers.forgotten",
    /* made anew by triggers */
    "ledgers.queued", "ledgers.running", "ledgers.succeeded", "ledgers.failed", "ledgers.cancelled",
    "ledgers.models", "ledgers.bytes",
    /* of older formats */
    "store.deleted_forgotten"};

static bool is_imported(const char *table, const char *column)
{
    char name[100];
    snprintf(name, sizeof name, "%s.%s", table, column);
    for (size_t i = 0; i < sizeof BY_OTHER_MEANS / sizeof *BY_OTHER_MEANS; i++)
        if (strcmp(BY_OTHER_MEANS[i], name) == 0)
            return true;
    for (int k = 0; k < EXPORTED_KINDS; k++)
        for (const ExportedMember *m = exported_kinds[k].members; m->name; m++)
            if (exported_kinds[k].table && strcmp(exported_kinds[k].table, table) == 0 &&
                strcmp(m->name, column) == 0 && !(m->stored && !*m->stored))
                return true;
    return false;
}

START_TEST(every_column_of_the_schema_is_exported)
{
    Connection reader;
    char path[120];
    int n = 0;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&reader, path, false, err));
    Query query = query_new(&reader, "SELECT t.name, c.name FROM sqlite_schema t, "
                                     "pragma_table_info(t.name) c WHERE t.type = 'table' AND "
                                     "t.name <> 'keys'");
    for (; query_next(&query); n++) {
        const char *table =
            arena_strndup(f.arena, row_peek(&query, 0), strlen(row_peek(&query, 0)));
        ck_assert_msg(is_imported(table, row_peek(&query, 1)),
                      "column %s.%s needs a line in db/sqlite/exported.c", table,
                      row_peek(&query, 1));
    }
    ck_ok(query_end(&query, err));
    connection_close(&reader);
    ck_assert_int_gt(n, 100);
}
END_TEST

START_TEST(an_imported_store_has_the_same_objects)
{
    fill_store();
    ck_assert_uint_eq(export_from(f.directory, NULL, &objects), 4);
    for (int k = 0; k < EXPORTED_KINDS; k++)
        ck_assert_msg(count(&objects, exported_kinds[k].name) > 0, "no %s", exported_kinds[k].name);
    ck_ok(import_objects(&objects, err));
    check_made();
    export_from(made, NULL, &again);
    ck_assert_uint_eq(again.n, objects.n);
    for (size_t i = 1; i < objects.n; i++)
        ck_assert_str_eq(again.texts[i], objects.texts[i]);
}
END_TEST

START_TEST(documents_are_parts_of_their_objects)
{
    fill_store();
    export_from(f.directory, NULL, &objects);
    const char *job = find(&objects, "job", "\"idempotency_key\":\"twice\"");
    ck_has(job, "\"labels\":{\"who\":\"me\",\"n\":\"1\"}");
    ck_has(job, "\"digest\":{\"e\":1.50e3}");
    ck_has(job, "\"request\":\"{ \\\"a\\\":\\t1e0,\\n\\\"b\\\": \\\"\xc3\xa9\\\\n\\\" }\"");
    find(&objects, "evidence", "\"diagnostics\":{\"energy\":{\"drift\":1e-12}}");
    find(&objects, "job", "\"idempotency_key\":\"batch\\u001f1\"");
    /* other texts are strings, so that they keep their bytes */
    ck_has(job, "\"warnings\":\"[ \\\"spaced\\\" ]\"");
    find(&objects, "evidence", "\"diagnostics\":\"no JSON\"");
    find(&objects, "rows", "\"data\":\"mpmZmZmZub9");
    find(&objects, "notification", "\"url\":\"https://example.org/x\",");
}
END_TEST

START_TEST(keys_are_not_exported)
{
    fill_store();
    export_from(f.directory, NULL, &objects);
    for (size_t i = 0; i < objects.n; i++)
        ck_assert_ptr_null(strstr(objects.texts[i], SECRET));
}
END_TEST

START_TEST(a_running_job_comes_back_as_a_queued_one)
{
    const double rows[] = {0, 1};
    const JobRecord job = add_job(&f, "{}");
    const JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[]", NULL, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, rows, 1, 2, err));
    add_job(&f, "{}"); /* the claim is on the disk */
    WAIT_UNTIL(get_job(&f, job.id).rows == 1);
    export_from(f.directory, NULL, &objects);
    ck_ok(import_objects(&objects, err));
    check_made();
    const StoreOptions options = {.directory = made};
    store_close(f.store);
    ck_ok(store_open(&options, &f.store, err));
    const JobRecord found = get_job(&f, job.id);
    ck_assert_int_eq(found.state, JOB_QUEUED);
    ck_assert_uint_eq(found.attempt, 0);
    ck_assert_uint_eq(found.rows, 0);
    ck_assert_int_eq(found.started_ms, 0);
    ck_assert_str_eq(claim_job(&f).job.id, job.id);
}
END_TEST

/* Rows of a running unit on the disk, which the unit no longer keeps in memory. */
static int64_t count_rows_of_hits(const UnitLease *unit)
{
    Connection reader;
    char path[120], sql[200];
    int64_t n = 0;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM blocks WHERE tab = 0 AND first_row >> " MEMBER_BITS " >= %d",
             (int)unit->first);
    ck_ok(connection_open(&reader, path, false, err));
    ck_ok(connection_int(&reader, sql, &n, err));
    connection_close(&reader);
    return n;
}

START_TEST(members_that_have_ended_are_not_run_again_and_others_begin_anew)
{
    enum { HITS = 1 << 15 };
    static double hits[HITS][TABLE_COLUMNS];
    bool done[MEMBERS] = {false};
    const JobRecord job = add_ensemble(&f, MEMBERS, 0);
    claim_job(&f);
    const UnitLease first = claim_unit(&f, job.id, 16), second = claim_unit(&f, job.id, 16);
    run_unit(&f, job.id, &first);
    for (int k = 0; k < HITS; k++)
        hits[k][0] = (double)second.first;
    while (count_rows_of_hits(&second) == 0)
        ck_ok(store_unit_append(f.store, job.id, second.token, 0, second.first, *hits, HITS,
                                TABLE_COLUMNS, err));
    export_from(f.directory, NULL, &objects);
    ck_ok(import_objects(&objects, err));
    check_made();
    store_close(f.store);
    const StoreOptions options = {.directory = made};
    ck_ok(store_open(&options, &f.store, err));
    for (uint64_t k = 0; k < MEMBERS; k++) {
        done[k] = k < first.n;
        check_member(&f, job.id, k, done[k]);
    }
    /* the others are run, and have only the rows of this run */
    for (uint64_t next = first.n; next < MEMBERS;) {
        ck_assert(claim_job(&f).in_units);
        const UnitLease unit = claim_unit(&f, job.id, 16);
        ck_assert_uint_eq(unit.first, next);
        run_unit(&f, job.id, &unit);
        for (; next < unit.first + unit.n; next++)
            done[next] = true;
    }
    check_tables(&f, job.id, done, MEMBERS);
}
END_TEST

START_TEST(a_tenant_is_exported_alone)
{
    const TenantStore theirs = add_tenant("theirs");
    JobDraft draft = draft_of("{\"mine\":1}");
    const JobDraft plain = draft_of("{}");
    JobRecord found;
    bool created;
    draft.idempotency_key = "mine";
    draft.notify = (JobNotify){"https://mine.example/x", "https://mine.example", "[\"done\"]"};
    add_draft(default_tenant(f.store), &draft);
    end_next(JOB_SUCCEEDED, "{\"mine\":1}", NULL);
    const JobRecord other = add_draft(default_tenant(f.store), &plain);
    ck_ok(store_job_cancel(default_tenant(f.store), other.id, f.arena, &found, err));
    ck_ok(store_job_delete(default_tenant(f.store), other.id, err));
    draft = draft_of("{\"theirs\":1}");
    draft.idempotency_key = "theirs";
    const JobRecord job = add_draft(theirs, &draft);
    ck_ok(store_model_put(default_tenant(f.store), "model-1", "m", "{}", 2, &created, err));
    ck_ok(store_model_put(theirs, "model-2", "m", "{}", 2, &created, err));
    ck_assert_uint_eq(export_from(f.directory, "theirs", &objects), 1);
    ck_assert_uint_eq(count(&objects, "tenant"), 1);
    ck_assert_uint_eq(count(&objects, "model"), 1);
    static const char *const NOT_THEIRS[] = {"deletion", "notification", "result", "evidence",
                                             "rows"};
    for (size_t k = 0; k < sizeof NOT_THEIRS / sizeof *NOT_THEIRS; k++)
        ck_assert_uint_eq(count(&objects, NOT_THEIRS[k]), 0);
    for (size_t i = 0; i < objects.n; i++)
        ck_assert(!strstr(objects.texts[i], "mine") && !strstr(objects.texts[i], "model-1"));
    ck_ok(import_objects(&objects, err));
    check_made();

    /* a new store, in which it has the number and the jobs that it had */
    TenantRecord *tenants;
    size_t n;
    const StoreOptions options = {.directory = made};
    store_close(f.store);
    ck_ok(store_open(&options, &f.store, err));
    ck_ok(store_tenant_list(f.store, f.arena, &tenants, &n, err));
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(tenants[0].name, "default");
    ck_assert_str_eq(tenants[1].name, "theirs");
    ck_assert_uint_eq(tenants[1].quotas.queued, 7);
    ck_assert_uint_eq(tenants[1].counts.queued, 1);
    ck_ok(
        store_job_replay((TenantStore){f.store, tenants[1].number}, &draft, f.arena, &found, err));
    ck_assert_str_eq(found.id, job.id);
}
END_TEST

START_TEST(an_unknown_tenant_and_a_missing_or_older_store_are_refused)
{
    uint64_t jobs;
    ExportOptions options = {
        .source = f.directory, .tenant = "nobody", .self = &objects, .object = keep};
    ck_fails(store_export(&options, &jobs, err), ERR_NOT_FOUND);
    options = (ExportOptions){.source = made, .self = &objects, .object = keep};
    ck_fails(store_export(&options, &jobs, err), ERR_NOT_FOUND);
    Connection older;
    char path[120];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&older, path, true, err));
    ck_ok(connection_script(&older, "PRAGMA user_version = 16", err));
    connection_close(&older);
    options.source = f.directory;
    ck_fails(store_export(&options, &jobs, err), ERR_INVALID);
    ck_assert_uint_eq(objects.n, 0);
}
END_TEST

/* An object in place of that at `at`; the import must end with the message. */
static void check_refused(size_t at, const char *object, const char *message)
{
    Error error = {0};
    char *was = objects.texts[at];
    char path[120];
    objects.texts[at] = strdup(object);
    ck_assert_int_eq(import_objects(&objects, &error), ERR_INVALID);
    ck_assert_msg(strstr(error.message, message) != NULL, "%s", error.message);
    free(objects.texts[at]);
    objects.texts[at] = was;
    snprintf(path, sizeof path, "%s/dalembert.db", made);
    unlink(path);
}

START_TEST(objects_that_do_not_belong_are_refused)
{
    add_job(&f, "{}");
    export_from(f.directory, NULL, &objects);
    const size_t last = objects.n - 1;
    ck_assert(is_of(objects.texts[last], "job"));
    check_refused(0, objects.texts[1], "belongs here");
    check_refused(1, objects.texts[0], "belongs here");
    check_refused(1, "{\"kind\":\"cat\"}", "belongs here");
    check_refused(1, "{\"kind\":", "belongs here");
    check_refused(1, "{\"kind\":\"tenant\",\"seq\":0}", "its values do not fit: ");
    check_refused(0, "{\"kind\":\"export\",\"format\":2,\"data_format\":1}",
                  "use a newer dalembert");
    check_refused(0, "{\"kind\":\"export\",\"format\":1,\"data_format\":1000}",
                  "use a newer dalembert");
    check_refused(last - 1, objects.texts[last], "its values do not fit: ");
    objects.n = 0;
    ck_fails(import_objects(&objects, err), ERR_INVALID);
}
END_TEST

SUITE(export)
{
    TCase *tc = suite_case(suite, "export");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, every_column_of_the_schema_is_exported);
    tcase_add_test(tc, an_imported_store_has_the_same_objects);
    tcase_add_test(tc, documents_are_parts_of_their_objects);
    tcase_add_test(tc, keys_are_not_exported);
    tcase_add_test(tc, a_running_job_comes_back_as_a_queued_one);
    tcase_add_test(tc, members_that_have_ended_are_not_run_again_and_others_begin_anew);
    tcase_add_test(tc, a_tenant_is_exported_alone);
    tcase_add_test(tc, an_unknown_tenant_and_a_missing_or_older_store_are_refused);
    tcase_add_test(tc, objects_that_do_not_belong_are_refused);
}
