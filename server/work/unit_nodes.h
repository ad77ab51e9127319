/* What the members of a unit come to over time: their cells, and the nodes that those which have
 * ended fill. */
#ifndef SERVER_UNIT_NODES_H
#define SERVER_UNIT_NODES_H

#include "core/ensemble/over_time.h"
#include "db/store.h"

/* Members are gathered in blocks of so many, aligned by their numbers, as soon as all of a block
 * have ended: for those who wait for a cancel only blocks are left that have members on their
 * way. */
enum { UNIT_NODES_BLOCK = 64 };

typedef struct UnitNodes {
    OverTimeShape shape; /* nothing is asked for: no columns */
    uint64_t first, n;
    double *cells;         /* [n][cells]: of those that were noted */
    bool *noted;           /* n */
    unsigned char *ended;  /* of each block: so many members */
    uint64_t gathered;     /* members that are in the forest */
    OverTimeForest forest; /* of the unit's members alone */
    MemberNode *nodes;     /* as the store is given them */
} UnitNodes;

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err) MUST_CHECK;
void unit_nodes_done(UnitNodes *nodes); /* {0} is fine */
void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells);
/* The member has ended, and will count unless one before it does not; told once. */
Status unit_nodes_end(UnitNodes *nodes, uint64_t member, Error *err) MUST_CHECK;
/* Of the first `done` members, whether or not they were told to have ended; *ret_nodes lives as
 * long as `nodes`. */
Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes,
                       Error *err) MUST_CHECK;

#endif
