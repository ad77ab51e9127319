/* Values of all steps at a point over a prime field. Private to core/exact.
 *
 * Free symbols and the unknown of each base are random. An angle is a point of the circle,
 * 2 u / (1 + u^2) and (1 - u^2) / (1 + u^2). The values of other functions are independent
 * unknowns, equal if their arguments are. If a branch depends on a sign, the sign in the field
 * decides. */
#ifndef CORE_EXACT_POINT_H
#define CORE_EXACT_POINT_H

#include "core/exact/field.h"
#include "core/exact/fold.h"
#include "core/exact/multiples.h"

/* Most roots and corners with separate signs, and most choices among roots of equations. */
enum { POINT_SIGNS = 64, POINT_CHOICES = 8 };

/* The choice of roots: random, or with `all` root at[k] of of[k] for the k-th solved equation with
 * several parts. at[] is given for the first ones, and 0 beyond. */
typedef struct Choices {
    bool all, missed; /* missed: more choices were needed */
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
    mp_limb_t *sine, *cosine; /* by base; for an exponent, cosine is exp */
    mp_limb_t *store;         /* solutions of the systems in the graph */
    mp_limb_t *matrix;        /* work space of the largest system */
    uint8_t *sign_of;         /* by slot: the bit of a root or corner, +1; 0: none */
    size_t n_signs;
    uint64_t roots; /* the bits that are even roots */
    uint64_t signs; /* by bit: its argument is positive, or still unknown */
    Choices choices;
    mp_limb_t turned; /* of each field: the tangent of half an angle */
    bool pole;        /* a denominator vanished */
    size_t work;      /* operations so far, roughly */
    const char *why;  /* the reason why it cannot be evaluated, or NULL */
} Point;

/* Uses the arena of the steps. False if memory is out. */
bool point_init(Point *point, Steps *steps, const Multiples *multiples, const Folded *folded);
/* The same in another field. */
void point_set_field(Point *point, size_t prime);

/* Draws new random values of all free symbols and bases. */
void point_draw(Point *point);
/* Redraws the unknowns of stages beyond this one, and the bases that depend on them. */
void point_draw_beyond(Point *point, uint32_t stage);
void point_set_base(Point *point, size_t base, mp_limb_t u);

/* Evaluates the steps slots[n] in this order (NULL: the first n). False at a pole. An even root
 * that does not exist is that of the negated argument; see point_has_roots(). */
bool point_evaluate(Point *point, const uint32_t *slots, size_t n);

/* True if all even roots evaluated since the point was drawn exist. */
bool point_has_roots(const Point *point);

#endif
