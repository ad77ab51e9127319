/* Threads that take ranges of members, large ranges first and small ones towards the end, until
 * none is left. */
#include "server/command/ensemble_threads.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/documents/envelope.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/ensemble/instants.h"
#include "server/work/member_failures.h"

/* Members of a range: enough to fill the lanes, few enough that the threads end together. */
enum { RANGE_LEAST = 32, RANGE_MOST = 8192, RANGES_PER_THREAD = 4 };
static const double SECONDS_PER_LOOK = 0.1;

/* Rows of one length, one after the other. */
typedef struct Rows {
    double *values;
    size_t n_values, capacity;
} Rows;

/* Members that a thread has taken. tables[0] is the summary. */
typedef struct Range {
    struct Range *older; /* previous range of its thread, under way with it */
    uint64_t first, n, done, told;
    Rows *tables;  /* n_tables + 1 */
    double *cells; /* [n] statistics over time, until the range has ended */
} Range;

/* One table of all ranges. */
typedef struct Whole {
    const EnsembleThreads *run;
    size_t table, row_length;
    uint64_t *starts; /* n_ranges + 1: the first row of each range */
} Whole;

struct EnsembleThreads {
    PreparedJob *job;
    Arena *arena;
    SummaryColumns summary;
    size_t n_tables, table_columns;
    OverTimeShape over_time;
    pthread_mutex_t lock; /* guards the members below, up to `stop` */
    pthread_cond_t ended;
    unsigned running;
    uint64_t total, next; /* the first member that is not taken */
    Range **ranges;
    size_t n_ranges, ranges_capacity;
    OverTimeForest forest; /* of ended ranges */
    Status status;         /* of the first thread that failed */
    Error error;
    atomic_bool stop; /* no more members */
    atomic_uint_least64_t told;
    unsigned threads;
    double deadline;          /* of clock_seconds(); 0: none */
    Whole *wholes;            /* n_tables + 1 */
    MemberFailures *failures; /* with the lock held */
    EnsembleSum sum;
};

/* A thread with its own ensemble. */
typedef struct Runner {
    EnsembleThreads *run;
    Ensemble *ensemble;
    bool borrowed; /* it belongs to the job */
    pthread_t thread;
    Range *ranges;         /* under way, the newest first */
    uint64_t held;         /* members whose cells are in memory */
    OverTimeForest forest; /* of ended ranges, until it joins the forest of all */
} Runner;

static bool time_is_up(const EnsembleThreads *run)
{
    return run->deadline > 0 && clock_seconds() > run->deadline;
}

static size_t row_length(const EnsembleThreads *run, size_t table)
{
    return table ? run->table_columns : run->summary.n;
}

static void range_free(const EnsembleThreads *run, Range *range)
{
    for (size_t t = 0; range->tables && t <= run->n_tables; t++)
        free(range->tables[t].values);
    free(range->tables);
    free(range->cells);
    free(range);
}

/* False: out of memory. */
static bool make_cells(Range *range, OverTimeShape shape)
{
    const size_t cells = over_time_cells(shape);

    range->cells = alloc_array((size_t)range->n, cells * sizeof *range->cells);
    for (size_t k = 0; range->cells && k < (size_t)range->n * cells; k++)
        range->cells[k] = NAN;
    return range->cells != NULL;
}

static Range *range_new(const EnsembleThreads *run, uint64_t first, uint64_t n)
{
    Range *range = calloc(1, sizeof *range);
    if (!range)
        return NULL;
    range->first = first;
    range->n = n;
    range->tables = alloc_array(run->n_tables + 1, sizeof *range->tables);
    if (range->tables)
        range->tables[0].values = alloc_array(n, run->summary.n * sizeof(double));
    if (range->tables && range->tables[0].values && make_cells(range, run->over_time))
        return range;
    range_free(run, range);
    return NULL;
}

static uint64_t range_size(const EnsembleThreads *run, uint64_t left)
{
    uint64_t n = left / ((uint64_t)RANGES_PER_THREAD * run->threads);
    if (n < RANGE_LEAST)
        n = RANGE_LEAST;
    if (n > RANGE_MOST)
        n = RANGE_MOST;
    if (n > over_time_held(run->over_time))
        n = over_time_held(run->over_time);
    return n < left ? n : left;
}

