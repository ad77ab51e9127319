/* The programs of a motion evaluated, and its switches: in which mode a corner is left, and when it
 * is met next (A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988). */
#include "core/motion/eval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/base/numbers.h"
#include "core/program/function.h"

/* Largest |guard|, in the units of the guard, of a switch at rest (mode 0) that still counts as on
 * its corner. No unit; a convention. */
static const double REST_GUARD = 1e-10;

/* The addresses of the numbers of a MotionPoint; a constant for one that is not computed. */
typedef struct PointPlaces {
    MotionPoint arrays;
    const double *regularity, *determined, *orientation, *inertia;
} PointPlaces;

struct MotionEval {
    const Motion *motion;
    double *modes; /* n_switches: -1, 0 or +1; among the inputs of the rates */
    double *guess; /* n_implicit; behind the modes */
    /* n_switches each. The watched guard is orient * guard. A guard of at most `noise` may be zero
     * but for rounding; for the time `window` from `met` on it counts as on its corner. */
    double *orient, *noise, *window, *met;
    double *shaken_in;      /* inputs of a function that is evaluated with random errors */
    double *moved, *plain;  /* dim; n_switches: scratch */
    double *noise_of_state; /* dim: scratch */
    size_t n_own;           /* doubles from `orient` to the end of the last of these arrays */
    double onward;          /* +1, or -1 if time runs backwards */
    double since;           /* when the modes were chosen last */
    Function rates;
    Function point, restate, jacobian;
    Function switches;  /* guards [n_switches], then their rates [n_switches] */
    PointPlaces places; /* in the results of `point` */
    Random random;
    double shaken_t; /* instant whose bits seeded `random` last; NAN: none */
    Arena memory;    /* owns the arrays */
};

void motion_eval_free(MotionEval *eval)
{
    if (!eval)
        return;
    function_done(&eval->rates);
    function_done(&eval->point);
    function_done(&eval->switches);
    function_done(&eval->restate);
    function_done(&eval->jacobian);
    arena_done(&eval->memory);
    free(eval);
}

static Status bind(MotionEval *e, const Model *model, const double *params, bool with_jacobian,
                   Error *err)
{
    const Motion *motion = e->motion;

    Status status = function_bind(&e->rates, motion->rates, params, 1, err);
    if (status == OK)
        status = function_bind(&e->point, motion->point, params, 1, err);
    if (status == OK)
        status = function_bind(&e->switches, motion->switches, params, 1, err);
    if (status == OK)
        status = function_bind(&e->restate, motion->restate, params, 1, err);
    return status == OK && with_jacobian ? motion_eval_make_jacobian(e, model, params, err)
                                         : status;
}

Status motion_eval_make_jacobian(MotionEval *e, const Model *model, const double *params,
                                 Error *err)
{
    Program *jacobian = NULL;

    if (e->jacobian.program)
        return OK;
    Status status = motion_jacobian(model, e->motion, &jacobian, err);
    if (status == OK)
        status = function_bind(&e->jacobian, jacobian, params, 1, err);
    e->jacobian.owned = jacobian;
    return status;
}

/* One after the other, so that they can be cleared at once. */
static Status make_arrays(MotionEval *e, Error *err)
{
    const size_t k = e->motion->n_switches, dim = e->motion->dim;

    e->n_own = 4 * k + 1 + dim + k + e->motion->n_implicit + 2 * dim + k;
    e->orient = arena_doubles(&e->memory, e->n_own);
    if (!e->orient)
        return arena_status(&e->memory, err);
    e->noise = e->orient + k;
    e->window = e->noise + k;
    e->met = e->window + k;
    e->shaken_in = e->met + k;
    e->moved = e->shaken_in + 1 + dim + k + e->motion->n_implicit;
    e->plain = e->moved + dim;
    e->noise_of_state = e->plain + k;
    return OK;
}

static PointPlaces point_places(const Motion *motion, const double *out)
{
    /* the value of numbers that the motion does not compute, no unit; convention */
    static const double UNTOLD = 1, NO_INERTIA = -1;
    const size_t n = motion->n;
    const double *regularity = out + 3 * n + motion->n_rows;
    const double *own = regularity + motion->n_regularity;
    const double *lambda_rate = own + motion->n_own + motion->n_implicit;
    const bool kept = motion->formulation->keeps_multipliers;
    const double *determined = lambda_rate + (kept ? motion->n_rows : 0);
    const double *orientation = determined + motion->has_determined;
    const double *inertia = orientation + motion->has_orientation;

    return (PointPlaces){.arrays = {.q = out,
                                    .v = out + n,
                                    .vdot = out + 2 * n,
                                    .lambda = out + 3 * n,
                                    .own = own,
                                    .lambda_rate = kept ? lambda_rate : out + 3 * n},
                         .regularity = regularity,
                         .determined = motion->has_determined ? determined : &UNTOLD,
                         .orientation = motion->has_orientation ? orientation : &UNTOLD,
                         .inertia = motion->has_inertia ? inertia : &NO_INERTIA};
}

