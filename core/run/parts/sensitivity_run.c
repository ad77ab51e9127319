/* The columns d(x)/d(p) of a row, from the linearised motion beside the run. */
#include "core/run/parts/sensitivity_run.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

struct SensitivityRun {
    const Simulation *s;
    Linearised *motion;
    double *vdot, *lambda, *observed; /* [n][m], [r][m], [n_observe][m] */
    Arena memory;                     /* owns the arrays */
};

void sensitivity_run_free(SensitivityRun *run)
{
    if (!run)
        return;
    linearised_free(run->motion);
    arena_done(&run->memory);
    free(run);
}

Linearised *sensitivity_run_motion(SensitivityRun *run)
{
    return run->motion;
}

static Status new_motion(const Simulation *s, Linearised **ret_motion, Error *err)
{
    const Sensitivities *x = s->sensitivities;
    const LinearisedSpec spec = {.model = s->compiled->model,
                                 .motion = s->motion,
                                 .params = s->params,
                                 .eval = s->eval,
                                 .columns = x->m,
                                 .parameters = x->parameters,
                                 .n_parameters = x->n_parameters,
                                 .dp = x->dp,
                                 .limits = true,
                                 .shaken = true};
    return linearised_new(&spec, ret_motion, err);
}

Status sensitivity_run_renew(SensitivityRun *run, Error *err)
{
    Linearised *motion = NULL;
    Status status = new_motion(run->s, &motion, err);

    if (status != OK)
        return status;
    linearised_free(run->motion);
    run->motion = motion;
    return OK;
}

Status sensitivity_run_new(const Simulation *s, SensitivityRun **ret_run, Error *err)
{
    const Model *model = s->compiled->model;
    const Sensitivities *x = s->sensitivities;
    SensitivityRun *run = alloc_array(1, sizeof *run);
    if (!run)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    run->s = s;
    run->vdot = arena_doubles(&run->memory, model->n * x->m);
    run->lambda = arena_doubles(&run->memory, model->r * x->m);
    run->observed = arena_doubles(&run->memory, s->n_observe * x->m);
    Status status = arena_status(&run->memory, err);
    /* the linearised motion, and the observables along it */
    if (status == OK)
        status = new_motion(s, &run->motion, err);
    if (status == OK)
        status = observed_linearise(s->observed, x->parameters, x->n_parameters, x->m, err);
    if (status == OK)
        *ret_run = run;
    else
        sensitivity_run_free(run);
    return status;
}

void sensitivity_run_begin(const SensitivityRun *run, double *y)
{
    const size_t dim = 2 * run->s->compiled->model->n;
    memcpy(y + dim, run->s->sensitivities->start, dim * run->s->sensitivities->m * sizeof *y);
}

static double *transpose(const double *rows, size_t n, size_t m, size_t c, double *ret)
{
    for (size_t i = 0; i < n; i++)
        *ret++ = rows[i * m + c];
    return ret;
}

void sensitivity_run_row(SensitivityRun *run, const ObservedState *state, const double *y,
                         double *ret_columns)
{
    const Simulation *s = run->s;
    const Sensitivities *x = s->sensitivities;
    const size_t n = s->compiled->model->n, r = s->compiled->model->r;
    const double *columns = y + 2 * n;

    /* multipliers, then accelerations for the observables */
    linearised_multipliers(run->motion, state->t, y, run->lambda);
    if (s->n_observe) {
        linearised_accelerations(run->motion, state->t, y, run->vdot);
        const DirectionRows parts[] = {
            {columns, 2 * n}, {run->vdot, n}, {run->lambda, r}, {x->dp, x->n_parameters}};
        observed_columns_along(s->observed, state, parts, 4, x->m, run->observed);
    }
    for (size_t c = 0; c < x->m; c++) {
        ret_columns = transpose(columns, 2 * n, x->m, c, ret_columns);
        ret_columns = transpose(run->lambda, r, x->m, c, ret_columns);
        ret_columns = transpose(run->observed, s->n_observe, x->m, c, ret_columns);
    }
}
