/* Voronec's equations for a reader, with names for their parts. */
#include "core/expr/calculus/calculus.h"
#include "core/motion/voronec/voronec.h"

typedef struct Page {
    Presentation *p;
    const Model *model;
    const Voronec *w;
} Page;

static void print_velocities(Page *page)
{
    const Dependent *d = &page->w->d;
    const char **names = page->model->names.coordinates;
    const size_t n = d->n;

    for (size_t a = 0; a < n; a++) {
        if (!d->is_dep[a])
            continue;
        const size_t k = d->place[a];
        if (!d->implicit)
            presentation_add(page->p, "dependent_velocities", names[a], page->model->sym.v[a],
                             d->C[k]);
        for (size_t i = 0; d->implicit && i < d->m; i++)
            (void)presentation_name(page->p, "velocity_derivatives", "C[@](@)", "C^{@}_{@}",
                                    (const char *const[]){names[a], names[d->base[i]]},
                                    d->C_i[k * d->m + i]);
    }
}

static void print_lagrangian(Page *page)
{
    Presentation *p = page->p;

    /* an implicit C stays in L as its velocity */
    if (!page->w->d.implicit && page->w->d.r)
        presentation_add(p, "constrained_lagrangian", "L_c",
                         presentation_symbol(p, "L_c", "L_c", NULL), page->w->Lc);
}

/* K_a, in the order in which the constraints are solved. */
static void name_momenta(Page *page, Expr *ret_K)
{
    const Dependent *d = &page->w->d;

    for (size_t a = 0; a < d->n; a++)
        if (d->is_dep[a])
            ret_K[d->place[a]] =
                presentation_name(page->p, "dependent_momenta", "K[@]", "K_{@}",
                                  &page->model->names.coordinates[a], page->w->K[d->place[a]]);
}

/* R^a_i = A^a_ij u^j + A^a_i of one dependent coordinate, by the names of the coefficients. */
static void name_curvature(Page *page, size_t a, Expr *ret_R)
{
    const Dependent *d = &page->w->d;
    const size_t m = d->m, k = d->place[a];
    const char **names = page->model->names.coordinates;
    ExprPool *pool = page->p->pool;

    for (size_t i = 0; i < m; i++)
        ret_R[i] = expr_const(pool, 0);
    /* the coefficients A^a_ij, antisymmetric in i and j */
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++) {
            const char *const indices[] = {names[a], names[d->base[i]], names[d->base[j]]};
            Expr A = presentation_name(page->p, "curvature", "A[@](@,@)", "A^{@}_{@ @}", indices,
                                       page->w->curvature.space[(k * m + i) * m + j]);
            Expr ui = page->model->sym.v[d->base[i]], uj = page->model->sym.v[d->base[j]];
            ret_R[i] = expr_add(pool, ret_R[i], expr_mul(pool, A, uj));
            ret_R[j] = expr_sub(pool, ret_R[j], expr_mul(pool, A, ui));
        }
    for (size_t i = 0; i < m; i++) {
        const char *const indices[] = {names[a], names[d->base[i]]};
        Expr A = presentation_name(page->p, "curvature", "A[@](@,t)", "A^{@}_{@ t}", indices,
                                   page->w->curvature.time[k * m + i]);
        ret_R[i] = expr_add(pool, ret_R[i], A);
    }
}

static void name_pseudo_curvature(Page *page, size_t a, Expr *ret_R)
{
    const Dependent *d = &page->w->d;
    const char **names = page->model->names.coordinates;

    for (size_t i = 0; i < d->m; i++)
        ret_R[i] = presentation_name(page->p, "pseudo_curvature", "R[@](@)", "R^{@}_{@}",
                                     (const char *const[]){names[a], names[d->base[i]]},
                                     page->w->R[d->place[a] * d->m + i]);
}

