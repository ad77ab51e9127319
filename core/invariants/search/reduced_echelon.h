/* Reduced echelon forms: a basis of a subspace whose vectors have few entries. */
#ifndef CORE_INVARIANTS_SEARCH_REDUCED_ECHELON_H
#define CORE_INVARIANTS_SEARCH_REDUCED_ECHELON_H

#include <stddef.h>

/* Reduces rows[m][n] (row-major) in place: each of the first ret rows (the rank) has 1 in its pivot
 * column, in which the others have 0; the rest is 0. The largest entry that is left is the next
 * pivot. Entries below tolerance times the largest of the rows count as 0. ret_pivots (at most
 * min(m, n)): the pivot columns. */
size_t echelon_reduce(double *rows, size_t m, size_t n, double tolerance, size_t *ret_pivots);

#endif
