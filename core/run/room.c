/* The room of a simulation: runs begun as copies of one that began alike. */
#include "core/run/room.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/run/stand_in.h"

/* Of small systems, those for all operands of their equations. */
enum { KEPT_SHAKES = 512 };

RunRoom *run_room_new(void)
{
    return alloc_array(1, sizeof(RunRoom));
}

static void forget_image(RunImage *image)
{
    kept_bytes_done(&image->run);
    kept_bytes_done(&image->memory);
    image->kept = false;
}

void run_room_free(RunRoom *room)
{
    if (!room)
        return;
    motion_eval_free(room->equations);
    step_end_eval_done(&room->end);
    free(room->params);
    free(room->shakes);
    free(room->moved_out);
    drive_room_done(&room->drive);
    arena_done(&room->memory);
    arena_done(&room->lasting);
    forget_image(&room->image);
    free(room);
}

Run *run_room_place(Simulation *simulation, Run *own)
{
    return simulation->room ? &simulation->room->run : own;
}

void run_room_enter(Run *run, RunRoom *room)
{
    run->memory = room->memory;
    room->memory = (Arena){0};
}

static void keep_params(RunRoom *room, const Simulation *s, size_t n)
{
    if (!room->params)
        room->params = alloc_array(n, sizeof *room->params);
    if (room->params && n)
        memcpy(room->params, s->params, n * sizeof *room->params);
}

const double *run_room_new_params(const RunRoom *room, const Simulation *s)
{
    const size_t bytes = s->compiled->model->n_params * sizeof *s->params;
    const bool same = room->params && (bytes == 0 || memcmp(room->params, s->params, bytes) == 0);

    return same ? NULL : s->params;
}

void run_room_leave(Run *run, RunRoom *room)
{
    if (room->image.kept)
        arena_release(&run->memory, room->image.mark);
    else
        arena_clear(&run->memory);
    room->memory = run->memory;
    motion_eval_free(room->equations);
    room->equations = run->eq.eval;
    step_end_eval_done(&room->end);
    room->end = run->evidence.motion.end;
    keep_params(room, run->s, run->model->n_params);
}

void run_room_shakes(RunRoom *room, Shakes *shakes)
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
static void find_moved(RunRoom *room, const Run *run)
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

const double *run_room_moved_point(RunRoom *room, const Run *run, const double *state,
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

/* Whether nothing in it depends on parameters, or is released at its end, but what every run leaves
 * to the next one. */
static bool is_plain(const Run *run)
{
    const Simulation *s = run->s;

    return !s->sensitivities && !s->compiled->corners && run->watch.features.features.n == 0 &&
           s->motion->n_switches == 0;
}

void run_room_keep(RunRoom *room, const Run *run)
{
    RunImage *image = &room->image;
    size_t n;
    const void *bytes = arena_bytes(&run->memory, &n);

    if (!bytes || !is_plain(run))
        return;
    image->kept = kept_bytes_take(&image->memory, bytes, n) &&
                  kept_bytes_take(&image->run, run, RUN_BEGINNING);
    image->mark = arena_mark(&run->memory);
    image->motion = run->s->motion;
    image->tells_evidence = run->rows.sink->evidence != NULL;
    image->n_rows = run->watch.singular.watch.n_rows;
    image->watches_rank = run->watch.singular.watch.rows != NULL;
    if (!image->kept)
        forget_image(image);
}

static void drop_image(RunRoom *room)
{
    forget_image(&room->image);
    arena_clear(&room->memory);
}

/* Whether the run that was kept has the same equations, and watches the same. */
static bool is_alike(const RunImage *image, const Simulation *s, const SimulationSink *sink)
{
    const size_t rank = s->start.report.rank;

    return image->motion == s->motion && image->tells_evidence == (sink->evidence != NULL) &&
           image->n_rows == rank &&
           (rank == 0 || rank_watch_is_needed(s->eval, s->times.t0, s->start.q, s->start.v,
                                              s->start.rows, rank) == image->watches_rank);
}

bool run_room_repeat(RunRoom *room, Run *run, const Simulation *s, const SimulationSink *sink)
{
    const RunImage *image = &room->image;
    size_t n;

    if (!image->kept)
        return false;
    if (!is_alike(image, s, sink)) {
        drop_image(room);
        return false;
    }
    kept_bytes_put(&image->run, run);
    kept_bytes_put(&image->memory, arena_bytes(&run->memory, &n));
    room->memory = (Arena){0};
    run->rows.sink = sink;
    return true;
}
