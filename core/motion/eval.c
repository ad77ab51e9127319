#include "core/motion/eval.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* |guard| up to which a switch at rest (mode 0) counts as still on its corner. */
static const double REST = 1e-10;
/* A guard is not on its corner beyond so many times its rounding. */
static const double JUMPED = 1e3;

struct Lanes {
    const Motion *motion;
    size_t lanes;
    double *modes;     /* [n_switches][lanes]: -1, 0, +1 */
    double *orient;    /* [n_switches][lanes]: watched guard = orient * guard, see below */
    double *onward;    /* [lanes]: +1, or -1 where time runs backwards */
    double *noise;     /* [n_switches][lanes]: |guard| up to which it may be 0, by rounding */
    double *since;     /* [lanes]: when the modes were chosen last */
    double *guess;     /* [n_implicit][lanes] */
    double *in, *work; /* of the rates, all lanes */
    double *one;       /* inputs of one lane */
    double *point_out, *point_work;
    double *switch_out, *switch_work;
    double *moved, *plain; /* dim; n_switches: scratch */
    double *restate_in, *restate_out, *restate_work;
    Program *jacobian;
    double *jacobian_out, *jacobian_work;
};

void lanes_free(Lanes *lanes)
{
    if (!lanes)
        return;
    program_free(lanes->jacobian);
    free(lanes->modes);
    free(lanes->in);
    free(lanes->work);
    free(lanes->point_work);
    free(lanes->switch_work);
    free(lanes->restate_in);
    free(lanes->restate_work);
    free(lanes->jacobian_work);
    free(lanes);
}

/* Work space of a program with its parameters bound; one more double than asked, so that NULL means
 * failure. */
static double *bound_work(const Program *program, const double *params, size_t lanes)
{
    const size_t n_params = program_n_params(program);
    double *work =
        alloc_array(program_work_doubles(program, lanes) + n_params * lanes, sizeof *work);

    if (work) {
        double *rows = work + program_work_doubles(program, lanes);
        for (size_t k = 0; k < n_params; k++)
            for (size_t lane = 0; lane < lanes; lane++)
                rows[k * lanes + lane] = params[k];
        program_bind(program, rows, work, lanes);
    }
    return work;
}

static size_t inputs_of(const Motion *motion)
{
    return 1 + motion->dim + motion->n_switches + motion->n_implicit;
}

/* What a motion needs whose state is not (q, v). */
static bool restate_init(Lanes *l, const Motion *motion, const double *params)
{
    if (motion->plain)
        return true;
    const size_t n_in = program_n_inputs(motion->restate);
    l->restate_in = alloc_array(n_in + program_n_outputs(motion->restate), sizeof *l->restate_in);
    l->restate_work = bound_work(motion->restate, params, 1);
    l->restate_out = l->restate_in + n_in;
    return l->restate_in && l->restate_work;
}

Status lanes_new(const Model *model, const Motion *motion, const double *params, size_t lanes,
                 bool with_jacobian, Lanes **ret_lanes, Error *err)
{
    const size_t dim = motion->dim, k = motion->n_switches, n_in = inputs_of(motion);
    Lanes *l = alloc_array(1, sizeof *l);
    if (!l)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    l->motion = motion;
    l->lanes = lanes;
    l->modes = alloc_array((3 * k + motion->n_implicit + 2) * lanes, sizeof *l->modes);
    l->in = alloc_array(n_in * (lanes + 1) + program_n_outputs(motion->point) + 3 * k + dim * dim +
                            2 * dim,
                        sizeof *l->in);
    l->work = bound_work(motion->rates, params, lanes);
    l->point_work = bound_work(motion->point, params, 1);
    if (k)
        l->switch_work = bound_work(motion->switches, params, 1);
    Status status =
        restate_init(l, motion, params) ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && with_jacobian) {
        status = motion_jacobian(model, motion, &l->jacobian, err);
        if (status == OK)
            l->jacobian_work = bound_work(l->jacobian, params, 1);
    }
    if (status == OK && (!l->modes || !l->in || !l->work || !l->point_work ||
                         (k && !l->switch_work) || (with_jacobian && !l->jacobian_work)))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK) {
        lanes_free(l);
        return status;
    }
    l->orient = l->modes + k * lanes;
    l->guess = l->orient + k * lanes;
    l->onward = l->guess + motion->n_implicit * lanes;
    l->since = l->onward + lanes;
    l->noise = l->since + lanes;
    l->one = l->in + n_in * lanes;
    l->point_out = l->one + n_in;
    l->switch_out = l->point_out + program_n_outputs(motion->point);
    l->jacobian_out = l->switch_out + 2 * k;
    l->moved = l->jacobian_out + dim * dim + dim;
    l->plain = l->moved + dim;
    *ret_lanes = l;
    return OK;
}

