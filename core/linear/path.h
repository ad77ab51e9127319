/* Inside core/linear/: inputs of expressions over one step, as polynomials with error bounds. */
#ifndef CORE_LINEAR_PATH_H
#define CORE_LINEAR_PATH_H

#include "core/base/arena.h"
#include "core/expr/interval/range.h"
#include "core/integrate/ode.h"

/* Most coefficients per input. Size of a buffer. */
enum { PATH_TERMS = 9 };

/* Polynomials in s = 2 theta - 1. */
typedef struct Path {
    size_t n_inputs;
    bool exact;               /* the inputs are nearly polynomials on each step */
    size_t most_terms, terms; /* of path_follow(); of the polynomials as they are */
    double nodes[PATH_TERMS];
    bool *used;        /* n_inputs: set by the caller; the others are not followed */
    double *values;    /* [terms][n_inputs]: at the nodes */
    double *coefs;     /* [n_inputs][terms]: powers of s */
    double *remainder; /* n_inputs: bound of the polynomial's distance from the motion */
    double *ends;      /* 2 n_inputs: scratch */
} Path;

void path_init(Path *path, size_t n_inputs, bool exact, Arena *arena);

/* Evaluates the inputs at a place theta of the step. */
typedef const double *PathLook(void *self, const OdeArc *arc, double theta);
void path_follow(Path *path, PathLook *look, void *self, const OdeArc *arc);

/* The same from the ends alone, without dense output: t and the first n coordinates, then their
 * velocities, n_inputs = 1 + 2 n. Uses Hermite cubics; their error bound follows from the n
 * accelerations at each end. */
void path_follow_ends(Path *path, size_t n, PathLook *look, PathLook *accelerations, void *self,
                      const OdeArc *arc);

/* The largest movement of an input; and a call that treats it as at rest from now on. */
double path_way(const Path *path, size_t input);
void path_rest(Path *path, size_t input);

/* Whether the polynomial says little about a movement that is not tiny beside `size`. */
bool path_is_lost(const Path *path, size_t input, double size);

/* Ranges of values within r of s, and of rates along theta. */
Range path_range(const Path *path, size_t input, double s, double r, bool with_remainder);
/* The rate along theta at one place, and the largest |value| at the nodes. */
double path_rate(const Path *path, size_t input, double theta);
double path_size(const Path *path, size_t input);

#endif
