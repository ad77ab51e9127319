/* The values of an ensemble's members. They are computed from the number of the member alone, so
 * that a design of ten million members takes no memory, and members can run anywhere and in any
 * order. */
#ifndef CORE_ENSEMBLE_DESIGN_H
#define CORE_ENSEMBLE_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/status.h"

typedef enum DesignKind {
    DESIGN_GRID,     /* all combinations; the last axis runs fastest */
    DESIGN_ZIP,      /* the k-th value of each axis; also tables */
    DESIGN_RANDOM,   /* independent draws */
    DESIGN_LATIN,    /* Latin hypercube */
    DESIGN_SOBOL,    /* scrambled Sobol points */
    DESIGN_SALTELLI, /* for Sobol indices of first and total order: see design_saltelli() */
} DesignKind;

typedef enum AxisKind {
    AXIS_LIST,   /* values one by one */
    AXIS_RANGE,  /* `count` equal steps or equal ratios; in random designs uniform between them */
    AXIS_NORMAL, /* Gauss's distribution, cut off at least and most */
} AxisKind;

/* One varied path. Grids and zips take lists and ranges with a count, random designs ranges and
 * normals. */
typedef struct DesignAxis {
    const char *path;    /* "parameters.l" */
    const char *pointer; /* into the document */
    AxisKind kind;
    const double *list;
    uint64_t count; /* of AXIS_LIST, and of AXIS_RANGE in grids and zips */
    double from, to;
    bool log; /* equal ratios; from and to have one sign */
    double mean, sd, least, most;
} DesignAxis;

typedef struct Design Design;

/* The design that a document requests. */
typedef struct DesignSpec {
    DesignKind kind;
    const DesignAxis *axes;
    size_t n_axes;
    uint64_t count; /* random designs: how many members; Saltelli's: how many base points */
    uint64_t seed;
    const char *of_job, *of_where; /* the job whose members these were, and the condition that chose
                                      them: only reported; or NULL */
} DesignSpec;

/* A path that varies nothing: the numbers that members had in the ensemble that they come from. */
#define DESIGN_OF_MEMBER "of.member"

/* Borrows the spec's arrays; lives in the arena. ERR_LIMIT: more than `most` members, or too
 * many axes. ERR_INVALID: zipped axes of different lengths. */
Status design_new(const DesignSpec *spec, uint64_t most, Arena *arena, Design **ret_design,
                  Error *err) MUST_CHECK;

uint64_t design_count(const Design *design);
size_t design_axes(const Design *design);

/* The values of member k < count: ret_values[n_axes]. Thread-safe. */
void design_values(const Design *design, uint64_t k, double *ret_values);

/* A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259: each base point gives n_axes + 2
 * members in a row: A, A with axis i from B for each axis i, and B. ret_base: the number of the
 * base point. Returns the place among the n_axes + 2. */
size_t design_saltelli(const Design *design, uint64_t k, uint64_t *ret_base);

#endif
