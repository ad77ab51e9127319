#ifndef TESTS_CORE_INVARIANTS_SUITES_H
#define TESTS_CORE_INVARIANTS_SUITES_H

#include <check.h>

Suite *reactions_suite(void);
Suite *momenta_suite(void);
Suite *discovery_suite(void);
Suite *consistency_suite(void);
Suite *gauge_momenta_suite(void);
Suite *structure_suite(void);
Suite *measure_suite(void);

#endif