/* With the lock held. *ret_range NULL: no work is left. */
static Status take_range(EnsembleThreads *run, Range **ret_range, Error *err)
{
    const uint64_t left = run->total - run->next;

    *ret_range = NULL;
    if (left == 0 || run->status != OK || atomic_load(&run->stop) || time_is_up(run))
        return OK;
    Range *range = range_new(run, run->next, range_size(run, left));
    if (!range ||
        !grow_array(&run->ranges, &run->ranges_capacity, run->n_ranges + 1, sizeof *run->ranges)) {
        if (range)
            range_free(run, range);
        return error_set(err, ERR_NO_MEMORY, "out of memory for the members");
    }
    run->ranges[run->n_ranges++] = range;
    run->next += range->n;
    *ret_range = range;
    return OK;
}

static Range *range_of(const Runner *runner, uint64_t member)
{
    Range *range = runner->ranges;
    while (member < range->first || member - range->first >= range->n)
        range = range->older;
    return range;
}

/* Adds the first `done` members to the forest, and frees their cells. */
static Status digest_cells(Runner *runner, Range *range, uint64_t done, Error *err)
{
    if (!range->cells)
        return OK;
    const Status status = over_time_forest_add(&runner->forest, runner->run->over_time,
                                               range->first, done, range->cells, err);
    free(range->cells);
    range->cells = NULL;
    runner->held -= range->n;
    return status;
}

static Status on_member(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    Runner *runner = self;
    EnsembleThreads *run = runner->run;
    Range *range = range_of(runner, k);
    const size_t n = run->summary.n;

    summary_view(row, n, range->tables[0].values + (k - range->first) * n);
    if (reason && message) {
        pthread_mutex_lock(&run->lock);
        member_failures_add(run->failures, k, message);
        pthread_mutex_unlock(&run->lock);
    }
    if (reason && run->job->input.ensemble.stop_on_error)
        atomic_store(&run->stop, true);
    atomic_fetch_add(&run->told, 1);
    return ++range->told == range->n ? digest_cells(runner, range, range->n, err) : OK;
}

static Status on_rows(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                      Error *err)
{
    const Runner *runner = self;
    Rows *kept = &range_of(runner, k)->tables[table + 1];
    const size_t n = n_rows * runner->run->table_columns;

    if (!grow_array(&kept->values, &kept->capacity, kept->n_values + n, sizeof *kept->values))
        return error_set(err, ERR_NO_MEMORY, "out of memory for the rows of members");
    memcpy(kept->values + kept->n_values, rows, n * sizeof *rows);
    kept->n_values += n;
    return OK;
}

static Status on_over_time(void *self, uint64_t k, const double *cells, Error *err)
{
    const Runner *runner = self;
    const Range *range = range_of(runner, k);
    const size_t n = over_time_cells(runner->run->over_time);

    (void)err;
    memcpy(range->cells + (k - range->first) * n, cells, n * sizeof *cells);
    return OK;
}

static Status on_poll(void *self, Error *err)
{
    const Runner *runner = self;
    if (time_is_up(runner->run))
        return error_set(err, ERR_TIMEOUT, "the timeout of the ensemble was reached");
    return OK;
}

static bool on_enough(void *self)
{
    const Runner *runner = self;
    return atomic_load(&runner->run->stop) || time_is_up(runner->run);
}

/* Members that ran side by side have mixed their rows: sorts the rows of the ended members by
 * member. */
static Status sort_rows(const Range *range, Rows *rows, size_t length, Error *err)
{
    const size_t n_rows = rows->n_values / length;
    size_t *starts = alloc_array(range->n + 2, sizeof *starts);
    double *sorted = alloc_array(n_rows, length * sizeof *sorted);

    /* count the rows of each member */
    for (size_t i = 0; starts && i < n_rows; i++)
        starts[(uint64_t)rows->values[i * length] - range->first + 2]++;
    for (uint64_t k = 0; starts && k <= range->n; k++)
        starts[k + 1] += starts[k];
    /* copy the rows to their places */
    for (size_t i = 0; starts && sorted && i < n_rows; i++) {
        const uint64_t k = (uint64_t)rows->values[i * length] - range->first;
        memcpy(sorted + starts[k + 1]++ * length, rows->values + i * length,
               length * sizeof *sorted);
    }
    /* keep those of the ended members */
    if (starts && sorted) {
        free(rows->values);
        rows->values = sorted;
        rows->n_values = starts[range->done] * length;
        sorted = NULL;
    }
    const bool good = starts && !sorted;
    free(sorted);
    free(starts);
    return good ? OK : error_set(err, ERR_NO_MEMORY, "out of memory for the rows of members");
}

