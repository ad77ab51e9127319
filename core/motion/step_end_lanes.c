/* Ends of steps in lanes. */
#include "core/motion/step_end_lanes.h"

#include <string.h>

#include "core/program/compile/columns.h"
#include "core/program/kernels.h"

Status step_end_lanes_init(StepEndLanes *lanes, const StepEnd *end, const double *params,
                           size_t n_lanes, Error *err)
{
    *lanes = (StepEndLanes){.end = end, .kernel = KERNEL_BEST(step_end_kernel)};
    const Program *program = end->options.n_rows > 0 ? end->correct : end->look;
    Status status = function_bind(&lanes->correct, program, params, n_lanes, err);
    if (status != OK)
        return status;
    Arena *memory = &lanes->correct.memory;
    lanes->states = ARENA_NEW(memory, n_lanes, double *);
    lanes->outs = ARENA_NEW(memory, n_lanes, double *);
    const ArenaPiece pieces[] = {{&lanes->before, n_lanes},
                                 {&lanes->look, look_size(end->r) * n_lanes},
                                 {&lanes->dq, n_lanes},
                                 {&lanes->dv, n_lanes},
                                 {&lanes->energy, n_lanes}};
    arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
    return arena_status(memory, err);
}

void step_end_lanes_done(StepEndLanes *lanes)
{
    function_done(&lanes->correct);
}

void step_end_lanes_bind(StepEndLanes *lanes, size_t lane, const double *params)
{
    function_bind_lane(&lanes->correct, lane, params);
}

void step_end_lanes_eval(StepEndLanes *lanes, const double *t, const double *y,
                         StepEndEval *const *to)
{
    Function *f = &lanes->correct;
    const size_t n_lanes = f->lanes, n_state = 2 * lanes->end->n;
    bool any = false;

    memcpy(f->in, t, n_lanes * sizeof *t);
    memcpy(f->in + n_lanes, y, n_state * n_lanes * sizeof *y);
    function_eval(f);
    /* each eval gets the inputs and outputs of its lane, for its next correction */
    for (size_t k = 0; k < n_lanes; k++) {
        lanes->states[k] = to[k] ? to[k]->ahead_state : NULL;
        lanes->outs[k] = to[k] ? to[k]->ahead_out : NULL;
        any = any || to[k];
        if (to[k])
            to[k]->ahead = true;
    }
    if (!any)
        return;
    columns_take(f->in, 1 + n_state, n_lanes, lanes->states);
    columns_take(f->out, program_n_outputs(f->program), n_lanes, lanes->outs);
}

void step_end_lanes_correct(StepEndLanes *lanes, double *y, int64_t *masks)
{
    const StepEnd *end = lanes->end;
    Function *f = &lanes->correct;

    if (end->options.n_rows == 0) {
        memcpy(lanes->look, f->out, look_size(end->r) * f->lanes * sizeof *f->out);
        return;
    }
    memcpy(lanes->before, step_end_outputs(end, f->out, f->lanes).energy,
           f->lanes * sizeof *lanes->before);
    if (end->n_positions && lanes->kernel->move(lanes, masks)) {
        function_eval(f);
        lanes->kernel->arrive(lanes, masks);
    }
    lanes->kernel->velocities(lanes, y, masks);
}

void step_end_lanes_take_look(StepEndLanes *lanes, size_t lane, const double *look)
{
    for (size_t i = 0; i < look_size(lanes->end->r); i++)
        lanes->look[i * lanes->correct.lanes + lane] = look[i];
}

void step_end_lanes_matrices(const StepEndLanes *lanes, WatchedStep *ret)
{
    const StepEndOutputs out =
        step_end_outputs(lanes->end, lanes->correct.out, lanes->correct.lanes);

    ret->state = lanes->correct.in;
    ret->matrices = out.matrices;
    ret->changing = out.changing;
}
