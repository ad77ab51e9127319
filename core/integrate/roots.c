/* Roots of guards within a step: searched on a grid of dense output, in parts that are enclosed if
 * possible, and found by Chandrupatla's method (Adv. Eng. Software 28 (1997) 145). */
#include "core/integrate/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "core/integrate/limits.h"

/* Enclosures of one guard in one step; halvings of one part. 2^-56 is below the rounding of 1. */
enum { MAX_ENCLOSURES = 1024, MAX_HALVINGS = 56 };
/* Places in the first quarter of a step, 4^-12 .. 4^-2, that are searched if the guard starts at
 * zero. */
enum { EARLY_PLACES = 11 };
/* Iterations of find_change(), far above the number for bisection alone (53 for theta); of the
 * search for a dip, whose golden sections then leave 1e-5 of the interval; of find_edge(). */
enum { MAX_CHANGE_ITERATIONS = 200, MAX_DIP_ITERATIONS = 24, MAX_EDGE_ITERATIONS = 60 };
/* Ratio (3 - sqrt(5)) / 2: the smaller part of a golden section. */
static const double GOLDEN_SECTION = 0.38196601125010515;
/* Ratio to the larger outer value: a dip is searched if the parabola through three values comes
 * closer to zero. Convention. */
static const double NEAR_MISS_FRACTION = 0.1;
/* If the path is not known well enough, half of the step is tried, unless the least part of it that
 * is still searched is larger than this fraction. Convention: six halvings of MIN_SEARCHED_PART. No
 * unit. */
static const double LEAST_BLURRED = 64e-6;
/* A pole is recognized by the values at this fraction of the step from it, and by the factor by
 * which the values grow from there to the pole. Conventions; a pole of order 1 grows without bound.
 * No unit. */
static const double POLE_OFFSET = 1e-8, POLE_GROWTH = 1.5;
/* Ratio to its size on the step: an extreme is examined if the guard there is at most this, down to
 * parts that are the second fraction of the step. Conventions. */
static const double NEAR_ZERO_FRACTION = 0x1p-6, MIN_EXTREME_PART = 0x1p-20;

typedef void Interpolate(const OdeStep *step, size_t lane, double theta, double *ret_y);

static void widen_scale(Guards *guards, const double *values)
{
    for (size_t k = 0; k < guards->n; k++)
        if (isfinite(values[k]))
            guards->each[k].scale = fmax(guards->each[k].scale, fabs(values[k]));
}

static double quarter(size_t q)
{
    return (double)(q + 1) / QUARTERS;
}

static void fill_grid(Guards *guards, const OdeStep *step, Interpolate *interpolate)
{
    for (size_t k = 0; k < guards->n; k++)
        guards->each[k].scale = guards->each[k].scale_start;
    for (size_t q = 0; q < QUARTERS; q++) {
        const double theta = quarter(q);
        double *row = guards->scratch.grid + q * guards->n;
        if (q + 1 == QUARTERS) {
            memcpy(row, guards->end, guards->n * sizeof *row);
        } else {
            interpolate(step, 0, theta, guards->scratch.state);
            guards_evaluate(step, step->t[0] + theta * step->h[0], guards->scratch.state, row);
        }
        widen_scale(guards, row);
    }
}

/* Three values at equal distances, of one sign `side`, seem to bend through zero or close to it. */
static bool near_miss(double a, double b, double c, int side)
{
    double bend = side * (a - 2 * b + c), slope = side * (c - a) / 2;
    if (!(bend > 0) || fabs(slope) > bend)
        return false;
    return side * b - slope * slope / (2 * bend) < NEAR_MISS_FRACTION * fmax(fabs(a), fabs(c));
}

/* One guard on the grid of the step: finds its changes of sign. */
typedef struct Scan {
    Guards *guards;
    const OdeStep *step;
    const OdeMethod *method; /* NULL: only asks whether there is something to find */
    Interpolate *inside;
    size_t guard, count;
    bool found;
    bool enclosed;            /* the guard is, and parts without roots can be told */
    double size;              /* the guard's on the grid */
    double at;                /* looked at up to here */
    double evaluated;         /* place of guards->scratch.values; NAN: none in the step */
    double least;             /* a shorter part is no step of its own */
    bool blurred;             /* a part is not resolved because the path is not known well enough */
    bool silent;              /* the part looked at last is zero to rounding .. */
    double silent_from;       /* .. as it is from here on; NAN: it is not */
    unsigned crossings;       /* in there */
    size_t first, enclosures; /* roots before this guard's; the number of parts enclosed */
    double last;              /* the latest of this guard's roots */
    double cut;               /* the end of the step if there is too much in it; or 1 */
    /* the step is to end here, and later roots do not count; INFINITY: nowhere, or `whole` */
    double ends;
    bool whole;
} Scan;

