/* Values of a unit's members over time: their cells, and the nodes of the ended members. */
#ifndef SERVER_UNIT_NODES_H
#define SERVER_UNIT_NODES_H

#include "core/ensemble/over_time.h"
#include "db/store.h"

/* Members gather in blocks of this size, aligned by their numbers, as soon as all of a block have
 * ended. So a cancellation waits only for blocks that have unfinished members. */
enum { UNIT_NODES_BLOCK = 64 };

typedef struct UnitNodes {
    OverTimeShape shape; /* no columns: not requested */
    uint64_t first, n;
    double *cells;         /* [n][cells]: of members that were noted */
    bool *noted;           /* n */
    unsigned char *ended;  /* of each block: number of ended members */
    uint64_t gathered;     /* members in the forest */
    OverTimeForest forest; /* of the unit's members alone */
    MemberNode *nodes;     /* for the store */
} UnitNodes;

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err) MUST_CHECK;
void unit_nodes_done(UnitNodes *nodes); /* {0} is fine */
void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells);
/* The member has ended; it counts if all members before it count. Once for each member. */
Status unit_nodes_end(UnitNodes *nodes, uint64_t member, Error *err) MUST_CHECK;
/* Makes the nodes of the first `done` members, also of those not reported as ended; *ret_nodes
 * lives as long as `nodes`. */
Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes,
                       Error *err) MUST_CHECK;

#endif
