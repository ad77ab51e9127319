/* The schema's step for results that several jobs share.
 *
 * reuse_key: names all inputs of the job's result. program: the program that ran it, if every run
 * of that program has the same result. result: the number of the job that ran it, the key of
 * results, blocks and evidence; NULL: this job. A trigger deletes these rows with the last job that
 * shares them. Until then a younger job exists, so SQLite gives the number to no new job.
 * reused_job, reused_ms: the job that ran the result, and when it finished.
 *
 * Two foreign keys would delete the rows with the first job. The step removes them from the tables'
 * definitions, as SQLite's documentation of ALTER TABLE describes for changes that touch no row. */
#include "db/sqlite/checksum.h"
#include "db/sqlite/schema.h"

#define OF_JOB "job INTEGER PRIMARY KEY"

const char schema_reuse[] =
    "ALTER TABLE jobs ADD COLUMN reuse_key TEXT;"
    "ALTER TABLE jobs ADD COLUMN program TEXT;"
    "ALTER TABLE jobs ADD COLUMN result INTEGER;"
    "ALTER TABLE jobs ADD COLUMN reused_job TEXT;"
    "ALTER TABLE jobs ADD COLUMN reused_ms INTEGER;"
    "CREATE INDEX jobs_by_reuse ON jobs (reuse_key) WHERE program IS NOT NULL;"
    "CREATE INDEX jobs_by_result ON jobs (result) WHERE result IS NOT NULL;"
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_schema SET sql = "
    "replace(sql, '" OF_JOB " REFERENCES jobs (seq) ON DELETE CASCADE', '" OF_JOB "') "
    "WHERE type = 'table' AND name IN ('results', 'evidence');"
    "PRAGMA writable_schema = RESET;"
    "CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs WHEN "
    "NOT EXISTS (SELECT 1 FROM jobs WHERE result = " RESULT_KEY(
        "old.") ") AND "
                "NOT EXISTS (SELECT 1 FROM jobs WHERE seq = " RESULT_KEY(
                    "old.") " AND result IS NULL) BEGIN "
                            "DELETE FROM results WHERE job = " RESULT_KEY(
                                "old.") ";"
                                        "DELETE FROM evidence WHERE job = " RESULT_KEY(
                                            "old.") "; END;"
                                                    "DROP TRIGGER jobs_added;"
                                                    "DROP TRIGGER jobs_changed;" //
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_REUSE("new.")))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM_OF(JOB_SAYS_REUSE("old.")),
                     JOB_CHECKSUM_OF(JOB_SAYS_REUSE("new.")));
