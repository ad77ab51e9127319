/* The test at random states is that of Schwartz, J. ACM 27 (1980) 701. Expressions that pass it are
 * tested exactly, because that notices terms that are small beside others. */
#include "core/model/identities.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/exact/exact.h"
#include "core/expr/calculus/calculus.h"

enum {
    STATES = 8,       /* finite ones that must agree */
    ATTEMPTS = 64,    /* states drawn for them */
    MAX_NODES = 50000 /* of the pool, for each constraint: a state costs one pass over it */
};
enum { SEED = 20240229 }; /* any will do */

/* Values and sizes of every node at one state. The size of a sum is the sum of the sizes of its
 * terms, that of a product the product of its sizes, and that of any other node its absolute
 * value. */
typedef struct Probe {
    const Model *model;
    Random random;
    size_t attempts, n_nodes, n_symbols;
    double *symbols; /* n_symbols: those of the pool, which may have more than the model */
    Expr *nodes;
    double *values, *sizes; /* by node id - 1 */
    Arena arena;
} Probe;

static bool is_corner(ExprOp op)
{
    return op == EXPR_ABS || op == EXPR_SIGN || op == EXPR_MIN || op == EXPR_MAX ||
           (op >= EXPR_LT && op <= EXPR_IF);
}

static bool has_corner(const ExprPool *pool, const Expr *e, size_t n)
{
    const uint32_t size = expr_pool_size(pool);
    bool *reached = alloc_array((size_t)size + 1, sizeof *reached), found = !reached;

    for (size_t i = 0; i < n && reached; i++)
        reached[e[i].id] = true;
    for (uint32_t id = size; id > 0 && !found; id--) {
        if (!reached[id])
            continue;
        ExprNode node = expr_node(pool, (Expr){id});
        found = is_corner(node.op);
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
    }
    free(reached);
    return found;
}

/* Sets up a probe. False if no verdict is possible. */
static bool identity_begin(Probe *p, const Model *model, const Expr *e, size_t n)
{
    *p = (Probe){.model = model, .n_nodes = expr_pool_size(model->pool)};
    /* refuse pools that have failed or are too big, and expressions with corners */
    for (size_t i = 0; i < n; i++)
        if (expr_is_none(e[i]))
            return false;
    if (p->n_nodes * (model->r + 1) > 2 * (size_t)MAX_NODES || has_corner(model->pool, e, n))
        return false;
    p->n_symbols = model->sym.first_free;
    for (size_t k = 0; k < p->n_nodes; k++) {
        const ExprNode node = expr_node(model->pool, (Expr){(uint32_t)k + 1});
        if (node.op == EXPR_SYMBOL && node.symbol >= p->n_symbols)
            p->n_symbols = (size_t)node.symbol + 1;
    }
    p->symbols = arena_doubles(&p->arena, p->n_symbols);
    p->nodes = ARENA_NEW(&p->arena, p->n_nodes, Expr);
    p->values = arena_doubles(&p->arena, p->n_nodes);
    p->sizes = arena_doubles(&p->arena, p->n_nodes);
    if (arena_failed(&p->arena))
        return false;
    for (size_t k = 0; k < p->n_nodes; k++)
        p->nodes[k] = (Expr){(uint32_t)k + 1};
    random_init(&p->random, SEED);
    return true;
}

/* Draws a number. At every other state all numbers are positive, for logarithms and roots. */
static double identity_draw(Probe *p)
{
    return random_uniform(&p->random, p->attempts % 2 ? 0.1 : -2.0, 2.0);
}

static void identity_draw_state(Probe *p)
{
    const Model *m = p->model;
    const size_t first_param = 1 + 3 * m->n;

    for (size_t s = 0; s < p->n_symbols; s++)
        p->symbols[s] = identity_draw(p);
    for (size_t i = 0; i < m->n_params; i++)
        if (m->param_values[i] != 0) /* keep the sign: masses stay masses */
            p->symbols[first_param + i] = m->param_values[i] * random_uniform(&p->random, 0.5, 1.5);
}

static double node_size(const Probe *p, size_t k)
{
    const ExprNode node = expr_node(p->model->pool, p->nodes[k]);
    double size = fabs(p->values[k]);

    if (node.op == EXPR_SUM) {
        size = fabs(node.value);
        for (uint32_t i = 0; i < node.n; i++)
            size += fabs(node.coefs[i]) * p->sizes[node.args[i].id - 1];
    } else if (node.op == EXPR_PRODUCT) {
        size = 1;
        for (uint32_t i = 0; i < node.n; i++) {
            size_t arg = node.args[i].id - 1;
            size *= pow(node.coefs[i] > 0 ? p->sizes[arg] : fabs(p->values[arg]), node.coefs[i]);
        }
    }
    return size;
}

/* Values and sizes at p->symbols; false if one of the expressions is not finite. */
static bool identity_evaluate(Probe *p, const Expr *e, size_t n)
{
    if (expr_eval(p->model->pool, p->nodes, p->n_nodes, p->symbols, p->values, NULL) != OK)
        return false;
    for (size_t k = 0; k < p->n_nodes; k++)
        p->sizes[k] = node_size(p, k);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(p->values[e[i].id - 1]) || !isfinite(p->sizes[e[i].id - 1]))
            return false;
    return true;
}

/* Goes to the next random state at which the expressions are finite. */
static bool identity_next_state(Probe *p, const Expr *e, size_t n)
{
    while (p->attempts < ATTEMPTS) {
        identity_draw_state(p);
        p->attempts++;
        if (identity_evaluate(p, e, n))
            return true;
    }
    return false;
}

