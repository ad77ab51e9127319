/* Printing without recursion: a stack of pieces that are still to be written. Sums and products are
 * sorted for a reader. A piece that binds less tightly than its context gets parentheses. */
#include "core/expr/print/print_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/base/fraction.h"
#include "core/base/memory.h"
#include "core/base/number.h"
#include "core/expr/graph/function.h"

static void push(Printer *printer, Piece piece)
{
    if (grow_array(&printer->pieces, &printer->capacity, printer->n + 1, sizeof(Piece)))
        printer->pieces[printer->n++] = piece;
    else
        printer->failed = true;
}

static void push_text(Printer *printer, const char *text, size_t length)
{
    push(printer, (Piece){.kind = PIECE_TEXT, .text = text, .length = length});
}

void printer_text(Printer *printer, const char *text)
{
    push_text(printer, text, strlen(text));
}

void printer_number(Printer *printer, double value)
{
    push(printer, (Piece){.kind = PIECE_NUMBER, .value = value});
}

void printer_expr(Printer *printer, Expr e, Level context)
{
    push(printer, (Piece){.kind = PIECE_EXPR, .e = e, .context = context});
}

static void push_term(Printer *printer, double coef, Expr e)
{
    if (pool_op(printer->pool, e) == EXPR_CONST) { /* a part of a constant, coef * 1 */
        printer_number(printer, coef);
        return;
    }
    push(printer, (Piece){.kind = PIECE_TERM, .e = e, .value = coef});
}

/* The order of factors: parameters, coordinates and time, functions, velocities, sums. */
enum { RANK_NUMBER = -1, RANK_PARAMETER, RANK_COORDINATE, RANK_FUNCTION, RANK_RATE, RANK_SUM };

static const char *name_of(const Printer *printer, uint32_t symbol)
{
    return symbol < printer->names.n ? printer->names.names[symbol] : NULL;
}

static bool is_rate_name(const char *name)
{
    return name && (strstr(name, "dot") || strncmp(name, "v[", 2) == 0);
}

static int symbol_rank(const Printer *printer, uint32_t symbol)
{
    if (symbol > printer->last_rate || printer->last_rate == 0)
        return RANK_PARAMETER;
    return is_rate_name(name_of(printer, symbol)) ? RANK_RATE : RANK_COORDINATE;
}

static Ranked rank_factor(const Printer *printer, Expr e, double coef)
{
    const ExprPool *pool = printer->pool;
    const Node *node = pool_node(pool, e);
    Ranked ranked = {.hash = node->hash, .e = e, .coef = coef};

    if (node->op == EXPR_SYMBOL) {
        ranked.rank = symbol_rank(printer, node->symbol);
        ranked.first = node->symbol;
    } else if (node->op == EXPR_SUM) {
        ranked.rank = RANK_SUM;
    } else if (node->op == EXPR_CONST) {
        ranked.rank = RANK_NUMBER;
    } else {
        ranked.rank = RANK_FUNCTION;
        if (node->n > 0) /* functions of one angle are adjacent */
            ranked.first = pool_node(pool, pool_arg(pool, e, 0))->hash;
        ranked.second = node->op;
    }
    return ranked;
}

/* Terms with velocities come first, then those with functions and coordinates. */
static Ranked rank_term(const Printer *printer, Expr e, double coef)
{
    const Node *node = pool_node(printer->pool, e);
    Ranked best = {.rank = -1};

    /* the rank of the last factor in the order */
    if (node->op != EXPR_PRODUCT) {
        best = rank_factor(printer, e, coef);
    } else {
        for (uint32_t k = 0; k < node->n; k++) {
            Ranked factor = rank_factor(printer, pool_arg(printer->pool, e, k), coef);
            if (factor.rank > best.rank || (factor.rank == best.rank && factor.first < best.first))
                best = factor;
        }
    }
    best.rank = -best.rank;
    best.second = 0;
    best.hash = node->hash;
    best.e = e;
    return best;
}

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *a = left, *b = right;

    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->second != b->second)
        return a->second < b->second ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->e.id < b->e.id ? -1 : a->e.id > b->e.id;
}

