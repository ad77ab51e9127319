/* A scope of a small model, parsing and printing for the tests of core/expr. */
#include "tests/core/expr/fixture.h"

#include <check.h>

const char *const FIXTURE_TEXT_NAMES[FIXTURE_SYMBOLS] = {
    "t",           "x", "theta", "dot(x)", "dot(theta)",    "ddot(x)",
    "ddot(theta)", "m", "g",     "l",      "multiplier(c1)"};
const char *const FIXTURE_LATEX_NAMES[FIXTURE_SYMBOLS] = {
    "t", "x", "\\theta", "\\dot{x}",    "\\dot{\\theta}", "\\ddot{x}", "\\ddot{\\theta}",
    "m", "g", "l",       "\\lambda_{1}"};

void fixture_init(Fixture *fixture, bool motion)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    ExprScope *scope = expr_scope_new();
    Expr *s = fixture->symbols;

    fixture->pool = pool;
    fixture->scope = scope;
    fixture->arena = arena_new(64 << 20);
    diagnostics_init(&fixture->diag, fixture->arena);
    for (uint32_t i = 0; i < FIXTURE_SYMBOLS; i++)
        s[i] = expr_symbol(pool, i);
    ck_assert(expr_scope_set_time(scope, s[0]));
    ck_assert(expr_scope_add_coordinate(scope, "x", s[1], s[3], motion ? s[5] : EXPR_NONE));
    ck_assert(expr_scope_add_coordinate(scope, "theta", s[2], s[4], motion ? s[6] : EXPR_NONE));
    ck_assert(expr_scope_add(scope, "m", s[7]));
    ck_assert(expr_scope_add(scope, "g", s[8]));
    ck_assert(expr_scope_add(scope, "l", s[9]));
    ck_assert(expr_scope_add_broken(scope, "bad", "the definition \"bad\" has mistakes"));
    if (!motion)
        return;
    ck_assert(expr_scope_add_form(scope, "multiplier", "c1", s[10]));
    ck_assert(expr_scope_add_form(scope, "reaction", "x", expr_scale(pool, 2.0, s[10])));
    ck_assert(expr_scope_add_form(scope, "energy", NULL,
                                  expr_mul(pool, s[7], expr_mul(pool, s[3], s[3]))));
    ck_assert(expr_scope_add_form(scope, "momentum", "x", s[7])); /* of L = m*dot(x) */
    ck_assert(expr_scope_add_broken_form(scope, "kinetic", "kinetic() is not known"));
}

void fixture_done(Fixture *fixture)
{
    expr_scope_free(fixture->scope);
    expr_pool_free(fixture->pool);
    arena_free(fixture->arena);
}

Expr fixture_read(Fixture *fixture, const char *text)
{
    diagnostics_init(&fixture->diag, fixture->arena);
    Expr e =
        expr_parse(fixture->pool, fixture->scope, text, PARSE_EXPRESSION, "/text", &fixture->diag);
    ck_assert_msg(!expr_is_none(e) && fixture->diag.total == 0, "%s: %s", text,
                  fixture->diag.count ? fixture->diag.items[0].message : "no diagnostic");
    return e;
}

void fixture_same(Fixture *fixture, const char *text, const char *other)
{
    Expr a = fixture_read(fixture, text), b = fixture_read(fixture, other);
    ck_assert_msg(expr_same(a, b), "\"%s\" is %s, \"%s\" is %s", text,
                  fixture_print(fixture, a, PRINT_TEXT), other,
                  fixture_print(fixture, b, PRINT_TEXT));
}

const char *fixture_print(Fixture *fixture, Expr e, PrintFormat format)
{
    const char *const *names = format == PRINT_LATEX ? FIXTURE_LATEX_NAMES : FIXTURE_TEXT_NAMES;
    Text text = TEXT_INIT;
    Error error;

    ck_assert_msg(expr_print(fixture->pool, e, format,
                             (PrintNames){.names = names, .n = FIXTURE_SYMBOLS}, 100000, &text,
                             &error) == OK,
                  "%s", error.message);
    const char *copy = arena_strdup(fixture->arena, text_string(&text));
    text_done(&text);
    return copy;
}
