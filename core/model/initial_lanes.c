/* Initial states in lanes: what initial.c does where all is clear, in its order. */
#include "core/model/initial_lanes.h"

#include <math.h>
#include <string.h>

#include "core/base/numbers.h"
#include "core/model/initial.h"
#include "core/model/project.h"
#include "core/model/rank.h"
#include "core/numeric/definite.h"
#include "core/program/columns.h"
#include "core/program/kernels.h"

enum { LANES = INITIAL_LANES };

static bool is_flat(const Model *m)
{
    for (size_t a = 0; a < m->r; a++)
        if (m->constraints[a].kind == CONSTRAINT_NONLINEAR)
            return false;
    return true;
}

static Status make_room(InitialLanes *s, Error *err)
{
    const Model *m = s->model;
    const size_t n = m->n, r = m->r;
    const ArenaPiece pieces[] = {
        {&s->params, LANES * m->n_params},
        {&s->given, n * LANES},
        {&s->best, n * LANES},
        {&s->worst, LANES},
        {&s->least, LANES},
        {&s->positions, LANES},
        {&s->rows, r * n * LANES},
        {&s->product, r * r * LANES},
        {&s->system, (n + r) * (n + r) * LANES},
        {&s->x, (n + r) * LANES},
        {&s->unit, r * LANES},
        {&s->matrices, initial_matrices_size(m) * LANES},
        {&s->states, LANES * (s->n_in + s->n_out)},
    };

    arena_pieces(&s->memory, pieces, sizeof pieces / sizeof *pieces);
    const Status status = arena_status(&s->memory, err);
    for (size_t l = 0; status == OK && l < LANES && m->n_params; l++)
        memcpy(s->params + l * m->n_params, m->param_values, m->n_params * sizeof *s->params);
    return status;
}

bool initial_lanes_possible(const Model *m)
{
    return m->n <= DEFINITE_MOST && m->r <= DEFINITE_MOST && m->r * m->n <= RANK_FEW_ENTRIES;
}

Status initial_lanes_init(InitialLanes *s, const ModelPrograms *programs, Error *err)
{
    const Model *m = model_programs_model(programs);

    *s = (InitialLanes){.model = m,
                        .kernel = KERNEL_BEST(initial_kernel),
                        .flat = is_flat(m),
                        .programs = programs};
    const Status status = model_programs_bind_point(programs, LANES, &s->point, err);
    if (status != OK)
        return status;
    s->at = point_places(m, s->point.out, LANES);
    s->n_in = program_n_inputs(s->point.program);
    s->n_out = program_n_outputs(s->point.program);
    s->v = s->point.in + (1 + m->n) * LANES;
    return make_room(s, err);
}

void initial_lanes_done(InitialLanes *s)
{
    function_done(&s->point);
    model_eval_free(s->finder);
    arena_done(&s->memory);
}

/* Whether all are given, or have been found. */
static bool find_missing(InitialLanes *s, const InitialState *state, const double *params)
{
    bool missing = false, found = false;

    for (size_t i = 0; state->v_given && i < s->model->n; i++)
        missing = missing || !state->v_given[i];
    if (!missing)
        return true;
    if (s->model->n_holonomic > 0)
        return false;
    if (s->finder)
        model_eval_renew(s->finder, params);
    else if (model_eval_new(s->programs, params, &s->finder, NULL) != OK)
        return false;
    return initial_find_velocities(s->finder, state, &found, NULL) == OK && found;
}

bool initial_lanes_put(InitialLanes *s, size_t lane, const InitialState *state,
                       const double *params)
{
    const size_t n = s->model->n, n_params = s->model->n_params;
    double *in = s->point.in + lane, *bound = s->params + lane * n_params;

    if (!find_missing(s, state, params))
        return false;
    in[0] = state->t;
    for (size_t i = 0; i < n; i++) {
        in[(1 + i) * LANES] = state->q[i];
        in[(1 + n + i) * LANES] = state->v[i];
    }
    if (!numbers_are_same(bound, params, n_params)) {
        memcpy(bound, params, n_params * sizeof *params);
        function_bind_lane(&s->point, lane, params);
    }
    return true;
}

/* As given: positions are not moved here, nor velocities that have to be admissible already, or that have nearer ones elsewhere. */
static void look_at_residuals(const InitialLanes *s, Consistency consistency, int64_t *masks)
{
    const double most = !s->flat                             ? INITIAL_UNTOUCHED
                        : consistency == CONSISTENCY_REQUIRE ? INITIAL_ADMISSIBLE
                                                             : INFINITY;

    for (size_t l = 0; l < LANES; l++)
        if (!(s->worst[l] <= most && s->positions[l] <= INITIAL_UNTOUCHED))
            masks[l] = 0;
}

static void copy_velocities(double *to, const double *from, size_t n, size_t lane)
{
    for (size_t i = lane; i < n * LANES; i += LANES)
        to[i] = from[i];
}

