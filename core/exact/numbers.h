/* The real numbers that doubles of a pool stand for (core/expr/graph/real.h), as far as a question
 * needs them. Private to core/exact. */
#ifndef CORE_EXACT_NUMBERS_H
#define CORE_EXACT_NUMBERS_H

#include <flint/fmpq.h>

#include "core/base/arena.h"
#include "core/expr/graph/real.h"

typedef struct Number {
    ExprOp op;
    uint32_t a, b; /* places in the list, before this one */
    const Real *real;
    bool rational;
    fmpq_t exact; /* of a rational one */
} Number;

typedef struct Numbers {
    Number *list;
    size_t n;
    uint32_t *places; /* by number: place in the list of its absolute value, +1; 0: none */
    const double *numbers;
} Numbers;

/* The reals that numbers[n] stand for. A number with given[] stands for its decimal. Uses the arena
 * except for the rational numbers; check the arena for failure. */
void numbers_init(Numbers *reals, Arena *arena, const ExprPool *pool, const double *numbers,
                  const bool *given, size_t n);
void numbers_done(Numbers *reals); /* {0} is fine */

/* The number that a finite double stands for: the shortest decimal that reads back as it if it is
 * given, else the meaning of a constant (core/base/decimal.h). */
void numbers_read(fmpq_t ret, double value, bool given);

/* The largest distance of the intended number from the double, 0 if it is rational. A rounded
 * number may be off by some units of its last bit in use. */
double numbers_doubt(double value);

/* The real of a number without its sign; NULL: core/base/decimal.h gives its meaning. */
static inline const Number *numbers_at(const Numbers *reals, uint32_t number)
{
    return reals->places[number] ? &reals->list[reals->places[number] - 1] : NULL;
}

/* Writes an irrational number as ret_factor times a real of the list; returns that real's place. */
uint32_t numbers_split(const Numbers *reals, uint32_t number, fmpq_t ret_factor);

/* Whether the number at a place of the list, times `factor` (NULL: 1), is *ret times 1/FIELD_TURNS
 * of 2 pi. */
bool numbers_turns(const Numbers *reals, uint32_t place, const fmpq *factor, slong *ret);

#endif
