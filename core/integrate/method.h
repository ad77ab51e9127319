/* The interface of a method to the drive: a table row, and the step they share.
 *
 * The drive decides, the method computes. A round of the drive is: attempt a step in every active
 * lane; those whose error is within the tolerance are projected; the rates are evaluated at the
 * projected states (so that projection costs no evaluation of its own, and the next step starts
 * from rates that belong to its state); guards and samples are served, from the dense output where
 * they fall inside the step; the step is accepted, or taken again to end at a root. */
#ifndef CORE_INTEGRATE_METHOD_H
#define CORE_INTEGRATE_METHOD_H

#include <float.h>
#include <math.h>

#include "core/integrate/ode.h"

/* Asks the observer whether to go on, by the clock, which is read every few units of work only. */
typedef struct OdePulse {
    const OdeObserver *observer;
    double last;             /* clock reading of the last poll; 0: at the next reading */
    unsigned interval, left; /* units of work between readings; left of them */
    Status status;           /* not OK: everything ends with it */
    Error error;
} OdePulse;

/* Sizes of the components: the scale of an error is rtol |y| or atol size. */
typedef struct OdeSizes {
    const double *nominal; /* see OdeOptions, as kinds and integrals */
    const size_t *kinds, *integrals;
    bool given; /* nominal has a size for every component: no size changes */
    /* Rows of lanes. size: the factor of atol. unsized: 1 if it is the largest |y|, else 0. */
    double *size, *unsized;
    double *most;   /* [dim] scratch: the largest size of a kind, at its first component */
    double started; /* t at the start of the run; of one lane, as most */
    bool reweighed; /* a size, or noise or carried of a rate, has changed; the reader resets it */
} OdeSizes;

/* Rounding errors of the rates, and the errors that they have made so far. */
typedef struct OdeRoundingErrors {
    /* Rows of lanes. noise: of the rates, 0 if it does not matter. carried: per unit of time, in a
     * component whose rate is itself a component. */
    double *noise, *carried;
    /* Rows of lanes: the error of noise in an implicit method, which damps it; NULL: explicit. */
    double *damped;
    /* Of one lane, [dim]: the errors so far, and since when; both gathered up to rounded_t. */
    double *rounded, *rounded_since, rounded_t;
    double *noise_before; /* [dim] of one lane: before the noise was measured anew */
    double *shaken;       /* 3 rows of one lane: rates with errors of rounding */
    double paced_h;       /* the length of the next step when the noise was measured */
    uint64_t paced_steps; /* the accepted steps when the noise had changed */
} OdeRoundingErrors;

/* Places for the arguments of rates, and work arrays. */
typedef struct OdeScratch {
    double *times;  /* [lanes]: arguments of ode_rates() */
    double *place;  /* [1 + dim][lanes]: t and y are evaluated there without a copy */
    int64_t *masks; /* [lanes] */
} OdeScratch;

/* One step of all lanes, from (t, y) over h. Rows of lanes are [component][lane], rows = dim +
 * extra of them. The states are y + carry: carry holds the digits that rounding cut off y, so that
 * many steps lose no more digits than one. */
typedef struct OdeStep {
    const OdeSystem *system;
    size_t lanes, dim, rows;
    double rtol, atol, fixed_h;
    double *t, *h; /* [lanes] */
    OdeSizes sizes;
    OdeRoundingErrors rounding;
    /* At t; and at t + h, y_new projected: three arrays one behind the other, in whole blocks. */
    double *y, *carry, *rates;
    double *y_new, *carry_new, *rates_new;
    double *error; /* [lanes] in units of the tolerance; NaN: not finite */
    double added;  /* of one lane: the errors so far, of a method that goes on with their sum */
    OdeScratch scratch;
    bool *active;                      /* [lanes] take part in this attempt; the others' h is 0 */
    uint64_t *evaluations, *jacobians; /* [lanes] */
    void *work;                        /* the method's */
    OdePulse pulse;
} OdeStep;

/* Bounds of a polynomial in s = 2 theta - 1 over -1 <= s <= 1, and its rate along theta: the first
 * coefficient, and the sum of the sizes of all others, or more. */
typedef struct DenseReach {
    double *middle, *radius, *rate, *rate_radius; /* [lanes] */
} DenseReach;

