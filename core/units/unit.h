/* Units: their texts, and numbers of them in the SI.
 *
 * A unit is a product of named units and powers of them, "kg*m/s^2", "N/(m*s)", "m^(1/2)"; a name
 * may have a prefix of the SI where that is usual, "mm", "kN". Its factor is an exact fraction
 * times a power of pi, so that a number is converted with one rounding: 2.54 cm is the double
 * nearest to 0.0254. Angles are numbers: rad is 1, deg is pi/180. Scales with a zero of their own
 * (Celsius, decibel) are no units. */
#ifndef CORE_UNITS_UNIT_H
#define CORE_UNITS_UNIT_H

#include "core/base/rational.h"
#include "core/units/dimension.h"

enum { UNIT_TEXT_MAX = 100, UNIT_POWERS_MAX = 12, UNIT_NAME_MAX = 12 };

typedef struct UnitPower {
    char name[UNIT_NAME_MAX]; /* with its prefix, as it was written */
    Exponent exponent;
} UnitPower;

typedef struct Unit {
    Dimension dimension;
    UnitPower powers[UNIT_POWERS_MAX]; /* how it is shown */
    unsigned n_powers;
    Rational fraction; /* times pi^pi: what one of it is in the SI */
    int pi;
    bool scales;         /* that is not 1 */
    double factor, rest; /* the same as the sum of two doubles */
} Unit;

typedef struct UnitMistake {
    size_t offset;                /* byte of the text */
    char message[160], hint[120]; /* hint: may be empty */
} UnitMistake;

/* The k-th name there is, its unit, and whether it may have a prefix; NULL behind the last. */
const char *unit_name(size_t k, Unit *ret, bool *ret_prefixes);

/* False after a mistake. */
bool unit_read(const char *text, Unit *ret, UnitMistake *ret_mistake);
/* The coherent unit of the SI; of what fits all: 1. */
Unit unit_of(const Dimension *dimension);
/* a / b; false where that is too long or too large to be written. */
bool unit_divide(Unit *a, const Unit *b);

/* A number of it in the SI. */
double unit_to_si(const Unit *unit, double value);
/* Why what a number is in the SI cannot be used; NULL: it can. */
const char *unit_misfit(double value, double in_si);
/* A number of the SI as one of it: the nearest, or the one of at most 15 digits that is this number
 * in the SI, so that what was given is shown as it was. */
double unit_shown(const Unit *unit, double value);

void unit_print(const Unit *unit, Text *out);

#endif
