/* A frame adapted to affine constraints S v + s = 0, and its object of anholonomity.
 *
 * X_1 .. X_m span ker S, Y_1 .. Y_r complete them, X_0 solves S X_0 = -s, so that the velocities
 * that the constraints allow are
 *
 *     v = w^1 X_1 + ... + w^m X_m + X_0
 *
 * with quasi-velocities w. All fields are functions of q and t. With theta the inverse of the frame
 * matrix (theta^k(X_i) = delta^k_i) the brackets of the fields are
 *
 *     [X_i, X_j] = R^k_ij X_k,   R^k_ij = theta^k(DX_j X_i - DX_i X_j)
 *
 * where the index 0 stands for X_0 + d/dt (G. Hamel, 1904; the affine and rheonomic case after
 * its extension by this field). */
#ifndef CORE_MOTION_HAMEL_FRAME_H
#define CORE_MOTION_HAMEL_FRAME_H

#include "core/base/arena.h"
#include "core/motion/algebra/symmetric.h"
#include "core/motion/formulation.h"

/* The origin of the fields. */
typedef enum FrameKind {
    FRAME_GIVEN,    /* all n fields by the model */
    FRAME_TANGENT,  /* X_1 .. X_m by the model */
    FRAME_SOLVED,   /* X_i: the velocity of a base coordinate is 1, those of the dependent
                       coordinates follow */
    FRAME_PRODUCTS, /* for constraints that leave one freedom to the coordinates they couple: the
                       vector product of their rows, which is nonzero if these are independent */
} FrameKind;

typedef struct Frame {
    ExprPool *pool; /* borrowed, as is the model */
    const Model *model;
    Arena *names_arena;
    Arena arena; /* of everything else */
    size_t n, r, m;
    FrameKind kind;
    size_t *dependent; /* r */
    size_t *own;       /* m: a coordinate whose velocity is a number times w^i plus X_0, n: none */
    Expr *S, *s;       /* r x n, r */
    Expr *X;           /* n x n: component i of field k at X[k n + i], the complement last */
    Expr *X0;          /* n */
    Expr *G;           /* r x r: the inverse of S Y; G[k r + a] */
    Expr regularity;   /* 0 if S Y becomes singular; EXPR_NONE if it cannot */
    /* Changes its sign where `regularity` vanishes, or where given fields vanish or become
     * infinite; EXPR_NONE: none known. */
    Expr orientation;
    Expr determined;    /* distance of the complement's span from ker S: 1 / |P|, P the projection
                        along ker S onto that span (1: orthogonal), for any bases of both; EXPR_NONE
                        if it cannot vanish, or only with the rank of S */
    const char **names; /* n; the complement's: of the field, the coordinate or the constraint */
    Expr *weights;      /* n: see velocity_weights() */
    bool each_has_own;
    Symmetric gram; /* of the m x m matrix X_i . X_j, unless each field has an own */
    Expr *work;     /* 2 n */
} Frame;

/* The frame of the model, or one derived from the constraints in use; names live in `names`.
 * ERR_NOT_FOUND if the constraints couple too many velocities for an unrolled solution; `pivoted`
 * solves at run time. Call frame_done() in any case. */
Status frame_init(Frame *frame, ExprPool *pool, Arena *names, const Model *model,
                  const MotionOptions *options, bool pivoted, Error *err) MUST_CHECK;
void frame_done(Frame *frame);

/* Fills X_1 .. X_m and their names by vector products; false if the constraints leave more than one
 * freedom to some of the coordinates that they couple. */
bool frame_products(Frame *frame);

/* Whether the model gives X_1 .. X_m, which may vanish or become infinite. */
bool frame_by_fields(const Frame *frame);

/* v at given quasi-velocities w[m]. */
void frame_velocity(const Frame *frame, const Expr *w, Expr *ret_v);
/* theta^1 .. theta^m of v - X_0 at velocities that satisfy the constraints. */
void frame_quasi(const Frame *frame, const Expr *v, Expr *ret_w);
/* theta^k of any vector: the components ret[n] in the whole frame. */
void frame_components(const Frame *frame, const Expr *vector, Expr *ret);
/* [X_i, X_j] for indices 0 .. n, 0 for X_0 + d/dt: its components in coordinates. */
void frame_bracket(const Frame *frame, size_t i, size_t j, Expr *ret);
/* The multipliers of the equations as written, whose reaction is force[n]. */
void frame_multipliers(const Frame *frame, const Expr *force, Expr *ret_lambda);

/* For Formulation. Refuses constraints that are not affine, fields of the model's frame that are
 * not tangent to the constraints at random admissible states, and frames that do not span. */
Status hamel_check(const MotionQuestion *question, Diagnostics *diag, Error *err);

/* For Formulation: frame, object of anholonomity, quasi-momenta, Hamel's equations. */
Status hamel_present(const Model *model, const MotionOptions *options, Presentation *presentation,
                     Error *err);

#endif
