/* A chart's map in numbers; states of the chart by Gauss-Newton steps from many starts. */
#include "core/motion/chart/eval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/model/kinds.h"
#include "core/motion/chart/chart.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"
#include "core/program/function.h"

enum { SEED = 20250117 }; /* any will do */

struct ChartEval {
    const Model *model;
    size_t n, m;
    Function map; /* t, x, xdot -> q, v, J */
    Arena arena;
    double *x, *step, *trial; /* m each */
    double *best;             /* m */
    double *zeros;            /* m */
    double *residual;         /* n */
    double *size;             /* n: of the coordinates of the model */
    double *rounded, *shaken; /* n; outputs of the map */
    double *singular;         /* m */
};

void chart_eval_free(ChartEval *eval)
{
    if (!eval)
        return;
    function_done(&eval->map);
    arena_done(&eval->arena);
    free(eval);
}

static Status chart_compile(ChartEval *eval, ExprPool *pool, const double *params, Error *err)
{
    const Model *model = eval->model;
    const size_t n = eval->n, m = eval->m, n_in = 1 + 2 * m, n_out = 2 * n + n * m;
    ChartMap map;
    Expr *inputs = ARENA_NEW(&eval->arena, n_in, Expr);
    Expr *outputs = ARENA_NEW(&eval->arena, n_out, Expr);
    Status status = arena_status(&eval->arena, err);

    if (status == OK)
        status = chart_map_init(&map, pool, model, EXPR_NONE, &eval->arena, err);
    if (status != OK)
        return status;
    /* inputs t, x, xdot; outputs q, v, J */
    inputs[0] = model->sym.t;
    memcpy(inputs + 1, model->given.chart.x, m * sizeof *inputs);
    memcpy(inputs + 1 + m, model->given.chart.xdot, m * sizeof *inputs);
    memcpy(outputs, map.Q, n * sizeof *outputs);
    memcpy(outputs + n, map.v, n * sizeof *outputs);
    memcpy(outputs + 2 * n, map.J, n * m * sizeof *outputs);
    const ProgramSpec spec = {.pool = pool,
                              .params = model->sym.params,
                              .n_params = model->n_params,
                              .inputs = inputs,
                              .n_inputs = n_in,
                              .outputs = outputs,
                              .n_outputs = n_out};
    status = expr_pool_status(pool, err);
    return status == OK ? function_init(&eval->map, &spec, params, err) : status;
}

Status chart_eval_new(const Model *model, const double *params, ChartEval **ret, Error *err)
{
    ChartEval *eval = alloc_array(1, sizeof *eval);
    ExprPool *pool = expr_pool_clone(model->pool);
    Status status = eval && pool ? OK : error_set(err, ERR_NO_MEMORY, "out of memory for a chart");

    if (status == OK) {
        const size_t m = model->given.chart.n;
        *eval = (ChartEval){.model = model, .n = model->n, .m = m};
        eval->x = arena_doubles(&eval->arena, m);
        eval->step = arena_doubles(&eval->arena, m);
        eval->trial = arena_doubles(&eval->arena, m);
        eval->best = arena_doubles(&eval->arena, m);
        eval->zeros = arena_doubles(&eval->arena, m);
        eval->singular = arena_doubles(&eval->arena, m);
        eval->residual = arena_doubles(&eval->arena, model->n);
        eval->size = arena_doubles(&eval->arena, model->n);
        eval->rounded = arena_doubles(&eval->arena, model->n);
        /* all outputs of the map: q, v and J */
        eval->shaken = arena_doubles(&eval->arena, model->n * (2 + m));
        status = chart_compile(eval, pool, params, err);
    }
    expr_pool_free(pool);
    if (status == OK)
        *ret = eval;
    else
        chart_eval_free(eval);
    return status;
}

