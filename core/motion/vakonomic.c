/* Vakonomic mechanics: the action made stationary among the curves that satisfy the constraints.
 *
 * The multipliers mu are dynamical variables, with Lhat = L - mu_a phi_a in the place of L (V. V.
 * Kozlov, Dynamics of systems with nonintegrable constraints I-III, 1982-83; V. I. Arnold,
 * V. V. Kozlov, A. I. Neishtadt, Mathematical Aspects of Classical and Celestial Mechanics, 1.4):
 *
 *     Mhat = M - mu_a phi_a,vv          lhat = l - mu_a (phi_a,vq v + phi_a,vt - phi_a,q)
 *
 *     [ Mhat  -A^T ] [ vdot  ]   [ F - lhat ]
 *     [ A       0  ] [ mudot ] = [ -psi     ]            A = phi_v
 *
 * The state is (q, v, mu); mu(0) is free. A holonomic entry stands for phi = df/dt, of which
 * nothing is left in Mhat and lhat. For constraints that are affine in the velocities Mhat = M and
 * every elimination serves; for others Mhat depends on mu and need not be definite. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/motion/formulation.h"

typedef struct Terms {
    Expr *block;
    Expr *M, *l;      /* n x n, n: of Lhat */
    Expr *b;          /* n: F - lhat */
    Expr *A, *psi;    /* r x n, r: of the rows in use */
    Expr *symbols;    /* q, t */
    Expr *directions; /* v, 1: along them phi_vq v + phi_vt */
    Expr *row;        /* n */
} Terms;

static bool terms_init(ExprPool *pool, const Model *model, const MotionOptions *options,
                       Terms *terms)
{
    const size_t n = model->n, r = options->n_rows;

    const BlockPart parts[] = {{&terms->M, n * n},       {&terms->l, n},
                               {&terms->b, n},           {&terms->A, r * n},
                               {&terms->psi, r},         {&terms->row, n},
                               {&terms->symbols, n + 1}, {&terms->directions, n + 1}};
    terms->block = alloc_block(sizeof *terms->block, parts, sizeof parts / sizeof *parts);
    if (!terms->block)
        return false;
    memcpy(terms->M, model->M, n * n * sizeof *terms->M);
    memcpy(terms->l, model->l, n * sizeof *terms->l);
    for (size_t k = 0; k < r; k++) {
        memcpy(terms->A + k * n, model->A + options->rows[k] * n, n * sizeof *terms->A);
        terms->psi[k] = model->constraints[options->rows[k]].psi;
    }
    memcpy(terms->symbols, model->q, n * sizeof *terms->symbols);
    memcpy(terms->directions, model->v, n * sizeof *terms->directions);
    terms->symbols[n] = model->t;
    terms->directions[n] = expr_const(pool, 1);
    return true;
}

/* Takes mu_a phi_a out of M and l, where it is not holonomic. */
static void subtract_constraint(ExprPool *pool, const Model *model, const Constraint *c,
                                const Expr *A, Expr mu, Terms *terms)
{
    const size_t n = model->n;
    Expr *row = terms->row;

    for (size_t i = 0; c->kind == CONSTRAINT_NONLINEAR && i < n; i++) {
        expr_gradient(pool, A[i], model->v, n, row);
        for (size_t j = 0; j < n; j++)
            terms->M[i * n + j] = expr_sub(pool, terms->M[i * n + j], expr_mul(pool, mu, row[j]));
    }
    expr_directional(pool, A, n, terms->symbols, terms->directions, n + 1, row);
    for (size_t i = 0; i < n; i++) {
        Expr curl = expr_sub(pool, row[i], expr_diff(pool, c->phi, model->q[i]));
        terms->l[i] = expr_sub(pool, terms->l[i], expr_mul(pool, mu, curl));
    }
}

