/* Known conserved quantities, by their values at states. They tell a new first integral from a
 * function of old ones.
 *
 * Known are constants, the energy if it is conserved (or the integral found in its place), the
 * integrals found, and products of these. */
#ifndef CORE_INVARIANTS_SEARCH_KNOWN_H
#define CORE_INVARIANTS_SEARCH_KNOWN_H

#include "core/invariants/search/echelon.h"

typedef struct KnownColumn {
    unsigned velocities; /* degree in them */
    unsigned factors;    /* found integrals in this product */
    bool energy;         /* it contains the energy */
    double *values;
} KnownColumn;

typedef struct Known {
    Arena *arena;
    size_t rows;
    unsigned degree, factors; /* products beyond are not made */
    size_t n, capacity;
    KnownColumn *columns;
    Echelon single;   /* constants, the energy, found integrals: each by itself */
    Echelon products; /* without the energy */
    Echelon rest;     /* these and the energy, without products of it */
    Echelon all;
    double *work, *ones; /* rows */
} Known;

typedef enum Novelty {
    NOVEL,     /* a combination of nothing known */
    REMAINDER, /* of the energy, when products of others are taken off it */
    REPEATED,  /* the energy, a found integral, or a combination of products, with the energy too */
} Novelty;

/* In the arena. */
Status known_init(Known *known, Arena *arena, size_t rows, unsigned degree, unsigned factors,
                  Error *err) MUST_CHECK;

Novelty known_judge(const Known *known, const double *values);
/* values[rows] of an integral with that many velocities. */
Status known_add(Known *known, const double *values, unsigned velocities, bool energy,
                 Error *err) MUST_CHECK;

#endif
