#include "core/motion/dependent/explicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/algebra/invert.h"

/* Square systems ---------------------------------------------------------------------------------
 *
 * Numeric entries are eliminated first, exactly and without growth of the expressions. What is left
 * is solved by minors (no pivot can vanish but with the determinant), a large rest by a pivoted
 * factorisation at run time. */

enum { MINORS_MAX = 3 };

typedef struct Square {
    ExprPool *pool;
    size_t r, columns; /* the first r columns are the matrix, then right-hand sides */
    Expr *rows;        /* r x columns */
    bool *row_done, *column_done;
    size_t *pivot_row; /* r: by column, of those done */
    size_t *rest_rows, *rest_columns;
    size_t n_rest;
} Square;

static void square_done(Square *s)
{
    free(s->rows);
    free(s->row_done);
    free(s->pivot_row);
}

static bool square_init(Square *s, ExprPool *pool, size_t r, size_t columns)
{
    *s = (Square){.pool = pool, .r = r, .columns = columns};
    s->rows = alloc_array(r * columns, sizeof *s->rows);
    s->row_done = alloc_array(2 * r, sizeof *s->row_done);
    s->pivot_row = alloc_array(3 * r, sizeof *s->pivot_row);
    if (!s->rows || !s->row_done || !s->pivot_row)
        return false;
    s->column_done = s->row_done + r;
    s->rest_rows = s->pivot_row + r;
    s->rest_columns = s->rest_rows + r;
    return true;
}

static Expr *at(const Square *s, size_t row, size_t column)
{
    return &s->rows[row * s->columns + column];
}

/* The largest numeric entry that is left; false when there is none. */
static bool numeric_pivot(const Square *s, size_t *ret_row, size_t *ret_column)
{
    double best = 0, value;

    for (size_t k = 0; k < s->r; k++)
        for (size_t j = 0; j < s->r; j++)
            if (!s->row_done[k] && !s->column_done[j] &&
                expr_is_const(s->pool, *at(s, k, j), &value) && fabs(value) > best) {
                best = fabs(value);
                *ret_row = k;
                *ret_column = j;
            }
    return best > 0;
}

static void clear_pivot(Square *s, size_t row, size_t column)
{
    double pivot = 1;

    expr_is_const(s->pool, *at(s, row, column), &pivot);
    for (size_t j = 0; j < s->columns; j++)
        *at(s, row, j) = expr_scale(s->pool, 1 / pivot, *at(s, row, j));
    for (size_t k = 0; k < s->r; k++) {
        Expr factor = *at(s, k, column);
        if (k == row || expr_is_zero(s->pool, factor))
            continue;
        for (size_t j = 0; j < s->columns; j++)
            *at(s, k, j) = eliminate_entry(s->pool, *at(s, k, j), factor, *at(s, row, j));
    }
    s->row_done[row] = s->column_done[column] = true;
    s->pivot_row[column] = row;
}

static void reduce(Square *s)
{
    size_t row = 0, column = 0;

    while (numeric_pivot(s, &row, &column))
        clear_pivot(s, row, column);
    for (size_t k = 0, rows = 0; k < s->r; k++)
        if (!s->row_done[k])
            s->rest_rows[rows++] = k;
    for (size_t j = 0; j < s->r; j++)
        if (!s->column_done[j])
            s->rest_columns[s->n_rest++] = j;
}

static Expr rest(const Square *s, size_t k, size_t j)
{
    return *at(s, s->rest_rows[k], s->rest_columns[j]);
}

static Expr rest_determinant(const Square *s)
{
    Expr m[MINORS_MAX * MINORS_MAX];

    for (size_t k = 0; k < s->n_rest; k++)
        for (size_t j = 0; j < s->n_rest; j++)
            m[k * s->n_rest + j] = rest(s, k, j);
    return small_determinant(s->pool, s->n_rest, m, s->n_rest);
}

/* Cramer's rule for the right-hand side in `column`. */
static void solve_minors(const Square *s, size_t column, Expr *x)
{
    const size_t n = s->n_rest;
    Expr m[MINORS_MAX * MINORS_MAX], determinant = rest_determinant(s);

    for (size_t unknown = 0; unknown < n; unknown++) {
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                m[k * n + j] = j == unknown ? *at(s, s->rest_rows[k], column) : rest(s, k, j);
        x[unknown] = expr_div(s->pool, small_determinant(s->pool, n, m, n), determinant);
    }
}

/* The remaining matrix for a pivoted factorisation; scratch holds n_rest^2. */
static Expr factor_rest(const Square *s, Expr *scratch)
{
    for (size_t k = 0; k < s->n_rest; k++)
        for (size_t j = 0; j < s->n_rest; j++)
            scratch[k * s->n_rest + j] = rest(s, k, j);
    return expr_factor(s->pool, s->n_rest, scratch);
}

