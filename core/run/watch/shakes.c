/* Random factors that a room keeps for all its runs, and points moved by them. */
#include "core/run/watch/shakes.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/run/equations/stand_in.h"

/* Of small systems, those for all operands of their equations. */
enum { KEPT_SHAKES = 512 };

void shakes_of_workspace(RunWorkspace *room, Shakes *shakes)
{
    if (!room->shakes) {
        double *kept = alloc_array(KEPT_SHAKES, sizeof *kept);
        for (size_t k = 0; kept && k < KEPT_SHAKES; k++)
            kept[k] = shakes_next(shakes);
        room->shaken = *shakes->random;
        room->shakes = kept;
    }
    *shakes->random = room->shaken;
    shakes->kept = room->shakes;
    shakes->n_kept = room->shakes ? KEPT_SHAKES : 0;
}

/* Of a motion that is another one than before; without memory, and where there are more factors
 * than are kept, of none. */
static void find_moved(RunWorkspace *room, const Run *run)
{
    const Motion *motion = stand_in_motion(run);
    const Shaken *moved = NULL;

    room->moved_motion = motion;
    room->moved = NULL;
    if (compiled_shaken(run->s->compiled, motion, &moved, NULL) != OK || !moved ||
        shaken_n_factors(moved) > KEPT_SHAKES)
        return;
    const size_t n = program_n_outputs(motion->point);
    free(room->moved_out);
    room->moved_out = alloc_array(n + shaken_work_doubles(moved), sizeof *room->moved_out);
    if (!room->moved_out)
        return;
    room->moved_work = room->moved_out + n;
    room->moved = moved;
    shaken_bind(moved, run->s->params, room->shakes, room->moved_work);
}

const double *shakes_moved_point(RunWorkspace *room, const Run *run, const double *state,
                                 Shakes *shakes)
{
    const Motion *motion = stand_in_motion(run);

    if (!room->shakes || shakes->kept != room->shakes || motion->n_switches || motion->n_implicit)
        return NULL;
    if (room->moved_motion != motion)
        find_moved(room, run);
    if (!room->moved)
        return NULL;
    shaken_bind_params(room->moved, run->s->params, room->moved_work);
    if (!shaken_eval(room->moved, state, room->moved_out, room->moved_work))
        return NULL;
    const size_t n = shaken_n_factors(room->moved);
    shakes->kept += n;
    shakes->n_kept -= n;
    return room->moved_out;
}