/* (F + R).v - L_t with R = M vdot + l - F = A^T mudot + (M - Mhat) vdot + l - lhat. */
static Expr power(ExprPool *pool, const Model *model, const MotionOptions *options,
                  const Terms *terms, const Equations *eq)
{
    const size_t n = model->n;
    Expr sum = expr_sub(pool, expr_dot(pool, n, model->F, model->v), model->L_t);

    for (size_t k = 0; k < options->n_rows; k++) {
        if (model->constraints[options->rows[k]].homogeneous)
            continue; /* A v = 0 on phi = 0 */
        Expr rate = expr_dot(pool, n, terms->A + k * n, model->v);
        sum = expr_add(pool, sum, expr_mul(pool, eq->lambda_rate[k], rate));
    }
    for (size_t i = 0; i < n; i++) {
        Expr force = expr_sub(pool, model->l[i], terms->l[i]);
        for (size_t j = 0; j < n; j++) {
            Expr excess = expr_sub(pool, model->M[i * n + j], terms->M[i * n + j]);
            force = expr_add(pool, force, expr_mul(pool, excess, eq->vdot[j]));
        }
        sum = expr_add(pool, sum, expr_mul(pool, force, model->v[i]));
    }
    return sum;
}

static void place_state(const Model *model, const MotionOptions *options, Equations *eq)
{
    const size_t n = model->n, r = options->n_rows;

    for (size_t i = 0; i < n; i++) {
        eq->state[i] = eq->q[i] = eq->restate[i] = model->q[i];
        eq->state[n + i] = eq->v[i] = eq->restate[n + i] = model->v[i];
    }
    for (size_t k = 0; k < r; k++)
        eq->state[2 * n + k] = eq->lambda[k] = eq->restate[2 * n + k] =
            model->lambda[options->rows[k]];
}

static Status derive(const Model *model, const MotionOptions *options, Equations *eq, Error *err)
{
    const size_t n = model->n, r = options->n_rows;
    Terms terms = {0};
    Status status = equations_init(eq, model, r, 2 * n + r, err);
    if (status != OK)
        return status;

    ExprPool *pool = eq->pool;
    place_state(model, options, eq);
    if (!terms_init(pool, model, options, &terms))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    bool fits = true;
    for (size_t k = 0; k < r; k++) {
        const Constraint *c = &model->constraints[options->rows[k]];
        if (c->kind == CONSTRAINT_HOLONOMIC)
            continue;
        subtract_constraint(pool, model, c, terms.A + k * n, eq->lambda[k], &terms);
        fits =
            fits && (c->kind != CONSTRAINT_NONLINEAR || options->elimination == ELIMINATE_PIVOTED);
    }
    for (size_t i = 0; i < n; i++)
        terms.b[i] = expr_sub(pool, model->F[i], terms.l[i]);
    KktSystem system = {.n = n, .r = r, .M = terms.M, .b = terms.b, .A = terms.A, .psi = terms.psi};
    KktSolution solution = {
        .vdot = eq->vdot, .lambda = eq->lambda_rate, .regularity = eq->regularity};
    fits = fits && eliminate_solve(pool, &system, options->elimination, &solution);
    if (fits) {
        eq->n_regularity = solution.n_regularity;
        memcpy(eq->rates, model->v, n * sizeof *eq->rates);
        memcpy(eq->rates + n, eq->vdot, n * sizeof *eq->rates);
        memcpy(eq->rates + 2 * n, eq->lambda_rate, r * sizeof *eq->rates);
        eq->power = power(pool, model, options, &terms, eq);
    }
    free(terms.block);
    return fits ? OK
                : error_set(err, ERR_NOT_FOUND, "the elimination '%s' does not fit this model",
                            elimination_name(options->elimination));
}

/* A redundant constraint leaves only sums of multipliers determined, and the motion depends on
 * these alone; which constraint carries which part would be a guess. */
static Status check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    const MotionOptions *options = question->options;
    Status status = OK;

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

/* The equations as a person reads them -------------------------------------------------------- */

typedef struct Page {
    Presentation *p;
    const Model *model;
    const MotionOptions *options;
    Terms terms;
    Expr *rates; /* a symbol for each mudot */
} Page;

