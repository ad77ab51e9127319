/* Flipped bits: what is stored is never served otherwise than it was written, and a verification
 * finds it. */
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
#include "tests/suite.h"

static Fixture f;

static const char REQUEST[] = "{\"request\": \"of the job\"}";
static const char DOCUMENT[] = "{\"model\": \"document\"}";
static const char DIAGNOSTICS[] = "{\"steps\": \"a hundred\"}";
static const double ROWS[] = {0, 1234.5678, 1, 8765.4321};

/* One of each kind. */
static JobRecord job;

static void setup(void)
{
    bool created;
    fixture_init(&f);
    job = add_job(&f, REQUEST);
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, job.id, lease.token, "[\"t\",\"x\"]", NULL, err));
    ck_ok(store_result_append(f.store, job.id, lease.token, -1, ROWS, 2, 2, err));
    const JobFinish finish = {
        .state = JOB_SUCCEEDED, .complete = true, .diagnostics = DIAGNOSTICS, .invariants = "{}"};
    ck_ok(store_job_finish(f.store, job.id, lease.token, &finish, err));
    ck_ok(store_model_put(default_tenant(f.store), "model-id", "name", DOCUMENT, strlen(DOCUMENT),
                          &created, err));
}

static void teardown(void)
{
    fixture_done(&f);
}

static void close_store(void)
{
    store_close(f.store);
    f.store = NULL;
}

/* Flips a bit of the last of these bytes in the closed file, where they are once. */
static void flip(const void *bytes, size_t size)
{
    char path[100];
    struct stat info;
    close_store();
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fstat(fileno(file), &info), 0);
    unsigned char *content = malloc((size_t)info.st_size);
    ck_assert_uint_eq(fread(content, 1, (size_t)info.st_size, file), (size_t)info.st_size);
    long at = -1;
    for (long i = 0; i + (long)size <= info.st_size; i++)
        if (memcmp(content + i, bytes, size) == 0) {
            ck_assert_int_eq(at, -1);
            at = i + (long)size - 1;
        }
    ck_assert_int_ge(at, 0);
    ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
    fputc(content[at] ^ 1, file);
    fclose(file);
    free(content);
    ck_ok(store_open(&f.options, &f.store, err));
}

/* Seals of changed rows come out wrong. */
static void no_checksum(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n, (void)values;
    sqlite3_result_null(context);
}

static void tamper(const char *sql)
{
    char path[100];
    sqlite3 *db;
    close_store();
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_create_function(db, "row_checksum_grown", -1, SQLITE_UTF8, NULL,
                                             no_checksum, NULL, NULL),
                     SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    ck_ok(store_open(&f.options, &f.store, err));
}

/* Flips a bit of what a job's row says behind the id and the state; the indexes keep what they
 * say. */
static void flip_state(const JobRecord *record, const char *state)
{
    char bytes[100];
    const int size = snprintf(bytes, sizeof bytes, "%s%s", record->id, state);
    flip(bytes, (size_t)size);
}

static Status read_job(Error *err)
{
    JobRecord record;
    return store_job_get(default_tenant(f.store), job.id, f.arena, &record, err);
}

static Status read_list(Error *err)
{
    bool more;
    const JobFilter filter = {.since = -1, .limit = 10};
    JobRecord *jobs;
    size_t n;
    return store_job_list(default_tenant(f.store), &filter, f.arena, &jobs, &n, &more, err);
}

static Status read_request(Error *err)
{
    const char *bytes;
    size_t size;
    return store_job_request(default_tenant(f.store), job.id, f.arena, &bytes, &size, err);
}

static Status read_evidence(Error *err)
{
    const char *text;
    return store_job_document(default_tenant(f.store), job.id, JOB_INVARIANTS, f.arena, &text, err);
}

static Status read_model(Error *err)
{
    ModelRecord model;
    return store_model_get(default_tenant(f.store), "model-id", f.arena, &model, err);
}

static Status read_block(Error *err)
{
    ResultBlock block;
    return store_result_block(default_tenant(f.store), job.id, -1, 1, f.arena, &block, err);
}

static Status find_row(Error *err)
{
    uint64_t row;
    return store_result_find(default_tenant(f.store), job.id, -1, 0.5, &row, err);
}

