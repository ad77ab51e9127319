/* An initial state given in a chart. For velocities left out the constraints are linearized about
 * the present velocities until nothing changes. */
#include "core/prepare/initial.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/chart/eval.h"
#include "core/numeric/dense.h"
#include "core/prepare/named_values.h"

/* The search for the k chart velocities u that were not given. */
typedef struct Search {
    const Simulation *s;
    ChartEval *chart;
    size_t n, m, r, k;
    double t;
    size_t *unknown; /* k */
    double *J;       /* n x k: v by u */
    double *MJ;      /* n x k; J itself if M is no metric */
    double *matrix;  /* (k + r)^2: [ J^T M J, (A J)^T; A J, 0 ] */
    double *rhs, *x; /* k + r each: -J^T M v, -phi; the change of u, multipliers */
    bool mass;
} Search;

static void search_init(Search *f, const bool *given, Arena *scratch)
{
    const size_t size = f->m + f->r;

    f->unknown = arena_sizes(scratch, f->m);
    f->J = arena_doubles(scratch, f->n * f->m);
    f->MJ = arena_doubles(scratch, f->n * f->m);
    f->matrix = arena_doubles(scratch, size * size);
    f->rhs = arena_doubles(scratch, size);
    f->x = arena_doubles(scratch, size);
    if (arena_failed(scratch))
        return;
    for (size_t c = 0; c < f->m; c++)
        if (!given[c])
            f->unknown[f->k++] = c;
}

static double column_dot(const Search *f, const double *columns, size_t c, const double *row)
{
    double sum = 0;
    for (size_t i = 0; i < f->n; i++)
        sum += columns[i * f->k + c] * row[i];
    return sum;
}

/* The problem of least v.M.v with the constraints linearized about the present velocities. */
static void search_linearise(Search *f)
{
    const size_t n = f->n, k = f->k, size = k + f->r;
    ChartPoint at = chart_point(f->chart, f->t, f->s->start.chart, f->s->start.chart + f->m);
    ModelPoint point = model_point(f->s->eval, f->t, f->s->start.q, at.v);

    memset(f->matrix, 0, size * size * sizeof *f->matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++)
            f->J[i * k + c] = at.J[i * f->m + f->unknown[c]];
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < k; c++)
            f->MJ[i * k + c] = f->mass ? column_dot(f, f->J, c, point.M + i * n) : f->J[i * k + c];
    /* the saddle point [J^T M J, (A J)^T; A J, 0] */
    for (size_t c = 0; c < k; c++) {
        f->rhs[c] = -column_dot(f, f->MJ, c, at.v);
        for (size_t d = 0; d < k; d++)
            for (size_t i = 0; i < n; i++)
                f->matrix[c * size + d] += f->J[i * k + c] * f->MJ[i * k + d];
        for (size_t a = 0; a < f->r; a++)
            f->matrix[c * size + k + a] = f->matrix[(k + a) * size + c] =
                column_dot(f, f->J, c, point.A + a * n);
    }
    for (size_t a = 0; a < f->r; a++)
        f->rhs[k + a] = -point.phi[a];
}

/* Solves one problem if the constraints are linear or affine, else a sequence of them. If the
 * sequence does not settle, the check of the initial state reports it. */
static Status search_run(Search *f, Error *err)
{
    enum { STEPS = 50, LEAST_STEPS = 10 };
    const size_t size = f->k + f->r;
    double *xdot = f->s->start.chart + f->m;
    double change = INFINITY, last = INFINITY;
    Status status = OK;

    /* a velocity that is zero within rounding changes by its whole size */
    for (int step = 0; step < STEPS && status == OK && change > SETTLED_CHANGE &&
                       (step < LEAST_STEPS || change < last);
         step++) {
        search_linearise(f);
        /* constraints that the chart satisfies by construction leave singular values of zero */
        status = dense_least_norm(f->matrix, size, size, f->rhs, ACCURACY_COMPUTED, f->x, err);
        last = change;
        change = 0;
        for (size_t c = 0; c < f->k && status == OK; c++) {
            double *u = &xdot[f->unknown[c]];
            *u += f->x[c];
            if (f->x[c] != 0)
                change = fmax(change, fabs(f->x[c]) / fabs(*u));
        }
    }
    return status;
}

