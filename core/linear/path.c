/* Polynomials for the inputs of expressions over one step.
 * 
 * The inputs (t, q, v and others) are interpolated at Chebyshev points of the step, which the
 * integration has resolved. Further points bound the error of the polynomials: two if the inputs
 * are polynomials already, four if not. */
#include "core/linear/path.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/constants.h"

enum { EXACT_TERMS = 9, OTHER_TERMS = 7, CUBIC_TERMS = 4, EXACT_CHECKS = 2, OTHER_CHECKS = 4 };
/* Places in s (no unit) at which the polynomials are compared with the motion; and safety
 * factors for the error elsewhere. Conventions. */
static const double CHECKS[] = {-0.61, 0.37, -0.17, 0.83};
/* Rounding error of an input with its interpolation, relative to the sum of its terms (no unit).
 * Convention. */
static const double INPUT_ROUNDING = 8 * DBL_EPSILON;

void path_init(Path *path, size_t n_inputs, bool exact, Arena *arena)
{
    *path = (Path){.n_inputs = n_inputs,
                   .exact = exact,
                   .most_terms = exact ? EXACT_TERMS : OTHER_TERMS,
                   .used = ARENA_NEW(arena, n_inputs, bool),
                   .values = arena_doubles(arena, PATH_TERMS * n_inputs),
                   .coefs = arena_doubles(arena, PATH_TERMS * n_inputs),
                   .remainder = arena_doubles(arena, n_inputs),
                   .ends = arena_doubles(arena, 2 * n_inputs)};
    for (size_t k = 0; k < path->most_terms; k++)
        path->nodes[k] = -cos(PI * (double)k / (double)(path->most_terms - 1));
}

static double polynomial(const Path *path, size_t input, double s)
{
    const double *c = path->coefs + input * path->terms;
    double value = 0;
    for (size_t k = path->terms; k-- > 0;)
        value = value * s + c[k];
    return value;
}

/* Newton's divided differences, then the powers of s. */
static void interpolate(Path *path, size_t input)
{
    const size_t n = path->terms;
    double *c = path->coefs + input * n, d[PATH_TERMS];

    for (size_t k = 0; k < n; k++)
        d[k] = path->values[k * path->n_inputs + input];
    for (size_t level = 1; level < n; level++)
        for (size_t k = n; k-- > level;)
            d[k] = (d[k] - d[k - 1]) / (path->nodes[k] - path->nodes[k - level]);
    for (size_t k = 0; k < n; k++)
        c[k] = 0;
    for (size_t k = n; k-- > 0;) {
        for (size_t i = n - 1; i > 0; i--)
            c[i] = c[i - 1] - path->nodes[k] * c[i];
        c[0] = d[k] - path->nodes[k] * c[0];
    }
}

static double terms_size(const Path *path, size_t input)
{
    double size = 0;
    for (size_t k = 0; k < path->terms; k++)
        size += fabs(path->coefs[input * path->terms + k]);
    return size;
}

void path_follow(Path *path, PathLook *look, void *self, const OdeArc *arc)
{
    path->terms = path->most_terms;
    for (size_t k = 0; k < path->terms; k++) {
        const double *inputs = look(self, arc, (path->nodes[k] + 1) / 2);
        for (size_t i = 0; i < path->n_inputs; i++)
            path->values[k * path->n_inputs + i] = inputs[i];
    }
    for (size_t i = 0; i < path->n_inputs; i++) {
        path->remainder[i] = 0;
        if (path->used[i])
            interpolate(path, i);
    }
    for (size_t k = 0; k < (path->exact ? EXACT_CHECKS : OTHER_CHECKS); k++) {
        const double *inputs = look(self, arc, (CHECKS[k] + 1) / 2);
        for (size_t i = 0; i < path->n_inputs; i++) {
            const double off = path->used[i] ? fabs(polynomial(path, i, CHECKS[k]) - inputs[i]) : 0;
            /* the error away from the nodes */
            if (!(ESTIMATE_MARGIN * off <= path->remainder[i])) /* NaN too: then nothing is known */
                path->remainder[i] = isnan(off) ? INFINITY : ESTIMATE_MARGIN * off;
        }
    }
}

/* An input at an end of the step, with its first and second derivative by s. */
typedef struct CubicEnd {
    double value, rate, curvature;
} CubicEnd;

/* The cubic through both ends with the rates there, and its error bound. The next term of the
 * motion, k (s^2 - 1)^2, changes the second derivative at the ends by 8 k and the value by at
 * most k. ESTIMATE_MARGIN covers the terms after it. */
