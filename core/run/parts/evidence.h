/* Inside core/run/: the evidence that a run collects of itself, step by step. */
#ifndef CORE_RUN_PARTS_EVIDENCE_H
#define CORE_RUN_PARTS_EVIDENCE_H

#include <math.h>

#include "core/motion/step_end.h"
#include "core/prepare/simulation.h"
#include "core/run/parts/evidence_sums.h"

/* The imbalance of the energy at the end of the last step, its scale, and the values before it. */
typedef struct Imbalance {
    double t, h, balance, scale;
    double lost_t, lost_most;
} Imbalance;

typedef struct Evidence {
    const Model *model;
    StepEndEval end;
    bool damped;                   /* a method for stiff systems has made steps */
    const double *look;            /* the last residuals */
    Residual *velocity, *position; /* r each, one behind the other */
    EvidenceSums sums;
    Imbalance imbalance;
    ImpactEvidence impacts;
    double rcond_min, condition_max;
    /* since evidence_instant(); rcond_since INFINITY: none */
    bool stepped;
    double balance_since, step_since, rcond_since;
} Evidence;

/* Arrays are the arena's. */
Status evidence_init(Evidence *evidence, const Simulation *simulation, Arena *arena,
                     Error *err) MUST_CHECK;
/* Compiles the programs; call it before the functions below. matrices: those that the run
 * watches. `kept`: the evaluation of an earlier run, or NULL. It is used if its programs are the
 * same, and bound to `params` (NULL: it has the parameters of the simulation). */
Status evidence_bind(Evidence *evidence, const Simulation *simulation, StepEndMatrices matrices,
                     StepEndEval *kept, const double *params, Error *err) MUST_CHECK;

/* The energy alone. */
double evidence_energy(Evidence *evidence, double t, const double *q, const double *v);
/* Takes residuals and the energy at a state; on_step: also drift and balance, with `work` the
 * integral of the power so far. Returns the first constraint whose relative residual is beyond
 * `bound`, or r. */
size_t evidence_take(Evidence *evidence, double t, const double *q, const double *v, bool on_step,
                     double work, double bound);
/* The first constraint whose relative residual at a state is beyond `bound`, or r; nothing is
 * taken. */
size_t evidence_beyond(Evidence *evidence, double t, const double *q, const double *v,
                       double bound);
/* The energy at the end of the last step is out of balance by more than is believed of its
 * terms. */
static inline bool evidence_doubts(const Evidence *evidence)
{
    return !isnan(evidence->sums.lost_t);
}
/* If evidence_doubts(): energy terms of size `worth` are explained by the tolerances, although
 * the terms of E cancel or vanish. */
void evidence_spare(Evidence *evidence, double worth);
/* Sets the energy imbalance, from the sums alone, as evidence_take() would have left it after a
 * step of length h; for an energy that was not doubted before. */
void evidence_recall_doubt(Evidence *evidence, double h);
/* The relative residual of constraint a at that state, the larger of its levels. */
double evidence_residual(const Evidence *evidence, size_t a);
/* Takes the length of a step that has ended, after evidence_take(), for the evidence at samples. */
void evidence_step(Evidence *evidence, double h);
void evidence_rcond(Evidence *evidence, double rcond);
/* The worst since the call before: ret[evidence_instant_size(r)], the relative residual of each
 * constraint, the imbalance of the energy relative to its turnover, the smallest reciprocal
 * condition, the shortest step. NAN: there was none. If no step has ended since, the quantities
 * of step ends are those of the last step. */
static inline size_t evidence_instant_size(size_t r)
{
    return r + EVIDENCE_REST;
}
void evidence_instant(Evidence *evidence, double *ret);
void evidence_projection(Evidence *evidence, double dq, double dv, double energy_jump);
/* An event that changed the state: the changes by the projection behind it, and the jump of E. */
void evidence_impact(Evidence *evidence, double dq, double dv, double energy_jump);

/* Fills the measured parts of the result; names live in the simulation's arena. */
Status evidence_report(const Evidence *evidence, const Simulation *simulation,
                       SimulationResult *ret, Error *err) MUST_CHECK;

#endif
