/* Inside core/simulation/: what the columns of a result are in. Everything is computed in units of the SI; what leaves
 * is shown in those of the model. */
#ifndef CORE_SIMULATION_PREPARE_COLUMN_UNITS_H
#define CORE_SIMULATION_PREPARE_COLUMN_UNITS_H

#include "core/simulation/simulation.h"

typedef struct ColumnUnits {
    const Unit **units; /* n: NULL where a column has none */
    const char **texts; /* n */
    size_t n;
    double *shown;        /* a row in them; NULL: rows are as they are computed */
    const Motion *motion; /* whose columns these are */
    Arena memory;         /* owns the arrays */
} ColumnUnits;

/* Finds simulation->units once the columns have names; nothing where the model's units are not known. */
Status column_units_find(Simulation *simulation, Error *err) MUST_CHECK;

void column_units_free(ColumnUnits *units); /* NULL is fine */

/* A value of column c. */
double column_shown(const Simulation *simulation, size_t c, double value);
/* A row of all columns, which is the given one where it need not be converted; else valid until the next call. */
const double *row_shown(const Simulation *simulation, const double *row);

#endif
