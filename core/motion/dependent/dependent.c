/* Dependent velocities as functions of the base ones, and their derivatives along the directions of
 * the Voronec equations (P. V. Voronec, 1901; M. Popescu, C. Ida for nonlinear constraints). */
#include "core/motion/dependent/dependent.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/model/kinds.h"
#include "core/motion/weights.h"
#include "core/numeric/dense.h"

void dependent_done(Dependent *d)
{
    arena_done(&d->arena);
    *d = (Dependent){0};
}

static void dependent_allocate(Dependent *d)
{
    const size_t n = d->n, r = d->r, m = d->m;
    Arena *arena = &d->arena;

    /* rows and coordinates, then C with its derivatives */
    d->rows = arena_sizes(arena, r);
    d->given = arena_sizes(arena, r);
    d->dep = arena_sizes(arena, r);
    d->base = arena_sizes(arena, m);
    d->place = arena_sizes(arena, n);
    d->is_dep = ARENA_NEW(arena, n, bool);
    d->C = ARENA_NEW(arena, r, Expr);
    d->C_0 = ARENA_NEW(arena, r, Expr);
    d->C_V = ARENA_NEW(arena, r, Expr);
    d->phi = ARENA_NEW(arena, r, Expr);
    d->C_i = ARENA_NEW(arena, r * m, Expr);
    d->D_C = ARENA_NEW(arena, r * m, Expr);
    d->A = ARENA_NEW(arena, r * n, Expr);
    d->scratch = ARENA_NEW(arena, 2 * r, Expr);
    d->symbols = ARENA_NEW(arena, 2 * n + 1, Expr);
    d->rates = ARENA_NEW(arena, 2 * n + 1, Expr);
}

static void no_direction(const Dependent *d)
{
    Expr zero = expr_const(d->pool, 0);
    for (size_t i = 0; i < 2 * d->n + 1; i++)
        d->rates[i] = zero;
}

/* Sets the direction of the dependent coordinates, and of velocities that stand for C. */
static void dependent_part(const Dependent *d, const Expr *position, const Expr *velocity,
                           size_t stride)
{
    for (size_t k = 0; k < d->r; k++) {
        if (position)
            d->rates[d->dep[k]] = position[k * stride];
        if (velocity && d->implicit)
            d->rates[d->n + 1 + d->dep[k]] = velocity[k * stride];
    }
}

static void dependent_differentiate(const Dependent *d, const Expr *roots, size_t n, Expr *ret)
{
    expr_directional(d->pool, roots, n, d->symbols, d->rates, 2 * d->n + 1, ret);
}

void dependent_d_V(const Dependent *d, const Expr *roots, size_t n, Expr *ret)
{
    no_direction(d);
    for (size_t i = 0; i < d->m; i++)
        d->rates[d->base[i]] = d->model->sym.v[d->base[i]];
    d->rates[d->n] = expr_const(d->pool, 1);
    dependent_part(d, d->C, d->C_V, 1);
    dependent_differentiate(d, roots, n, ret);
}

void dependent_D_i(const Dependent *d, size_t i, const Expr *roots, size_t n, Expr *ret)
{
    no_direction(d);
    d->rates[d->base[i]] = expr_const(d->pool, 1);
    dependent_part(d, d->C_i + i, d->D_C + i, d->m);
    dependent_differentiate(d, roots, n, ret);
}

void dependent_D_t(const Dependent *d, const Expr *roots, size_t n, Expr *ret)
{
    no_direction(d);
    d->rates[d->n] = expr_const(d->pool, 1);
    dependent_part(d, d->C_0, NULL, 1);
    dependent_differentiate(d, roots, n, ret);
}

void dependent_by_velocity(const Dependent *d, size_t i, const Expr *roots, size_t n, Expr *ret)
{
    no_direction(d);
    d->rates[d->n + 1 + d->base[i]] = expr_const(d->pool, 1);
    dependent_part(d, NULL, d->C_i + i, d->m);
    dependent_differentiate(d, roots, n, ret);
}

