/* The table of the objects of an export, and the statements made of it. SQLite writes and reads
 * their JSON. */
#include "db/sqlite/exported.h"

#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "db/export.h"
#include "db/sqlite/checksum.h"

#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)
#define MEMBER(name) "?1 ->> '$." name "'"
#define NO_MEMBER ""
#define NO_COLUMN ""

#define OF_TENANT(column) "(?1 = 0 OR " column " = ?1) "
/* The result that a plain job has begun is not exported, because the job begins again. */
#define RESULT_EXPORTED                                   \
    OF_TENANT("r.tenant")                                 \
    "AND (r.members IS NOT NULL OR NOT EXISTS (SELECT 1 " \
    "FROM jobs j WHERE j.seq = r.job AND j.state = 'running')) "
/* Nor are the rows of members that run. */
#define MEMBER_RUNS                                                                             \
    "EXISTS (SELECT 1 FROM units u WHERE u.job = b.job AND u.token IS NOT NULL AND b.tab >= 0 " \
    "AND b.first_row >> " MEMBER_BITS " BETWEEN u.first AND u.first + u.n - 1) "

/* A member that is a column of the same name. */
#define VALUE(column)  \
    {                  \
        .name = column \
    }
#define JSON(column)                    \
    {                                   \
        .name = column, .form = AS_JSON \
    }
#define BYTES(column)                     \
    {                                     \
        .name = column, .form = AS_BASE64 \
    }
/* A value of another table: `then` of the kind stores it. */
#define OTHER(member, sql)                                \
    {                                                     \
        .name = member, .shown = sql, .stored = NO_COLUMN \
    }
#define LAST         \
    {                \
        .name = NULL \
    }

/* The first object. The members from `revision` on are those of the table store. */
static const ExportedMember EXPORT[] = {
    OTHER("format", NUMBER_TEXT(EXPORT_FORMAT)),
    OTHER("program", "'dalembert " DALEMBERT_VERSION "'"),
    OTHER("time", "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"),
    OTHER("data_format", "(SELECT user_version FROM pragma_user_version)"),
    OTHER("tenant", "(SELECT name FROM tenants WHERE seq = ?1)"),
    OTHER("tenants", "(SELECT count(*) FROM tenants WHERE " OF_TENANT("seq") ")"),
    OTHER("models", "(SELECT count(*) FROM owners WHERE " OF_TENANT("tenant") ")"),
    OTHER("jobs", "(SELECT count(*) FROM jobs WHERE " OF_TENANT("tenant") ")"),
    VALUE("revision"),
    VALUE("last_without_cell"),
    VALUE("unchecked_jobs"),
    VALUE("unchecked_models"),
    LAST,
};

static const ExportedMember TENANT[] = {
    VALUE("seq"),
    VALUE("name"),
    VALUE("queued_max"),
    VALUE("running_max"),
    VALUE("bytes_max"),
    VALUE("keep_ms"),
    VALUE("keep_failed_ms"),
    VALUE("keep_bytes"),
    VALUE("created_ms"),
    OTHER("revision", "(SELECT l.revision FROM ledgers l WHERE l.tenant = seq)"),
    OTHER("forgotten", "(SELECT l.forgotten FROM ledgers l WHERE l.tenant = seq)"),
    LAST,
};

static const ExportedMember MODEL[] = {
    VALUE("seq"),
    VALUE("id"),
    VALUE("name"),
    VALUE("created_ms"),
    VALUE("listed"),
    {.name = "document",
     .shown = "CAST(document AS TEXT)",
     .stored = "CAST(" MEMBER("document") " AS BLOB)"},
    VALUE("checksum"),
    VALUE("row_checksum"),
    LAST,
};

static const ExportedMember OWNER[] = {
    VALUE("seq"), VALUE("tenant"), VALUE("model"), VALUE("created_ms"), LAST,
};

static const ExportedMember DELETION[] = {
    VALUE("tenant"), VALUE("revision"), VALUE("id"), VALUE("deleted_ms"), VALUE("checksum"), LAST,
};

/* A job that runs is as it was before its claim (runs.c). */
#define BEFORE_CLAIM(before, column) "iif(state = 'running', " before ", " column ")"
/* The key without the tenant's number, which that of the default tenant lacks (transitions.c). */
#define CLIENT_KEY                      \
    "iif(tenant = 1, idempotency_key, " \
    "substr(idempotency_key, instr(idempotency_key, char(31)) + 1))"
