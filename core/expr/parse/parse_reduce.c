/* Reduction of operators: items and pending operators become expressions. */
#include "core/expr/graph/build.h"
#include "core/expr/parse/parse_state.h"

/* A hint for a condition in the place of the whole text. */
static const char *instead_of_condition(const Parser *parser, const Item *item)
{
    if (parser->n_groups > 1)
        return NULL;
    if (parser->flags & PARSE_EVENT)
        return "an event is at the root of an expression: write one side minus the other";
    if (parser->flags & PARSE_EQUATION)
        return parser->text[item->offset] == '='
                   ? "an equation is written with one ="
                   : "constraints are equations: watch an inequality by an event";
    return NULL;
}

bool parser_is_number(Parser *parser, const Item *item)
{
    if (item->kind == ITEM_CONDITION)
        parser_report(parser, item->offset, instead_of_condition(parser, item),
                      "a condition can stand only in if(condition, a, b), not");
    return item->kind == ITEM_NUMBER;
}

bool parser_is_condition(Parser *parser, const Item *item, const char *what)
{
    if (item->kind == ITEM_NUMBER)
        parser_report(parser, item->offset, "compare it, as in x < 0",
                      "%s needs a condition, not the number", what);
    return item->kind == ITEM_CONDITION;
}

/* Whether all are numbers; reports every other item. */
static bool all_numbers(Parser *parser, const Item *items, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = parser_is_number(parser, &items[i]) && ok;
    return ok;
}

/* Sets the dimension of a number; zero keeps the one that fits all. */
static Item measured(const Parser *parser, Item item, Dimension dimension)
{
    if (item.kind == ITEM_NUMBER && !expr_is_zero(parser->pool, item.e))
        item.dimension = dimension;
    return item;
}

static Item reduce_sum(Parser *parser, const Item *items, const Pending *operators, size_t n)
{
    if (!all_numbers(parser, items, n))
        return parser_poison(items[0].offset);
    SumBuild sum = sum_begin(parser->pool);
    for (size_t i = 0; i < n; i++)
        sum_push(parser->pool, &sum, i > 0 && operators[i - 1].token == TOKEN_MINUS ? -1.0 : 1.0,
                 items[i].e);
    const Expr e = sum_end(parser->pool, &sum);
    return measured(parser, parser_built(parser, e, items[0].offset),
                    parser_sum_dimension(parser, items, n));
}

static Item reduce_product(Parser *parser, const Item *items, const Pending *operators, size_t n)
{
    size_t blame = items[0].offset; /* the origin of a number that is not finite */

    if (!all_numbers(parser, items, n))
        return parser_poison(items[0].offset);
    ProductBuild product = product_begin(parser->pool);
    for (size_t i = 0; i < n; i++) {
        bool divide = i > 0 && operators[i - 1].token == TOKEN_DIVIDE;
        if (divide && expr_is_zero(parser->pool, items[i].e))
            blame = operators[i - 1].offset;
        product_push(parser->pool, &product, items[i].e, divide ? -1.0 : 1.0);
    }
    Item item = parser_built(parser, product_end(parser->pool, &product), blame);
    item.offset = items[0].offset;
    return measured(parser, item, parser_product_dimension(parser, items, operators, n));
}

static Item reduce_power(Parser *parser, const Item *items)
{
    parser->n_powers--;
    if (!all_numbers(parser, items, 2))
        return parser_poison(items[0].offset);
    return measured(
        parser,
        parser_built(parser, expr_pow(parser->pool, items[0].e, items[1].e), items[0].offset),
        parser_power_dimension(parser, items));
}

static Item reduce_negate(Parser *parser, const Item *item, const Pending *operator)
{
    if (!all_numbers(parser, item, 1))
        return parser_poison(operator->offset);
    return measured(parser, parser_built(parser, expr_neg(parser->pool, item->e), operator->offset),
                    item->dimension);
}

static Item condition(Parser *parser, Expr e, size_t offset)
{
    Item item = parser_built(parser, e, offset);
    if (item.kind == ITEM_NUMBER)
        item.kind = ITEM_CONDITION;
    return item;
}

static Expr call2(ExprPool *pool, ExprOp op, Expr a, Expr b)
{
    return expr_call(pool, op, (const Expr[]){a, b}, 2);
}

