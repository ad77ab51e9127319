/* The SQLite store, internal interface.
 *
 * One thread, the writer, owns the only connection that writes and checkpoints. Every change of the
 * database is a WriteOp; the writer runs all pending ones in one transaction (a group) and commits
 * once. Readers borrow a read-only connection for one call.
 *
 * Memory holds a copy of the state for quick decisions: the queues in their order, the leases of
 * running jobs and the revisions. It is loaded when the store is opened and follows the commits: an
 * operation changes the database in run(), and the memory in settle() when its outcome is known. So
 * memory never runs ahead of the disk, with one exception: a claim is decided in memory and written
 * right after. If the process dies in between, the job is still queued on the disk.
 *
 * `mutex` is never held while the database is used. */
#ifndef DB_SQLITE_STORE_H
#define DB_SQLITE_STORE_H

#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "db/sqlite/lock_file.h"
#include "db/tenants.h"
#include "db/uuid.h"

/* Connections and statements: connection.c. */

typedef struct Connection {
    sqlite3 *db;
    sqlite3_stmt **statements; /* prepared once, found again by their text */
    size_t n_statements, capacity;
    bool writable;
    bool damaged; /* a reader met a damaged page; until it is given back */
} Connection;

enum { BUSY_TIMEOUT_MS = 5000 };

/* Opens the file; on failure *connection is closed again. */
Status connection_open(Connection *connection, const char *path, bool writable,
                       Error *err) MUST_CHECK;
void connection_close(Connection *connection); /* twice is fine */
/* Statements without parameters or rows, not cached. */
Status connection_script(Connection *connection, const char *sql, Error *err) MUST_CHECK;
/* One cached statement without parameters or rows. */
Status connection_exec(Connection *connection, const char *sql, Error *err) MUST_CHECK;
/* The first column of the first row, an integer. */
Status connection_int(Connection *connection, const char *sql, int64_t *ret_value,
                      Error *err) MUST_CHECK;
bool connection_changed(const Connection *connection); /* rows, by the last statement */
bool connection_in_transaction(const Connection *connection);

/* A statement in use. Errors are sticky: after a failure every call is a no-op, and query_end()
 * returns it. Bound texts and blobs must outlive the query. */
typedef struct Query {
    Connection *connection;
    sqlite3_stmt *statement;
    int code;
    int cause;        /* of the failure: errno, or 0 */
    char damage[120]; /* message for a damaged row, or "" */
} Query;

Query query_new(Connection *connection, const char *sql);
void query_int(Query *query, int parameter, int64_t value);
void query_real(Query *query, int parameter, double value);
void query_text(Query *query, int parameter, const char *text); /* NULL: SQL's NULL */
void query_blob(Query *query, int parameter, const void *bytes, size_t size);
bool query_next(Query *query); /* false at the end or after a failure */
/* Marks the current row as damaged: ERR_DAMAGED with the message. */
void query_damaged(Query *query, const char *format, ...) PRINTF_LIKE(2, 3);
Status query_end(Query *query, Error *err) MUST_CHECK;
Status query_run(Query *query, Error *err) MUST_CHECK; /* all its rows, then the end */

/* Columns of the current row, from 0. Texts are copied to the arena; NULL for SQL's NULL. */
int64_t row_int(const Query *query, int column); /* 0 for SQL's NULL */
double row_real(const Query *query, int column);
const char *row_text(Query *query, int column, Arena *arena);
const char *row_bytes(Query *query, int column, Arena *arena, size_t *ret_size);
const char *row_peek(const Query *query, int column); /* until the next row; "" for NULL */

/* The queue in its order: queue.c. */

/* Each tenant has a queue. Order in it: jobs whose process died while they ran come last (only they
 * have attempts in the queue), then by priority, then by place. The place of a job is its age, as
 * ids sort by age. An ensemble that was handed out gets a new place behind all others. */
enum { ATTEMPT_LEFT_OUT = INT_MAX }; /* unreadable: behind all others, and never claimed */
typedef struct LiveEnsemble LiveEnsemble;
typedef struct QueueEntry {
    int64_t tenant;
    unsigned attempt;
    int priority;
    uint64_t place;
    int64_t not_after_ms;   /* latest start (Unix time in ms); 0: no limit */
    LiveEnsemble *ensemble; /* NULL: a plain job */
    char id[JOB_ID_MAX];
} QueueEntry;