/* What a verification says last. */
static char said[300];

static void on_damage(void *self, const char *what)
{
    (void)self;
    snprintf(said, sizeof said, "%s", what);
}

static StoreReport verify(void)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    ck_ok(store_verify(f.directory, &sink, &report, err));
    return report;
}

static uint64_t damaged_of(const StoreReport *report)
{
    uint64_t damaged = report->structure;
    for (int kind = 0; kind < STORED_KINDS; kind++)
        damaged += report->kinds[kind].damaged;
    return damaged;
}

/* A reader that fails, and the others that do not. */
static void expect_damage(Status (*read)(Error *err), const char *name, StoredKind kind)
{
    static Status (*const ALL[])(Error *) = {read_request, read_evidence, read_model, read_block};
    Error error = {0};
    ck_assert_uint_eq(store_damaged(f.store), 0);
    ck_assert_int_eq(read(&error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, name) != NULL, "%s", error.message);
    ck_assert_uint_eq(store_damaged(f.store), 1);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        if (ALL[i] != read && !(read == find_row && ALL[i] == read_block))
            ck_ok(ALL[i](err));
    const StoreReport report = verify();
    ck_assert_uint_eq(report.kinds[kind].damaged, 1);
    ck_assert_uint_eq(damaged_of(&report), 1);
    ck_assert_msg(strstr(said, stored_kind_name(kind)) && strstr(said, name), "%s", said);
}

START_TEST(what_is_sound_is_read_and_counted)
{
    ck_ok(read_request(err));
    ck_ok(read_evidence(err));
    ck_ok(read_model(err));
    ck_ok(read_block(err));
    ck_ok(find_row(err));
    const StoreReport report = verify();
    ck_assert_uint_eq(damaged_of(&report), 0);
    for (int kind = 0; kind < STORED_KINDS; kind++) {
        ck_assert_uint_eq(report.kinds[kind].sound, kind < STORED_UNITS || kind >= STORED_TENANTS);
        ck_assert_uint_eq(report.kinds[kind].unchecked, 0);
    }
}
END_TEST

START_TEST(a_flipped_bit_in_a_block_is_told)
{
    flip(&ROWS[3], sizeof ROWS[3]);
    expect_damage(read_block, job.id, STORED_BLOCKS);
}
END_TEST

START_TEST(a_flipped_bit_in_a_block_is_told_by_a_search)
{
    flip(&ROWS[1], sizeof ROWS[1]);
    expect_damage(find_row, job.id, STORED_BLOCKS);
}
END_TEST

START_TEST(a_flipped_bit_in_a_request_is_told)
{
    flip(REQUEST, strlen(REQUEST) - 3);
    expect_damage(read_request, job.id, STORED_REQUESTS);
}
END_TEST

START_TEST(a_flipped_bit_in_evidence_is_told_for_all_of_it)
{
    flip(DIAGNOSTICS, strlen(DIAGNOSTICS) - 3);
    expect_damage(read_evidence, job.id, STORED_EVIDENCE);
}
END_TEST

START_TEST(a_flipped_bit_in_a_model_is_told)
{
    flip(DOCUMENT, strlen(DOCUMENT) - 3);
    expect_damage(read_model, "model-id", STORED_MODELS);
}
END_TEST

static void expect_row_damage(Status (*read)(Error *err), const char *name, StoredKind kind)
{
    Error error = {0};
    const uint64_t before = store_damaged(f.store);
    ck_assert_int_eq(read(&error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, name) != NULL, "%s", error.message);
    ck_assert_uint_eq(store_damaged(f.store), before + 1);
    const StoreReport report = verify();
    ck_assert_uint_eq(report.kinds[kind].damaged, 1);
    ck_assert_msg(strstr(said, stored_kind_name(kind)) && strstr(said, name), "%s", said);
}

