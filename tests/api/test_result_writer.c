/* Results as streams, against a writer that holds everything in memory and loops the obvious
 * way. */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "api/documents/result_writer.h"
#include "api/json/validate.h"
#include "api/routes/rows.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "tests/suite.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { COLUMNS = 3 };
static const char *const NAMES[COLUMNS] = {"t", "dot(x)", "A[z](x,\"y\")"};

/* Value of column c in row k. */
static double value_at(uint64_t k, size_t c)
{
    return c == 0 ? (double)k / 8 : (c == 1 ? 1.0 : -1.0) / (double)(k + 3);
}

/* Blocks of block_rows rows, made when they are asked for. */
typedef struct FakeTable {
    uint64_t n_rows, block_rows;
    double *rows;
    uint64_t blocks_read, fail_at; /* the row whose block fails; UINT64_MAX: none */
} FakeTable;

static Status fake_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    FakeTable *table = self;
    uint64_t first = row / table->block_rows * table->block_rows, n = table->block_rows;

    if (row >= table->n_rows)
        return error_set(err, ERR_NOT_FOUND, "row %" PRIu64, row);
    if (first + n > table->n_rows)
        n = table->n_rows - first;
    if (table->fail_at >= first && table->fail_at < first + n)
        return error_set(err, ERR_IO, "the disk is gone");
    /* a fresh block each time, so that a stale pointer is seen */
    free(table->rows);
    table->rows = malloc(n * COLUMNS * sizeof(double));
    for (uint64_t i = 0; i < n; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            table->rows[i * COLUMNS + c] = value_at(first + i, c);
    table->blocks_read++;
    *ret_block = (RowsBlock){first, n, table->rows};
    return OK;
}

/* Whatever is read of it from now on is a mistake that AddressSanitizer sees. */
static void release_block(void *self)
{
    FakeTable *table = self;
    free(table->rows);
    table->rows = NULL;
}

static Text read_all(const ResultRequest *request, FakeTable *table, size_t piece, Status *status)
{
    RowsSource source = {table, fake_block, release_block};
    ResultWriter *writer;
    Text all = TEXT_INIT;
    char *buffer = malloc(piece);

    ck_assert_int_eq(result_writer_new(request, &source, &writer, NULL), OK);
    for (size_t n; (n = result_writer_read(writer, buffer, piece)) > 0;) {
        ck_assert_uint_le(n, piece);
        text_append(&all, buffer, n);
    }
    ck_assert_uint_eq(result_writer_read(writer, buffer, piece), 0);
    *status = result_writer_status(writer, NULL);
    result_writer_free(writer);
    free(buffer);
    free(table->rows);
    table->rows = NULL;
    return all;
}

/* The rows a request means, the obvious way. */
static size_t expected_rows(const ResultRequest *r, uint64_t *ret_rows)
{
    size_t n = 0;
    for (uint64_t k = r->first; k < r->end && (r->limit == 0 || n < r->limit);
         k += r->stride ? r->stride : 1)
        ret_rows[n++] = k;
    return n;
}

static void expect_csv(const ResultRequest *r, const uint64_t *rows, size_t n, Text *out)
{
    static const char *const CELLS[COLUMNS] = {"t", "dot(x)", "\"A[z](x,\"\"y\"\")\""};
    for (size_t i = 0; i < r->n_columns; i++)
        text_printf(out, "%s%s", i ? "," : "", CELLS[r->columns[i]]);
    text_puts(out, "\r\n");
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < r->n_columns; i++) {
            text_puts(out, i ? "," : "");
            text_number(out, value_at(rows[k], r->columns[i]));
        }
        text_puts(out, "\r\n");
    }
}

static void expect_ndjson(const ResultRequest *r, const uint64_t *rows, size_t n, Text *out)
{
    static const char *const KEYS[COLUMNS] = {"\"t\":", "\"dot(x)\":", "\"A[z](x,\\\"y\\\")\":"};
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < r->n_columns; i++) {
            text_printf(out, "%s%s", i ? "," : "{", KEYS[r->columns[i]]);
            text_number(out, value_at(rows[k], r->columns[i]));
        }
        text_puts(out, "}\n");
    }
}

