/* Tangent columns of f = 0, phi = 0: projection in two steps, positions with f_q, then velocities
 * with phi_v, by the same saddle-point systems as model_project(), and an orthonormal basis. */
#include "core/linear/tangent_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/linear/directions.h"
#include "core/model/evaluate.h"
#include "core/model/kkt.h"
#include "core/model/rates.h"
#include "core/numeric/dense.h"

struct TangentSpace {
    TangentSpec spec;
    size_t n, n_rows, n_holonomic;
    size_t *positions;      /* n_holonomic: indices into rows */
    Directions constraints; /* t, q, v; dq, dv, dp -> df [n_holonomic], dphi [n_rows] */
    Arena memory;           /* owns: */
    double *state;          /* 1 + 2 n */
    double *A;              /* n_rows x n */
    double *rhs;            /* n + n_rows */
    double *kkt;            /* kkt_doubles(n + n_rows) */
    double *residuals;      /* [n_holonomic + n_rows][m]; grows */
    size_t capacity;
};

void tangent_space_free(TangentSpace *space)
{
    if (!space)
        return;
    directions_done(&space->constraints);
    arena_done(&space->memory);
    free(space->residuals);
    free(space);
}

size_t tangent_space_dimension(const TangentSpace *space)
{
    return 2 * space->n - space->n_rows - space->n_holonomic;
}

static Status tangent_space_compile(TangentSpace *x, Error *err)
{
    const Model *model = x->spec.model;
    const size_t n = x->n, n_roots = x->n_holonomic + x->n_rows;
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *symbols = ARENA_NEW(&scratch, 1 + 2 * n, Expr);
    Expr *roots = ARENA_NEW(&scratch, n_roots, Expr);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        /* f of the holonomic constraints, then phi of all in use */
        rates_state(model, symbols);
        for (size_t k = 0; k < x->n_holonomic; k++)
            roots[k] = model->constraints[x->spec.rows[x->positions[k]]].f;
        for (size_t k = 0; k < x->n_rows; k++)
            roots[x->n_holonomic + k] = model->constraints[x->spec.rows[k]].phi;
        DirectionSpec spec = {.pool = pool,
                              .model = model,
                              .next_symbol = model->sym.first_free,
                              .state = symbols,
                              .n_state = 1 + 2 * n,
                              .directed = symbols + 1,
                              .n_directed = 2 * n,
                              .parameters = x->spec.parameters,
                              .n_parameters = x->spec.n_parameters,
                              .roots = roots,
                              .n_roots = n_roots};
        status = directions_derive(&x->constraints, &spec, x->spec.columns, x->spec.params, err);
    }
    expr_pool_free(pool);
    arena_done(&scratch);
    return status;
}

Status tangent_space_new(const TangentSpec *spec, TangentSpace **ret_space, Error *err)
{
    TangentSpace *x = alloc_array(1, sizeof *x);
    if (!x)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    const size_t n = spec->model->n, size = n + spec->n_rows;
    *x = (TangentSpace){.spec = *spec, .n = n, .n_rows = spec->n_rows};
    x->positions = arena_sizes(&x->memory, x->n_rows);
    x->state = arena_doubles(&x->memory, 1 + 2 * n);
    x->A = arena_doubles(&x->memory, x->n_rows * n);
    x->rhs = arena_doubles(&x->memory, size);
    x->kkt = arena_doubles(&x->memory, kkt_doubles(size));
    Status status = arena_status(&x->memory, err);
    /* holonomic constraints bind positions too, the others velocities alone */
    for (size_t k = 0; status == OK && k < x->n_rows; k++)
        if (spec->model->constraints[spec->rows[k]].kind == CONSTRAINT_HOLONOMIC)
            x->positions[x->n_holonomic++] = k;
    if (status == OK && x->n_rows)
        status = tangent_space_compile(x, err);
    if (status == OK)
        *ret_space = x;
    else
        tangent_space_free(x);
    return status;
}

/* df [n_holonomic][m], then dphi [n_rows][m] of the columns. */
static Status tangent_space_evaluate(TangentSpace *x, const double *columns, const double *dp,
                                     size_t m, Error *err)
{
    const DirectionRows parts[] = {{columns, 2 * x->n}, {dp, x->spec.n_parameters}};

    if (!grow_array(&x->residuals, &x->capacity, (x->n_holonomic + x->n_rows) * m,
                    sizeof *x->residuals))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    directions_eval(&x->constraints, x->state, parts, 2, m, x->residuals);
    return OK;
}

static void tangent_space_set_state(TangentSpace *x, TangentState at)
{
    x->state[0] = at.t;
    memcpy(x->state + 1, at.q, x->n * sizeof *at.q);
    memcpy(x->state + 1 + x->n, at.v, x->n * sizeof *at.v);
}

/* Is A rows = 0 for column c, but for the rounding of its terms? */
static bool is_tangent(const TangentSpace *x, size_t n_rows, const double *residuals,
                       const double *rows, size_t m, size_t c)
{
    for (size_t k = 0; k < n_rows; k++) {
        double terms = 0;
        for (size_t i = 0; i < x->n; i++)
            terms += fabs(x->A[k * x->n + i] * rows[i * m + c]);
        if (!(fabs(residuals[k * m + c]) <= ROUNDING_FEW * terms))
            return false;
    }
    return true;
}