/* Of a lane, after a step: velocities are at the best place so far where it was the last one. Returns whether there is to be another;
 * *mask becomes 0 where the constraints are not met. */
static bool judge_step(InitialLanes *s, size_t lane, int64_t *mask)
{
    const size_t n = s->model->n;

    if (isnan(s->worst[lane])) {
        *mask = 0;
        return false;
    }
    const NewtonStep found = newton_step(s->worst[lane], &s->least[lane]);
    if (found.is_best) {
        copy_velocities(s->best, s->v, n, lane);
    } else if (found.is_last) {
        copy_velocities(s->v, s->best, n, lane);
        s->point.evaluated = false;
    }
    if (found.is_last && !newton_has_arrived(s->least[lane]))
        *mask = 0;
    return !found.is_last;
}

/* Onto the constraints, as correction_apply(). Returns whether any has moved. */
static bool move(InitialLanes *s, int64_t *masks)
{
    int64_t moves[LANES];
    bool any = false;

    /* which lanes have to be moved */
    for (size_t l = 0; l < LANES; l++) {
        moves[l] = s->worst[l] > INITIAL_UNTOUCHED ? masks[l] : 0;
        any |= moves[l] != 0;
    }
    if (!any)
        return false;
    memcpy(s->least, s->worst, LANES * sizeof *s->least);
    memcpy(s->best, s->given, s->model->n * LANES * sizeof *s->best);
    /* steps, until each lane has arrived or is left to be made alone */
    for (int k = 0; k < NEWTON_STEPS && any; k++) {
        int64_t made[LANES];
        memcpy(made, moves, sizeof made);
        s->kernel->step(s, made);
        function_eval(&s->point);
        s->kernel->measure(s);
        any = false;
        for (size_t l = 0; l < LANES; l++) {
            if (moves[l] && !made[l])
                masks[l] = 0;
            moves[l] = made[l] && judge_step(s, l, &masks[l]) ? -1 : 0;
            any |= moves[l] != 0;
        }
    }
    /* those still under way have not; some velocities were put back to the best that was met */
    for (size_t l = 0; l < LANES; l++)
        masks[l] &= ~moves[l];
    if (!s->point.evaluated)
        function_eval(&s->point);
    return true;
}

static void measure_changes(InitialLanes *s)
{
    memset(s->change, 0, sizeof s->change);
    for (size_t i = 0; i < s->model->n; i++)
        for (size_t l = 0; l < LANES; l++) {
            const double by = s->v[i * LANES + l] - s->given[i * LANES + l];
            s->change[l] += by * by;
        }
    for (size_t l = 0; l < LANES; l++)
        s->change[l] = sqrt(s->change[l]);
}

static void take_states(const InitialLanes *s)
{
    double *in[LANES], *out[LANES];

    for (size_t l = 0; l < LANES; l++) {
        in[l] = s->states + l * (s->n_in + s->n_out);
        out[l] = in[l] + s->n_in;
    }
    columns_take(s->point.in, s->n_in, LANES, in);
    columns_take(s->point.out, s->n_out, LANES, out);
}

void initial_lanes_make(InitialLanes *s, Consistency consistency, int64_t *masks)
{
    memcpy(s->given, s->v, s->model->n * LANES * sizeof *s->given);
    function_eval(&s->point);
    s->kernel->look_finite(s, masks);
    s->kernel->look_regular(s, masks);
    s->kernel->measure(s);
    look_at_residuals(s, consistency, masks);
    initial_take_matrices(s->model, &s->at, LANES, s->matrices);
    if (move(s, masks)) {
        s->kernel->look_finite(s, masks);
        if (!initial_has_matrices(s->model, &s->at, LANES, s->matrices))
            s->kernel->look_regular(s, masks);
    }
    measure_changes(s);
    take_states(s);
}

void initial_lanes_take(const InitialLanes *s, size_t lane, ModelEval *eval, double *ret_q,
                        double *ret_v, InitialReport *ret_report)
{
    const size_t n = s->model->n, r = s->model->r;
    const double *in = s->states + lane * (s->n_in + s->n_out);

    memcpy(eval->point.in, in, s->n_in * sizeof *in);
    memcpy(eval->point.out, in + s->n_in, s->n_out * sizeof *in);
    eval->point.evaluated = true;
    eval->metric = (ModelMetric){true, true};
    memcpy(ret_q, in + 1, n * sizeof *ret_q);
    memcpy(ret_v, in + 1 + n, n * sizeof *ret_v);
    *ret_report = (InitialReport){.independent = ret_report->independent,
                                  .rank = r,
                                  .rank_is_clear = true,
                                  .velocity_change = s->change[lane],
                                  .metric_is_mass = true,
                                  .mass_positive = true,
                                  .mass_divides = true};
    for (size_t a = 0; a < r; a++)
        ret_report->independent[a] = a;
}
