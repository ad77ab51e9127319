/* The room of a simulation: parts that its runs leave to the next one. */
#include "core/run/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/run/equations/stand_in.h"

RunWorkspace *run_workspace_new(void)
{
    return alloc_array(1, sizeof(RunWorkspace));
}

void run_workspace_free(RunWorkspace *room)
{
    if (!room)
        return;
    motion_eval_free(room->equations);
    step_end_eval_done(&room->end);
    free(room->params);
    free(room->shakes);
    free(room->moved_out);
    drive_workspace_done(&room->drive);
    arena_done(&room->run.memory);
    arena_done(&room->run.lasting);
    arena_done(&room->lasting);
    free(room);
}

Run *run_workspace_place(Simulation *simulation, Run *own)
{
    return simulation->room ? &simulation->room->run : own;
}

static void keep_params(RunWorkspace *room, const Simulation *s, size_t n)
{
    if (!room->params)
        room->params = alloc_array(n, sizeof *room->params);
    if (room->params && n)
        memcpy(room->params, s->params, n * sizeof *room->params);
}

const double *run_workspace_new_params(const RunWorkspace *room, const Simulation *s)
{
    const size_t bytes = s->compiled->model->n_params * sizeof *s->params;
    const bool same = room->params && (bytes == 0 || memcmp(room->params, s->params, bytes) == 0);

    return same ? NULL : s->params;
}

void run_workspace_leave(Run *run, RunWorkspace *room)
{
    motion_eval_free(room->equations);
    room->equations = run->eq.eval;
    step_end_eval_done(&room->end);
    room->end = run->evidence.motion.end;
    keep_params(room, run->s, run->model->n_params);
}

/* CornerChecks and features are made of parameters, and sensitivities are released with the run. */
void run_workspace_keep(RunWorkspace *room, const Run *run)
{
    const Simulation *s = run->s;
    const bool lasts =
        !s->sensitivities && run->watch.features.features.n == 0 && s->motion->n_switches == 0;

    room->begun_for = lasts ? s->motion : NULL;
}

bool run_workspace_fits(const RunWorkspace *room, const Simulation *s)
{
    return room->begun_for == s->motion;
}
