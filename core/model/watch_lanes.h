/* mass_watch and rank_watch of several motions at once, in rows of lanes, [row][lane]. Results have
 * the bits of one motion alone, if nothing is suspected and M and A were evaluated near enough to
 * the state. */
#ifndef CORE_MODEL_WATCH_LANES_H
#define CORE_MODEL_WATCH_LANES_H

#include "core/base/arena.h"
#include "core/model/mass_watch.h"
#include "core/model/rank_watch.h"

/* The states at which M and A were evaluated, and the states of the motions. */
typedef struct WatchedStep {
    const double *t, *t_new;        /* [lanes] */
    const double *y, *y_new;        /* q and v before and now */
    const double *state, *matrices; /* t, q, v; M[n x n], A[r x n] */
    const double *changing;         /* M of ModelFixed.changing alone */
    const int64_t *looks;           /* -1 in lanes that need rank_watch_horizon() */
} WatchedStep;

/* Members of MassWatch; `next_`: after the step under test. */
typedef struct MassLanes {
    size_t n, lanes;                                       /* n: ModelFixed.n_changing */
    double *pivots, *largest, *next_pivots, *next_largest; /* n */
    double *work;                                          /* n x n */
} MassLanes;

typedef struct RankLanes {
    size_t n, n_rows, lanes;
    const size_t *rows;
    /* of RankWatch */
    double *row_scale, *longest; /* n_rows */
    double *column_scale, *mass; /* n */
    double *here, *past;         /* n_rows x n */
    double *margin_before, *margin, *widest, *farthest, *rate, *t_past;
    /* the same after the step under test */
    double *next_row_scale, *next_longest, *next_column_scale, *next_mass, *seen;
    double *next_margin_before, *next_margin, *next_widest, *next_farthest, *next_rate;
    double *matrix, *gram, *column; /* scratch: n_rows x n, n_rows x n_rows, n_rows */
} RankLanes;

void mass_lanes_init(MassLanes *mass, const Model *model, size_t lanes, Arena *arena);
void mass_lanes_enter(MassLanes *mass, size_t lane, const MassWatch *watch);
void mass_lanes_leave(const MassLanes *mass, size_t lane, MassWatch *watch);

void rank_lanes_init(RankLanes *rank, size_t n, const size_t *rows, size_t n_rows, size_t lanes,
                     Arena *arena);
/* For a watch that was started at the state of the motion. */
void rank_lanes_enter(RankLanes *rank, size_t lane, const RankWatch *watch);
/* (q, v): the state of the motion. */
void rank_lanes_leave(const RankLanes *rank, size_t lane, RankWatch *watch, double t,
                      const double *state);
/* Compiled once for each instruction set, for whole blocks of lanes. Lanes that need a check on
 * their own are removed from the masks. */
typedef struct WatchKernel {
    void (*mass_look)(MassLanes *mass, const WatchedStep *step, int64_t *masks);
    void (*mass_take)(MassLanes *mass, const int64_t *masks);
    /* `ahead`: see rank_watch_suspects(). Returns rank_watch_horizon() and rank_watch_margin()
     * after the step. */
    void (*rank_look)(RankLanes *rank, const WatchedStep *step, double ahead, double *ret_horizon,
                      double *ret_margin, int64_t *masks);
    void (*rank_take)(RankLanes *rank, const WatchedStep *step, const int64_t *masks);
} WatchKernel;
extern const WatchKernel watch_kernel_sse2, watch_kernel_avx2, watch_kernel_avx512;

#endif
