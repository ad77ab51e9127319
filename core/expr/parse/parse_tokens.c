/* Text to expression, token by token: operands and operators alternate, by precedence (Dijkstra's
 * shunting yard, 1961). A mistake is reported and skipped. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/expr/calculus/calculus.h"
#include "core/expr/graph/pool.h"
#include "core/expr/parse/parse.h"
#include "core/expr/parse/parse_scope.h"
#include "core/expr/parse/parse_state.h"

/* Characters often written in place of the language's; @ in a hint is the word before. */
static const struct {
    const char *text, *hint;
    TokenKind stands_for; /* TOKEN_END: no token */
} LOOKALIKES[] = {
    {"\xc2\xb7", "write *", TOKEN_TIMES},
    {"\xc3\x97", "write *", TOKEN_TIMES},
    {"\xe2\x8b\x85", "write *", TOKEN_TIMES},
    {"\xe2\x88\x92", "write -", TOKEN_MINUS},
    {"\xe2\x80\x93", "write -", TOKEN_MINUS},
    {"\xc3\xb7", "write /", TOKEN_DIVIDE},
    {"\xe2\x89\xa4", "write <=", TOKEN_LE},
    {"\xe2\x89\xa5", "write >=", TOKEN_GE},
    {"\xe2\x89\xa0", "write !=", TOKEN_NE},
    {"\xc2\xb2", "write ^2", TOKEN_END},
    {"\xc2\xb3", "write ^3", TOKEN_END},
    {"\xcf\x80", "write pi", TOKEN_END},
    {"\xe2\x88\x9a", "write sqrt(..)", TOKEN_END},
    {"''", "write ddot(@)", TOKEN_END},
    {"'", "write dot(@)", TOKEN_END},
    {"\xe2\x80\xb3", "write ddot(@)", TOKEN_END},
    {"\xe2\x80\xb2", "write dot(@)", TOKEN_END},
    {"\xe2\x80\x99", "write dot(@)", TOKEN_END},
    {"\xcc\x87", "write dot(@)", TOKEN_END},
    {"\xcc\x88", "write ddot(@)", TOKEN_END},
    {"\xc2\xb0", "write @*pi/180", TOKEN_END},
    {"[", "use ( and )", TOKEN_END},
    {"]", "use ( and )", TOKEN_END},
    {"{", "use ( and )", TOKEN_END},
    {"}", "use ( and )", TOKEN_END},
    {"!", "write not", TOKEN_END},
    {"&", "write and", TOKEN_END},
    {"|", "write or, or abs(..)", TOKEN_END},
};

/* Bytes of the UTF-8 character at the start of a zero-terminated text. 0 if it is invalid, because
 * a message must never contain half a character. */
