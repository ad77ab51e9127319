/* The derivative of the consistent initial state: the conditions of the optimum, W w = A^T k and
 * f = 0 or phi = 0, are differentiated (implicit function theorem), positions first. */
#include "core/linear/initial_tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/model/evaluate.h"
#include "core/model/rates.h"
#include "core/model/regularity.h"
#include "core/numeric/dense.h"

/* The optimum in x (q or v): W w = A^T k and residual = 0, with w the distance of x from the
 * given value. Some components of x may be fixed. */
typedef struct Stage {
    const InitialTangent *problem;
    size_t n, m, first; /* first row of x among those of a column: 0 or n */
    const double *q, *v;
    double *w;       /* n */
    size_t *unknown; /* n_unknown components of x */
    size_t *rows;    /* n_rows, of problem->rows: constraints of x, independent for the unknown */
    size_t n_unknown, n_rows;
    bool mass;         /* the metric W */
    double *k;         /* problem->n_rows: 0 for those left out */
    Directions slopes; /* t, q, v, w, k; dq, dv, dp -> d(M w - A^T k) [n], df, dphi [n_rows] */
    double *state;     /* its state */
    double *M, *A;     /* n x n; problem->n_rows x n */
    double *known;     /* [2 n][m]: directions with the unknown left out */
    double *along, *unit, *across; /* of slopes: along `known`; unit directions of x, along them */
    double *matrix, *rhs;
    Arena memory; /* owns the arrays */
} Stage;

static void stage_done(Stage *s)
{
    directions_done(&s->slopes);
    arena_done(&s->memory);
}

/* M w - A^T k, f and phi of the constraints in use. */
static Status stage_compile(Stage *s, Error *err)
{
    const InitialTangent *p = s->problem;
    const Model *model = p->model;
    const size_t n = s->n, r = p->n_rows, n_state = 1 + 3 * n + r, n_roots = n + 2 * r;
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *symbols = alloc_array(n_state + n_roots, sizeof *symbols);
    Status status = pool && symbols ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        Expr *w = symbols + 1 + 2 * n, *k = w + n, *roots = k + r;
        /* the program reads the state, the change w of the velocities and the multipliers k */
        rates_state(model, symbols);
        for (size_t i = 0; i < n + r; i++)
            w[i] = expr_symbol(pool, model->sym.first_free + (uint32_t)i);
        for (size_t i = 0; i < n; i++) {
            /* the conditions at the start: w is least in the metric of M, positions and
             * velocities are consistent */
            roots[i] = expr_dot(pool, n, model->M + i * n, w);
            for (size_t a = 0; a < r; a++)
                roots[i] =
                    expr_sub(pool, roots[i], expr_mul(pool, k[a], model->A[p->rows[a] * n + i]));
        }
        for (size_t a = 0; a < r; a++) {
            const Constraint *c = &model->constraints[p->rows[a]];
            roots[n + a] = c->kind == CONSTRAINT_HOLONOMIC ? c->f : expr_const(pool, 0);
            roots[n + r + a] = c->phi;
        }
        DirectionSpec spec = {.pool = pool,
                              .model = model,
                              .next_symbol = model->sym.first_free + (uint32_t)(n + r),
                              .state = symbols,
                              .n_state = n_state,
                              .directed = symbols + 1,
                              .n_directed = 2 * n,
                              .parameters = p->parameters,
                              .n_parameters = p->n_parameters,
                              .roots = roots,
                              .n_roots = n_roots};
        status = directions_derive(&s->slopes, &spec, n > s->m ? n : s->m, p->params, err);
    }
    expr_pool_free(pool);
    free(symbols);
    return status;
}

static Status stage_init(Stage *s, const InitialTangent *p, Error *err)
{
    const size_t n = p->model->n, r = p->n_rows, n_out = n + 2 * r, size = n + r;

    *s = (Stage){.problem = p, .n = n, .m = p->m};
    s->w = arena_doubles(&s->memory, n);
    s->k = arena_doubles(&s->memory, r);
    s->state = arena_doubles(&s->memory, 1 + 3 * n + r);
    s->M = arena_doubles(&s->memory, n * n);
    s->A = arena_doubles(&s->memory, r * n);
    s->known = arena_doubles(&s->memory, 2 * n * p->m);
    s->along = arena_doubles(&s->memory, n_out * p->m);
    s->unit = arena_doubles(&s->memory, 2 * n * n);
    s->across = arena_doubles(&s->memory, n_out * n);
    s->matrix = arena_doubles(&s->memory, size * size);
    s->rhs = arena_doubles(&s->memory, size * p->m);
    s->unknown = arena_sizes(&s->memory, n);
    s->rows = arena_sizes(&s->memory, r);
    return arena_failed(&s->memory) ? arena_status(&s->memory, err) : stage_compile(s, err);
}