static double guard_at(Scan *scan, double theta)
{
    Guards *guards = scan->guards;
    const OdeStep *step = scan->step;
    if (theta == scan->evaluated)
        return guards->scratch.values[scan->guard];
    scan->evaluated = theta;
    scan->inside(step, 0, theta, guards->scratch.state);
    guards_evaluate(step, step->t[0] + theta * step->h[0], guards->scratch.state,
                    guards->scratch.values);
    return guards->scratch.values[scan->guard];
}

/* Does the guard, of opposite signs at a < b that are one to rounding, and no less than `least`
 * there, have a pole between them: does 1/g change its sign continuously? Its enclosure has no
 * bounds then, and the values grow towards it. */
static bool is_pole(Scan *scan, double a, double b, double least)
{
    const OdeSystem *system = scan->step->system;
    const size_t k = scan->guard;
    OdeRange range = {.low = -INFINITY, .high = INFINITY};

    /* noise of a guard whose terms cancel does not grow beyond its values at both ends */
    if (least < fmin(fabs(scan->guards->start[k]), fabs(scan->guards->end[k])))
        return false;
    if (scan->enclosed)
        system->enclose(system->self, scan->guard, a, b, &range);
    if (isfinite(range.low) && isfinite(range.high))
        return false;
    return (a < POLE_OFFSET || least > POLE_GROWTH * fabs(guard_at(scan, a - POLE_OFFSET))) &&
           (b > 1 - POLE_OFFSET || least > POLE_GROWTH * fabs(guard_at(scan, b + POLE_OFFSET)));
}

/* The change of sign between a and b, at which the values are of opposite signs: by T. R.
 * Chandrupatla, Adv. Eng. Software 28 (1997) 145, bisection, and inverse quadratic interpolation
 * where it is safe. *ret_pole: there it has a pole. */
static double find_change(Scan *scan, double a, double fa, double b, double fb, bool *ret_pole)
{
    const OdeStep *step = scan->step;
    const double t = fmax(fabs(step->t[0]), fabs(step->t[0] + step->h[0]));
    const double resolution = DBL_EPSILON * fmax(t / fabs(step->h[0]), b);
    double part = 0.5;
    for (int i = 0; i < MAX_CHANGE_ITERATIONS; i++) {
        double x = a + part * (b - a), fx = guard_at(scan, x);
        double best, c, fc, xi, phi, least;
        /* keep a and b on different sides; c is the point given up */
        if (sign(fx) == sign(fa)) {
            c = a;
            fc = fa;
        } else {
            c = b;
            b = a;
            fc = fb;
            fb = fa;
        }
        a = x;
        fa = fx;
        best = fabs(fa) < fabs(fb) ? a : b;
        least = 0.5 * resolution / fabs(b - a);
        if (fa == 0 || least > 0.5) {
            *ret_pole = fa != 0 && is_pole(scan, fmin(a, b), fmax(a, b), fmin(fabs(fa), fabs(fb)));
            return fa == 0 ? a : best;
        }
        /* inverse quadratic interpolation where it is monotonic, else bisection */
        xi = (a - b) / (c - b);
        phi = (fa - fb) / (fc - fb);
        part = 0.5;
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
            part = fa / (fb - fa) * (fc / (fb - fc)) +
                   (c - a) / (b - a) * (fa / (fc - fa)) * (fb / (fc - fb));
        part = fmin(1 - least, fmax(least, part));
    }
    return b;
}

/* The step has too many roots: it is cut at theta. If theta is about the start of the step, the
 * rest is taken as the grid shows it, and the observer is told. */
static void give_up(Scan *scan, double theta)
{
    Guards *guards = scan->guards;
    if (theta > scan->least)
        scan->cut = fmin(scan->cut, fmin(theta, FULL_STEP_FRACTION));
    else
        guards->each[scan->guard].unsure = 0;
}

static void add_root(Scan *scan, double theta, int direction)
{
    Guards *guards = scan->guards;
    if (scan->count - scan->first >= MAX_ROOTS) {
        /* clear of both: a root about the end of a step is one root too many again */
        give_up(scan, scan->last + (theta - scan->last) / 2);
        return;
    }
    scan->last = fmax(scan->last, theta);
    size_t at = scan->count++;
    for (; at > 0 && guards->roots[at - 1].theta > theta; at--)
        guards->roots[at] = guards->roots[at - 1];
    guards->roots[at] = (Root){theta, scan->guard, direction};
}

