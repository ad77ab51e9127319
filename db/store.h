/* The store: jobs, their results and models, durable. Its functions are use cases, not SQL.
 *
 * The store knows texts, numbers and blocks, but no mechanics. All functions are thread-safe. OK
 * means durable (the group commit has reached the disk) unless stated otherwise. Strings and bytes
 * in ret_* structs live in the arena passed in. Besides the stated errors, every function may
 * return ERR_IO and ERR_NO_MEMORY. A function that writes may return ERR_NO_SPACE; then nothing has
 * changed. A function that reads may return ERR_DAMAGED if the stored data are not as written.
 *
 * A job goes queued -> running -> succeeded | failed | cancelled and never leaves the last three.
 * State, attempt and lease token guard every transition: a late worker cannot overwrite a finished
 * job. `revision` is a counter of the tenant that grows with every change that it can see except of
 * `rows`; a job carries the revision of its last change.
 *
 * Every job and every owned model belongs to a tenant. Functions for clients take a TenantStore:
 * jobs and models of another tenant do not exist for them, by the same statements. Functions of
 * workers, of notifications and of maintenance take the Store and serve all tenants. */
#ifndef DB_STORE_H
#define DB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/histogram.h"
#include "core/base/status.h"
#include "core/base/text.h"

typedef struct Store Store;

/* A store as one tenant sees it; passed by value. */
typedef struct TenantStore {
    Store *store;
    int64_t tenant; /* its number: db/tenants.h */
} TenantStore;
enum { TENANT_ALL = 0, TENANT_DEFAULT = 1, TENANTS_MAX = 1000 };
static inline TenantStore default_tenant(Store *store)
{
    return (TenantStore){store, TENANT_DEFAULT};
}

typedef enum JobState {
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_SUCCEEDED,
    JOB_FAILED,
    JOB_CANCELLED,
} JobState;

const char *job_state_name(JobState state); /* "queued", ... */
bool job_state_parse(const char *name, JobState *ret_state);
bool job_state_done(JobState state);

typedef enum StorePurpose {
    STORE_SERVE,
    STORE_ADMINISTER, /* jobs that ran when the last process died wait for the next STORE_SERVE */
    STORE_REINDEX,    /* so, too; all indexes are made anew, and lost entries come back */
} StorePurpose;

typedef struct StoreOptions {
    StorePurpose purpose;
    const char *directory; /* holds dalembert.db and the lock file */
    bool existing;         /* ERR_NOT_FOUND if it has no store; otherwise one is created */
    uint64_t max_queued;   /* ERR_BUSY beyond; 0: no limit */
    unsigned max_attempts; /* deaths while running before a job fails with worker_lost; default 5 */
    /* If fewer bytes are free on the disk, jobs and models are refused (ERR_NO_SPACE), so that
     * deletions and ends still fit. Below half of it the rows of runs wait. 0: none. */
    uint64_t disk_reserve;
    uint64_t keep_deleted_ms; /* shortest time that deleted jobs are remembered; 0: for ever */
    /* A file of an older format is migrated to the newest, which older programs refuse: */
    bool copy_old;    /* after a copy to dalembert.db.format-N */
    bool accept_loss; /* open although commits are lost with the write-ahead log */
} StoreOptions;

/* Opens or creates. A second process on the same directory is ERR_CONFLICT (a lock of the operating
 * system; a killed daemon leaves none). Jobs that were running when the last process died are
 * queued again (the attempt counts, partial results are removed), or fail with reason "worker_lost"
 * after max_attempts. ERR_DAMAGED if commits are lost with the write-ahead log and accept_loss is
 * false; then nothing is changed. */
Status store_open(const StoreOptions *options, Store **ret_store, Error *err) MUST_CHECK;
void store_close(Store *store); /* waits for pending commits; NULL is fine */

/* The write-ahead log as it is found, before SQLite drops what it cannot read of it. */
typedef enum StoreLogFinding {
    STORE_LOG_SOUND,
    STORE_LOG_INCOMPLETE, /* the last transaction is cut short: it was never acknowledged */
    STORE_LOG_TAKEN_IN,   /* it is gone, and all its commits are in the database */
    STORE_LOG_LOST,       /* acknowledged commits are lost */
} StoreLogFinding;

