/* Unit tests of db: the promises of db/store.h. */
#include "tests/db/fixture.h"

int main(void)
{
    Suite *suite = suite_create("db");
    suite_add_tcase(suite, queue_tcase());
    suite_add_tcase(suite, open_tcase());
    suite_add_tcase(suite, jobs_tcase());
    suite_add_tcase(suite, list_tcase());
    suite_add_tcase(suite, results_tcase());
    suite_add_tcase(suite, models_tcase());
    suite_add_tcase(suite, writer_tcase());
    suite_add_tcase(suite, full_tcase());
    suite_add_tcase(suite, crash_tcase());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
