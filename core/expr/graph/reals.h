/* The numbers behind the doubles of a pool (core/expr/graph/real.h), as builders make them. Private
 * to core/expr.
 *
 * A number is known by its place; 0 is one that is not known, and so is all that is made of it. */
#ifndef CORE_EXPR_REALS_H
#define CORE_EXPR_REALS_H

#include <float.h>
#include <math.h>

#include "core/base/decimal.h"
#include "core/expr/graph/real.h"

/* The field of residues: a prime above 2^62, which no denominator of a Rational has for a factor,
 * drawn at random, so that no power of two and no small product is congruent to a small number. It
 * is 3 mod 4 and 2 mod 3, and the primes below 100 are squares: the roots of those that are squares
 * themselves, and the cube roots of all numbers, respect products. */
#define REAL_PRIME UINT64_C(6423825902826749639)

/* A double in use without its sign, and the number it stands for; 0: as core/base/decimal.h
 * says. */
typedef struct RealPlace {
    double value; /* 0: the place is empty */
    uint32_t real;
} RealPlace;

typedef struct Reals {
    Real *list; /* list[real - 1] */
    size_t n, capacity;
    uint32_t *by_residue; /* open addressing; 0: empty */
    size_t by_residue_size;
    RealPlace *by_value; /* open addressing */
    size_t by_value_size, n_values;
} Reals;

/* False when memory is out. */
bool reals_copy(Reals *to, const Reals *from);
void reals_done(Reals *reals);

/* Store (real_store.c). */

/* The number with this residue: the one there is, or a new one. */
uint32_t real_put(ExprPool *pool, const Real *real);
/* Are they one number? */
bool real_is(const ExprPool *pool, uint32_t a, uint32_t b);
/* The sign that a number has for certain; 2: it is not certain. */
int real_sign(const Real *real);

/* What rounding takes from a value, at most. */
static inline double real_unit(double value)
{
    return fabs(value) * DBL_EPSILON + DBL_MIN;
}

/* Does the double stand for what core/base/decimal.h says, whatever it is? */
bool real_is_plain(const ExprPool *pool, double value);
/* The same, and it is a rational number: that. */
bool real_rational(const ExprPool *pool, double value, Rational *ret);
/* A double that stands for what core/base/decimal.h says comes into use. */
void real_use(ExprPool *pool, double value);

/* So does one that exact arithmetic gave: it may stand for another number already. */
void real_result(ExprPool *pool, double value);

/* decimal_write() of a number that exact arithmetic gave. */
bool real_write(ExprPool *pool, const Rational *number, double ret_parts[DECIMAL_PARTS],
                size_t *ret_n);

/* The number that a double stands for. */
uint32_t real_of(ExprPool *pool, double value);
/* By its digits, as core/base/decimal.h has it. */
uint32_t real_of_plain(ExprPool *pool, double value);
uint32_t real_of_rational(ExprPool *pool, const Rational *rational);

/* Makes a double stand for a number. Returns the double, or 0 where the number is 0. */
double real_stand(ExprPool *pool, double value, uint32_t real);
/* That two doubles are ordered as the numbers they stand for is certain, or the pool is told. */
void real_compare(ExprPool *pool, double a, double b);

/* Arithmetic (build_real.c). */

uint32_t real_add(ExprPool *pool, uint32_t a, uint32_t b);
uint32_t real_multiply(ExprPool *pool, uint32_t a, uint32_t b);
uint32_t real_power(ExprPool *pool, uint32_t a, double exponent); /* a whole one */
/* A function that is no choice between its operands; b is 0 where it has one. */
uint32_t real_call(ExprPool *pool, ExprOp op, uint32_t a, uint32_t b);

#endif