/* A sorted array with room at both ends. Every unfinished job has a seat, queued or not, so that
 * putting a job back cannot fail. */
typedef struct JobQueue {
    QueueEntry *entries; /* entries[first] .. entries[first + count - 1] */
    size_t first, count, capacity, seats;
    int64_t expires_ms; /* no entry expires earlier; 0: none expires */
} JobQueue;

bool queue_seat(JobQueue *queue); /* false when out of memory */
void queue_unseat(JobQueue *queue);
void queue_done(JobQueue *queue);
QueueEntry queue_entry(int64_t tenant, const char *id, unsigned attempt, int priority);
void queue_insert(JobQueue *queue, const QueueEntry *entry);
bool queue_remove(JobQueue *queue, const QueueEntry *entry); /* false when it is not there */
/* The first entry that has not expired and is not of ensemble `but` (NULL: of any); NULL: none. */
const QueueEntry *queue_first(const JobQueue *queue, int64_t now_ms, const LiveEnsemble *but);
/* Copies at most n of the first entries that have expired. Scans the queue if expires_ms has
 * passed. */
size_t queue_expired(JobQueue *queue, int64_t now_ms, QueueEntry *ret_entries, size_t n);
const QueueEntry *queue_find(const JobQueue *queue, const char *id); /* scans all; or NULL */
/* When the oldest waiting job was added, by its place; 0: the queue is empty. Running ensembles do
 * not count, because they are older than the jobs behind them. Scans the queue. */
int64_t queue_oldest_ms(const JobQueue *queue);
size_t queue_rank(const JobQueue *queue, const QueueEntry *entry); /* entries before it */

/* The queues of all tenants: queues of tenants 1 .. n are used. */
typedef struct TenantQueues {
    JobQueue of[TENANTS_MAX + 1];          /* by the tenant's number */
    uint64_t running_max[TENANTS_MAX + 1]; /* quota of each; 0: none */
    char names[TENANTS_MAX + 1][TENANT_NAME_MAX];
    int64_t n, turn; /* the tenant that was served last */
} TenantQueues;

/* Leases: leases.c. */

typedef struct AppendOp AppendOp;

/* One table of a result while it is written. */
typedef struct LeaseTable {
    uint64_t rows;
    size_t n_columns;
    AppendOp *open; /* waits in the writer's queue and has room for more rows; or NULL */
} LeaseTable;

enum { TABLES_MAX = 10000 }; /* besides the trajectory */

/* The rows of a unit until it ends: unit_rows.c. */
typedef struct UnitRows UnitRows;

/* A claimed job, or a claimed unit of an ensemble. References are counted: one for the table of
 * leases, one for each of its operations. */
typedef struct Lease {
    struct Lease *next;
    unsigned references;
    char id[JOB_ID_MAX];
    int64_t tenant;
    int64_t seq; /* the job's row */
    int64_t token, started_ms;
    unsigned attempt; /* with this run */
    int priority;
    int64_t not_after_ms;
    bool begun;         /* store_result_begin was called */
    bool closing;       /* its end waits for the writer */
    bool forsaken;      /* given up by its worker; goes back once that can be written */
    bool lost;          /* no longer in the table */
    bool cancel_wanted; /* a cancellation was requested, before or after the claim */
    Status trouble;     /* of the writer: the failure that blocks its operations now */
    LeaseTable *tables; /* [0]: the trajectory, [k + 1]: table k */
    size_t n_tables, capacity;
    LiveEnsemble *ensemble; /* that is being ended, or that has the unit; or NULL */
    UnitRows *unit;         /* NULL: not of a unit */
} Lease;

enum { LEASE_BUCKETS = 64 };
typedef struct LeaseSet {
    Lease *buckets[LEASE_BUCKETS];
    size_t rescued;                  /* leases of jobs whose process died before */
    size_t running[TENANTS_MAX + 1]; /* leases of each tenant */
} LeaseSet;

/* All with the mutex held. */
unsigned lease_bucket(const char *job_id);
void lease_add(LeaseSet *leases, Lease *lease);                /* with a reference of the table */
Lease *lease_find(const LeaseSet *leases, const char *job_id); /* any of the job, or NULL */
Lease *lease_of(const LeaseSet *leases, const char *job_id, int64_t token); /* or NULL */
void lease_remove(LeaseSet *leases, Lease *lease); /* once; drops the table's reference */
Lease *lease_ref(Lease *lease);
void lease_unref(Lease *lease);