/* All functions that return bool: false means that the pulse stopped the run. */
struct OdeMethod {
    const char *name;
    unsigned order; /* of the states after steps; of the highest formula if it varies */
    /* the estimated error of the first step goes with h to this power; 0: none */
    unsigned error_order;
    unsigned dense_order; /* of states inside a step */
    double gap;           /* between the places in a step where it evaluates the rates; of h */
    bool fixed_step;      /* wants OdeOptions.step; no error estimate: step->error is 0 or NaN */
    bool needs_jacobian;
    bool multistep; /* its history does not survive a restart: the next step is chosen anew */
    size_t (*work_size)(const OdeSystem *system, size_t lanes); /* bytes */
    /* Cuts step->work (aligned for doubles; it may hold values of another run) to pieces. */
    void (*start)(OdeStep *step);
    /* A step of one lane goes on from (t, y, rates) as if from a start, next with a length h. NULL:
     * the method remembers nothing of earlier steps. */
    void (*restart)(OdeStep *step, double h);
    /* Tries h in the active lanes: y_new, carry_new and error. Nothing is lost when the step is
     * never accepted but tried again with another h. */
    bool (*attempt)(OdeStep *step);
    /* The step of one lane is accepted, with y_new projected and rates_new; returns the next h. */
    double (*accept)(OdeStep *step);
    /* The error of the step of one lane was too big or not finite; returns a smaller h. */
    double (*reject)(OdeStep *step);
    /* Makes the dense output of the wanted lanes, between attempt (with y_new projected, rates_new
     * known) and accept, and counts evaluations to them alone. NULL: always ready. */
    bool (*dense_prepare)(OdeStep *step, const bool *wanted);
    /* The state at t + theta h, rows contiguous, 0 <= theta <= 1. */
    void (*dense)(const OdeStep *step, size_t lane, double theta, double *ret_y);
    /* An attempt leaves nothing in the work but the input of dense_prepare(), so that steps of one
     * lane can be attempted in the lanes of another step. */
    bool shares_attempts;
    /* The controller that alone chooses the length of the steps of one lane. NULL: no lane takes
     * the fast path. */
    struct Control *(*control)(const OdeStep *step);
    /* The dense output prepared in a lane of `from`, in which steps were attempted, goes into the
     * work of `to`, which has one lane. NULL: there is nothing. */
    void (*take_dense)(const OdeStep *from, size_t lane, OdeStep *to);
    /* When a step is accepted, with rates_new known: h times an estimate of the spectral radius
     * of the Jacobian of the rates, in the weights of the step. NULL: none. */
    double (*stiffness)(const OdeStep *step);
    /* A row of the dense output of blocks of lanes at once, the bits of dense(); and its bounds. */
    void (*dense_row)(const OdeStep *step, size_t row, double theta, double *ret);
    void (*dense_reach)(const OdeStep *step, size_t row, const DenseReach *ret);
};

/* Cuts memory to pieces, each as aligned to vectors as the memory is; with NULL it only counts. */
typedef struct Cutter {
    char *memory;
    size_t used;
} Cutter;

enum { CUT_ALIGNMENT = 64 };

static inline size_t cut_aligned(size_t bytes)
{
    return (bytes + CUT_ALIGNMENT - 1) / CUT_ALIGNMENT * CUT_ALIGNMENT;
}

static inline void *cut(Cutter *cutter, size_t n, size_t size)
{
    void *piece = cutter->memory == NULL ? NULL : cutter->memory + cutter->used;
    cutter->used += cut_aligned(n * size);
    return piece;
}

/* The arrays of a step whose system and lanes are set, and the method's work. */
void ode_step_lay_out(OdeStep *step, const OdeMethod *method, Cutter *cutter);

/* fmax() without a call; `value` where `other` is a NaN. */
static inline double ode_larger(double value, double other)
{
    return other > value ? other : value;
}

/* Counts units of work and asks the observer about every millisecond. */
bool ode_pulse_clock(OdePulse *pulse);
static inline bool ode_pulse(OdePulse *pulse)
{
    if (pulse->left > 1 && pulse->status == OK) {
        pulse->left--;
        return true;
    }
    return pulse->status == OK && ode_pulse_clock(pulse);
}

static inline void ode_count(OdeStep *step, const bool *lanes, uint64_t evaluations)
{
    for (size_t l = 0; l < step->lanes; l++)
        step->evaluations[l] += lanes[l] ? evaluations : 0;
}

/* Rates of all lanes, to be counted. */
static inline bool ode_rates_uncounted(OdeStep *step, const double *t, const double *y,
                                       double *ret_rates)
{
    if (!ode_pulse(&step->pulse))
        return false;
    step->system->rates(step->system->self, t, y, ret_rates, step->lanes);
    return true;
}

