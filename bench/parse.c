/* From the text of a long expression to its graph: nanoseconds a node of n terms and of twice as
 * many, and their ratio: 1 where the time grows as the text does. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/expr/parse/parse.h"

enum { REPETITIONS = 11, TERMS = 10000 };

typedef struct Sum {
    const char *name, *first, *before, *after; /* a term: before, its number, after */
} Sum;

static const Sum SUMS[] = {
    {"sums of sines", "0", "+sin(", "*x)"},
    {"sums of powers", "0", "+y^", ""},
    {"derivatives of products", "0", "+dot(x*cos(", "*y))"},
    {"products of sums", "1", "*(x+", ")"},
};

/* Nanoseconds a node for reading the text into a pool of its own. */
static double read_once(const char *text)
{
    ExprPool *pool = expr_pool_new((ExprLimits){0});
    ExprScope *scope = expr_scope_new();
    Arena *arena = arena_new((size_t)1 << 20);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    bool ready = pool && scope && diag &&
                 expr_scope_add_coordinate(scope, "x", expr_symbol(pool, 0), expr_symbol(pool, 1),
                                           EXPR_NONE) &&
                 expr_scope_add_coordinate(scope, "y", expr_symbol(pool, 2), expr_symbol(pool, 3),
                                           EXPR_NONE);
    if (!ready)
        abort();
    diagnostics_init(diag, arena);
    const double start = clock_seconds();
    Expr e = expr_parse(pool, scope, text, PARSE_EXPRESSION, "", diag);
    const double seconds = clock_seconds() - start;
    const uint32_t nodes = expr_pool_size(pool);
    if (expr_is_none(e)) {
        fprintf(stderr, "parse: %.40s...: %s\n", text, diag->items[0].message);
        exit(EXIT_FAILURE);
    }
    arena_free(arena);
    expr_scope_free(scope);
    expr_pool_free(pool);
    return 1e9 * seconds / nodes;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static char *text_of(const Sum *sum, int terms)
{
    Text text = TEXT_INIT;
    text_puts(&text, sum->first);
    for (int i = 0; i < terms; i++)
        text_printf(&text, "%s%d%s", sum->before, i + 2, sum->after);
    if (!text_ok(&text))
        abort();
    return text.data;
}

static double median(double *values)
{
    qsort(values, REPETITIONS, sizeof *values, by_size);
    return values[REPETITIONS / 2];
}

/* By turns, so that a change of clock rate meets both texts. */
static void compare(const Sum *sum)
{
    double some[REPETITIONS], twice[REPETITIONS];
    char *text = text_of(sum, TERMS), *longer = text_of(sum, 2 * TERMS);
    for (int i = 0; i < REPETITIONS; i++) {
        some[i] = read_once(text);
        twice[i] = read_once(longer);
    }
    free(text);
    free(longer);
    const double n = median(some), n2 = median(twice);
    printf("  %-48s %5.2f  %11.0f  %11.0f\n", sum->name, n2 / n, n, n2);
}

int main(void)
{
    printf("text to graph, ns a node: %25s ratio  %d terms  %d terms\n", "", TERMS, 2 * TERMS);
    for (size_t i = 0; i < sizeof SUMS / sizeof SUMS[0]; i++)
        compare(&SUMS[i]);
    return EXIT_SUCCESS;
}
