/* C99 with math.h. Linear systems are calls of two functions that the reader must provide:
 * solve(component, n, matrix, rhs) and rcond(n, matrix), matrices row by row. */
#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/expr/graph/function.h"
#include "core/expr/print/print_pieces.h"

/* Prints a double literal: 2 is written 2.0. */
static void c_number(Printer *printer, double value)
{
    char text[NUMBER_TEXT_MAX];

    number_print(value, text);
    text_puts(printer->out, text);
    if (!strpbrk(text, ".e"))
        text_puts(printer->out, ".0");
}

enum { WRITTEN_OUT = 3 }; /* powers of a symbol up to this one are products */

static void c_factor(Printer *printer, Expr e, double exponent)
{
    bool written_out = exponent <= WRITTEN_OUT && pool_op(printer->pool, e) == EXPR_SYMBOL;

    if (exponent == 1.0 || written_out) {
        for (double k = 0.0; k < exponent; k += 1.0) {
            if (k > 0.0)
                printer_text(printer, "*");
            printer_expr(printer, e, LEVEL_POWER);
        }
        return;
    }
    printer_text(printer, "pow(");
    printer_expr(printer, e, LEVEL_OR);
    printer_text(printer, ", ");
    printer_number(printer, exponent);
    printer_text(printer, ")");
}

/* True if a / before the denominator would apply only to its first factor. */
static bool needs_parentheses(const ExprPool *pool, const Factors *factors)
{
    for (const Ranked *factor = factors->list; factor < factors->list + factors->n; factor++)
        if (factor->coef < 0.0)
            return factors->n_below > 1 ||
                   (factor->coef != -1.0 && pool_op(pool, factor->e) == EXPR_SYMBOL);
    return false;
}

static void c_term(Printer *printer, double coef, const Factors *factors)
{
    bool number = coef != 1.0 || factors->n_below == factors->n;
    if (number)
        printer_number(printer, coef);
    printer_write_factors(printer, factors, 1.0, number);
    if (factors->n_below > 0) {
        bool parentheses = needs_parentheses(printer->pool, factors);
        printer_text(printer, parentheses ? "/(" : "/");
        printer_write_factors(printer, factors, -1.0, false);
        printer_text(printer, parentheses ? ")" : "");
    }
}

static void write_array(Printer *printer, Expr e, uint32_t from)
{
    printer_text(printer, "(const double[]){");
    printer_list(printer, e, from, pool_node(printer->pool, e)->n, ", ");
    printer_text(printer, "}");
}

static void c_system(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    bool is_element = pool_op(pool, e) == EXPR_ELEMENT;
    Expr solve = is_element ? pool_arg(pool, e, 0) : e;
    Expr factor = pool_arg(pool, solve, 0);

    if (is_element)
        text_printf(printer->out, "solve(%u, %u, ", pool_node(pool, e)->symbol,
                    pool_node(pool, solve)->n - 1);
    else
        text_printf(printer->out, "rcond(%.0f, ", sqrt((double)pool_node(pool, factor)->n));
    write_array(printer, factor, 0);
    if (is_element) {
        printer_text(printer, ", ");
        write_array(printer, solve, 1);
    }
    printer_text(printer, ")");
}

/* Functions that C writes in another way; it has no sign function. */
static const char *const FORMS[] = {
    [EXPR_ABS] = "fabs(@*)",      [EXPR_SIGN] = "((double)((@0 > 0.0) - (@0 < 0.0)))",
    [EXPR_MIN] = "fmin(@*)",      [EXPR_MAX] = "fmax(@*)",
    [EXPR_IF] = "(@0 ? @1 : @2)",
};

static void c_call(Printer *printer, Expr e)
{
    ExprOp op = pool_op(printer->pool, e);

    if (op == EXPR_NOT) {
        printer_condition(printer, e);
    } else if (function_is_condition(op)) {
        printer_text(printer, "(");
        printer_condition(printer, e);
        printer_text(printer, ")");
    } else if (op >= EXPR_FACTOR) {
        c_system(printer, e);
    } else if (FORMS[op]) {
        printer_form(printer, FORMS[op], e);
    } else {
        printer_text(printer, function_name(op));
        printer_form(printer, "(@*)", e);
    }
}

const PrintStyle print_style_c = {.open = "(",
                                  .close = ")",
                                  .times = "*",
                                  .times_power = "*",
                                  .conditions = {.less = " < ",
                                                 .less_equal = " <= ",
                                                 .equal = " == ",
                                                 .conjunction = " && ",
                                                 .disjunction = " || ",
                                                 .negation = "!",
                                                 .negated = LEVEL_ATOM},
                                  .factor = c_factor,
                                  .number = c_number,
                                  .term = c_term,
                                  .call = c_call}; /* every call has its own parentheses */
