/* The first variation dS[eta] = int (L_q + F).eta + L_v.etadot dt as quadratures, along P e_i sin(k
 * pi tau) and along integrated variations tangent to the constraints, P = 1 - A^T (A A^T)^-1 A. */
#include "core/linear/first_variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/rates.h"
#include "core/numeric/constants.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"
#include "core/program/function.h"

enum { TANGENT_WAVES = 4, SEED = 16 };

struct FirstVariation {
    size_t n, r, n_tangent; /* r: constraints in use */
    double t0, t1;
    Function function;         /* t, q, v, vdot -> L, then the arrays below, in this order */
    double *force;             /* n: L_q + F */
    double *p;                 /* n */
    double *A, *A_dot, *phi_q; /* r x n, rows scaled so that those of A have length 1 */
    double *gram;              /* r x r: Cholesky factor of A A^T */
    double *H, *H_dot, *K;     /* r x n: (A A^T)^-1 A, its rate, (A A^T)^-1 phi_q */
    double *Ap, *A_dot_p, *Af; /* r: products with p and with the force */
    double *a;                 /* n */
    double *waves; /* [n_tangent][TANGENT_WAVES][n]: coefficients of the tangent variations */
    Arena memory;  /* owns the arrays but the outputs of the function */
};

void first_variation_free(FirstVariation *x)
{
    if (!x)
        return;
    function_done(&x->function);
    arena_done(&x->memory);
    free(x);
}

size_t first_variation_states(const FirstVariation *x)
{
    return x->n * x->n_tangent;
}

/* One size for every variation. */
size_t first_variation_sizes(const FirstVariation *x)
{
    return (size_t)VIRTUAL_WAVES * x->n + x->n_tangent;
}

/* The action, and dS for every variation. */
size_t first_variation_quadratures(const FirstVariation *x)
{
    return 1 + first_variation_sizes(x);
}

static size_t first_variation_outputs(const FirstVariation *x)
{
    return 1 + 2 * x->n + 3 * x->r * x->n;
}

static void first_variation_build(const FirstVariation *x, ExprPool *pool, const Model *model,
                                  const size_t *rows, Expr *out)
{
    const size_t n = x->n, r = x->r;
    Expr *force = out + 1, *A = force + 2 * n, *A_dot = A + r * n, *phi_q = A_dot + r * n;

    out[0] = model->L;
    expr_gradient(pool, model->L, model->sym.q, n, force);
    for (size_t i = 0; i < n; i++)
        force[i] = expr_add(pool, force[i], model->F[i]);
    memcpy(force + n, model->p, n * sizeof *out);
    for (size_t a = 0; a < r; a++) {
        memcpy(A + a * n, model->A + rows[a] * n, n * sizeof *A);
        expr_gradient(pool, model->constraints[rows[a]].phi, model->sym.q, n, phi_q + a * n);
    }
    rates_total(pool, model, A, r * n, A_dot);
}

static Status first_variation_compile(FirstVariation *x, const FirstVariationSpec *s, Error *err)
{
    const Model *model = s->model;
    const size_t n = x->n, n_in = 1 + 3 * n;
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *out = ARENA_NEW(&scratch, first_variation_outputs(x), Expr),
         *in = ARENA_NEW(&scratch, n_in, Expr);
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        /* outputs: L, then the arrays of FirstVariation in their order; inputs: t, q, v and vdot */
        first_variation_build(x, pool, model, s->rows, out);
        rates_state(model, in);
        memcpy(in + 1 + 2 * n, model->sym.vdot, n * sizeof *in);
        status = expr_pool_status(pool, err);
    }
    const ProgramSpec spec = {.pool = pool,
                              .params = model->sym.params,
                              .n_params = model->n_params,
                              .inputs = in,
                              .n_inputs = n_in,
                              .outputs = out,
                              .n_outputs = first_variation_outputs(x)};
    if (status == OK)
        status = function_init(&x->function, &spec, s->params, err);
    expr_pool_free(pool);
    arena_done(&scratch);
    return status;
}

