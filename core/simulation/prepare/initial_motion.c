/* Where a motion starts: its equations, its state in the formulation's own variables, and a check
 * that both give the initial state and M vdot + l = F + A^T lambda back. */
#include "core/simulation/prepare/initial_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/motion/choice.h"
#include "core/simulation/prepare/initial_multipliers.h"

/* Reciprocal condition below which the equations of a start count as singular. */
static const double START_SINGULAR = 1e-13;
/* What a change of variables and a solve may lose of the state, and of the equations of motion; and
 * the units of rounding of the largest component, over the reciprocal condition, on top. */
static const double SAME_STATE = 1e-8, BALANCED = 1e-6, ROUNDINGS = 64;

/* Equations whose regularity depends on the multipliers are looked at as they stand; of the others
 * the initial state and the formulation have told already. */
static Status initial_motion_check_regularity(const Simulation *s, Diagnostics *diag, Error *err)
{
    MotionEval *equations = NULL;
    double *y = arena_doubles(s->arena, s->motion->dim + 1);
    Status status = arena_status(s->arena, err);

    if (status == OK)
        status =
            motion_eval_new(s->compiled->model, s->motion, s->params, 1, false, &equations, err);
    if (status == OK)
        status = initial_motion_state(s, equations, y, err);
    if (status == OK && s->motion->n_switches)
        motion_eval_start_switches(equations, 0, sample_times_backwards(&s->times), s->times.t0, y);
    if (status == OK) {
        const double regularity = motion_eval_point(equations, 0, s->times.t0, y).regularity;
        if (!(regularity >= START_SINGULAR)) {
            diagnostics_add(diag, "/initial/mu", -1, "start with other multipliers",
                            "with these multipliers the equations of the formulation %s are "
                            "singular at the initial state (reciprocal condition %.3g)",
                            s->compiled->formulation->name, regularity);
            status = error_set(err, ERR_INVALID, "the initial state is singular");
        }
    }
    motion_eval_free(equations);
    return status;
}

/* A guess of the motion's state, where zeros would not do. */
static Status initial_motion_locate(Simulation *s, const MotionQuestion *question,
                                    Diagnostics *diag, Error *err)
{
    s->guess = arena_alloc(s->arena, s->motion->dim, sizeof *s->guess);
    if (!s->guess)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return s->compiled->formulation->locate(question, s->guess, diag, err);
}

Status initial_motion_choose(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    MotionOptions options = {.rows = s->rows, .n_rows = s->report.rank};
    MotionQuestion question = simulation_question(s, s->times.t0, s->q, s->v, &options);
    question.chart = s->chart;

    Status status = motion_choose_options(s->compiled->formulation, &question, spec->mu_momentum,
                                          s->arena, &options, diag, err);
    if (status == OK) {
        s->dependent = options.dependent;
        s->note = options.note;
        status = initial_multipliers_read(s, spec, diag, err);
    }
    if (status == OK)
        status =
            compiled_motion(s->compiled, &options, motion_class_of(&s->report), &s->motion, err);
    if (status == OK && s->compiled->formulation->locate)
        status = initial_motion_locate(s, &question, diag, err);
    if (status == OK && s->compiled->formulation->keeps_multipliers)
        status = initial_motion_check_regularity(s, diag, err);
    return status;
}

Status initial_motion_state(const Simulation *s, MotionEval *equations, double *y, Error *err)
{
    const size_t n = s->compiled->model->n, dim = s->motion->dim;

    memset(y, 0, (dim + 1) * sizeof *y);
    if (s->motion->plain) {
        memcpy(y, s->q, n * sizeof *y);
        memcpy(y + n, s->v, n * sizeof *y);
        return OK;
    }
    if (s->guess)
        memcpy(y, s->guess, dim * sizeof *y);
    return motion_eval_restate(equations, 0, s->times.t0, s->q, s->v, s->multipliers, y, err);
}

/* Component i of M vdot + l - F - A^T lambda, relative to the sum of its terms. */
static double imbalance(const Simulation *s, const ModelPoint *at, const MotionPoint *point,
                        size_t i)
{
    const size_t n = s->compiled->model->n;
    double sum = at->l[i] - at->F[i], size = 1 + fabs(at->l[i]) + fabs(at->F[i]);

    for (size_t j = 0; j < n; j++) {
        const double term = at->M[i * n + j] * point->vdot[j];
        sum += term;
        size += fabs(term);
    }
    for (size_t k = 0; k < s->motion->n_rows; k++) {
        const double term = at->A[s->rows[k] * n + i] * point->lambda[k];
        sum -= term;
        size += fabs(term);
    }
    return fabs(sum) / size;
}

/* What rounding alone may change, relative to 1. */
static double initial_motion_rounding(const Simulation *s, const double *y, double regularity)
{
    double largest = 1;

    for (size_t i = 0; i < s->motion->dim; i++)
        largest = fmax(largest, fabs(y[i]));
    return ROUNDINGS * DBL_EPSILON * largest / regularity;
}

Status initial_motion_check(const Simulation *s, MotionEval *equations, const double *y, Error *err)
{
    const Model *model = s->compiled->model;
    const MotionPoint point = motion_eval_point(equations, 0, s->times.t0, y);
    const ModelPoint at = model_point(s->eval, s->times.t0, s->q, s->v);

    /* the reaction of formulations that keep their multipliers is another one, and at a corner the
     * equations take the side that the motion goes to */
    const bool balances =
        !s->compiled->formulation->keeps_multipliers && s->motion->n_switches == 0;

    if (!(point.regularity >= START_SINGULAR))
        return OK; /* which is said elsewhere, with the reason */
    const double least = initial_motion_rounding(s, y, point.regularity);
    for (size_t i = 0; i < model->n; i++) {
        const double dq = fabs(point.q[i] - s->q[i]) / (1 + fabs(s->q[i]));
        const double dv = fabs(point.v[i] - s->v[i]) / (1 + fabs(s->v[i]));
        const double force = balances ? imbalance(s, &at, &point, i) : 0;
        if (fmax(dq, dv) > SAME_STATE + least || force > BALANCED + least)
            return error_set(err, ERR_NUMERIC,
                             "the equations of the formulation %s do not reproduce the initial "
                             "state: %s is off by %.3g, its velocity by %.3g and its equation of "
                             "motion by %.3g (relative)",
                             s->compiled->formulation->name, model->coordinate_names[i], dq, dv,
                             force);
    }
    return OK;
}
