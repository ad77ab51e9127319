#ifndef TESTS_CORE_MODEL_SUITES_H
#define TESTS_CORE_MODEL_SUITES_H

#include <check.h>

TCase *derivatives_tcase(void);
TCase *classes_tcase(void);
TCase *mistakes_tcase(void);
TCase *initial_tcase(void);
TCase *project_tcase(void);

#endif