/* From runs.c. With the mutex held: */
Lease *lease_held(const Store *store, const char *job_id, int64_t token); /* NULL: lost or ending */
void lease_lose(Store *store, Lease *lease);                              /* twice is fine */
void lease_close_blocks(Lease *lease); /* waiting blocks take no more rows */
typedef struct WriteOp WriteOp;
void lease_settle(Store *store, WriteOp *op); /* for relaxed ones: a failure loses the lease */

/* Part of every statement of a run: ?1 the job's row, ?2 its attempt, ?3 the token. */
#define LEASE_GUARD "seq = ?1 AND state = 'running' AND attempt = ?2 AND token = ?3"
void lease_bind(Query *query, const Lease *lease);

/* Ensembles that are not done, in memory: ensembles.c. */

/* Members that have not ended and that nobody runs. */
typedef struct MemberRange {
    uint64_t first, n;
    unsigned deaths; /* as in the column: schema.c */
} MemberRange;

/* The key of a member's row combines the member and the number of the row in its table: */
enum { MEMBER_ROW_BITS = 38 };
#define MEMBER_BITS "38" /* in SQL */
#define MEMBER_KEY(member, row) ((int64_t)((uint64_t)(member) << MEMBER_ROW_BITS | (uint64_t)(row)))

/* The database stores the ended members (unit_ends); the others follow from them. A claim writes
 * one row. Its end deletes that row and joins its range to the neighbors, in any order. */
struct LiveEnsemble {
    LiveEnsemble *next;
    char id[JOB_ID_MAX];
    int64_t tenant;
    int64_t seq; /* the job's row; 0: not known yet */
    int priority;
    unsigned attempt; /* of the job, before it runs */
    int64_t not_after_ms;
    uint64_t place; /* in the queue */
    uint64_t members, done;
    MemberRange *ranges; /* ascending; those whose process died come last */
    size_t n_ranges, capacity;
    size_t running; /* units */
    double used;    /* seconds with units running, before the current ones .. */
    double since;   /* .. and the start of the current ones */
    Lease *lease;   /* of the job, from its first unit until its end is handed out; or NULL */
    bool queued;    /* in the queue with this entry: there is something to hand out */
    QueueEntry entry;
    bool cancel_wanted, stopped;
    bool ending;   /* its job's lease is held */
    bool left_out; /* a part of it cannot be read */
};

typedef struct EnsembleSet {
    LiveEnsemble *buckets[LEASE_BUCKETS];
} EnsembleSet;

/* NULL: no memory */
LiveEnsemble *live_ensemble_new(int64_t tenant, const char *id, int priority, uint64_t members);
void live_ensemble_free(LiveEnsemble *ensemble); /* NULL is fine */
/* Reads the ended members and the ranges of dead processes; ERR_DAMAGED: to be left out. */
Status live_ensemble_load(Store *store, Connection *connection, LiveEnsemble *ensemble,
                          Error *err) MUST_CHECK;
/* With the mutex held, or before the writer runs: */
void live_ensemble_add(Store *store, LiveEnsemble *ensemble);
LiveEnsemble *live_ensemble_find(const Store *store, const char *job_id);
void live_ensemble_remove(Store *store, LiveEnsemble *ensemble); /* and frees it: its job is done */
QueueEntry live_ensemble_entry(LiveEnsemble *ensemble);
/* Puts it into the queue if there is something to hand out, else takes it out. */
void live_ensemble_requeue(Store *store, LiveEnsemble *ensemble);
/* Stops handing it out. */
void live_ensemble_leave_out(Store *store, LiveEnsemble *ensemble, const Error *reason);
/* Whether none of its members has been begun. */
bool live_ensemble_fresh(const LiveEnsemble *ensemble);
/* For a cancellation. True: nobody runs it or has run it; it is out of the queue until the outcome
 * is known. */
