/* Verifying a data directory: the structure of the file, then every checksum. Each row is read by
 * itself, so that a running daemon can go on writing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/stop_token.h"
#include "core/base/text.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/deleted.h"
#include "db/sqlite/log_finding.h"

/* Format 5 had checksums of rows too, but did not record which rows lack one. */
enum {
    STRUCTURE_MISTAKES_MAX = 100,
    FORMAT_OF_ROWS = 6,
    FORMAT_OF_ENSEMBLES = 7,
    FORMAT_OF_MEMBER_TEXTS = 8,
    FORMAT_OF_MEMBER_NODES = 9,
    FORMAT_OF_DELETED = 10,
    FORMAT_OF_NOT_AFTER = 12,
    FORMAT_OF_DIGESTS = 13,
    FORMAT_OF_CALLS = 14,
    FORMAT_OF_REUSE = 15,
    FORMAT_OF_KEYS = 16,
    OLDER_MAX = 6,
    VERIFY_MEMORY = 1 << 30,
    ROW_WORK = STOP_TOKEN_WORK / 64, /* how often a stop is asked for: some milliseconds */
    PROGRESS_OPCODES = 10000,        /* of SQLite, between two such questions */
};

typedef struct Verification {
    Connection reader;
    Arena *arena; /* of one row */
    const ReportSink *sink;
    StoreReport report;
} Verification;

/* How the rows of one kind are read and checked. */
typedef struct StoredTable {
    const char *name;
    int since;  /* the first format with checksums of these rows */
    int begins; /* the first format with the table */
    int n_columns;
    const char *columns; /* without the checksum, which follows */
    struct {
        int before;                  /* formats before this one, ascending; 0: no more */
        const char *columns, *sound; /* sound NULL: the same */
    } older[OLDER_MAX];              /* the same for older files */
    const char *from;                /* the table, with the alias of: */
    const char *due;                 /* SQL: the checksum, from FORMAT_OF_ROWS on */
    const char *sound;               /* SQL: a further condition, from FORMAT_OF_ROWS on; or NULL */
    /* The checksum due to the current row; *ret_ok is false if its shape is wrong already. */
    int64_t (*checksum)(Verification *verification, Query *query, bool *ret_ok);
    const char *describe; /* SQL: a description of row ?1 */
} StoredTable;

/* The columns of a row come first in the query, because block_row() and the others count from 0. */
static int64_t check_block(Verification *verification, Query *query, bool *ret_ok)
{
    BlockRow block;
    (void)verification;
    *ret_ok = block_row(query, &block);
    return block_checksum(&block);
}

static int64_t check_request(Verification *verification, Query *query, bool *ret_ok)
{
    size_t size;
    const char *bytes = row_bytes(query, 1, verification->arena, &size);
    *ret_ok = bytes != NULL;
    return request_checksum(row_int(query, 0), bytes, size);
}

static int64_t check_evidence(Verification *verification, Query *query, bool *ret_ok)
{
    const char *diagnostics = row_text(query, 1, verification->arena);
    const char *invariants = row_text(query, 2, verification->arena);
    *ret_ok = true;
    return evidence_checksum(row_int(query, 0), diagnostics, invariants);
}

static int64_t check_model(Verification *verification, Query *query, bool *ret_ok)
{
    size_t size;
    const char *id = row_text(query, 0, verification->arena);
    const char *name = row_text(query, 1, verification->arena);
    const char *document = row_bytes(query, 2, verification->arena, &size);
    *ret_ok = id && name && document;
    return model_checksum(id, name, document, size);
}

/* SQLite has computed the checksum. */
static int64_t check_row(Verification *verification, Query *query, bool *ret_ok)
{
    (void)verification;
    *ret_ok = true;
    return row_int(query, 0);
}

