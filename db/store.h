/* The store: jobs, their results and models, durable. Whole use cases, not SQL.
 *
 * The store knows texts, numbers and blocks, not mechanics. All functions are thread-safe. What is
 * answered OK is durable (the group commit that holds it has reached the disk) unless said
 * otherwise. Strings and bytes in ret_* structs live in the arena passed in. Besides what is said,
 * every function may return ERR_IO and ERR_NO_MEMORY, one that writes ERR_NO_SPACE: then nothing
 * has changed; one that reads ERR_DAMAGED, when what is stored is not what was written.
 *
 * A job goes queued -> running -> succeeded | failed | cancelled and never leaves the last three.
 * Every transition is guarded by state, attempt and lease token: a late worker cannot overwrite a
 * finished job. `revision` is a counter of the whole store that grows with every visible change but
 * that of `rows`; a job carries the one of its last change. */
#ifndef DB_STORE_H
#define DB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"
#include "core/base/text.h"

typedef struct Store Store;

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

typedef struct StoreOptions {
    const char *directory; /* created when missing; holds dalembert.db and the lock file */
    uint64_t max_queued;   /* ERR_BUSY beyond; 0: none */
    unsigned max_attempts; /* deaths while running before a job fails with worker_lost; default 5 */
    /* Bytes free on the disk below which jobs and models are refused (ERR_NO_SPACE), so that
     * deletions and ends still fit; below half of them the rows of runs wait. 0: none. */
    uint64_t disk_reserve;
    uint64_t keep_deleted_ms; /* how long deleted jobs are remembered, at least; 0: for ever */
    /* A file of an older format is brought to the newest, which older programs refuse: */
    bool copy_old; /* a copy dalembert.db.format-N is made before */
} StoreOptions;

/* Opens or creates. A second process on the same directory is ERR_CONFLICT (an operating system
 * lock: a killed daemon leaves none). Jobs that were running when the last process died are queued
 * again (their attempt counted, their partial results removed), or failed with reason "worker_lost"
 * after max_attempts. */
Status store_open(const StoreOptions *options, Store **ret_store, Error *err) MUST_CHECK;
void store_close(Store *store); /* waits for pending commits; NULL is fine */

/* Whether writes work, the directory is still where it was, and every queued job could be read that
 * had its turn; ERR_NO_SPACE / ERR_IO / ERR_DAMAGED with the reason otherwise. */
Status store_ready(Store *store, Error *err) MUST_CHECK;

/* Of the disk with the directory. */
typedef struct StoreSpace {
    uint64_t free, total; /* bytes */
} StoreSpace;
Status store_space(const Store *store, StoreSpace *ret_space, Error *err) MUST_CHECK;

enum { JOB_ID_MAX = 37 };

/* Whom to tell of the end of a job; url NULL: nobody. */
typedef struct JobNotify {
    const char *url;
    const char *
        /* who answers there: jobs of one origin wait for each other, not for those of others */
        origin;
    const char *on; /* JSON list of names of states; "done" in it means any */
} JobNotify;

/* A job as it is handed in. Documents are opaque texts. */
typedef struct JobDraft {
    const char *request; /* the submitted document, byte for byte */
    size_t request_size;
    const char *request_hash; /* of the canonical request */
    const char *model_id;     /* hash of the canonical model */
    const char *model_name;
    const char *model; /* the document, where the request only names it: kept for the job */
    size_t model_size;
    const char *labels;               /* JSON object text, strings to strings; "{}" for none */
    const char *formulation, *method; /* for listing */
    int priority;                     /* higher first */
    const char *idempotency_key;      /* NULL: none */
    const char *idempotency_digest;   /* a hash of what the key stands for; NULL: of the request */
    uint64_t timeout_ms;              /* 0: the service's default */
    int64_t not_after_ms; /* it is not begun after that (Unix time in ms); 0: whenever */
    uint64_t members;     /* of an ensemble; 0: a plain job */
    /* Of an ensemble, JSON arrays: the columns of its summary, the names of its tables, their
     * columns. */
    const char *columns, *tables, *table_columns;
    /* What the result depends on; NULL: on more than that. The job may become the owner of the
     * result of a job with the same key that this program has run: then it has succeeded when it is
     * added. program NULL: it is to be run. */
    const char *reuse_key, *program;
    const char
        *design; /* of an ensemble, a JSON object: its kind, axes and seed, shown with the job */
    JobNotify notify;
} JobDraft;

