/* Inside core/run/: the rule of Gauss and Kronrod with 7 and 15 points (R. Piessens et al.,
 * QUADPACK, Springer 1983). */
#ifndef CORE_RUN_PARTS_QUADRATURE_H
#define CORE_RUN_PARTS_QUADRATURE_H

enum { QUADRATURE_NODES = 15 };

/* The place of the k-th value, between -1 and 1; the first is in the middle. */
double quadrature_node(int k);

typedef struct Quadrature {
    double integral, size, off; /* size: of |value|; off: by how much both rules differ */
} Quadrature;

/* Over -reach .. reach of what has these values at the nodes. */
Quadrature quadrature_sums(const double *values, double reach);

#endif
