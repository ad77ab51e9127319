/* The schema's step to format 8: of ensembles, what failed members said, and how long members have
 * run.
 *
 * member_says: of each job the first MEMBER_TEXTS_MAX of them by their numbers; `text` is a row of
 * member_texts, where a text that many of them said stands once. ensemble_times: until the last
 * unit that has ended. */
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
