#include "core/simulation/prepare/boundary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/dense.h"
#include "core/simulation/linear/variation.h"
#include "core/simulation/prepare/named_values.h"

enum { NEWTON_STEPS = 60, HALVINGS = 24 };
/* Distance from the far end, relative to 1 + |end|, that counts as arrived. */
static const double ARRIVED = 1e-12;
/* The same for ends that round-off and tolerance keep from being met closer. */
static const double CLOSE = 1e-9;
/* Spread of the directions below which the ends count as conjugate to each other. */
static const double DEGENERATE = 1e-8;
/* Newton steps beyond this many times the velocity lead nowhere when the ends are conjugate. */
static const double LEAP = 1e6;
/* Initial velocities closer than this, relative to their size, are one solution. */
static const double SAME = 1e-6;

/* Reading ------------------------------------------------------------------------------------ */

void boundary_adapt(const JobSpec *spec, const char *formulation, JobSpec *ret_spec,
                    Diagnostics *diag)
{
    const bool least_action = strcmp(formulation, "least-action") == 0;

    *ret_spec = *spec;
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
    ret_spec->t0 = spec->boundary.start.t;
    ret_spec->consistency = CONSISTENCY_PROJECT;
    if (spec->time.kind != TIME_AT)
        ret_spec->time.end = spec->boundary.end.t;
}

static void read_guesses(const BoundarySpec *spec, const char *what, const char *const *names,
                         Boundary *b, Diagnostics *diag)
{
    for (size_t k = 0; k < spec->n_guesses; k++)
        assign_values(spec->guesses[k].v, spec->guesses[k].n_v, what, names, b->n,
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

    s->chart = arena_alloc(s->arena, 2 * m, sizeof *s->chart);
    if (!ends || !s->chart)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    memcpy(s->chart, b->start, m * sizeof *s->chart);
    memcpy(s->chart + m, b->guesses, m * sizeof *s->chart);
    memcpy(ends + n, chart_point(b->chart, b->t1, b->end, b->guesses).q, n * sizeof *ends);
    ChartPoint at = chart_point(b->chart, b->t0, b->start, b->guesses);
    memcpy(ends, at.q, n * sizeof *ends);
    memcpy(s->v, at.v, n * sizeof *s->v);
    b->q[0] = ends;
    b->q[1] = ends + n;
    return OK;
}

/* Names and counts of the coordinates in which the problem is posed. */
typedef struct Letters {
    size_t n;
    const char *what;
    const char *const *names;
} Letters;

static Letters letters_of(const Model *model, bool in_chart)
{
    if (in_chart)
        return (Letters){model->chart.n, "coordinate of the chart",
                         (const char *const *)model->chart.names};
    return (Letters){model->n, "coordinate", model->coordinate_names};
}

static void read_problem(const BoundarySpec *given, const Letters *letters, double *ends,
                         Boundary *b, Diagnostics *diag)
{
    const size_t n = letters->n, before = diag->total;

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
        assign_values(given->start.q, given->start.n_q, letters->what, letters->names, n, ends,
                      NULL, diag);
        assign_values(given->end.q, given->end.n_q, letters->what, letters->names, n, ends + n,
                      NULL, diag);
    }
    if (!isfinite(b->t0) || !isfinite(b->t1) || !(b->t0 < b->t1))
        diagnostics_add(diag, "/boundary/end/t", -1, "exchange the two ends",
                        "the end must be later than the start, and both times finite");
    if (diag->total == before)
        read_guesses(given, letters->what, letters->names, b, diag);
}

/* The first guess at which the Lagrangian is finite: the model is looked at there. */
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
    const Letters letters = letters_of(model, given->in_chart);
    const size_t before = diag->total, n_guesses = given->n_guesses ? given->n_guesses : 2;
    Status status = OK;
    Boundary *b = arena_alloc(s->arena, 1, sizeof *b);
    double *ends = arena_alloc(s->arena, (2 + n_guesses) * letters.n + 1, sizeof *ends);

    if (!b || !ends)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    read_problem(given, &letters, ends, b, diag);
    s->boundary = b;
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the boundary has mistakes");
    if (given->in_chart) {
        status = chart_eval_new(model, s->params, &b->chart, err);
        if (status == OK)
            status = leave_chart(s, b, err);
    } else {
        memcpy(s->v, usable_guess(s, b), model->n * sizeof *s->v);
    }
    if (status == OK)
        memcpy(s->q, b->q[0], model->n * sizeof *s->q);
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

    for (size_t k = 0; k < 2; k++) {
        ModelPoint point = model_point(s->eval, ends[k].t, ends[k].q, s->v);
        for (size_t a = 0; a < model->r; a++)
            if (!(fabs(point.f[a]) <= 1e-8 * point.f_scale[a]))
                diagnostics_add(diag, ends[k].pointer, -1, "both ends must satisfy the constraints",
                                "the constraint %s is violated by %.6g at t = %.17g",
                                model->constraints[a].name, point.f[a], ends[k].t);
        if (!isfinite(point.energy))
            diagnostics_add(diag, ends[k].pointer, -1, NULL,
                            "the Lagrangian is not finite at t = %.17g", ends[k].t);
    }
    if (s->motion->n_switches)
        diagnostics_add(diag, "/model/lagrangian", -1, "use smooth functions",
                        "the Lagrangian has corners (abs, min, max, sign or if), at which the "
                        "second variation is not defined");
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "no boundary problem");
}