/* The table of labels agrees with the job, and every part that the job mentions exists. */
#define JOB_PARTS_SOUND(result)                                                          \
    "iif(json_valid(j.labels), NOT EXISTS ("                                             \
    "SELECT key, value FROM json_each(j.labels) EXCEPT "                                 \
    "SELECT key, value FROM labels l WHERE l.job = j.seq) AND NOT EXISTS ("              \
    "SELECT key, value FROM labels l WHERE l.job = j.seq EXCEPT "                        \
    "SELECT key, value FROM json_each(j.labels)), 0) "                                   \
    "AND EXISTS (SELECT 1 FROM requests q WHERE q.job = j.seq) "                         \
    "AND (j.rows IS NULL OR EXISTS (SELECT 1 FROM results r WHERE r.job = " result ")) " \
    "AND (NOT coalesce(j.has_evidence, 0) OR "                                           \
    "EXISTS (SELECT 1 FROM evidence e WHERE e.job = " result "))"

/* The labels and the result belong to the job's tenant. */
#define TENANT_AGREES                                                                         \
    "NOT EXISTS (SELECT 1 FROM labels l WHERE l.job = j.seq AND l.tenant <> j.tenant) AND "   \
    "NOT EXISTS (SELECT 1 FROM results r WHERE r.job = " RESULT_KEY("j.") " AND r.tenant <> " \
                                                                          "j.tenant)"

#define BLOCK_SHAPE "job, tab, first_row, n_rows, n_columns, t_first, t_last, data"
#define EVIDENCE "job, diagnostics, invariants"
#define JOB_DUE CHECKSUM_DUE("checksum", "job", UNCHECKED_JOBS)
#define OF_JOB "SELECT 'of job ' || id FROM jobs WHERE seq = ?1"

#define OF_JOB_IN(table)                                        \
    "SELECT 'of job ' || coalesce(j.id, '?') FROM " table " t " \
    "LEFT JOIN jobs j ON j.seq = t.job WHERE t.seq = ?1"
#define MEMBERS_OF_JOB(table)                                                     \
    "SELECT printf('of job %s, members %d to %d', coalesce(j.id, '?'), u.first, " \
    "u.first + u.n - 1) FROM " table " u LEFT JOIN jobs j ON j.seq = u.job WHERE u.seq = ?1"
/* Every ended member has its row. */
#define MEMBERS_SOUND                                                             \
    "u.n = (SELECT coalesce(sum(b.n_rows), 0) FROM blocks b WHERE b.job = u.job " \
    "AND b.tab = -1 AND b.first_row >= u.first AND b.first_row < u.first + u.n)"

/* Every table of a job that has ended has as many rows as the job says. Members have theirs in
 * MEMBERS_SOUND. */
#define ROWS_IN(table) \
    "(SELECT coalesce(sum(b.n_rows), 0) FROM blocks b WHERE b.job = r.job AND b.tab = " table ")"
#define TABLES_OF_JOB "json_each(iif(json_valid(j.table_rows), j.table_rows, '[]'))"
#define ROWS_COMPLETE                                                   \
    "(r.members IS NOT NULL OR NOT EXISTS (SELECT 1 FROM jobs j WHERE " \
    "j.seq = r.job AND j.rows IS NOT NULL AND (j.rows <> " ROWS_IN(     \
        "-1") " OR EXISTS (SELECT 1 FROM " TABLES_OF_JOB                \
              " e WHERE e.value <> " ROWS_IN("e.key") "))))"

/* The nodes of each part fill their range of ended members. */
#define WITHIN(node)                                                          \
    node ".job = u.job AND " node ".number << " node ".level >= u.first AND " \
         "(" node ".number + 1) << " node ".level <= u.first + u.n"
#define NODE_SOUND                                                                              \
    "EXISTS (SELECT 1 FROM unit_ends u WHERE " WITHIN(                                          \
        "m") " AND u.n = "                                                                      \
             "(SELECT sum(1 << o.level) FROM member_nodes o WHERE o.part = m.part AND " WITHIN( \
                 "o") "))"