static void expect_json(const ResultRequest *r, const uint64_t *rows, size_t n, Text *out)
{
    static const char *const QUOTED[COLUMNS] = {"\"t\"", "\"dot(x)\"", "\"A[z](x,\\\"y\\\")\""};
    text_puts(out, "{\"columns\":[");
    for (size_t i = 0; i < r->n_columns; i++)
        text_printf(out, "%s%s", i ? "," : "", QUOTED[r->columns[i]]);
    text_puts(out, "],\"series\":{");
    for (size_t i = 0; i < r->n_columns; i++) {
        text_printf(out, "%s%s:[", i ? "," : "", QUOTED[r->columns[i]]);
        for (size_t k = 0; k < n; k++) {
            text_puts(out, k ? "," : "");
            text_number(out, value_at(rows[k], r->columns[i]));
        }
        text_puts(out, "]");
    }
    text_puts(out, "},\"complete\":true}");
}

static void expect_npy(const ResultRequest *r, const uint64_t *rows, size_t n, Text *out)
{
    static const char *const FIELDS[COLUMNS] = {"('t', '<f8')", "('dot(x)', '<f8')",
                                                "('A[z](x,\"y\")', '<f8')"};
    char header[256];
    int length = snprintf(header, sizeof header, "{'descr': [");

    for (size_t i = 0; i < r->n_columns; i++)
        length += snprintf(header + length, sizeof header - (size_t)length, "%s%s", i ? ", " : "",
                           FIELDS[r->columns[i]]);
    length += snprintf(header + length, sizeof header - (size_t)length,
                       "], 'fortran_order': False, 'shape': (%zu,), }", n);
    const int padded = (10 + length + 1 + 63) / 64 * 64 - 10;
    text_append(out, "\x93NUMPY\x01\x00", 8);
    text_putc(out, (char)(padded % 256));
    text_putc(out, (char)(padded / 256));
    text_printf(out, "%-*s\n", padded - 1, header);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < r->n_columns; i++) {
            const double value = value_at(rows[k], r->columns[i]);
            text_append(out, (const char *)&value, sizeof value);
        }
}

static void compare(const ResultRequest *request, FakeTable *table, size_t piece)
{
    static uint64_t rows[4096];
    Text expected = TEXT_INIT;
    Status status;

    size_t n = expected_rows(request, rows);
    ck_assert_uint_eq(result_rows(request, NULL), n);
    if (request->format == RESULT_CSV)
        expect_csv(request, rows, n, &expected);
    else if (request->format == RESULT_NDJSON)
        expect_ndjson(request, rows, n, &expected);
    else if (request->format == RESULT_NPY)
        expect_npy(request, rows, n, &expected);
    else
        expect_json(request, rows, n, &expected);
    Text got = read_all(request, table, piece, &status);
    ck_assert_int_eq(status, OK);
    ck_assert_uint_eq(got.length, expected.length);
    ck_assert_mem_eq(text_string(&got), text_string(&expected), expected.length);
    text_done(&got);
    text_done(&expected);
}

START_TEST(every_slice_is_what_the_obvious_loop_writes)
{
    static const size_t ALL[] = {0, 1, 2}, SOME[] = {2, 0}, ONE[] = {1};
    static const struct {
        const size_t *columns;
        size_t n;
    } SELECTIONS[] = {{ALL, 3}, {SOME, 2}, {ONE, 1}};
    Random random;

    random_init(&random, 3 + (uint64_t)_i);
    for (int i = 0; i < 400; i++) {
        uint64_t bits = random_bits(&random);
        FakeTable table = {
            .n_rows = bits % 300, .block_rows = 1 + (bits >> 16) % 40, .fail_at = UINT64_MAX};
        size_t s = (bits >> 24) % LENGTH(SELECTIONS);
        uint64_t end = table.n_rows - (bits >> 26) % 4 * (table.n_rows / 7);
        ResultRequest request = {.format = (ResultFormat)_i,
                                 .names = NAMES,
                                 .n_names = COLUMNS,
                                 .columns = SELECTIONS[s].columns,
                                 .n_columns = SELECTIONS[s].n,
                                 .first = (bits >> 32) % (table.n_rows + 2),
                                 .end = end,
                                 .stride = (bits >> 44) % 3 ? (bits >> 46) % 90 : 0,
                                 .limit = (bits >> 56) % 2 ? (bits >> 57) % 60 : 0,
                                 .tile = (bits >> 40) % 3 ? 1 + (bits >> 13) % 700 : 0,
                                 .complete = true};
        compare(&request, &table, 1 + (size_t)((bits >> 20) % 5000));
    }
}
END_TEST

