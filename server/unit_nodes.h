/* What the members of a unit come to over time: their cells, and the nodes that those which have ended fill. */
#ifndef SERVER_UNIT_NODES_H
#define SERVER_UNIT_NODES_H

#include "core/ensemble/over_time.h"
#include "db/store.h"

typedef struct UnitNodes {
    OverTimeShape shape; /* nothing is asked for: no columns */
    uint64_t first, n;
    double *cells;         /* [n][cells] */
    uint64_t gathered;     /* members, from the first on, that are in the forest */
    OverTimeForest forest; /* of the unit's members alone */
    MemberNode *nodes;     /* as the store is given them */
} UnitNodes;

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err) MUST_CHECK;
void unit_nodes_done(UnitNodes *nodes); /* {0} is fine */
void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells);
/* The first `ended` members will count, whatever becomes of the others: most of the work on them is done now. */
Status unit_nodes_reach(UnitNodes *nodes, uint64_t ended, Error *err) MUST_CHECK;
/* Of the first `done` members, all that were reached among them; *ret_nodes lives as long as `nodes`. */
Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes,
                       Error *err) MUST_CHECK;

#endif
