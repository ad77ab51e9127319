/* Steady motions as minima of the energy at fixed momenta (E. J. Routh, Stability of a Given State of
 * Motion, 1877; that nearby momenta have such minima too is A. M. Lyapunov's addition; as the
 * energy-momentum method J. C. Simo, D. Lewis, J. E. Marsden, Arch. Rational Mech. Anal. 115 (1991)).
 *
 * Where L lacks the coordinates of s translations, E and the s momenta J_a are conserved, and a motion
 * along them with the rates c_a is a critical point of W = E - c.J. It is stable, but for these
 * coordinates, where the second derivatives of W by the others and by v are positive definite on
 * dJ = 0. */
#include "core/simulation/analyses/equilibrium_routh.h"

#include <string.h>

#include "core/expr/calculus.h"

typedef struct Steady {
    Enclosed *enclosed;
    const Model *model;
    size_t n, s, m; /* m = 2 n - s: coordinates that are not translated, and all v */
    ExprPool *pool;
    Arena *scratch;
    Expr *z; /* m */
} Steady;

/* Each generator moves one coordinate, at a rate that is a constant; marks these. */
static bool find_translated(const Steady *y, const size_t *fields, bool *ret)
{
    const Model *model = y->model;
    bool *used = ARENA_NEW(y->scratch, model->first_free, bool);

    if (!used || expr_used_symbols(model->pool, &model->L, 1, used, model->first_free, NULL) != OK)
        return false;
    for (size_t a = 0; a < y->s; a++) {
        size_t moved = 0;
        for (size_t i = 0; i < y->n; i++) {
            const Expr part = model->symmetries[fields[a]].components[i];
            if (expr_vanishes(model->pool, part))
                continue;
            if (!expr_is_const(model->pool, part, NULL) || ret[i] ||
                used[expr_node(model->pool, model->q[i]).symbol])
                return false;
            ret[i] = true;
            moved++;
        }
        if (moved != 1)
            return false;
    }
    return true;
}

static bool is_conservative(const Equilibrium *x)
{
    const Model *model = x->context->model;
    bool result = model->r == 0 && local_is_autonomous(model);

    for (size_t i = 0; i < model->n; i++)
        result = result && expr_vanishes(model->pool, model->F[i]);
    return result;
}

/* c.xi */
static Expr rate_of(const Steady *y, const size_t *fields, const Expr *c, size_t i)
{
    Expr sum = expr_const(y->pool, 0);

    for (size_t a = 0; a < y->s; a++)
        sum = expr_add(y->pool, sum,
                       expr_mul(y->pool, c[a], y->model->symmetries[fields[a]].components[i]));
    return sum;
}

/* W_zz on J_z = 0. */
static Status is_definite(const Steady *y, const size_t *fields, bool *ret, Error *err)
{
    const Model *model = y->model;
    const size_t n = y->n, s = y->s, m = y->m;
    Expr *W_zz = ARENA_NEW(y->scratch, m * m, Expr), *J_z = ARENA_NEW(y->scratch, s * m, Expr);
    Expr *slopes = ARENA_NEW(y->scratch, m, Expr), W = model->energy;
    Status status = arena_status(y->scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < n; i++)
        W = expr_sub(y->pool, W,
                     expr_mul(y->pool, model->p[i], rate_of(y, fields, y->enclosed->c, i)));
    expr_gradient(y->pool, W, y->z, m, slopes);
    for (size_t i = 0; i < m; i++)
        expr_gradient(y->pool, slopes[i], y->z, m, W_zz + i * m);
    for (size_t a = 0; a < s; a++) {
        const Expr *xi = model->symmetries[fields[a]].components;
        expr_gradient(y->pool, expr_dot(y->pool, n, model->p, xi), y->z, m, J_z + a * m);
    }
    return enclosed_positive(y->enclosed, W_zz, m, J_z, s, ret, err);
}

static Status decide(Steady *y, const size_t *fields, bool *ret, Error *err)
{
    const size_t n = y->n;
    bool *translated = ARENA_NEW(y->scratch, n, bool);
    size_t k = 0;

    y->z = ARENA_NEW(y->scratch, y->m, Expr);
    Status status = arena_status(y->scratch, err);
    if (status != OK || !find_translated(y, fields, translated))
        return status;
    for (size_t i = 0; i < n; i++)
        if (!translated[i])
            y->z[k++] = y->model->q[i];
    memcpy(y->z + k, y->model->v, n * sizeof *y->z);
    return is_definite(y, fields, ret, err);
}

Status equilibrium_steady_minimum(const Equilibrium *x, Enclosed *enclosed, const size_t *fields,
                                  bool *ret_minimum, Error *err)
{
    Arena scratch = {0};
    Steady y = {.enclosed = enclosed,
                .model = x->context->model,
                .n = x->n,
                .s = x->s,
                .m = 2 * x->n - x->s,
                .pool = enclosed->pool,
                .scratch = &scratch};
    Status status = OK;

    *ret_minimum = false;
    if (x->s > 0 && x->s <= x->n && is_conservative(x))
        status = decide(&y, fields, ret_minimum, err);
    arena_done(&scratch);
    return status;
}
