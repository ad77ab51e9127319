/* Inside core/stability/: the sign of a function of two variables by its Newton polygons. */
#ifndef CORE_STABILITY_FLAT_POLYGON_H
#define CORE_STABILITY_FLAT_POLYGON_H

#include "core/stability/flat/flat.h"

/* The order up to which the function is known. */
enum { POLYGON_ORDER = FLAT_MOST_ORDER + 1, POLYGON_SIZE = POLYGON_ORDER + 1 };

/* The sign near 0 of the sum of coefs[i][j] x^i y^j, i + j <= POLYGON_ORDER, with any terms of
 * higher order, on one side (+-1) of a line through 0. The line is the same for all functions
 * with lowest forms that vanish along the same lines. EXACT_POSITIVE: at all (x, y) near 0
 * except 0, and on the line, too. EXACT_NEGATIVE: somewhere arbitrarily near 0. */
Status polygon_sign(const Flat *flat, const Expr *coefs, int side, ExactSign *ret,
                    Error *err) MUST_CHECK;

#endif
