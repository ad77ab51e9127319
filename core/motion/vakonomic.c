/* Vakonomic mechanics: the action is stationary among the curves that satisfy the constraints.
 *
 * The multipliers mu are dynamical variables, with Lhat = L - mu_a phi_a in place of L (V. V.
 * Kozlov, Dynamics of systems with nonintegrable constraints I-III, 1982-83; V. I. Arnold, V. V.
 * Kozlov, A. I. Neishtadt, Mathematical Aspects of Classical and Celestial Mechanics, 1.4):
 *
 *     Mhat = M - mu_a phi_a,vv          lhat = l - mu_a (phi_a,vq v + phi_a,vt - phi_a,q)
 *
 *     [ Mhat  -A^T ] [ vdot  ]   [ F - lhat ]
 *     [ A       0  ] [ mudot ] = [ -psi     ]            A = phi_v
 *
 * The state is (q, v, mu); mu(0) is free. A holonomic entry stands for phi = df/dt, which
 * contributes nothing to Mhat and lhat. If all constraints are affine in the velocities, Mhat = M
 * and every elimination is possible. Otherwise Mhat depends on mu and need not be definite. */
#include <string.h>

#include "core/model/rates.h"
#include "core/motion/formulation.h"

typedef struct Terms {
    Expr *M, *l;      /* n x n, n: of Lhat */
    Expr *b;          /* n: F - lhat */
    Expr *row;        /* n */
    KktSystem system; /* of Mhat, b and the rows in use */
} Terms;

/* Subtracts mu_a phi_a from M and l, unless it is holonomic. */
static void subtract_constraint(ExprPool *pool, const Model *model, const Constraint *c,
                                const Expr *A, Expr mu, Terms *terms)
{
    const size_t n = model->n;
    Expr *row = terms->row;

    if (c->kind == CONSTRAINT_HOLONOMIC)
        return;
    for (size_t i = 0; c->kind == CONSTRAINT_NONLINEAR && i < n; i++) {
        expr_gradient(pool, A[i], model->sym.v, n, row);
        for (size_t j = 0; j < n; j++)
            terms->M[i * n + j] = expr_sub(pool, terms->M[i * n + j], expr_mul(pool, mu, row[j]));
    }
    /* phi_vq v + phi_vt - phi_q */
    rates_without_acceleration(pool, model, A, n, row);
    for (size_t i = 0; i < n; i++) {
        Expr curl = expr_sub(pool, row[i], expr_diff(pool, c->phi, model->sym.q[i]));
        terms->l[i] = expr_sub(pool, terms->l[i], expr_mul(pool, mu, curl));
    }
}

/* Mhat, lhat and the rest. */
static void terms_init(ExprPool *pool, const Model *model, const MotionOptions *options,
                       Terms *terms, Arena *arena)
{
    const size_t n = model->n;

    terms->M = ARENA_NEW(arena, n * n, Expr);
    terms->l = ARENA_NEW(arena, n, Expr);
    terms->b = ARENA_NEW(arena, n, Expr);
    terms->row = ARENA_NEW(arena, n, Expr);
    kkt_of_model(&terms->system, pool, model, options->rows, options->n_rows, arena);
    if (arena_failed(arena))
        return;
    memcpy(terms->M, model->M, n * n * sizeof *terms->M);
    memcpy(terms->l, model->l, n * sizeof *terms->l);
    for (size_t k = 0; k < options->n_rows; k++)
        subtract_constraint(pool, model, &model->constraints[options->rows[k]],
                            terms->system.A + k * n, model->sym.lambda[options->rows[k]], terms);
    /* the system of Mhat and F - lhat */
    for (size_t i = 0; i < n; i++)
        terms->b[i] = expr_sub(pool, model->F[i], terms->l[i]);
    terms->system.M = terms->M;
    terms->system.b = terms->b;
}

/* (F + R).v - L_t with R = M vdot + l - F = A^T mudot + (M - Mhat) vdot + l - lhat. */
static Expr vakonomic_power(ExprPool *pool, const Model *model, const MotionOptions *options,
                            const Terms *terms, const Equations *eq)
{
    const size_t n = model->n;
    Expr sum = equations_power(
        pool, model, options,
        &(PowerTerms){model->F, model->L_t, terms->system.A, model->sym.v, eq->lambda_rate});

    for (size_t i = 0; i < n; i++) {
        Expr force = expr_sub(pool, model->l[i], terms->l[i]);
        for (size_t j = 0; j < n; j++) {
            Expr excess = expr_sub(pool, model->M[i * n + j], terms->M[i * n + j]);
            force = expr_add(pool, force, expr_mul(pool, excess, eq->vdot[j]));
        }
        sum = expr_add(pool, sum, expr_mul(pool, force, model->sym.v[i]));
    }
    return sum;
}

static void place_state(const Model *model, const MotionOptions *options, Equations *eq)
{
    const size_t n = model->n, r = options->n_rows;

    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = eq->restate[i] = model->sym.q[i];
        eq->state[n + i] = eq->v[i] = eq->restate[n + i] = model->sym.v[i];
    }
    for (size_t k = 0; k < r; k++)
        eq->state[2 * n + k] = eq->lambda[k] = eq->restate[2 * n + k] =
            model->sym.lambda[options->rows[k]];
}

