/* Shooting: Newton's method with halved steps for the velocity at the start that leads to the far
 * end (U. M. Ascher, R. M. M. Mattheij, R. D. Russell, Numerical Solution of Boundary Value
 * Problems, 1988, chapter 4). */
#include "core/run/parts/shooting.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/linear/variation.h"
#include "core/model/dimensions.h"
#include "core/model/kinds.h"
#include "core/numeric/dense.h"
#include "core/run/parts/result.h"

enum { NEWTON_STEPS = 60, HALVINGS = 24 };
/* Largest change of a velocity in a Newton step between conjugate ends, relative to the size of the
 * path over its time. Convention. */
static const double MAX_NEWTON_CHANGE = 1e6;

typedef struct Shooting {
    const Simulation *s;
    const Boundary *b;
    Variation *variation;
    size_t n, m;                    /* as in VariationResult */
    double *v, *trial, *direction;  /* n */
    double *miss;                   /* n: the far end less where the motion arrives */
    double *step;                   /* m */
    double *scaled, *right, *units; /* n x m, n, m: see solve_scaled() */
    double *size;                   /* n: of the path with the velocity v */
    VariationResult at;             /* of v */
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
    return model_project(s->eval, x->b->t0, q, v, s->start.rows, s->start.report.rank, &dq, &dv,
                         err);
}

/* The sizes of the path that starts with x->v, or of what it misses where nothing else tells;
 * coordinates of a chart are each of a kind of their own. */
static void find_sizes(Shooting *x)
{
    const Boundary *b = x->b;
    const double time = fabs(b->t1 - b->t0);
    const Model *model = x->s->compiled->model;

    for (size_t i = 0; i < x->n; i++) {
        const double end = b->chart ? fabs(b->end[i]) : kinds_largest(model, b->end, i);
        const double start = b->chart ? fabs(b->start[i]) : kinds_largest(model, b->start, i);
        const double speed = b->chart ? fabs(x->v[i]) : kinds_largest(model, x->v, i);
        x->size[i] = fmax(fmax(start, end), speed * time);
        if (x->size[i] == 0)
            x->size[i] = fabs(x->miss[i]);
    }
}

static double find_distance(const Shooting *x)
{
    double distance = 0;

    for (size_t i = 0; i < x->n; i++)
        if (x->miss[i] != 0)
            distance = fmax(distance, fabs(x->miss[i]) / x->size[i]);
    return distance;
}

/* Runs from velocity v; the distance to the far end goes into x->miss. */
static Status shooting_shoot(Shooting *x, double *v, Error *err)
{
    Status status = admissible(x, v, err);
    if (status == OK)
        status = variation_run(x->variation, x->b->start, v, false, &x->at, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < x->n; i++)
        x->miss[i] = x->b->end[i] - x->at.q1[i];
    return OK;
}

static bool is_final(Status status)
{
    return status == ERR_CANCELLED || status == ERR_TIMEOUT || status == ERR_NO_MEMORY;
}

/* dq1 step = miss, in the least-norm sense: rows in units of their coordinates' sizes, each
 * direction in those of the path's speed, so that lengths and angles weigh the same. */
static Status solve_scaled(Shooting *x, Error *err)
{
    const size_t n = x->n, m = x->m;
    const double time = fabs(x->b->t1 - x->b->t0);

    for (size_t c = 0; c < m; c++) {
        double most = 0; /* of the path's size, by a direction in a time */
        for (size_t i = 0; i < n; i++)
            if (x->size[i] > 0)
                most = fmax(most, fabs(x->at.N[i * m + c]) * time / x->size[i]);
        x->units[c] = most > 0 ? 1 / most : 1;
    }
    for (size_t i = 0; i < n; i++) {
        const double unit = x->size[i] > 0 ? 1 / x->size[i] : 1;
        x->right[i] = unit * x->miss[i];
        for (size_t c = 0; c < m; c++)
            x->scaled[i * m + c] = unit * x->at.dq1[i * m + c] * x->units[c];
    }
    Status status = dense_least_norm(x->scaled, n, m, x->right, ACCURACY_COMPUTED, x->step, err);
    for (size_t c = 0; status == OK && c < m; c++)
        x->step[c] *= x->units[c];
    return status;
}

