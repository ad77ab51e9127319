/* Killed at every point: before and in the middle of the n-th write, before the n-th truncation,
 * sync and deletion of a file, for every n from creating the database to closing it. What was
 * acknowledged is there, once and whole; what was not may be; and all that is left over ends as
 * ever. */
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/db/fixture.h"
#include "tests/suite.h"

/* The file system with points: SQLite's own, which ends the process at one of them. */

typedef struct PointFile {
    sqlite3_file base;
    sqlite3_file *real; /* behind this struct */
} PointFile;

static sqlite3_vfs points_vfs, *real_vfs;
static atomic_int points;
static int kill_at;
static bool in_the_middle;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((PointFile *)file)->real;
}

static bool is_the_end(void)
{
    return atomic_fetch_add(&points, 1) + 1 == kill_at;
}

static void point(void)
{
    if (is_the_end())
        kill(getpid(), SIGKILL);
}

static int point_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
    sqlite3_file *real = real_of(file);
    if (is_the_end()) {
        if (in_the_middle)
            real->pMethods->xWrite(real, bytes, n / 2, at);
        kill(getpid(), SIGKILL);
    }
    return real->pMethods->xWrite(real, bytes, n, at);
}

static int point_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    point();
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int point_sync(sqlite3_file *file, int flags)
{
    point();
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

#define FORWARD(name, parameters, ...)                                    \
    static int forward_##name parameters                                  \
    {                                                                     \
        return real_of(file)->pMethods->name(real_of(file), __VA_ARGS__); \
    }
FORWARD(xRead, (sqlite3_file * file, void *bytes, int n, sqlite3_int64 at), bytes, n, at)
FORWARD(xFileSize, (sqlite3_file * file, sqlite3_int64 *size), size)
FORWARD(xLock, (sqlite3_file * file, int level), level)
FORWARD(xUnlock, (sqlite3_file * file, int level), level)
FORWARD(xCheckReservedLock, (sqlite3_file * file, int *ret), ret)
FORWARD(xFileControl, (sqlite3_file * file, int op, void *argument), op, argument)
FORWARD(xShmMap, (sqlite3_file * file, int page, int size, int extend, void volatile **ret), page,
        size, extend, ret)
FORWARD(xShmLock, (sqlite3_file * file, int offset, int n, int flags), offset, n, flags)
FORWARD(xShmUnmap, (sqlite3_file * file, int flag), flag)

static int forward_xSectorSize(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int forward_xDeviceCharacteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static void forward_xShmBarrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int forward_xClose(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static const sqlite3_io_methods METHODS = {.iVersion = 2,
                                           .xClose = forward_xClose,
                                           .xRead = forward_xRead,
                                           .xWrite = point_write,
                                           .xTruncate = point_truncate,
                                           .xSync = point_sync,
                                           .xFileSize = forward_xFileSize,
                                           .xLock = forward_xLock,
                                           .xUnlock = forward_xUnlock,
                                           .xCheckReservedLock = forward_xCheckReservedLock,
                                           .xFileControl = forward_xFileControl,
                                           .xSectorSize = forward_xSectorSize,
                                           .xDeviceCharacteristics = forward_xDeviceCharacteristics,
                                           .xShmMap = forward_xShmMap,
                                           .xShmLock = forward_xShmLock,
                                           .xShmBarrier = forward_xShmBarrier,
                                           .xShmUnmap = forward_xShmUnmap};

static int point_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret)
{
    PointFile *own = (PointFile *)file;
    (void)vfs;
    own->real = (sqlite3_file *)&own[1];
    int code = real_vfs->xOpen(real_vfs, name, own->real, flags, ret);
    own->base.pMethods = own->real->pMethods ? &METHODS : NULL;
    return code;
}

static int point_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs;
    point();
    return real_vfs->xDelete(real_vfs, name, sync);
}

static void use_points(int n, bool middle)
{
    real_vfs = sqlite3_vfs_find(NULL);
    points_vfs = *real_vfs;
    points_vfs.zName = "points";
    points_vfs.szOsFile += (int)sizeof(PointFile);
    points_vfs.xOpen = point_open;
    points_vfs.xDelete = point_delete;
    kill_at = n;
    in_the_middle = middle;
    sqlite3_vfs_register(&points_vfs, 1);
}

/* What the child does, and what it says of it: in capitals before, in small letters when it was
 * acknowledged. */

enum { SAID_MAX = 64, JOBS = 4, ROWS = 3, COLUMNS = 2 };

typedef struct Said {
    char what; /* a added, f finished, c cancelled, d deleted, m model, x closed */
    int job;   /* number of */
    char id[JOB_ID_MAX];
} Said;

static const double VALUES[ROWS * COLUMNS] = {0, 1, 0.5, 1.25, 1, -3};
static const char MODEL[] = "{\"a\":\"model\"}";
static int said_to;

static void say(char what, int job, const char *id)
{
    Said said = {.what = what, .job = job};
    snprintf(said.id, sizeof said.id, "%s", id);
    if (write(said_to, &said, sizeof said) != sizeof said)
        _exit(3);
}

static void require(Status status)
{
    if (status != OK)
        _exit(2);
}

static void child_add(Store *store, Arena *arena, int job)
{
    char key[16];
    snprintf(key, sizeof key, "key-%d", job);
    JobDraft draft = draft_of("{\"request\": 1}");
    JobRecord record;
    bool replayed;
    draft.idempotency_key = key;
    draft.labels = "{\"a\":\"b\"}";
    say('A', job, "");
    require(store_job_add(default_tenant(store), &draft, arena, &record, &replayed, NULL));
    say('a', job, record.id);
}

static void child_run(Store *store, Arena *arena, int job)
{
    JobLease lease;
    const JobFinish finish = {.state = JOB_SUCCEEDED, .complete = true, .diagnostics = "{}"};
    require(store_job_claim(store, arena, &lease, NULL));
    const char *id = lease.job.id;
    require(store_result_begin(store, id, lease.token, "[\"t\",\"x\"]", NULL, NULL));
    require(store_result_append(store, id, lease.token, -1, VALUES, ROWS, COLUMNS, NULL));
    say('F', job, id);
    require(store_job_finish(store, id, lease.token, &finish, NULL));
    say('f', job, id);
}

static void child_main(const char *directory)
{
    bool more;
    const StoreOptions options = {.directory = directory};
    Arena *arena = arena_new(1 << 20);
    Store *store;
    JobRecord job;
    bool created;
    require(store_open(&options, &store, NULL));
    for (int i = 0; i < JOBS; i++)
        child_add(store, arena, i);
    child_run(store, arena, 0);
    const JobFilter filter = {.by_state = true, .state = JOB_QUEUED, .since = -1, .limit = 1};
    JobRecord *newest;
    size_t n;
    require(store_job_list(default_tenant(store), &filter, arena, &newest, &n, &more, NULL));
    say('C', JOBS - 1, newest->id);
    require(store_job_cancel(default_tenant(store), newest->id, arena, &job, NULL));
    say('c', JOBS - 1, job.id);
    say('M', 0, "");
    require(store_model_put(default_tenant(store), "model-id", "m", MODEL, strlen(MODEL), &created,
                            NULL));
    say('m', 0, "");
    child_run(store, arena, 1);
    say('D', JOBS - 1, job.id);
    require(store_job_delete(default_tenant(store), job.id, NULL));
    say('d', JOBS - 1, job.id);
    store_close(store);
    say('x', 0, "");
    arena_free(arena);
    _exit(0);
}

/* What the parent finds. */

typedef struct Heard {
    Said said[SAID_MAX];
    size_t n;
} Heard;

static bool heard(const Heard *h, char what, int job)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->said[i].what == what && h->said[i].job == job)
            return true;
    return false;
}

