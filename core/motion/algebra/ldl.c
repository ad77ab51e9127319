#include "core/motion/algebra/ldl.h"

#include <stdlib.h>

#include "core/base/memory.h"

void ldl_free(Ldl *ldl)
{
    if (!ldl)
        return;
    free(ldl->order);
    free(ldl->l);
    free(ldl->d);
    free(ldl->ratio);
    free(ldl);
}

/* The remaining row with the fewest structural non-zeros, constant pivots first: little fill-in,
 * and constants fold. */
static size_t next_row(const ExprPool *pool, size_t n, const Expr *work, const bool *done)
{
    size_t best = n, best_cost = 0;

    for (size_t i = 0; i < n; i++) {
        if (done[i])
            continue;
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

/* Eliminates row p as the k-th: stores its column of L and updates what remains of `work`. */
static void eliminate_row(ExprPool *pool, Ldl *ldl, Expr *work, bool *done, size_t k, size_t p)
{
    const size_t n = ldl->n;

    ldl->order[k] = p;
    ldl->d[k] = expr_div(pool, expr_const(pool, 1), work[p * n + p]);
    done[p] = true;
    for (size_t i = 0; i < n; i++) {
        Expr a = work[i * n + p];
        if (done[i] || expr_is_zero(pool, a))
            continue;
        Expr factor = expr_mul(pool, a, ldl->d[k]);
        ldl->l[i * n + k] = factor;
        for (size_t j = 0; j <= i; j++) {
            if (done[j] || expr_is_zero(pool, work[j * n + p]))
                continue;
            Expr update = expr_mul(pool, factor, work[j * n + p]);
            work[i * n + j] = expr_sub(pool, work[i * n + j], update);
            work[j * n + i] = work[i * n + j];
        }
    }
}

Ldl *ldl_new(ExprPool *pool, size_t n, const Expr *matrix)
{
    Ldl *ldl = alloc_array(1, sizeof *ldl);
    Expr *work = alloc_array(n * n, sizeof *work);
    bool *done = alloc_array(n, sizeof *done);

    if (ldl) {
        ldl->n = n;
        ldl->order = alloc_array(n, sizeof *ldl->order);
        ldl->l = alloc_array(n * n, sizeof *ldl->l);
        ldl->d = alloc_array(n, sizeof *ldl->d);
        ldl->ratio = alloc_array(n, sizeof *ldl->ratio);
    }
    if (!ldl || !work || !done || !ldl->order || !ldl->l || !ldl->d || !ldl->ratio) {
        ldl_free(ldl);
        ldl = NULL;
        goto out;
    }
    Expr zero = expr_const(pool, 0);
    for (size_t i = 0; i < n * n; i++) {
        work[i] = matrix[i];
        ldl->l[i] = zero;
    }
    for (size_t k = 0; k < n; k++) {
        size_t p = next_row(pool, n, work, done);
        ldl->ratio[k] = expr_div(pool, work[p * n + p], matrix[p * n + p]);
        eliminate_row(pool, ldl, work, done, k, p);
    }
out:
    free(work);
    free(done);
    return ldl;
}

bool ldl_solve(ExprPool *pool, const Ldl *ldl, const Expr *b, Expr *ret_x)
{
    const size_t n = ldl->n;
    Expr *y = alloc_array(n, sizeof *y);

    if (!y)
        return false;
    /* L y = b; row order[k] of L holds the factors of the k-th elimination step */
    for (size_t k = 0; k < n; k++) {
        const Expr *row = ldl->l + ldl->order[k] * n;
        y[k] = expr_sub(pool, b[ldl->order[k]], expr_dot(pool, k, row, y));
    }
    for (size_t k = 0; k < n; k++)
        y[k] = expr_mul(pool, y[k], ldl->d[k]);
    /* L^T x = y, from the last eliminated back */
    for (size_t k = n; k-- > 0;)
        for (size_t i = k + 1; i < n; i++) {
            Expr factor = ldl->l[ldl->order[i] * n + k];
            if (!expr_is_zero(pool, factor))
                y[k] = expr_sub(pool, y[k], expr_mul(pool, factor, y[i]));
        }
    for (size_t k = 0; k < n; k++)
        ret_x[ldl->order[k]] = y[k];
    free(y);
    return true;
}
