/* Square and cube roots of rational numbers in a prime field. Private to core/exact. */
#ifndef CORE_EXACT_RADICAL_H
#define CORE_EXACT_RADICAL_H

#include "core/exact/field.h"

/* base^exponent, base > 0, from the roots of its prime factors: sqrt(6) = sqrt(2) sqrt(3), cbrt(4)
 * = cbrt(2)^2. False if the exponent's denominator does not divide 6, or the base is too long to
 * factor. A field does not tell which of its roots stands for the real one, so no later step may
 * depend on signs. */
bool radical_value(const Field *field, const fmpq_t base, const fmpq_t exponent, mp_limb_t *ret);

#endif
