/* Row reduction over a prime field: Gauss and Jordan; any nonzero entry may be the pivot. */
#include "core/exact/field.h"

#include "core/base/stop_token.h"

/* Swaps a row with a pivot into row k; false if rows k .. vanish. */
static bool find_pivot(mp_limb_t *a, size_t m, size_t n, size_t k, size_t *ret_column)
{
    for (size_t i = k; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            if (a[i * (n + 1) + j] == 0)
                continue;
            for (size_t l = 0; i != k && l <= n; l++) {
                mp_limb_t keep = a[k * (n + 1) + l];
                a[k * (n + 1) + l] = a[i * (n + 1) + l];
                a[i * (n + 1) + l] = keep;
            }
            *ret_column = j;
            return true;
        }
    return false;
}

static void eliminate(mp_limb_t *a, size_t m, size_t n, size_t k, size_t column, nmod_t mod)
{
    mp_limb_t *row = a + k * (n + 1);
    const mp_limb_t inverse = nmod_inv(row[column], mod);

    _nmod_vec_scalar_mul_nmod(row, row, (slong)(n + 1), inverse, mod);
    for (size_t i = 0; i < m; i++) {
        const mp_limb_t factor = a[i * (n + 1) + column];
        if (i != k && factor)
            _nmod_vec_scalar_addmul_nmod(a + i * (n + 1), row, (slong)(n + 1),
                                         nmod_neg(factor, mod), mod);
    }
}

bool elimination_reduce(mp_limb_t *a, size_t m, size_t n, nmod_t mod, size_t *ret_pivots,
                        size_t *ret_rank)
{
    size_t rank = 0;

    while (rank < m && stop_token_spend((m - rank) * n, NULL) == OK &&
           find_pivot(a, m, n, rank, &ret_pivots[rank])) {
        eliminate(a, m, n, rank, ret_pivots[rank], mod);
        rank++;
    }
    *ret_rank = rank;
    for (size_t i = rank; i < m; i++)
        if (a[i * (n + 1) + n] != 0)
            return false;
    return true;
}
