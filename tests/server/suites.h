/* The suites of the interface and the daemon's parts. */
#ifndef TESTS_SERVER_SUITES_H
#define TESTS_SERVER_SUITES_H

#include <check.h>

Suite *contract_suite(void);
Suite *requests_suite(void);
Suite *config_suite(void);
Suite *cache_suite(void);

#endif
