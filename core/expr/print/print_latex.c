/* LaTeX in the usual notation: fractions, roots, powers of functions, cases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/expr/graph/function.h"
#include "core/expr/print/print_pieces.h"

/* Names: Greek letters by their names, digits and the part after _ as an index. */
static const char *const GREEK[] = {
    "alpha", "beta",   "gamma", "delta",   "epsilon", "zeta",  "eta",   "theta", "iota",
    "kappa", "lambda", "mu",    "nu",      "xi",      "rho",   "sigma", "tau",   "upsilon",
    "phi",   "chi",    "psi",   "omega",   "varphi",  "Gamma", "Delta", "Theta", "Lambda",
    "Xi",    "Pi",     "Sigma", "Upsilon", "Phi",     "Psi",   "Omega"};

static bool is_greek(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof GREEK / sizeof GREEK[0]; i++)
        if (strlen(GREEK[i]) == length && memcmp(GREEK[i], name, length) == 0)
            return true;
    return false;
}

/* The letters of a name without its index. */
static void write_letters(const char *name, size_t length, Text *out)
{
    if (length == 1 && name[0] != '_') {
        text_putc(out, name[0]);
        return;
    }
    if (is_greek(name, length)) {
        text_putc(out, '\\');
        text_append(out, name, length);
        return;
    }
    text_puts(out, "\\mathrm{");
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '_')
            text_putc(out, '\\');
        text_putc(out, name[i]);
    }
    text_puts(out, "}");
}

void print_latex_name(const char *name, Text *out)
{
    size_t length = strlen(name), letters = length;

    while (letters > 0 && name[letters - 1] >= '0' && name[letters - 1] <= '9')
        letters--;
    const char *digits = name + letters;
    if (letters > 1 && *digits && name[letters - 1] == '_') /* theta_1 is theta1 */
        letters--;
    write_letters(name, letters, out);
    if (*digits)
        text_printf(out, "_{%s}", digits);
}

static Level latex_number_level(double value)
{
    char text[NUMBER_TEXT_MAX];
    Quotient quotient = printer_quotient(value);
    bool simple = quotient.q == 1.0 && (!quotient.pi || quotient.p == 1.0);

    number_print(value, text);
    return simple && !strchr(text, 'e') ? LEVEL_ATOM : LEVEL_PRODUCT;
}

/* 1.5e-07 becomes 1.5 \cdot 10^{-7}. */
static void write_decimal(Printer *printer, double value)
{
    char text[NUMBER_TEXT_MAX];

    number_print(value, text);
    char *exponent = strchr(text, 'e');
    if (!exponent) {
        text_puts(printer->out, text);
        return;
    }
    *exponent++ = '\0';
    if (strcmp(text, "1") != 0)
        text_printf(printer->out, "%s \\cdot ", text);
    text_printf(printer->out, "10^{%ld}", strtol(exponent, NULL, 10));
}

static void write_numerator(Printer *printer, Quotient quotient)
{
    if (!quotient.pi || quotient.p != 1.0)
        write_decimal(printer, quotient.p);
    if (quotient.pi)
        text_puts(printer->out, quotient.p == 1.0 ? "\\pi" : " \\pi");
}

static void latex_number(Printer *printer, double value)
{
    Quotient quotient = printer_quotient(value);

    if (quotient.q != 1.0)
        text_puts(printer->out, "\\frac{");
    write_numerator(printer, quotient);
    if (quotient.q != 1.0) {
        text_puts(printer->out, "}{");
        write_decimal(printer, quotient.q);
        text_puts(printer->out, "}");
    }
}

/* Names of functions that are written name(arguments) and may carry a power. */
static const char *const NAMES[] = {
    [EXPR_SIN] = "\\sin",
    [EXPR_COS] = "\\cos",
    [EXPR_TAN] = "\\tan",
    [EXPR_ASIN] = "\\arcsin",
    [EXPR_ACOS] = "\\arccos",
    [EXPR_ATAN] = "\\arctan",
    [EXPR_SINH] = "\\sinh",
    [EXPR_COSH] = "\\cosh",
    [EXPR_TANH] = "\\tanh",
    [EXPR_ASINH] = "\\operatorname{arsinh}",
    [EXPR_ACOSH] = "\\operatorname{arcosh}",
    [EXPR_ATANH] = "\\operatorname{artanh}",
    [EXPR_LOG] = "\\ln",
    [EXPR_LOG10] = "\\log_{10}",
    [EXPR_ERF] = "\\operatorname{erf}",
    [EXPR_SIGN] = "\\operatorname{sgn}",
    [EXPR_ATAN2] = "\\operatorname{atan2}",
    [EXPR_MIN] = "\\min",
    [EXPR_MAX] = "\\max",
};

static const char *latex_name(ExprOp op)
{
    return op < sizeof NAMES / sizeof NAMES[0] ? NAMES[op] : NULL;
}

static const char ARGUMENTS[] = "\\left(@*\\right)";

static void write_exponent(Printer *printer, double exponent)
{
    printer_text(printer, "^{");
    printer_number(printer, exponent);
    printer_text(printer, "}");
}