static void write_term(Printer *printer, double coef, Expr e)
{
    const Node *node = pool_node(printer->pool, e);
    bool is_product = node->op == EXPR_PRODUCT;
    Factors factors = {.n = is_product ? node->n : 1};

    factors.list = alloc_array(factors.n, sizeof *factors.list);
    if (!factors.list) {
        printer->failed = true;
        return;
    }
    /* factors with negative exponents go below the line */
    for (size_t k = 0; k < factors.n; k++) {
        factors.list[k] = is_product ? rank_factor(printer, pool_arg(printer->pool, e, k),
                                                   pool_coef(printer->pool, e, k))
                                     : rank_factor(printer, e, 1.0);
        factors.n_below += factors.list[k].coef < 0.0;
    }
    qsort(factors.list, factors.n, sizeof *factors.list, compare_ranked);
    printer->style->term(printer, coef, &factors);
    free(factors.list);
}

static bool is_power_of_number(const ExprPool *pool, Expr e)
{
    return pool_op(pool, e) == EXPR_POW && pool_op(pool, pool_arg(pool, e, 0)) == EXPR_CONST;
}

void printer_write_factors(Printer *printer, const Factors *factors, double sign, bool behind)
{
    const PrintStyle *style = printer->style;

    for (size_t k = 0; k < factors->n; k++) {
        const Ranked *factor = &factors->list[k];
        if (factor->coef * sign < 0.0)
            continue;
        if (behind)
            printer_text(printer, is_power_of_number(printer->pool, factor->e) ? style->times_power
                                                                               : style->times);
        style->factor(printer, factor->e, fabs(factor->coef));
        behind = true;
    }
}

static void write_infix(Printer *printer, Expr a, const char *sign, Expr b, Level left, Level right)
{
    printer_expr(printer, a, left);
    printer_text(printer, sign);
    printer_expr(printer, b, right);
}

void printer_list(Printer *printer, Expr e, uint32_t from, uint32_t to, const char *between)
{
    for (uint32_t k = from; k < to; k++) {
        if (k > from)
            printer_text(printer, between);
        printer_expr(printer, pool_arg(printer->pool, e, k), LEVEL_OR);
    }
}

void printer_form(Printer *printer, const char *form, Expr e)
{
    while (*form) {
        const size_t plain = strcspn(form, "@~");
        push_text(printer, form, plain);
        form += plain;
        if (*form == '\0')
            return;
        if (form[1] == '*')
            printer_list(printer, e, 0, pool_node(printer->pool, e)->n, ", ");
        else
            printer_expr(printer, pool_arg(printer->pool, e, (size_t)(form[1] - '0')),
                         *form == '@' ? LEVEL_OR : LEVEL_ATOM);
        form += 2;
    }
}

void printer_condition(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    const ConditionWords *words = &printer->style->conditions;
    const ExprOp op = pool_op(pool, e);
    Expr a = pool_arg(pool, e, 0), b;

    /* negations, then a != b, then connectives and comparisons */
    if (op == EXPR_NOT) {
        printer_text(printer, words->negation);
        printer_expr(printer, a, words->negated);
        return;
    }
    if (words->unequal && printer_unequal(pool, e, &a, &b)) {
        write_infix(printer, a, words->unequal, b, LEVEL_SUM, LEVEL_SUM);
        return;
    }
    b = pool_arg(pool, e, 1);
    if (op == EXPR_AND)
        write_infix(printer, a, words->conjunction, b, LEVEL_AND, LEVEL_NOT);
    else if (op == EXPR_OR)
        write_infix(printer, a, words->disjunction, b, LEVEL_OR, LEVEL_AND);
    else
        write_infix(printer, a,
                    op == EXPR_LT   ? words->less
                    : op == EXPR_LE ? words->less_equal
                                    : words->equal,
                    b, LEVEL_SUM, LEVEL_SUM);
}

/* A sum should not start with a minus sign: the first positive term comes to the front. */
static void positive_first(Ranked *terms, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (terms[k].coef < 0.0)
            continue;
        Ranked first = terms[k];
        memmove(terms + 1, terms, k * sizeof *terms);
        terms[0] = first;
        return;
    }
}

