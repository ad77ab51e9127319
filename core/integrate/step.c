/* Code that all methods share: rates that are counted and polled, compensated addition (Knuth,
 * TAOCP 2, 4.2.2, theorem B), Hermite's cubic, and columns of lanes. */
#include "core/integrate/method.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/numbers.h"
#include "core/base/stop_token.h"
#include "core/integrate/combine.h"
#include "core/program/kernels.h"

/* The clock is read at most this many units of work apart, and the observer is asked once in this
 * many seconds (conventions; they change no result). */
enum { PULSE_INTERVAL = 64 };
static const double PULSE_SECONDS = 1e-3;

/* The clock has run for `elapsed` seconds over the last interval: when units of work take long, it
 * is read after each of them. */
bool ode_pulse_clock(OdePulse *pulse)
{
    const double now = clock_seconds();
    if (pulse->last == 0)
        pulse->last = now;
    const double elapsed = now - pulse->last;
    if (elapsed > PULSE_SECONDS) {
        pulse->last = now;
        if (elapsed > 2 * PULSE_SECONDS && pulse->interval > 1)
            pulse->interval /= 2;
        if (pulse->observer != NULL && pulse->observer->poll != NULL)
            pulse->status = pulse->observer->poll(pulse->observer->self, &pulse->error);
    } else if (pulse->interval < PULSE_INTERVAL) {
        pulse->interval *= 2;
    }
    /* the stop token spent by the rates counts, too: when it is over, they are no rates */
    if (pulse->status == OK)
        pulse->status = stop_token_status(&pulse->error);
    pulse->left = pulse->interval;
    return pulse->status == OK;
}

const Combine *combine_best(void)
{
    return KERNEL_BEST(combine);
}

/* The room of an array of rows that is read by vectors: of one lane whole blocks. */
static size_t end_room(const OdeStep *step)
{
    const size_t n = step->rows * step->lanes;
    return step->lanes == 1 ? combine_room(n) : n;
}

/* Of one lane the arrays lie side by side, so that a step reads few lines of the cache: those read
 * by vectors first, each of whole blocks. Of blocks of lanes each begins where vectors do. */
void ode_step_lay_out(OdeStep *step, const OdeMethod *method, Cutter *cutter)
{
    const size_t lanes = step->lanes, n = step->rows * lanes;
    const size_t room = combine_room(n); /* stages are summed by blocks, and the rates are one */
    const size_t end = end_room(step);
    const struct {
        double **array;
        size_t count;
    } arrays[] = {{&step->y, end},
                  {&step->carry, end},
                  {&step->rates, room},
                  {&step->y_new, end},
                  {&step->carry_new, end},
                  {&step->rates_new, room},
                  {&step->sizes.size, end},
                  {&step->rounding.noise, end},
                  {&step->rounding.carried, end},
                  {&step->t, lanes},
                  {&step->h, lanes},
                  {&step->scratch.times, lanes},
                  {&step->sizes.unsized, end},
                  {&step->error, lanes},
                  {&step->sizes.most, step->dim},
                  {&step->rounding.rounded, step->dim},
                  {&step->rounding.rounded_since, step->dim},
                  {&step->rounding.noise_before, step->dim}};
    const size_t n_arrays = sizeof arrays / sizeof *arrays;
    size_t all = 0;

    for (size_t k = 0; k < n_arrays; k++)
        all += arrays[k].count;
    double *next = cut(cutter, all, sizeof *next);
    for (size_t k = 0; next && k < n_arrays; next += arrays[k++].count)
        *arrays[k].array = next;
    uint64_t *counts = cut(cutter, 3 * lanes, sizeof *counts);
    step->evaluations = counts;
    step->jacobians = counts ? counts + lanes : NULL;
    step->scratch.masks = counts ? (int64_t *)(void *)(counts + 2 * lanes) : NULL;
    step->active = cut(cutter, lanes, sizeof *step->active);
    step->work = cut(cutter, 1, method->work_size(step->system, lanes));
}

static void swap(double **a, double **b)
{
    double *const other = *a;
    *a = *b;
    *b = other;
}

void ode_go_on_one(OdeStep *step)
{
    memcpy(step->y, step->y_new, 3 * end_room(step) * sizeof *step->y);
}