static Status first_variation_allocate(FirstVariation *x, Error *err)
{
    const size_t n = x->n, r = x->r;
    Arena *memory = &x->memory;

    /* outputs of the function, one array behind the other; the first one is L */
    x->force = x->function.out + 1;
    x->p = x->force + n;
    x->A = x->p + n;
    x->A_dot = x->A + r * n;
    x->phi_q = x->A_dot + r * n;
    x->gram = arena_doubles(memory, r * r);
    x->H = arena_doubles(memory, r * n);
    x->H_dot = arena_doubles(memory, r * n);
    x->K = arena_doubles(memory, r * n);
    x->Ap = arena_doubles(memory, r);
    x->A_dot_p = arena_doubles(memory, r);
    x->Af = arena_doubles(memory, r);
    x->a = arena_doubles(memory, n);
    x->waves = arena_doubles(memory, x->n_tangent * TANGENT_WAVES * n);
    return arena_status(memory, err);
}

Status first_variation_new(const FirstVariationSpec *spec, FirstVariation **ret, Error *err)
{
    FirstVariation *x = alloc_array(1, sizeof *x);
    if (!x)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *x = (FirstVariation){.n = spec->model->n,
                          .r = spec->n_rows,
                          .n_tangent = spec->n_tangent,
                          .t0 = spec->t0,
                          .t1 = spec->t1};
    Status status = first_variation_compile(x, spec, err);
    if (status == OK)
        status = first_variation_allocate(x, err);
    /* random waves of the tangent variations, from a fixed seed so that results repeat */
    Random random;
    random_init(&random, SEED);
    for (size_t k = 0; status == OK && k < x->n_tangent * TANGENT_WAVES * x->n; k++)
        x->waves[k] = random_normal(&random) / (x->t1 - x->t0);
    if (status == OK)
        *ret = x;
    else
        first_variation_free(x);
    return status;
}

/* Scales the rows of A to length 1: not the projector, but its condition depends on it. */
static void scale_rows(FirstVariation *x)
{
    const size_t n = x->n;

    for (size_t a = 0; a < x->r; a++) {
        double scale = 1 / sqrt(vector_dot(x->A + a * n, x->A + a * n, n));
        for (size_t i = a * n; i < (a + 1) * n; i++) {
            x->A[i] *= scale;
            x->A_dot[i] *= scale;
            x->phi_q[i] *= scale;
        }
    }
}

/* The lower Cholesky factor of A A^T: not finite for dependent rows, which rejects the step. */
static void gram_factor(FirstVariation *x)
{
    const size_t n = x->n, r = x->r;
    double *g = x->gram;

    for (size_t a = 0; a < r; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum =
                vector_dot(x->A + a * n, x->A + b * n, n) - vector_dot(g + a * r, g + b * r, b);
            g[a * r + b] = a == b ? sqrt(sum) : sum / g[b * r + b];
        }
}

/* (A A^T)^-1 applied to the columns of b (r x n), in place. */
static void gram_solve(const FirstVariation *x, double *b)
{
    const size_t n = x->n, r = x->r;
    const double *g = x->gram;

    /* forward, then backward substitution */
    for (size_t a = 0; a < r; a++) {
        for (size_t c = 0; c < a; c++)
            for (size_t i = 0; i < n; i++)
                b[a * n + i] -= g[a * r + c] * b[c * n + i];
        for (size_t i = 0; i < n; i++)
            b[a * n + i] /= g[a * r + a];
    }
    for (size_t a = r; a-- > 0;) {
        for (size_t c = a + 1; c < r; c++)
            for (size_t i = 0; i < n; i++)
                b[a * n + i] -= g[c * r + a] * b[c * n + i];
        for (size_t i = 0; i < n; i++)
            b[a * n + i] /= g[a * r + a];
    }
}

