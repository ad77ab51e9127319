/* Unit tests of core/integrate. */
#include <stdlib.h>

#include "tests/core/integrate/problems.h"

int main(void)
{
    Suite *suite = suite_create("core/integrate");
    suite_add_tcase(suite, tableau_case());
    suite_add_tcase(suite, methods_case());
    suite_add_tcase(suite, stiff_case());
    suite_add_tcase(suite, events_case());
    suite_add_tcase(suite, drive_case());
    suite_add_tcase(suite, random_case());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
