/* The arguments of sin, cos, tan and of exp, sinh, cosh, tanh as sums of integer multiples of a few
 * bases: sin(2 x + y / 3) and cos(x) have the bases x and y / 3. By the addition theorems all these
 * functions are rational in one unknown per base. A rational part of a turn, as in cos(x + 2 pi/3),
 * needs no unknown. Private to core/exact.
 *
 * Bases with an unseen dependence count as independent. Then an identity may be missed, but a false
 * one is never found. */
#ifndef CORE_EXACT_MULTIPLES_H
#define CORE_EXACT_MULTIPLES_H

#include "core/exact/steps.h"

typedef enum BaseKind { BASE_ANGLE, BASE_EXPONENT, BASE_KINDS } BaseKind;

typedef struct Base {
    BaseKind kind;
    uint32_t level; /* level of the base itself */
    bool fixed;     /* an angle of `turns` times 1/FIELD_TURNS of a turn */
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

/* Uses the arena of the steps. False if memory is out. */
bool multiples_init(Multiples *multiples, Steps *steps);

/* Whether the operation is one of these functions; *ret is its kind. */
bool multiples_kind(ExprOp op, BaseKind *ret);

/* An upper bound of the degree of the numerator of the terms' sum, in the free symbols and the
 * unknowns of the bases, as it is evaluated over a field. A root counts by its norm, which vanishes
 * where the root does. Negative if memory is out. */
double degree_bound(const Steps *steps, const Multiples *multiples);

#endif
