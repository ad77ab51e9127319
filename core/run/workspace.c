/* Parts that runs leave to the next one. */
#include "core/run/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

RunWorkspace *run_workspace_new(void)
{
    return alloc_array(1, sizeof(RunWorkspace));
}

void run_workspace_free(RunWorkspace *workspace)
{
    if (!workspace)
        return;
    motion_eval_free(workspace->equations);
    step_end_eval_done(&workspace->end);
    free(workspace->params);
    free(workspace->shakes);
    drive_workspace_done(&workspace->drive);
    arena_done(&workspace->run.memory);
    arena_done(&workspace->run.lasting);
    free(workspace);
}

Run *run_workspace_place(Simulation *simulation, Run *own)
{
    return simulation->workspace ? &simulation->workspace->run : own;
}

static void keep_params(RunWorkspace *workspace, const Simulation *s, size_t n)
{
    if (!workspace->params)
        workspace->params = alloc_array(n, sizeof *workspace->params);
    if (workspace->params && n)
        memcpy(workspace->params, s->params, n * sizeof *workspace->params);
}

const double *run_workspace_new_params(const RunWorkspace *workspace, const Simulation *s)
{
    const size_t bytes = s->compiled->model->n_params * sizeof *s->params;
    const bool same =
        workspace->params && (bytes == 0 || memcmp(workspace->params, s->params, bytes) == 0);

    return same ? NULL : s->params;
}

void run_workspace_leave(Run *run, RunWorkspace *workspace)
{
    motion_eval_free(workspace->equations);
    workspace->equations = run->at.eq.eval;
    step_end_eval_done(&workspace->end);
    workspace->end = run->evidence.motion.end;
    keep_params(workspace, run->at.s, run->at.model->n_params);
}

/* CornerChecks and features are made of parameters, and sensitivities are released with the run. */
void run_workspace_keep(RunWorkspace *workspace, const Run *run)
{
    const Simulation *s = run->at.s;
    const bool lasts =
        !s->sensitivities && run->watch.features.features.n == 0 && s->motion->n_switches == 0;

    workspace->begun_for = lasts ? s->motion : NULL;
}