#define KEY_PREFIX "iif(" MEMBER("tenant") " = 1, '', (" MEMBER("tenant") ") || char(31))"
#define OF_REQUEST(value) "(SELECT " value " FROM requests q WHERE q.job = seq)"

static const ExportedMember JOB[] = {
    VALUE("seq"),
    VALUE("id"),
    VALUE("tenant"),
    {.name = "state", .shown = BEFORE_CLAIM("'queued'", "state")},
    VALUE("revision"),
    VALUE("priority"),
    {.name = "attempt", .shown = BEFORE_CLAIM("attempt - 1", "attempt")},
    VALUE("cancel_requested"),
    VALUE("complete"),
    VALUE("created_ms"),
    {.name = "started_ms", .shown = BEFORE_CLAIM("NULL", "started_ms")},
    VALUE("finished_ms"),
    VALUE("not_after_ms"),
    VALUE("timeout_ms"),
    VALUE("model_id"),
    VALUE("model_name"),
    JSON("labels"),
    VALUE("formulation"),
    VALUE("method"),
    VALUE("request_hash"),
    {.name = "idempotency_key",
     .shown = CLIENT_KEY,
     .stored = KEY_PREFIX " || (" MEMBER("idempotency_key") ")"},
    VALUE("idempotency_digest"),
    VALUE("reason"),
    JSON("error"),
    JSON("warnings"),
    JSON("digest"),
    VALUE("result_hash"),
    VALUE("rows"),
    JSON("table_rows"),
    VALUE("has_evidence"),
    VALUE("reuse_key"),
    VALUE("program"),
    VALUE("result"),
    VALUE("reused_job"),
    VALUE("reused_ms"),
    VALUE("request_id"),
    VALUE("traceparent"),
    OTHER("request", OF_REQUEST("CAST(q.bytes AS TEXT)")),
    OTHER("request_checksum", OF_REQUEST("q.checksum")),
    LAST,
};

static const ExportedMember NOTIFICATION[] = {
    VALUE("job"),      VALUE("url"),          VALUE("origin"),   JSON("events"),
    VALUE("attempts"), VALUE("status"),       VALUE("error"),    VALUE("last_ms"),
    VALUE("next_ms"),  VALUE("delivered_ms"), VALUE("checksum"), LAST,
};

static const ExportedMember RESULT[] = {
    VALUE("job"),          VALUE("tenant"), JSON("columns"),   JSON("tables"), VALUE("members"),
    JSON("table_columns"), JSON("design"),  VALUE("checksum"), LAST,
};

static const ExportedMember EVIDENCE[] = {
    VALUE("job"), JSON("diagnostics"), JSON("invariants"), VALUE("checksum"), LAST,
};

/* Column 0 of a row. */
#define TIME_OF(row) \
    "double_at(from_base64(" MEMBER("data") "), " row " * (" MEMBER("n_columns") "))"

static const ExportedMember ROWS[] = {
    VALUE("seq"),
    VALUE("job"),
    VALUE("tab"),
    VALUE("first_row"),
    VALUE("n_rows"),
    VALUE("n_columns"),
    {.name = "t_first", .shown = NO_MEMBER, .stored = TIME_OF("0")},
    {.name = "t_last", .shown = NO_MEMBER, .stored = TIME_OF("((" MEMBER("n_rows") ") - 1)")},
    BYTES("data"),
    VALUE("checksum"),
    LAST,
};

static const ExportedMember MEMBERS[] = {
    VALUE("seq"),    VALUE("job"),      VALUE("first"), VALUE("n"),
    VALUE("failed"), VALUE("checksum"), LAST,
};

static const ExportedMember UNIT[] = {
    VALUE("seq"),    VALUE("job"),      VALUE("first"), VALUE("n"),
    VALUE("deaths"), VALUE("checksum"), LAST,
};

static const ExportedMember MESSAGE[] = {
    VALUE("seq"), VALUE("job"), VALUE("text"), VALUE("checksum"), LAST,
};

static const ExportedMember FAILURE[] = {
    VALUE("seq"), VALUE("job"), VALUE("member"), VALUE("text"), VALUE("checksum"), LAST,
};

static const ExportedMember USED_TIME[] = {
    VALUE("job"),
    VALUE("used_ms"),
    VALUE("checksum"),
    LAST,
};

static const ExportedMember NODE[] = {
    VALUE("seq"),    VALUE("job"),   VALUE("part"),     VALUE("level"),
    VALUE("number"), BYTES("words"), VALUE("checksum"), LAST,
};

#define IS_IN_RESULT(job) \
    "EXISTS (SELECT 1 FROM results r WHERE r.job = " job " AND " RESULT_EXPORTED ") "
