/* The linearization of a motion along given directions of its state: exact derivatives of its rates
 * and multipliers.
 *
 * Programs over t, y[dim], modes[n_switches], then the direction dy[dim] and dp[n_parameters] of
 * the chosen parameters. Directions are lanes: any number in one evaluation. */
#ifndef CORE_MOTION_TANGENT_H
#define CORE_MOTION_TANGENT_H

#include "core/expr/calculus/calculus.h"
#include "core/motion/motion.h"

typedef struct MotionTangent {
    Program *rates;              /* -> d rates [dim] */
    Program *lambda;             /* -> d lambda [n_rows]; NULL if there are none */
    Expr norms[EXPR_MOST_NORMS]; /* n_norms that may be 0: in the model's pool, or made of it */
    size_t n_norms;
} MotionTangent;

/* parameters[n_parameters]: indices into model->sym.params. Derived at each call. `limits`: allows
 * norms that may be 0 (expr_soften_norms()), as of air resistance at rest. */
Status motion_tangent(const Model *model, const Motion *motion, const size_t *parameters,
                      size_t n_parameters, bool limits, MotionTangent *ret_tangent,
                      Error *err) MUST_CHECK;
void motion_tangent_done(MotionTangent *tangent);

#endif