bool live_ensemble_withdraw(Store *store, LiveEnsemble *ensemble);
void live_ensemble_cancelled(Store *store, LiveEnsemble *ensemble, Status status, bool withdrawn);
/* The next range to claim, or NULL. */
MemberRange *live_ensemble_next(const Store *store, const LiveEnsemble *ensemble);
/* Reserves memory for the ranges that its units may give back; false: out of memory. */
bool live_ensemble_reserve(LiveEnsemble *ensemble);
void live_ensemble_give_back(LiveEnsemble *ensemble, MemberRange range); /* there is room */
void live_ensemble_take(LiveEnsemble *ensemble, uint64_t n); /* n members of the first range */
void live_ensemble_begin_unit(LiveEnsemble *ensemble);
void live_ensemble_end_unit(LiveEnsemble *ensemble);
uint64_t live_ensemble_used_ms(const LiveEnsemble *ensemble); /* with units running, until now */

/* From units.c: the claim of the unit could not be written. Mutex held. */
void unit_lose(Store *store, Lease *lease, const Error *reason);
/* From unit_rows.c. */
void unit_rows_free(UnitRows *rows); /* and those after it */

/* The writer: writer.c. */

struct WriteOp {
    WriteOp *next;
    /* In the writer's thread, in a savepoint of the group's transaction. */
    Status (*run)(Store *store, WriteOp *op, Error *err);
    /* Updates the memory when the outcome (status) is known. Called once, mutex held. May be NULL
     * if the operation is awaited; a relaxed operation frees itself here. */
    void (*settle)(Store *store, WriteOp *op);
    /* Called when the writer takes it from the queue; mutex held. May be NULL. */
    void (*take)(WriteOp *op);
    Lease *lease; /* its owner, or NULL. Operations of one lease stay in order. */
    size_t bytes; /* of memory that it holds */
    double since; /* monotonic time of its arrival */
    bool gathers; /* it takes more rows: the writer leaves it for ROWS_SECONDS, if it can */
    bool rows;    /* of a result: useless once the run is given up and its job cancelled */
    bool awaited, done;
    pthread_cond_t wake;
    Status status;
    Error err;
};

typedef struct OpList {
    WriteOp *first, *last;
} OpList;

/* Counters of changes, returned without a query. */
typedef struct Revisions {
    int64_t store; /* of all changes: a lost commit is noticed by it; clients do not see it */
    int64_t tenants[TENANTS_MAX + 1];
} Revisions;

/* Belongs to the writer's thread once it runs. */
typedef struct Writer {
    Connection connection;
    UuidSource ids;
    Revisions revisions; /* with the current group */
    OpList stalled;      /* relaxed operations that wait until the disk accepts them */
    double retry_at;     /* time of the next try after a failure */
    bool gives_back;     /* pages were freed: return some to the disk after each group */
    bool shrunk;         /* pages were returned: the next checkpoint cuts the file */
    int frames;          /* in the write-ahead log after the last commit */
    int checkpoint_base; /* frames at the last checkpoint */
    uint64_t taken;      /* bytes that the current group writes to the log (space_take) */
    UnitRows *spent;     /* of ended units: megabytes, freed without the mutex */
} Writer;

/* Both with the mutex held. writer_await() returns when the group of the operation is committed or
 * has failed; meanwhile it releases the mutex, as pthread_cond_wait() does. */
Status writer_await(Store *store, WriteOp *op, Error *err) MUST_CHECK;
void writer_post(Store *store, WriteOp *op); /* relaxed: not waited for */
/* Waits for room for `bytes` more of relaxed operations; fails if the disk accepts nothing for a
 * while (results.c). As writer_await(); a lease may be lost meanwhile. */
Status writer_room(Store *store, size_t bytes, Error *err) MUST_CHECK;
/* Without the mutex: */
/* Runs one operation in the writer's thread, also inside another one. Its own failure is in
 * op->status and is rolled back; the return value is a failure of the whole transaction. */
Status writer_run(Store *store, WriteOp *op, Error *err) MUST_CHECK;
/* Whether a failure may pass: then relaxed operations are kept and retried. */
bool writer_may_pass(Status status);
Status writer_do(Store *store, WriteOp *op, Error *err) MUST_CHECK;

Status writer_start(Store *store, Error *err) MUST_CHECK;
void writer_stop(Store *store); /* after all pending operations are written or refused */

/* Waits on a condition of the store until a monotonic time; INFINITY: without end. */
void writer_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, double until);