#define IS_OF_JOB                                                                        \
    "(?1 = 0 OR EXISTS (SELECT 1 FROM jobs j WHERE (j.seq = job OR j.result = job) AND " \
    "j.tenant = ?1)) "
#define BY_SEQ "ORDER BY seq"
#define BY_JOB "ORDER BY job"

/* In the order of references: a row comes after those that it names. */
const ExportedKind exported_kinds[EXPORTED_KINDS] = {
    {.name = "export",
     .members = EXPORT,
     .from = "store",
     .then = "UPDATE store SET revision = " MEMBER(
         "revision") ", "
                     "last_without_cell = " MEMBER(
                         "last_without_cell") ", "
                                              "unchecked_jobs = " MEMBER(
                                                  "unchecked_jobs") ", "
                                                                    "unchecked_models = " MEMBER(
                                                                        "unchecked_models")},
    {.name = "tenant",
     .table = "tenants",
     .members = TENANT,
     .from = "tenants WHERE " OF_TENANT("seq") BY_SEQ,
     .then = "UPDATE ledgers SET revision = " MEMBER(
         "revision") ", "
                     "forgotten = " MEMBER("forgotten") " WHERE tenant = " MEMBER("seq")},
    {.name = "model",
     .table = "models",
     .members = MODEL,
     .from = "models m WHERE ?1 = 0 OR "
             "EXISTS (SELECT 1 FROM owners o WHERE o.model = m.seq AND o.tenant = ?1) OR "
             "EXISTS (SELECT 1 FROM jobs j WHERE j.model_id = m.id AND j.tenant = ?1) " BY_SEQ},
    {.name = "owner",
     .table = "owners",
     .members = OWNER,
     .from = "owners WHERE " OF_TENANT("tenant") BY_SEQ},
    {.name = "deletion",
     .table = "deleted",
     .members = DELETION,
     .from = "deleted WHERE " OF_TENANT("tenant") "ORDER BY tenant, revision"},
    {.name = "job",
     .table = "jobs",
     .members = JOB,
     .from = "jobs WHERE " OF_TENANT("tenant") BY_SEQ,
     .then = "INSERT INTO requests (job, bytes, checksum) VALUES (" MEMBER(
         "seq") ", "
                "CAST(" MEMBER("request") " AS BLOB), " MEMBER("request_checksum") ")",
     .then_too = "INSERT INTO labels (job, key, value, tenant) "
                 "SELECT j.seq, l.key, l.value, j.tenant FROM jobs j, json_each(j.labels) l "
                 "WHERE j.seq = " MEMBER("seq")},
    {.name = "notification",
     .table = "calls",
     .members = NOTIFICATION,
     .from = "calls WHERE " IS_OF_JOB BY_JOB},
    {.name = "result",
     .table = "results",
     .members = RESULT,
     .from = "results r WHERE " RESULT_EXPORTED BY_JOB},
    {.name = "evidence",
     .table = "evidence",
     .members = EVIDENCE,
     .from = "evidence WHERE " IS_OF_JOB BY_JOB},
    {.name = "rows",
     .table = "blocks",
     .members = ROWS,
     .from = "blocks b WHERE " IS_IN_RESULT("b.job") "AND NOT " MEMBER_RUNS BY_SEQ},
    {.name = "members",
     .table = "unit_ends",
     .members = MEMBERS,
     .from = "unit_ends u WHERE " IS_IN_RESULT("u.job") BY_SEQ},
    {.name = "unit",
     .table = "units",
     .members = UNIT,
     .from = "units u WHERE u.token IS NULL AND " IS_IN_RESULT("u.job") BY_SEQ},
    {.name = "message",
     .table = "member_texts",
     .members = MESSAGE,
     .from = "member_texts t WHERE " IS_IN_RESULT("t.job") BY_SEQ},
    {.name = "failure",
     .table = "member_says",
     .members = FAILURE,
     .from = "member_says s WHERE " IS_IN_RESULT("s.job") BY_SEQ},
    {.name = "used_time",
     .table = "ensemble_times",
     .members = USED_TIME,
     .from = "ensemble_times e WHERE " IS_IN_RESULT("e.job") BY_JOB},
    {.name = "node",
     .table = "member_nodes",
     .members = NODE,
     .from = "member_nodes m WHERE " IS_IN_RESULT("m.job") BY_SEQ},
};

/* The value of a member, made by SQL of the value of its column. Only objects and lists that SQLite
 * would write in the same bytes become a part of the object, so that import finds these bytes. */
