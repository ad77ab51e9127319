/* The systems of tests/reference that move by Lagrange-d'Alembert, with what was computed
 * independently at their initial states. Their models are those of the catalog. */
#ifndef TESTS_CORE_MODEL_REFERENCES_H
#define TESTS_CORE_MODEL_REFERENCES_H

#include "tests/core/model/sketch.h"

enum { REFERENCE_MAX = 8 };

typedef struct Reference {
    char id[64];
    ConstraintKind kinds[REFERENCE_MAX];
    bool time_dependent[REFERENCE_MAX];
    double t;
    double q[REFERENCE_MAX], v[REFERENCE_MAX];
    double p[REFERENCE_MAX], vdot[REFERENCE_MAX], lambda[REFERENCE_MAX]; /* at this state */
} Reference;

int n_references(void);
/* Reads number k of them and builds its model; release with bench_done(). */
void reference_init(Reference *ret, Bench *bench, int k);

#endif
