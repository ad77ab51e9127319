/* Inside core/simulation/: the sign of a function of two variables about a place, from its Newton
 * polygons. */
#ifndef CORE_SIMULATION_EQUILIBRIA_POLYGON_H
#define CORE_SIMULATION_EQUILIBRIA_POLYGON_H

#include "core/simulation/equilibria/flat.h"

/* Up to this order the function is known. */
enum { POLYGON_ORDER = FLAT_MOST_ORDER + 1, POLYGON_SIZE = POLYGON_ORDER + 1 };

/* Of the sum of coefs[i][j] x^i y^j, i + j <= POLYGON_ORDER, and whatever is of a higher order, on
 * one side (+-1) of a line through 0, the same for all functions with lowest forms that vanish
 * along the same lines: EXACT_POSITIVE: wherever (x, y) is near 0, but at 0, and on the line, too;
 * EXACT_NEGATIVE: somewhere as near 0 as one likes. The coefficients are numbers of flat's pool. */
Status polygon_sign(const Flat *flat, const Expr *coefs, int side, ExactSign *ret,
                    Error *err) MUST_CHECK;

#endif