static const StoredTable TABLES[STORED_KINDS] = {
    [STORED_BLOCKS] = {.name = "blocks",
                       .since = 3,
                       .n_columns = 8,
                       .columns = BLOCK_SHAPE,
                       .older = {{3, BLOCK_SHAPE, NULL}},
                       .from = "blocks",
                       .due = JOB_DUE,
                       .checksum = check_block,
                       .describe = "SELECT printf('of job %s, table %d, from row %d on', "
                                   "coalesce(j.id, '?'), b.tab, b.first_row) "
                                   "FROM blocks b LEFT JOIN jobs j ON j.seq = b.job "
                                   "WHERE b.seq = ?1"},
    [STORED_REQUESTS] = {.name = "requests",
                         .since = 3,
                         .n_columns = 2,
                         .columns = "job, bytes",
                         .older = {{3, "job, bytes", NULL}},
                         .from = "requests",
                         .due = JOB_DUE,
                         .checksum = check_request,
                         .describe = OF_JOB},
    [STORED_EVIDENCE] = {.name = "evidence",
                         .since = 3,
                         .n_columns = 3,
                         .columns = EVIDENCE,
                         .older = {{3, EVIDENCE, NULL}},
                         .from = "evidence",
                         .due = JOB_DUE,
                         .checksum = check_evidence,
                         .describe = OF_JOB},
    [STORED_MODELS] = {.name = "models",
                       .since = 3,
                       .n_columns = 3,
                       .columns = "id, name, document",
                       .older = {{3, "id, name, document", NULL}},
                       .from = "models m",
                       .due = "checksum",
                       .sound = MODEL_SOUND,
                       .checksum = check_model,
                       .describe = "SELECT id FROM models WHERE seq = ?1"},
    [STORED_JOBS] = {.name = "jobs",
                     .since = FORMAT_OF_ROWS,
                     .n_columns = 1,
                     .columns = JOB_CHECKSUM("j."),
                     .older = {{FORMAT_OF_ROWS, "NULL", NULL},
                               {FORMAT_OF_NOT_AFTER, "row_checksum(" JOB_SAYS("j.") ")",
                                JOB_PARTS_SOUND("j.seq")},
                               {FORMAT_OF_DIGESTS, JOB_CHECKSUM_OF(JOB_SAYS_NOT_AFTER("j.")),
                                JOB_PARTS_SOUND("j.seq")},
                               {FORMAT_OF_REUSE, JOB_CHECKSUM_OF(JOB_SAYS_DIGEST("j.")),
                                JOB_PARTS_SOUND("j.seq")},
                               {FORMAT_OF_TENANTS, JOB_CHECKSUM_OF(JOB_SAYS_REUSE("j.")),
                                JOB_PARTS_SOUND(RESULT_KEY("j."))},
                               {FORMAT_OF_TRACES, JOB_CHECKSUM_OF(JOB_SAYS_TENANT("j.")), NULL}},
                     .from = "jobs j",
                     .due = CHECKSUM_DUE("checksum", "seq", UNCHECKED_JOBS),
                     .sound = JOB_PARTS_SOUND(RESULT_KEY("j.")) " AND " TENANT_AGREES,
                     .checksum = check_row,
                     .describe = OF_JOB},
    [STORED_RESULTS] = {.name = "results",
                        .since = FORMAT_OF_ENSEMBLES,
                        .n_columns = 1,
                        .columns = RESULT_CHECKSUM("r."),
                        .older = {{FORMAT_OF_ENSEMBLES, "row_checksum(" RESULT_SAYS_ALONE("r.") ")",
                                   "1"}},
                        .from = "results r",
                        .due = JOB_DUE,
                        .sound = ROWS_COMPLETE,
                        .checksum = check_row,
                        .describe = OF_JOB},
    [STORED_UNITS] = {.name = "units",
                      .since = FORMAT_OF_ENSEMBLES,
                      .begins = FORMAT_OF_ENSEMBLES,
                      .n_columns = 1,
                      .columns = "row_checksum(" UNIT_SAYS("") ")",
                      .from = "units",
                      .due = "checksum",
                      .checksum = check_row,
                      .describe = MEMBERS_OF_JOB("units")},
    [STORED_UNIT_ENDS] = {.name = "unit_ends",
                          .since = FORMAT_OF_ENSEMBLES,
                          .begins = FORMAT_OF_ENSEMBLES,
                          .n_columns = 1,
                          .columns = "row_checksum(" UNIT_END_SAYS("u.") ")",
                          .from = "unit_ends u",
                          .due = "checksum",
                          .sound = MEMBERS_SOUND,
                          .checksum = check_row,
                          .describe = MEMBERS_OF_JOB("unit_ends")},
    [STORED_MEMBER_TEXTS] = {.name = "member_texts",
                             .since = FORMAT_OF_MEMBER_TEXTS,
                             .begins = FORMAT_OF_MEMBER_TEXTS,
                             .n_columns = 1,
                             .columns = "row_checksum(" MEMBER_TEXT_SAYS("") ")",
                             .from = "member_texts",
                             .due = "checksum",
                             .checksum = check_row,
                             .describe = OF_JOB_IN("member_texts")},
    [STORED_MEMBER_SAYS] = {.name = "member_says",
                            .since = FORMAT_OF_MEMBER_TEXTS,
                            .begins = FORMAT_OF_MEMBER_TEXTS,
                            .n_columns = 1,
                            .columns = "row_checksum(" MEMBER_SAYS_SAYS("s.") ")",
                            .from = "member_says s",
                            .due = "checksum",
                            .sound = "EXISTS (SELECT 1 FROM member_texts t WHERE t.seq = s.text "
                                     "AND t.job = s.job)",
                            .checksum = check_row,
                            .describe = OF_JOB_IN("member_says")},
    [STORED_ENSEMBLE_TIMES] = {.name = "ensemble_times",
                               .since = FORMAT_OF_MEMBER_TEXTS,
                               .begins = FORMAT_OF_MEMBER_TEXTS,
                               .n_columns = 1,
                               .columns = "row_checksum(" ENSEMBLE_TIME_SAYS("") ")",
                               .from = "ensemble_times",
                               .due = "checksum",
                               .checksum = check_row,
                               .describe = OF_JOB},
    [STORED_MEMBER_NODES] = {.name = "member_nodes",
                             .since = FORMAT_OF_MEMBER_NODES,
                             .begins = FORMAT_OF_MEMBER_NODES,
                             .n_columns = 1,
                             .columns = "row_checksum(" MEMBER_NODE_SAYS("m.") ")",
                             .from = "member_nodes m",
                             .due = "checksum",
                             .sound = NODE_SOUND,
                             .checksum = check_row,
                             .describe = "SELECT printf('of job %s, part %d, members from %d on', "
                                         "coalesce(j.id, '?'), m.part, m.number << m.level) "
                                         "FROM member_nodes m LEFT JOIN jobs j ON j.seq = m.job "
                                         "WHERE m.seq = ?1"},
    [STORED_DELETED] = {.name = "deleted",
                        .since = FORMAT_OF_DELETED,
                        .begins = FORMAT_OF_DELETED,
                        .n_columns = 1,
                        .columns = DELETED_CHECKSUM,
                        .older = {{FORMAT_OF_TENANTS, "row_checksum(" DELETED_SAYS ")", NULL}},
                        .from = "deleted",
                        .due = "checksum",
                        .checksum = check_row,
                        .describe = "SELECT 'of job ' || id FROM deleted WHERE rowid = ?1"},
    [STORED_CALLS] = {.name = "calls",
                      .since = FORMAT_OF_CALLS,
                      .begins = FORMAT_OF_CALLS,
                      .n_columns = 1,
                      .columns = "row_checksum(" CALL_SAYS("") ")",
                      .from = "calls",
                      .due = "checksum",
                      .checksum = check_row,
                      .describe = OF_JOB},
    [STORED_KEYS] = {.name = "keys",
                     .since = FORMAT_OF_KEYS,
                     .begins = FORMAT_OF_KEYS,
                     .n_columns = 1,
                     .columns = KEY_CHECKSUM(""),
                     .older = {{FORMAT_OF_TENANTS, "row_checksum(" KEY_SAYS("") ")", NULL}},
                     .from = "keys",
                     .due = "coalesce(checksum, " CHECKSUM_DAMAGED ")",
                     .checksum = check_row,
                     .describe = "SELECT id FROM keys WHERE seq = ?1"},
    [STORED_TENANTS] = {.name = "tenants",
                        .since = FORMAT_OF_TENANTS,
                        .begins = FORMAT_OF_TENANTS,
                        .n_columns = 1,
                        .columns = TENANT_CHECKSUM("t."),
                        .older = {{FORMAT_OF_TRACES, "row_checksum(" TENANT_SAYS("t.") ")", NULL}},
                        .from = "tenants t",
                        .due = "coalesce(checksum, " CHECKSUM_DAMAGED ")",
                        .sound = "EXISTS (SELECT 1 FROM ledgers l WHERE l.tenant = t.seq)",
                        .checksum = check_row,
                        .describe = "SELECT name FROM tenants WHERE seq = ?1"},
    [STORED_OWNERS] = {.name = "owners",
                       .since = FORMAT_OF_TENANTS,
                       .begins = FORMAT_OF_TENANTS,
                       .n_columns = 1,
                       .columns = "row_checksum(" OWNER_SAYS("o.") ")",
                       .from = "owners o",
                       .due = "coalesce(checksum, " CHECKSUM_DAMAGED ")",
                       .sound = "EXISTS (SELECT 1 FROM models m WHERE m.seq = o.model)",
                       .checksum = check_row,
                       .describe = "SELECT 'of model ' || coalesce((SELECT m.id FROM models m "
                                   "WHERE m.seq = o.model), '?') FROM owners o WHERE o.seq = ?1"},
};

