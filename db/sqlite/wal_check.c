/* Reading the write-ahead log: header, frames, checksums, and the judgment of its end. */
#include "db/sqlite/wal_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes and places of the file format. */
enum {
    HEADER_BYTES = 32,
    FRAME_HEADER_BYTES = 24,
    PAGE_MIN = 512,
    PAGE_MAX = 65536,
    PAGE_USUAL = 4096,
    DATABASE_PAGE_SIZE_AT = 16,
    FRAME_MAX = FRAME_HEADER_BYTES + PAGE_MAX,
};
#define WAL_MAGIC 0x377f0682u /* the last bit: checksums of big-endian words */
#define WAL_VERSION 3007000u

/* How often a log is read that changes meanwhile. */
enum { READINGS_MAX = 8 };

typedef struct WalReader {
    int file;
    bool big_endian;
    uint32_t page_size, salts[2], sums[2]; /* sums: of all up to the frame before */
    uint8_t *frame;                        /* FRAME_MAX bytes */
} WalReader;

static uint32_t load_big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t load_little(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Continues the checksum over n bytes, a multiple of 8. */
static void add_to_sums(bool big_endian, const uint8_t *bytes, size_t n, uint32_t sums[2])
{
    uint32_t (*const load)(const uint8_t *) = big_endian ? load_big : load_little;
    uint32_t first = sums[0], second = sums[1];
    for (size_t i = 0; i < n; i += 8) {
        first += load(bytes + i) + second;
        second += load(bytes + i + 4) + first;
    }
    sums[0] = first;
    sums[1] = second;
}

static bool two_are(const uint8_t *bytes, const uint32_t words[2])
{
    return load_big(bytes) == words[0] && load_big(bytes + 4) == words[1];
}

static bool page_size_is_valid(uint32_t size)
{
    return size >= PAGE_MIN && size <= PAGE_MAX && (size & (size - 1)) == 0;
}

/* False if SQLite would take the log for empty. */
static bool read_header(WalReader *reader)
{
    uint8_t header[HEADER_BYTES];
    uint32_t sums[2] = {0, 0};
    if (pread(reader->file, header, sizeof header, 0) != (ssize_t)sizeof header)
        return false;
    const uint32_t magic = load_big(header);
    reader->big_endian = magic & 1u;
    reader->page_size = load_big(header + 8);
    reader->salts[0] = load_big(header + 16);
    reader->salts[1] = load_big(header + 20);
    add_to_sums(reader->big_endian, header, 24, sums);
    memcpy(reader->sums, sums, sizeof sums);
    return (magic & ~1u) == WAL_MAGIC && load_big(header + 4) == WAL_VERSION &&
           page_size_is_valid(reader->page_size) && two_are(header + 24, sums);
}

/* Frame k, from 1. False behind the last whole one. */
static bool read_frame(WalReader *reader, uint64_t k)
{
    const size_t size = FRAME_HEADER_BYTES + reader->page_size;
    const off_t at = (off_t)(HEADER_BYTES + (k - 1) * size);
    return pread(reader->file, reader->frame, size, at) == (ssize_t)size;
}

/* A commit names the size of the database after it; other frames have 0 there. */
static bool frame_commits(const WalReader *reader)
{
    return load_big(reader->frame + 4) != 0;
}

static bool frame_has_salts(const WalReader *reader)
{
    return two_are(reader->frame + 8, reader->salts);
}

/* Whether the checksum of the frame continues that of the frame before. */
static bool frame_continues(const WalReader *reader, uint32_t ret_sums[2])
{
    memcpy(ret_sums, reader->sums, sizeof reader->sums);
    add_to_sums(reader->big_endian, reader->frame, 8, ret_sums);
    add_to_sums(reader->big_endian, reader->frame + FRAME_HEADER_BYTES, reader->page_size,
                ret_sums);
    return two_are(reader->frame + 16, ret_sums);
}

/* Whether anything but the transaction that was being written is damaged: looks at frame k, which
 * is bad, and those behind it. The checksum leaves the salts out, so it tells that only the salts
 * of frame k are damaged (`continues`). */
static void judge_rest(WalReader *reader, uint64_t k, bool continues, WalCheck *check)
{
    uint64_t last = 0, last_commit = 0;
    bool belongs = continues || frame_has_salts(reader);
    do {
        if (belongs) {
            last = k;
            check->lost += frame_commits(reader);
            if (frame_commits(reader))
                last_commit = k;
        }
        k++;
        if (!read_frame(reader, k))
            break;
        belongs = frame_has_salts(reader);
    } while (true);
    if (check->lost >= 2 || (check->lost == 1 && last > last_commit))
        check->state = WAL_DAMAGED;
    else if (last > 0)
        check->state = WAL_TORN;
    if (check->state != WAL_DAMAGED)
        check->lost = 0;
}

/* A log whose header is valid. */
static void check_frames(WalReader *reader, WalCheck *check)
{
    uint64_t k = 1, committed = 0;
    uint32_t sums[2];
    bool there, continues = false;
    for (; (there = read_frame(reader, k)); k++) {
        continues = frame_continues(reader, sums);
        if (!continues || !frame_has_salts(reader) || load_big(reader->frame) == 0)
            break;
        memcpy(reader->sums, sums, sizeof sums);
        if (frame_commits(reader)) {
            committed = k;
            check->commits++;
        }
    }
    check->bad_frame = k;
    const off_t whole = (off_t)(HEADER_BYTES + (k - 1) * (FRAME_HEADER_BYTES + reader->page_size));
    const bool ends = committed == k - 1 && (there || lseek(reader->file, 0, SEEK_END) == whole);
    check->state = ends ? WAL_SOUND : WAL_TORN;
    if (there)
        judge_rest(reader, k, continues, check);
}

/* The header is damaged: the frames may have any page size, most likely that of the database. The
 * salts of the first one tell which belong together. */
static void check_without_header(WalReader *reader, const char *database, WalCheck *check)
{
    uint8_t bytes[2] = {0, 0};
    const int file = open(database, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (pread(file, bytes, 2, DATABASE_PAGE_SIZE_AT) != 2)
            bytes[0] = bytes[1] = 0;
        close(file);
    }
    const uint32_t size = (uint32_t)bytes[0] << 8 | bytes[1];
    reader->page_size = size == 1 ? PAGE_MAX : page_size_is_valid(size) ? size : PAGE_USUAL;
    for (uint64_t k = 1; read_frame(reader, k); k++) {
        if (k == 1) {
            reader->salts[0] = load_big(reader->frame + 8);
            reader->salts[1] = load_big(reader->frame + 12);
        }
        check->lost += frame_has_salts(reader) && frame_commits(reader);
    }
    check->state = check->lost ? WAL_DAMAGED : WAL_TORN;
}

/* One reading. */
static void check_once(WalReader *reader, const char *database, WalCheck *check)
{
    *check = (WalCheck){.state = WAL_NONE};
    if (lseek(reader->file, 0, SEEK_END) <= HEADER_BYTES)
        return;
    if (read_header(reader))
        check_frames(reader, check);
    else
        check_without_header(reader, database, check);
    memcpy(check->salts, reader->salts, sizeof check->salts);
}

static bool checks_agree(const WalCheck *a, const WalCheck *b)
{
    return a->state == b->state && a->bad_frame == b->bad_frame && a->salts[0] == b->salts[0] &&
           a->salts[1] == b->salts[1];
}

Status wal_check(const char *database, WalCheck *ret_check, Error *err)
{
    WalReader reader = {.file = -1};
    char path[4200];
    snprintf(path, sizeof path, "%s-wal", database);
    reader.file = open(path, O_RDONLY | O_CLOEXEC);
    if (reader.file < 0 && errno == ENOENT) {
        *ret_check = (WalCheck){.state = WAL_NONE};
        return OK;
    }
    if (reader.file < 0)
        return error_set(err, ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    reader.frame = malloc(FRAME_MAX);
    if (!reader.frame) {
        close(reader.file);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    WalCheck before, check;
    check_once(&reader, database, &check);
    for (int i = 1; i < READINGS_MAX && check.state == WAL_DAMAGED; i++) {
        before = check;
        check_once(&reader, database, &check);
        if (checks_agree(&before, &check))
            break;
    }
    free(reader.frame);
    close(reader.file);
    *ret_check = check;
    return OK;
}