/* Lengths at which the name of the last series comes where a chunk ends. */
START_TEST(a_name_at_the_end_of_a_chunk_is_written_once)
{
    for (uint64_t i = 0; i < 3000; i++) {
        const uint64_t first = i % 30, end = first + 1720 + i / 30;
        FakeTable table = {.n_rows = end, .block_rows = 512, .fail_at = UINT64_MAX};
        ResultRequest request = {.format = RESULT_JSON,
                                 .names = NAMES,
                                 .n_names = COLUMNS,
                                 .columns = (const size_t[]){0, 1, 2},
                                 .n_columns = COLUMNS,
                                 .first = first,
                                 .end = end,
                                 .complete = true};
        compare(&request, &table, 65536);
    }
}
END_TEST

START_TEST(next_row_of_a_cut_slice_is_the_cursor)
{
    ResultRequest request = {.first = 5, .end = 100, .stride = 10, .limit = 4};
    uint64_t next;

    ck_assert_uint_eq(result_rows(&request, &next), 4);
    ck_assert_uint_eq(next, 45);
    request.limit = 10;
    ck_assert_uint_eq(result_rows(&request, &next), 10);
    ck_assert_uint_eq(next, 100);
    request.end = 5;
    ck_assert_uint_eq(result_rows(&request, &next), 0);
}
END_TEST

START_TEST(members_around_the_series_are_written)
{
    static const size_t COLUMN[] = {0};
    FakeTable table = {.n_rows = 2, .block_rows = 8, .fail_at = UINT64_MAX};
    ResultRequest request = {.format = RESULT_JSON,
                             .names = NAMES,
                             .n_names = COLUMNS,
                             .columns = COLUMN,
                             .n_columns = 1,
                             .end = 2,
                             .table = "sec\"tion",
                             .next = "17"};
    Status status;

    Text text = read_all(&request, &table, 100, &status);
    ck_assert_str_eq(text_string(&text),
                     "{\"table\":\"sec\\\"tion\",\"columns\":[\"t\"],\"series\":"
                     "{\"t\":[0,0.125]},\"complete\":false,\"next\":\"17\"}");
    text_done(&text);
}
END_TEST

static Status one_nan_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    static const double ROW[2] = {1, (double)NAN};
    (void)self, (void)row, (void)err;
    *ret_block = (RowsBlock){0, 1, ROW};
    return OK;
}

START_TEST(a_value_that_is_not_finite_is_null_or_an_empty_cell)
{
    static const char *const EXPECTED[] = {
        "{\"columns\":[\"t\",\"dot(x)\"],\"series\":{\"t\":[1],\"dot(x)\":[null]},\"complete\":"
        "false}",
        "{\"t\":1,\"dot(x)\":null}\n", "t,dot(x)\r\n1,\r\n"};
    RowsSource source = {NULL, one_nan_block, NULL};
    ResultRequest request = {.format = (ResultFormat)_i, .names = NAMES, .n_names = 2, .end = 1};
    ResultWriter *writer;
    char buffer[200];

    ck_assert_int_eq(result_writer_new(&request, &source, &writer, NULL), OK);
    size_t n = result_writer_read(writer, buffer, sizeof buffer - 1);
    buffer[n] = '\0';
    ck_assert_str_eq(buffer, EXPECTED[_i]);
    result_writer_free(writer);
}
END_TEST

/* Six rows: their number, and a word for it. */
static Status six_rows(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    static const double ROWS[12] = {0, 0, 1, 1, 2, 2, 3, -1, 4, 0.5, 5, (double)NAN};
    (void)self, (void)row, (void)err;
    *ret_block = (RowsBlock){0, 6, ROWS};
    return OK;
}

