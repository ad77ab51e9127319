/* Discs around eigenvalues: how much is done at once. More of them in tests/core/simulate. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/numeric/spectrum.h"
#include "tests/suite.h"

/* Rotations by 1, 2, .., of two rows each; with `tied` the first row acts on all, and they on
 * it. */
static Status find(size_t n, bool tied, Eigenvalue *ret, Error *err)
{
    double *a = calloc(n * n, sizeof *a), *error = calloc(n * n, sizeof *error);

    ck_assert(a && error);
    for (size_t i = 0; i + 1 < n; i += 2) {
        a[i * n + i + 1] = (double)(i / 2 + 1);
        a[(i + 1) * n + i] = -a[i * n + i + 1];
    }
    for (size_t i = 1; tied && i < n; i++) {
        error[i] = 1e-12;
        error[i * n] = 1e-12;
    }
    const Status status = spectrum_discs(a, error, n, ret, err);
    free(a);
    free(error);
    return status;
}

START_TEST(blocks_are_found_apart_and_bounded)
{
    enum { MANY = SPECTRUM_MOST_ROWS + 2 };
    Eigenvalue *values = calloc(MANY, sizeof *values);
    Error err;

    ck_assert_ptr_nonnull(values);
    ck_assert_int_eq(find(MANY, false, values, &err), OK);
    for (size_t i = 0; i < MANY; i++)
        ck_assert(fabs(values[i].re) < 1e-9 && fabs(values[i].im - round(values[i].im)) < 1e-9);
    ck_assert_int_eq(find(MANY, true, values, &err), ERR_LIMIT);
    ck_assert_int_eq(find(20, true, values, &err), OK);
    free(values);
}
END_TEST

SUITE(spectrum)
{
    TCase *tc = suite_case(suite, "spectrum");
    tcase_add_test(tc, blocks_are_found_apart_and_bounded);
}