Status motion_eval_new(const Model *model, const Motion *motion, const double *params,
                       bool with_jacobian, MotionEval **ret_eval, Error *err)
{
    MotionEval *e = alloc_array(1, sizeof *e);
    if (!e)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    e->motion = motion;
    e->shaken_t = NAN;
    Status status = make_arrays(e, err);
    if (status == OK)
        status = bind(e, model, params, with_jacobian, err);
    if (status != OK) {
        motion_eval_free(e);
        return status;
    }
    e->places = point_places(motion, e->point.out);
    /* inputs of the rates: t, the state, the modes, then the guesses */
    e->modes = e->rates.in + 1 + motion->dim;
    e->guess = e->modes + motion->n_switches;
    *ret_eval = e;
    return OK;
}

bool motion_eval_reuse(MotionEval *e, const Motion *motion, const double *params,
                       bool with_jacobian)
{
    if (!e || e->motion != motion || (with_jacobian && !e->jacobian.program))
        return false;
    e->shaken_t = NAN;
    e->onward = e->since = 0;
    memset(e->orient, 0, e->n_own * sizeof *e->orient);
    Function *const functions[] = {&e->rates, &e->point, &e->switches, &e->restate, &e->jacobian};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        function_renew(functions[k], params);
    return true;
}

double *motion_eval_place(MotionEval *eval)
{
    return eval->rates.in;
}

/* Apart, so that stages, whose arguments are in their place, save no registers. */
static __attribute__((noinline)) void rates_elsewhere(const MotionEval *e, const double *t,
                                                      const double *y, double *ret_rates)
{
    const Function *rates = &e->rates;

    *rates->in = *t;
    numbers_copy(rates->in + 1, y, e->motion->dim);
    program_eval(rates->program, rates->in, ret_rates, rates->work, 1);
}

void motion_eval_rates(const MotionEval *e, const double *t, const double *y, double *ret_rates)
{
    const Function *rates = &e->rates;

    if (t != rates->in || y != rates->in + 1)
        rates_elsewhere(e, t, y, ret_rates);
    else
        program_eval(rates->program, rates->in, ret_rates, rates->work, 1);
}

Status rate_lanes_init(RateLanes *r, const Motion *motion, const double *params, size_t lanes,
                       Error *err)
{
    *r = (RateLanes){.motion = motion};
    return function_bind(&r->rates, motion->rates, params, lanes, err);
}

void rate_lanes_take(RateLanes *r, size_t lane, const MotionEval *of)
{
    const size_t n = r->motion->n_switches + r->motion->n_implicit;
    double *first = r->rates.in + (1 + r->motion->dim) * r->rates.lanes;

    for (size_t k = 0; k < n; k++)
        first[k * r->rates.lanes + lane] = of->modes[k];
}

void rate_lanes_eval(RateLanes *r, const double *t, const double *y, double *ret_rates)
{
    double *in = r->rates.in;

    if (t != in || y != in + r->rates.lanes) {
        memcpy(in, t, r->rates.lanes * sizeof *t);
        memcpy(in + r->rates.lanes, y, r->motion->dim * r->rates.lanes * sizeof *y);
    }
    function_eval_at(&r->rates, in, ret_rates);
}

/* The inputs of a function: t, y, the modes and the implicit quantities. */
static void set_inputs(const MotionEval *e, double *in, double t, const double *y)
{
    const size_t dim = e->motion->dim, n = e->motion->n_switches + e->motion->n_implicit;

    *in++ = t;
    memcpy(in, y, dim * sizeof *in);
    memcpy(in + dim, e->modes, n * sizeof *in);
}

/* Whether a function has these inputs. */
static bool has_inputs(const MotionEval *e, const double *in, double t, const double *y)
{
    const size_t dim = e->motion->dim, n = e->motion->n_switches + e->motion->n_implicit;

    return numbers_are_same(in, &t, 1) && numbers_are_same(in + 1, y, dim) &&
           numbers_are_same(in + 1 + dim, e->modes, n);
}

