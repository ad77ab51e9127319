/* The write-ahead log of a store that was killed: sound, torn, damaged, lost, taken in by another
 * program. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/sqlite/log_finding.h"
#include "db/sqlite/sqlite_store.h"
#include "db/sqlite/wal_check.h"
#include "tests/db/fixture.h"
#include "tests/deadline.h"
#include "tests/suite.h"

enum { HEADER = 32, FRAME_HEADER = 24, JOBS = 5 };

static Fixture f;
static char database[100], log_path[110], lock_path[110];

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

static Bytes read_bytes(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_int_eq(stat(path, &info), 0);
    Bytes bytes = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
    ck_assert_uint_eq(fread(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void poke(const char *path, size_t at, const void *data, size_t size)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, (long)at, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static uint32_t big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static size_t page_size_of(const Bytes *log)
{
    return big(log->data + 8);
}

static size_t frames_of(const Bytes *log)
{
    return (log->size - HEADER) / (FRAME_HEADER + page_size_of(log));
}

/* Where frame k begins, from 1. */
static size_t frame_at(const Bytes *log, size_t k)
{
    return HEADER + (k - 1) * (FRAME_HEADER + page_size_of(log));
}

static bool is_commit(const Bytes *log, size_t k)
{
    return big(log->data + frame_at(log, k) + 4) != 0;
}

/* The first frame of the last transaction. */
static size_t last_transaction(const Bytes *log)
{
    size_t k = frames_of(log);
    while (k > 1 && !is_commit(log, k - 1))
        k--;
    return k;
}

static WalCheck check_log(void)
{
    WalCheck check;
    ck_ok(wal_check(database, &check, err));
    return check;
}