typedef struct StoreLog {
    StoreLogFinding finding;
    uint64_t commits, lost; /* whole ones in the log; those that are lost, at least */
    char message[400];      /* what was found, unless it is sound */
} StoreLog;
const StoreLog *store_log(const Store *store); /* when it was opened */

/* The changes that opening made. */
typedef struct StoreOpening {
    int from, to;       /* formats of an upgrade; 0: there was none */
    bool copied;        /* .. with a copy of the older file, dalembert.db.format-N */
    bool created;       /* there was no store */
    uint64_t lost_jobs; /* that failed with worker_lost */
} StoreOpening;
const StoreOpening *store_opening(const Store *store);

/* OK if writes work, the directory is in its place, and every queued job was readable when its turn
 * came; otherwise ERR_NO_SPACE, ERR_IO or ERR_DAMAGED with the reason. ERR_DAMAGED: writes work,
 * but a queued job is damaged. */
Status store_ready(Store *store, Error *err) MUST_CHECK;

/* Space of the disk that holds the directory, and its largest files; bytes. */
typedef struct StoreSpace {
    uint64_t free, total;
    uint64_t database, log; /* the database file and its write-ahead log */
} StoreSpace;
Status store_space(const Store *store, StoreSpace *ret_space, Error *err) MUST_CHECK;

enum { JOB_ID_MAX = 37 };

/* The receiver of the notification of a job's end; url NULL: none. */
typedef struct JobNotify {
    const char *url;
    const char *origin; /* of the receiver: jobs of one origin wait for each other only */
    const char *on;     /* JSON list of names of states; "done" in it means any */
} JobNotify;

/* The request that submitted a job. NULL: unknown, as in older files. */
typedef struct JobTrace {
    const char *request_id;  /* that of the log */
    const char *traceparent; /* W3C Trace Context, version 00 */
} JobTrace;

/* A job as it is handed in. Documents are opaque texts. */
typedef struct JobDraft {
    const char *request; /* the submitted document, byte for byte */
    size_t request_size;
    const char *request_hash; /* of the canonical request */
    const char *model_id;     /* hash of the canonical model */
    const char *model_name;
    const char *model; /* document of a model that the request only names; kept for the job */
    size_t model_size;
    const char *labels;               /* JSON object text, strings to strings; "{}" for none */
    const char *formulation, *method; /* for listing */
    int priority;                     /* higher first */
    const char *idempotency_key;      /* NULL: none */
    const char *idempotency_digest;   /* digest behind the key; NULL: a hash of the request */
    uint64_t timeout_ms;              /* 0: the service's default */
    int64_t not_after_ms;             /* latest start (Unix time in ms); 0: no limit */
    uint64_t members;                 /* of an ensemble; 0: a plain job */
    /* Of an ensemble, JSON arrays: the columns of its summary, the names of its tables, their
     * columns. */
    const char *columns, *tables, *table_columns;
    /* Names all inputs of the result; NULL: the result has other inputs. If this program has run a
     * job with the same key, the new job may share its result; then it has succeeded when it is
     * added. program NULL: it is to be run. */
    const char *reuse_key, *program;
    const char *design; /* of an ensemble, JSON object: its kind, axes and seed, for display */
    JobNotify notify;
    JobTrace trace;
} JobDraft;

/* The state of a notification. */
typedef struct JobCalls {
    unsigned attempts;
    int status;           /* HTTP status of the last answer; 0: no answer */
    const char *error;    /* of the last attempt; NULL: it succeeded */
    int64_t last_ms;      /* time of the last attempt; 0: none was made */
    int64_t next_ms;      /* time of the next attempt; 0: none is due, or the job has not ended */
    int64_t delivered_ms; /* 0: not delivered */
} JobCalls;

