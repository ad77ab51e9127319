/* Example: V depends on x^2 + y^2 only, with the conditions (x^2 + y^2 - 1) x = 0 and
 * (x^2 + y^2 - 1) y = 0. If a condition is a product, its vanishing factor is a candidate. So are
 * sums inside the conditions: for V = (x^2 + y^2 - 1)^2 + (z - x y)^2, x^2 + y^2 - 1 and z - x y.
 *
 * Some of these equations h, solved for as many unknowns z with the others w free, describe one
 * analytic branch z(w) near a solution with regular h_z. Two tests ask whether a condition
 * vanishes on it. The first evaluates it at random w over prime fields, which meet all branches
 * over w or only some. The second encloses it in balls at real points of this branch near the
 * solution: an analytic function that is not identically zero shows there. */
#include "core/stability/find/implied.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/random.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/vectors.h"

enum { MOST_TRIES = 25, MOST_SUMS = 16, POINTS = 4, SEED = 61 };
/* Distance of the test points from the solution, relative to the unknowns' sizes. Convention. */
static const double TEST_DISTANCE = 1e-3;

typedef struct Implied {
    ExprPool *pool;
    ExactProblem problem;  /* with the chosen equations, `some`, as its stage */
    const ExactStage *all; /* the conditions */
    size_t count;          /* equations to choose from: */
    Expr *equations;       /* a factor of each condition, then sums */
    Expr *jacobian;        /* [count][unknowns] */
    ExactStage some;
    size_t rank;
    const double *sizes;
    double *slopes, *left;  /* [count][unknowns]: the derivatives, and after elimination */
    size_t *rows, *columns; /* rank */
    bool *chosen;           /* count */
    Arena *arena;
} Implied;

/* The first entry of the row from this column on that is not negligible, or `n_unknowns`. */
static size_t pivot_of(const Implied *d, size_t row, size_t from)
{
    const size_t n = d->all->n_unknowns;
    double largest = vector_largest(d->slopes + row * n, n);
    for (size_t k = 0; k < n; k++) {
        const size_t j = (from + k) % n;
        if (fabs(d->left[row * n + j]) > ACCURACY_DIFFERENCED * largest)
            return j;
    }
    return n;
}

static void eliminate(const Implied *d, size_t row, size_t column)
{
    const size_t n = d->all->n_unknowns;

    for (size_t i = 0; i < d->count; i++) {
        const double factor = d->left[i * n + column] / d->left[row * n + column];
        for (size_t j = 0; i != row && j < n; j++)
            d->left[i * n + j] -= factor * d->left[row * n + j];
        if (i != row)
            d->left[i * n + column] = 0;
    }
}

/* Independent rows and their columns, rows from `first` on, columns from `from` on. */
static bool choose(Implied *d, size_t first, size_t from)
{
    const size_t n = d->all->n_unknowns, count = d->count;
    size_t found = 0;

    memcpy(d->left, d->slopes, count * n * sizeof *d->left);
    memset(d->chosen, 0, count * sizeof *d->chosen);
    for (size_t k = 0; k < count && found < d->rank; k++) {
        const size_t row = (first + k) % count, column = pivot_of(d, row, from);
        if (column == n)
            continue;
        d->rows[found] = row;
        d->columns[found++] = column;
        d->chosen[row] = true;
        eliminate(d, row, column);
    }
    return found == d->rank;
}

/* The stage of the chosen equations and unknowns. */
static Status make_stage(Implied *d, Error *err)
{
    const size_t rank = d->rank;
    Expr *unknowns = ARENA_NEW(d->arena, rank, Expr), *g = ARENA_NEW(d->arena, rank, Expr);
    Expr *jacobian = ARENA_NEW(d->arena, rank * rank, Expr);
    Status status = arena_status(d->arena, err);

    for (size_t i = 0; status == OK && i < rank; i++) {
        unknowns[i] = d->all->unknowns[d->columns[i]];
        g[i] = d->equations[d->rows[i]];
        for (size_t j = 0; j < rank; j++)
            jacobian[i * rank + j] = d->jacobian[d->rows[i] * d->all->n_unknowns + d->columns[j]];
    }
    d->some = (ExactStage){.n_unknowns = rank,
                           .n_equations = rank,
                           .unknowns = unknowns,
                           .equations = g,
                           .jacobian = jacobian};
    return status;
}