static inline bool ode_rates(OdeStep *step, const double *t, const double *y, double *ret_rates,
                             const bool *counted)
{
    if (!ode_rates_uncounted(step, t, y, ret_rates))
        return false;
    ode_count(step, counted, 1);
    return true;
}

static inline bool ode_rates_one(OdeStep *step, const double *t, const double *y, double *ret_rates)
{
    if (!ode_rates_uncounted(step, t, y, ret_rates))
        return false;
    step->evaluations[0]++;
    return true;
}

/* These of several lanes go on from the end of the step: y_new, rates_new and carry_new become y,
 * rates and carry. If all lanes do, the arrays change places. */
void ode_go_on(OdeStep *step, const bool *moved);
/* The same for one lane. */
void ode_go_on_one(OdeStep *step);

/* Factor: the noise of a rate is this many times its measured rounding error. The error of a step
 * is a multiple of that, and must be small beside the tolerance. Convention. */
static const double ODE_NOISE_MARGIN = 32;

/* Ratio: if rounding at the start of a step changes the rates this many times as much as farther
 * on, the start is an edge with an unbounded slope, such as sqrt(t - 1) at t = 1. Its rounding
 * concerns that place alone. Convention. */
static const double ODE_EDGE = 100;

/* The error that rounding of the rates makes in component i over the step of one lane. */
static inline double ode_rounding(const OdeStep *step, size_t i)
{
    const double h = fabs(step->h[0]);
    const double grown = h * (step->rounding.noise[i] + h * step->rounding.carried[i]);
    return DBL_MIN + (step->rounding.damped ? fmin(step->rounding.damped[i], grown) : grown);
}

/* The weight of a component over a step: the error that counts as 1,
 *
 *     max(rtol max(|y|, |y_new|, |h y'|), atol size, rounding).
 *
 * It follows the motion over this step alone (Hairer, Norsett, Wanner, Solving Ordinary
 * Differential Equations I, 1993, II.4, with h y' after Press et al., Numerical Recipes, 1992,
 * 16.2): neither the length of the run nor another component matters. h y' covers zero crossings
 * and starts at zero, if the size is not given; atol size covers decays. */
static inline double ode_weight(const OdeStep *step, size_t i, double y_new, double h)
{
    const double ends = ode_larger(fabs(step->y[i]), fabs(y_new));
    const double moved = step->sizes.unsized[i] * fabs(h * step->rates[i]);
    return ode_larger(step->rtol * ode_larger(ends, moved), step->atol * step->sizes.size[i]);
}

static inline double ode_tolerance(const OdeStep *step, size_t i)
{
    return ode_larger(ode_weight(step, i, step->y_new[i], step->h[0]), ode_rounding(step, i));
}

/* The same of the state alone. */
static inline double ode_weight_at(const OdeStep *step, size_t i)
{
    return ode_weight(step, i, 0, 0);
}

/* Fills step->sizes.most of one lane. */
void ode_gather_kinds(const OdeStep *step);

/* By how much a component of this size may move while it rests. */
double ode_resting(double atol, double size);
/* OdeArc.tolerances() over the step of one lane. */
void ode_tolerances(const OdeStep *step, double *ret_told, double *ret_resting, double *ret_noise);

/* The cubic through both ends of the step and their rates, order 3. */
void ode_hermite(const OdeStep *step, size_t lane, double theta, double *ret_y);

/* The step of one lane, with its dense output ready. Borrows `of`. */
typedef struct OdeArcOf {
    const OdeStep *step;
    const struct OdeMethod *method;
} OdeArcOf;
OdeArc ode_arc(const OdeArcOf *of);
/* Of the same step the ends, with their rates, before the dense output is ready. */
OdeArc ode_ends(const OdeStep *step, const struct OdeMethod *method);

/* One lane's column of n rows of lanes. */
void ode_gather(const OdeStep *step, const double *rows_of_lanes, size_t lane, double *ret_column,
                size_t n);
void ode_scatter(const OdeStep *step, const double *column, size_t lane, double *ret_rows_of_lanes,
                 size_t n);

/* All methods, in the order in which they are named: ode_NAME is in NAME.c. */
#define ODE_METHOD_LIST(X) X(dop853) X(rk4) X(bdf)
#define ODE_METHOD_EXTERN(name) extern const OdeMethod ode_##name;
ODE_METHOD_LIST(ODE_METHOD_EXTERN)
#undef ODE_METHOD_EXTERN

#endif
