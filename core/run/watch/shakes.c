/* Random factors that a workspace keeps for all its runs, and points moved by them. */
#include "core/run/watch/shakes.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/run/equations/stand_in.h"

/* Of small systems, those for all operands of their equations. */
enum { KEPT_SHAKES = 512 };

void shakes_of_workspace(RunWorkspace *workspace, Shakes *shakes)
{
    if (!workspace->shakes) {
        double *kept = alloc_array(KEPT_SHAKES, sizeof *kept);
        for (size_t k = 0; kept && k < KEPT_SHAKES; k++)
            kept[k] = shakes_next(shakes);
        workspace->shaken = *shakes->random;
        workspace->shakes = kept;
    }
    *shakes->random = workspace->shaken;
    shakes->kept = workspace->shakes;
    shakes->n_kept = workspace->shakes ? KEPT_SHAKES : 0;
}

/* Of a motion that is another one than before; without memory, and where there are more factors
 * than are kept, of none. */
static void find_moved(RunWorkspace *workspace, const MotionState *at)
{
    const Motion *motion = stand_in_motion(at);
    const Shaken *moved = compiled_shaken(at->s->compiled, motion);

    workspace->moved_motion = motion;
    workspace->moved = NULL;
    if (!moved || shaken_n_factors(moved) > KEPT_SHAKES)
        return;
    const size_t n = program_n_outputs(motion->point);
    free(workspace->moved_out);
    workspace->moved_out =
        alloc_array(n + shaken_work_doubles(moved), sizeof *workspace->moved_out);
    if (!workspace->moved_out)
        return;
    workspace->moved_work = workspace->moved_out + n;
    workspace->moved = moved;
    shaken_bind(moved, at->s->params, workspace->shakes, workspace->moved_work);
}

const double *shakes_moved_point(RunWorkspace *workspace, const MotionState *at,
                                 const double *state, Shakes *shakes)
{
    const Motion *motion = stand_in_motion(at);

    if (!workspace->shakes || shakes->kept != workspace->shakes || motion->n_switches ||
        motion->n_implicit)
        return NULL;
    if (workspace->moved_motion != motion)
        find_moved(workspace, at);
    if (!workspace->moved)
        return NULL;
    shaken_bind_params(workspace->moved, at->s->params, workspace->moved_work);
    if (!shaken_eval(workspace->moved, state, workspace->moved_out, workspace->moved_work))
        return NULL;
    const size_t n = shaken_n_factors(workspace->moved);
    shakes->kept += n;
    shakes->n_kept -= n;
    return workspace->moved_out;
}
