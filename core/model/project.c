/* Newton's method, each step the shortest in the metric. */
#include "core/model/project.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/kkt.h"
#include "core/model/residuals.h"
#include "core/numeric/vectors.h"

/* Bound on the steps of Newton's method. */
enum { NEWTON_STEPS = 10 };

/* [value, scale, rounding][r] of the last evaluation. */
static const double *rows_residuals(const ModelEval *eval, const Correction *c)
{
    const size_t part = c->positions ? RESIDUAL_F : RESIDUAL_PHI;
    return (c->whole ? evaluated_residuals(eval) : eval->residuals.out) + part * eval->model->r;
}

/* Largest residual of the rows, relative to their scale; NaN if one is not finite. *ret_row, unless
 * NULL: its row. */
static double worst_residual(ModelEval *eval, const Correction *c, double t, const double *q,
                             const double *v, size_t *ret_row)
{
    const size_t r = eval->model->r;
    double worst = 0;

    evaluate_at(eval, c->whole ? &eval->point : &eval->residuals, t, q, v);
    const double *values = rows_residuals(eval, c);
    for (size_t k = 0; k < c->n_rows; k++) {
        const double *of_row = values + c->rows[k];
        double ratio = residual_relative(of_row[0], of_row[r], of_row[2 * r]);
        if (ret_row && !(ratio <= worst))
            *ret_row = c->rows[k];
        if (!isfinite(ratio))
            return NAN;
        worst = fmax(worst, ratio);
    }
    return worst;
}

/* M at the state of the last residuals; *ret_A: A. */
static const double *matrices(ModelEval *eval, const Correction *c, double t, const double *q,
                              const double *v, const double **ret_A)
{
    const size_t n = eval->model->n;

    if (c->whole)
        return evaluated_linear(eval, ret_A);
    const double *M = evaluate_at(eval, &eval->linear, t, q, v);
    *ret_A = M + n * n;
    return M;
}

/* M with held coordinates decoupled from the others. */
static const double *uncoupled(ModelEval *eval, const Correction *c, const double *M)
{
    const size_t n = eval->model->n;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            eval->held_M[i * n + j] = c->held[i] || c->held[j] ? 0 : M[i * n + j];
        if (c->held[i])
            eval->held_M[i * n + i] = M[i * n + i] > 0 ? M[i * n + i] : 1;
    }
    return eval->held_M;
}

bool correction_step(ModelEval *eval, const Correction *c, double t, const double *q,
                     const double *v, const double *wanted)
{
    const size_t n = eval->model->n;
    const double *x = c->positions ? q : v, *values = rows_residuals(eval, c);

    const double *A, *M = matrices(eval, c, t, q, v, &A);
    for (size_t k = 0; k < c->n_rows; k++) {
        memcpy(eval->rows_A + k * n, A + c->rows[k] * n, n * sizeof *A);
        for (size_t i = 0; c->held && i < n; i++)
            if (c->held[i])
                eval->rows_A[k * n + i] = 0;
        eval->rhs[n + k] = -values[c->rows[k]];
    }
    if (c->held && c->mass)
        M = uncoupled(eval, c, M);
    /* stationary: M (x + step - wanted) = A^T k */
    for (size_t i = 0; i < n; i++) {
        eval->rhs[i] = 0;
        for (size_t j = 0; wanted && j < n; j++) {
            double weight = c->mass ? M[i * n + j] : (double)(i == j);
            eval->rhs[i] += weight * (wanted[j] - x[j]);
        }
    }
    return kkt_solve(n, c->mass ? M : NULL, c->n_rows, eval->rows_A, eval->rhs, eval->kkt);
}

/* Velocities that the constraints determine to be zero consist of rounding alone. Each Newton step
 * reduces them by eps, but their residuals stay as large as their terms. So a velocity is set to
 * zero if half of the Newton steps reduce the largest one below it, or if it is too small for a
 * full set of digits. Returns whether the constraints hold afterwards. */
