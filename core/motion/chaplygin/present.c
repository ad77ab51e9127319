/* The parts of the reduction, for a reader: the lift, L_red with its parts K_red, Delta_red and
 * V_red, the terms of JK by their degree in the velocities, the reduced equations, and the
 * multiplier with the Lagrangian and the Hamiltonian in the new time. */
#include <string.h>

#include "core/motion/chaplygin/chaplygin.h"

typedef struct Page {
    Presentation *p;
    ExprPool *pool;
    const Model *model;
    Arena *scratch;
    const Reduction *red;
    Symmetric solver;
    Multiplier multiplier;
    bool *used;       /* model->sym.first_free */
    Expr *fixed;      /* r: symbols in place of the fiber coordinates */
    Expr *work;       /* m */
    Expr N, *x_prime; /* symbols; m */
    Expr *p_prime;    /* m: momenta of the new time */
    Error error;      /* of the first failure; code OK: none */
} Page;

/* The names of the i-th base coordinate and of the nu-th fiber coordinate. */
static const char *const *base_name(const Page *page, size_t i)
{
    return &page->model->names.coordinates[page->red->lift.base[i]];
}

static const char *const *fiber_name(const Page *page, size_t nu)
{
    return &page->model->names.coordinates[page->red->lift.dependent[nu]];
}

/* Replaces fiber coordinates in a reduced expression by symbols for an arbitrary point of the
 * fiber, because its value does not depend on that point. A symbol is made at its first use. */
static Expr page_freeze(Page *page, Expr e)
{
    const Reduction *red = page->red;
    const size_t n_symbols = page->model->sym.first_free;

    memset(page->used, 0, n_symbols * sizeof *page->used);
    if (expr_used_symbols(page->pool, &e, 1, page->used, n_symbols, &page->error) != OK)
        return EXPR_NONE;
    for (size_t nu = 0; nu < red->r; nu++)
        if (page->used[expr_node(page->pool, red->y[nu]).symbol] &&
            expr_same(page->fixed[nu], red->y[nu]))
            page->fixed[nu] =
                presentation_symbol(page->p, "@_fixed", "{@}^{\\circ}", fiber_name(page, nu));
    expr_substitute(page->pool, &e, 1, red->y, page->fixed, red->r, &e);
    return e;
}

/* e at xdot = 0; EXPR_NONE if it is not defined there. */
static Expr page_at_rest(Page *page, Expr e)
{
    if (!expr_substitute_finite(page->pool, &e, 1, page->red->xdot, NULL, page->red->m, &e))
        return EXPR_NONE;
    return e;
}

/* Adds "WHAT" = e, unless e is zero. */
static void page_add(Page *page, const char *role, const char *what, Expr e)
{
    e = page_freeze(page, e);
    if (!expr_is_zero(page->pool, e))
        presentation_add(page->p, role, what, e, EXPR_NONE);
}

/* The same for "WHAT[x]" of the i-th base coordinate x. */
static void page_add_along(Page *page, const char *role, const char *what, size_t i, Expr e)
{
    page_add(page, role, arena_printf(page->p->arena, "%s[%s]", what, *base_name(page, i)), e);
}

/* [xi_a, xi_b] as a combination of the generators, if their number is the dimension of the fiber
 * and they form a group, with the model's own parameters. */
static void add_brackets(Page *page, const double *constants)
{
    const Model *model = page->model;
    const size_t k = model->given.n_symmetries;
    Arena *arena = page->p->arena;
    Expr *generators = arena_alloc(arena, k, sizeof *generators);

    for (size_t a = 0; generators && a < k; a++)
        generators[a] = presentation_symbol(page->p, "@", "@", &model->given.symmetries[a].name);
    for (size_t a = 0; generators && a < k; a++)
        for (size_t b = a + 1; b < k; b++) {
            const char *const names[] = {model->given.symmetries[a].name,
                                         model->given.symmetries[b].name};
            const char *name = arena_printf(arena, "[%s, %s]", names[0], names[1]);
            Expr bracket = presentation_symbol(page->p, "[@, @]", "[@, @]", names);
            Expr sum = expr_sum(page->pool, k, constants + (a * k + b) * k, generators);
            presentation_add(page->p, "symmetry_group", name, bracket, sum);
        }
}

