/* The ends and guesses of a least-action problem. */
#include "core/prepare/boundary.h"

#include <math.h>
#include <string.h>

#include "core/model/residuals.h"
#include "core/prepare/named_values.h"

void boundary_adapt(const JobSpec *spec, const char *formulation, JobSpec *ret_spec,
                    Diagnostics *diag)
{
    const bool least_action = strcmp(formulation, "least-action") == 0;

    *ret_spec = *spec;
    /* a boundary and its formulation need each other */
    if (least_action && !spec->boundary.given)
        diagnostics_add(diag, "/boundary", -1,
                        "\"boundary\": {\"start\": {\"t\": 0, \"q\": {..}}, \"end\": {\"t\": 2, "
                        "\"q\": {..}}} instead of \"initial\"",
                        "least-action needs the two ends of the path");
    if (!least_action && spec->boundary.given)
        diagnostics_add(diag, "/boundary", -1, "\"formulation\": \"least-action\"",
                        "a boundary belongs to the formulation least-action, not to %s",
                        formulation);
    if (!spec->boundary.given)
        return;
    /* time runs from end to end, and the start is projected onto the constraints */
    ret_spec->initial.t = spec->boundary.start.t;
    ret_spec->initial.consistency = CONSISTENCY_PROJECT;
    if (spec->time.kind != TIME_AT)
        ret_spec->time.end = spec->boundary.end.t;
}

static void read_guesses(const BoundarySpec *spec, const NamedTargets *velocities, Boundary *b,
                         Diagnostics *diag)
{
    for (size_t k = 0; k < spec->n_guesses; k++)
        named_values_assign(spec->guesses[k].v, spec->guesses[k].n_v, velocities,
                            b->guesses + k * b->n, NULL, diag);
    if (spec->n_guesses == 0) /* the straight path, then rest (zeroed memory) */
        for (size_t i = 0; i < b->n; i++)
            b->guesses[i] = (b->end[i] - b->start[i]) / (b->t1 - b->t0);
}

/* The ends and the first guess in the coordinates of the model. */
static Status leave_chart(Simulation *s, Boundary *b, Error *err)
{
    const size_t n = s->compiled->model->n, m = b->n;
    double *ends = arena_alloc(s->arena, 2 * n, sizeof *ends);

    s->start.chart = arena_alloc(s->arena, 2 * m, sizeof *s->start.chart);
    if (!ends || !s->start.chart)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    memcpy(s->start.chart, b->start, m * sizeof *s->start.chart);
    memcpy(s->start.chart + m, b->guesses, m * sizeof *s->start.chart);
    memcpy(ends + n, chart_point(b->chart, b->t1, b->end, b->guesses).q, n * sizeof *ends);
    ChartPoint at = chart_point(b->chart, b->t0, b->start, b->guesses);
    memcpy(ends, at.q, n * sizeof *ends);
    memcpy(s->start.v, at.v, n * sizeof *s->start.v);
    b->q[0] = ends;
    b->q[1] = ends + n;
    return OK;
}

static void read_problem(const BoundarySpec *given, const StateTargets *names, double *ends,
                         Boundary *b, Diagnostics *diag)
{
    const size_t n = names->q.n, before = diag->total;

    /* arrays: start, end, then one velocity per guess */
    *b = (Boundary){.t0 = given->start.t,
                    .t1 = given->end.t,
                    .n = n,
                    .start = ends,
                    .end = ends + n,
                    .q = {ends, ends + n},
                    .guesses = ends + 2 * n,
                    .n_guesses = given->n_guesses ? given->n_guesses : 2};
    if (n == 0)
        diagnostics_add(diag, "/boundary/start/chart", -1, "give the ends under \"q\"",
                        "the model has no chart");
    else {
        named_values_assign(given->start.q, given->start.n_q, &names->q, ends, NULL, diag);
        named_values_assign(given->end.q, given->end.n_q, &names->q, ends + n, NULL, diag);
    }
    if (!isfinite(b->t0) || !isfinite(b->t1) || !(b->t0 < b->t1))
        diagnostics_add(diag, "/boundary/end/t", -1, "exchange the two ends",
                        "the end must be later than the start, and both times finite");
    if (diag->total == before)
        read_guesses(given, &names->v, b, diag);
}

/* The first guess at which the Lagrangian is finite: the model is examined there. */
static const double *usable_guess(const Simulation *s, const Boundary *b)
{
    for (size_t k = 0; k < b->n_guesses; k++) {
        const double *v = b->guesses + k * b->n;
        if (isfinite(model_point(s->eval, b->t0, b->start, v).energy))
            return v;
    }
    return b->guesses;
}

Status boundary_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const BoundarySpec *given = &spec->boundary;
    const StateTargets names = state_targets(model, given->in_chart);
    const size_t before = diag->total, n_guesses = given->n_guesses ? given->n_guesses : 2;
    Status status = OK;
    Boundary *b = arena_alloc(s->arena, 1, sizeof *b);
    double *ends = arena_alloc(s->arena, (2 + n_guesses) * names.q.n + 1, sizeof *ends);

    if (!b || !ends)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    read_problem(given, &names, ends, b, diag);
    s->boundary = b;
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the boundary has mistakes");
    /* a problem in the chart is translated to the model's coordinates */
    if (given->in_chart) {
        status = chart_eval_new(model, s->params, &b->chart, err);
        if (status == OK)
            status = leave_chart(s, b, err);
    } else {
        memcpy(s->start.v, usable_guess(s, b), model->n * sizeof *s->start.v);
    }
    if (status == OK)
        memcpy(s->start.q, b->q[0], model->n * sizeof *s->start.q);
    return status;
}

void boundary_free(Boundary *b)
{
    if (b)
        chart_eval_free(b->chart);
}

Status boundary_check(Simulation *s, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const Boundary *b = s->boundary;
    const size_t before = diag->total;
    const struct {
        double t;
        const double *q;
        const char *pointer;
    } ends[] = {{b->t0, b->q[0], "/boundary/start"}, {b->t1, b->q[1], "/boundary/end"}};

    /* each end has to satisfy the holonomic constraints, with a finite Lagrangian */
    for (size_t k = 0; k < 2; k++) {
        ModelPoint point = model_point(s->eval, ends[k].t, ends[k].q, s->start.v);
        for (size_t a = 0; a < model->r; a++)
            if (!(point_position_residual(&point, a) <= RESIDUAL_ADMISSIBLE))
                diagnostics_add(diag, ends[k].pointer, -1, "both ends must satisfy the constraints",
                                "the constraint %s is violated by %.6g at t = %.17g",
                                model->constraints[a].name, point.f[a], ends[k].t);
        if (!isfinite(point.energy))
            diagnostics_add(diag, ends[k].pointer, -1, NULL,
                            "the Lagrangian is not finite at t = %.17g", ends[k].t);
    }
    /* corners have no second variation */
    if (s->motion->n_switches)
        diagnostics_add(diag, "/model/lagrangian", -1, "use smooth functions",
                        "the Lagrangian has corners (abs, min, max, sign or if), at which the "
                        "second variation is not defined");
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "no boundary problem");
}
