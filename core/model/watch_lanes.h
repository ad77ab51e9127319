/* mass_watch and rank_watch of several motions at once. Results have the bits of one motion alone,
 * if nothing is suspected and M and A were evaluated near enough to the state. */
#ifndef CORE_MODEL_WATCH_LANES_H
#define CORE_MODEL_WATCH_LANES_H

#include "core/model/mass_watch.h"
#include "core/model/rank_watch.h"

/* The states at which M and A were evaluated, and the states of the motions, [row][lane]. */
typedef struct WatchedStep {
    const double *t, *t_new;        /* [lanes] */
    const double *y, *y_new;        /* q and v before and now */
    const double *state, *matrices; /* t, q, v; M[n x n], A[r x n] */
    const double *changing;         /* M of ModelFixed.changing alone */
    const int64_t *looks;           /* -1 in lanes that need rank_watch_horizon() */
} WatchedStep;

void mass_lanes_enter(MassRows *mass, size_t lane, const MassWatch *watch);
void mass_lanes_leave(const MassRows *mass, size_t lane, MassWatch *watch);

/* For a watch that was started at the state of the motion. */
void rank_lanes_enter(RankRows *rank, size_t lane, const RankWatch *watch);
/* (q, v): the state of the motion. */
void rank_lanes_leave(const RankRows *rank, size_t lane, RankWatch *watch, double t,
                      const double *state);
/* Compiled once for each instruction set, for whole blocks of lanes. Lanes that need a check on
 * their own are removed from the masks. */
typedef struct WatchKernel {
    void (*mass_look)(MassRows *mass, const WatchedStep *step, int64_t *masks);
    void (*mass_take)(MassRows *mass, const int64_t *masks);
    /* `ahead`: see rank_watch_suspects(). Returns rank_watch_horizon() and rank_watch_margin()
     * after the step. */
    void (*rank_look)(RankRows *rank, const WatchedStep *step, double ahead, double *ret_horizon,
                      double *ret_margin, int64_t *masks);
    void (*rank_take)(RankRows *rank, const WatchedStep *step, const int64_t *masks);
} WatchKernel;
extern const WatchKernel watch_kernel_sse2, watch_kernel_avx2, watch_kernel_avx512;

#endif
