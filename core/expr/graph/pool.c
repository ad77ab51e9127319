/* Hash consing: an existing node is found by the hash of its structure and not made again (Ershov
 * 1958; Filliatre and Conchon, ML Workshop 2006). Terms are sorted by merging. */
#include "core/expr/graph/pool.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/stop_token.h"

enum {
    DEFAULT_MAX_NODES = 400000,
    DEFAULT_MAX_DEPTH = 1000,
    /* Bounds the total length of flat sums and products, which are copied when they grow. */
    MAX_OPERANDS_PER_NODE = 8,
    FIRST_TABLE = 256,
    TOLD_AT_ONCE = 1 << 12, /* work */
};

ExprPool *expr_pool_new(ExprLimits limits)
{
    ExprPool *pool = alloc_array(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->limits.max_nodes = limits.max_nodes ? limits.max_nodes : DEFAULT_MAX_NODES;
    pool->limits.max_depth = limits.max_depth ? limits.max_depth : DEFAULT_MAX_DEPTH;
    pool->table_size = FIRST_TABLE;
    pool->table = alloc_array(pool->table_size, sizeof *pool->table);
    if (!pool->table) {
        expr_pool_free(pool);
        return NULL;
    }
    return pool;
}

void *pool_copy(const void *from, size_t n, size_t size, bool *failed)
{
    if (n == 0)
        return NULL;
    void *to = malloc(n * size);
    if (to)
        memcpy(to, from, n * size);
    else
        *failed = true;
    return to;
}

ExprPool *expr_pool_clone(const ExprPool *pool)
{
    ExprPool *clone = alloc_array(1, sizeof *clone);
    bool failed = false;

    if (!clone)
        return NULL;
    /* copies of all arrays except the stack of terms */
    *clone = *pool;
    clone->nodes = pool_copy(pool->nodes, pool->n_nodes, sizeof *pool->nodes, &failed);
    clone->nodes_capacity = pool->n_nodes;
    clone->args = pool_copy(pool->args, pool->n_args, sizeof *pool->args, &failed);
    clone->args_capacity = pool->n_args;
    clone->coefs = pool_copy(pool->coefs, pool->n_args, sizeof *pool->coefs, &failed);
    clone->coefs_capacity = pool->n_args;
    clone->table = pool_copy(pool->table, pool->table_size, sizeof *pool->table, &failed);
    clone->terms = NULL;
    clone->n_terms = clone->terms_capacity = 0;
    failed |= !reals_copy(&clone->reals, &pool->reals);
    if (failed) {
        expr_pool_free(clone);
        return NULL;
    }
    return clone;
}

bool expr_pool_rounded(const ExprPool *pool)
{
    return pool->rounded;
}

void expr_pool_free(ExprPool *pool)
{
    if (!pool)
        return;
    free(pool->nodes);
    free(pool->args);
    free(pool->coefs);
    free(pool->table);
    free(pool->terms);
    reals_done(&pool->reals);
    free(pool);
}

void expr_pool_no_memory(ExprPool *pool)
{
    pool_fail(pool, ERR_NO_MEMORY, "out of memory");
}

Status expr_pool_status(const ExprPool *pool, Error *err)
{
    return pool->status == OK ? OK : error_set(err, pool->status, "%s", pool->message);
}

uint32_t expr_pool_size(const ExprPool *pool)
{
    return (uint32_t)pool->n_nodes;
}

uint64_t expr_pool_work(const ExprPool *pool)
{
    return pool->work;
}

ExprNode expr_node(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    ExprNode view = {
        .op = (ExprOp)node->op,
        .n = node->n,
        .args = node->n ? pool->args + node->first : NULL,
        .value = node->value,
        .symbol = node->symbol,
    };
    if (view.op == EXPR_SUM || view.op == EXPR_PRODUCT)
        view.coefs = pool->coefs + node->first;
    return view;
}

Expr pool_fail(ExprPool *pool, Status status, const char *format, ...)
{
    va_list args;

    if (pool->status != OK)
        return EXPR_NONE;
    pool->status = status;
    va_start(args, format);
    vsnprintf(pool->message, sizeof pool->message, format, args);
    va_end(args);
    return EXPR_NONE;
}

bool pool_recover(ExprPool *pool)
{
    if (pool->status != ERR_INVALID)
        return false;
    pool->status = OK;
    return true;
}

/* Mixes a word in by the finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static Expr shape_arg(const Shape *shape, size_t k)
{
    return shape->terms ? shape->terms[k].e : shape->args[k];
}

static uint64_t shape_hash(ExprPool *pool, const Shape *shape)
{
    pool->work += shape->n;
    if (shape->op == EXPR_SYMBOL)
        return shape->symbol; /* sorts symbols first and by number */

    uint64_t hash = mix((uint64_t)shape->op + 1, bits_of(shape->value));
    hash = mix(hash, ((uint64_t)shape->symbol << 32) | shape->n);
    for (size_t k = 0; k < shape->n; k++) {
        hash = mix(hash, pool_node(pool, shape_arg(shape, k))->hash);
        if (shape->terms)
            hash = mix(hash, bits_of(shape->terms[k].coef));
    }
    return hash | ((uint64_t)1 << 63);
}

