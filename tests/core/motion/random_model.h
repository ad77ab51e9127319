/* Random models for tests: what holds for one formulation must hold for every other one.
 *
 * A seed makes a document; the same seed and features make the same one. Functions in it are smooth
 * near the states that random_state() finds, so that no motion has switches. */
#ifndef TESTS_CORE_MOTION_RANDOM_MODEL_H
#define TESTS_CORE_MOTION_RANDOM_MODEL_H

#include "core/base/random.h"
#include "core/motion/motion.h"

enum {
    RANDOM_MAX_N = 6,
    RANDOM_MAX_R = 3,
    RANDOM_MAX_KKT = RANDOM_MAX_N + RANDOM_MAX_R,
    RANDOM_MAX_DIM = 2 * RANDOM_MAX_N + RANDOM_MAX_R
};

/* What may occur; each model takes some of it. */
typedef enum RandomFeature {
    RANDOM_HOLONOMIC = 1 << 0,
    RANDOM_LINEAR = 1 << 1,
    RANDOM_AFFINE = 1 << 2,
    RANDOM_EXPLICIT = 1 << 3, /* nonlinear, dot(x) = f(q, other velocities, t) */
    RANDOM_IMPLICIT = 1 << 4, /* nonlinear, solved for nothing */
    RANDOM_TIME = 1 << 5,     /* t occurs in L, forces and constraints */
    RANDOM_FORCES = 1 << 6,
    RANDOM_GENERAL = 1 << 7,  /* L need not be quadratic in the velocities; L_vv stays definite */
    RANDOM_MASSLESS = 1 << 8, /* the first constrained velocity has no inertia: M is singular, but
                                 definite on linear and affine constraints */
    RANDOM_ALL_CONSTRAINTS =
        RANDOM_HOLONOMIC | RANDOM_LINEAR | RANDOM_AFFINE | RANDOM_EXPLICIT | RANDOM_IMPLICIT,
    RANDOM_EVERYTHING = RANDOM_ALL_CONSTRAINTS | RANDOM_TIME | RANDOM_FORCES | RANDOM_GENERAL,
} RandomFeature;

/* How many models a test draws: `few` of them (a sanitized build: SUITE_DRAWS), RANDOM_MODELS times
 * as many where the environment has that number (make check-long). Below 100,000 of them, so that a
 * test can keep its seeds apart. */
int random_models(int few);

/* 2 to 6 coordinates, constraints of the kinds allowed: 0 to 3, fewer than coordinates. Texts live
 * in the arena; frame, base, symmetries and chart are left for the caller to add. */
ModelDocument random_document(uint64_t seed, unsigned features, Arena *arena);

/* A smooth function of the coordinates (and of t): of size 1 near the states of random_state(). */
const char *random_function(Random *random, const ModelDocument *document, bool with_time,
                            Arena *arena);

/* A model with all it takes to ask a motion for accelerations. */
typedef struct RandomModel {
    Model *model;
    ModelPrograms *programs;
    ModelEval *eval;
    size_t rows[RANDOM_MAX_R], dependent[RANDOM_MAX_R];
    double t, q[RANDOM_MAX_N], v[RANDOM_MAX_N]; /* where `dependent` was chosen */
    MotionOptions
        options; /* all rows; `dependent` as a run chooses them; the pivoted elimination */
} RandomModel;

/* Fails the test when the document is wrong. False where no admissible start was found (some
 * implicit constraints have no real velocities): take another seed. */
bool random_model_init(RandomModel *ret, const ModelDocument *document, Random *random);
void random_model_done(RandomModel *random_model);

/* Chooses options.dependent anew, for the state (t, q, v): the columns of A with the largest
 * determinant outside model->given.base. */
void random_model_choose(RandomModel *m, double t, const double *q, const double *v);

/* A random admissible state; false where none was found: try again. */
bool random_state(const RandomModel *m, Random *random, double *ret_t, double *ret_q,
                  double *ret_v);

/* The outputs of a program at one point, with the parameters of the document. */
void model_program_values(const Model *model, const Program *program, const double *in,
                          double *ret);

/* What a motion says at a state of the model. */
typedef struct MotionValues {
    double q[RANDOM_MAX_N], v[RANDOM_MAX_N], vdot[RANDOM_MAX_N], lambda[RANDOM_MAX_R];
    double power, regularity;
    double y[RANDOM_MAX_DIM], rates[RANDOM_MAX_DIM]; /* the motion's own state */
} MotionValues;

/* lambda[n_rows] is used by motions that keep multipliers; NULL: zeros. False where the motion's
 * state is not found. */
bool motion_values(const Model *model, const Motion *motion, double t, const double *q,
                   const double *v, const double *lambda, MotionValues *ret);

/* How two motions of one model with the same rows differ at a state. */
typedef struct MotionGap {
    bool found;       /* false: a state was not found, or the condition is past 1e8 */
    double state;     /* q, v: largest difference / (1 + |value|) */
    double vdot;      /* largest difference / (1 + largest |vdot|) / condition */
    double lambda;    /* likewise */
    double power;     /* difference / (1 + |power|) / condition */
    double condition; /* of the row-scaled KKT matrix */
} MotionGap;

MotionGap motion_gap(const RandomModel *m, const Motion *a, const Motion *b, double t,
                     const double *q, const double *v);

#endif