/* Newton's direction for the velocity. Between conjugate ends it is meaningless. */
static Status find_direction(Shooting *x, double *ret_direction, Error *err)
{
    const double time = fabs(x->b->t1 - x->b->t0);
    bool leaps = false;

    Status status = solve_scaled(x, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < x->n; i++) {
        ret_direction[i] = 0;
        for (size_t c = 0; c < x->m; c++)
            ret_direction[i] += x->at.N[i * x->m + c] * x->step[c];
        leaps = leaps || fabs(ret_direction[i]) > MAX_NEWTON_CHANGE * x->size[i] / time;
    }
    /* the directions do not spread: the ends are conjugate */
    if (x->at.displacement < ACCURACY_HALF && leaps)
        return error_set(err, ERR_NUMERIC,
                         "the ends are conjugate to each other: motions that start side by side "
                         "meet again there, and none reaches other points nearby");
    return OK;
}

/* Newton's step, halved until the distance falls. */
static Status shooting_improve(Shooting *x, double *distance, Error *err)
{
    double *direction = x->direction, next = INFINITY, part = 1;
    Status status = find_direction(x, direction, err);
    if (status != OK)
        return status;
    for (int k = 0; k < HALVINGS; k++, part /= 2) {
        for (size_t i = 0; i < x->n; i++)
            x->trial[i] = x->v[i] + part * direction[i];
        status = shooting_shoot(x, x->trial, err);
        if (is_final(status))
            return status;
        next = status == OK ? find_distance(x) : INFINITY;
        if (next < *distance)
            break;
    }
    if (!(next < *distance))
        return error_set(err, ERR_NUMERIC, "the distance from the far end stays at %.3g",
                         *distance);
    memcpy(x->v, x->trial, x->n * sizeof *x->v);
    /* the sizes follow the new path, and the distance is measured in them */
    find_sizes(x);
    *distance = find_distance(x);
    return OK;
}

/* From the velocity in x->v to a solution. */
static Status shooting_newton(Shooting *x, Error *err)
{
    double distance = INFINITY;
    Status status = shooting_shoot(x, x->v, err);

    if (status == OK) {
        find_sizes(x);
        distance = find_distance(x);
    }
    for (int k = 0; status == OK && k < NEWTON_STEPS && distance > ACCURACY_COMPUTED; k++) {
        status = shooting_improve(x, &distance, err);
        /* good enough if Newton's method cannot improve: rounding and the tolerance blur the end */
        if (status == ERR_NUMERIC && distance <= ACCURACY_COMPARED) {
            status = OK; /* as close as the tolerance allows */
            break;
        }
    }
    if (status == OK && distance > ACCURACY_COMPARED)
        return error_set(err, ERR_NUMERIC,
                         "the distance from the far end is still %.3g after %d steps", distance,
                         NEWTON_STEPS);
    return status;
}

static bool is_known(const Shooting *x, const SimulationResult *result)
{
    const double time = fabs(x->b->t1 - x->b->t0);

    for (size_t k = 0; k < result->n_solutions; k++) {
        const BoundarySolution *known = &result->solutions[k];
        const double *v = known->n_chart ? known->chart_v : known->v;
        bool same = true;
        for (size_t i = 0; i < x->n; i++)
            same = same && fabs(v[i] - x->v[i]) * time <= ACCURACY_CLEAR * x->size[i];
        if (same)
            return true;
    }
    return false;
}

static const char *kind_of(const VariationResult *at)
{
    if (at->displacement < ACCURACY_HALF)
        return "degenerate"; /* the ends are conjugate to each other */
    /* it has passed something, or L is not convex in the admissible velocities all along */
    if (at->blind || !at->convex)
        return "undecided";
    return at->conjugate == 0 ? "minimum" : "saddle";
}

