/* Copies the evidence of runs into rows of lanes and back. */
#include "core/run/batch/evidence_lanes.h"

/* Numbers and counts alike. */
typedef int64_t Word __attribute__((may_alias));

static void put(double *rows, size_t lanes, size_t lane, const void *column, size_t n)
{
    const Word *from = column;
    Word *to = (Word *)(void *)rows + lane;

    for (size_t k = 0; k < n; k++)
        to[k * lanes] = from[k];
}

static void get(const double *rows, size_t lanes, size_t lane, void *column, size_t n)
{
    const Word *from = (const Word *)(const void *)rows + lane;
    Word *to = column;

    for (size_t k = 0; k < n; k++)
        to[k] = from[k * lanes];
}

void evidence_lanes_init(EvidenceLanes *e, const Model *model, const StepEndLanes *ends,
                         Arena *arena)
{
    const size_t lanes = ends->correct.lanes, n = model->n * lanes, r = 2 * model->r * lanes;

    *e = (EvidenceLanes){.model = model, .ends = ends, .lanes = lanes};
    const ArenaPiece pieces[] = {{&e->residuals, r * RESIDUAL_NUMBERS},
                                 {&e->relative, r},
                                 {&e->sums, EVIDENCE_SUMS * lanes},
                                 {&e->bounds, 2 * n},
                                 {&e->speed_squares, n}};
    arena_pieces(arena, pieces, sizeof pieces / sizeof *pieces);
}

void evidence_lanes_enter(EvidenceLanes *e, size_t lane, const Run *run)
{
    const size_t n = e->model->n, r = e->model->r;

    put(e->residuals, e->lanes, lane, run->evidence.motion.velocity, 2 * r * RESIDUAL_NUMBERS);
    put(e->sums, e->lanes, lane, &run->evidence.motion.sums, EVIDENCE_SUMS);
    put(e->bounds, e->lanes, lane, run->at.bounds, 2 * n);
    put(e->speed_squares, e->lanes, lane, run->at.speed_squares, n);
}

void evidence_lanes_leave(const EvidenceLanes *e, size_t lane, Run *run)
{
    const size_t n = e->model->n, r = e->model->r;

    get(e->residuals, e->lanes, lane, run->evidence.motion.velocity, 2 * r * RESIDUAL_NUMBERS);
    get(e->sums, e->lanes, lane, &run->evidence.motion.sums, EVIDENCE_SUMS);
    get(e->bounds, e->lanes, lane, run->at.bounds, 2 * n);
    get(e->speed_squares, e->lanes, lane, run->at.speed_squares, n);
}

void evidence_lanes_take_sums(const EvidenceLanes *e, size_t lane, Run *run)
{
    get(e->sums, e->lanes, lane, &run->evidence.motion.sums, EVIDENCE_SUMS);
}

void evidence_lanes_put_sums(EvidenceLanes *e, size_t lane, const Run *run)
{
    put(e->sums, e->lanes, lane, &run->evidence.motion.sums, EVIDENCE_SUMS);
}
