/* Members' samples are read in the order of members, and gathered by their number in the
 * trajectory. As many instants as fit into the room are gathered in one pass over the table; more
 * instants take more passes. */
#include "api/routes/envelopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/envelope.h"
#include "api/routes/columns.h"
#include "api/routes/common.h"
#include "api/routes/over_time.h"
#include "api/routes/rows.h"
#include "core/base/memory.h"
#include "core/ensemble/instants.h"
#include "core/ensemble/statistics.h"

/* Numbers gathered at a time, and numbers in an answer. */
enum { GATHERED_MAX = 1 << 24, TOLD_MAX = 1 << 22, BLOCK_MEMORY = 64 * 1024 * 1024 };
enum { MEMBER, TIME }; /* the first columns of the table */

typedef struct Envelopes {
    const EnvelopeQuestion *question;
    TenantStore store;
    int table;
    ResultRequest of; /* its columns */
    size_t members;
    bool *selected; /* members */
    uint64_t n_selected;
    double *times; /* [2][members]: initial.t, time.end */
    JobSpec job;   /* with the times of the member being read */

    size_t room;    /* instants gathered at a time */
    double *values; /* [column][instant of room][member]; NaN if there is none */
    Instants instants;
    double *t;    /* n, as read from the table */
    double *told; /* [instant][column][told_width()] */
    size_t n, t_capacity, told_capacity;
    Budget *budget;
    size_t held;
} Envelopes;

static size_t told_width(const Envelopes *e)
{
    return envelope_width(e->question->n_levels);
}

/* The question. */

static Status choose_columns(const ApiRequest *req, ApiResponse *res, Envelopes *e, Error *err)
{
    const Status status =
        reply_columns(e->question->ensemble->job.table_columns, req->arena, &e->of, err);

    if (status != OK)
        return status;
    if (!api_query(req, "of"))
        return api_fail(res, PROBLEM_PARAMETER, err, "name columns of the trajectory by \"of\"");
    if (api_query(req, "bins"))
        return api_fail(res, PROBLEM_PARAMETER, err, "there are no histograms over time");
    return columns_select(req, res, "of", &e->of, err);
}

static Status make_room(const ApiContext *ctx, ApiResponse *res, Envelopes *e, Error *err)
{
    const size_t instant = e->members * e->of.n_columns; /* numbers */

    if (instant > GATHERED_MAX)
        return api_fail(res, PROBLEM_PARAMETER, err,
                        "%zu columns of %zu members are too many at once: name fewer by \"of\"",
                        e->of.n_columns, e->members);
    e->room = GATHERED_MAX / instant;
    if (e->room > 256)
        e->room = 256;
    if (ctx->downloads && !budget_take(ctx->downloads, &e->held,
                                       (e->room * instant + 3 * e->members) * sizeof(double))) {
        res->retry_after = 1;
        return api_fail(res, PROBLEM_OVERLOADED, err,
                        "there is not enough memory for these numbers at the moment");
    }
    e->budget = ctx->downloads;
    e->selected = alloc_array(e->members, sizeof *e->selected);
    e->values = alloc_array(e->room * instant, sizeof *e->values);
    e->times = alloc_array(2 * e->members, sizeof *e->times);
    return e->selected && e->values && e->times ? OK
                                                : error_set(err, ERR_NO_MEMORY, "out of memory");
}

static void envelopes_done(Envelopes *e)
{
    free(e->selected);
    free(e->values);
    free(e->times);
    free(e->t);
    free(e->told);
    if (e->budget)
        budget_give(e->budget, &e->held);
}

/* Reading the rows. */

/* Takes the member's start and end from its row of the summary: its number, then the varied
 * values. */
static void note_times(Envelopes *e, const double *row, uint64_t member)
{
    const JobInput *input = &e->question->document->input;
    const DesignSpec *design = &input->ensemble.design;

    e->times[member] = input->spec.initial.t;
    e->times[e->members + member] = input->spec.time.end;
    for (size_t a = 0; a < design->n_axes; a++) {
        if (strcmp(design->axes[a].path, "initial.t") == 0)
            e->times[member] = row[1 + a];
        else if (strcmp(design->axes[a].path, "time.end") == 0)
            e->times[e->members + member] = row[1 + a];
    }
}

