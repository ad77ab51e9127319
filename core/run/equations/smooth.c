/* Passages in (q, v), by the equations with multipliers. */
#include "core/run/equations/smooth.h"

#include <math.h>
#include <string.h>

#include "core/motion/choice.h"
#include "core/prepare/nominal.h"
#include "core/run/state/extent.h"
#include "core/run/state/projection.h"
#include "core/run/state/stochastic.h"

size_t smooth_widest(const MotionState *at)
{
    const size_t n = at->model->n;
    return at->size > 2 * n ? at->size : 2 * n;
}

static void follow(void *self, double t, const double *y, double *ret_z, double *ret_rates)
{
    const Run *run = self;
    const size_t n = run->at.model->n;
    const MotionPoint point = motion_eval_point(run->at.eq.eval, t, y);

    memcpy(ret_z, point.q, n * sizeof *ret_z);
    memcpy(ret_z + n, point.v, n * sizeof *ret_z);
    memcpy(ret_rates, point.v, n * sizeof *ret_rates);
    memcpy(ret_rates + n, point.vdot, n * sizeof *ret_rates);
}

/* Derived for the first passage of a model, bound for the first one of the run. */
static Status bind_equations(MotionState *at, Error *err)
{
    Simulation *s = at->s;
    Smooth *smooth = &at->eq.smooth;
    MotionOptions options = motion_options(s->motion);

    if (smooth->equations)
        return OK;
    options.choice = 0;
    Status status =
        compiled_motion_in(s->compiled, formulation_find("lagrange-dalembert"), &options,
                           motion_class_of(&s->start.report), &smooth->motion, err);
    return status == OK ? motion_eval_new(at->model, smooth->motion, s->params, false,
                                          &smooth->equations, err)
                        : status;
}

/* The sizes of what was met so far. */
static void take_sizes(MotionState *at, const double *z, double *ret_size)
{
    const size_t n = at->model->n;
    double *largest = at->eq.smooth.largest;

    for (size_t i = 0; i < n; i++) {
        const double met = fmax(fabs(at->bounds[i]), fabs(at->bounds[n + i]));
        largest[i] = fmax(met, fabs(z[i]));
        largest[n + i] = fmax(extent_speed(at, i), fabs(z[n + i]));
    }
    nominal_met(at->s, largest, ret_size);
}

static void take_noise(MotionState *at, double t, const double *z, double *ret_noise,
                       double *ret_carried)
{
    const size_t n = at->model->n, rows = 2 * n + 1;
    double *shaken = at->eq.smooth.shaken;

    memset(ret_noise, 0, 2 * n * sizeof *ret_noise);
    memset(ret_carried, 0, 2 * n * sizeof *ret_carried);
    for (size_t k = 0; k < SHAKE_DRAWS; k++)
        motion_eval_rates_shaken(at->eq.smooth.equations, t, z, shaken + k * rows);
    for (size_t i = 0; i < 2 * n; i++)
        for (size_t k = 1; k < SHAKE_DRAWS; k++) {
            const double noise = ODE_NOISE_MARGIN * fabs(shaken[k * rows + i] - shaken[i]);
            if (isfinite(noise))
                ret_noise[i] = fmax(ret_noise[i], noise);
        }
    memcpy(ret_carried, ret_noise + n, n * sizeof *ret_carried);
}

static bool begin(void *self, double t, const double *z, double *ret_size, double *ret_noise,
                  double *ret_carried)
{
    Run *run = self;
    Error ignored;

    if (bind_equations(&run->at, &ignored) != OK)
        return false;
    motion_eval_start_switches(run->at.eq.smooth.equations,
                               sample_times_backwards(&run->at.s->times), t, z);
    take_sizes(&run->at, z, ret_size);
    take_noise(&run->at, t, z, ret_noise, ret_carried);
    return true;
}

static void smooth_rates(void *self, double t, const double *z, double *ret_rates)
{
    const Run *run = self;
    motion_eval_rates(run->at.eq.smooth.equations, &t, z, ret_rates);
}

static Status project(void *self, double t, double *z, Error *err)
{
    Run *run = self;
    StepEndChange change;
    return state_project_model(&run->at, &run->evidence.motion, t, z, z + run->at.model->n, &change,
                               err);
}

/* The constraints may leave several solutions for the remaining velocities. At the end of a step
 * the rates look for theirs near the solution of z. The velocities of a cone phi(v) = 0 have passed
 * its tip, and are on its other side. */
static bool leave(void *self, double t, const double *z, double *y, bool end)
{
    Run *run = self;
    const double *q = z, *v = z + run->at.model->n;
    Error ignored;

    return (end ? motion_eval_restate(run->at.eq.eval, t, q, v, NULL, y, &ignored)
                : motion_eval_restate_seen(run->at.eq.eval, t, q, v, NULL, y, &ignored)) == OK;
}

/* The state is q and the velocities that the constraints leave free. Momenta and charts stay
 * smooth. Multipliers, the time of a multiplier and sensitivities do not follow from (q, v). */
static bool determined_by_model(const MotionState *at)
{
    const Motion *motion = at->s->motion;
    return motion->formulation->uses_dependent && !at->eq.sensitivities &&
           motion->dim == 2 * at->model->n - motion->n_rows;
}

Status smooth_init(MotionState *at, Arena *memory, Error *err)
{
    const size_t n = at->model->n;
    Smooth *smooth = &at->eq.smooth;

    /* other variables can stand in only for a state that (q, v) determines */
    *smooth = (Smooth){.wanted = singular_watches(&at->singular) && determined_by_model(at)};
    if (!smooth->wanted)
        return OK;
    const ArenaPiece pieces[] = {
        {&smooth->z, 2 * n + 1},
        {&smooth->seen, 2 * n},
        {&smooth->largest, 2 * n},
        {&smooth->shaken, (SHAKE_DRAWS + 1) * (2 * n + 1)},
    };
    smooth->variables = (OdeSmooth){.dim = 2 * n,
                                    .follow = follow,
                                    .begin = begin,
                                    .rates = smooth_rates,
                                    .project = at->s->integration.projection ? project : NULL,
                                    .leave = leave};
    arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
    return arena_status(memory, err);
}

const OdeSmooth *smooth_variables(const MotionState *at)
{
    return at->eq.smooth.wanted ? &at->eq.smooth.variables : NULL;
}
