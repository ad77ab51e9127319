/* Equilibria enclosed in balls, and the characteristic polynomial of their linearisation.
 *
 * With G = M vdot + l - F - A^T lambda, u = sum c_a xi_a, U = u_q, S = (u_q v)_q, deviations dq
 * seen along with the motion have dv = (s + U) dq and d(vdot) = (s^2 + 2 s U + U^2 + S) dq. So the
 * eigenvalues of J - D X on the tangent space are the roots of det P(s),
 *
 *     P = [ M (s^2 + 2 s U + U^2 + S) + G_v (s + U) + G_q   -A^T ]
 *         [ A (s + U) + phi_q, or f_q                         0  ]
 *
 * a polynomial of the degree of the manifold's dimension, as [ M -A^T; A 0 ] is regular. */
#include "core/stability/find/enclosed.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/proof.h"
#include "core/numeric/dense.h"
#include "core/stability/find/implied.h"

void enclosed_done(Enclosed *e)
{
    expr_pool_free(e->pool);
    arena_done(&e->memory);
    *e = (Enclosed){0};
}

static const Constraint *constraint(const Enclosed *e, size_t k)
{
    return &e->x->context->model->constraints[e->x->context->rows[k]];
}

static Expr multiplier(const Enclosed *e, size_t k)
{
    return e->x->context->model->sym.lambda[e->x->context->rows[k]];
}

static const Expr *row_of(const Enclosed *e, size_t k)
{
    const Model *model = e->x->context->model;
    return model->A + e->x->context->rows[k] * model->n;
}

/* On the motion v is u and vdot is w. */
void enclosed_on_motion(const Enclosed *e, Expr *roots, size_t n_roots)
{
    const Model *model = e->x->context->model;

    expr_substitute_limits(e->pool, roots, n_roots, model->sym.v, e->u, e->x->n, roots);
    expr_substitute(e->pool, roots, n_roots, model->sym.vdot, e->u + e->x->n, e->x->n, roots);
}

static void set_symbol(const Enclosed *e, Expr symbol, double value)
{
    e->symbols[expr_node(e->pool, symbol).symbol] = value;
}

/* There is space for all parameters, multipliers, q and c. */
static void add_known(Enclosed *e, Expr symbol, double value)
{
    e->known.symbols[e->place.n_known] = symbol;
    e->known.values[e->place.n_known++] = value;
}

/* M vdot + l - F, [n], as functions of q, v, vdot. */
static void build_forces(const Enclosed *e, Expr *ret)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n;

    for (size_t i = 0; i < n; i++)
        ret[i] = expr_add(e->pool, expr_dot(e->pool, n, model->M + i * n, model->sym.vdot),
                          expr_sub(e->pool, model->l[i], model->F[i]));
}

/* G = M vdot + l - F - A^T lambda, [n], as functions of q, v, vdot, lambda. */
static void build_balance(const Enclosed *e, Expr *ret)
{
    const size_t n = e->x->n;

    build_forces(e, ret);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < e->x->context->n_rows; k++)
            ret[i] =
                expr_sub(e->pool, ret[i], expr_mul(e->pool, row_of(e, k)[i], multiplier(e, k)));
}

void enclosed_balance(const Enclosed *e, Expr *ret)
{
    build_balance(e, ret);
    enclosed_on_motion(e, ret, e->x->n);
}

/* Estimates in doubles the multipliers with which the constraints balance these forces. */
static Status guess_multipliers(Enclosed *e, const Expr *forces, Error *err)
{
    const Equilibrium *x = e->x;
    const size_t n = x->n, r = x->context->n_rows;
    Expr *roots = ARENA_NEW(&e->memory, n + n * r, Expr);
    double *values = arena_doubles(&e->memory, n + n * r), *lambda = arena_doubles(&e->memory, r);
    Status status = arena_status(&e->memory, err);

    for (size_t i = 0; status == OK && i < n; i++) {
        roots[i] = forces[i];
        for (size_t k = 0; k < r; k++)
            roots[n + i * r + k] = row_of(e, k)[i];
    }
    if (status == OK) {
        enclosed_on_motion(e, roots + n, n * r);
        status = expr_eval(e->pool, roots, n + n * r, e->symbols, values, err);
    }
    /* solve for the multipliers by least squares */
    if (status == OK)
        status = dense_least_norm(values + n, n, r, values, ACCURACY_SOLVED, lambda, err);
    for (size_t k = 0; status == OK && k < r; k++)
        set_symbol(e, multiplier(e, k), lambda[k]);
    return status;
}

