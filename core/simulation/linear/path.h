/* Inside core/simulation/: what is read of a motion over one step, as polynomials with bounds. */
#ifndef CORE_SIMULATION_LINEAR_PATH_H
#define CORE_SIMULATION_LINEAR_PATH_H

#include "core/base/arena.h"
#include "core/expr/range.h"
#include "core/integrate/ode.h"

/* At most so many coefficients an input. */
enum { PATH_TERMS = 9 };

/* In s = 2 theta - 1. */
typedef struct Path {
    size_t n_inputs;
    bool exact;               /* what is read is about a polynomial on each step */
    size_t most_terms, terms; /* of path_follow(); of the polynomials as they are */
    double nodes[PATH_TERMS];
    bool *used;        /* n_inputs: to be set; the others are not followed */
    double *values;    /* [terms][n_inputs]: at the nodes */
    double *coefs;     /* [n_inputs][terms]: powers of s */
    double *remainder; /* n_inputs: how far the polynomial may be from the motion */
    double *ends;      /* 2 n_inputs: scratch */
} Path;

/* exact: what is read is about a polynomial on each step already. */
void path_init(Path *path, size_t n_inputs, bool exact, Arena *arena);

/* Takes the inputs at a place theta of the step. */
typedef const double *PathLook(void *self, const OdeArc *arc, double theta);
void path_follow(Path *path, PathLook *look, void *self, const OdeArc *arc);

/* The same from the ends alone, without the dense output: of t and the n coordinates that the inputs
 * begin with, before their velocities, n_inputs = 1 + 2 n. Hermite's cubics, which are off by what
 * the accelerations at the ends, n each, tell. */
void path_follow_ends(Path *path, size_t n, PathLook *look, PathLook *accelerations, void *self,
                      const OdeArc *arc);

/* By how much an input moves, at most; and from now on it rests. */
double path_way(const Path *path, size_t input);
void path_rest(Path *path, size_t input);

/* Does the polynomial say little of how the input moves? What is so small beside `size` rests. */
bool path_is_lost(const Path *path, size_t input, double size);

/* Values within r of s, and rates along theta. */
Range path_range(const Path *path, size_t input, double s, double r, bool with_remainder);
/* The rate along theta at one place, and the largest |value| at the nodes. */
double path_rate(const Path *path, size_t input, double theta);
double path_size(const Path *path, size_t input);

#endif