/* A column that is added has to be added there, or its damage is not seen. */
START_TEST(every_column_of_a_row_is_in_its_checksum)
{
    static const struct {
        const char *table, *says, *apart;
    } ROWS_OF[] = {{"jobs", ", tenant, " JOB_SAYS_TRACE("") ",", "checksum"},
                   {"results", ", tenant, " RESULT_SAYS("") ",", "checksum"},
                   {"units", ", seq, " UNIT_SAYS("") ",", "checksum"},
                   {"unit_ends", ", seq, " UNIT_END_SAYS("") ",", "checksum"},
                   {"member_nodes", ", seq, " MEMBER_NODE_SAYS("") ",", "checksum"},
                   {"tenants", ", " TENANT_SAYS_KEEP("") ",", "checksum"},
                   {"owners", ", " OWNER_SAYS("") ",", "checksum"},
                   {"models", ", seq, document, " MODEL_SAYS("") ",", "row_checksum"}};
    char sql[100], sought[60];
    Connection connection;
    snprintf(sql, sizeof sql, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, sql, false, err));
    snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", ROWS_OF[_i].table);
    Query query = query_new(&connection, sql);
    int columns = 0;
    for (; query_next(&query); columns++) {
        const char *name = row_peek(&query, 0);
        snprintf(sought, sizeof sought, ", %.50s,", name);
        ck_assert_msg(strcmp(name, ROWS_OF[_i].apart) == 0 || strstr(ROWS_OF[_i].says, sought),
                      "%s", name);
    }
    ck_assert_int_gt(columns, 3);
    ck_ok(query_end(&query, err));
    connection_close(&connection);
}
END_TEST

START_TEST(a_flipped_bit_in_a_job_s_row_is_told)
{
    Status (*const ALL[])(Error *) = {read_job,      read_list,  read_request,
                                      read_evidence, read_block, find_row};
    flip("pendulum", strlen("pendulum"));
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        expect_row_damage(ALL[i], job.id, STORED_JOBS);
    ck_fails(store_job_cancel(default_tenant(f.store), job.id, f.arena, &(JobRecord){0}, err),
             ERR_DAMAGED);
    ck_ok(read_model(err));
}
END_TEST

START_TEST(a_flipped_bit_in_what_a_result_has_is_told)
{
    flip("[\"t\",\"x\"]", 6);
    expect_row_damage(read_job, job.id, STORED_RESULTS);
    expect_row_damage(read_list, job.id, STORED_RESULTS);
}
END_TEST

static Status list_models(Error *err)
{
    bool more;
    ModelRecord *models;
    size_t n;
    return store_model_list(default_tenant(f.store), NULL, 10, f.arena, &models, &n, &more, err);
}

START_TEST(a_model_that_is_listed_otherwise_is_told)
{
    flip("model-idname", strlen("model-idname"));
    expect_row_damage(list_models, "model-id", STORED_MODELS);
    expect_row_damage(read_model, "model-id", STORED_MODELS);
}
END_TEST

START_TEST(a_part_of_a_job_that_is_not_there_is_missed)
{
    static const struct {
        const char *lost;
        Status (*read)(Error *err);
    } PARTS[] = {{"DELETE FROM requests", read_request},
                 {"DELETE FROM evidence", read_evidence},
                 {"PRAGMA foreign_keys = OFF; DELETE FROM results", read_job},
                 {"PRAGMA foreign_keys = OFF; DELETE FROM blocks", read_block}};
    tamper(PARTS[_i].lost);
    ck_fails(PARTS[_i].read(err), ERR_DAMAGED);
    const StoredKind kind = PARTS[_i].read == read_block ? STORED_RESULTS : STORED_JOBS;
    ck_assert_uint_eq(verify().kinds[kind].damaged, 1);
}
END_TEST

/* Rows may be without one only in files that were there before. */
START_TEST(a_checksum_that_is_not_there_is_missed)
{
    static const struct {
        const char *lost;
        Status (*read)(Error *err);
        StoredKind kind;
    } ROWS_OF[] = {{"UPDATE requests SET checksum = NULL", read_request, STORED_REQUESTS},
                   {"UPDATE evidence SET checksum = NULL", read_evidence, STORED_EVIDENCE},
                   {"UPDATE results SET checksum = NULL", read_job, STORED_RESULTS},
                   {"UPDATE blocks SET checksum = NULL", read_block, STORED_BLOCKS}};
    tamper(ROWS_OF[_i].lost);
    ck_fails(ROWS_OF[_i].read(err), ERR_DAMAGED);
    ck_assert_uint_eq(verify().kinds[ROWS_OF[_i].kind].damaged, 1);
}
END_TEST

