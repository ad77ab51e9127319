/* The mechanical model: a document checked, classified and differentiated once.
 *
 * Letters as in docs/explanation/numerics.md: q (n coordinates), v (velocities), t, L(q, v, t),
 * F(q, v, t), r constraints phi_a(q, v, t) = 0. For a holonomic entry f(q, t) = 0 the velocity form
 * is phi = f_q v + f_t. A = phi_v (r x n); psi = phi_q v + phi_t, so that D/Dt phi = A vdot + psi.
 * M = L_vv; l = L_vq v + L_vt - L_q, so that D/Dt L_v - L_q = M vdot + l.
 *
 * A model is immutable and shared by threads (the pool included: clone it to add nodes). Parameter
 * values are not part of the graph: they are symbols, with the document's values as defaults. */
#ifndef CORE_MODEL_MODEL_H
#define CORE_MODEL_MODEL_H

#include "core/base/diagnostics.h"
#include "core/expr/graph/expr.h"
#include "core/expr/parse/parse.h"
#include "core/expr/print/print.h"
#include "core/model/document.h"
#include "core/model/units.h"

typedef enum ConstraintKind {
    CONSTRAINT_HOLONOMIC,
    CONSTRAINT_LINEAR,
    CONSTRAINT_AFFINE,
    CONSTRAINT_NONLINEAR, /* in the velocities */
} ConstraintKind;

const char *constraint_kind_name(ConstraintKind kind); /* "holonomic", ... */

/* Larger documents are refused, because everything here is dense in the coordinates. */
enum {
    MODEL_MAX_COORDINATES = 500,
    MODEL_MAX_CONSTRAINTS = 500,
    MODEL_MAX_PARAMETERS = 10000,
    MODEL_MAX_DEFINITIONS = 10000,
};

/* Zeros and independence are decided on the graph. If the graph says "not zero" only because it
 * does not know an identity (sin(2 x) = 2 sin(x) cos(x)), random states decide. An expression
 * that vanishes to 1e-12 of its terms at all of them, parameter values included, counts as zero
 * unless exact arithmetic proves that it does not vanish. For corners (abs, if, ...) the graph
 * alone decides. */
typedef struct Constraint {
    const char *name; /* the given one, or c1, c2, ... by its place in the document */
    ConstraintKind kind;
    bool time_dependent;
    bool homogeneous; /* phi has no part without velocities: A v = k phi; false for affine */
    Expr f;           /* holonomic: the equation; else EXPR_NONE */
    Expr phi;         /* the velocity form */
    Expr psi;
} Constraint;

/* A vector field on the configuration space: functions of q, t and the parameters. */
typedef struct ModelField {
    const char *name;
    const Expr *components; /* n */
} ModelField;

/* Another description q = Q(x, t'), at the model time t = t' + clock. In the map the symbol of time
 * stands for t'. */
typedef struct ModelChart {
    size_t n; /* 0: the document has none */
    const char **names;
    const double *periods;
    const Expr *x, *xdot; /* n symbols each, after the multipliers */
    const Expr *map;      /* model->n */
    double clock;
} ModelChart;

/* Names, as in the document. */
typedef struct ModelNames {
    const char *model, *description;
    const char **coordinates; /* n */
    const char **params;      /* n_params */
} ModelNames;

/* The kind of quantity of each coordinate. */
typedef struct ModelKinds {
    const double *periods; /* n; 0: none */
    const size_t *first;   /* n: the first coordinate of the same kind (kinds.h) */
    const bool *pure;      /* n: without a dimension, like angles */
} ModelKinds;

/* The symbols of the model's expressions. Their numbers are the same for every layer: t is 0, then
 * q, v, vdot (observed accelerations), parameters, multipliers (as observed entries), the chart's
 * coordinates and their velocities. Formulations use the numbers from first_free on. */
typedef struct ModelSymbols {
    Expr t;
    const Expr *q, *v, *vdot, *params, *lambda; /* n, n, n, n_params, r */
    uint32_t first_free;                        /* numbers from here on are free */
} ModelSymbols;