/* Solutions for the right-hand sides from column `first` on: ret_x[unknown * count + k]. */
static bool solve_columns(const Square *s, size_t first, size_t count, Expr *ret_x)
{
    const size_t n = s->n_rest;
    Expr *scratch = alloc_array(n * n + 2 * n, sizeof *scratch);
    if (!scratch)
        return false;

    Expr *rhs = scratch + n * n, *x = rhs + n;
    Expr factor = n > MINORS_MAX ? factor_rest(s, scratch) : EXPR_NONE;
    for (size_t k = 0; k < count; k++) {
        if (n > MINORS_MAX) {
            for (size_t i = 0; i < n; i++)
                rhs[i] = *at(s, s->rest_rows[i], first + k);
            expr_solve(s->pool, factor, n, rhs, x);
        } else {
            solve_minors(s, first + k, x);
        }
        for (size_t j = 0; j < n; j++)
            ret_x[s->rest_columns[j] * count + k] = x[j];
        for (size_t j = 0; j < s->r; j++) {
            if (!s->column_done[j])
                continue;
            Expr value = *at(s, s->pivot_row[j], first + k);
            for (size_t i = 0; i < n; i++) {
                Expr coefficient = *at(s, s->pivot_row[j], s->rest_columns[i]);
                value = expr_sub(s->pool, value, expr_mul(s->pool, coefficient, x[i]));
            }
            ret_x[j * count + k] = value;
        }
    }
    free(scratch);
    return true;
}

/* det / sqrt(det of the Gram matrix of the remaining rows), the right-hand sides' first `others`
 * columns taking part: by Cauchy and Binet the square of det is one of the terms of the latter. */
static Expr transversality(const Square *s, size_t others, Expr *scratch)
{
    const size_t n = s->n_rest;
    Expr gram[MINORS_MAX * MINORS_MAX];

    if (n == 0 || others == 0)
        return EXPR_NONE;
    if (n > MINORS_MAX)
        return expr_rcond(s->pool, factor_rest(s, scratch));
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            const Expr *left = at(s, s->rest_rows[k], s->r), *right = at(s, s->rest_rows[l], s->r);
            gram[k * n + l] = expr_dot(s->pool, others, left, right);
            for (size_t j = 0; j < n; j++)
                gram[k * n + l] = expr_add(s->pool, gram[k * n + l],
                                           expr_mul(s->pool, rest(s, k, j), rest(s, l, j)));
        }
    Expr determinant = rest_determinant(s);
    Expr square = expr_mul(s->pool, determinant, determinant);
    Expr ratio = expr_div(s->pool, square, small_determinant(s->pool, n, gram, n));
    return expr_call(s->pool, EXPR_SQRT, &ratio, 1);
}

/* The explicit form -------------------------------------------------------------------------- */

void explicit_free(Explicit *e)
{
    if (!e)
        return;
    free(e->base);
    free(e->a);
    free(e);
}

static Explicit *allocate(size_t n, size_t r)
{
    const size_t m = n - r;
    Explicit *e = alloc_array(1, sizeof *e);

    if (!e)
        return NULL;
    *e = (Explicit){.n = n, .m = m, .r = r};
    e->base = alloc_array(n, sizeof *e->base);
    const BlockPart parts[] = {{&e->a, r * m}, {&e->a0, r}, {&e->ydot, r}, {&e->square, r * r}};
    if (!e->base || !alloc_block(sizeof *e->a, parts, sizeof parts / sizeof *parts)) {
        explicit_free(e);
        return NULL;
    }
    e->dependent = e->base + m;
    return e;
}

static void split_coordinates(Explicit *e, const MotionOptions *options)
{
    size_t nu = 0, i = 0;

    for (size_t k = 0; k < e->n; k++) {
        if (nu < e->r && options->dependent[nu] == k)
            e->dependent[nu++] = k;
        else
            e->base[i++] = k;
    }
}

/* Fills the columns: dependent, minus base, minus the part without velocities. At v = 0: what the
 * classification calls linear may still hold velocities that cancel. */
static bool fill_system(Square *s, const Model *model, const Explicit *e,
                        const MotionOptions *options)
{
    const size_t n = e->n;
    Expr *roots = alloc_array(2 * n + 1, sizeof *roots);
    if (!roots)
        return false;

    Expr *zeros = roots + n + 1;
    for (size_t i = 0; i < n; i++)
        zeros[i] = expr_const(s->pool, 0);
    for (size_t k = 0; k < e->r; k++) {
        const size_t row = options->rows[k];
        memcpy(roots, model->A + row * n, n * sizeof *roots);
        roots[n] = model->constraints[row].phi;
        expr_substitute(s->pool, roots, n + 1, model->v, zeros, n, roots);
        for (size_t nu = 0; nu < e->r; nu++)
            *at(s, k, nu) = e->square[k * e->r + nu] = roots[e->dependent[nu]];
        for (size_t i = 0; i < e->m; i++)
            *at(s, k, e->r + i) = expr_neg(s->pool, roots[e->base[i]]);
        *at(s, k, e->r + e->m) = expr_neg(s->pool, roots[n]);
    }
    free(roots);
    return true;
}

