/* Exact questions about expressions: does a sum of terms vanish wherever some equations hold?
 *
 * The value of a symbol is the shortest decimal that reads back as it, hence a rational number. A
 * constant is the number that it stands for (core/expr/graph/real.h). A question has two halves,
 * which prove different answers:
 *
 *   exact_identity   evaluates over a prime field of 62 bits at random points of the equations.
 *                    Angles, exponentials, logarithms, ... are independent unknowns there. A sum
 *                    that vanishes as a function of these unknowns vanishes for the functions, too.
 *                    This is a proof except for a small chance (J. T. Schwartz,
 *                    R. Zippel: a polynomial of degree d vanishes at a random point with a chance
 *                    of at most d / p).
 *   exact_difference encloses the sum at a real point of the equations in a ball (F. Johansson,
 *                    Arb) that does not contain zero: a proof that it does not vanish.
 *
 * A problem beyond a bound is not decided. Only this layer uses FLINT and Arb. */
#ifndef CORE_EXACT_EXACT_H
#define CORE_EXACT_EXACT_H

#include "core/expr/graph/expr.h"

/* Larger problems are not decided. */
enum {
    EXACT_MAX_STEPS = 50000,   /* nodes of the graph under one question */
    EXACT_MAX_UNKNOWNS = 96,   /* of one stage's linear system */
    EXACT_MAX_CORNERS = 6,     /* branches that are independent of each other: 2^6 patterns */
    EXACT_MAX_WORK = 20000000, /* operations in the field per question */
    EXACT_MAX_BITS = 2048,     /* of a ball */
    EXACT_MAX_FORM = 4,        /* variables of a polynomial with a sign in question */
    /* largest work (core/base/stop_token.h) of a call that cannot be interrupted */
    EXACT_MAX_PIECE = 1 << 27,
};

/* Unknowns, and equations that determine as many of them, if those of earlier stages are known. */
typedef struct ExactStage {
    size_t n_unknowns, n_equations;
    const Expr *unknowns;  /* symbols */
    const Expr *equations; /* n_equations expressions that vanish */
    const Expr *jacobian;  /* [n_equations][n_unknowns], by the unknowns */
    bool linear;           /* the Jacobian does not depend on the unknowns */
    bool from_zero;        /* linear; the equations are written at unknowns = 0 */
} ExactStage;

typedef struct ExactProblem {
    const ExprPool *pool;
    const Expr *terms; /* the question is about their sum */
    size_t n_terms;
    const Expr *known; /* symbols that have a value; all others are free */
    const double *values;
    size_t n_known;
    const ExactStage *stages;
    size_t n_stages;
    const double *symbols; /* n_symbols values by symbol: a point near which balls are asked for */
    size_t n_symbols;      /* symbols from here on are unknown there */
    Status (*poll)(void *self, Error *err); /* OK to go on; poll NULL: always */
    void *self;
} ExactProblem;

typedef enum ExactAnswer {
    EXACT_UNKNOWN, /* not decided; see `why` */
    EXACT_ZERO,    /* vanishes wherever it is defined and the equations hold */
    EXACT_NONZERO, /* exact_identity: nonzero as a function of independent unknowns, which proves
                    * nothing; exact_difference: proved */
} ExactAnswer;

typedef struct ExactResult {
    ExactAnswer answer;
    const char *why; /* of EXACT_UNKNOWN: a static text, "it ..." */
    size_t points;   /* number of points of the field */
    size_t primes;
    double chance; /* of EXACT_ZERO: bound on the chance that it is wrong */
    unsigned bits; /* of the deciding ball */
    double value;  /* of the sum at that point, rounded */
} ExactResult;

/* Not OK: out of memory, or the result of poll. */
Status exact_identity(const ExactProblem *problem, ExactResult *ret, Error *err) MUST_CHECK;

/* The problem with these terms in place of its own. */
ExactProblem exact_about(const ExactProblem *problem, const Expr *terms, size_t n_terms);

/* Asks near the problem's point, moved onto the equations. */
Status exact_difference(const ExactProblem *problem, ExactResult *ret, Error *err) MUST_CHECK;

/* Whether these terms, in place of the problem's, vanish in the first n_stages of its stages: as
 * they are written, or by exact_identity(). */
Status exact_vanishes(const ExactProblem *problem, size_t n_stages, const Expr *terms,
                      size_t n_terms, bool *ret, Error *err) MUST_CHECK;

/* Whether exact_difference() proves that this term in place of the problem's does not vanish. */
Status exact_differs(const ExactProblem *problem, Expr term, bool *ret, Error *err) MUST_CHECK;

/* The value of this term, 0 if it vanishes. *ret_known is false if neither is proved. */
Status exact_value(const ExactProblem *problem, Expr term, double *ret, bool *ret_known,
                   Error *err) MUST_CHECK;

/* A matrix whose entries are the problem's terms, row by row. Its rows occur `copies` times, one
 * set below the other. Each copy has its own unknowns in the stages beyond the first `shared`; all
 * else is common. With copies = 1 it is the matrix itself. */
typedef struct ExactMatrix {
    ExactProblem problem;
    size_t columns;
    size_t copies, shared;
} ExactMatrix;

typedef struct ExactRank {
    size_t rank;
    const char *why; /* of exact_rank_most: no better bound was found, "it ..."; or NULL */
    size_t points, primes;
    double chance;
    unsigned bits;
} ExactRank;

/* An upper bound of the rank at all points: the number of rows or columns, or less if the fields
 * prove it. A bound of `enough` or less is not improved. */
Status exact_rank_most(const ExactMatrix *matrix, size_t enough, ExactRank *ret,
                       Error *err) MUST_CHECK;

/* A lower bound of the rank near the problem's point, symbols[copies][n_symbols]: the number of
 * pivots in an elimination in balls that exclude zero. It stops at `wanted` pivots. */
Status exact_rank_least(const ExactMatrix *matrix, size_t wanted, ExactRank *ret,
                        Error *err) MUST_CHECK;

/* P(s) = P0 + s P1 + s^2 P2: the terms are these matrices [size][size], row by row. det P(s) is a
 * polynomial of degree `degree`; `zeros` of its roots are known to be zero. */
typedef struct ExactPencil {
    ExactProblem problem;
    size_t size, degree, zeros;
} ExactPencil;

typedef struct ExactRoots {
    bool counted;
    size_t left, right; /* number of roots on each side of Re s = line, without the known zeros */
    unsigned bits;
    const char *why; /* if not counted: "it ..." */
} ExactRoots;

/* Counts at a point of the equations near the problem's. It succeeds if balls prove all signs of
 * Routh's scheme, which also shows that no root lies on the line. */
Status exact_roots(const ExactPencil *pencil, double line, ExactRoots *ret, Error *err) MUST_CHECK;

/* *ret: a symmetric form [n][n] is proved to be positive definite on the null space of rows[r][n],
 * at a point of the equations near the problem's. The terms are the form, then the rows. */
Status exact_positive(const ExactProblem *problem, size_t n, size_t r, bool *ret,
                      Error *err) MUST_CHECK;

typedef enum ExactSign {
    EXACT_NO_SIGN,  /* no sign is proved */
    EXACT_POSITIVE, /* at all x other than 0 */
    EXACT_NEGATIVE, /* at some x */
} ExactSign;

/* The sign of the sum of terms[k] x_1^e_1 .. x_n^e_n, e = exponents[n_terms][n], near the problem's
 * point. With some positive weights of the exponents all monomials must have one degree. */
Status exact_form(const ExactProblem *problem, size_t n, const unsigned *exponents, ExactSign *ret,
                  Error *err) MUST_CHECK;

#endif