/* D/Dt Lc_i - D_i Lc = Q_i + C^a_i Q_a + K_a R^a_i. */
static void print_affine_motion(Page *page, size_t i, Expr forces, Expr curvature)
{
    const Voronec *w = page->w;
    ExprPool *pool = page->p->pool;
    Expr lhs = expr_sub(pool, w->d_V[i], w->D[i]);

    for (size_t j = 0; j < w->d.m; j++)
        lhs = expr_add(pool, lhs,
                       expr_mul(pool, w->G[i * w->d.m + j], page->model->sym.vdot[w->d.base[j]]));
    expr_expand(pool, &lhs, 1, &lhs);
    presentation_add(page->p, "motion", page->model->names.coordinates[w->d.base[i]], lhs,
                     expr_add(pool, forces, curvature));
}

/* h_ij udot^j = F_i - K_a R^a_i. */
static void print_nonlinear_motion(Page *page, size_t i, Expr forces, Expr curvature)
{
    const Voronec *w = page->w;
    ExprPool *pool = page->p->pool;
    const char **names = page->model->names.coordinates, *x = names[w->d.base[i]];
    const size_t m = w->d.m;
    Expr lhs = expr_const(pool, 0);

    for (size_t j = 0; j < m; j++) {
        const size_t y = w->d.base[j];
        Expr h =
            presentation_name(page->p, "matrix_h", "h(@,@)", "h_{@ @}",
                              (const char *const[]){x, names[y]}, expr_neg(pool, w->G[i * m + j]));
        lhs = expr_add(pool, lhs, expr_mul(pool, h, page->model->sym.vdot[y]));
    }
    Expr F = expr_sub(pool, expr_sub(pool, w->d_V[i], w->D[i]), forces);
    F = presentation_name(page->p, "right_side_F", "F(@)", "F_{@}", &x, F);
    presentation_add(page->p, "motion", x, lhs, expr_sub(pool, F, curvature));
}

/* curvature[m]: K_a R^a_i by the names of both. */
static void print_curvature(Page *page, Expr *ret_curvature, Arena *scratch)
{
    const Dependent *d = &page->w->d;
    ExprPool *pool = page->p->pool;
    Expr *K = ARENA_NEW(scratch, d->r, Expr), *R = ARENA_NEW(scratch, d->m, Expr);
    if (arena_failed(scratch))
        return;

    name_momenta(page, K);
    for (size_t i = 0; i < d->m; i++)
        ret_curvature[i] = expr_const(pool, 0);
    /* the sum over the dependent coordinates; naming R prints its value, too */
    for (size_t a = 0; a < d->n; a++) {
        if (!d->is_dep[a])
            continue;
        if (d->affine)
            name_curvature(page, a, R);
        else
            name_pseudo_curvature(page, a, R);
        for (size_t i = 0; i < d->m; i++)
            ret_curvature[i] =
                expr_add(pool, ret_curvature[i], expr_mul(pool, K[d->place[a]], R[i]));
    }
}

static Status print_page(Page *page, Error *err)
{
    const Voronec *w = page->w;
    const Dependent *d = &w->d;
    Arena scratch = {0};
    Expr *F = ARENA_NEW(&scratch, d->n, Expr), *curvature = ARENA_NEW(&scratch, d->m, Expr);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        print_velocities(page);
        print_lagrangian(page);
        print_curvature(page, curvature, &scratch);
        /* forces on the constraints, then one equation for each base velocity */
        dependent_substitute(d, page->model->F, d->n, F);
        for (size_t i = 0; i < d->m; i++) {
            Expr forces = voronec_pull_back(w, F, i);
            if (d->affine)
                print_affine_motion(page, i, forces, curvature[i]);
            else
                print_nonlinear_motion(page, i, forces, curvature[i]);
        }
        status = arena_status(&scratch, err);
    }
    arena_done(&scratch);
    return status == OK ? presentation_status(page->p, err) : status;
}

Status voronec_present(const Model *model, const MotionOptions *options, Presentation *p,
                       Error *err)
{
    Voronec w;
    Status status = voronec_init(&w, p->pool, model, options, true, err);

    if (status == OK)
        status = print_page(&(Page){.p = p, .model = model, .w = &w}, err);
    voronec_done(&w);
    return status;
}
