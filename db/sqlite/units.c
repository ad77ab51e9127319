/* Units of an ensemble: ranges of members from claim to end. A claim is one row, which its end
 * deletes. The order of these writes does not matter: the remaining rows are the unfinished
 * claims. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "db/sqlite/checksum.h"
#include "db/sqlite/member_nodes.h"
#include "db/sqlite/member_texts.h"
#include "db/sqlite/unit_rows.h"

static Status insert_unit(Store *store, int64_t job, MemberRange range, int64_t deaths,
                          const int64_t *token, Error *err)
{
    Query query = query_new(&store->writer.connection,
                            "INSERT INTO units (job, first, n, deaths, token, checksum) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, row_checksum(?1, ?2, ?3, ?4, ?5))");
    query_int(&query, 1, job);
    query_int(&query, 2, (int64_t)range.first);
    query_int(&query, 3, (int64_t)range.n);
    query_int(&query, 4, deaths);
    if (token)
        query_int(&query, 5, *token);
    return query_run(&query, err);
}

typedef struct UnitClaimOp {
    WriteOp op;
    MemberRange rest; /* unclaimed part of a range whose process died */
} UnitClaimOp;

/* For a range whose process died, the claim replaces the row that recorded the death. */
static Status unit_claim_run(Store *store, WriteOp *op, Error *err)
{
    const Lease *lease = op->lease;
    const MemberRange range = lease->unit->range, rest = ((UnitClaimOp *)op)->rest;
    Status status = OK;
    if (range.deaths) {
        Query query = query_new(&store->writer.connection,
                                "DELETE FROM units WHERE job = ?1 AND first = ?2 AND deaths > 0 "
                                "AND token IS NULL");
        query_int(&query, 1, lease->seq);
        query_int(&query, 2, (int64_t)range.first);
        status = query_run(&query, err);
    }
    if (status == OK && rest.n)
        status = insert_unit(store, lease->seq, rest, rest.deaths, NULL, err);
    return status == OK ? insert_unit(store, lease->seq, range, range.deaths, &lease->token, err)
                        : status;
}

void unit_lose(Store *store, Lease *lease, const Error *reason)
{
    if (lease->lost)
        return;
    LiveEnsemble *ensemble = lease->ensemble;
    lease_remove(&store->leases, lease);
    live_ensemble_end_unit(ensemble);
    live_ensemble_leave_out(store, ensemble, reason);
}

static void unit_claim_settle(Store *store, WriteOp *op)
{
    if (op->status != OK)
        unit_lose(store, op->lease, &op->err);
    free(op);
}

typedef struct UnitClaim {
    Lease *lease;
    UnitClaimOp *op;
    UnitRows *rows;
} UnitClaim;

/* Mutex held. */
static Status take_unit(Store *store, const char *job_id, uint64_t most, UnitClaim *claim,
                        Error *err)
{
    LiveEnsemble *ensemble = live_ensemble_find(store, job_id);
    const MemberRange *next =
        ensemble && ensemble->lease ? live_ensemble_next(store, ensemble) : NULL;
    if (store->health != OK) {
        *err = store->health_error;
        return store->health;
    }
    if (!next || most == 0)
        return error_set(err, ERR_NOT_FOUND, "job '%.40s' has no members to be run", job_id);
    if (!live_ensemble_reserve(ensemble))
        return error_set(err, ERR_NO_MEMORY, "out of memory for a unit");
    /* cut the unit from the first range, aligned if `most` is a power of 2 */
    MemberRange unit = ensemble->ranges[0], rest = unit;
    if ((most & (most - 1)) == 0)
        most -= unit.first % most;
    unit.n = unit.n < most ? unit.n : most;
    rest.first += unit.n;
    rest.n -= unit.n;
    live_ensemble_take(ensemble, unit.n);
    live_ensemble_begin_unit(ensemble);
    /* fill in the lease and post the claim */
    Lease *lease = claim->lease;
    job_id_copy(lease->id, job_id);
    lease->tenant = ensemble->tenant;
    lease->seq = ensemble->seq;
    lease->attempt = unit.deaths ? 2 : 1; /* such units run one at a time */
    lease->ensemble = ensemble;
    lease->unit = claim->rows;
    lease->unit->range = unit;
    lease_add(&store->leases, lease);
    claim->op->op = (WriteOp){.run = unit_claim_run, .settle = unit_claim_settle, .lease = lease};
    if (unit.deaths)
        claim->op->rest = rest;
    writer_post(store, &claim->op->op);
    live_ensemble_requeue(store, ensemble);
    return OK;
}

