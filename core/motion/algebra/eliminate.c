/* Eliminations of the constrained equations of motion: the null space method, the Schur complement
 * (range space method) and the pivoted solution of the whole (M. Benzi, G. H. Golub, J. Liesen,
 * Numerical solution of saddle point problems, Acta Numerica 14 (2005), sections 5 and 6). */
#include "core/motion/algebra/eliminate.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/motion/algebra/symmetric.h"

const char *elimination_name(Elimination elimination)
{
    static const char *const NAMES[] = {
        [ELIMINATE_NULL_SPACE] = "null space",
        [ELIMINATE_NULL_SPACE_EXPANDED] = "null space, multiplied out",
        [ELIMINATE_SCHUR] = "Schur complement",
        [ELIMINATE_PIVOTED] = "pivoted",
    };
    return NAMES[elimination];
}

Status elimination_misfit(Elimination elimination, Error *err)
{
    return error_set(err, ERR_NOT_FOUND, "the elimination '%s' does not fit",
                     elimination_name(elimination));
}

void kkt_of_model(KktSystem *ret, ExprPool *pool, const Model *model, const size_t *rows, size_t r,
                  Arena *arena)
{
    const size_t n = model->n;
    Expr *A = ARENA_NEW(arena, r * n, Expr), *psi = ARENA_NEW(arena, r, Expr);
    Expr *b = ARENA_NEW(arena, n, Expr);

    *ret = (KktSystem){.n = n, .r = r, .M = model->M, .b = b, .A = A, .psi = psi};
    if (arena_failed(arena))
        return;
    for (size_t k = 0; k < r; k++) {
        memcpy(A + k * n, model->A + rows[k] * n, n * sizeof *A);
        psi[k] = model->constraints[rows[k]].psi;
    }
    for (size_t i = 0; i < n; i++)
        b[i] = expr_sub(pool, model->F[i], model->l[i]);
}

static bool eliminate_pivoted(ExprPool *pool, const KktSystem *s, KktSolution *ret, Arena *arena)
{
    const size_t size = s->n + s->r;
    Expr *matrix = ARENA_NEW(arena, size * size, Expr);
    Expr *rhs = ARENA_NEW(arena, size, Expr), *x = ARENA_NEW(arena, size, Expr);
    const Expr zero = expr_const(pool, 0);
    if (arena_failed(arena))
        return false;

    /* [M -A^T; A 0] and [b; -psi] */
    for (size_t i = 0; i < size * size; i++)
        matrix[i] = zero;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->n; j++)
            matrix[i * size + j] = s->M[i * s->n + j];
        for (size_t a = 0; a < s->r; a++) {
            matrix[i * size + s->n + a] = expr_neg(pool, s->A[a * s->n + i]);
            matrix[(s->n + a) * size + i] = s->A[a * s->n + i];
        }
        rhs[i] = s->b[i];
    }
    for (size_t a = 0; a < s->r; a++)
        rhs[s->n + a] = expr_neg(pool, s->psi[a]);
    Expr factor = expr_factor_saddle(pool, size, s->r, matrix);
    expr_solve(pool, factor, size, rhs, x);
    memcpy(ret->vdot, x, s->n * sizeof *x);
    memcpy(ret->lambda, x + s->n, s->r * sizeof *x);
    ret->regularity[ret->n_regularity++] = expr_rcond(pool, factor);
    return true;
}