/* What has become of a notification. */
typedef struct JobCalls {
    unsigned attempts;
    int status;           /* of HTTP, of the last attempt's answer; 0: none came */
    const char *error;    /* of the last attempt; NULL: it did what it should */
    int64_t last_ms;      /* when that was; 0: none was made */
    int64_t next_ms;      /* when the next is due; 0: none will be made, or the job has not ended */
    int64_t delivered_ms; /* 0: it is not */
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
    const char *digest;      /* JSON: what it comes to in a few numbers; or NULL */
    struct {
        uint64_t total, done, failed; /* total 0: a plain job; done: with those failed */
    } members;
    const char *table_columns; /* of an ensemble: JSON array, or NULL */
    const char *design;        /* of an ensemble: JSON object, or NULL */
    JobNotify notify;          /* without its origin */
    JobCalls calls;            /* what changes of them is no new revision */
    struct {
        const char *job; /* whose run the result is from, which may be gone; NULL: the job's own */
        int64_t finished_ms; /* its end */
    } reused;
} JobRecord;

/* Adds n jobs in state queued, or succeeded where they own a result that was there (reused.job),
 * all or none. With idempotency keys that were used before, those of any of them, nothing is added:
 * the jobs of the keys are returned and *ret_replayed is true when the keys stand for the same,
 * else ERR_CONFLICT; one that was deleted since has an empty id. ERR_BUSY: the queue has not so
 * much room. What is in ret_jobs after a failure means nothing. */
Status store_jobs_add(Store *store, const JobDraft *drafts, size_t n, Arena *arena,
                      JobRecord *ret_jobs, bool *ret_replayed, Error *err) MUST_CHECK;

Status store_job_add(Store *store, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                     bool *ret_replayed, Error *err) MUST_CHECK;

/* The jobs that were added with these keys before: the same answer as store_jobs_add() has for
 * them; of the drafts only what has to do with keys is looked at. ERR_NOT_FOUND: none;
 * ERR_CONFLICT: they stood for something else. */
Status store_jobs_replay(Store *store, const JobDraft *drafts, size_t n, Arena *arena,
                         JobRecord *ret_jobs, Error *err) MUST_CHECK;

Status store_job_replay(Store *store, const JobDraft *draft, Arena *arena, JobRecord *ret_job,
                        Error *err) MUST_CHECK;

/* Takes the next job: highest priority, then oldest; jobs whose process died while they ran come
 * last and run one at a time; those whose instant has passed are passed over. ERR_NOT_FOUND when
 * none is to be had (returns at once); while nothing can be written, no job is begun: the error of
 * store_ready. ERR_DAMAGED: the next job cannot be read; it is left out until the store is opened
 * again, and store_ready tells of it. The transition to running is ordered before everything else
 * said of the job but not waited for: it becomes durable with the next commit at the latest, so
 * that it costs no commit of its own on the way of a short job. */
typedef struct JobLease {
    JobRecord job;
    const char *request; /* NULL: it is damaged */
    size_t request_size;
    int64_t token;    /* guards the following transitions */
    bool in_units;    /* an ensemble with members to be run: no token, see store_unit_claim() */
    uint64_t used_ms; /* of an ensemble: with its units running, so far, in whatever process */
} JobLease;
Status store_job_claim(Store *store, Arena *arena, JobLease *ret_lease, Error *err) MUST_CHECK;

/* Ends queued jobs that are not to be begun any more (JobDraft.not_after_ms): failed, with reason
 * "expired". One that was put back into the queue is held to it, too, an ensemble only as long as
 * none of its members has been begun. Their ids; most of all that have expired come with one call,
 * the others with the next. Cheap when none has. */
Status store_jobs_expire(Store *store, Arena *arena, char (**ret_ids)[JOB_ID_MAX], size_t *ret_n,
                         Error *err) MUST_CHECK;

/* Whether the run should stop: cancelling was asked for, whoever took the request, or the lease is
 * lost. Cheap enough to be polled every few milliseconds: the store of a single process looks into
 * its memory. */
