#include "core/motion/algebra/eliminate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/algebra/ldl.h"

const char *elimination_name(Elimination elimination)
{
    switch (elimination) {
    case ELIMINATE_NULL_SPACE:
        return "null space";
    case ELIMINATE_NULL_SPACE_EXPANDED:
        return "null space, multiplied out";
    case ELIMINATE_SCHUR:
        return "Schur complement";
    case ELIMINATE_PIVOTED:
        return "pivoted";
    }
    return "";
}

static bool solve_pivoted(ExprPool *pool, const KktSystem *s, KktSolution *ret)
{
    const size_t size = s->n + s->r;
    Expr *matrix = alloc_array(size * size, sizeof *matrix);
    Expr *rhs = alloc_array(2 * size, sizeof *rhs), *x = rhs ? rhs + size : NULL;
    Expr zero = expr_const(pool, 0);

    if (matrix && rhs) {
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
        Expr factor = expr_factor(pool, size, matrix);
        expr_solve(pool, factor, size, rhs, x);
        memcpy(ret->vdot, x, s->n * sizeof *x);
        memcpy(ret->lambda, x + s->n, s->r * sizeof *x);
        ret->regularity[0] = expr_rcond(pool, factor);
        ret->n_regularity = 1;
    }
    bool ok = matrix && rhs;
    free(matrix);
    free(rhs);
    return ok;
}

static void take_ratios(const Ldl *ldl, KktSolution *ret)
{
    for (size_t i = 0; i < ldl->n; i++)
        ret->regularity[ret->n_regularity++] = ldl->ratio[i];
}

/* lambda = (A M^-1 A^T)^-1 ( -psi - A M^-1 b ), vdot = M^-1 b + M^-1 A^T lambda. */
static bool solve_schur(ExprPool *pool, const KktSystem *s, KktSolution *ret)
{
    const size_t n = s->n, r = s->r;
    bool ok = false;
    Ldl *mass = ldl_new(pool, n, s->M), *schur = NULL;
    Expr *w = alloc_array(r * n, sizeof *w); /* row a: M^-1 A_a^T */
    Expr *y = alloc_array(n, sizeof *y);     /* M^-1 b */
    Expr *c = alloc_array(r * r + r, sizeof *c), *rhs = c ? c + r * r : NULL;

    if (!mass || !w || !y || !c || !ldl_solve(pool, mass, s->b, y))
        goto out;
    for (size_t a = 0; a < r; a++)
        if (!ldl_solve(pool, mass, s->A + a * n, w + a * n))
            goto out;
    for (size_t a = 0; a < r; a++) {
        for (size_t e = 0; e <= a; e++)
            c[a * r + e] = c[e * r + a] = expr_dot(pool, n, s->A + a * n, w + e * n);
        Expr known = expr_add(pool, s->psi[a], expr_dot(pool, n, s->A + a * n, y));
        rhs[a] = expr_neg(pool, known);
    }
    ret->n_regularity = 0;
    take_ratios(mass, ret);
    if (r) {
        schur = ldl_new(pool, r, c);
        if (!schur || !ldl_solve(pool, schur, rhs, ret->lambda))
            goto out;
        take_ratios(schur, ret);
    }
    for (size_t i = 0; i < n; i++) {
        ret->vdot[i] = y[i];
        for (size_t a = 0; a < r; a++)
            ret->vdot[i] =
                expr_add(pool, ret->vdot[i], expr_mul(pool, w[a * n + i], ret->lambda[a]));
    }
    ok = true;
out:
    ldl_free(mass);
    ldl_free(schur);
    free(w);
    free(y);
    free(c);
    return ok;
}

/* Null space ---------------------------------------------------------------------------------
 *
 * Row a of A is solved for the velocity dep[a], in which it has a numeric coefficient and no other
 * row has any: vdot[dep[a]] = sum over free f of N[a][f] vdot[f] + c[a]. */

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

static void split_done(Split *split)
{
    free(split->dep);
    free(split->N);
}

/* False when some constraint has no velocity of its own. */
static bool split_init(ExprPool *pool, const KktSystem *s, bool expand, Split *split)
{
    const size_t n = s->n, r = s->r;

    *split = (Split){.n = n, .r = r, .m = n - r, .expand = expand};
    split->dep = alloc_array(n, sizeof *split->dep);
    split->N = alloc_array(r * (n - r) + r, sizeof *split->N);
    if (!split->dep || !split->N)
        return false;
    split->free = split->dep + r;
    split->c = split->N + r * (n - r);

    for (size_t a = 0; a < r; a++) {
        size_t column = n;
        /* of several candidates the last coordinate: clients write the base ones first */
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
        for (size_t f = 0; f < m; f++)
            split->N[a * m + f] = expr_scale(pool, -1 / value, s->A[a * n + split->free[f]]);
        split->c[a] = expr_scale(pool, -1 / value, s->psi[a]);
    }
    return true;
}

