/* The room of a simulation: runs begun as copies of one that began alike. */
#include "core/run/room.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/run/equations/stand_in.h"

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