static Item reduce_compare(Parser *parser, const Item *items, const Pending *operator)
{
    ExprPool *pool = parser->pool;
    Expr a = items[0].e, b = items[1].e, e;

    if (!all_numbers(parser, items, 2))
        return parser_poison(operator->offset);
    parser_common_dimension(parser, &items[0], &items[1], "is compared with");
    if (operator->token == TOKEN_LT)
        e = call2(pool, EXPR_LT, a, b);
    else if (operator->token == TOKEN_GT)
        e = call2(pool, EXPR_LT, b, a);
    else if (operator->token == TOKEN_LE)
        e = call2(pool, EXPR_LE, a, b);
    else if (operator->token == TOKEN_GE)
        e = call2(pool, EXPR_LE, b, a);
    else if (operator->token == TOKEN_EQ)
        e = call2(pool, EXPR_EQ, a, b);
    else /* a != b is a < b or b < a, because a comparison with NaN is false */
        e = call2(pool, EXPR_OR, call2(pool, EXPR_LT, a, b), call2(pool, EXPR_LT, b, a));
    return condition(parser, e, operator->offset);
}

static Item reduce_not(Parser *parser, const Item *item, const Pending *operator)
{
    if (!parser_is_condition(parser, item, "not"))
        return parser_poison(operator->offset);
    return condition(parser, expr_call(parser->pool, EXPR_NOT, &item->e, 1), operator->offset);
}

static Item reduce_connective(Parser *parser, const Item *items, const Pending *operators, size_t n)
{
    bool is_and = operators[0].binding == BIND_AND, ok = true;

    for (size_t i = 0; i < n; i++)
        ok = parser_is_condition(parser, &items[i], is_and ? "and" : "or") && ok;
    if (!ok)
        return parser_poison(operators[0].offset);
    Expr e = items[0].e;
    for (size_t i = 1; i < n; i++)
        e = call2(parser->pool, is_and ? EXPR_AND : EXPR_OR, e, items[i].e);
    return condition(parser, e, operators[0].offset);
}

/* Number of operators at the top that belong together: a whole sum or a whole product. */
static size_t run_length(const Parser *parser)
{
    const Pending *top = &parser->pending[parser->n_pending - 1];
    size_t run = 1, most = parser->n_pending - parser->groups[parser->n_groups - 1].first_pending;

    if (top->binding == BIND_POWER || top->binding == BIND_NEGATE || top->binding == BIND_NOT)
        return 1;
    while (run < most && top[-(ptrdiff_t)run].binding == top->binding)
        run++;
    return run;
}

static Item reduce_run(Parser *parser, const Item *items, const Pending *operators, size_t run)
{
    /* operators of a run have the same binding */
    switch (operators[0].binding) {
    case BIND_OR:
    case BIND_AND:
        return reduce_connective(parser, items, operators, run + 1);
    case BIND_NOT:
        return reduce_not(parser, items, operators);
    case BIND_COMPARE:
        return reduce_compare(parser, items, operators);
    case BIND_SUM:
        return reduce_sum(parser, items, operators, run + 1);
    case BIND_PRODUCT:
        return reduce_product(parser, items, operators, run + 1);
    case BIND_NEGATE:
        return reduce_negate(parser, items, operators);
    case BIND_POWER:
        return reduce_power(parser, items);
    }
    return parser_poison(0);
}

static void reduce_top(Parser *parser)
{
    size_t run = run_length(parser);
    const Pending *operators = &parser->pending[parser->n_pending - run];
    bool prefix = operators[0].binding == BIND_NEGATE || operators[0].binding == BIND_NOT;
    size_t n = prefix ? 1 : run + 1;
    Item *items = &parser->items[parser->n_items - n];

    items[0] = reduce_run(parser, items, operators, run);
    parser->n_items -= n - 1;
    parser->n_pending -= run;
}

void parser_reduce_above(Parser *parser, Binding binding)
{
    while (!parser->stopped && parser->n_pending > parser_group(parser)->first_pending &&
           parser->pending[parser->n_pending - 1].binding > binding)
        reduce_top(parser);
}

void parser_reduce_all(Parser *parser)
{
    while (!parser->stopped && parser->n_pending > parser_group(parser)->first_pending)
        reduce_top(parser);
}
