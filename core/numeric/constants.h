/* Mathematical constants. */
#ifndef CORE_NUMERIC_CONSTANTS_H
#define CORE_NUMERIC_CONSTANTS_H

static const double PI = 3.14159265358979323846;

#endif