void ode_go_on(OdeStep *step, const bool *moved)
{
    const size_t lanes = step->lanes;
    bool all = true;

    for (size_t l = 0; l < lanes; l++) {
        step->scratch.masks[l] = moved[l] ? -1 : 0;
        all = all && moved[l];
    }
    if (!all) {
        combine_best()->take(step->y, step->y_new, step->scratch.masks, 3 * step->rows, lanes);
        return;
    }
    /* the ends are too many numbers to copy: they become the starts */
    swap(&step->y, &step->y_new);
    swap(&step->carry, &step->carry_new);
    swap(&step->rates, &step->rates_new);
}

void ode_hermite(const OdeStep *step, size_t lane, double theta, double *ret_y)
{
    const size_t lanes = step->lanes;
    const double h = step->h[lane], rest = 1 - theta;
    for (size_t r = 0; r < step->rows; r++) {
        size_t i = r * lanes + lane;
        double rise = step->y_new[i] - step->y[i];
        double start = h * step->rates[i] - rise, end = h * step->rates_new[i] - rise;
        ret_y[r] = step->y[i] + theta * (rise + rest * (rest * start - theta * end));
    }
}

void ode_gather(const OdeStep *step, const double *rows_of_lanes, size_t lane, double *ret_column,
                size_t n)
{
    for (size_t r = 0; r < n; r++)
        ret_column[r] = rows_of_lanes[r * step->lanes + lane];
}

void ode_scatter(const OdeStep *step, const double *column, size_t lane, double *ret_rows_of_lanes,
                 size_t n)
{
    for (size_t r = 0; r < n; r++)
        ret_rows_of_lanes[r * step->lanes + lane] = column[r];
}

void ode_gather_kinds(const OdeStep *step)
{
    for (size_t r = 0; r < step->dim; r++) {
        const size_t kind = step->sizes.kinds ? step->sizes.kinds[r] : r;
        const double size = step->sizes.size[r];
        step->sizes.most[kind] = kind == r ? size : ode_larger(step->sizes.most[kind], size);
    }
}

static void arc_state(const OdeArc *arc, double theta, double *ret_y)
{
    const OdeArcOf *of = arc->step;
    of->method->dense(of->step, 0, theta, ret_y);
}

/* Ratio to its size: a component that moves by more does not rest, however coarse the tolerance.
 * Convention. */
static const double MAX_RESTING_MOVE = 1e-12;

double ode_resting(double atol, double size)
{
    return fmin(atol, MAX_RESTING_MOVE) * size;
}

void ode_tolerances(const OdeStep *step, double *ret_told, double *ret_resting, double *ret_noise)
{
    for (size_t r = 0; r < step->dim; r++) {
        ret_told[r] = ode_tolerance(step, r);
        ret_resting[r] = ode_resting(step->atol, step->sizes.size[r]);
        ret_noise[r] = ode_rounding(step, r);
    }
}

static void arc_tolerances(const OdeArc *arc, double *ret_told, double *ret_resting,
                           double *ret_noise)
{
    const OdeArcOf *of = arc->step;
    ode_tolerances(of->step, ret_told, ret_resting, ret_noise);
}

static void end_state(const OdeArc *arc, double theta, double *ret_y)
{
    const OdeStep *step = arc->step;
    numbers_copy(ret_y, theta == 0 ? step->y : step->y_new, step->rows);
}

static void end_rates(const OdeArc *arc, double theta, double *ret_rates)
{
    const OdeStep *step = arc->step;
    numbers_copy(ret_rates, theta == 0 ? step->rates : step->rates_new, step->rows);
}

OdeArc ode_ends(const OdeStep *step, const OdeMethod *method)
{
    return (OdeArc){.t = step->t[0],
                    .h = step->h[0],
                    .gap = method->gap,
                    .state = end_state,
                    .rates = end_rates,
                    .step = step};
}

OdeArc ode_arc(const OdeArcOf *of)
{
    return (OdeArc){.t = of->step->t[0],
                    .h = of->step->h[0],
                    .gap = of->method->gap,
                    .state = arc_state,
                    .tolerances = arc_tolerances,
                    .step = of};
}
