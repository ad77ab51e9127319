/* Steady motions as minima of the energy at fixed momenta (E. J. Routh, Stability of a Given State of
 * Motion, 1877; that nearby momenta have such minima too is A. M. Lyapunov's addition; as the
 * energy-momentum method J. C. Simo, D. Lewis, J. E. Marsden, Arch. Rational Mech. Anal. 115 (1991)).
 *
 * Where L lacks the coordinates of s translations, E and the s momenta J_a are conserved, and a motion
 * along them with the rates c_a is a critical point of W = E - c.J. It is stable, but for these
 * coordinates, where the second derivatives of W by the others and by v are positive definite on
 * dJ = 0. */
#include "core/simulation/analyses/equilibrium_routh.h"

#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/expr/calculus.h"
#include "core/numeric/dense.h"
#include "core/program/function.h"
#include "core/simulation/analyses/equilibrium_proofs.h"

enum { PROBES = 6, SEED = 29 };
/* What an entry is wrong by, of its size before anything in it cancels; what probes may have missed. */
static const double PRECISE = 1e-12, ROOM = 4;

typedef struct Steady {
    Equilibrium *x;
    const Model *model;
    size_t n, s, m; /* m = 2 n - s: coordinates that are not translated, and all v */
    ExprPool *pool;
    Arena *scratch;
    Expr *z;    /* m */
    Function f; /* q, v, c -> W_zz and sizes of its entries (m x m each), J_z (s x m) */
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
            if (expr_is_zero(model->pool, part))
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
        result = result && expr_is_zero(model->pool, model->F[i]);
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

static Status compile(Steady *y, const size_t *fields, Error *err)
{
    const Model *model = y->model;
    const size_t n = y->n, s = y->s, m = y->m, n_out = 2 * m * m + s * m;
    Expr *out = ARENA_NEW(y->scratch, n_out, Expr), *slopes = ARENA_NEW(y->scratch, m, Expr);
    Expr *inputs = ARENA_NEW(y->scratch, 2 * n + s, Expr), W = model->energy;
    Status status = arena_status(y->scratch, err);
    if (status != OK)
        return status;

    memcpy(inputs, model->q, n * sizeof *inputs);
    memcpy(inputs + n, model->v, n * sizeof *inputs);
    for (size_t a = 0; a < s; a++)
        inputs[2 * n + a] = expr_symbol(y->pool, model->first_free + (uint32_t)a);
    for (size_t i = 0; i < n; i++)
        W = expr_sub(y->pool, W,
                     expr_mul(y->pool, model->p[i], rate_of(y, fields, inputs + 2 * n, i)));
    expr_gradient(y->pool, W, y->z, m, slopes);
    for (size_t i = 0; i < m; i++)
        expr_gradient(y->pool, slopes[i], y->z, m, out + i * m);
    for (size_t k = 0; k < m * m; k++)
        out[m * m + k] = expr_magnitude(y->pool, out[k]);
    for (size_t a = 0; a < s; a++) {
        const Expr *xi = model->symmetries[fields[a]].components;
        expr_gradient(y->pool, expr_dot(y->pool, n, model->p, xi), y->z, m,
                      out + 2 * m * m + a * m);
    }
    const ProgramSpec spec = {.pool = y->pool,
                              .params = model->params,
                              .n_params = model->n_params,
                              .inputs = inputs,
                              .n_inputs = 2 * n + s,
                              .outputs = out,
                              .n_outputs = n_out};
    status = expr_pool_status(y->pool, err);
    return status == OK ? function_init(&y->f, &spec, y->x->context->params, err) : status;
}

/* At the state found, moved by so much of its distance from the solution. */
static const double *evaluate(Steady *y, const double *signs)
{
    const Equilibrium *x = y->x;
    const size_t n = y->n;

    for (size_t i = 0; i < n; i++)
        y->f.in[i] = x->q[i] + signs[i] * x->distance[i];
    for (size_t a = 0; a < y->s; a++)
        y->f.in[2 * n + a] = x->c[a] + signs[n + a] * x->distance[n + a];
    for (size_t i = 0; i < n; i++) {
        double wrong = 0;
        for (size_t a = 0; a < y->s; a++)
            wrong = fmax(wrong, x->distance[n + a]);
        y->f.in[n + i] = x->v[i] != 0 ? x->v[i] + signs[n] * wrong : 0;
    }
    return function_eval(&y->f);
}

/* W_zz [m x m], how wrong its entries may be, and J_z. */
static void measure(Steady *y, double *H, double *E, double *J, double *signs)
{
    const size_t m = y->m, n_signs = y->n + y->s;
    const double *out = evaluate(y, signs);
    Random random;

    memcpy(H, out, m * m * sizeof *H);
    memcpy(J, out + 2 * m * m, y->s * m * sizeof *J);
    for (size_t k = 0; k < m * m; k++)
        E[k] = PRECISE * out[m * m + k];
    random_init(&random, SEED);
    for (int probe = 0; probe < PROBES; probe++) {
        for (size_t i = 0; i < n_signs; i++)
            signs[i] = random_bits(&random) & 1 ? 1 : -1;
        out = evaluate(y, signs);
        for (size_t k = 0; k < m * m; k++)
            E[k] = fmax(E[k], ROOM * fabs(out[k] - H[k]));
    }
}

/* On the null space of J_z. */
static Status is_definite(const Steady *y, const double *H, const double *E, const double *J,
                          bool *ret, Error *err)
{
    const size_t m = y->m;
    double *B = arena_doubles(y->scratch, m * m), *h = arena_doubles(y->scratch, m * m);
    double *e = arena_doubles(y->scratch, m * m);
    size_t d = 0;
    Status status = arena_status(y->scratch, err);

    if (status == OK)
        status = dense_null_space(J, y->s, m, 1e-10, B, &d, err);
    if (status != OK || d != m - y->s)
        return status;
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++)
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < m; j++) {
                    const double pair = B[i * m + a] * B[j * m + b];
                    h[a * d + b] += pair * H[i * m + j];
                    e[a * d + b] += fabs(pair) * (E[i * m + j] + PRECISE * fabs(H[i * m + j]));
                }
    return equilibrium_positive(h, e, d, ret, err);
}