/* With the lock held: take_range() for this thread. */
static Status runner_take(Runner *runner, Range **ret_range, Error *err)
{
    const Status status = take_range(runner->run, ret_range, err);
    if (status == OK && *ret_range) {
        (*ret_range)->older = runner->ranges;
        runner->ranges = *ret_range;
        runner->held += (*ret_range)->n;
    }
    return status;
}

static Status on_more(void *self, uint64_t *ret_first, uint64_t *ret_n, Error *err)
{
    Runner *runner = self;
    Range *range;

    if (runner->held > over_time_held(runner->run->over_time))
        return OK;
    pthread_mutex_lock(&runner->run->lock);
    const Status status = runner_take(runner, &range, err);
    pthread_mutex_unlock(&runner->run->lock);
    if (status == OK && range) {
        *ret_first = range->first;
        *ret_n = range->n;
    }
    return status;
}

/* Ends the ranges of the thread; the newest one has `done` ended members. */
static Status end_ranges(Runner *runner, uint64_t done, Error *err)
{
    const EnsembleThreads *run = runner->run;
    Status status = OK;

    for (Range *range = runner->ranges; range; range = range->older) {
        range->done = range == runner->ranges ? done : range->n;
        if (status == OK)
            status = digest_cells(runner, range, range->done, err);
        range->tables[0].n_values = range->done * run->summary.n;
        for (size_t t = 1; status == OK && t <= run->n_tables; t++)
            status = sort_rows(range, &range->tables[t], run->table_columns, err);
    }
    runner->ranges = NULL;
    return status;
}

/* Runs a range, and the ranges that follow in its lanes. */
static Status run_ranges(Runner *runner, const Range *range, Error *err)
{
    EnsembleThreads *run = runner->run;
    uint64_t done = 0;
    const EnsembleSink sink = {.self = runner,
                               .member = on_member,
                               .rows = on_rows,
                               .over_time = on_over_time,
                               .poll = on_poll,
                               .enough = on_enough,
                               .more = on_more,
                               .member_timeout = run->job->input.timeout};

    const Status status = ensemble_run(runner->ensemble, range->first, range->n, &sink, &done, err);
    return status == OK ? end_ranges(runner, done, err) : status;
}

static void *runner_main(void *self)
{
    Runner *runner = self;
    EnsembleThreads *run = runner->run;
    Error err = {0};
    Range *range;
    Status status;

    pthread_mutex_lock(&run->lock);
    /* run ranges until none is left */
    while ((status = runner_take(runner, &range, &err)) == OK && range) {
        pthread_mutex_unlock(&run->lock);
        status = run_ranges(runner, range, &err);
        pthread_mutex_lock(&run->lock);
        if (status == OK)
            status = over_time_forest_join(&run->forest, &runner->forest, &err);
        if (status != OK)
            break;
    }
    /* the first failure stops all threads */
    if (status != OK && run->status == OK) {
        run->status = status;
        run->error = err;
        atomic_store(&run->stop, true);
    }
    run->running--;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    over_time_forest_done(&runner->forest);
    return NULL;
}

static Status runner_start(EnsembleThreads *run, Runner *runner, bool first, Error *err)
{
    const JobInput *input = &run->job->input;
    Status status = OK;

    runner->run = run;
    runner->borrowed = first;
    runner->ensemble = first ? run->job->ensemble : NULL;
    if (!first) {
        Diagnostics diag; /* the job has passed: it has no mistakes */
        diagnostics_init(&diag, run->arena);
        status = ensemble_new(run->job->compiled, &input->spec, &input->ensemble,
                              &(EnsembleLimits){0}, &diag, &runner->ensemble, err);
    }
    if (status != OK)
        return status;
    pthread_mutex_lock(&run->lock);
    run->running++;
    const int code = pthread_create(&runner->thread, NULL, runner_main, runner);
    run->running -= code != 0;
    pthread_mutex_unlock(&run->lock);
    if (code == 0)
        return OK;
    if (!first)
        ensemble_free(runner->ensemble);
    return error_set(err, ERR_IO, "cannot start a thread: %s", strerror(code));
}

