/* A family of relative equilibria as the set of states at which some coordinates, and some of the
 * c, have the values found, the others any:
 *
 *     v = u(q, c) = sum c_a xi_a,   f(q) = 0,   phi(q, u(q, c)) = 0 .
 *
 * It consists of relative equilibria if on it the vdot of the equations of motion is w = u_q u.
 * Its dimension is that of the free q and c less the ranks of f and phi there: f by the equations
 * that are not identities, phi by a Schur complement that vanishes. */
#include "core/stability/find/family.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/exact/exact.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/proof.h"
#include "core/numeric/dense.h"

/* Expressions on the set. */
typedef struct SetExpressions {
    Expr *u;       /* n: the velocity; then w */
    Expr *phi, *f; /* r, n_f */
    Expr *f_q;     /* n_f x n_q */
    Expr *phi_c;   /* r x n_c */
} SetExpressions;

typedef struct Family {
    const Equilibrium *x;
    const Model *model;
    const size_t *rows; /* the independent constraints */
    size_t n, r;
    ExprPool *pool;
    Arena *scratch;
    Expr *c; /* s: the symbols of all c */
    Expr *free_q, *free_c;
    size_t n_q, n_c;
    SetExpressions on;
    size_t n_f;
    size_t *f_row; /* n_f: which of the rows in use they are */
    bool is_point; /* nothing moves */
    FamilySet *set;
    ExactProblem problem; /* with these stages */
    ExactStage stages[3]; /* positions, velocities, accelerations */
} Family;

/* Whether the generators translate coordinates on which nothing depends: certain symmetries. */
static bool has_cyclic_generators(const Family *m, const size_t *fields)
{
    const Model *model = m->model;
    bool *used = ARENA_NEW(m->scratch, model->sym.first_free, bool);
    bool cyclic =
        used &&
        expr_used_symbols(model->pool, &model->L, 1, used, model->sym.first_free, NULL) == OK &&
        expr_used_symbols(model->pool, model->F, m->n, used, model->sym.first_free, NULL) == OK;

    for (size_t k = 0; cyclic && k < model->r; k++) {
        const Constraint *c = &model->constraints[k];
        const bool holonomic = c->kind == CONSTRAINT_HOLONOMIC;
        cyclic = expr_used_symbols(model->pool, holonomic ? &c->f : &c->phi, 1, used,
                                   model->sym.first_free, NULL) == OK;
    }
    /* each component has to be a constant, and zero unless its coordinate is unused */
    for (size_t a = 0; cyclic && a < m->x->s; a++)
        for (size_t i = 0; i < m->n; i++) {
            const Expr part = model->given.symmetries[fields[a]].components[i];
            cyclic = cyclic && expr_is_const(model->pool, part, NULL) &&
                     (expr_vanishes(model->pool, part) ||
                      !used[expr_node(model->pool, model->sym.q[i]).symbol]);
        }
    return cyclic;
}

static bool moves(const Family *family, size_t i)
{
    const Equilibrium *x = family->x;
    const size_t m = x->n + x->s;
    double most = 0;

    for (size_t k = 0; k < x->family.dimension && !family->is_point; k++)
        most = fmax(most, fabs(x->family.null[i * m + k]));
    return most > ACCURACY_COMPARED * x->scales.unit[i];
}

/* Splits q and c into free and fixed ones: from[n] have the values to[n]. Returns n. */
static size_t freeze(Family *m, Expr *from, Expr *to)
{
    const Equilibrium *x = m->x;
    size_t n = 0;

    m->n_q = m->n_c = 0;
    for (size_t i = 0; i < m->n + x->s; i++) {
        const bool is_q = i < m->n;
        const Expr symbol = is_q ? m->model->sym.q[i] : m->c[i - m->n];
        m->set->moves[i] = moves(m, i);
        if (m->set->moves[i]) {
            (is_q ? m->free_q : m->free_c)[is_q ? m->n_q++ : m->n_c++] = symbol;
            continue;
        }
        m->set->values[i] = equilibrium_number(is_q ? x->q[i] : x->c[i - m->n], x->distance[i]);
        from[n] = symbol;
        to[n++] = expr_const(m->pool, m->set->values[i]);
    }
    return n;
}

