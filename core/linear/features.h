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

/* Tolerances of q and v, 2 n_coordinates each: see FeatureLook. */
typedef struct FeatureTolerances {
    double *told, *resting, *noise;
} FeatureTolerances;

/* Sharp subexpressions (core/expr/interval/sharp.h) of a model's L, F and constraints. */
typedef struct Features {
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

/* Access to a step: t, q, v inside it, or at its ends, and the accelerations of the equations
 * there. If `accelerations` is NULL (except at ends), every narrow feature matters, because more
 * than the motion depends on it. */
typedef struct FeatureLook {
    PathLook *state, *accelerations;
    /* Tolerances of q and v on the arc, 2 n, but not at its ends. NULL: every movement counts. */
    void (*tolerances)(void *self, const OdeArc *arc, double *ret_told, double *ret_resting,
                       double *ret_noise);
    void *self;
} FeatureLook;

/* Whether the ends of the step alone allow that something was passed. */
bool features_may_pass(Features *features, const FeatureLook *ends, const OdeArc *arc);
/* Whether the integration has passed something in the step unseen. It then begins at *ret_from
 * (0 <= theta < 1), and steps of *ret_length will see it. */
bool features_passed(Features *features, const FeatureLook *look, const OdeArc *arc,
                     double *ret_from, double *ret_length);
/* Divides the step into parts in which no narrow feature changes much, whether the motion depends
 * on it or not. Returns their number n, 1 if nothing is narrow, and (*ret_ends)[0 .. n], until the
 * next look. *ret_known false: there may be more. The counters stay. */
size_t features_divide(Features *features, const FeatureLook *look, const OdeArc *arc,
                       const double **ret_ends, bool *ret_known);

#endif
