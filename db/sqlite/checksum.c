/* CRC-32 (ISO 3309, by zlib) of stored rows. It detects every burst error of up to 32 bits, and all
 * but one in 2^32 of the other errors. */
#include "db/sqlite/checksum.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

void doubles_copy(void *to, const void *from, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, n * sizeof(double));
#else
    const unsigned char *in = from;
    unsigned char *out = to;
    for (size_t i = 0; i < n * sizeof(double); i++)
        out[i] = in[i ^ 7];
#endif
}

typedef struct Checksum {
    uLong crc;
} Checksum;

static void add_bytes(Checksum *checksum, const void *bytes, size_t size)
{
    checksum->crc = crc32_z(checksum->crc, bytes, size);
}

/* Least byte first on every machine. */
static void add_int(Checksum *checksum, int64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> 8 * i);
    add_bytes(checksum, bytes, sizeof bytes);
}

static void add_real(Checksum *checksum, double value)
{
    unsigned char bytes[8];
    doubles_copy(bytes, &value, 1);
    add_bytes(checksum, bytes, sizeof bytes);
}

/* The length comes first, so that bytes cannot move between adjacent values unnoticed. */
static void add_blob(Checksum *checksum, const void *bytes, size_t size)
{
    add_int(checksum, (int64_t)size);
    if (size)
        add_bytes(checksum, bytes, size);
}

static void add_text(Checksum *checksum, const char *text)
{
    if (text)
        add_blob(checksum, text, strlen(text));
    else
        add_int(checksum, -1);
}

static void add_value(Checksum *checksum, sqlite3_value *value)
{
    const int type = sqlite3_value_type(value);
    add_int(checksum, type);
    if (type == SQLITE_INTEGER) {
        add_int(checksum, sqlite3_value_int64(value));
    } else if (type == SQLITE_FLOAT) {
        add_real(checksum, sqlite3_value_double(value));
    } else if (type != SQLITE_NULL) {
        const void *bytes = sqlite3_value_blob(value); /* the size is that of this form */
        add_blob(checksum, bytes, (size_t)sqlite3_value_bytes(value));
    }
}

/* Shifted down by half its range, so that SQLite stores it in four bytes. */
static void row_checksum(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    Checksum checksum = {0};
    for (int i = 0; i < n_values; i++)
        add_value(&checksum, values[i]);
    sqlite3_result_int64(context, (int64_t)checksum.crc + INT32_MIN);
}

static void row_checksum_grown(sqlite3_context *context, int n_values, sqlite3_value **values)
{
    const int n_first = 1 + sqlite3_value_int(values[0]);
    while (n_values > n_first && sqlite3_value_type(values[n_values - 1]) == SQLITE_NULL)
        n_values--;
    row_checksum(context, n_values - 1, values + 1);
}

int checksum_register(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    const int code =
        sqlite3_create_function(db, "row_checksum", -1, flags, NULL, row_checksum, NULL, NULL);
    return code != SQLITE_OK ? code
                             : sqlite3_create_function(db, "row_checksum_grown", -1, flags, NULL,
                                                       row_checksum_grown, NULL, NULL);
}

int64_t block_checksum(const BlockRow *block)
{
    Checksum checksum = {0};
    add_int(&checksum, block->job);
    add_int(&checksum, block->table);
    add_int(&checksum, (int64_t)block->first_row);
    add_int(&checksum, (int64_t)block->n_rows);
    add_int(&checksum, (int64_t)block->n_columns);
    add_real(&checksum, block->t_first);
    add_real(&checksum, block->t_last);
    add_blob(&checksum, block->data, block->size);
    return (int64_t)checksum.crc;
}

int64_t request_checksum(int64_t job, const void *bytes, size_t size)
{
    Checksum checksum = {0};
    add_int(&checksum, job);
    add_blob(&checksum, bytes, size);
    return (int64_t)checksum.crc;
}

int64_t evidence_checksum(int64_t job, const char *diagnostics, const char *invariants)
{
    Checksum checksum = {0};
    add_int(&checksum, job);
    add_text(&checksum, diagnostics);
    add_text(&checksum, invariants);
    return (int64_t)checksum.crc;
}

int64_t model_checksum(const char *id, const char *name, const void *document, size_t size)
{
    Checksum checksum = {0};
    add_text(&checksum, id);
    add_text(&checksum, name);
    add_blob(&checksum, document, size);
    return (int64_t)checksum.crc;
}

bool block_row(Query *query, BlockRow *ret_block)
{
    *ret_block = (BlockRow){
        .job = row_int(query, 0),
        .table = (int)row_int(query, 1),
        .first_row = (uint64_t)row_int(query, 2),
        .n_rows = (uint64_t)row_int(query, 3),
        .n_columns = (uint64_t)row_int(query, 4),
        .t_first = row_real(query, 5),
        .t_last = row_real(query, 6),
        .data = sqlite3_column_blob(query->statement, 7),
    };
    ret_block->size = (size_t)sqlite3_column_bytes(query->statement, 7);
    const uint64_t doubles = ret_block->size / sizeof(double);
    return ret_block->data && ret_block->n_columns > 0 && ret_block->n_rows > 0 &&
           ret_block->size % sizeof(double) == 0 && doubles % ret_block->n_columns == 0 &&
           doubles / ret_block->n_columns == ret_block->n_rows;
}

bool checksum_agrees(const Query *query, int column, int64_t checksum)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL ||
           row_int(query, column) == checksum;
}

#undef damage
Status damage(Store *store, Error *err, const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    atomic_fetch_add(&store->activity.damaged, 1);
    return error_set(err, ERR_DAMAGED, "%s", message);
}