static bool shape_matches(const ExprPool *pool, const Shape *shape, const Node *node)
{
    if (node->op != shape->op || node->n != shape->n || node->symbol != shape->symbol ||
        bits_of(node->value) != bits_of(shape->value))
        return false;
    for (size_t k = 0; k < shape->n; k++) {
        if (pool->args[node->first + k].id != shape_arg(shape, k).id)
            return false;
        if (shape->terms && bits_of(pool->coefs[node->first + k]) != bits_of(shape->terms[k].coef))
            return false;
    }
    return true;
}

/* The hash of a symbol is its number: multiplying spreads the numbers over the table. */
static uint32_t table_key(uint64_t hash)
{
    return (uint32_t)((hash * 0x9e3779b97f4a7c15u) >> 32);
}

/* The place in the table of the node of this shape, or the empty place for it. */
static size_t table_place(ExprPool *pool, const Shape *shape, uint64_t hash)
{
    const uint32_t key = table_key(hash);
    size_t place = key & (pool->table_size - 1);

    while (pool->table[place].id != 0) {
        const Node *node = &pool->nodes[pool->table[place].id - 1];
        if (pool->table[place].key == key && node->hash == hash && shape_matches(pool, shape, node))
            break;
        place = (place + 1) & (pool->table_size - 1);
        pool->work++;
    }
    pool->work++;
    return place;
}

static bool table_grow(ExprPool *pool)
{
    size_t size = 2 * pool->table_size;
    TablePlace *table = alloc_array(size, sizeof *table);

    if (!table)
        return false;
    /* the keys are stored, so nodes need not be read */
    for (size_t i = 0; i < pool->table_size; i++) {
        size_t place = pool->table[i].key & (size - 1);
        if (pool->table[i].id == 0)
            continue;
        while (table[place].id != 0)
            place = (place + 1) & (size - 1);
        table[place] = pool->table[i];
    }
    pool->work += pool->table_size;
    free(pool->table);
    pool->table = table;
    pool->table_size = size;
    return true;
}

/* Makes room for one more node with n operands, within the limits. */
static bool pool_reserve(ExprPool *pool, size_t n)
{
    size_t max_args = (size_t)pool->limits.max_nodes * MAX_OPERANDS_PER_NODE;

    if (pool->n_nodes >= pool->limits.max_nodes) {
        pool_fail(pool, ERR_LIMIT, "the expressions need more than %u nodes",
                  pool->limits.max_nodes);
        return false;
    }
    if (n > max_args || pool->n_args + n > max_args) {
        pool_fail(pool, ERR_LIMIT, "the expressions need more than %zu operands", max_args);
        return false;
    }
    /* the table stays at most half full, so that searches are short */
    if (!grow_array(&pool->nodes, &pool->nodes_capacity, pool->n_nodes + 1, sizeof(Node)) ||
        !grow_array(&pool->args, &pool->args_capacity, pool->n_args + n, sizeof(Expr)) ||
        !grow_array(&pool->coefs, &pool->coefs_capacity, pool->n_args + n, sizeof(double)) ||
        (2 * (pool->n_nodes + 1) > pool->table_size && !table_grow(pool))) {
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
        return false;
    }
    return true;
}

