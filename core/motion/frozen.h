/* Inside core/motion: equations with their corners frozen, and programs made of them.
 *
 * All outputs are smooth within a step: see core/motion/motion.h. */
#ifndef CORE_MOTION_FROZEN_H
#define CORE_MOTION_FROZEN_H

#include "core/motion/formulation.h"
#include "core/program/program.h"

typedef struct Frozen {
    const Model *model;
    const size_t *rows; /* in use; borrowed */
    size_t n_rows;
    Equations eq;
    ExprSwitch *switches;
    size_t n_switches;
    Expr *inputs; /* t, y, modes, guess: of every program; in the equations' arena */
    size_t n_inputs;
} Frozen;

/* Derives and freezes; the caller calls frozen_done in any case. */
Status frozen_init(Frozen *frozen, const Model *model, const Formulation *formulation,
                   const MotionOptions *options, Error *err) MUST_CHECK;
void frozen_done(Frozen *frozen);

/* The outputs of Motion.rates, then of Motion.point, with or without measures, and space for `more`
 * behind them. In the equations' arena; NULL if out of memory. */
Expr *frozen_gather(Equations *eq, bool measures, size_t more, size_t *ret_n);

/* A program over the inputs and, after them, the symbols more[n_more]. */
Status frozen_compile(const Frozen *frozen, const Expr *more, size_t n_more, const Expr *outputs,
                      size_t n, Program **ret_program, Error *err) MUST_CHECK;

/* Whether the place of a corner of the expressions depends on one of the model's symbols. */
Status corners_depend(const Model *model, const Expr *exprs, size_t n, const Expr *symbols,
                      size_t n_symbols, bool *ret_depend, Error *err) MUST_CHECK;

#endif
