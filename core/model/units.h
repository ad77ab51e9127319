/* The units of a document's numbers.
 *
 * If every name of a model (coordinates, parameters, coordinates of its chart) has a unit, the
 * whole model is in SI units internally. The document's numbers are converted when they are read
 * (parameters and periods here, those of a job by unit_to_si()), and converted back when columns
 * are shown (unit_shown()). Every expression is then checked for dimensions while it is parsed.
 * Time is in seconds. The Lagrangian may have any dimension, for instance that of a Lagrangian per
 * mass; those of forces and multipliers follow from it.
 *
 * If some name has no unit, numbers are taken as written, and nothing is checked. */
#ifndef CORE_MODEL_UNITS_H
#define CORE_MODEL_UNITS_H

#include "core/units/unit.h"

typedef struct ModelUnits {
    bool known;
    const char *warning; /* the reason why given units are not used; else NULL */
    bool excused;        /* units have mistakes, in a document that was accepted before */
    /* NULL if units are not known. */
    const Unit *state;      /* 2 n: of coordinates, then of velocities */
    const Unit *parameters; /* n_params */
    const Unit *chart;      /* 2 chart.n: of its coordinates, then of their velocities */
    /* Not known if no name has a unit. */
    Dimension lagrangian;
    Dimension *constraints; /* r: of the equations, as they are written */
    Dimension *definitions;
    Dimension *symmetries, *frame; /* of a field: the dimension of X_i / q_i, the same for all i */
} ModelUnits;

#endif