/* Shooting ----------------------------------------------------------------------------------- */

typedef struct Shooting {
    const Simulation *s;
    const Boundary *b;
    Variation *variation;
    const SimulationSink *sink;
    size_t n, m;        /* as in VariationResult */
    double *v, *trial;  /* n */
    double *miss;       /* n: the far end less where the motion arrives */
    double *step;       /* m */
    VariationResult at; /* of v */
} Shooting;

/* The velocity made admissible at the start; the position is. */
static Status admissible(Shooting *x, double *v, Error *err)
{
    const Simulation *s = x->s;
    double dq, dv;
    double *q = x->miss; /* scratch: it must not be moved by more than rounding */

    if (x->b->chart)
        return OK;
    memcpy(q, x->b->start, x->n * sizeof *q);
    return model_project(s->eval, x->b->t0, q, v, s->rows, s->report.rank, &dq, &dv, err);
}

/* Runs from velocity v; the distance from the far end, relative, in *ret_distance. */
static Status shoot(Shooting *x, double *v, double *ret_distance, Error *err)
{
    Status status = admissible(x, v, err);
    if (status == OK)
        status = variation_run(x->variation, x->b->start, v, false, x->sink, &x->at, err);
    if (status != OK)
        return status;
    *ret_distance = 0;
    for (size_t i = 0; i < x->n; i++) {
        x->miss[i] = x->b->end[i] - x->at.q1[i];
        *ret_distance = fmax(*ret_distance, fabs(x->miss[i]) / (1 + fabs(x->b->end[i])));
    }
    return OK;
}

/* Stops everything, unlike a guess that leads nowhere. */
static bool is_final(Status status)
{
    return status == ERR_CANCELLED || status == ERR_TIMEOUT || status == ERR_NO_MEMORY;
}

/* Newton's direction for the velocity. Between conjugate ends it is meaningless. */
static Status find_direction(Shooting *x, double *ret_direction, Error *err)
{
    double size = 0, speed = 1;
    Status status = dense_least_norm(x->at.dq1, x->n, x->m, x->miss, 1e-12, x->step, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < x->n; i++) {
        ret_direction[i] = 0;
        for (size_t c = 0; c < x->m; c++)
            ret_direction[i] += x->at.N[i * x->m + c] * x->step[c];
        size = fmax(size, fabs(ret_direction[i]));
        speed = fmax(speed, fabs(x->v[i]));
    }
    if (x->at.displacement < DEGENERATE && size > LEAP * speed)
        return error_set(err, ERR_NUMERIC,
                         "the ends are conjugate to each other: motions that start side by side "
                         "meet again there, and none reaches other points nearby");
    return OK;
}

/* Newton's step, halved until the distance falls. */
static Status improve(Shooting *x, double *distance, Error *err)
{
    double *direction = x->trial + x->n, next = INFINITY, part = 1;
    Status status = find_direction(x, direction, err);
    if (status != OK)
        return status;
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
        for (size_t i = 0; i < x->n; i++)
            x->trial[i] = x->v[i] + part * direction[i];
        status = shoot(x, x->trial, &next, err);
        if (is_final(status))
            return status;
        if (status == OK && next < *distance)
            break;
    }
    if (!(next < *distance))
        return error_set(err, ERR_NUMERIC, "the distance from the far end stays at %.3g",
                         *distance);
    memcpy(x->v, x->trial, x->n * sizeof *x->v);
    *distance = next;
    return OK;
}

