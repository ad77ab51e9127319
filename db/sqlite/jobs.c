/* Reading jobs: one job, its request, its documents, its place in the queue, and filtered lists in
 * pages. */
#include <string.h>

#include "core/base/text.h"
#include "db/sqlite/checksum.h"

/* Without a row of this id the newest one is looked at: an id of nobody costs as much as one of
 * another tenant. */
Status job_missing(Connection *connection, const char *job_id, Error *err)
{
    Query query = query_new(connection, "SELECT j.id = ?1, " JOB_SOUND " FROM jobs j WHERE j.seq = "
                                        "coalesce((SELECT seq FROM jobs WHERE id = ?1), "
                                        "(SELECT max(seq) FROM jobs))");
    query_text(&query, 1, job_id);
    if (query_next(&query)) {
        const bool sound = row_int(&query, 1);
        job_sound(&query, sound || !row_int(&query, 0), job_id);
    }
    const Status status = query_end(&query, err);
    return status == OK ? error_set(err, ERR_NOT_FOUND, "no job '%.40s'", job_id) : status;
}

void job_id_copy(char *ret_id, const char *text)
{
    const size_t length = strnlen(text, JOB_ID_MAX - 1);
    memcpy(ret_id, text, length);
    ret_id[length] = '\0';
}

void job_row(Query *query, Arena *arena, JobRecord *ret_job)
{
    JobRecord job = {
        .revision = row_int(query, 2),
        .created_ms = row_int(query, 3),
        .started_ms = row_int(query, 4),
        .finished_ms = row_int(query, 5),
        .attempt = (unsigned)row_int(query, 6),
        .priority = (int)row_int(query, 7),
        .cancel_requested = row_int(query, 8) != 0,
        .complete = row_int(query, 9) != 0,
        .reason = row_text(query, 10, arena),
        .error = row_text(query, 11, arena),
        .model_id = row_text(query, 12, arena),
        .model_name = row_text(query, 13, arena),
        .labels = row_text(query, 14, arena),
        .formulation = row_text(query, 15, arena),
        .method = row_text(query, 16, arena),
        .request_hash = row_text(query, 17, arena),
        .timeout_ms = (uint64_t)row_int(query, 18),
        .result_hash = row_text(query, 19, arena),
        .warnings = row_text(query, 20, arena),
        .columns = row_text(query, 21, arena),
        .tables = row_text(query, 22, arena),
        .rows = (uint64_t)row_int(query, 23),
        .members = {.total = (uint64_t)row_int(query, 24),
                    .done = (uint64_t)row_int(query, 25),
                    .failed = (uint64_t)row_int(query, 26),
                    .design = row_text(query, 28, arena)},
        .table_columns = row_text(query, 27, arena),
        .not_after_ms = row_int(query, 29),
        .digest = row_text(query, 30, arena),
        .notify = {.url = row_text(query, 31, arena), .on = row_text(query, 32, arena)},
        .calls = {.attempts = (unsigned)row_int(query, 33),
                  .status = (int)row_int(query, 34),
                  .error = row_text(query, 35, arena),
                  .last_ms = row_int(query, 36),
                  .next_ms = row_int(query, 37),
                  .delivered_ms = row_int(query, 38)},
        .reused = {.job = row_text(query, 39, arena), .finished_ms = row_int(query, 40)},
        .trace = {.request_id = row_text(query, 41, arena),
                  .traceparent = row_text(query, 42, arena)},
    };
    /* the rows of an ensemble are its members */
    if (job.members.total)
        job.rows = job.members.done;
    job_id_copy(job.id, row_peek(query, 0));
    if (!job_state_parse(row_peek(query, 1), &job.state) || !row_int(query, JOB_COLUMN_SOUND))
        query_damaged(query, "the row of job %s is damaged (row %lld of the jobs)", job.id,
                      (long long)row_int(query, JOB_COLUMN_SEQ));
    *ret_job = job;
}

void job_sound(Query *query, bool sound, const char *job_id)
{
    if (!sound)
        query_damaged(query, "the row of job %.40s is damaged", job_id);
}

/* Ends a query that reads from one job; `found`: the query had a row. */
static Status job_read_end(Store *store, Connection *reader, Query *query, bool found,
                           const char *job_id, Error *err)
{
    Status status = query_end(query, err);
    if (status == OK && !found)
        status = job_missing(reader, job_id, err);
    reader_give(store, reader);
    return status;
}

