/* Copies the evidence of runs into rows of lanes and back. */
#include "core/run/batch/evidence_lanes.h"

/* Numbers and counts alike. */
typedef int64_t Word __attribute__((may_alias));

static void move(double *rows, size_t lanes, size_t lane, void *column, size_t n, LaneWay way)
{
    Word *in_lane = (Word *)(void *)rows + lane, *in_run = column;

    for (size_t k = 0; k < n; k++)
        if (way == INTO_LANE)
            in_lane[k * lanes] = in_run[k];
        else
            in_run[k] = in_lane[k * lanes];
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

void evidence_lanes_move(const EvidenceLanes *e, size_t lane, Run *run, LaneWay way)
{
    const size_t n = e->model->n, r = e->model->r;
    Residual *residuals = run->evidence.motion.velocity;

    move(e->residuals, e->lanes, lane, residuals, 2 * r * RESIDUAL_NUMBERS, way);
    evidence_lanes_move_sums(e, lane, run, way);
    move(e->bounds, e->lanes, lane, run->at.bounds, 2 * n, way);
    move(e->speed_squares, e->lanes, lane, run->at.speed_squares, n, way);
}

void evidence_lanes_move_sums(const EvidenceLanes *e, size_t lane, Run *run, LaneWay way)
{
    move(e->sums, e->lanes, lane, &run->evidence.motion.sums, EVIDENCE_SUMS, way);
}
