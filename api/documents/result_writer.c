/* A result as a stream of JSON, NDJSON, CSV or NPY (numpy's numpy/lib/format.py): rows are loaded
 * in tiles that fit in memory, and written in the order of the format. */
#include "api/documents/result_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/json/writer.h"
#include "core/base/memory.h"

/* Numbers in a tile of the formats that go row by row: as many as a block of the store has, so that
 * each block is read once. */
enum { ROW_TILE_MOST = 1 << 16 };

typedef enum Stage { STAGE_AXES, STAGE_HEADER, STAGE_ROWS, STAGE_FOOTER, STAGE_END } Stage;

/* The part of the selection in memory: rows row .. row + n_rows - 1, counted within the selection,
 * of the columns column .. column + n_columns - 1. */
typedef struct Tile {
    double *values; /* column-major for JSON, else row-major: the order of writing */
    size_t max_columns, max_rows;
    uint64_t row, n_rows;
    size_t column, n_columns;
} Tile;

struct ResultWriter {
    RowsSource source;
    size_t row_length; /* of the source */
    ResultFormat format;
    size_t *columns; /* n_columns */
    size_t n_columns;
    uint64_t first, stride, n_rows;
    bool complete, downsampled;
    char *table, *next, *units, *ended_by;
    ResultMember axes;
    bool axes_begun;
    ResultWords *words; /* n_columns */
    uint64_t strides[RESULT_SHAPE_MAX],
        shape[RESULT_SHAPE_MAX]; /* n_shape; rows by a step of an index */
    size_t n_shape;
    char **labels; /* n_columns: the text before a value (NDJSON) or a series (JSON), the cells of
                    * the header (CSV), the names (NPY) */
    Stage stage;
    uint64_t row;  /* of the selection, to be written next */
    size_t column; /* likewise */
    Tile tile;
    RowsBlock block; /* the last block read; n_rows 0: none */
    Text out;        /* written, and read up to out_taken */
    size_t out_taken;
    Status status;
    Error error;
};

uint64_t result_rows(const ResultRequest *request, uint64_t *ret_next)
{
    uint64_t stride = request->stride ? request->stride : 1;
    uint64_t n =
        request->first < request->end ? (request->end - request->first - 1) / stride + 1 : 0;
    bool cut = request->limit && n > request->limit;

    if (cut)
        n = request->limit;
    if (ret_next)
        *ret_next = cut ? request->first + n * stride : request->end;
    return n;
}

const char *result_content_type(ResultFormat format)
{
    switch (format) {
    case RESULT_JSON:
        return "application/json";
    case RESULT_NDJSON:
        return "application/x-ndjson";
    case RESULT_CSV:
        return "text/csv; charset=utf-8; header=present";
    case RESULT_NPY:
        return "application/x-npy";
    }
    return "application/octet-stream";
}

/* A cell of a CSV header (RFC 4180). */
static void put_cell(Text *out, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        text_puts(out, name);
        return;
    }
    text_putc(out, '"');
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            text_putc(out, '"');
        text_putc(out, *c);
    }
    text_putc(out, '"');
}

/* A cell with a unit: "x [cm]". */
static void put_head(Text *out, const char *name, const char *unit)
{
    Text head = TEXT_INIT;

    text_puts(&head, name);
    if (unit)
        text_printf(&head, " [%s]", unit);
    out->failed = out->failed || !text_ok(&head);
    put_cell(out, text_string(&head));
    text_done(&head);
}

/* The label of a column, on the heap. */
static char *make_label(ResultFormat format, const char *name, const char *unit)
{
    Text text = TEXT_INIT;

    if (format == RESULT_CSV) {
        put_head(&text, name, unit);
    } else if (format == RESULT_NPY) {
        text_puts(&text, name);
    } else {
        json_quote(&text, name, strlen(name));
        text_putc(&text, ':');
    }
    if (!text_ok(&text) || !text.data) {
        text_done(&text);
        return alloc_array(1, 1);
    }
    return text.data;
}

const char *result_word(const ResultWords *words, double value)
{
    const bool known = value >= 0 && value < (double)words->n && value == floor(value);

    return known ? words->texts[(size_t)value] : NULL;
}