Status store_job_get(TenantStore of, const char *job_id, Arena *arena, JobRecord *ret_job,
                     Error *err)
{
    Store *store = of.store;
    JobRecord job = {0};
    Connection *reader = reader_take(store);
    Query query =
        query_new(reader, "SELECT " JOB_COLUMNS " FROM jobs j " JOB_PARTS "WHERE " JOB_OF("?2"));
    query_text(&query, 1, job_id);
    query_int(&query, 2, of.tenant);
    const bool found = query_next(&query);
    if (found) {
        job_row(&query, arena, &job);
        job_sound(&query, strcmp(job.id, job_id) == 0, job_id);
    }
    Status status = job_read_end(store, reader, &query, found, job_id, err);
    if (status == OK)
        *ret_job = job;
    return status;
}

Status store_job_request(TenantStore of, const char *job_id, Arena *arena, const char **ret_bytes,
                         size_t *ret_size, Error *err)
{
    Store *store = of.store;
    const char *bytes = NULL;
    size_t size = 0;
    Connection *reader = reader_take(store);
    /* read the request with its checksum */
    Query query = query_new(
        reader, "SELECT q.bytes, " CHECKSUM_DUE(
                    "q.checksum", "q.job",
                    UNCHECKED_JOBS) ", j.seq, " JOB_SOUND_ID " FROM jobs j "
                                    "LEFT JOIN requests q ON q.job = j.seq WHERE " JOB_OF("?2"));
    query_text(&query, 1, job_id);
    query_int(&query, 2, of.tenant);
    const bool found = query_next(&query);
    bool good = true;
    if (found) {
        job_sound(&query, row_int(&query, 3), job_id);
        bytes = row_bytes(&query, 0, arena, &size);
        good =
            bytes && checksum_agrees(&query, 1, request_checksum(row_int(&query, 2), bytes, size));
    }
    Status status = job_read_end(store, reader, &query, found, job_id, err);
    if (status == OK && !good)
        status = damage(store, err, "the request of job %.40s is damaged", job_id);
    if (status == OK) {
        *ret_bytes = bytes;
        *ret_size = size;
    }
    return status;
}

Status store_job_document(TenantStore of, const char *job_id, JobDocument which, Arena *arena,
                          const char **ret_text, Error *err)
{
    Store *store = of.store;
    const char *diagnostics = NULL, *invariants = NULL;
    bool good = true;
    Connection *reader = reader_take(store);
    /* read the evidence, which must exist if the job says so */
    Query query = query_new(
        reader,
        "SELECT e.diagnostics, e.invariants, " CHECKSUM_DUE(
            "e.checksum", "e.job",
            UNCHECKED_JOBS) ", e.job, "
                            "e.job IS NOT NULL OR NOT coalesce(j.has_evidence, 0), " JOB_SOUND_ID
                            " FROM jobs j LEFT JOIN evidence e ON e.job = " RESULT_KEY(
                                "j.") " "
                                      "WHERE " JOB_OF("?2"));
    query_text(&query, 1, job_id);
    query_int(&query, 2, of.tenant);
    const bool found = query_next(&query);
    if (found) {
        diagnostics = row_text(&query, 0, arena);
        invariants = row_text(&query, 1, arena);
        job_sound(&query, row_int(&query, 5), job_id);
        good = row_int(&query, 4) &&
               checksum_agrees(&query, 2,
                               evidence_checksum(row_int(&query, 3), diagnostics, invariants));
    }
    Status status = job_read_end(store, reader, &query, found, job_id, err);
    if (status == OK && !good)
        status = damage(store, err, "the evidence of job %.40s is damaged", job_id);
    if (status == OK)
        *ret_text = which == JOB_DIAGNOSTICS ? diagnostics : invariants;
    return status;
}

Status store_job_position(TenantStore of, const JobRecord *job, uint64_t *ret_position, Error *err)
{
    Store *store = of.store;
    (void)err;
    QueueEntry entry = queue_entry(of.tenant, job->id, job->attempt, job->priority);
    pthread_mutex_lock(&store->mutex);
    LiveEnsemble *ensemble = job->members.total ? live_ensemble_find(store, job->id) : NULL;
    if (ensemble)
        entry = live_ensemble_entry(ensemble);
    *ret_position = job->state == JOB_QUEUED ? queue_rank(queue_of(store, of.tenant), &entry) : 0;
    pthread_mutex_unlock(&store->mutex);
    return OK;
}

/* Parameter numbers, the same in every list. */
enum { STATE = 1, MODEL, NAME, BEFORE, SINCE, LIMIT, TENANT, LABELS /* two for each */ };

static int label_key(size_t k)
{
    return LABELS + 2 * (int)k;
}

/* Conditions on the labels from number `first` on. */
static void labels_sql(const JobFilter *filter, size_t first, Text *sql)
{
    for (size_t k = first; k < filter->n_labels; k++)
        text_printf(sql,
                    "AND EXISTS (SELECT 1 FROM labels l WHERE l.job = j.seq AND l.key = ?%d "
                    "AND +l.value = ?%d) ",
                    label_key(k), label_key(k) + 1);
}