static Status decide(Steady *y, const size_t *fields, bool *ret, Error *err)
{
    const size_t n = y->n, m = y->m;
    bool *translated = ARENA_NEW(y->scratch, n, bool);
    double *H = arena_doubles(y->scratch, m * m), *E = arena_doubles(y->scratch, m * m);
    double *J = arena_doubles(y->scratch, y->s * m), *signs = arena_doubles(y->scratch, n + y->s);
    size_t k = 0;

    y->z = ARENA_NEW(y->scratch, m, Expr);
    Status status = arena_status(y->scratch, err);
    if (status != OK || !find_translated(y, fields, translated))
        return status;
    for (size_t i = 0; i < n; i++)
        if (!translated[i])
            y->z[k++] = y->model->q[i];
    memcpy(y->z + k, y->model->v, n * sizeof *y->z);
    status = compile(y, fields, err);
    if (status != OK)
        return status;
    measure(y, H, E, J, signs);
    return is_definite(y, H, E, J, ret, err);
}

Status equilibrium_steady_minimum(Equilibrium *x, const size_t *fields, bool *ret_minimum,
                                  Error *err)
{
    Arena scratch = {0};
    Steady y = {.x = x,
                .model = x->context->model,
                .n = x->n,
                .s = x->s,
                .m = 2 * x->n - x->s,
                .scratch = &scratch};

    *ret_minimum = false;
    if (x->s == 0 || x->s > x->n || !is_conservative(x))
        return OK;
    y.pool = expr_pool_clone(y.model->pool);
    Status status = y.pool ? decide(&y, fields, ret_minimum, err)
                           : error_set(err, ERR_NO_MEMORY, "out of memory");
    function_done(&y.f);
    expr_pool_free(y.pool);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status; /* too long to tell */
}