static Status vakonomic_derive(const Model *model, const MotionOptions *options, Equations *eq,
                               Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    Terms terms;
    Status status = equations_init(eq, model, r, 2 * n + r, err);
    if (status != OK)
        return status;

    ExprPool *pool = eq->pool;
    place_state(model, options, eq);
    terms_init(pool, model, options, &terms, &eq->arena);
    status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;
    /* if Mhat depends on mu, it need not be definite */
    const bool fits = options->elimination == ELIMINATE_PIVOTED ||
                      model_is_linear(model, options->rows, options->n_rows);
    KktSolution solution = {
        .vdot = eq->vdot, .lambda = eq->lambda_rate, .regularity = eq->regularity};
    if (!fits || !eliminate_solve(pool, &terms.system, options->elimination, &solution))
        return elimination_misfit(options->elimination, err);
    eq->n_regularity = solution.n_regularity;
    memcpy(eq->rates, model->sym.v, n * sizeof *eq->rates);
    memcpy(eq->rates + n, eq->vdot, n * sizeof *eq->rates);
    memcpy(eq->rates + 2 * n, eq->lambda_rate, r * sizeof *eq->rates);
    eq->power = vakonomic_power(pool, model, options, &terms, eq);
    return equations_status(eq, err);
}

/* Refuses redundant constraints. They leave only sums of multipliers determined, on which alone the
 * motion depends; the share of each constraint would be arbitrary. */
static Status vakonomic_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    const MotionOptions *options = question->options;
    Status status = OK;

    /* constraints that are not in use are redundant */
    for (size_t a = 0, k = 0; a < model->r; a++) {
        if (k < options->n_rows && options->rows[k] == a) {
            k++;
            continue;
        }
        diagnostics_add(diag, "/formulation", -1, "leave the constraint out",
                        "the constraint %.80s follows from the others, so that its multiplier, a "
                        "variable of vakonomic motion, has no meaning of its own",
                        model->constraints[a].name);
        status = error_set(err, ERR_INVALID, "the constraint %.80s is redundant",
                           model->constraints[a].name);
    }
    return status;
}

typedef struct Page {
    Presentation *p;
    const Model *model;
    const MotionOptions *options;
    Terms terms;
    Expr *rates; /* a symbol for each mudot */
} Page;

static void name_rates(Page *page)
{
    const Model *model = page->model;

    for (size_t k = 0; k < page->options->n_rows; k++)
        page->rates[k] = presentation_symbol(page->p, "dot(multiplier(@))", "\\dot{\\lambda_{@}}",
                                             &model->constraints[page->options->rows[k]].name);
}

/* Mhat vdot + lhat = F + A^T mudot */
static void print_motion(Page *page, size_t i)
{
    const Model *model = page->model;
    const Terms *terms = &page->terms;
    const size_t n = model->n;
    ExprPool *pool = page->p->pool;
    Expr lhs = expr_add(pool, expr_dot(pool, n, terms->M + i * n, model->sym.vdot), terms->l[i]);
    Expr rhs = model->F[i];

    for (size_t k = 0; k < page->options->n_rows; k++)
        rhs = expr_add(pool, rhs, expr_mul(pool, terms->system.A[k * n + i], page->rates[k]));
    presentation_add(page->p, "motion", model->names.coordinates[i], lhs, rhs);
}

/* A vdot + psi = 0 */
static void print_acceleration(Page *page, size_t k)
{
    const Model *model = page->model;
    const size_t n = model->n;
    const Constraint *c = &model->constraints[page->options->rows[k]];
    ExprPool *pool = page->p->pool;
    Expr sum = expr_dot(pool, n, page->terms.system.A + k * n, model->sym.vdot);

    presentation_add(page->p, "constraint_acceleration", c->name,
                     expr_add(pool, sum, page->terms.system.psi[k]), expr_const(pool, 0));
}

/* Lhat, its momenta and its energy v.Lhat_v - Lhat. */
static void print_extended(Page *page)
{
    const Model *model = page->model;
    const size_t n = model->n;
    ExprPool *pool = page->p->pool;
    Expr *momenta = page->terms.row, L = model->L, E = model->energy;

    memcpy(momenta, model->p, n * sizeof *momenta);
    for (size_t k = 0; k < page->options->n_rows; k++) {
        const size_t a = page->options->rows[k];
        const Expr *A = page->terms.system.A + k * n;
        Expr mu = model->sym.lambda[a], phi = model->constraints[a].phi;
        Expr excess = expr_sub(pool, expr_dot(pool, n, A, model->sym.v), phi);
        expr_expand(pool, &excess, 1, &excess); /* zero for a linear constraint */
        for (size_t i = 0; i < n; i++)
            momenta[i] = expr_sub(pool, momenta[i], expr_mul(pool, mu, A[i]));
        L = expr_sub(pool, L, expr_mul(pool, mu, phi));
        E = expr_sub(pool, E, expr_mul(pool, mu, excess));
    }
    presentation_add(page->p, "extended_lagrangian", "Lhat", L, EXPR_NONE);
    for (size_t i = 0; i < n; i++)
        presentation_add(page->p, "momentum", model->names.coordinates[i], momenta[i], EXPR_NONE);
    presentation_add(page->p, "energy", "Ehat", E, EXPR_NONE);
}

static Status vakonomic_present(const Model *model, const MotionOptions *options, Presentation *p,
                                Error *err)
{
    Page page = {.p = p, .model = model, .options = options};

    page.rates = ARENA_NEW(p->arena, options->n_rows, Expr);
    terms_init(p->pool, model, options, &page.terms, p->arena);
    if (arena_failed(p->arena))
        return arena_status(p->arena, err);
    name_rates(&page);
    for (size_t i = 0; i < model->n; i++)
        print_motion(&page, i);
    for (size_t k = 0; k < options->n_rows; k++)
        print_acceleration(&page, k);
    print_extended(&page);
    return presentation_status(p, err);
}

const Formulation formulation_vakonomic = {
    .name = "vakonomic",
    .title = "Vakonomic equations",
    .keeps_multipliers = true,
    .check = vakonomic_check,
    .present = vakonomic_present,
    .derive = vakonomic_derive,
};
