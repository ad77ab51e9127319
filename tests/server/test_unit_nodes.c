/* Members of a unit over time: what is gathered while they end in any order, and what comes of
 * it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "server/work/unit_nodes.h"
#include "tests/suite.h"

enum { COLUMNS = 2, INSTANTS = 35, CELLS = COLUMNS * INSTANTS, FIRST = 100, MEMBERS = 700 };
static const OverTimeShape SHAPE = {COLUMNS, INSTANTS};

static UnitNodes nodes;
static Error err;

static void setup(void)
{
    ck_assert_int_eq(unit_nodes_init(&nodes, SHAPE, FIRST, MEMBERS, &err), OK);
}

static void teardown(void)
{
    unit_nodes_done(&nodes);
}

/* Every 50th comes to no instant. */
static bool is_lost(uint64_t k)
{
    return k % 50 == 7;
}

static void fill(uint64_t k, double *ret_cells)
{
    for (size_t c = 0; c < CELLS; c++)
        ret_cells[c] = is_lost(k) ? NAN : sin((double)(k * CELLS + c));
}

static void end(uint64_t k)
{
    double cells[CELLS];

    fill(k, cells);
    if (!is_lost(k))
        unit_nodes_note(&nodes, FIRST + k, cells);
    ck_assert_int_eq(unit_nodes_end(&nodes, FIRST + k, &err), OK);
}

/* The same nodes as those of the first members, one after the other. */
static void check(uint64_t done)
{
    double *cells = calloc(done * CELLS, sizeof *cells);
    OverTimeForest forest = {0};
    MemberNodes made = {0};

    ck_assert_ptr_nonnull(cells);
    for (uint64_t k = 0; k < done; k++)
        fill(k, cells + k * CELLS);
    ck_assert_int_eq(over_time_forest_add(&forest, SHAPE, FIRST, done, cells, &err), OK);
    ck_assert_int_eq(unit_nodes_make(&nodes, done, &made, &err), OK);
    ck_assert_uint_eq(nodes.gathered, done);
    ck_assert_uint_eq(made.n, forest.n);
    for (size_t i = 0; i < forest.n; i++) {
        const OverTimeNode *node = &forest.nodes[i];
        const MemberNode *found = made.nodes;
        while (found < made.nodes + made.n &&
               (found->level != node->level || found->number != node->number ||
                found->part != node->part))
            found++;
        ck_assert_ptr_ne(found, made.nodes + made.n);
        ck_assert_uint_eq(found->n_words * sizeof(uint64_t), node->words.length);
        ck_assert_mem_eq(found->words, over_time_words(&node->words), node->words.length);
    }
    over_time_forest_done(&forest);
    free(cells);
}

START_TEST(little_is_left_while_the_first_is_on_its_way)
{
    for (uint64_t k = 1; k < MEMBERS; k++) {
        end(k);
        ck_assert_uint_le(k - nodes.gathered, 2 * UNIT_NODES_BLOCK);
    }
    end(0);
    check(MEMBERS);
}
END_TEST

START_TEST(the_order_in_which_members_end_makes_no_difference)
{
    uint64_t order[MEMBERS];
    Random random;

    random_init(&random, 3);
    for (uint64_t k = 0; k < MEMBERS; k++)
        order[k] = k;
    for (uint64_t k = MEMBERS; k-- > 1;) {
        const uint64_t other = random_bits(&random) % (k + 1), member = order[k];
        order[k] = order[other];
        order[other] = member;
    }
    for (uint64_t k = 0; k < MEMBERS; k++)
        end(order[k]);
    ck_assert_uint_eq(nodes.gathered, MEMBERS);
    check(MEMBERS);
}
END_TEST

/* Members that run again elsewhere, and those after them, do not count. */
START_TEST(what_ended_beyond_is_forgotten)
{
    static const uint64_t DONE[] = {0, 1, 28, 29, 333, 699};

    for (uint64_t k = 0; k < MEMBERS; k++)
        if (k != DONE[_i])
            end(k);
    check(DONE[_i]);
}
END_TEST

START_TEST(nothing_is_gathered_where_nothing_is_asked_for)
{
    MemberNodes made = {0};

    unit_nodes_done(&nodes);
    ck_assert_int_eq(unit_nodes_init(&nodes, (OverTimeShape){0}, FIRST, MEMBERS, &err), OK);
    ck_assert_int_eq(unit_nodes_end(&nodes, FIRST, &err), OK);
    ck_assert_int_eq(unit_nodes_make(&nodes, 1, &made, &err), OK);
    ck_assert_uint_eq(made.n, 0);
}
END_TEST

SUITE(unit_nodes)
{
    TCase *tc = suite_case(suite, "unit nodes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, little_is_left_while_the_first_is_on_its_way);
    tcase_add_test(tc, the_order_in_which_members_end_makes_no_difference);
    tcase_add_loop_test(tc, what_ended_beyond_is_forgotten, 0, 6);
    tcase_add_test(tc, nothing_is_gathered_where_nothing_is_asked_for);
}
