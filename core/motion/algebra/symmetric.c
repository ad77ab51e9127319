/* L D L^T on the graph: Gaussian elimination of a symmetric matrix, the sparsest row first
 * (H. M. Markowitz, 1957, on the diagonal). */
#include "core/motion/algebra/symmetric.h"

/* The remaining row with the fewest structural nonzeros, constant pivots first. */
static size_t next_row(const ExprPool *pool, size_t n, const Expr *work, const bool *done)
{
    size_t best = n, best_cost = 0;

    for (size_t i = 0; i < n; i++) {
        if (done[i])
            continue;
        /* count the nonzero entries twice, and a pivot that is not constant once */
        size_t cost = 0;
        for (size_t j = 0; j < n; j++)
            if (!done[j] && j != i && !expr_is_zero(pool, work[i * n + j]))
                cost += 2;
        if (!expr_is_const(pool, work[i * n + i], NULL))
            cost++;
        if (best == n || cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

/* Eliminates row p as the k-th: stores its column of L and updates the rest of `work`. */
static void eliminate_row(Symmetric *s, Expr *work, bool *done, size_t k, size_t p)
{
    const size_t n = s->n;
    ExprPool *pool = s->pool;

    s->order[k] = p;
    s->d[k] = expr_div(pool, expr_const(pool, 1), work[p * n + p]);
    done[p] = true;
    for (size_t i = 0; i < n; i++) {
        Expr a = work[i * n + p];
        if (done[i] || expr_is_zero(pool, a))
            continue;
        Expr factor = expr_mul(pool, a, s->d[k]);
        s->l[i * n + k] = factor;
        /* the lower triangle is updated, and mirrored */
        for (size_t j = 0; j <= i; j++) {
            if (done[j] || expr_is_zero(pool, work[j * n + p]))
                continue;
            Expr update = expr_mul(pool, factor, work[j * n + p]);
            work[i * n + j] = expr_sub(pool, work[i * n + j], update);
            work[j * n + i] = work[i * n + j];
        }
    }
}

static void unroll(Symmetric *s, const Expr *matrix, Expr *work, bool *done)
{
    const size_t n = s->n;
    const Expr zero = expr_const(s->pool, 0);

    for (size_t i = 0; i < n * n; i++) {
        work[i] = matrix[i];
        s->l[i] = zero;
    }
    for (size_t k = 0; k < n; k++) {
        const size_t p = next_row(s->pool, n, work, done);
        s->ratio[k] = expr_div(s->pool, work[p * n + p], matrix[p * n + p]);
        eliminate_row(s, work, done, k, p);
    }
}

void symmetric_init(Symmetric *s, ExprPool *pool, size_t n, const Expr *matrix, bool pivoted,
                    Arena *arena)
{
    *s = (Symmetric){.pool = pool, .pivoted = pivoted};
    s->ratio = ARENA_NEW(arena, n, Expr);
    s->order = arena_sizes(arena, n);
    s->l = ARENA_NEW(arena, n * n, Expr);
    s->d = ARENA_NEW(arena, n, Expr);
    s->y = ARENA_NEW(arena, n, Expr);
    Expr *work = ARENA_NEW(arena, n * n, Expr);
    bool *done = ARENA_NEW(arena, n, bool);
    if (arena_failed(arena) || n == 0)
        return;

    s->n = n;
    /* factor at run time, or unroll the elimination */
    if (pivoted)
        s->factor = expr_factor_saddle(pool, n, 0, matrix);
    else
        unroll(s, matrix, work, done);
}

void symmetric_solve(const Symmetric *s, const Expr *b, Expr *ret_x)
{
    const size_t n = s->n;
    ExprPool *pool = s->pool;
    Expr *y = s->y;

    if (s->pivoted && n) {
        expr_solve(pool, s->factor, n, b, ret_x);
        return;
    }
    /* L y = b; row order[k] of L holds the factors of the k-th elimination step */
    for (size_t k = 0; k < n; k++) {
        const Expr *row = s->l + s->order[k] * n;
        y[k] = expr_sub(pool, b[s->order[k]], expr_dot(pool, k, row, y));
    }
    /* D z = y, in place */
    for (size_t k = 0; k < n; k++)
        y[k] = expr_mul(pool, y[k], s->d[k]);
    /* L^T x = z, from the last eliminated back */
    for (size_t k = n; k-- > 0;)
        for (size_t i = k + 1; i < n; i++) {
            Expr factor = s->l[s->order[i] * n + k];
            if (!expr_is_zero(pool, factor))
                y[k] = expr_sub(pool, y[k], expr_mul(pool, factor, y[i]));
        }
    for (size_t k = 0; k < n; k++)
        ret_x[s->order[k]] = y[k];
}

void symmetric_regularity(const Symmetric *s, Expr *list, size_t *n)
{
    if (s->pivoted && s->n)
        list[(*n)++] = expr_rcond(s->pool, s->factor);
    for (size_t i = 0; i < s->n && !s->pivoted; i++)
        list[(*n)++] = s->ratio[i];
}
