/* The arguments of sin, cos, tan and of exp, sinh, cosh, tanh as sums of whole multiples of as few
 * bases as are seen: sin(2 x + y / 3) and cos(x) have the bases x and y / 3. By the addition
 * theorems all of them are rational in one unknown for each base. A rational part of a turn, as in
 * cos(x + 2 pi/3), is no unknown. Private to core/exact.
 *
 * Bases that depend on each other in a way that is not seen are taken for independent: then an
 * identity may be missed, but none is invented. */
#ifndef CORE_EXACT_MULTIPLES_H
#define CORE_EXACT_MULTIPLES_H

#include "core/exact/steps.h"

typedef enum BaseKind { BASE_ANGLE, BASE_EXPONENT, BASE_KINDS } BaseKind;

typedef struct Base {
    BaseKind kind;
    uint32_t level; /* of what it is a multiple of */
    bool fixed;     /* an angle of so many 1/FIELD_TURNS of a turn: */
    slong turns;
} Base;

typedef struct Multiple {
    uint32_t base;
    slong times;
} Multiple;

typedef struct Argument {
    BaseKind kind;
    uint32_t slot;
    uint32_t first, n; /* multiples[first ..] */
} Argument;

typedef struct Multiples {
    size_t n_bases, n_arguments, n_multiples;
    Base *bases;
    Argument *arguments;
    Multiple *multiples;
    uint32_t *argument_of[BASE_KINDS]; /* by slot: place in arguments, +1; 0: none */
} Multiples;

/* Lives in the arena of the steps. False when memory is out. */
bool multiples_init(Multiples *multiples, Steps *steps);

/* Whether a step is one of these functions, and of which kind. */
bool multiples_kind(ExprOp op, BaseKind *ret);

#endif