/* Whether a sum of terms is proved not to be zero at the current state. */
static bool identity_refuted(const Probe *p, const ExprPool *pool, const Expr *terms, size_t n)
{
    const ExactProblem problem = {.pool = pool,
                                  .terms = terms,
                                  .n_terms = n,
                                  .symbols = p->symbols,
                                  .n_symbols = p->n_symbols};
    ExactResult result;

    if (exact_identity(&problem, &result, NULL) != OK || result.answer != EXACT_NONZERO)
        return false;
    return exact_difference(&problem, &result, NULL) == OK && result.answer == EXACT_NONZERO;
}

bool identity_zero(const Model *model, const Expr *e, size_t n)
{
    Probe p;
    bool zero = identity_begin(&p, model, e, n);

    for (int state = 0; state < STATES && zero; state++) {
        zero = identity_next_state(&p, e, n);
        for (size_t i = 0; i < n && zero; i++)
            zero = fabs(p.values[e[i].id - 1]) <= ACCURACY_COMPUTED * p.sizes[e[i].id - 1];
    }
    for (size_t i = 0; i < n && zero; i++)
        zero = !identity_refuted(&p, model->pool, &e[i], 1);
    arena_done(&p.arena);
    return zero;
}

static bool same_after_redraw(Probe *p, const Expr *e, size_t n, uint32_t first, size_t count,
                              double *values, double *sizes)
{
    for (size_t i = 0; i < n; i++) {
        values[i] = p->values[e[i].id - 1];
        sizes[i] = p->sizes[e[i].id - 1];
    }
    for (size_t s = first; s < first + count; s++)
        p->symbols[s] = identity_draw(p);
    if (!identity_evaluate(p, e, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(p->values[e[i].id - 1] - values[i]) <=
              ACCURACY_COMPUTED * (p->sizes[e[i].id - 1] + sizes[i])))
            return false;
    return true;
}

/* Whether one of the derivatives is proved not to be zero at the current state. */
static bool moves(Probe *p, const Expr *e, size_t n, uint32_t first, size_t count)
{
    ExprPool *pool = expr_pool_clone(p->model->pool);
    Expr *symbols = ARENA_NEW(&p->arena, 2 * count, Expr), *slopes = symbols + count;
    bool found = false;

    for (size_t k = 0; pool && symbols && k < count; k++)
        symbols[k] = expr_symbol(pool, first + (uint32_t)k);
    for (size_t i = 0; pool && symbols && i < n && !found; i++) {
        expr_gradient(pool, e[i], symbols, count, slopes);
        for (size_t k = 0; k < count && !found; k++)
            found = identity_refuted(p, pool, &slopes[k], 1);
    }
    expr_pool_free(pool);
    return found;
}

bool identity_constant(const Model *model, const Expr *e, size_t n, uint32_t first, size_t count)
{
    Probe p;
    bool constant = identity_begin(&p, model, e, n);
    double *values = arena_doubles(&p.arena, n), *sizes = arena_doubles(&p.arena, n);

    constant = constant && !arena_failed(&p.arena);
    for (int state = 0; state < STATES && constant; state++)
        constant = identity_next_state(&p, e, n) &&
                   same_after_redraw(&p, e, n, first, count, values, sizes);
    constant = constant && !moves(&p, e, n, first, count);
    arena_done(&p.arena);
    return constant;
}

/* A v at the current state, and the size of its terms. */
static double along_velocity(const Probe *p, const Expr *A, double *ret_size)
{
    const Model *m = p->model;
    double sum = 0, size = 0;

    for (size_t i = 0; i < m->n; i++) {
        double v = p->symbols[1 + m->n + i];
        sum += p->values[A[i].id - 1] * v;
        size += p->sizes[A[i].id - 1] * fabs(v);
    }
    *ret_size = size;
    return sum;
}

/* Whether A v = degree * phi is disproved at the current state. */
static bool not_homogeneous(Probe *p, Expr phi, const Expr *A, double degree)
{
    const Model *m = p->model;
    ExprPool *pool = expr_pool_clone(m->pool);
    Expr *terms = ARENA_NEW(&p->arena, m->n + 1, Expr);
    bool found = false;

    if (pool && terms) {
        for (size_t i = 0; i < m->n; i++)
            terms[i] = expr_mul(pool, A[i], m->sym.v[i]);
        terms[m->n] = expr_scale(pool, -degree, phi);
        found = identity_refuted(p, pool, terms, m->n + 1);
    }
    expr_pool_free(pool);
    return found;
}

bool identity_homogeneous(const Model *model, Expr phi, const Expr *A)
{
    Probe p;
    bool holds = identity_begin(&p, model, A, model->n);
    double degree = 0;

    holds = holds && !has_corner(model->pool, &phi, 1);
    for (int state = 0; state < STATES && holds; state++) {
        double size;
        holds = identity_next_state(&p, A, model->n) && isfinite(p.values[phi.id - 1]);
        if (!holds)
            break;
        double left = along_velocity(&p, A, &size), right = p.values[phi.id - 1];
        /* the degree is read off the first state and has to be the same at all others */
        if (degree == 0)
            degree = round(left / right);
        holds = degree >= 1 && fabs(left - degree * right) <=
                                   ACCURACY_COMPUTED * (size + degree * p.sizes[phi.id - 1]);
    }
    holds = holds && !not_homogeneous(&p, phi, A, degree);
    arena_done(&p.arena);
    return holds;
}