static Status add_group(Page *page, const MotionOptions *options, Error *err)
{
    const Model *model = page->model;
    const size_t n = model->n, k = model->given.n_symmetries;
    if (k < 2 || k != page->red->r)
        return OK;

    double *constants = arena_doubles(page->scratch, k * k * k);
    const double *zeros = arena_doubles(page->scratch, n);
    if (arena_failed(page->scratch))
        return arena_status(page->scratch, err);
    MotionQuestion question = {
        .model = model, .params = model->param_values, .q = zeros, .v = zeros, .options = options};
    bool closed;
    Status status = chaplygin_structure_constants(&question, page->red, constants, &closed, err);
    if (status == OK && closed)
        add_brackets(page, constants);
    return status;
}

static void add_lift(Page *page)
{
    const Reduction *red = page->red;

    for (size_t nu = 0; nu < red->r; nu++)
        presentation_add(page->p, "horizontal_lift", *fiber_name(page, nu), red->ydot[nu],
                         red->lift.ydot[nu]);
}

static void add_lagrangian(Page *page)
{
    const Reduction *red = page->red;
    const size_t m = red->m;
    bool natural = true;

    page_add(page, "reduced_lagrangian", "L_red", red->L);
    /* L_red has parts by degree if G does not depend on velocities */
    for (size_t k = 0; k < m * m; k++)
        natural = natural && expr_same(page_at_rest(page, red->G[k]), red->G[k]);
    if (!natural)
        return;
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++)
            page_add(page, "reduced_metric",
                     arena_printf(page->p->arena, "K_red[%s,%s]", *base_name(page, i),
                                  *base_name(page, j)),
                     red->G[i * m + j]);
    expr_gradient(page->pool, red->L, red->xdot, m, page->work);
    for (size_t i = 0; i < m; i++)
        page_add_along(page, "reduced_gyroscopic_form", "Delta_red", i,
                       page_at_rest(page, page->work[i]));
    page_add(page, "reduced_potential", "V_red", expr_neg(page->pool, page_at_rest(page, red->L)));
}

/* The parts of JK_i of degree 0, 1 and higher. */
static void add_terms(Page *page, size_t i)
{
    const Reduction *red = page->red;
    const size_t m = red->m;
    Expr constant = page_at_rest(page, red->JK[i]);

    expr_gradient(page->pool, red->JK[i], red->xdot, m, page->work);
    for (size_t j = 0; j < m; j++)
        page->work[j] = page_at_rest(page, page->work[j]);
    Expr linear = expr_dot(page->pool, m, page->work, red->xdot);
    Expr rest = expr_sub(page->pool, red->JK[i], expr_add(page->pool, linear, constant));
    expr_expand(page->pool, &rest, 1, &rest);
    page_add_along(page, "nonholonomic_term", "JK2", i, rest);
    page_add_along(page, "nonholonomic_term", "JK1", i, linear);
    page_add_along(page, "nonholonomic_term", "JK0", i, constant);
}

static void add_motion(Page *page, size_t i)
{
    const Reduction *red = page->red;
    Expr lhs = red->l[i];

    for (size_t j = 0; j < red->m; j++) {
        Expr xddot = page->model->sym.vdot[red->lift.base[j]];
        lhs = expr_add(page->pool, lhs, expr_mul(page->pool, red->G[i * red->m + j], xddot));
    }
    presentation_add(page->p, "motion", *base_name(page, i), page_freeze(page, lhs),
                     page_freeze(page, red->Pi[i]));
}

/* A name is printed unchanged in products and powers, so a quotient includes its parentheses. */
static void name_new_time(Page *page)
{
    for (size_t i = 0; i < page->red->m; i++)
        page->x_prime[i] =
            presentation_symbol(page->p, "(d(@)/d(tau))", "{@}'", base_name(page, i));
}

/* N^2 G(x', x')/2, and p.G^-1 p/(2 N^2) for the momenta of the new time. */
static Expr kinetic_energy(Page *page)
{
    const Reduction *red = page->red;
    Expr sum = expr_const(page->pool, 0);

    for (size_t i = 0; i < red->m; i++) {
        Expr p = expr_dot(page->pool, red->m, red->G + i * red->m, page->x_prime);
        sum = expr_add(page->pool, sum, expr_mul(page->pool, p, page->x_prime[i]));
    }
    sum = expr_mul(page->pool, sum, expr_mul(page->pool, page->N, page->N));
    return expr_scale(page->pool, 0.5, sum);
}

static Expr kinetic_hamiltonian(Page *page)
{
    const Reduction *red = page->red;
    Expr *p = page->p_prime;

    for (size_t i = 0; i < red->m; i++)
        p[i] = presentation_symbol(page->p, "p(@)", "p_{@}", base_name(page, i));
    symmetric_solve(&page->solver, p, page->work);
    Expr sum = expr_dot(page->pool, red->m, p, page->work);
    sum = expr_div(page->pool, sum, expr_mul(page->pool, page->N, page->N));
    return expr_scale(page->pool, 0.5, sum);
}