START_TEST(labels_that_say_something_else_are_told)
{
    bool more;
    const JobFilter filter = {
        .labels = &(JobLabel){"a", "b"}, .n_labels = 1, .since = -1, .limit = 10};
    JobRecord *jobs, record;
    JobDraft draft = draft_of("{}");
    bool replayed;
    size_t n;
    draft.labels = "{\"a\":\"c\"}";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &record, &replayed, err));
    tamper("UPDATE labels SET value = 'b'");
    ck_fails(store_job_list(default_tenant(f.store), &filter, f.arena, &jobs, &n, &more, err),
             ERR_DAMAGED);
    ck_assert_uint_eq(verify().kinds[STORED_JOBS].damaged, 1);
}
END_TEST

START_TEST(a_damaged_job_can_be_deleted_whatever_the_indexes_know)
{
    StoreCounts counts;
    const JobRecord other = add_job(&f, "{}");
    flip_state(&job, "succeeded");
    expect_row_damage(read_job, job.id, STORED_JOBS);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    ck_fails(read_job(err), ERR_NOT_FOUND);
    ck_ok(read_list(err));
    ck_assert_int_eq(get_job(&f, other.id).state, JOB_QUEUED);
    ck_ok(store_counts(default_tenant(f.store), &counts, err));
    ck_assert_uint_eq(counts.queued, 1);
    ck_assert_uint_eq(counts.succeeded, 0);
    ck_assert_uint_eq(counts.models, 1);
    const StoreReport report = verify();
    ck_assert_uint_eq(damaged_of(&report), 0);
}
END_TEST

/* Takes all entries out of an index: it becomes one of no row, is made anew, and then is again one
 * of all rows. */
static void empty_index(const char *name)
{
    char sql[600];
    snprintf(sql, sizeof sql,
             "PRAGMA writable_schema = ON;"
             "UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = '%s';"
             "PRAGMA writable_schema = RESET; REINDEX %s; PRAGMA writable_schema = ON;"
             "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE 0', '') WHERE name = '%s';"
             "PRAGMA writable_schema = RESET",
             name, name, name);
    tamper(sql);
}

START_TEST(indexes_made_anew_have_what_they_had_lost)
{
    const JobRecord queued = add_job(&f, "{}");
    JobLease lease;
    empty_index("jobs_by_state");
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND); /* it waits for ever */
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_DAMAGED);
    ck_assert_uint_gt(verify().structure, 0);
    f.options.purpose = STORE_REINDEX;
    fixture_reopen(&f);
    ck_assert_uint_eq(verify().structure, 0);
    ck_assert_str_eq(claim_job(&f).job.id, queued.id);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
}
END_TEST

/* The row names its tenant, and a bit of that may flip as any other. */
START_TEST(a_job_whose_tenant_is_damaged_is_damaged_not_missing)
{
    const TenantStore nobody = {f.store, 77};
    JobRecord record;
    ck_fails(store_job_get(nobody, job.id, f.arena, &record, err), ERR_NOT_FOUND);
    tamper("UPDATE jobs SET tenant = 3");
    ck_fails(read_job(err), ERR_DAMAGED);
    ck_fails(read_request(err), ERR_DAMAGED);
    ck_fails(store_job_cancel(default_tenant(f.store), job.id, f.arena, &record, err), ERR_DAMAGED);
    ck_fails(store_job_delete(default_tenant(f.store), job.id, err), ERR_DAMAGED);
}
END_TEST

START_TEST(a_damaged_queued_job_is_left_out_until_it_is_deleted)
{
    const JobRecord hurt = add_job(&f, "{}");
    flip_state(&hurt, "queued");
    const JobRecord sound = add_job(&f, "{}");
    JobLease lease;
    Error error;
    ck_assert_int_eq(store_job_claim(f.store, f.arena, &lease, &error), ERR_DAMAGED);
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, sound.id);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    ck_fails(store_ready(f.store, err), ERR_DAMAGED);
    ck_ok(store_job_delete(default_tenant(f.store), hurt.id, err));
    ck_ok(store_ready(f.store, err));
    ck_fails(store_job_delete(default_tenant(f.store), hurt.id, err), ERR_NOT_FOUND);
}
END_TEST

