/* Memory that is kept without its zeros comes back byte by byte. */
#include <stdlib.h>
#include <string.h>

#include "core/base/kept_bytes.h"
#include "core/base/random.h"
#include "tests/suite.h"

enum { MOST = 5000, TRIES = 300 };

/* Stretches of zeros and of other bytes, of lengths around `typical`. */
static void fill(unsigned char *bytes, size_t n, size_t typical, Random *random)
{
    bool zero = random_bits(random) % 2;

    for (size_t at = 0; at < n; zero = !zero)
        for (size_t left = random_bits(random) % (2 * typical) + 1; left > 0 && at < n; left--)
            bytes[at++] = zero ? 0 : (unsigned char)random_bits(random);
}

START_TEST(bytes_come_back_over_whatever_is_there)
{
    const size_t typical[] = {1, 60, 300, 1500, 2 * MOST};
    unsigned char *from = malloc(MOST), *to = malloc(MOST + 1);
    Random random;

    random_init(&random, 1);
    for (int k = 0; k < TRIES; k++) {
        const size_t n = (size_t)(random_bits(&random) % (MOST + 1));
        KeptBytes kept;
        fill(from, n, typical[k % 5], &random);
        ck_assert(kept_bytes_take(&kept, from, n));
        memset(to, 0xa5, MOST + 1);
        kept_bytes_put(&kept, to);
        ck_assert_mem_eq(to, from, n);
        ck_assert_uint_eq(to[n], 0xa5);
        kept_bytes_done(&kept);
    }
    free(from);
    free(to);
}
END_TEST

SUITE(kept_bytes)
{
    TCase *tc = suite_case(suite, "kept_bytes");
    tcase_add_test(tc, bytes_come_back_over_whatever_is_there);
}
