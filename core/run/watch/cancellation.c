/* Terms cancel in x - 1e9, in sin(x) after a million turns, or in the distance of two
 * satellites. Then a small relative error of the state is a large relative error of the
 * difference. The magnification is measured by stochastic arithmetic: every operand moves a
 * little at random, and the result moves by a multiple of that. */
#include "core/run/watch/cancellation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/memory.h"
#include "core/integrate/sizes.h"
#include "core/run/parts/result.h"
#include "core/run/state/extent.h"
#include "core/run/state/stochastic.h"

/* Fraction of the reported magnification. If a first draw moves each velocity by less, no other
 * draw would reach it. Convention. */
static const double LAST_DRAW_FRACTION = 1e-3;
/* Ratio of rounding to a velocity from which the velocity is at rest: it is rounding alone.
 * Convention. */
static const double REST_NOISE_RATIO = 1e-3;
/* Random factors that a workspace keeps. Convention: those for all operands of small systems. */
enum { KEPT_SHAKES = 512 };

/* The largest magnification of an error of the state. */
typedef struct Magnified {
    double error, times;
    const char *name; /* of a velocity's coordinate, or of a constraint */
    bool constraint;
} Magnified;

double cancellation_error(const Simulation *s)
{
    const double rtol = s->integration.options.step > 0 ? 0 : s->integration.options.rtol;
    return fmax(rtol, ROUNDING_MANY);
}

/* The same, if noise of the rates lifts the tolerance. */
static double error_of_steps(const Simulation *s, double magnified)
{
    const double lifted = ODE_NOISE_MARGIN * DBL_EPSILON * magnified;
    return fmax(cancellation_error(s), isfinite(lifted) ? lifted : 0);
}

static double step_of(const Simulation *s, const OdeOutcome *outcome, double t)
{
    return fabs(t - s->times.t0) / (double)(outcome->accepted + 1);
}

/* Rates without any noise have none, or have shown none by accident because their values have few
 * bits to lose. */
static bool is_silent(const OdeStep *step)
{
    for (size_t r = 0; r < step->dim; r++)
        if (step->rounding.noise[r] > 0)
            return false;
    return true;
}

double cancellation_magnified(const Simulation *s, const OdeStep *step, const OdeOutcome *outcome)
{
    const double h = step_of(s, outcome, step->t[0]);
    const bool known = sizes_have_noise(step) && !is_silent(step);

    return known ? sizes_noise_over(step, h, REST_NOISE_RATIO) / DBL_EPSILON : INFINITY;
}

static void take(Magnified *most, double error, double times, const char *name, bool constraint)
{
    if (times > CANCELLATION_MIN_RATIO && error * times > most->error && isfinite(times))
        *most = (Magnified){
            .error = error * times, .times = times, .name = name, .constraint = constraint};
}

/* The change of velocities over a step by rates that differ from `before`. speeds[n]: their sizes.
 * The state or all operands were off by SHAKE_SIZE, and may be off by `error`. Returns whether a
 * velocity comes near to a report. */
static bool take_velocities(const Simulation *s, double h, const double *speeds,
                            const double *before, const double *vdot, double error, Magnified *most)
{
    const Model *m = s->compiled->model;
    const double told = fmax(CANCELLATION_MIN_RATIO, result_believable(s) / error);
    bool near = false;

    for (size_t i = 0; i < m->n; i++) {
        const double change = h * fabs(vdot[i] - before[i]) / SHAKE_SIZE, speed = speeds[i];
        near = near || !(change <= LAST_DRAW_FRACTION * told * speed);
        if (change * DBL_EPSILON < REST_NOISE_RATIO * speed &&
            change > CANCELLATION_MIN_RATIO / 2 * speed)
            take(most, error, change / speed, m->names.coordinates[i], false);
    }
    return near;
}

/* The factors for operands are the same for all runs, so a workspace keeps the first ones. */
static Shakes begin_shakes(RunWorkspace *workspace, Random *random)
{
    Shakes shakes = {.by = SHAKE_SIZE, .random = random};

    random_init(random, 1);
    if (!workspace)
        return shakes;
    if (!workspace->shakes) {
        double *kept = alloc_array(KEPT_SHAKES, sizeof *kept);
        for (size_t k = 0; kept && k < KEPT_SHAKES; k++)
            kept[k] = shakes_next(&shakes);
        workspace->shaken = *random;
        workspace->shakes = kept;
    }
    *random = workspace->shaken;
    shakes.kept = workspace->shakes;
    shakes.n_kept = workspace->shakes ? KEPT_SHAKES : 0;
    return shakes;
}