static const char *id_of(const Heard *h, int job)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->said[i].what == 'a' && h->said[i].job == job)
            return h->said[i].id;
    return NULL;
}

static void check_rows(Fixture *f, const char *id)
{
    ResultBlock block;
    ck_ok(store_result_block(default_tenant(f->store), id, -1, 0, f->arena, &block, err));
    ck_assert_uint_eq(block.n_rows, ROWS);
    ck_assert_mem_eq(block.rows, VALUES, sizeof VALUES);
}

static void check_job(Fixture *f, const Heard *h, int job)
{
    const char *id = id_of(h, job);
    JobRecord record;
    if (!id)
        return;
    Status status = store_job_get(default_tenant(f->store), id, f->arena, &record, NULL);
    if (heard(h, 'd', job)) {
        ck_assert_int_eq(status, ERR_NOT_FOUND);
        return;
    }
    if (status == ERR_NOT_FOUND && heard(h, 'D', job))
        return;
    ck_assert_int_eq(status, OK);
    if (heard(h, 'f', job))
        ck_assert_int_eq(record.state, JOB_SUCCEEDED);
    if (heard(h, 'c', job))
        ck_assert_int_eq(record.state, JOB_CANCELLED);
    if (record.state == JOB_SUCCEEDED)
        check_rows(f, id);
}

