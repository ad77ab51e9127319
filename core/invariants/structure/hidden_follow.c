/* Hidden holonomic constraints without a formula.
 *
 * Their differentials at a point are the null space of the fields of the involutive closure. On
 * a leaf the pivot coordinates y are functions of the others and of time, dy/ds = -A_y^-1 A_x
 * dx/ds, which is integrated along the straight segments between the states of the motion. The
 * distance between y of the motion and the integrated y is the distance of the motion from its
 * leaf.
 *
 * A leaf need not stay a graph over the other coordinates: a circle is none if its tangent is
 * along y. Across such a place the distance says nothing about the motion. It counts only if the
 * normals dy + A dx of the leaf turn little from state to state. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/invariants/observation.h"
#include "core/invariants/search/columns.h"
#include "core/invariants/structure/hidden.h"
#include "core/model/kinds.h"
#include "core/numeric/dense.h"
#include "core/program/function.h"

/* Steps of a segment; coordinates and time. Conventions. */
enum { STEPS = 8, MAX_WIDTH = 64 };

/* The error of the quadrature, relative to the coordinate, above which nothing is observed.
 * Convention. */
static const double CONVERGED = 1e-3;
/* Richardson's extrapolation of a method of order 4: 2^4 - 1 (L. F. Richardson, 1911). No unit. */
static const double RICHARDSON = 15;
/* Cosine of the angle by which a normal may turn, 60 degrees. No unit; convention. */
static const double LEAST_COSINE = 0.5;

typedef struct Follow {
    const Distribution *d;
    const Fields *fields;
    size_t width, n_pivots; /* n + 1; of all constraints between positions, hidden or not */
    size_t pivots[MAX_WIDTH];
    bool is_pivot[MAX_WIDTH];
    Function closure; /* the fields: t, q -> [count][width] */
    double *basis, *matrix, *rhs;
    double sizes[MAX_WIDTH]; /* of q and of the time that the motion takes */
} Follow;

/* Of the pivots along a motion. */
typedef struct Followed {
    double drift[MAX_WIDTH]; /* largest distance of the motion from the leaf */
    double end[MAX_WIDTH];   /* last distance */
    double steep[MAX_WIDTH]; /* the largest sum |A_i| size of x_i */
    double error;            /* difference of two step sizes */
    bool turned;             /* the leaf may have ceased to be a graph */
} Followed;

static Status follow_init(Follow *f, const Distribution *d, const Fields *fields, Error *err)
{
    const Model *model = d->context->model;
    const size_t n = d->n, width = n + 1;
    Arena *scratch = d->context->scratch;
    Expr inputs[MAX_WIDTH];

    *f = (Follow){.d = d,
                  .fields = fields,
                  .width = width,
                  .basis = arena_doubles(scratch, width * width),
                  .matrix = arena_doubles(scratch, width * width),
                  .rhs = arena_doubles(scratch, width * width)};
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* the fields of the closure as functions of t and q */
    inputs[0] = model->sym.t;
    memcpy(inputs + 1, model->sym.q, n * sizeof *inputs);
    const ProgramSpec spec = {.pool = fields->pool,
                              .params = model->sym.params,
                              .n_params = model->n_params,
                              .inputs = inputs,
                              .n_inputs = width,
                              .outputs = fields->components,
                              .n_outputs = fields->count * width};
    return function_init(&f->closure, &spec, d->context->params, err);
}

/* The annihilator of the closure at z = (q, t): basis[width][*ret_n], as columns. */
static Status annihilator(Follow *f, const double *z, size_t *ret_n, Error *err)
{
    f->closure.in[0] = z[f->width - 1];
    memcpy(f->closure.in + 1, z, (f->width - 1) * sizeof *z);
    return dense_null_space(function_eval(&f->closure), f->fields->count, f->width,
                            ACCURACY_COMPARED, f->basis, ret_n, err);
}

/* Pivot coordinates by rows: first those of the known constraints, then of the rest. False: the
 * rows are not independent. Overwrites rows[n_rows][width]. */