/* The rates at a state that is off by SHAKE_SIZE. */
static const double *moved_rates(MotionState *at, double t, Shakes *shakes, double *moved)
{
    for (size_t i = 0; i < at->size; i++)
        moved[i] = at->y[i] * shakes_next(shakes);
    moved[at->size] = at->y[at->size];
    return motion_eval_point(at->eq.eval, t, moved).vdot;
}

/* The magnification in velocities, by the change of their rates over a step. Steps leave an error
 * of the state. Other errors are rounding, as where 1 - tanh(x)^2 cancels. */
static void magnified_velocities(MotionState *at, const OdeOutcome *outcome, Magnified *most)
{
    const size_t n = at->model->n;
    const double t = outcome->t, h = step_of(at->s, outcome, t);
    double *before = arena_doubles(at->s->arena, 2 * n + at->size + 1);

    if (!before)
        return;
    double *speeds = before + n, *moved = speeds + n;
    for (size_t i = 0; i < n; i++)
        speeds[i] = extent_speed(at, i);
    memcpy(before, motion_eval_point(at->eq.eval, t, at->y).vdot, n * sizeof *before);
    Random random;
    Shakes shakes = begin_shakes(at->s->workspace, &random);
    bool near = true;
    for (int k = 0; k < SHAKE_DRAWS && near; k++) {
        /* rounding of all operands, then errors of the state */
        const double *vdot = motion_eval_point_shaken(at->eq.eval, t, at->y, &shakes).vdot;
        near = take_velocities(at->s, h, speeds, before, vdot, ROUNDING_MANY, most);
        vdot = moved_rates(at, t, &shakes, moved);
        near |= take_velocities(at->s, h, speeds, before, vdot, cancellation_error(at->s), most);
    }
}

/* The largest of a row, in units of the mass matrix. */
static double largest_in(const ModelPoint *at, const double *row, size_t n)
{
    double largest = 0;

    for (size_t i = 0; i < n; i++) {
        const double mass = at->M[i * n + i], size = fabs(row[i]);
        if (mass > 0 && size > 0)
            largest = ode_larger(largest, size / sqrt(mass));
    }
    return largest;
}

/* Whether each coefficient of a row is known to `times` of its own rounding: so is the row then, in
 * all units. */
static bool is_known(const double *row, const double *rounding, size_t n, double times)
{
    bool known = true;

    for (size_t i = 0; i < n; i++)
        known = known && rounding[i] <= times * fabs(row[i]);
    return known;
}

/* Of the rows in use: where their coefficients are differences, so are the directions of their
 * reactions. */
static void magnified_rows(const Simulation *s, double t, double error, Magnified *most)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    const double told = result_believable(s) / error;
    const ModelPoint at = model_point(s->eval, t, s->start.q, s->start.v);

    for (size_t k = 0; k < s->start.report.rank; k++) {
        const size_t a = s->start.rows[k];
        if (is_known(at.A + a * n, at.A_rounding + a * n, n, told / 2))
            continue;
        const double rounding = largest_in(&at, at.A_rounding + a * n, n);
        const double size = largest_in(&at, at.A + a * n, n);
        if (rounding * DBL_EPSILON < REST_NOISE_RATIO * size)
            take(most, error, rounding / size, model->constraints[a].name, true);
    }
}

void cancellation_report(MotionState *at, double magnified, const OdeOutcome *outcome,
                         SimulationResult *result)
{
    const Simulation *s = at->s;
    const double believable = result_believable(s), error = cancellation_error(s);
    Magnified most = {0};

    /* steps may have become too small because of cancellation */
    if ((outcome->status != OK && !outcome->blown_up) || outcome->accepted == 0)
        return;
    /* an implicit method damps errors, and unbounded rates need no look */
    if (outcome->status == OK && !ode_method_needs_jacobian(s->integration.method) &&
        outcome->stiff_accepted == 0 && !(magnified * error < NEGLIGIBLE_PART * believable))
        magnified_velocities(at, outcome, &most);
    if (most.error <= believable && s->start.report.rank > 0)
        magnified_rows(s, outcome->t, error_of_steps(s, magnified), &most);
    if (most.error <= believable)
        return;
    result_warn(
        s, result,
        "terms cancel in %s%s%s, which magnifies errors of the state %.2g times: an error of %.2g, "
        "which a step may leave, becomes an error of %.2g there, relative to its size (rounding "
        "alone %.2g). Let less cancel: a coordinate x - 1e6 instead of x where it is about 1e6, "
        "relative coordinates instead of differences, angles of few turns; or take a smaller rtol",
        most.constraint ? "the constraint " : "the rates of dot(", most.name,
        most.constraint ? "" : ")", most.times, most.error / most.times, fmin(1, most.error),
        most.times * DBL_EPSILON);
}