static char *copy_text(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? alloc_array(size, 1) : NULL;
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

size_t result_tile(const ResultRequest *request)
{
    const size_t columns = request->columns ? request->n_columns : request->n_names;
    const uint64_t rows = result_rows(request, NULL);

    if (columns == 0 || rows == 0)
        return 1;
    if (request->format != RESULT_JSON)
        return rows < ROW_TILE_MOST / columns ? (size_t)rows * columns : ROW_TILE_MOST;
    const uint64_t fit = RESULT_TILE_MOST / rows;
    if (fit < 2 && columns > fit) /* column by column: a whole column is no better than a part */
        return rows < RESULT_TILE_FAIR ? (size_t)rows : RESULT_TILE_FAIR;
    const uint64_t parts = (columns - 1) / fit + 1;
    return (size_t)(((columns - 1) / parts + 1) * rows);
}

/* Tiles hold whole rows. For JSON, they hold as many whole columns as fit, or a part of one. */
static bool size_tile(ResultWriter *w, size_t values)
{
    Tile *tile = &w->tile;
    size_t columns = w->n_columns ? w->n_columns : 1;

    if (w->format == RESULT_JSON) {
        tile->max_rows = w->n_rows < values ? (size_t)w->n_rows : values;
        size_t fit = tile->max_rows ? values / tile->max_rows : 1;
        tile->max_columns = fit < columns ? fit : columns;
    } else {
        tile->max_rows = columns < values ? values / columns : 1;
        tile->max_columns = columns;
    }
    tile->values = alloc_array(tile->max_rows * tile->max_columns, sizeof *tile->values);
    return tile->values != NULL;
}

/* Without a shape the rows are one list. */
static void copy_shape(ResultWriter *w, const ResultRequest *request)
{
    uint64_t stride = 1;

    w->n_shape = request->shape ? request->n_shape : 1;
    for (size_t d = w->n_shape; d-- > 0;) {
        w->shape[d] = request->shape ? request->shape[d] : w->n_rows;
        w->strides[d] = stride;
        stride *= w->shape[d];
    }
}

/* The member "units", on the heap; NULL if out of memory. */
static char *write_units(const ResultWriter *w, const ResultRequest *request)
{
    Text text = TEXT_INIT;
    bool any = false;

    text_putc(&text, '{');
    /* the columns with a unit */
    for (size_t i = 0; i < w->n_columns; i++) {
        const size_t c = request->columns ? request->columns[i] : i;
        if (!request->units[c])
            continue;
        text_puts(&text, any ? "," : "");
        json_quote(&text, request->names[c], strlen(request->names[c]));
        text_putc(&text, ':');
        json_quote(&text, request->units[c], strlen(request->units[c]));
        any = true;
    }
    text_putc(&text, '}');
    if (text_ok(&text))
        return text.data;
    text_done(&text);
    return NULL;
}

static bool copy_request(ResultWriter *w, const ResultRequest *request)
{
    /* copies, because the writer outlives the request */
    w->row_length = request->n_names;
    w->format = request->format;
    w->n_columns = request->columns ? request->n_columns : request->n_names;
    w->first = request->first;
    w->stride = request->stride ? request->stride : 1;
    w->n_rows = result_rows(request, NULL);
    w->complete = request->complete;
    w->downsampled = request->downsampled;
    w->table = copy_text(request->table);
    w->next = copy_text(request->next);
    w->ended_by = copy_text(request->ended_by);
    w->axes = w->format == RESULT_JSON ? request->axes : (ResultMember){0};
    w->stage = w->axes.write ? STAGE_AXES : STAGE_HEADER;
    if (request->units && w->format == RESULT_JSON && !(w->units = write_units(w, request)))
        return false;
    copy_shape(w, request);
    /* an index, words and a label for each column */
    w->words = alloc_array(w->n_columns, sizeof *w->words);
    w->columns = alloc_array(w->n_columns, sizeof *w->columns);
    w->labels = alloc_array(w->n_columns, sizeof *w->labels);
    if ((request->table && !w->table) || (request->next && !w->next) ||
        (request->ended_by && !w->ended_by) || !w->words || !w->columns || !w->labels)
        return false;
    for (size_t i = 0; i < w->n_columns; i++) {
        w->columns[i] = request->columns ? request->columns[i] : i;
        if (request->words)
            w->words[i] = request->words[w->columns[i]];
        w->labels[i] = make_label(w->format, request->names[w->columns[i]],
                                  request->units ? request->units[w->columns[i]] : NULL);
        if (!w->labels[i])
            return false;
    }
    return size_tile(w, request->tile ? request->tile : result_tile(request));
}

Status result_writer_new(const ResultRequest *request, const RowsSource *source,
                         ResultWriter **ret_writer, Error *err)
{
    for (size_t i = 0; request->columns && i < request->n_columns; i++)
        if (request->columns[i] >= request->n_names)
            return error_set(err, ERR_INVALID, "there is no column %zu", request->columns[i]);
    if (request->n_shape > RESULT_SHAPE_MAX)
        return error_set(err, ERR_LIMIT, "a matrix has at most %d indices", RESULT_SHAPE_MAX);

    ResultWriter *w = calloc(1, sizeof *w);
    if (!w || !copy_request(w, request)) {
        result_writer_free(w);
        return error_set(err, ERR_NO_MEMORY, "out of memory while writing a result");
    }
    w->source = *source;
    *ret_writer = w;
    return OK;
}

void result_writer_free(ResultWriter *w)
{
    if (!w)
        return;
    for (size_t i = 0; w->labels && i < w->n_columns; i++)
        free(w->labels[i]);
    free(w->labels);
    free(w->words);
    free(w->units);
    free(w->columns);
    free(w->table);
    free(w->next);
    free(w->ended_by);
    free(w->tile.values);
    text_done(&w->out);
    free(w);
}

/* Is row k of the selection in the current block? */
static bool row_at_hand(const ResultWriter *w, uint64_t k)
{
    const uint64_t row = w->first + k * w->stride;
    return row >= w->block.first_row && row - w->block.first_row < w->block.n_rows;
}

/* Row k of the selection; NULL if the source failed. */
static const double *source_row(ResultWriter *w, uint64_t k)
{
    uint64_t row = w->first + k * w->stride;
    RowsBlock *block = &w->block;

    if (!row_at_hand(w, k)) {
        *block = (RowsBlock){0};
        w->status = w->source.block(w->source.self, row, block, &w->error);
        if (w->status == OK && !row_at_hand(w, k))
            w->status = error_set(&w->error, ERR_INTERNAL, "a block without the row asked for");
        if (w->status != OK)
            return NULL;
    }
    return block->rows + (row - block->first_row) * w->row_length;
}

static void drop_rows(ResultWriter *w)
{
    w->block = (RowsBlock){0};
    if (w->source.release)
        w->source.release(w->source.self);
}

/* Loads the tile that begins at the next value to be written. A tile of whole rows ends with its
 * block, so that no block is read twice. */
static bool load_tile(ResultWriter *w)
{
    Tile *tile = &w->tile;
    uint64_t rows = w->n_rows - w->row;
    size_t columns = w->n_columns - w->column;

    /* its place and strides */
    tile->row = w->row;
    tile->column = w->column;
    tile->n_rows = rows < tile->max_rows ? rows : tile->max_rows;
    tile->n_columns = columns < tile->max_columns ? columns : tile->max_columns;
    size_t row_step = w->format == RESULT_JSON ? 1 : tile->n_columns;
    size_t column_step = w->format == RESULT_JSON ? (size_t)tile->n_rows : 1;
    /* its values */
    for (size_t k = 0; k < tile->n_rows; k++) {
        if (k > 0 && w->format != RESULT_JSON && !row_at_hand(w, tile->row + k)) {
            tile->n_rows = k;
            break;
        }
        const double *row = source_row(w, tile->row + k);
        if (!row) {
            tile->n_rows = 0;
            return false;
        }
        for (size_t c = 0; c < tile->n_columns; c++)
            tile->values[k * row_step + c * column_step] = row[w->columns[tile->column + c]];
    }
    drop_rows(w);
    return true;
}

/* Is the next value to be written in the tile? */
static bool tile_at_hand(const ResultWriter *w)
{
    const Tile *tile = &w->tile;

    return w->row >= tile->row && w->row - tile->row < tile->n_rows && w->column >= tile->column &&
           w->column - tile->column < tile->n_columns;
}

static bool chunk_full(const ResultWriter *w)
{
    return w->out.length >= RESULT_CHUNK_BYTES || !text_ok(&w->out);
}

/* A value of column c of the selection. */
static void put_json_value(Text *out, const ResultWriter *w, size_t c, double value)
{
    const ResultWords *words = &w->words[c];
    const char *word = words->texts ? result_word(words, value) : NULL;

    if (word)
        json_quote(out, word, strlen(word));
    else if (!words->texts && isfinite(value))
        text_number(out, value);
    else
        text_puts(out, "null");
}

static void put_csv_value(Text *out, const ResultWriter *w, size_t c, double value)
{
    const ResultWords *words = &w->words[c];
    const char *word = words->texts ? result_word(words, value) : NULL;

    if (word)
        put_cell(out, word);
    else if (!words->texts && isfinite(value))
        text_number(out, value);
}

static size_t longest_word(const ResultWords *words)
{
    size_t longest = 1;

    for (size_t k = 0; k < words->n; k++)
        if (words->texts[k] && strlen(words->texts[k]) > longest)
            longest = strlen(words->texts[k]);
    return longest;
}

/* Numbers in the machine's byte order, which the header names; words padded with zeros. */
static void put_npy_value(Text *out, const ResultWriter *w, size_t c, double value)
{
    static const char ZEROS[64];
    const ResultWords *words = &w->words[c];

    if (!words->texts) {
        text_append(out, (const char *)&value, sizeof value);
        return;
    }
    const char *word = result_word(words, value);
    const size_t length = word ? strlen(word) : 0;
    text_puts(out, word ? word : "");
    for (size_t left = longest_word(words) - length; left > 0;) {
        const size_t n = left < sizeof ZEROS ? left : sizeof ZEROS;
        text_append(out, ZEROS, n);
        left -= n;
    }
}

/* Writes a name as a Python string; false: it is not ASCII. */
static bool put_python_text(Text *out, const char *name)
{
    bool ascii = true;

    text_putc(out, '\'');
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c == '\'' || *c == '\\')
            text_putc(out, '\\');
        if (*c < 0x20 || *c == 0x7f)
            text_printf(out, "\\x%02x", *c);
        else
            text_putc(out, (char)*c);
        ascii = ascii && *c < 0x80;
    }
    text_putc(out, '\'');
    return ascii;
}

