/* Inside core/simulation/: corners of the equations at one state, of which each side is smooth. */
#ifndef CORE_SIMULATION_EQUILIBRIA_BRANCHES_H
#define CORE_SIMULATION_EQUILIBRIA_BRANCHES_H

#include "core/simulation/analyses/local.h"

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

/* From here on rates and directions are those of the branches at state[2 n]. True: other ones than before. */
bool branches_choose(Branches *branches, const double *state);

/* After branches_choose() there: ERR_INVALID unless the state lies beside all corners, by more than 1e-9 of the sizes of coordinates
 * and velocities, or both branches have the same rates and derivatives there, as those of abs(v)*v at v = 0; velocities_alone: and the
 * corner is there whatever the coordinates are. state is put back. */
Status branches_agree(Branches *branches, double *state, bool velocities_alone,
                      Error *err) MUST_CHECK;

#endif
