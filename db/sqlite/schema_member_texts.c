/* The schema's step to format 8: messages of failed members, and the running time of ensembles.
 *
 * member_says: one row for each of the first MEMBER_TEXTS_MAX failed members of a job; `text` is a
 * row of member_texts, which stores equal texts once. ensemble_times: the time used up to the end
 * of the last ended unit. */
#include "db/sqlite/schema.h"

const char schema_member_texts[] =
    "CREATE TABLE member_texts ("
    "  seq INTEGER PRIMARY KEY,"
    "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
    "  text TEXT NOT NULL,"
    "  checksum INTEGER NOT NULL,"
    "  UNIQUE (job, text)"
    ") STRICT;"

    "CREATE TABLE member_says ("
    "  seq INTEGER PRIMARY KEY,"
    "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
    "  member INTEGER NOT NULL CHECK (member >= 0),"
    "  text INTEGER NOT NULL REFERENCES member_texts (seq) ON DELETE CASCADE,"
    "  checksum INTEGER NOT NULL,"
    "  UNIQUE (job, member)"
    ") STRICT;"
    "CREATE INDEX member_says_by_text ON member_says (text);"

    "CREATE TABLE ensemble_times ("
    "  job INTEGER PRIMARY KEY REFERENCES results (job) ON DELETE CASCADE,"
    "  used_ms INTEGER NOT NULL CHECK (used_ms >= 0),"
    "  checksum INTEGER NOT NULL"
    ") STRICT";
