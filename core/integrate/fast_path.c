/* The fast path: lanes go into the rows and out of them; decisions in the order of one lane. */
#include "core/integrate/fast_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/integrate/combine.h"
#include "core/integrate/control.h"
#include "core/integrate/lane.h"
#include "core/integrate/limits.h"
#include "core/integrate/sizes.h"
#include "core/program/kernels.h"

enum { WHOLE_BLOCKS = COMBINE_BLOCK };

static size_t lay_out(FastPath *c, void *memory)
{
    const size_t lanes = c->step->lanes, n = c->step->rows * lanes;
    FastCourse *o = &c->course;
    Cutter cutter = {.memory = memory};
    double **const rows[] = {
        &o->h,       &o->t_new,   &o->h_new,      &o->stop,           &o->sample_t, &o->direction,
        &o->longest, &o->paced_h, &o->root,       &o->least,          &o->next_h,   &o->next_root,
        &o->horizon, &o->margin,  &o->rejected_h, &o->rejected_error, &o->limit};

    int64_t **const counts[] = {&o->accepted, &o->rejected, &o->most,       &o->rejections,
                                &o->slowed,   &c->masks,    &c->left,       &c->going,
                                &c->told,     &c->sampled,  &o->paced_steps};

    /* without memory the pieces are NULL, and only their bytes are counted */
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = cut(&cutter, lanes, sizeof(double));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k] = cut(&cutter, lanes, sizeof(int64_t));
    c->drives = cut(&cutter, lanes, sizeof *c->drives);
    c->wanted = cut(&cutter, lanes, sizeof *c->wanted);
    c->counted = cut(&cutter, lanes, sizeof *c->counted);
    c->attempted = cut(&cutter, n, sizeof *c->attempted);
    c->history.t = cut(&cutter, HISTORY_STATES * lanes, sizeof(double));
    c->history.y = cut(&cutter, HISTORY_STATES * n, sizeof(double));
    c->history.rates = cut(&cutter, HISTORY_STATES * n, sizeof(double));
    c->history.n = cut(&cutter, lanes, sizeof *c->history.n);
    c->history.looks = cut(&cutter, lanes, sizeof *c->history.looks);
    return cutter.used;
}