/* Adds to rows[n][m] the least change (in the metric of M, or the Euclidean one) by which A rows =
 * -residuals. A column that is tangent keeps its bits: rounding would move components at zero. */
static bool correct_columns(TangentSpace *x, const double *M, size_t n_rows,
                            const double *residuals, double *rows, size_t m)
{
    for (size_t c = 0; c < m; c++) {
        if (is_tangent(x, n_rows, residuals, rows, m, c))
            continue;
        memset(x->rhs, 0, x->n * sizeof *x->rhs);
        for (size_t k = 0; k < n_rows; k++)
            x->rhs[x->n + k] = -residuals[k * m + c];
        if (!kkt_solve(x->n, M, n_rows, x->A, x->rhs, x->kkt))
            return false;
        for (size_t i = 0; i < x->n; i++)
            rows[i * m + c] += x->rhs[i];
    }
    return true;
}

Status tangent_space_project(TangentSpace *x, TangentState at, double *columns, const double *dp,
                             size_t m, Error *err)
{
    const size_t n = x->n;
    const ModelMetric metric = model_eval_metric(x->spec.eval);
    Status status = OK;
    bool ok = true;

    if (x->n_rows == 0)
        return OK;
    tangent_space_set_state(x, at);
    const ModelPoint point = model_point(x->spec.eval, at.t, at.q, at.v);
    /* first the effect of the columns on f */
    if (x->n_holonomic) {
        for (size_t k = 0; k < x->n_holonomic; k++)
            memcpy(x->A + k * n, point.A + x->spec.rows[x->positions[k]] * n, n * sizeof *x->A);
        status = tangent_space_evaluate(x, columns, dp, m, err);
        if (status == OK)
            ok = correct_columns(x, metric.mass_for_positions ? point.M : NULL, x->n_holonomic,
                                 x->residuals, columns, m);
    }
    /* then on phi, with the corrected positions */
    if (status == OK && ok) {
        for (size_t k = 0; k < x->n_rows; k++)
            memcpy(x->A + k * n, point.A + x->spec.rows[k] * n, n * sizeof *x->A);
        status = tangent_space_evaluate(x, columns, dp, m, err);
    }
    if (status == OK && ok)
        ok = correct_columns(x, metric.mass_for_velocities ? point.M : NULL, x->n_rows,
                             x->residuals + x->n_holonomic * m, columns + n * m, m);
    if (status == OK && !ok)
        status = error_set(err, ERR_NUMERIC,
                           "the linearised motion has no projection onto the constraints at "
                           "t = %.9g",
                           at.t);
    return status;
}

Status tangent_space_along(TangentSpace *x, TangentState at, const double *columns, size_t m,
                           double *ret, Error *err)
{
    const size_t n_roots = x->n_holonomic + x->n_rows;

    if (n_roots == 0)
        return OK;
    tangent_space_set_state(x, at);
    Status status = tangent_space_evaluate(x, columns, NULL, m, err);
    if (status == OK)
        memcpy(ret, x->residuals, n_roots * m * sizeof *ret);
    return status;
}

static void tangent_space_normalise(double *row, size_t n)
{
    double size = 0;

    for (size_t i = 0; i < n; i++)
        size = hypot(size, row[i]);
    for (size_t i = 0; i < n && size > 0; i++)
        row[i] /= size;
}

static void set_diagonal(double *matrix, size_t n, const double *diagonal)
{
    memset(matrix, 0, n * n * sizeof *matrix);
    for (size_t i = 0; i < n; i++)
        matrix[i * n + i] = diagonal ? diagonal[i] : 1;
}

Status tangent_space_basis(TangentSpace *x, TangentState at, const double *units, double *ret_basis,
                           Error *err)
{
    const size_t n = x->n, N = 2 * n, d = tangent_space_dimension(x);
    const size_t n_roots = x->n_holonomic + x->n_rows;
    size_t found = 0;

    if (x->n_rows == 0) {
        set_diagonal(ret_basis, N, units);
        return OK;
    }
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, N * N), *basis = arena_doubles(&scratch, N * N);
    Status status = arena_status(&scratch, err);
    /* the differentials along unit vectors, each row of length 1 */
    if (status == OK) {
        set_diagonal(unit, N, units);
        tangent_space_set_state(x, at);
        status = tangent_space_evaluate(x, unit, NULL, N, err);
    }
    for (size_t k = 0; status == OK && k < n_roots; k++)
        tangent_space_normalise(x->residuals + k * N, N);
    if (status == OK)
        status = dense_null_space(x->residuals, n_roots, N, ACCURACY_SOLVED, basis, &found, err);
    if (status == OK && found != d)
        status = error_set(err, ERR_NUMERIC,
                           "the constraints lose rank at t = %.9g: %zu directions instead of "
                           "%zu are tangent to them",
                           at.t, found, d);
    for (size_t i = 0; status == OK && i < N; i++)
        for (size_t k = 0; k < d; k++)
            ret_basis[i * d + k] = (units ? units[i] : 1) * basis[i * N + k];
    arena_done(&scratch);
    return status;
}
