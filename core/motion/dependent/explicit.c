/* Constraints affine in the velocities, solved for the dependent ones: the horizontal lift and its
 * curvature (P. V. Voronec, 1901; S. A. Chaplygin, 1897). */
#include "core/motion/dependent/explicit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/model/rates.h"
#include "core/motion/algebra/invert.h"
#include "core/motion/weights.h"

/* A square system. Numeric entries are eliminated first, exactly and without growth of the
 * expressions. The rest is solved by minors (no pivot can vanish except with the determinant), a
 * large rest by a pivoted factorization at run time. */

enum { MINORS_MAX = 3 };
static const size_t NONE = SIZE_MAX;

typedef struct Square {
    ExprPool *pool;
    size_t r, columns; /* the first r columns are the matrix, then right-hand sides */
    Expr *rows;        /* r x columns */
    bool *row_done;    /* r */
    size_t *pivot_row; /* r: by column; NONE if it has no numeric pivot */
    size_t *rest_rows, *rest_columns;
    size_t n_rest;
    Expr *rest;    /* n_rest x n_rest: the rest of the matrix */
    Expr *rhs, *x; /* n_rest: work */
} Square;

static void square_init(Square *s, ExprPool *pool, size_t r, size_t columns, Arena *arena)
{
    *s = (Square){.pool = pool, .r = r, .columns = columns};
    s->rows = ARENA_NEW(arena, r * columns, Expr);
    s->row_done = ARENA_NEW(arena, r, bool);
    s->pivot_row = arena_sizes(arena, r);
    s->rest_rows = arena_sizes(arena, r);
    s->rest_columns = arena_sizes(arena, r);
    s->rest = ARENA_NEW(arena, r * r, Expr);
    s->rhs = ARENA_NEW(arena, r, Expr);
    s->x = ARENA_NEW(arena, r, Expr);
}

static Expr *at(const Square *s, size_t row, size_t column)
{
    return &s->rows[row * s->columns + column];
}

/* The largest remaining numeric entry; false if there is none. */
static bool numeric_pivot(const Square *s, size_t *ret_row, size_t *ret_column)
{
    double best = 0, value;

    for (size_t k = 0; k < s->r; k++)
        for (size_t j = 0; j < s->r; j++)
            if (!s->row_done[k] && s->pivot_row[j] == NONE &&
                expr_is_const(s->pool, *at(s, k, j), &value) && fabs(value) > best) {
                best = fabs(value);
                *ret_row = k;
                *ret_column = j;
            }
    return best > 0;
}

/* Eliminates with numeric pivots, and collects the rows and columns without one. */
static void square_reduce(Square *s)
{
    size_t row = 0, column = 0, rest_rows = 0;

    for (size_t j = 0; j < s->r; j++)
        s->pivot_row[j] = NONE;
    while (numeric_pivot(s, &row, &column)) {
        eliminate_column(s->pool, s->rows, s->r, s->columns, row, column);
        s->row_done[row] = true;
        s->pivot_row[column] = row;
    }
    /* collect the block that is left for minors or a factorization */
    for (size_t k = 0; k < s->r; k++)
        if (!s->row_done[k])
            s->rest_rows[rest_rows++] = k;
    for (size_t j = 0; j < s->r; j++)
        if (s->pivot_row[j] == NONE)
            s->rest_columns[s->n_rest++] = j;
    for (size_t k = 0; k < s->n_rest; k++)
        for (size_t j = 0; j < s->n_rest; j++)
            s->rest[k * s->n_rest + j] = *at(s, s->rest_rows[k], s->rest_columns[j]);
}

