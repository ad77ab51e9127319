/* Values of all steps at a point over a prime field. Private to core/exact.
 *
 * Free symbols and the unknown of each base are random. An angle is a point of the circle, 2 u / (1
 * + u^2) and (1 - u^2) / (1 + u^2); the values of other functions are unknowns of their own, equal
 * where their arguments are. If a branch depends on a sign, that of the field decides. */
#ifndef CORE_EXACT_POINT_H
#define CORE_EXACT_POINT_H

#include "core/exact/field.h"
#include "core/exact/fold.h"
#include "core/exact/multiples.h"

/* At most so many roots and corners can be told apart, and so many roots of equations be chosen. */
enum { POINT_SIGNS = 64, POINT_CHOICES = 8 };

/* Which roots of equations are taken: any, or, with `all`, of those with several parts number at[k]
 * of of[k], the k-th that is solved; at[] is given for the first ones, and 0 beyond. */
typedef struct Choices {
    bool all, missed; /* more were needed */
    size_t n, given;
    size_t at[POINT_CHOICES], of[POINT_CHOICES];
} Choices;

typedef struct Point {
    const Steps *steps;
    const Multiples *multiples;
    const Folded *folded;
    Field field;
    Random random;
    mp_limb_t *numbers;       /* of the steps, in the field */
    mp_limb_t *reals;         /* of the steps, in the field */
    mp_limb_t *constants;     /* the folded ones, in the field */
    mp_limb_t *value;         /* by slot */
    mp_limb_t *sine, *cosine; /* by base; of an exponent, exp is the cosine */
    mp_limb_t *store;         /* solutions of the systems in the graph */
    mp_limb_t *matrix;        /* work space of the largest of them */
    uint8_t *sign_of;         /* by slot: the bit of a root or corner, +1; 0: none */
    size_t n_signs;
    uint64_t roots; /* the bits that are even roots */
    uint64_t signs; /* by bit: its argument is positive, or not known yet */
    Choices choices;
    mp_limb_t turned; /* of each field: the tangent of half an angle */
    bool pole;        /* a denominator vanished */
    size_t work;      /* operations so far, roughly */
    const char *why;  /* it cannot be evaluated; NULL: it can */
} Point;

/* Lives in the arena of the steps. False when memory is out. */
bool point_init(Point *point, Steps *steps, const Multiples *multiples, const Folded *folded);
/* The same in another field. */
void point_set_field(Point *point, size_t prime);

/* New random values of all that is free. */
void point_draw(Point *point);
/* Of the unknowns of stages beyond this one, and of what is made of them. */
void point_draw_beyond(Point *point, uint32_t stage);
void point_set_base(Point *point, size_t base, mp_limb_t u);

/* Evaluates the steps slots[n] in this order (NULL: the first n). False at a pole. If an even root
 * does not exist, evaluation goes on with that of the negative; see point_has_roots(). */
bool point_evaluate(Point *point, const uint32_t *slots, size_t n);

/* Whether all even roots that were evaluated since the point was drawn exist. */
bool point_has_roots(const Point *point);

#endif
