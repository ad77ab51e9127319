/* Messages of failed members. An ensemble keeps those of its first MEMBER_TEXTS_MAX failed members;
 * equal texts are stored once. The kept set does not depend on the order in which units end,
 * because its messages are always among the first so far. */
#include "db/sqlite/member_texts.h"

#include "db/sqlite/checksum.h"

static Status query_of(Store *store, const char *sql, int64_t job, Error *err)
{
    Query query = query_new(&store->writer.connection, sql);
    query_int(&query, 1, job);
    return query_run(&query, err);
}

/* The last member whose message is kept; INT64_MAX while there is room. */
static Status last_kept(Store *store, int64_t job, int64_t *ret_member, Error *err)
{
    Query query = query_new(&store->writer.connection,
                            "SELECT member FROM member_says WHERE job = ?1 ORDER BY member "
                            "LIMIT 1 OFFSET ?2");
    query_int(&query, 1, job);
    query_int(&query, 2, MEMBER_TEXTS_MAX - 1);
    *ret_member = query_next(&query) ? row_int(&query, 0) : INT64_MAX;
    return query_end(&query, err);
}

static Status add_text(Store *store, int64_t job, const MemberText *said, Error *err)
{
    Query text = query_new(&store->writer.connection,
                           "INSERT OR IGNORE INTO member_texts (job, text, checksum) "
                           "VALUES (?1, ?2, row_checksum(?1, ?2))");
    query_int(&text, 1, job);
    query_text(&text, 2, said->text);
    Status status = query_run(&text, err);
    if (status != OK)
        return status;
    Query says = query_new(&store->writer.connection,
                           "INSERT INTO member_says (job, member, text, checksum) "
                           "SELECT ?1, ?3, seq, row_checksum(?1, ?3, seq) FROM member_texts "
                           "WHERE job = ?1 AND text = ?2");
    query_int(&says, 1, job);
    query_text(&says, 2, said->text);
    query_int(&says, 3, (int64_t)said->member);
    return query_run(&says, err);
}

Status member_texts_add(Store *store, int64_t job, const MemberText *said, size_t n, Error *err)
{
    int64_t last = INT64_MAX;
    size_t added = 0;
    /* add the messages of members before the last one kept */
    Status status = n ? last_kept(store, job, &last, err) : OK;
    for (; added < n && status == OK && (int64_t)said[added].member < last; added++)
        status = add_text(store, job, &said[added], err);
    if (status != OK || added == 0)
        return status;
    /* remove messages beyond the limit, then texts without a message */
    status = last_kept(store, job, &last, err);
    if (status != OK || last == INT64_MAX)
        return status;
    Query rest = query_new(&store->writer.connection,
                           "DELETE FROM member_says WHERE job = ?1 AND member > ?2");
    query_int(&rest, 1, job);
    query_int(&rest, 2, last);
    status = query_run(&rest, err);
    return status == OK ? query_of(store,
                                   "DELETE FROM member_texts WHERE job = ?1 AND NOT EXISTS "
                                   "(SELECT 1 FROM member_says s WHERE s.text = member_texts.seq)",
                                   job, err)
                        : status;
}

Status member_texts_drop(Store *store, int64_t job, Error *err)
{
    return query_of(store, "DELETE FROM member_texts WHERE job = ?1", job, err);
}

Status store_member_texts(TenantStore of, const char *job_id, uint64_t first, size_t most,
                          Arena *arena, MemberText **ret_said, size_t *ret_n, Error *err)
{
    Store *store = of.store;
    size_t n = 0;
    MemberText *said =
        ARENA_NEW(arena, most < MEMBER_TEXTS_MAX ? most : MEMBER_TEXTS_MAX, MemberText);
    if (!said)
        return arena_status(arena, err);
    /* read the messages, each with the checksums of its two rows */
    Connection *reader = reader_take(store);
    Query query = query_new(
        reader, "SELECT s.member, t.text, s.checksum = row_checksum(" MEMBER_SAYS_SAYS(
                    "s.") ") AND "
                          "t.job = s.job AND t.checksum = row_checksum(" MEMBER_TEXT_SAYS(
                              "t.") ") "
                                    "FROM member_says s LEFT JOIN member_texts t ON t.seq = s.text "
                                    "WHERE s.job = (SELECT j.seq FROM jobs j WHERE " JOB_OF(
                                        "?4") ") AND s.member >= ?2 "
                                              "ORDER BY s.member LIMIT ?3");
    query_text(&query, 1, job_id);
    query_int(&query, 2, first < INT64_MAX ? (int64_t)first : INT64_MAX);
    query_int(&query, 4, of.tenant);
    query_int(&query, 3, most < MEMBER_TEXTS_MAX ? (int64_t)most : MEMBER_TEXTS_MAX);
    while (query_next(&query)) {
        if (!row_int(&query, 2))
            query_damaged(&query, "the message of a member of job %.40s is damaged", job_id);
        else
            said[n++] = (MemberText){(uint64_t)row_int(&query, 0), row_text(&query, 1, arena)};
    }
    Status status = query_end(&query, err);
    reader_give(store, reader);
    if (status == OK)
        status = arena_status(arena, err);
    if (status != OK)
        return status;
    *ret_said = said;
    *ret_n = n;
    return OK;
}
