/* Jacobi's second variation: columns dq of neighbouring motions are integrated. If [dq | A^T]
 * becomes singular, the point is conjugate to the start (I. M. Gelfand, S. V. Fomin, Calculus of
 * Variations, 1963, chapter 5). */
#include "core/linear/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/integrate/methods.h"
#include "core/linear/first_variation.h"
#include "core/linear/linearised.h"
#include "core/model/kinds.h"
#include "core/motion/eval.h"
#include "core/numeric/dense.h"
#include "core/numeric/lu.h"

struct Variation {
    VariationSpec spec;
    Linearised *linearised;
    MotionEval *equations; /* says what the state of a motion in a chart means; else NULL */
    /* coordinates of the state; its freedoms; constraints left in it; its rows: 2 n + 2 n m */
    size_t n, m, rank, rows;
    FirstVariation *first;
    Watch watch;
    double *N;          /* n x m */
    double *y;          /* rows + quadratures */
    double *frame;      /* lu_doubles(n): [dq | A^T] */
    double *before;     /* n x n: the same at the last state examined */
    double *transposed; /* n x n: scratch */
    double *values;     /* 2 n: eigenvalues */
    double *scratch;    /* n x n */
    double *basis;      /* 2 n x m: see displacements() */
    double *size, *far; /* n each: of the coordinates along the motion; scratch */
    double *dq1;        /* n x m */
    const char **names; /* of the rows and quadratures */
    size_t conjugate;
    bool begun; /* `before` is set, and not from the start, at which dq = 0 */
    bool convex;
    Arena memory; /* owns the arrays */
};

/* Quadratures of the first variation: those that may steer the steps, and all. */
static size_t smooth_quadratures(const Variation *x)
{
    return first_variation_quadratures(x->first);
}

static size_t quadratures(const Variation *x)
{
    return smooth_quadratures(x) + first_variation_sizes(x->first);
}

void variation_free(Variation *x)
{
    if (!x)
        return;
    linearised_free(x->linearised);
    motion_eval_free(x->equations);
    first_variation_free(x->first);
    watch_done(&x->watch);
    arena_done(&x->memory);
    free(x);
}

static Status variation_allocate(Variation *x, Error *err)
{
    const size_t n = x->n, m = x->m;
    const size_t size = x->rows + quadratures(x);

    x->N = arena_doubles(&x->memory, n * m);
    x->y = arena_doubles(&x->memory, size);
    x->frame = arena_doubles(&x->memory, lu_doubles(n));
    x->before = arena_doubles(&x->memory, n * n);
    x->transposed = arena_doubles(&x->memory, n * n);
    x->values = arena_doubles(&x->memory, 2 * n);
    x->scratch = arena_doubles(&x->memory, n * n);
    x->basis = arena_doubles(&x->memory, 2 * n * m);
    x->size = arena_doubles(&x->memory, n);
    x->far = arena_doubles(&x->memory, n);
    x->dq1 = arena_doubles(&x->memory, n * m);
    x->names = ARENA_NEW(&x->memory, size, const char *);
    Status status = arena_status(&x->memory, err);
    /* names of the rows in messages: the motion's own, then of what is integrated with it */
    for (size_t k = 0; status == OK && k < size; k++)
        x->names[k] = k < 2 * n     ? x->spec.motion->state_names[k]
                      : k < x->rows ? "a motion beside it"
                                    : "the action";
    return status;
}

Status variation_new(const VariationSpec *s, Variation **ret_variation, Error *err)
{
    Variation *x = alloc_array(1, sizeof *x);
    if (!x)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    const size_t n = s->motion->dim / 2, rank = s->motion->plain ? s->n_rows : 0;
    /* one column per freedom at the start */
    *x = (Variation){
        .spec = *s, .n = n, .rank = rank, .m = n - rank, .rows = 2 * n + 2 * n * (n - rank)};
    LinearisedSpec spec = {.model = s->model,
                           .motion = s->motion,
                           .params = s->params,
                           .eval = s->eval,
                           .columns = x->m};
    const FirstVariationSpec first = {.model = s->model,
                                      .params = s->params,
                                      .rows = s->rows,
                                      .n_rows = s->n_rows,
                                      .t0 = s->t0,
                                      .t1 = s->t1};
    Status status = first_variation_new(&first, &x->first, err);
    if (status == OK)
        status = variation_allocate(x, err);
    if (status == OK)
        status = linearised_new(&spec, &x->linearised, err);
    if (status == OK && !s->motion->plain)
        status = motion_eval_new(s->model, s->motion, s->params, false, &x->equations, err);
    if (status == OK)
        status = linearised_watch(x->linearised, quadratures(x), &x->watch, &x->memory, err);
    if (status == OK)
        *ret_variation = x;
    else
        variation_free(x);
    return status;
}

static void variation_rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    Variation *x = self;

    /* our quadratures begin with the row of the motion's own one */
    linearised_rates(x->linearised, t, y, ret, lanes);
    MotionPoint at = {.q = y, .v = y + x->n, .vdot = ret + x->n};
    if (x->equations)
        at = motion_eval_point(x->equations, *t, y);
    first_variation_rates(x->first, *t, at.q, at.v, at.vdot, y + x->rows, ret + x->rows);
}

