/* Points of the equations over a prime field: the unknowns of one stage. Private to core/exact. */
#ifndef CORE_EXACT_PLACE_H
#define CORE_EXACT_PLACE_H

#include "core/exact/point.h"

/* Equations of a larger degree are not solved. */
enum { PLACE_DEGREE = 16 };

/* An adjustable value: of a symbol or of a base. */
typedef struct Handle {
    bool is_base;
    uint32_t at; /* slot or base */
} Handle;

/* Degrees of polynomials over the fields without multiple factors. */
typedef struct Degrees {
    size_t degree; /* the largest so far */
    /* by bit: degrees that a factor over the rationals may have, as far as the points show */
    uint32_t splits;
} Degrees;

/* One nonlinear equation, solved for the value of `handle`. Its factors over the rationals are the
 * parts of its solution set; their degrees are sums of degrees of its factors at every point. */
typedef struct Solved {
    uint32_t equation;
    Handle handle;
    Handle *others; /* n_others handles that only this equation and later ones depend on */
    size_t n_others;
    bool alone;      /* all its handles are its own: no earlier equation has one of them */
    uint32_t *slots; /* n_slots slots of its own level that it needs, in order */
    size_t n_slots;
    Degrees slices;  /* of polynomials in the handle */
    Degrees lines;   /* along lines; see place_look_along_lines() */
    mp_limb_t *line; /* start and direction for each of the others */
    bool whole;      /* it and all equations before have one factor: one root stands for all */
    mp_limb_t last[PLACE_DEGREE + 1]; /* the coefficients of the last polynomial, over .. */
    mp_limb_t prime;                  /* .. this field */
    bool steady;                      /* a nonzero coefficient was the same at two points or more */
} Solved;

/* The way to place one stage; built once, used for every point. */
typedef struct Place {
    const StepStage *stage;
    uint32_t level;  /* from 1 */
    uint32_t *slots; /* n_slots slots of its level that the equations of a linear stage need */
    size_t n_slots;
    Solved *solved; /* of a nonlinear stage: n_equations, in the order of solving */
    mp_limb_t *matrix;
    size_t *pivots;
} Place;

/* Uses the arena of the steps. False if memory is out. Sets steps->why if there is no order. */
bool place_init(Place *place, Steps *steps, const Multiples *multiples, size_t stage);

/* Whether no equation has a factor without its handle, which roots hide. Changes the point. */
bool place_is_primitive(const Place *places, size_t n, Point *point);

/* Restricts equations that may have several parts to lines on which several handles change: there
 * x^3 + y^3 - 2 shows its factors, but x^3 - c does not. Changes the placed point. */
void place_look_along_lines(const Place *places, size_t n, Point *point);

/* Sets `whole` of the equations from the degrees so far. True if all are whole. */
bool place_note_whole(const Place *places, size_t n);

/* Gives as many unknowns as equations values that satisfy them; the others stay random. Steps of
 * lower levels have their values. False: not at this point. */
bool place_point(const Place *place, Point *point);

#endif
