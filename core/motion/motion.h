/* Equations of motion, ready to evaluate: one formulation of one model.
 *
 * motion_new() compiles the equations of a formulation (core/motion/formulation.h) into programs.
 * Corners (abs, sign, min, max, if) are frozen: each is an input `mode` (-1, 0, +1) that the
 * integrator switches at the root of its guard, so that the rates are smooth within a step.
 *
 * A motion is immutable and shared by threads. Parameters are bound by the evaluators. */
#ifndef CORE_MOTION_MOTION_H
#define CORE_MOTION_MOTION_H

#include "core/motion/formulation.h"
#include "core/program/program.h"

/* Unknowns, coordinates and constraints together. An elimination of more unknowns is not unrolled,
 * because it would fill the graph instead of thinning it. */
enum { MOTION_UNROLL_MAX = 16 };

/* All programs but `restate` take t, y[dim], modes[n_switches], guess[n_implicit]. */
typedef struct Motion {
    const Formulation *formulation;
    Elimination elimination;
    size_t n, dim, n_rows, n_switches, n_regularity, n_implicit, n_own;
    bool plain;             /* the state is (q, v) itself */
    bool mass_positive;     /* see MotionOptions */
    bool watches_dependent; /* has_determined or has_inertia */
    bool has_determined;    /* see Equations, as are the next two */
    bool has_orientation, has_inertia;
    unsigned choice;        /* see MotionOptions */
    size_t *rows;           /* n_rows: the constraints in use */
    size_t *dependent;      /* n_rows: see MotionOptions */
    const char **own_names; /* n_own */
    /* dim: the columns that equal components of the state; NULL: none */
    const char **state_names;
    Program *rates;    /* -> y' [dim], power [1] */
    Program *point;    /* -> q[n], v[n], vdot[n], lambda[n_rows], regularity[n_regularity],
                          own[n_own], implicit[n_implicit], lambda_rate[n_rows] if the multipliers
                          are kept, then determined, orientation and inertia, [1] each if present */
    Program *switches; /* -> guard[n_switches], its rate along the motion [n_switches]; NULL without
                          switches */
    Program *restate;  /* t, q[n], v[n], lambda[n_rows], y[dim] -> y[dim],
                          implicit[n_implicit]; NULL if plain */
    Arena memory;      /* owns the arrays and the names */
} Motion;

/* Properties of the mass matrix, which decide the eliminations that are sound. */
typedef enum MotionClass {
    MOTION_POSITIVE,                /* M is positive definite */
    MOTION_POSITIVE_UNEVEN,         /* but must not be divided by, see mass_divides() */
    MOTION_POSITIVE_ON_CONSTRAINTS, /* N^T M N is, M itself is not */
    MOTION_INDEFINITE,              /* neither: only pivoted solves */
} MotionClass;

/* The shortest sound elimination that fits the model (options->elimination is not read). */
Status motion_best(const Model *model, const Formulation *formulation, const MotionOptions *options,
                   MotionClass kind, Motion **ret_motion, Error *err) MUST_CHECK;

/* One given elimination; ERR_NOT_FOUND if it does not fit. */
Status motion_new(const Model *model, const Formulation *formulation, const MotionOptions *options,
                  Motion **ret_motion, Error *err) MUST_CHECK;
void motion_free(Motion *motion); /* NULL is fine */

/* The options with which the motion was derived; borrows its arrays. */
MotionOptions motion_options(const Motion *motion);

/* -> d rates / d y, row-major dim x dim, then the explicit d rates / dt, dim. Derived again at each
 * call, because only stiff methods need it. */
Status motion_jacobian(const Model *model, const Motion *motion, Program **ret_program,
                       Error *err) MUST_CHECK;

#endif
