/* Hamilton's equations for a reader: in q and p if M^-1 is short, otherwise in q and the
 * velocities, with the definitions of the momenta. */
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/motion/hamiltonian/hamiltonian.h"

/* Most coordinates coupled by M for which M^-1 is printed: for more, it is too long. */
enum { CLOSED_MAX = 3 };

typedef struct Page {
    Presentation *p;
    const Model *model;
    Arena scratch;
    Expr *momenta;    /* n symbols p(x) */
    Expr *velocities; /* n: functions of the momenta if closed, else dot(x) */
    Expr *at_v;       /* block in terms of dot(x), until the velocities replace it: */
    Expr *force;      /* n: L_q + F + A^T lambda */
    Expr *phi;        /* r */
    Expr *energy;     /* 1: p.v - L */
    Expr *at_rest;    /* n + 1: work */
    bool closed;
} Page;

static Status page_init(Page *page, const Model *model, Presentation *presentation, Error *err)
{
    const size_t n = model->n;

    *page = (Page){.p = presentation, .model = model};
    page->momenta = ARENA_NEW(&page->scratch, n, Expr);
    page->velocities = ARENA_NEW(&page->scratch, n, Expr);
    page->at_v = page->force = ARENA_NEW(&page->scratch, n + model->r + 1, Expr);
    page->at_rest = ARENA_NEW(&page->scratch, n + 1, Expr);
    if (arena_failed(&page->scratch))
        return arena_status(&page->scratch, err);
    page->phi = page->force + n;
    page->energy = page->phi + model->r;
    return OK;
}

/* The number of coordinates that M couples with coordinate `from`, directly or through others, with
 * `from` itself; marks them in done[n]. */
static size_t coupled(const Model *model, size_t from, bool *done)
{
    const size_t n = model->n;
    size_t count = 1, before = 0;

    done[from] = true;
    while (before != count) {
        before = count;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; done[i] && j < n; j++)
                if (!done[j] && !expr_is_zero(model->pool, model->M[i * n + j])) {
                    done[j] = true;
                    count++;
                }
    }
    return count;
}

static Status decide_closed(Page *page, const MotionOptions *options, Error *err)
{
    const Model *model = page->model;
    bool *done = ARENA_NEW(&page->scratch, model->n, bool);
    Status status = done ? hamiltonian_is_natural(model, &page->closed, err)
                         : arena_status(&page->scratch, err);

    /* without a positive M, solutions need pivots */
    page->closed = page->closed && options->elimination != ELIMINATE_PIVOTED;
    for (size_t i = 0; status == OK && i < model->n; i++)
        if (!done[i])
            page->closed = coupled(model, i, done) <= CLOSED_MAX && page->closed;
    return status;
}

static Status find_velocities(Page *page, const MotionOptions *options, Error *err)
{
    const Model *model = page->model;
    Presentation *p = page->p;
    Status status = decide_closed(page, options, err);

    for (size_t i = 0; status == OK && i < model->n; i++) {
        page->momenta[i] = presentation_symbol(p, "p(@)", "p_{@}", &model->names.coordinates[i]);
        page->velocities[i] = page->closed ? expr_const(p->pool, 0) : model->sym.v[i];
    }
    if (status == OK && page->closed)
        hamiltonian_newton_step(p->pool, model, ELIMINATE_SCHUR, page->momenta, page->velocities,
                                &page->scratch);
    return status == OK ? arena_status(&page->scratch, err) : status;
}

/* H = (p - L_v).v / 2 - L, L_v and L at v = 0, if L is quadratic; else v.L_v - L. */
static void find_energy(Page *page)
{
    const Model *model = page->model;
    const size_t n = model->n;
    ExprPool *pool = page->p->pool;
    Expr *at_rest = page->at_rest;

    if (!page->closed)
        return;
    memcpy(at_rest, model->p, n * sizeof *at_rest);
    at_rest[n] = model->L;
    expr_substitute(pool, at_rest, n + 1, model->sym.v, NULL, n, at_rest);
    for (size_t i = 0; i < n; i++)
        at_rest[i] = expr_sub(pool, page->momenta[i], at_rest[i]);
    Expr kinetic = expr_scale(pool, 0.5, expr_dot(pool, n, at_rest, page->velocities));
    *page->energy = expr_sub(pool, kinetic, at_rest[n]);
}

static void find_terms(Page *page)
{
    const Model *model = page->model;
    const size_t n = model->n, r = model->r;
    ExprPool *pool = page->p->pool;

    expr_gradient(pool, model->L, model->sym.q, n, page->force);
    for (size_t i = 0; i < n; i++) {
        page->force[i] = expr_add(pool, page->force[i], model->F[i]);
        for (size_t a = 0; a < r; a++) {
            Expr part = expr_mul(pool, model->A[a * n + i], model->sym.lambda[a]);
            page->force[i] = expr_add(pool, page->force[i], part);
        }
    }
    /* constraints and energy, in momenta if closed */
    for (size_t a = 0; a < r; a++)
        page->phi[a] = model->constraints[a].phi;
    *page->energy = model->energy;
    if (page->closed)
        expr_substitute(pool, page->at_v, n + r + 1, model->sym.v, page->velocities, n, page->at_v);
}

static void print_page(Page *page)
{
    const Model *model = page->model;
    Presentation *p = page->p;

    for (size_t i = 0; i < model->n; i++)
        presentation_add(p, "momentum", model->names.coordinates[i], page->momenta[i], model->p[i]);
    presentation_add(p, "hamiltonian", "H", presentation_symbol(p, "H", "H", NULL), *page->energy);
    /* the canonical equations */
    for (size_t i = 0; page->closed && i < model->n; i++)
        presentation_add(p, "motion", model->names.coordinates[i], model->sym.v[i],
                         page->velocities[i]);
    for (size_t i = 0; i < model->n; i++) {
        const char *name = model->names.coordinates[i];
        const char *text = arena_printf(p->arena, "p(%s)", name);
        Expr rate = presentation_symbol(p, "dot(p(@))", "\\dot{p}_{@}", &name);
        presentation_add(p, "motion", text, rate, page->force[i]);
    }
    for (size_t a = 0; page->closed && a < model->r; a++)
        presentation_add(p, "constraint_in_momenta", model->constraints[a].name, page->phi[a],
                         expr_const(p->pool, 0));
}

Status hamiltonian_present(const Model *model, const MotionOptions *options,
                           Presentation *presentation, Error *err)
{
    Page page;
    Status status = page_init(&page, model, presentation, err);

    if (status == OK)
        status = find_velocities(&page, options, err);
    if (status == OK) {
        find_terms(&page);
        find_energy(&page);
        print_page(&page);
        status = presentation_status(presentation, err);
    }
    arena_done(&page.scratch);
    return status;
}
