/* The suites of the interface and the daemon's parts. */
#ifndef TESTS_SERVER_SUITES_H
#define TESTS_SERVER_SUITES_H

#include <check.h>

Suite *config_suite(void);

#endif