/* The guard has no value at theta, or a pole. */
static void lose(Scan *scan, double theta)
{
    double *lost = &scan->guards->each[scan->guard].lost;
    if (!(*lost <= theta))
        *lost = theta;
}

/* A crossing between a, on the opposite of `side`, and b. When the value at a does not show that
 * (only the start of a step can be so), the guard has crossed there. */
static void cross(Scan *scan, double a, double fa, double b, double fb, int side)
{
    const OdeGuard *kind = &scan->guards->kinds[scan->guard];
    double theta = a;
    bool pole = false;

    scan->found = true;
    if (scan->method == NULL)
        return;
    /* only crossings before the end of the step count */
    if (b > scan->ends) {
        fb = a < scan->ends ? guard_at(scan, scan->ends) : fa;
        b = scan->ends;
        if (sign(fb) != side)
            return;
    }
    if (sign(fa) == -side)
        theta = find_change(scan, a, fa, b, fb, &pole);
    /* a pole is no root, except for a switch */
    if (pole && !kind->is_switch) {
        lose(scan, theta);
    } else {
        add_root(scan, theta, side);
        if (!scan->whole && kind->kind == ODE_GUARD_BREAK && kind->direction == 0)
            scan->ends = fmin(scan->ends, theta);
    }
}

/* Looks for a dip below zero between points a and b by golden sections; two roots if there is. */
static void dip(Scan *scan, double a, double fa, double b, double fb, int side)
{
    double left = a, right = b;
    double x1 = a + GOLDEN_SECTION * (b - a), x2 = b - GOLDEN_SECTION * (b - a);
    if (scan->method == NULL) {
        scan->found = true;
        return;
    }
    double f1 = guard_at(scan, x1), f2 = guard_at(scan, x2);
    for (int i = 0; i < MAX_DIP_ITERATIONS; i++) {
        /* done as soon as one value has the other sign: a crossing before it and one behind */
        double x = side * f1 < side * f2 ? x1 : x2, fx = side * f1 < side * f2 ? f1 : f2;
        if (sign(fx) == -side) {
            cross(scan, a, fa, x, fx, -side);
            cross(scan, x, fx, b, fb, side);
            return;
        }
        if (x == x1) {
            right = x2;
            x2 = x1;
            f2 = f1;
            x1 = left + GOLDEN_SECTION * (right - left);
            f1 = guard_at(scan, x1);
        } else {
            left = x1;
            x1 = x2;
            f1 = f2;
            x2 = right - GOLDEN_SECTION * (right - left);
            f2 = guard_at(scan, x2);
        }
    }
}

/* Near misses: a bend over two quarters without a change of sign. */
static void scan_dips(Scan *scan)
{
    const Guards *guards = scan->guards;
    const size_t n = guards->n, k = scan->guard;
    double quarters[QUARTERS + 1];
    quarters[0] = guards->start[k];
    for (size_t q = 1; q <= QUARTERS; q++)
        quarters[q] = guards->scratch.grid[(q - 1) * n + k];
    for (size_t q = 0; q + 2 <= QUARTERS; q++) {
        const double *v = quarters + q;
        int side = sign(v[1]);
        if (side != 0 && sign(v[0]) == side && sign(v[2]) == side &&
            near_miss(v[0], v[1], v[2], side)) {
            dip(scan, (double)q / QUARTERS, v[0], (double)(q + 2) / QUARTERS, v[2], side);
            q++; /* the next two quarters overlap this dip */
        }
    }
}

/* The point nearest to b at which the guard is finite; it is finite at a, and not at b. */
static double find_edge(Scan *scan, double a, double fa, double b, double *ret_value)
{
    *ret_value = fa;
    for (int i = 0; i < MAX_EDGE_ITERATIONS; i++) {
        const double x = a + (b - a) / 2, fx = guard_at(scan, x);
        if (isfinite(fx)) {
            a = x;
            *ret_value = fx;
        } else {
            b = x;
        }
    }
    return a;
}

/* A guard along the points of a step: the last of them, its value there and its side; and, if that
 * is not finite, the last place at which it was, and the value there. NAN: not known. */
typedef struct Trace {
    double theta, value;
    int side;
    bool crossed;
    double edge, limit;
} Trace;

