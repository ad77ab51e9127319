/* The projection along the mass matrix, and whether the projected field has the same momentum. */
#include "core/invariants/gauge_momenta/problem.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/dense.h"

typedef struct Projector {
    const AnalysisContext *context;
    size_t n, r;
    double *A;        /* r x n */
    double *N;        /* n x n: the first m columns, a basis of D */
    double *MN;       /* n x n: the first m columns */
    double *gram, *x; /* m x m; m */
} Projector;

static void projector_init(Projector *p, const AnalysisContext *context, Arena *arena)
{
    const size_t n = context->model->n, r = context->n_rows;

    *p = (Projector){.context = context,
                     .n = n,
                     .r = r,
                     .A = arena_doubles(arena, r * n),
                     .N = arena_doubles(arena, n * n),
                     .MN = arena_doubles(arena, n * n),
                     .gram = arena_doubles(arena, n * n),
                     .x = arena_doubles(arena, n)};
}

/* x with Pi Y = N x: N^T M N x = N^T M Y. */
static Status projector_apply(Projector *p, const double *M, const double *Y, size_t *ret_m)
{
    const size_t n = p->n;
    size_t m;
    Status status = dense_null_space(p->A, p->r, n, ACCURACY_SOLVED, p->N, &m, NULL);
    if (status != OK)
        return status;

    /* M N, then N^T M Y and N^T M N */
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
    return m ? dense_solve(p->gram, m, p->x, 1, NULL) : OK;
}

/* p.(Pi Y - Y) at a state, and the sum of its terms. False: it is not determined. */
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
    if (projector_apply(p, point.M, Y, &m) != OK)
        return false;
    /* compare the momenta of both fields */
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
static void judge_differences(const double *differences, const double *sizes, size_t count,
                              Projection *ret)
{
    Tally tally = {0};
    double size = 0, spread = 0;

    for (size_t k = 0; k < count; k++) {
        tally_add(&tally, fabs(differences[k]) / sizes[k]);
        size = fmax(size, sizes[k]);
        spread = fmax(spread, fabs(differences[k] - differences[0]));
    }
    ret->largest = tally.largest;
    ret->generates = tally_predict(&tally);
    ret->constant = count >= VERDICT_ENOUGH_STATES && spread < VERDICT_HOLDS * size;
}

Status projection_judge(const AnalysisContext *context, const Expr *Y, Projection *ret, Error *err)
{
    const Model *m = context->model;
    const size_t n = m->n, count = context->states->n_states;
    Arena scratch = {0};
    Projector projector;
    Expr *exprs = ARENA_NEW(&scratch, 2 * n, Expr);
    double *values = arena_doubles(&scratch, count * 2 * n);
    double *differences = arena_doubles(&scratch, 2 * count);
    size_t found = 0;
    projector_init(&projector, context, &scratch);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        memcpy(exprs, m->p, n * sizeof *exprs);
        memcpy(exprs + n, Y, n * sizeof *exprs);
        status = analysis_evaluate(context, exprs, 2 * n, context->states, values, err);
    }
    /* their differences, without the states at which the projection fails */
    for (size_t k = 0; status == OK && k < count; k++) {
        const double *row = values + k * 2 * n;
        found += difference(&projector, k, row, row + n, &differences[found],
                            &differences[count + found]);
        if (k % 16 == 15)
            status = analysis_poll(context, err);
    }
    if (status == OK)
        judge_differences(differences, differences + count, found, ret);
    arena_done(&scratch);
    return status;
}
