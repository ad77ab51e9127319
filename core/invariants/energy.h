/* The energy E = v.L_v - L: is it conserved on every motion of the model?
 *
 * Along any motion dE/dt = (F + R).v - L_t with the reaction R = A^T lambda. For constraints
 * affine in the velocities, S v + s = 0, and no forces this is R.xi with S xi = -s: the energy is
 * conserved exactly when xi is a section of the reaction-annihilator distribution (F. Fasso,
 * N. Sansonetto, conservation of energy in systems with affine constraints, Prop. 1). */
#ifndef CORE_INVARIANTS_ENERGY_H
#define CORE_INVARIANTS_ENERGY_H

#include "core/invariants/admissible.h"
#include "core/invariants/verdict.h"

typedef struct EnergyQuestion {
    const Model *model;
    ModelEval *eval;            /* with the parameters bound */
    const Program *power_terms; /* t, q, v, lambda[r] -> F.v, L_t, lambda_a (A v)_a [r] */
    const double *params;
    const size_t *rows; /* independent constraints */
    size_t n_rows;
    StateRange range;
} EnergyQuestion;

/* Fills name, kind, expression, predicted, evidence, states, largest and reason; the observation is
 * left alone. Strings live in the arena. */
Status energy_predict(const EnergyQuestion *question, Arena *arena, Verdict *ret_verdict,
                      Error *err) MUST_CHECK;

#endif