enum { EXPAND_MAX = 12 }; /* terms of a factor beyond which it is not multiplied out */

/* The terms of e with their coefficients; a constant counts as a term. Returns their number, 0
 * when there are more than EXPAND_MAX. */
static size_t terms_of(ExprPool *pool, Expr e, Expr *terms, double *coefs)
{
    ExprNode node = expr_node(pool, e);
    size_t n = 0;

    if (node.op != EXPR_SUM) {
        terms[0] = e;
        coefs[0] = 1;
        return 1;
    }
    if (node.n + (node.value != 0) > EXPAND_MAX)
        return 0;
    double constant = node.value;
    for (; n < node.n; n++) {
        terms[n] = node.args[n];
        coefs[n] = node.coefs[n];
    }
    if (constant != 0) {
        terms[n] = expr_const(pool, 1);
        coefs[n++] = constant;
    }
    return n;
}

/* a * b, multiplied out when asked for and both are short. */
static Expr multiply(ExprPool *pool, bool expand, Expr a, Expr b)
{
    Expr ta[EXPAND_MAX], tb[EXPAND_MAX], product[EXPAND_MAX * EXPAND_MAX];
    double ca[EXPAND_MAX], cb[EXPAND_MAX], coefs[EXPAND_MAX * EXPAND_MAX];

    if (!expand || expr_is_none(a) || expr_is_none(b))
        return expr_mul(pool, a, b);
    size_t na = terms_of(pool, a, ta, ca), nb = terms_of(pool, b, tb, cb), n = 0;
    if (na * nb <= 1)
        return expr_mul(pool, a, b);
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++, n++) {
            product[n] = expr_mul(pool, ta[i], tb[j]);
            coefs[n] = ca[i] * cb[j];
        }
    return expr_sum(pool, n, coefs, product);
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

/* N^T M N (m x m) and N^T ( b - M c ) (m). half is scratch of n m + n. */
static void reduce(ExprPool *pool, const KktSystem *s, const Split *split, Expr *half, Expr *matrix,
                   Expr *rhs)
{
    const size_t n = s->n, m = split->m;
    Expr *load = half + n * m; /* b - M c */

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
static void dependent_multipliers(ExprPool *pool, const KktSystem *s, const Split *split,
                                  KktSolution *ret)
{
    for (size_t a = 0; a < s->r; a++) {
        const size_t row = split->dep[a];
        double value = 1;
        expr_is_const(pool, s->A[a * s->n + row], &value);
        Expr force = expr_sub(pool, expr_dot(pool, s->n, s->M + row * s->n, ret->vdot), s->b[row]);
        ret->lambda[a] = expr_scale(pool, 1 / value, force);
    }
}

static bool solve_null_space(ExprPool *pool, const KktSystem *s, bool expand, KktSolution *ret)
{
    const size_t n = s->n;
    bool ok = false;
    Split split = {0};
    Ldl *mass = NULL;
    Expr *half = NULL;

    if (s->r == 0 || s->r > n || !split_init(pool, s, expand, &split))
        goto out;
    const size_t m = split.m;
    half = alloc_array(n * m + n + m * m + m, sizeof *half);
    if (!half)
        goto out;
    Expr *matrix = half + n * m + n, *u = matrix + m * m;
    reduce(pool, s, &split, half, matrix, u);
    mass = ldl_new(pool, m, matrix);
    if (!mass || !ldl_solve(pool, mass, u, u))
        goto out;
    for (size_t f = 0; f < m; f++)
        ret->vdot[split.free[f]] = u[f];
    for (size_t a = 0; a < s->r; a++)
        ret->vdot[split.dep[a]] = expr_add(pool, split.c[a], expr_dot(pool, m, split.N + a * m, u));
    dependent_multipliers(pool, s, &split, ret);
    ret->n_regularity = 0;
    take_ratios(mass, ret);
    ok = true;
out:
    split_done(&split);
    ldl_free(mass);
    free(half);
    return ok;
}

bool eliminate_solve(ExprPool *pool, const KktSystem *system, Elimination elimination,
                     KktSolution *ret_solution)
{
    switch (elimination) {
    case ELIMINATE_NULL_SPACE:
        return solve_null_space(pool, system, false, ret_solution);
    case ELIMINATE_NULL_SPACE_EXPANDED:
        return solve_null_space(pool, system, true, ret_solution);
    case ELIMINATE_SCHUR:
        return solve_schur(pool, system, ret_solution);
    case ELIMINATE_PIVOTED:
        return solve_pivoted(pool, system, ret_solution);
    }
    return false;
}
