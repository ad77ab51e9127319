/* The largest Lyapunov exponents: the rates at which neighbouring motions separate.
 * 
 * Columns of the linearised motion start as random tangent vectors of the constraint manifold
 * and are made orthonormal again and again (G. Benettin, L. Galgani, A. Giorgilli, J.-M.
 * Strelcyn, Meccanica 15 (1980) 9-30). The exponents are the mean rates of the logarithms of
 * their growth. Directions that leave the manifold are excluded, because their exponents belong
 * to no motion. */
#include <math.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/analyses/local.h"
#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/random.h"

enum {
    INTERVALS = 400, /* renormalisations aimed at */
    BINS = 10,       /* the spread of means over them gives the uncertainty */
    DEFAULT_COUNT = 1,
    POINTS = 20, /* of the estimates reported on the way */
    MOST_INTERVALS = 1000000,
    SEED = 7,
};
/* Logarithm of the growth between renormalisations (no unit): above FAST_GROWTH the interval is
 * halved, below SLOW_GROWTH it is lengthened. Conventions. */
static const double FAST_GROWTH = 6, SLOW_GROWTH = 0.5;
/* Logarithm of a growth (no unit) that motions without exponential separation do not reach.
 * Convention. */
static const double EXPONENTIAL_GROWTH = 20;

typedef struct Options {
    size_t count;
    double time, transient; /* > 0 */
} Options;

typedef struct Lyapunov {
    const AnalysisContext *context;
    Options options;
    Local local;
    size_t count;
    bool planar;       /* at most two dimensions, autonomous: no chaos */
    bool moves;        /* the start is not at rest */
    double direction;  /* of time: +1 or -1 */
    double *y;         /* linearised_size + 1 */
    double *sum;       /* count: logarithms of growth */
    double *bin;       /* BINS x count: those of each part of the time */
    double *exponents; /* count */
    double *rates;     /* 2 n: of the state at the start */
    double *uncertainty;
    double points[POINTS], times[POINTS]; /* estimates of the largest on the way */
    size_t n_points;
    uint64_t intervals;
    Watch watch;
} Lyapunov;

static void number_option(const Value *options, const char *name, double least, Diagnostics *diag,
                          double *ret)
{
    const Value *value = value_member(options, name);

    if (!value)
        return;
    if (value->kind != VALUE_NUMBER || !isfinite(value->number) || value->number < least)
        diagnostics_add(diag, value->pointer, -1, NULL, "%s must be a number not below %g", name,
                        least);
    else
        *ret = value->number;
}

static Options read_options(const Value *options, Diagnostics *diag)
{
    double count = DEFAULT_COUNT, time = 0, transient = 0;

    number_option(options, "count", 1, diag, &count);
    number_option(options, "time", 1e-300, diag, &time);
    number_option(options, "transient", 0, diag, &transient);
    if (count != floor(count))
        diagnostics_add(diag, value_member(options, "count")->pointer, -1, NULL,
                        "count must be a whole number");
    return (Options){
        .count = count < 1e9 ? (size_t)count : 1000000000, .time = time, .transient = transient};
}

static Status lyapunov_check(const Model *model, ExprPool *pool, const Value *options,
                             Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    const Options read = read_options(options, diag);

    (void)pool;
    if (read.count > 2 * model->n)
        diagnostics_add(diag, value_member(options, "count")->pointer, -1, NULL,
                        "there are at most %zu exponents, two for each coordinate", 2 * model->n);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of lyapunov");
}

static double *lyapunov_column(const Lyapunov *x, size_t i, size_t c)
{
    return x->y + x->local.dim + i * x->count + c;
}