void lanes_rates(void *self, const double *t, const double *y, double *ret_rates, size_t lanes)
{
    Lanes *l = self;
    const size_t dim = l->motion->dim, k = l->motion->n_switches;

    memcpy(l->in, t, lanes * sizeof *t);
    memcpy(l->in + lanes, y, dim * lanes * sizeof *y);
    memcpy(l->in + (1 + dim) * lanes, l->modes, k * lanes * sizeof *y);
    memcpy(l->in + (1 + dim + k) * lanes, l->guess, l->motion->n_implicit * lanes * sizeof *y);
    program_eval(l->motion->rates, l->in, ret_rates, l->work, lanes);
}

static void set_one(Lanes *l, size_t lane, double t, const double *y)
{
    const size_t dim = l->motion->dim, n = l->motion->n_switches;

    l->one[0] = t;
    memcpy(l->one + 1, y, dim * sizeof *y);
    for (size_t k = 0; k < n; k++)
        l->one[1 + dim + k] = l->modes[k * l->lanes + lane];
    for (size_t k = 0; k < l->motion->n_implicit; k++)
        l->one[1 + dim + n + k] = l->guess[k * l->lanes + lane];
}

void lanes_jacobian(void *self, size_t lane, double t, const double *y, double *ret_dfdy,
                    double *ret_dfdt)
{
    Lanes *l = self;
    const size_t dim = l->motion->dim;

    set_one(l, lane, t, y);
    program_eval(l->jacobian, l->one, l->jacobian_out, l->jacobian_work, 1);
    memcpy(ret_dfdy, l->jacobian_out, dim * dim * sizeof *y);
    memcpy(ret_dfdt, l->jacobian_out + dim * dim, dim * sizeof *y);
}

LanePoint lanes_point(Lanes *l, size_t lane, double t, const double *y)
{
    const Motion *motion = l->motion;
    const size_t n = motion->n;
    const double *out = l->point_out, *regularity = out + 3 * n + motion->n_rows;
    const double *own = regularity + motion->n_regularity;
    const double *lambda_rate = own + motion->n_own + motion->n_implicit;
    const bool kept = motion->formulation->keeps_multipliers;
    double smallest = 1;

    set_one(l, lane, t, y);
    program_eval(motion->point, l->one, l->point_out, l->point_work, 1);
    for (size_t i = 0; i < motion->n_regularity; i++)
        if (!(regularity[i] >= smallest)) /* a NaN is taken too */
            smallest = regularity[i];
    return (LanePoint){.q = out,
                       .v = out + n,
                       .vdot = out + 2 * n,
                       .lambda = out + 3 * n,
                       .own = own,
                       .lambda_rate = kept ? lambda_rate : out + 3 * n,
                       .regularity = smallest,
                       .determined =
                           motion->watches_dependent ? lambda_rate[kept ? motion->n_rows : 0] : 1};
}

static void set_guess(Lanes *l, size_t lane, const double *values)
{
    for (size_t k = 0; k < l->motion->n_implicit; k++)
        l->guess[k * l->lanes + lane] = values[k];
}