START_TEST(a_full_disk_is_told_before_a_damaged_queued_job)
{
    const JobRecord hurt = add_job(&f, "{}");
    flip_state(&hurt, "queued");
    JobLease lease;
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_DAMAGED);
    ck_fails(store_ready(f.store, err), ERR_DAMAGED);
    f.store->disk_reserve = INT64_MAX;
    ck_fails(store_ready(f.store, err), ERR_NO_SPACE);
}
END_TEST

/* The process died while the job ran, the bit flipped, and the next process puts the job back. */
START_TEST(a_change_of_a_damaged_row_hides_nothing)
{
    const JobRecord hurt = add_job(&f, "{}");
    JobLease lease;
    ck_assert_str_eq(claim_job(&f).job.id, hurt.id);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err)); /* the only row that says so: */
    flip("dop853", strlen("dop853"));
    ck_fails(store_job_get(default_tenant(f.store), hurt.id, f.arena, &lease.job, err),
             ERR_DAMAGED);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_DAMAGED);
}
END_TEST

START_TEST(a_block_in_the_place_of_another_is_told)
{
    tamper("UPDATE blocks SET t_last = 7");
    expect_damage(read_block, job.id, STORED_BLOCKS);
    tamper("UPDATE blocks SET t_last = 1");
    ck_ok(read_block(err));
    tamper("UPDATE blocks SET n_rows = 1, n_columns = 4");
    ck_fails(store_result_find(default_tenant(f.store), job.id, -1, 0.5, &(uint64_t){0}, err),
             ERR_DAMAGED);
}
END_TEST

START_TEST(a_job_whose_request_is_damaged_can_be_ended)
{
    static const char OTHER[] = "{\"request\": \"of another\"}";
    const JobRecord other = add_job(&f, OTHER);
    flip(OTHER, strlen(OTHER) - 3);
    const JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, other.id);
    ck_assert_ptr_null(lease.request);
    finish_job(&f, &lease, JOB_FAILED);
    ck_assert_int_eq(get_job(&f, other.id).state, JOB_FAILED);
}
END_TEST

/* Labels so long that they go over several pages, each beginning with the number of the next one:
 * no such page as this. */
static void break_chain(void)
{
    enum { PAGE = 4096 };
    char path[100];
    close_store();
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    char page[PAGE];
    long broken = 0;
    for (long at = 0; fread(page, 1, PAGE, file) == PAGE; at += PAGE)
        if (memcmp(page + PAGE - 16, "aaaaaaaaaaaaaaaa", 16) == 0 && page[0] == 0) {
            ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
            fputs("\x7f", file);
            ck_assert_int_eq(fseek(file, at + PAGE, SEEK_SET), 0);
            broken++;
        }
    fclose(file);
    ck_assert_int_gt(broken, 0);
    ck_ok(store_open(&f.options, &f.store, err));
}

START_TEST(a_queued_job_that_cannot_be_read_keeps_no_other_from_its_turn)
{
    static char labels[30000] = "{\"a\":\"";
    memset(labels + 6, 'a', sizeof labels - 10);
    strcpy(labels + sizeof labels - 4, "\"}");
    JobRecord hurt, sound;
    bool replayed;
    JobDraft draft = draft_of("{}");
    draft.labels = labels;
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &hurt, &replayed, err));
    sound = add_job(&f, "{}");
    break_chain();
    ck_ok(store_ready(f.store, err));

    JobLease lease;
    Error error;
    ck_assert_int_eq(store_job_claim(f.store, f.arena, &lease, &error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, hurt.id) != NULL, "%s", error.message);
    lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, sound.id);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_int_eq(store_job_claim(f.store, f.arena, &lease, &error), ERR_NOT_FOUND);
    ck_assert_int_eq(store_ready(f.store, &error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, hurt.id) != NULL, "%s", error.message);
}
END_TEST

static struct stat stat_of(const char *name)
{
    char path[100];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", f.directory, name);
    ck_assert_int_eq(stat(path, &info), 0);
    return info;
}