static void follow(Scan *scan, Trace *trace, double b, double fb)
{
    if (trace->side == 0) {
        trace->side = sign(fb);
    } else if (sign(fb) == -trace->side) {
        trace->side = -trace->side;
        trace->crossed = true;
        cross(scan, trace->theta, trace->value, b, fb, trace->side);
    }
    trace->theta = b;
    trace->value = fb;
}

/* Are two places of the step one instant, to rounding? */
static bool at_once(const Scan *scan, double from, double to)
{
    const OdeStep *step = scan->step;
    const double h = fabs(step->h[0]), t = fabs(step->t[0]);
    return (to - from) * h <= MIN_STEP_ULPS * DBL_EPSILON * fmax(t, h);
}

/* u/abs(u) has no value at u = 0, but limits on both sides: a jump through zero is a root. */
static void jump(Scan *scan, Trace *trace, double edge, double value)
{
    const double least = isnan(trace->limit) ? fabs(value) : fmin(fabs(trace->limit), fabs(value));
    if (trace->side == 0 || sign(value) != -trace->side)
        return;
    trace->side = -trace->side;
    trace->crossed = true;
    if (is_pole(scan, trace->edge, edge, least))
        lose(scan, trace->theta);
    else
        add_root(scan, trace->theta, trace->side);
}

/* If a guard ceases to be finite, like sqrt(y) - 0.1 at y = 0, or begins to be, it may cross just
 * inside. Between two such edges there is no root, unless they are one instant. */
static void follow_edge(Scan *scan, Trace *trace, double b, double fb)
{
    const bool ends = isfinite(trace->value);
    double value = fb, edge = b;
    if (!ends && !isfinite(fb))
        return;
    scan->found = true;
    if (scan->method != NULL)
        edge = ends ? find_edge(scan, trace->theta, trace->value, b, &value)
                    : find_edge(scan, b, fb, trace->theta, &value);
    if (ends) {
        /* the guard ends: follow it to the edge, and remember its limit there */
        if (isfinite(value))
            follow(scan, trace, edge, value);
        *trace = (Trace){b, fb, trace->side, trace->crossed, edge, value};
    } else {
        if (scan->method != NULL && at_once(scan, trace->edge, edge))
            jump(scan, trace, edge, value);
        *trace = (Trace){edge, value, sign(value), trace->crossed, NAN, NAN};
        follow(scan, trace, b, fb);
    }
}

/* Has the guard an extreme between a and b, as the rates there tell? Of an impact only one that
 * comes from the side on which it keeps the motion: a return from the other side is a bounce. */
static bool turns(const Scan *scan, double a, double b)
{
    const OdeSystem *system = scan->step->system;
    const size_t k = scan->guard;
    const int side = scan->guards->kinds[scan->guard].is_impact ? scan->guards->each[k].side : 0;
    OdeRange from = {0}, to = {0};

    system->enclose(system->self, scan->guard, a, a, &from);
    system->enclose(system->self, scan->guard, b, b, &to);
    return (side >= 0 && from.rate_high < 0 && to.rate_low > 0) ||
           (side <= 0 && from.rate_low > 0 && to.rate_high < 0);
}

/* If errors of the state may move an extreme across zero, it is unknown whether there are two roots
 * beside it. True: that may be so between scan->at and b, and smaller parts can tell. */
static bool may_touch(Scan *scan, double b, const OdeRange *range)
{
    Guards *guards = scan->guards;
    const OdeStep *step = scan->step;
    const size_t k = scan->guard;
    const double a = scan->at, middle = a + (b - a) / 2;
    const double least = fmax(0, fmax(range->low, -range->high));
    const double most = fmax(-range->low, range->high);

    /* the guard is far from zero, jumps, or is in contact */
    if (!range->whole || !(least <= NEAR_ZERO_FRACTION * scan->size) ||
        guards->each[k].contact != CONTACT_NONE)
        return false;
    if (most > NEAR_ZERO_FRACTION * scan->size)
        return b - a > MIN_EXTREME_PART;
    scan->method->dense(step, 0, middle, guards->scratch.state);
    const double t = step->t[0] + middle * step->h[0];
    const double error = guards_error(guards, step, t, scan->guard);
    scan->evaluated = NAN;
    if (!(least <= error))
        return false;
    if (most > 2 * error)
        return b - a > MIN_EXTREME_PART;
    /* the part is as small as the error: an extreme in it is in doubt */
    if (isnan(guards->each[k].unsure) && turns(scan, a, b))
        guards->each[k].unsure = a;
    return false;
}

