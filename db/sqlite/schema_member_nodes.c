/* The schema's step for data that ranges of members share (MemberNodes in db/store.h). A node of a
 * level and a number covers the members from number << level to before (number + 1) << level. The
 * nodes of a part fill the ranges of unit_ends; both halves of a node are never stored. words: 8
 * bytes each, little-endian. */
#include "db/sqlite/schema.h"

const char schema_member_nodes[] =
    "CREATE TABLE member_nodes ("
    "  seq INTEGER PRIMARY KEY,"
    "  job INTEGER NOT NULL REFERENCES results (job) ON DELETE CASCADE,"
    "  part INTEGER NOT NULL CHECK (part >= 0),"
    "  level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 53),"
    "  number INTEGER NOT NULL CHECK (number >= 0),"
    "  words BLOB NOT NULL CHECK (length(words) % 8 = 0),"
    "  checksum INTEGER NOT NULL,"
    "  UNIQUE (job, part, level, number)"
    ") STRICT";
