/* Row reduction over a prime field. Private to core/exact. */
#ifndef CORE_EXACT_ELIMINATION_H
#define CORE_EXACT_ELIMINATION_H

#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#include <stdbool.h>
#include <stddef.h>

/* Brings a = [A | b], m rows of n + 1, to reduced echelon form. ret_pivots[ret_rank]: the column of
 * each row's pivot. False if the system has no solution (a row 0 = 1). */
bool elimination_reduce(mp_limb_t *a, size_t m, size_t n, nmod_t mod, size_t *ret_pivots,
                        size_t *ret_rank);

#endif