/* Orthonormal columns by Gram-Schmidt, twice for accuracy. The lengths go to ret[count]. */
static bool orthonormalise(Lyapunov *x, double *ret)
{
    for (size_t c = 0; c < x->count; c++) {
        ret[c] = 1;
        for (int pass = 0; pass < 2; pass++) {
            /* subtract the parts along the columns before, then normalise */
            double length = 0;
            for (size_t b = 0; b < c; b++) {
                double along = 0;
                for (size_t i = 0; i < x->local.dim; i++)
                    along += *lyapunov_column(x, i, b) * *lyapunov_column(x, i, c);
                for (size_t i = 0; i < x->local.dim; i++)
                    *lyapunov_column(x, i, c) -= along * *lyapunov_column(x, i, b);
            }
            for (size_t i = 0; i < x->local.dim; i++)
                length = hypot(length, *lyapunov_column(x, i, c));
            if (!(length > 0 && isfinite(length)))
                return false;
            for (size_t i = 0; i < x->local.dim; i++)
                *lyapunov_column(x, i, c) /= length;
            ret[c] *= length;
        }
    }
    return true;
}

/* Flows in two dimensions have no chaotic motions (H. Poincare, I. Bendixson; on closed surfaces,
 * A. J. Schwartz). At rest the exponents of the linearisation are valid. */
static void look_for_room(Lyapunov *x)
{
    x->planar = x->local.d <= 2 && local_is_autonomous(x->context->model);
    linearised_state_rates(x->local.linearised, x->context->t0, x->y, x->rates);
    for (size_t i = 0; i < x->local.dim; i++)
        x->moves = x->moves || x->rates[i] != 0;
}

static Status lyapunov_start(Lyapunov *x, Error *err)
{
    const AnalysisContext *c = x->context;
    const size_t n = x->local.n;
    double *ignored = x->exponents;
    Random random;

    random_init(&random, SEED);
    memcpy(x->y, c->q0, n * sizeof *x->y);
    memcpy(x->y + n, c->v0, n * sizeof *x->y);
    for (size_t k = 0; k < x->local.dim * x->count; k++)
        x->y[x->local.dim + k] = random_normal(&random);
    look_for_room(x);
    Status status = linearised_project_columns(x->local.linearised, c->t0, x->y, err);
    if (status == OK && !orthonormalise(x, ignored))
        status = error_set(err, ERR_NUMERIC, "no independent tangent directions at the start");
    return status;
}

/* Adds the growth of the columns in (from, to), given as parts of the whole time. */
static void lyapunov_take(Lyapunov *x, const double *lengths, double from, double to)
{
    size_t bin = (size_t)((from + to) / 2 * BINS);

    bin = bin < BINS ? bin : BINS - 1;
    for (size_t c = 0; c < x->count; c++) {
        x->sum[c] += log(lengths[c]);
        x->bin[bin * x->count + c] += log(lengths[c]);
    }
    /* a point this close counts as reached */
    if (x->n_points < POINTS && to * POINTS >= (double)(x->n_points + 1) - ACCURACY_COMPARED) {
        x->times[x->n_points] =
            x->context->t0 + x->direction * (x->options.transient + to * x->options.time);
        x->points[x->n_points++] = x->sum[0] / (to * x->options.time);
    }
}

/* Integrates over [0, length] with renormalisations. counted: the growth is added. */
static Status lyapunov_carry(Lyapunov *x, double t0, double length, bool counted, Error *err)
{
    const AnalysisContext *c = x->context;
    const LinearisedDrive drive = {.rtol = fmin(c->steps.rtol, ACCURACY_COMPARED),
                                   .atol = fmin(c->steps.atol, ACCURACY_COMPARED / 100),
                                   .max_step = c->steps.max_step,
                                   .max_steps = 100000000,
                                   .poll = c->poll,
                                   .self = c->self,
                                   .watch = &x->watch};
    double *lengths = x->exponents, part = 0, step = 1.0 / INTERVALS;
    Status status = OK;

    while (status == OK && part < 1) {
        /* a renormalization this close to the end is the last one */
        const double next = part + step < 1 - ACCURACY_COMPUTED ? part + step : 1;
        if (x->intervals++ == MOST_INTERVALS)
            return error_set(err, ERR_LIMIT, "neighbouring motions separate too fast for the time");
        status = linearised_advance(x->local.linearised, &drive, t0 + part * length,
                                    t0 + next * length, x->y, err);
        if (status == OK && !orthonormalise(x, lengths))
            status = error_set(err, ERR_NUMERIC, "the linearised motion is not finite or vanishes");
        if (status != OK)
            break;
        if (counted)
            lyapunov_take(x, lengths, part, next);
        /* adapt the interval to the largest growth */
        double most = 0;
        for (size_t k = 0; k < x->count; k++)
            most = fmax(most, fabs(log(lengths[k])));
        step = most > FAST_GROWTH                        ? step / 2
               : most < SLOW_GROWTH && step < 0.5 / BINS ? step * 1.25
                                                         : step;
        part = next;
    }
    return status;
}