typedef struct JobRecord {
    char id[JOB_ID_MAX]; /* UUIDv7, sortable by time */
    JobState state;
    int64_t revision;
    int64_t created_ms, started_ms, finished_ms; /* 0: not yet */
    unsigned attempt;                            /* runs begun */
    int priority;
    bool cancel_requested;
    bool complete;      /* the stored trajectory is whole */
    const char *reason; /* of a failure, or NULL */
    const char *error;  /* JSON problem document, or NULL */
    const char *model_id, *model_name, *labels, *formulation, *method, *request_hash;
    uint64_t timeout_ms;
    int64_t not_after_ms;    /* 0: none */
    uint64_t rows;           /* of the trajectory stored so far */
    const char *columns;     /* JSON array of the column names, NULL before a run has begun */
    const char *tables;      /* JSON array of the event tables' names, or NULL */
    const char *result_hash; /* of a finished run, or NULL */
    const char *warnings;    /* JSON array, or NULL */
    const char *digest;      /* JSON: the result in a few numbers; or NULL */
    struct {
        uint64_t total, done, failed; /* total 0: a plain job; done includes failed */
        const char *design;           /* JSON object, or NULL */
    } members;
    const char *table_columns; /* of an ensemble: JSON array, or NULL */
    JobNotify notify;          /* without its origin */
    JobCalls calls;            /* its changes make no new revision */
    struct {
        const char *job;     /* that ran the result, perhaps deleted; NULL: this job */
        int64_t finished_ms; /* its end */
    } reused;
    JobTrace trace;
} JobRecord;

/* The idempotency key of the k-th job of a batch, k >= 1; the first one has the batch's own key,
 * which is taken as long as any of them is stored. NULL: out of memory. */
const char *batch_key(const char *key, size_t k, Arena *arena);

/* Adds n jobs, all or none, in state queued, or succeeded if they share a stored result
 * (reused.job). If an idempotency key was used before, nothing is added. If the keys stand for the
 * same requests, their jobs are returned with *ret_replayed true, else ERR_CONFLICT; a job deleted
 * since has an empty id. Returns OK when the jobs are durable: after the commit of their group.
 * ERR_BUSY: the queue has too little room. ERR_LIMIT: a quota of the tenant. After a failure
 * ret_jobs is undefined. */
Status store_jobs_add(TenantStore of, const JobDraft *drafts, size_t n, Arena *arena,
                      JobRecord *ret_jobs, bool *ret_replayed, Error *err) MUST_CHECK;

Status store_job_add(TenantStore of, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                     bool *ret_replayed, Error *err) MUST_CHECK;

/* The jobs that were added with these keys before, as store_jobs_add() returns them; reads only the
 * idempotency fields of the drafts. ERR_NOT_FOUND: none; ERR_CONFLICT: the keys stood for other
 * requests. */
Status store_jobs_replay(TenantStore of, const JobDraft *drafts, size_t n, Arena *arena,
                         JobRecord *ret_jobs, Error *err) MUST_CHECK;

Status store_job_replay(TenantStore of, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                        Error *err) MUST_CHECK;

/* Takes the next job: that of the next tenant with waiting jobs, in turn; among its jobs the one of
 * highest priority, then the oldest. Jobs whose process died while they ran come
 * last and run one at a time; jobs past their not_after_ms are skipped. ERR_NOT_FOUND (at once): no
 * job is available. While writes fail, no job is begun: the error of store_ready(). ERR_DAMAGED:
 * the next job cannot be read; it is left out until the store is opened again, and store_ready()
 * reports it. The transition to running is not waited for. It precedes all later writes of the job
 * and is durable with the next commit at the latest, so that a short job needs no extra commit. */
typedef struct JobLease {
    JobRecord job;
    const char *request; /* NULL: it is damaged */
    size_t request_size;
    int64_t tenant;
    int64_t token;    /* guards the following transitions */
    bool in_units;    /* an ensemble with members to run: no token, see store_unit_claim() */
    uint64_t used_ms; /* of an ensemble: time with units running, in all processes */
} JobLease;
Status store_job_claim(Store *store, Arena *arena, JobLease *ret_lease, Error *err) MUST_CHECK;

typedef struct ExpiredJob {
    char id[JOB_ID_MAX];
    int64_t tenant;
    JobTrace trace;
} ExpiredJob;
/* Fails queued jobs whose latest start has passed (JobDraft.not_after_ms), with reason "expired". A
 * job that was put back expires too, an ensemble only while none of its members has begun. Returns
 * these jobs; one call ends at most 1000 jobs, the next call the others. Cheap when none has
 * expired. */