/* Substitutes C for the first n dependent velocities, and 0 for those up to n_zero. */
static void substitute_first(const Dependent *d, size_t n, size_t n_zero, const Expr *roots,
                             size_t n_roots, Expr *ret)
{
    Expr *symbols = d->scratch, *values = d->scratch + d->r;

    for (size_t k = 0; k < n_zero; k++) {
        symbols[k] = d->model->sym.v[d->dep[k]];
        values[k] = k < n ? d->C[k] : expr_const(d->pool, 0);
    }
    expr_substitute(d->pool, roots, n_roots, symbols, values, n_zero, ret);
}

void dependent_substitute(const Dependent *d, const Expr *roots, size_t n, Expr *ret)
{
    if (d->implicit || d->r == 0)
        memmove(ret, roots, n * sizeof *ret);
    else
        substitute_first(d, d->r, d->r, roots, n, ret);
}

/* Row k of A and phi; an affine one is A(q, t) v + phi(q, 0, t), which the graph may not show. */
static void take_row(Dependent *d, size_t k)
{
    const Model *model = d->model;
    const size_t n = d->n, a = d->rows[k];
    Expr *row = d->A + k * n;

    memcpy(row, model->A + a * n, n * sizeof *row);
    d->phi[k] = model->constraints[a].phi;
    if (model->constraints[a].kind == CONSTRAINT_NONLINEAR)
        return;
    expr_substitute(d->pool, row, n, model->sym.v, NULL, n, row);
    expr_substitute(d->pool, &d->phi[k], 1, model->sym.v, NULL, n, &d->phi[k]);
    d->phi[k] = expr_add(d->pool, d->phi[k], expr_dot(d->pool, n, row, model->sym.v));
}

static void swap_rows(Dependent *d, size_t k, size_t l)
{
    size_t row = d->rows[k], given = d->given[k];
    Expr phi = d->phi[k];

    d->rows[k] = d->rows[l];
    d->given[k] = d->given[l];
    d->phi[k] = d->phi[l];
    d->rows[l] = row;
    d->given[l] = given;
    d->phi[l] = phi;
    for (size_t i = 0; k != l && i < d->n; i++) {
        Expr entry = d->A[k * d->n + i];
        d->A[k * d->n + i] = d->A[l * d->n + i];
        d->A[l * d->n + i] = entry;
    }
}

static void swap_columns(Dependent *d, size_t k, size_t l)
{
    size_t column = d->dep[k];
    d->dep[k] = d->dep[l];
    d->dep[l] = column;
}

/* The number of unknowns from `first` on that occur in row k; *ret_one: one of them. */
static size_t unknowns_of(const Dependent *d, size_t k, size_t first, size_t *ret_one)
{
    size_t count = 0;

    for (size_t l = first; l < d->r; l++)
        if (!expr_is_zero(d->pool, d->A[k * d->n + d->dep[l]])) {
            *ret_one = l;
            count++;
        }
    return count;
}

/* C of the only unknown in row k. */
static void solve_single(Dependent *d, size_t k)
{
    Expr pivot = d->A[k * d->n + d->dep[k]], rest;
    double value;

    substitute_first(d, k, k + 1, &d->phi[k], 1, &rest);
    d->C[k] = expr_is_const(d->pool, pivot, &value)
                  ? expr_scale(d->pool, -expr_inverse(d->pool, value), rest)
                  : expr_neg(d->pool, expr_div(d->pool, rest, pivot));
}

/* Moves an equation with one unknown, linear in it, to place k. */
static Status next_single(Dependent *d, size_t k, bool *ret_found, Error *err)
{
    Status status = OK;
    bool moves = false;

    *ret_found = false;
    for (size_t l = k; l < d->r; l++) {
        /* a row with a single unknown, whose coefficient is free of velocities */
        size_t column = 0, count = unknowns_of(d, l, k, &column);
        if (count == 0)
            return error_set(err, ERR_INVALID,
                             "the constraint %s holds none of the dependent velocities",
                             d->model->constraints[d->rows[l]].name);
        if (count > 1)
            continue;
        status = expr_uses(d->pool, &d->A[l * d->n + d->dep[column]], 1, d->model->sym.v, d->n,
                           &moves, err);
        if (status != OK)
            return status;
        *ret_found = !moves;
        if (*ret_found) {
            swap_rows(d, k, l);
            swap_columns(d, k, column);
            return OK;
        }
    }
    return OK;
}