ChartPoint chart_point(ChartEval *eval, double t, const double *x, const double *xdot)
{
    const size_t n = eval->n, m = eval->m;

    double *in = eval->map.in;

    in[0] = t;
    memcpy(in + 1, x, m * sizeof *x);
    memcpy(in + 1 + m, xdot, m * sizeof *xdot);
    const double *out = function_eval(&eval->map);
    return (ChartPoint){.q = out, .v = out + n, .J = out + 2 * n};
}

ChartPoint chart_point_at_rest(ChartEval *eval, double t, const double *x)
{
    return chart_point(eval, t, x, eval->zeros);
}

Status chart_conditioning(ChartEval *eval, double t, const double *x, double *ret_smallest,
                          Error *err)
{
    const size_t n = eval->n, m = eval->m;
    ChartPoint point = chart_point_at_rest(eval, t, x);

    *ret_smallest = 0;
    if (!all_finite(point.J, n * m))
        return OK;
    Status status = dense_singular_values(point.J, n, m, eval->singular, err);
    if (status == OK && eval->singular[0] > 0)
        *ret_smallest = eval->singular[m - 1] / eval->singular[0];
    return status;
}

double chart_size(const Model *model, const double *q, size_t i)
{
    const double size = kinds_largest(model, q, i);
    return size > 0 ? size : 1;
}

/* eval->residual = q - Q, *ret_square: its square. Returns its largest relative entry. */
static double gap_at(ChartEval *eval, double t, const double *q, const double *x,
                     ChartPoint *ret_point, double *ret_square)
{
    double gap = 0, square = 0;

    *ret_point = chart_point_at_rest(eval, t, x);
    *ret_square = INFINITY;
    if (!all_finite(ret_point->q, eval->n) || !all_finite(ret_point->J, eval->n * eval->m))
        return INFINITY;
    for (size_t i = 0; i < eval->n; i++) {
        eval->residual[i] = q[i] - ret_point->q[i];
        gap = fmax(gap, fabs(eval->residual[i]) / eval->size[i]);
        square += eval->residual[i] * eval->residual[i];
    }
    *ret_square = square;
    return gap;
}

/* Halves the step until |q - Q| decreases; false if it never does. */
static bool chart_step(ChartEval *eval, double t, const double *q, double square)
{
    enum { HALVINGS = 30 };
    double factor = 1, next;
    ChartPoint point;

    for (int k = 0; k < HALVINGS; k++, factor /= 2) {
        for (size_t i = 0; i < eval->m; i++)
            eval->trial[i] = eval->x[i] + factor * eval->step[i];
        gap_at(eval, t, q, eval->trial, &point, &next);
        if (next < square) {
            memcpy(eval->x, eval->trial, eval->m * sizeof *eval->x);
            return true;
        }
    }
    return false;
}

/* The gap at eval->x minus its rounding error. */
static double gap_beyond_rounding(ChartEval *eval, double t, const double *q, double gap)
{
    enum { SHAKES = 3 };
    ChartPoint point;
    Random random;
    double square, beyond = 0;

    if (!isfinite(gap))
        return gap;
    gap_at(eval, t, q, eval->x, &point, &square);
    /* the largest effect of random rounding errors */
    memset(eval->rounded, 0, eval->n * sizeof *eval->rounded);
    random_init(&random, SEED);
    for (int k = 0; k < SHAKES; k++) {
        function_eval_shaken(&eval->map, eval->map.in, eval->shaken,
                             &(Shakes){.by = DBL_EPSILON, .random = &random});
        for (size_t i = 0; i < eval->n; i++)
            eval->rounded[i] =
                fmax(eval->rounded[i], SHAKE_MARGIN * fabs(eval->shaken[i] - point.q[i]));
    }
    for (size_t i = 0; i < eval->n; i++)
        beyond = fmax(beyond, (fabs(eval->residual[i]) - eval->rounded[i]) / eval->size[i]);
    return beyond;
}

