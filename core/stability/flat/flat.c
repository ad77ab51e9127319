/* V and its derivatives, and the directions in which the second ones vanish. */
#include "core/stability/flat/flat.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/dense.h"

Status flat_init(Flat *d, Enclosed *e, Error *err)
{
    const Equilibrium *x = e->x;
    const Model *model = x->context->model;
    const size_t n = x->n;

    *d = (Flat){.e = e, .model = model, .n = n, .pool = e->pool};
    d->known = ARENA_NEW(&d->scratch, e->place.n_known, Expr);
    d->V_qq = ARENA_NEW(&d->scratch, n * n, Expr);
    d->basis = arena_doubles(&d->scratch, n * n);
    d->pivot = arena_sizes(&d->scratch, n);
    Expr *slopes = ARENA_NEW(&d->scratch, n, Expr), *rest = ARENA_NEW(&d->scratch, n, Expr);
    Status status = arena_status(&d->scratch, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < e->place.n_known; k++)
        d->known[k] = expr_given(e->pool, e->place.values[k]);
    /* at rest */
    for (size_t i = 0; i < n; i++)
        rest[i] = expr_const(e->pool, 0);
    d->V = expr_neg(e->pool, model->L);
    expr_substitute(e->pool, &d->V, 1, model->sym.v, rest, n, &d->V);
    expr_gradient(e->pool, d->V, model->sym.q, n, slopes);
    expr_jacobian(e->pool, slopes, n, model->sym.q, n, d->V_qq);
    return expr_pool_status(e->pool, err);
}

Expr flat_at_place(const Flat *d, Expr root)
{
    const ExactProblem *place = &d->e->place;

    expr_substitute(d->pool, &root, 1, place->known, d->known, place->n_known, &root);
    return root;
}

Status flat_number(const Flat *d, Expr e, double *ret, bool *ret_known, Error *err)
{
    ExactProblem place = d->e->place;

    place.n_stages = 0;
    return exact_value(&place, flat_at_place(d, e), ret, ret_known, err);
}

/* The directions as d->m columns of ret[n][n], if all second derivatives are known. */
static Status find_kernel(Flat *d, double *ret, Error *err)
{
    const double *unit = d->e->x->scales.unit;
    const size_t n = d->n;
    double *form = arena_doubles(&d->scratch, n * n);
    bool known = true;
    Status status = arena_status(&d->scratch, err);

    /* in units of the coordinates, so that one tolerance fits all entries */
    for (size_t i = 0; status == OK && known && i < n; i++)
        for (size_t j = 0; status == OK && known && j <= i; j++) {
            status = flat_number(d, d->V_qq[i * n + j], &form[i * n + j], &known, err);
            form[i * n + j] *= unit[i] * unit[j];
            form[j * n + i] = form[i * n + j];
        }
    if (status == OK && known)
        status = dense_null_space(form, n, n, ACCURACY_COMPUTED, ret, &d->m, err);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d->m; k++)
            ret[i * n + k] *= unit[i];
    return status;
}

Status flat_find_basis(Flat *d, Error *err)
{
    const double *unit = d->e->x->scales.unit;
    double *kernel = arena_doubles(&d->scratch, d->n * d->n);
    Status status = arena_status(&d->scratch, err);
    if (status == OK)
        status = find_kernel(d, kernel, err);
    const size_t n = d->n, m = status == OK ? d->m : 0;

    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++)
            d->basis[k * n + i] = kernel[i * n + k];
    /* each direction gets a coordinate in which it is 1 and the others are 0 */
    for (size_t k = 0; k < m; k++) {
        double *row = d->basis + k * n, most = 0;
        for (size_t i = 0; i < n; i++)
            if (fabs(row[i]) / unit[i] > most) {
                most = fabs(row[i]) / unit[i];
                d->pivot[k] = i;
            }
        const double first = row[d->pivot[k]];
        for (size_t i = 0; i < n; i++)
            row[i] /= first;
        for (size_t j = 0; j < m; j++) {
            const double factor = d->basis[j * n + d->pivot[k]];
            for (size_t i = 0; j != k && i < n; i++)
                d->basis[j * n + i] -= factor * row[i];
        }
    }
    /* remove rounding: the intended numbers are simple */
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++)
            d->basis[k * n + i] = equilibrium_number(d->basis[k * n + i],
                                                     ACCURACY_CLEAR * unit[i] / unit[d->pivot[k]]);
    return status;
}

Status flat_is_analytic(Flat *d, Expr e, bool *ret, Error *err)
{
    Expr guards[LOCAL_MOST_GUARDS];
    size_t n_guards = 0;
    double value = 0;
    Status status = OK;

    *ret = expr_is_analytic(d->pool, e, guards, LOCAL_MOST_GUARDS, &n_guards);
    for (size_t k = 0; status == OK && *ret && k < n_guards; k++) {
        status = flat_number(d, guards[k], &value, ret, err);
        *ret = *ret && value != 0;
    }
    return status;
}

Status flat_lowest_order(Flat *d, size_t *ret_order, Error *err)
{
    Expr *direction = ARENA_NEW(&d->scratch, d->n, Expr), slope = d->V;
    bool vanishes = true;
    Status status = arena_status(&d->scratch, err);

    /* along any direction: the symbols of its components are free */
    for (size_t i = 0; status == OK && i < d->n; i++)
        direction[i] = expr_symbol(d->pool, (uint32_t)(d->e->place.n_symbols + i));
    *ret_order = 0;
    while (status == OK && vanishes && (*ret_order)++ < FLAT_MOST_ORDER) {
        expr_directional(d->pool, &slope, 1, d->model->sym.q, direction, d->n, &slope);
        const Expr form = flat_at_place(d, slope);
        status = expr_pool_status(d->pool, err);
        if (status == OK && *ret_order > 2)
            status = exact_vanishes(&d->e->place, 0, &form, 1, &vanishes, err);
    }
    return status;
}

Status flat_is_natural(Flat *d, bool *ret, Error *err)
{
    Status status = OK;

    *ret = enclosed_is_natural(d->e);
    if (*ret)
        status = flat_is_analytic(d, d->model->L, ret, err);
    if (status == OK && *ret)
        status = enclosed_positive(d->e, d->model->M, d->n, NULL, 0, ret, err);
    return status;
}