static bool choose_pivots(Follow *f, double *rows, size_t n_known, size_t n_rows, size_t most)
{
    const size_t width = f->width;
    bool done[2 * MAX_WIDTH] = {false};

    for (size_t k = 0; k < most; k++) {
        /* the largest entry of a row of its kind; never time */
        const size_t from = k < n_known ? 0 : n_known, to = k < n_known ? n_known : n_rows;
        size_t row = n_rows, column = width;
        double best = ACCURACY_COMPARED;
        for (size_t i = from; i < to; i++)
            for (size_t j = 0; j + 1 < width && !done[i]; j++)
                if (!f->is_pivot[j] && fabs(rows[i * width + j]) > best) {
                    best = fabs(rows[i * width + j]);
                    row = i;
                    column = j;
                }
        if (row == n_rows)
            return false;
        done[row] = f->is_pivot[column] = true;
        f->pivots[k] = column;
        for (size_t i = 0; i < n_rows; i++) {
            const double factor = rows[i * width + column] / rows[row * width + column];
            for (size_t j = 0; j < width && !done[i]; j++)
                rows[i * width + j] -= factor * rows[row * width + j];
        }
    }
    f->n_pivots = most;
    return true;
}

/* The slopes of the leaf at z: dy = rhs[n_pivots][width] dz, zero in the columns of pivots. */
static Status slopes(Follow *f, const double *z, Error *err)
{
    const size_t k = f->n_pivots, width = f->width;
    size_t n = 0;
    Status status = annihilator(f, z, &n, err);

    if (status == OK && n != k)
        return error_set(err, ERR_NUMERIC, "the constraints change rank along the motion");
    if (status != OK)
        return status;
    for (size_t a = 0; a < k; a++) {
        for (size_t i = 0; i < width; i++)
            f->rhs[a * width + i] = f->is_pivot[i] ? 0 : -f->basis[i * width + a];
        for (size_t b = 0; b < k; b++)
            f->matrix[a * k + b] = f->basis[f->pivots[b] * width + a];
    }
    return dense_solve(f->matrix, k, f->rhs, width, err);
}

/* dy/ds of the pivots at z if the other components change by dz. */
static Status slope(Follow *f, const double *z, const double *dz, double *ret, Error *err)
{
    Status status = slopes(f, z, err);

    for (size_t a = 0; a < f->n_pivots && status == OK; a++) {
        ret[a] = 0;
        for (size_t i = 0; i < f->width; i++)
            ret[a] += f->rhs[a * f->width + i] * dz[i];
    }
    return status;
}

/* The normals dy - sum A_i dx_i of the leaf at z, in units of the sizes: ret[n_pivots][width]. */
static Status normals(Follow *f, const double *z, double *ret, Followed *followed, Error *err)
{
    Status status = slopes(f, z, err);

    for (size_t a = 0; a < f->n_pivots && status == OK; a++) {
        double steep = 0;
        for (size_t i = 0; i < f->width; i++) {
            const double slope = f->rhs[a * f->width + i] * f->sizes[i];
            ret[a * f->width + i] = i == f->pivots[a] ? f->sizes[i] : -slope;
            steep += fabs(slope);
        }
        followed->steep[a] = fmax(followed->steep[a], steep);
    }
    return status;
}

/* Whether a normal turns by more than 60 degrees: on the two sides of a fold it is reversed. */
static bool turns(const Follow *f, const double *before, const double *after)
{
    for (size_t a = 0; a < f->n_pivots; a++) {
        double product = 0, one = 0, other = 0;
        for (size_t i = a * f->width; i < (a + 1) * f->width; i++) {
            product += before[i] * after[i];
            one = hypot(one, before[i]);
            other = hypot(other, after[i]);
        }
        if (!(product >= LEAST_COSINE * one * other))
            return true;
    }
    return false;
}

/* The pivots at the end of the segment from z along dz, by the classical Runge-Kutta method. */
static Status follow_segment(Follow *f, const double *from, const double *dz, size_t steps,
                             double *ret, Error *err)
{
    static const double NODE[] = {0, 0.5, 0.5, 1}, WEIGHT[] = {1, 2, 2, 1};
    const size_t k = f->n_pivots;
    const double h = 1 / (double)steps;
    double z[MAX_WIDTH] = {0}, y[MAX_WIDTH], sum[MAX_WIDTH], rate[MAX_WIDTH] = {0};
    Status status = OK;

    for (size_t a = 0; a < k; a++)
        y[a] = from[f->pivots[a]];
    /* each step: four stages, then their weighted sum */
    for (size_t step = 0; step < steps && status == OK; step++) {
        memset(sum, 0, sizeof sum);
        for (size_t stage = 0; stage < 4 && status == OK; stage++) {
            const double s = ((double)step + NODE[stage]) * h;
            for (size_t i = 0; i < f->width; i++)
                z[i] = from[i] + s * dz[i];
            for (size_t a = 0; a < k; a++)
                z[f->pivots[a]] = y[a] + NODE[stage] * h * rate[a];
            status = slope(f, z, dz, rate, err);
            for (size_t a = 0; a < k && status == OK; a++)
                sum[a] += WEIGHT[stage] * rate[a];
        }
        for (size_t a = 0; a < k && status == OK; a++)
            y[a] += h / 6 * sum[a];
    }
    if (status == OK)
        memcpy(ret, y, k * sizeof *ret);
    return status;
}