static Status select_members(const ApiContext *ctx, Envelopes *e, Error *err)
{
    enum { ROWS = 512 };
    RowExpression *where = e->question->where;
    const size_t width = e->question->ensemble->columns.n;
    SummaryRows *rows = NULL;
    RowsBlock block = {0};
    double holds[ROWS];
    Status status = ensemble_rows(ctx, e->question->ensemble, &rows, err);

    /* each block of the summary */
    while (status == OK) {
        status = summary_rows_next(rows, block.first_row + block.n_rows, &block, err);
        if (status == OK && block.first_row + block.n_rows > e->members)
            status = error_set(err, ERR_DAMAGED, "a row of a member that does not exist");
        /* in groups of ROWS rows */
        for (uint64_t first = 0; status == OK && first < block.n_rows; first += ROWS) {
            const size_t n = block.n_rows - first < ROWS ? (size_t)(block.n_rows - first) : ROWS;
            if (where)
                row_expression_eval(where, block.rows + first * width, n, holds);
            for (size_t k = 0; k < n; k++) {
                note_times(e, block.rows + (first + k) * width, block.first_row + first + k);
                e->selected[block.first_row + first + k] = !where || holds[k] != 0;
                e->n_selected += !where || holds[k] != 0;
            }
        }
    }
    summary_rows_free(rows);
    return status == ERR_NOT_FOUND ? OK : status;
}

/* The place of a reading: row `row` of `member` comes next. */
typedef struct Reading {
    uint64_t member, row;
} Reading;

/* Gathers the instants first .. first + room - 1 of a block. */
static Status gather_block(Envelopes *e, size_t first, const ResultBlock *block, Reading *reading,
                           Error *err)
{
    for (uint64_t k = 0; k < block->n_rows; k++) {
        const double *row = block->rows + k * block->n_columns;
        const uint64_t member = (uint64_t)row[MEMBER];
        if (member >= e->members)
            return error_set(err, ERR_DAMAGED, "a sample of a member that does not exist");
        if (member != reading->member) {
            *reading = (Reading){member, 0};
            e->job.initial.t = e->times[member];
            e->job.time.end = e->times[e->members + member];
        }
        const uint64_t instant = reading->row++;
        /* a last row at the instant of a terminal event is no sample */
        if (!e->selected[member] || instant >= e->instants.n ||
            row[TIME] != simulation_time(&e->job, instant))
            continue;
        /* the time of a new instant */
        while (e->n <= instant) {
            if (!grow_array(&e->t, &e->t_capacity, e->n + 1, sizeof *e->t))
                return error_set(err, ERR_NO_MEMORY, "out of memory");
            e->t[e->n++] = row[TIME];
        }
        if (instant < first || instant - first >= e->room)
            continue;
        for (size_t c = 0; c < e->of.n_columns; c++)
            e->values[(c * e->room + (instant - first)) * e->members + member] =
                row[e->of.columns[c]];
    }
    return OK;
}

static Status gather(Envelopes *e, size_t first, Error *err)
{
    Reading reading = {UINT64_MAX, 0};
    Arena *arena = arena_new(BLOCK_MEMORY);
    ResultBlock block;
    uint64_t place = 0;
    Status status = arena ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* one pass over the whole table */
    for (size_t k = 0; k < e->room * e->members * e->of.n_columns; k++)
        e->values[k] = NAN;
    while (status == OK) {
        arena_reset(arena);
        status = store_table_next(e->store, e->question->ensemble->job.id, e->table, &place, arena,
                                  &block, err);
        if (status == OK)
            status = gather_block(e, first, &block, &reading, err);
    }
    arena_free(arena);
    return status == ERR_NOT_FOUND ? OK : status;
}

static Status tell_instant(Envelopes *e, size_t first, size_t instant, Error *err)
{
    const EnvelopeQuestion *q = e->question;

    for (size_t c = 0; c < e->of.n_columns; c++) {
        const double *x = e->values + (c * e->room + (instant - first)) * e->members;
        double *told = e->told + (instant * e->of.n_columns + c) * told_width(e);
        const Moments m = statistics_moments(x, e->members);
        envelope_put(&m, told);
        if (q->n_levels > 0) {
            const Status status = statistics_quantiles(x, e->members, q->levels, q->n_levels,
                                                       told + ENVELOPE_TOLD, err);
            if (status != OK)
                return status;
        }
    }
    return OK;
}

