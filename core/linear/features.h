/* Inside core/linear/: narrow features of a model, and whether a step has passed one unseen. */
#ifndef CORE_LINEAR_FEATURES_H
#define CORE_LINEAR_FEATURES_H

#include "core/linear/path.h"
#include "core/linear/step_parts.h"
#include "core/model/model.h"

/* Most parts into which a step is divided. Size of a buffer. */
enum { FEATURE_PARTS = 512 };

/* Parts of a step, FEATURE_PARTS + 1 each. */
typedef struct FeatureParts {
    StepPart *stack; /* still to be examined */
    double *ends;    /* ends of the parts */
    double *unseen;  /* see add_up() */
} FeatureParts;

/* Tolerances of q and v, 2 n_coordinates each: see FeatureLook below. */
typedef struct FeatureTolerances {
    double *told, *resting, *noise;
} FeatureTolerances;

/* Access to the steps of a motion. */
typedef struct FeatureLook {
    PathLook *state;  /* t, q, v inside a step */
    PathLook *at_end; /* accelerations of the equations at its ends */
    /* and inside; NULL: more than the motion depends on features, and every narrow one matters */
    PathLook *accelerations;
    /* Tolerances of q and v on the step, 2 n each. */
    void (*tolerances)(void *self, const OdeArc *arc, double *ret_told, double *ret_resting,
                       double *ret_noise);
    void *self;
} FeatureLook;

/* The features of a model: sharp subexpressions (core/expr/interval/sharp.h) of L, F and the
 * constraints. */
typedef struct Features {
    FeatureLook look;
    size_t n, of; /* number watched, and number present */
    size_t n_coordinates;
    const size_t *kinds;            /* n_coordinates: the model's */
    RangeEval *eval;                /* of all of them; NULL: there are none */
    Path path;                      /* of t, q, v */
    bool by_place;                  /* none depends on velocities */
    Range *symbols;                 /* the model's */
    Range *ranges, *middle, *other; /* n each: over a part, at its middle, or on both its sides */
    double *low, *high;             /* n each: values they take along the step */
    /* n: on this step the feature is rounding noise of its inputs */
    bool *still;
    FeatureParts parts;
    double *change;        /* n_coordinates: acceleration that the step does not have */
    double *before, *here; /* n_coordinates each: scratch */
    FeatureTolerances tolerances;
    double rtol;        /* a velocity smaller than this fraction counts as zero */
    double narrow;      /* longest part of the step that may have been passed */
    uint64_t found;     /* steps that have passed something */
    uint64_t undecided; /* steps that took too many parts */
    double undecided_t; /* time at which the first of them begins */
} Features;

typedef struct FeatureSpec {
    const Model *model;
    const double *params;
    FeatureLook look;
    double rtol; /* a velocity smaller than this fraction counts as zero */
    /* n_norms with derivatives that are as bounded as their values, such as those in hypot(u,
     * w)*u. For them 1/norm, which is unbounded at a start from rest, is no feature */
    const Expr *norms;
    size_t n_norms;
} FeatureSpec;

/* Arrays are the arena's. */
Status features_init(Features *features, const FeatureSpec *spec, Arena *arena,
                     Error *err) MUST_CHECK;
void features_done(Features *features);

/* Whether the ends of the step alone allow that something was passed. */
bool features_may_pass(Features *features, const OdeArc *arc);
/* Whether the integration has passed something in the step unseen. It then begins at *ret_from
 * (0 <= theta < 1), and steps of *ret_length will see it. */
bool features_passed(Features *features, const OdeArc *arc, double *ret_from, double *ret_length);
/* Divides the step into parts in which no narrow feature changes much, whether the motion
 * depends on it or not. Returns their number n, and (*ret_ends)[0 .. n], valid until the next
 * look. n is 1 if nothing is narrow. *ret_known false: there may be more. It does not change the
 * counters. */
size_t features_divide(Features *features, const OdeArc *arc, const double **ret_ends,
                       bool *ret_known);

#endif
