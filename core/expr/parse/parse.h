/* Text to expression: the grammar of docs/reference/language.md.
 *
 * Names are looked up in a scope that the caller fills. The diagnostics get all mistakes of a text,
 * each with its place and possibly a suggestion. The parser keeps its own stack: nesting is limited
 * by PARSE_MAX_NESTING, never by the C stack. */
#ifndef CORE_EXPR_PARSE_H
#define CORE_EXPR_PARSE_H

#include "core/base/diagnostics.h"
#include "core/expr/graph/expr.h"
#include "core/units/dimension.h"

enum { PARSE_MAX_NESTING = 200, PARSE_MAX_TEXT = 1 << 20 };

typedef struct ExprScope ExprScope;

ExprScope *expr_scope_new(void);        /* NULL if memory is out; knows pi and the functions */
void expr_scope_free(ExprScope *scope); /* NULL is fine */

/* True if text is an identifier [A-Za-z_][A-Za-z0-9_]*. */
bool expr_name_valid(const char *text);
/* True for words that documents may not define: t pi dot ddot der if and or not multiplier reaction
 * energy and functions. */
bool expr_name_reserved(const char *name);

/* Adds a name (copied) that the scope does not have. False if memory is out. */
bool expr_scope_add(ExprScope *scope, const char *name, Expr value);

/* Hints list later names under this heading ("parameters", borrowed); NULL: not at all. */
void expr_scope_list_as(ExprScope *scope, const char *kinds);

bool expr_scope_has(const ExprScope *scope, const char *name);

/* A coordinate: `name` means position; dot(name) velocity, ddot(name) acceleration (EXPR_NONE if
 * ddot is not allowed). dot(EXPR) differentiates along these. */
bool expr_scope_add_coordinate(ExprScope *scope, const char *name, Expr position, Expr velocity,
                               Expr acceleration);
/* Time: `t`, and dt/dt = 1 in dot(EXPR). */
bool expr_scope_set_time(ExprScope *scope, Expr time);

/* A form such as multiplier(NAME), reaction(NAME), or energy() with argument NULL. If a scope has
 * no such form, its use is an error with a list of allowed places. */
/* `form` may be a word outside the language. Argument "*": any name. */
bool expr_scope_add_form(ExprScope *scope, const char *form, const char *argument, Expr value);
/* A form without an argument that the motion lacks: its use gives the message `reason`. */
bool expr_scope_add_broken_form(ExprScope *scope, const char *form, const char *reason);

/* A word without a value, such as a failed definition: its use gives the message `reason`. */
bool expr_scope_add_broken(ExprScope *scope, const char *name, const char *reason);
/* A name of other texts, and perhaps of this scope; `hint` (borrowed) if it is unknown. */
bool expr_scope_add_hint(ExprScope *scope, const char *name, const char *hint);

/* Sets the dimension of the name, the form or the time that was added last. Without it the
 * dimension is unknown and fits all. Written numbers have no dimension, except zero, which fits
 * all. Terms of sums, sides of equations and comparisons, and arguments of functions must fit. */
void expr_scope_measure(ExprScope *scope, Dimension dimension);
void expr_scope_measure_form(ExprScope *scope, Dimension dimension);
void expr_scope_measure_time(ExprScope *scope, Dimension dimension);
/* Dimensions that do not fit become unknown, without a mistake. */
void expr_scope_forgive_dimensions(ExprScope *scope);

typedef enum ParseFlags {
    PARSE_EXPRESSION = 0,
    PARSE_EQUATION = 1,  /* lhs = rhs is allowed and means lhs - rhs */
    PARSE_EVENT = 2,     /* an event at the root of the expression: for hints */
    PARSE_CONDITION = 4, /* a condition: 1 if it holds, else 0 */
    /* Names of columns may have dots (initial.q.x). Any name of the scope can be written
     * column("NAME"). A text in quotes is a name of the scope, with its quotes. */
    PARSE_COLUMNS = 8,
} ParseFlags;

/* The expression, or EXPR_NONE after at least one diagnostic at `pointer`. */
Expr expr_parse(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                const char *pointer, Diagnostics *diag);

/* The same, with its dimension. */
Expr expr_parse_measured(ExprPool *pool, const ExprScope *scope, const char *text, ParseFlags flags,
                         const char *pointer, Diagnostics *diag, Dimension *ret_dimension);

/* The value of a constant text such as "pi/3"; false after a diagnostic. */
bool expr_parse_constant(const char *text, const char *pointer, Diagnostics *diag,
                         double *ret_value);

/* Calls found(self, name, length) for every identifier in the text, in order, so that definitions
 * can be sorted by their dependencies. Stops at the first character outside the grammar. */
void expr_scan_names(const char *text, void (*found)(void *self, const char *name, size_t length),
                     void *self);

#endif
