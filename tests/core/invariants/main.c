/* Unit tests of core/invariants. */
#include <stdlib.h>

#include "core/numeric/numeric.h"
#include "tests/core/invariants/suites.h"

int main(void)
{
    numeric_init();
    SRunner *runner = srunner_create(reactions_suite());
    srunner_add_suite(runner, momenta_suite());
    srunner_add_suite(runner, discovery_suite());
    srunner_add_suite(runner, consistency_suite());
    srunner_add_suite(runner, gauge_momenta_suite());
    srunner_add_suite(runner, structure_suite());
    srunner_add_suite(runner, measure_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