/* Whether a ball on the branch near the solution proves that the condition does not vanish. */
static Status is_refuted(const Implied *d, Expr condition, bool *ret, Error *err)
{
    ExactProblem problem = d->problem;
    Random random;
    double *symbols = arena_doubles(d->arena, problem.n_symbols);
    Status status = arena_status(d->arena, err);

    problem.symbols = symbols;
    *ret = false;
    random_init(&random, SEED);
    /* random points near the solution; balls decide at each */
    for (size_t k = 0; status == OK && !*ret && k < POINTS; k++) {
        memcpy(symbols, d->problem.symbols, problem.n_symbols * sizeof *symbols);
        for (size_t j = 0; j < d->all->n_unknowns; j++) {
            const uint32_t symbol = expr_node(d->pool, d->all->unknowns[j]).symbol;
            symbols[symbol] += TEST_DISTANCE * d->sizes[j] * random_uniform(&random, -1, 1);
        }
        status = exact_differs(&problem, condition, ret, err);
    }
    return status;
}

/* Whether the conditions of which no factor was chosen follow from the chosen ones. */
static Status follow(Implied *d, bool *ret, Error *err)
{
    Status status = OK;
    bool refuted = false;

    *ret = true;
    for (size_t k = 0; status == OK && *ret && k < d->all->n_equations; k++) {
        if (d->chosen[k])
            continue;
        /* an identity over prime fields, then a refutation at real points */
        status = exact_vanishes(&d->problem, 1, &d->all->equations[k], 1, ret, err);
        if (*ret)
            status = is_refuted(d, d->all->equations[k], &refuted, err);
        *ret = *ret && !refuted;
    }
    return status;
}

/* Whether a ball encloses the solution. It is then no double root, unlike that of x h + y h = 0
 * at h = x + y. */
static Status is_enclosed(const Implied *d, bool *ret, Error *err)
{
    /* 1 and squares of all unknowns: not zero, wherever that is */
    Expr size = expr_const(d->pool, 1);

    for (size_t i = 0; i < d->some.n_unknowns; i++)
        size = expr_add(d->pool, size, expr_mul(d->pool, d->some.unknowns[i], d->some.unknowns[i]));
    return exact_differs(&d->problem, size, ret, err);
}

/* The distance to the factor's zero set in sizes of the unknowns, to first order. */
static Status distance_from(const Implied *d, Expr factor, double *ret, Error *err)
{
    const size_t n = d->all->n_unknowns;
    Expr *e = ARENA_NEW(d->arena, n + 1, Expr);
    double *values = arena_doubles(d->arena, n + 1), slope = 0;
    Status status = arena_status(d->arena, err);
    if (status != OK)
        return status;

    expr_gradient(d->pool, factor, d->all->unknowns, n, e);
    e[n] = factor;
    status = expr_pool_status(d->pool, err);
    if (status == OK)
        status = expr_eval(d->pool, e, n + 1, d->problem.symbols, values, err);
    for (size_t j = 0; j < n; j++)
        slope += fabs(values[j]) * d->sizes[j];
    *ret = slope > 0 ? fabs(values[n]) / slope : INFINITY;
    return status;
}

/* The factor with the nearest zero set, or the whole expression. */
static Status find_factor(const Implied *d, Expr equation, Expr *ret, Error *err)
{
    ExprNode node = expr_node(d->pool, equation);
    if (node.op == EXPR_SUM && node.n == 1 && node.value == 0) /* a number times a product */
        node = expr_node(d->pool, node.args[0]);
    const size_t n = node.op == EXPR_PRODUCT ? node.n : 0;
    Expr *factors = ARENA_NEW(d->arena, n, Expr);
    double *powers = arena_doubles(d->arena, n), least = INFINITY, distance = INFINITY;
    Status status = arena_status(d->arena, err);

    *ret = equation;
    if (status != OK || n == 0)
        return status;
    memcpy(factors, node.args, n * sizeof *factors);
    memcpy(powers, node.coefs, n * sizeof *powers);
    for (size_t k = 0; status == OK && k < n; k++) {
        status = distance_from(d, factors[k], &distance, err);
        if (status == OK && powers[k] > 0 && distance < least) {
            least = distance;
            *ret = factors[k];
        }
    }
    return status;
}