static unsigned sum_flags(const ExprPool *pool, const Shape *shape)
{
    bool nonnegative = shape->value >= 0.0, differ = false;
    double size = fabs(shape->terms[0].coef);

    for (size_t k = 0; k < shape->n; k++) {
        nonnegative = nonnegative && shape->terms[k].coef > 0.0 &&
                      (pool_node(pool, shape->terms[k].e)->flags & NODE_NONNEGATIVE);
        differ = differ || fabs(shape->terms[k].coef) != size;
    }
    differ = differ || (shape->value != 0.0 && fabs(shape->value) != size);
    bool primitive = shape->terms[0].coef > 0.0 && (size == 1.0 || differ);
    return (nonnegative ? NODE_NONNEGATIVE : 0u) | (primitive ? NODE_PRIMITIVE : 0u);
}

static unsigned product_flags(const ExprPool *pool, const Shape *shape)
{
    unsigned flags = NODE_NONNEGATIVE;
    for (size_t k = 0; k < shape->n; k++) {
        const Node *factor = pool_node(pool, shape->terms[k].e);
        double exponent = shape->terms[k].coef;
        if (!(factor->flags & NODE_NONNEGATIVE) && fmod(exponent, 2.0) != 0.0)
            flags &= ~(unsigned)NODE_NONNEGATIVE;
        if (exponent >= 2.0 && factor->op == EXPR_SIN)
            flags |= NODE_SIN_SQUARED;
        if (exponent >= 2.0 && factor->op == EXPR_COS)
            flags |= NODE_COS_SQUARED;
    }
    return flags;
}

static unsigned shape_flags(const ExprPool *pool, const Shape *shape)
{
    ExprOp op = shape->op;

    if (op == EXPR_PRODUCT)
        return product_flags(pool, shape);
    if (op == EXPR_SUM)
        return sum_flags(pool, shape);
    if (op == EXPR_CONST)
        return shape->value >= 0.0 ? NODE_NONNEGATIVE : 0;
    if (op == EXPR_ABS || op == EXPR_SQRT || op == EXPR_EXP || op == EXPR_COSH ||
        op == EXPR_HYPOT || op == EXPR_ACOS || op == EXPR_ACOSH)
        return NODE_NONNEGATIVE;
    return 0;
}

static void use_numbers(ExprPool *pool, const Shape *shape)
{
    real_use(pool, shape->value);
    for (size_t k = 0; shape->terms && k < shape->n; k++)
        real_use(pool, shape->terms[k].coef);
}

/* Adds a node; `place` is the empty place of the table for it. */
static Expr pool_add(ExprPool *pool, const Shape *shape, uint64_t hash, size_t place)
{
    uint32_t depth = 0;
    for (size_t k = 0; k < shape->n; k++) {
        uint32_t below = pool_node(pool, shape_arg(shape, k))->depth + 1;
        depth = below > depth ? below : depth;
    }
    if (depth > pool->limits.max_depth)
        return pool_fail(pool, ERR_LIMIT, "the expressions are nested deeper than %u",
                         pool->limits.max_depth);
    /* make room; a table that has grown has another place */
    size_t table_size = pool->table_size;
    if (!pool_reserve(pool, shape->n))
        return EXPR_NONE;
    if (pool->table_size != table_size)
        place = table_place(pool, shape, hash);

    pool->work += shape->n;
    for (size_t k = 0; k < shape->n; k++) {
        pool->args[pool->n_args + k] = shape_arg(shape, k);
        pool->coefs[pool->n_args + k] = shape->terms ? shape->terms[k].coef : 0.0;
    }
    pool->nodes[pool->n_nodes] = (Node){
        .hash = hash,
        .value = shape->value,
        .first = (uint32_t)pool->n_args,
        .n = shape->n,
        .symbol = shape->symbol,
        .depth = depth,
        .op = (uint8_t)shape->op,
        .flags = (uint8_t)shape_flags(pool, shape),
    };
    if (shape->op == EXPR_CONST || shape->op == EXPR_SUM)
        use_numbers(pool, shape);
    pool->n_args += shape->n;
    pool->n_nodes++;
    pool->table[place] = (TablePlace){table_key(hash), (uint32_t)pool->n_nodes};
    return (Expr){(uint32_t)pool->n_nodes};
}

