/* A result as a stream: blocks of rows in, JSON, NDJSON, CSV or NPY out, in pieces, in bounded
 * memory.
 *
 * JSON has one series per column, so the source is read once for as many columns as fit into a
 * tile; the other formats read it once. Between two pieces a writer keeps no more than the numbers
 * it has read ahead, one tile; with a smaller one it reads the source more often. */
#ifndef API_DOCUMENTS_RESULT_WRITER_H
#define API_DOCUMENTS_RESULT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/base/text.h"

typedef enum ResultFormat { RESULT_JSON, RESULT_NDJSON, RESULT_CSV, RESULT_NPY } ResultFormat;

/* Of numbers: the most that is read ahead, what everybody may have where there is room, and the
 * least that works well; of bytes. */
enum {
    RESULT_TILE_MOST = 1 << 22,
    RESULT_TILE_FAIR = 1 << 19,
    RESULT_TILE_LEAST = 1 << 13,
    RESULT_CHUNK_BYTES = 48 * 1024
};

/* Indices of a matrix: as many as numpy has. */
enum { RESULT_SHAPE_MAX = 32 };

/* Consecutive rows [n_rows][n_columns of the source], row-major. */
typedef struct RowsBlock {
    uint64_t first_row, n_rows;
    const double *rows;
} RowsBlock;

/* Where rows come from. `block` gives the block that contains a row; it stays valid until the next
 * call. ERR_NOT_FOUND past the end. `release` says that the block is not needed any more; may be
 * NULL. */
typedef struct RowsSource {
    void *self;
    Status (*block)(void *self, uint64_t row, RowsBlock *ret_block, Error *err);
    void (*release)(void *self);
} RowsSource;

/* What the numbers of a column stand for: k for texts[k], anything else and NULL for nothing. texts
 * NULL: for themselves. */
typedef struct ResultWords {
    const char *const *texts;
    size_t n;
} ResultWords;

/* The word for a value, or NULL. */
const char *result_word(const ResultWords *words, double value);

/* A member of JSON that may be long. `write` adds the next piece; true: that was the last one.
 * Once. */
typedef struct ResultMember {
    void *self;
    bool (*write)(void *self, Text *out);
} ResultMember;

typedef struct ResultRequest {
    ResultFormat format;
    const char *const *names; /* n_names: of all columns of the source */
    size_t n_names;
    const char *const *
        /* n_names: of the columns, NULL where there is none; NULL: nothing is said of them */
        units;
    const ResultWords *words; /* n_names, or NULL: all are numbers; the texts are borrowed */
    const size_t *columns;    /* n_columns: the selection, in the order of writing; NULL: all */
    size_t n_columns;
    uint64_t first, end; /* rows first, first + stride, ... below end */
    uint64_t stride;     /* 0 means 1 */
    uint64_t limit;      /* at most so many rows; 0: all */
    size_t tile;         /* numbers to read ahead; 0: result_tile() */
    /* JSON and NPY: the rows, as many as the product, as a matrix, the last index fastest; NULL:
     * one after the other */
    const uint64_t *shape; /* n_shape <= RESULT_SHAPE_MAX */
    size_t n_shape;
    /* JSON only */
    ResultMember axes;    /* the member "axes"; {0}: none */
    bool complete;        /* the member "complete" */
    const char *ended_by; /* the member "ended_by", a terminal event; NULL: none */
    bool downsampled;     /* the member "downsampled", true; false: none */
    const char *table;    /* the member "table"; NULL: none */
    const char *next;     /* the member "next", a cursor; NULL: none */
} ResultRequest;

typedef struct ResultWriter ResultWriter;

/* The rows a request selects, and the first row it leaves out because of its limit (end when it
 * leaves out none): the cursor of the next page. */
uint64_t result_rows(const ResultRequest *request, uint64_t *ret_next);

/* How many numbers it helps to read ahead: of JSON all, or the least with which as few parts of the
 * columns are read as with RESULT_TILE_MOST. */
size_t result_tile(const ResultRequest *request);

/* Copies what it needs of the request; the source and the axes must outlive the writer. */
Status result_writer_new(const ResultRequest *request, const RowsSource *source,
                         ResultWriter **ret_writer, Error *err) MUST_CHECK;
void result_writer_free(ResultWriter *writer); /* NULL is fine */

/* Makes the first bytes, so that a source that fails at once is known before anything is sent. */
Status result_writer_begin(ResultWriter *writer, Error *err) MUST_CHECK;
/* The next bytes, at most max (> 0); 0 at the end, which is early when the source failed: ask
 * result_writer_status(). */
size_t result_writer_read(ResultWriter *writer, char *buffer, size_t max);
Status result_writer_status(const ResultWriter *writer, Error *err) MUST_CHECK;

const char *result_content_type(ResultFormat format);

#endif
