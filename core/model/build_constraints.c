/* Constraints classified by their dependence on the velocities, and their derivatives. */
#include "core/expr/calculus/calculus.h"
#include "core/model/build.h"
#include "core/model/identities.h"
#include "core/model/rates.h"

static bool vanish(Builder *b, const Expr *e, size_t n)
{
    bool zero = true;
    for (size_t i = 0; i < n && zero; i++)
        zero = expr_is_zero(b->pool, e[i]);
    return zero || identity_zero(b->model, e, n);
}

/* True when the expressions really depend on the n symbols from this one on. */
static bool depends(Builder *b, const Expr *e, size_t n_e, Expr symbol, size_t n)
{
    const uint32_t first = builder_symbol(b, symbol);
    return builder_uses(b, e, n_e, first, n) && !identity_constant(b->model, e, n_e, first, n);
}

static Expr at_rest(Builder *b, Expr e)
{
    const Model *m = b->model;
    if (!builder_uses(b, &e, 1, builder_symbol(b, m->sym.v[0]), m->n))
        return e;
    Expr *zeros = builder_alloc(b, m->n, sizeof *zeros), rest = EXPR_NONE;
    if (!zeros)
        return EXPR_NONE;
    for (size_t i = 0; i < m->n; i++)
        zeros[i] = expr_const(b->pool, 0);
    expr_substitute(b->pool, &e, 1, m->sym.v, zeros, m->n, &rest);
    return rest;
}

/* phi = A v + rest: is the rest nonzero? An affine phi is defined at v = 0. */
static bool is_affine(Builder *b, Expr phi, const Expr *A)
{
    Expr rest = at_rest(b, phi);
    if (expr_is_none(rest) || expr_is_zero(b->pool, rest) || expr_is_const(b->pool, rest, NULL))
        return !expr_is_none(rest) && !expr_is_zero(b->pool, rest);
    Expr difference = expr_sub(b->pool, phi, expr_dot(b->pool, b->model->n, A, b->model->sym.v));
    return !vanish(b, &rest, 1) && !vanish(b, &difference, 1);
}

static ConstraintKind velocity_kind(Builder *b, Expr phi, const Expr *A)
{
    const Model *m = b->model;
    if (depends(b, A, m->n, m->sym.v[0], m->n))
        return CONSTRAINT_NONLINEAR;
    return is_affine(b, phi, A) ? CONSTRAINT_AFFINE : CONSTRAINT_LINEAR;
}

/* d e/dt along v, at vdot = 0. */
static Expr rate(Builder *b, Expr e)
{
    Expr result;

    rates_without_acceleration(b->pool, b->model, &e, 1, &result);
    return result;
}

static void build_holonomic(Builder *b, Constraint *c, Expr f, Expr *A, const char *pointer)
{
    const Model *m = b->model;

    c->kind = CONSTRAINT_HOLONOMIC;
    c->f = at_rest(b, f);
    expr_gradient(b->pool, c->f, m->sym.q, m->n, A);
    if (!builder_usable(b))
        return;
    if (vanish(b, A, m->n)) {
        diagnostics_add(b->diag, pointer, -1, NULL,
                        "the constraint %.80s contains no coordinate and no velocity, so it "
                        "constrains nothing",
                        c->name);
        return;
    }
    c->phi = rate(b, c->f);
    c->time_dependent = depends(b, &c->f, 1, m->sym.t, 1);
    c->homogeneous = !c->time_dependent; /* phi = f_q v + f_t */
}

static void build_nonholonomic(Builder *b, Constraint *c, Expr phi, const Expr *A)
{
    const Model *m = b->model;

    c->phi = phi;
    c->f = EXPR_NONE;
    c->kind = velocity_kind(b, phi, A);
    c->time_dependent = depends(b, &phi, 1, m->sym.t, 1);
    c->homogeneous = c->kind == CONSTRAINT_LINEAR ||
                     (c->kind == CONSTRAINT_NONLINEAR && identity_homogeneous(m, phi, A));
}

void build_constraint(Builder *b, size_t a, Expr equation)
{
    const Model *m = b->model;
    Constraint *c = &b->constraints[a];
    Expr *A = b->A + a * m->n;

    expr_gradient(b->pool, equation, m->sym.v, m->n, A);
    if (!builder_usable(b))
        return;
    if (vanish(b, A, m->n))
        build_holonomic(b, c, equation, A, b->document->constraints[a].pointer);
    else
        build_nonholonomic(b, c, equation, A);
    if (expr_is_none(c->phi))
        return; /* refused */
    if (c->kind == CONSTRAINT_HOLONOMIC)
        b->model->n_holonomic++;
    c->psi = rate(b, c->phi);
}
