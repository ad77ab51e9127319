/* Dimensions of physical quantities: products of rational powers of meter, kilogram, second,
 * ampere, kelvin, mole and candela. Angles are numbers. */
#ifndef CORE_UNITS_DIMENSION_H
#define CORE_UNITS_DIMENSION_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/text.h"

typedef enum BaseUnit {
    BASE_KG,
    BASE_M,
    BASE_S,
    BASE_A,
    BASE_K,
    BASE_MOL,
    BASE_CD,
    N_BASE
} BaseUnit;

/* In lowest terms; the denominator is positive. */
typedef struct Exponent {
    int16_t numerator, denominator;
} Exponent;

/* {0} fits every dimension: the dimension of zero, and of unknown quantities. */
typedef struct Dimension {
    bool known;
    Exponent exponents[N_BASE];
} Dimension;

Dimension dimension_number(void);
Dimension dimension_base(BaseUnit base);

bool dimension_is_number(const Dimension *a); /* also if it is unknown */
/* True if the two may be added and compared: they are equal, or one is unknown. */
bool dimension_agrees(const Dimension *a, const Dimension *b);

/* a * b^n and a^n; false, and a is undefined, if an exponent is too large or no fraction. */
bool dimension_multiply(Dimension *a, const Dimension *b, Exponent n);
bool dimension_power(Dimension *a, Exponent n);

/* A number as an exponent; false if it is not a fraction of whole numbers up to 1000. */
bool exponent_from(double value, Exponent *ret);
bool exponent_add(Exponent *a, Exponent b);      /* a + b; false: too large */
bool exponent_multiply(Exponent *a, Exponent b); /* a * b */
Exponent exponent_whole(int n);

enum { UNIT_NAME_MAX = 12 };

/* A factor of a unit's text. Texts: kg*m^2/s^2, m^(1/2), 1/(kg*s), and 1 without factors. */
typedef struct UnitPower {
    char name[UNIT_NAME_MAX]; /* with its prefix, as it was written */
    Exponent exponent;
} UnitPower;

void powers_print(const UnitPower *powers, unsigned n, Text *out);

/* The factors of the coherent unit of the SI, in ret_powers[N_BASE]; returns their number. */
unsigned dimension_powers(const Dimension *a, UnitPower *ret_powers);
/* Prints the unit of the SI: a name such as "N" if there is one, else factors such as kg*m/s. */
void dimension_print(const Dimension *a, Text *out);

#endif