/* lambda = (A M^-1 A^T)^-1 ( -psi - A M^-1 b ), vdot = M^-1 b + M^-1 A^T lambda. */
static bool eliminate_schur(ExprPool *pool, const KktSystem *s, KktSolution *ret, Arena *arena)
{
    const size_t n = s->n, r = s->r;
    Symmetric mass, schur;
    Expr *w = ARENA_NEW(arena, r * n, Expr); /* row a: M^-1 A_a^T */
    Expr *y = ARENA_NEW(arena, n, Expr);     /* M^-1 b */
    Expr *c = ARENA_NEW(arena, r * r, Expr), *rhs = ARENA_NEW(arena, r, Expr);

    symmetric_init(&mass, pool, n, s->M, false, arena);
    if (arena_failed(arena))
        return false;
    symmetric_solve(&mass, s->b, y);
    for (size_t a = 0; a < r; a++)
        symmetric_solve(&mass, s->A + a * n, w + a * n);
    /* A M^-1 A^T lambda = -psi - A M^-1 b */
    for (size_t a = 0; a < r; a++) {
        for (size_t e = 0; e <= a; e++)
            c[a * r + e] = c[e * r + a] = expr_dot(pool, n, s->A + a * n, w + e * n);
        Expr known = expr_add(pool, s->psi[a], expr_dot(pool, n, s->A + a * n, y));
        rhs[a] = expr_neg(pool, known);
    }
    symmetric_regularity(&mass, ret->regularity, &ret->n_regularity);
    symmetric_init(&schur, pool, r, c, false, arena);
    symmetric_solve(&schur, rhs, ret->lambda);
    symmetric_regularity(&schur, ret->regularity, &ret->n_regularity);
    for (size_t i = 0; i < n; i++) {
        ret->vdot[i] = y[i];
        for (size_t a = 0; a < r; a++)
            ret->vdot[i] =
                expr_add(pool, ret->vdot[i], expr_mul(pool, w[a * n + i], ret->lambda[a]));
    }
    return true;
}

/* Row a of A is solved for the velocity dep[a], which has a numeric coefficient there and is in no
 * other row: vdot[dep[a]] = c[a] + sum over free f of N[a][f] vdot[f]. */
typedef struct Split {
    size_t n, r, m; /* m = n - r free coordinates */
    size_t *dep;    /* r */
    size_t *free;   /* m */
    Expr *N;        /* r x m */
    Expr *c;        /* r */
    bool expand;
} Split;

static bool numeric_column(const ExprPool *pool, const KktSystem *s, size_t row, size_t column)
{
    double value;
    if (!expr_is_const(pool, s->A[row * s->n + column], &value) || value == 0)
        return false;
    for (size_t a = 0; a < s->r; a++)
        if (a != row && !expr_is_zero(pool, s->A[a * s->n + column]))
            return false;
    return true;
}

/* False if some constraint has no velocity that occurs in it alone. */
static bool split_init(ExprPool *pool, const KktSystem *s, bool expand, Split *split, Arena *arena)
{
    const size_t n = s->n, r = s->r;

    *split = (Split){.n = n, .r = r, .m = n - r, .expand = expand};
    split->dep = arena_sizes(arena, r);
    split->free = arena_sizes(arena, n - r);
    split->N = ARENA_NEW(arena, r * (n - r), Expr);
    split->c = ARENA_NEW(arena, r, Expr);
    if (arena_failed(arena))
        return false;

    for (size_t a = 0; a < r; a++) {
        size_t column = n;
        /* the last of several candidates: clients write base coordinates first */
        for (size_t j = 0; j < n; j++)
            if (numeric_column(pool, s, a, j))
                column = j;
        if (column == n)
            return false;
        split->dep[a] = column;
    }
    size_t m = 0;
    for (size_t j = 0; j < n; j++) {
        bool dependent = false;
        for (size_t a = 0; a < r; a++)
            dependent = dependent || split->dep[a] == j;
        if (!dependent)
            split->free[m++] = j;
    }
    for (size_t a = 0; a < r; a++) {
        double value = 1;
        expr_is_const(pool, s->A[a * n + split->dep[a]], &value);
        const double factor = -expr_inverse(pool, value);
        for (size_t f = 0; f < m; f++)
            split->N[a * m + f] = expr_scale(pool, factor, s->A[a * n + split->free[f]]);
        split->c[a] = expr_scale(pool, factor, s->psi[a]);
    }
    return true;
}

enum { EXPAND_MAX = 12 }; /* terms of a factor beyond which it is not multiplied out */

/* a * b, multiplied out if `expand` is set and both are short. */
static Expr multiply(ExprPool *pool, bool expand, Expr a, Expr b)
{
    return expand && expr_count_terms(pool, a) <= EXPAND_MAX &&
                   expr_count_terms(pool, b) <= EXPAND_MAX
               ? expr_multiply_out(pool, a, b)
               : expr_mul(pool, a, b);
}

