/* Inside core/linear/: a program of a state and a direction, evaluated in many directions at
 * once, one lane each: derivatives along all columns of a matrix. */
#ifndef CORE_LINEAR_DIRECTIONS_H
#define CORE_LINEAR_DIRECTIONS_H

#include "core/model/model.h"
#include "core/program/function.h"

typedef struct Directions {
    Function function; /* owns its program */
    size_t n_state;
} Directions;

/* Takes the program over, also on failure. Its inputs are n_state rows, then the direction.
 * `columns`: the usual number of directions. directions_done() is fine on {0}. */
Status directions_init(Directions *directions, Program *program, size_t n_state, size_t columns,
                       const double *params, Error *err) MUST_CHECK;
void directions_done(Directions *directions);

/* Some rows of the direction, [n][columns]; NULL: zeros. */
typedef struct DirectionRows {
    const double *rows;
    size_t n;
} DirectionRows;

/* ret[n_out][columns] at state[n_state]. The parts compose the rows of the direction. If the job
 * is cancelled or out of time (core/base/stop_token.h), the rest of ret is not written. */
void directions_eval(Directions *directions, const double *state, const DirectionRows *parts,
                     size_t n_parts, size_t columns, double *ret);

/* The source of such a program: functions of `symbols`; n_directed of them and parameters move. */
typedef struct DirectionSpec {
    ExprPool *pool;       /* is written to */
    const Model *model;   /* for its parameters */
    uint32_t next_symbol; /* free ones of the pool start here */
    const Expr *state;    /* n_state symbols: the inputs */
    size_t n_state;
    const Expr *directed; /* n_directed: those that move along the direction */
    size_t n_directed;
    const size_t *parameters; /* n_parameters of the model: these move too, after the others */
    size_t n_parameters;
    const Expr *roots; /* n_roots */
    size_t n_roots;
} DirectionSpec;

/* The same for the program of the roots' derivatives, compiled here. */
Status directions_derive(Directions *directions, const DirectionSpec *spec, size_t columns,
                         const double *params, Error *err) MUST_CHECK;

#endif