static const double *evaluate(MotionEval *e, Function *f, double t, const double *y)
{
    if (!f->program || (f->evaluated && has_inputs(e, f->in, t, y)))
        return f->out;
    set_inputs(e, f->in, t, y);
    return function_eval(f);
}

void motion_eval_rates_shaken(MotionEval *e, double t, const double *y, double *ret_rates)
{
    uint64_t seed;

    /* the seed is the instant, so that random errors do not depend on earlier ones */
    if (t != e->shaken_t) {
        memcpy(&seed, &t, sizeof seed);
        random_init(&e->random, seed);
    }
    e->shaken_t = t;
    set_inputs(e, e->shaken_in, t, y);
    function_eval_shaken(&e->rates, e->shaken_in, ret_rates,
                         &(Shakes){.by = DBL_EPSILON, .random = &e->random});
}

bool motion_eval_has_jacobian(const MotionEval *e)
{
    return e->jacobian.program != NULL;
}

void motion_eval_jacobian(MotionEval *e, double t, const double *y, double *ret_dfdy,
                          double *ret_dfdt)
{
    const size_t dim = e->motion->dim;

    const double *out = evaluate(e, &e->jacobian, t, y);
    memcpy(ret_dfdy, out, dim * dim * sizeof *y);
    memcpy(ret_dfdt, out + dim * dim, dim * sizeof *y);
}

/* Of pivots; a NaN is taken too. */
static double least_regularity(const double *regularity, size_t n)
{
    double smallest = 1;

    for (size_t i = 0; i < n; i++)
        if (!(regularity[i] >= smallest))
            smallest = regularity[i];
    return smallest;
}

/* Reads the results of the program `point`. */
static MotionPoint point_read(const MotionEval *e)
{
    MotionPoint point = e->places.arrays;

    point.regularity = least_regularity(e->places.regularity, e->motion->n_regularity);
    point.determined = *e->places.determined;
    point.orientation = *e->places.orientation;
    point.inertia = *e->places.inertia;
    return point;
}

MotionPoint motion_eval_point(MotionEval *e, double t, const double *y)
{
    evaluate(e, &e->point, t, y);
    return point_read(e);
}

MotionPoint motion_eval_point_shaken(MotionEval *e, double t, const double *y, Shakes *shakes)
{
    set_inputs(e, e->shaken_in, t, y);
    function_eval_shaken(&e->point, e->shaken_in, e->point.out, shakes);
    return point_read(e);
}

void motion_eval_renew(MotionEval *e, double t, const double *y)
{
    const Motion *motion = e->motion;

    if (motion->n_implicit == 0)
        return;
    numbers_copy(e->guess, motion_eval_point(e, t, y).own + motion->n_own, motion->n_implicit);
}

/* Whether both have the same guards at the state. */
static bool same_guards(MotionEval *a, MotionEval *b, double t, const double *y)
{
    const size_t k = a->motion->n_switches;

    if (k == 0)
        return true;
    set_inputs(a, b->switches.in, t, y);
    function_eval(&b->switches);
    return memcmp(evaluate(a, &a->switches, t, y), b->switches.out, k * sizeof *y) == 0;
}

bool motion_eval_take_over(MotionEval *e, MotionEval *from, double t, const double *y)
{
    const Motion *old = from->motion, *motion = e->motion;

    if (motion->formulation != old->formulation || motion->dim != old->dim ||
        motion->n_switches != old->n_switches || motion->n_implicit != old->n_implicit ||
        !same_guards(from, e, t, y))
        return false;
    /* the guesses lie behind the modes, the other three arrays of switches behind `orient` */
    memcpy(e->modes, from->modes, (old->n_switches + old->n_implicit) * sizeof *e->modes);
    memcpy(e->orient, from->orient, 4 * old->n_switches * sizeof *e->orient);
    e->onward = from->onward;
    e->since = from->since;
    return true;
}

/* One application of the map back; the largest relative change of y. */
static double restate_once(MotionEval *e, double *y)
{
    const Motion *motion = e->motion;
    const size_t dim = motion->dim;
    double change = 0;

    memcpy(e->restate.in + program_n_inputs(motion->restate) - dim, y, dim * sizeof *y);
    function_eval(&e->restate);
    for (size_t i = 0; i < dim; i++) {
        const double step = e->restate.out[i] - y[i];
        const double size = fmax(fabs(e->restate.out[i]), fabs(y[i]));
        const double relative = step == 0 ? 0 : fabs(step) / size;
        if (isnan(relative) || relative > change) /* a NaN stays */
            change = relative;
        e->moved[i] = step;
        y[i] = e->restate.out[i];
    }
    return change;
}

