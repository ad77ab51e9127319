/* Finding a stored result of an equal job, and sharing it. */
#include "db/sqlite/reuse.h"

#include "db/sqlite/checksum.h"

Status reuse_find(Connection *connection, int64_t tenant, const JobDraft *draft, int64_t *ret_seq,
                  Error *err)
{
    *ret_seq = 0;
    if (!draft->reuse_key || !draft->program)
        return OK;
    /* the newest succeeded job of this key and program with all its parts */
    Query query = query_new(connection,
                            "SELECT j.seq FROM jobs j LEFT JOIN results r ON r.job = " RESULT_KEY(
                                "j.") " "
                                      "WHERE j.reuse_key = ?1 AND j.tenant = ?3 AND j.program = ?2 "
                                      "AND j.program IS NOT NULL "
                                      "AND j.state = 'succeeded' AND j.complete AND " JOB_SOUND
                                      " AND " RESULT_SOUND " "
                                      "AND (NOT coalesce(j.has_evidence, 0) OR "
                                      "EXISTS (SELECT 1 FROM evidence e WHERE e.job = " RESULT_KEY(
                                          "j.") ")) "
                                                "ORDER BY j.seq DESC LIMIT 1");
    query_text(&query, 1, draft->reuse_key);
    query_text(&query, 2, draft->program);
    query_int(&query, 3, tenant);
    const int64_t seq = query_next(&query) ? row_int(&query, 0) : 0;
    Status status = query_end(&query, err);
    if (status == OK)
        *ret_seq = seq;
    return status;
}

Status reuse_result(Connection *connection, int64_t job, int64_t other, Error *err)
{
    Query query = query_new(
        connection,
        "UPDATE jobs SET state = 'succeeded', complete = 1, finished_ms = jobs.created_ms, "
        "result = " RESULT_KEY(
            "s.") ", reused_job = coalesce(s.reused_job, s.id), "
                  "reused_ms = coalesce(s.reused_ms, s.finished_ms), program = s.program, "
                  "warnings = s.warnings, result_hash = s.result_hash, rows = s.rows, "
                  "table_rows = s.table_rows, has_evidence = s.has_evidence, digest = s.digest "
                  "FROM jobs s WHERE jobs.seq = ?1 AND s.seq = ?2");
    query_int(&query, 1, job);
    query_int(&query, 2, other);
    return query_run(&query, err);
}
