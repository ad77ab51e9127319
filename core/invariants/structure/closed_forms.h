/* The constraint forms w^a = S_ai dq^i + s_a dt, and integrals of the closed forms among them. */
#ifndef CORE_INVARIANTS_STRUCTURE_CLOSED_FORMS_H
#define CORE_INVARIANTS_STRUCTURE_CLOSED_FORMS_H

#include "core/invariants/structure/distribution.h"

typedef struct ClosedForms {
    size_t n_forms; /* of the constraints in use that are not holonomic */
    size_t n_found;
    Expr *F; /* n_found: functions of q and t whose differentials are independent
                   combinations of the forms */
} ClosedForms;

/* Looks for at most `wanted` of them; states: at which closedness is tested. Everything found
 * lives in the scratch memory. */
Status closed_forms_find(const Distribution *d, const Trajectory *states, size_t wanted,
                         ClosedForms *ret, Error *err) MUST_CHECK;

#endif
