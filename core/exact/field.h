/* A prime field in which roots of positive numbers exist and agree. Private to core/exact.
 *
 * p = 3 mod 4, and p - 1 has no factors 3, 5, 7, 11. So -1 is not a square, and the squares are a
 * group of odd order. Each square has exactly one b-th root that is itself a square, for every b
 * that occurs. "Positive" stands for "a square". It respects products: sqrt(a b) = sqrt(a) sqrt(b),
 * sqrt(a^2) = |a|, sign(a b) = sign(a) sign(b), as for real numbers. It does not respect sums, so
 * that the signs of different sums are independent at random points.
 *
 * p + 1, the number of points of the circle, is a multiple of FIELD_TURNS, so 1/FIELD_TURNS of a
 * turn exists. The field uses one such angle, with a quarter turn (0, 1). The others of this kind
 * are its conjugates. Cosines and sines of parts of a turn are algebraic numbers, so a sum that
 * vanishes for one conjugate vanishes for all. Their signs differ from those of the real
 * numbers. */
#ifndef CORE_EXACT_FIELD_H
#define CORE_EXACT_FIELD_H

#include <flint/fmpq.h>
#include <flint/nmod.h>
#include <flint/nmod_vec.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/random.h"

typedef struct Field {
    nmod_t mod;
    mp_limb_t squares;      /* (p - 1) / 2: number of squares */
    mp_limb_t cosine, sine; /* of 1/FIELD_TURNS of a turn */
    uint64_t key;           /* seed of field_unknown() */
} Field;

enum { FIELD_PRIMES = 8, FIELD_ALL = 48, FIELD_TURNS = 55440 /* 2^4 3^2 5 7 11 */ };

/* The field of one of FIELD_ALL primes. From FIELD_PRIMES on the part of a turn is (0, 0). */
Field field_of(size_t index);

mp_limb_t field_random(const Field *field, Random *random);

/* False if p divides the denominator. */
bool field_rational(const Field *field, const fmpq_t x, mp_limb_t *ret);

bool field_is_positive(const Field *field, mp_limb_t a); /* a is a square other than 0 */

/* a^x. False if it does not exist: a is negative and the denominator even, a is 0 and x < 0, or the
 * denominator and p - 1 have a common factor. */
bool field_power(const Field *field, mp_limb_t a, const fmpq_t x, mp_limb_t *ret);

/* a^e for a whole number; false for 0^e with e < 0. */
bool field_integer_power(const Field *field, mp_limb_t a, slong e, mp_limb_t *ret);

/* (cosine + i sine)^times */
void field_turn(const Field *field, mp_limb_t cosine, mp_limb_t sine, ulong times,
                mp_limb_t *ret_cosine, mp_limb_t *ret_sine);

/* A pseudo-random element that depends on the function and its arguments, without an algebraic
 * relation: the value of a function as an independent unknown. */
mp_limb_t field_unknown(const Field *field, unsigned function, mp_limb_t a, mp_limb_t b);

/* base^exponent, base > 0, from the roots of its prime factors: cbrt(4) = cbrt(2)^2. False if the
 * exponent's denominator does not divide 6, or the base is too long to factor. The root need not be
 * that of the real one, so no later step may depend on signs. */
bool radical_value(const Field *field, const fmpq_t base, const fmpq_t exponent, mp_limb_t *ret);

/* Brings a = [A | b], m rows of n + 1, to reduced echelon form. ret_pivots[ret_rank]: the column of
 * each row's pivot. False if the system has no solution (a row 0 = 1). */
bool elimination_reduce(mp_limb_t *a, size_t m, size_t n, nmod_t mod, size_t *ret_pivots,
                        size_t *ret_rank);

#endif
