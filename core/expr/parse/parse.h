/* Text to expression: the grammar of docs/reference/language.md.
 *
 * Names are looked up in a scope that the caller fills. All mistakes of a text are reported to
 * the diagnostics, each with its place and, if one helps, a suggestion. The parser keeps its
 * own stack: nesting is limited by PARSE_MAX_NESTING, never by the C stack. */
#ifndef CORE_EXPR_PARSE_H
#define CORE_EXPR_PARSE_H

#include "core/base/diagnostics.h"
#include "core/expr/graph/expr.h"
#include "core/units/dimension.h"

enum { PARSE_MAX_NESTING = 200, PARSE_MAX_TEXT = 1 << 20 };

typedef struct ExprScope ExprScope;

ExprScope *expr_scope_new(void);        /* NULL when out of memory; knows pi and the functions */
void expr_scope_free(ExprScope *scope); /* NULL is fine */

/* True when text is an identifier [A-Za-z_][A-Za-z0-9_]*. */
bool expr_name_valid(const char *text);
/* True for the words no document may define: t pi dot ddot der if and or not multiplier reaction
 * energy and functions. */
bool expr_name_reserved(const char *name);

/* The names (copied). Adding one twice is the caller's mistake: it checks clashes itself.
 * False when out of memory. */
bool expr_scope_add(ExprScope *scope, const char *name, Expr value);

/* Names that are added from now on are told as these ("parameters", borrowed) where a name is
 * unknown; NULL: they are not told. */
void expr_scope_list_as(ExprScope *scope, const char *kinds);

bool expr_scope_has(const ExprScope *scope, const char *name);

/* A coordinate: `name` means position; dot(name) velocity, ddot(name) acceleration (EXPR_NONE where
 * ddot is not allowed). dot(EXPR) differentiates along these. */
bool expr_scope_add_coordinate(ExprScope *scope, const char *name, Expr position, Expr velocity,
                               Expr acceleration);
/* Time: `t`, and dt/dt = 1 in dot(EXPR). */
bool expr_scope_set_time(ExprScope *scope, Expr time);

/* A form such as multiplier(NAME), reaction(NAME), or energy() with argument NULL. If a scope has
 * no such form, its use is an error that says where it is allowed. */
/* `form` need not be one of the language's words; argument "*": any name. */
bool expr_scope_add_form(ExprScope *scope, const char *form, const char *argument, Expr value);
/* One that the motion does not have, with the reason: using it gives `reason` as the message. */
bool expr_scope_add_broken_form(ExprScope *scope, const char *form, const char *argument,
                                const char *reason);

/* A word that exists but not here, with the reason: using it gives `reason` as the message (a
 * definition that failed to parse). */
bool expr_scope_add_broken(ExprScope *scope, const char *name, const char *reason);
/* A name of other texts, which may be one of this scope as well: where it is unknown, `hint`
 * (borrowed) is told. */
bool expr_scope_add_hint(ExprScope *scope, const char *name, const char *hint);

/* The dimension of the name, the form or the time that was added last; without it nothing is known
 * of it, and fits all. Numbers in a text have none but zero, which fits all; terms of sums, sides
 * of equations and comparisons, and arguments of functions are to fit. */
void expr_scope_measure(ExprScope *scope, Dimension dimension);
void expr_scope_measure_form(ExprScope *scope, Dimension dimension);
void expr_scope_measure_time(ExprScope *scope, Dimension dimension);
/* What does not fit is no mistake: it has a dimension that is not known. */
void expr_scope_forgive_dimensions(ExprScope *scope);

typedef enum ParseFlags {
    PARSE_EXPRESSION = 0,
    PARSE_EQUATION = 1,  /* lhs = rhs is allowed and means lhs - rhs */
    PARSE_EVENT = 2,     /* the root of the expression is meant: for hints */
    PARSE_CONDITION = 4, /* a condition is meant: 1 where it holds, else 0 */
    /* Names of columns may have dots (initial.q.x), any name of the scope can be written
     * column("NAME"), and a text in quotes is the name of the scope that is written with them. */
    PARSE_COLUMNS = 8,
} ParseFlags;

/* The expression, or EXPR_NONE after at least one diagnostic at `pointer`. */
Expr expr_parse(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                const char *pointer, Diagnostics *diag);

/* The same, with its dimension. */
Expr expr_parse_measured(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                         const char *pointer, Diagnostics *diag, Dimension *ret_dimension);

/* The number that a constant text such as "pi/3" stands for; false after a diagnostic. */
bool expr_parse_constant(const char *text, const char *pointer, Diagnostics *diag,
                         double *ret_value);

/* Calls found(self, name, length) for every identifier in the text, in order: to sort definitions
 * by their dependencies. Stops at the first character outside the grammar. */
void expr_scan_names(const char *text, void (*found)(void *self, const char *name, size_t length),
                     void *self);

#endif