static void prepare_projector(FirstVariation *x)
{
    const size_t n = x->n, r = x->r, bytes = r * n * sizeof *x->A;

    /* H = (A A^T)^-1 A, K = (A A^T)^-1 phi_q */
    scale_rows(x);
    gram_factor(x);
    memcpy(x->H, x->A, bytes);
    memcpy(x->K, x->phi_q, bytes);
    gram_solve(x, x->H);
    gram_solve(x, x->K);
    /* (A A^T) H = A, differentiated */
    memcpy(x->H_dot, x->A_dot, bytes);
    for (size_t a = 0; a < r; a++)
        for (size_t b = 0; b < r; b++) {
            double rate = vector_dot(x->A_dot + a * n, x->A + b * n, n) +
                          vector_dot(x->A + a * n, x->A_dot + b * n, n);
            for (size_t i = 0; i < n; i++)
                x->H_dot[a * n + i] -= rate * x->H[b * n + i];
        }
    gram_solve(x, x->H_dot);
    for (size_t a = 0; a < r; a++) {
        x->Ap[a] = vector_dot(x->A + a * n, x->p, n);
        x->A_dot_p[a] = vector_dot(x->A_dot + a * n, x->p, n);
        x->Af[a] = vector_dot(x->A + a * n, x->force, n);
    }
}

/* A sum, and the sum of the absolute values of its terms, which tells whether the sum is small. */
typedef struct Sum {
    double value, size;
} Sum;

static void sum_add(Sum *sum, double term)
{
    sum->value += term;
    sum->size += fabs(term);
}

/* With P = 1 - A^T H: (L_q + F).P e_i + L_v.Pdot e_i, and L_v.P e_i. */
static void along_virtual(const FirstVariation *x, size_t i, Sum *ret_still, Sum *ret_moved)
{
    Sum still = {0}, moved = {0};

    sum_add(&still, x->force[i]);
    sum_add(&moved, x->p[i]);
    for (size_t a = 0; a < x->r; a++) {
        double h = x->H[a * x->n + i];
        sum_add(&still, -x->Af[a] * h);
        sum_add(&still, -x->A_dot_p[a] * h - x->Ap[a] * x->H_dot[a * x->n + i]);
        sum_add(&moved, -x->Ap[a] * h);
    }
    *ret_still = still;
    *ret_moved = moved;
}

static void virtual_rates(const FirstVariation *x, double t, double *ret, double *ret_sizes)
{
    for (size_t i = 0; i < x->n; i++) {
        Sum still, moved;
        along_virtual(x, i, &still, &moved);
        for (size_t k = 1; k <= VIRTUAL_WAVES; k++) {
            double wave = (double)k * PI / (x->t1 - x->t0), phase = wave * (t - x->t0);
            double s = sin(phase), c = wave * cos(phase);
            *ret++ = s * still.value + c * moved.value;
            *ret_sizes++ = fabs(s) * still.size + fabs(c) * moved.size;
        }
    }
}

/* etadot = a - A^T (H a + K eta) */
static void tangent_rate(FirstVariation *x, size_t b, const double *cosines, const double *eta,
                         double *ret)
{
    const size_t n = x->n;
    const double *waves = x->waves + b * TANGENT_WAVES * n;

    for (size_t i = 0; i < n; i++) {
        x->a[i] = 0;
        for (size_t k = 0; k < TANGENT_WAVES; k++)
            x->a[i] += cosines[k] * waves[k * n + i];
    }
    memcpy(ret, x->a, n * sizeof *ret);
    for (size_t a = 0; a < x->r; a++) {
        double along = vector_dot(x->H + a * n, x->a, n) + vector_dot(x->K + a * n, eta, n);
        for (size_t i = 0; i < n; i++)
            ret[i] -= along * x->A[a * n + i];
    }
}

