/* Inside core/simulation/: what is narrow in a model, and whether a step has passed it unseen. */
#ifndef CORE_SIMULATION_LINEAR_FEATURES_H
#define CORE_SIMULATION_LINEAR_FEATURES_H

#include "core/model/model.h"
#include "core/simulation/linear/path.h"

/* A step is divided into so many parts at most. */
enum { FEATURE_PARTS = 512 };

/* The features of a model: what is sharp (core/expr/sharp.h) of L, F and the constraints. */
typedef struct Features {
    size_t n, of; /* watched, of so many that there are */
    size_t n_coordinates;
    const size_t *kinds;            /* n_coordinates: the model's */
    RangeEval *eval;                /* of all of them; NULL: there are none */
    Path path;                      /* of t, q, v */
    bool by_place;                  /* none depends on velocities */
    Range *symbols;                 /* the model's */
    Range *ranges, *middle, *other; /* n each: over a part, at its middle, or on both its sides */
    double *low, *high;             /* n each: values they take along the step */
    bool *still;                    /* n: on the step it is rounding of what it is made of */
    double *from, *to;              /* FEATURE_PARTS + 1 each: parts that are to be looked at */
    double *ends, *unseen;          /* FEATURE_PARTS + 1 each: where parts end; see add_up() */
    double *change;                 /* n_coordinates: acceleration that the step does not have */
    double *before, *here;          /* n_coordinates each: scratch */
    double *told, *resting, *noise; /* 2 n_coordinates: tolerances of q and v; see FeatureLook */
    double rtol;                    /* of a velocity less than this part is nothing */
    double narrow;                  /* a part of the step no longer may have been passed */
    uint64_t found;                 /* steps that have passed something */
    uint64_t undecided;             /* steps that took too many parts */
    double undecided_t;             /* where the first of them begins */
} Features;

typedef struct FeatureSpec {
    const Model *model;
    const double *params;
    double rtol; /* of a velocity less than this part is nothing */
    /* n_norms of which derivatives are as bounded as their values, as those of hypot(u, w)*u are: 1/norm, which
     * has no bound where a motion starts from rest, is no feature then */
    const Expr *norms;
    size_t n_norms;
} FeatureSpec;

/* Arrays are the arena's. */
Status features_init(Features *features, const FeatureSpec *spec, Arena *arena,
                     Error *err) MUST_CHECK;
void features_done(Features *features);

/* How a step is seen: t, q, v inside it, or at its ends, and the accelerations that the equations have
 * there. accelerations NULL, but at ends: whatever is narrow matters, for more than the motion depends
 * on it. */
typedef struct FeatureLook {
    PathLook *state, *accelerations;
    /* Those of the arc, of q and v, 2 n; not asked of its ends alone. NULL: all that moves counts. */
    void (*tolerances)(void *self, const OdeArc *arc, double *ret_told, double *ret_resting,
                       double *ret_noise);
    void *self;
} FeatureLook;

/* May there be something, by the ends of the step alone? */
bool features_may_pass(Features *features, const FeatureLook *ends, const OdeArc *arc);
/* Is something in the step that the integration has passed unseen? Then it begins at *ret_from (0
 * <= theta < 1), and steps of *ret_length will see it. */
bool features_passed(Features *features, const FeatureLook *look, const OdeArc *arc,
                     double *ret_from, double *ret_length);
/* Divides the step into parts in which all that is narrow changes little, whether the motion depends on it or not: returns how many
 * and (*ret_ends)[0 .. n], valid until the next look; 1 where nothing is narrow. *ret_known false: there may be more. Counts nothing. */
size_t features_divide(Features *features, const FeatureLook *look, const OdeArc *arc,
                       const double **ret_ends, bool *ret_known);

#endif
