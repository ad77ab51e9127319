/* Symbolic solution of the constrained equations of motion
 *
 *     [ M  -A^T ] [ vdot   ]   [  b   ]
 *     [ A    0  ] [ lambda ] = [ -psi ]
 *
 * by one of several eliminations, unrolled into the expression graph so that structural zeros,
 * constants and shared terms are exploited, or by a pivoted solve at run time. */
#ifndef CORE_MOTION_ALGEBRA_ELIMINATE_H
#define CORE_MOTION_ALGEBRA_ELIMINATE_H

#include "core/base/arena.h"
#include "core/model/model.h"

typedef enum Elimination {
    /* Velocities are split into free and dependent ones. The dependent ones are solved from
     * constraints in which each has a numeric coefficient and no other constraint contains it. Then
     * L D L^T of N^T M N. Needs M positive definite on the constraints. */
    ELIMINATE_NULL_SPACE,
    /* The same, with products multiplied out so that trigonometric identities show. */
    ELIMINATE_NULL_SPACE_EXPANDED,
    /* L D L^T of M, then of A M^-1 A^T. Needs M positive definite. */
    ELIMINATE_SCHUR,
    /* Pivoted LU of the whole matrix at run time. Needs regularity only. */
    ELIMINATE_PIVOTED,
} Elimination;

const char *elimination_name(Elimination elimination);
/* ERR_NOT_FOUND: the elimination does not fit the system. */
Status elimination_misfit(Elimination elimination, Error *err);

typedef struct KktSystem {
    size_t n, r;     /* unknown accelerations, multipliers */
    const Expr *M;   /* n x n, symmetric */
    const Expr *b;   /* n */
    const Expr *A;   /* r x n */
    const Expr *psi; /* r */
} KktSystem;

/* The model's system with the constraints rows[r] and b = F - l, in the arena and the model. */
void kkt_of_model(KktSystem *ret, ExprPool *pool, const Model *model, const size_t *rows, size_t r,
                  Arena *arena);

typedef struct KktSolution {
    Expr *vdot;       /* n, the caller's */
    Expr *lambda;     /* r, the caller's */
    Expr *regularity; /* at most n + r, the caller's: each is a pivot relative to its diagonal
                         entry, in (0, 1], or the reciprocal condition of a pivoted solve; 0 or
                         less: singular */
    size_t n_regularity;
} KktSolution;

/* False if this elimination does not fit the structure, or if out of memory. */
bool eliminate_solve(ExprPool *pool, const KktSystem *system, Elimination elimination,
                     KktSolution *ret_solution);

#endif
