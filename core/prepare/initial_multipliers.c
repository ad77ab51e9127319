/* Initial multipliers of vakonomic motions. */
#include "core/prepare/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/model/dimensions.h"
#include "core/numeric/dense.h"

static const char POINTER[] = "/initial/mu";
static const char HINT[] = "for example \"mu\": {\"c1\": 0}, a list in the order of the "
                           "constraints, or \"momentum\"";

/* A constraint by its name or its number (c1, c2, ...), or model->r if there is none. */
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

static void unknown_constraint(const Model *model, const MultiplierSpec *value, Diagnostics *diag)
{
    const char **names = arena_alloc(diag->arena, model->r, sizeof *names);

    for (size_t a = 0; names && a < model->r; a++)
        names[a] = model->constraints[a].name;
    diagnostics_add(diag, value->pointer, -1,
                    names_hint(diag, value->name, "constraints", names, names ? model->r : 0),
                    "unknown constraint \"%.80s\"", value->name);
}

/* given[r]: the job's entry for each constraint's multiplier, or NULL. */
static void find_given(const Model *model, const JobSpec *spec, const MultiplierSpec **given,
                       Diagnostics *diag)
{
    for (size_t k = 0; k < spec->initial.n_mu; k++) {
        const MultiplierSpec *value = &spec->initial.mu[k];
        /* an entry without a name is of the constraint at its place in the list */
        const size_t a = value->name ? find_constraint(model, value->name) : k;
        if (a >= model->r && value->name) {
            unknown_constraint(model, value, diag);
        } else if (a >= model->r) {
            diagnostics_add(diag, value->pointer, -1, NULL,
                            "one multiplier more than the model's %zu constraints", model->r);
            return;
        } else if (given[a]) {
            diagnostics_add(diag, value->pointer, -1,
                            "give \"initial.mu\" by the names of constraints: {\"c1\": 0}",
                            "the multiplier of the constraint %.80s is given twice",
                            model->constraints[a].name);
        } else {
            given[a] = value;
        }
    }
}

static void report_missing(const Simulation *s, const MultiplierSpec *const *given,
                           Diagnostics *diag)
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

/* Expressions in t, q, v and the parameters at the initial state. */
static Status multipliers_at_start(const Simulation *s, const ExprPool *pool, const Expr *roots,
                                   size_t n, double *ret, Error *err)
{
    const Model *m = s->compiled->model;
    double *values = alloc_array(m->sym.first_free, sizeof *values);
    if (!values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    values[expr_node(m->pool, m->sym.t).symbol] = s->times.t0;
    for (size_t i = 0; i < m->n; i++) {
        values[expr_node(m->pool, m->sym.q[i]).symbol] = s->start.q[i];
        values[expr_node(m->pool, m->sym.v[i]).symbol] = s->start.v[i];
    }
    for (size_t k = 0; k < m->n_params; k++)
        values[expr_node(m->pool, m->sym.params[k]).symbol] = s->params[k];
    Status status = expr_eval(pool, roots, n, values, ret, err);
    free(values);
    return status;
}

/* A multiplier as a function mu = phi(q, v) has to have the multiplier's dimension. */
static void check_section(const Model *model, size_t a, const MultiplierSpec *mu,
                          const Dimension *found, Diagnostics *diag)
{
    const NamedText text = {
        .name = model->constraints[a].name, .text = mu->text, .pointer = mu->pointer};
    const Dimension due = units_multiplier(model, a, true);

    units_check(diag, &text, found, &due, "the multiplier",
                "as the Lagrangian divided by the "
                "constraint");
}

static Status multipliers_evaluate(Simulation *s, const MultiplierSpec *const *given,
                                   Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    ExprPool *pool = expr_pool_clone(model->pool);
    ExprScope *scope = pool ? model_scope(model, pool, false, NULL) : NULL;
    Status status = scope ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t a = 0; status == OK && a < model->r; a++) {
        const MultiplierSpec *mu = given[a];
        const size_t known = diag->total;
        double *value = &s->start.multipliers[a];
        *value = mu->value;
        if (mu->text) {
            Dimension found;
            Expr text = expr_parse_measured(pool, scope, mu->text, PARSE_EXPRESSION, mu->pointer,
                                            diag, &found);
            /* a constant is in SI units, as a number would be */
            if (model->units.known && !expr_is_none(text) && !expr_is_const(pool, text, NULL))
                check_section(model, a, mu, &found, diag);
            status =
                diag->total == known ? multipliers_at_start(s, pool, &text, 1, value, err) : OK;
        }
        if (status == OK && diag->total == known && !isfinite(*value))
            diagnostics_add(diag, mu->pointer, -1, NULL,
                            "the value at the initial state is not a finite number");
    }
    expr_scope_free(scope);
    expr_pool_free(pool);
    return status;
}