/* For run(): the tenant's revision of this change; tenant 0: a change that no tenant sees. */
int64_t writer_revision(Store *store, int64_t tenant);

/* Relaxed operations are written after RELAXED_SECONDS at the latest, open blocks after
 * ROWS_SECONDS: long enough for few blocks, short enough to watch a run. All are written once
 * RELAXED_EAGER_BYTES have gathered; producers wait at RELAXED_MAX_BYTES. */
#define RELAXED_SECONDS 0.1
#define ROWS_SECONDS 1.0
enum {
    RELAXED_EAGER_BYTES = 4 << 20,
    RELAXED_MAX_BYTES = 16 << 20,
};

/* Readers: readers.c. */

enum { READERS = 4 };
typedef struct ReaderPool {
    Connection connections[READERS];
    Connection *idle[READERS];
    size_t n_idle;
    pthread_mutex_t mutex;
    pthread_cond_t returned;
} ReaderPool;

Status readers_open(ReaderPool *pool, const char *path, Error *err) MUST_CHECK;
void readers_close(ReaderPool *pool);
Connection *reader_take(Store *store); /* waits for one */
void reader_give(Store *store, Connection *reader);

/* The store. */

typedef struct StoreActivity {
    _Atomic uint64_t commits;
    _Atomic uint64_t damaged; /* reads */
    Histogram commit_times;
    _Atomic double busy_since; /* of clock_seconds(): when the current group began; 0: none */
} StoreActivity;

struct Store {
    char *directory, *path;
    struct stat identity; /* of the file at the path when it was opened */
    uint64_t max_queued;
    int64_t keep_deleted_ms; /* 0: for ever */
    unsigned max_attempts;
    uint64_t disk_reserve;
    char last_without_cell[UUID_TEXT_MAX]; /* "": none */
    LockFile lock;
    ReaderPool readers;
    Writer writer;
    pthread_t thread;
    bool running;                               /* the thread was started */
    _Atomic int64_t revisions[TENANTS_MAX + 1]; /* of each tenant, as committed */
    StoreActivity activity;
    StoreOpening opening;

    pthread_mutex_t mutex; /* guards all members below */
    pthread_cond_t work;   /* for the writer */
    pthread_cond_t room;   /* for producers */
    OpList pending;
    double wakes_at;      /* when the writer wakes by itself; -INFINITY: it is awake */
    size_t n_awaited;     /* pending operations with a waiting thread */
    size_t n_crowded;     /* producers that wait for room */
    size_t relaxed_bytes; /* pending, at work and stalled */
    bool stop;
    TenantQueues queues;
    size_t n_unreadable; /* queued jobs that are left out, and the error of the first */
    Error unreadable;
    LeaseSet leases;
    EnsembleSet ensembles;
    uint64_t last_place; /* highest place given in the queue */
    int64_t revision;    /* of the store, as committed */
    Status health;
    Error health_error;
};

/* The directory: open.c. */
void directory_sync(const char *path); /* makes a new or renamed entry durable */
Status file_sync(const char *path, Error *err) MUST_CHECK;

/* The space on the disk: space.c. */

enum { AUTO_VACUUM_INCREMENTAL = 2 };
Status directory_space(const char *directory, StoreSpace *ret_space, Error *err) MUST_CHECK;
Status space_check(const Store *store, uint64_t least, Error *err) MUST_CHECK; /* ERR_NO_SPACE */
/* For run(): the same with `bytes` that the group is about to write. */
Status space_take(Store *store, uint64_t least, size_t bytes, Error *err) MUST_CHECK;
bool space_give_back(Connection *connection); /* true: some pages went, call again */

enum { FORMAT_OF_TENANTS = 17, FORMAT_OF_TRACES = 18, SCHEMA_NEWEST = 18 };

/* The revision of a database of any format: at least that of every job, even if the store's own row
 * is damaged. */
Status revision_read(Connection *connection, int64_t *ret_revision, Error *err) MUST_CHECK;

/* Free bytes that a migration of an older format needs at most, and those of a copy before it
 * (space.c). */
typedef struct UpgradeSpace {
    uint64_t steps, copy;
} UpgradeSpace;
Status upgrade_space(Connection *connection, UpgradeSpace *ret_space, Error *err) MUST_CHECK;
/* ERR_NO_SPACE if the disk has less. */
Status upgrade_space_check(Store *store, int64_t format, bool copy_old, Error *err) MUST_CHECK;