/* The dictionary of an NPY header; returns whether it is ASCII. */
static bool put_npy_fields(const ResultWriter *w, Text *out)
{
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    bool ascii = true;

    text_puts(out, "{'descr': [");
    /* the columns with their types */
    for (size_t i = 0; i < w->n_columns; i++) {
        text_puts(out, i ? ", (" : "(");
        ascii = put_python_text(out, w->labels[i]) && ascii;
        if (w->words[i].texts)
            text_printf(out, ", '|S%zu')", longest_word(&w->words[i]));
        else
            text_printf(out, ", '%cf8')", order);
    }
    /* the shape */
    text_puts(out, "], 'fortran_order': False, 'shape': (");
    for (size_t d = 0; d < w->n_shape; d++)
        text_printf(out, "%" PRIu64 ",", w->shape[d]);
    text_puts(out, "), }");
    return ascii;
}

/* Versions 1, 2 and 3 of the format: short, long, long and UTF-8. The header's size is a multiple
 * of 64 bytes. */
static void put_npy_header(ResultWriter *w)
{
    Text fields = TEXT_INIT;
    const bool ascii = put_npy_fields(w, &fields);
    const int version = !ascii ? 3 : fields.length > 65000 ? 2 : 1;
    const size_t start = version == 1 ? 10 : 12;
    const size_t length = (start + fields.length + 1 + 63) / 64 * 64 - start;

    /* magic string, version, length in little endian, dictionary, padding */
    text_append(&w->out, "\x93NUMPY", 6);
    text_putc(&w->out, (char)version);
    text_putc(&w->out, 0);
    for (size_t k = 0; k < start - 8; k++)
        text_putc(&w->out, (char)(length >> 8 * k & 0xff));
    text_append(&w->out, text_string(&fields), fields.length);
    for (size_t k = fields.length; k + 1 < length; k++)
        text_putc(&w->out, ' ');
    text_putc(&w->out, '\n');
    w->out.failed = w->out.failed || !text_ok(&fields);
    text_done(&fields);
}