static Status lyapunov_compute(Lyapunov *x, Error *err)
{
    const double t0 = x->context->t0, direction = x->direction;
    Status status = lyapunov_start(x, err);

    if (status == OK && x->options.transient > 0)
        status = lyapunov_carry(x, t0, direction * x->options.transient, false, err);
    x->intervals = 0;
    if (status == OK)
        status = lyapunov_carry(x, t0 + direction * x->options.transient,
                                direction * x->options.time, true, err);
    /* means, and their uncertainty from the spread of bins */
    for (size_t c = 0; status == OK && c < x->count; c++) {
        double square = 0;
        x->exponents[c] = x->sum[c] / x->options.time;
        for (size_t b = 0; b < BINS; b++) {
            double off = x->bin[b * x->count + c] * BINS / x->options.time - x->exponents[c];
            square += off * off;
        }
        x->uncertainty[c] = sqrt(square / (BINS - 1) / BINS);
    }
    return status;
}

/* Numbers over a finite time prove nothing: neighbours of regular motions separate
 * exponentially, too, while they pass a saddle. */
static const char *reason_of_numbers(const Lyapunov *x, bool likely)
{
    const double growth = x->sum[0], largest = x->exponents[0];

    /* narrow features, planar motions, then the growth */
    if (watch_is_blind(&x->watch))
        return "The motion may have passed something narrower than a step (a barrier, a pulse): "
               "nothing tells that there is none, and the exponents rest on it.";
    if (x->planar)
        return arena_printf(x->context->arena,
                            "Neighbouring motions separated by exp(%.3g) over a time of %.4g, as "
                            "they may for a while near a saddle, or always.",
                            growth, x->options.time);
    if (likely)
        return arena_printf(x->context->arena,
                            "Neighbouring motions separated like exp(%.4g t), by exp(%.3g) in all: "
                            "a bounded motion that goes on so is chaotic, but no finite time "
                            "proves that it does.",
                            largest, growth);
    return arena_printf(x->context->arena,
                        "Neighbouring motions separated by exp(%.3g) over a time of %.4g: not more "
                        "than regular motions may, and no proof that a longer time would not show "
                        "more.",
                        growth, x->options.time);
}

static const char *lyapunov_reason(const Lyapunov *x, bool likely)
{
    const char *numbers = reason_of_numbers(x, likely);

    return x->planar
               ? arena_printf(x->context->arena,
                              "The motion has %zu dimension%s and nothing depends on time: by "
                              "the theorem of Poincare and Bendixson it is not chaotic. %s",
                              x->local.d, x->local.d == 1 ? "" : "s", numbers)
               : numbers;
}