/* Refuses foreign and newer files; creates or migrates the schema (schema.c). */
Status schema_check(Connection *connection, const char *path, Error *err) MUST_CHECK;
Status schema_migrate(Connection *connection, Error *err) MUST_CHECK;
/* Before a migration (old_copy.c): copies a file of an older format to PATH.format-N. ERR_CONFLICT:
 * a copy of other data is there. */
Status schema_copy_old(Connection *connection, const char *path, Error *err) MUST_CHECK;

/* The rows of keys, and those in force at that time (keys.c). */
Status keys_count(Connection *connection, int64_t now_ms, int64_t *ret_all, int64_t *ret_in_force,
                  Error *err) MUST_CHECK;

/* Before the writer runs (rescue.c): settles the jobs of the process that died, if told so, and
 * fills the queue and the ledger. */
Status rescue_jobs(Store *store, bool settle, Error *err) MUST_CHECK;

/* For run(), in models.c: keeps the model that the draft's request names as long as the job;
 * deletes a deleted model that no job names any more. */
Status model_keep(Connection *connection, const JobDraft *draft, Error *err) MUST_CHECK;
Status model_drop_unused(Connection *connection, const char *id, Error *err) MUST_CHECK;

/* Tenants: tenants.c. */

/* A number of the database, in range also if it is damaged. */
int64_t tenant_number(int64_t stored);
JobQueue *queue_of(Store *store, int64_t tenant);
/* Mutex held: whether a queued job has expired; and the entries of such jobs, at most n. */
bool tenants_expire(const Store *store, int64_t now_ms);
size_t tenants_expired(Store *store, int64_t now_ms, QueueEntry *ret_entries, size_t n);
/* Before the writer runs: the quotas and revisions, and counts made anew. */
Status tenants_load(Store *store, Error *err) MUST_CHECK;
/* For run(): counts the jobs and models of all tenants anew, if the counts are unknown. */
Status tenants_recount(Connection *connection, Error *err) MUST_CHECK;
/* The number of the tenant of this name. ERR_NOT_FOUND. */
Status tenant_find(Connection *connection, const char *name, int64_t *ret_number,
                   Error *err) MUST_CHECK;
/* The counts of a tenant; TENANT_ALL: of all. */
Status counts_read(Connection *connection, int64_t tenant, StoreCounts *ret_counts,
                   Error *err) MUST_CHECK;
/* The retention of a tenant, for ever if its row is damaged; and the bytes of its results. */
Status tenant_keep_read(Connection *connection, int64_t tenant, TenantKeep *ret_keep,
                        uint64_t *ret_bytes, Error *err) MUST_CHECK;
/* For run(): ERR_LIMIT if n more jobs pass the tenant's quotas, ERR_BUSY if they pass the queue's
 * limit. */
Status tenant_check_room(Store *store, int64_t tenant, size_t n, Error *err) MUST_CHECK;

/* For run(), in calls.c: the notification of a new job. */
Status call_add(Connection *connection, int64_t job, const JobNotify *notify,
                Error *err) MUST_CHECK;

/* The newest rows that may lack a checksum. */
#define UNCHECKED_JOBS "(SELECT unchecked_jobs FROM store)"
#define UNCHECKED_MODELS "(SELECT unchecked_models FROM store)"
/* Keys begin at 1, because a damaged page is read as key 0 without columns. */
#define UNCHECKED(key, last) "(" key " BETWEEN 1 AND " last ")"

/* All columns of a row but its checksum; `row` is a prefix: "j.", "new.". The triggers of the
 * schema contain them: a new column comes with a step that makes the triggers again, and earlier
 * steps keep their columns. */
#define JOB_SAYS(row)                                                                             \
    row "seq, " row "id, " row "state, " row "revision, " row "priority, " row "attempt, " row    \
        "token, " row "cancel_requested, " row "complete, " row "created_ms, " row                \
        "started_ms, " row "finished_ms, " row "timeout_ms, " row "model_id, " row                \
        "model_name, " row "labels, " row "formulation, " row "method, " row "request_hash, " row \
        "idempotency_key, " row "idempotency_digest, " row "reason, " row "error, " row           \
        "warnings, " row "result_hash, " row "rows, " row "table_rows, " row "has_evidence"