void lanes_renew(Lanes *l, size_t lane, double t, const double *y)
{
    const Motion *motion = l->motion;

    if (motion->n_implicit == 0)
        return;
    set_guess(l, lane, lanes_point(l, lane, t, y).own + motion->n_own);
}

/* One application of the map back; the largest relative change of y. */
static double restate_once(Lanes *l, double *y)
{
    const Motion *motion = l->motion;
    const size_t dim = motion->dim;
    double change = 0;

    memcpy(l->restate_in + program_n_inputs(motion->restate) - dim, y, dim * sizeof *y);
    program_eval(motion->restate, l->restate_in, l->restate_out, l->restate_work, 1);
    for (size_t i = 0; i < dim; i++) {
        double step = fabs(l->restate_out[i] - y[i]) / (1 + fabs(l->restate_out[i]));
        if (isnan(step) || step > change) /* a NaN stays */
            change = step;
        y[i] = l->restate_out[i];
    }
    return change;
}

Status lanes_restate_seen(Lanes *l, double t, const double *q, const double *v,
                          const double *lambda, double *y, Error *err)
{
    enum { MOST = 100 };
    const size_t n = l->motion->n;
    double change = INFINITY;

    l->restate_in[0] = t;
    memcpy(l->restate_in + 1, q, n * sizeof *q);
    memcpy(l->restate_in + 1 + n, v, n * sizeof *v);
    if (l->motion->n_rows && lambda)
        memcpy(l->restate_in + 1 + 2 * n, lambda, l->motion->n_rows * sizeof *lambda);
    for (int k = 0; k < MOST; k++) {
        double last = change;
        change = restate_once(l, y);
        /* quadratic convergence ends where rounding takes over */
        if (change <= 4e-16 || (change <= 1e-12 && change >= last))
            return OK;
        if (!isfinite(change))
            break;
    }
    return error_set(err, ERR_NUMERIC, "the state of the formulation %s was not found at t = %.17g",
                     l->motion->formulation->name, t);
}

Status lanes_restate(Lanes *l, size_t lane, double t, const double *q, const double *v,
                     const double *lambda, double *y, Error *err)
{
    Status status = lanes_restate_seen(l, t, q, v, lambda, y, err);
    if (status == OK)
        set_guess(l, lane, l->restate_out + l->motion->dim);
    return status;
}

/* Guards [n_switches], then their rates [n_switches], with the present modes. */
static const double *evaluate_switches(Lanes *l, size_t lane, double t, const double *y)
{
    set_one(l, lane, t, y);
    program_eval(l->motion->switches, l->one, l->switch_out, l->switch_work, 1);
    return l->switch_out;
}

