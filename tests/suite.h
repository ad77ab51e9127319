/* How a file of tests says what it has. tests/core/expr/test_limits.c ends in
 *
 *     SUITE(limits)
 *     {
 *         TCase *tc = suite_case(suite, "limits");
 *         tcase_add_test(tc, a_long_sum_is_read);
 *     }
 *
 * and is suite core/expr/limits. The build finds it by its name and does not link where a file
 * test_x.c has no SUITE(x); tests/main.c runs all suites of a layer. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

#define SUITE(name)                  \
    void name##_suite(Suite *suite); \
    void name##_suite(Suite *suite)

/* How many random models a test draws, or ways it tries, of so many: a fifth in a sanitized build,
 * which looks for mistakes of memory and is slow. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SUITE_DRAWS(all) (((all) + 4) / 5)
#else
#define SUITE_DRAWS(all) (all)
#endif

/* A new case of the suite. */
TCase *suite_case(Suite *suite, const char *name);

typedef struct SuiteEntry {
    const char *name;
    void (*fill)(Suite *suite);
} SuiteEntry;

/* The suites of the layer under test, made by tools/list-suites.sh; ended by a NULL name. */
extern const SuiteEntry SUITES[];

#endif