const char *stored_kind_name(StoredKind kind)
{
    return TABLES[kind].name;
}

static void tell_row(Verification *verification, StoredKind kind, int64_t row)
{
    char what[240];
    Query query = query_new(&verification->reader, TABLES[kind].describe);
    query_int(&query, 1, row);
    const bool found = query_next(&query);
    snprintf(what, sizeof what, "%s: row %lld %s", TABLES[kind].name, (long long)row,
             found ? row_peek(&query, 0) : "");
    (void)!query_end(&query, NULL);
    verification->sink->damaged(verification->sink->self, what);
}

/* Verifies the row after *row, in a read of its own. ERR_NOT_FOUND at the end. */
static Status verify_row(Verification *verification, const char *sql, StoredKind kind, int64_t *row,
                         Error *err)
{
    const int checksum_column = TABLES[kind].n_columns;
    StoreReport *report = &verification->report;
    arena_reset(verification->arena);
    /* read the row and compute its checksum */
    Query query = query_new(&verification->reader, sql);
    query_int(&query, 1, *row);
    bool found = query_next(&query), ok = false, unchecked = false;
    if (found) {
        const int64_t checksum = TABLES[kind].checksum(verification, &query, &ok);
        *row = row_int(&query, checksum_column + 1);
        unchecked = sqlite3_column_type(query.statement, checksum_column) == SQLITE_NULL;
        ok = ok && row_int(&query, checksum_column + 2) &&
             checksum_agrees(&query, checksum_column, checksum);
    }
    Status status = query_end(&query, err);
    if (status != OK)
        return status;
    if (!found)
        return ERR_NOT_FOUND;
    /* count the row */
    report->kinds[kind].sound += ok && !unchecked;
    report->kinds[kind].unchecked += ok && unchecked;
    report->kinds[kind].damaged += !ok;
    if (!ok)
        tell_row(verification, kind, *row);
    return OK;
}