Status store_jobs_expire(Store *store, Arena *arena, ExpiredJob **ret_jobs, size_t *ret_n,
                         Error *err) MUST_CHECK;

/* Whether the run should stop: a cancellation was requested, or the lease is lost. Reads memory
 * only, and is cheap enough to be polled every few milliseconds. */
bool store_job_stop_wanted(Store *store, const char *job_id, int64_t token);
/* Whether a run was given up, but the disk does not accept its release yet. */
bool store_job_waits(TenantStore of, const char *job_id);

/* Begins storing the result of a run; removes earlier partial rows of the job. Not waited for, like
 * the claim. ERR_CONFLICT when the lease is lost. */
Status store_result_begin(Store *store, const char *job_id, int64_t token, const char *columns,
                          const char *tables, Error *err) MUST_CHECK;
/* Appends rows [n_rows][n_columns] of a table (-1: the trajectory; below 10,000), all or none;
 * single rows are fine. Rows gather into blocks, which readers see after about a second. The call
 * does not wait for the disk, but for room in the writer, so that memory stays bounded. t is column
 * 0, a number. ERR_CONFLICT when the lease is lost. On ERR_NO_SPACE, ERR_IO and ERR_NO_MEMORY no
 * row was taken and the lease is kept: call again. Earlier rows are kept until the disk accepts
 * them. */
Status store_result_append(Store *store, const char *job_id, int64_t token, int table,
                           const double *rows, size_t n_rows, size_t n_columns,
                           Error *err) MUST_CHECK;

typedef struct JobFinish {
    JobState state;
    bool complete;
    const char *reason;      /* NULL on success */
    const char *error;       /* JSON, or NULL */
    const char *diagnostics; /* JSON, or NULL */
    const char *invariants;  /* JSON, or NULL */
    const char *warnings;    /* JSON array, or NULL */
    const char *result_hash; /* or NULL */
    const char *digest;      /* JSON, or NULL */
    /* The program's name, if the result is complete and every run of this program with the job's
     * reuse_key gives the same; or NULL. */
    const char *program;
} JobFinish;
/* Ends a run: durable when it returns, together with all appended rows. ERR_CONFLICT when the lease
 * is lost. On ERR_NO_SPACE, ERR_IO and ERR_NO_MEMORY nothing has changed and the lease is kept:
 * call again. */
Status store_job_finish(Store *store, const char *job_id, int64_t token, const JobFinish *finish,
                        Error *err) MUST_CHECK;
/* Puts a running job back (shutdown), without its rows; the attempt does not count. If a
 * cancellation was requested, the job becomes cancelled instead. ERR_CONFLICT when the lease is
 * lost. The run is over in any case: on ERR_NO_SPACE and ERR_IO the job goes back once the disk
 * accepts it. */
Status store_job_release(Store *store, const char *job_id, int64_t token, Error *err) MUST_CHECK;

/* The cell whose store made the id. Ids made before cells had numbers count as cell 0, the only one
 * so far. */
unsigned store_job_cell(const Store *store, const char *job_id);
Status store_job_get(TenantStore of, const char *job_id, Arena *arena, JobRecord *ret_job,
                     Error *err) MUST_CHECK;
Status store_job_request(TenantStore of, const char *job_id, Arena *arena, const char **ret_bytes,
                         size_t *ret_size, Error *err) MUST_CHECK;
/* Cancels a queued job at once. For a running job the request is recorded; its worker, or the
 * rescue, carries it out. A finished job is ERR_CONFLICT. */
Status store_job_cancel(TenantStore of, const char *job_id, Arena *arena, JobRecord *ret_job,
                        Error *err) MUST_CHECK;
/* Deletes a finished job, with its results unless other jobs share them; ERR_CONFLICT while it is
 * queued or running. */
Status store_job_delete(TenantStore of, const char *job_id, Error *err) MUST_CHECK;
/* The same for many jobs in one transaction. ret_each[n]: OK, ERR_NOT_FOUND, ERR_CONFLICT or
 * ERR_DAMAGED for each job. If the call fails, nothing has changed. */
Status store_jobs_cancel(TenantStore of, const char *const *ids, size_t n, Status *ret_each,
                         Error *err) MUST_CHECK;
