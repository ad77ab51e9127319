/* Guards of events, enclosed over a step.
 *
 * What a guard reads (t, q, v and, where it asks for them, accelerations and multipliers) is
 * interpolated at Chebyshev's points of the step, which the integration has resolved; two more
 * points tell how far the polynomial may be off. The guard itself, which may be as narrow or as
 * fast as it likes, is not sampled: its values and its rate over a part of the step come from
 * interval arithmetic, the values from the mean value theorem too. */
#include "core/simulation/run/enclosure.h"

#include <float.h>
#include <math.h>

enum { EXACT_TERMS = 9, OTHER_TERMS = 7 };
static const double PI = 3.14159265358979323846;
/* Where the polynomials are compared with the motion, and how much worse they may be elsewhere. */
static const double CHECKS[] = {-0.61, 0.37};
static const double WORSE = 4;
/* Rounding of an input, of the interpolation included, in units of the sum of its terms. */
static const double ROUNDING = 8 * DBL_EPSILON;

void enclosure_init(Enclosure *e, Observed *observed, size_t n_events, bool exact, Arena *arena)
{
    const size_t n = observed_n_inputs(observed);

    *e = (Enclosure){.observed = observed,
                     .n_inputs = n,
                     .terms = exact ? EXACT_TERMS : OTHER_TERMS,
                     .used = ARENA_NEW(arena, n, bool),
                     .values = arena_doubles(arena, ENCLOSURE_TERMS * n),
                     .coefs = arena_doubles(arena, ENCLOSURE_TERMS * n),
                     .remainder = arena_doubles(arena, n),
                     .ranges = ARENA_NEW(arena, n, Range)};
    if (arena_failed(arena))
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_events; k++)
            e->used[i] = e->used[i] || observed_guard_reads(observed, k, i);
}

static double node(const Enclosure *e, size_t k)
{
    return -cos(PI * (double)k / (double)(e->terms - 1));
}

static double polynomial(const Enclosure *e, size_t input, double s)
{
    const double *c = e->coefs + input * e->terms;
    double value = 0;
    for (size_t k = e->terms; k-- > 0;)
        value = value * s + c[k];
    return value;
}

/* Newton's divided differences, then the powers of s. */
static void interpolate(Enclosure *e, size_t input)
{
    const size_t n = e->terms;
    double *c = e->coefs + input * n, d[ENCLOSURE_TERMS];

    for (size_t k = 0; k < n; k++)
        d[k] = e->values[k * e->n_inputs + input];
    for (size_t level = 1; level < n; level++)
        for (size_t k = n; k-- > level;)
            d[k] = (d[k] - d[k - 1]) / (node(e, k) - node(e, k - level));
    for (size_t k = 0; k < n; k++)
        c[k] = 0;
    for (size_t k = n; k-- > 0;) {
        for (size_t i = n - 1; i > 0; i--)
            c[i] = c[i - 1] - node(e, k) * c[i];
        c[0] = d[k] - node(e, k) * c[0];
    }
}

static double terms_size(const Enclosure *e, size_t input)
{
    double size = 0;
    for (size_t k = 0; k < e->terms; k++)
        size += fabs(e->coefs[input * e->terms + k]);
    return size;
}

void enclosure_follow(Enclosure *e, EnclosureLook *look, void *self, const OdeArc *arc)
{
    for (size_t k = 0; k < e->terms; k++) {
        const double *inputs = look(self, arc, (node(e, k) + 1) / 2);
        for (size_t i = 0; i < e->n_inputs; i++)
            e->values[k * e->n_inputs + i] = inputs[i];
    }
    for (size_t i = 0; i < e->n_inputs; i++) {
        e->remainder[i] = 0;
        if (e->used[i])
            interpolate(e, i);
    }
    for (size_t k = 0; k < sizeof CHECKS / sizeof *CHECKS; k++) {
        const double *inputs = look(self, arc, (CHECKS[k] + 1) / 2);
        for (size_t i = 0; i < e->n_inputs; i++) {
            const double off = e->used[i] ? fabs(polynomial(e, i, CHECKS[k]) - inputs[i]) : 0;
            if (!(WORSE * off <= e->remainder[i])) /* NaN too: then nothing is known */
                e->remainder[i] = isnan(off) ? INFINITY : WORSE * off;
        }
    }
}

/* The polynomial about s, moved there: values and rates (along theta) within r of it. */
static Range input_range(const Enclosure *e, size_t input, double s, double r, double remainder)
{
    const size_t n = e->terms;
    const double rounding = ROUNDING * terms_size(e, input) + DBL_MIN;
    double b[ENCLOSURE_TERMS], value = 0, rate = 0, part = 1;

    for (size_t k = 0; k < n; k++)
        b[k] = e->coefs[input * n + k];
    for (size_t level = 0; level + 1 < n; level++)
        for (size_t k = n - 1; k-- > level;)
            b[k] += s * b[k + 1];
    for (size_t k = 1; k < n; k++) {
        if (k > 1)
            rate += (double)k * fabs(b[k]) * part;
        part *= r;
        value += fabs(b[k]) * part;
    }
    value += rounding + remainder;
    /* A. A. Markov's inequality bounds the rate of a remainder that is one of such a degree */
    rate += (rounding + remainder) * (double)(n * n);
    return (Range){.value = {b[0] - value, b[0] + value},
                   .rate = {2 * (b[1] - rate), 2 * (b[1] + rate)},
                   .whole = isfinite(value) && isfinite(rate)};
}

static Range guard_range(Enclosure *e, size_t event, double s, double r, bool with_remainder)
{
    for (size_t i = 0; i < e->n_inputs; i++)
        if (e->used[i])
            e->ranges[i] = input_range(e, i, s, r, with_remainder ? e->remainder[i] : 0);
    return observed_guard_range(e->observed, event, e->ranges);
}

void enclosure_take(Enclosure *e, size_t event, double from, double to, OdeRange *ret)
{
    const double s = from + to - 1, r = to - from;
    const Range all = guard_range(e, event, s, r, true);

    *ret = (OdeRange){.low = all.value.low,
                      .high = all.value.high,
                      .rate_low = all.rate.low,
                      .rate_high = all.rate.high,
                      .whole = all.whole};
    if (!all.whole || all.value.low > 0 || all.value.high < 0)
        return;
    const Range middle = guard_range(e, event, s, 0, true);
    const double reach = fmax(fabs(all.rate.low), fabs(all.rate.high)) * r / 2;
    if (middle.whole && isfinite(reach)) {
        ret->low = fmax(ret->low, middle.value.low - reach);
        ret->high = fmin(ret->high, middle.value.high + reach);
    }
    const Range rounding = guard_range(e, event, s, 0, false);
    ret->noise = (rounding.value.high - rounding.value.low) / 2;
}
