/* Systems with independently computed data at their initial states. */
#ifndef TESTS_CORE_MODEL_REFERENCES_H
#define TESTS_CORE_MODEL_REFERENCES_H

#include "tests/core/model/sketch.h"

enum { REFERENCE_MAX = 5 };

typedef struct Reference {
    const char *id;
    Sketch sketch;
    ConstraintKind kinds[REFERENCE_MAX];
    bool time_dependent[REFERENCE_MAX];
    double t;
    double q[REFERENCE_MAX], v[REFERENCE_MAX];
    double p[REFERENCE_MAX], vdot[REFERENCE_MAX], lambda[REFERENCE_MAX]; /* at this state */
} Reference;

extern const Reference REFERENCES[];
extern const size_t N_REFERENCES;

#endif
