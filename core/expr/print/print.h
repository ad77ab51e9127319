/* Expressions as text (parses back to the same node), LaTeX and C. */
#ifndef CORE_EXPR_PRINT_H
#define CORE_EXPR_PRINT_H

#include "core/base/text.h"
#include "core/expr/graph/expr.h"

typedef enum PrintFormat { PRINT_TEXT, PRINT_LATEX, PRINT_C } PrintFormat;

/* Names of symbols: names[symbol] in the chosen format ("dot(x)", "\\dot{x}", "v[0]"). A missing
 * name (NULL or beyond n) prints as s<symbol>. */
typedef struct PrintNames {
    const char *const *names;
    size_t n;
} PrintNames;

/* Appends e, shared parts in full. ERR_LIMIT: the text is longer than max_length bytes. */
Status expr_print(const ExprPool *pool, Expr e, PrintFormat format, PrintNames names,
                  size_t max_length, Text *out, Error *err) MUST_CHECK;

/* "theta" -> "\theta", "psi1" -> "\psi_{1}", "rolling_x" -> "\mathrm{rolling\_x}": appends. */
void print_latex_name(const char *name, Text *out);

#endif