/* Sum of left[dep] over the dependent rows times column f of N, plus left[free f]: left N. */
static Expr times_column(ExprPool *pool, const Split *split, const Expr *left, size_t f)
{
    Expr sum = left[split->free[f]];
    for (size_t a = 0; a < split->r; a++)
        sum = expr_add(
            pool, sum,
            multiply(pool, split->expand, left[split->dep[a]], split->N[a * split->m + f]));
    return sum;
}

/* N^T M N (m x m) and N^T ( b - M c ) (m). half: n m, load: n, work arrays. */
static void split_reduce(ExprPool *pool, const KktSystem *s, const Split *split, Expr *half,
                         Expr *load, Expr *matrix, Expr *rhs)
{
    const size_t n = s->n, m = split->m;

    /* M N, a column after the other, and b - M c */
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < m; f++)
            half[f * n + i] = times_column(pool, split, s->M + i * n, f);
        load[i] = s->b[i];
        for (size_t a = 0; a < split->r; a++)
            load[i] =
                expr_sub(pool, load[i], expr_mul(pool, s->M[i * n + split->dep[a]], split->c[a]));
    }
    for (size_t f = 0; f < m; f++) {
        for (size_t g = 0; g <= f; g++)
            matrix[f * m + g] = matrix[g * m + f] = times_column(pool, split, half + f * n, g);
        rhs[f] = times_column(pool, split, load, f);
    }
}

/* lambda from the dependent rows of M vdot = b + A^T lambda: A is diagonal there. */
static void split_multipliers(ExprPool *pool, const KktSystem *s, const Split *split,
                              KktSolution *ret)
{
    for (size_t a = 0; a < s->r; a++) {
        const size_t row = split->dep[a];
        double value = 1;
        expr_is_const(pool, s->A[a * s->n + row], &value);
        Expr force = expr_sub(pool, expr_dot(pool, s->n, s->M + row * s->n, ret->vdot), s->b[row]);
        ret->lambda[a] = expr_scale(pool, expr_inverse(pool, value), force);
    }
}

static bool eliminate_null_space(ExprPool *pool, const KktSystem *s, bool expand, KktSolution *ret,
                                 Arena *arena)
{
    const size_t n = s->n, m = n - s->r;
    Split split;
    Symmetric mass;

    if (s->r == 0 || s->r > n || !split_init(pool, s, expand, &split, arena))
        return false;
    Expr *half = ARENA_NEW(arena, n * m, Expr), *load = ARENA_NEW(arena, n, Expr);
    Expr *matrix = ARENA_NEW(arena, m * m, Expr), *u = ARENA_NEW(arena, m, Expr);
    if (arena_failed(arena))
        return false;
    split_reduce(pool, s, &split, half, load, matrix, u);
    symmetric_init(&mass, pool, m, matrix, false, arena);
    symmetric_solve(&mass, u, u);
    /* u: the free accelerations; the dependent ones follow from the constraints */
    for (size_t f = 0; f < m; f++)
        ret->vdot[split.free[f]] = u[f];
    for (size_t a = 0; a < s->r; a++)
        ret->vdot[split.dep[a]] = expr_add(pool, split.c[a], expr_dot(pool, m, split.N + a * m, u));
    split_multipliers(pool, s, &split, ret);
    symmetric_regularity(&mass, ret->regularity, &ret->n_regularity);
    return true;
}

bool eliminate_solve(ExprPool *pool, const KktSystem *system, Elimination elimination,
                     KktSolution *ret_solution)
{
    Arena scratch = {0};
    bool fits = false;

    ret_solution->n_regularity = 0;
    /* each elimination says whether it fits the structure of the system */
    switch (elimination) {
    case ELIMINATE_NULL_SPACE:
    case ELIMINATE_NULL_SPACE_EXPANDED:
        fits = eliminate_null_space(pool, system, elimination == ELIMINATE_NULL_SPACE_EXPANDED,
                                    ret_solution, &scratch);
        break;
    case ELIMINATE_SCHUR:
        fits = eliminate_schur(pool, system, ret_solution, &scratch);
        break;
    case ELIMINATE_PIVOTED:
        fits = eliminate_pivoted(pool, system, ret_solution, &scratch);
        break;
    }
    if (arena_failed(&scratch)) {
        expr_pool_no_memory(pool);
        fits = false;
    }
    arena_done(&scratch);
    return fits;
}