static bool solve_explicit(ExprPool *pool, const Model *model, const MotionOptions *options,
                           Explicit *e)
{
    const size_t m = e->m, r = e->r;
    Square s;
    Expr *x = alloc_array(r * (m + 1) + r * r + m, sizeof *x);
    bool ok = square_init(&s, pool, r, r + m + 1) && x && fill_system(&s, model, e, options);

    if (ok) {
        reduce(&s);
        ok = solve_columns(&s, r, m + 1, x);
    }
    if (ok) {
        Expr *scratch = x + r * (m + 1), *xdot = scratch + r * r;
        e->regularity = transversality(&s, m, scratch);
        for (size_t i = 0; i < m; i++)
            xdot[i] = model->v[e->base[i]];
        for (size_t nu = 0; nu < r; nu++) {
            if (m)
                memcpy(e->a + nu * m, x + nu * (m + 1), m * sizeof *x);
            e->a0[nu] = x[nu * (m + 1) + m];
            e->ydot[nu] = expr_add(pool, expr_dot(pool, m, e->a + nu * m, xdot), e->a0[nu]);
        }
    }
    square_done(&s);
    free(x);
    return ok;
}

Status explicit_new(ExprPool *pool, const Model *model, const MotionOptions *options,
                    Explicit **ret_explicit, Error *err)
{
    for (size_t k = 0; k < options->n_rows; k++)
        if (model->constraints[options->rows[k]].kind == CONSTRAINT_NONLINEAR)
            return error_set(err, ERR_NOT_FOUND,
                             "the constraint %s is not affine in the velocities",
                             model->constraints[options->rows[k]].name);
    Explicit *e = allocate(model->n, options->n_rows);
    if (!e)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    split_coordinates(e, options);
    if (!solve_explicit(pool, model, options, e)) {
        explicit_free(e);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    *ret_explicit = e;
    return OK;
}

bool explicit_along(ExprPool *pool, const Model *model, const Explicit *e, const Expr *roots,
                    size_t n_roots, const Expr *xrate, const Expr *yrate, bool with_time, Expr *ret)
{
    const size_t n = e->n;
    Expr *symbols = alloc_array(2 * (n + 1), sizeof *symbols), *rates = symbols + n + 1;
    if (!symbols)
        return false;

    for (size_t i = 0; i < e->m; i++) {
        symbols[i] = model->q[e->base[i]];
        rates[i] = xrate[i];
    }
    for (size_t nu = 0; nu < e->r; nu++) {
        symbols[e->m + nu] = model->q[e->dependent[nu]];
        rates[e->m + nu] = yrate[nu];
    }
    symbols[n] = model->t;
    rates[n] = expr_const(pool, with_time ? 1 : 0);
    expr_directional(pool, roots, n_roots, symbols, rates, n + 1, ret);
    free(symbols);
    return true;
}

bool explicit_curvature(ExprPool *pool, const Model *model, const Explicit *e, Expr *ret)
{
    const size_t m = e->m, r = e->r;
    Expr *work = alloc_array(m + 2 * r, sizeof *work);
    if (!work)
        return false;

    /* D_j a xdot^j + D_t a is the rate of a along the motion ... */
    Expr *xrate = work, *yrate = work + m, *slope = yrate + r;
    for (size_t i = 0; i < m; i++)
        xrate[i] = model->v[e->base[i]];
    bool ok = explicit_along(pool, model, e, e->a, r * m, xrate, e->ydot, true, ret);
    /* ... and D_i of a_nu,j xdot^j + a_nu is taken at fixed xdot */
    for (size_t i = 0; i < m && ok; i++) {
        for (size_t j = 0; j < m; j++)
            xrate[j] = expr_const(pool, i == j ? 1 : 0);
        for (size_t nu = 0; nu < r; nu++)
            yrate[nu] = e->a[nu * m + i];
        ok = explicit_along(pool, model, e, e->ydot, r, xrate, yrate, false, slope);
        for (size_t nu = 0; nu < r; nu++)
            ret[nu * m + i] = expr_sub(pool, ret[nu * m + i], slope[nu]);
    }
    free(work);
    return ok;
}

bool explicit_multipliers(ExprPool *pool, const Explicit *e, const Expr *force, Expr *ret_lambda)
{
    const size_t r = e->r;
    Square s;
    bool ok = square_init(&s, pool, r, r + 1);

    if (ok) {
        for (size_t nu = 0; nu < r; nu++) {
            for (size_t k = 0; k < r; k++)
                *at(&s, nu, k) = e->square[k * r + nu];
            *at(&s, nu, r) = force[nu];
        }
        reduce(&s);
        ok = solve_columns(&s, r, 1, ret_lambda);
    }
    square_done(&s);
    return ok;
}