static bool come_to_rest(ModelEval *eval, const Correction *c, double t, const double *q, double *v)
{
    const size_t n = eval->model->n;
    const double left = ldexp(1, -(DBL_MANT_DIG - 1) * (NEWTON_STEPS / 2));
    double nothing = DBL_MIN / DBL_EPSILON;

    for (size_t i = 0; i < n; i++)
        nothing = fmax(nothing, left * fabs(eval->start[i]));
    for (size_t i = 0; i < n; i++)
        if (fabs(v[i]) <= nothing)
            v[i] = 0;
    /* accepted if Newton's method stagnates */
    return worst_residual(eval, c, t, q, v, NULL) <= ACCURACY_COMPUTED;
}

/* Iterates from x; true if it reaches the constraints, with x at the best point found. */
static bool project_iterate(ModelEval *eval, const Correction *c, double t, const double *q,
                            const double *v, double *x, double worst)
{
    const size_t n = eval->model->n;
    double best = worst;

    memcpy(eval->best, x, n * sizeof *x);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        if (!correction_step(eval, c, t, q, v, NULL))
            break;
        for (size_t i = 0; i < n; i++)
            x[i] += eval->rhs[i];
        worst = worst_residual(eval, c, t, q, v, NULL);
        if (isnan(worst))
            break;
        /* keep the best point; stop at round-off, or if there is no progress */
        if (worst < best) {
            best = worst;
            memcpy(eval->best, x, n * sizeof *x);
        } else if (best <= ACCURACY_COMPUTED) {
            break;
        }
        if (worst <= RESIDUAL_ROUND_OFF)
            break;
    }
    if (!(best <= ACCURACY_COMPUTED))
        return !c->positions && come_to_rest(eval, c, t, q, x);
    memcpy(x, eval->best, n * sizeof *x);
    return true;
}

Status correction_apply(ModelEval *eval, const Correction *correction, double t, double *q,
                        double *v, double *ret_change, Error *err)
{
    const size_t n = eval->model->n;
    double *x = correction->positions ? q : v;
    size_t row = 0;
    const double worst = worst_residual(eval, correction, t, q, v, &row);

    /* leave a state that satisfies the constraints as it is */
    if (worst <= correction->untouched) {
        *ret_change = 0;
        return OK;
    }
    if (isnan(worst))
        return error_set(
            err, ERR_NUMERIC,
            "no admissible %s at t = %.9g: the constraint %s is not a number there, as "
            "beyond the end of a chart, of a root or a logarithm",
            correction->positions ? "position" : "velocity", t, eval->model->constraints[row].name);
    memcpy(eval->start, x, n * sizeof *x);
    if (!project_iterate(eval, correction, t, q, v, x, worst)) {
        memcpy(x, eval->start, n * sizeof *x);
        return error_set(err, ERR_NUMERIC,
                         "no admissible %s nearby at t = %.9g: the constraint %s is off by %.3g of "
                         "the size of its terms, and nothing close by satisfies it",
                         correction->positions ? "position" : "velocity", t,
                         eval->model->constraints[row].name, worst);
    }
    *ret_change = vector_distance(x, eval->start, n);
    return OK;
}

Status model_project(ModelEval *eval, double t, double *q, double *v, const size_t *rows,
                     size_t n_rows, double *ret_dq, double *ret_dv, Error *err)
{
    const Model *m = eval->model;
    double dq = 0, dv = 0;
    Correction positions = {
        .positions = true,
        .rows = eval->positions,
        .mass = eval->metric.mass_for_positions,
        .untouched = RESIDUAL_UNTOUCHED,
    };
    Correction velocities = {
        .rows = rows,
        .n_rows = n_rows,
        .mass = eval->metric.mass_for_velocities,
        .untouched = RESIDUAL_UNTOUCHED,
    };
    /* only holonomic rows constrain positions */
    for (size_t k = 0; k < n_rows; k++)
        if (m->constraints[rows[k]].kind == CONSTRAINT_HOLONOMIC)
            eval->positions[positions.n_rows++] = rows[k];
    Status status = OK;
    /* velocities come second, because their rows depend on the new positions; all or nothing */
    memcpy(eval->start_q, q, m->n * sizeof *q);
    if (positions.n_rows)
        status = correction_apply(eval, &positions, t, q, v, &dq, err);
    if (status == OK && n_rows)
        status = correction_apply(eval, &velocities, t, q, v, &dv, err);
    if (status != OK) {
        memcpy(q, eval->start_q, m->n * sizeof *q);
        return status;
    }
    *ret_dq = dq;
    *ret_dv = dv;
    return OK;
}
