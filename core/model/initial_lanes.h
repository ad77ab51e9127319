/* Initial states of several jobs of one model beside each other, as far as nothing is to be said of them: rows and mass matrix
 * regular by far, all numbers finite, positions on their constraints, velocities that a few steps of Newton's method correct. Those
 * states are, to the bit, what model_initial_state() makes of each alone; of the others it has to be asked. */
#ifndef CORE_MODEL_INITIAL_LANES_H
#define CORE_MODEL_INITIAL_LANES_H

#include <stdint.h>

#include "core/base/arena.h"
#include "core/model/state.h"
#include "core/program/function.h"

enum { INITIAL_LANES = 16 };

typedef struct InitialKernel InitialKernel;

/* One thread's; numbers are in rows of lanes, [row][INITIAL_LANES]. */
typedef struct InitialLanes {
    const Model *model;
    const InitialKernel *kernel;
    Function point; /* as model_point() has it; its inputs are where the states are */
    ModelPoint at;  /* where its outputs are */
    size_t n_in, n_out;
    bool flat;      /* steps of Newton's method lead onto the constraints, and nothing is nearer */
    double *params; /* [INITIAL_LANES][n_params]: bound to the lanes */
    double *v;      /* n: among the inputs */
    double *given, *best; /* n: velocities as given; the best so far */
    double *worst,
        *least;        /* residual of scale of the velocities, now and at `best`; NaN: not finite */
    double *positions; /* residual of scale of the positions, likewise */
    double *rows, *product; /* r x n, r x r: scratch */
    double *system, *x;     /* (n + r) x (n + r), n + r: scratch */
    double *unit;           /* r: of multipliers; scratch */
    double *matrices;       /* of initial_take_matrices(): where velocities are as given */
    double *states;         /* [INITIAL_LANES][n_in + n_out]: those that are made, one by one */
    double change[INITIAL_LANES]; /* of velocities, by the correction */
    const ModelPrograms *programs;
    ModelEval *finder; /* of velocities that are not given; NULL before the first */
    Arena memory;      /* owns the arrays */
} InitialLanes;

/* Compiled once for each instruction set. Lanes that are not clear go out of the masks. */
struct InitialKernel {
    /* At the states that were evaluated last: all numbers; rank and mass matrix; residuals. */
    void (*look_finite)(const InitialLanes *lanes, int64_t *masks);
    void (*look_regular)(InitialLanes *lanes, int64_t *masks);
    void (*measure)(InitialLanes *lanes);
    /* A step of Newton's method for the velocities in lanes of the masks, as correction_step() makes it in the metric of M. */
    void (*step)(InitialLanes *lanes, int64_t *masks);
    /* There, with these accelerations and multipliers of all rows: M vdot + l - F - A^T lambda is at most so much of its terms. */
    void (*balance)(const InitialLanes *lanes, const double *vdot, const double *lambda,
                    double most, int64_t *masks);
};
extern const InitialKernel initial_kernel_sse2, initial_kernel_avx2, initial_kernel_avx512;

/* Whether a model is not too large to be looked at so. */
bool initial_lanes_possible(const Model *model);

/* Borrows the programs. initial_lanes_done() in any case. */
Status initial_lanes_init(InitialLanes *lanes, const ModelPrograms *programs,
                          Error *err) MUST_CHECK;
void initial_lanes_done(InitialLanes *lanes); /* {0} is fine */

/* The numbers of one lane, its params[n_params], and q[n], v[n] as given; velocities that are not (state->v_given) are found before, and left
 * in state->v. False: there are none, or positions may have to be moved first. */
bool initial_lanes_put(InitialLanes *lanes, size_t lane, const InitialState *state,
                       const double *params);

/* masks[INITIAL_LANES], -1 or 0: in: lanes that were put; out: those of them whose states are made. */
void initial_lanes_make(InitialLanes *lanes, Consistency consistency, int64_t *masks);

/* Of a lane that was made what model_initial_state() does: q[n], v[n], the report, what `eval`, which has the parameters of the lane,
 * knows of the state; condition numbers are not asked for. */
void initial_lanes_take(const InitialLanes *lanes, size_t lane, ModelEval *eval, double *ret_q,
                        double *ret_v, InitialReport *ret_report);

#endif
