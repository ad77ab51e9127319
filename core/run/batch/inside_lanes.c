/* Guards, extremes and means over the steps of lanes that fast_path. */
#include "core/run/batch/inside_lanes.h"

#include <math.h>
#include <string.h>

#include "core/run/parts/quadrature.h"
#include "core/run/tell/reduce.h"

/* Extents of the boxes that are tried on either side of a step, in multiples of the step. */
static const double MORE[] = {4, 1, 0};

static bool is_mean(ReduceTake take)
{
    return take == REDUCE_MEAN || take == REDUCE_RMS;
}

static bool has_roots(const Run *run)
{
    return run->progress.system.n_enclosed > 0;
}

bool inside_lanes_wanted(const Run *run)
{
    return has_roots(run) || reduce_wants_steps(run->at.s);
}

bool inside_lanes_possible(const Run *run)
{
    const Simulation *s = run->at.s;

    return run->drive.guards.n == s->n_events &&
           !(has_roots(run) && observed_guards_need_motion(s->observed)) &&
           !(reduce_wants_steps(run->at.s) && observed_guards_need_motion(s->reductions->along));
}

Status inside_lanes_init(InsideLanes *in, const Run *first, Run **slots, size_t lanes, Arena *arena,
                         Error *err)
{
    const Simulation *s = first->at.s;
    Status status = OK;

    *in = (InsideLanes){.slots = slots,
                        .lanes = lanes,
                        .n_guards = has_roots(first) ? s->n_events : 0,
                        .n_along = reduce_wants_steps(s) ? s->reductions->n_along : 0};
    /* means look at the nodes of a quadrature, extremes at the ends of the step */
    for (size_t k = 0; k < in->n_along; k++) {
        const bool mean = is_mean(first->rows.reduce.along[k].take);
        in->takes_means = in->takes_means || mean;
        in->takes_extremes = in->takes_extremes || !mean;
    }
    const size_t n_guards = in->n_guards * lanes, n_along = in->n_along * lanes;
    const ArenaPiece pieces[] = {{&in->ends, n_guards},
                                 {&in->sizes, n_guards},
                                 {&in->first, n_along},
                                 {&in->last, n_along},
                                 {&in->nodes, QUADRATURE_NODES * n_along}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
    in->next = ARENA_NEW(arena, n_along, Along);
    if (in->n_guards)
        status =
            clear_lanes_init(&in->guards, s->observed, in->n_guards, s->params, lanes, arena, err);
    if (status == OK && in->n_along)
        status = clear_lanes_init(&in->along, s->reductions->along, in->n_along, s->params, lanes,
                                  arena, err);
    return status;
}

void inside_lanes_done(InsideLanes *in)
{
    clear_lanes_done(&in->guards);
    clear_lanes_done(&in->along);
}

void inside_lanes_slot(InsideLanes *in, size_t lane)
{
    const double *params = in->slots[lane]->at.s->params;

    if (in->n_guards)
        clear_lanes_slot(&in->guards, lane, params);
    if (in->n_along)
        clear_lanes_slot(&in->along, lane, params);
}

/* The values at the end, and the largest ones at the quarters. */
static void see_guards(InsideLanes *in, const FastStep *step)
{
    const size_t n = in->n_guards * in->lanes;

    for (int p = 1; p <= QUARTERS; p++) {
        const double *values = p < QUARTERS
                                   ? clear_lanes_inside(&in->guards, step, (double)p / QUARTERS)
                                   : clear_lanes_at_end(&in->guards, step);
        for (size_t i = 0; i < n; i++)
            in->sizes[i] = p > 1 && in->sizes[i] > fabs(values[i]) ? in->sizes[i] : fabs(values[i]);
        if (p == QUARTERS)
            memcpy(in->ends, values, n * sizeof *values);
    }
    clear_lanes_follow(&in->guards, step);
}

static bool guards_stay(InsideLanes *in, size_t lane, const FastStep *step)
{
    (void)step;
    const ClearRange *there = in->guards.ranges + lane * in->n_guards;
    const GuardWatch *guards = in->slots[lane]->drive.guards.each;
    bool stay = true;

    for (size_t k = 0; k < in->n_guards; k++) {
        const double end = in->ends[k * in->lanes + lane];
        const Interval value = there[k].range.value;
        stay = stay && isfinite(in->sizes[k * in->lanes + lane]) && there[k].range.whole &&
               (guards[k].side > 0 ? value.low > 0 && end > 0 : value.high < 0 && end < 0);
    }
    return stay;
}

static void see_along(InsideLanes *in, const FastStep *step)
{
    const size_t n = in->n_along * in->lanes;

    if (in->takes_extremes) {
        memcpy(in->first, clear_lanes_inside(&in->along, step, 0), n * sizeof(double));
        memcpy(in->last, clear_lanes_inside(&in->along, step, 1), n * sizeof(double));
    }
    for (int k = 0; in->takes_means && k < QUADRATURE_NODES; k++)
        memcpy(in->nodes + (size_t)k * n,
               clear_lanes_inside(&in->along, step, 0.5 + 0.5 * quadrature_node(k)),
               n * sizeof(double));
    clear_lanes_follow(&in->along, step);
}

/* The ends are met; false where a value between them may be more. */
static bool meet_ends(Along *a, double first, double last, const Range *there)
{
    const double sign = along_sign(a);
    const bool ends = there->rate.low >= 0 || there->rate.high <= 0;

    a->size = fmax(fmax(a->size, fabs(first)), fabs(last));
    a->best = fmax(fmax(a->best, sign * first), sign * last);
    return isfinite(first) && isfinite(last) && there->whole &&
           (ends || fmax(sign * there->value.low, sign * there->value.high) <= a->best);
}

/* The integral over the step from t on is added; false where it wants a closer look. */
static bool add_integral(Along *a, const double *values, double t, double h, double error,
                         const ClearRange *there)
{
    for (int k = 0; k < QUADRATURE_NODES; k++) {
        if (!isfinite(values[k]))
            return false;
        a->size = fmax(a->size, fabs(values[k]));
    }
    if (!along_has_unit(a))
        return false;
    /* does the enclosure leave room for values that the points have not seen? */
    const AlongRules rules = along_rules(a, values, 0.5, t, h);
    const Interval enough = along_enough(a, rules.seen, 0), value = there->range.value;
    const double rate = fmax(fabs(there->range.rate.low), fabs(there->range.rate.high));
    const double reach = rate * fabs(h) / 2 + 2 * there->noise;
    const bool fine = along_is_fine(a, &rules, h, error);

    a->sum += fabs(h) * rules.sums.integral;
    a->absolute += fabs(h) * rules.sums.size;
    return there->range.whole && fine &&
           ((value.low >= enough.low && value.high <= enough.high) ||
            (values[0] - reach >= enough.low && values[0] + reach <= enough.high));
}

/* Puts the reductions behind the step into `next`. False: it may hold more than its points show. */
static bool along_is_plain(InsideLanes *in, size_t lane, const FastStep *step)
{
    const double t = step->t[lane], h = step->h[lane];
    const Run *run = in->slots[lane];
    const double error = reduce_mean_error(run->at.s);
    const size_t n = in->n_along, lanes = in->lanes;
    const ClearRange *there = in->along.ranges + lane * n;
    Along *next = in->next + lane * n;

    for (size_t k = 0; k < n; k++) {
        const size_t i = k * lanes + lane;
        double values[QUADRATURE_NODES];
        bool plain;
        /* a lost reduction stays lost; means add their integral, extremes meet the ends */
        next[k] = run->rows.reduce.along[k];
        if (isfinite(next[k].lost_t)) {
            plain = true;
        } else if (is_mean(next[k].take)) {
            for (size_t j = 0; j < QUADRATURE_NODES; j++)
                values[j] = in->nodes[j * n * lanes + i];
            plain = add_integral(&next[k], values, t, h, error, &there[k]);
        } else {
            plain = meet_ends(&next[k], in->first[i], in->last[i], &there[k].range);
        }
        if (!plain)
            return false;
    }
    return true;
}

typedef bool Shows(InsideLanes *in, size_t lane, const FastStep *step);

/* Do the ranges in the lane's box, or in a new one, show that nothing happens? */
static bool is_clear(InsideLanes *in, ClearLanes *clear, Observed *observed, Shows *shows,
                     size_t lane, const FastStep *step)
{
    const double h = step->h[lane];
    bool shown = clear_lanes_covers(clear, lane, h) && shows(in, lane, step);

    for (size_t k = 0; !shown && k < sizeof MORE / sizeof *MORE; k++) {
        clear_lanes_renew(clear, lane, h, MORE[k], observed);
        shown = shows(in, lane, step);
    }
    return shown;
}

void inside_lanes_look(InsideLanes *in, const FastStep *step, int64_t *masks)
{
    if (in->n_guards)
        see_guards(in, step);
    if (in->n_along)
        see_along(in, step);
    for (size_t l = 0; l < in->lanes; l++) {
        if (!masks[l])
            continue;
        const Simulation *s = in->slots[l]->at.s;
        if ((in->n_guards && !is_clear(in, &in->guards, s->observed, guards_stay, l, step)) ||
            (in->n_along &&
             !is_clear(in, &in->along, s->reductions->along, along_is_plain, l, step)))
            masks[l] = 0;
    }
}

void inside_lanes_take(InsideLanes *in, const FastStep *step, const int64_t *masks)
{
    for (size_t l = 0; l < in->lanes; l++) {
        if (!masks[l])
            continue;
        Run *run = in->slots[l];
        Guards *guards = &run->drive.guards;
        for (size_t k = 0; k < in->n_guards; k++) {
            const size_t i = k * in->lanes + l;
            guards->start[k] = in->ends[i];
            guards->each[k].scale = fmax(guards->each[k].scale, in->sizes[i]);
        }
        for (size_t k = 0; k < in->n_along; k++)
            run->rows.reduce.along[k] = in->next[l * in->n_along + k];
        if (in->n_along)
            run->rows.reduce.elapsed += fabs(step->h[l]);
    }
}
