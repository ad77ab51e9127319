/* Orthonormal bases from rows, one row after the other: which rows are independent, and what is
 * orthogonal to them. */
#ifndef CORE_MODEL_ROWS_H
#define CORE_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct RowBasis {
    size_t n, n_rows, n_chosen;
    double *rows;  /* n_rows x n: as added, less what the basis explains */
    double *basis; /* n_chosen x n, orthonormal */
    bool *chosen;  /* n_rows */
} RowBasis;

/* False when out of memory; call row_basis_done() in any case. */
bool row_basis_init(RowBasis *b, size_t n, size_t max_rows);
void row_basis_done(RowBasis *b);

/* Room for the next row; all are added before the first is chosen. Their sizes should be 1, or 0:
 * what is left of a row counts as nothing below n * eps * 1e3. */
double *row_basis_add(RowBasis *b);

/* Takes rows among the first n_rows into the basis until it has `most`: the earliest that are well
 * independent; what is nearly dependent has its turn only when nothing better is left. */
void row_basis_choose(RowBasis *b, size_t n_rows, size_t most);

#endif