static void point_of(const Follow *f, const Trajectory *motion, size_t k, double *ret_z)
{
    memcpy(ret_z, motion->q + k * (f->width - 1), (f->width - 1) * sizeof *ret_z);
    ret_z[f->width - 1] = motion->t[k];
}

static Status follow_step(Follow *f, size_t k, Followed *ret, Error *err)
{
    const Trajectory *motion = f->d->context->trajectory;
    double z[MAX_WIDTH] = {0}, next[MAX_WIDTH], dz[MAX_WIDTH] = {0};
    double coarse[MAX_WIDTH] = {0}, y[MAX_WIDTH] = {0};

    point_of(f, motion, k, z);
    point_of(f, motion, k + 1, next);
    for (size_t i = 0; i < f->width; i++)
        dz[i] = f->is_pivot[i] ? 0 : next[i] - z[i];
    /* with two step sizes */
    Status status = follow_segment(f, z, dz, STEPS, coarse, err);
    if (status == OK)
        status = follow_segment(f, z, dz, (size_t)2 * STEPS, y, err);
    for (size_t a = 0; a < f->n_pivots && status == OK; a++) {
        /* the fourth-order errors cancel */
        const double best = y[a] + (y[a] - coarse[a]) / RICHARDSON;
        ret->end[a] += next[f->pivots[a]] - best;
        ret->drift[a] = fmax(ret->drift[a], fabs(ret->end[a]));
        ret->error += fabs(y[a] - coarse[a]) / RICHARDSON;
    }
    return status;
}

/* Follows the leaf along the whole motion; *ret must be zero. */
static Status follow_motion(Follow *f, Followed *ret, Error *err)
{
    const AnalysisContext *context = f->d->context;
    const Trajectory *motion = context->trajectory;
    const size_t count = f->n_pivots * f->width;
    double z[MAX_WIDTH] = {0}, *before = arena_doubles(context->scratch, 2 * count + 1);
    if (!before)
        return arena_status(context->scratch, err);

    /* the largest coordinates of each kind, and the time */
    double *after = before + count;
    for (size_t i = 0; i + 1 < f->width; i++)
        for (size_t k = 0; k < motion->n_states; k++)
            f->sizes[i] =
                fmax(f->sizes[i], kinds_largest(context->model, motion->q + k * (f->width - 1), i));
    f->sizes[f->width - 1] = fabs(motion->t[motion->n_states - 1] - motion->t[0]);
    point_of(f, motion, 0, z);
    Status status = normals(f, z, before, ret, err);
    for (size_t k = 0; k + 1 < motion->n_states && status == OK; k++) {
        status = follow_step(f, k, ret, err);
        point_of(f, motion, k + 1, z);
        if (status == OK)
            status = normals(f, z, after, ret, err);
        ret->turned = ret->turned || (status == OK && turns(f, before, after));
        memcpy(before, after, count * sizeof *before);
        if (status == OK)
            status = analysis_poll(context, err);
    }
    return status;
}

static const char *relation_text(const Follow *f, size_t a, Arena *arena)
{
    const char *const *names = f->d->context->model->names.coordinates;
    const char *text = arena_printf(arena, "%s as a function of ", names[f->pivots[a]]);

    for (size_t i = 0; i + 1 < f->width && text; i++)
        if (!f->is_pivot[i])
            text = arena_printf(arena, "%s%s, ", text, names[i]);
    return text ? arena_printf(arena, "%st", text) : "a leaf of the constraints";
}

/* A distance that a run at this tolerance, followed with this error, cannot tell from 0: an
 * error of x becomes one of y as large as the leaf is steep. */
static double resolution(const Follow *f, const Followed *followed, size_t a)
{
    const double size = f->sizes[f->pivots[a]] + followed->steep[a];

    return ERROR_GROWTH * fmax(f->d->context->steps.rtol, ACCURACY_ROUNDED) * size +
           ERROR_MARGIN * followed->error;
}

/* Observes the pivot along the motion. If the motion meets the leaf again it has stayed. If it
 * does not, it has left the leaf only if the leaf is a graph all along. */
