/* Inside core/stability/: searches equilibria near states, at rest and along those of the
 * model's symmetries that carry motions into motions. */
#ifndef CORE_STABILITY_FIND_SEARCH_H
#define CORE_STABILITY_FIND_SEARCH_H

#include "core/stability/find/branches.h"
#include "core/stability/find/equilibrium.h"

typedef struct EquilibriumSearch {
    const AnalysisContext *context;
    Local local;
    Branches branches; /* those of what was found last */
    const Trajectory *states;
    size_t *fields; /* s of model->given.symmetries that are symmetries of the motion */
    size_t s;
    Drift drift; /* along all of them */
    Balance balance;
    /* only these are taken, of constant generators: set before equilibrium_search_init() */
    bool translations;
    Arena memory; /* owns the array */
} EquilibriumSearch;

/* Tries symmetries at the random states of the context. */
Status equilibrium_search_init(EquilibriumSearch *search, const AnalysisContext *context,
                               const AnalysedRun *run, Error *err) MUST_CHECK;
void equilibrium_search_done(EquilibriumSearch *search); /* in any case */

/* From near[2 n], at rest or along the symmetries; also not found if the equations are not
 * finite. equilibrium_done(ret) in any case. */
Status equilibrium_search_near(EquilibriumSearch *search, const double *near, bool at_rest,
                               Equilibrium *ret, bool *ret_found, Error *err) MUST_CHECK;

/* Whether the search led to rest: hardly any speed of the given state is left, in units of M. */
Status equilibrium_search_rests(EquilibriumSearch *search, const double *near,
                                const Equilibrium *found, bool *ret, Error *err) MUST_CHECK;

/* Along the symmetries; if that leads to rest, at rest, with ret->s = 0. */
Status equilibrium_search_either(EquilibriumSearch *search, const double *near, Equilibrium *ret,
                                 bool *ret_found, Error *err) MUST_CHECK;

/* Whether an equilibrium at all times was found; otherwise *ret_reason, in the arena. */
bool equilibrium_search_success(const Equilibrium *equilibrium, bool found, Arena *arena,
                                const char **ret_reason);

/* The message if the given state moves and the model has no symmetry to move along. */
#define EQUILIBRIUM_NO_SYMMETRY                                                                \
    "the state to look near moves, but the model names no symmetry that carries motions into " \
    "motions, along which it could go on"

/* An option {"q": {..}, "v": {..}}, numbers by coordinate; writes over q and v. */
void state_option_read(const Model *model, const Value *option, double *q, double *v,
                       Diagnostics *diag);

/* "kind", "q", "v" and, along symmetries, "along". */
void equilibrium_report(const EquilibriumSearch *search, const Equilibrium *found, Arena *arena,
                        Value *record);

#endif
