/* What the numbers of a document are in.
 *
 * If every name of a model (coordinates, parameters, coordinates of its chart) has a unit, the
 * whole model is in units of the SI inside: the document's numbers are converted where they are
 * read (parameters and periods here, those of a job by unit_to_si()), and converted back where
 * columns are shown (unit_shown()). Then every expression is checked dimension by dimension, while
 * it is parsed. Time is in seconds; the dimension of the Lagrangian is that of its terms, whatever
 * it is (a Lagrangian per mass will do), and those of forces and multipliers follow.
 *
 * If some name has none, numbers are taken as written, and nothing is checked. */
#ifndef CORE_MODEL_UNITS_H
#define CORE_MODEL_UNITS_H

#include "core/units/unit.h"

typedef struct ModelUnits {
    bool known;
    const char *warning; /* units are given, but not used: why; else NULL */
    bool excused;        /* for they have mistakes, in a document that was accepted before */
    /* If they are known, else NULL. */
    const Unit *state;      /* 2 n: of coordinates, then of velocities */
    const Unit *parameters; /* n_params */
    const Unit *chart;      /* 2 chart.n: of its coordinates, then of their velocities */
    /* Not known where nothing has a unit. */
    Dimension lagrangian;
    Dimension *constraints; /* r: of the equations, as they are written */
    Dimension *definitions;
    Dimension *symmetries, *frame; /* of a field: that of X_i / q_i, which is one for all i */
} ModelUnits;

#endif