/* True if the last application of the map has moved y by no more than the rounding error of the
 * map at y. (A component that is zero except for rounding has no meaningful relative change.) */
static bool restate_settled(MotionEval *e, const double *y)
{
    enum { SHAKES = 4 };
    const size_t dim = e->motion->dim;
    double *in = e->restate.in + program_n_inputs(e->motion->restate) - dim;
    Random random;

    random_init(&random, 1);
    memset(e->noise_of_state, 0, dim * sizeof *e->noise_of_state);
    memcpy(in, y, dim * sizeof *y);
    for (int k = 0; k < SHAKES; k++) {
        function_eval_shaken(&e->restate, e->restate.in, e->restate.out,
                             &(Shakes){.by = DBL_EPSILON, .random = &random});
        for (size_t i = 0; i < dim; i++)
            e->noise_of_state[i] = fmax(e->noise_of_state[i], fabs(e->restate.out[i] - y[i]));
    }
    function_eval(&e->restate); /* its further results are read */
    for (size_t i = 0; i < dim; i++)
        if (!(fabs(e->moved[i]) <= ACCURACY_COMPUTED * fabs(y[i]) + 8 * e->noise_of_state[i]))
            return false;
    return true;
}

static void restate_from(MotionEval *e, double t, const double *q, const double *v,
                         const double *lambda)
{
    const size_t n = e->motion->n;

    e->restate.in[0] = t;
    memcpy(e->restate.in + 1, q, n * sizeof *q);
    memcpy(e->restate.in + 1 + n, v, n * sizeof *v);
    if (e->motion->n_rows && lambda)
        memcpy(e->restate.in + 1 + 2 * n, lambda, e->motion->n_rows * sizeof *lambda);
}

void motion_eval_restate_shaken(MotionEval *e, double t, const double *q, const double *v,
                                const double *lambda, double *y, Shakes *shakes)
{
    const Motion *motion = e->motion;

    restate_from(e, t, q, v, lambda);
    memcpy(e->restate.in + program_n_inputs(motion->restate) - motion->dim, y,
           motion->dim * sizeof *y);
    function_eval_shaken(&e->restate, e->restate.in, e->restate.out, shakes);
    memcpy(y, e->restate.out, motion->dim * sizeof *y);
}

Status motion_eval_restate_seen(MotionEval *e, double t, const double *q, const double *v,
                                const double *lambda, double *y, Error *err)
{
    enum { MOST = 100 };
    double change = INFINITY;

    restate_from(e, t, q, v, lambda);
    for (int k = 0; k < MOST; k++) {
        double last = change;
        change = restate_once(e, y);
        /* quadratic convergence ends where rounding takes over */
        if (change <= 2 * DBL_EPSILON || (change >= last && restate_settled(e, y)))
            return OK;
        if (!isfinite(change))
            break;
    }
    return error_set(err, ERR_NUMERIC, "the state of the formulation %s was not found at t = %.17g",
                     e->motion->formulation->name, t);
}

Status motion_eval_restate(MotionEval *e, double t, const double *q, const double *v,
                           const double *lambda, double *y, Error *err)
{
    Status status = motion_eval_restate_seen(e, t, q, v, lambda, y, err);
    if (status == OK)
        numbers_copy(e->guess, e->restate.out + e->motion->dim, e->motion->n_implicit);
    return status;
}

void motion_eval_raw_guards(MotionEval *e, double t, const double *y, double *ret_values)
{
    if (e->motion->n_switches)
        memcpy(ret_values, evaluate(e, &e->switches, t, y),
               e->motion->n_switches * sizeof *ret_values);
}

void motion_eval_set_mode(MotionEval *e, size_t k, double mode)
{
    e->modes[k] = mode;
}

