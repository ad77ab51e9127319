/* Inside core/run/: the state of the reductions of a run. */
#ifndef CORE_RUN_PARTS_REDUCE_STATE_H
#define CORE_RUN_PARTS_REDUCE_STATE_H

#include "core/run/parts/enclosure.h"
#include "core/run/parts/quadrature.h"

/* Of one expression along the motion. */
typedef struct Along {
    ReduceTake take;
    size_t k;         /* which expression */
    double size;      /* the largest |value| seen */
    double best;      /* min and max: of value or -value, the largest; -infinity: none */
    double sum;       /* mean and rms: the integral over |dt|; of squares in units of unit^2 */
    double absolute;  /* the same of |value| */
    double unit;      /* a power of 2 near size; 0: none yet */
    double lost_t;    /* time at which it was not finite, or .. */
    bool rough;       /* .. too rough for its integral; NAN: nowhere */
    uint64_t unsure;  /* steps in which something may have been missed .. */
    double unsure_t;  /* .. where the first of them begins .. */
    double unsure_of; /* .. and how large it may be at most */
} Along;

typedef struct Reduce {
    double *values;   /* n: the values so far; NAN: none */
    uint64_t *counts; /* n: events met */
    double *starts;   /* n: of drifts */
    double *lost_t;   /* n: where a value was not finite; NAN: nowhere */
    Along *along;     /* n_along */
    double *along_values, *at_values;
    double *sensitivities; /* n_sensitivities: at the end; NULL: not wanted, or not known */
    double *y;             /* size + 1: a state inside a step */
    double elapsed;        /* |dt| of the steps so far */
    Enclosure enclosure;   /* lasts: of the expressions along the motion, over the step under way */
} Reduce;

/* 1, or -1 where the least is looked for: that of the values with the other sign is the largest. */
double along_sign(const Along *along);
/* Is there a unit, and are values not too large in it? */
bool along_has_unit(const Along *along);

/* The integral over a part of a step, by both rules (quadrature.h). */
typedef struct AlongRules {
    Quadrature sums;
    double noise;  /* sums.off where t is off by rounding */
    Interval seen; /* the values */
} AlongRules;

/* By the values at the nodes, of which `size` knows already; reach: half of the part's length; the
 * step goes from t to t + h. */
AlongRules along_rules(const Along *along, const double *values, double reach, double t, double h);
/* Does the part add to the error no more than it may: of what the mean is made of, which of a pulse
 * is much less than its largest value? */
bool along_is_fine(const Along *along, const AlongRules *rules, double h, double error);
/* The interval of an expression that its seen values account for; blur: the rounding error of
 * values. */
Interval along_enough(const Along *along, Interval seen, double blur);

#endif