/* Builds u and u_q u, phi, f, and the stage of accelerations, on the set. */
static bool build(Family *m, const size_t *fields)
{
    const Model *model = m->model;
    const size_t n = m->n, r = m->r, s = m->x->s;
    Expr *e = ARENA_NEW(m->scratch, 2 * n + 2 * r, Expr);
    Expr *velocities = ARENA_NEW(m->scratch, n, Expr);
    Expr *from = ARENA_NEW(m->scratch, n + s, Expr), *to = ARENA_NEW(m->scratch, n + s, Expr);
    Expr *stage = acceleration_stage(m->x->context, m->pool, m->scratch, &m->stages[2]);

    m->f_row = arena_sizes(m->scratch, r);
    if (arena_failed(m->scratch))
        return false;
    m->on.u = e;
    m->on.phi = m->on.u + 2 * n;
    m->on.f = m->on.phi + r;
    drift_build(m->pool, model, fields, s, m->c, m->on.u);
    for (size_t k = 0; k < r; k++) {
        const Constraint *c = &model->constraints[m->rows[k]];
        m->on.phi[k] = c->phi;
        if (c->kind == CONSTRAINT_HOLONOMIC) {
            m->f_row[m->n_f] = k;
            m->on.f[m->n_f++] = c->f;
        }
    }
    /* on the set v = u(q), and fixed symbols have their values */
    memcpy(velocities, m->on.u, n * sizeof *velocities);
    const size_t n_fixed = freeze(m, from, to), size = n + r;
    Expr *const lists[] = {e, stage};
    const size_t lengths[] = {2 * n + r + m->n_f, size + size * size};
    for (size_t k = 0; k < 2; k++) {
        expr_substitute(m->pool, lists[k], lengths[k], model->sym.v, velocities, n, lists[k]);
        expr_substitute(m->pool, lists[k], lengths[k], from, to, n_fixed, lists[k]);
    }
    return true;
}

/* f = 0 for the free q, without the equations that are identities. */
static Status make_positions(Family *m, Error *err)
{
    size_t n_f = 0;
    Status status = OK;

    /* the list is compacted in place; uses_f notes which equations remain */
    for (size_t k = 0; status == OK && k < m->n_f; k++) {
        bool holds;
        status = exact_vanishes(&m->problem, 0, &m->on.f[k], 1, &holds, err);
        if (!holds) {
            m->set->uses_f[m->f_row[k]] = true;
            m->on.f[n_f++] = m->on.f[k];
        }
    }
    m->n_f = n_f;
    m->on.f_q = ARENA_NEW(m->scratch, n_f * m->n_q, Expr);
    if (status == OK && m->on.f_q)
        expr_jacobian(m->pool, m->on.f, n_f, m->free_q, m->n_q, m->on.f_q);
    m->stages[0] = (ExactStage){.n_unknowns = m->n_q,
                                .n_equations = n_f,
                                .unknowns = m->free_q,
                                .equations = m->on.f,
                                .jacobian = m->on.f_q};
    return status == OK ? arena_status(m->scratch, err) : status;
}

static bool make_velocities(Family *m)
{
    m->on.phi_c = ARENA_NEW(m->scratch, m->r * m->n_c, Expr);
    if (m->on.phi_c)
        expr_jacobian(m->pool, m->on.phi, m->r, m->free_c, m->n_c, m->on.phi_c);
    m->stages[1] = (ExactStage){.n_unknowns = m->n_c,
                                .n_equations = m->r,
                                .unknowns = m->free_c,
                                .equations = m->on.phi,
                                .jacobian = m->on.phi_c,
                                .linear = true};
    return m->on.phi_c != NULL;
}

/* phi_c, or f_q, at the state found. */
static Status evaluate_slopes(const Family *m, const Expr *slopes, size_t n, double *ret,
                              Error *err)
{
    double *symbols = arena_doubles(m->scratch, m->model->sym.first_free + m->x->s);
    Status status = arena_status(m->scratch, err);

    if (status != OK)
        return status;
    equilibrium_symbols(m->x, symbols);
    return expr_eval(m->pool, slopes, n, symbols, ret, err);
}