/* The columns of a file of this format, and the condition on its rows. */
static const char *columns_of(const StoredTable *table, int format, const char **ret_sound)
{
    *ret_sound = format >= FORMAT_OF_ROWS && table->sound ? table->sound : "1";
    for (int k = 0; k < OLDER_MAX && table->older[k].before; k++)
        if (format < table->older[k].before) {
            if (table->older[k].sound)
                *ret_sound = table->older[k].sound;
            return table->older[k].columns;
        }
    return table->columns;
}

static Status verify_table(Verification *verification, StoredKind kind, Error *err)
{
    const StoredTable *table = &TABLES[kind];
    const int format = verification->report.format;
    const bool has_checksums = format >= table->since;
    if (format < table->begins)
        return OK;
    const char *sound, *columns = columns_of(table, format, &sound);
    Text sql = TEXT_INIT;
    text_printf(&sql, "SELECT %s, %s, rowid, %s FROM %s WHERE rowid > ?1 ORDER BY rowid LIMIT 1",
                columns,
                format >= FORMAT_OF_ROWS ? table->due
                : has_checksums          ? "checksum"
                                         : "NULL",
                sound, table->from);
    Status status = text_ok(&sql) ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    int64_t row = 0;
    while (status == OK) {
        status = verify_row(verification, sql.data, kind, &row, err);
        status = status == OK ? stop_token_spend(ROW_WORK, err) : status;
    }
    text_done(&sql);
    if (status == ERR_DAMAGED) { /* damaged pages: later rows cannot be found */
        char what[240];
        snprintf(what, sizeof what, "%s: rows after %lld cannot be read", table->name,
                 (long long)row);
        verification->sink->damaged(verification->sink->self, what);
        verification->report.kinds[kind].damaged++;
        status = OK;
    }
    return status == ERR_NOT_FOUND ? OK : status;
}

