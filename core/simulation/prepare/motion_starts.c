/* What initial_motion_check() finds of several starts at once, as far as all is well. */
#include "core/simulation/prepare/motion_starts.h"

#include <string.h>

#include "core/program/columns.h"
#include "core/simulation/prepare/initial_motion.h"

enum { LANES = INITIAL_LANES };

void motion_starts_done(MotionStarts *m)
{
    point_lanes_done(&m->points);
    arena_done(&m->memory);
    m->points.motion = NULL;
}

/* The equations of states that are clear: positive mass, all rows. */
static const Motion *motion_of(const Simulation *s)
{
    const Motion *motion = s->chosen;
    const bool usual = motion && s->chosen_class == MOTION_POSITIVE && motion->plain &&
                       motion->n_switches == 0 && motion->n_implicit == 0 &&
                       motion->n_rows == s->compiled->model->r &&
                       !s->compiled->formulation->keeps_multipliers;

    return usual ? motion : NULL;
}

static bool bind(MotionStarts *m, const Motion *motion, const Model *model)
{
    if (m->points.motion == motion)
        return true;
    motion_starts_done(m);
    Status status = point_lanes_init(&m->points, motion, model->param_values, LANES, NULL);
    m->out = arena_doubles(&m->memory, LANES * program_n_outputs(motion->point));
    if (status == OK && m->out)
        return true;
    motion_starts_done(m);
    return false;
}

/* A plain motion has the state that it was given. */
static void check(MotionStarts *m, const InitialLanes *initial)
{
    const Motion *motion = m->points.motion;
    const LanePoint first = point_lanes_read(&m->points, 0);
    const double *regularity = first.lambda + motion->n_rows * LANES;

    for (size_t k = 0; k < motion->n_regularity; k++)
        for (size_t l = 0; l < LANES; l++)
            m->sound[l] &= regularity[k * LANES + l] >= START_SINGULAR ? -1 : 0;
    initial->kernel->balance(initial, first.vdot, first.lambda, START_BALANCED, m->sound);
}

void motion_starts_make(MotionStarts *m, const Simulation *like, const InitialLanes *initial,
                        const int64_t *made)
{
    const Motion *motion = motion_of(like);
    Function *points = &m->points.points;
    double *out[LANES];

    memset(m->sound, 0, sizeof m->sound);
    if (!motion || !bind(m, motion, initial->model))
        return;
    for (size_t l = 0; l < LANES; l++)
        if (made[l])
            function_bind_lane(points, l, initial->params + l * initial->model->n_params);
    function_eval_at(points, initial->point.in, points->out);
    memcpy(m->sound, made, sizeof m->sound);
    check(m, initial);
    const size_t n = program_n_outputs(motion->point);
    for (size_t l = 0; l < LANES; l++)
        out[l] = m->sound[l] ? m->out + l * n : NULL;
    columns_take(points->out, n, LANES, out);
}

void motion_starts_take(const MotionStarts *m, size_t lane, Simulation *s)
{
    if (!m->sound[lane] || m->points.motion != s->motion)
        return;
    const size_t n = program_n_outputs(s->motion->point);
    s->start_point = arena_alloc(s->arena, n, sizeof *s->start_point);
    if (s->start_point)
        memcpy(s->start_point, m->out + lane * n, n * sizeof *m->out);
}