Status store_jobs_delete(TenantStore of, const char *const *ids, size_t n, Status *ret_each,
                         Error *err) MUST_CHECK;
/* Retention: which finished jobs are kept; 0: all. The times are those of tenants without times of
 * their own (TenantKeep). */
typedef struct StoreKeep {
    int64_t done_ms;   /* those that succeeded or were cancelled, so long after their end */
    int64_t failed_ms; /* those that failed */
    uint64_t bytes;    /* of the database; beyond them the oldest go */
} StoreKeep;
typedef enum RetireRule { RETIRE_DONE, RETIRE_FAILED, RETIRE_BYTES_BEYOND } RetireRule;
enum { RETIRE_RULES = RETIRE_BYTES_BEYOND + 1, RETIRE_MAX = 200 };
typedef struct RetiredJob {
    char id[JOB_ID_MAX];
    int64_t tenant;
    RetireRule rule; /* why it was not kept */
} RetiredJob;
/* Deletes some of the jobs that are not to be kept, the oldest first, as store_jobs_delete() does:
 * in one transaction, at most RETIRE_MAX jobs, fewer if their results are large. Jobs that wait or
 * run are never among them, nor those whose notification is due. *ret_n 0: none is left; else call
 * again. Cheap when there is nothing to do, however many jobs are kept. */
Status store_jobs_retire(Store *store, const StoreKeep *keep, RetiredJob ret_jobs[RETIRE_MAX],
                         size_t *ret_n, Error *err) MUST_CHECK;
/* The number of jobs before this one in the queue; 0 if it is not queued. */
Status store_job_position(TenantStore of, const JobRecord *job, uint64_t *ret_position,
                          Error *err) MUST_CHECK;

/* Reading results in blocks: no transaction stays open between calls. A block holds consecutive
 * rows of one table, the first of them row `first_row`. ERR_NOT_FOUND past the end. */
typedef struct ResultBlock {
    uint64_t first_row, n_rows;
    size_t n_columns;
    const double *rows; /* row-major; in the arena */
} ResultBlock;

/* Ensembles run in units: ranges of members that several workers run at once. store_job_claim()
 * hands out an ensemble as long as it has members that nobody runs (in_units). Then, and when a
 * unit ends, the ensemble goes behind the other jobs of its priority. After the last unit it is
 * handed out with a token: all members are done, or it was cancelled and no unit runs. Its worker
 * reads the rows and calls store_job_finish().
 *
 * A unit whose process died is claimed again in halves, one at a time, as such jobs are. A single
 * member that has died max_attempts times is handed out with `lost`, to be reported as lost. */
typedef struct UnitLease {
    uint64_t first, n;
    int64_t token;
    bool lost;
    bool suspect;     /* its process died: no other members may run beside it */
    uint64_t used_ms; /* time with units of the ensemble running, in all processes */
} UnitLease;
/* Claims the first members that nobody runs, at most `most`. If `most` is a power of 2, the unit
 * ends at its next multiple, so that units fill few nodes of members. ERR_NOT_FOUND: there are
 * none, or the job is over or to be cancelled. As durable as a job's claim: an unfinished unit runs
 * again. */
Status store_unit_claim(Store *store, const char *job_id, uint64_t most, UnitLease *ret_unit,
                        Error *err) MUST_CHECK;
/* Appends rows of a member's table (-1: the summary, one row a member; k: the k-th table). Readers
 * see them when the unit is finished. Otherwise as store_result_append(). */
Status store_unit_append(Store *store, const char *job_id, int64_t token, int table,
                         uint64_t member, const double *rows, size_t n_rows, size_t n_columns,
                         Error *err) MUST_CHECK;
/* The message of a failed member; not empty. */
typedef struct MemberText {
    uint64_t member;
    const char *text;
} MemberText;
enum { MEMBER_TEXTS_MAX = 1000 }; /* kept of an ensemble: those of the first members */
/* Data that members share, kept by ranges of members. The node of a level and a number covers
 * 2^level members, from number * 2^level on. For each part of the ensemble it has words, which the
 * store does not interpret. */
