/* Random factors that a workspace keeps for all its runs. */
#include "core/run/watch/shakes.h"

#include "core/base/memory.h"

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