static void write_terms(Printer *printer, const Ranked *terms, size_t n, double value)
{
    bool number_first = terms[0].coef < 0.0 && value > 0.0;

    if (number_first)
        printer_number(printer, value);
    for (size_t k = 0; k < n; k++) {
        bool negative = terms[k].coef < 0.0, first = k == 0 && !number_first;
        if (first)
            printer_text(printer, negative ? "-" : "");
        else
            printer_text(printer, negative ? " - " : " + ");
        push_term(printer, fabs(terms[k].coef), terms[k].e);
    }
    if (value != 0.0 && !number_first) {
        printer_text(printer, value < 0.0 ? " - " : " + ");
        printer_number(printer, fabs(value));
    }
}

static void write_sum(Printer *printer, Expr e)
{
    const ExprPool *pool = printer->pool;
    size_t n = pool_node(pool, e)->n;
    Ranked *terms = alloc_array(n, sizeof *terms);

    if (!terms) {
        printer->failed = true;
        return;
    }
    for (size_t k = 0; k < n; k++)
        terms[k] = rank_term(printer, pool_arg(pool, e, k), pool_coef(pool, e, k));
    qsort(terms, n, sizeof *terms, compare_ranked);
    positive_first(terms, n);
    write_terms(printer, terms, n, pool_node(pool, e)->value);
    free(terms);
}

static Level level_of(const Printer *printer, Expr e)
{
    const Node *node = pool_node(printer->pool, e);
    const PrintStyle *style = printer->style;

    if (node->op == EXPR_CONST && node->value < 0.0)
        return LEVEL_SUM;
    if (node->op == EXPR_CONST)
        return style->number_level ? style->number_level(node->value) : LEVEL_ATOM;
    if (node->op == EXPR_SYMBOL)
        return LEVEL_ATOM;
    /* a single operand without a minus prints as a product, or as a power */
    if (node->op == EXPR_SUM) {
        bool one = node->n == 1 && node->value == 0.0;
        return one && printer->pool->coefs[node->first] > 0.0 ? LEVEL_PRODUCT : LEVEL_SUM;
    }
    if (node->op == EXPR_PRODUCT)
        return node->n == 1 && printer->pool->coefs[node->first] > 0.0 ? LEVEL_POWER
                                                                       : LEVEL_PRODUCT;
    return style->call_level ? style->call_level(printer->pool, e) : LEVEL_ATOM;
}

/* A symbol without a name is written as "s7". */
static void write_symbol(Printer *printer, uint32_t symbol)
{
    const char *name = name_of(printer, symbol);

    if (name)
        text_puts(printer->out, name);
    else
        text_printf(printer->out, "s%u", symbol);
}

static void write_number(Printer *printer, double value)
{
    if (value < 0.0)
        text_putc(printer->out, '-');
    printer->style->number(printer, fabs(value));
}

static void write_expr(Printer *printer, Expr e)
{
    const Node *node = pool_node(printer->pool, e);

    if (node->op == EXPR_CONST)
        write_number(printer, node->value);
    else if (node->op == EXPR_SYMBOL)
        write_symbol(printer, node->symbol);
    else if (node->op == EXPR_SUM)
        write_sum(printer, e);
    else if (node->op == EXPR_PRODUCT)
        write_term(printer, 1.0, e);
    else
        printer->style->call(printer, e);
}

/* Reverses the pieces from `mark` on, so that the first of them is on top. */
static void reverse(Printer *printer, size_t mark)
{
    for (size_t i = mark, k = printer->n; i + 1 < k; i++) {
        Piece swap = printer->pieces[i];
        printer->pieces[i] = printer->pieces[--k];
        printer->pieces[k] = swap;
    }
}

static void write_piece(Printer *printer, const Piece *piece)
{
    size_t mark = printer->n;

    if (piece->kind == PIECE_TEXT) {
        text_append(printer->out, piece->text, piece->length);
    } else if (piece->kind == PIECE_NUMBER) {
        write_number(printer, piece->value);
    } else if (piece->kind == PIECE_TERM) {
        write_term(printer, piece->value, piece->e);
    } else if (level_of(printer, piece->e) < piece->context) {
        printer_text(printer, printer->style->open);
        printer_expr(printer, piece->e, LEVEL_OR);
        printer_text(printer, printer->style->close);
    } else {
        write_expr(printer, piece->e);
    }
    reverse(printer, mark);
}

