/* An ensemble in the store, whose members tell what a small model says. */
#include "tests/db/members.h"

JobRecord add_ensemble(Fixture *f, uint64_t members, int priority)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of("{\"vary\": 1}");
    draft.members = members;
    draft.priority = priority;
    draft.columns = "[\"member\",\"a\",\"b\"]";
    draft.tables = "[\"hits\"]";
    draft.table_columns = "[\"member\",\"t\"]";
    draft.design = "{\"kind\":\"grid\"}";
    ck_ok(store_job_add(default_tenant(f->store), &draft, f->arena, &job, &replayed, err));
    ck_assert_uint_eq(job.members.total, members);
    return job;
}

/* What is told of a member: any rows, as long as they are its own. */
static double value_of(uint64_t member, size_t column)
{
    return column ? (double)(member * 7 + column) : (double)member;
}

static uint64_t hits_of(uint64_t member)
{
    return member * 2654435761U % 4;
}

Status tell(Fixture *f, const char *id, const UnitLease *unit, uint64_t member)
{
    double row[COLUMNS];
    Status status = OK;
    for (uint64_t i = 0; i < hits_of(member) && status == OK; i++) {
        const double hit[TABLE_COLUMNS] = {(double)member, (double)i};
        status =
            store_unit_append(f->store, id, unit->token, 0, member, hit, 1, TABLE_COLUMNS, NULL);
    }
    for (size_t k = 0; k < COLUMNS; k++)
        row[k] = value_of(member, k);
    return status == OK
               ? store_unit_append(f->store, id, unit->token, -1, member, row, 1, COLUMNS, NULL)
               : status;
}

Status finish_unit(Fixture *f, const char *id, const UnitLease *unit, uint64_t done)
{
    const UnitFinish finish = {.done = done, .failed = done / 2};
    return store_unit_finish(f->store, id, unit->token, &finish, NULL);
}

UnitLease claim_unit(Fixture *f, const char *id, uint64_t most)
{
    UnitLease unit;
    ck_ok(store_unit_claim(f->store, id, most, &unit, err));
    return unit;
}

void run_unit(Fixture *f, const char *id, const UnitLease *unit)
{
    for (uint64_t k = unit->n; k-- > 0;) /* in another order than theirs */
        ck_assert_int_eq(tell(f, id, unit, unit->first + k), OK);
    ck_assert_int_eq(finish_unit(f, id, unit, unit->n), OK);
}

/* The member's rows in both tables, or none in either. */
void check_member(Fixture *f, const char *id, uint64_t member, bool done)
{
    ResultBlock block;
    uint64_t hits = 0;
    if (!done) {
        ck_fails(
            store_member_block(default_tenant(f->store), id, -1, member, 0, f->arena, &block, err),
            ERR_NOT_FOUND);
        ck_fails(
            store_result_block(default_tenant(f->store), id, -1, member, f->arena, &block, err),
            ERR_NOT_FOUND);
        ck_fails(
            store_member_block(default_tenant(f->store), id, 0, member, 0, f->arena, &block, err),
            ERR_NOT_FOUND);
        return;
    }
    ck_ok(store_member_block(default_tenant(f->store), id, -1, member, 0, f->arena, &block, err));
    ck_assert_uint_eq(block.n_rows, 1);
    for (size_t k = 0; k < COLUMNS; k++)
        ck_assert_double_eq(block.rows[k], value_of(member, k));
    ck_ok(store_result_block(default_tenant(f->store), id, -1, member, f->arena, &block, err));
    ck_assert_uint_le(block.first_row, member);
    ck_assert_double_eq(block.rows[(member - block.first_row) * COLUMNS], (double)member);
    while (store_member_block(default_tenant(f->store), id, 0, member, hits, f->arena, &block,
                              NULL) == OK)
        for (uint64_t i = 0; i < block.n_rows; i++, hits++) {
            ck_assert_double_eq(block.rows[i * TABLE_COLUMNS], (double)member);
            ck_assert_double_eq(block.rows[i * TABLE_COLUMNS + 1], (double)hits);
        }
    ck_assert_uint_eq(hits, hits_of(member));
}

/* The whole tables have the rows of those that are done, in order, once. */
void check_tables(Fixture *f, const char *id, const bool *done, uint64_t members)
{
    ResultBlock block;
    for (int table = -1; table < 1; table++) {
        uint64_t place = 0, member = 0, row = 0;
        const size_t width = table < 0 ? COLUMNS : TABLE_COLUMNS;
        while (store_table_next(default_tenant(f->store), id, table, &place, f->arena, &block,
                                NULL) == OK)
            for (uint64_t i = 0; i < block.n_rows; i++, row++) {
                while (member < members &&
                       (!done[member] || row >= (table < 0 ? 1 : hits_of(member)))) {
                    row = 0;
                    member++;
                }
                ck_assert_double_eq(block.rows[i * width], (double)member);
                if (table == 0)
                    ck_assert_double_eq(block.rows[i * width + 1], (double)row);
            }
        while (member < members && (!done[member] || row >= (table < 0 ? 1 : hits_of(member)))) {
            row = 0;
            member++;
        }
        ck_assert_uint_eq(member, members);
    }
}

static void on_damage(void *self, const char *what)
{
    (void)self;
    ck_abort_msg("%s", what);
}

void check_sound(Fixture *f)
{
    const ReportSink sink = {NULL, on_damage};
    StoreReport report;
    ck_ok(store_verify(f->directory, &sink, &report, err));
}