bool store_job_stop_wanted(Store *store, const char *job_id, int64_t token);
/* Whether a run of the job was given up and cannot be given back yet: the disk does not take it. */
bool store_job_waits(Store *store, const char *job_id);

/* Begins storing the result of a run; earlier partial rows of the job are removed. Not waited for,
 * as the claim. ERR_CONFLICT when the lease is lost. */
Status store_result_begin(Store *store, const char *job_id, int64_t token, const char *columns,
                          const char *tables, Error *err) MUST_CHECK;
/* Appends rows [n_rows][n_columns] of a table (-1: the trajectory; below 10,000), all or none; one
 * by one is fine. They gather into blocks that readers see after about a second; not waited for,
 * but it blocks until the writer has room, so that memory stays bounded. t is column 0, a number.
 * ERR_CONFLICT when the lease is lost. On ERR_NO_SPACE, ERR_IO and ERR_NO_MEMORY nothing was taken
 * and the lease is kept: call again, earlier rows are kept until the disk takes them. */
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
    /* A name of the program, when the result is complete and what every run of this program with
     * the job's reuse_key has; or NULL. */
    const char *program;
} JobFinish;
/* The end of a run: durable when it returns, together with all appended rows. ERR_CONFLICT when the
 * lease is lost. On ERR_NO_SPACE, ERR_IO and ERR_NO_MEMORY nothing has changed and the lease is
 * kept: call again. */
Status store_job_finish(Store *store, const char *job_id, int64_t token, const JobFinish *finish,
                        Error *err) MUST_CHECK;
/* Puts a running job back, without spending an attempt and without its rows (shutdown); one whose
 * cancelling was asked for becomes cancelled instead. ERR_CONFLICT when the lease is lost. It is
 * gone in any case: on ERR_NO_SPACE and ERR_IO the job goes back once the disk takes it. */
Status store_job_release(Store *store, const char *job_id, int64_t token, Error *err) MUST_CHECK;

/* The cell whose store made the id; those made before cells had numbers count as cell 0, the only
 * one so far. */
unsigned store_job_cell(const Store *store, const char *job_id);
Status store_job_get(Store *store, const char *job_id, Arena *arena, JobRecord *ret_job,
                     Error *err) MUST_CHECK;
Status store_job_request(Store *store, const char *job_id, Arena *arena, const char **ret_bytes,
                         size_t *ret_size, Error *err) MUST_CHECK;
/* A queued job is cancelled at once; of a running one the wish is remembered (its worker, or the
 * rescuer, carries it out); a finished one is ERR_CONFLICT. */
Status store_job_cancel(Store *store, const char *job_id, Arena *arena, JobRecord *ret_job,
                        Error *err) MUST_CHECK;
/* Deletes a job that is done, with its results, unless other jobs own them too; ERR_CONFLICT while
 * it runs or waits. */
Status store_job_delete(Store *store, const char *job_id, Error *err) MUST_CHECK;
/* The same of many jobs, in one transaction: ret_each[n] says what has become of each, OK,
 * ERR_NOT_FOUND, ERR_CONFLICT or ERR_DAMAGED. After a failure of the whole nothing has changed. */
Status store_jobs_cancel(Store *store, const char *const *ids, size_t n, Status *ret_each,
                         Error *err) MUST_CHECK;
Status store_jobs_delete(Store *store, const char *const *ids, size_t n, Status *ret_each,
                         Error *err) MUST_CHECK;
/* Jobs before this one in the queue; 0 when it is not queued. */
Status store_job_position(Store *store, const JobRecord *job, uint64_t *ret_position,
                          Error *err) MUST_CHECK;

/* Reading results in blocks: no transaction stays open between calls. A block holds consecutive
 * rows of one table, the first of them row `first_row`. ERR_NOT_FOUND past the end. */
typedef struct ResultBlock {
    uint64_t first_row, n_rows;
    size_t n_columns;
    const double *rows; /* row-major; in the arena */
} ResultBlock;

/* Ensembles run in units: ranges of members, which several workers have at once. store_job_claim()
 * hands out an ensemble as long as it has members that nobody runs (in_units); then, and when a
 * unit ends, it goes behind the other jobs of its priority; the one that it hands out with a token,
 * after the last unit, has all its members done (or was cancelled, and no unit runs): it is ended
 * by store_job_finish(), after its rows have been looked at.
 *
 * A unit whose process died is claimed again in halves, as jobs are: one at a time; a single member
 * that has died max_attempts times is handed out with `lost`, to be told as such. */