/* Whether the expression vanishes for these parameter values once it is multiplied out. */
static bool is_identity(Enclosed *e, Expr root)
{
    const Model *model = e->x->context->model;
    Expr *values = ARENA_NEW(&e->memory, model->n_params, Expr);

    for (size_t k = 0; values && k < model->n_params; k++)
        values[k] = expr_given(e->pool, e->x->context->params[k]);
    if (values && model->n_params)
        expr_substitute(e->pool, &root, 1, model->sym.params, values, model->n_params, &root);
    expr_expand(e->pool, &root, 1, &root);
    return expr_vanishes(e->pool, root);
}

/* If the forces have no power along the motion at any state, one balance equation follows from the
 * others. *ret: that of the coordinate that moves fastest, or n: none. */
static Status find_redundant(Enclosed *e, const Expr *forces, size_t *ret, Error *err)
{
    const Equilibrium *x = e->x;
    const size_t n = x->n;
    Expr *power = ARENA_NEW(&e->memory, n, Expr);
    size_t fastest = 0;
    bool holds = false;
    Status status = arena_status(&e->memory, err);

    for (size_t i = 0; i < n; i++)
        if (fabs(x->v[i]) > fabs(x->v[fastest]))
            fastest = i;
    if (status == OK && x->s && x->context->n_rows == 0 && x->v[fastest] != 0 &&
        !is_identity(e, forces[fastest])) {
        /* test the identity: power = sum of u_i times force_i */
        for (size_t i = 0; i < n; i++)
            power[i] = expr_mul(e->pool, e->u[i], forces[i]);
        status = exact_vanishes(&e->place, 0, power, n, &holds, err);
    }
    *ret = holds ? fastest : n;
    return status;
}

/* Lists the conditions that are not identities, g[ret_count]. *ret_balanced: no force acts. */
static Status list_conditions(Enclosed *e, Expr *g, size_t *ret_count, bool *ret_balanced,
                              Error *err)
{
    const size_t n = e->x->n, r = e->x->context->n_rows;
    Expr *all = ARENA_NEW(&e->memory, n + r, Expr);
    size_t count = 0, redundant = n;
    Status status = arena_status(&e->memory, err);
    if (status != OK)
        return status;

    /* forces, with those of constraints if any act */
    build_forces(e, all);
    enclosed_on_motion(e, all, n);
    status = guess_multipliers(e, all, err);
    if (status == OK)
        status = find_redundant(e, all, &redundant, err);
    *ret_balanced = true;
    for (size_t i = 0; i < n; i++)
        *ret_balanced = *ret_balanced && is_identity(e, all[i]);
    if (!*ret_balanced)
        enclosed_balance(e, all);
    for (size_t k = 0; k < r; k++)
        all[n + k] = constraint(e, k)->phi;
    enclosed_on_motion(e, all + n, r);
    for (size_t i = *ret_balanced ? n : 0; i < n + r; i++)
        if ((i != redundant || i == n) && !is_identity(e, all[i]))
            g[count++] = all[i];
    for (size_t k = 0; k < r; k++)
        if (constraint(e, k)->kind == CONSTRAINT_HOLONOMIC)
            g[count++] = constraint(e, k)->f;
    *ret_count = count;
    return status;
}