static void ignore_damage(void *self, const char *what)
{
    (void)self;
    (void)what;
}

static void check_all(Fixture *f, const Heard *h)
{
    bool more;
    const JobFilter filter = {.since = -1, .limit = 100};
    const ReportSink sink = {NULL, ignore_damage};
    JobRecord *jobs;
    StoreReport report;
    JobLease lease;
    size_t n, asked = 0;
    for (int job = 0; job < JOBS; job++) {
        check_job(f, h, job);
        asked += heard(h, 'A', job);
    }
    if (heard(h, 'm', 0)) {
        ModelRecord model;
        ck_ok(store_model_get(default_tenant(f->store), "model-id", f->arena, &model, err));
        ck_assert_str_eq(model.document, MODEL);
    }
    /* none is there twice, and those that are left over end */
    ck_ok(store_job_list(default_tenant(f->store), &filter, f->arena, &jobs, &n, &more, err));
    ck_assert_uint_le(n, asked);
    while (store_job_claim(f->store, f->arena, &lease, NULL) == OK)
        finish_job(f, &lease, JOB_SUCCEEDED);
    ck_ok(store_job_list(default_tenant(f->store), &filter, f->arena, &jobs, &n, &more, err));
    for (size_t i = 0; i < n; i++)
        ck_assert(job_state_done(jobs[i].state));
    ck_ok(store_verify(f->directory, &sink, &report, err));
    ck_assert_uint_eq(report.structure, 0);
    for (int kind = 0; kind < STORED_KINDS; kind++)
        ck_assert_uint_eq(report.kinds[kind].damaged, 0);
}

/* False when the child came to its end. */
static bool kill_and_check(int n, bool middle)
{
    Fixture f = {.options = {.directory = f.directory}, .arena = arena_new(1 << 20)};
    Heard h = {0};
    int pipe_ends[2], status;
    strcpy(f.directory, "/tmp/dalembert-points-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(f.directory));
    ck_assert_int_eq(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(pipe_ends[0]);
        said_to = pipe_ends[1];
        use_points(n, middle);
        child_main(f.directory);
    }
    close(pipe_ends[1]);
    while (h.n < SAID_MAX && read(pipe_ends[0], &h.said[h.n], sizeof(Said)) == sizeof(Said))
        h.n++;
    close(pipe_ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    ck_assert_msg(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0), "status %x", status);
    ck_assert(killed || heard(&h, 'x', 0));
    ck_ok(store_open(&f.options, &f.store, err));
    check_all(&f, &h);
    fixture_done(&f);
    return killed;
}

/* Every point with POINTS=all, else one in five. */
START_TEST(what_was_acknowledged_survives_a_kill_at_any_point)
{
    const int step = getenv("POINTS") ? 1 : 5;
    int killed = 0;
    for (int n = 1; kill_and_check(n, _i == 1); n += step)
        killed++;
    printf("killed at %d points%s\n", killed, _i == 1 ? ", in the middle of writes" : "");
    ck_assert_int_gt(killed, 40);
}
END_TEST

SUITE(points)
{
    TCase *tc = suite_case(suite, "points");
    tcase_add_loop_test(tc, what_was_acknowledged_survives_a_kill_at_any_point, 0, 2);
}