typedef struct UnitLease {
    uint64_t first, n;
    int64_t token;
    bool lost;
    bool suspect;     /* its process died: it is to be run beside no other members */
    uint64_t used_ms; /* with units of the ensemble running, so far, in whatever process */
} UnitLease;
/* The first members that nobody runs, at most so many; a power of 2, not beyond its next multiple:
 * then units fill few nodes of members. ERR_NOT_FOUND: there are none, or the job is over or to be
 * cancelled. As durable as a job's claim: a unit that was not finished runs again. */
Status store_unit_claim(Store *store, const char *job_id, uint64_t most, UnitLease *ret_unit,
                        Error *err) MUST_CHECK;
/* Rows of a member's table (-1: the summary, one row a member; k: the k-th table), seen by readers
 * when the unit is finished. Otherwise as store_result_append(). */
Status store_unit_append(Store *store, const char *job_id, int64_t token, int table,
                         uint64_t member, const double *rows, size_t n_rows, size_t n_columns,
                         Error *err) MUST_CHECK;
/* What a member said that failed; its text is not empty. */
typedef struct MemberText {
    uint64_t member;
    const char *text;
} MemberText;
enum { MEMBER_TEXTS_MAX = 1000 }; /* that are kept of an ensemble: those of the first members */
/* What members have in common, kept by ranges of them. The node of a level and a number stands for
 * 2^level members, from number 2^level on; it has words, which the store does not understand, for
 * each of the parts that the ensemble has. */
typedef struct MemberNode {
    unsigned level;
    uint64_t number;
    unsigned part;
    const uint64_t *words; /* n_words > 0 */
    size_t n_words;
} MemberNode;
/* Nodes of members that have ended. Two that are the halves of one become that, as soon as both are
 * there: */
typedef struct MemberNodes {
    const MemberNode *nodes; /* each part's fill the members that are done */
    size_t n;
    /* Appends the words of the node of this number. Called by another thread, before the end of the
     * call that is given it. */
    Status (*merge)(const uint64_t *lower, size_t n_lower, const uint64_t *upper, size_t n_upper,
                    uint64_t number, Text *words, Error *err);
} MemberNodes;
typedef struct UnitFinish {
    uint64_t done; /* the first so many members of the unit, with their rows; the others go back */
    uint64_t failed; /* among them */
    bool stop;       /* no other members are to be run: one of these has failed, or time is up */
    const MemberText *said; /* of those that failed, the first MEMBER_TEXTS_MAX; ascending */
    size_t n_said;
    MemberNodes nodes; /* written with the rows */
} UnitFinish;
/* Durable when it returns, with all appended rows. ERR_CONFLICT: the lease is lost. Otherwise as
 * store_job_finish(). */
Status store_unit_finish(Store *store, const char *job_id, int64_t token, const UnitFinish *finish,
                         Error *err) MUST_CHECK;
/* None of its members is done; as store_job_release(). store_job_stop_wanted() takes a unit's
 * token, too. */
Status store_unit_release(Store *store, const char *job_id, int64_t token, Error *err) MUST_CHECK;
/* What store_job_claim() would hand out instead of this ensemble, if that went behind the others of
 * its priority now, as it does when a unit ends. Cheap enough to be polled. */
typedef enum StoreOthers {
    OTHERS_NONE,
    OTHERS_ENSEMBLE, /* in units */
    OTHERS_JOB,      /* or the end of an ensemble */
} StoreOthers;
StoreOthers store_others_wait(Store *store, const char *job_id);
/* Rows of a member's table from row `row` of it on, as far as they are stored together;
 * ERR_NOT_FOUND past its end. */
Status store_member_block(Store *store, const char *job_id, int table, uint64_t member,
                          uint64_t row, Arena *arena, ResultBlock *ret_block,
                          Error *err) MUST_CHECK;
/* A table of an ensemble as a whole, in the order of members: the block behind a place (0 at first,
 * *io_place), as far as there is one; ERR_NOT_FOUND: no more. Of the summary a place is the number
 * of a member: any will do. */
