/* Whether a chart fits its formulation, at random states and at the start of the job. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/base/random.h"
#include "core/motion/chart/chart.h"
#include "core/motion/chart/eval.h"
#include "core/motion/frozen.h"

enum { STATES = 16, ATTEMPTS = 64 };
enum { SEED = 31337 }; /* any will do */

static Status refused(Error *err)
{
    return error_set(err, ERR_INVALID, "the chart does not fit the formulation");
}

Status chart_check_size(const Model *model, bool fewer, Diagnostics *diag, Error *err)
{
    const size_t n = model->n, m = model->given.chart.n;

    if (m > 0 && (m < n) == fewer)
        return OK;
    /* the mistake: no chart, too many coordinates, or too few */
    if (m == 0)
        diagnostics_add(diag, "/formulation", -1,
                        fewer
                            ? "for example \"chart\": {\"coordinates\": [\"a\"], \"map\": {\"x\": "
                              "\"r*cos(a)\", \"y\": \"r*sin(a)\"}}"
                            : "for example \"chart\": {\"coordinates\": [\"X\", \"Y\"], \"map\": "
                              "{\"x\": \"X*cos(w*t) - Y*sin(w*t)\", \"y\": \"X*sin(w*t) + "
                              "Y*cos(w*t)\"}}",
                        "this formulation needs a \"chart\" in the model");
    else if (fewer)
        diagnostics_add(diag, "/formulation", -1,
                        "the formulation moving-frame takes a chart of as many coordinates",
                        "an intrinsic description has fewer coordinates than the model (%zu), and "
                        "its chart has %zu",
                        n, m);
    else
        diagnostics_add(diag, "/formulation", -1,
                        "the formulation intrinsic takes a chart of fewer coordinates",
                        "a moving frame has as many coordinates as the model (%zu), and its chart "
                        "has %zu",
                        n, m);
    return refused(err);
}

static Status check_smooth(const Model *model, Diagnostics *diag, Error *err)
{
    const ModelChart *chart = &model->given.chart;
    bool by_x, by_t = false;
    Status status = corners_depend(model, chart->map, model->n, chart->x, chart->n, &by_x, err);

    if (status == OK && !by_x)
        status = corners_depend(model, chart->map, model->n, &model->sym.t, 1, &by_t, err);
    if (status != OK || !(by_x || by_t))
        return status;
    diagnostics_add(diag, "/model/chart/map", -1,
                    "write it without abs, sign, min, max and if of coordinates and time",
                    "the chart's map has corners; where one is crossed the chart's velocities "
                    "would jump");
    return refused(err);
}

typedef struct Sample {
    const MotionQuestion *question;
    ChartEval *eval;
    Random random;
    int attempts;
    double t, *x, *xdot; /* m each */
    Arena arena;
} Sample;

static Status sample_init(Sample *sample, const MotionQuestion *question, Error *err)
{
    *sample = (Sample){.question = question};
    sample->x = arena_doubles(&sample->arena, question->model->given.chart.n);
    sample->xdot = arena_doubles(&sample->arena, question->model->given.chart.n);
    random_init(&sample->random, SEED);
    const Status status = arena_status(&sample->arena, err);
    return status == OK ? chart_eval_new(question->model, question->params, &sample->eval, err)
                        : status;
}

static void sample_done(Sample *sample)
{
    chart_eval_free(sample->eval);
    arena_done(&sample->arena);
}

/* The next state at which the map is finite; false if none is found. At every other state all
 * coordinates are positive, for logarithms and roots. */
static bool sample_next(Sample *sample, ChartPoint *ret)
{
    const size_t n = sample->question->model->n, m = sample->question->model->given.chart.n;

    while (sample->attempts++ < ATTEMPTS) {
        double least = sample->attempts % 2 ? -2 : 0.1;
        sample->t = sample->question->t + random_uniform(&sample->random, -2, 2);
        for (size_t k = 0; k < m; k++) {
            sample->x[k] = random_uniform(&sample->random, least, 2);
            sample->xdot[k] = random_normal(&sample->random);
        }
        *ret = chart_point(sample->eval, sample->t, sample->x, sample->xdot);
        if (all_finite(ret->q, 2 * n)) /* v follows q */
            return true;
    }
    return false;
}

static void report_broken(const Sample *sample, size_t constraint, double residual,
                          Diagnostics *diag)
{
    const Model *model = sample->question->model;
    Text state = TEXT_INIT;

    chart_print_state(model, sample->x, &state);
    diagnostics_add(diag, "/model/chart/map", -1,
                    "an intrinsic description satisfies every holonomic constraint identically",
                    "the chart does not satisfy the constraint %.80s: its residual is %.3g at t = "
                    "%.6g, %.200s",
                    model->constraints[constraint].name, residual, sample->t, text_string(&state));
    text_done(&state);
}

/* Checks every holonomic constraint, in use or not; each is reported once. */
static Status check_holonomic(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    Sample sample;
    ChartPoint at;
    Status status = sample_init(&sample, question, err);
    bool *broken = ARENA_NEW(&sample.arena, model->r, bool), any = false;

    if (status == OK)
        status = arena_status(&sample.arena, err);
    for (int k = 0; k < STATES && status == OK && sample_next(&sample, &at); k++) {
        /* if the map does not satisfy a constraint identically, random states show it */
        ModelPoint point = model_point(question->eval, sample.t, at.q, at.v);
        for (size_t a = 0; a < model->r; a++) {
            if (model->constraints[a].kind != CONSTRAINT_HOLONOMIC || broken[a] ||
                !(point_position_residual(&point, a) > ACCURACY_SOLVED))
                continue;
            any = broken[a] = true;
            report_broken(&sample, a, point.f[a], diag);
        }
    }
    sample_done(&sample);
    return any ? refused(err) : status;
}