/* The statistics at all instants, as many at a time as the room has. */
static Status work_out(Envelopes *e, ApiResponse *res, Error *err)
{
    const size_t instant = e->of.n_columns * told_width(e);
    Status status = OK;

    for (size_t first = 0; status == OK && (first == 0 || first < e->n); first += e->room) {
        status = gather(e, first, err);
        if (status == OK && e->n > TOLD_MAX / instant)
            return api_fail(res, PROBLEM_PARAMETER, err,
                            "%zu instants are too many at once: name fewer columns by \"of\"",
                            e->n);
        if (status == OK &&
            !grow_array(&e->told, &e->told_capacity, e->n * instant, sizeof *e->told))
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        for (size_t k = first; status == OK && k < e->n && k - first < e->room; k++)
            status = tell_instant(e, first, k, err);
    }
    return status;
}

/* Writing the answer. */

static Status write_answer(ApiResponse *res, const Envelopes *e, Arena *arena, Error *err)
{
    const char **names = ARENA_NEW(arena, e->of.n_columns, const char *);
    Envelope envelope = {.names = names,
                         .n_columns = e->of.n_columns,
                         .levels = e->question->levels,
                         .n_levels = e->question->n_levels,
                         .t = e->t,
                         .parts = e->instants.parts,
                         .n = e->n,
                         .told = e->told};
    JsonWriter w;

    if (!names)
        return arena_status(arena, err);
    /* if the members' ends differ, a row stands for a fraction of each member's time */
    for (size_t k = 0; e->instants.parts && k < e->n; k++)
        e->t[k] = (double)k / (double)(e->instants.n - 1);
    for (size_t c = 0; c < e->of.n_columns; c++)
        names[c] = e->of.names[e->of.columns[c]];
    const Status status =
        envelope_find_units(&envelope, e->of.names, e->of.units, e->of.n_names, arena, err);
    if (status != OK)
        return status;
    /* the numbers of members, then the statistics */
    json_writer_init(&w, &res->body);
    json_open_object(&w);
    json_member_unsigned(&w, "members", e->members);
    json_member_unsigned(&w, "count", e->n_selected);
    json_member_bool(&w, "complete", e->question->ensemble->job.complete);
    envelope_write(&w, &envelope);
    json_close_object(&w);
    return OK;
}

Status envelopes_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const EnvelopeQuestion *question, Error *err)
{
    Envelopes e = {.question = question,
                   .store = ctx->store,
                   .members = (size_t)question->ensemble->job.members.total};
    const JobInput *input = &question->document->input;

    e.job = input->spec;
    /* statistics over time cannot answer every question, but stored trajectories can */
    if (input->ensemble.n_over_time &&
        (input->ensemble.keep != KEEP_TRAJECTORIES || over_time_answers(req, question)))
        return over_time_reply(ctx, req, res, question, err);
    if (input->ensemble.keep != KEEP_TRAJECTORIES)
        return api_fail(res, PROBLEM_CONFLICT, err,
                        "this ensemble keeps nothing over time: submit it with ensemble.over_time "
                        "[\"NAME\"] or ensemble.keep \"trajectories\", or run a member alone, with "
                        "the document of GET /v1/jobs/%.40s/members/K",
                        question->ensemble->job.id);
    /* the columns and instants */
    Status status = ensemble_table(req, res, &question->ensemble->job, "trajectory", &e.table, err);
    if (status == OK)
        status = choose_columns(req, res, &e, err);
    if (status == OK) {
        status =
            instants_of(&input->spec, &input->ensemble.design, 0, req->arena, &e.instants, err);
        if (status == ERR_INVALID)
            res->problem = PROBLEM_PARAMETER;
    }
    if (status != OK || reply_not_modified(req, res, &question->ensemble->job) || reply_later(res))
        return status;
    /* gather and write */
    status = make_room(ctx, res, &e, err);
    if (status == OK)
        status = select_members(ctx, &e, err);
    if (status == OK)
        status = work_out(&e, res, err);
    if (status == OK)
        status = write_answer(res, &e, req->arena, err);
    envelopes_done(&e);
    return status;
}
