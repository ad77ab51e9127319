/* Names and calls. */
#include <stdio.h>
#include <string.h>

#include "core/expr/graph/function.h"
#include "core/expr/graph/pool.h"
#include "core/expr/parse/parse_scope.h"
#include "core/expr/parse/parse_state.h"

static const char *token_text(const Parser *parser, Token token)
{
    return parser->text + token.offset;
}

static bool is_word(const Parser *parser, Token token, const char *word)
{
    return strlen(word) == token.length &&
           memcmp(token_text(parser, token), word, token.length) == 0;
}

/* "did you mean ...?" in `buffer`, or NULL. Names of texts include their quotes. */
static const char *did_you_mean(const char *nearest, char *buffer, size_t size)
{
    if (!nearest)
        return NULL;
    snprintf(buffer, size, *nearest == '"' ? "did you mean %s?" : "did you mean \"%s\"?", nearest);
    return buffer;
}

/* Limit on comparisons of names with unknown names per text. A huge model full of mistakes gets its
 * diagnostics fast, the later ones without suggestions. */
enum { MAX_COMPARISONS = 50000 };

/* Whether unknown names are still compared; counts the work. */
static bool may_compare(Parser *parser)
{
    const size_t n = parser->scope->n_names + parser->scope->n_hints;

    if ((parser->mistakes + 1) * n >= MAX_COMPARISONS)
        return false;
    parser->pool->work += n;
    return true;
}

static const char *nearest_to(Parser *parser, const char *text, size_t length)
{
    return may_compare(parser) ? scope_nearest(parser->scope, text, length, false) : NULL;
}

/* The first argument of the call that opens here, if it is one word. */
static Word one_argument(Parser *parser)
{
    Token open = parser_ahead(parser);
    Token word = parser_behind(parser, open);
    Token next = parser_behind(parser, word);

    if ((word.kind == TOKEN_NAME || word.kind == TOKEN_NUMBER) &&
        (next.kind == TOKEN_CLOSE || next.kind == TOKEN_COMMA))
        return (Word){token_text(parser, word), word.length};
    return (Word){NULL, 0};
}

/* Writes a hint for an unknown name; empty if there is none. */
static void suggest(Parser *parser, Token token, bool called, Text *ret_hint)
{
    const ExprScope *scope = parser->scope;
    const Word name = {token_text(parser, token), token.length};
    const char *elsewhere = scope_hint(scope, name.text, name.length);
    const char *own = scope_but_for_case(scope, name.text, name.length, called);

    /* a name of other texts, of other programs, or a similar name */
    if (elsewhere) {
        text_puts(ret_hint, elsewhere);
        return;
    }
    if (!own && called && foreign_function(name, one_argument(parser), ret_hint))
        return;
    if (!own && !called && foreign_value(name, ret_hint))
        return;
    if (!own && foreign_velocity(scope, name, ret_hint))
        return;
    if (!own)
        own = scope_nearest(scope, name.text, name.length, called);
    if (own)
        text_printf(ret_hint, *own == '"' ? "did you mean %s?" : "did you mean \"%s\"?", own);
    else if (!called)
        scope_list(scope, ret_hint);
    if (!own && ret_hint->length && scope->n_coordinates)
        text_puts(ret_hint, "; add it to parameters");
}

static void report_unknown(Parser *parser, Token token, const char *what, bool called)
{
    Text hint = TEXT_INIT;

    if (may_compare(parser))
        suggest(parser, token, called, &hint);
    parser_report(parser, token.offset, hint.length ? text_string(&hint) : NULL,
                  "unknown %s \"%.*s\"", what, parser_quote(token.length),
                  token_text(parser, token));
    text_done(&hint);
}

/* Opens the call after a function's name; false after a report. */
static bool open_call(Parser *parser, Token token, GroupKind kind, ExprOp op)
{
    char hint[3 * PARSER_QUOTE_MAX];
    const char *text = token_text(parser, token);
    Token open = parser_ahead(parser);

    if (open.kind == TOKEN_OPEN) {
        parser_pass(parser, open);
        parser_push_group(parser, kind, op, token, open.offset);
        return true;
    }
    const ExprWord *word = scope_form_word(text, token.length);
    snprintf(hint, sizeof hint, "write %.*s(%s)", parser_quote(token.length), text,
             word && !*word->arguments ? "" : "...");
    parser_report(parser, token.offset, hint, "\"%.*s\" without its arguments",
                  parser_quote(token.length), text);
    parser_push_item(parser, parser_poison(token.offset));
    return false;
}