static void watch_runners(EnsembleThreads *run, const EnsembleWatch *watch)
{
    struct timespec until;

    pthread_mutex_lock(&run->lock);
    while (run->running > 0) {
        clock_timespec(clock_seconds() + SECONDS_PER_LOOK, &until);
        pthread_cond_timedwait(&run->ended, &run->lock, &until);
        if (watch && watch->progress) {
            pthread_mutex_unlock(&run->lock);
            watch->progress(watch->self, atomic_load(&run->told), run->total);
            pthread_mutex_lock(&run->lock);
        }
    }
    pthread_mutex_unlock(&run->lock);
}

static Status run_all(EnsembleThreads *run, const EnsembleWatch *watch, Error *err)
{
    Runner *runners = alloc_array(run->threads, sizeof *runners);
    Status status = runners ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    unsigned started = 0;

    /* start the threads */
    while (status == OK && started < run->threads) {
        status = runner_start(run, &runners[started], started == 0, err);
        started += status == OK;
    }
    if (status != OK)
        atomic_store(&run->stop, true);
    watch_runners(run, watch);
    /* wait for their ends */
    for (unsigned i = 0; i < started; i++) {
        pthread_join(runners[i].thread, NULL);
        if (!runners[i].borrowed)
            ensemble_free(runners[i].ensemble);
    }
    free(runners);
    if (status == OK && run->status != OK)
        status = error_set(err, run->status, "%s", run->error.message);
    return status;
}

/* Converts a row as it is shown into a row of the core. */
static void stored_row(const double *shown, size_t n, double *ret_row)
{
    memcpy(ret_row, shown, (n - 1) * sizeof *shown);
    if (!isnan(shown[n - 1]))
        ret_row[n - 2] = shown[n - 1];
}

static Status sum_up(EnsembleThreads *run, Error *err)
{
    const size_t n = run->summary.n;
    double *row = arena_doubles(run->arena, n);
    const MemberText *said;
    size_t n_said;

    if (!row)
        return arena_status(run->arena, err);
    Status status = member_failures_list(run->failures, run->total, &said, &n_said, err);
    if (status == OK)
        status = ensemble_sum_init(&run->sum, run->job, said, n_said, run->arena, err);
    if (status != OK)
        return status;
    /* add the rows of the ended members */
    for (size_t r = 0; r < run->n_ranges; r++)
        for (uint64_t i = 0; i < run->ranges[r]->done; i++) {
            stored_row(run->ranges[r]->tables[0].values + i * n, n, row);
            ensemble_sum_add(&run->sum, row);
        }
    return OK;
}

static Status join_table(EnsembleThreads *run, size_t table, Error *err)
{
    Whole *whole = &run->wholes[table];

    *whole = (Whole){.run = run, .table = table, .row_length = row_length(run, table)};
    whole->starts = alloc_array(run->n_ranges + 1, sizeof *whole->starts);
    if (!whole->starts)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t r = 0; r < run->n_ranges; r++)
        whole->starts[r + 1] =
            whole->starts[r] +
            (whole->row_length ? run->ranges[r]->tables[table].n_values / whole->row_length : 0);
    return OK;
}

/* Ranges are taken in the order of their members. */
static Status join_ranges(EnsembleThreads *run, Error *err)
{
    Status status = sum_up(run, err);

    run->wholes = alloc_array(run->n_tables + 1, sizeof *run->wholes);
    if (status == OK && !run->wholes)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t t = 0; t <= run->n_tables && status == OK; t++)
        status = join_table(run, t, err);
    return status;
}

static Status run_init(EnsembleThreads *run, PreparedJob *job, unsigned threads, Error *err)
{
    const char *const *names;
    const double timeout = job->input.ensemble.timeout;
    pthread_condattr_t attributes;

    run->job = job;
    run->threads = threads;
    run->deadline = timeout > 0 ? clock_seconds() + timeout : 0;
    run->total = design_count(ensemble_design(job->ensemble));
    /* shapes of the tables */
    run->n_tables = ensemble_tables(job->ensemble, &names);
    run->table_columns = ensemble_table_columns(job->ensemble, &names);
    run->over_time = ensemble_over_time(job->ensemble);
    /* waits use the monotonic clock */
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&run->lock, NULL);
    run->arena = arena_new(0);
    run->failures = member_failures_new();
    if (!run->arena || !run->failures)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const size_t n = ensemble_columns(job->ensemble, &names);
    return summary_columns(names, ensemble_units(job->ensemble), n, run->arena, &run->summary, err);
}

