/* Spellings of other languages and of mathematics: hints to what they are here. Private to
 * core/expr. */
#ifndef CORE_EXPR_PARSE_FOREIGN_H
#define CORE_EXPR_PARSE_FOREIGN_H

#include "core/base/text.h"
#include "core/expr/parse/parse_scope.h"

/* A piece of a text that is parsed. */
typedef struct Word {
    const char *text;
    size_t length;
} Word;

/* All write a hint where they know one, and return whether they do. */

/* A function's name; argument: what it is called with, when that is one word, else empty. */
bool foreign_function(Word name, Word argument, Text *ret_hint);
bool foreign_value(Word name, Text *ret_hint);
/* The velocity or acceleration of a coordinate of the scope: xdot, x_dot, dxdt, vx, ... */
bool foreign_velocity(const ExprScope *scope, Word name, Text *ret_hint);
/* Units behind a number. */
bool foreign_unit(Word name, Text *ret_hint);

/* Appends the pattern with the word, or "..." when it is empty, for every @. */
void foreign_fill(const char *pattern, Word word, Text *out);

#endif
