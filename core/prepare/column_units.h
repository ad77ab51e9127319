/* Inside core/prepare/: the units of a result's columns. All computations use SI units;
 * output is converted to the model's units. */
#ifndef CORE_PREPARE_COLUMN_UNITS_H
#define CORE_PREPARE_COLUMN_UNITS_H

#include "core/prepare/simulation.h"

typedef struct ColumnUnits {
    const Unit **units; /* n: NULL for a column without unit */
    const char **texts; /* n */
    size_t n;
    double *shown;        /* a row in these units; NULL: no conversion */
    const Motion *motion; /* the motion of these columns */
    Arena memory;         /* owns the arrays */
} ColumnUnits;

/* Finds simulation->units after the columns have names. Does nothing if the model's units are
 * unknown. */
Status column_units_find(Simulation *simulation, Error *err) MUST_CHECK;

void column_units_free(ColumnUnits *units); /* NULL is fine */

/* A value of column c. */
double column_shown(const Simulation *simulation, size_t c, double value);
/* A row of all columns in their units: the given row if no conversion is needed, else an array
 * that is valid until the next call. */
const double *row_shown(const Simulation *simulation, const double *row);

#endif