/* The unknowns of the rest, for the right-hand side in `column`: Cramer's rule, or at run time. */
static void solve_rest(const Square *s, size_t column)
{
    const size_t n = s->n_rest;
    Expr minor[MINORS_MAX * MINORS_MAX];

    for (size_t k = 0; k < n; k++)
        s->rhs[k] = *at(s, s->rest_rows[k], column);
    if (n > MINORS_MAX) {
        expr_solve(s->pool, expr_factor(s->pool, n, s->rest), n, s->rhs, s->x);
        return;
    }
    Expr determinant = small_determinant(s->pool, n, s->rest, n);
    for (size_t unknown = 0; unknown < n; unknown++) {
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                minor[k * n + j] = j == unknown ? s->rhs[k] : s->rest[k * n + j];
        s->x[unknown] = expr_div(s->pool, small_determinant(s->pool, n, minor, n), determinant);
    }
}

/* Solutions for the right-hand sides from column `first` on: ret_x[unknown * count + k]. */
static void square_solve(const Square *s, size_t first, size_t count, Expr *ret_x)
{
    const size_t n = s->n_rest;

    for (size_t k = 0; k < count; k++) {
        solve_rest(s, first + k);
        for (size_t j = 0; j < n; j++)
            ret_x[s->rest_columns[j] * count + k] = s->x[j];
        /* the unknowns with a pivot by substitution */
        for (size_t j = 0; j < s->r; j++) {
            if (s->pivot_row[j] == NONE)
                continue;
            Expr value = *at(s, s->pivot_row[j], first + k);
            for (size_t i = 0; i < n; i++) {
                Expr coefficient = *at(s, s->pivot_row[j], s->rest_columns[i]);
                value = expr_sub(s->pool, value, expr_mul(s->pool, coefficient, s->x[i]));
            }
            ret_x[j * count + k] = value;
        }
    }
}

/* transversality() of a large rest, from its solutions x[unknown * (others + 1) + k]. With S = x^T
 * w^-1 x over its unknowns, the square is 1 / det(1 + S w); for many others 1 / (1 + tr S w). */
static Expr transversality_of_lift(const Square *s, size_t others, const Expr *weights,
                                   const Expr *x)
{
    const Expr one = expr_const(s->pool, 1);
    Expr gram[MINORS_MAX * MINORS_MAX], square = one;

    /* Gram matrix of the solutions; for many others only its diagonal */
    for (size_t k = 0; k < others; k++)
        for (size_t l = 0; l < others; l++) {
            Expr sum = expr_const(s->pool, 0);
            if (others > MINORS_MAX && k != l)
                continue;
            for (size_t j = 0; j < s->n_rest; j++) {
                const Expr *row = x + s->rest_columns[j] * (others + 1);
                const Expr term = expr_mul(s->pool, row[k], row[l]);
                sum = expr_add(s->pool, sum, expr_div(s->pool, term, weights[s->rest_columns[j]]));
            }
            sum = expr_mul(s->pool, sum, weights[s->r + l]);
            if (others > MINORS_MAX)
                square = expr_add(s->pool, square, sum);
            else
                gram[k * others + l] = k == l ? expr_add(s->pool, one, sum) : sum;
        }
    /* 1 / sqrt of the determinant, or of the sum of the diagonal */
    if (others <= MINORS_MAX)
        square = small_determinant(s->pool, others, gram, others);
    square = expr_div(s->pool, one, square);
    return expr_call(s->pool, EXPR_SQRT, &square, 1);
}

/* det / sqrt(det of the Gram matrix of the remaining rows), with the first `others` columns of the
 * right-hand sides. By Cauchy and Binet the square of det is one of the terms of the latter.
 * Columns have weights[r + others], those of the matrix first; x are the solutions. */
