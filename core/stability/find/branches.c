/* Corners of the equations at one state: its branches, and whether they differ. */
#include "core/stability/find/branches.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"

Status branches_init(Branches *b, Local *local, const AnalysisContext *context, Arena *arena,
                     Error *err)
{
    const size_t n = local->motion->n_switches, dim = local->dim;

    *b = (Branches){.local = local,
                    .context = context,
                    .n = n,
                    .guards = arena_doubles(arena, n),
                    .moved = arena_doubles(arena, n),
                    .reach = arena_doubles(arena, n),
                    .modes = arena_doubles(arena, n),
                    .unit = arena_doubles(arena, dim * dim),
                    .here = arena_doubles(arena, dim * (dim + 1)),
                    .there = arena_doubles(arena, dim * (dim + 1))};
    const Status status = arena_status(arena, err);
    if (status != OK)
        return status;
    /* unit directions of the state, for the matrix of each branch */
    for (size_t i = 0; i < dim; i++)
        b->unit[i * dim + i] = 1;
    return OK;
}

bool branches_choose(Branches *b, const double *state)
{
    bool changed = false;

    /* a guard may be made of other corners */
    for (size_t times = 0; b->n && times <= b->n; times++)
        for (size_t k = 0; k < b->n; k++) {
            linearised_guards(b->local->linearised, b->context->t0, state, b->guards);
            linearised_set_mode(b->local->linearised, k, b->guards[k] < 0 ? -1 : 1);
        }
    for (size_t k = 0; k < b->n; k++) {
        const double mode = b->guards[k] < 0 ? -1 : 1;
        changed = changed || b->modes[k] != mode;
        b->modes[k] = mode;
    }
    return changed;
}

/* J, and the rates behind it, in the modes that are set. */
static void take(const Branches *b, const double *state, double *ret)
{
    const size_t dim = b->local->dim;

    linearised_along(b->local->linearised, b->context->t0, state, b->unit, dim, ret);
    linearised_state_rates(b->local->linearised, b->context->t0, state, ret + dim * dim);
}

/* The change of each guard if coordinates and velocities change by ACCURACY_COMPARED of their
 * sizes; within it the side of a guard is not known. ret_moves[n]: coordinates change the guard. */
static Status find_reach(Branches *b, double *state, bool *ret_moves, Error *err)
{
    const Local *local = b->local;
    const StateRange *range = &b->context->range;

    memset(b->reach, 0, b->n * sizeof *b->reach);
    for (size_t i = 0; i < local->dim; i++) {
        const double kept = state[i];
        state[i] += i < local->n ? range->size[i] : range->speed[i - local->n];
        linearised_guards(local->linearised, b->context->t0, state, b->moved);
        state[i] = kept;
        for (size_t k = 0; k < b->n; k++) {
            b->reach[k] += ACCURACY_COMPARED * fabs(b->moved[k] - b->guards[k]);
            ret_moves[k] = ret_moves[k] || (i < local->n && b->moved[k] != b->guards[k]);
        }
    }
    return analysis_poll(b->context, err);
}

Status branches_agree(Branches *b, double *state, bool velocities_alone, Error *err)
{
    const size_t dim = b->local->dim;
    Arena scratch = {0};
    bool *moves = ARENA_NEW(&scratch, b->n, bool), agree = true;
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = find_reach(b, state, moves, err);
    if (status == OK)
        take(b, state, b->here);
    /* compare the rates and their derivatives on both sides of each corner nearby */
    for (size_t k = 0; status == OK && agree && k < b->n; k++) {
        if (fabs(b->guards[k]) > b->reach[k])
            continue;
        linearised_set_mode(b->local->linearised, k, -b->modes[k]);
        take(b, state, b->there);
        linearised_set_mode(b->local->linearised, k, b->modes[k]);
        agree = !(velocities_alone && moves[k]);
        for (size_t i = 0; i < dim * (dim + 1); i++)
            agree = agree && b->here[i] == b->there[i];
    }
    arena_done(&scratch);
    if (status != OK || agree)
        return status;
    return error_set(err, ERR_INVALID,
                     "the state lies on a corner of the equations (abs, min, max, sign or if), or "
                     "too near to tell on which side: the motion is linearised only where it is "
                     "smooth");
}
