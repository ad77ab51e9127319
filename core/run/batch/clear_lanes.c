/* Values in lanes, and boxes of lanes. */
#include "core/run/batch/clear_lanes.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"

static void lay_out(ClearLanes *c, DenseReach **rows, Arena *arena)
{
    *rows = ARENA_NEW(arena, c->n_used, DenseReach);
    for (size_t i = 0; *rows && i < c->n_used; i++) {
        const ArenaPiece pieces[] = {{&(*rows)[i].middle, c->lanes},
                                     {&(*rows)[i].radius, c->lanes},
                                     {&(*rows)[i].rate, c->lanes},
                                     {&(*rows)[i].rate_radius, c->lanes}};
        arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    }
}

Status clear_lanes_init(ClearLanes *c, Observed *observed, size_t n, const double *params,
                        size_t lanes, Arena *arena, Error *err)
{
    const size_t n_inputs = observed_n_inputs(observed);

    *c = (ClearLanes){.n = n, .lanes = lanes};
    c->used = arena_sizes(arena, n_inputs);
    c->inputs = ARENA_NEW(arena, n_inputs, Range);
    c->made = ARENA_NEW(arena, lanes, bool);
    c->ranges = ARENA_NEW(arena, n * lanes, ClearRange);
    /* only inputs that some expression reads need a range */
    for (size_t i = 0; c->used && i < n_inputs; i++) {
        bool used = false;
        for (size_t k = 0; k < n; k++)
            used = used || observed_guard_reads(observed, k, i);
        if (used)
            c->used[c->n_used++] = i;
    }
    lay_out(c, &c->reach, arena);
    lay_out(c, &c->boxes, arena);
    const Status status = arena_status(arena, err);
    return status == OK ? observed_guards_in_lanes(observed, params, lanes, &c->values, err)
                        : status;
}

void clear_lanes_done(ClearLanes *c)
{
    function_done(&c->values);
}

void clear_lanes_slot(ClearLanes *c, size_t lane, const double *params)
{
    c->made[lane] = false;
    function_bind_lane(&c->values, lane, params);
}

const double *clear_lanes_inside(ClearLanes *c, const FastStep *step, double theta)
{
    double *in = c->values.in;

    for (size_t l = 0; l < c->lanes; l++)
        in[l] = step->t[l] + theta * step->h[l];
    for (size_t i = 0; i < c->n_used; i++)
        if (c->used[i] > 0)
            step->method->dense_row(step->all, c->used[i] - 1, theta, in + c->used[i] * c->lanes);
    return function_eval(&c->values);
}

const double *clear_lanes_at_end(ClearLanes *c, const FastStep *step)
{
    const size_t lanes = c->lanes;
    double *in = c->values.in;

    for (size_t l = 0; l < lanes; l++)
        in[l] = step->t[l] + step->h[l];
    for (size_t i = 0; i < c->n_used; i++)
        if (c->used[i] > 0)
            memcpy(in + c->used[i] * lanes, step->y_new + (c->used[i] - 1) * lanes,
                   lanes * sizeof *in);
    return function_eval(&c->values);
}

void clear_lanes_follow(ClearLanes *c, const FastStep *step)
{
    for (size_t i = 0; i < c->n_used; i++) {
        const DenseReach *of = &c->reach[i];
        if (c->used[i] > 0)
            step->method->dense_reach(step->all, c->used[i] - 1, of);
        for (size_t l = 0; l < c->lanes; l++) {
            if (c->used[i] == 0) {
                of->middle[l] = step->t[l] + step->h[l] / 2;
                of->radius[l] = fabs(step->h[l] / 2);
                of->rate[l] = step->h[l];
                of->rate_radius[l] = 0;
            }
            const double size = fabs(of->middle[l]) + of->radius[l];
            of->radius[l] += ACCURACY_COMPUTED * size;
            of->rate_radius[l] += ACCURACY_SOLVED * size;
        }
    }
}

/* Is middle +- radius inside the other? False where something is not finite. */
static bool is_inside(double middle, double radius, double of_middle, double of_radius)
{
    return fabs(middle - of_middle) + radius <= of_radius;
}

bool clear_lanes_covers(const ClearLanes *c, size_t lane, double h)
{
    bool covers = c->made[lane];

    for (size_t i = 0; covers && i < c->n_used; i++) {
        const DenseReach *of = &c->reach[i], *box = &c->boxes[i];
        covers =
            is_inside(of->middle[lane], of->radius[lane], box->middle[lane], box->radius[lane]) &&
            is_inside(of->rate[lane] / h, of->rate_radius[lane] / fabs(h), box->rate[lane],
                      box->rate_radius[lane]);
    }
    return covers;
}

static Range range_of(double middle, double radius, double rate, double rate_radius)
{
    return (Range){.value = {middle - radius, middle + radius},
                   .rate = {rate - rate_radius, rate + rate_radius},
                   .whole = isfinite(middle) && isfinite(radius) && isfinite(rate) &&
                            isfinite(rate_radius)};
}

/* A little more than that, to allow for rounding in the comparisons. */
static double widened(double radius, double more, double middle)
{
    return (1 + 2 * more) * radius * (1 + ACCURACY_COMPUTED) + ACCURACY_COMPUTED * fabs(middle);
}

void clear_lanes_renew(ClearLanes *c, size_t lane, double h, double more, Observed *observed)
{
    ClearRange *ranges = c->ranges + lane * c->n;

    /* the box, and its middle as a point */
    for (size_t i = 0; i < c->n_used; i++) {
        const DenseReach *of = &c->reach[i], *box = &c->boxes[i];
        const double middle = box->middle[lane] = of->middle[lane];
        const double rate = box->rate[lane] = of->rate[lane] / h;
        box->radius[lane] = widened(of->radius[lane], more, middle);
        box->rate_radius[lane] = widened(of->rate_radius[lane] / fabs(h), more, rate);
        c->inputs[c->used[i]] =
            range_of(middle, ACCURACY_COMPUTED * (fabs(middle) + of->radius[lane]), 0, 0);
    }
    /* noise: the width of the enclosure at the middle */
    for (size_t k = 0; k < c->n; k++) {
        const Range point = observed_guard_range(observed, k, c->inputs);
        ranges[k].noise = point.value.high - point.value.low;
    }
    for (size_t i = 0; i < c->n_used; i++) {
        const DenseReach *box = &c->boxes[i];
        c->inputs[c->used[i]] =
            range_of(box->middle[lane], box->radius[lane], box->rate[lane], box->rate_radius[lane]);
    }
    for (size_t k = 0; k < c->n; k++)
        ranges[k].range = observed_guard_range(observed, k, c->inputs);
    c->made[lane] = true;
}