static void put_header(ResultWriter *w)
{
    Text *out = &w->out;

    if (w->format == RESULT_NPY) {
        put_npy_header(w);
    } else if (w->format == RESULT_JSON) {
        if (!w->axes.write)
            text_putc(out, '{');
        if (w->table) {
            text_puts(out, "\"table\":");
            json_quote(out, w->table, strlen(w->table));
            text_putc(out, ',');
        }
        text_puts(out, "\"columns\":[");
        for (size_t i = 0; i < w->n_columns; i++) {
            if (i)
                text_putc(out, ',');
            text_append(out, w->labels[i], strlen(w->labels[i]) - 1); /* without the colon */
        }
        text_putc(out, ']');
        if (w->units)
            text_printf(out, ",\"units\":%s", w->units);
        text_puts(out, ",\"series\":{");
    } else if (w->format == RESULT_CSV) {
        for (size_t i = 0; i < w->n_columns; i++) {
            if (i)
                text_putc(out, ',');
            text_puts(out, w->labels[i]);
        }
        text_puts(out, "\r\n");
    }
}

/* Writes the axes, which come before the header; true when they are complete. */
static bool put_axes(ResultWriter *w)
{
    bool last = false;

    if (!w->axes_begun)
        text_puts(&w->out, "{\"axes\":");
    w->axes_begun = true;
    while (!last && !chunk_full(w))
        last = w->axes.write(w->axes.self, &w->out);
    if (last)
        text_putc(&w->out, ',');
    return last;
}