/* Implicit C: solves A_dep x = rhs, or with its transpose; x may be rhs. */
static void implicit_solve(const Dependent *d, bool transposed, const Expr *rhs, Expr *x)
{
    if (d->r == 1)
        x[0] = expr_div(d->pool, rhs[0], d->A[d->dep[0]]);
    else
        expr_solve(d->pool, transposed ? d->transposed_factor : d->factor, d->r, rhs, x);
}

static void implicit_solve_negative(const Dependent *d, Expr *rhs, Expr *x)
{
    for (size_t k = 0; k < d->r; k++)
        rhs[k] = expr_neg(d->pool, rhs[k]);
    implicit_solve(d, false, rhs, x);
}

static Status implicit_init(Dependent *d, Error *err)
{
    const size_t r = d->r;
    Expr *matrix = ARENA_NEW(&d->arena, r * r, Expr),
         *transposed = ARENA_NEW(&d->arena, r * r, Expr);
    if (arena_failed(&d->arena))
        return arena_status(&d->arena, err);

    d->implicit = true;
    /* C are the symbols themselves; factor their part of A */
    for (size_t k = 0; k < r; k++) {
        d->C[k] = d->model->sym.v[d->dep[k]];
        for (size_t l = 0; l < r; l++)
            matrix[k * r + l] = transposed[l * r + k] = d->A[k * d->n + d->dep[l]];
    }
    if (r > 1) {
        d->factor = expr_factor(d->pool, r, matrix);
        d->transposed_factor = expr_factor(d->pool, r, transposed);
    }
    return OK;
}

/* Affine constraints are a linear system. */
static Status solve_affine(Dependent *d, const MotionOptions *options, Error *err)
{
    const size_t r = d->r, m = d->m;
    Status status = explicit_init(&d->linear, d->pool, d->model, options, &d->arena, err);
    if (status != OK)
        return status;

    memcpy(d->C, d->linear.ydot, r * sizeof *d->C);
    memcpy(d->C_0, d->linear.a0, r * sizeof *d->C_0);
    memcpy(d->C_i, d->linear.a, r * m * sizeof *d->C_i);
    d->determined = d->linear.determined;
    d->orientation = d->linear.orientation;
    d->regularity = d->linear.regularity;
    return OK;
}

/* Solves for one unknown at a time; if that fails, C is implicit. */
static Status solve_nonlinear(Dependent *d, Error *err)
{
    bool found = true;

    for (size_t k = 0; k < d->r && found; k++) {
        Status status = next_single(d, k, &found, err);
        if (status != OK)
            return status;
        if (found)
            solve_single(d, k);
    }
    return found ? OK : implicit_init(d, err);
}

/* C_i, d_V C and D_i C if C is an expression. */
static void derivatives_of_closed(Dependent *d)
{
    const size_t r = d->r, m = d->m;
    Expr *column = d->scratch;

    for (size_t i = 0; i < m && !d->affine; i++) {
        dependent_by_velocity(d, i, d->C, r, column);
        for (size_t k = 0; k < r; k++)
            d->C_i[k * m + i] = column[k];
    }
    dependent_substitute(d, d->A, r * d->n, d->A);
    dependent_substitute(d, d->phi, r, d->phi);
    dependent_d_V(d, d->C, r, d->C_V);
    for (size_t i = 0; i < m; i++) {
        dependent_D_i(d, i, d->C, r, column);
        for (size_t k = 0; k < r; k++)
            d->D_C[k * m + i] = column[k];
    }
}

