/* The formulations by name: the table is FORMULATION_LIST. */
#ifndef CORE_MOTION_FORMULATIONS_H
#define CORE_MOTION_FORMULATIONS_H

#include <stddef.h>

typedef struct Formulation Formulation;

/* The name in documents, and the object that the formulation's file defines. */
/* clang-format off */
#define FORMULATION_LIST(X) \
    X("lagrange-dalembert", formulation_lagrange_dalembert) \
    X("voronec", formulation_voronec) \
    X("chaplygin", formulation_chaplygin) \
    X("hamel", formulation_hamel) \
    X("intrinsic", formulation_intrinsic) \
    X("moving-frame", formulation_moving_frame) \
    X("hamiltonian", formulation_hamiltonian) \
    X("vakonomic", formulation_vakonomic) \
    X("least-action", formulation_least_action)
/* clang-format on */

#define FORMULATION_EXTERN(name, object) extern const Formulation object;
FORMULATION_LIST(FORMULATION_EXTERN)
#undef FORMULATION_EXTERN

/* NULL if there is none of this name. */
const Formulation *formulation_find(const char *name);

/* The names clients may write, for messages and checks. */
size_t formulation_names(const char *const **ret_names);

#endif