static Status shooting_keep(Shooting *x, BoundarySolution *solutions, SimulationResult *result,
                            Error *err)
{
    const Boundary *b = x->b;
    const size_t n = x->s->compiled->model->n;
    VariationResult at;
    double *v = arena_alloc(x->s->arena, n + x->n, sizeof *v), *own = v + n;
    if (!v)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* once more along the solution, now with the second variation, which tells its kind */
    Status status = variation_run(x->variation, b->start, x->v, true, &at, err);
    if (status != OK)
        return status;
    if (at.blind)
        result_warn(x->s, result,
                    "the motion that solves the boundary problem may have passed something "
                    "narrower than a step (a barrier, a pulse): nothing tells that there is none");
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
        Status status = shooting_newton(x, &last);
        if (status == OK && !is_known(x, result))
            status = shooting_keep(x, solutions, result, &last);
        /* a guess may fail; only a stop, or lack of memory, ends the search */
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
    memcpy(s->start.v, solution->v, s->compiled->model->n * sizeof *s->start.v);
    if (solution->n_chart)
        memcpy(s->start.guess + solution->n_chart, solution->chart_v,
               solution->n_chart * sizeof *s->start.guess);
}

/* The solutions in the units of the model. */
static Status show_solutions(const Simulation *s, SimulationResult *result, Error *err)
{
    const Model *model = s->compiled->model;
    BoundarySolution *solutions = arena_alloc(s->arena, result->n_solutions, sizeof *solutions);

    for (size_t k = 0; solutions && k < result->n_solutions; k++) {
        const BoundarySolution *found = &result->solutions[k];
        solutions[k] = *found;
        solutions[k].v = units_show(model->units.known ? model->units.state + model->n : NULL,
                                    found->v, model->n, s->arena);
        solutions[k].chart_v =
            units_show(model->units.known ? model->units.chart + model->given.chart.n : NULL,
                       found->chart_v, found->n_chart, s->arena);
    }
    result->solutions = solutions;
    return arena_status(s->arena, err);
}

Status shooting_solve(Simulation *s, const SimulationSink *sink, SimulationResult *ret_result,
                      Error *err)
{
    const Boundary *b = s->boundary;
    const size_t n = b->n;
    /* freedoms: all velocities of a chart, else those that the constraints leave */
    Shooting x = {.s = s, .b = b, .n = n, .m = b->chart ? n : n - s->start.report.rank};
    const VariationSpec spec = {.model = s->compiled->model,
                                .motion = s->motion,
                                .params = s->params,
                                .eval = s->eval,
                                .rows = s->start.rows,
                                .n_rows = s->start.report.rank,
                                .t0 = b->t0,
                                .t1 = b->t1,
                                .options = s->integration.options,
                                .poll = sink->poll,
                                .self = sink->self};
    Arena scratch = {0};
    Status status = variation_new(&spec, &x.variation, err);

    x.v = arena_doubles(&scratch, n);
    x.trial = arena_doubles(&scratch, n);
    x.direction = arena_doubles(&scratch, n);
    x.miss = arena_doubles(&scratch, n);
    x.step = arena_doubles(&scratch, n);
    x.scaled = arena_doubles(&scratch, n * n);
    x.right = arena_doubles(&scratch, n);
    x.units = arena_doubles(&scratch, n);
    x.size = arena_doubles(&scratch, n);
    if (status == OK)
        status = arena_status(&scratch, err);
    if (status == OK)
        status = try_guesses(&x, ret_result, err);
    /* the first solution becomes the start of the run */
    if (status == OK) {
        take_start(s, &ret_result->solutions[0]);
        status = show_solutions(s, ret_result, err);
    }
    variation_free(x.variation);
    arena_done(&scratch);
    return status;
}
