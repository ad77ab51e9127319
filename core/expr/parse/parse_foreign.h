/* Hints for spellings of other languages and of mathematics. Private to core/expr. */
#ifndef CORE_EXPR_PARSE_FOREIGN_H
#define CORE_EXPR_PARSE_FOREIGN_H

#include "core/base/text.h"
#include "core/expr/parse/parse_scope.h"

/* A piece of the parsed text. */
typedef struct Word {
    const char *text;
    size_t length;
} Word;

/* Each function writes a hint and returns true if it knows one. */

/* The name of a function. `argument` is its argument if this is one word, else empty. */
bool foreign_function(Word name, Word argument, Text *ret_hint);
bool foreign_value(Word name, Text *ret_hint);
/* The velocity or acceleration of a coordinate of the scope: xdot, x_dot, dxdt, vx, ... */
bool foreign_velocity(const ExprScope *scope, Word name, Text *ret_hint);
/* Units after a number. */
bool foreign_unit(Word name, Text *ret_hint);

/* Appends the pattern with the word for every @, or "..." if the word is empty. */
void foreign_fill(const char *pattern, Word word, Text *out);

#endif