/* M counts as a metric if it is one on the space of all unknown velocities. */
static Status find_velocities(Simulation *s, ChartEval *chart, double t, const bool *given,
                              Error *err)
{
    const Model *model = s->compiled->model;
    Search f = {
        .s = s, .chart = chart, .t = t, .n = model->n, .m = model->given.chart.n, .r = model->r};
    Arena scratch = {0};
    double *eigenvalues = arena_doubles(&scratch, f.m);
    search_init(&f, given, &scratch);
    Status status = arena_status(&scratch, err);

    if (status == OK && f.k > 0) {
        f.r = 0; /* J^T M J alone */
        f.mass = true;
        search_linearise(&f);
        status = dense_symmetric_eigenvalues(f.matrix, f.k, eigenvalues, err);
        f.mass = status == OK && eigenvalues[0] > ACCURACY_COMPUTED * eigenvalues[f.k - 1];
        f.r = model->r;
    }
    if (status == OK && f.k > 0)
        status = search_run(&f, err);
    arena_done(&scratch);
    return status;
}

static Status initial_chart_locate(Simulation *s, ChartEval *chart, double t, const bool *given,
                                   Error *err)
{
    const size_t n = s->compiled->model->n, m = s->compiled->model->given.chart.n;

    ChartPoint at = chart_point(chart, t, s->start.chart, s->start.chart + m);
    bool finite = true;
    memcpy(s->start.q, at.q, n * sizeof *s->start.q);
    for (size_t i = 0; i < n; i++)
        finite = finite && isfinite(at.q[i]) && isfinite(at.v[i]);
    Status status = finite ? find_velocities(s, chart, t, given, err) : OK;
    at = chart_point(chart, t, s->start.chart, s->start.chart + m);
    memcpy(s->start.v, at.v, n * sizeof *s->start.v);
    return status;
}

static void check_finite(const Simulation *s, Diagnostics *diag)
{
    const Model *model = s->compiled->model;

    for (size_t i = 0; i < model->n; i++)
        if (!isfinite(s->start.q[i]) || !isfinite(s->start.v[i]))
            diagnostics_add(diag, "/initial/chart", -1, NULL,
                            "the chart's map is not finite at this state: %.80s = %g, dot(%.80s) = "
                            "%g",
                            model->names.coordinates[i], s->start.q[i], model->names.coordinates[i],
                            s->start.v[i]);
}

Status initial_chart(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t m = model->given.chart.n, before = diag->total;
    const StateTargets names = state_targets(model, true);
    bool *given = ARENA_NEW(s->arena, m, bool);
    ChartEval *chart = NULL;

    /* coordinates x, then velocities xdot of the chart */
    s->start.chart = arena_doubles(s->arena, 2 * m);
    Status status = arena_status(s->arena, err);
    if (status == OK && m == 0)
        diagnostics_add(diag, "/initial/chart", -1, "give the state under \"q\" and \"v\"",
                        "the model has no chart");
    if (status == OK && m > 0) {
        named_values_assign(spec->initial.chart_q, spec->initial.n_chart_q, &names.q,
                            s->start.chart, NULL, diag);
        named_values_assign(spec->initial.chart_v, spec->initial.n_chart_v, &names.v,
                            s->start.chart + m, given, diag);
    }
    if (status == OK && diag->total == before)
        status = chart_eval_new(model, s->params, &chart, err);
    if (chart) {
        status = initial_chart_locate(s, chart, spec->initial.t, given, err);
        if (status == OK)
            check_finite(s, diag);
    }
    chart_eval_free(chart);
    return status;
}