/* One stage: the conditions, with q, c and the multipliers as unknowns. */
static Status solve_conditions(Enclosed *e, Error *err)
{
    const Equilibrium *x = e->x;
    const Model *model = x->context->model;
    const size_t n = x->n, r = x->context->n_rows;
    Expr *unknowns = ARENA_NEW(&e->memory, n + x->s + r, Expr);
    Expr *g = ARENA_NEW(&e->memory, n + 2 * r, Expr);
    const size_t family = x->family.dimension - x->family.n_idle;
    double *sizes = arena_doubles(&e->memory, n + x->s + r);
    size_t n_unknowns = n, count = 0;
    bool balanced = true;
    Status status = arena_status(&e->memory, err);

    if (status == OK)
        status = list_conditions(e, g, &count, &balanced, err);
    if (status != OK)
        return status;
    /* unknowns: q, c of generators that move something, multipliers unless none is needed */
    memcpy(unknowns, model->sym.q, n * sizeof *unknowns);
    memcpy(sizes, x->scales.unit, n * sizeof *sizes);
    for (size_t a = 0; a < x->s; a++) {
        if (x->family.idle[a])
            add_known(e, e->c[a], x->c[a]);
        sizes[n_unknowns] = x->scales.unit[n + a];
        unknowns[n_unknowns] = e->c[a];
        n_unknowns += !x->family.idle[a];
    }
    memset(sizes + n_unknowns, 0, r * sizeof *sizes);
    for (size_t k = 0; k < r; k++) {
        if (balanced)
            set_symbol(e, multiplier(e, k), 0);
        else
            unknowns[n_unknowns++] = multiplier(e, k);
    }
    /* one stage; it is regular if as many directions are free as the family has */
    Expr *jacobian = ARENA_NEW(&e->memory, count * n_unknowns, Expr);
    if (jacobian)
        expr_jacobian(e->pool, g, count, unknowns, n_unknowns, jacobian);
    e->stages[0] = (ExactStage){.n_unknowns = n_unknowns,
                                .n_equations = count,
                                .unknowns = unknowns,
                                .equations = g,
                                .jacobian = jacobian};
    e->place.n_stages = 1;
    e->regular = count + family == n_unknowns;
    status = arena_status(&e->memory, err);
    if (status != OK || !x->family.sharp || family >= n_unknowns || count + family <= n_unknowns)
        return status;
    /* more conditions than free directions: some may follow from the others */
    for (size_t i = 0; i < n_unknowns; i++)
        sizes[i] = fmax(fabs(e->symbols[expr_node(e->pool, unknowns[i]).symbol]), sizes[i]);
    const ConditionSet conditions = {
        .pool = e->pool, .problem = &e->place, .family = family, .sizes = sizes};
    return conditions_reduce(&conditions, &e->stages[0], &e->memory, &e->regular, err);
}

/* Stages 1 and 2: q and c by the equations that the set needs; other q and c are known. */
static Status solve_places(Enclosed *e, const FamilySet *set, Error *err)
{
    const Equilibrium *x = e->x;
    const size_t n = x->n, r = x->context->n_rows;
    Expr *free_q = ARENA_NEW(&e->memory, n, Expr), *free_c = ARENA_NEW(&e->memory, x->s, Expr);
    Expr *f = ARENA_NEW(&e->memory, r, Expr), *f_q = ARENA_NEW(&e->memory, r * n, Expr);
    Expr *phi = ARENA_NEW(&e->memory, r, Expr), *phi_c = ARENA_NEW(&e->memory, r * x->s, Expr);
    size_t n_q = 0, n_c = 0, n_f = 0, n_phi = 0;
    Status status = arena_status(&e->memory, err);
    if (status != OK)
        return status;

    /* unknowns: the q and c that move along the set; the others have known values */
    for (size_t i = 0; i < n + x->s; i++) {
        const Expr symbol = i < n ? x->context->model->sym.q[i] : e->c[i - n];
        if (set->moves[i])
            *(i < n ? &free_q[n_q++] : &free_c[n_c++]) = symbol;
        else
            add_known(e, symbol, set->values[i]);
    }
    /* the equations that the set uses: f for q, then phi for c */
    for (size_t k = 0; k < r; k++) {
        if (set->uses_f[k])
            f[n_f++] = constraint(e, k)->f;
        if (set->uses_phi[k])
            phi[n_phi++] = constraint(e, k)->phi;
    }
    enclosed_on_motion(e, phi, n_phi);
    expr_jacobian(e->pool, f, n_f, free_q, n_q, f_q);
    expr_jacobian(e->pool, phi, n_phi, free_c, n_c, phi_c);
    e->stages[0] = (ExactStage){
        .n_unknowns = n_q, .n_equations = n_f, .unknowns = free_q, .equations = f, .jacobian = f_q};
    e->stages[1] = (ExactStage){.n_unknowns = n_c,
                                .n_equations = n_phi,
                                .unknowns = free_c,
                                .equations = phi,
                                .jacobian = phi_c,
                                .linear = true};
    return OK;
}

