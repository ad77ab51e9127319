/* Private to `dalembert selftest`: the jobs and the expected numbers in the program, and one job
 * run and compared. */
#ifndef SERVER_SELFTEST_H
#define SERVER_SELFTEST_H

#include "api/documents/catalog_data.h"
#include "core/base/arena.h"
#include "core/base/status.h"

/* The jobs of models/selftest, by the name of the file (tools/embed-catalog.sh). */
extern const CatalogEntry SELFTEST_JOBS[];
extern const size_t SELFTEST_JOBS_COUNT;

/* One number of a job's result, in SI units. */
typedef struct SelftestNumber {
    const char *name; /* "th", "reversal th" (of an event), "member 3 x" (of an ensemble) */
    double value;
} SelftestNumber;

/* The expected numbers of one job. */
typedef struct SelftestExpected {
    const char *name;
    const SelftestNumber *numbers; /* n */
    size_t n;
} SelftestExpected;

/* Written by `make selftest-numbers`. */
extern const SelftestExpected SELFTEST_EXPECTED[];
extern const size_t SELFTEST_EXPECTED_COUNT;

/* NULL if there is none of this name. */
const SelftestExpected *selftest_expected(const char *name);

/* Runs the job and returns its numbers: of a motion the last row, then the last row of each event;
 * of an ensemble the last sample of each member. They live in the arena. Fails if the job has
 * mistakes or does not reach its end. */
Status selftest_run(const CatalogEntry *job, Arena *arena, const SelftestNumber **ret_numbers,
                    size_t *ret_n, Error *err) MUST_CHECK;

/* Compares numbers[n] with the expected ones: their bits, or with a tolerance > 0 the values, up to
 * tolerance (1 + |expected|). ERR_INTERNAL names the first difference. */
Status selftest_compare(const SelftestExpected *expected, const SelftestNumber *numbers, size_t n,
                        double tolerance, Error *err) MUST_CHECK;

#endif
