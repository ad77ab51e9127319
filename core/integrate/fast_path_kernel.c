/* Decisions about lanes on the fast path, for each instruction set (kernels.h). Each condition
 * and each value is that of one lane alone (lane.c, control.c, sizes.c, approach.c). */
#include <float.h>

#include "core/integrate/fast_path.h"
#include "core/integrate/lane_blocks.h"
#include "core/program/blocks.h"

#include "core/integrate/step_blocks.h"
#include "core/program/kernels.h"

/* lane_choose_step(), and whether a stop or a sample lies in the step. */
static void propose(FastPath *c)
{
    const FastCourse *o = &c->course;
    const bool noise = c->sizes.noise;

    for (size_t b = 0; b < c->step->lanes; b += BLOCK) {
        const Block t = *block_at(c->step->t, b), limit = *block_at(o->limit, b);
        const Block wanted = *block_at(o->h, b), direction = *block_at(o->direction, b);
        const BlockMask longer = BLOCK_ABSOLUTE(wanted) > limit;
        const Block h = BLOCK_SELECT(longer, limit * direction, wanted);
        const Block stop = *block_at(o->stop, b), rest = stop - t, length = BLOCK_ABSOLUTE(h);
        const Block reach = BLOCK_SMALLER(BLOCK_ABSOLUTE(MAX_STRETCH * h), limit);
        const BlockMask halves = BLOCK_ABSOLUTE(rest) < 2 * length;
        const Block t_new = BLOCK_SELECT(halves, t + rest / 2, t + h);
        /* a lane leaves before a stop, at its limit of steps, or at a step below rounding of t */
        const Block before = BLOCK_ABSOLUTE(t), after = BLOCK_ABSOLUTE(t_new);
        const Block rounding = MIN_STEP_ULPS * DBL_EPSILON * BLOCK_LARGER(before, after);
        const BlockMask steps = *block_mask_at(o->accepted, b);
        const BlockMask all = steps + *block_mask_at(o->rejected, b);
        BlockMask goes = (BLOCK_ABSOLUTE(rest) > reach) & (t_new != stop) &
                         (all < *block_mask_at(o->most, b)) & (length > rounding);
        /* a lane whose noise is due to be measured leaves, too */
        const BlockMask since = steps - *block_mask_at(o->paced_steps, b);
        if (noise)
            goes &= ((since + 1) & since) != 0;
        *block_of(o->h, b) = h;
        *block_of(o->t_new, b) = t_new;
        *block_of(o->h_new, b) = t_new - t;
        *block_mask_of(c->masks, b) &= goes;
    }
}

static void carried(FastPath *c)
{
    const OdeStep *s = c->step;
    const ToleranceTerms terms = tolerance_terms(s);

    for (size_t b = 0; b < s->lanes; b += BLOCK) {
        BlockMask far = {0};
        for (size_t i = b; i < s->dim * s->lanes; i += s->lanes) {
            const Block *const end = block_at(c->attempted, i);
            const Block change = *block_at(s->y_new, i) - *end;
            const Block tolerance = tolerance_block(&terms, i, end, block_at(s->h, b));
            far |= BLOCK_ABSOLUTE(change) / tolerance > MAX_PROJECTION_MOVE;
        }
        *block_mask_of(c->masks, b) &= ~far;
    }
}

/* lane_reject() and control_reject(). */
static void reject(FastPath *c)
{
    const FastCourse *o = &c->course;

    for (size_t b = 0; b < c->step->lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(c->masks, b);
        const Block h = *block_at(c->step->h, b), error = *block_at(c->step->error, b);
        const Block next = step_after_rejected(h, error, step_root(error, c->order));
        block_put(o->h, b, &mask, &next);
        block_put(o->rejected_h, b, &mask, &h);
        block_put(o->rejected_error, b, &mask, &error);
        *block_mask_of(o->rejected, b) -= mask;
        *block_mask_of(o->rejections, b) -= mask;
        *block_mask_of(o->slowed, b) |= mask;
    }
}

/* control_accept(), and the step that lane_settle() takes from it. */
static void next_step(const FastPath *c, size_t b)
{
    const FastCourse *o = &c->course;
    const Block h = *block_at(c->step->h, b), proposed = *block_at(o->h, b);
    const Block root = step_root(*block_at(c->step->error, b), c->order);
    const Block pace = step_root(root * *block_at(o->root, b), 8);
    const Block next = step_after_accepted(h, root, pace, *block_mask_at(o->slowed, b));

    *block_of(o->next_root, b) = BLOCK_LARGER(root, *block_at(o->least, b));
    *block_of(o->next_h, b) = BLOCK_SELECT(step_tells(h, next, proposed), next, proposed);
}

