/* Dimensions during parsing. Terms of a sum, sides of an equation or a comparison and branches of
 * an if share one. Products multiply them, powers have constant exponents, and functions take
 * numbers. A number in a text has dimension 1, and zero fits all. */
#include <stdarg.h>
#include <stdio.h>

#include "core/base/text.h"
#include "core/expr/parse/parse_scope.h"
#include "core/expr/parse/parse_state.h"

static const char WRITTEN_OUT[] =
    "a number written out has no unit: make it a parameter, {\"value\": .., \"unit\": ..}";

/* "kg*m/s", or "a number". */
typedef struct Name {
    char text[80];
} Name;

static Name name_of(const Dimension *dimension)
{
    Text text = TEXT_INIT;
    Name name;

    dimension_print(dimension, &text);
    if (dimension_is_number(dimension))
        snprintf(name.text, sizeof name.text, "a number");
    else
        snprintf(name.text, sizeof name.text, "in %s", text_string(&text));
    text_done(&text);
    return name;
}

/* Reports an operand that does not fit; returns the unknown dimension. */
static PRINTF_LIKE(4, 5) Dimension
    mismatch(Parser *parser, size_t offset, const char *hint, const char *format, ...)
{
    char message[300];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (!parser->scope->forgives)
        parser_report(parser, offset, hint, "%s", message);
    return (Dimension){0};
}

/* The quotient of the two dimensions, printed in `buffer`. */
static const char *missing_factor(const Dimension *left, const Dimension *right, char *buffer,
                                  size_t size)
{
    Dimension factor = *left;
    const bool number = dimension_is_number(left) || dimension_is_number(right);

    if (number || !dimension_multiply(&factor, right, exponent_whole(-1)))
        return NULL;
    Text text = TEXT_INIT;
    dimension_print(&factor, &text);
    snprintf(buffer, size, "they differ by a factor in %s", text_string(&text));
    text_done(&text);
    return buffer;
}

Dimension parser_common_dimension(Parser *parser, const Item *left, const Item *right,
                                  const char *how)
{
    char factor[120];
    const Dimension *a = &left->dimension, *b = &right->dimension;

    if (dimension_agrees(a, b))
        return a->known ? *a : *b;
    const bool number = dimension_is_number(a) || dimension_is_number(b);
    return mismatch(parser, right->offset,
                    number ? WRITTEN_OUT : missing_factor(a, b, factor, sizeof factor),
                    "what is %s %s what is %s, which has another dimension,", name_of(b).text, how,
                    name_of(a).text);
}

Dimension parser_sum_dimension(Parser *parser, const Item *items, size_t n)
{
    Item sum = items[0];

    for (size_t i = 1; i < n; i++) {
        const Dimension common = parser_common_dimension(parser, &sum, &items[i], "is added to");
        /* one mistake per sum */
        if (!dimension_agrees(&sum.dimension, &items[i].dimension))
            return common;
        sum.dimension = common;
    }
    return sum.dimension;
}

Dimension parser_product_dimension(Parser *parser, const Item *items, const Pending *operators,
                                   size_t n)
{
    Dimension product = items[0].dimension;

    for (size_t i = 1; i < n; i++) {
        const bool divide = operators[i - 1].token == TOKEN_DIVIDE;
        if (!dimension_multiply(&product, &items[i].dimension, exponent_whole(divide ? -1 : 1)))
            return mismatch(parser, items[0].offset, NULL,
                            "the dimension of this product has too large exponents,");
    }
    return product;
}

static Dimension power(Parser *parser, const Item *base, Exponent n)
{
    Dimension result = base->dimension;

    if (!dimension_power(&result, n))
        return mismatch(parser, base->offset, NULL,
                        "the dimension of this power has too large exponents,");
    return result;
}

Dimension parser_power_dimension(Parser *parser, const Item *items)
{
    double value;
    Exponent n;

    /* the exponent is a number; the base is a number or has a constant exponent */
    if (!dimension_is_number(&items[1].dimension))
        return mismatch(parser, items[1].offset, NULL, "an exponent is a number, but this is %s,",
                        name_of(&items[1].dimension).text);
    if (dimension_is_number(&items[0].dimension))
        return items[0].dimension;
    if (expr_is_const(parser->pool, items[1].e, &value) && exponent_from(value, &n))
        return power(parser, &items[0], n);
    return mismatch(parser, items[1].offset, "divide the base by a parameter of its unit",
                    "the power of what is %s has a dimension only where the exponent is a constant "
                    "fraction,",
                    name_of(&items[0].dimension).text);
}

/* If the scope has no units, the rate of a number (sin(x)) may have a dimension. */
Dimension parser_rate_dimension(Parser *parser, const Item *item, int order)
{
    Dimension rate = item->dimension;

    if (!dimension_multiply(&rate, &parser->scope->time_dimension, exponent_whole(-order)))
        return mismatch(parser, item->offset, NULL,
                        "the dimension of this derivative has too large exponents,");
    return rate;
}

/* The common dimension of n items, which are compared. */
static Dimension common(Parser *parser, const Item *items, size_t n)
{
    Item first = items[0];

    for (size_t i = 1; i < n; i++)
        first.dimension = parser_common_dimension(parser, &first, &items[i], "stands beside");
    return first.dimension;
}

static Dimension of_numbers(Parser *parser, const Item *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!dimension_is_number(&items[i].dimension))
            return mismatch(parser, items[i].offset, "divide it by a quantity of the same unit",
                            "the function is of a number, but this is %s,",
                            name_of(&items[i].dimension).text);
    return dimension_number();
}

Dimension parser_function_dimension(Parser *parser, ExprOp op, const Item *items, size_t n)
{
    if (op == EXPR_POW)
        return parser_power_dimension(parser, items);
    if (op == EXPR_SQRT || op == EXPR_CBRT)
        return power(parser, items, (Exponent){1, op == EXPR_SQRT ? 2 : 3});
    if (op == EXPR_SIGN)
        return dimension_number();
    if (op == EXPR_ABS || op == EXPR_HYPOT || op == EXPR_MIN || op == EXPR_MAX)
        return common(parser, items, n);
    if (op != EXPR_ATAN2)
        return of_numbers(parser, items, n);
    common(parser, items, n);
    return dimension_number();
}
