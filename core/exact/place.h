/* Points of the equations over a prime field: the unknowns of one stage. Private to core/exact. */
#ifndef CORE_EXACT_PLACE_H
#define CORE_EXACT_PLACE_H

#include "core/exact/point.h"

/* Equations of a larger degree are not solved. */
enum { PLACE_DEGREE = 16 };

/* What may be chosen: the value of a symbol or of a base. */
typedef struct Handle {
    bool is_base;
    uint32_t at; /* slot or base */
} Handle;

/* Degrees of polynomials over the fields without their multiple factors. */
typedef struct Degrees {
    size_t degree; /* the largest so far */
    /* by bit: degrees that a factor over the rationals may have, as far as those of that degree
     * show */
    uint32_t splits;
} Degrees;

/* One equation that is not linear: found a value of `handle` with which it holds. Its factors over
 * the rationals, which are parts of what it describes, have degrees that are sums of those of its
 * factors at every point. */
typedef struct Solved {
    uint32_t equation;
    Handle handle;
    Handle *others; /* n_others: what only this equation and later ones depend on */
    size_t n_others;
    bool alone;      /* with these and its own it has no handle that one before it has */
    uint32_t *slots; /* n_slots: what it needs of its own level, in order */
    size_t n_slots;
    Degrees slices;  /* of polynomials in the handle */
    Degrees lines;   /* along lines; see place_look_along_lines() */
    mp_limb_t *line; /* for each of the others where one begins, and its direction */
    bool whole;      /* one factor only, and so had all equations before: one root stands for all */
    mp_limb_t last[PLACE_DEGREE + 1]; /* the coefficients of the last polynomial, over .. */
    mp_limb_t prime;                  /* .. this field */
    bool steady; /* one of them is not 0 and has been the same at two points or more */
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

/* Whether no equation has a factor without its handle, which no root would tell of. At a point that
 * was placed; changes it. */
bool place_is_primitive(const Place *places, size_t n, Point *point);

/* Looks at equations that may have several parts along lines on which several handles change, for
 * on these the factors of x^3 + y^3 - 2 show, of which those of x^3 - c tell nothing. At a point
 * that was placed; changes it. */
void place_look_along_lines(const Place *places, size_t n, Point *point);

/* Sets `whole` of the equations from what was met so far, in the order of the stages; whether all
 * are. */
bool place_note_whole(const Place *places, size_t n);

/* Gives the unknowns values with which the equations hold: those that are random, but for as many
 * as there are equations. All steps of lower levels have their values. False: not at this point. */
bool place_point(const Place *place, Point *point);

#endif
