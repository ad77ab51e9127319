/* Unit tests of server/: computations end when the service stops, however long they would take. */
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/stop_token.h"
#include "server/http/computations.h"
#include "tests/deadline.h"
#include "tests/suite.h"

typedef struct Endless {
    Computation computation;
    atomic_bool begun, ended, dropped;
} Endless;

/* What hostile models ask for: work without an end, counted. */
static void work(void *host, void *self)
{
    Endless *endless = self;
    (void)host;
    atomic_store(&endless->begun, true);
    while (stop_token_spend(STOP_TOKEN_WORK, NULL) == OK)
        ;
    atomic_store(&endless->ended, true);
}

static void drop(void *self)
{
    Endless *endless = self;
    atomic_store(&endless->dropped, true);
}

START_TEST(a_stop_does_not_wait_for_what_has_no_end)
{
    Computations *computations;
    Endless first = {0}, second = {0};
    Error err = {0};

    ck_assert_int_eq(computations_start(1, 2, &computations, &err), OK);
    first.computation = (Computation){NULL, &first, work, drop, NULL};
    second.computation = (Computation){NULL, &second, work, drop, NULL};
    ck_assert(computations_add(computations, &first.computation));
    ck_assert(computations_add(computations, &second.computation));
    WAIT_UNTIL(atomic_load(&first.begun));
    computations_free(computations);
    ck_assert(atomic_load(&first.ended));
    ck_assert(!atomic_load(&second.begun) && atomic_load(&second.dropped));
}
END_TEST

SUITE(computations)
{
    TCase *tc = suite_case(suite, "computations");
    tcase_add_test(tc, a_stop_does_not_wait_for_what_has_no_end);
}