/* The chart must satisfy no other constraints than the model's. */
static Status check_freedom(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    Chart chart = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Status status = pool ? chart_init(&chart, pool, model, question->options, EXPR_NONE, err)
                         : error_set(err, ERR_NO_MEMORY, "out of memory for a chart");

    const size_t built_in = status == OK ? question->options->n_rows - chart.n_left : 0;
    /* each built-in constraint removes one coordinate */
    if (status == OK && model->given.chart.n != model->n - built_in) {
        diagnostics_add(diag, "/model/chart", -1,
                        "write the conditions that bind the coordinates to the chart as "
                        "constraints of the model",
                        "the chart has fewer coordinates (%zu) than the constraints that it "
                        "satisfies leave free (%zu of %zu): it would forbid motions that the model "
                        "allows",
                        model->given.chart.n, model->n - built_in, model->n);
        status = refused(err);
    }
    chart_done(&chart);
    expr_pool_free(pool);
    return status;
}

static void report_singular(const Model *model, const char *where, double t, const double *x,
                            double ratio, Diagnostics *diag)
{
    const bool square = model->given.chart.n == model->n;
    Text state = TEXT_INIT;

    chart_print_state(model, x, &state);
    diagnostics_add(diag, "/model/chart/map", -1,
                    square ? NULL : "every coordinate of the chart must move the model",
                    "the chart %s %s t = %.6g, %.200s: the smallest singular value of its "
                    "derivative is %.3g of the largest",
                    square ? "is not invertible" : "loses rank", where, t, text_string(&state),
                    ratio);
    text_done(&state);
}

static Status check_rank(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    Sample sample;
    ChartPoint at;
    bool regular = false, asked = false;
    double ratio = 0;
    Status status = sample_init(&sample, question, err);

    /* one state with full rank is enough */
    for (int k = 0; k < STATES && status == OK && !regular && sample_next(&sample, &at); k++) {
        status = chart_conditioning(sample.eval, sample.t, sample.x, &ratio, err);
        regular = ratio > ACCURACY_SOLVED;
        asked = true;
    }
    if (status == OK && asked && !regular) {
        report_singular(question->model, "at any state, for example at", sample.t, sample.x, ratio,
                        diag);
        status = refused(err);
    }
    sample_done(&sample);
    return status;
}

Status chart_check_map(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const bool builds_in = question->model->given.chart.n < question->model->n;
    Status status = check_smooth(question->model, diag, err);

    if (status == OK)
        status = check_rank(question, diag, err);
    if (status == OK && builds_in)
        status = check_holonomic(question, diag, err);
    return status == OK && builds_in ? check_freedom(question, diag, err) : status;
}

/* Reports the coordinate of the model with the largest relative gap. */
static void report_not_reached(const MotionQuestion *question, ChartEval *eval, const double *x,
                               Diagnostics *diag)
{
    const Model *model = question->model;
    double worst = -1, miss = 0;
    size_t where = 0;
    Text state = TEXT_INIT;
    const ChartPoint at = chart_point_at_rest(eval, question->t, x);

    /* relative to the size of each coordinate: lengths and angles compare */
    for (size_t i = 0; i < model->n; i++) {
        const double gap = at.q[i] - question->q[i];
        const double off = fabs(gap) / chart_size(model, question->q, i);
        if (!(off <= worst)) {
            worst = off;
            where = i;
            miss = gap;
        }
    }
    chart_print_state(model, x, &state);
    diagnostics_add(diag, "/initial", -1,
                    "give the initial state in the chart's coordinates, under \"chart\"",
                    "the chart does not reach the initial state: the nearest point found is "
                    "%.200s; there %.80s is off by %.3g",
                    text_string(&state), model->names.coordinates[where], miss);
    text_done(&state);
}

static Status find_start(const MotionQuestion *question, ChartEval *eval, double *y,
                         Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    double gap, ratio;

    /* the given x is the guess, if there is one */
    if (question->chart)
        memcpy(y, question->chart, model->given.chart.n * sizeof *y);
    Status status = chart_find(eval, question->t, question->q, y, &gap, err);
    if (status == OK && !(gap <= ACCURACY_COMPARED)) {
        report_not_reached(question, eval, y, diag);
        return refused(err);
    }
    if (status == OK)
        status = chart_conditioning(eval, question->t, y, &ratio, err);
    if (status == OK && !(ratio > ACCURACY_SOLVED)) {
        report_singular(model, "at the initial state,", question->t, y, ratio, diag);
        return refused(err);
    }
    if (status == OK)
        status =
            chart_find_velocities(eval, question->t, y, question->v, y + model->given.chart.n, err);
    return status;
}

Status chart_locate(const MotionQuestion *question, double *y, Diagnostics *diag, Error *err)
{
    ChartEval *eval = NULL;
    Status status = chart_eval_new(question->model, question->params, &eval, err);

    if (status == OK)
        status = find_start(question, eval, y, diag, err);
    chart_eval_free(eval);
    return status;
}