static const struct {
    ResultFormat format;
    uint64_t shape[3];
    size_t n_shape;
    const char *expected; /* of NPY: what follows the header */
} MATRICES[] = {
    {RESULT_JSON,
     {2, 3},
     2,
     "{\"axes\":[1],\"columns\":[\"n\",\"w\"],\"series\":{\"n\":[[0,1,2],[3,4,5]],\"w\":[[\"zero\","
     "\"o\\\"e\",null],[null,null,null]]},\"complete\":false}"},
    {RESULT_JSON,
     {3, 1, 2},
     3,
     "{\"axes\":[1],\"columns\":[\"n\",\"w\"],\"series\":{\"n\":[[[0,1]],[[2,3]],[[4,5]]],\"w\":[[["
     "\"zero\",\"o\\\"e\"]],[[null,null]],[[null,null]]]},\"complete\":false}"},
    {RESULT_CSV, {0}, 0, "n,w\r\n0,zero\r\n1,\"o\"\"e\"\r\n2,\r\n3,\r\n4,\r\n5,\r\n"},
    {RESULT_NDJSON,
     {0},
     0,
     "{\"n\":0,\"w\":\"zero\"}\n{\"n\":1,\"w\":\"o\\\"e\"}\n{\"n\":2,\"w\":null}\n"
     "{\"n\":3,\"w\":null}\n{\"n\":4,\"w\":null}\n{\"n\":5,\"w\":null}\n"},
};

static bool write_one(void *self, Text *out)
{
    static const char *const PIECES[] = {"[", "1", "]"};
    size_t *n = self;

    text_puts(out, PIECES[*n]);
    return ++*n == 3;
}

START_TEST(words_stand_for_numbers_and_rows_for_a_matrix)
{
    static const char *const WORDS[] = {"zero", "o\"e", NULL};
    static const char *const NAMES_OF_TWO[] = {"n", "w"};
    const ResultWords words[] = {{0}, {WORDS, 3}};
    RowsSource source = {NULL, six_rows, NULL};
    size_t written = 0;
    ResultRequest request = {.format = MATRICES[_i].format,
                             .names = NAMES_OF_TWO,
                             .n_names = 2,
                             .words = words,
                             .end = 6,
                             .axes = {&written, write_one},
                             .shape = MATRICES[_i].n_shape ? MATRICES[_i].shape : NULL,
                             .n_shape = MATRICES[_i].n_shape};
    ResultWriter *writer;
    char buffer[400];

    ck_assert_int_eq(result_writer_new(&request, &source, &writer, NULL), OK);
    size_t n = result_writer_read(writer, buffer, sizeof buffer - 1);
    buffer[n] = '\0';
    ck_assert_str_eq(buffer, MATRICES[_i].expected);
    result_writer_free(writer);
}
END_TEST

START_TEST(numpy_gets_words_of_one_length_and_any_names)
{
    static const char *const WORDS[] = {"zero", "one"};
    static const char *const NAMES_OF_TWO[] = {"it's\\", "\xc3\xa9"};
    static const char HEADER[] = "{'descr': [('it\\'s\\\\', '<f8'), ('\xc3\xa9', '|S4')], "
                                 "'fortran_order': False, 'shape': (3,2,), }";
    const ResultWords words[] = {{0}, {WORDS, 2}};
    RowsSource source = {NULL, six_rows, NULL};
    ResultRequest request = {.format = RESULT_NPY,
                             .names = NAMES_OF_TWO,
                             .n_names = 2,
                             .words = words,
                             .end = 6,
                             .shape = (const uint64_t[]){3, 2},
                             .n_shape = 2};
    ResultWriter *writer;
    char buffer[400];
    double number;

    ck_assert_int_eq(result_writer_new(&request, &source, &writer, NULL), OK);
    const size_t n = result_writer_read(writer, buffer, sizeof buffer);
    ck_assert_mem_eq(buffer, "\x93NUMPY\x03\x00", 8);
    ck_assert_uint_eq((unsigned char)buffer[8] + 12U, 128);
    ck_assert_mem_eq(buffer + 12, HEADER, sizeof HEADER - 1);
    ck_assert_uint_eq(n, 128 + 6 * 12);
    memcpy(&number, buffer + 128 + 12, sizeof number);
    ck_assert_double_eq(number, 1);
    ck_assert_mem_eq(buffer + 128 + 8, "zero", 4);
    ck_assert_mem_eq(buffer + 128 + 20, "one\0", 4);
    ck_assert_mem_eq(buffer + 128 + 32, "\0\0\0\0", 4);
    result_writer_free(writer);
}
END_TEST

