/* Properties of A and M that hold at all states, from their expressions. */
#include "core/model/build.h"

#include <math.h>
#include <stdlib.h>

/* Largest side of matrices that are multiplied or eliminated symbolically. */
enum { PAPER_MOST = 16 };

/* Properties of each node of the pool, by its id. */
typedef struct Nodes {
    ExprPool *pool;
    uint32_t end_of_state; /* symbols before it are t, q, v and their derivatives */
    uint32_t n, room;      /* nodes examined so far; capacity */
    bool *moves;           /* a function of the state or of time, not of parameters alone */
    bool *entire;          /* an entire function of the state: of sums, products, sines and
                              cosines */
    bool failed;           /* no memory */
} Nodes;

static bool is_entire(const Nodes *s, const ExprNode *node)
{
    const bool made_smoothly = node->op == EXPR_SYMBOL || node->op == EXPR_SUM ||
                               node->op == EXPR_PRODUCT || node->op == EXPR_SIN ||
                               node->op == EXPR_COS;
    bool entire = made_smoothly;

    for (uint32_t k = 0; k < node->n && entire; k++) {
        const bool power = node->op == EXPR_PRODUCT &&
                           !(node->coefs[k] > 0 && node->coefs[k] == floor(node->coefs[k]));
        /* a function of parameters alone is a constant along a motion */
        entire = !s->moves[node->args[k].id] || (s->entire[node->args[k].id] && !power);
    }
    return entire;
}

/* Examines the node of this id; its operands have been examined. */
static void find_out_one(Nodes *s, uint32_t id)
{
    const ExprNode node = expr_node(s->pool, (Expr){id});

    s->moves[id] = node.op == EXPR_SYMBOL && node.symbol < s->end_of_state;
    for (uint32_t k = 0; k < node.n; k++)
        s->moves[id] = s->moves[id] || s->moves[node.args[k].id];
    s->entire[id] = !s->moves[id] || is_entire(s, &node);
}

static bool grow(bool **flags, size_t n)
{
    bool *grown = realloc(*flags, n * sizeof *grown);

    if (grown)
        *flags = grown;
    return grown != NULL;
}

/* Examines the nodes added to the pool since the last call. */
static void find_out(Nodes *s)
{
    const uint32_t n = expr_pool_size(s->pool);

    if (n >= s->room) {
        s->room = 2 * n + 1;
        s->failed = s->failed || !grow(&s->moves, s->room) || !grow(&s->entire, s->room);
    }
    while (!s->failed && s->n < n)
        find_out_one(s, ++s->n);
}

/* Whether e is constant along a motion. False for EXPR_NONE, an expression that has overflowed. */
static bool is_fixed(Nodes *s, Expr e)
{
    find_out(s);
    return !s->failed && !expr_is_none(e) && !s->moves[e.id];
}

static bool are_entire(const Nodes *s, const Expr *e, size_t n)
{
    bool entire = true;

    for (size_t k = 0; k < n; k++)
        entire = entire && s->entire[e[k].id];
    return entire;
}

static Expr product_of_rows(ExprPool *pool, const Expr *a, const Expr *b, size_t n)
{
    Expr sum = expr_const(pool, 0);

    for (size_t i = 0; i < n; i++)
        sum = expr_add(pool, sum, expr_mul(pool, a[i], b[i]));
    return sum;
}

/* Whether rows keep their lengths and angles while they turn, as (sin(q), cos(q)) does. */
static bool rows_only_turn(Nodes *s, const Model *m)
{
    const size_t n = m->n, r = m->r;
    bool turn = n <= PAPER_MOST && r <= PAPER_MOST && are_entire(s, m->A, r * n);

    for (size_t k = 0; k < r; k++)
        for (size_t l = 0; l <= k && turn; l++)
            turn = is_fixed(s, product_of_rows(s->pool, m->A + k * n, m->A + l * n, n));
    return turn;
}

/* A set of coordinates that M couples directly or through others. */
typedef struct Coupled {
    size_t n;
    size_t *of; /* n of them, ascending */
} Coupled;

static int ascending(const void *a, const void *b)
{
    const size_t *i = a, *j = b;
    return (*i > *j) - (*i < *j);
}

