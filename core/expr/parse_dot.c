/* dot(...) and ddot(...): derivatives by time along a motion. */
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/expr/parse_scope.h"
#include "core/expr/parse_state.h"
#include "core/expr/reach.h"

/* What a symbol is for dot(). */
typedef enum Role {
    ROLE_CONSTANT, /* a parameter */
    ROLE_MOVING,   /* its rate is known */
    ROLE_VELOCITY, /* moves, but its rate is not known */
    ROLE_COMPUTED, /* likewise: an acceleration, a multiplier */
} Role;

static void set_role(Parser *parser, Expr e, Role role)
{
    if (!expr_is_none(e) && pool_op(parser->pool, e) == EXPR_SYMBOL && e.id < parser->n_roles)
        parser->roles[e.id] = (unsigned char)role;
}

/* Roles by id. Symbols that come into the pool later belong to nobody here: constants. */
static bool make_roles(Parser *parser)
{
    const ExprScope *scope = parser->scope;

    if (parser->roles)
        return true;
    parser->n_roles = expr_pool_size(parser->pool) + 1;
    parser->roles = alloc_array(parser->n_roles, 1);
    if (!parser->roles)
        return false;
    for (size_t i = 0; i < scope->n_forms; i++)
        set_role(parser, scope->forms[i].value, ROLE_COMPUTED);
    for (size_t i = 0; i < scope->n_coordinates; i++) {
        const ScopeCoordinate *q = &scope->coordinates[i];
        set_role(parser, q->position, expr_is_none(q->velocity) ? ROLE_VELOCITY : ROLE_MOVING);
        set_role(parser, q->velocity, expr_is_none(q->acceleration) ? ROLE_VELOCITY : ROLE_MOVING);
        set_role(parser, q->acceleration, ROLE_COMPUTED);
    }
    set_role(parser, scope->time, ROLE_MOVING);
    return true;
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

/* The moving symbols under an expression and their rates; symbols and rates have room for all. */
static size_t moving_symbols(const Parser *parser, const Reach *reach, Expr *symbols, Expr *rates,
                             bool *ret_seen)
{
    size_t n = 0;

    for (uint32_t i = 0; i < reach->n; i++) {
        Expr e = reach->order[i];
        if (pool_op(parser->pool, e) != EXPR_SYMBOL || e.id >= parser->n_roles)
            continue;
        ret_seen[parser->roles[e.id]] = true;
        if (parser->roles[e.id] == ROLE_MOVING) {
            symbols[n] = e;
            rates[n++] = rate_of(parser, e);
        }
    }
    return n;
}

static Item differentiate(Parser *parser, const Reach *reach, Expr e, Expr *scratch, size_t offset)
{
    Expr *symbols = scratch, *rates = scratch + reach->n, result;
    bool seen[ROLE_COMPUTED + 1] = {false};
    size_t n = moving_symbols(parser, reach, symbols, rates, seen);
    const Item poison = {ITEM_POISON, EXPR_NONE, offset};

    if (seen[ROLE_VELOCITY] || seen[ROLE_COMPUTED]) {
        parser_report(parser, offset, "differentiate an expression in the coordinates and t",
                      "dot(...) of an expression with %s",
                      seen[ROLE_VELOCITY] ? "velocities" : "accelerations or multipliers");
        return poison;
    }
    if (n == 0) {
        parser_report(parser, offset, NULL,
                      "dot(...) of an expression without coordinates and time");
        return poison;
    }
    expr_directional(parser->pool, &e, 1, symbols, rates, n, &result);
    return parser_built(parser, result, offset);
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
    Expr e = item->e, *scratch = NULL;
    Reach reach = {0};
    Item result;

    if (q && !expr_is_none(q->velocity))
        return parser_built(parser, q->velocity, offset);
    if (make_roles(parser) && reach_init(parser->pool, &e, 1, &reach, NULL) == OK)
        scratch = alloc_array(2 * (size_t)reach.n, sizeof *scratch);
    if (scratch)
        result = differentiate(parser, &reach, e, scratch, offset);
    else
        result =
            parser_built(parser, pool_fail(parser->pool, ERR_NO_MEMORY, "out of memory"), offset);
    free(scratch);
    reach_done(&reach);
    return result;
}

Item parser_acceleration(Parser *parser, const Item *item, size_t offset)
{
    const ScopeCoordinate *q = find_coordinate(parser->scope, item->e);

    if (q && !expr_is_none(q->acceleration))
        return parser_built(parser, q->acceleration, offset);
    if (q)
        parser_report(parser, offset, "it is known in observables and events",
                      "ddot(...) needs a computed motion and cannot stand");
    else
        parser_report(parser, item->offset, NULL,
                      "ddot(...) takes a coordinate, not the expression");
    return (Item){ITEM_POISON, EXPR_NONE, offset};
}