static void report_argument(Parser *parser, Token form, Token argument)
{
    const char *text = token_text(parser, form), *name = token_text(parser, argument);
    const char *near =
        scope_nearest_argument(parser->scope, text, form.length, name, argument.length);
    Text hint = TEXT_INIT;

    if (near)
        text_printf(&hint, "did you mean \"%s\"?", near);
    else
        scope_list_arguments(parser->scope, text, form.length, &hint);
    parser_report(parser, argument.offset, text_string(&hint), "unknown name \"%.*s\" in %.*s(...)",
                  parser_quote(argument.length), name, (int)form.length, text);
    text_done(&hint);
}

static void form_value(Parser *parser, Token form, Token argument)
{
    const char *text = token_text(parser, form), *name = NULL;
    const ExprScope *scope = parser->scope;

    if (argument.kind == TOKEN_NAME)
        name = token_text(parser, argument);
    const ScopeForm *found = scope_find_form(scope, text, form.length, name, argument.length);
    const ExprWord *word = scope_form_word(text, form.length);
    if (found && found->broken) {
        parser_report_exact(parser, form.offset, found->broken);
        parser_push_item(parser, parser_poison(form.offset));
        return;
    }
    if (found) {
        Item item = parser_built(parser, found->value, form.offset);
        item.dimension = found->dimension;
        parser_push_item(parser, item);
        return;
    }
    /* the mistake: the place, the kind of the argument, or the name */
    if (!scope_has_form(scope, text, form.length))
        parser_report(parser, form.offset,
                      "it is known in observables and events; elsewhere write it out in "
                      "coordinates, velocities and time",
                      "%.*s(...) needs a computed motion and cannot stand", (int)form.length, text);
    else if (word && !*word->arguments)
        parser_report(parser, argument.offset, NULL, "%.*s takes no argument, not the name",
                      (int)form.length, text);
    else if (!name)
        parser_report(parser, form.offset, NULL, "%.*s(...) needs a name", (int)form.length, text);
    else
        report_argument(parser, form, argument);
    parser_push_item(parser, parser_poison(form.offset));
}

/* multiplier(NAME), energy() and the like: the argument is a name, never an expression. */
static void form(Parser *parser, Token token)
{
    Token open = parser_ahead(parser);
    Token argument = parser_behind(parser, open);
    Token close = argument;

    if (argument.kind == TOKEN_NAME)
        close = parser_behind(parser, argument);
    /* one name in parentheses, or a report */
    if (open.kind == TOKEN_OPEN && close.kind == TOKEN_CLOSE) {
        parser_pass(parser, close);
        form_value(parser, token, argument);
        return;
    }
    if (!open_call(parser, token, GROUP_UNKNOWN, EXPR_CONST))
        return;
    const ExprWord *word = scope_form_word(token_text(parser, token), token.length);
    parser_report(parser, argument.offset, NULL, "%.*s takes %s, not the expression",
                  (int)token.length, token_text(parser, token),
                  !word || *word->arguments ? "one name" : "no argument");
}

/* A name of the scope. */
static void variable(Parser *parser, Token token, const ScopeName *name)
{
    if (!expr_is_none(name->value)) {
        parser_push_item(parser, (Item){ITEM_NUMBER, name->value, token.offset, name->dimension});
        return;
    }
    if (name->broken)
        parser_report_exact(parser, token.offset, name->broken);
    else
        parser_report(parser, token.offset, NULL, "\"%s\" has no value", name->name);
    parser_push_item(parser, parser_poison(token.offset));
}