/* Do the values at scan->at and b show all roots between them? */
static bool resolved(Scan *scan, double b, double noise)
{
    const OdeStep *step = scan->step;
    const double a = scan->at, h = fabs(step->h[0]);
    const double t = fmax(fabs(step->t[0]), h);
    OdeRange range = {0};

    scan->enclosures++;
    scan->silent = false;
    step->system->enclose(step->system->self, scan->guard, a, b, &range);
    if (range.whole && (range.rate_low > 0 || range.rate_high < 0))
        return true;
    if (range.low > 0 || range.high < 0)
        return !may_touch(scan, b, &range);
    if (range.low == 0 && range.high == 0) { /* a branch of the guard that is zero hides nothing */
        scan->silent_from = NAN;
        return true;
    }
    if (fmax(-range.low, range.high) <= NEAR_ZERO_FRACTION * scan->size)
        may_touch(scan, b, &range);
    scan->blurred = scan->blurred || range.blurred;
    scan->silent = fmax(-range.low, range.high) <= fmax(noise, SILENT_NOISE_RATIO * range.noise) ||
                   (b - a) * h <= SAME_ULPS * DBL_EPSILON * t;
    return scan->silent;
}

/* While a guard is zero to rounding, its crossings are unknown, unless it changed its side once. */
static void doubt_silence(Scan *scan)
{
    double *unsure = &scan->guards->each[scan->guard].unsure;
    if (isnan(*unsure))
        *unsure = scan->silent_from;
}

/* The guard was followed from `from` to where the scan is. A start at zero counts as a crossing. */
static void see_silence(Scan *scan, double from, bool crossed)
{
    const size_t k = scan->guard;
    const bool fresh = scan->guards->fresh;

    if (scan->silent && isnan(scan->silent_from)) {
        scan->silent_from = from;
        scan->crossings = from == 0 && fresh;
    }
    scan->crossings += scan->silent && crossed;
    /* it ends: one crossing is a change of side, another number is in doubt */
    if (!scan->silent && !isnan(scan->silent_from)) {
        if (scan->crossings != 1)
            doubt_silence(scan);
        scan->silent_from = NAN;
    }
    if (scan->at < 1)
        return;
    /* it lasts to the end of the step: the next step goes on with the count */
    if (scan->silent_from == 0 && !fresh)
        doubt_silence(scan);
    scan->guards->each[k].silent_end =
        isnan(scan->silent_from) ? 0 : 1 + (scan->crossings > 2 ? 2 : scan->crossings);
}

static void pass(Scan *scan, Trace *trace, double b, double fb, double noise)
{
    if (!isfinite(fb))
        lose(scan, b);
    if (!isfinite(fb) || !isfinite(trace->value))
        follow_edge(scan, trace, b, fb);
    else if (fabs(fb) > noise)
        follow(scan, trace, b, fb);
    scan->at = b;
}

/* Goes on to b, through the halves of what is not resolved. */
static void resolve(Scan *scan, Trace *trace, double b, double fb, double noise)
{
    double theta[MAX_HALVINGS + 1], value[MAX_HALVINGS + 1];
    const bool contact = scan->guards->each[scan->guard].contact != CONTACT_NONE;
    size_t n = 1;

    theta[0] = b;
    value[0] = fb;
    /* a stack of right ends: the part between scan->at and the last one comes next */
    while (n > 0) {
        const bool spent = scan->enclosures >= MAX_ENCLOSURES || stop_token_status(NULL) != OK;
        if (spent && scan->blurred && scan->least < LEAST_BLURRED) {
            give_up(scan, 0.5);
            return;
        }
        /* the budget is spent: roots may be missed from here on */
        if (spent)
            scan->guards->each[scan->guard].unsure = scan->at;
        if (!spent && n <= MAX_HALVINGS && !resolved(scan, theta[n - 1], noise)) {
            theta[n] = scan->at + (theta[n - 1] - scan->at) / 2;
            value[n] = guard_at(scan, theta[n]);
            n++;
        } else {
            const double from = scan->at;
            const int side = trace->side;
            n--;
            pass(scan, trace, theta[n], value[n], noise);
            if (!spent && !contact)
                see_silence(scan, from, trace->side != side);
        }
    }
}

static void advance(Scan *scan, Trace *trace, double b, double fb, double noise)
{
    if (scan->enclosed)
        resolve(scan, trace, b, fb, noise);
    else
        pass(scan, trace, b, fb, noise);
}