Status store_unit_claim(Store *store, const char *job_id, uint64_t most, UnitLease *ret_unit,
                        Error *err)
{
    Error reason = {0};
    uint64_t token = 0;
    Status status = secure_random(&token, sizeof token, err);
    if (status != OK)
        return status;
    /* allocate before the mutex is taken */
    UnitClaim claim = {.lease = alloc_array(1, sizeof *claim.lease),
                       .op = alloc_array(1, sizeof *claim.op),
                       .rows = unit_rows_new((MemberRange){0})};
    if (claim.lease && claim.op && claim.rows) {
        claim.lease->token = (int64_t)(token >> 1);
        pthread_mutex_lock(&store->mutex);
        status = take_unit(store, job_id, most, &claim, &reason);
        if (status == OK) {
            const MemberRange range = claim.rows->range;
            *ret_unit = (UnitLease){.first = range.first,
                                    .n = range.n,
                                    .token = claim.lease->token,
                                    .lost = range.n == 1 && range.deaths > store->max_attempts,
                                    .suspect = range.deaths > 0,
                                    .used_ms = live_ensemble_used_ms(claim.lease->ensemble)};
        }
        pthread_mutex_unlock(&store->mutex);
    } else {
        status = error_set(&reason, ERR_NO_MEMORY, "out of memory for a claim");
    }
    /* free the memory of a failed claim */
    if (status != OK) {
        free(claim.lease);
        free(claim.op);
        unit_rows_free(claim.rows);
        if (err)
            *err = reason;
    }
    return status;
}

/* NULL: lost, ending, or not a unit. */
static Lease *unit_held(const Store *store, const char *job_id, int64_t token)
{
    Lease *lease = lease_held(store, job_id, token);
    return lease && lease->unit ? lease : NULL;
}

static Status check_rows(int table, size_t n_rows, size_t n_columns, Error *err)
{
    if (table < -1 || table >= TABLES_MAX || n_columns == 0 || n_rows > SIZE_MAX / 16 / n_columns)
        return error_set(err, ERR_INVALID, "no such rows: table %d, %zu x %zu", table, n_rows,
                         n_columns);
    return OK;
}

Status store_unit_append(Store *store, const char *job_id, int64_t token, int table,
                         uint64_t member, const double *rows, size_t n_rows, size_t n_columns,
                         Error *err)
{
    Status status = check_rows(table, n_rows, n_columns, err);
    if (status != OK || n_rows == 0)
        return status;
    pthread_mutex_lock(&store->mutex);
    Lease *lease = unit_held(store, job_id, token);
    /* too many rows in memory: post them; the lease may be lost while this waits */
    if (lease && unit_rows_full(lease->unit, table, n_rows * n_columns * sizeof *rows)) {
        status = writer_room(store, lease->unit->held, err);
        lease = unit_held(store, job_id, token);
        if (status == OK && lease)
            status = unit_rows_post(store, lease, err);
    }
    /* add the rows */
    if (status == OK && !lease)
        status = lease_missing(job_id, err);
    else if (status == OK)
        status = unit_rows_add(lease->unit, table, member, rows, n_rows, n_columns, err);
    pthread_mutex_unlock(&store->mutex);
    return status;
}

typedef struct UnitEndOp {
    WriteOp op;
    UnitFinish finish;
    uint64_t used_ms; /* of the ensemble */
} UnitEndOp;