/* Not 0 ends the statement. */
static int on_progress(void *self)
{
    (void)self;
    return stop_token_spend(STOP_TOKEN_WORK, NULL) != OK;
}

static Status verify_structure(Verification *verification, Error *err)
{
    char sql[60];
    sqlite3_progress_handler(verification->reader.db, PROGRESS_OPCODES, on_progress, NULL);
    snprintf(sql, sizeof sql, "PRAGMA integrity_check(%d)", STRUCTURE_MISTAKES_MAX);
    Query query = query_new(&verification->reader, sql);
    while (query_next(&query)) {
        const char *line = row_peek(&query, 0);
        if (strcmp(line, "ok") == 0)
            continue;
        verification->report.structure++;
        verification->sink->damaged(verification->sink->self, line);
    }
    Status status = query_end(&query, err);
    sqlite3_progress_handler(verification->reader.db, 0, NULL, NULL);
    if (status != ERR_DAMAGED)
        return stop_token_settle(status, err);
    verification->report.structure++;
    verification->sink->damaged(verification->sink->self, "the file's structure cannot be read");
    return OK;
}

/* Before SQLite reads it. */
static Status verify_log(Verification *verification, const char *directory, const char *path,
                         Error *err)
{
    StoreLog *log = &verification->report.log;
    const LogRecord record = lock_read(directory);
    Status status = log_find(path, &record, log, err);
    if (status == OK && log->finding == STORE_LOG_LOST)
        verification->sink->damaged(verification->sink->self, log->message);
    return status;
}

static Status verify_all(Verification *verification, const char *path, Error *err)
{
    int64_t format = 0;
    Status status = connection_open(&verification->reader, path, false, err);
    if (status == OK)
        status = schema_check(&verification->reader, path, err);
    if (status == OK)
        status = connection_int(&verification->reader, "PRAGMA user_version", &format, err);
    if (status == OK && format == 0)
        status = error_set(err, ERR_NOT_FOUND, "no dalembert store in '%s': it is empty", path);
    verification->report.format = (int)format;
    if (status == OK)
        status = verify_structure(verification, err);
    for (int kind = 0; kind < STORED_KINDS && status == OK; kind++)
        status = verify_table(verification, (StoredKind)kind, err);
    connection_close(&verification->reader);
    return status;
}

Status store_verify(const char *directory, const ReportSink *sink, StoreReport *ret_report,
                    Error *err)
{
    Verification verification = {.sink = sink};
    Text path = TEXT_INIT;
    text_printf(&path, "%s/dalembert.db", directory);
    verification.arena = arena_new(VERIFY_MEMORY);
    Status status =
        text_ok(&path) && verification.arena ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && access(path.data, F_OK) != 0)
        status = error_set(err, ERR_NOT_FOUND, "no dalembert store in '%s': %s", path.data,
                           strerror(errno));
    if (status == OK)
        status = verify_log(&verification, directory, path.data, err);
    if (status == OK)
        status = verify_all(&verification, path.data, err);
    arena_free(verification.arena);
    text_done(&path);
    if (status == OK)
        *ret_report = verification.report;
    return status;
}