/* Forces on the new motion besides V_red: Pi without velocities, which has a potential, and that of
 * the time dependence of Delta_red, because L* leaves Delta_red out (closed if N is not 1). */
static void add_forces(Page *page, bool without_delta)
{
    const Reduction *red = page->red;

    for (size_t i = 0; i < red->m; i++) {
        Expr force = page_at_rest(page, red->Pi[i]);
        if (without_delta) {
            Expr delta = page_at_rest(page, expr_diff(page->pool, red->L, red->xdot[i]));
            force = expr_sub(page->pool, force, expr_diff(page->pool, delta, page->model->sym.t));
        }
        page_add_along(page, "new_time_force", "F", i, force);
    }
}

static void add_new_time(Page *page)
{
    const Reduction *red = page->red;
    Expr rate =
        reduction_multiplier_rate(red, page->multiplier, reduction_contraction(red, &page->solver));
    Expr log_rate = presentation_symbol(page->p, "dot(log(N))", "\\frac{d}{dt}\\ln N", NULL);
    Expr tau_rate = presentation_symbol(page->p, "dot(tau)", "\\dot{\\tau}", NULL);
    Expr V = expr_neg(page->pool, page_at_rest(page, red->L));

    page->N = presentation_symbol(page->p, "N", "N", NULL);
    presentation_add(page->p, "multiplier", "N", log_rate, page_freeze(page, rate));
    presentation_add(page->p, "multiplier", "tau", tau_rate, page->N);
    add_forces(page, true);
    name_new_time(page);
    page_add(page, "new_time_lagrangian", "L*", expr_sub(page->pool, kinetic_energy(page), V));
    page_add(page, "new_time_hamiltonian", "H*",
             expr_add(page->pool, kinetic_hamiltonian(page), V));
}

static void add_multiplier(Page *page, const char *note)
{
    Arena *arena = page->p->arena;

    if (page->multiplier == MULTIPLIER_ONE) {
        presentation_add(page->p, "multiplier", "N", presentation_symbol(page->p, "N", "N", NULL),
                         expr_const(page->pool, 1));
        add_forces(page, false);
    } else if (page->multiplier != MULTIPLIER_NONE) {
        add_new_time(page);
    } else if (note) {
        Expr text =
            presentation_symbol(page->p, note, arena_printf(arena, "\\text{%s}", note), NULL);
        presentation_add(page->p, "multiplier", "N", text, EXPR_NONE);
    }
}

static Status page_fill(Page *page, const MotionOptions *options, Error *err)
{
    const size_t m = page->red->m, r = page->red->r;

    page->fixed = ARENA_NEW(page->scratch, r, Expr);
    page->work = ARENA_NEW(page->scratch, m, Expr);
    page->x_prime = ARENA_NEW(page->scratch, m, Expr);
    page->p_prime = ARENA_NEW(page->scratch, m, Expr);
    page->used = ARENA_NEW(page->scratch, page->model->sym.first_free, bool);
    reduction_solver(page->red, options->elimination == ELIMINATE_PIVOTED, &page->solver);
    Status status = arena_status(page->scratch, err);
    if (status != OK)
        return status;
    memcpy(page->fixed, page->red->y, r * sizeof *page->fixed);

    /* write the page from top to bottom */
    status = add_group(page, options, err);
    if (status != OK)
        return status;
    add_lift(page);
    add_lagrangian(page);
    for (size_t i = 0; i < m; i++)
        add_terms(page, i);
    for (size_t i = 0; i < m; i++)
        add_motion(page, i);
    add_multiplier(page, options->note);
    return page->error.code == OK ? presentation_status(page->p, err)
                                  : error_set(err, page->error.code, "%s", page->error.message);
}

Status chaplygin_present(const Model *model, const MotionOptions *options, Presentation *p,
                         Error *err)
{
    Arena scratch = {0};
    Reduction red;
    Page page = {.p = p,
                 .pool = p->pool,
                 .model = model,
                 .scratch = &scratch,
                 .red = &red,
                 .multiplier = (Multiplier)options->choice};
    Status status = reduction_init(&red, p->pool, model, options, true, &scratch, err);

    if (status == OK)
        status = page_fill(&page, options, err);
    arena_done(&scratch);
    return status;
}