/* The coordinates coupled with `first`, and `first` itself; marks them in `taken`. */
static void find_coupled(const Model *m, size_t first, bool *taken, Coupled *ret)
{
    const size_t n = m->n;

    ret->of[0] = first;
    ret->n = 1;
    taken[first] = true;
    for (size_t k = 0; k < ret->n; k++)
        for (size_t j = 0; j < n; j++)
            if (!taken[j] && !expr_is_zero(m->pool, m->M[ret->of[k] * n + j])) {
                taken[j] = true;
                ret->of[ret->n++] = j;
            }
    qsort(ret->of, ret->n, sizeof *ret->of, ascending);
}

static void eliminate(ExprPool *pool, Expr *left, size_t n, size_t k)
{
    for (size_t i = k + 1; i < n; i++) {
        if (expr_is_zero(pool, left[i * n + k]))
            continue;
        const Expr factor = expr_div(pool, left[i * n + k], left[k * n + k]);
        for (size_t j = k + 1; j < n; j++)
            left[i * n + j] =
                expr_sub(pool, left[i * n + j], expr_mul(pool, factor, left[k * n + j]));
    }
}

static bool entries_stay(const Nodes *s, const Model *m, const Coupled *c)
{
    bool stay = true;

    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->n; j++)
            stay = stay && !s->moves[m->M[c->of[i] * m->n + c->of[j]].id];
    return stay;
}

/* Whether the pivots of this part of M, in the order of the coordinates, are constant along every
 * motion. */
static bool pivots_stay(Nodes *s, const Model *m, const Coupled *c)
{
    const size_t n = c->n;
    Expr left[PAPER_MOST * PAPER_MOST];

    if (entries_stay(s, m, c))
        return true;
    if (n > PAPER_MOST)
        return false;
    /* eliminate a copy symbolically; every pivot must be constant */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            left[i * n + j] = m->M[c->of[i] * m->n + c->of[j]];
    bool stay = are_entire(s, left, n * n);
    for (size_t k = 0; k < n && stay; k++) {
        stay = !expr_is_zero(s->pool, left[k * n + k]) && is_fixed(s, left[k * n + k]);
        if (stay)
            eliminate(s->pool, left, n, k);
    }
    return stay;
}

/* Lists in ascending order the coordinates of all parts of M whose pivots change. */
static void find_changing(Nodes *s, Model *m, size_t *ret, Arena *arena)
{
    bool *taken = ARENA_NEW(arena, m->n, bool), *changes = ARENA_NEW(arena, m->n, bool);
    Coupled coupled = {.of = ARENA_NEW(arena, m->n, size_t)};

    if (arena_failed(arena)) {
        s->failed = true;
        return;
    }
    /* pivots of one coupled part stay or change together */
    for (size_t i = 0; i < m->n; i++) {
        if (taken[i])
            continue;
        find_coupled(m, i, taken, &coupled);
        const bool stay = pivots_stay(s, m, &coupled);
        for (size_t k = 0; k < coupled.n; k++)
            changes[coupled.of[k]] = !stay;
    }
    m->fixed.n_changing = 0;
    for (size_t i = 0; i < m->n; i++)
        if (changes[i])
            ret[m->fixed.n_changing++] = i;
    m->fixed.changing = ret;
}

void build_fixed(Builder *b)
{
    Model *m = b->model;
    bool *A_fixed = builder_alloc(b, m->r * m->n, sizeof *A_fixed);
    size_t *changing = builder_alloc(b, m->n, sizeof *changing);
    Arena scratch = {0};
    /* work on a clone, so that the model's own nodes keep their order */
    Nodes nodes = {.pool = expr_pool_clone(b->pool),
                   .end_of_state = builder_symbol(b, m->sym.t) + 1 + 3 * (uint32_t)m->n};

    nodes.failed = !nodes.pool || !A_fixed || !changing;
    if (!nodes.failed)
        find_out(&nodes);
    if (!nodes.failed) {
        for (size_t k = 0; k < m->r * m->n; k++)
            A_fixed[k] = !nodes.moves[m->A[k].id];
        m->fixed.A_turns = rows_only_turn(&nodes, m);
        find_changing(&nodes, m, changing, &scratch);
    }
    m->fixed.A = A_fixed;
    b->no_memory = b->no_memory || nodes.failed ||
                   (nodes.pool && expr_pool_status(nodes.pool, NULL) == ERR_NO_MEMORY);
    arena_done(&scratch);
    free(nodes.moves);
    free(nodes.entire);
    expr_pool_free(nodes.pool);
}