static void put_shown(const ExportedMember *member, Text *sql)
{
    const char *value = member->shown ? member->shown : member->name;
    if (member->form == AS_JSON)
        text_printf(sql,
                    "iif(json_valid(%s) AND json_type(%s) IN ('object', 'array') AND "
                    "json(%s) = %s, json(%s), %s)",
                    value, value, value, value, value, value);
    else if (member->form == AS_BASE64)
        text_printf(sql, "to_base64(%s)", value);
    else
        text_puts(sql, value);
}

void exported_query(const ExportedKind *kind, Text *sql)
{
    text_printf(sql, "SELECT json_object('kind', '%s'", kind->name);
    for (const ExportedMember *m = kind->members; m->name; m++)
        if (!m->shown || *m->shown) {
            text_printf(sql, ", '%s', ", m->name);
            put_shown(m, sql);
        }
    text_printf(sql, ") FROM %s", kind->from);
}

static void put_stored(const ExportedMember *member, Text *sql)
{
    const char *name = member->name;
    if (member->stored)
        text_puts(sql, member->stored);
    else if (member->form == AS_JSON)
        text_printf(sql,
                    "iif(json_type(?1, '$.%s') IN ('object', 'array'), ?1 -> '$.%s', "
                    "?1 ->> '$.%s')",
                    name, name, name);
    else
        text_printf(sql, member->form == AS_BASE64 ? "from_base64(?1 ->> '$.%s')" : "?1 ->> '$.%s'",
                    name);
}

void exported_insertion(const ExportedKind *kind, Text *sql)
{
    const char *between = "";
    text_printf(sql, "INSERT INTO %s (", kind->table);
    for (const ExportedMember *m = kind->members; m->name; m++)
        if (!m->stored || *m->stored) {
            text_printf(sql, "%s%s", between, m->name);
            between = ", ";
        }
    text_puts(sql, ") VALUES (");
    between = "";
    for (const ExportedMember *m = kind->members; m->name; m++)
        if (!m->stored || *m->stored) {
            text_puts(sql, between);
            put_stored(m, sql);
            between = ", ";
        }
    text_puts(sql, ")");
}

static void to_base64(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    const size_t size = (size_t)sqlite3_value_bytes(values[0]);
    const size_t length = BASE64_ENCODE_RAW_LENGTH(size);
    char *text = sqlite3_malloc64(length + 1);
    (void)n_values;
    if (!text) {
        sqlite3_result_error_nomem(context);
        return;
    }
    base64_encode_raw(text, size, sqlite3_value_blob(values[0]));
    sqlite3_result_text64(context, text, length, sqlite3_free, SQLITE_UTF8);
}

static void from_base64(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    const char *text = (const char *)sqlite3_value_text(values[0]);
    const size_t length = (size_t)sqlite3_value_bytes(values[0]);
    size_t size = BASE64_DECODE_LENGTH(length);
    uint8_t *bytes = text ? sqlite3_malloc64(size + 1) : NULL;
    struct base64_decode_ctx decoder;
    (void)n_values;
    base64_decode_init(&decoder);
    if (text && !bytes) {
        sqlite3_result_error_nomem(context);
    } else if (!text || !base64_decode_update(&decoder, &size, bytes, length, text) ||
               !base64_decode_final(&decoder)) {
        sqlite3_result_error(context, "a member is not base64", -1);
        sqlite3_free(bytes);
    } else {
        sqlite3_result_blob64(context, bytes, size, sqlite3_free);
    }
}

/* double_at(bytes, n): the n-th of the stored doubles; NULL beyond their end. */
static void double_at(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    const char *bytes = sqlite3_value_blob(values[0]);
    const size_t n = (size_t)sqlite3_value_bytes(values[0]) / sizeof(double);
    const uint64_t at = (uint64_t)sqlite3_value_int64(values[1]);
    double value;
    (void)n_values;
    if (at >= n)
        return;
    doubles_copy(&value, bytes + at * sizeof value, 1);
    sqlite3_result_double(context, value);
}

Status exported_functions(Connection *connection, Error *err)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    sqlite3 *db = connection->db;
    int code = sqlite3_create_function(db, "to_base64", 1, flags, NULL, to_base64, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function(db, "from_base64", 1, flags, NULL, from_base64, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_create_function(db, "double_at", 2, flags, NULL, double_at, NULL, NULL);
    return code == SQLITE_OK ? OK : error_set(err, ERR_NO_MEMORY, "out of memory for SQL");
}
