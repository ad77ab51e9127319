/* Inside the analysis moving_energy. */
#ifndef CORE_INVARIANTS_MOVING_ENERGY_MOVING_ENERGY_H
#define CORE_INVARIANTS_MOVING_ENERGY_MOVING_ENERGY_H

#include "core/invariants/analysis.h"

/* ret_rest[r]: of constraints that are linear or affine in the velocities, S v + s = 0, the s +
 * S zeta, which is -S (v - zeta) for admissible v; of others A (zeta - v). */
void moving_rest(ExprPool *pool, const Model *model, const Expr *zeta, Expr *ret_rest);

/* A field zeta among the combinations of fields[n_fields] with constant coefficients, for which
 * E - p.zeta does not change along the motion at random admissible states; if possible one whose
 * velocities satisfy the constraints. ret_zeta[model->n], with the coefficients in terms of the
 * parameters if they follow these. *ret_found false: there is none. */
Status moving_search(const AnalysisContext *context, const ModelField *fields, size_t n_fields,
                     Expr *ret_zeta, bool *ret_found, Error *err) MUST_CHECK;

/* The fields of the search: the symmetries that the model names, translations along each
 * coordinate and rotations of each pair of coordinates that are no angles. In `arena`. */
Status moving_candidates(const Model *model, ExprPool *pool, Arena *arena,
                         const ModelField **ret_fields, size_t *ret_n, Error *err) MUST_CHECK;

#endif
