/* Inside core/stability/: forces that take energy from every motion, or none. */
#ifndef CORE_STABILITY_FIND_DRAG_H
#define CORE_STABILITY_FIND_DRAG_H

#include "core/stability/find/equilibrium.h"

/* F = -D v - R with constant D and R of higher order in the velocities, such as |v| v. */
typedef struct Drag {
    bool dissipative; /* F is of this form, v.D v >= 0 and v.R >= 0 wherever */
    bool complete;    /* v.D v > 0 for v other than 0 */
    bool none;        /* there are no forces */
    bool symmetric;   /* D is, and |R| <= C |v|^2 near rest */
} Drag;

Status drag_find(const Equilibrium *equilibrium, Drag *ret, Error *err) MUST_CHECK;

#endif
