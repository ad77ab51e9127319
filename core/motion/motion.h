/* Equations of motion, ready to evaluate: one formulation of one model.
 *
 * A formulation (one file, one row of FORMULATIONS) writes the first-order system y' = f(t, y) of
 * its state into an expression pool, together with what the state means; motion_new() compiles that
 * into programs. Corners (abs, sign, min, max, if) are frozen: each is an input `mode` (-1, 0, +1)
 * that the integrator switches where its guard vanishes, so that the rates are smooth within a
 * step.
 *
 * A motion is immutable and shared by threads; parameters are bound by whoever evaluates. */
#ifndef CORE_MOTION_MOTION_H
#define CORE_MOTION_MOTION_H

#include "core/expr/calculus.h"
#include "core/model/model.h"
#include "core/motion/eliminate.h"
#include "core/motion/formulations.h"
#include "core/program/program.h"

/* What a formulation derives. Arrays are allocated by equations_init(). */
typedef struct Equations {
    ExprPool *pool; /* a clone of the model's, with the equations' nodes */
    size_t n, n_rows, dim;
    Expr *state;      /* dim symbols */
    Expr *rates;      /* dim */
    Expr *q, *v;      /* n: the model's coordinates and velocities, from the state */
    Expr *vdot;       /* n */
    Expr *lambda;     /* n_rows: multipliers of the rows in use */
    Expr *regularity; /* n_regularity <= n + n_rows, see KktSolution */
    size_t n_regularity;
    Expr power; /* (F + R).v - L_t: what changes the energy (docs/numerics.md, energy balance) */
} Equations;

Status equations_init(Equations *equations, const Model *model, size_t n_rows, size_t dim,
                      Error *err) MUST_CHECK;
void equations_done(Equations *equations);

typedef struct MotionOptions {
    const size_t *rows; /* independent constraints, ascending */
    size_t n_rows;
    Elimination elimination;
} MotionOptions;

/* One description of motion. */
struct Formulation {
    const char *name;  /* what clients write: as in the table of formulations.c */
    const char *title; /* for printed equations */
    /* Fills *equations (equations_init is its first call; the caller calls equations_done in any
     * case). ERR_NOT_FOUND when the elimination does not fit the model's structure. */
    Status (*derive)(const Model *model, const MotionOptions *options, Equations *equations,
                     Error *err);
};

extern const Formulation formulation_lagrange_dalembert;

/* All programs take the inputs t, y[dim], modes[n_switches] and the model's parameters. */
typedef struct Motion {
    const Formulation *formulation;
    Elimination elimination;
    size_t n, dim, n_rows, n_switches, n_regularity;
    size_t *rows;      /* n_rows: the constraints in use */
    Program *rates;    /* -> y' [dim], power [1] */
    Program *point;    /* -> q[n], v[n], vdot[n], lambda[n_rows], regularity[n_regularity] */
    Program *switches; /* -> guard[n_switches], its rate along the motion [n_switches]; NULL without
                          switches */
} Motion;

/* What is known of the mass matrix, which decides which eliminations are sound. */
typedef enum MotionClass {
    MOTION_POSITIVE,                /* M is positive definite */
    MOTION_POSITIVE_ON_CONSTRAINTS, /* N^T M N is, M itself is not */
    MOTION_INDEFINITE,              /* neither: only pivoted solves */
} MotionClass;

/* The shortest of the sound eliminations that fit the model's structure. */
Status motion_best(const Model *model, const Formulation *formulation, const size_t *rows,
                   size_t n_rows, MotionClass kind, Motion **ret_motion, Error *err) MUST_CHECK;

/* One given elimination; ERR_NOT_FOUND when it does not fit. */
Status motion_new(const Model *model, const Formulation *formulation, const MotionOptions *options,
                  Motion **ret_motion, Error *err) MUST_CHECK;
void motion_free(Motion *motion); /* NULL is fine */

/* -> d rates / d y, row-major dim x dim, then the explicit d rates / dt, dim. Derived anew at each
 * call: only stiff methods want it. */
Status motion_jacobian(const Model *model, const Motion *motion, Program **ret_program,
                       Error *err) MUST_CHECK;

#endif
