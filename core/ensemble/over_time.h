/* Statistics over time of an ensemble whose trajectories are not retained. A cell is one column
 * at one instant of the samples, and has one digest. A binary tree over the numbers of members
 * gathers them: the node of level l and number j has the members j 2^l .. (j + 1) 2^l - 1. Its
 * digests are merged from its halves and depend on these members alone, so the result does not
 * depend on the workers or on their order. A range is the set of nodes that fill it. */
#ifndef CORE_ENSEMBLE_OVER_TIME_H
#define CORE_ENSEMBLE_OVER_TIME_H

#include "core/ensemble/digest.h"

/* Cells of an ensemble (columns times instants), cells in a node's part (the last one may be
 * shorter), and levels of members below 2^54. Conventions. */
enum { OVER_TIME_CELLS_MAX = 2048, OVER_TIME_PART = 64, OVER_TIME_LEVELS = 54 };

typedef struct OverTimeShape {
    size_t n_columns, n_instants; /* cell: column * n_instants + instant */
} OverTimeShape;

size_t over_time_cells(OverTimeShape shape);
/* Parts, column by column; part p has ret_n cells from *ret_first on. */
size_t over_time_parts(OverTimeShape shape);
size_t over_time_part(OverTimeShape shape, size_t part, size_t *ret_first);

/* The number of members that may be held at a time: 16 MiB of values. */
uint64_t over_time_held(OverTimeShape shape);
/* Bytes that an ensemble's digests take at most when it is over. */
double over_time_bytes(OverTimeShape shape, uint64_t members);

typedef struct OverTimeNode {
    unsigned level;
    uint64_t number;
    size_t part;
    Text words; /* digests of its cells, one behind the other */
} OverTimeNode;

const uint64_t *over_time_words(const Text *words);
/* Merges the same part of two nodes into that of the node above, which has this number; appends.
 * ERR_DAMAGED: the parts do not match. */
Status over_time_merge(const uint64_t *left, size_t n_left, const uint64_t *right, size_t n_right,
                       uint64_t number, Text *words, Error *err) MUST_CHECK;

/* Nodes of ranges that have ended; two halves are merged at once. {0} is empty. For one thread
 * at a time. */
typedef struct OverTimeForest {
    OverTimeNode *nodes; /* n, in no order */
    size_t n, capacity;
} OverTimeForest;

void over_time_forest_done(OverTimeForest *forest);
/* values[n][cells] of members first .. first + n - 1, each once. After a failure the forest is
 * unusable. */
Status over_time_forest_add(OverTimeForest *forest, OverTimeShape shape, uint64_t first, uint64_t n,
                            const double *values, Error *err) MUST_CHECK;

/* Takes the nodes of another forest over, which is empty then. */
Status over_time_forest_join(OverTimeForest *forest, OverTimeForest *other, Error *err) MUST_CHECK;

/* The statistics of a cell. */
typedef struct OverTimeCell {
    Moments moments;
    double rank_error; /* of quantiles: digest_rank_error() */
} OverTimeCell;

/* Words of one part of a node. */
typedef struct OverTimePart {
    const uint64_t *words;
    size_t n_words;
} OverTimePart;
/* The cells of one part, and the levels of the quantiles. */
typedef struct OverTimeRequest {
    size_t n_cells;
    const double *levels; /* n_levels, in [0, 1] */
    size_t n_levels;
} OverTimeRequest;

/* The cells of a part from the parts of all its nodes in any order: ret_cells[n_cells],
 * ret_quantiles[n_cells][n_levels]. */
Status over_time_report(const OverTimePart *parts, size_t n_parts, const OverTimeRequest *request,
                        OverTimeCell *ret_cells, double *ret_quantiles, Error *err) MUST_CHECK;

#endif