static int character_length(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    int length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;

    if ((first >= 0x80 && first < 0xc2) || first > 0xf4)
        return 0;
    for (int i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The name or number before the current token, or nothing. */
static Word word_before(const Parser *parser)
{
    Token before = parser->previous;
    bool word = before.kind == TOKEN_NAME || before.kind == TOKEN_NUMBER;

    return (Word){parser->text + before.offset, word ? before.length : 0};
}

/* Reports a foreign character. If it means an operator, *token becomes that operator. */
static bool report_character(Parser *parser, Token *token)
{
    const char *at = parser->text + token->offset;
    bool ascii = (unsigned char)*at < 0x80;
    const char *hint = ascii ? NULL : "names are made of the letters A-Z a-z, digits and _";
    TokenKind stands_for = TOKEN_END;
    Text filled = TEXT_INIT;

    for (size_t i = 0; i < sizeof LOOKALIKES / sizeof LOOKALIKES[0]; i++) {
        if (strncmp(LOOKALIKES[i].text, at, strlen(LOOKALIKES[i].text)) != 0)
            continue;
        foreign_fill(LOOKALIKES[i].hint, word_before(parser), &filled);
        hint = text_string(&filled);
        stands_for = LOOKALIKES[i].stands_for;
        token->length = strlen(LOOKALIKES[i].text);
        break;
    }
    if (*at == '\'' && (parser->flags & PARSE_COLUMNS))
        hint = "words stand in double quotes: \"failed\"";
    /* control characters are reported by their code */
    parser_pass(parser, *token);
    if (ascii && ((unsigned char)*at < 0x20 || *at == 0x7f))
        parser_report(parser, token->offset, hint, "unexpected character with code %d", *at);
    else
        parser_report(parser, token->offset, hint, "unexpected character \"%.*s\"",
                      character_length(at), at);
    text_done(&filled);
    token->kind = stands_for;
    return stands_for != TOKEN_END;
}

static void number(Parser *parser, Token token)
{
    const char *at = parser->text + token.offset;
    /* out of the range of doubles, or a number of the pool */
    size_t digits = strspn(at, "0.");

    if (!isfinite(token.value)) {
        parser_report(parser, token.offset, NULL, "the number %.*s is too large",
                      parser_quote(token.length), at);
        parser_push_item(parser, parser_poison(token.offset));
    } else if (token.value == 0.0 && digits < token.length && at[digits] >= '1' &&
               at[digits] <= '9') {
        parser_report(parser, token.offset, NULL, "the number %.*s is too small",
                      parser_quote(token.length), at);
        parser_push_item(parser, parser_poison(token.offset));
    } else {
        Item item = parser_built(parser, expr_decimal(parser->pool, token.value, at, token.length),
                                 token.offset);
        if (token.value != 0.0)
            item.dimension = dimension_number();
        parser_push_item(parser, item);
    }
}

/* A minus sign before an operand; two of them cancel. */
static void negate(Parser *parser, Token token)
{
    size_t n = parser->n_pending;

    if (n > parser_group(parser)->first_pending && parser->previous.kind == TOKEN_MINUS &&
        parser->pending[n - 1].binding == BIND_NEGATE)
        parser->n_pending--;
    else
        parser_push_pending(parser, BIND_NEGATE, token);
}

static void missing_operand(Parser *parser, Token token)
{
    char what[80];

    if (token.kind == TOKEN_END)
        snprintf(what, sizeof what,
                 parser->n_items == 0 && parser->n_pending == 0 && !parser->has_left &&
                         parser->n_groups == 1
                     ? "the expression is empty"
                     : "an operand is missing at the end,");
    else
        snprintf(what, sizeof what, "an operand is missing before \"%.*s\"",
                 parser_quote(token.length), parser->text + token.offset);
    parser_report_missing(parser, token.offset, NULL, what);
    parser_push_item(parser, parser_poison(token.offset));
}

/* A token in the place of an operand. True if an operand is complete and an operator should follow;
 * *ret_again if the token itself is that operator. */
static bool operand(Parser *parser, Token token, bool *ret_again)
{
    size_t groups = parser->n_groups;

    *ret_again = false;
    if (token.kind == TOKEN_NUMBER) {
        number(parser, token);
        return true;
    }
    if (token.kind == TOKEN_NAME) {
        parser_name(parser, token);
        return parser->n_groups == groups; /* false: a call has begun */
    }
    if (token.kind == TOKEN_TEXT) {
        parser_text(parser, token);
        return true;
    }
    if (token.kind == TOKEN_OPEN) {
        parser_push_group(parser, GROUP_PARENTHESES, EXPR_CONST, token, token.offset);
        return false;
    }
    if (token.kind == TOKEN_MINUS || token.kind == TOKEN_PLUS) {
        if (token.kind == TOKEN_MINUS)
            negate(parser, token);
        return false;
    }
    if (token.kind == TOKEN_NOT) {
        parser_push_pending(parser, BIND_NOT, token);
        return false;
    }
    *ret_again = true;
    Group *group = parser_group(parser);
    bool no_arguments = token.kind == TOKEN_CLOSE && parser->n_items == group->first_item &&
                        parser->n_pending == group->first_pending && group->kind != GROUP_TEXT &&
                        group->kind != GROUP_PARENTHESES;
    if (!no_arguments)
        missing_operand(parser, token);
    return true;
}

static const struct {
    TokenKind token;
    Binding binding;
    const char *ours; /* of an operator of other languages: the hint */
} OPERATORS[] = {
    {TOKEN_PLUS, BIND_SUM, NULL},      {TOKEN_MINUS, BIND_SUM, NULL},
    {TOKEN_TIMES, BIND_PRODUCT, NULL}, {TOKEN_DIVIDE, BIND_PRODUCT, NULL},
    {TOKEN_POWER, BIND_POWER, NULL},   {TOKEN_STAR_STAR, BIND_POWER, "use ^"},
    {TOKEN_LT, BIND_COMPARE, NULL},    {TOKEN_LE, BIND_COMPARE, NULL},
    {TOKEN_GT, BIND_COMPARE, NULL},    {TOKEN_GE, BIND_COMPARE, NULL},
    {TOKEN_EQ, BIND_COMPARE, NULL},    {TOKEN_NE, BIND_COMPARE, NULL},
    {TOKEN_AND, BIND_AND, NULL},       {TOKEN_AND_AND, BIND_AND, "use and"},
    {TOKEN_OR, BIND_OR, NULL},         {TOKEN_OR_OR, BIND_OR, "use or"},
};

static bool binary(Parser *parser, Token token)
{
    for (size_t i = 0; i < sizeof OPERATORS / sizeof OPERATORS[0]; i++) {
        if (OPERATORS[i].token != token.kind)
            continue;
        Binding binding = OPERATORS[i].binding;
        if (OPERATORS[i].ours)
            parser_report(parser, token.offset, OPERATORS[i].ours, "\"%.*s\" is not an operator,",
                          (int)token.length, parser->text + token.offset);
        /* a chain of comparisons */
        parser_reduce_above(parser, binding);
        size_t n = parser->n_pending;
        if (binding == BIND_COMPARE && n > parser_group(parser)->first_pending &&
            parser->pending[n - 1].binding == BIND_COMPARE) {
            parser_report(parser, token.offset, "write a < b and b < c",
                          "comparisons do not chain: the second one is");
            parser->items[parser->n_items - 1].kind = ITEM_POISON;
            parser_reduce_above(parser, BIND_NOT);
        }
        parser_push_pending(parser, binding, token);
        return true;
    }
    return false;
}

/* True inside the first argument of an if, through any parentheses. */
static bool in_condition(const Parser *parser)
{
    size_t g = parser->n_groups - 1, end = parser->n_items;

    while (g > 0 && parser->groups[g].kind == GROUP_PARENTHESES)
        end = parser->groups[g--].first_item + 1;
    if (g == 0)
        return parser->flags & PARSE_CONDITION;
    return parser->groups[g].kind == GROUP_IF && end <= parser->groups[g].first_item + 1;
}

static void equals(Parser *parser, Token token)
{
    bool top = parser_group(parser)->kind == GROUP_TEXT;

    if (top && (parser->flags & PARSE_EQUATION) && !parser->has_left) {
        parser_reduce_all(parser);
        parser->left = parser->items[--parser->n_items];
        parser->has_left = true;
        return;
    }
    /* a mistake: continue as after == */
    if (in_condition(parser))
        parser_report(parser, token.offset, "write ==", "\"=\" does not compare,");
    else if (!(parser->flags & PARSE_EQUATION))
        parser_report(parser, token.offset, "write one side minus the other",
                      "an equation cannot stand here: \"=\"");
    else if (top)
        parser_report(parser, token.offset, NULL, "an equation has one \"=\", the second is");
    else
        parser_report(parser, token.offset, NULL, "\"=\" cannot stand inside parentheses,");
    parser_reduce_above(parser, BIND_COMPARE);
    parser->items[parser->n_items - 1].kind = ITEM_POISON;
    token.kind = TOKEN_EQ;
    parser_push_pending(parser, BIND_COMPARE, token);
}

static void comma(Parser *parser, Token token)
{
    GroupKind kind = parser_group(parser)->kind;

    if (kind != GROUP_TEXT && kind != GROUP_PARENTHESES) {
        parser_reduce_all(parser);
        return;
    }
    Token next = parser_ahead(parser);
    bool decimal = parser->previous.kind == TOKEN_NUMBER && next.kind == TOKEN_NUMBER;
    parser_report(parser, token.offset, decimal ? "write the decimal point as ." : NULL,
                  "a comma stands only between arguments, not");
    parser_reduce_all(parser);
    parser->items[parser->n_items - 1].kind = ITEM_POISON;
    token.kind = TOKEN_PLUS;
    parser_push_pending(parser, BIND_SUM, token);
}

static void close_parenthesis(Parser *parser, Token token)
{
    if (parser_group(parser)->kind == GROUP_TEXT) {
        parser_report(parser, token.offset, NULL, "\")\" without \"(\"");
        return;
    }
    parser_reduce_all(parser);
    parser_close_call(parser);
}

/* Skips the rest of a unit: the /s^2 of "9.81 m/s^2". */
static void skip_unit(Parser *parser)
{
    Text ignored = TEXT_INIT;

    for (;;) {
        Token link = parser_ahead(parser);
        Token part = parser_behind(parser, link);
        const Word name = {parser->text + part.offset, part.length};
        bool power = link.kind == TOKEN_POWER && part.kind == TOKEN_NUMBER;
        bool factor = (link.kind == TOKEN_DIVIDE || link.kind == TOKEN_TIMES) &&
                      part.kind == TOKEN_NAME && !scope_find(parser->scope, name.text, name.length);
        if (!power && !(factor && foreign_unit(name, &ignored)))
            break;
        parser_pass(parser, part);
    }
    text_done(&ignored);
}

/* A unit after a number, as in "10 s", that is not a name of the scope: reported and skipped. */
static bool unit(Parser *parser, Token token)
{
    const Word name = {parser->text + token.offset, token.length};
    Text hint = TEXT_INIT;
    bool found = parser->previous.kind == TOKEN_NUMBER && token.kind == TOKEN_NAME &&
                 !scope_find(parser->scope, name.text, name.length) && foreign_unit(name, &hint);

    if (found) {
        parser_report(parser, token.offset, text_string(&hint),
                      "a unit cannot stand here: \"%.*s\"", parser_quote(name.length), name.text);
        skip_unit(parser);
    }
    text_done(&hint);
    return found;
}

/* Two operands in a row: reports it and continues as with a *. */
static void missing_operator(Parser *parser, Token token)
{
    char hint[3 * PARSER_QUOTE_MAX];
    Token before = parser->previous;

    snprintf(hint, sizeof hint, "write %.*s*%.*s", parser_quote(before.length),
             parser->text + before.offset, parser_quote(token.length), parser->text + token.offset);
    /* a function without its arguments, "sin x", is already reported */
    if (parser->items[parser->n_items - 1].kind != ITEM_POISON)
        parser_report_missing(parser, token.offset, hint,
                              "an operator is missing before the operand");
    parser_reduce_above(parser, BIND_PRODUCT);
    parser->items[parser->n_items - 1].kind = ITEM_POISON;
    parser_push_pending(parser, BIND_PRODUCT, (Token){.kind = TOKEN_TIMES, .offset = token.offset});
}

/* A token after an operand. False if an operand should follow; *ret_again: it is the token. */
static bool operator(Parser *parser, Token token, bool *ret_again)
{
    *ret_again = false;
    if (binary(parser, token))
        return false;
    /* an operator follows ")", an operand follows "," and "=" */
    if (token.kind == TOKEN_CLOSE) {
        close_parenthesis(parser, token);
        return true;
    }
    if (token.kind == TOKEN_COMMA) {
        comma(parser, token);
        return false;
    }
    if (token.kind == TOKEN_ASSIGN) {
        equals(parser, token);
        return false;
    }
    if (unit(parser, token))
        return true;
    missing_operator(parser, token);
    *ret_again = true;
    return false;
}

/* All tokens up to the end of the text. */
static void parse_tokens(Parser *parser)
{
    bool complete = false; /* an operand is complete: an operator should follow */

    while (!parser->stopped) {
        Token token = parser_ahead(parser);
        parser_pass(parser, token);
        if (token.kind == TOKEN_BAD && !report_character(parser, &token)) {
            parser->quiet = true;
            parser->previous = token;
            continue;
        }
        bool again = true;
        while (again && !parser->stopped) {
            if (token.kind == TOKEN_END && complete)
                return;
            complete = complete ? operator(parser, token, &again) : operand(parser, token, &again);
        }
        parser->previous = token;
        parser->quiet = false;
    }
}

/* Reports and completes groups that are still open. */
static void close_groups(Parser *parser)
{
    while (parser->n_groups > 1 && !parser->stopped) {
        parser_report(parser, parser_group(parser)->open, NULL, "no \")\" for the \"(\"");
        parser_reduce_all(parser);
        parser->items[parser->n_items - 1].kind = ITEM_POISON;
        parser_close_call(parser);
    }
    if (!parser->stopped)
        parser_reduce_all(parser);
}

/* A condition as the whole text, converted to a number. */
static Expr finish_condition(Parser *parser)
{
    const Item *item = &parser->items[0];

    if (!parser_is_condition(parser, item, "this place") || parser->mistakes > 0)
        return EXPR_NONE;
    const Expr parts[] = {item->e, expr_const(parser->pool, 1.0), expr_const(parser->pool, 0.0)};
    return parser_built(parser, expr_call(parser->pool, EXPR_IF, parts, 3), item->offset).e;
}

static Expr finish(Parser *parser)
{
    Expr result = EXPR_NONE;

    close_groups(parser);
    if (!parser->stopped && parser->n_items == 1 && (parser->flags & PARSE_CONDITION))
        return finish_condition(parser);
    if (!parser->stopped && parser->n_items == 1) {
        bool left = !parser->has_left || parser_is_number(parser, &parser->left);
        if (parser_is_number(parser, &parser->items[0]) && left && parser->mistakes == 0)
            result = parser->items[0].e;
        if (parser->has_left && !expr_is_none(result))
            parser->items[0].dimension = parser_common_dimension(
                parser, &parser->left, &parser->items[0], "is put equal to");
        if (parser->has_left && !expr_is_none(result))
            result = parser_built(parser, expr_sub(parser->pool, parser->left.e, result), 0).e;
    }
    return parser->mistakes == 0 ? result : EXPR_NONE;
}

static void parser_done(Parser *parser)
{
    free(parser->items);
    free(parser->pending);
    free(parser->groups);
    parse_dots_done(parser);
}

Expr expr_parse(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                const char *pointer, Diagnostics *diag)
{
    Dimension ignored;

    return expr_parse_measured(pool, scope, text, flags, pointer, diag, &ignored);
}

Expr expr_parse_measured(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                         const char *pointer, Diagnostics *diag, Dimension *ret_dimension)
{
    Parser parser = {.pool = pool,
                     .scope = scope,
                     .text = text,
                     .length = strlen(text),
                     .flags = flags,
                     .pointer = pointer,
                     .diag = diag};
    Expr result = EXPR_NONE;
    Error error;

    *ret_dimension = (Dimension){0};
    if (expr_pool_status(pool, &error) == ERR_NO_MEMORY) {
        diagnostics_no_memory(diag, pointer);
        return EXPR_NONE;
    }
    if (expr_pool_status(pool, &error) != OK) {
        diagnostics_add(diag, pointer, -1, NULL, "%s", error.message);
        return EXPR_NONE;
    }
    if (parser.length > PARSE_MAX_TEXT) {
        diagnostics_add(diag, pointer, -1, NULL, "longer than %d bytes", PARSE_MAX_TEXT);
        return EXPR_NONE;
    }
    parser_push_group(&parser, GROUP_TEXT, EXPR_CONST, (Token){.kind = TOKEN_END}, 0);
    parse_tokens(&parser);
    if (!parser.stopped)
        result = expr_fold_sides(pool, finish(&parser));
    if (!expr_is_none(result))
        *ret_dimension = parser.items[0].dimension;
    pool->work += parser.offset;
    parser_done(&parser);
    if (expr_pool_status(pool, NULL) == ERR_NO_MEMORY)
        diag->no_memory = true; /* then other diagnostics may be wrong */
    return result;
}

bool expr_parse_constant(const char *text, const char *pointer, Diagnostics *diag,
                         double *ret_value)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    ExprScope *scope = expr_scope_new();
    bool ok = false, memory = pool && scope;

    if (memory) {
        /* a number with more digits than a double is a sum */
        const Expr e = expr_parse(pool, scope, text, PARSE_EXPRESSION, pointer, diag);
        ok = !expr_is_none(e) && expr_eval(pool, &e, 1, NULL, ret_value, NULL) == OK;
        memory = ok || expr_is_none(e); /* a diagnostic was added */
    }
    if (!memory)
        diagnostics_no_memory(diag, pointer);
    expr_scope_free(scope);
    expr_pool_free(pool);
    return ok;
}

void expr_scan_names(const char *text, void (*found)(void *self, const char *name, size_t length),
                     void *self)
{
    size_t length = strlen(text);

    for (size_t offset = 0;;) {
        Token token = lex_next(text, length, offset);
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD)
            return;
        if (token.kind == TOKEN_NAME)
            found(self, text + token.offset, token.length);
        offset = token.offset + token.length;
    }
}