Status store_table_next(Store *store, const char *job_id, int table, uint64_t *io_place,
                        Arena *arena, ResultBlock *ret_block, Error *err) MUST_CHECK;

/* What members said from member `first` on, in their order, at most `most` (and MEMBER_TEXTS_MAX);
 * none of a job that has ended with diagnostics: these are to tell. */
Status store_member_texts(Store *store, const char *job_id, uint64_t first, size_t most,
                          Arena *arena, MemberText **ret_said, size_t *ret_n,
                          Error *err) MUST_CHECK;
/* A part of all nodes, in the order of members, at one moment; ERR_DAMAGED where they are not those
 * of all that have ended. The nodes of ensembles that have none are not to be asked for. */
Status store_member_nodes(Store *store, const char *job_id, unsigned part, Arena *arena,
                          MemberNode **ret_nodes, size_t *ret_n, Error *err) MUST_CHECK;

/* Notifications. The end of a job makes its notification due, in the same transaction, if it is one
 * that was asked for. It stays due, also in the next process, until store_calls_made() says that it
 * was delivered or is given up. */
typedef struct DueCall {
    char job_id[JOB_ID_MAX];
    JobState state;
    int64_t revision, finished_ms; /* of the job's end */
    const char *url, *origin;
    unsigned attempts; /* before this one */
} DueCall;
/* Those that are due, ordered by their origins, which come after this one: of each the `each`
 * oldest, together at most `most`. What is damaged is left out. */
Status store_calls_due(Store *store, int64_t now_ms, const char *after_origin, size_t each,
                       size_t most, Arena *arena, DueCall **ret_calls, size_t *ret_n,
                       Error *err) MUST_CHECK;
/* When the next is due, whatever its origin; 0: none. */
Status store_calls_next(Store *store, int64_t *ret_ms, Error *err) MUST_CHECK;
/* How many are due, now or later. */
Status store_calls_pending(Store *store, uint64_t *ret_n, Error *err) MUST_CHECK;

typedef struct MadeCall {
    char job_id[JOB_ID_MAX]; /* the job may be gone meanwhile */
    int status;              /* as of JobCalls, which counts one attempt more */
    const char *error;       /* NULL: delivered */
    int64_t made_ms;
    int64_t next_ms; /* 0: no other attempt will be made */
} MadeCall;
Status store_calls_made(Store *store, const MadeCall *calls, size_t n, Error *err) MUST_CHECK;

typedef enum JobDocument { JOB_DIAGNOSTICS, JOB_INVARIANTS } JobDocument;
/* NULL text when the job has none. */
Status store_job_document(Store *store, const char *job_id, JobDocument which, Arena *arena,
                          const char **ret_text, Error *err) MUST_CHECK;

typedef struct JobLabel {
    const char *key, *value;
} JobLabel;

typedef struct JobFilter {
    bool by_state;
    JobState state;
    const char *model_id;   /* NULL: any */
    const JobLabel *labels; /* n_labels: all of them */
    size_t n_labels;
    const char *before; /* id: older than this one (cursor); NULL: from the newest */
    int64_t since;      /* only what changed after this revision; -1: all. Not with `before` */
    size_t limit;       /* at most 1000 */
} JobFilter;
/* Newest first; with `since` in the order of their revisions: the next page is since the last
 * one's. *ret_more: there may be others behind them, for they are filter->limit, or two at least
 * whose texts take 16 MiB together. */
Status store_job_list(Store *store, const JobFilter *filter, Arena *arena, JobRecord **ret_jobs,
                      size_t *ret_n, bool *ret_more, Error *err) MUST_CHECK;
/* A job that was deleted, and the revision of that. */
typedef struct DeletedJob {
    char id[JOB_ID_MAX];
    int64_t revision;
} DeletedJob;
/* Those deleted after a revision, in the order of their deletions. Up to revision *ret_forgotten
 * deletions are not known any more. */
Status store_deleted_list(Store *store, int64_t since, size_t limit, Arena *arena,
                          DeletedJob **ret_jobs, size_t *ret_n, int64_t *ret_forgotten,
                          Error *err) MUST_CHECK;
/* The newest revision of the store. */
int64_t store_revision(Store *store);

