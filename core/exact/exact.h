/* Exact questions about expressions: does a sum of terms vanish wherever some equations hold?
 *
 * The value of a symbol is the shortest decimal that reads back as it, hence a rational number; a
 * constant is the number that it stands for (core/expr/graph/real.h). A question has two halves,
 * and neither answers for the other:
 *
 *   exact_identity   evaluates over a prime field of 62 bits at random points of the equations.
 *                    What vanishes there as a function of independent unknowns (one for each angle,
 *                    exponential, logarithm, ...) vanishes in particular for the functions they
 *                    stand for: a proof but for a chance that comes with it (J. T. Schwartz, R.
 *                    Zippel: a polynomial of degree d vanishes at a random point with a chance
 *                    of at most d / p).
 *   exact_difference encloses the sum at a real point of the equations in a ball (F. Johansson,
 *                    Arb) that does not contain zero: a proof that it does not vanish.
 *
 * Nothing here knows mechanics. Everything is bounded before it begins, and what is beyond a bound
 * is not decided. This layer alone uses FLINT and Arb. */
#ifndef CORE_EXACT_EXACT_H
#define CORE_EXACT_EXACT_H

#include "core/expr/graph/expr.h"

/* Larger problems are not decided. */
enum {
    EXACT_MAX_STEPS = 50000,   /* nodes of the graph under one question */
    EXACT_MAX_UNKNOWNS = 96,   /* of one stage's linear system */
    EXACT_MAX_CORNERS = 6,     /* branches that are independent of each other: 2^6 patterns */
    EXACT_MAX_WORK = 20000000, /* operations in the field for one question */
    EXACT_MAX_BITS = 2048,     /* of a ball */
    EXACT_MAX_FORM = 4,        /* variables of a polynomial whose sign is asked for */
    EXACT_MAX_PIECE =
        1
        << 27, /* work (core/base/stop_token.h) of a call that cannot be left: a matrix in balls */
};

/* Some unknowns and the equations that determine them, or as many of them as there are equations,
 * when all unknowns of earlier stages are known. */
typedef struct ExactStage {
    size_t n_unknowns, n_equations;
    const Expr *unknowns;  /* symbols */
    const Expr *equations; /* n_equations: what vanishes */
    const Expr *jacobian;  /* [n_equations][n_unknowns], by the unknowns */
    bool linear;           /* the Jacobian does not depend on the unknowns */
    bool from_zero;        /* linear; the equations are written for unknowns that are zero */
} ExactStage;

typedef struct ExactProblem {
    const ExprPool *pool;
    const Expr *terms; /* which add up to what is asked about */
    size_t n_terms;
    const Expr *known; /* symbols that have a value; all others are free */
    const double *values;
    size_t n_known;
    const ExactStage *stages;
    size_t n_stages;
    Status (*poll)(void *self, Error *err); /* OK to go on; NULL: always */
    void *self;
} ExactProblem;

typedef enum ExactAnswer {
    EXACT_UNKNOWN, /* and why */
    EXACT_ZERO,    /* vanishes wherever it is defined and the equations hold */
    EXACT_NONZERO, /* exact_identity: not as a function of independent unknowns, which proves
                      nothing; exact_difference: proved */
} ExactAnswer;

typedef struct ExactResult {
    ExactAnswer answer;
    const char *why; /* of EXACT_UNKNOWN: a static text, "it ..." */
    size_t points;   /* of the field that were looked at */
    size_t primes;
    double chance; /* of EXACT_ZERO: at most so probably it is wrong */
    unsigned bits; /* of the ball that decided */
    double value;  /* of the sum at that point, rounded */
} ExactResult;

/* Not OK: out of memory, or poll said so. */
Status exact_identity(const ExactProblem *problem, ExactResult *ret, Error *err) MUST_CHECK;

/* Near the point symbols[symbol] (n_symbols; others are not known there), moved onto the
 * equations. */
Status exact_difference(const ExactProblem *problem, const double *symbols, size_t n_symbols,
                        ExactResult *ret, Error *err) MUST_CHECK;

/* A matrix whose entries are the problem's terms, row by row. Its rows come `copies` times, one set
 * below the other, each with unknowns of its own in the stages beyond the first `shared`; all else
 * is the same in all copies: with 1 it is the matrix itself. */
typedef struct ExactMatrix {
    ExactProblem problem;
    size_t columns;
    size_t copies, shared;
} ExactMatrix;

typedef struct ExactRank {
    size_t rank;
    const char
        *why; /* exact_rank_most: no better bound was found; a static text, "it ..."; or NULL */
    size_t points, primes;
    double chance;
    unsigned bits;
} ExactRank;

/* A rank that is nowhere exceeded: no more than the rows and the columns, and where the fields
 * prove it less. A bound of `enough` or less is not improved. */
Status exact_rank_most(const ExactMatrix *matrix, size_t enough, ExactRank *ret,
                       Error *err) MUST_CHECK;

/* A rank that is reached near the point, symbols[copies][n_symbols]: pivots of an elimination in
 * balls that leave out zero, `wanted` of them if possible. */
Status exact_rank_least(const ExactMatrix *matrix, const double *symbols, size_t n_symbols,
                        size_t wanted, ExactRank *ret, Error *err) MUST_CHECK;

/* P(s) = P0 + s P1 + s^2 P2: the terms are these three matrices [size][size], row by row, one
 * after the other. det P(s) is a polynomial of this degree, of whose roots so many are known to
 * be zero. */
typedef struct ExactPencil {
    ExactProblem problem;
    size_t size, degree, zeros;
} ExactPencil;

typedef struct ExactRoots {
    bool counted;
    size_t left, right; /* of the line Re s = line, of those that are not known to be zero */
    unsigned bits;
    const char *why; /* not counted: "it ..." */
} ExactRoots;

/* At a point of the equations near symbols[n_symbols]: where all signs of Routh's scheme are proved
 * by balls, which shows that no root lies on the line. */
Status exact_roots(const ExactPencil *pencil, double line, const double *symbols, size_t n_symbols,
                   ExactRoots *ret, Error *err) MUST_CHECK;

/* Whether a symmetric form [n][n] is proved to be positive definite where rows[r][n] vanish, at a
 * point of the equations near symbols[n_symbols]: the terms are the form, then the rows. */
Status exact_positive(const ExactProblem *problem, size_t n, size_t r, const double *symbols,
                      size_t n_symbols, bool *ret, Error *err) MUST_CHECK;

typedef enum ExactSign {
    EXACT_NO_SIGN,  /* none is proved */
    EXACT_POSITIVE, /* wherever x is not 0 */
    EXACT_NEGATIVE, /* at some x */
} ExactSign;

/* The sign of the sum of terms[k] x_1^e_1 .. x_n^e_n, e = exponents[n_terms][n], at a point of the
 * equations near symbols[n_symbols]. All monomials are of one degree when the exponents are
 * weighted by some positive numbers. */
Status exact_form(const ExactProblem *problem, size_t n, const unsigned *exponents,
                  const double *symbols, size_t n_symbols, ExactSign *ret, Error *err) MUST_CHECK;

#endif
