/* One job of the self-test: run in this process, its last rows as numbers, and their comparison
 * with the expected ones. */
#include <math.h>
#include <string.h>

#include "api/prepared_job.h"
#include "server/command/ensemble_threads.h"
#include "server/command/selftest.h"

const SelftestExpected *selftest_expected(const char *name)
{
    for (size_t k = 0; k < SELFTEST_EXPECTED_COUNT; k++)
        if (strcmp(SELFTEST_EXPECTED[k].name, name) == 0)
            return &SELFTEST_EXPECTED[k];
    return NULL;
}

/* The last row of the trajectory, then that of each event: values[1 + n_tables][n_columns]. */
typedef struct LastRows {
    double *values;
    size_t n_columns;
} LastRows;

static Status keep_last(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    const LastRows *last = self;
    const size_t n = last->n_columns;
    (void)err;
    memcpy(last->values + (size_t)(table + 1) * n, rows + (n_rows - 1) * n, n * sizeof *rows);
    return OK;
}

/* Names the values of n_rows rows; the names of a row begin with prefixes[row]. */
static Status name_numbers(const char *const *prefixes, const char *const *columns,
                           const double *values, size_t n_rows, size_t n_columns, Arena *arena,
                           const SelftestNumber **ret_numbers)
{
    SelftestNumber *numbers = ARENA_NEW(arena, n_rows * n_columns, SelftestNumber);
    for (size_t row = 0; numbers && row < n_rows; row++)
        for (size_t k = 0; k < n_columns; k++)
            numbers[row * n_columns + k] =
                (SelftestNumber){arena_printf(arena, "%s%s", prefixes[row], columns[k]),
                                 values[row * n_columns + k]};
    if (numbers)
        *ret_numbers = numbers;
    return numbers ? OK : ERR_NO_MEMORY;
}

static Status run_motion(Simulation *simulation, Arena *arena, const SelftestNumber **ret_numbers,
                         size_t *ret_n, Error *err)
{
    SimulationResult result;
    const char *const *columns, *const *tables;
    LastRows last = {.n_columns = simulation_columns(simulation, &columns)};
    const size_t n_rows = 1 + simulation_tables(simulation, &tables);
    const SimulationSink sink = {.self = &last, .rows = keep_last};
    const char **prefixes = ARENA_NEW(arena, n_rows, const char *);
    last.values = ARENA_NEW(arena, n_rows * last.n_columns, double);
    if (!prefixes || !last.values)
        return arena_status(arena, err);
    prefixes[0] = "";
    for (size_t k = 1; k < n_rows; k++)
        prefixes[k] = arena_printf(arena, "%s ", tables[k - 1]);
    /* run it to its end */
    Status status = simulation_run(simulation, &sink, &result, err);
    if (status == OK && result.end.status != OK)
        status = error_set(err, result.end.status, "%s", result.end.message);
    if (status == OK)
        status = name_numbers(prefixes, columns, last.values, n_rows, last.n_columns, arena,
                              ret_numbers);
    if (status == OK)
        *ret_n = n_rows * last.n_columns;
    return status == OK ? arena_status(arena, err) : status;
}

/* One thread: the members share its lanes. */
static Status run_members(PreparedJob *job, Arena *arena, const SelftestNumber **ret_numbers,
                          size_t *ret_n, Error *err)
{
    EnsembleThreads *run = NULL;
    const char *const *columns;
    RowsBlock block;
    uint64_t n_rows = 0;
    Status status = ensemble_threads_run(job, 1, NULL, &run, err);
    if (status != OK)
        return status;
    /* the rows of all members: the job has one sample */
    const RowsSource source = ensemble_threads_rows(run, 0, &n_rows);
    const size_t n_columns = ensemble_table_columns(job->ensemble, &columns);
    const char **prefixes = ARENA_NEW(arena, n_rows, const char *);
    for (uint64_t k = 0; prefixes && k < n_rows; k++)
        prefixes[k] = arena_printf(arena, "member %d ", (int)k);
    status = prefixes ? source.block(source.self, 0, &block, err) : ERR_NO_MEMORY;
    if (status == OK)
        status = name_numbers(prefixes, columns, block.rows, n_rows, n_columns, arena, ret_numbers);
    if (status == OK)
        *ret_n = n_rows * n_columns;
    ensemble_threads_free(run);
    return status == OK ? arena_status(arena, err) : status;
}

Status selftest_run(const CatalogEntry *job, Arena *arena, const SelftestNumber **ret_numbers,
                    size_t *ret_n, Error *err)
{
    const JobSetting setting = {0};
    const JobSource source = {.bytes = job->text, .size = job->size};
    PreparedJob prepared = {0};
    Diagnostics diag;
    diagnostics_init(&diag, arena);
    Status status = prepared_job_init(&prepared, &setting, &source, arena, &diag, NULL, err);
    if (status == OK)
        status = prepared.ensemble
                     ? run_members(&prepared, arena, ret_numbers, ret_n, err)
                     : run_motion(prepared.simulation, arena, ret_numbers, ret_n, err);
    else if (diag.count > 0)
        status = error_set(err, status, "%s: %s", diag.items[0].pointer, diag.items[0].message);
    prepared_job_done(&prepared);
    return status;
}

static bool same(double value, double expected, double tolerance)
{
    if (tolerance > 0)
        return fabs(value - expected) <= tolerance * (1 + fabs(expected));
    return memcmp(&value, &expected, sizeof value) == 0;
}

Status selftest_compare(const SelftestExpected *expected, const SelftestNumber *numbers, size_t n,
                        double tolerance, Error *err)
{
    for (size_t k = 0; k < n && k < expected->n; k++) {
        const SelftestNumber *number = &numbers[k], *other = &expected->numbers[k];
        if (strcmp(number->name, other->name) != 0)
            return error_set(err, ERR_INTERNAL, "number %zu is \"%s\", expected \"%s\"", k,
                             number->name, other->name);
        if (!same(number->value, other->value, tolerance))
            return error_set(err, ERR_INTERNAL, "%s is %.17g (%a), expected %.17g (%a)",
                             number->name, number->value, number->value, other->value,
                             other->value);
    }
    return n == expected->n ? OK
                            : error_set(err, ERR_INTERNAL, "there are %zu numbers, expected %zu", n,
                                        expected->n);
}
