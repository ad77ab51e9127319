/* The suites of the unit tests of api, one per file. */
#ifndef TESTS_API_SUITES_H
#define TESTS_API_SUITES_H

#include <check.h>

Suite *json_suite(void);
Suite *canonical_suite(void);
Suite *model_document_suite(void);
Suite *job_document_suite(void);
Suite *answers_suite(void);
Suite *result_writer_suite(void);
Suite *contract_suite(void);
Suite *requests_suite(void);
Suite *cache_suite(void);

#endif