static double sign_of(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* The rate of guard k along the integration if switch k were in the given mode. */
static double rate_in_mode(Lanes *l, size_t lane, size_t k, double mode, double t, const double *y)
{
    double *entry = &l->modes[k * l->lanes + lane], old = *entry;

    *entry = mode;
    double rate = evaluate_switches(l, lane, t, y)[l->motion->n_switches + k];
    *entry = old;
    return l->onward[lane] * rate;
}

/* The mode in which a switch leaves its corner: the side whose own field leads away from it. When
 * both sides lead back, or none moves, it rests. `first` is tried first. */
static double mode_at_corner(Lanes *l, size_t lane, size_t k, double first, double t,
                             const double *y)
{
    double ahead = rate_in_mode(l, lane, k, first, t, y) * first;
    if (ahead > 0)
        return first;
    double back = rate_in_mode(l, lane, k, -first, t, y) * -first;
    if (back > 0)
        return -first;
    /* both sides push back to the corner: it can stay there only if mode 0 keeps it there */
    double rest = fabs(rate_in_mode(l, lane, k, 0, t, y));
    return rest <= 1e-9 * (fabs(ahead) + fabs(back)) ? 0 : first;
}

/* What a few units of rounding of the state and of t make of the guards. */
static void measure_noise(Lanes *l, size_t lane, double t, const double *y)
{
    const size_t n = l->motion->n_switches, dim = l->motion->dim;
    const double ulps = 4 * DBL_EPSILON;
    const double elapsed = fabs(t) + fabs(t - l->since[lane]);
    double *moved = l->moved;

    const double *out = evaluate_switches(l, lane, t, y);
    for (size_t k = 0; k < n; k++) {
        l->plain[k] = out[k];
        l->noise[k * l->lanes + lane] = ulps * elapsed * fabs(out[n + k]);
    }
    for (unsigned pattern = 1; pattern <= 2; pattern++) {
        for (size_t i = 0; i < dim; i++)
            moved[i] = y[i] * (1 + ((i & pattern) ? ulps : -ulps));
        out = evaluate_switches(l, lane, t * (1 + ulps), moved);
        for (size_t k = 0; k < n; k++)
            l->noise[k * l->lanes + lane] += fabs(out[k] - l->plain[k]);
    }
}

void lanes_switches_start(Lanes *l, size_t lane, bool backwards, double t, const double *y)
{
    const size_t n = l->motion->n_switches;

    l->onward[lane] = backwards ? -1 : 1;
    l->since[lane] = t;
    if (n == 0)
        return;
    /* inner switches come first, so that each pass settles at least one more level */
    for (size_t pass = 0; pass <= n; pass++) {
        bool changed = false;
        measure_noise(l, lane, t, y);
        for (size_t k = 0; k < n; k++) {
            double *mode = &l->modes[k * l->lanes + lane], old = *mode;
            double guard = evaluate_switches(l, lane, t, y)[k], side = sign_of(guard);
            *mode = fabs(guard) <= l->noise[k * l->lanes + lane]
                        ? mode_at_corner(l, lane, k, side == 0 ? 1 : side, t, y)
                        : side;
            l->orient[k * l->lanes + lane] = 1;
            changed = changed || *mode != old;
        }
        if (!changed)
            break;
    }
}

/* The drive remembers on which side of zero a watched value should be. At a corner (mode 0) the
 * value is orient * (REST - |guard|), positive or negative as remembered, and it crosses when the
 * guard leaves the corner; orient then keeps the sign continuous for the guard itself. */
void lanes_switches_guards(Lanes *l, size_t lane, double t, const double *y, double *ret_values)
{
    const size_t n = l->motion->n_switches;
    const double *out = evaluate_switches(l, lane, t, y);

    for (size_t k = 0; k < n; k++) {
        double orient = l->orient[k * l->lanes + lane];
        double mode = l->modes[k * l->lanes + lane];
        double guard = mode == 0 ? REST - fabs(out[k]) : out[k];
        /* on the corner, as far as can be told, it is on the side of its mode */
        if (mode != 0 && fabs(guard) <= l->noise[k * l->lanes + lane])
            guard = mode * DBL_TRUE_MIN;
        ret_values[k] = orient * guard;
    }
}

void lanes_switches_cross(Lanes *l, size_t lane, size_t k, int direction, double t, const double *y)
{
    double *mode = &l->modes[k * l->lanes + lane], *orient = &l->orient[k * l->lanes + lane];
    const double watched = l->onward[lane] * direction; /* its sign from here on */

    measure_noise(l, lane, t, y);
    const double guard = evaluate_switches(l, lane, t, y)[k], side = sign_of(guard);
    if (*mode == 0) {
        *mode = side == 0 ? 1 : side;
    } else if (fabs(guard) > JUMPED * l->noise[k * l->lanes + lane]) {
        *mode = side; /* it has not met its corner, it has jumped over it */
    } else {
        *mode = mode_at_corner(l, lane, k, watched * *orient, t, y);
    }
    *orient = *mode == 0 ? watched : watched * *mode;
}