static void name_sql(const JobFilter *filter, Text *sql)
{
    if (filter->name)
        text_printf(sql, "AND instr(lower(j.model_name), lower(?%d)) > 0 ", NAME);
}

/* The row number of a job whose place in the order of ids is that of the cursor; the cursor's job
 * may be deleted. */
static void before_sql(const char *row, const JobFilter *filter, Text *sql)
{
    if (filter->before)
        text_printf(sql,
                    "AND %s <= (SELECT seq FROM jobs WHERE id < ?%d ORDER BY id DESC LIMIT 1) ",
                    row, BEFORE);
}

/* The last job that a search by name looks at, and up to n - 1 older ones. */
static void search_end_sql(const char *column, size_t n, const JobFilter *filter, Text *sql)
{
    text_printf(sql, "SELECT %s FROM jobs s WHERE s.tenant = ?%d ", column, TENANT);
    before_sql("s.seq", filter, sql);
    text_printf(sql, "ORDER BY s.seq DESC LIMIT %zu OFFSET %zu", n, filter->searched - 1);
}

/* Changed jobs in the order of the index on revisions, also with other filters: the cost of a page
 * is the number of changes it scans. The + keeps SQLite from using other indexes. */
static void changes_sql(const JobFilter *filter, Text *sql)
{
    text_printf(sql,
                "SELECT " JOB_COLUMNS ", 1 FROM jobs j " JOB_PARTS
                "WHERE j.tenant = ?%d AND j.revision > ?%d ",
                TENANT, SINCE);
    labels_sql(filter, 0, sql);
    if (filter->by_state)
        text_printf(sql, "AND +j.state = ?%d ", STATE);
    if (filter->model_id)
        text_printf(sql, "AND +j.model_id = ?%d ", MODEL);
    name_sql(filter, sql);
    text_printf(sql, "ORDER BY j.revision LIMIT ?%d", LIMIT);
}

/* Whether the job's own row has the tenant and a label of the index. A sound row contains valid
 * JSON; json_valid() would return 0 when memory runs out. */
#define HAS_LABEL                                                                     \
    "iif(" JOB_SOUND                                                                  \
    " AND j.tenant = ?%d, EXISTS (SELECT 1 FROM json_each(j.labels) e WHERE e.key = " \
    "?%d AND e.value = ?%d), 0)"

/* One statement for each kind of filter, so that each uses its index. The first label is the outer
 * loop; its index yields the jobs in order. An index is always used, so that a row missing from the
 * table is noticed. */
static void list_sql(const char *columns, const JobFilter *filter, Text *sql)
{
    if (filter->since >= 0) {
        changes_sql(filter, sql);
        return;
    }
    const bool label = filter->n_labels > 0;
    text_printf(sql, "SELECT %s, 1", columns);
    for (size_t k = 0; k < filter->n_labels; k++)
        text_printf(sql, " AND " HAS_LABEL, TENANT, label_key(k), label_key(k) + 1);
    text_puts(sql, " FROM ");
    text_puts(sql, label ? "labels l LEFT JOIN jobs j ON j.seq = l.job " : "jobs j ");
    text_printf(sql, JOB_PARTS "WHERE %s.tenant = ?%d ", label ? "l" : "j", TENANT);
    if (label)
        text_printf(sql, "AND l.key = ?%d AND l.value = ?%d ", label_key(0), label_key(0) + 1);
    labels_sql(filter, 1, sql);
    if (filter->by_state)
        text_printf(sql, "AND j.state = ?%d ", STATE);
    if (filter->model_id)
        text_printf(sql, "AND j.model_id = ?%d ", MODEL);
    const char *order = label ? "l.job" : "j.seq";
    before_sql(order, filter, sql);
    if (filter->name) {
        name_sql(filter, sql);
        text_printf(sql, "AND %s >= ifnull((", order);
        search_end_sql("s.seq", 1, filter, sql);
        text_puts(sql, "), 0) ");
    }
    text_printf(sql, "ORDER BY %s DESC LIMIT ?%d", order, LIMIT);
}

static void list_bind(Query *query, int64_t tenant, const JobFilter *filter, size_t limit)
{
    query_int(query, TENANT, tenant);
    if (filter->by_state)
        query_text(query, STATE, job_state_name(filter->state));
    if (filter->model_id)
        query_text(query, MODEL, filter->model_id);
    if (filter->name)
        query_text(query, NAME, filter->name);
    for (size_t k = 0; k < filter->n_labels; k++) {
        query_text(query, label_key(k), filter->labels[k].key);
        query_text(query, label_key(k) + 1, filter->labels[k].value);
    }
    if (filter->before)
        query_text(query, BEFORE, filter->before);
    if (filter->since >= 0)
        query_int(query, SINCE, filter->since);
    query_int(query, LIMIT, (int64_t)limit);
}