static double size_on_grid(const Guards *guards, size_t k)
{
    double size = fmax(fabs(guards->start[k]), guards->each[k].recent);

    for (size_t q = 0; q < QUARTERS; q++)
        if (isfinite(guards->scratch.grid[q * guards->n + k]))
            size = fmax(size, fabs(guards->scratch.grid[q * guards->n + k]));
    return size;
}

/* Does a guard begin at zero, to rounding, without leaving? Then its first quarter is examined. */
static bool hesitates(const Scan *scan)
{
    const Guards *guards = scan->guards;
    const size_t n = guards->n, k = scan->guard;
    double before = 0;
    bool leaves = guards->each[k].side != 0 && !scan->enclosed;

    if (!guards->fresh || !(fabs(guards->start[k]) <= guards->each[k].noise))
        return false;
    for (size_t q = 0; q < QUARTERS; q++) {
        const double value = guards->each[k].side * guards->scratch.grid[q * n + k];
        leaves = leaves && value > before;
        before = value;
    }
    return !leaves;
}

static void scan_guard(Scan *scan)
{
    Guards *guards = scan->guards;
    const size_t k = scan->guard;
    GuardWatch *g = &guards->each[k];
    const double noise = guards->fresh || g->contact == CONTACT_CLOSED ? g->noise : 0;
    Trace trace = {
        .value = guards->start[k], .side = g->side, .edge = g->brink ? 0 : NAN, .limit = NAN};

    scan->enclosed = scan->method != NULL && k < scan->step->system->n_enclosed;
    scan->at = 0;
    scan->first = scan->count;
    scan->last = 0;
    scan->enclosures = 0;
    scan->silent = scan->blurred = false;
    scan->silent_from = g->silent ? 0 : NAN;
    scan->crossings = g->silent ? g->silent - 1 : 0;
    g->silent_end = 0;
    g->unsure = g->lost = NAN;
    scan->size = size_on_grid(guards, k);
    /* changes of sign; values that rounding may have made are passed over */
    const size_t early = hesitates(scan) ? EARLY_PLACES : 0;
    for (size_t p = 0; p < early + QUARTERS && scan->cut == 1; p++) {
        const bool inner = p < early; /* 4^-12 .. 4^-2, then the quarters */
        const double b = inner ? ldexp(1, -2 * (int)(EARLY_PLACES + 1 - p)) : quarter(p - early);
        advance(scan, &trace, b,
                inner ? guard_at(scan, b) : guards->scratch.grid[(p - early) * guards->n + k],
                noise);
    }
    if (scan->cut < 1)
        return;
    g->side_end = trace.side;
    g->brink_end = scan->method != NULL && !isfinite(trace.value) && at_once(scan, trace.edge, 1);
    if (!trace.crossed && !scan->enclosed)
        scan_dips(scan);
}

static bool has_crossed(const Guards *guards)
{
    size_t i = 0;

    while (i < guards->n && sign(guards->end[i]) * guards->each[i].side >= 0)
        i++;
    return i < guards->n;
}

bool guards_suspect(Guards *guards, const OdeStep *step)
{
    Scan scan = {.guards = guards, .step = step, .inside = ode_hermite, .cut = 1, .ends = INFINITY};
    if (step->system->n_enclosed > 0 || has_crossed(guards))
        return true;
    fill_grid(guards, step, ode_hermite);
    for (scan.guard = 0; scan.guard < guards->n; scan.guard++)
        scan_guard(&scan);
    return scan.found;
}

size_t guards_roots(Guards *guards, const OdeStep *step, const OdeMethod *method, bool whole,
                    double least, double *ret_cut)
{
    const OdeSystem *system = step->system;
    const OdeArcOf of = {step, method};
    const OdeArc arc = ode_arc(&of);
    Scan scan = {.guards = guards,
                 .step = step,
                 .method = method,
                 .inside = method->dense,
                 .least = least,
                 .cut = 1,
                 .ends = INFINITY,
                 .evaluated = NAN,
                 .whole = whole};
    /* the part of the step that can be enclosed */
    *ret_cut = system->n_enclosed > 0 ? system->follow(system->self, &arc) : 1;
    if (*ret_cut < 1 && *ret_cut > least)
        return 0;
    fill_grid(guards, step, method->dense);
    for (scan.guard = 0; scan.guard < guards->n && scan.cut == 1 && stop_token_status(NULL) == OK;
         scan.guard++)
        scan_guard(&scan);
    *ret_cut = scan.cut;
    return scan.count;
}