/* A name outside the scope as a value: t, pi, or a mistake. */
static void other_value(Parser *parser, Token token)
{
    Expr value = EXPR_NONE;
    Dimension dimension = dimension_number();

    if (is_word(parser, token, "pi")) {
        value = expr_pi(parser->pool);
    } else if (is_word(parser, token, "t")) {
        value = parser->scope->time;
        dimension = parser->scope->time_dimension;
    }
    if (!expr_is_none(value)) {
        parser_push_item(parser, (Item){ITEM_NUMBER, value, token.offset, dimension});
        return;
    }
    /* a scope may have no time */
    if (is_word(parser, token, "t"))
        parser_report(parser, token.offset, NULL, "the time t is not known here,");
    else
        report_unknown(parser, token, "name", false);
    parser_push_item(parser, parser_poison(token.offset));
}

/* NAME( with a NAME that is not a function. */
static void call_of_no_function(Parser *parser, Token token)
{
    char hint[3 * PARSER_QUOTE_MAX];
    const char *text = token_text(parser, token);

    if (scope_find(parser->scope, text, token.length) || is_word(parser, token, "t") ||
        is_word(parser, token, "pi")) {
        snprintf(hint, sizeof hint, "write %.*s*(...)", parser_quote(token.length), text);
        parser_report(parser, token.offset, hint, "\"%.*s\" is not a function but called like one",
                      parser_quote(token.length), text);
    } else {
        report_unknown(parser, token, "function", true);
    }
    open_call(parser, token, GROUP_UNKNOWN, EXPR_CONST);
}

/* column("NAME"): a name of the scope that may contain any characters. */
static void column(Parser *parser, Token token)
{
    const Token open = parser_ahead(parser), name = parser_behind(parser, open);
    const Token close = parser_behind(parser, name);
    const char *text = token_text(parser, name) + 1;

    if (name.kind != TOKEN_TEXT || close.kind != TOKEN_CLOSE) {
        parser_report(parser, name.offset, "write column(\"NAME\")",
                      "column takes one name in quotes, not the expression");
        open_call(parser, token, GROUP_UNKNOWN, EXPR_CONST);
        return;
    }
    parser_pass(parser, close);
    /* the token includes its quotes */
    const ScopeName *found = scope_find(parser->scope, text, name.length - 2);
    if (found) {
        variable(parser, name, found);
        return;
    }
    char hint[120];
    parser_report(parser, name.offset,
                  did_you_mean(nearest_to(parser, text, name.length - 2), hint, sizeof hint),
                  "unknown column \"%.*s\"", parser_quote(name.length - 2), text);
    parser_push_item(parser, parser_poison(name.offset));
}

void parser_text(Parser *parser, Token token)
{
    const ScopeName *found = scope_find(parser->scope, token_text(parser, token), token.length);

    if (found) {
        variable(parser, token, found);
        return;
    }
    const char *near = nearest_to(parser, token_text(parser, token), token.length);
    char hint[120];
    parser_report(parser, token.offset,
                  near && *near == '"' ? did_you_mean(near, hint, sizeof hint)
                                       : "write column(\"NAME\") for a column of any name",
                  "no column has the text %.*s", parser_quote(token.length),
                  token_text(parser, token));
    parser_push_item(parser, parser_poison(token.offset));
}

void parser_name(Parser *parser, Token token)
{
    const char *text = token_text(parser, token);
    const ScopeName *name = scope_find(parser->scope, text, token.length);
    bool called = parser_ahead(parser).kind == TOKEN_OPEN;
    /* without a motion, a model's own name is meant */
    bool is_form = scope_has_form(parser->scope, text, token.length)
                       ? called || scope_form_word(text, token.length)
                       : !name && scope_form_word(text, token.length);
    ExprOp op;

    if (name && !called)
        variable(parser, token, name);
    else if (called && (parser->flags & PARSE_COLUMNS) && is_word(parser, token, "column"))
        column(parser, token);
    else if (is_word(parser, token, "dot") || is_word(parser, token, "der"))
        open_call(parser, token, GROUP_DOT, EXPR_CONST);
    else if (is_word(parser, token, "ddot"))
        open_call(parser, token, GROUP_DDOT, EXPR_CONST);
    else if (is_word(parser, token, "if"))
        open_call(parser, token, GROUP_IF, EXPR_IF);
    else if (is_form)
        form(parser, token);
    else if (function_find(text, token.length, &op))
        open_call(parser, token, GROUP_FUNCTION, op);
    else if (called)
        call_of_no_function(parser, token);
    else
        other_value(parser, token);
}

