/* The projection of a generator onto the constraints.
 *
 * Along the kinetic metric M, Pi Y is the part of Y in D = ker S. If the constraints are linear
 * and p = M v, p.(Pi Y) = p.Y on the constraints: a momentum then has a generator in D. With an
 * affine part xi that is so only if (Pi Y - Y).M xi vanishes (F. Fasso, N. Sansonetto, section
 * 4.3). */
#ifndef CORE_INVARIANTS_GAUGE_MOMENTA_PROJECTION_H
#define CORE_INVARIANTS_GAUGE_MOMENTA_PROJECTION_H

#include "core/invariants/analysis.h"

typedef struct Projection {
    Predicted generates; /* p.(Pi Y) = p.Y at all states */
    bool constant;       /* if not, they differ by a constant */
    double largest;      /* |p.(Pi Y - Y)| over the sum of its terms */
} Projection;

/* Tested at the context's states; undecided if M is degenerate on D. */
Status projection_judge(const AnalysisContext *context, const Expr *Y, Projection *ret,
                        Error *err) MUST_CHECK;

#endif