/* Pivots by complete pivoting: rows and columns, the chosen first. S[r][n] is lost. */
static size_t choose_pivots(double *S, size_t r, size_t n, size_t *rows, size_t *columns)
{
    double first = 0;
    size_t rank = 0;

    for (size_t k = 0; k < r; k++)
        rows[k] = k;
    for (size_t j = 0; j < n; j++)
        columns[j] = j;
    for (; rank < r && rank < n; rank++) {
        /* the largest remaining entry, unless it is negligible beside the first */
        size_t row = rank, column = rank;
        for (size_t k = rank; k < r; k++)
            for (size_t j = rank; j < n; j++)
                if (fabs(S[rows[k] * n + columns[j]]) > fabs(S[rows[row] * n + columns[column]])) {
                    row = k;
                    column = j;
                }
        const double pivot = S[rows[row] * n + columns[column]];
        first = rank == 0 ? fabs(pivot) : first;
        if (!(fabs(pivot) > ACCURACY_COMPARED * first))
            break;
        /* its row and column come next, and are eliminated */
        const size_t row_was = rows[rank], column_was = columns[rank];
        rows[rank] = rows[row];
        rows[row] = row_was;
        columns[rank] = columns[column];
        columns[column] = column_was;
        for (size_t k = rank + 1; k < r; k++) {
            const double factor = S[rows[k] * n + columns[rank]] / pivot;
            for (size_t j = rank; j < n; j++)
                S[rows[k] * n + columns[j]] -= factor * S[rows[rank] * n + columns[j]];
        }
    }
    return rank;
}

/* Whether the rows of phi_c depend on the chosen ones everywhere on the set. */
static Status rest_depends(const Family *m, const size_t *rows, const size_t *columns, size_t rank,
                           bool *ret, Error *err)
{
    const size_t n = m->n_c;
    Expr *chosen = ARENA_NEW(m->scratch, rank * rank, Expr);
    Expr *terms = ARENA_NEW(m->scratch, rank + 1, Expr), *y = ARENA_NEW(m->scratch, rank, Expr);
    Status status = arena_status(m->scratch, err);

    *ret = true;
    if (status != OK)
        return status;
    /* the chosen block, factored once */
    for (size_t a = 0; a < rank; a++)
        for (size_t b = 0; b < rank; b++)
            chosen[a * rank + b] = m->on.phi_c[rows[a] * n + columns[b]];
    const Expr factor = rank ? expr_factor(m->pool, rank, chosen) : EXPR_NONE;
    /* each other entry has to follow from the chosen rows */
    for (size_t j = rank; status == OK && *ret && j < n; j++) {
        for (size_t a = 0; a < rank; a++)
            terms[a] = m->on.phi_c[rows[a] * n + columns[j]];
        if (rank)
            expr_solve(m->pool, factor, rank, terms, y);
        for (size_t k = rank; status == OK && *ret && k < m->r; k++) {
            for (size_t b = 0; b < rank; b++)
                terms[b] = expr_neg(m->pool,
                                    expr_mul(m->pool, m->on.phi_c[rows[k] * n + columns[b]], y[b]));
            terms[rank] = m->on.phi_c[rows[k] * n + columns[j]];
            status = exact_vanishes(&m->problem, 1, terms, rank + 1, ret, err);
        }
    }
    return status;
}

/* Whether the constraints that do not determine c hold on the set of those that do. */
static Status rest_holds(Family *m, const size_t *rows, size_t rank, bool *ret, Error *err)
{
    const ExactStage all = m->stages[1];
    Expr *phi = ARENA_NEW(m->scratch, rank, Expr),
         *phi_c = ARENA_NEW(m->scratch, rank * m->n_c, Expr);
    Status status = arena_status(m->scratch, err);

    /* restrict the second stage to the chosen rows */
    for (size_t a = 0; status == OK && a < rank; a++) {
        m->set->uses_phi[rows[a]] = true;
        phi[a] = m->on.phi[rows[a]];
        memcpy(phi_c + a * m->n_c, m->on.phi_c + rows[a] * m->n_c, m->n_c * sizeof *phi_c);
    }
    m->stages[1].n_equations = rank;
    m->stages[1].equations = phi;
    m->stages[1].jacobian = phi_c;
    /* each other row has to vanish there */
    for (size_t k = 0; status == OK && *ret && k < m->r; k++)
        if (!m->set->uses_phi[k])
            status = exact_vanishes(&m->problem, 2, &m->on.phi[k], 1, ret, err);
    m->stages[1] = all;
    return status;
}

