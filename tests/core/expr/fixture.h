/* A pool with a scope of a small mechanical model, and a way to read expressions in tests. */
#ifndef TESTS_CORE_EXPR_FIXTURE_H
#define TESTS_CORE_EXPR_FIXTURE_H

#include "core/expr/parse/parse.h"
#include "core/expr/print/print.h"

enum { FIXTURE_SYMBOLS = 11 };

/* Symbols: t 0, x 1, theta 2, dot(x) 3, dot(theta) 4, ddot(x) 5, ddot(theta) 6, m 7, g 8, l 9,
 * multiplier(c1) 10. Accelerations and forms are in the scope only with `motion`: reaction(x) is 2
 * multiplier(c1), energy() is m dot(x)^2. */
typedef struct Fixture {
    ExprPool *pool;
    ExprScope *scope;
    Arena *arena;
    Diagnostics diag;
    Expr symbols[FIXTURE_SYMBOLS];
} Fixture;

extern const char *const FIXTURE_TEXT_NAMES[FIXTURE_SYMBOLS];
extern const char *const FIXTURE_LATEX_NAMES[FIXTURE_SYMBOLS];

void fixture_init(Fixture *fixture, bool motion);
void fixture_done(Fixture *fixture);

/* Parses; fails the test with the first diagnostic when there is a mistake. */
Expr fixture_read(Fixture *fixture, const char *text);
/* Checks that both texts mean the same node. */
void fixture_same(Fixture *fixture, const char *text, const char *other);
/* The printed text; owned by the fixture. */
const char *fixture_print(Fixture *fixture, Expr e, PrintFormat format);

#endif
