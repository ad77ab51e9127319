#include "core/simulation/multipliers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/dense.h"

static const char POINTER[] = "/initial/mu";
static const char HINT[] = "for example \"mu\": {\"c1\": 0}, a list in the order of the "
                           "constraints, or \"momentum\"";

/* A constraint by its name or its number (c1, c2, ...); model->r when there is none. */
static size_t find_constraint(const Model *model, const char *name)
{
    for (size_t a = 0; a < model->r; a++) {
        char number[32];
        snprintf(number, sizeof number, "c%zu", a + 1);
        if (strcmp(name, model->constraints[a].name) == 0 || strcmp(name, number) == 0)
            return a;
    }
    return model->r;
}

static void unknown_constraint(const Model *model, const NamedValue *value, Diagnostics *diag)
{
    const char *near = NULL;
    const char **names = arena_alloc(diag->arena, model->r, sizeof *names);

    for (size_t a = 0; names && a < model->r; a++)
        names[a] = model->constraints[a].name;
    if (names)
        near = nearest_name(value->name, strlen(value->name), names, model->r);
    diagnostics_add(diag, value->pointer, -1,
                    near ? arena_printf(diag->arena, "did you mean \"%s\"?", near) : NULL,
                    "unknown constraint \"%.80s\"", value->name);
}

static void take_given(const Model *model, const JobSpec *spec, double *mu, bool *given,
                       Diagnostics *diag)
{
    for (size_t k = 0; k < spec->n_mu; k++) {
        const NamedValue *value = &spec->mu[k];
        const size_t a = value->name ? find_constraint(model, value->name) : k;
        if (a >= model->r && value->name) {
            unknown_constraint(model, value, diag);
        } else if (a >= model->r) {
            diagnostics_add(diag, value->pointer, -1, NULL,
                            "one multiplier more than the model's %zu constraints", model->r);
            return;
        } else if (given[a]) {
            diagnostics_add(diag, value->pointer, -1, NULL,
                            "the multiplier of the constraint %.80s is given twice",
                            model->constraints[a].name);
        } else if (!isfinite(value->value)) {
            diagnostics_add(diag, value->pointer, -1, NULL, "the value is not a finite number");
        } else {
            mu[a] = value->value;
        }
        if (a < model->r)
            given[a] = true;
    }
}

static void report_missing(const Simulation *s, const bool *given, Diagnostics *diag)
{
    const Model *model = s->compiled->model;
    const char *names = NULL;

    for (size_t a = 0; a < model->r; a++) {
        const char *name = model->constraints[a].name;
        if (given[a])
            continue;
        names = names ? arena_printf(diag->arena, "%s, %s", names, name)
                      : arena_strdup(diag->arena, name);
        if (!names)
            return;
    }
    if (names)
        diagnostics_add(diag, POINTER, -1, HINT,
                        "the formulation %s needs initial multipliers: those of %.200s are missing",
                        s->compiled->formulation->name, names);
}

/* L_v at the initial state. */
static Status momenta(const Simulation *s, double *ret_p, Error *err)
{
    const Model *m = s->compiled->model;
    double *values = alloc_array(m->first_free, sizeof *values);
    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    values[expr_node(m->pool, m->t).symbol] = s->times.t0;
    for (size_t i = 0; i < m->n; i++) {
        values[expr_node(m->pool, m->q[i]).symbol] = s->q[i];
        values[expr_node(m->pool, m->v[i]).symbol] = s->v[i];
    }
    for (size_t k = 0; k < m->n_params; k++)
        values[expr_node(m->pool, m->params[k]).symbol] = s->params[k];
    Status status = expr_eval(m->pool, m->p, m->n, values, ret_p, err);
    free(values);
    return status;
}

/* A_dep^T mu = p_dep */
static Status take_momentum(Simulation *s, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n, r = model->r;
    double *p = alloc_array(n + r * r, sizeof *p), *matrix = p + n;
    Status status = p ? momenta(s, p, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        ModelPoint point = model_point(s->eval, s->times.t0, s->q, s->v);
        for (size_t k = 0; k < r; k++) {
            s->multipliers[k] = p[s->dependent[k]];
            for (size_t a = 0; a < r; a++)
                matrix[k * r + a] = point.A[a * n + s->dependent[k]];
        }
        status = r ? dense_solve(matrix, r, s->multipliers, 1, err) : OK;
    }
    if (status == ERR_NUMERIC) {
        diagnostics_add(diag, POINTER, -1, "give the multipliers themselves",
                        "the momenta of the dependent coordinates do not determine the multipliers "
                        "at the initial state");
        status = ERR_INVALID;
    }
    free(p);
    return status;
}

Status multipliers_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const char *name = s->compiled->formulation->name;
    const size_t before = diag->total;

    if (!s->compiled->formulation->keeps_multipliers) {
        if (!spec->mu_given)
            return OK;
        diagnostics_add(diag, POINTER, -1, "leave it out, or use the formulation \"vakonomic\"",
                        "the multipliers of the formulation %s follow from its state: they cannot "
                        "be given",
                        name);
        return error_set(err, ERR_INVALID, "initial multipliers for the formulation %s", name);
    }
    s->multipliers = arena_alloc(s->arena, model->r, sizeof *s->multipliers);
    bool *given = arena_alloc(s->arena, model->r, sizeof *given);
    if (!s->multipliers || !given)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    if (spec->mu_momentum)
        return take_momentum(s, diag, err);
    memset(given, 0, model->r * sizeof *given);
    take_given(model, spec, s->multipliers, given, diag);
    if (diag->total == before)
        report_missing(s, given, diag);
    return diag->total == before
               ? OK
               : error_set(err, ERR_INVALID, "the initial multipliers have mistakes");
}
