/* The expression language itself: what is written here parses back to the same node, but for
 * linear systems, for which the language has no words. */
#include <math.h>
#include <stdlib.h>

#include "core/expr/function.h"
#include "core/expr/print_pieces.h"

static Level text_number_level(double value)
{
    Quotient quotient = printer_quotient(value);
    bool divided = quotient.q != 1.0 || (quotient.pi && quotient.p != 1.0);
    return divided ? LEVEL_PRODUCT : LEVEL_ATOM;
}

/* p, pi or p*pi. */
static void write_numerator(Printer *printer, Quotient quotient)
{
    if (!quotient.pi || quotient.p != 1.0)
        text_number(printer->out, quotient.p);
    if (quotient.pi)
        text_puts(printer->out, quotient.p == 1.0 ? "pi" : "*pi");
}

static void text_number_write(Printer *printer, double value)
{
    Quotient quotient = printer_quotient(value);

    write_numerator(printer, quotient);
    if (quotient.q != 1.0) {
        text_putc(printer->out, '/');
        text_number(printer->out, quotient.q);
    }
}

static void write_factor(Printer *printer, Expr e, double exponent)
{
    printer_expr(printer, e, exponent == 1.0 ? LEVEL_POWER : LEVEL_ATOM);
    if (exponent != 1.0) {
        printer_text(printer, "^");
        printer_number(printer, exponent);
    }
}

/* Factors with exponents of one sign, with * between them; the number of factors written. */
static size_t text_factors(Printer *printer, const Ranked *factors, size_t n, double sign,
                           bool behind)
{
    size_t written = 0;

    for (size_t k = 0; k < n; k++) {
        if (factors[k].coef * sign < 0.0)
            continue;
        if (behind || written > 0)
            printer_text(printer, "*");
        write_factor(printer, factors[k].e, fabs(factors[k].coef));
        written++;
    }
    return written;
}

static void write_denominator(Printer *printer, const Ranked *factors, size_t n, size_t n_below,
                              double q)
{
    bool parentheses = n_below + (q != 1.0) > 1;

    if (n_below == 0 && q == 1.0)
        return;
    printer_text(printer, parentheses ? "/(" : "/");
    if (q != 1.0)
        printer_number(printer, q);
    text_factors(printer, factors, n, -1.0, q != 1.0);
    if (parentheses)
        printer_text(printer, ")");
}

/* The only factor below is a plain sum: a number next to it would be multiplied into it. */
static bool sum_alone_below(const ExprPool *pool, const Ranked *factors, size_t n, size_t n_below)
{
    for (size_t k = 0; k < n; k++)
        if (factors[k].coef < 0.0)
            return n_below == 1 && factors[k].coef == -1.0 &&
                   pool_op(pool, factors[k].e) == EXPR_SUM;
    return false;
}

static void text_term(Printer *printer, double coef, Expr e)
{
    size_t n = 0, n_below = 0;
    Ranked *factors = printer_factors(printer, e, &n);
    Quotient number = printer_quotient(coef);

    if (!factors)
        return;
    for (size_t k = 0; k < n; k++)
        n_below += factors[k].coef < 0.0;
    bool numerator = number.p != 1.0 || number.pi || n_below == n;
    if (numerator)
        write_numerator(printer, number);
    text_factors(printer, factors, n, 1.0, numerator);
    if (number.q != 1.0 && sum_alone_below(printer->pool, factors, n, n_below)) {
        printer_text(printer, "/");
        printer_number(printer, number.q);
        number.q = 1.0;
    }
    write_denominator(printer, factors, n, n_below, number.q);
    free(factors);
}

static void write_infix(Printer *printer, Expr a, const char *sign, Expr b, Level left, Level right)
{
    printer_expr(printer, a, left);
    printer_text(printer, sign);
    printer_expr(printer, b, right);
}

static void write_condition(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    ExprOp op = pool_op(pool, e);
    Expr a, b;

    if (op == EXPR_NOT) {
        printer_text(printer, "not ");
        printer_expr(printer, pool_arg(pool, e, 0), LEVEL_NOT);
        return;
    }
    if (printer_unequal(pool, e, &a, &b)) {
        write_infix(printer, a, " != ", b, LEVEL_SUM, LEVEL_SUM);
        return;
    }
    a = pool_arg(pool, e, 0);
    b = pool_arg(pool, e, 1);
    if (op == EXPR_AND)
        write_infix(printer, a, " and ", b, LEVEL_AND, LEVEL_NOT);
    else if (op == EXPR_OR)
        write_infix(printer, a, " or ", b, LEVEL_OR, LEVEL_AND);
    else
        write_infix(printer, a,
                    op == EXPR_LT   ? " < "
                    : op == EXPR_LE ? " <= "
                                    : " == ",
                    b, LEVEL_SUM, LEVEL_SUM);
}

static void text_arguments(Printer *printer, Expr e)
{
    for (uint32_t k = 0; k < pool_node(printer->pool, e)->n; k++) {
        if (k > 0)
            printer_text(printer, ", ");
        printer_expr(printer, pool_arg(printer->pool, e, k), LEVEL_OR);
    }
}

/* solve(component; matrix; right-hand side), rcond(matrix): for the eye only. */
static void text_system(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    const Node *node = pool_node(pool, e);

    if (node->op == EXPR_ELEMENT) {
        printer_text(printer, "solve(");
        printer_number(printer, node->symbol + 1.0);
        printer_text(printer, "; ");
        text_arguments(printer, pool_arg(pool, e, 0));
    } else {
        printer_text(printer, node->op == EXPR_RCOND    ? "rcond("
                              : node->op == EXPR_FACTOR ? "matrix("
                                                        : "system(");
        text_arguments(printer, e);
    }
    printer_text(printer, ")");
}

static void text_call(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    ExprOp op = pool_op(pool, e);

    if (op == EXPR_POW) {
        write_infix(printer, pool_arg(pool, e, 0), "^", pool_arg(pool, e, 1), LEVEL_ATOM,
                    LEVEL_ATOM);
    } else if (function_is_condition(op)) {
        write_condition(printer, e);
    } else if (op >= EXPR_FACTOR) {
        text_system(printer, e);
    } else {
        printer_text(printer, op == EXPR_IF ? "if" : function_name(op));
        printer_text(printer, "(");
        text_arguments(printer, e);
        printer_text(printer, ")");
    }
}

static Level text_call_level(const ExprPool *pool, Expr e)
{
    ExprOp op = pool_op(pool, e);
    Expr a, b;

    if (op == EXPR_POW)
        return LEVEL_POWER;
    if (op == EXPR_NOT)
        return LEVEL_NOT;
    if (op == EXPR_AND)
        return LEVEL_AND;
    if (op == EXPR_OR)
        return printer_unequal(pool, e, &a, &b) ? LEVEL_COMPARE : LEVEL_OR;
    return function_is_condition(op) ? LEVEL_COMPARE : LEVEL_ATOM;
}

const PrintStyle print_style_text = {.open = "(",
                                     .close = ")",
                                     .number = text_number_write,
                                     .term = text_term,
                                     .call = text_call,
                                     .number_level = text_number_level,
                                     .call_level = text_call_level};