/* The multipliers by the equations of motion: the third stage. */
static Status solve_multipliers(Enclosed *e, Error *err)
{
    const size_t size = e->x->n + e->x->context->n_rows;
    Expr *stage = acceleration_stage(e->x->context, e->pool, &e->memory, &e->stages[2]);

    if (stage)
        enclosed_on_motion(e, stage, size + size * size);
    return arena_status(&e->memory, err);
}

static Status solve_set(Enclosed *e, const FamilySet *set, Error *err)
{
    Status status = solve_places(e, set, err);

    e->place.n_stages = 3;
    e->regular = true;
    e->at_known = true;
    for (size_t i = 0; i < e->x->n + e->x->s; i++)
        e->at_known = e->at_known && !set->moves[i];
    return status == OK ? solve_multipliers(e, err) : status;
}

Status enclosed_init(Enclosed *e, const Equilibrium *x, const size_t *fields, const FamilySet *set,
                     Error *err)
{
    const Model *model = x->context->model;

    *e = (Enclosed){.x = x, .pool = expr_pool_clone(model->pool)};
    if (!e->pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    e->c = ARENA_NEW(&e->memory, x->s, Expr);
    e->u = ARENA_NEW(&e->memory, 2 * x->n, Expr);
    e->symbols = arena_doubles(&e->memory, model->sym.first_free + x->s);
    Status status =
        equilibrium_problem(x, e->pool, x->n + x->s, &e->memory, &e->known, &e->place, err);
    if (status != OK)
        return status;
    /* describe the place, then build u and w = u_q u */
    e->place.stages = e->stages;
    e->place.symbols = e->symbols;
    e->place.n_symbols = model->sym.first_free + x->s;
    equilibrium_symbols(x, e->symbols);
    for (size_t a = 0; a < x->s; a++)
        e->c[a] = expr_symbol(e->pool, model->sym.first_free + (uint32_t)a);
    drift_build(e->pool, model, fields, x->s, e->c, e->u);
    expr_substitute(e->pool, e->u + x->n, x->n, model->sym.v, e->u, x->n, e->u + x->n);
    status = set ? solve_set(e, set, err) : solve_conditions(e, err);
    return status == OK ? expr_pool_status(e->pool, err) : status;
}

/* ret[n] = x[n] B[n][n] */
static void multiply(const Enclosed *e, const Expr *x, const Expr *B, Expr *ret)
{
    const size_t n = e->x->n;

    for (size_t j = 0; j < n; j++) {
        ret[j] = expr_const(e->pool, 0);
        for (size_t i = 0; i < n; i++)
            ret[j] = expr_add(e->pool, ret[j], expr_mul(e->pool, x[i], B[i * n + j]));
    }
}

static void add_to(const Enclosed *e, Expr *row, double times, const Expr *more)
{
    for (size_t j = 0; j < e->x->n; j++)
        row[j] = expr_add(e->pool, row[j], expr_scale(e->pool, times, more[j]));
}

/* Expressions from which the rows of P are made. */
typedef struct Parts {
    Expr *U, *S;           /* n x n: S with U^2 */
    Expr *G;               /* n */
    Expr *slopes, *turned; /* n: scratch */
    Expr *P0, *P1, *P2;    /* size x size */
} Parts;

static Status parts_init(const Enclosed *e, Parts *p, Arena *scratch, Error *err)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n;
    Expr *along = ARENA_NEW(scratch, n, Expr);

    p->U = ARENA_NEW(scratch, n * n, Expr);
    p->S = ARENA_NEW(scratch, n * n, Expr);
    p->G = ARENA_NEW(scratch, n, Expr);
    p->slopes = ARENA_NEW(scratch, n, Expr);
    p->turned = ARENA_NEW(scratch, n, Expr);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* U = u_q and S = (u_q v)_q */
    build_balance(e, p->G);
    expr_directional(e->pool, e->u, n, model->sym.q, model->sym.v, n, along);
    expr_jacobian(e->pool, e->u, n, model->sym.q, n, p->U);
    expr_jacobian(e->pool, along, n, model->sym.q, n, p->S);
    for (size_t i = 0; i < n; i++) {
        multiply(e, p->U + i * n, p->U, p->turned);
        add_to(e, p->S + i * n, 1, p->turned);
    }
    return OK;
}