static bool name_rates(Page *page)
{
    const Model *model = page->model;
    Arena *arena = page->p->arena;
    size_t n_names;
    char **latex = model_print_names(model, PRINT_LATEX, &n_names);

    for (size_t k = 0; latex && k < page->options->n_rows; k++) {
        const size_t a = page->options->rows[k];
        const char *mu = latex[expr_node(page->p->pool, model->lambda[a]).symbol];
        const char *text = arena_printf(arena, "dot(multiplier(%s))", model->constraints[a].name);
        const char *dotted = arena_printf(arena, "\\dot{%s}", mu);
        if (!text || !dotted) {
            free(latex);
            return false;
        }
        page->rates[k] = presentation_symbol(page->p, text, dotted);
    }
    free(latex);
    return latex != NULL;
}

/* Mhat vdot + lhat = F + A^T mudot */
static void print_motion(Page *page, size_t i)
{
    const Model *model = page->model;
    const Terms *terms = &page->terms;
    const size_t n = model->n;
    ExprPool *pool = page->p->pool;
    Expr lhs = expr_add(pool, expr_dot(pool, n, terms->M + i * n, model->vdot), terms->l[i]);
    Expr rhs = model->F[i];

    for (size_t k = 0; k < page->options->n_rows; k++)
        rhs = expr_add(pool, rhs, expr_mul(pool, terms->A[k * n + i], page->rates[k]));
    presentation_add(page->p, "motion", model->coordinate_names[i], lhs, rhs);
}

/* A vdot + psi = 0 */
static void print_acceleration(Page *page, size_t k)
{
    const Model *model = page->model;
    const size_t n = model->n;
    const Constraint *c = &model->constraints[page->options->rows[k]];
    ExprPool *pool = page->p->pool;
    Expr sum = expr_dot(pool, n, page->terms.A + k * n, model->vdot);

    presentation_add(page->p, "constraint_acceleration", c->name,
                     expr_add(pool, sum, page->terms.psi[k]), expr_const(pool, 0));
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
        const Expr *A = page->terms.A + k * n;
        Expr mu = model->lambda[a], phi = model->constraints[a].phi;
        Expr excess = expr_sub(pool, expr_dot(pool, n, A, model->v), phi);
        expr_expand(pool, &excess, 1, &excess); /* nothing is left of a linear constraint */
        for (size_t i = 0; i < n; i++)
            momenta[i] = expr_sub(pool, momenta[i], expr_mul(pool, mu, A[i]));
        L = expr_sub(pool, L, expr_mul(pool, mu, phi));
        E = expr_sub(pool, E, expr_mul(pool, mu, excess));
    }
    presentation_add(page->p, "extended_lagrangian", "Lhat", L, EXPR_NONE);
    for (size_t i = 0; i < n; i++)
        presentation_add(page->p, "momentum", model->coordinate_names[i], momenta[i], EXPR_NONE);
    presentation_add(page->p, "energy", "Ehat", E, EXPR_NONE);
}

static Status present(const Model *model, const MotionOptions *options, Presentation *p, Error *err)
{
    Page page = {.p = p, .model = model, .options = options};

    page.rates = alloc_array(options->n_rows, sizeof *page.rates);
    bool ok = page.rates && terms_init(p->pool, model, options, &page.terms) && name_rates(&page);
    for (size_t k = 0; ok && k < options->n_rows; k++) {
        const Constraint *c = &model->constraints[options->rows[k]];
        if (c->kind != CONSTRAINT_HOLONOMIC)
            subtract_constraint(p->pool, model, c, page.terms.A + k * model->n,
                                model->lambda[options->rows[k]], &page.terms);
    }
    for (size_t i = 0; ok && i < model->n; i++)
        print_motion(&page, i);
    for (size_t k = 0; ok && k < options->n_rows; k++)
        print_acceleration(&page, k);
    if (ok)
        print_extended(&page);
    free(page.rates);
    free(page.terms.block);
    return ok ? presentation_status(p, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
}

const Formulation formulation_vakonomic = {
    .name = "vakonomic",
    .title = "Vakonomic equations",
    .keeps_multipliers = true,
    .check = check,
    .present = present,
    .derive = derive,
};
