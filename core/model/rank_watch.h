/* Whether constraints lose rank along a motion, between states that are some distance apart.
 *
 * B is the matrix of the rows A_a in use. Each row is divided by its own length at the state
 * before, in the metric of the diagonal of M. So factors of equations and units of coordinates do
 * not count, but a row that vanishes does. A singular value changes by no more than B does (Weyl).
 * If the sum of the smallest singular values at two states exceeds the length of the path of B
 * between them, B has full rank all along. The length is assumed to be at most twice the distance
 * plus the bend of B over the last states, because B may vanish on the path and return. */
#ifndef CORE_MODEL_RANK_WATCH_H
#define CORE_MODEL_RANK_WATCH_H

#include "core/model/state.h"
#include "core/model/watch_rows.h"

typedef struct RankWatch {
    ModelEval *eval;
    RankRows rows; /* of one lane; rows.rows NULL: nothing to watch. `next` is seen last */
    double seen_t; /* its time */
    double *after, margin_after; /* n_rows x n: B of `next` in the scales of `now`; its margin */
    double *inner, *middle;      /* the same, of rank_watch_find() */
    double *state;               /* 2 n: (q, v) at `now` */
    double t_before;             /* time of `now`; NAN: not started */
} RankWatch;

/* Whether the rows in use need a watch. Rows that cannot become dependent need none: rows that are
 * constant, or only turn (ModelFixed.A_turns), or each have a constant coefficient of a velocity
 * that the others do not contain. An entry that depends on parameters alone is constant; its value
 * is taken at the start of the motion, (t, q, v). */
bool rank_watch_is_needed(ModelEval *eval, double t, const double *q, const double *v,
                          const size_t *rows, size_t n_rows);
/* rows NULL: rank_watch_is_needed() was false. Arrays live in the arena; rows are borrowed. */
void rank_watch_init(RankWatch *watch, ModelEval *eval, const size_t *rows, size_t n_rows,
                     Arena *arena);

/* The start of a step. If `jumped` is false and rank_watch_suspects() was last called at this time,
 * its matrices are used. */
void rank_watch_start(RankWatch *watch, double t, const double *q, const double *v, bool jumped);

/* Sets the watch to its state after rank_watch_start() at (t, q, v). Another watch (watch_lanes.h)
 * has computed its scales and margins, and A at this state and the one before. */
void rank_watch_resume(RankWatch *watch, double t, const double *state);

/* Whether rank may be lost on the way from the last start to this state, or within `ahead` times
 * that distance beyond it if the motion continues alike. */
bool rank_watch_suspects(RankWatch *watch, double t, const double *q, const double *v,
                         double ahead);

/* Whether at t, the time of the last rank_watch_suspects(), the rows in use are clearly
 * independent. rank_find() would also find full rank, for rows of length one in units of M. */
bool rank_watch_is_clear(const RankWatch *watch, double t);

/* The state at theta of a smooth path, theta = 0 at the start. */
typedef void RankWay(void *self, double theta, double *ret_t, const double **ret_q,
                     const double **ret_v);

/* The time for which the rank stays full from the last start if B keeps its rate of change; 0 if
 * the rank is so nearly lost that rounding decides about the accelerations. */
double rank_watch_horizon(RankWatch *watch);
/* The margin to a loss of rank at the last start, relative to the widest so far: in (0, 1]. */
double rank_watch_margin(const RankWatch *watch);

/* The first theta in [0, most] at which the smallest singular value of B has a minimum below `tiny`
 * times its largest value before; NAN if there is none. */
double rank_watch_find(RankWatch *watch, RankWay *way, void *self, double most, double tiny);

#endif
