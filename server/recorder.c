#include "server/recorder.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

enum { TRAJECTORY_BYTES = 512 * 1024, EVENT_BYTES = 32 * 1024 };

static const double FLUSH_SECONDS = 1.0;

typedef struct Buffer {
    double *rows; /* NULL until the first row */
    size_t n_rows, most;
    struct sha256_ctx hash;
} Buffer;

struct Recorder {
    Store *store;
    const char *job_id;
    int64_t token;
    size_t n_columns, n_buffers;
    Buffer *buffers; /* the trajectory, then the event tables */
    uint64_t count;
    double flushed; /* clock_seconds() */
};

Status recorder_new(Store *store, const char *job_id, int64_t token, size_t n_columns,
                    size_t n_tables, Recorder **ret_recorder, Error *err)
{
    Recorder *recorder = calloc(1, sizeof *recorder);
    Buffer *buffers = alloc_array(n_tables + 1, sizeof *buffers);
    if (!recorder || !buffers) {
        free(recorder);
        free(buffers);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *recorder = (Recorder){.store = store,
                           .job_id = job_id,
                           .token = token,
                           .n_columns = n_columns,
                           .n_buffers = n_tables + 1,
                           .buffers = buffers,
                           .flushed = clock_seconds()};
    for (size_t i = 0; i < recorder->n_buffers; i++) {
        size_t bytes = i == 0 ? TRAJECTORY_BYTES : EVENT_BYTES;
        buffers[i].most = bytes / (n_columns * sizeof(double));
        if (buffers[i].most == 0)
            buffers[i].most = 1;
        sha256_init(&buffers[i].hash);
    }
    *ret_recorder = recorder;
    return OK;
}

void recorder_free(Recorder *recorder)
{
    if (!recorder)
        return;
    for (size_t i = 0; i < recorder->n_buffers; i++)
        free(recorder->buffers[i].rows);
    free(recorder->buffers);
    free(recorder);
}

static Status flush_buffer(Recorder *recorder, size_t i, Error *err)
{
    Buffer *buffer = &recorder->buffers[i];
    if (buffer->n_rows == 0)
        return OK;
    Status status =
        store_result_append(recorder->store, recorder->job_id, recorder->token, (int)i - 1,
                            buffer->rows, buffer->n_rows, recorder->n_columns, err);
    if (status == OK)
        buffer->n_rows = 0;
    return status;
}

Status recorder_flush(Recorder *recorder, Error *err)
{
    Status status = OK;
    for (size_t i = 0; status == OK && i < recorder->n_buffers; i++)
        status = flush_buffer(recorder, i, err);
    recorder->flushed = clock_seconds();
    return status;
}

Status recorder_rows(Recorder *recorder, int table, const double *rows, size_t n_rows, Error *err)
{
    size_t index = (size_t)table + 1, width = recorder->n_columns;
    Buffer *buffer = &recorder->buffers[index];
    if (!buffer->rows) {
        buffer->rows = alloc_array(buffer->most * width, sizeof *buffer->rows);
        if (!buffer->rows)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    sha256_update(&buffer->hash, n_rows * width * sizeof *rows, (const uint8_t *)rows);
    recorder->count += n_rows;
    while (n_rows > 0) {
        size_t n = buffer->most - buffer->n_rows;
        if (n > n_rows)
            n = n_rows;
        memcpy(buffer->rows + buffer->n_rows * width, rows, n * width * sizeof *rows);
        buffer->n_rows += n;
        rows += n * width;
        n_rows -= n;
        Status status = buffer->n_rows == buffer->most ? flush_buffer(recorder, index, err) : OK;
        if (status != OK)
            return status;
    }
    if (clock_seconds() - recorder->flushed > FLUSH_SECONDS)
        return recorder_flush(recorder, err);
    return OK;
}

uint64_t recorder_count(const Recorder *recorder)
{
    return recorder->count;
}

void recorder_hash(Recorder *recorder, char ret_text[HASH_TEXT_MAX])
{
    struct sha256_ctx all;
    Hash hash;
    sha256_init(&all);
    for (size_t i = 0; i < recorder->n_buffers; i++) {
        sha256_digest(&recorder->buffers[i].hash, sizeof hash.bytes, hash.bytes);
        sha256_update(&all, sizeof hash.bytes, hash.bytes);
    }
    sha256_digest(&all, sizeof hash.bytes, hash.bytes);
    hash_format(&hash, ret_text);
}