typedef struct MemberNode {
    unsigned level;
    uint64_t number;
    unsigned part;
    const uint64_t *words; /* n_words > 0 */
    size_t n_words;
} MemberNode;
/* Nodes of ended members. Two halves of a node are merged as soon as both are stored: */
typedef struct MemberNodes {
    const MemberNode *nodes; /* the nodes of each part fill the members that are done */
    size_t n;
    /* Appends the words of the node with this number. Another thread calls it, before the call that
     * is given it returns. */
    Status (*merge)(const uint64_t *lower, size_t n_lower, const uint64_t *upper, size_t n_upper,
                    uint64_t number, Text *words, Error *err);
} MemberNodes;
typedef struct UnitFinish {
    uint64_t done;          /* this number of first members, with their rows; the others go back */
    uint64_t failed;        /* among them */
    bool stop;              /* no other members are to run: one has failed, or time is up */
    const MemberText *said; /* by failed members, the first MEMBER_TEXTS_MAX; ascending */
    size_t n_said;
    MemberNodes nodes; /* written with the rows */
} UnitFinish;
/* Ends a unit: durable when it returns, with all appended rows. ERR_CONFLICT: the lease is lost.
 * Otherwise as store_job_finish(). */
Status store_unit_finish(Store *store, const char *job_id, int64_t token, const UnitFinish *finish,
                         Error *err) MUST_CHECK;
/* Gives the unit back with no member done; as store_job_release(). store_job_stop_wanted() also
 * takes the token of a unit. */
Status store_unit_release(Store *store, const char *job_id, int64_t token, Error *err) MUST_CHECK;
/* The work that store_job_claim() would hand out if this ensemble went behind the others of its
 * priority now, as it does when a unit ends. Cheap enough to be polled. */
typedef enum StoreOthers {
    OTHERS_NONE,
    OTHERS_ENSEMBLE, /* in units */
    OTHERS_JOB,      /* or the end of an ensemble */
} StoreOthers;
StoreOthers store_others_wait(Store *store, const char *job_id);
/* Rows of a member's table from its row `row` on, up to the end of the stored block; ERR_NOT_FOUND
 * past the end. */
Status store_member_block(TenantStore of, const char *job_id, int table, uint64_t member,
                          uint64_t row, Arena *arena, ResultBlock *ret_block,
                          Error *err) MUST_CHECK;
/* A whole table of an ensemble in the order of members: the block after *io_place (0 at first);
 * ERR_NOT_FOUND: no more. For the summary a place is the number of a member, and every number is
 * valid. */
Status store_table_next(TenantStore of, const char *job_id, int table, uint64_t *io_place,
                        Arena *arena, ResultBlock *ret_block, Error *err) MUST_CHECK;

/* Messages of failed members from member `first` on, ascending, at most `most` (and
 * MEMBER_TEXTS_MAX). None if the job has ended with diagnostics, which contain them. */
Status store_member_texts(TenantStore of, const char *job_id, uint64_t first, size_t most,
                          Arena *arena, MemberText **ret_said, size_t *ret_n,
                          Error *err) MUST_CHECK;
/* All nodes of a part in the order of members, at one moment; ERR_DAMAGED if they do not cover
 * exactly the ended members. Only for ensembles that have nodes. */
Status store_member_nodes(TenantStore of, const char *job_id, unsigned part, Arena *arena,
                          MemberNode **ret_nodes, size_t *ret_n, Error *err) MUST_CHECK;

/* Notifications. The end of a job makes its notification due in the same transaction, if the job
 * asked for this end. The notification stays due, also in the next process, until
 * store_calls_made() records its delivery or its last failure. */
typedef struct DueCall {
    const char *tenant; /* its name */
    int64_t tenant_number;
    char job_id[JOB_ID_MAX];
    JobState state;
    int64_t revision, finished_ms; /* of the job's end */
    const char *url, *origin;
    unsigned attempts; /* before this one */
    JobTrace trace;    /* of the job */
} DueCall;
/* Due notifications, ordered by origin, of the origins after `after_origin`: the `each` oldest of
 * an origin, at most `most` together. Damaged rows are left out. */
