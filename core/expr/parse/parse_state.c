/* The parser's stacks and reports. */
#include "core/expr/parse/parse_state.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/expr/graph/pool.h"

int parser_quote(size_t length)
{
    return length > PARSER_QUOTE_MAX ? PARSER_QUOTE_MAX : (int)length;
}

/* Characters before the byte; 0 for mistakes beyond the limit, which do not read the text. */
static size_t character_place(const Parser *parser, size_t offset)
{
    return parser->diag->count < DIAGNOSTICS_MAX ? text_characters(parser->text, offset) : 0;
}

void parser_report(Parser *parser, size_t offset, const char *hint, const char *format, ...)
{
    char what[400];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const size_t place = character_place(parser, offset);
    diagnostics_add(parser->diag, parser->pointer, (long)place, hint, "%s at column %zu", what,
                    place + 1);
    if (++parser->mistakes >= DIAGNOSTICS_MAX)
        parser->stopped = true;
}

void parser_report_exact(Parser *parser, size_t offset, const char *message)
{
    diagnostics_add(parser->diag, parser->pointer, (long)character_place(parser, offset), NULL,
                    "%s", message);
    if (++parser->mistakes >= DIAGNOSTICS_MAX)
        parser->stopped = true;
}

void parser_report_missing(Parser *parser, size_t offset, const char *hint, const char *what)
{
    if (!parser->quiet)
        parser_report(parser, offset, hint, "%s", what);
}

static void parser_no_memory(Parser *parser, size_t offset)
{
    if (!parser->stopped)
        parser_report(parser, offset, NULL, "out of memory");
    parser->diag->no_memory = true;
    parser->stopped = true;
}

void parser_push_item(Parser *parser, Item item)
{
    if (grow_array(&parser->items, &parser->items_capacity, parser->n_items + 1, sizeof(Item)))
        parser->items[parser->n_items++] = item;
    else
        parser_no_memory(parser, item.offset);
}

static void report_nesting(Parser *parser, size_t offset)
{
    parser_report(parser, offset, "name a part of it in the definitions",
                  "nested deeper than %d levels", PARSE_MAX_NESTING);
    parser->stopped = true;
}

void parser_push_pending(Parser *parser, Binding binding, Token token)
{
    if (binding == BIND_POWER && ++parser->n_powers > PARSE_MAX_NESTING)
        report_nesting(parser, token.offset);
    if (grow_array(&parser->pending, &parser->pending_capacity, parser->n_pending + 1,
                   sizeof(Pending)))
        parser->pending[parser->n_pending++] = (Pending){binding, token.kind, token.offset};
    else
        parser_no_memory(parser, token.offset);
}

void parser_push_group(Parser *parser, GroupKind kind, ExprOp function, Token name, size_t open)
{
    if (parser->n_groups > PARSE_MAX_NESTING)
        report_nesting(parser, open);
    if (grow_array(&parser->groups, &parser->groups_capacity, parser->n_groups + 1, sizeof(Group)))
        parser->groups[parser->n_groups++] =
            (Group){kind, function, name, open, parser->n_items, parser->n_pending};
    else
        parser_no_memory(parser, open);
}

Item parser_built(Parser *parser, Expr e, size_t offset)
{
    if (!expr_is_none(e))
        return (Item){.kind = ITEM_NUMBER, .e = e, .offset = offset};
    if (!parser->stopped)
        parser_report(parser, offset, NULL, "%s", parser->pool->message);
    if (!pool_recover(parser->pool))
        parser->stopped = true;
    return parser_poison(offset);
}