/* M (s^2 + 2 s U + U^2 + S) + G_v (s + U) + G_q, -A^T */
static void add_force_row(const Enclosed *e, const Parts *p, size_t i)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n, r = e->x->context->n_rows, at = i * (n + r);

    add_to(e, p->P2 + at, 1, model->M + i * n);
    multiply(e, model->M + i * n, p->U, p->turned);
    add_to(e, p->P1 + at, 2, p->turned);
    multiply(e, model->M + i * n, p->S, p->turned);
    add_to(e, p->P0 + at, 1, p->turned);
    expr_gradient(e->pool, p->G[i], model->sym.v, n, p->slopes);
    add_to(e, p->P1 + at, 1, p->slopes);
    multiply(e, p->slopes, p->U, p->turned);
    add_to(e, p->P0 + at, 1, p->turned);
    expr_gradient(e->pool, p->G[i], model->sym.q, n, p->slopes);
    add_to(e, p->P0 + at, 1, p->slopes);
    for (size_t k = 0; k < r; k++)
        p->P0[at + n + k] = expr_neg(e->pool, row_of(e, k)[i]);
}

/* A (s + U) + phi_q, or f_q */
static void add_constraint_row(const Enclosed *e, const Parts *p, size_t k)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n, at = (n + k) * (n + e->x->context->n_rows);

    if (constraint(e, k)->kind == CONSTRAINT_HOLONOMIC) {
        add_to(e, p->P0 + at, 1, row_of(e, k));
        return;
    }
    add_to(e, p->P1 + at, 1, row_of(e, k));
    multiply(e, row_of(e, k), p->U, p->turned);
    add_to(e, p->P0 + at, 1, p->turned);
    expr_gradient(e->pool, constraint(e, k)->phi, model->sym.q, n, p->slopes);
    add_to(e, p->P0 + at, 1, p->slopes);
}

/* P0, P1, P2 in ret[3][size][size], which holds zeros. */
static Status build_pencil(const Enclosed *e, Arena *scratch, Expr *ret, Error *err)
{
    const size_t n = e->x->n, r = e->x->context->n_rows, block = (n + r) * (n + r);
    Parts parts = {.P0 = ret, .P1 = ret + block, .P2 = ret + 2 * block};
    const Status status = parts_init(e, &parts, scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < n; i++)
        add_force_row(e, &parts, i);
    for (size_t k = 0; k < r; k++)
        add_constraint_row(e, &parts, k);
    enclosed_on_motion(e, ret, 3 * block);
    return expr_pool_status(e->pool, err);
}

Status enclosed_has_rank(Enclosed *e, bool *ret, Error *err)
{
    const Equilibrium *x = e->x;
    const size_t n = x->n, r = x->context->n_rows, most = n + x->s + r;
    Arena scratch = {0};
    Expr *unknowns = ARENA_NEW(&scratch, most, Expr), *g = ARENA_NEW(&scratch, n + 2 * r, Expr);
    Expr *slopes = ARENA_NEW(&scratch, (n + 2 * r) * most, Expr);
    size_t m = n, count = n;
    ExactRank reached = {0};
    Status status = arena_status(&scratch, err);

    /* rows: forces, constraints; columns: coordinates, rates that move something, multipliers */
    *ret = false;
    if (status == OK) {
        memcpy(unknowns, x->context->model->sym.q, n * sizeof *unknowns);
        build_balance(e, g);
        for (size_t a = 0; a < x->s; a++)
            if (!x->family.idle[a])
                unknowns[m++] = e->c[a];
        for (size_t k = 0; k < r; k++) {
            unknowns[m++] = multiplier(e, k);
            g[count++] = constraint(e, k)->phi;
            if (constraint(e, k)->kind == CONSTRAINT_HOLONOMIC)
                g[count++] = constraint(e, k)->f;
        }
        enclosed_on_motion(e, g, count);
        expr_jacobian(e->pool, g, count, unknowns, m, slopes);
        status = expr_pool_status(e->pool, err);
    }
    /* the rank has to leave exactly the family's dimension */
    const size_t wanted = m - (x->family.dimension - x->family.n_idle);
    const ExactMatrix matrix = {
        .problem = exact_about(&e->place, slopes, count * m), .columns = m, .copies = 1};
    if (status == OK && wanted)
        status = exact_rank_least(&matrix, wanted, &reached, err);
    *ret = status == OK && reached.rank == wanted;
    arena_done(&scratch);
    return status;
}