typedef struct StoreCounts {
    uint64_t queued, running, succeeded, failed, cancelled, models;
} StoreCounts;
Status store_counts(Store *store, StoreCounts *ret_counts, Error *err) MUST_CHECK;
/* When the job that has waited longest was added (Unix time in ms); 0: none waits. */
int64_t store_oldest_queued(Store *store);
/* How often damaged data was met since the store was opened. */
uint64_t store_damaged(Store *store);
/* Commits that changed something, since it was opened. */
uint64_t store_commits(Store *store);

Status store_result_block(Store *store, const char *job_id, int table, uint64_t row, Arena *arena,
                          ResultBlock *ret_block,
                          Error *err) MUST_CHECK; /* the block that contains the row */
/* The first row of the table with time at or beyond t in the run's direction (blocks know their
 * range); the number of rows when there is none. */
Status store_result_find(Store *store, const char *job_id, int table, double t, uint64_t *ret_row,
                         Error *err) MUST_CHECK;
Status store_result_rows(Store *store, const char *job_id, int table, uint64_t *ret_rows,
                         Error *err) MUST_CHECK;

/* Looking after a data directory as a whole, without a store. */
typedef enum StoredKind {
    STORED_BLOCKS,
    STORED_REQUESTS,
    STORED_EVIDENCE,
    STORED_MODELS,
    STORED_JOBS,
    STORED_RESULTS,
    STORED_UNITS,        /* of ensembles: members that are being run */
    STORED_UNIT_ENDS,    /* those that have ended, each with its row */
    STORED_MEMBER_TEXTS, /* what failed members said .. */
    STORED_MEMBER_SAYS,  /* .. and who said it */
    STORED_ENSEMBLE_TIMES,
    STORED_MEMBER_NODES,
    STORED_DELETED, /* jobs that were deleted */
    STORED_CALLS    /* notifications */
} StoredKind;
enum { STORED_KINDS = STORED_CALLS + 1 };
const char *stored_kind_name(StoredKind kind); /* "blocks", ... */

typedef struct StoreReport {
    int format; /* of the file */
    struct {
        uint64_t sound, unchecked, damaged; /* unchecked: older files have no checksums */
    } kinds[STORED_KINDS];
    uint64_t structure; /* mistakes of the file's structure */
} StoreReport;

typedef struct ReportSink {
    void *self;
    void (*damaged)(void *self, const char *what);
} ReportSink;

/* Rewrites the file without its free pages, as one that gives them back by itself from then on.
 * Needs as much space as the new file has. ERR_CONFLICT when a daemon runs on the directory. */
Status store_compact(const char *directory, Error *err) MUST_CHECK;

/* Reads everything, of any format so far, and writes nothing: never the log into the database. A
 * daemon may be running. ERR_NOT_FOUND when the directory has no database. */
Status store_verify(const char *directory, const ReportSink *sink, StoreReport *ret_report,
                    Error *err) MUST_CHECK;

typedef struct ModelRecord {
    const char *id; /* hash of the canonical document */
    const char *name;
    const char *document;
    size_t document_size;
    int64_t created_ms;
} ModelRecord;
/* Models are stored for the users, who list and delete them, and kept for the jobs that name them:
 * a deleted one stays, unseen, until the last of its jobs is deleted too.
 *
 * Storing the same document twice is fine; *ret_created tells. */
Status store_model_put(Store *store, const char *id, const char *name, const char *document,
                       size_t size, bool *ret_created, Error *err) MUST_CHECK;
Status store_model_get(Store *store, const char *id, Arena *arena, ModelRecord *ret_model,
                       Error *err) MUST_CHECK;
/* The model of an accepted job, deleted or not. */
Status store_model_kept(Store *store, const char *id, Arena *arena, ModelRecord *ret_model,
                        Error *err) MUST_CHECK;
/* Newest first, without documents; `after`: an id (cursor). *ret_more as of jobs. */
Status store_model_list(Store *store, const char *after, size_t limit, Arena *arena,
                        ModelRecord **ret_models, size_t *ret_n, bool *ret_more,
                        Error *err) MUST_CHECK;
Status store_model_delete(Store *store, const char *id, Error *err) MUST_CHECK;

#endif