START_TEST(a_failing_source_ends_the_stream_early_and_says_so)
{
    FakeTable table = {.n_rows = 100000, .block_rows = 1000, .fail_at = 60000};
    ResultRequest request = {
        .format = (ResultFormat)_i, .names = NAMES, .n_names = COLUMNS, .end = 100000};
    Status status;

    Text text = read_all(&request, &table, 4096, &status);
    ck_assert_int_eq(status, ERR_IO);
    text_done(&text);
}
END_TEST

START_TEST(a_column_that_does_not_exist_is_refused)
{
    static const size_t COLUMN[] = {3};
    RowsSource source = {NULL, fake_block, NULL};
    ResultRequest request = {.names = NAMES, .n_names = COLUMNS, .columns = COLUMN, .n_columns = 1};
    ResultWriter *writer;

    ck_assert_int_eq(result_writer_new(&request, &source, &writer, NULL), ERR_INVALID);
}
END_TEST

START_TEST(a_small_result_is_read_from_its_source_once)
{
    FakeTable table = {.n_rows = 5000, .block_rows = 1000, .fail_at = UINT64_MAX};
    ResultRequest request = {
        .format = (ResultFormat)_i, .names = NAMES, .n_names = COLUMNS, .end = 5000};
    Status status;

    Text text = read_all(&request, &table, 4096, &status);
    ck_assert_uint_eq(table.blocks_read, 5);
    text_done(&text);
}
END_TEST

/* Reading costs: a part of the columns at a time, as many as fit, reads each block once. */
START_TEST(json_reads_its_source_as_often_as_its_columns_need_tiles)
{
    static const struct {
        size_t tile;
        uint64_t times;
    } READS[] = {{1500, 1}, {1499, 2}, {1000, 2}, {999, 3}, {500, 3}};

    for (size_t i = 0; i < LENGTH(READS); i++) {
        FakeTable table = {.n_rows = 500, .block_rows = 50, .fail_at = UINT64_MAX};
        ResultRequest request = {.format = RESULT_JSON,
                                 .names = NAMES,
                                 .n_names = COLUMNS,
                                 .end = 500,
                                 .tile = READS[i].tile};
        Status status;
        Text text = read_all(&request, &table, 4096, &status);
        ck_assert_uint_eq(table.blocks_read, 10 * READS[i].times);
        text_done(&text);
    }
}
END_TEST

START_TEST(as_much_is_read_ahead_as_helps)
{
    static const struct {
        ResultFormat format;
        uint64_t rows;
        size_t columns, columns_at_once; /* 0: parts of one */
    } TILES[] = {
        {RESULT_JSON, 7, 3, 3},       {RESULT_JSON, 500000, 5, 5},   {RESULT_JSON, 500000, 8, 8},
        {RESULT_JSON, 500000, 9, 5}, /* 5 and 4 take two turns, as 8 and 1 do */
        {RESULT_JSON, 500000, 30, 8}, {RESULT_JSON, 2097152, 30, 2}, {RESULT_JSON, 2097153, 30, 0},
        {RESULT_JSON, 4194304, 1, 1}, {RESULT_JSON, 10000000, 1, 0}, {RESULT_CSV, 7, 3, 3},
        {RESULT_CSV, 500000, 30, 0},
    };

    for (size_t i = 0; i < LENGTH(TILES); i++) {
        const ResultRequest request = {
            .format = TILES[i].format, .n_names = TILES[i].columns, .end = TILES[i].rows};
        const size_t tile = result_tile(&request);
        if (TILES[i].columns_at_once)
            ck_assert_uint_eq(tile, TILES[i].columns_at_once * TILES[i].rows);
        else
            ck_assert_uint_le(tile, RESULT_TILE_FAIR);
    }
}
END_TEST

/* Downloads that go on at the same time share 64 MiB: of those that would like 32 MiB the first get
 * the half of what is left, then what all get who are not large, and the last almost nothing. */
