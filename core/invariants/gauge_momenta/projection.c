#include "core/invariants/gauge_momenta/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/dense.h"

enum { ENOUGH = 32 };

typedef struct Projector {
    const AnalysisContext *context;
    size_t n, r;
    double *A;        /* r x n */
    double *N;        /* n x n: the first m columns, a basis of D */
    double *MN;       /* n x n: the first m columns */
    double *gram, *x; /* m x m; m */
} Projector;

static bool projector_init(Projector *p, const AnalysisContext *context)
{
    const size_t n = context->model->n;

    *p = (Projector){.context = context, .n = n, .r = context->n_rows};
    p->A = alloc_array(p->r * n, sizeof *p->A);
    p->N = alloc_array(3 * n * n + n, sizeof *p->N);
    if (!p->A || !p->N)
        return false;
    p->MN = p->N + n * n;
    p->gram = p->MN + n * n;
    p->x = p->gram + n * n;
    return true;
}

static void projector_done(Projector *p)
{
    free(p->A);
    free(p->N);
}

/* x with Pi Y = N x: N^T M N x = N^T M Y. */
static Status project(Projector *p, const double *M, const double *Y, size_t *ret_m, Error *err)
{
    const size_t n = p->n;
    size_t m;
    Status status = dense_null_space(p->A, p->r, n, 1e-10, p->N, &m, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++) {
            p->MN[i * n + k] = 0;
            for (size_t j = 0; j < n; j++)
                p->MN[i * n + k] += M[i * n + j] * p->N[j * n + k];
        }
    for (size_t k = 0; k < m; k++) {
        p->x[k] = 0;
        for (size_t i = 0; i < n; i++)
            p->x[k] += p->MN[i * n + k] * Y[i];
        for (size_t l = 0; l < m; l++) {
            p->gram[k * m + l] = 0;
            for (size_t i = 0; i < n; i++)
                p->gram[k * m + l] += p->N[i * n + k] * p->MN[i * n + l];
        }
    }
    *ret_m = m;
    return m ? dense_solve(p->gram, m, p->x, 1, err) : OK;
}

/* p.(Pi Y - Y) at a state, and the sum of its terms. False where it is not determined. */
static bool difference(Projector *p, size_t state, const double *momentum, const double *Y,
                       double *ret_value, double *ret_size)
{
    const AnalysisContext *c = p->context;
    const Trajectory *states = c->states;
    const size_t n = p->n;
    ModelPoint point =
        model_point(c->eval, states->t[state], states->q + state * n, states->v + state * n);
    size_t m;

    for (size_t k = 0; k < p->r; k++)
        memcpy(p->A + k * n, point.A + c->rows[k] * n, n * sizeof *p->A);
    if (project(p, point.M, Y, &m, NULL) != OK)
        return false;
    *ret_value = *ret_size = 0;
    for (size_t i = 0; i < n; i++) {
        double inside = 0;
        for (size_t k = 0; k < m; k++)
            inside += p->N[i * n + k] * p->x[k];
        *ret_value += momentum[i] * (inside - Y[i]);
        *ret_size += fabs(momentum[i]) * (fabs(inside) + fabs(Y[i]));
    }
    return isfinite(*ret_value) && *ret_size > 0;
}

/* differences[count] and the sums of their terms. */
static void judge(const double *differences, const double *sizes, size_t count, Projection *ret)
{
    static const double HOLDS = 1e-11, FAILS = 1e-7;
    size_t failures = 0;
    double size = 0, spread = 0;

    ret->largest = 0;
    for (size_t k = 0; k < count; k++) {
        double relative = fabs(differences[k]) / sizes[k];
        failures += relative > FAILS;
        ret->largest = fmax(ret->largest, relative);
        size = fmax(size, sizes[k]);
        spread = fmax(spread, fabs(differences[k] - differences[0]));
    }
    ret->generates = failures >= 2 ? PREDICTED_NO : PREDICTED_UNDECIDED;
    if (count >= ENOUGH && ret->largest < HOLDS)
        ret->generates = PREDICTED_YES;
    ret->constant = count >= ENOUGH && spread < HOLDS * size;
}

Status projection_judge(const AnalysisContext *context, ExprPool *pool, const Expr *Y,
                        Projection *ret, Error *err)
{
    const Model *m = context->model;
    const size_t n = m->n, count = context->states->n_states;
    Projector projector = {0};
    Expr *exprs = alloc_array(2 * n, sizeof *exprs);
    double *values = alloc_array(count * 2 * n, sizeof *values);
    double *differences = alloc_array(2 * count, sizeof *differences);
    size_t found = 0;
    Status status = exprs && values && differences && projector_init(&projector, context)
                        ? OK
                        : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        memcpy(exprs, m->p, n * sizeof *exprs);
        memcpy(exprs + n, Y, n * sizeof *exprs);
        status = analysis_evaluate(context, pool, exprs, 2 * n, context->states, values, err);
    }
    for (size_t k = 0; status == OK && k < count; k++) {
        const double *row = values + k * 2 * n;
        found += difference(&projector, k, row, row + n, &differences[found],
                            &differences[count + found]);
        if (k % 16 == 15)
            status = analysis_poll(context, err);
    }
    if (status == OK)
        judge(differences, differences + count, found, ret);
    projector_done(&projector);
    free(exprs);
    free(values);
    free(differences);
    return status;
}