static bool call_check_count(Parser *parser, const Group *group, size_t n, size_t least,
                             size_t most)
{
    static const char *const NUMBERS[] = {"no", "1", "2", "3"};

    if (n >= least && n <= most)
        return true;
    parser_report(parser, group->name.offset, NULL, "%.*s takes %s argument%s, not %zu,",
                  (int)group->name.length, token_text(parser, group->name),
                  most > 3 ? "2 or more" : NUMBERS[least], least == 1 && most == 1 ? "" : "s", n);
    return false;
}

/* min and max of n operands by halves: the depth is log n. Overwrites the items. */
static Expr call_many(ExprPool *pool, ExprOp op, Item *items, size_t n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (size_t i = 0; i + 1 < n; i += 2)
            items[i / 2].e = expr_call(pool, op, (const Expr[]){items[i].e, items[i + 1].e}, 2);
        if (n % 2)
            items[n / 2].e = items[n - 1].e;
    }
    return items[0].e;
}

static Item close_function(Parser *parser, const Group *group, Item *items, size_t n)
{
    ExprOp op = group->function;
    size_t operands = function_operands(op), offset = group->name.offset;
    bool many = op == EXPR_MIN || op == EXPR_MAX, ok = true;

    ok = call_check_count(parser, group, n, operands, many ? SIZE_MAX : operands);
    for (size_t i = 0; i < n; i++)
        ok = parser_is_number(parser, &items[i]) && ok;
    if (!ok)
        return parser_poison(offset);
    const Dimension dimension = parser_function_dimension(parser, op, items, n);
    Item item = operands == 1
                    ? parser_built(parser, expr_call(parser->pool, op, &items[0].e, 1), offset)
                    : parser_built(parser, call_many(parser->pool, op, items, n), offset);
    item.dimension = dimension;
    return item;
}

static Item close_if(Parser *parser, const Group *group, const Item *items, size_t n)
{
    size_t offset = group->name.offset;
    bool ok = call_check_count(parser, group, n, 3, 3);

    if (n > 0 && items[0].kind == ITEM_NUMBER)
        parser_report(parser, items[0].offset, "compare it, as in if(x < 0, a, b)",
                      "if needs a condition first, not the number");
    ok = ok && items[0].kind == ITEM_CONDITION;
    for (size_t i = 1; i < n; i++)
        ok = parser_is_number(parser, &items[i]) && ok;
    if (!ok)
        return parser_poison(offset);
    Expr e[] = {items[0].e, items[1].e, items[2].e};
    Item item = parser_built(parser, expr_call(parser->pool, EXPR_IF, e, 3), offset);
    item.dimension = parser_common_dimension(parser, &items[1], &items[2], "stands beside");
    return item;
}

static Item close_derivative(Parser *parser, const Group *group, const Item *items, size_t n)
{
    size_t offset = group->name.offset;

    if (!call_check_count(parser, group, n, 1, 1) || !parser_is_number(parser, &items[0]))
        return parser_poison(offset);
    const bool once = group->kind == GROUP_DOT;
    Item item = once ? parser_total_derivative(parser, &items[0], offset)
                     : parser_acceleration(parser, &items[0], offset);
    item.dimension = parser_rate_dimension(parser, &items[0], once ? 1 : 2);
    return item;
}

static Item close_group(Parser *parser, const Group *group, Item *items, size_t n)
{
    switch (group->kind) {
    case GROUP_TEXT:
    case GROUP_UNKNOWN:
        return parser_poison(group->name.offset);
    case GROUP_PARENTHESES:
        return items[0];
    case GROUP_FUNCTION:
        return close_function(parser, group, items, n);
    case GROUP_IF:
        return close_if(parser, group, items, n);
    case GROUP_DOT:
    case GROUP_DDOT:
        return close_derivative(parser, group, items, n);
    }
    return parser_poison(group->name.offset);
}

void parser_close_call(Parser *parser)
{
    Group group = parser->groups[--parser->n_groups];
    Item *items = parser->items + group.first_item;
    Item item = close_group(parser, &group, items, parser->n_items - group.first_item);

    parser->n_items = group.first_item;
    parser_push_item(parser, item);
}