START_TEST(large_tiles_leave_room_for_others)
{
    static const size_t TILES[] = {1 << 22, 1 << 21, 1 << 20, 1 << 19, 1 << 19, 1 << 13, 1 << 13};
    size_t held[LENGTH(TILES)] = {0}, small = 0;
    Budget budget;

    budget_init(&budget, 64 << 20);
    for (size_t i = 0; i < LENGTH(TILES); i++) {
        ck_assert_uint_eq(reply_tile(&budget, &held[i], RESULT_TILE_MOST), TILES[i]);
        ck_assert_uint_eq(held[i], TILES[i] * sizeof(double));
    }
    budget_give(&budget, &held[4]);
    ck_assert_uint_eq(reply_tile(&budget, &small, 1000), 1000);
    ck_assert_uint_eq(small, 1000 * sizeof(double));
    ck_assert_uint_eq(reply_tile(NULL, &held[4], 1 << 22), 1 << 22);

    budget_init(&budget, 1 << 20); /* alone: what is fair, however little there is */
    held[0] = 0;
    ck_assert_uint_eq(reply_tile(&budget, &held[0], RESULT_TILE_MOST), RESULT_TILE_FAIR);
}
END_TEST

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The sum of a column is checked through the text, which is not kept. */
START_TEST(a_million_rows_stream_in_bounded_memory)
{
    enum { ROWS = 1000000 };
    FakeTable table = {.n_rows = ROWS, .block_rows = 8192, .fail_at = UINT64_MAX};
    RowsSource source = {&table, fake_block, release_block};
    ResultRequest request = {.format = (ResultFormat)_i,
                             .names = NAMES,
                             .n_names = COLUMNS,
                             .end = ROWS,
                             .tile = RESULT_TILE_FAIR,
                             .complete = true};
    ResultWriter *writer;
    static char buffer[65536];
    size_t bytes = 0, separators = 0;
    long before = peak_kib();

    ck_assert_int_eq(result_writer_new(&request, &source, &writer, NULL), OK);
    for (size_t n; (n = result_writer_read(writer, buffer, sizeof buffer)) > 0; bytes += n)
        for (size_t i = 0; i < n; i++)
            separators += buffer[i] == ',';
    ck_assert_int_eq(result_writer_status(writer, NULL), OK);
    result_writer_free(writer);
    free(table.rows);
    long grown = peak_kib() - before;
    printf("streamed %zu bytes of %d rows; peak memory grew by %ld KiB\n", bytes, (int)ROWS, grown);
    /* per row 2 (JSON 3) separators; besides: names, header */
    size_t per_row = _i == RESULT_JSON ? 3 : 2, names = _i == RESULT_NDJSON ? ROWS : 0;
    ck_assert_uint_ge(separators, per_row * ROWS - 3 + names);
    ck_assert_uint_le(separators, per_row * ROWS + 12 + names);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    ck_assert_int_lt(grown, 16 * 1024);
#endif
}
END_TEST

SUITE(result_writer)
{
    TCase *tc = suite_case(suite, "stream");
    tcase_add_loop_test(tc, every_slice_is_what_the_obvious_loop_writes, 0, 4);
    tcase_add_test(tc, a_name_at_the_end_of_a_chunk_is_written_once);
    tcase_add_test(tc, next_row_of_a_cut_slice_is_the_cursor);
    tcase_add_test(tc, members_around_the_series_are_written);
    tcase_add_loop_test(tc, a_value_that_is_not_finite_is_null_or_an_empty_cell, 0, 3);
    tcase_add_loop_test(tc, a_failing_source_ends_the_stream_early_and_says_so, 0, 4);
    tcase_add_loop_test(tc, words_stand_for_numbers_and_rows_for_a_matrix, 0, LENGTH(MATRICES));
    tcase_add_test(tc, numpy_gets_words_of_one_length_and_any_names);
    tcase_add_test(tc, a_column_that_does_not_exist_is_refused);
    tcase_add_test(tc, json_reads_its_source_as_often_as_its_columns_need_tiles);
    tcase_add_test(tc, as_much_is_read_ahead_as_helps);
    tcase_add_test(tc, large_tiles_leave_room_for_others);
    tcase_add_loop_test(tc, a_small_result_is_read_from_its_source_once, 0, 4);
    tcase_add_loop_test(tc, a_million_rows_stream_in_bounded_memory, 0, 3);
}
