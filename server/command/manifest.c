/* The manifest of a backup, and files read with their SHA-256. */
#include "server/command/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/json/validate.h"
#include "api/json/writer.h"
#include "core/base/clock.h"
#include "core/base/stop_token.h"

enum { MANIFEST_BYTES = 1 << 16, PIECE_BYTES = 1 << 20 };

void manifest_write(const Manifest *manifest, Text *out)
{
    const StoreCounts *jobs = &manifest->facts.counts;
    char time[CLOCK_TEXT_MAX];
    JsonWriter writer;
    clock_format(manifest->made_ms, time);
    json_writer_init(&writer, out);
    json_open_object(&writer);
    json_member_signed(&writer, "format", manifest->facts.format);
    json_member_string(&writer, "version", DALEMBERT_VERSION);
    json_member_unsigned(&writer, "bytes", manifest->file.bytes);
    json_member_string(&writer, "sha256", manifest->file.sha256);
    json_member_signed(&writer, "revision", manifest->facts.revision);
    json_member_object(&writer, "jobs");
    json_member_unsigned(&writer, "queued", jobs->queued);
    json_member_unsigned(&writer, "running", jobs->running);
    json_member_unsigned(&writer, "succeeded", jobs->succeeded);
    json_member_unsigned(&writer, "failed", jobs->failed);
    json_member_unsigned(&writer, "cancelled", jobs->cancelled);
    json_close_object(&writer);
    json_member_string(&writer, "time", time);
    json_close_object(&writer);
    text_putc(out, '\n');
}

/* The number of bytes, and the hash: a string of 64 digits. */
static bool find_members(const char *text, size_t size, HashedFile *ret_file)
{
    JsonSpan bytes, hash;
    if (json_validate(text, size, NULL, &(JsonMistake){0}, NULL) != OK ||
        !json_member_span(text, size, "bytes", &bytes) ||
        !json_member_span(text, size, "sha256", &hash) || hash.size != HASH_TEXT_MAX + 1 ||
        text[hash.start] != '"')
        return false;
    char *end;
    errno = 0;
    ret_file->bytes = strtoull(text + bytes.start, &end, 10);
    memcpy(ret_file->sha256, text + hash.start + 1, HASH_TEXT_MAX - 1);
    ret_file->sha256[HASH_TEXT_MAX - 1] = '\0';
    return errno == 0 && end == text + bytes.start + bytes.size;
}

Status manifest_read(const char *path, HashedFile *ret_file, Error *err)
{
    char text[MANIFEST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read '%s': %s",
                         path, strerror(errno));
    const size_t size = fread(text, 1, sizeof text - 1, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    text[size] = '\0';
    if (failed)
        return error_set(err, ERR_IO, "cannot read '%s'", path);
    HashedFile found;
    if (!find_members(text, size, &found))
        return error_set(err, ERR_INVALID,
                         "'%s' is not the manifest of a backup: it must be a JSON object with "
                         "\"bytes\" and \"sha256\"",
                         path);
    *ret_file = found;
    return OK;
}

static Status file_error(Error *err, const char *what, const char *path)
{
    const Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

static Status write_piece(int file, const char *path, const void *bytes, size_t size, Error *err)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t n = write(file, at, size);
        if (n < 0 && errno != EINTR)
            return file_error(err, "write", path);
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return OK;
}

/* From one open file to another (-1: to none). */
static Status read_all(const HashedRead *read_of, int from, int to, HashedFile *ret_file,
                       Error *err)
{
    struct sha256_ctx context;
    struct stat info;
    Hash hash;
    uint64_t done = 0;
    unsigned char *piece = malloc(PIECE_BYTES);
    Status status = piece ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && fstat(from, &info) != 0)
        status = file_error(err, "read", read_of->from);
    sha256_init(&context);
    while (status == OK) {
        const ssize_t n = read(from, piece, PIECE_BYTES);
        if (n < 0)
            status = errno == EINTR ? OK : file_error(err, "read", read_of->from);
        if (n == 0 || status != OK)
            break;
        if (n < 0)
            continue;
        sha256_update(&context, (size_t)n, piece);
        done += (uint64_t)n;
        status = to >= 0 ? write_piece(to, read_of->to, piece, (size_t)n, err) : OK;
        if (status == OK && read_of->progress)
            read_of->progress(read_of->self, done, (uint64_t)info.st_size);
        status = status == OK ? stop_token_spend(STOP_TOKEN_WORK, err) : status;
    }
    free(piece);
    sha256_digest(&context, HASH_BYTES, hash.bytes);
    ret_file->bytes = done;
    hash_format(&hash, ret_file->sha256);
    return status;
}

Status hashed_read(const HashedRead *read_of, HashedFile *ret_file, Error *err)
{
    int to = -1;
    const int from = open(read_of->from, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return file_error(err, "read", read_of->from);
    if (read_of->to) {
        to = open(read_of->to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (to < 0) {
            const Status status = file_error(err, "make", read_of->to);
            close(from);
            return status;
        }
    }
    Status status = read_all(read_of, from, to, ret_file, err);
    if (status == OK && to >= 0 && fsync(to) != 0)
        status = file_error(err, "write", read_of->to);
    if (to >= 0)
        close(to);
    close(from);
    return status;
}