static Expr transversality(const Square *s, size_t others, const Expr *weights, const Expr *x)
{
    const size_t n = s->n_rest;
    Expr gram[MINORS_MAX * MINORS_MAX];

    if (n == 0 || others == 0)
        return EXPR_NONE;
    if (n > MINORS_MAX)
        return transversality_of_lift(s, others, weights, x);
    /* the Gram matrix of whole rows, base columns and dependent ones */
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < n; l++) {
            const Expr *left = at(s, s->rest_rows[k], s->r), *right = at(s, s->rest_rows[l], s->r);
            gram[k * n + l] = weighted_dot(s->pool, others, left, right, weights + s->r);
            for (size_t j = 0; j < n; j++) {
                Expr term = expr_mul(s->pool, s->rest[k * n + j], s->rest[l * n + j]);
                term = expr_mul(s->pool, weights[s->rest_columns[j]], term);
                gram[k * n + l] = expr_add(s->pool, gram[k * n + l], term);
            }
        }
    Expr determinant = small_determinant(s->pool, n, s->rest, n);
    Expr square = expr_mul(s->pool, determinant, determinant);
    for (size_t j = 0; j < n; j++)
        square = expr_mul(s->pool, weights[s->rest_columns[j]], square);
    Expr ratio = expr_div(s->pool, square, small_determinant(s->pool, n, gram, n));
    return expr_call(s->pool, EXPR_SQRT, &ratio, 1);
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
    for (size_t k = 0; k < e->m; k++)
        e->xdot[k] = e->model->sym.v[e->base[k]];
}

/* Fills the columns: dependent, minus base, minus the part without velocities. All at v = 0,
 * because constraints classified as linear may contain velocities that cancel. */
static void fill_system(Square *s, const Explicit *e, const MotionOptions *options)
{
    const size_t n = e->n;
    Expr *roots = e->row;

    for (size_t k = 0; k < e->r; k++) {
        const size_t row = options->rows[k];
        memcpy(roots, e->model->A + row * n, n * sizeof *roots);
        roots[n] = e->model->constraints[row].phi;
        expr_substitute(s->pool, roots, n + 1, e->model->sym.v, NULL, n, roots);
        for (size_t nu = 0; nu < e->r; nu++)
            *at(s, k, nu) = e->square[k * e->r + nu] = roots[e->dependent[nu]];
        for (size_t i = 0; i < e->m; i++)
            *at(s, k, e->r + i) = expr_neg(s->pool, roots[e->base[i]]);
        *at(s, k, e->r + e->m) = expr_neg(s->pool, roots[n]);
    }
}

/* How well the rows in use determine the dependent velocities. */
static void measure_lift(Explicit *e, const Square *s, const MotionOptions *options, const Expr *x,
                         Arena *arena)
{
    const size_t n = e->n, r = e->r;
    Expr *rows = ARENA_NEW(arena, r * n, Expr), *weights = ARENA_NEW(arena, 2 * n, Expr);
    Expr *by_column = weights ? weights + n : NULL;
    if (arena_failed(arena))
        return;

    /* weights in the order of the columns */
    for (size_t k = 0; k < r; k++)
        memcpy(rows + k * n, e->model->A + options->rows[k] * n, n * sizeof *rows);
    velocity_weights(e->pool, e->model, options, rows, r, arena, weights);
    for (size_t nu = 0; nu < r; nu++)
        by_column[nu] = weights[e->dependent[nu]];
    for (size_t i = 0; i < e->m; i++)
        by_column[r + i] = weights[e->base[i]];
    /* a large rest has no determinant, but a reciprocal condition */
    e->determined = e->regularity = transversality(s, e->m, by_column, x);
    e->orientation = EXPR_NONE;
    if (s->n_rest <= MINORS_MAX && !expr_is_none(e->determined))
        e->orientation = small_determinant(s->pool, s->n_rest, s->rest, s->n_rest);
    if (s->n_rest > MINORS_MAX && !expr_is_none(e->determined))
        e->regularity = expr_rcond(s->pool, expr_factor(s->pool, s->n_rest, s->rest));
}

static void solve_explicit(Explicit *e, const MotionOptions *options, Arena *arena)
{
    const size_t m = e->m, r = e->r;
    Square s;
    Expr *x = ARENA_NEW(arena, r * (m + 1), Expr);

    square_init(&s, e->pool, r, r + m + 1, arena);
    if (arena_failed(arena))
        return;
    split_coordinates(e, options);
    fill_system(&s, e, options);
    square_reduce(&s);
    square_solve(&s, r, m + 1, x);
    measure_lift(e, &s, options, x, arena);
    /* coefficients, the part without velocities, and the lift */
    for (size_t nu = 0; nu < r; nu++) {
        memcpy(e->a + nu * m, x + nu * (m + 1), m * sizeof *x);
        e->a0[nu] = x[nu * (m + 1) + m];
        e->ydot[nu] = expr_add(e->pool, expr_dot(e->pool, m, e->a + nu * m, e->xdot), e->a0[nu]);
    }
}