static void lyapunov_report(const Lyapunov *x, Findings *findings)
{
    Arena *arena = findings->arena;
    Value *record = value_add(arena, findings->record, "lyapunov", VALUE_RECORD);
    Value *convergence;
    /* in a plane a theorem excludes chaos; behind a blind watch numbers say nothing */
    const bool likely = !(x->planar && x->moves) && !watch_is_blind(&x->watch) &&
                        x->sum[0] > EXPONENTIAL_GROWTH && x->exponents[0] > 3 * x->uncertainty[0];

    value_add_numbers(arena, record, "exponents", x->exponents, x->count);
    value_add_numbers(arena, record, "uncertainty", x->uncertainty, x->count);
    value_add_count(arena, record, "dimension", x->local.d);
    value_add_number(arena, record, "time", x->options.time);
    value_add_count(arena, record, "renormalisations", (size_t)x->intervals);
    convergence = value_add(arena, record, "convergence", VALUE_RECORD);
    value_add_numbers(arena, convergence, "t", x->times, x->n_points);
    value_add_numbers(arena, convergence, "largest", x->points, x->n_points);
    watch_report(&x->watch, arena, record);
    value_add_text(arena, record, "exponential", "undecided");
    value_add_text(arena, record, "likely", likely ? "yes" : "undecided");
    value_add_text(arena, record, "chaotic", x->planar ? "no" : "undecided");
    value_add_text(arena, record, "reason", lyapunov_reason(x, likely));
}

Status lyapunov_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                    Findings *findings, Error *err)
{
    Diagnostics ignored;
    Lyapunov x = {.context = context, .direction = context->t_end < context->t0 ? -1 : 1};
    Arena scratch = {0};

    /* the options were checked with the document; the default time is that of the run */
    diagnostics_init(&ignored, context->arena);
    x.options = read_options(options, &ignored);
    if (x.options.time == 0)
        x.options.time = fabs(context->t_end - context->t0);
    x.count = x.options.count;
    Status status = local_init(&x.local, context, run, x.count, err);
    if (status == OK && x.count > x.local.d)
        status = error_set(err, ERR_INVALID,
                           "the constraint manifold has %zu dimensions: there are no %zu exponents",
                           x.local.d, x.count);
    if (status == OK) {
        x.y = arena_doubles(&scratch, linearised_size(x.local.linearised) + 1);
        x.sum = arena_doubles(&scratch, x.count);
        x.bin = arena_doubles(&scratch, BINS * x.count);
        x.exponents = arena_doubles(&scratch, x.count);
        x.uncertainty = arena_doubles(&scratch, x.count);
        x.rates = arena_doubles(&scratch, x.local.dim);
        status = arena_status(&scratch, err);
    }
    if (status == OK)
        status = linearised_watch(x.local.linearised, 1, &x.watch, &scratch, err);
    if (status == OK)
        status = lyapunov_compute(&x, err);
    if (status == OK)
        lyapunov_report(&x, findings);
    watch_done(&x.watch);
    local_done(&x.local);
    arena_done(&scratch);
    return status;
}

double lyapunov_cost(const CostQuestion *question, const char **ret_reason)
{
    Diagnostics ignored;

    diagnostics_init(&ignored, question->arena);
    const Options options = read_options(question->options, &ignored);
    const double time = options.transient + (options.time > 0 ? options.time : question->span);
    *ret_reason = arena_printf(question->arena,
                               "A motion of %.6g units of time (the job's has %.6g) is integrated "
                               "with %zu columns of its linearisation.",
                               time, question->span, options.count);
    return cost_of_linearising(question) +
           cost_of_motion(question, time, ACCURACY_COMPARED, (double)options.count);
}

static const AnalysisOption OPTIONS[] = {
    {.name = "count",
     .meaning = "exponents, the largest first",
     .kind = OPTION_NUMBER,
     .otherwise = DEFAULT_COUNT},
    {.name = "time", .meaning = "over which growth is measured; left out: that of the job"},
    {.name = "transient", .meaning = "time before it is", .kind = OPTION_NUMBER, .otherwise = 0},
    {.name = NULL}};

const Analysis analysis_lyapunov = {.name = "lyapunov",
                                    .meaning = "How fast do neighbouring motions separate?",
                                    .options = OPTIONS,
                                    .check = lyapunov_check};
