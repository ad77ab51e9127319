/* Inside core/stability/: corners of the equations at one state, of which each side is smooth. */
#ifndef CORE_STABILITY_FIND_BRANCHES_H
#define CORE_STABILITY_FIND_BRANCHES_H

#include "core/analyses/local.h"

/* Of a Local with at_place. */
typedef struct Branches {
    Local *local;
    const AnalysisContext *context;
    size_t n;                       /* corners */
    double *guards, *moved, *reach; /* n each */
    double *modes;                  /* n */
    double *unit, *here, *there;    /* [2 n][2 n] and, behind the last two, the rates */
} Branches;

/* Arrays are the arena's. */
Status branches_init(Branches *branches, Local *local, const AnalysisContext *context, Arena *arena,
                     Error *err) MUST_CHECK;

/* Sets rates and directions to those of the branches at state[2 n]; true if a branch changed. */
bool branches_choose(Branches *branches, const double *state);

/* Call after branches_choose() at the same state. OK if the state is farther from all corners
 * than 1e-9 of the sizes of coordinates and velocities, or if both branches have the same rates and
 * derivatives, as abs(v)*v has at v = 0; with velocities_alone, that corner must be there for all
 * coordinates. Otherwise ERR_INVALID. `state` is restored. */
Status branches_agree(Branches *branches, double *state, bool velocities_alone,
                      Error *err) MUST_CHECK;

#endif