Status store_calls_due(Store *store, int64_t now_ms, const char *after_origin, size_t each,
                       size_t most, Arena *arena, DueCall **ret_calls, size_t *ret_n,
                       Error *err) MUST_CHECK;
/* When the next notification of any origin is due; 0: none. */
Status store_calls_next(Store *store, int64_t *ret_ms, Error *err) MUST_CHECK;
/* The number of notifications due now or later. */
Status store_calls_pending(Store *store, uint64_t *ret_n, Error *err) MUST_CHECK;

typedef struct MadeCall {
    char job_id[JOB_ID_MAX]; /* the job may be gone meanwhile */
    int status;              /* as in JobCalls, which counts one more attempt */
    const char *error;       /* NULL: delivered */
    int64_t made_ms;
    int64_t next_ms; /* 0: no further attempt */
} MadeCall;
Status store_calls_made(Store *store, const MadeCall *calls, size_t n, Error *err) MUST_CHECK;

typedef enum JobDocument { JOB_DIAGNOSTICS, JOB_INVARIANTS } JobDocument;
/* *ret_text is NULL if the job has none. */
Status store_job_document(TenantStore of, const char *job_id, JobDocument which, Arena *arena,
                          const char **ret_text, Error *err) MUST_CHECK;

typedef struct JobLabel {
    const char *key, *value;
} JobLabel;

typedef struct JobFilter {
    bool by_state;
    JobState state;
    const char *model_id;   /* NULL: any */
    const char *name;       /* a part of the model's name, a = A; NULL: any */
    size_t searched;        /* with a name: jobs that are looked at, the newest before `before` */
    const JobLabel *labels; /* n_labels: all of them */
    size_t n_labels;
    const char *before; /* id: older than this one (cursor); NULL: from the newest */
    int64_t since;      /* changes after this revision; -1: all. Not with `before` */
    size_t limit;       /* at most 1000 */
} JobFilter;
/* Newest first; with `since` in the order of revisions: the next page is since the last job's.
 * *ret_more: there may be more, because these are filter->limit jobs, or at least two with texts of
 * 16 MiB together. */
Status store_job_list(TenantStore of, const JobFilter *filter, Arena *arena, JobRecord **ret_jobs,
                      size_t *ret_n, bool *ret_more, Error *err) MUST_CHECK;
/* The id of the last job that a list with filter->name looks at; "" if there is no older one. */
Status store_job_searched(TenantStore of, const JobFilter *filter, char ret_id[JOB_ID_MAX],
                          Error *err) MUST_CHECK;
/* A deleted job and the revision of its deletion. */
typedef struct DeletedJob {
    char id[JOB_ID_MAX];
    int64_t revision;
} DeletedJob;
/* Jobs deleted after a revision, in the order of their deletions. Deletions up to revision
 * *ret_forgotten are forgotten. */
Status store_deleted_list(TenantStore of, int64_t since, size_t limit, Arena *arena,
                          DeletedJob **ret_jobs, size_t *ret_n, int64_t *ret_forgotten,
                          Error *err) MUST_CHECK;
/* The newest revision of the tenant. */
int64_t store_revision(TenantStore of);

typedef struct StoreCounts {
    uint64_t queued, running, succeeded, failed, cancelled, models;
} StoreCounts;
/* The next two also take TENANT_ALL: all jobs and stored models. */
Status store_counts(TenantStore of, StoreCounts *ret_counts, Error *err) MUST_CHECK;
/* Jobs by state: all that the filter finds, whatever their state (filter->state, before, since and
 * limit do not matter). With a model, a name or labels the newest are counted, at most `most`;
 * *ret_more: there are more. Without, as store_counts(). */
Status store_job_counts(TenantStore of, const JobFilter *filter, size_t most,
                        StoreCounts *ret_counts, bool *ret_more, Error *err) MUST_CHECK;
/* When the longest waiting job was added (Unix time in ms); 0: none waits. */
int64_t store_oldest_queued(TenantStore of);
/* The number of times that damaged data were read since the store was opened. */
uint64_t store_damaged(Store *store);
/* How long the writer has been at its current transaction, in seconds; 0: it is idle. A disk that
 * hangs makes it grow. */
