/* Square and cube roots of rational numbers in a prime field. Private to core/exact. */
#ifndef CORE_EXACT_RADICAL_H
#define CORE_EXACT_RADICAL_H

#include "core/exact/field.h"

/* base^exponent, base > 0, as what its primes' roots make of it: sqrt(6) = sqrt(2) sqrt(3), cbrt(4)
 * = cbrt(2)^2. False where the exponent's denominator is no factor of 6, or the base is too long to
 * be split. Which root stands for the real one a field does not tell: nothing that asks for signs
 * may follow. */
bool radical_value(const Field *field, const fmpq_t base, const fmpq_t exponent, mp_limb_t *ret);

#endif