/* From the velocity in x->v to a solution. */
static Status newton(Shooting *x, Error *err)
{
    double distance = INFINITY;
    Status status = shoot(x, x->v, &distance, err);

    for (int k = 0; status == OK && k < NEWTON_STEPS && distance > ARRIVED; k++) {
        status = improve(x, &distance, err);
        if (status == ERR_NUMERIC && distance <= CLOSE) {
            status = OK; /* as close as the tolerance allows */
            break;
        }
    }
    if (status == OK && distance > CLOSE)
        return error_set(err, ERR_NUMERIC,
                         "the distance from the far end is still %.3g after %d steps", distance,
                         NEWTON_STEPS);
    return status;
}

static bool is_known(const Shooting *x, const SimulationResult *result)
{
    for (size_t k = 0; k < result->n_solutions; k++) {
        const BoundarySolution *known = &result->solutions[k];
        const double *v = known->n_chart ? known->chart_v : known->v;
        double difference = 0, size = 1;
        for (size_t i = 0; i < x->n; i++) {
            difference = fmax(difference, fabs(v[i] - x->v[i]));
            size = fmax(size, fabs(x->v[i]));
        }
        if (difference <= SAME * size)
            return true;
    }
    return false;
}

static const char *kind_of(const VariationResult *at)
{
    if (at->displacement < DEGENERATE)
        return "degenerate"; /* the ends are conjugate to each other */
    if (!at->convex)
        return "undecided"; /* L is not convex in the admissible velocities all along */
    return at->conjugate == 0 ? "minimum" : "saddle";
}

static Status keep(Shooting *x, BoundarySolution *solutions, SimulationResult *result, Error *err)
{
    const Boundary *b = x->b;
    const size_t n = x->s->compiled->model->n;
    VariationResult at;
    double *v = arena_alloc(x->s->arena, n + x->n, sizeof *v), *own = v + n;
    if (!v)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    Status status = variation_run(x->variation, b->start, x->v, true, x->sink, &at, err);
    if (status != OK)
        return status;
    memcpy(own, x->v, x->n * sizeof *own);
    memcpy(v, b->chart ? chart_point(b->chart, b->t0, b->start, own).v : own, n * sizeof *v);
    solutions[result->n_solutions++] = (BoundarySolution){.v = v,
                                                          .chart_v = own,
                                                          .n_chart = b->chart ? x->n : 0,
                                                          .action = at.action,
                                                          .first_variation = at.first,
                                                          .conjugate_points = at.conjugate,
                                                          .jacobi_determinant = at.determinant,
                                                          .kind = kind_of(&at)};
    return OK;
}

static Status try_guesses(Shooting *x, SimulationResult *result, Error *err)
{
    const Boundary *b = x->b;
    BoundarySolution *solutions = arena_alloc(x->s->arena, b->n_guesses, sizeof *solutions);
    Error last = {0};

    if (!solutions)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    result->solutions = solutions;
    for (size_t k = 0; k < b->n_guesses; k++) {
        memcpy(x->v, b->guesses + k * x->n, x->n * sizeof *x->v);
        Status status = newton(x, &last);
        if (status == OK && !is_known(x, result))
            status = keep(x, solutions, result, &last);
        if (is_final(status))
            return error_set(err, status, "%s", last.message);
    }
    if (result->n_solutions == 0)
        return error_set(err, ERR_NUMERIC,
                         "no path between the ends was found; guesses of the initial velocity "
                         "tried: %zu (\"boundary\".\"guesses\" may name others); the last: %s",
                         b->n_guesses, last.message);
    return OK;
}

/* The first solution is where the run starts. */
static void take_start(Simulation *s, const BoundarySolution *solution)
{
    memcpy(s->v, solution->v, s->compiled->model->n * sizeof *s->v);
    if (solution->n_chart)
        memcpy(s->guess + solution->n_chart, solution->chart_v,
               solution->n_chart * sizeof *s->guess);
}

Status boundary_solve(Simulation *s, const SimulationSink *sink, SimulationResult *ret_result,
                      Error *err)
{
    const Boundary *b = s->boundary;
    const size_t n = b->n;
    Shooting x = {.s = s, .b = b, .sink = sink, .n = n, .m = b->chart ? n : n - s->report.rank};
    Status status = variation_new(s, b->t0, b->t1, &x.variation, err);

    x.v = alloc_array(5 * n, sizeof *x.v);
    if (status == OK && !x.v)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK) {
        x.trial = x.v + n; /* and the direction behind it */
        x.miss = x.trial + 2 * n;
        x.step = x.miss + n;
        status = try_guesses(&x, ret_result, err);
    }
    if (status == OK)
        take_start(s, &ret_result->solutions[0]);
    variation_free(x.variation);
    free(x.v);
    return status;
}
