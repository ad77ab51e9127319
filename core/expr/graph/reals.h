/* The numbers behind the doubles of a pool (core/expr/graph/real.h), for builders. Private to
 * core/expr.
 *
 * A number is identified by its place. 0 is an unknown number, and so is any result made of it. */
#ifndef CORE_EXPR_REALS_H
#define CORE_EXPR_REALS_H

#include <float.h>
#include <math.h>

#include "core/base/decimal.h"
#include "core/expr/graph/real.h"

/* The field of residues: a prime above 2^62, which divides no denominator of a Rational. It is
 * drawn at random, so that no power of two and no small product is congruent to a small number. It
 * is 3 mod 4 and 2 mod 3, and the primes below 100 are squares. So the square roots of squares
 * among the residues, and the cube roots of all, respect products. */
#define REAL_PRIME UINT64_C(6423825902826749639)

/* A double in use without its sign, and its number; 0: as in core/base/decimal.h. */
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

/* False if memory is out. */
bool reals_copy(Reals *to, const Reals *from);
void reals_done(Reals *reals);

/* Store (real_store.c). */

/* The number with this residue: an old one, or a new one. */
uint32_t real_put(ExprPool *pool, const Real *real);
/* Whether two numbers are proved to be equal. */
bool real_is(const ExprPool *pool, uint32_t a, uint32_t b);
/* The certain sign of a number; 2 if it is uncertain. */
int real_sign(const Real *real);

/* A bound on the rounding error of a value. */
static inline double real_unit(double value)
{
    return fabs(value) * DBL_EPSILON + DBL_MIN;
}

/* Whether the double has the meaning of core/base/decimal.h. */
bool real_is_plain(const ExprPool *pool, double value);
/* The same, and *ret is its rational number; false for other doubles. */
bool real_rational(const ExprPool *pool, double value, Rational *ret);
/* Registers a double with the meaning of core/base/decimal.h. */
void real_use(ExprPool *pool, double value);

/* The same for a result of exact arithmetic, whose double may already stand for another number. */
void real_result(ExprPool *pool, double value);

/* decimal_write() of a result of exact arithmetic. */
bool real_write(ExprPool *pool, const Rational *number, double ret_parts[DECIMAL_PARTS],
                size_t *ret_n);

/* The number that a double stands for. */
uint32_t real_of(ExprPool *pool, double value);
/* The number of its digits, as in core/base/decimal.h. */
uint32_t real_of_plain(ExprPool *pool, double value);
uint32_t real_of_rational(ExprPool *pool, const Rational *rational);

/* Makes a double stand for a number. Returns the double, or 0 if the number is 0. */
double real_stand(ExprPool *pool, double value, uint32_t real);
/* If the order of two doubles may not be that of their numbers, the pool is rounded. */
void real_compare(ExprPool *pool, double a, double b);

/* Arithmetic (build_real.c). */

uint32_t real_add(ExprPool *pool, uint32_t a, uint32_t b);
uint32_t real_multiply(ExprPool *pool, uint32_t a, uint32_t b);
uint32_t real_power(ExprPool *pool, uint32_t a, double exponent); /* an integer exponent */
/* A function that is not a choice between its operands; b is 0 if it has one operand. */
uint32_t real_call(ExprPool *pool, ExprOp op, uint32_t a, uint32_t b);

#endif