/* Whether the set has the family's dimension everywhere: the rows of f_q are independent. */
static Status has_dimension(Family *m, bool *ret, Error *err)
{
    const size_t n = m->n_q > m->n_c ? m->n_q : m->n_c;
    double *S = arena_doubles(m->scratch, (m->r + m->n_f) * n);
    size_t *rows = arena_sizes(m->scratch, m->r + m->n_f), *columns = arena_sizes(m->scratch, n);
    Status status = arena_status(m->scratch, err);

    *ret = false;
    /* f_q has full rank at the state */
    if (status == OK)
        status = evaluate_slopes(m, m->on.f_q, m->n_f * m->n_q, S, err);
    if (status == OK && choose_pivots(S, m->n_f, m->n_q, rows, columns) != m->n_f)
        return OK;
    /* phi_c has the rank that leaves the family's dimension */
    if (status == OK)
        status = evaluate_slopes(m, m->on.phi_c, m->r * m->n_c, S, err);
    if (status != OK)
        return status;
    const size_t rank = choose_pivots(S, m->r, m->n_c, rows, columns);
    if (m->n_q + m->n_c != m->x->family.dimension + m->n_f + rank)
        return OK;
    /* the other rows depend on the chosen ones everywhere on the set */
    status = rest_depends(m, rows, columns, rank, ret, err);
    return status == OK && *ret ? rest_holds(m, rows, rank, ret, err) : status;
}

/* The constraints hold at a point. */
static Status is_admissible(const Family *m, bool *ret, Error *err)
{
    Status status = OK;

    *ret = m->n_f == 0;
    for (size_t k = 0; status == OK && *ret && k < m->r; k++)
        status = exact_vanishes(&m->problem, 0, &m->on.phi[k], 1, ret, err);
    return status;
}

/* vdot = w on the set. */
static Status goes_on(const Family *m, bool *ret, Error *err)
{
    Status status = OK;

    *ret = true;
    for (size_t i = 0; status == OK && *ret && i < m->n; i++) {
        const Expr terms[] = {m->model->sym.vdot[i], expr_neg(m->pool, m->on.u[m->n + i])};
        status = exact_vanishes(&m->problem, 3, terms, 2, ret, err);
    }
    return status;
}

static Status show(Family *m, const size_t *fields, bool *ret, Error *err)
{
    const Equilibrium *x = m->x;
    KnownSymbols known;

    m->c = ARENA_NEW(m->scratch, x->s, Expr);
    m->free_q = ARENA_NEW(m->scratch, m->n, Expr);
    m->free_c = ARENA_NEW(m->scratch, x->s, Expr);
    Status status = arena_status(m->scratch, err);
    if (status != OK || !model_is_linear(m->model, m->rows, m->r) ||
        !has_cyclic_generators(m, fields))
        return status;
    for (size_t a = 0; a < x->s; a++)
        m->c[a] = expr_symbol(m->pool, m->model->sym.first_free + (uint32_t)a);
    /* the set, its dimension, and the motion on it */
    if (!build(m, fields))
        return arena_status(m->scratch, err);
    status = equilibrium_problem(x, m->pool, 0, m->scratch, &known, &m->problem, err);
    m->problem.stages = m->stages;
    if (status == OK)
        status = make_positions(m, err);
    if (status == OK && !make_velocities(m))
        status = arena_status(m->scratch, err);
    if (status == OK)
        status = expr_pool_status(m->pool, err);
    if (status == OK)
        status = m->is_point ? is_admissible(m, ret, err) : has_dimension(m, ret, err);
    return status == OK && *ret ? goes_on(m, ret, err) : status;
}

Status family_set_init(FamilySet *set, const Equilibrium *x, Arena *arena, Error *err)
{
    const size_t m = x->n + x->s, r = x->context->n_rows;

    *set = (FamilySet){.moves = ARENA_NEW(arena, m, bool),
                       .values = arena_doubles(arena, m),
                       .uses_f = ARENA_NEW(arena, r, bool),
                       .uses_phi = ARENA_NEW(arena, r, bool)};
    return arena_status(arena, err);
}

Status equilibrium_family_shown(const Equilibrium *x, const size_t *fields, bool is_point,
                                FamilySet *ret_set, bool *ret_shown, Error *err)
{
    const AnalysisContext *context = x->context;
    Arena scratch = {0};
    Family m = {.x = x,
                .model = context->model,
                .rows = context->rows,
                .n = x->n,
                .r = context->n_rows,
                .pool = expr_pool_clone(context->model->pool),
                .scratch = &scratch,
                .is_point = is_point,
                .set = ret_set};

    *ret_shown = false;
    Status status =
        m.pool ? show(&m, fields, ret_shown, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    expr_pool_free(m.pool);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status; /* too long to tell */
}
