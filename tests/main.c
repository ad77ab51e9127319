/* Runs the suites of a layer, or those that CK_RUN_SUITE and CK_RUN_CASE name. */
#include <stdio.h>
#include <stdlib.h>

#include "core/numeric/numeric.h"
#include "tests/suite.h"

TCase *suite_case(Suite *suite, const char *name)
{
    TCase *tc = tcase_create(name);

    suite_add_tcase(suite, tc);
    return tc;
}

int main(void)
{
    SRunner *runner = srunner_create(NULL);

    numeric_init();
    for (const SuiteEntry *entry = SUITES; entry->name; entry++) {
        Suite *suite = suite_create(entry->name);
        entry->fill(suite);
        srunner_add_suite(runner, suite);
    }
    srunner_run_all(runner, CK_ENV);
    const int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0)
        fputs("no test has run: CK_RUN_SUITE is as in core/expr/limits\n", stderr);
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