/* Solves A_dep^T mu = p_dep for the multipliers. */
static Status take_momentum(Simulation *s, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n, r = model->r;
    double *p = arena_doubles(s->arena, n), *matrix = arena_doubles(s->arena, r * r);
    Status status = arena_status(s->arena, err);

    if (status == OK)
        status = multipliers_at_start(s, model->pool, model->p, n, p, err);

    if (status == OK) {
        /* rows of A^T at the dependent coordinates */
        ModelPoint point = model_point(s->eval, s->times.t0, s->start.q, s->start.v);
        for (size_t k = 0; k < r; k++) {
            s->start.multipliers[k] = p[s->start.dependent[k]];
            for (size_t a = 0; a < r; a++)
                matrix[k * r + a] = point.A[a * n + s->start.dependent[k]];
        }
        status = r ? dense_solve(matrix, r, s->start.multipliers, 1, err) : OK;
    }
    /* dependent coordinates that do not determine the multipliers are a mistake of the job */
    if (status == ERR_NUMERIC) {
        diagnostics_add(diag, POINTER, -1, "give the multipliers themselves",
                        "the momenta of the dependent coordinates do not determine the multipliers "
                        "at the initial state");
        status = ERR_INVALID;
    }
    return status;
}

/* The job's entry for each constraint's multiplier; NULL if memory is out. */
static const MultiplierSpec **list_given(const Simulation *s, const JobSpec *spec,
                                         Diagnostics *diag)
{
    const Model *model = s->compiled->model;
    const size_t before = diag->total;
    const MultiplierSpec **given = ARENA_NEW(s->arena, model->r, const MultiplierSpec *);

    if (given)
        find_given(model, spec, given, diag);
    if (given && diag->total == before)
        report_missing(s, given, diag);
    return given;
}

static Status take_given(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    const MultiplierSpec **given = list_given(s, spec, diag);
    Status status = arena_status(s->arena, err);

    if (status == OK && diag->total == before)
        status = multipliers_evaluate(s, given, diag, err);
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the initial multipliers have mistakes");
    return status;
}

static void report_not_kept(const Simulation *s, Diagnostics *diag)
{
    diagnostics_add(diag, POINTER, -1, "leave it out, or use the formulation \"vakonomic\"",
                    "the multipliers of the formulation %s follow from its state: they cannot "
                    "be given",
                    s->compiled->formulation->name);
}

Status initial_multipliers_check(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const bool kept = s->compiled->formulation->keeps_multipliers;

    if (!kept && spec->initial.mu_given)
        report_not_kept(s, diag);
    if (kept && !spec->initial.mu_momentum)
        (void)list_given(s, spec, diag); /* the arena has the status of memory */
    return arena_status(s->arena, err);
}

Status initial_multipliers_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;

    if (!s->compiled->formulation->keeps_multipliers) {
        if (!spec->initial.mu_given)
            return OK;
        report_not_kept(s, diag);
        return error_set(err, ERR_INVALID, "initial multipliers for the formulation %s",
                         s->compiled->formulation->name);
    }
    s->start.multipliers = arena_alloc(s->arena, model->r, sizeof *s->start.multipliers);
    if (!s->start.multipliers)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return spec->initial.mu_momentum ? take_momentum(s, diag, err) : take_given(s, spec, diag, err);
}