/* Keeps the rows of s->rows that are independent in the unknown components. */
static Status stage_choose_rows(Stage *s, Error *err)
{
    const size_t u = s->n_unknown;
    size_t rank = 0;
    Arena scratch = {0};
    double *columns = arena_doubles(&scratch, s->n_rows * u);
    size_t *chosen = arena_sizes(&scratch, s->n_rows);
    Status status = arena_status(&scratch, err);

    for (size_t a = 0; status == OK && a < s->n_rows; a++)
        for (size_t j = 0; j < u; j++)
            columns[a * u + j] = s->A[s->rows[a] * s->n + s->unknown[j]];
    if (status == OK)
        status = dense_independent_rows(columns, s->n_rows, u, ACCURACY_SOLVED, chosen, &rank, err);
    /* chosen[] ascends: the rows can be moved in place */
    for (size_t a = 0; status == OK && a < rank; a++)
        s->rows[a] = s->rows[chosen[a]];
    if (status == OK)
        s->n_rows = rank;
    arena_done(&scratch);
    return status;
}

static double stage_weight(const Stage *s, size_t i, size_t j)
{
    return s->mass ? s->M[i * s->n + j] : (double)(i == j);
}

/* Finds k from the stationarity in the unknown components. *ret_optimal false: there is none. */
static Status find_forces(Stage *s, bool *ret_optimal, Error *err)
{
    const size_t n = s->n, u = s->n_unknown;
    double *transpose = s->matrix, *gradient = s->rhs, *k = alloc_array(s->n_rows, sizeof *k);
    double size = 0, rest = 0;
    if (!k)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    /* the gradient W w, and A^T, in the unknown components */
    for (size_t j = 0; j < u; j++) {
        gradient[j] = 0;
        for (size_t l = 0; l < n; l++) {
            gradient[j] += stage_weight(s, s->unknown[j], l) * s->w[l];
            size = fmax(size, fabs(stage_weight(s, s->unknown[j], l) * s->w[l]));
        }
        for (size_t a = 0; a < s->n_rows; a++)
            transpose[j * s->n_rows + a] = s->A[s->rows[a] * n + s->unknown[j]];
    }
    Status status = dense_least_norm(transpose, u, s->n_rows, gradient, ACCURACY_COMPUTED, k, err);
    memset(s->k, 0, s->problem->n_rows * sizeof *s->k);
    for (size_t a = 0; a < s->n_rows; a++)
        s->k[s->rows[a]] = k[a];
    /* the rest of the gradient has to be zero within ACCURACY_CLEAR */
    for (size_t j = 0; status == OK && j < u; j++) {
        for (size_t a = 0; a < s->n_rows; a++)
            gradient[j] -= transpose[j * s->n_rows + a] * k[a];
        rest = fmax(rest, fabs(gradient[j]));
    }
    free(k);
    *ret_optimal = *ret_optimal && rest <= ACCURACY_CLEAR * size;
    return status;
}

/* The derivatives of the conditions along the known directions and along each unknown component. */
static void stage_evaluate(Stage *s, const double *columns)
{
    const InitialTangent *p = s->problem;
    const size_t n = s->n, m = s->m, u = s->n_unknown;
    double *in = s->state;

    memcpy(s->known, columns, 2 * n * m * sizeof *columns);
    memset(s->unit, 0, 2 * n * u * sizeof *s->unit);
    /* known directions leave out the unknown components, which have unit vectors */
    for (size_t j = 0; j < u; j++) {
        memset(s->known + (s->first + s->unknown[j]) * m, 0, m * sizeof *s->known);
        s->unit[(s->first + s->unknown[j]) * u + j] = 1;
    }
    in[0] = p->t;
    memcpy(in + 1, s->q, n * sizeof *in);
    memcpy(in + 1 + n, s->v, n * sizeof *in);
    for (size_t i = 0; i < n; i++)
        in[1 + 2 * n + i] = s->mass ? s->w[i] : 0;
    memcpy(in + 1 + 3 * n, s->k, p->n_rows * sizeof *in);
    const DirectionRows known[] = {{s->known, 2 * n}, {p->dp, p->n_parameters}};
    const DirectionRows unit[] = {{s->unit, 2 * n}, {NULL, p->n_parameters}};
    directions_eval(&s->slopes, in, known, 2, m, s->along);
    directions_eval(&s->slopes, in, unit, 2, u, s->across);
}