void first_variation_rates(FirstVariation *x, double t, const double *q, const double *v,
                           const double *vdot, const double *y, double *ret_rates)
{
    const size_t n = x->n;
    const size_t n_virtual = (size_t)VIRTUAL_WAVES * n;
    double *quadrature = ret_rates + first_variation_states(x), cosines[TANGENT_WAVES];
    double *size = quadrature + first_variation_quadratures(x);

    x->function.in[0] = t;
    memcpy(x->function.in + 1, q, n * sizeof *q);
    memcpy(x->function.in + 1 + n, v, n * sizeof *v);
    memcpy(x->function.in + 1 + 2 * n, vdot, n * sizeof *vdot);
    const double lagrangian = *function_eval(&x->function);
    prepare_projector(x);
    /* the action, dS along virtual displacements, then along the tangent variations */
    *quadrature = lagrangian;
    virtual_rates(x, t, quadrature + 1, size);
    quadrature += 1 + n_virtual;
    size += n_virtual;
    for (size_t k = 0; k < TANGENT_WAVES; k++)
        cosines[k] = cos((double)k * PI * (t - x->t0) / (x->t1 - x->t0));
    for (size_t b = 0; b < x->n_tangent; b++) {
        const double *eta = y + b * n;
        double *rate = ret_rates + b * n;
        tangent_rate(x, b, cosines, eta, rate);
        Sum sum = {0};
        for (size_t i = 0; i < n; i++) {
            sum_add(&sum, x->force[i] * eta[i]);
            sum_add(&sum, x->p[i] * rate[i]);
        }
        *quadrature++ = sum.value;
        *size++ = sum.size;
    }
}

/* The combination c of tangent variations, of length 1 and vanishing at the far end, with the
 * largest dS: the gradient of dS projected onto the null space of the far ends. */
static Status tangent_result(const FirstVariation *x, const double *y, const double *quadrature,
                             const double *sizes, FirstVariationResult *ret, Error *err)
{
    const size_t n = x->n, m = x->n_tangent;
    Arena scratch = {0};
    double *ends = arena_doubles(&scratch, n * m), *basis = arena_doubles(&scratch, m * m);
    double *c = arena_doubles(&scratch, m), change = 0, size = 0;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < n; i++)
        for (size_t b = 0; b < m; b++)
            ends[i * m + b] = y[b * n + i];
    if (status == OK)
        status = dense_null_space(ends, n, m, ACCURACY_HALF, basis, &ret->n_tangent, err);
    /* project the gradient of dS onto them */
    for (size_t j = 0; status == OK && j < ret->n_tangent; j++) {
        double along = 0;
        for (size_t b = 0; b < m; b++)
            along += quadrature[b] * basis[b * m + j];
        for (size_t b = 0; b < m; b++)
            c[b] += along * basis[b * m + j];
    }
    for (size_t b = 0; status == OK && b < m; b++) {
        change += c[b] * quadrature[b];
        size += fabs(c[b]) * sizes[b];
    }
    ret->tangent_largest = size > 0 ? fabs(change / size) : 0;
    arena_done(&scratch);
    return status;
}

Status first_variation_result(const FirstVariation *x, const double *y, FirstVariationResult *ret,
                              Error *err)
{
    const size_t n_virtual = (size_t)VIRTUAL_WAVES * x->n;
    const double *quadrature = y + first_variation_states(x), *virtual = quadrature + 1;
    const double *sizes = quadrature + first_variation_quadratures(x);
    double worst = 0, scale = 0;

    for (size_t k = 0; k < n_virtual; k++) {
        worst = fmax(worst, fabs(virtual[k]));
        scale = fmax(scale, fabs(sizes[k]));
    }
    *ret = (FirstVariationResult){.action = *quadrature,
                                  .virtual_largest = scale > 0 ? worst / scale : 0};
    return x->n_tangent ? tangent_result(x, y, virtual + n_virtual, sizes + n_virtual, ret, err)
                        : OK;
}