/* Reports the work to the stop token of the thread. A stop makes the pool fail, like a limit. */
static bool pool_may_go_on(ExprPool *pool)
{
    Error err = {0};
    const uint64_t work = pool->work - pool->told;

    pool->told = pool->work;
    const Status status = stop_token_spend(work, &err);
    if (status != OK)
        pool_fail(pool, status, "%s", err.message);
    return status == OK;
}

Expr pool_intern(ExprPool *pool, const Shape *shape)
{
    if (pool->status != OK || (pool->work - pool->told >= TOLD_AT_ONCE && !pool_may_go_on(pool)))
        return EXPR_NONE;
    uint64_t hash = shape_hash(pool, shape);
    size_t place = table_place(pool, shape, hash);
    uint32_t id = pool->table[place].id;
    return id ? (Expr){id} : pool_add(pool, shape, hash, place);
}

Expr pool_find(ExprPool *pool, const Shape *shape)
{
    return (Expr){pool->table[table_place(pool, shape, shape_hash(pool, shape))].id};
}

bool pool_push_term(ExprPool *pool, Expr e, double coef)
{
    if (!grow_array(&pool->terms, &pool->terms_capacity, pool->n_terms + 1, sizeof(Term))) {
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
        return false;
    }
    pool->terms[pool->n_terms++] = (Term){e, (uint32_t)(pool_node(pool, e)->hash >> 32), coef};
    pool->work++;
    return true;
}

/* The canonical order of terms. */
static bool term_before(const ExprPool *pool, const Term *a, const Term *b)
{
    return a->key != b->key ? a->key < b->key : pool_before(pool, a->e, b->e);
}

static void insertion_sort(ExprPool *pool, Term *terms, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        Term term = terms[i];
        size_t k = i;
        for (; k > 0 && term_before(pool, &term, &terms[k - 1]); k--)
            terms[k] = terms[k - 1];
        terms[k] = term;
        pool->work += i - k + 1;
    }
}

/* Merges the sorted runs from[0..middle) and from[middle..n). */
static void merge(ExprPool *pool, const Term *from, size_t middle, size_t n, Term *to)
{
    size_t left = 0, right = middle;

    pool->work += n;
    for (size_t i = 0; i < n; i++) {
        bool take_right =
            right < n && (left == middle || term_before(pool, &from[right], &from[left]));
        to[i] = take_right ? from[right++] : from[left++];
    }
}

enum { SHORT_RUN = 16 };

/* Stable, so that equal operands keep the order in which their coefficients are added. */
void pool_sort_terms(ExprPool *pool, size_t base)
{
    size_t n = pool->n_terms - base;

    for (size_t i = 0; i < n; i += SHORT_RUN)
        insertion_sort(pool, pool->terms + base + i, n - i < SHORT_RUN ? n - i : SHORT_RUN);
    if (n <= SHORT_RUN)
        return;
    if (!grow_array(&pool->terms, &pool->terms_capacity, pool->n_terms + n, sizeof(Term))) {
        pool_fail(pool, ERR_NO_MEMORY, "out of memory");
        return;
    }
    /* merge runs to twice the length, alternately between the stack and the room above it */
    Term *from = pool->terms + base, *to = pool->terms + pool->n_terms;
    for (size_t run = SHORT_RUN; run < n; run *= 2) {
        for (size_t i = 0; i < n; i += 2 * run) {
            size_t left = n - i < run ? n - i : run;
            size_t both = n - i < 2 * run ? n - i : 2 * run;
            merge(pool, from + i, left, both, to + i);
        }
        Term *swap = from;
        from = to;
        to = swap;
    }
    if (from != pool->terms + base)
        memcpy(pool->terms + base, from, n * sizeof(Term));
}

size_t pool_find_term(ExprPool *pool, size_t base, size_t end, Expr e)
{
    size_t low = base, high = end;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        pool->work++;
        if (pool_before(pool, pool->terms[middle].e, e))
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && expr_same(pool->terms[low].e, e) ? low : end;
}