static bool is_power_of_two(unsigned n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

Status fast_path_init(FastPath *c, const FastPathRuns *runs, OdeStep *step, const OdeMethod *method,
                      Error *err)
{
    *c = (FastPath){.step = step,
                    .method = method,
                    .order = method->error_order,
                    .kernel = KERNEL_BEST(fast_path_kernel)};
    if (!runs || step->lanes % WHOLE_BLOCKS != 0 || !method->control || method->multistep ||
        method->fixed_step || !is_power_of_two(method->error_order) || !method->dense_row)
        return OK;
    c->memory = alloc_array(lay_out(c, NULL), 1);
    if (!c->memory)
        return error_set(err, ERR_NO_MEMORY, "no memory for %zu lanes", step->lanes);
    lay_out(c, c->memory);
    c->runs = runs;
    return OK;
}

void fast_path_done(FastPath *c)
{
    free(c->memory);
}

static bool noise_is_due(const Drive *drive)
{
    return sizes_have_noise(&drive->step) &&
           sizes_noise_is_due(&drive->step, drive->lane.outcome->accepted + 1);
}

/* Whether the next step ends at a stop: it would be made alone. */
static bool ends_next(const Drive *drive)
{
    const Lane *l = &drive->lane;
    return fabs(l->stop - drive->step.t[0]) <= fabs(l->h);
}

/* Only steps have happened just before; only singular instants and watchers of runs are left. */
static bool is_steady(const FastPath *c, const Drive *drive)
{
    const Lane *l = &drive->lane;
    const OdeStep *step = &drive->step;
    const bool quiet = l->state == LANE_READY && !l->stiffness.watched && !l->start.fresh &&
                       !l->rejected.noisy && !l->aim.active && !l->singular.passing &&
                       !l->singular.approaching && !l->singular.prepared && !l->unprojected &&
                       l->rejected.n == 0 && l->most == 0 && !l->cut && isinf(l->singular.failed);
    const bool plain = step->system->watch.passed == NULL && drive->method == drive->usual;
    /* a run that looks inside steps does so in each of them */
    const bool seen = (drive->observer->arc || step->system->n_enclosed) == !!c->runs->look_inside;

    return step->pulse.status == OK && quiet && plain && seen && guards_rest(&drive->guards) &&
           !noise_is_due(drive) && !ends_next(drive);
}

/* Sizes are made as those of the other lanes; the first one says how. */
static bool fits(FastPath *c, const Drive *drive)
{
    FastSizes *s = &c->sizes;
    const FastSizes own = {
        .known = true, .given = drive->step.sizes.given, .noise = sizes_have_noise(&drive->step)};

    if (!s->known) {
        *s = own;
        c->history.kept = drive->step.system->singular != NULL;
        return true;
    }
    return s->given == own.given && s->noise == own.noise &&
           c->history.kept == (drive->step.system->singular != NULL);
}

/* The slot of the k-th of the states that there is room for, the oldest first. */
static size_t slot_of(const FastPath *c, size_t k)
{
    return (c->history.newest + 1 + k) % HISTORY_STATES;
}

/* If there are fewer, the oldest one stands in for those before. */
static void put_history(FastPath *c, size_t lane, const History *from)
{
    const size_t lanes = c->step->lanes, rows = c->step->rows, missing = HISTORY_STATES - from->n;
    const FastHistory *h = &c->history;

    for (size_t k = 0; k < HISTORY_STATES; k++) {
        const size_t slot = slot_of(c, k), of = k < missing ? 0 : k - missing;
        h->t[slot * lanes + lane] = from->t[of];
        ode_scatter(c->step, from->y[of], lane, h->y + slot * rows * lanes, rows);
        ode_scatter(c->step, from->rates[of], lane, h->rates + slot * rows * lanes, rows);
    }
    h->n[lane] = (int64_t)from->n;
}

static void get_history(const FastPath *c, size_t lane, History *to)
{
    const size_t lanes = c->step->lanes, rows = c->step->rows;
    const FastHistory *h = &c->history;

    to->n = (size_t)h->n[lane];
    for (size_t k = 0; k < to->n; k++) {
        const size_t slot = slot_of(c, HISTORY_STATES - to->n + k);
        to->t[k] = h->t[slot * lanes + lane];
        ode_gather(c->step, h->y + slot * rows * lanes, lane, to->y[k], rows);
        ode_gather(c->step, h->rates + slot * rows * lanes, lane, to->rates[k], rows);
    }
}

static void put_sizes(const FastPath *c, size_t lane, OdeStep *one)
{
    const OdeStep *all = c->step;
    const size_t dim = all->dim;

    ode_scatter(c->step, one->sizes.size, lane, all->sizes.size, dim);
    ode_scatter(c->step, one->sizes.unsized, lane, all->sizes.unsized, dim);
    ode_scatter(c->step, one->rounding.noise, lane, all->rounding.noise, dim);
    ode_scatter(c->step, one->rounding.carried, lane, all->rounding.carried, dim);
    one->sizes.reweighed = false;
}

static void get_sizes(const FastPath *c, size_t lane, OdeStep *one)
{
    if (!one->sizes.given)
        ode_gather(c->step, c->step->sizes.size, lane, one->sizes.size, c->step->dim);
}

void fast_path_enter(FastPath *c, size_t lane, Drive *drive)
{
    FastCourse *o = &c->course;

    if (!c->runs || !is_steady(c, drive) || !fits(c, drive) || !c->runs->enter(c->runs->self, lane))
        return;
    const Lane *l = &drive->lane;
    const Control *control = drive->method->control(&drive->step);
    /* its own drive checks the limit of steps, and whether it is stuck: up to then it may stay */
    const uint64_t limit = drive->options->max_steps;
    const uint64_t most = limit < l->stuck.steps ? limit : l->stuck.steps;
    o->h[lane] = l->h;
    o->stop[lane] = l->stop;
    o->sample_t[lane] = l->sample_t;
    o->direction[lane] = l->direction;
    o->longest[lane] = l->outcome->longest;
    o->limit[lane] = drive->options->max_step > 0 ? drive->options->max_step : INFINITY;
    o->paced_h[lane] = drive->step.rounding.paced_h;
    o->paced_steps[lane] = (int64_t)drive->step.rounding.paced_steps;
    o->root[lane] = control->last;
    o->least[lane] = control->least;
    o->accepted[lane] = (int64_t)l->outcome->accepted;
    o->rejected[lane] = (int64_t)l->outcome->rejected;
    o->most[lane] = most < INT64_MAX ? (int64_t)most : INT64_MAX;
    o->rejections[lane] = l->rejected.n;
    o->rejected_h[lane] = l->rejected.h;
    o->rejected_error[lane] = l->rejected.error;
    o->slowed[lane] = control->after_rejection ? -1 : 0;
    c->step->t[lane] = drive->step.t[0];
    c->counted[lane] = c->step->evaluations[lane];
    put_sizes(c, lane, &drive->step);
    if (c->history.kept)
        put_history(c, lane, &drive->history);
    c->drives[lane] = drive;
    c->n++;
}

void fast_path_start(FastPath *c, size_t lane, Drive *drive)
{
    const OdeStep *all = c->step, *one = &drive->step;

    fast_path_enter(c, lane, drive);
    if (!fast_path_has(c, lane))
        return;
    ode_scatter(c->step, one->y, lane, all->y, one->rows);
    ode_scatter(c->step, one->carry, lane, all->carry, one->rows);
    ode_scatter(c->step, one->rates, lane, all->rates, one->rows);
}

void fast_path_leave(FastPath *c, size_t lane)
{
    const FastCourse *o = &c->course;
    const OdeStep *all = c->step;
    Drive *drive = c->drives[lane];
    OdeStep *one = &drive->step;
    Lane *l = &drive->lane;

    l->h = o->h[lane];
    l->t_new = o->t_new[lane];
    l->outcome->longest = o->longest[lane];
    l->outcome->accepted = (uint64_t)o->accepted[lane];
    l->outcome->rejected = (uint64_t)o->rejected[lane];
    l->rejected.n = (unsigned)o->rejections[lane];
    l->rejected.h = o->rejected_h[lane];
    l->rejected.error = o->rejected_error[lane];
    Control *control = drive->method->control(one);
    control->last = o->root[lane];
    control->after_rejection = o->slowed[lane] != 0;
    /* the step it is at the end of, as its own */
    one->t[0] = all->t[lane];
    one->h[0] = o->h_new[lane];
    one->active[0] = true;
    one->evaluations[0] += all->evaluations[lane] - c->counted[lane];
    ode_gather(c->step, all->y, lane, one->y, one->rows);
    ode_gather(c->step, all->carry, lane, one->carry, one->rows);
    ode_gather(c->step, all->rates, lane, one->rates, one->rows);
    get_sizes(c, lane, one);
    if (c->history.kept)
        get_history(c, lane, &drive->history);
    c->drives[lane] = NULL;
    c->n--;
    c->runs->leave(c->runs->self, lane, one->t[0], one->y);
}

void fast_path_drop(FastPath *c, size_t lane)
{
    OdeStep *one = &c->drives[lane]->step;

    fast_path_leave(c, lane);
    ode_gather(c->step, c->attempted, lane, one->y_new, one->rows);
    ode_gather(c->step, c->step->carry_new, lane, one->carry_new, one->rows);
    one->error[0] = c->step->error[lane];
}

/* Marks the lanes on the fast path that are in the masks `of`, if any; true if there is one. */
static bool mark(const FastPath *c, int64_t *masks, const int64_t *of)
{
    bool any = false;

    for (size_t k = 0; k < c->step->lanes; k++) {
        masks[k] = c->drives[k] && (!of || of[k]) ? -1 : 0;
        any = any || masks[k];
    }
    return any;
}

static FastStep step_of(const FastPath *c)
{
    return (FastStep){.t = c->step->t,
                      .t_new = c->course.t_new,
                      .h = c->step->h,
                      .y = c->step->y,
                      .y_new = c->step->y_new,
                      .horizon = c->course.horizon,
                      .margin = c->course.margin,
                      .looks = c->history.looks,
                      .all = c->step,
                      .method = c->method};
}

void fast_path_propose(FastPath *c)
{
    if (c->n == 0)
        return;
    mark(c, c->masks, NULL);
    c->kernel->propose(c);
    for (size_t k = 0; k < c->step->lanes; k++)
        if (c->drives[k] && !c->masks[k])
            fast_path_leave(c, k);
}

/* Errors too big, that rounding is not asked about: these lanes try again. */
static void reject(FastPath *c)
{
    bool any = false;

    for (size_t k = 0; k < c->step->lanes; k++) {
        c->masks[k] =
            c->drives[k] && !(c->step->error[k] <= 1) && c->course.rejections[k] < NOISY_REJECTIONS
                ? -1
                : 0;
        any = any || c->masks[k];
    }
    if (any)
        c->kernel->reject(c);
    memcpy(c->left, c->masks, c->step->lanes * sizeof *c->left);
}

void fast_path_correct(FastPath *c)
{
    const OdeStep *step = c->step;
    const size_t lanes = step->lanes;
    bool any = false;

    if (c->n == 0)
        return;
    /* keep the ends before the projection, for lanes that are dropped */
    memcpy(c->attempted, step->y_new, step->rows * lanes * sizeof *step->y_new);
    reject(c);
    for (size_t k = 0; k < lanes; k++) {
        c->masks[k] = c->drives[k] && step->error[k] <= 1 ? -1 : 0;
        any = any || c->masks[k];
    }
    if (any)
        c->runs->correct(c->runs->self, step->y_new, c->masks);
    if (any && c->history.kept)
        c->kernel->carried(c);
    /* lanes that were projected go on; of the others, those that leave are dropped */
    memcpy(c->going, c->masks, lanes * sizeof *c->going);
    for (size_t k = 0; k < lanes; k++)
        if (c->drives[k] && !c->going[k] && !c->left[k])
            fast_path_drop(c, k);
}

/* Does a sample that was not told yet lie between the ends of this step? */
static bool has_sample(const FastPath *c, size_t lane)
{
    const Lane *l = c->drives[lane] ? &c->drives[lane]->lane : NULL;

    return l && l->state != LANE_DONE && l->direction * (l->sample_t - c->course.t_new[lane]) < 0;
}

/* Lanes with a sample at the very end of the step go out of the masks. Is one inside another's? */
static bool end_at_samples(FastPath *c)
{
    const FastCourse *o = &c->course;
    bool any = false;

    for (size_t k = 0; k < c->step->lanes; k++) {
        const double ahead = o->direction[k] * (o->sample_t[k] - o->t_new[k]);
        any |= c->masks[k] && ahead < 0;
        c->masks[k] &= ahead == 0 ? 0 : -1;
    }
    return any;
}

/* Those up to the end of the step, which they are not; false where the lane leaves. */
static bool tell_lane(FastPath *c, const FastStep *step, size_t lane)
{
    Drive *drive = c->drives[lane];
    Lane *l = &drive->lane;
    double *y = drive->state;

    while (has_sample(c, lane)) {
        c->method->dense(c->step, lane, (l->sample_t - step->t[lane]) / step->h[lane], y);
        if (!c->runs->project(c->runs->self, lane, l->sample_t, y))
            return false;
        c->told[lane] = -1;
        if (!lane_tell_sample(drive, y))
            return false;
    }
    return l->sample_t != step->t_new[lane];
}

/* With the dense output, samples inside the steps of lanes in the masks are told to the runs one by
 * one, as alone. Lanes that have ended there, or cannot go on in the fast path, go out of the
 * masks; one with samples left in this step goes on with these alone. */
static void tell_samples(FastPath *c, const FastStep *step)
{
    const FastPathRuns *runs = c->runs;
    const size_t lanes = c->step->lanes;

    for (size_t k = 0; k < lanes; k++) {
        if (!c->masks[k] || !has_sample(c, k))
            continue;
        runs->open(runs->self, k);
        if (!tell_lane(c, step, k))
            c->masks[k] = 0;
        runs->close(runs->self, k);
        c->course.sample_t[k] = c->drives[k]->lane.sample_t;
    }
    for (size_t k = 0; k < lanes; k++)
        c->sampled[k] = c->told[k] & c->masks[k];
    /* lanes that the runs refuse after their samples leave */
    runs->told(runs->self, step, c->sampled);
    for (size_t k = 0; k < lanes; k++)
        c->masks[k] &= c->sampled[k] | ~c->told[k];
}

/* In this step; a lane that has ended there wants no more. */
static bool wants_dense(const FastPath *c, size_t lane)
{
    return c->drives[lane]->lane.state != LANE_DONE &&
           (c->runs->look_inside || has_sample(c, lane));
}

/* The dense output of all lanes, for those in the masks who want it. */
static void look_inside(FastPath *c, const FastStep *step)
{
    OdeStep *all = c->step;
    size_t first = all->lanes;

    for (size_t k = 0; k < all->lanes; k++) {
        c->wanted[k] = c->masks[k] && wants_dense(c, k);
        first = c->wanted[k] && first == all->lanes ? k : first;
    }
    if (first == all->lanes)
        return;
    const uint64_t before = all->evaluations[first];
    if (!c->method->dense_prepare(all, c->wanted)) {
        memset(c->masks, 0, all->lanes * sizeof *c->masks);
        return;
    }
    c->dense = all->evaluations[first] - before;
    if (c->runs->look_inside)
        c->runs->look_inside(c->runs->self, step, c->masks);
    tell_samples(c, step);
    /* a lane that leaves and needs it makes its own */
    for (size_t k = 0; k < all->lanes; k++)
        all->evaluations[k] -= c->wanted[k] && !c->masks[k] && wants_dense(c, k) ? c->dense : 0;
}

const int64_t *fast_path_judge(FastPath *c)
{
    const FastStep step = step_of(c);

    c->dense = 0;
    memset(c->left, 0, c->step->lanes * sizeof *c->left);
    memset(c->told, 0, c->step->lanes * sizeof *c->told);
    if (c->n == 0 || !mark(c, c->masks, c->going))
        return NULL;
    /* rates, guards, singular instants and samples take lanes out of the masks */
    c->kernel->judge(c);
    c->runs->judge(c->runs->self, &step, c->masks);
    if (c->history.kept)
        c->kernel->ahead(c);
    if (end_at_samples(c) || c->runs->look_inside)
        look_inside(c, &step);
    bool any = false;
    for (size_t k = 0; k < c->step->lanes; k++) {
        c->left[k] = c->going[k] & ~c->masks[k];
        any = any || c->left[k];
    }
    return any ? c->left : NULL;
}

/* A lane that stays keeps its states: they go on by one slot, for the newest will be another. */
static void hold_history(FastPath *c, size_t lane)
{
    const size_t lanes = c->step->lanes, rows = c->step->rows, n = rows * lanes;
    FastHistory *h = &c->history;

    for (size_t k = 0; k < HISTORY_STATES; k++) {
        const size_t to = (h->newest + 1 + HISTORY_STATES - k) % HISTORY_STATES;
        const size_t from = (to + HISTORY_STATES - 1) % HISTORY_STATES;
        h->t[to * lanes + lane] = h->t[from * lanes + lane];
        for (size_t i = lane; i < n; i += lanes) {
            h->y[to * n + i] = h->y[from * n + i];
            h->rates[to * n + i] = h->rates[from * n + i];
        }
    }
}

static void take_sizes(FastPath *c)
{
    if (c->sizes.given)
        return;
    c->kernel->sizes(c);
    if (c->sizes.noise)
        c->kernel->pace(c);
}

size_t fast_path_take(FastPath *c, bool *moved)
{
    const FastStep step = step_of(c);

    size_t n = 0;

    if (c->n == 0)
        return 0;
    memset(c->left, 0, c->step->lanes * sizeof *c->left);
    if (!mark(c, c->masks, c->going))
        return 0;
    /* mark the lanes that move; the history of the others has to stay */
    for (size_t k = 0; k < c->step->lanes; k++) {
        moved[k] = moved[k] || c->masks[k];
        n += c->masks[k] != 0;
        if (c->history.kept && c->drives[k] && !c->masks[k])
            hold_history(c, k);
    }
    take_sizes(c);
    c->runs->take(c->runs->self, &step, c->masks);
    c->kernel->take(c);
    return n;
}

/* Measures the rounding of the rates anew at the present state of the lane. */
void fast_path_settle(FastPath *c)
{
    for (size_t k = 0; c->n > 0 && k < c->step->lanes; k++) {
        Drive *drive = c->drives[k];
        if (!drive || !c->left[k])
            continue;
        fast_path_leave(c, k);
        sizes_take(&drive->step, drive->lane.outcome->accepted, drive->lane.h);
        fast_path_enter(c, k, drive);
    }
}
