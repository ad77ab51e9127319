/* The ends of steps of several trajectories at once, each with parameters of its own (step_end.h):
 * evaluated for all, and corrected in lanes where the first steps of Newton's rule do. */
#ifndef CORE_MOTION_STEP_END_LANES_H
#define CORE_MOTION_STEP_END_LANES_H

#include "core/model/watch_lanes.h"
#include "core/motion/step_end.h"

/* Lanes with corrected states; without constraints in use they are only looked at. */
typedef struct StepEndLanes {
    const StepEnd *end;
    Function correct; /* or the look, if nothing is to be corrected */
    const struct StepEndKernel *kernel;
    double *before; /* [lanes]: the energy before the correction */
    /* of the corrected lanes: the look after the correction, its sizes and energy */
    double *look, *dq, *dv, *energy;
    double **states, **outs; /* [lanes] scratch */
} StepEndLanes;

/* params[n_params] are bound in all lanes. Call step_end_lanes_done() also after a failure. */
Status step_end_lanes_init(StepEndLanes *lanes, const StepEnd *end, const double *params,
                           size_t n_lanes, Error *err) MUST_CHECK;
void step_end_lanes_done(StepEndLanes *lanes);
void step_end_lanes_bind(StepEndLanes *lanes, size_t lane, const double *params);

/* Evaluates at t[lanes], y[q, v][lanes]: if the next step_end_correct() of to[lane] is of that
 * state, its first Newton step needs no evaluation. `to` may be NULL. */
void step_end_lanes_eval(StepEndLanes *lanes, const double *t, const double *y,
                         StepEndEval *const *to);

/* After that: corrects y in the lanes of masks[lanes] (-1, else 0), with the bits of
 * step_end_correct(). Lanes that need further Newton steps are removed from the masks, with
 * their states unchanged. Whole blocks of lanes. */
void step_end_lanes_correct(StepEndLanes *lanes, double *y, int64_t *masks);

/* Stores the look of one lane that was evaluated outside the lanes. */
void step_end_lanes_take_look(StepEndLanes *lanes, size_t lane, const double *look);

/* The matrices of the last evaluation of the program, and its state. */
void step_end_lanes_matrices(const StepEndLanes *lanes, WatchedStep *ret);

/* Compiled once for each instruction set. */
typedef struct StepEndKernel {
    /* If f of the holonomic rows is not zero to rounding, q goes to where it is, in
     * lanes->correct.in; whether any does. */
    bool (*move)(StepEndLanes *lanes, const int64_t *masks);
    /* Those stay in the masks that are at a zero of f now. */
    void (*arrive)(const StepEndLanes *lanes, int64_t *masks);
    void (*velocities)(const StepEndLanes *lanes, double *y, int64_t *masks);
} StepEndKernel;
extern const StepEndKernel step_end_kernel_sse2, step_end_kernel_avx2, step_end_kernel_avx512;

#endif