static const PrintStyle *const STYLES[] = {[PRINT_TEXT] = &print_style_text,
                                           [PRINT_LATEX] = &print_style_latex,
                                           [PRINT_C] = &print_style_c};

static uint32_t last_rate(PrintNames names)
{
    for (size_t i = names.n; i > 0; i--)
        if (is_rate_name(names.names[i - 1]))
            return (uint32_t)(i - 1);
    return 0;
}

Status expr_print(const ExprPool *pool, Expr e, PrintFormat format, PrintNames names,
                  size_t max_length, Text *out, Error *err)
{
    Printer printer = {.pool = pool,
                       .style = STYLES[format],
                       .names = names,
                       .last_rate = last_rate(names),
                       .out = out};
    size_t start = out->length;

    if (expr_is_none(e))
        return error_set(err, ERR_INTERNAL, "no expression to print");
    printer_expr(&printer, e, LEVEL_OR);
    while (printer.n > 0 && !printer.failed && out->length - start <= max_length) {
        Piece piece = printer.pieces[--printer.n];
        write_piece(&printer, &piece);
    }
    free(printer.pieces);
    bool complete = !printer.failed && text_ok(out);
    if (complete && out->length - start <= max_length)
        return OK;
    /* remove an incomplete text */
    if (out->data) {
        out->length = start;
        out->data[start] = '\0';
    }
    return complete ? error_set(err, ERR_LIMIT, "the text is longer than %zu bytes", max_length)
                    : error_set(err, ERR_NO_MEMORY, "out of memory");
}

static const double PI = 3.14159265358979323846;

enum { PI_MAX = 12, SHORT_NUMBER = 6, SHORT_NUMERATOR = 99 };

static bool is_pi_quotient(double value, Quotient *ret)
{
    for (int q = 1; q <= PI_MAX; q++) {
        double p = nearbyint(value * q / PI);
        if (p < 1.0 || p > PI_MAX || p * PI / q != value)
            continue;
        *ret = (Quotient){p, q, true};
        return true;
    }
    return false;
}

/* A fraction whose decimal would read as another number. */
static bool is_short_fraction(double value, Quotient *ret)
{
    uint64_t digits, denominator;
    int exponent;

    if (!decimal_is_short(value) || !decimal_meaning(value, &digits, &denominator, &exponent) ||
        denominator == 1)
        return false;
    const Rational p = rational_of(value<0, digits, exponent> 0 ? exponent : 0, 1);
    const Rational q = rational_of(false, denominator, exponent < 0 ? -exponent : 0, 1);
    *ret = (Quotient){rational_nearest(&p), rational_nearest(&q), false};
    return true;
}

/* Halves, quarters and eighths come first, then decimals of few digits, then other quotients. */
Quotient printer_quotient(double value)
{
    char text[NUMBER_TEXT_MAX];
    Quotient quotient = {value, 1.0, false};
    Fraction fraction;

    if (value == floor(value))
        return quotient;
    /* the shortest form decides */
    bool eighths = 8.0 * value == floor(8.0 * value) && fraction_exact(value, &fraction) &&
                   fraction.numerator <= SHORT_NUMERATOR;
    if (!eighths) {
        if (number_print(value, text) <= SHORT_NUMBER || is_pi_quotient(value, &quotient))
            return quotient;
        if (!fraction_exact(value, &fraction)) {
            (void)is_short_fraction(value, &quotient);
            return quotient;
        }
    }
    return (Quotient){fraction.numerator, fraction.denominator, false};
}

bool printer_unequal(const ExprPool *pool, Expr e, Expr *ret_a, Expr *ret_b)
{
    if (pool_op(pool, e) != EXPR_OR)
        return false;
    Expr left = pool_arg(pool, e, 0), right = pool_arg(pool, e, 1);
    if (pool_op(pool, left) != EXPR_LT || pool_op(pool, right) != EXPR_LT)
        return false;
    Expr a = pool_arg(pool, left, 0), b = pool_arg(pool, left, 1);
    if (!expr_same(a, pool_arg(pool, right, 1)) || !expr_same(b, pool_arg(pool, right, 0)))
        return false;
    bool swap = pool_before(pool, b, a);
    *ret_a = swap ? b : a;
    *ret_b = swap ? a : b;
    return true;
}
