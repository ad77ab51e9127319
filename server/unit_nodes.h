/* What the members of a unit come to over time, until its end: their cells, then the nodes that they fill. */
#ifndef SERVER_UNIT_NODES_H
#define SERVER_UNIT_NODES_H

#include "core/ensemble/over_time.h"
#include "db/store.h"

typedef struct UnitNodes {
    OverTimeShape shape; /* nothing is asked for: no columns */
    uint64_t first, n;
    double *cells; /* [n][cells] */
    OverTimeNode *made;
    size_t n_made;
    MemberNode *nodes; /* n_made */
} UnitNodes;

Status unit_nodes_init(UnitNodes *ret_nodes, OverTimeShape shape, uint64_t first, uint64_t n,
                       Error *err) MUST_CHECK;
void unit_nodes_done(UnitNodes *nodes); /* {0} is fine */
void unit_nodes_note(UnitNodes *nodes, uint64_t member, const double *cells);
/* Of the first `done` members; *ret_nodes lives as long as `nodes`. */
Status unit_nodes_make(UnitNodes *nodes, uint64_t done, MemberNodes *ret_nodes,
                       Error *err) MUST_CHECK;

#endif
