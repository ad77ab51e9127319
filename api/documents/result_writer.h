/* A result as a stream: it reads blocks of rows, and produces JSON, NDJSON, CSV or NPY in pieces,
 * in bounded memory.
 *
 * JSON has one series per column, so the source is read once for as many columns as fit into a
 * tile; the other formats read it once. Between two pieces a writer keeps at most one tile of
 * numbers. With a smaller tile it reads the source more often. */
#ifndef API_DOCUMENTS_RESULT_WRITER_H
#define API_DOCUMENTS_RESULT_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"
#include "core/base/text.h"

typedef enum ResultFormat { RESULT_JSON, RESULT_NDJSON, RESULT_CSV, RESULT_NPY } ResultFormat;

/* Numbers in a tile: the largest, the fair size for each client if there is room, and the least
 * that works well. Then the bytes of a chunk. */
enum {
    RESULT_TILE_MOST = 1 << 22,
    RESULT_TILE_FAIR = 1 << 19,
    RESULT_TILE_LEAST = 1 << 13,
    RESULT_CHUNK_BYTES = 48 * 1024
};

/* The most indices of a matrix, as in numpy. */
enum { RESULT_SHAPE_MAX = 32 };

/* Consecutive rows [n_rows][n_columns of the source], row-major. */
typedef struct RowsBlock {
    uint64_t first_row, n_rows;
    const double *rows;
} RowsBlock;

/* A source of rows. `block` returns the block that contains a row; it is valid until the next call.
 * ERR_NOT_FOUND past the end. `release` tells the source that the block is no longer needed; may be
 * NULL. */
typedef struct RowsSource {
    void *self;
    Status (*block)(void *self, uint64_t row, RowsBlock *ret_block, Error *err);
    void (*release)(void *self);
} RowsSource;

/* The words for the numbers of a column: texts[k] for k; no word for other numbers or a NULL text.
 * texts NULL: the column has plain numbers. */
typedef struct ResultWords {
    const char *const *texts;
    size_t n;
} ResultWords;

/* The word for a value, or NULL. */
const char *result_word(const ResultWords *words, double value);

/* A JSON member that may be long. `write` adds the next piece; true: it was the last one. It can be
 * written once. */
typedef struct ResultMember {
    void *self;
    bool (*write)(void *self, Text *out);
} ResultMember;

typedef struct ResultRequest {
    ResultFormat format;
    const char *const *names; /* n_names: of all columns of the source */
    size_t n_names;
    const char *const *
        /* n_names, NULL for columns without a unit; NULL: no units */
        units;
    const ResultWords *words; /* n_names, or NULL: all are numbers; the texts are borrowed */
    const size_t *columns;    /* n_columns: the selection, in the order of writing; NULL: all */
    size_t n_columns;
    uint64_t first, end; /* rows first, first + stride, ... below end */
    uint64_t stride;     /* 0 means 1 */
    uint64_t limit;      /* at most this number of rows; 0: all */
    size_t tile;         /* numbers to read ahead; 0: result_tile() */
    /* JSON and NPY: the rows as a matrix with the last index fastest; their number is the product.
     * NULL: one row after the other */
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

/* The number of selected rows. *ret_next: the cursor of the next page, which is the first row left
 * out because of the limit; `end` if there is none. */
uint64_t result_rows(const ResultRequest *request, uint64_t *ret_next);

/* The useful numbers to read ahead. For JSON all numbers, or the fewest that need no more passes
 * over the source than RESULT_TILE_MOST. */
size_t result_tile(const ResultRequest *request);

/* Copies the needed parts of the request. The source and the axes must outlive the writer. */
Status result_writer_new(const ResultRequest *request, const RowsSource *source,
                         ResultWriter **ret_writer, Error *err) MUST_CHECK;
void result_writer_free(ResultWriter *writer); /* NULL is fine */

/* Makes the first bytes, so that an immediate failure of the source is known before anything is
 * sent. */
Status result_writer_begin(ResultWriter *writer, Error *err) MUST_CHECK;
/* The next bytes, at most max (> 0); 0 at the end, or early if the source failed: call
 * result_writer_status(). */
size_t result_writer_read(ResultWriter *writer, char *buffer, size_t max);
Status result_writer_status(const ResultWriter *writer, Error *err) MUST_CHECK;

const char *result_content_type(ResultFormat format);

#endif
