/* An expression or a condition over the columns of a table, in the language of
 * docs/reference/language.md, evaluated for many rows at once. A column is written by its name,
 * dots included, or as column("any name"). A word of a column with words is written in quotes.
 * Belongs to one thread. */
#ifndef API_DOCUMENTS_ROW_EXPRESSION_H
#define API_DOCUMENTS_ROW_EXPRESSION_H

#include "api/documents/result_writer.h"
#include "core/base/diagnostics.h"

typedef struct RowExpression RowExpression;

typedef struct RowColumns {
    const char *const *names; /* n */
    const ResultWords
        *words; /* n; NULL: all are numbers. A word has the same number in all of them. */
    size_t n;
} RowColumns;

/* Mistakes go to diag, at the pointer (then ERR_INVALID). Borrows nothing. */
Status row_expression_new(const char *text, bool condition, const RowColumns *columns,
                          const char *pointer, Diagnostics *diag, RowExpression **ret_expression,
                          Error *err) MUST_CHECK;
void row_expression_free(RowExpression *expression); /* NULL is fine */

/* Evaluates rows[n_rows][columns]; a condition gives 1 if it holds, else 0. A comparison with NaN
 * does not hold. */
void row_expression_eval(RowExpression *expression, const double *rows, size_t n_rows,
                         double *ret_values);

#endif
