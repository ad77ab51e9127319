/* The test cases of this folder; main.c runs them. */
#ifndef TESTS_CORE_MOTION_SUITES_H
#define TESTS_CORE_MOTION_SUITES_H

#include <check.h>

TCase *random_tcase(void);
TCase *chart_tcase(void);
TCase *hamiltonian_tcase(void);
TCase *vakonomic_tcase(void);
TCase *voronec_tcase(void);
TCase *hamel_tcase(void);
TCase *chaplygin_tcase(void);

#endif