static void take_cubic(Path *path, size_t input, CubicEnd from, CubicEnd to)
{
    const double rise = (to.value - from.value) / 4, sum = (from.rate + to.rate) / 4;
    double *c = path->coefs + input * CUBIC_TERMS;

    c[0] = (from.value + to.value) / 2 + (from.rate - to.rate) / 4;
    c[1] = 3 * rise - sum;
    c[2] = (to.rate - from.rate) / 4;
    c[3] = sum - rise;
    const double before = fabs(from.curvature - 2 * c[2] + 6 * c[3]);
    const double behind = fabs(to.curvature - 2 * c[2] - 6 * c[3]);
    path->remainder[input] = ESTIMATE_MARGIN / 8 * fmax(before, behind);
    if (isnan(before) || isnan(behind))
        path->remainder[input] = INFINITY;
}

void path_follow_ends(Path *path, size_t n, PathLook *look, PathLook *accelerations, void *self,
                      const OdeArc *arc)
{
    const double H = arc->h / 2; /* d/ds = H d/dt */
    double *from = path->ends, *vdot_from = from + 1 + 2 * n, *vdot_to = vdot_from + n;

    memcpy(from, look(self, arc, 0), (1 + 2 * n) * sizeof *from);
    memcpy(vdot_from, accelerations(self, arc, 0), n * sizeof *vdot_from);
    memcpy(vdot_to, accelerations(self, arc, 1), n * sizeof *vdot_to);
    const double *to = look(self, arc, 1);
    path->terms = CUBIC_TERMS;
    take_cubic(path, 0, (CubicEnd){from[0], H, 0}, (CubicEnd){to[0], H, 0});
    for (size_t i = 1; i <= n; i++)
        if (path->used[i])
            take_cubic(path, i, (CubicEnd){from[i], H * from[n + i], H * H * vdot_from[i - 1]},
                       (CubicEnd){to[i], H * to[n + i], H * H * vdot_to[i - 1]});
}

Range path_range(const Path *path, size_t input, double s, double r, bool with_remainder)
{
    const size_t n = path->terms;
    const double rounding = INPUT_ROUNDING * terms_size(path, input) + DBL_MIN;
    const double remainder = with_remainder ? path->remainder[input] : 0;
    double b[PATH_TERMS], value = 0, rate = 0, part = 1;

    assert(n > 1); /* a line at least, for the rate */
    for (size_t k = 0; k < n; k++)
        b[k] = path->coefs[input * n + k];
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
    /* A. A. Markov's inequality bounds the rate of a remainder of this degree */
    rate += (rounding + remainder) * (double)(n * n);
    return (Range){.value = {b[0] - value, b[0] + value},
                   .rate = {2 * (b[1] - rate), 2 * (b[1] + rate)},
                   .whole = isfinite(value) && isfinite(rate)};
}

double path_way(const Path *path, size_t input)
{
    const double *c = path->coefs + input * path->terms;
    return terms_size(path, input) - fabs(c[0]) + path->remainder[input];
}

bool path_is_lost(const Path *path, size_t input, double size)
{
    const double off = path->used[input] ? path->remainder[input] : 0;
    double low = INFINITY, high = -INFINITY;

    /* a smaller error counts as rounding */
    if (path->exact || !(off > ACCURACY_CLEAR * size))
        return false;
    for (size_t k = 0; k < path->terms; k++) {
        low = fmin(low, path->values[k * path->n_inputs + input]);
        high = fmax(high, path->values[k * path->n_inputs + input]);
    }
    /* with a larger error a polynomial says nothing of roots */
    return off > NEGLIGIBLE_PART * (high - low);
}

void path_rest(Path *path, size_t input)
{
    double *c = path->coefs + input * path->terms;
    for (size_t k = 1; k < path->terms; k++)
        c[k] = 0;
    path->remainder[input] = 0;
}

double path_rate(const Path *path, size_t input, double theta)
{
    const double s = 2 * theta - 1, *c = path->coefs + input * path->terms;
    double rate = 0;
    for (size_t k = path->terms; k-- > 1;)
        rate = rate * s + (double)k * c[k];
    return 2 * rate;
}

double path_size(const Path *path, size_t input)
{
    double size = 0;
    for (size_t k = 0; k < path->terms; k++)
        size = fmax(size, fabs(path->values[k * path->n_inputs + input]));
    return size;
}