/* The same if C is implicit, from the derivative of phi(q, u, C, t) = 0. */
static void derivatives_of_implicit(Dependent *d)
{
    const size_t r = d->r, m = d->m;
    Expr *column = d->scratch;

    /* A_dep C_i = -A_i */
    for (size_t i = 0; i < m; i++) {
        for (size_t k = 0; k < r; k++)
            column[k] = d->A[k * d->n + d->base[i]];
        implicit_solve_negative(d, column, column);
        for (size_t k = 0; k < r; k++)
            d->C_i[k * m + i] = column[k];
    }
    /* psi = phi_q v + phi_t equals d_V phi without the term phi_v d_V C */
    for (size_t k = 0; k < r; k++)
        column[k] = d->model->constraints[d->rows[k]].psi;
    implicit_solve_negative(d, column, d->C_V);
    /* A_dep D_i C = -(phi_{x^i} + C^a_i phi_{y^a}) */
    for (size_t i = 0; i < m; i++) {
        no_direction(d);
        d->rates[d->base[i]] = expr_const(d->pool, 1);
        dependent_part(d, d->C_i + i, NULL, m);
        dependent_differentiate(d, d->phi, r, column);
        implicit_solve_negative(d, column, column);
        for (size_t k = 0; k < r; k++)
            d->D_C[k * m + i] = column[k];
    }
}

/* The product of the pivots' shares in their rows. If several implicit velocities are solved
 * together, the product of the shares of all dependent columns, times their reciprocal
 * condition. */
static void measure_dependence(Dependent *d, const MotionOptions *options)
{
    ExprPool *pool = d->pool;
    const bool together = d->implicit && d->r > 1;
    Expr product = expr_const(pool, 1), pivots = product,
         *weights = ARENA_NEW(&d->arena, d->n, Expr);
    if (!weights)
        return;

    /* multiply up the share of the dependent columns in each row */
    velocity_weights(pool, d->model, options, d->A, d->r, &d->arena, weights);
    for (size_t k = 0; k < d->r; k++) {
        const Expr *row = d->A + k * d->n;
        Expr pivot = row[d->dep[k]], part = expr_const(pool, 0);
        if (!together && expr_is_const(pool, pivot, NULL))
            continue;
        for (size_t l = 0; l < d->r; l++)
            if (together || l == k)
                part = expr_add(
                    pool, part,
                    weighted_dot(pool, 1, row + d->dep[l], row + d->dep[l], weights + d->dep[l]));
        pivots = expr_mul(pool, pivots, pivot);
        part = expr_div(pool, part, weighted_dot(pool, d->n, row, row, weights));
        product = expr_mul(pool, product, part);
    }
    product = expr_call(pool, EXPR_SQRT, &product, 1);
    if (together)
        product = expr_mul(pool, product, expr_rcond(pool, d->factor));
    d->determined = d->regularity = expr_is_const(pool, product, NULL) ? EXPR_NONE : product;
    d->orientation = together || expr_is_none(d->determined) ? EXPR_NONE : pivots;
}

static void name_coordinates(Dependent *d, const size_t *rows, const size_t *columns)
{
    const Model *model = d->model;
    const size_t n = d->n;
    size_t m = 0;

    d->affine = true;
    for (size_t k = 0; k < d->r; k++) {
        d->rows[k] = rows[k];
        d->given[k] = k;
        d->dep[k] = columns[k];
        d->is_dep[columns[k]] = true;
        d->affine = d->affine && model->constraints[rows[k]].kind != CONSTRAINT_NONLINEAR;
    }
    /* base coordinates, then all symbols */
    for (size_t i = 0; i < n; i++)
        if (!d->is_dep[i])
            d->base[m++] = i;
    memcpy(d->symbols, model->sym.q, n * sizeof *d->symbols);
    d->symbols[n] = model->sym.t;
    memcpy(d->symbols + n + 1, model->sym.v, n * sizeof *d->symbols);
}

