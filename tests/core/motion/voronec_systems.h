/* Systems with what Voronec's equations are made of, known at a state. */
#ifndef TESTS_CORE_MOTION_VORONEC_SYSTEMS_H
#define TESTS_CORE_MOTION_VORONEC_SYSTEMS_H

#include <stddef.h>

enum { VORONEC_MAX_N = 5, VORONEC_MAX_R = 3, VORONEC_MAX_PARAMETERS = 8, VORONEC_MAX_FACTS = 16 };

typedef struct NamedNumber {
    const char *name;
    double value;
} NamedNumber;

typedef struct VoronecSystem {
    const char *id;
    const char *coordinates[VORONEC_MAX_N];
    NamedNumber parameters[VORONEC_MAX_PARAMETERS];
    const char *lagrangian;
    const char *constraints[VORONEC_MAX_R];
    size_t dependent[VORONEC_MAX_R];
    double t, q[VORONEC_MAX_N], v[VORONEC_MAX_N];
    double vdot[VORONEC_MAX_N];
    NamedNumber facts[VORONEC_MAX_FACTS]; /* by the names of printed equations */
} VoronecSystem;

extern const VoronecSystem VORONEC_SYSTEMS[];
extern const size_t N_VORONEC_SYSTEMS;

#endif
