/* Questions about expressions that are given as texts, over symbols with and without values. */
#include "tests/core/exact/question.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"

static const char *const NAMES[QUESTION_FREE + QUESTION_KNOWN] = {"x", "y", "z",  "s",  "p", "a",
                                                                  "b", "c", "k1", "k2", "k3"};

void question_init(Question *q)
{
    *q = (Question){.pool = expr_pool_new((ExprLimits){0}),
                    .scope = expr_scope_new(),
                    .arena = arena_new(64 << 20),
                    .values = {0.1, 3, 12.75}};
    for (uint32_t i = 0; i < QUESTION_FREE + QUESTION_KNOWN; i++) {
        q->symbols[i] = expr_symbol(q->pool, i);
        q->start[i] = 0.3 + 0.21 * i;
        ck_assert(expr_scope_add(q->scope, NAMES[i], q->symbols[i]));
    }
}

void question_done(Question *q)
{
    expr_scope_free(q->scope);
    expr_pool_free(q->pool);
    arena_free(q->arena);
}

static Expr read(Question *q, const char *text)
{
    Diagnostics diag;
    diagnostics_init(&diag, q->arena);
    Expr e = expr_parse(q->pool, q->scope, text, PARSE_EXPRESSION, "/text", &diag);
    ck_assert_msg(!expr_is_none(e), "%s: %s", text, diag.count ? diag.items[0].message : "");
    return e;
}

void question_stage(Question *q, const char *unknowns, bool linear, const char *const *equations)
{
    const size_t n = strlen(unknowns);
    size_t m = 0;
    while (equations[m])
        m++;
    Expr *symbols = ARENA_NEW(q->arena, n, Expr), *g = ARENA_NEW(q->arena, m, Expr),
         *jacobian = ARENA_NEW(q->arena, m * n, Expr);

    for (size_t i = 0; i < n; i++) {
        const char name[2] = {unknowns[i], '\0'};
        symbols[i] = read(q, name);
    }
    for (size_t k = 0; k < m; k++) {
        g[k] = read(q, equations[k]);
        expr_gradient(q->pool, g[k], symbols, n, jacobian + k * n);
    }
    q->stages[q->n_stages++] = (ExactStage){.n_unknowns = n,
                                            .n_equations = m,
                                            .unknowns = symbols,
                                            .equations = g,
                                            .jacobian = jacobian,
                                            .linear = linear};
}

static ExactProblem problem(Question *q, const Expr *term)
{
    return (ExactProblem){.pool = q->pool,
                          .terms = term,
                          .n_terms = 1,
                          .known = q->symbols + QUESTION_FREE,
                          .values = q->values,
                          .n_known = QUESTION_KNOWN,
                          .stages = q->stages,
                          .n_stages = q->n_stages,
                          .symbols = q->start,
                          .n_symbols = QUESTION_FREE + QUESTION_KNOWN};
}

ExactAnswer question_identity(Question *q, const char *text)
{
    const Expr term = read(q, text);
    const ExactProblem p = problem(q, &term);
    Error err = {0};
    Status status = exact_identity(&p, &q->result, &err);
    ck_assert_msg(status == OK, "%s: %s", text, err.message);
    return q->result.answer;
}

ExactAnswer question_difference(Question *q, const char *text)
{
    const Expr term = read(q, text);
    const ExactProblem p = problem(q, &term);
    Error err = {0};
    Status status = exact_difference(&p, &q->result, &err);
    ck_assert_msg(status == OK, "%s: %s", text, err.message);
    return q->result.answer;
}

void question_rank(Question *q, const char *const *texts, size_t rows, size_t columns,
                   size_t copies, size_t shared, ExactRank *ret_least, ExactRank *ret_most)
{
    const size_t n = rows * columns, n_symbols = QUESTION_FREE + QUESTION_KNOWN;
    Expr *terms = ARENA_NEW(q->arena, n, Expr);
    double *symbols = arena_doubles(q->arena, copies * n_symbols);
    Error err = {0};

    for (size_t i = 0; i < n; i++)
        terms[i] = read(q, texts[i]);
    for (size_t k = 0; k < copies; k++)
        for (size_t i = 0; i < n_symbols; i++)
            symbols[k * n_symbols + i] = q->start[i] + 0.37 * (double)k * (i % 3 == 1 ? -1 : 1);
    ExactMatrix matrix = {
        .problem = problem(q, terms), .columns = columns, .copies = copies, .shared = shared};
    matrix.problem.n_terms = n;
    matrix.problem.symbols = symbols;
    ck_assert_msg(exact_rank_most(&matrix, 0, ret_most, &err) == OK, "%s", err.message);
    ck_assert_msg(exact_rank_least(&matrix, ret_most->rank, ret_least, &err) == OK, "%s",
                  err.message);
}

static const Expr *read_all(Question *q, const char *const *texts, size_t n)
{
    Expr *terms = ARENA_NEW(q->arena, n, Expr);
    for (size_t i = 0; i < n; i++)
        terms[i] = read(q, texts[i]);
    return terms;
}

ExactRoots question_roots(Question *q, const char *const *texts, size_t size, size_t degree,
                          size_t zeros, double line)
{
    const size_t n = 3 * size * size;
    ExactPencil pencil = {.problem = problem(q, read_all(q, texts, n)),
                          .size = size,
                          .degree = degree,
                          .zeros = zeros};
    ExactRoots roots;
    Error err = {0};

    pencil.problem.n_terms = n;
    ck_assert_msg(exact_roots(&pencil, line, &roots, &err) == OK, "%s", err.message);
    return roots;
}

bool question_positive(Question *q, const char *const *texts, size_t n, size_t r)
{
    ExactProblem p = problem(q, read_all(q, texts, n * n + r * n));
    bool positive;
    Error err = {0};

    p.n_terms = n * n + r * n;
    ck_assert_msg(exact_positive(&p, n, r, &positive, &err) == OK, "%s", err.message);
    return positive;
}

ExactSign question_form(Question *q, const char *const *texts, size_t n_terms,
                        const unsigned *exponents, size_t n)
{
    ExactProblem p = problem(q, read_all(q, texts, n_terms));
    ExactSign sign;
    Error err = {0};

    p.n_terms = n_terms;
    ck_assert_msg(exact_form(&p, n, exponents, &sign, &err) == OK, "%s", err.message);
    return sign;
}