static void put_footer_text(Text *out, const char *name, const char *text)
{
    if (!text)
        return;
    text_printf(out, ",\"%s\":", name);
    json_quote(out, text, strlen(text));
}

static void put_footer(ResultWriter *w)
{
    Text *out = &w->out;

    if (w->format != RESULT_JSON)
        return;
    text_printf(out, "},\"complete\":%s", w->complete ? "true" : "false");
    put_footer_text(out, "ended_by", w->ended_by);
    if (w->downsampled)
        text_puts(out, ",\"downsampled\":true");
    put_footer_text(out, "next", w->next);
    text_putc(out, '}');
}

/* Writes the brackets of all lists that begin or end at a row. */
static void put_brackets(ResultWriter *w, char bracket, uint64_t row)
{
    for (size_t d = 0; d < w->n_shape; d++)
        if (row % (w->strides[d] * w->shape[d]) == 0)
            text_putc(&w->out, bracket);
}

/* Writes values of a series, at least one: up to the end of their list, of the tile or of the
 * chunk. So brackets can only occur at the ends. False if the source failed. */
static bool put_values(ResultWriter *w)
{
    const Tile *tile = &w->tile;
    Text *out = &w->out;

    if (!tile_at_hand(w) && !load_tile(w))
        return false;
    /* the values up to the end of the list or of the tile */
    const uint64_t list = w->shape[w->n_shape - 1], begun = w->row;
    const size_t first = (size_t)(begun - tile->row), in_tile = (size_t)tile->n_rows - first;
    const size_t n = list - begun % list < in_tile ? (size_t)(list - begun % list) : in_tile;
    const double *values = tile->values + (w->column - tile->column) * (size_t)tile->n_rows + first;
    size_t k = 0;

    /* write them */
    if (begun)
        text_putc(out, ',');
    put_brackets(w, '[', begun);
    do {
        if (k > 0)
            text_putc(out, ',');
        put_json_value(out, w, w->column, values[k++]);
    } while (k < n && !chunk_full(w));
    w->row += k;
    put_brackets(w, ']', w->row);
    return true;
}