/* Later columns count up to the last that is not NULL, so that older rows keep their checksums. */
#define JOB_SAYS_NOT_AFTER(row) JOB_SAYS(row) ", " row "not_after_ms"
#define JOB_SAYS_DIGEST(row) JOB_SAYS_NOT_AFTER(row) ", " row "digest"
#define JOB_SAYS_REUSE(row) \
    JOB_SAYS_DIGEST(row)    \
    ", " row "reuse_key, " row "program, " row "result, " row "reused_job, " row "reused_ms"
/* A tenant other than the default one counts as a later column. */
#define JOB_SAYS_TENANT(row) JOB_SAYS_REUSE(row) ", nullif(" row "tenant, 1)"
#define JOB_CHECKSUM_OF(says) "row_checksum_grown(28, " says ")" /* 28: the columns of JOB_SAYS */
#define JOB_SAYS_TRACE(row) JOB_SAYS_TENANT(row) ", " row "request_id, " row "traceparent"
#define JOB_CHECKSUM(row) JOB_CHECKSUM_OF(JOB_SAYS_TRACE(row))
#define RESULT_SAYS_ALONE(row) row "job, " row "columns, " row "tables" /* of a plain job */
#define RESULT_SAYS(row) \
    RESULT_SAYS_ALONE(row) ", " row "members, " row "table_columns, " row "design"
#define RESULT_CHECKSUM(row)                                       \
    "iif(" row "members IS NULL, row_checksum(" RESULT_SAYS_ALONE( \
        row) "), row_checksum(" RESULT_SAYS(row) "))"
#define UNIT_SAYS(row) row "job, " row "first, " row "n, " row "deaths, " row "token"
#define UNIT_END_SAYS(row) row "job, " row "first, " row "n, " row "failed"
#define MEMBER_TEXT_SAYS(row) row "job, " row "text"
#define MEMBER_SAYS_SAYS(row) row "job, " row "member, " row "text"
#define ENSEMBLE_TIME_SAYS(row) row "job, " row "used_ms"
#define MEMBER_NODE_SAYS(row) row "job, " row "part, " row "level, " row "number, " row "words"
#define CALL_SAYS(row)                                                                        \
    row "job, " row "url, " row "origin, " row "events, " row "attempts, " row "status, " row \
        "error, " row "last_ms, " row "next_ms, " row "delivered_ms"
#define KEY_SAYS(row)                                                                      \
    row "seq, " row "id, " row "hash, " row "name, " row "scopes, " row "created_ms, " row \
        "expires_ms, " row "revoked_ms, " row "last_used_ms"
#define KEY_CHECKSUM(row) \
    "row_checksum_grown(9, " KEY_SAYS(row) ", nullif(" row "tenant, 1))" /* 9: of KEY_SAYS */
#define TENANT_SAYS(row)                                                                  \
    row "seq, " row "name, " row "queued_max, " row "running_max, " row "bytes_max, " row \
        "created_ms"
#define TENANT_SAYS_KEEP(row) \
    TENANT_SAYS(row) ", " row "keep_ms, " row "keep_failed_ms, " row "keep_bytes"
#define TENANT_CHECKSUM(row) \
    "row_checksum_grown(6, " TENANT_SAYS_KEEP(row) ")" /* 6: of TENANT_SAYS */
#define OWNER_SAYS(row) row "seq, " row "tenant, " row "model, " row "created_ms"
#define MODEL_SAYS(row)                                                                    \
    row "id, " row "name, " row "created_ms, " row "listed, length(" row "document), " row \
        "checksum"

/* Whether the rows of jobs j and of models m are sound. */
#define ROW_SOUND(checksum, due, key, unchecked) \
    "iif(" checksum " IS NULL, " UNCHECKED(key, unchecked) ", " checksum " = " due ")"
#define JOB_SOUND ROW_SOUND("j.checksum", JOB_CHECKSUM("j."), "j.seq", UNCHECKED_JOBS)
/* The job of the requested id, ?1, and tenant. */
#define JOB_OF(tenant) "j.id = ?1 AND j.tenant = " tenant " "
#define JOB_SOUND_OF(tenant) JOB_OF(tenant) "AND " JOB_SOUND
#define JOB_SOUND_ID "j.id = ?1 AND " JOB_SOUND
#define MODEL_SOUND \
    ROW_SOUND("m.row_checksum", "row_checksum(" MODEL_SAYS("m.") ")", "m.seq", UNCHECKED_MODELS)
