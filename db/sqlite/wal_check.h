/* The write-ahead log, read before SQLite reads it.
 *
 * SQLite drops all frames behind the first bad checksum without a word: right for a transaction
 * that a power cut has cut short, wrong for commits that were acknowledged. The format is that of
 * https://www.sqlite.org/fileformat2.html#the_write_ahead_log. A frame belongs to the log if its
 * salts are those of the header; frames of an earlier generation have other salts.
 *
 * Every commit is synced before the next transaction is written. So behind the first bad frame
 * there can be one commit at most, as the last frame, if nothing is damaged but the transaction
 * that was being written. Two commits, or one with frames behind it, are damage.
 *
 * Damage within the last transaction looks like a torn write; so does a log that was cut between
 * two commits. The revision in the lock file tells these (log_finding.c). */
#ifndef DB_SQLITE_WAL_CHECK_H
#define DB_SQLITE_WAL_CHECK_H

#include <stdint.h>

#include "core/base/status.h"

typedef enum WalState {
    WAL_NONE,    /* no file, or one without a frame */
    WAL_SOUND,   /* it ends with a commit */
    WAL_TORN,    /* the last transaction is incomplete */
    WAL_DAMAGED, /* commits behind the first bad frame would be dropped */
} WalState;

typedef struct WalCheck {
    WalState state;
    uint64_t commits;   /* that SQLite will find */
    uint64_t bad_frame; /* the first that is not as it was written, from 1; 0: the header */
    uint64_t lost;      /* commits from there on, at least */
    uint32_t salts[2];
} WalCheck;

/* Checks the log beside a database. Reads it once, one frame at a time: the time grows with its
 * size, which the writer keeps below 132 MB (LOG_MAX_FRAMES) unless readers hold it. If damage is
 * found the log is read again, because a daemon may be writing it: only damage that both readings
 * find counts. ERR_IO, ERR_NO_MEMORY. */
Status wal_check(const char *database, WalCheck *ret_check, Error *err) MUST_CHECK;

#endif