double store_busy_seconds(Store *store);
/* Commits that changed something, since it was opened. */
uint64_t store_commits(Store *store);
/* How long such commits of submissions, runs and deletions took. Lives as long as the store. */
const Histogram *store_commit_times(const Store *store);

Status store_result_block(TenantStore of, const char *job_id, int table, uint64_t row, Arena *arena,
                          ResultBlock *ret_block,
                          Error *err) MUST_CHECK; /* the block that contains the row */
/* The first row of the table at or beyond time t in the run's direction, by bisection; the number
 * of rows if there is none. */
Status store_result_find(TenantStore of, const char *job_id, int table, double t, uint64_t *ret_row,
                         Error *err) MUST_CHECK;
Status store_result_rows(TenantStore of, const char *job_id, int table, uint64_t *ret_rows,
                         Error *err) MUST_CHECK;

/* Maintenance of a whole data directory, without a store. */
typedef enum StoredKind {
    STORED_BLOCKS,
    STORED_REQUESTS,
    STORED_EVIDENCE,
    STORED_MODELS,
    STORED_JOBS,
    STORED_RESULTS,
    STORED_UNITS,        /* of ensembles: members that are being run */
    STORED_UNIT_ENDS,    /* ended members, each with its row */
    STORED_MEMBER_TEXTS, /* texts of failed members .. */
    STORED_MEMBER_SAYS,  /* .. and the members of each text */
    STORED_ENSEMBLE_TIMES,
    STORED_MEMBER_NODES,
    STORED_DELETED, /* jobs that were deleted */
    STORED_CALLS,   /* notifications */
    STORED_KEYS,    /* of clients */
    STORED_TENANTS,
    STORED_OWNERS, /* of models */
} StoredKind;
enum { STORED_KINDS = STORED_OWNERS + 1 };
const char *stored_kind_name(StoredKind kind); /* "blocks", ... */

typedef struct StoreReport {
    int format; /* of the file */
    struct {
        uint64_t sound, unchecked, damaged; /* unchecked: older files have no checksums */
    } kinds[STORED_KINDS];
    uint64_t structure; /* errors in the file's structure */
    StoreLog log;
} StoreReport;

typedef struct ReportSink {
    void *self;
    void (*damaged)(void *self, const char *what);
} ReportSink;

/* Rewrites the file without its free pages; from then on the file returns free pages to the disk.
 * Needs space for the new file. ERR_CONFLICT when a daemon runs on the directory. */
Status store_compact(const char *directory, Error *err) MUST_CHECK;

/* Reads everything, in any format so far, and writes nothing, not even the log into the database. A
 * daemon may be running. ERR_NOT_FOUND when the directory has no database or an empty one,
 * ERR_INVALID when the database is another program's. The thread's stop
 * token (core/base/stop_token.h) may end it. */
Status store_verify(const char *directory, const ReportSink *sink, StoreReport *ret_report,
                    Error *err) MUST_CHECK;

typedef struct ModelRecord {
    const char *id; /* hash of the canonical document */
    const char *name;
    const char *document;
    size_t document_size;
    int64_t created_ms;
} ModelRecord;
/* Users store, list and delete models. A document is stored once, and each tenant that has stored
 * it owns it. A model is kept for the jobs that name it: a deleted model stays, without an owner,
 * until its last job is deleted.
 *
 * Storing the same document twice is fine; *ret_created is then false. */
Status store_model_put(TenantStore of, const char *id, const char *name, const char *document,
                       size_t size, bool *ret_created, Error *err) MUST_CHECK;
Status store_model_get(TenantStore of, const char *id, Arena *arena, ModelRecord *ret_model,
                       Error *err) MUST_CHECK;
/* The model of an accepted job of the tenant, deleted or not. */
Status store_model_kept(TenantStore of, const char *id, Arena *arena, ModelRecord *ret_model,
                        Error *err) MUST_CHECK;
/* Newest first, without documents; `after`: an id (cursor). *ret_more as for jobs. */
Status store_model_list(TenantStore of, const char *after, size_t limit, Arena *arena,
                        ModelRecord **ret_models, size_t *ret_n, bool *ret_more,
                        Error *err) MUST_CHECK;
Status store_model_delete(TenantStore of, const char *id, Error *err) MUST_CHECK;

#endif