static bool has_equation(const Implied *d, Expr e)
{
    for (size_t k = 0; k < d->count; k++)
        if (expr_same(d->equations[k], e))
            return true;
    return false;
}

/* Sums inside the conditions that vanish there as well, the simplest first. */
static Status find_sums(Implied *d, Error *err)
{
    const uint32_t size = expr_pool_size(d->pool);
    bool *seen = ARENA_NEW(d->arena, (size_t)size + 1, bool);
    double distance;
    Status status = arena_status(d->arena, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < d->all->n_equations; k++)
        seen[d->all->equations[k].id] = true;
    for (uint32_t id = size; id > 0; id--) {
        const ExprNode node = expr_node(d->pool, (Expr){id});
        for (uint32_t k = 0; seen[id] && k < node.n; k++)
            seen[node.args[k].id] = true;
    }
    /* keep each sum with a zero set nearby */
    for (uint32_t id = 1; status == OK && id <= size; id++) {
        const ExprNode node = expr_node(d->pool, (Expr){id});
        const bool is_multiple = node.n == 1 && node.value == 0;
        if (!seen[id] || node.op != EXPR_SUM || is_multiple || has_equation(d, (Expr){id}))
            continue;
        status = distance_from(d, (Expr){id}, &distance, err);
        /* the zero set passes through the solution */
        if (status == OK && distance < ACCURACY_CLEAR && d->count < d->all->n_equations + MOST_SUMS)
            d->equations[d->count++] = (Expr){id};
    }
    return status;
}

static Status find_equations(Implied *d, Error *err)
{
    const size_t n = d->all->n_unknowns;
    Status status = OK;

    for (size_t k = 0; status == OK && k < d->all->n_equations; k++)
        status = find_factor(d, d->all->equations[k], &d->equations[d->count++], err);
    if (status == OK)
        status = find_sums(d, err);
    if (status == OK) {
        expr_jacobian(d->pool, d->equations, d->count, d->all->unknowns, n, d->jacobian);
        status = expr_pool_status(d->pool, err);
    }
    return status == OK
               ? expr_eval(d->pool, d->jacobian, d->count * n, d->problem.symbols, d->slopes, err)
               : status;
}

static Status reduce(Implied *d, bool *ret, Error *err)
{
    const size_t n = d->all->n_unknowns;
    Status status = find_equations(d, err);
    const size_t count = d->count;

    if (count == 0)
        return status;
    for (size_t k = 0; status == OK && !*ret && k < count * n && k < MOST_TRIES; k++) {
        if (!choose(d, k % count, k / count))
            continue;
        status = make_stage(d, err);
        if (status == OK)
            status = is_enclosed(d, ret, err);
        if (status == OK && *ret)
            status = follow(d, ret, err);
    }
    return status;
}

Status conditions_reduce(const ConditionSet *set, ExactStage *stage, Arena *arena,
                         bool *ret_reduced, Error *err)
{
    const size_t n = stage->n_unknowns, rank = n - set->family;
    const size_t most = stage->n_equations + MOST_SUMS;
    Implied d = {.pool = set->pool,
                 .problem = *set->problem,
                 .equations = ARENA_NEW(arena, most, Expr),
                 .jacobian = ARENA_NEW(arena, most * n, Expr),
                 .all = stage,
                 .rank = rank,
                 .sizes = set->sizes,
                 .slopes = arena_doubles(arena, most * n),
                 .left = arena_doubles(arena, most * n),
                 .rows = arena_sizes(arena, rank),
                 .columns = arena_sizes(arena, rank),
                 .chosen = ARENA_NEW(arena, most, bool),
                 .arena = arena};

    d.problem.stages = &d.some;
    d.problem.n_stages = 1;
    *ret_reduced = false;
    Status status = arena_status(arena, err);
    if (status == OK && rank > 0)
        status = reduce(&d, ret_reduced, err);
    if (status == OK && *ret_reduced)
        *stage = d.some;
    return status == ERR_NUMERIC ? OK : status; /* derivatives that are not finite */
}
