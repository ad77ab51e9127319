/* Points of the equations over a prime field: the unknowns of one stage. Private to core/exact. */
#ifndef CORE_EXACT_PLACE_H
#define CORE_EXACT_PLACE_H

#include "core/exact/point.h"

/* What may be chosen: the value of a symbol or of a base. */
typedef struct Handle {
    bool is_base;
    uint32_t at; /* slot or base */
} Handle;

/* One equation that is not linear: found a value of `handle` with which it holds. */
typedef struct Solved {
    uint32_t equation;
    Handle handle;
    Handle *others; /* n_others: what only this equation and later ones depend on */
    size_t n_others;
    uint32_t *slots; /* n_slots: what it needs of its own level, in order */
    size_t n_slots;
} Solved;

/* How one stage is placed; made once, used for every point. */
typedef struct Place {
    const StepStage *stage;
    uint32_t level;  /* from 1 */
    uint32_t *slots; /* n_slots: what the equations of a linear stage need of its level */
    size_t n_slots;
    Solved *solved; /* of a stage that is not linear: n_equations, in the order of solving */
    mp_limb_t *matrix;
    size_t *pivots;
} Place;

/* Lives in the arena of the steps. False when memory is out; sets steps->why where the equations
 * cannot be solved one after the other. */
bool place_init(Place *place, Steps *steps, const Multiples *multiples, size_t stage);

/* Gives the unknowns values with which the equations hold: those that are random, but for as many as
 * there are equations. All steps of lower levels have their values. False: not at this point. */
bool place_point(const Place *place, Point *point);

#endif