/* The linear system for the unknown dx and dk. */
static void stage_assemble(Stage *s, const double *columns)
{
    const size_t n = s->n, m = s->m, u = s->n_unknown, size = u + s->n_rows;
    const size_t residual = s->first ? n + s->problem->n_rows : n; /* of f, or of phi */

    memset(s->matrix, 0, size * size * sizeof *s->matrix);
    /* stationarity: W dx + d(W) w - A^T dk = W d(target), in the unknown components */
    for (size_t i = 0; i < u; i++) {
        const size_t row = s->unknown[i];
        for (size_t j = 0; j < u; j++)
            s->matrix[i * size + j] = stage_weight(s, row, s->unknown[j]) + s->across[row * u + j];
        for (size_t a = 0; a < s->n_rows; a++)
            s->matrix[i * size + u + a] = -s->A[s->rows[a] * n + row];
        for (size_t c = 0; c < m; c++) {
            double sum = -s->along[row * m + c];
            for (size_t j = 0; j < u; j++)
                sum += stage_weight(s, row, s->unknown[j]) *
                       columns[(s->first + s->unknown[j]) * m + c];
            for (size_t l = 0; l < n; l++) /* 0 if unknown */
                sum -= stage_weight(s, row, l) * s->known[(s->first + l) * m + c];
            s->rhs[i * m + c] = sum;
        }
    }
    /* the constraints, differentiated */
    for (size_t a = 0; a < s->n_rows; a++) {
        for (size_t j = 0; j < u; j++)
            s->matrix[(u + a) * size + j] = s->across[(residual + s->rows[a]) * u + j];
        for (size_t c = 0; c < m; c++)
            s->rhs[(u + a) * m + c] = -s->along[(residual + s->rows[a]) * m + c];
    }
}

/* Solves for the unknown rows of columns, which contain the change of the target on entry. */
static Status stage_solve(Stage *s, double *columns, bool *ret_optimal, Error *err)
{
    const InitialTangent *p = s->problem;
    const size_t n = s->n, m = s->m;
    const ModelPoint point = model_point(p->eval, p->t, s->q, s->v);

    if (s->n_unknown == 0)
        return OK;
    memcpy(s->M, point.M, n * n * sizeof *s->M);
    for (size_t a = 0; a < p->n_rows; a++)
        memcpy(s->A + a * n, point.A + p->rows[a] * n, n * sizeof *s->A);
    Status status = stage_choose_rows(s, err);
    if (status == OK)
        status = find_forces(s, ret_optimal, err);
    if (status != OK)
        return status;
    /* the conditions are linear in the unknown rows: one matrix for all columns */
    stage_evaluate(s, columns);
    stage_assemble(s, columns);
    status = dense_solve(s->matrix, s->n_unknown + s->n_rows, s->rhs, m, err);
    for (size_t j = 0; status == OK && j < s->n_unknown; j++)
        memcpy(columns + (s->first + s->unknown[j]) * m, s->rhs + j * m, m * sizeof *columns);
    return status;
}

/* Positions: the nearest to the given ones, with held coordinates fixed. */
static Status move_positions(Stage *s, double *columns, bool *ret_optimal, Error *err)
{
    const InitialTangent *p = s->problem;

    s->first = 0;
    s->q = p->q;
    s->v = p->given_v;
    s->mass = model_eval_metric(p->eval).mass_for_positions;
    /* unknown: all coordinates that are not held; w: the distance from the given ones */
    s->n_unknown = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!p->held || !p->held[i])
            s->unknown[s->n_unknown++] = i;
        s->w[i] = p->consistency == CONSISTENCY_PROJECT ? p->q[i] - p->given_q[i] : 0;
    }
    /* only holonomic constraints act on positions */
    s->n_rows = 0;
    for (size_t a = 0; a < p->n_rows; a++)
        if (p->model->constraints[p->rows[a]].kind == CONSTRAINT_HOLONOMIC)
            s->rows[s->n_rows++] = a;
    return s->n_rows ? stage_solve(s, columns, ret_optimal, err) : OK;
}

