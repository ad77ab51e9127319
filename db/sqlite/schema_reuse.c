/* The schema's step for results that several jobs own.
 *
 * reuse_key: what the job's result depends on; program: who has run it, where every run of that
 * program has the same result. result: the number of the job that has run it, by which results,
 * blocks and evidence are found; NULL: its own. The rows stay when that job goes, until the last
 * job with them does, which a trigger sees to. As long as they stay there is a younger job, so that
 * SQLite gives their number to no new one. reused_job, reused_ms: whose result it is, and when that
 * had finished.
 *
 * The two foreign keys that would take the rows along are taken out of the tables' definitions, as
 * SQLite's documentation of ALTER TABLE has it for changes that touch no row. */
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
    SEAL_ADDED("jobs", "checksum", JOB_CHECKSUM("new."))
        SEAL_CHANGED("jobs", "checksum", JOB_CHECKSUM("old."), JOB_CHECKSUM("new."));
