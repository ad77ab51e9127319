/* Unit tests of api. */
#include <stdlib.h>

#include "core/numeric/numeric.h"
#include "tests/api/suites.h"

int main(void)
{
    numeric_init();
    SRunner *runner = srunner_create(json_suite());
    srunner_add_suite(runner, canonical_suite());
    srunner_add_suite(runner, model_document_suite());
    srunner_add_suite(runner, job_document_suite());
    srunner_add_suite(runner, answers_suite());
    srunner_add_suite(runner, result_writer_suite());
    srunner_add_suite(runner, contract_suite());
    srunner_add_suite(runner, requests_suite());
    srunner_add_suite(runner, cache_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