static void latex_factor(Printer *printer, Expr e, double exponent)
{
    const char *name = latex_name(pool_op(printer->pool, e));

    if (exponent == 1.0) {
        printer_expr(printer, e, LEVEL_POWER);
    } else if (name) { /* \sin^{2}\left(\theta\right) */
        printer_text(printer, name);
        write_exponent(printer, exponent);
        printer_form(printer, ARGUMENTS, e);
    } else {
        printer_expr(printer, e, LEVEL_ATOM);
        write_exponent(printer, exponent);
    }
}

/* \frac{1}{2} m v: a number below goes with the coefficient. Other quotients are one fraction. */
static void latex_term(Printer *printer, double coef, const Factors *factors)
{
    Quotient number = printer_quotient(coef);

    if (factors->n_below == 0) {
        if (coef != 1.0)
            latex_number(printer, coef);
        printer_write_factors(printer, factors, 1.0, coef != 1.0);
    } else {
        /* a number above the line if it is not 1, or if no factor is there */
        bool numerator = number.p != 1.0 || number.pi || factors->n_below == factors->n;
        text_puts(printer->out, "\\frac{");
        if (numerator)
            write_numerator(printer, number);
        printer_write_factors(printer, factors, 1.0, numerator);
        printer_text(printer, "}{");
        if (number.q != 1.0)
            printer_number(printer, number.q);
        printer_write_factors(printer, factors, -1.0, number.q != 1.0);
        printer_text(printer, "}");
    }
}

/* Operations with a special notation. */
static const char *const FORMS[] = {
    [EXPR_SQRT] = "\\sqrt{@0}",
    [EXPR_CBRT] = "\\sqrt[3]{@0}",
    [EXPR_ABS] = "\\left|@0\\right|",
    [EXPR_EXP] = "e^{@0}",
    [EXPR_POW] = "~0^{@1}",
    [EXPR_IF] = "\\begin{cases} @1 & \\text{if } @0 \\\\ @2 & \\text{otherwise} \\end{cases}",
};

/* \sqrt{x^{2} + y^{2}} */
static void write_hypot(Printer *printer, Expr e)
{
    printer_text(printer, "\\sqrt{");
    latex_factor(printer, pool_arg(printer->pool, e, 0), 2.0);
    printer_text(printer, " + ");
    latex_factor(printer, pool_arg(printer->pool, e, 1), 2.0);
    printer_text(printer, "}");
}

static void write_matrix(Printer *printer, Expr factor)
{
    uint32_t n = (uint32_t)(sqrt((double)pool_node(printer->pool, factor)->n) + 0.5);

    printer_text(printer, "\\begin{pmatrix} ");
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            printer_text(printer, " \\\\ ");
        printer_list(printer, factor, i * n, (i + 1) * n, " & ");
    }
    printer_text(printer, " \\end{pmatrix}");
}

static void latex_system(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    const Node *node = pool_node(pool, e);

    /* the inverse of the matrix times the right side */
    if (node->op == EXPR_ELEMENT) {
        Expr solve = pool_arg(pool, e, 0);
        printer_text(printer, "\\left(");
        write_matrix(printer, pool_arg(pool, solve, 0));
        printer_text(printer, "^{-1} \\begin{pmatrix} ");
        printer_list(printer, solve, 1, pool_node(pool, solve)->n, " \\\\ ");
        printer_text(printer, " \\end{pmatrix}\\right)_{");
        printer_number(printer, node->symbol + 1.0);
        printer_text(printer, "}");
    } else if (node->op == EXPR_RCOND) {
        printer_text(printer, "\\operatorname{rcond}");
        write_matrix(printer, pool_arg(pool, e, 0));
    } else {
        write_matrix(printer, node->op == EXPR_SOLVE ? pool_arg(pool, e, 0) : e);
    }
}

static void latex_call(Printer *printer, Expr e)
{
    ExprOp op = pool_op(printer->pool, e);

    if (op == EXPR_HYPOT) {
        write_hypot(printer, e);
    } else if (function_is_condition(op)) {
        printer_condition(printer, e);
    } else if (op >= EXPR_FACTOR) {
        latex_system(printer, e);
    } else if (FORMS[op]) {
        printer_form(printer, FORMS[op], e);
    } else {
        printer_text(printer, latex_name(op));
        printer_form(printer, ARGUMENTS, e);
    }
}

static Level latex_call_level(const ExprPool *pool, Expr e)
{
    return pool_op(pool, e) == EXPR_EXP ? LEVEL_POWER : print_style_text.call_level(pool, e);
}

const PrintStyle print_style_latex = {.open = "\\left(",
                                      .close = "\\right)",
                                      .times = " \\, ",          /* ab is a name, a\,b a product */
                                      .times_power = " \\cdot ", /* 3 \cdot 2^{x} */
                                      .conditions = {.less = " < ",
                                                     .less_equal = " \\le ",
                                                     .equal = " = ",
                                                     .conjunction = " \\land ",
                                                     .disjunction = " \\lor ",
                                                     .negation = "\\lnot ",
                                                     .unequal = " \\ne ",
                                                     .negated = LEVEL_ATOM},
                                      .factor = latex_factor,
                                      .number = latex_number,
                                      .term = latex_term,
                                      .call = latex_call,
                                      .number_level = latex_number_level,
                                      .call_level = latex_call_level};