static Status variation_project(void *self, double t, double *y, bool on_step, Error *err)
{
    Variation *x = self;

    (void)on_step;
    return linearised_project(x->linearised, t, y, err);
}

/* d(q_i)/dc_c in the state; its rate lies n rows further on. */
static size_t variation_row(const Variation *x, size_t i, size_t c)
{
    return 2 * x->n + i * x->m + c;
}

/* [dq | A^T]: singular if the directions do not span all neighbours. Its orientation is
 * continuous along the motion, unlike that of a null space. */
static void fill_frame(Variation *x, double t, const double *y, double *frame)
{
    const size_t n = x->n, m = x->m;

    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++)
            frame[i * n + c] = y[variation_row(x, i, c)];
    if (x->rank == 0)
        return;
    ModelPoint point = model_point(x->spec.eval, t, y, y + n);
    for (size_t a = 0; a < x->rank; a++) {
        const double *row = point.A + x->spec.rows[a] * n;
        double length = 0;
        for (size_t i = 0; i < n; i++)
            length = hypot(length, row[i]);
        for (size_t i = 0; i < n; i++)
            frame[i * n + m + a] = row[i] / length;
    }
}

/* An exactly singular frame has the determinant 0. */
static double frame_determinant(Variation *x, double t, const double *y)
{
    fill_frame(x, t, y, x->frame);
    return lu_factor(x->n, x->frame) ? lu_determinant(x->n, x->frame) : 0;
}

/* Sizes of the coordinates at a state. Each coordinate of a chart is a kind of its own. */
static void sizes_at(const Variation *x, const double *q, const double *v, double *ret)
{
    const double time = fabs(x->spec.t1 - x->spec.t0);

    for (size_t i = 0; i < x->n; i++)
        ret[i] = x->equations ? fmax(fabs(q[i]), fabs(v[i]) * time)
                              : fmax(kinds_largest(x->spec.model, q, i),
                                     kinds_largest(x->spec.model, v, i) * time);
}

/* The part of each independent motion beside this one that is a displacement: the singular
 * values, in x->scratch, of the part dq of an orthonormal basis of the columns [dq; (t1 - t0)
 * dv], each row in units of its coordinate's size. A value is 0 if that motion meets this one,
 * however fast others grow, and at most 1. */
static Status displacements(Variation *x, const double *y, Error *err)
{
    const size_t n = x->n, m = x->m, half = n * m;

    sizes_at(x, y, y + n, x->far);
    for (size_t i = 0; i < n; i++) {
        const double size = fmax(x->size[i], x->far[i]), unit = size > 0 ? 1 / size : 1;
        for (size_t c = 0; c < m; c++) {
            x->basis[i * m + c] = unit * y[variation_row(x, i, c)];
            x->basis[half + i * m + c] =
                unit * (x->spec.t1 - x->spec.t0) * y[variation_row(x, n + i, c)];
        }
    }
    Status status = dense_orthonormal_columns(x->basis, 2 * x->n, x->m, err);
    if (status == OK)
        status = dense_singular_values(x->basis, x->n, x->m, x->scratch, err);
    return status;
}

/* Eigenvalues of F G^-1, G and F the frames at the last state examined and at this one. */
static Status frame_change(Variation *x, double t, const double *y, Error *err)
{
    const size_t n = x->n;

    /* G^T Z = F^T: the eigenvalues of Z are the same */
    fill_frame(x, t, y, x->frame);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            x->transposed[i * n + j] = x->before[j * n + i];
            x->scratch[i * n + j] = x->frame[j * n + i];
        }
    Status status = dense_solve(x->transposed, n, x->scratch, n, err);
    if (status == OK)
        status = dense_eigenvalues(x->scratch, n, x->values, x->values + n, err);
    return status;
}

/* Counts conjugate points since the last state examined. Over a time without points conjugate to
 * its own beginning, the second variation has as many additional negative directions as B^-1 F
 * G^-1, which is symmetric, with B ~ (t_b - t_a) L_vv^-1. The number of points passed is that of
 * the negative eigenvalues of F G^-1, however close the points are. An eigenvalue too close to
 * zero is left to the next step. A point at the end within ACCURACY_COMPARED does not count. */
static Status count_conjugate(Variation *x, double t, double h, const double *y, Error *err)
{
    const size_t n = x->n;
    const double span = fabs(x->spec.t1 - x->spec.t0);
    const bool last = t == x->spec.t1;
    const double least = last ? ACCURACY_COMPARED * span / fmax(fabs(h), ACCURACY_COMPARED * span)
                              : ACCURACY_COMPARED;
    bool known = true;
    size_t count = 0;

    /* count negative eigenvalues; the first frame has no predecessor */
    if (x->begun) {
        Status status = frame_change(x, t, y, err);
        if (status != OK)
            return status;
        for (size_t k = 0; k < n; k++) {
            known = known && hypot(x->values[k], x->values[n + k]) > ACCURACY_COMPARED;
            count += x->values[k] < -least;
        }
    } else {
        fill_frame(x, t, y, x->frame);
    }
    /* wait for the next step if a sign is not known */
    if (!known && !last)
        return OK;
    x->begun = x->begun || t != x->spec.t0;
    x->conjugate += count;
    memcpy(x->before, x->frame, n * n * sizeof *x->before);
    return OK;
}