/* Properties that are constant along motions, from the expressions alone. */
typedef struct ModelFixed {
    const bool *A; /* r x n: the entry of A depends on parameters alone */
    /* A is smooth and A A^T depends on parameters alone: rows that are independent at one state are
     * independent at all. */
    bool A_turns;
    /* The coordinates, ascending, of those diagonal blocks of M whose pivots may change. */
    const size_t *changing;
    size_t n_changing;
} ModelFixed;

/* Given by the document beside the mechanics. */
typedef struct ModelGiven {
    size_t n_symmetries, n_base, n_frame;
    const ModelField *symmetries, *frame;
    const size_t *base; /* coordinates, in the order of the document */
    ModelChart chart;
} ModelGiven;

/* Expressions that may change within a small part of a motion: sharp_nodes() of L, F and the
 * constraints. */
typedef struct ModelSharp {
    const Expr *nodes;
    ExprPool *pool; /* a clone of the model's pool; the model's own if n is 0 */
    size_t n;
} ModelSharp;

typedef struct Model {
    ExprPool *pool;
    size_t n, r, n_params, n_holonomic;
    const double *param_values; /* n_params: the document's */
    ModelNames names;
    ModelKinds kinds;
    ModelSymbols sym;
    Expr L;
    const Expr *F;                 /* n; the constant 0 if no force acts */
    const Constraint *constraints; /* r, in the order of the document */
    const Expr *A;                 /* r x n */
    const Expr *M;                 /* n x n, symmetric */
    const Expr *l;                 /* n */
    const Expr *p;                 /* n: L_v */
    Expr energy;                   /* v.L_v - L */
    Expr L_t;                      /* explicit time derivative of L */
    ModelFixed fixed;
    ModelGiven given;
    ModelSharp sharp;
    ModelUnits units;
    struct ModelStorage *storage; /* owns the arrays */
} Model;

/* Checks the document. On mistakes adds diagnostics and returns ERR_INVALID (ERR_LIMIT for an
 * expression bomb, also with a diagnostic). The model has one reference. */
Status model_build(const ModelDocument *document, Diagnostics *diag, Model **ret_model,
                   Error *err) MUST_CHECK;
Model *model_ref(const Model *model); /* thread-safe */
void model_unref(Model *model);       /* NULL is fine */

/* The expressions of the equations: L, F, phi of the constraints and f of the holonomic ones. ret
 * has room for 1 + n + 2 r; returns their number. */
size_t model_expressions(const Model *model, Expr *ret);

/* The functions that are continuous along every motion, even across a corner: ret[2 r + n] = f of
 * the holonomic constraints (0 for others), phi of all, L_v. The pool is a clone of the model's. */
void model_continuous(const Model *model, ExprPool *pool, Expr *ret);

/* Whether an expression depends on t, q or v. The pool is the model's or a clone. */
Status model_moves(const Model *model, const ExprPool *pool, Expr e, bool *ret_moves,
                   Error *err) MUST_CHECK;

/* Whether none of the constraints rows[n_rows] is nonlinear in the velocities (NULL: none of the
 * first n_rows); whether all constraints of the model are holonomic. */
bool model_is_linear(const Model *model, const size_t *rows, size_t n_rows);
bool model_is_holonomic(const Model *model);

/* Whether the document defines this name. */
bool model_defines(const Model *model, const char *name);

/* A scope with the model's names for further expressions over a clone of its pool: coordinates,
 * velocities, parameters, definitions, t. With `motion`, also ddot(q), multiplier(NAME) (by name
 * and by cK), reaction(COORD), energy(), momentum(COORD), kinetic(), lagrangian(): for observables
 * and events. The reaction is A^T lambda, or A^T lambda_rate[r] if these symbols are given. NULL if
 * out of memory. */
ExprScope *model_scope(const Model *model, ExprPool *pool, bool motion, const Expr *lambda_rate);

/* How symbols print: names[symbol] for symbol < *ret_n; heap, release with free() (one block). Text
 * gives "x", "dot(x)", "ddot(x)", "multiplier(c1)"; LaTeX "\\dot{x}", ...; C "q[0]", "v[0]",
 * "vdot[0]", "p[0]", "lambda[0]". */
char **model_print_names(const Model *model, PrintFormat format, size_t *ret_n);

#endif