static Status write_time(Store *store, int64_t job, uint64_t used_ms, Error *err)
{
    Query query = query_new(&store->writer.connection,
                            "INSERT OR REPLACE INTO ensemble_times (job, used_ms, checksum) "
                            "VALUES (?1, ?2, row_checksum(?1, ?2))");
    query_int(&query, 1, job);
    query_int(&query, 2, (int64_t)used_ms);
    return query_run(&query, err);
}

/* Stores a range of ended members, joined with its neighbors to one row. */
static Status insert_end(Store *store, int64_t job, uint64_t first, uint64_t n, uint64_t failed,
                         Error *err)
{
    int64_t begin = (int64_t)first, end = (int64_t)(first + n), all_failed = (int64_t)failed;
    int64_t neighbours[2] = {0, 0};
    size_t n_neighbours = 0;
    Connection *connection = &store->writer.connection;
    /* find the neighbors */
    Query query =
        query_new(connection, "SELECT seq, first, n, failed FROM unit_ends WHERE job = ?1 AND "
                              "(first + n = ?2 OR first = ?3) AND "
                              "checksum = row_checksum(" UNIT_END_SAYS("") ") LIMIT 2");
    query_int(&query, 1, job);
    query_int(&query, 2, begin);
    query_int(&query, 3, end);
    while (query_next(&query)) {
        const int64_t at = row_int(&query, 1), length = row_int(&query, 2);
        neighbours[n_neighbours++] = row_int(&query, 0);
        begin = at < begin ? at : begin;
        end = at + length > end ? at + length : end;
        all_failed += row_int(&query, 3);
    }
    Status status = query_end(&query, err);
    /* replace them */
    for (size_t i = 0; i < n_neighbours && status == OK; i++) {
        Query old = query_new(connection, "DELETE FROM unit_ends WHERE seq = ?1");
        query_int(&old, 1, neighbours[i]);
        status = query_run(&old, err);
    }
    if (status != OK)
        return status;
    Query insert = query_new(connection, "INSERT INTO unit_ends (job, first, n, failed, checksum) "
                                         "VALUES (?1, ?2, ?3, ?4, row_checksum(?1, ?2, ?3, ?4))");
    query_int(&insert, 1, job);
    query_int(&insert, 2, begin);
    query_int(&insert, 3, end - begin);
    query_int(&insert, 4, all_failed);
    return query_run(&insert, err);
}

/* The part of a unit that goes back. Members whose process died before still run alone. */
static MemberRange rest_of(const Lease *lease, const UnitFinish *finish)
{
    MemberRange rest = lease->unit->range;
    rest.first += finish->done;
    rest.n -= finish->done;
    return rest;
}

static Status unit_end_run(Store *store, WriteOp *op, Error *err)
{
    const Lease *lease = op->lease;
    const UnitEndOp *end = (const UnitEndOp *)op;
    const UnitFinish *finish = &end->finish;
    const MemberRange range = lease->unit->range, rest = rest_of(lease, finish);
    /* without its claim the lease is lost */
    Query claim =
        query_new(&store->writer.connection, "DELETE FROM units WHERE job = ?1 AND token = ?2");
    query_int(&claim, 1, lease->seq);
    query_int(&claim, 2, lease->token);
    Status status = query_run(&claim, err);
    if (status == OK && !connection_changed(&store->writer.connection))
        status = lease_missing(lease->id, err);
    /* write the rows, the ended range, messages, time and nodes */
    if (status == OK)
        status = unit_rows_write(store, lease, finish->done, err);
    if (status == OK && finish->done)
        status = insert_end(store, lease->seq, range.first, finish->done, finish->failed, err);
    if (status == OK)
        status = member_texts_add(store, lease->seq, finish->said, finish->n_said, err);
    if (status == OK)
        status = write_time(store, lease->seq, end->used_ms, err);
    if (status == OK)
        status = member_nodes_add(store, lease->seq, &finish->nodes, err);
    /* keep the record of deaths, and the mark to stop */
    if (status == OK && rest.n && rest.deaths)
        status = insert_unit(store, lease->seq, rest, rest.deaths, NULL, err);
    if (status == OK && finish->stop)
        status = insert_unit(store, lease->seq, (MemberRange){0, lease->ensemble->members, 0}, -1,
                             NULL, err);
    return status;
}

