/* dot(...) and ddot(...): time derivatives along a motion.
 *
 * All calls of dot() in a text share one pass of forward mode, which visits each node once. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus/diff.h"
#include "core/expr/parse/parse_scope.h"
#include "core/expr/parse/parse_state.h"

/* The role of a symbol for dot(), and the roles of the symbols below a node. */
enum Role {
    ROLE_CONSTANT = 0, /* a parameter */
    ROLE_MOVING = 1,   /* its rate is known */
    ROLE_VELOCITY = 2, /* moves, but its rate is unknown */
    ROLE_COMPUTED = 4, /* the same: an acceleration, a multiplier */
    ROLE_UNKNOWN = ROLE_VELOCITY | ROLE_COMPUTED,
};

struct ParseDots {
    Forward forward;
    unsigned char *symbols; /* by id: the role */
    size_t n_symbols;
    unsigned char *under; /* by slot of the pass: the roles below the node */
    size_t capacity;
};

static void set_role(Parser *parser, Expr e, enum Role role)
{
    ParseDots *dots = parser->dots;

    if (!expr_is_none(e) && pool_op(parser->pool, e) == EXPR_SYMBOL && e.id < dots->n_symbols)
        dots->symbols[e.id] = (unsigned char)role;
}

/* Starts the pass. Symbols added to the pool later count as constants. */
static bool dots_begin(Parser *parser)
{
    const ExprScope *scope = parser->scope;
    ParseDots *dots = parser->dots ? parser->dots : alloc_array(1, sizeof *dots);

    if (parser->dots || !dots)
        return dots;
    parser->dots = dots;
    dots->forward.pool = parser->pool;
    dots->n_symbols = expr_pool_size(parser->pool) + 1;
    dots->symbols = alloc_array(dots->n_symbols, 1);
    if (!dots->symbols) {
        parse_dots_done(parser);
        return false;
    }
    for (size_t i = 0; i < scope->n_forms; i++)
        set_role(parser, scope->forms[i].value, ROLE_COMPUTED);
    /* a form may be a parameter: the momentum of L = a*dot(x) is a */
    for (size_t i = 0; i < scope->n_names; i++)
        set_role(parser, scope->names[i].value, ROLE_CONSTANT);
    for (size_t i = 0; i < scope->n_coordinates; i++) {
        const ScopeCoordinate *q = &scope->coordinates[i];
        set_role(parser, q->position, expr_is_none(q->velocity) ? ROLE_VELOCITY : ROLE_MOVING);
        set_role(parser, q->velocity, expr_is_none(q->acceleration) ? ROLE_VELOCITY : ROLE_MOVING);
        set_role(parser, q->acceleration, ROLE_COMPUTED);
    }
    set_role(parser, scope->time, ROLE_MOVING);
    return true;
}

void parse_dots_done(Parser *parser)
{
    if (!parser->dots)
        return;
    forward_done(&parser->dots->forward);
    free(parser->dots->symbols);
    free(parser->dots->under);
    free(parser->dots);
    parser->dots = NULL;
}

static Expr rate_of(const Parser *parser, Expr symbol)
{
    const ExprScope *scope = parser->scope;

    for (size_t i = 0; i < scope->n_coordinates; i++) {
        if (expr_same(scope->coordinates[i].position, symbol))
            return scope->coordinates[i].velocity;
        if (expr_same(scope->coordinates[i].velocity, symbol))
            return scope->coordinates[i].acceleration;
    }
    return expr_const(parser->pool, 1.0); /* time */
}

/* The roles below the node in slot i, whose operands have theirs. */
static unsigned char roles_under(const Parser *parser, uint32_t i)
{
    const ParseDots *dots = parser->dots;
    const Reach *reach = &dots->forward.reach;
    const Expr e = reach->order[i];
    unsigned char roles = ROLE_CONSTANT;

    if (pool_op(parser->pool, e) == EXPR_SYMBOL)
        return e.id < dots->n_symbols ? dots->symbols[e.id] : roles;
    for (uint32_t k = 0; k < pool_node(parser->pool, e)->n; k++)
        roles |= dots->under[reach->slot[pool_arg(parser->pool, e, k).id]];
    return roles;
}

/* Continues the pass to e, without nodes of an unknown rate. False if the pool has failed. */
static bool dots_extend(Parser *parser, Expr e)
{
    ParseDots *dots = parser->dots;
    Forward *forward = &dots->forward;
    uint32_t i = forward->reach.n;

    if (!forward_extend(forward, &e, 1))
        return false;
    if (!grow_array(&dots->under, &dots->capacity, forward->reach.n, 1)) {
        pool_fail(parser->pool, ERR_NO_MEMORY, "out of memory");
        return false;
    }
    /* new nodes follow their operands, whose roles and rates are known */
    for (; i < forward->reach.n && parser->pool->status == OK; i++) {
        const Expr node = forward->reach.order[i];
        dots->under[i] = roles_under(parser, i);
        if (dots->under[i] & ROLE_UNKNOWN)
            continue;
        forward->d[i] = dots->under[i] && pool_op(parser->pool, node) == EXPR_SYMBOL
                            ? rate_of(parser, node)
                            : forward_derivative(forward, node);
    }
    return parser->pool->status == OK;
}

/* The derivative of e, which the pass has reached; the pool has not failed. */
static Item dots_item(Parser *parser, Expr e, size_t offset)
{
    const uint32_t slot = parser->dots->forward.reach.slot[e.id];
    const unsigned char under = parser->dots->under[slot];

    if (!(under & ROLE_UNKNOWN) && under)
        return (Item){.kind = ITEM_NUMBER, .e = parser->dots->forward.d[slot], .offset = offset};
    if (under & ROLE_UNKNOWN)
        parser_report(parser, offset, "differentiate an expression in the coordinates and t",
                      "dot(...) of an expression with %s",
                      under & ROLE_VELOCITY ? "velocities" : "accelerations or multipliers");
    else
        parser_report(parser, offset, NULL,
                      "dot(...) of an expression without coordinates and time");
    return parser_poison(offset);
}

static const ScopeCoordinate *find_coordinate(const ExprScope *scope, Expr position)
{
    for (size_t i = 0; i < scope->n_coordinates; i++)
        if (expr_same(scope->coordinates[i].position, position))
            return &scope->coordinates[i];
    return NULL;
}

Item parser_total_derivative(Parser *parser, const Item *item, size_t offset)
{
    const ScopeCoordinate *q = find_coordinate(parser->scope, item->e);

    if (q && !expr_is_none(q->velocity))
        return parser_built(parser, q->velocity, offset);
    if (!dots_begin(parser))
        pool_fail(parser->pool, ERR_NO_MEMORY, "out of memory");
    else if (dots_extend(parser, item->e))
        return dots_item(parser, item->e, offset);
    parse_dots_done(parser); /* a failed pass is discarded */
    return parser_built(parser, EXPR_NONE, offset);
}

Item parser_acceleration(Parser *parser, const Item *item, size_t offset)
{
    const ScopeCoordinate *q = find_coordinate(parser->scope, item->e);

    if (q && !expr_is_none(q->acceleration))
        return parser_built(parser, q->acceleration, offset);
    if (q)
        parser_report(parser, offset,
                      "it is known in observables and events; elsewhere write it out in "
                      "coordinates, velocities and time",
                      "ddot(...) needs a computed motion and cannot stand");
    else
        parser_report(parser, item->offset, NULL,
                      "ddot(...) takes a coordinate, not the expression");
    return parser_poison(offset);
}
