#ifndef TESTS_CORE_EXPR_SUITES_H
#define TESTS_CORE_EXPR_SUITES_H

#include <check.h>

Suite *build_suite(void);
Suite *calculus_suite(void);
Suite *switches_suite(void);
Suite *share_suite(void);
Suite *solve_suite(void);
Suite *parse_suite(void);
Suite *mistakes_suite(void);
Suite *limits_suite(void);
Suite *print_suite(void);

#endif