/* Whether the row agrees with the index that found it. */
static bool job_matches(const Query *query, const JobFilter *filter, const JobRecord *job)
{
    return (!filter->by_state || job->state == filter->state) &&
           (!filter->model_id || (job->model_id && strcmp(job->model_id, filter->model_id) == 0)) &&
           row_int(query, JOB_COLUMN_COUNT);
}

/* Limits a page of long names to LIST_BYTES, except that two jobs are always read. */
bool list_is_full(size_t n, size_t limit, const Arena *arena, ArenaMark start)
{
    return n == limit || (n > 1 && arena_mark(arena).total - start.total > LIST_BYTES);
}

Status store_job_list(TenantStore of, const JobFilter *filter, Arena *arena, JobRecord **ret_jobs,
                      size_t *ret_n, bool *ret_more, Error *err)
{
    Store *store = of.store;
    const size_t limit = filter->limit < LIST_MAX ? filter->limit : LIST_MAX;
    JobRecord *jobs = arena_alloc(arena, limit, sizeof *jobs);
    Text sql = TEXT_INIT;
    list_sql(JOB_COLUMNS, filter, &sql);
    if (!jobs || !text_ok(&sql)) {
        text_done(&sql);
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of jobs");
    }
    size_t n = 0;
    bool more = false;
    const ArenaMark start = arena_mark(arena);
    /* read until the page is full */
    Connection *reader = reader_take(store);
    Query query = query_new(reader, sql.data);
    list_bind(&query, of.tenant, filter, limit);
    while (!more && query_next(&query)) {
        job_row(&query, arena, &jobs[n]);
        job_sound(&query, job_matches(&query, filter, &jobs[n]), jobs[n].id);
        more = list_is_full(++n, limit, arena, start);
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    text_done(&sql);
    if (status == OK) {
        *ret_jobs = jobs;
        *ret_n = n;
        *ret_more = more;
    }
    return status;
}
Status store_job_searched(TenantStore of, const JobFilter *filter, char ret_id[JOB_ID_MAX],
                          Error *err)
{
    Text sql = TEXT_INIT;
    char id[JOB_ID_MAX] = "";
    size_t n = 0;
    search_end_sql("s.id", 2, filter, &sql);
    if (!text_ok(&sql)) {
        text_done(&sql);
        return error_set(err, ERR_NO_MEMORY, "out of memory for a list of jobs");
    }
    Connection *reader = reader_take(of.store);
    Query query = query_new(reader, sql.data);
    query_int(&query, TENANT, of.tenant);
    if (filter->before)
        query_text(&query, BEFORE, filter->before);
    while (query_next(&query))
        if (n++ == 0)
            job_id_copy(id, row_peek(&query, 0));
    Status status = query_end(&query, err);
    reader_give(of.store, reader);
    text_done(&sql);
    if (status == OK)
        job_id_copy(ret_id, n > 1 ? id : "");
    return status;
}

Status store_job_counts(TenantStore of, const JobFilter *filter, size_t most,
                        StoreCounts *ret_counts, bool *ret_more, Error *err)
{
    JobFilter all = *filter;
    StoreCounts counts = {0};
    uint64_t *const of_state[] = {[JOB_QUEUED] = &counts.queued,
                                  [JOB_RUNNING] = &counts.running,
                                  [JOB_SUCCEEDED] = &counts.succeeded,
                                  [JOB_FAILED] = &counts.failed,
                                  [JOB_CANCELLED] = &counts.cancelled};
    JobState state;
    Text sql = TEXT_INIT;
    size_t n = 0;
    *ret_more = false;
    if (!filter->model_id && !filter->name && filter->n_labels == 0)
        return store_counts(of, ret_counts, err);
    /* the newest of all states, and one more to know whether there are more */
    all.by_state = false;
    all.before = NULL;
    all.since = -1;
    list_sql("j.state", &all, &sql);
    if (!text_ok(&sql)) {
        text_done(&sql);
        return error_set(err, ERR_NO_MEMORY, "out of memory to count jobs");
    }
    Connection *reader = reader_take(of.store);
    Query query = query_new(reader, sql.data);
    list_bind(&query, of.tenant, &all, most + 1);
    while (query_next(&query) && n++ < most)
        if (job_state_parse(row_peek(&query, 0), &state))
            ++*of_state[state];
    Status status = query_end(&query, err);
    reader_give(of.store, reader);
    text_done(&sql);
    if (status == OK) {
        *ret_counts = counts;
        *ret_more = n > most;
    }
    return status;
}
