/* Unit tests of core/model. */
#include <stdlib.h>

#include "tests/core/model/suites.h"

int main(void)
{
    Suite *suite = suite_create("core/model");
    suite_add_tcase(suite, derivatives_tcase());
    suite_add_tcase(suite, classes_tcase());
    suite_add_tcase(suite, mistakes_tcase());
    suite_add_tcase(suite, initial_tcase());
    suite_add_tcase(suite, project_tcase());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