/* Writes series after series until the chunk is full. True if all are written. */
static bool put_series(ResultWriter *w)
{
    Text *out = &w->out;

    while (w->column < w->n_columns) {
        if (chunk_full(w))
            return false;
        if (w->row == 0) {
            if (w->column)
                text_putc(out, ',');
            text_puts(out, w->labels[w->column]);
            if (w->n_rows == 0)
                text_puts(out, "[]");
        }
        /* a name is written with its first value, as long as no row is written yet */
        while (w->row < w->n_rows && (w->row == 0 || !chunk_full(w)))
            if (!put_values(w))
                return false;
        if (w->row < w->n_rows)
            return false;
        w->row = 0;
        w->column++;
    }
    return true;
}

static void put_row_value(ResultWriter *w, double value)
{
    Text *out = &w->out;

    if (w->format == RESULT_NPY) {
        put_npy_value(out, w, w->column, value);
        return;
    }
    if (w->column)
        text_putc(out, ',');
    if (w->format == RESULT_CSV) {
        put_csv_value(out, w, w->column, value);
        return;
    }
    text_puts(out, w->labels[w->column]);
    put_json_value(out, w, w->column, value);
}

/* Writes one row; false if the source failed. A non-finite value is an empty cell in CSV. */
static bool put_row(ResultWriter *w)
{
    const Tile *tile = &w->tile;

    w->column = 0;
    if (w->n_columns > 0 && !tile_at_hand(w) && !load_tile(w)) /* of whole rows */
        return false;
    const double *values = tile->values + (size_t)(w->row - tile->row) * tile->n_columns;
    if (w->format == RESULT_NDJSON)
        text_putc(&w->out, '{');
    for (w->column = 0; w->column < w->n_columns; w->column++)
        put_row_value(w, values[w->column]);
    if (w->format == RESULT_NDJSON)
        text_puts(&w->out, "}\n");
    else if (w->format == RESULT_CSV)
        text_puts(&w->out, "\r\n");
    w->column = 0;
    return true;
}

static bool put_rows(ResultWriter *w)
{
    for (; w->row < w->n_rows; w->row++)
        if (chunk_full(w) || !put_row(w))
            return false;
    return true;
}

/* Fills the chunk. After an error the whole chunk is dropped, with the unfinished row or series. */
static void produce(ResultWriter *w)
{
    text_reset(&w->out);
    w->out_taken = 0;
    /* stage after stage */
    while (w->status == OK && w->stage != STAGE_END && !chunk_full(w)) {
        if (w->stage == STAGE_AXES) {
            w->stage = put_axes(w) ? STAGE_HEADER : STAGE_AXES;
        } else if (w->stage == STAGE_HEADER) {
            put_header(w);
            w->stage = STAGE_ROWS;
        } else if (w->stage == STAGE_FOOTER) {
            put_footer(w);
            w->stage = STAGE_END;
        } else if (w->format == RESULT_JSON ? put_series(w) : put_rows(w)) {
            w->stage = STAGE_FOOTER;
        }
    }
    if (w->status == OK && !text_ok(&w->out))
        w->status = error_set(&w->error, ERR_NO_MEMORY, "out of memory while writing a result");
    if (w->status != OK)
        text_reset(&w->out);
}

Status result_writer_begin(ResultWriter *w, Error *err)
{
    produce(w);
    return result_writer_status(w, err);
}

size_t result_writer_read(ResultWriter *w, char *buffer, size_t max)
{
    if (w->out_taken == w->out.length)
        produce(w);
    size_t left = w->out.length - w->out_taken, n = left < max ? left : max;
    if (n)
        memcpy(buffer, w->out.data + w->out_taken, n);
    w->out_taken += n;
    return n;
}

Status result_writer_status(const ResultWriter *w, Error *err)
{
    if (w->status != OK && err)
        *err = w->error;
    return w->status;
}
