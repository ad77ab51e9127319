/* Whether constraints lose rank along a motion, between states that are some distance apart.
 *
 * B is the matrix of the rows A_a in use, each over its own length at the state before, in the
 * metric of the diagonal of M: an equation's factor and units of coordinates do not count, but a
 * row that vanishes does. A singular value changes by no more than B does (Weyl): where the
 * smallest ones at two states are together larger than the way from B to B there, B has full rank
 * all along. The way is taken to be at most twice the distance, and what B's bend over the last
 * states adds: B may vanish on the way and come back as it was. */
#ifndef CORE_MODEL_RANK_WATCH_H
#define CORE_MODEL_RANK_WATCH_H

#include "core/model/state.h"

typedef struct RankWatch {
    ModelEval *eval;
    const size_t *rows; /* in use, n_rows of them; NULL: nothing to watch */
    size_t n_rows;
    double *row_scale, *column_scale; /* n_rows, n */
    double *before, *after;           /* n_rows x n: B */
    double *inner, *middle;           /* the same, of rank_watch_find() */
    double *gram, *column;            /* n_rows x n_rows, n_rows: scratch */
    double margin_before, margin_after;
    double *mass, *seen, seen_t; /* n: diagonal of M; n_rows x n: A, where looked at last; when */
    bool scaled;                 /* column_scale is that of mass */
    double *here, *past;         /* n_rows x n: A at the state before, and at that before it */
    double t_past;               /* NAN: there is none */
    double *state;               /* 2 n: (q, v) before */
    double *longest;             /* n_rows: the rows' greatest lengths so far */
    double margin, widest;       /* over these; and its largest value so far */
    double farthest;             /* horizon so far */
    double t_before, rate; /* |B' - B| over the time between the last two states, 0: unknown */
} RankWatch;

/* Whether the rows in use need a watch. Rows that cannot become dependent need none: all constant,
 * or turning only (Model.A_turns), or each with a constant coefficient of a velocity that the
 * others do not contain. What depends on parameters alone is constant, with its value at the start
 * of the motion, (t, q, v). */
bool rank_watch_is_needed(ModelEval *eval, double t, const double *q, const double *v,
                          const size_t *rows, size_t n_rows);
/* rows NULL: rank_watch_is_needed() was false. Arrays live in the arena; rows are borrowed. */
void rank_watch_init(RankWatch *watch, ModelEval *eval, const size_t *rows, size_t n_rows,
                     Arena *arena);

/* The state that a step starts from: that which rank_watch_suspects() was asked about last, if it
 * has that time and `jumped` is false. */
void rank_watch_start(RankWatch *watch, double t, const double *q, const double *v, bool jumped);

/* As rank_watch_start() would have left it at (t, q, v): for one whose scales and margins, and
 * whose A there and at the state before, somebody else has followed up to there (watch_lanes.h). */
void rank_watch_resume(RankWatch *watch, double t, const double *state);

/* Whether rank may be lost on the way from there to this state, or `ahead` times as far beyond it,
 * if the way goes on much as it came. */
bool rank_watch_suspects(RankWatch *watch, double t, const double *q, const double *v,
                         double ahead);

/* Whether at t, for which rank_watch_suspects() was asked last, the rows in use are independent by
 * far: rank_find() would call them so, too, as rows of length one in units of M. */
bool rank_watch_is_clear(const RankWatch *watch, double t);

/* The state at theta of a smooth way, theta = 0 at the start. */
typedef void RankWay(void *self, double theta, double *ret_t, const double **ret_q,
                     const double **ret_v);

/* How long the rank stays full from the state started from, if B changes no faster than it did; 0
 * where it is so nearly lost that rounding is what decides about the accelerations. */
double rank_watch_horizon(RankWatch *watch);
/* How near it is to being lost there: in (0, 1] of what it was where it was least so. */
double rank_watch_margin(const RankWatch *watch);

/* The first theta in [0, most] at which the smallest singular value of B has a minimum that is less
 * than `tiny` of the largest value it had before; NAN where there is none. */
double rank_watch_find(RankWatch *watch, RankWay *way, void *self, double most, double tiny);

#endif