static void judge(FastPath *c)
{
    const OdeStep *s = c->step;

    for (size_t b = 0; b < s->lanes; b += BLOCK) {
        Block none = {0}; /* a value that is not finite makes it a NaN */
        for (size_t i = b; i < s->dim * s->lanes; i += s->lanes)
            none += 0 * *block_at(s->rates_new, i);
        *block_mask_of(c->masks, b) &= none == 0;
        *block_mask_of(c->history.looks, b) =
            *block_mask_at(c->history.n, b) + 1 >= MIN_HISTORY_STATES;
        next_step(c, b);
    }
}

/* look_far(), if there is nothing to look at, or too few states are known. */
static void ahead(FastPath *c)
{
    const FastCourse *o = &c->course;
    const size_t lanes = c->step->lanes;
    /* once this step is remembered the oldest state is another one */
    const double *oldest = c->history.t + (c->history.newest + 2) % HISTORY_STATES * lanes;

    for (size_t b = 0; b < lanes; b += BLOCK) {
        const Block t = *block_at(o->t_new, b), horizon = *block_at(o->horizon, b);
        const Block back = t - *block_at(oldest, b), margin = *block_at(o->margin, b);
        const BlockMask rejected = *block_mask_at(o->rejections, b) > 0;
        const Block far = step_outlook(*block_at(o->next_h, b), *block_at(c->step->h, b), back,
                                       margin, rejected, (BlockMask){0});
        *block_mask_of(c->masks, b) &= (far < horizon) | ~*block_mask_at(c->history.looks, b);
    }
}

/* take_values() of sizes.c. */
static void sizes(FastPath *c)
{
    const OdeStep *s = c->step;
    const size_t lanes = s->lanes;

    for (size_t b = 0; b < lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(c->masks, b);
        for (size_t i = b; i < s->dim * lanes; i += lanes) {
            const Block end = *block_at(s->y_new, i), size = *block_at(s->sizes.size, i);
            const Block value = *block_at(s->sizes.unsized, i) * BLOCK_ABSOLUTE(end);
            const Block larger = BLOCK_LARGER(value, size);
            block_put(s->sizes.size, i, &mask, &larger);
        }
    }
}

/* The end of sizes_take(). */
static void pace(FastPath *c)
{
    const OdeStep *s = c->step;

    for (size_t b = 0; b < s->lanes; b += BLOCK) {
        const Block length = BLOCK_ABSOLUTE(*block_at(s->h, b));
        BlockMask due =
            step_outdates(*block_at(c->course.next_h, b), *block_at(c->course.paced_h, b));
        for (size_t i = b; i < s->dim * s->lanes; i += s->lanes) {
            const Block end = BLOCK_ABSOLUTE(*block_at(s->y_new, i));
            const Block relative = s->rtol * end, absolute = s->atol * *block_at(s->sizes.size, i);
            const Block grown = length * (*block_at(s->rounding.noise, i) +
                                          length * *block_at(s->rounding.carried, i));
            due |= DBL_MIN + grown > BLOCK_LARGER(relative, absolute);
        }
        *block_mask_of(c->left, b) = *block_mask_at(c->masks, b) & due;
    }
}

static void remember(FastPath *c)
{
    const OdeStep *s = c->step;
    const size_t lanes = s->lanes, n = s->rows * lanes;
    FastHistory *h = &c->history;

    h->newest = (h->newest + 1) % HISTORY_STATES;
    double *t = h->t + h->newest * lanes, *y = h->y + h->newest * n,
           *rates = h->rates + h->newest * n;
    for (size_t b = 0; b < lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(c->masks, b);
        block_put(t, b, &mask, block_at(c->course.t_new, b));
        *block_mask_of(h->n, b) -= mask & (*block_mask_at(h->n, b) < HISTORY_STATES);
        for (size_t i = b; i < n; i += lanes) {
            block_put(y, i, &mask, block_at(s->y_new, i));
            block_put(rates, i, &mask, block_at(s->rates_new, i));
        }
    }
}

static void take(FastPath *c)
{
    const FastCourse *o = &c->course;

    if (c->history.kept)
        remember(c);
    for (size_t b = 0; b < c->step->lanes; b += BLOCK) {
        const BlockMask mask = *block_mask_at(c->masks, b);
        const Block length = BLOCK_ABSOLUTE(*block_at(c->step->h, b));
        const Block longest = *block_at(o->longest, b);
        const Block most = BLOCK_LARGER(length, longest);
        block_put(c->step->t, b, &mask, block_at(o->t_new, b));
        block_put(o->h, b, &mask, block_at(o->next_h, b));
        block_put(o->root, b, &mask, block_at(o->next_root, b));
        block_put(o->longest, b, &mask, &most);
        /* masks are -1: subtracting one counts the step */
        *block_mask_of(o->accepted, b) -= mask;
        *block_mask_of(o->rejections, b) &= ~mask;
        *block_mask_of(o->slowed, b) &= ~mask;
    }
}

const FastKernel KERNEL_NAME(fast_path_kernel) = {propose, reject, carried, judge,
                                                  ahead,   sizes,  pace,    take};