static double sign_of(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* The rate of guard k along the integration if switch k were in the given mode. */
static double rate_in_mode(MotionEval *e, size_t k, double mode, double t, const double *y)
{
    double *entry = &e->modes[k], old = *entry;

    *entry = mode;
    double rate = evaluate(e, &e->switches, t, y)[e->motion->n_switches + k];
    *entry = old;
    return e->onward * rate;
}

/* The mode in which a switch leaves its corner: the side whose own field leads away from it. When
 * both sides lead back, or none moves, it rests. `first` is tried first. */
static double mode_at_corner(MotionEval *e, size_t k, double first, double t, const double *y)
{
    double ahead = rate_in_mode(e, k, first, t, y) * first;
    if (ahead > 0)
        return first;
    double back = rate_in_mode(e, k, -first, t, y) * -first;
    if (back > 0)
        return -first;
    /* both sides push back to the corner: it can stay there only if mode 0 keeps it there */
    double rest = fabs(rate_in_mode(e, k, 0, t, y));
    return rest <= 1e-9 * (fabs(ahead) + fabs(back)) ? 0 : first;
}

/* Measures by how much the guards change if the state and t change by some units of rounding. */
static void measure_noise(MotionEval *e, double t, const double *y)
{
    const size_t n = e->motion->n_switches, dim = e->motion->dim;
    const double ulps = 4 * DBL_EPSILON;
    const double elapsed = fabs(t) + fabs(t - e->since);
    double *moved = e->moved;

    const double *out = evaluate(e, &e->switches, t, y);
    for (size_t k = 0; k < n; k++) {
        e->plain[k] = out[k];
        e->noise[k] = ulps * elapsed * fabs(out[n + k]);
    }
    /* two patterns of signs, because the changes of a single one may cancel */
    for (unsigned pattern = 1; pattern <= 2; pattern++) {
        for (size_t i = 0; i < dim; i++)
            moved[i] = y[i] * (1 + ((i & pattern) ? ulps : -ulps));
        out = evaluate(e, &e->switches, t * (1 + ulps), moved);
        for (size_t k = 0; k < n; k++)
            e->noise[k] += fabs(out[k] - e->plain[k]);
    }
}

/* Rounding hides the sign of a guard near zero for some time after t. The window of such a guard
 * is ESTIMATE_MARGIN times the time in which it leaves its noise at its present rate. */
static void open_windows(MotionEval *e, double t, const double *y)
{
    const size_t n = e->motion->n_switches;
    const double *out = evaluate(e, &e->switches, t, y);

    for (size_t k = 0; k < n; k++) {
        const double way = ESTIMATE_MARGIN * e->noise[k] / fabs(out[n + k]);
        e->met[k] = t;
        e->window[k] = fabs(out[k]) > e->noise[k] ? -1 : isfinite(way) ? way : INFINITY;
    }
}

void motion_eval_start_switches(MotionEval *e, bool backwards, double t, const double *y)
{
    const size_t n = e->motion->n_switches;

    e->onward = backwards ? -1 : 1;
    e->since = t;
    if (n == 0)
        return;
    /* inner switches come first, so that each pass settles at least one more level */
    for (size_t pass = 0; pass <= n; pass++) {
        bool changed = false;
        measure_noise(e, t, y);
        for (size_t k = 0; k < n; k++) {
            double *mode = &e->modes[k], old = *mode;
            double guard = evaluate(e, &e->switches, t, y)[k], side = sign_of(guard);
            *mode = fabs(guard) <= e->noise[k] ? mode_at_corner(e, k, side == 0 ? 1 : side, t, y)
                                               : side;
            e->orient[k] = 1;
            changed = changed || *mode != old;
        }
        if (!changed)
            break;
    }
    open_windows(e, t, y);
}

/* The drive remembers the side of zero of a watched value. At a corner (mode 0) the value is orient
 * * (REST_GUARD - |guard|), which crosses when the guard leaves the corner; orient then keeps the
 * sign continuous for the guard itself. */
void motion_eval_guards(MotionEval *e, double t, const double *y, double *ret_values)
{
    const size_t n = e->motion->n_switches;
    const double *out = evaluate(e, &e->switches, t, y);

    for (size_t k = 0; k < n; k++) {
        double orient = e->orient[k];
        double mode = e->modes[k];
        double guard = mode == 0 ? REST_GUARD - fabs(out[k]) : out[k];
        /* near the corner that it has just met, it is on the side of its mode */
        if (mode != 0 && fabs(guard) <= e->noise[k] && fabs(t - e->met[k]) <= e->window[k])
            guard = mode * DBL_TRUE_MIN;
        ret_values[k] = orient * guard;
    }
}

void motion_eval_cross(MotionEval *e, size_t k, int direction, double t, const double *y)
{
    double *mode = &e->modes[k], *orient = &e->orient[k];
    const double watched = e->onward * direction; /* its sign from here on */

    measure_noise(e, t, y);
    const double guard = evaluate(e, &e->switches, t, y)[k], side = sign_of(guard);
    if (*mode == 0) {
        *mode = side == 0 ? 1 : side;
    } else if (fabs(guard) > CLEAR_OF_ROUNDING * e->noise[k]) {
        *mode = side; /* it has not met its corner, it has jumped over it */
    } else {
        *mode = mode_at_corner(e, k, watched * *orient, t, y);
    }
    *orient = *mode == 0 ? watched : watched * *mode;
    open_windows(e, t, y);
}