/* The same for results r, left joined to jobs j. A job with counted rows has a result, an ensemble
 * from the start. The rows of its ended members must be sound too. */
#define UNIT_ENDS_SOUND                                                                    \
    "(r.members IS NULL OR NOT EXISTS (SELECT 1 FROM unit_ends u WHERE u.job = r.job AND " \
    "u.checksum IS NOT row_checksum(" UNIT_END_SAYS("u.") ")))"
#define RESULT_SOUND                                                                              \
    "iif(r.job IS NULL, j.rows IS NULL, " ROW_SOUND("r.checksum", RESULT_CHECKSUM("r."), "r.job", \
                                                    UNCHECKED_JOBS) " AND " UNIT_ENDS_SOUND ")"
/* Of an ensemble's members: the number that ended, the number that failed. */
#define UNIT_SUM(what) "(SELECT coalesce(sum(" what "), 0) FROM unit_ends u WHERE u.job = r.job)"
#define MEMBERS_ENDED "iif(r.members IS NULL, 0, " UNIT_SUM("u.n") ")"
#define MEMBERS_FAILED "iif(r.members IS NULL, 0, " UNIT_SUM("u.failed") ")"

/* The same for calls c, left joined. */
#define CALL_SOUND "(c.job IS NULL OR c.checksum = row_checksum(" CALL_SAYS("c.") "))"
/* The key of a job's results, blocks and evidence: the number of the job that ran the result. */
#define RESULT_KEY(row) "coalesce(" row "result, " row "seq)"

/* The columns of a JobRecord, FROM jobs j JOB_PARTS; further columns may follow (jobs.c). */
#define JOB_COLUMNS                                                                             \
    "j.id, j.state, j.revision, j.created_ms, j.started_ms, j.finished_ms, j.attempt, "         \
    "j.priority, j.cancel_requested, j.complete, j.reason, j.error, j.model_id, j.model_name, " \
    "j.labels, j.formulation, j.method, j.request_hash, j.timeout_ms, j.result_hash, "          \
    "j.warnings, r.columns, r.tables, "                                                         \
    "coalesce(j.rows, (SELECT b.first_row + b.n_rows FROM blocks b "                            \
    "WHERE b.job = j.seq AND b.tab = -1 ORDER BY b.first_row DESC LIMIT 1)), "                  \
    "r.members, " MEMBERS_ENDED ", " MEMBERS_FAILED ", r.table_columns, r.design, "             \
    "j.not_after_ms, j.digest, "                                                                \
    "c.url, c.events, c.attempts, c.status, c.error, c.last_ms, c.next_ms, c.delivered_ms, "    \
    "j.reused_job, j.reused_ms, j.request_id, j.traceparent, "                                  \
    "j.seq, " JOB_SOUND " AND " RESULT_SOUND " AND " CALL_SOUND
#define JOB_PARTS                                          \
    "LEFT JOIN results r ON r.job = " RESULT_KEY("j.") " " \
                                                       "LEFT JOIN calls c ON c.job = j.seq "
enum { JOB_COLUMN_SEQ = 43, JOB_COLUMN_SOUND, JOB_COLUMN_COUNT };
void job_sound(Query *query, bool sound, const char *job_id); /* else query_damaged() */
void job_row(Query *query, Arena *arena, JobRecord *ret_job); /* sticky, as query_damaged() */

enum { LIST_MAX = 1000, LIST_BYTES = 16 << 20 };
/* Whether a page with n rows since `start` is full (store_job_list()). */
bool list_is_full(size_t n, size_t limit, const Arena *arena, ArenaMark start);

void job_id_copy(char *ret_id, const char *text); /* cut to JOB_ID_MAX */

/* Why a tenant has no job of this id: ERR_NOT_FOUND, or ERR_DAMAGED if the row of the job is
 * damaged, because its tenant may be what is damaged. */
Status job_missing(Connection *connection, const char *job_id, Error *err);
Status lease_missing(const char *job_id, Error *err); /* ERR_CONFLICT */

#endif
