/* Unit tests of core/expr. */
#include <stdlib.h>

#include "tests/core/expr/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(build_suite());
    srunner_add_suite(runner, calculus_suite());
    srunner_add_suite(runner, switches_suite());
    srunner_add_suite(runner, share_suite());
    srunner_add_suite(runner, solve_suite());
    srunner_add_suite(runner, parse_suite());
    srunner_add_suite(runner, mistakes_suite());
    srunner_add_suite(runner, limits_suite());
    srunner_add_suite(runner, print_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