static Status variation_on_step(void *self, double t, double h, const double *y, Error *err)
{
    Variation *x = self;
    const VariationSpec *s = &x->spec;
    const double *q = y, *v = y + x->n;
    bool positive;

    /* a state in the chart is translated first */
    if (x->equations) {
        MotionPoint at = motion_eval_point(x->equations, t, y);
        q = at.q;
        v = at.v;
    }
    /* L_vv has to stay positive definite for a minimum */
    ModelPoint point = model_point(s->eval, t, q, v);
    Status status = model_positive(s->eval, &point, s->rows, s->n_rows, &positive, err);
    x->convex = x->convex && positive;
    if (status == OK)
        status = count_conjugate(x, t, h, y, err);
    return status;
}

static Status variation_poll(void *self, Error *err)
{
    const Variation *x = self;
    return x->spec.poll ? x->spec.poll(x->spec.self, err) : OK;
}

/* N in x->scratch, [n][n]. */
static Status find_directions(Variation *x, const double *q0, const double *v0, Error *err)
{
    const size_t n = x->n;
    size_t found = n;
    double *rows = x->frame;

    memset(x->scratch, 0, n * n * sizeof *x->scratch);
    for (size_t i = 0; i < n; i++)
        x->scratch[i * n + i] = 1;
    if (x->rank == 0)
        return OK;
    ModelPoint point = model_point(x->spec.eval, x->spec.t0, q0, v0);
    for (size_t a = 0; a < x->rank; a++)
        memcpy(rows + a * n, point.A + x->spec.rows[a] * n, n * sizeof *rows);
    Status status = dense_null_space(rows, x->rank, n, ACCURACY_SOLVED, x->scratch, &found, err);
    if (status == OK && found != x->m)
        return error_set(err, ERR_NUMERIC, "the constraints lose rank at the start");
    return status;
}

static Status variation_start(Variation *x, const double *q0, const double *v0, Error *err)
{
    const size_t n = x->n, m = x->m;
    Status status = find_directions(x, q0, v0, err);
    if (status != OK)
        return status;

    memset(x->y, 0, (x->rows + quadratures(x)) * sizeof *x->y);
    memcpy(x->y, q0, n * sizeof *q0);
    memcpy(x->y + n, v0, n * sizeof *v0);
    sizes_at(x, q0, v0, x->size);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++) {
            x->N[i * m + c] = x->scratch[i * n + c];
            x->y[variation_row(x, n + i, c)] = x->N[i * m + c];
        }
    return OK;
}

Status variation_run(Variation *x, const double *q0, const double *v0, bool with_second,
                     VariationResult *ret, Error *err)
{
    const size_t n = x->n, m = x->m;
    Status status = variation_start(x, q0, v0, err);
    if (status != OK)
        return status;

    OdeSystem system = {.self = x,
                        /* if variations are needed, their waves have to control the steps */
                        .dim = x->rows + (with_second ? smooth_quadratures(x) : 0),
                        .extra = quadratures(x) - (with_second ? smooth_quadratures(x) : 0),
                        .rates = variation_rates,
                        .project = x->rank ? variation_project : NULL,
                        .watch = watch_system(&x->watch),
                        .names = x->names};
    OdeOptions options = x->spec.options;
    options.step = 0;
    OdeObserver observer = {
        .self = x, .step = with_second ? variation_on_step : NULL, .poll = variation_poll};
    /* count conjugate points at each step if the second variation is needed */
    x->watch.features.found = x->watch.features.undecided = 0;
    x->conjugate = 0;
    x->begun = false;
    x->convex = true;
    status = ode_reach(&system, ode_method_find("dop853"), &options,
                       &(OdeSpan){.t0 = x->spec.t0, .t_end = x->spec.t1}, x->y, &observer, err);
    /* at the end: the distance reached by the nearest neighbour, and dS from the quadratures */
    FirstVariationResult first;
    if (status == OK)
        status = displacements(x, x->y, err);
    const double displacement = m ? x->scratch[m - 1] : 1;
    if (status == OK)
        status = first_variation_result(x->first, x->y + x->rows, &first, err);
    if (status != OK)
        return status;
    /* dq(t1)/dc, by which the caller shoots */
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++)
            x->dq1[i * m + c] = x->y[variation_row(x, i, c)];
    *ret = (VariationResult){.q1 = x->y,
                             .dq1 = x->dq1,
                             .N = x->N,
                             .action = first.action,
                             .first = first.virtual_largest,
                             .conjugate = x->conjugate,
                             .convex = x->convex,
                             .displacement = displacement,
                             .blind = watch_is_blind(&x->watch),
                             .determinant = frame_determinant(x, x->spec.t1, x->y)};
    return OK;
}