/* Megabytes are freed later, so that no request waits for it. */
static void free_later(Store *store, Lease *lease)
{
    lease->unit->next = store->writer.spent;
    store->writer.spent = lease->unit;
    lease->unit = NULL;
}

static void unit_end_settle(Store *store, WriteOp *op)
{
    Lease *lease = op->lease;
    LiveEnsemble *ensemble = lease->ensemble;
    const UnitFinish *finish = &((UnitEndOp *)op)->finish;
    if (op->status == OK) {
        ensemble->done += finish->done;
        ensemble->stopped = ensemble->stopped || finish->stop;
        live_ensemble_give_back(ensemble, rest_of(lease, finish));
        live_ensemble_end_unit(ensemble);
        free_later(store, lease);
        lease_remove(&store->leases, lease);
        ensemble->place = ++store->last_place; /* behind jobs that came meanwhile */
        live_ensemble_requeue(store, ensemble);
    } else if (op->status == ERR_CONFLICT || op->status == ERR_DAMAGED || !op->awaited) {
        unit_lose(store, lease, &op->err);
    } else {
        lease->closing = false;
    }
    if (!op->awaited)
        free(op);
}

/* Checks that the messages are of ended members, each once, and not empty. */
static Status check_said(const MemberRange *range, const UnitFinish *finish, Error *err)
{
    const MemberText *said = finish->said;
    bool good = finish->n_said <= finish->failed && finish->n_said <= MEMBER_TEXTS_MAX;
    for (size_t i = 0; good && i < finish->n_said; i++)
        good = said[i].text && *said[i].text && said[i].member >= range->first &&
               said[i].member - range->first < finish->done &&
               (i == 0 || said[i].member > said[i - 1].member);
    return good ? OK : error_set(err, ERR_INVALID, "a message is not of a failed member");
}

Status store_unit_finish(Store *store, const char *job_id, int64_t token, const UnitFinish *finish,
                         Error *err)
{
    UnitEndOp end = {.op = {.run = unit_end_run, .settle = unit_end_settle}, .finish = *finish};
    pthread_mutex_lock(&store->mutex);
    Lease *lease = unit_held(store, job_id, token);
    /* check the arguments */
    Status status =
        lease ? unit_rows_check(lease->unit, finish->done, err) : lease_missing(job_id, err);
    if (status == OK && finish->failed > finish->done)
        status = error_set(err, ERR_INVALID, "more members failed than ended");
    if (status == OK)
        status = check_said(&lease->unit->range, finish, err);
    if (status == OK)
        status = member_nodes_check(&finish->nodes, &lease->unit->range, finish->done, err);
    /* write the end */
    if (status == OK) {
        lease->closing = true;
        end.op.lease = lease;
        end.used_ms = live_ensemble_used_ms(lease->ensemble);
        status = writer_await(store, &end.op, err);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

Status store_unit_release(Store *store, const char *job_id, int64_t token, Error *err)
{
    Status status = OK;
    UnitEndOp *end = alloc_array(1, sizeof *end);
    if (!end)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a release");
    end->op = (WriteOp){.run = unit_end_run, .settle = unit_end_settle, .bytes = sizeof *end};
    /* post the end, with no member done */
    pthread_mutex_lock(&store->mutex);
    Lease *lease = unit_held(store, job_id, token);
    if (lease) {
        lease->closing = lease->forsaken = true;
        end->op.lease = lease;
        end->used_ms = live_ensemble_used_ms(lease->ensemble);
        writer_post(store, &end->op);
    } else {
        free(end);
        status = lease_missing(job_id, err);
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}
