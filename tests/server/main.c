/* Unit tests of server. */
#include <stdlib.h>

#include "tests/server/commands.h"
#include "tests/server/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(commands_suite());
    srunner_add_suite(runner, config_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
