/* The language itself. The text parses back to the same node, except linear systems. */
#include <math.h>

#include "core/expr/graph/function.h"
#include "core/expr/print/print_pieces.h"

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

static void text_factor(Printer *printer, Expr e, double exponent)
{
    printer_expr(printer, e, exponent == 1.0 ? LEVEL_POWER : LEVEL_ATOM);
    if (exponent != 1.0) {
        printer_text(printer, "^");
        printer_number(printer, exponent);
    }
}

static void write_denominator(Printer *printer, const Factors *factors, double q)
{
    bool parentheses = factors->n_below + (q != 1.0) > 1;

    if (factors->n_below == 0 && q == 1.0)
        return;
    printer_text(printer, parentheses ? "/(" : "/");
    if (q != 1.0)
        printer_number(printer, q);
    printer_write_factors(printer, factors, -1.0, q != 1.0);
    if (parentheses)
        printer_text(printer, ")");
}

/* The only factor below is a plain sum, into which a number beside it would be multiplied. */
static bool sum_alone_below(const ExprPool *pool, const Factors *factors)
{
    for (const Ranked *factor = factors->list; factor < factors->list + factors->n; factor++)
        if (factor->coef < 0.0)
            return factors->n_below == 1 && factor->coef == -1.0 &&
                   pool_op(pool, factor->e) == EXPR_SUM;
    return false;
}

static void text_term(Printer *printer, double coef, const Factors *factors)
{
    Quotient number = printer_quotient(coef);

    bool numerator = number.p != 1.0 || number.pi || factors->n_below == factors->n;
    if (numerator)
        write_numerator(printer, number);
    printer_write_factors(printer, factors, 1.0, numerator);
    if (number.q != 1.0 && sum_alone_below(printer->pool, factors)) {
        printer_text(printer, "/");
        printer_number(printer, number.q);
        number.q = 1.0;
    }
    write_denominator(printer, factors, number.q);
}

/* solve(component; matrix; right-hand side), rcond(matrix): for readers only. */
static void text_system(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    const Node *node = pool_node(pool, e);

    if (node->op == EXPR_ELEMENT) {
        printer_text(printer, "solve(");
        printer_number(printer, node->symbol + 1.0);
        printer_form(printer, "; @*)", pool_arg(pool, e, 0));
    } else {
        printer_form(printer,
                     node->op == EXPR_RCOND    ? "rcond(@*)"
                     : node->op == EXPR_FACTOR ? "matrix(@*)"
                                               : "system(@*)",
                     e);
    }
}

static void text_call(Printer *printer, Expr e)
{
    ExprOp op = pool_op(printer->pool, e);

    if (op == EXPR_POW) {
        printer_form(printer, "~0^~1", e);
    } else if (function_is_condition(op)) {
        printer_condition(printer, e);
    } else if (op >= EXPR_FACTOR) {
        text_system(printer, e);
    } else {
        printer_text(printer, op == EXPR_IF ? "if" : function_name(op));
        printer_form(printer, "(@*)", e);
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
                                     .times = "*",
                                     .times_power = "*",
                                     .conditions = {.less = " < ",
                                                    .less_equal = " <= ",
                                                    .equal = " == ",
                                                    .conjunction = " and ",
                                                    .disjunction = " or ",
                                                    .negation = "not ",
                                                    .unequal = " != ",
                                                    .negated = LEVEL_NOT},
                                     .factor = text_factor,
                                     .number = text_number_write,
                                     .term = text_term,
                                     .call = text_call,
                                     .number_level = text_number_level,
                                     .call_level = text_call_level};
