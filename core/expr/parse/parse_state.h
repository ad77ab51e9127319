/* The parser's state, shared by its parts. Private to core/expr.
 *
 * Operator precedence with explicit stacks: items are operands, pending are operators with an
 * incomplete right side, groups are open (the text itself, parentheses, calls). Sums and products
 * are built when complete. A mistake is reported and leaves a poisoned item. */
#ifndef CORE_EXPR_PARSE_STATE_H
#define CORE_EXPR_PARSE_STATE_H

#include "core/expr/parse/parse.h"
#include "core/expr/parse/parse_lex.h"
#include "core/units/dimension.h"

typedef enum ItemKind { ITEM_NUMBER, ITEM_CONDITION, ITEM_POISON } ItemKind;

typedef struct Item {
    ItemKind kind;
    Expr e;
    size_t offset;       /* its start; of a condition its operator */
    Dimension dimension; /* of a number, if the scope's names have dimensions */
} Item;

/* From the loosest to the tightest. */
typedef enum Binding {
    BIND_OR,
    BIND_AND,
    BIND_NOT,
    BIND_COMPARE,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_NEGATE,
    BIND_POWER,
} Binding;

typedef struct Pending {
    Binding binding;
    TokenKind token;
    size_t offset;
} Pending;

typedef enum GroupKind {
    GROUP_TEXT,
    GROUP_PARENTHESES,
    GROUP_FUNCTION,
    GROUP_IF,
    GROUP_DOT,
    GROUP_DDOT,
    GROUP_UNKNOWN, /* a call of an unknown function: its arguments are still checked */
} GroupKind;

typedef struct Group {
    GroupKind kind;
    ExprOp function;
    Token name;  /* of the call */
    size_t open; /* offset of the parenthesis */
    size_t first_item, first_pending;
} Group;

typedef struct ParseDots ParseDots;

typedef struct Parser {
    ExprPool *pool;
    const ExprScope *scope;
    const char *text;
    size_t length;
    ParseFlags flags;
    const char *pointer;
    Diagnostics *diag;

    size_t offset; /* behind the current token */
    Token ahead;   /* the next token, if parser_ahead() has read it */
    bool has_ahead;
    Token previous;  /* the token before the current one */
    size_t mistakes; /* reported so far */
    bool stopped;    /* a limit is exceeded: parsing stops */
    bool quiet;      /* after a bad character: missing parts near it are not reported */

    Item *items;
    size_t n_items, items_capacity;
    Pending *pending;
    size_t n_pending, pending_capacity;
    Group *groups;
    size_t n_groups, groups_capacity;
    size_t n_powers; /* pending BIND_POWER: nesting to the right */

    bool has_left; /* an = was seen; `left` is the side before it */
    Item left;

    ParseDots *dots; /* the pass of dot() so far; NULL before the first call */
} Parser;

/* `offset` is a byte of the text, reported in characters; " at column N" follows `format`. */
void parser_report(Parser *parser, size_t offset, const char *hint, const char *format, ...)
    PRINTF_LIKE(4, 5);
void parser_report_exact(Parser *parser, size_t offset, const char *message);
/* The same, unless a bad character was just reported. */
void parser_report_missing(Parser *parser, size_t offset, const char *hint, const char *what);

void parser_push_item(Parser *parser, Item item);
void parser_push_pending(Parser *parser, Binding binding, Token token);
void parser_push_group(Parser *parser, GroupKind kind, ExprOp function, Token name, size_t open);

/* The token after another one. */
static inline Token parser_behind(const Parser *parser, Token token)
{
    const size_t offset = token.offset + token.length;

    return parser->flags & PARSE_COLUMNS ? lex_next_column(parser->text, parser->length, offset)
                                         : lex_next(parser->text, parser->length, offset);
}

/* The token after the current one. */
static inline Token parser_ahead(Parser *parser)
{
    if (!parser->has_ahead)
        parser->ahead = parser_behind(parser, (Token){.offset = parser->offset});
    parser->has_ahead = true;
    return parser->ahead;
}

/* Continues after a token. */
static inline void parser_pass(Parser *parser, Token token)
{
    parser->offset = token.offset + token.length;
    parser->has_ahead = false;
}

static inline Group *parser_group(Parser *parser)
{
    return &parser->groups[parser->n_groups - 1];
}

/* The item after a mistake. */
static inline Item parser_poison(size_t offset)
{
    return (Item){.kind = ITEM_POISON, .offset = offset};
}

/* A built expression; poison and a report at the offset if it could not be built. */
Item parser_built(Parser *parser, Expr e, size_t offset);

/* True for a number. A condition is reported; poison is not. */
bool parser_is_number(Parser *parser, const Item *item);

/* True for a condition. A number is reported (`what` needs a condition); poison is not. */
bool parser_is_condition(Parser *parser, const Item *item, const char *what);

/* Completes the pending operators of the group that bind tighter than `binding`, or all of them. */
void parser_reduce_above(Parser *parser, Binding binding);
void parser_reduce_all(Parser *parser);

/* Dimensions of built items (parse_dimensions.c). A mistake is reported at the operand that does
 * not fit, and makes the result unknown, as names of unknown dimension do. */
Dimension parser_sum_dimension(Parser *parser, const Item *items, size_t n);
Dimension parser_product_dimension(Parser *parser, const Item *items, const Pending *operators,
                                   size_t n);
Dimension parser_power_dimension(Parser *parser, const Item *items);
Dimension parser_function_dimension(Parser *parser, ExprOp op, const Item *items, size_t n);
Dimension parser_rate_dimension(Parser *parser, const Item *item, int order);
/* The common dimension of both, which are compared; `how` as in "is compared with". */
Dimension parser_common_dimension(Parser *parser, const Item *left, const Item *right,
                                  const char *how);

/* A name as an operand; it may open a call. */
void parser_name(Parser *parser, Token token);
/* A text in quotes as an operand. */
void parser_text(Parser *parser, Token token);
/* The group's parenthesis is closed: its arguments become one item. */
void parser_close_call(Parser *parser);

/* d/dt of the item, for dot(...). */
Item parser_total_derivative(Parser *parser, const Item *item, size_t offset);
void parse_dots_done(Parser *parser);
Item parser_acceleration(Parser *parser, const Item *item, size_t offset);

/* Longest part of a client's text that a message repeats. */
enum { PARSER_QUOTE_MAX = 40 };
int parser_quote(size_t length); /* for %.*s */

#endif