/* Whether v.M.v is a norm of the unknown velocities. */
static Status stage_choose_metric(Stage *s, Error *err)
{
    const InitialTangent *p = s->problem;
    const size_t n = s->n, u = s->n_unknown, r = p->n_rows;
    const ModelPoint point = model_point(p->eval, p->t, s->q, s->v);
    Arena scratch = {0};
    double *M = arena_doubles(&scratch, u * u), *A = arena_doubles(&scratch, r * u);
    double *rounding = arena_doubles(&scratch, u);
    size_t *chosen = arena_sizes(&scratch, r), rank = 0;
    Regularity result = {0};
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < u; i++) {
        rounding[i] = point.M_rounding[s->unknown[i]];
        for (size_t j = 0; j < u; j++)
            M[i * u + j] = point.M[s->unknown[i] * n + s->unknown[j]];
    }
    for (size_t a = 0; status == OK && a < r; a++)
        for (size_t j = 0; j < u; j++)
            A[a * u + j] = point.A[p->rows[a] * n + s->unknown[j]];
    /* M has to be positive only on the velocities that the independent rows allow */
    if (status == OK)
        status = dense_independent_rows(A, r, u, ACCURACY_SOLVED, chosen, &rank, err);
    if (status == OK)
        status =
            regularity_of(&(RegularityMatrices){u, M, rounding, A}, chosen, rank, &result, err);
    s->mass = result.positive;
    arena_done(&scratch);
    return status;
}

/* Velocities: those not given have least v.M.v. If all are given: the nearest admissible ones. */
static Status move_velocities(Stage *s, double *columns, bool *ret_optimal, Error *err)
{
    const InitialTangent *p = s->problem;
    Status status = OK;

    s->first = s->n;
    s->q = p->q;
    s->v = p->v;
    /* unknown: the velocities that were not given, else all of them */
    s->n_unknown = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!p->v_given[i])
            s->unknown[s->n_unknown++] = i;
    const bool found = s->n_unknown > 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!found)
            s->unknown[s->n_unknown++] = i;
        s->w[i] = found                                   ? p->v[i]
                  : p->consistency == CONSISTENCY_PROJECT ? p->v[i] - p->given_v[i]
                                                          : 0;
    }
    /* all constraints act on velocities */
    s->n_rows = p->n_rows;
    for (size_t a = 0; a < p->n_rows; a++)
        s->rows[a] = a;
    s->mass = model_eval_metric(p->eval).mass_for_velocities;
    if (found)
        status = stage_choose_metric(s, err);
    return status == OK ? stage_solve(s, columns, ret_optimal, err) : status;
}

/* If the given numbers leave no freedom, the nearest admissible change is taken. */
static Status make_tangent(const InitialTangent *p, double *columns, Error *err)
{
    TangentSpec spec = {.model = p->model,
                        .eval = p->eval,
                        .params = p->params,
                        .rows = p->rows,
                        .n_rows = p->n_rows,
                        .parameters = p->parameters,
                        .n_parameters = p->n_parameters,
                        .columns = p->m};
    TangentSpace *space = NULL;
    Status status = tangent_space_new(&spec, &space, err);

    if (status == OK)
        status = tangent_space_project(space, (TangentState){p->t, p->q, p->v}, columns, p->dp,
                                       p->m, err);
    tangent_space_free(space);
    return status;
}

Status initial_tangent(const InitialTangent *problem, double *columns, bool *ret_optimal,
                       Error *err)
{
    Stage stage;
    bool optimal = true;
    Status status = stage_init(&stage, problem, err);

    if (status == OK)
        status = move_positions(&stage, columns, &optimal, err);
    if (status == OK)
        status = move_velocities(&stage, columns, &optimal, err);
    if (status == OK && problem->n_rows)
        status = make_tangent(problem, columns, err);
    stage_done(&stage);
    if (status == OK)
        *ret_optimal = optimal;
    return status;
}