/* Runs `act` with the open store in a process that is killed behind it. */
static void kill_after(void (*act)(Store *store), const StoreOptions *options)
{
    store_close(f.store);
    f.store = NULL;
    const pid_t child = fork();
    if (child == 0) {
        ck_ok(store_open(options, &f.store, err));
        if (!f.store)
            _exit(1);
        act(f.store);
        kill(getpid(), SIGKILL);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void add_jobs(Store *store)
{
    (void)store;
    for (int i = 0; i < JOBS; i++)
        add_job(&f, "{}");
}

static void do_nothing(Store *store)
{
    (void)store;
}

/* Everything goes into the database, as if the disk were full. */
static void add_and_cut(Store *store)
{
    JobRecord job;
    bool replayed;
    const JobDraft draft = draft_of("{}");
    add_jobs(store);
    store->disk_reserve = (uint64_t)1 << 62;
    ck_fails(store_job_add(default_tenant(store), &draft, f.arena, &job, &replayed, err),
             ERR_NO_SPACE);
    WAIT_UNTIL(lock_read(f.directory).state == LOG_EMPTY);
}

static size_t jobs_of(Store *store)
{
    StoreCounts counts;
    ck_ok(store_counts(default_tenant(store), &counts, err));
    return (size_t)counts.queued;
}

/* The store opens, with so many jobs. */
static void opens(StoreLogFinding finding, size_t jobs)
{
    ck_ok(store_open(&f.options, &f.store, err));
    ck_assert_int_eq(store_log(f.store)->finding, finding);
    ck_assert_int_eq(store_log(f.store)->message[0] == '\0', finding == STORE_LOG_SOUND);
    ck_assert_uint_eq(jobs_of(f.store), jobs);
}

/* No backup is made of what would not be whole. */
static void is_not_copied(const char *because)
{
    CopyFacts facts;
    Error error = {0};
    const CopyOptions options = {.source = f.directory, .target = f.directory};
    ck_assert_int_eq(store_copy(&options, &facts, &error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, because) != NULL, "%s", error.message);
}

/* Refused with the mend; then accepted, with so many jobs, and once is enough. */
static void stops_the_start(const char *because, size_t jobs)
{
    Error error = {0};
    StoreOptions accepting = f.options;
    accepting.accept_loss = true;
    ck_assert_int_eq(store_open(&f.options, &f.store, &error), ERR_DAMAGED);
    ck_assert_msg(strstr(error.message, because) != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, "--accept-loss") != NULL, "%s", error.message);
    ck_assert_msg(strstr(error.message, database) != NULL, "%s", error.message);
    ck_fails(store_open(&f.options, &f.store, err), ERR_DAMAGED); /* refusing changes nothing */
    kill_after(do_nothing, &accepting);
    opens(STORE_LOG_SOUND, jobs);
}

static void is_refused(const char *because, size_t jobs)
{
    is_not_copied(because);
    stops_the_start(because, jobs);
}

static StoreLogFinding find_log(LogRecord record)
{
    StoreLog log;
    ck_ok(log_find(database, &record, &log, err));
    return log.finding;
}

static void setup(void)
{
    fixture_init(&f);
    snprintf(database, sizeof database, "%s/dalembert.db", f.directory);
    snprintf(log_path, sizeof log_path, "%s-wal", database);
    snprintf(lock_path, sizeof lock_path, "%s/dalembert.lock", f.directory);
}

static void setup_killed(void)
{
    setup();
    kill_after(add_jobs, &f.options);
}

static void teardown(void)
{
    fixture_done(&f);
}

START_TEST(a_clean_end_is_recorded_and_leaves_no_log)
{
    add_jobs(f.store);
    ck_assert_int_eq(lock_read(f.directory).state, LOG_USED);
    const int64_t revision = store_revision(default_tenant(f.store));
    ck_assert_int_eq(lock_read(f.directory).revision, revision);
    store_close(f.store);
    ck_assert_int_eq(lock_read(f.directory).state, LOG_CLOSED);
    ck_assert_int_eq(lock_read(f.directory).revision, revision);
    ck_assert_int_eq(check_log().state, WAL_NONE);
    opens(STORE_LOG_SOUND, JOBS);
}
END_TEST

START_TEST(the_log_of_a_killed_store_is_sound)
{
    const WalCheck check = check_log();
    ck_assert_int_eq(check.state, WAL_SOUND);
    ck_assert_uint_ge(check.commits, JOBS);
    ck_assert_int_eq(lock_read(f.directory).state, LOG_USED);
    opens(STORE_LOG_SOUND, JOBS);
}
END_TEST

/* Bits of frame headers all, of pages some. In the last transaction damage looks like a torn
 * write, unless the record tells that it was acknowledged. */
START_TEST(every_flipped_bit_is_noticed)
{
    const Bytes log = read_bytes(log_path);
    const LogRecord record = lock_read(f.directory);
    const size_t frame_size = FRAME_HEADER + page_size_of(&log);
    const size_t last = frame_at(&log, last_transaction(&log));
    size_t flips = 0;
    for (size_t bit = 0; bit < 8 * log.size; bit++) {
        const size_t at = bit / 8;
        const bool in_page = at >= HEADER && (at - HEADER) % frame_size >= FRAME_HEADER;
        if (in_page && bit % 4999)
            continue;
        const uint8_t flipped = log.data[at] ^ (uint8_t)(1u << bit % 8);
        poke(log_path, at, &flipped, 1);
        const WalCheck check = check_log();
        const bool is_size = at >= HEADER && (at - HEADER) % frame_size / 4 == 1;
        if (at < last && !is_size)
            ck_assert_msg(check.state == WAL_DAMAGED, "bit %zu: %d", bit, (int)check.state);
        ck_assert_msg(check.state != WAL_SOUND && check.state != WAL_NONE, "bit %zu", bit);
        if (flips++ % 50 == 0)
            ck_assert_msg(find_log(record) == STORE_LOG_LOST, "bit %zu", bit);
        poke(log_path, at, &log.data[at], 1);
    }
    ck_assert_uint_gt(flips, 1000);
    ck_assert_int_eq(check_log().state, WAL_SOUND);
    free(log.data);
}
END_TEST

START_TEST(a_damaged_log_stops_the_start)
{
    const Bytes log = read_bytes(log_path);
    const uint8_t flipped = log.data[log.size / 2] ^ 1;
    poke(log_path, log.size / 2, &flipped, 1);
    size_t commits = 0;
    for (size_t k = 1; frame_at(&log, k + 1) <= log.size / 2; k++)
        commits += is_commit(&log, k);
    ck_assert_uint_eq(check_log().commits, commits);
    ck_assert_uint_gt(check_log().lost, 0);
    /* what opening committed itself is in front of the jobs */
    const size_t opening = (size_t)check_log().commits + (size_t)check_log().lost - JOBS;
    is_refused("is damaged at frame", commits > opening ? commits - opening : 0);
    free(log.data);
}
END_TEST

START_TEST(a_damaged_header_stops_the_start)
{
    const uint8_t zero = 0;
    poke(log_path, 20, &zero, 1);
    poke(log_path, 21, &zero, 1);
    ck_assert_int_eq(check_log().state, WAL_DAMAGED);
    is_refused("is damaged in its header", 0);
}
END_TEST

/* The last frame cut short, or with anything else behind so many bytes. */
START_TEST(a_transaction_torn_at_any_byte_is_incomplete)
{
    const Bytes log = read_bytes(log_path);
    const size_t last = frame_at(&log, frames_of(&log));
    const WalCheck whole = check_log();
    uint8_t *const torn = malloc(log.size);
    for (size_t cut = last; cut < log.size; cut++)
        for (int kind = 0; kind < 3; kind++) {
            memcpy(torn, log.data, log.size);
            if (kind)
                memset(torn + cut, kind == 1 ? 0 : 0xa5, log.size - cut);
            if (memcmp(torn, log.data, log.size) == 0 && kind)
                continue; /* the page ended so */
            write_bytes(log_path, torn, kind ? log.size : cut);
            const WalCheck check = check_log();
            ck_assert_msg(check.state != WAL_DAMAGED && check.commits == whole.commits - 1,
                          "cut at %zu, kind %d: state %d, %d commits", cut, kind, (int)check.state,
                          (int)check.commits);
        }
    free(torn);
    free(log.data);
}
END_TEST

/* After a power cut any sectors of the last transaction may be missing, and the record is old. */
START_TEST(a_frame_of_the_last_transaction_that_never_came_is_no_damage)
{
    static const uint8_t nothing[65536 + FRAME_HEADER];
    const Bytes log = read_bytes(log_path);
    const LogRecord record = lock_read(f.directory);
    const size_t first = last_transaction(&log), size = FRAME_HEADER + page_size_of(&log);
    ck_assert_uint_gt(frames_of(&log), first);
    for (size_t k = first; k <= frames_of(&log); k++) {
        poke(log_path, frame_at(&log, k), nothing, size);
        const WalState state = check_log().state;
        ck_assert_msg(state == WAL_TORN, "frame %zu: %d", k, (int)state);
        ck_assert_int_eq(find_log((LogRecord){LOG_USED, record.revision - 1}),
                         STORE_LOG_INCOMPLETE);
        ck_assert_int_eq(find_log((LogRecord){.state = LOG_UNKNOWN}), STORE_LOG_INCOMPLETE);
        ck_assert_int_eq(find_log(record), STORE_LOG_LOST);
        poke(log_path, frame_at(&log, k), log.data + frame_at(&log, k), size);
    }
    free(log.data);
}
END_TEST

START_TEST(an_incomplete_transaction_is_dropped_and_told)
{
    const Bytes log = read_bytes(log_path);
    ck_assert_int_eq(truncate(log_path, (off_t)(log.size - 100)), 0);
    write_bytes(lock_path, "process 1 on host 'x'\n", 22); /* an older program's */
    if (_i) {
        kill_after(do_nothing, &f.options); /* what is left of it does not stay */
        ck_assert_int_eq(check_log().state, WAL_NONE);
    }
    opens(_i ? STORE_LOG_SOUND : STORE_LOG_INCOMPLETE, JOBS - 1);
    free(log.data);
}
END_TEST

START_TEST(a_log_that_ends_too_early_stops_the_start)
{
    const Bytes log = read_bytes(log_path);
    const size_t cut = frame_at(&log, last_transaction(&log));
    ck_assert_int_eq(truncate(log_path, (off_t)cut), 0);
    ck_assert_int_eq(check_log().state, WAL_SOUND);
    is_refused("ends too early", JOBS - 1);
    free(log.data);
}
END_TEST

START_TEST(a_lost_log_stops_the_start)
{
    ck_assert_int_eq(_i ? truncate(log_path, 0) : unlink(log_path), 0);
    is_refused("is gone or empty", 0);
}
END_TEST

/* All tables of a new store are in its first log. */
START_TEST(a_lost_first_log_stops_the_start)
{
    store_close(f.store);
    ck_assert_int_eq(unlink(database), 0);
    ck_assert_int_eq(unlink(lock_path), 0);
    f.store = NULL;
    kill_after(add_jobs, &f.options);
    ck_assert_int_eq(unlink(log_path), 0);
    is_refused("is gone or empty", 0);
}
END_TEST

/* With its log, without it, and after a clean end; deleted or emptied. */
START_TEST(a_lost_database_stops_the_start)
{
    if (_i >= 2) { /* a clean end */
        ck_ok(store_open(&f.options, &f.store, err));
        store_close(f.store);
        f.store = NULL;
        ck_assert_int_eq(lock_read(f.directory).state, LOG_CLOSED);
    }
    if (_i == 1)
        ck_assert_int_eq(unlink(log_path), 0);
    ck_assert_int_eq(_i == 3 ? truncate(database, 0) : unlink(database), 0);
    stops_the_start("dalembert.lock beside it records", 0);
    add_job(&f, "{}"); /* from then on it is a store like any other */
    store_close(f.store);
    f.store = NULL;
    opens(STORE_LOG_SOUND, 1);
}
END_TEST

START_TEST(the_begin_of_a_frame_is_an_incomplete_transaction)
{
    FILE *file = fopen(log_path, "ab");
    ck_assert_ptr_nonnull(file);
    fputs("begin", file);
    fclose(file);
    ck_assert_int_eq(check_log().state, WAL_TORN);
    opens(STORE_LOG_INCOMPLETE, JOBS);
}
END_TEST

START_TEST(a_log_that_the_writer_has_cut_is_no_loss)
{
    kill_after(add_and_cut, &f.options);
    struct stat info;
    ck_assert_int_eq(stat(log_path, &info), 0);
    ck_assert_int_eq(info.st_size, 0);
    ck_assert_int_eq(lock_read(f.directory).state, LOG_EMPTY);
    opens(STORE_LOG_SOUND, 2 * JOBS);
    add_job(&f, "{}");
    ck_assert_int_eq(lock_read(f.directory).state, LOG_USED);
}
END_TEST

START_TEST(a_log_that_another_program_took_in_is_no_loss)
{
    sqlite3 *db;
    struct stat info;
    ck_assert_int_eq(sqlite3_open(database, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "SELECT count(*) FROM jobs", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    ck_assert_int_ne(stat(log_path, &info), 0);
    opens(STORE_LOG_TAKEN_IN, JOBS);
}
END_TEST

START_TEST(a_directory_of_an_older_program_opens_as_before)
{
    write_bytes(lock_path, "process 1 on host 'x'\n", 22);
    ck_assert_int_eq(lock_read(f.directory).state, LOG_UNKNOWN);
    if (_i)
        ck_assert_int_eq(unlink(log_path), 0);
    opens(STORE_LOG_SOUND, _i ? 0 : JOBS);
}
END_TEST

static void on_damage(void *self, const char *what)
{
    ck_assert_msg(strstr(what, log_path) != NULL, "%s", what);
    ++*(int *)self;
}

START_TEST(a_verification_tells_of_the_log)
{
    int told = 0;
    const ReportSink sink = {&told, on_damage};
    StoreReport report;
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.log.finding, STORE_LOG_SOUND);
    ck_assert_int_eq(told, 0);
    const Bytes log = read_bytes(log_path);
    const size_t at = frame_at(&log, last_transaction(&log)) - 1;
    const uint8_t flipped = log.data[at] ^ 16;
    poke(log_path, at, &flipped, 1);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_eq(report.log.finding, STORE_LOG_LOST);
    ck_assert_uint_eq(report.log.lost, 2);
    ck_assert_int_eq(told, 1);
    free(log.data);
}
END_TEST

/* Logs of SQLite itself, without a store. */

static sqlite3 *plain_database(int page_size)
{
    sqlite3 *db;
    char sql[200];
    ck_assert_int_eq(unlink(database), 0);
    ck_assert_int_eq(sqlite3_open(database, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
             "CREATE TABLE t (x)",
             page_size);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void insert(sqlite3 *db, int rows)
{
    char sql[200];
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT %d)"
             "INSERT INTO t SELECT randomblob(3000) FROM n",
             rows);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

START_TEST(every_page_size_is_read)
{
    static const int SIZES[] = {512, 4096, 65536};
    store_close(f.store);
    f.store = NULL;
    sqlite3 *db = plain_database(SIZES[_i]);
    for (int i = 1; i <= 10; i++) {
        insert(db, i);
        ck_assert_int_eq(check_log().state, WAL_SOUND);
        ck_assert_uint_eq(check_log().commits, 1 + (uint64_t)i); /* one made the table */
    }
    sqlite3_close(db);
}
END_TEST

START_TEST(frames_of_an_earlier_generation_do_not_count)
{
    store_close(f.store);
    f.store = NULL;
    sqlite3 *db = plain_database(4096);
    for (int i = 0; i < 10; i++)
        insert(db, 10);
    ck_assert_int_eq(sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL),
                     SQLITE_OK);
    const Bytes before = read_bytes(log_path);
    insert(db, 1);
    const Bytes after = read_bytes(log_path);
    ck_assert_uint_eq(after.size, before.size);
    ck_assert_int_eq(check_log().state, WAL_SOUND);
    ck_assert_uint_eq(check_log().commits, 1);
    sqlite3_close(db);
    free(before.data);
    free(after.data);
}
END_TEST

/* The same log as a big-endian machine writes it: SQLite reads that, too. */
START_TEST(checksums_of_both_byte_orders_are_read)
{
    Bytes log = read_bytes(log_path);
    uint32_t first = 0, second = 0;
    log.data[3] ^= 1;
    const size_t frames = frames_of(&log), page = page_size_of(&log);
    for (size_t k = 0; k <= frames; k++) {
        uint8_t *const part = log.data + (k ? frame_at(&log, k) : 0);
        const size_t size = k ? FRAME_HEADER + page : 24;
        for (size_t i = 0; i < size; i += 8) {
            if (k && i >= 8 && i < FRAME_HEADER)
                continue; /* the checksum leaves out salts and itself */
            first += big(part + i) + second;
            second += big(part + i + 4) + first;
        }
        uint8_t *const sum = part + (k ? 16 : 24);
        for (int i = 0; i < 4; i++) {
            sum[i] = (uint8_t)(first >> (24 - 8 * i));
            sum[4 + i] = (uint8_t)(second >> (24 - 8 * i));
        }
    }
    write_bytes(log_path, log.data, log.size);
    ck_assert_int_eq(check_log().state, WAL_SOUND);
    opens(STORE_LOG_SOUND, JOBS);
    free(log.data);
}
END_TEST

SUITE(log)
{
    TCase *killed = suite_case(suite, "killed");
    tcase_add_checked_fixture(killed, setup_killed, teardown);
    tcase_add_test(killed, the_log_of_a_killed_store_is_sound);
    tcase_add_test(killed, every_flipped_bit_is_noticed);
    tcase_add_test(killed, a_damaged_log_stops_the_start);
    tcase_add_test(killed, a_damaged_header_stops_the_start);
    tcase_add_test(killed, a_transaction_torn_at_any_byte_is_incomplete);
    tcase_add_test(killed, a_frame_of_the_last_transaction_that_never_came_is_no_damage);
    tcase_add_loop_test(killed, an_incomplete_transaction_is_dropped_and_told, 0, 2);
    tcase_add_test(killed, a_log_that_ends_too_early_stops_the_start);
    tcase_add_loop_test(killed, a_lost_log_stops_the_start, 0, 2);
    tcase_add_loop_test(killed, a_lost_database_stops_the_start, 0, 4);
    tcase_add_test(killed, the_begin_of_a_frame_is_an_incomplete_transaction);
    tcase_add_test(killed, a_log_that_the_writer_has_cut_is_no_loss);
    tcase_add_test(killed, a_log_that_another_program_took_in_is_no_loss);
    tcase_add_loop_test(killed, a_directory_of_an_older_program_opens_as_before, 0, 2);
    tcase_add_test(killed, a_verification_tells_of_the_log);
    tcase_add_test(killed, checksums_of_both_byte_orders_are_read);

    TCase *plain = suite_case(suite, "plain");
    tcase_add_checked_fixture(plain, setup, teardown);
    tcase_add_test(plain, a_clean_end_is_recorded_and_leaves_no_log);
    tcase_add_test(plain, a_lost_first_log_stops_the_start);
    tcase_add_loop_test(plain, every_page_size_is_read, 0, 3);
    tcase_add_test(plain, frames_of_an_earlier_generation_do_not_count);
}