Status enclosed_roots(Enclosed *e, double line, size_t zeros, ExactRoots *ret, Error *err)
{
    const size_t size = e->x->n + e->x->context->n_rows, count = 3 * size * size;
    Arena scratch = {0};
    Expr *terms = ARENA_NEW(&scratch, count, Expr);
    Status status = arena_status(&scratch, err);

    /* the pencil P0 + s P1 + s^2 P2, zero before it is filled */
    for (size_t k = 0; status == OK && k < count; k++)
        terms[k] = expr_const(e->pool, 0);
    if (status == OK)
        status = build_pencil(e, &scratch, terms, err);
    if (status == OK) {
        const ExactPencil pencil = {.problem = exact_about(&e->place, terms, count),
                                    .size = size,
                                    .degree = e->x->local->d,
                                    .zeros = zeros};
        status = exact_roots(&pencil, line, ret, err);
    }
    arena_done(&scratch);
    return status;
}

Status enclosed_positive(Enclosed *e, const Expr *form, size_t m, const Expr *rows, size_t n_rows,
                         bool *ret, Error *err)
{
    const size_t count = m * m + n_rows * m;
    Arena scratch = {0};
    Expr *terms = ARENA_NEW(&scratch, count, Expr);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        /* the form, then the rows that bind its argument, on the motion */
        memcpy(terms, form, m * m * sizeof *terms);
        if (n_rows)
            memcpy(terms + m * m, rows, n_rows * m * sizeof *terms);
        enclosed_on_motion(e, terms, count);
        status = expr_pool_status(e->pool, err);
    }
    if (status == OK) {
        const ExactProblem problem = exact_about(&e->place, terms, count);
        status = exact_positive(&problem, m, n_rows, ret, err);
    }
    arena_done(&scratch);
    return status;
}

bool enclosed_is_natural(const Enclosed *e)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n;
    bool result = true;

    for (size_t i = 0; i < n; i++) {
        Expr p =
            expr_sub(e->pool, model->p[i], expr_dot(e->pool, n, model->M + i * n, model->sym.v));
        expr_expand(e->pool, &p, 1, &p);
        result = result && expr_vanishes(e->pool, p);
    }
    return result;
}

Status enclosed_minimum(Enclosed *e, size_t held, bool *ret, Error *err)
{
    const Model *model = e->x->context->model;
    const size_t n = e->x->n, r = e->x->context->n_rows;
    Arena scratch = {0};
    Expr *G = ARENA_NEW(&scratch, n, Expr), *G_q = ARENA_NEW(&scratch, n * n, Expr);
    Expr *rows = ARENA_NEW(&scratch, (r + 1) * n, Expr);
    Status status = arena_status(&scratch, err);

    *ret = false;
    if (status == OK) {
        /* the form G_q and the rows of A; behind them a row that fixes a coordinate */
        enclosed_balance(e, G);
        expr_jacobian(e->pool, G, n, model->sym.q, n, G_q);
        for (size_t i = 0; i < n; i++)
            rows[r * n + i] = expr_const(e->pool, i == held);
        for (size_t k = 0; k < r; k++)
            memcpy(rows + k * n, row_of(e, k), n * sizeof *rows);
        status = enclosed_positive(e, G_q, n, rows, r + (held < n), ret, err);
    }
    /* the masses have to be positive definite, too */
    if (status == OK && *ret)
        status = enclosed_positive(e, model->M, n, rows, r, ret, err);
    arena_done(&scratch);
    return status;
}

Status enclosed_jump(Enclosed *e, Expr *ret_guard, Error *err)
{
    Expr guards[LOCAL_MOST_GUARDS];
    size_t n = 0;
    Status status = local_jumps(e->x->context, e->pool, guards, &n, err);

    *ret_guard = EXPR_NONE;
    for (size_t k = 0; status == OK && k < n && expr_is_none(*ret_guard); k++) {
        /* whether the equilibrium is proved not to lie on its zero set */
        Expr guard = guards[k];
        bool beside;
        enclosed_on_motion(e, &guard, 1);
        status = exact_differs(&e->place, guard, &beside, err);
        if (!beside)
            *ret_guard = guards[k];
    }
    return status;
}
