/* Units: their texts, and conversion of numbers to and from the SI.
 *
 * A unit is a product of named units and powers of them, "kg*m/s^2", "N/(m*s)", "m^(1/2)". A name
 * may have a prefix of the SI if that is usual, "mm", "kN". Its factor is an exact fraction times a
 * power of pi, so that a number is converted with one rounding: 2.54 cm is the double nearest to
 * 0.0254. Angles are numbers: deg is pi/180. Scales with an own zero (Celsius) are no units. */
#ifndef CORE_UNITS_UNIT_H
#define CORE_UNITS_UNIT_H

#include "core/base/rational.h"
#include "core/units/dimension.h"

enum { UNIT_TEXT_MAX = 100, UNIT_POWERS_MAX = 12 };

typedef struct Unit {
    Dimension dimension;
    UnitPower powers[UNIT_POWERS_MAX]; /* the factors as they are shown */
    unsigned n_powers;
    Rational fraction; /* times pi^pi: the unit's factor in the SI */
    int pi;
    bool scales;         /* the factor is not 1 */
    double factor, rest; /* the factor as the sum of two doubles */
} Unit;

typedef struct UnitMistake {
    size_t offset;                /* byte of the text */
    char message[160], hint[120]; /* the hint may be empty */
} UnitMistake;

/* The k-th name in the table, its unit, and whether it takes prefixes; NULL behind the last. */
const char *unit_name(size_t k, Unit *ret, bool *ret_prefixes);

/* False after a mistake. */
bool unit_read(const char *text, Unit *ret, UnitMistake *ret_mistake);
/* The coherent unit of the SI; 1 for the unknown dimension. */
Unit unit_of(const Dimension *dimension);
/* a / b; false if the result has too many factors or its factor is out of range. */
bool unit_divide(Unit *a, const Unit *b);

/* Converts a number of this unit to the SI. */
double unit_to_si(const Unit *unit, double value);
/* The reason why a converted number cannot be used; NULL if it can. */
const char *unit_misfit(double value, double in_si);
/* Converts a number of the SI to this unit: the nearest double, or the number of at most 15 digits
 * whose conversion to the SI is the same. So an input is shown as it was given. */
double unit_shown(const Unit *unit, double value);

void unit_print(const Unit *unit, Text *out);

#endif
