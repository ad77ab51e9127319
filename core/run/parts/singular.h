/* Inside core/run/: configurations in which the constraints lose rank, on the way of a run.
 *
 * The rank of the rows in use is watched from step to step (core/model/rank_watch.h). Across an
 * instant of rank loss the drive takes a passage. This file decides whether the passage is
 * allowed: the constraints must hold in the singular configuration itself, not only on both
 * sides of it. They do not hold if two branches come close without meeting. */
#ifndef CORE_RUN_PARTS_SINGULAR_H
#define CORE_RUN_PARTS_SINGULAR_H

#include "core/integrate/ode.h"
#include "core/model/rank_watch.h"
#include "core/prepare/simulation.h"

/* Looks up the model's state in one of the integration. */
typedef void SingularLocate(void *self, double t, const double *y, const double **ret_q,
                            const double **ret_v);

typedef struct Singular {
    RankWatch watch;
    const Simulation *s;
    SingularLocate *locate;
    void *self;
    const OdeArc *arc;      /* of the passage under way, or the last one; NULL before */
    bool waiting;           /* its step is yet to be accepted */
    SingularEvidence found; /* the configuration; rank of all rows if that is not lost */
    bool loses_rank;
    bool unseen;             /* the last one that was found has passed something narrow */
    SingularEvidence *items; /* SINGULAR_ITEMS: the first ones passed */
    uint64_t count;
    double *y, *q, *v; /* scratch: the state that is integrated; n, n */
    double *rows, *residual, *step, *values;
    double *first_scale; /* n_rows: see singular_distance() */
} Singular;

Status singular_init(Singular *singular, const Simulation *simulation, size_t size,
                     SingularLocate *locate, void *self, Arena *arena, Error *err) MUST_CHECK;

static inline bool singular_watches(const Singular *singular)
{
    return singular->watch.rows.rows != NULL;
}
/* After a step, at a start, and where the state has been changed. */
void singular_step(Singular *singular, double t, const double *y, bool jumped);
/* For OdeSystem.suspect, horizon, singular and pass. */
bool singular_suspects(Singular *singular, double t, const double *y, double ahead);
double singular_horizon(Singular *singular, double *ret_margin);
double singular_find(Singular *singular, const OdeArc *arc, double most);
bool singular_pass(Singular *singular, const OdeArc *arc, double agreement);

/* The motion is another one from here on than a passage has foreseen. */
void singular_leave(Singular *singular);

/* Whether the rows are much nearer to losing rank than they were. */
bool singular_near(const Singular *singular);
/* How far the rows in use are from that at (q, v): their smallest singular value, over their
 * lengths where that was asked first; after singular_step(). */
double singular_distance(Singular *singular, double t, const double *q, const double *v);

/* Whether the rows are all there are, and were seen to be independent by far at t, when a step was
 * looked at that ends there. */
bool singular_is_clear(const Singular *singular, double t);

/* Are multipliers part of the motion, and its coordinates do not depend on them, for the rows in
 * use are holonomic? */
bool singular_multipliers_apart(const Simulation *simulation);
/* Of the multipliers mu of the rows in use, which nothing else of the motion depends on: raises
 * each size to 100 times that of a multiplier whose row, as long as it is where the last step
 * began, does as much as any of the others. */
void singular_weigh(const Singular *singular, const double *mu, double *sizes);

/* Whether t is inside the last passage. There the equations of motion cannot be evaluated. */
static inline bool singular_covers(const Singular *singular, double t)
{
    const OdeArc *arc = singular->arc;
    return arc && arc->h != 0 && (t - arc->t) / arc->h > 0 && (t - arc->t) / arc->h < 1;
}
/* Whether the last passage ends there. */
bool singular_ends(const Singular *singular, double t);

#endif