Status ensemble_threads_run(PreparedJob *job, unsigned threads, const EnsembleWatch *watch,
                            EnsembleThreads **ret_run, Error *err)
{
    EnsembleThreads *run = calloc(1, sizeof *run);
    if (!run)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = run_init(run, job, threads, err);
    if (status == OK)
        status = run_all(run, watch, err);
    if (status == OK)
        status = join_ranges(run, err);
    if (status == OK)
        *ret_run = run;
    else
        ensemble_threads_free(run);
    return status;
}

void ensemble_threads_free(EnsembleThreads *run)
{
    if (!run)
        return;
    for (size_t t = 0; run->wholes && t <= run->n_tables; t++)
        free(run->wholes[t].starts);
    free(run->wholes);
    for (size_t r = 0; r < run->n_ranges; r++)
        range_free(run, run->ranges[r]);
    free(run->ranges);
    over_time_forest_done(&run->forest);
    pthread_cond_destroy(&run->ended);
    pthread_mutex_destroy(&run->lock);
    member_failures_free(run->failures);
    arena_free(run->arena);
    free(run);
}

const EnsembleSum *ensemble_threads_sum(const EnsembleThreads *run)
{
    return &run->sum;
}

const SummaryColumns *ensemble_threads_columns(const EnsembleThreads *run)
{
    return &run->summary;
}

/* Levels of the quantiles: bands of 50 and 95 per cent, and the median. */
static const double LEVELS[] = {0.025, 0.25, 0.5, 0.75, 0.975};
enum { N_LEVELS = sizeof LEVELS / sizeof *LEVELS };

static Status forest_part(void *self, size_t part, Arena *arena, OverTimePart **ret_parts,
                          size_t *ret_n, Error *err)
{
    const OverTimeForest *forest = self;
    OverTimePart *parts = ARENA_NEW(arena, forest->n, OverTimePart);
    size_t n = 0;

    for (size_t k = 0; parts && k < forest->n; k++) {
        const Text *words = &forest->nodes[k].words;
        if (forest->nodes[k].part == part)
            parts[n++] = (OverTimePart){over_time_words(words), words->length / sizeof(uint64_t)};
    }
    *ret_parts = parts;
    *ret_n = n;
    return arena_status(arena, err);
}

Status ensemble_threads_over_time(EnsembleThreads *run, JsonWriter *writer, Error *err)
{
    const JobInput *input = &run->job->input;
    const size_t n = run->over_time.n_columns;
    const char **names = ARENA_NEW(run->arena, n, const char *);
    size_t *columns = arena_sizes(run->arena, n);
    const NodeSource source = {&run->forest, forest_part};
    Instants instants;

    if (n == 0)
        return OK;
    /* find the instants */
    Status status = instants_of(&input->spec, &input->ensemble.design, OVER_TIME_CELLS_MAX,
                                run->arena, &instants, err);
    if (status == OK)
        status = arena_status(run->arena, err);
    if (status != OK)
        return status;
    for (size_t c = 0; c < n; c++) {
        names[c] = input->ensemble.over_time[c].name;
        columns[c] = c;
    }
    /* gather the statistics */
    Envelope envelope = {.names = names,
                         .n_columns = n,
                         .levels = LEVELS,
                         .n_levels = N_LEVELS,
                         .t = instants.t,
                         .parts = instants.parts,
                         .n = run->over_time.n_instants};
    const char *const *table;
    const size_t n_table = ensemble_table_columns(run->job->ensemble, &table);
    status = envelope_find_units(&envelope, table, ensemble_table_units(run->job->ensemble),
                                 n_table, run->arena, err);
    if (status == OK)
        status = envelope_gather(&envelope, run->over_time, columns, &source, run->arena, err);
    if (status != OK)
        return status;
    /* write them */
    json_member_object(writer, "over_time");
    envelope_write(writer, &envelope);
    json_close_object(writer);
    return OK;
}

static Status whole_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    const Whole *whole = self;
    size_t low = 0, high = whole->run->n_ranges; /* the range is among low .. high - 1 */

    if (row >= whole->starts[high])
        return error_set(err, ERR_NOT_FOUND, "no row %llu", (unsigned long long)row);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (whole->starts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    *ret_block = (RowsBlock){whole->starts[low], whole->starts[low + 1] - whole->starts[low],
                             whole->run->ranges[low]->tables[whole->table].values};
    return OK;
}

RowsSource ensemble_threads_rows(EnsembleThreads *run, int table, uint64_t *ret_n)
{
    Whole *whole = &run->wholes[table + 1];

    *ret_n = whole->starts[run->n_ranges];
    return (RowsSource){whole, whole_block, NULL};
}