static void observe(const Follow *f, const Followed *followed, size_t a, Findings *findings,
                    Verdict *verdict)
{
    const size_t pivot = f->pivots[a];
    const bool stays = followed->drift[a] <= resolution(f, followed, a);

    /* between two states the leaf must stay a graph that is resolved */
    verdict->observed =
        followed->error <= CONVERGED * f->sizes[pivot] && (stays || !followed->turned);
    if (!verdict->observed) {
        verdict->reason = arena_printf(
            findings->arena,
            "%s What this motion does is not observed: between two of its states the surface turns "
            "too far, or is too steep, to be followed over the other coordinates.",
            verdict->reason);
        return;
    }
    /* otherwise report the distance from the leaf */
    verdict->initial = f->d->context->trajectory->q[pivot];
    verdict->final = verdict->initial + followed->end[a];
    verdict->max_drift = followed->drift[a];
    verdict->conserved = stays;
}

static Status add_followed(Follow *f, size_t n_known, const HiddenSearch *search, Error *err)
{
    const AnalysisContext *context = f->d->context;
    const Growth *flag = &search->extended->small;
    Findings *findings = search->findings;
    const bool moves = context->trajectory && context->trajectory->n_states > 0;
    Followed followed = {0};
    Status status = moves ? follow_motion(f, &followed, err) : OK;

    /* at a fold itself the slopes have no solution */
    if (status == ERR_NUMERIC) {
        followed.error = INFINITY;
        status = OK;
    }

    /* a relation for each coordinate that the brackets do not move */
    for (size_t a = n_known; a < f->n_pivots && status == OK; a++) {
        Verdict *verdict = hidden_add(search);
        verdict->expression = relation_text(f, a, findings->arena);
        verdict->predicted = flag->proved ? PREDICTED_YES : PREDICTED_UNDECIDED;
        verdict->evidence = EVIDENCE_RANDOM_STATES;
        verdict->states = flag->states;
        verdict->proof = flag->proof;
        verdict->proof.likely = PREDICTED_YES;
        verdict->reason =
            arena_printf(findings->arena,
                         "No sequence of allowed motions leads off a surface in the space of "
                         "positions and time (brackets reach rank %zu of %zu%s), on "
                         "which %s is a function of the others.",
                         flag->generic[flag->length - 1], f->width,
                         flag->proved ? "" : ", as far as states in floating point tell",
                         context->model->names.coordinates[f->pivots[a]]);
        if (moves)
            observe(f, &followed, a, findings, verdict);
        Value *item = value_add(findings->arena, search->list, NULL, VALUE_RECORD);
        value_add_text(findings->arena, item, "expression", verdict->expression);
        value_add_text(findings->arena, item, "found", "path quadrature");
    }
    return status;
}

/* The null space at the start below the known rows, and pivots of both. */
static Status start_leaf(Follow *f, const double *known, size_t n_known, size_t wanted, Error *err)
{
    const AnalysisContext *context = f->d->context;
    const size_t width = f->width, most = n_known + wanted;
    double *rows = arena_doubles(context->scratch, (n_known + width) * width), z[MAX_WIDTH];
    size_t n = 0;
    if (!rows)
        return arena_status(context->scratch, err);

    memcpy(z, context->q0, (width - 1) * sizeof *z);
    z[width - 1] = context->t0;
    if (n_known)
        memcpy(rows, known, n_known * width * sizeof *rows);
    Status status = annihilator(f, z, &n, err);
    for (size_t a = 0; a < n; a++)
        for (size_t i = 0; i < width; i++)
            rows[(n_known + a) * width + i] = f->basis[i * width + a];
    /* their number must be that of the flag */
    if (status == OK && (n != most || !choose_pivots(f, rows, n_known, n_known + n, most)))
        status = error_set(err, ERR_NUMERIC,
                           "the constraints have another rank at the start than elsewhere");
    return status;
}

Status hidden_follow(const HiddenSearch *search, const double *known, size_t n_known, Error *err)
{
    const Distribution *d = search->d;
    const size_t wanted = hidden_count(search) + d->n_holonomic - n_known;
    Follow f;
    if (d->n + 1 > MAX_WIDTH)
        return OK;

    Status status = follow_init(&f, d, search->fields, err);
    if (status == OK)
        status = start_leaf(&f, known, n_known, wanted, err);
    if (status == OK)
        status = add_followed(&f, n_known, search, err);
    function_done(&f.closure);
    return status;
}