/* Gauss-Newton steps of least length from eval->x until |q - Q| no longer decreases. */
static Status descend(ChartEval *eval, double t, const double *q, double *ret_gap, Error *err)
{
    enum { STEPS = 60 };
    double square;
    ChartPoint point;

    *ret_gap = gap_at(eval, t, q, eval->x, &point, &square);
    for (int k = 0; k < STEPS && isfinite(square) && square > 0; k++) {
        /* constraints that the chart satisfies by construction leave singular values of zero */
        Status status = dense_least_norm(point.J, eval->n, eval->m, eval->residual,
                                         ACCURACY_COMPUTED, eval->step, err);
        if (status != OK)
            return status;
        bool moved = chart_step(eval, t, q, square);
        *ret_gap = gap_at(eval, t, q, eval->x, &point, &square);
        if (!moved)
            break;
    }
    /* a gap that is only rounding counts as zero */
    if (*ret_gap > ACCURACY_SOLVED)
        *ret_gap = gap_beyond_rounding(eval, t, q, *ret_gap);
    return OK;
}

/* Starting points in boxes of several sizes about zero. */
static void draw_start(ChartEval *eval, Random *random, int attempt)
{
    static const double SIZES[] = {1, 3, 1, 10, 3, 100};
    const double size = SIZES[attempt % 6];

    for (size_t i = 0; i < eval->m; i++)
        eval->x[i] = random_uniform(random, -size, size);
}

static double chart_sum(const double *x, size_t m)
{
    double total = 0;
    for (size_t i = 0; i < m; i++)
        total += x[i];
    return total;
}

/* Whether eval->x is better than eval->best: found, else nearer; of two found states smaller; of
 * two equally small ones with the larger sum, because radii are positive. */
static bool is_better(const ChartEval *eval, double gap, double best_gap)
{
    const size_t m = eval->m;

    if (gap > ACCURACY_SOLVED || best_gap > ACCURACY_SOLVED)
        return gap < best_gap;
    double size = vector_length(eval->x, m), best = vector_length(eval->best, m);
    if (fabs(size - best) > 1e-6 * best)
        return size < best;
    return chart_sum(eval->x, m) > chart_sum(eval->best, m);
}

Status chart_find(ChartEval *eval, double t, const double *q, double *x, double *ret_gap,
                  Error *err)
{
    enum { SMALL = 20, STARTS = 60, STARTS_LARGE = 6, ENOUGH = 8 };
    const int starts = eval->m <= SMALL ? STARTS : STARTS_LARGE;
    const size_t bytes = eval->m * sizeof *x;
    double best, gap;
    int found = 0;
    Random random;

    for (size_t i = 0; i < eval->n; i++)
        eval->size[i] = chart_size(eval->model, q, i);
    memcpy(eval->x, x, bytes);
    Status status = descend(eval, t, q, &best, err);
    memcpy(eval->best, eval->x, bytes);
    bool near =
        status == OK && best <= ACCURACY_SOLVED; /* the guess selects one of several solutions */
    random_init(&random, SEED);
    for (int k = 0; k < starts && found < ENOUGH && !near && status == OK; k++) {
        draw_start(eval, &random, k);
        status = descend(eval, t, q, &gap, err);
        if (status != OK)
            break;
        found += gap <= ACCURACY_SOLVED;
        if (is_better(eval, gap, best)) {
            best = gap;
            memcpy(eval->best, eval->x, bytes);
        }
    }
    memcpy(x, eval->best, bytes);
    *ret_gap = best;
    return status;
}

Status chart_find_velocities(ChartEval *eval, double t, const double *x, const double *v,
                             double *ret_xdot, Error *err)
{
    ChartPoint point = chart_point_at_rest(eval, t, x);

    for (size_t i = 0; i < eval->n; i++)
        eval->residual[i] = v[i] - point.v[i];
    return dense_least_norm(point.J, eval->n, eval->m, eval->residual, ACCURACY_COMPUTED, ret_xdot,
                            err);
}

void chart_print_state(const Model *model, const double *x, Text *out)
{
    for (size_t k = 0; k < model->given.chart.n; k++)
        text_printf(out, "%s%s = %.6g", k ? ", " : "", model->given.chart.names[k], x[k]);
}