START_TEST(a_verification_beside_a_daemon_writes_nothing)
{
    for (int round = 0; round < 3; round++) {
        const struct stat before = stat_of("dalembert.db"), log = stat_of("dalembert.db-wal");
        ck_assert_int_gt(log.st_size, 0);
        const StoreReport report = verify();
        ck_assert_uint_eq(damaged_of(&report), 0);
        ck_assert_uint_eq(report.kinds[STORED_REQUESTS].sound, 1 + (uint64_t)round);
        const struct stat after = stat_of("dalembert.db");
        ck_assert_int_eq(after.st_size, before.st_size);
        ck_assert_int_eq(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
        ck_assert_int_eq(stat_of("dalembert.db-wal").st_size, log.st_size);
        add_job(&f, "{}");
    }
}
END_TEST

START_TEST(what_is_no_database_is_not_verified)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    ck_fails(store_verify("/nonexistent", &sink, &report, err), ERR_NOT_FOUND);
    close_store();
    char path[100];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 10000; i++)
        fputs("no database", file);
    fclose(file);
    ck_fails(store_verify(f.directory, &sink, &report, err), ERR_DAMAGED);
}
END_TEST

/* Verifies a directory whose database was made by these statements. */
static void foreign_is_not_verified(const char *sql, Status expected, const char *because)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    Error error = {0};
    sqlite3 *db;
    char path[100];
    close_store();
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    ck_assert_int_eq(store_verify(f.directory, &sink, &report, &error), expected);
    ck_assert_msg(strstr(error.message, "no dalembert store in '") != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, path) != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, because) != NULL, "%s", error.message);
}

START_TEST(an_empty_database_is_no_sound_store)
{
    foreign_is_not_verified("PRAGMA user_version = 0", ERR_NOT_FOUND, "it is empty");
}
END_TEST

START_TEST(the_database_of_another_program_is_no_sound_store)
{
    foreign_is_not_verified("CREATE TABLE other (x)", ERR_INVALID, "not a dalembert database");
}
END_TEST

SUITE(damage)
{
    TCase *tc = suite_case(suite, "damage");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, what_is_sound_is_read_and_counted);
    tcase_add_test(tc, a_flipped_bit_in_a_block_is_told);
    tcase_add_test(tc, a_flipped_bit_in_a_block_is_told_by_a_search);
    tcase_add_test(tc, a_flipped_bit_in_a_request_is_told);
    tcase_add_test(tc, a_flipped_bit_in_evidence_is_told_for_all_of_it);
    tcase_add_test(tc, a_flipped_bit_in_a_model_is_told);
    tcase_add_test(tc, a_block_in_the_place_of_another_is_told);
    tcase_add_loop_test(tc, every_column_of_a_row_is_in_its_checksum, 0, 8);
    tcase_add_test(tc, a_flipped_bit_in_a_job_s_row_is_told);
    tcase_add_test(tc, a_flipped_bit_in_what_a_result_has_is_told);
    tcase_add_test(tc, a_model_that_is_listed_otherwise_is_told);
    tcase_add_test(tc, labels_that_say_something_else_are_told);
    tcase_add_test(tc, a_damaged_job_can_be_deleted_whatever_the_indexes_know);
    tcase_add_test(tc, indexes_made_anew_have_what_they_had_lost);
    tcase_add_test(tc, a_job_whose_tenant_is_damaged_is_damaged_not_missing);
    tcase_add_test(tc, a_damaged_queued_job_is_left_out_until_it_is_deleted);
    tcase_add_test(tc, a_full_disk_is_told_before_a_damaged_queued_job);
    tcase_add_test(tc, a_change_of_a_damaged_row_hides_nothing);
    tcase_add_loop_test(tc, a_part_of_a_job_that_is_not_there_is_missed, 0, 4);
    tcase_add_loop_test(tc, a_checksum_that_is_not_there_is_missed, 0, 4);
    tcase_add_test(tc, a_job_whose_request_is_damaged_can_be_ended);
    tcase_add_test(tc, a_queued_job_that_cannot_be_read_keeps_no_other_from_its_turn);
    tcase_add_test(tc, a_verification_beside_a_daemon_writes_nothing);
    tcase_add_test(tc, what_is_no_database_is_not_verified);
    tcase_add_test(tc, an_empty_database_is_no_sound_store);
    tcase_add_test(tc, the_database_of_another_program_is_no_sound_store);
}