Status explicit_init(Explicit *e, ExprPool *pool, const Model *model, const MotionOptions *options,
                     Arena *arena, Error *err)
{
    const size_t n = model->n, r = options->n_rows, m = n - r;

    for (size_t k = 0; k < r; k++)
        if (model->constraints[options->rows[k]].kind == CONSTRAINT_NONLINEAR)
            return error_set(err, ERR_NOT_FOUND,
                             "the constraint %s is not affine in the velocities",
                             model->constraints[options->rows[k]].name);
    *e = (Explicit){.model = model, .pool = pool, .n = n, .m = m, .r = r};
    /* ydot = a xdot + a0, with m base and r dependent velocities */
    e->base = arena_sizes(arena, m);
    e->dependent = arena_sizes(arena, r);
    e->a = ARENA_NEW(arena, r * m, Expr);
    e->a0 = ARENA_NEW(arena, r, Expr);
    e->ydot = ARENA_NEW(arena, r, Expr);
    e->square = ARENA_NEW(arena, r * r, Expr);
    e->xdot = ARENA_NEW(arena, m, Expr);
    e->row = ARENA_NEW(arena, n + 1, Expr);
    e->rates = ARENA_NEW(arena, n, Expr);
    solve_explicit(e, options, arena);
    return arena_status(arena, err);
}

void explicit_along(const Explicit *e, const Expr *roots, size_t n_roots, const Expr *xrate,
                    const Expr *yrate, bool with_time, Expr *ret)
{
    const Direction direction = {.n = e->n,
                                 .q = e->model->sym.q,
                                 .qdot = e->rates,
                                 .t = with_time ? e->model->sym.t : EXPR_NONE};

    for (size_t i = 0; i < e->m; i++)
        e->rates[e->base[i]] = xrate[i];
    for (size_t nu = 0; nu < e->r; nu++)
        e->rates[e->dependent[nu]] = yrate[nu];
    rates_along(e->pool, &direction, roots, n_roots, ret);
}

void explicit_curvature(const Explicit *e, Expr *ret, Arena *arena)
{
    const size_t m = e->m, r = e->r;
    Expr *xrate = ARENA_NEW(arena, m, Expr), *yrate = ARENA_NEW(arena, r, Expr);
    Expr *slope = ARENA_NEW(arena, r, Expr);
    if (arena_failed(arena))
        return;

    /* D_j a xdot^j + D_t a is the rate of a along the motion ... */
    explicit_along(e, e->a, r * m, e->xdot, e->ydot, true, ret);
    /* ... and D_i of a_nu,j xdot^j + a_nu is taken at fixed xdot */
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++)
            xrate[j] = expr_const(e->pool, i == j ? 1 : 0);
        for (size_t nu = 0; nu < r; nu++)
            yrate[nu] = e->a[nu * m + i];
        explicit_along(e, e->ydot, r, xrate, yrate, false, slope);
        for (size_t nu = 0; nu < r; nu++)
            ret[nu * m + i] = expr_sub(e->pool, ret[nu * m + i], slope[nu]);
    }
}

void explicit_multipliers(const Explicit *e, const Expr *force, Expr *ret_lambda, Arena *arena)
{
    const size_t r = e->r;
    Square s;

    square_init(&s, e->pool, r, r + 1, arena);
    if (arena_failed(arena))
        return;
    for (size_t nu = 0; nu < r; nu++) {
        for (size_t k = 0; k < r; k++)
            *at(&s, nu, k) = e->square[k * r + nu];
        *at(&s, nu, r) = force[nu];
    }
    square_reduce(&s);
    square_solve(&s, r, 1, ret_lambda);
}
