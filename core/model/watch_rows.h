/* What the watches over M and over the rank remember, in rows of lanes, [row][lane]. A watch of one
 * motion has rows of one lane. The rules are in watch_blocks.h, for both. */
#ifndef CORE_MODEL_WATCH_ROWS_H
#define CORE_MODEL_WATCH_ROWS_H

#include <stddef.h>

#include "core/base/arena.h"

/* Of the pivots of M; next_: at the state under test, of one motion in the same place. */
typedef struct MassRows {
    size_t n, lanes;          /* n: ModelFixed.n_changing */
    double *pivots, *largest; /* n: pivots; largest M_ii so far */
    double *next_pivots, *next_largest;
    double *work; /* n x n: M, and what the elimination leaves of it */
} MassRows;

/* Of the rank at one state. A has the rows in use; B is A with scaled rows and columns. */
typedef struct RankState {
    double *all;                 /* the arrays below lie in it one behind the other */
    double *row_scale, *longest; /* n_rows: 1 / length of the row; its greatest length so far */
    double *column_scale, *mass; /* n: mass^(-1/2); diagonal of M */
    double *A;                   /* n_rows x n */
    double *margin;              /* 1: of B, at most its smallest singular value */
    double *lasting, *widest;    /* 1: the margin relative to `longest`; its largest value so far */
} RankState;

typedef struct RankRows {
    size_t n, n_rows, lanes;
    const size_t *rows;       /* in use */
    RankState now, next;      /* at the state before, and at the one under test */
    double *past, *t_past;    /* A at the state before `now`; its time, NAN: there is none */
    double *rate, *next_rate; /* |B' - B| over the time between two states; 0: unknown */
    double *farthest, *next_farthest; /* largest horizon so far */
    double *B, *gram, *column;        /* scratch: n_rows x n, n_rows x n_rows, n_rows */
} RankRows;

/* Arrays live in the arena. */
void mass_rows_init(MassRows *mass, size_t n, size_t lanes, Arena *arena);
void rank_rows_init(RankRows *rank, size_t n, const size_t *rows, size_t n_rows, size_t lanes,
                    Arena *arena);
/* Numbers in RankState.all of each lane; and its arrays in so many. */
size_t rank_state_size(size_t n, size_t n_rows);
void rank_state_lay_out(RankState *state, double *all, size_t n, size_t n_rows, size_t lanes);

#endif