Status dependent_init(Dependent *d, ExprPool *pool, const Model *model,
                      const MotionOptions *options, Error *err)
{
    const size_t r = options->n_rows;

    *d = (Dependent){.model = model, .pool = pool, .n = model->n, .r = r, .m = model->n - r};
    dependent_allocate(d);
    Status status = arena_status(&d->arena, err);
    if (status != OK)
        return status;
    name_coordinates(d, options->rows, options->dependent);
    for (size_t k = 0; k < r; k++)
        take_row(d, k);
    status = d->affine ? solve_affine(d, options, err) : solve_nonlinear(d, err);
    if (status != OK)
        return status;
    /* the derivatives of C, and their regularity */
    for (size_t k = 0; k < r; k++)
        d->place[d->dep[k]] = k;
    for (size_t i = 0; i < d->m; i++)
        d->place[d->base[i]] = i;
    if (d->implicit)
        derivatives_of_implicit(d);
    else
        derivatives_of_closed(d);
    if (!d->affine)
        measure_dependence(d, options);
    status = arena_status(&d->arena, err);
    return status == OK ? expr_pool_status(pool, err) : status;
}

/* The unknowns were found one after the other; multipliers are solved in the opposite order. */
static void multipliers_in_turn(const Dependent *d, const Expr *force, Expr *lambda)
{
    for (size_t k = d->r; k-- > 0;) {
        Expr rest = force[k];
        for (size_t l = k + 1; l < d->r; l++) {
            Expr part = expr_mul(d->pool, d->A[l * d->n + d->dep[k]], lambda[l]);
            rest = expr_sub(d->pool, rest, part);
        }
        lambda[k] = expr_div(d->pool, rest, d->A[k * d->n + d->dep[k]]);
    }
}

void dependent_multipliers(const Dependent *d, const Expr *force, Expr *ret_lambda, Arena *scratch)
{
    Expr *lambda = d->scratch;

    if (d->r == 0)
        return;
    if (d->affine) {
        explicit_multipliers(&d->linear, force, ret_lambda, scratch);
        return;
    }
    if (d->implicit)
        implicit_solve(d, true, force, lambda);
    else
        multipliers_in_turn(d, force, lambda);
    for (size_t k = 0; k < d->r; k++)
        ret_lambda[d->given[k]] = lambda[k];
}

Status dependent_prefer_lasting(const Model *model, size_t n_rows, unsigned *ret_rank, Error *err)
{
    Status status = OK;

    (void)n_rows;
    for (size_t i = 0; status == OK && i < model->n; i++) {
        bool occurs = false, moves = false;
        for (size_t a = 0; status == OK && a < model->r && !moves; a++) {
            const Expr entry = model->A[a * model->n + i];
            occurs = occurs || !expr_is_zero(model->pool, entry);
            status = model_moves(model, model->pool, entry, &moves, err);
        }
        ret_rank[i] = occurs && !moves ? 1 : 0;
    }
    return status;
}

Status dependent_quality(const MotionQuestion *question, double *ret_smallest, Error *err)
{
    const MotionOptions *options = question->options;
    const size_t n = question->model->n, r = options->n_rows;
    const ModelPoint point = model_point(question->eval, question->t, question->q, question->v);
    Arena scratch = {0};
    double *matrix = arena_doubles(&scratch, r * r), *singular = arena_doubles(&scratch, r + 1);
    double *units = arena_doubles(&scratch, n);
    Status status = arena_status(&scratch, err);

    if (status == OK)
        kinds_velocity_units(question->model, point.M, units);
    /* the dependent columns, each row scaled to its largest entry */
    for (size_t k = 0; status == OK && k < r; k++) {
        const double *row = point.A + options->rows[k] * n;
        double largest = 0;
        for (size_t i = 0; i < n; i++)
            largest = fmax(largest, fabs(row[i]) * units[i]);
        for (size_t l = 0; l < r; l++) {
            const size_t i = options->dependent[l];
            matrix[k * r + l] = largest > 0 ? row[i] * units[i] / largest : 0;
        }
    }
    /* the smallest singular value measures how well they determine the velocities */
    if (status == OK && r)
        status = dense_singular_values(matrix, r, r, singular, err);
    if (status == OK)
        *ret_smallest = r ? singular[r - 1] : 1;
    arena_done(&scratch);
    return status;
}
