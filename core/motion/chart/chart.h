/* A model in the coordinates of its chart: q = Q(x, t'), model time t = t' + clock.
 *
 *     v = Q_x xdot + Q_t,   l(x, xdot, t) = L(Q, v, t),   force Q_x^T F,   phi'(x, xdot, t) = phi
 *
 * If the chart has fewer coordinates than the model, some constraints are built in: they vanish
 * identically, and their reaction R satisfies Q_x^T R = 0. The other ones keep their multipliers,
 * for A' = A Q_x. Letters as in docs/explanation/formulations/intrinsic.md and moving-frame.md. */
#ifndef CORE_MOTION_CHART_CHART_H
#define CORE_MOTION_CHART_CHART_H

#include "core/model/lagrangian.h"
#include "core/motion/formulation.h"

/* The map and its derivatives. */
typedef struct ChartMap {
    size_t n, m; /* coordinates of the model, of the chart */
    Expr *Q;     /* n */
    Expr *J;     /* n x m: Q_x */
    Expr *Q_t;   /* n */
    Expr *v;     /* n: J xdot + Q_t */
} ChartMap;

/* Functions of x, xdot and time: of the model's t, or of t' if own_time is a symbol for it
 * (otherwise EXPR_NONE). The model must have a chart. Lives in the arena. */
Status chart_map_init(ChartMap *map, ExprPool *pool, const Model *model, Expr own_time,
                      Arena *arena, Error *err) MUST_CHECK;

typedef struct Chart {
    const Model *model;
    const MotionOptions *options;
    ExprPool *pool;            /* the pool of the nodes below; the caller's */
    LagrangianSymbols symbols; /* x, xdot, and t or t' */
    ChartMap map;
    /* Constraints in use, by their place in options->rows. */
    bool *built_in; /* n_rows */
    size_t n_left;  /* number of constraints that are not built in */
    size_t *left;   /* n_left places, ascending */
    Expr *phi;      /* n_left */
    Expr *A;        /* n_left x m */
    Expr *psi;      /* n_left */
    /* Dynamics. */
    Expr L;
    LagrangianTerms elements; /* of L */
    Expr *F;                  /* m */
    Expr *from, *to;          /* 2 n + 1: q, v, t of the model, and their expressions in the
                                 chart */
    Arena arena;
} Chart;

/* The map and the constraints, in the time of own_time (see chart_map_init). If the chart has fewer
 * coordinates than the model, every holonomic constraint counts as built in, as an intrinsic
 * description requires, and any other one if it vanishes identically. chart_done() in any case. */
Status chart_init(Chart *chart, ExprPool *pool, const Model *model, const MotionOptions *options,
                  Expr own_time, Error *err) MUST_CHECK;
/* L, the terms derived from it, and the forces. */
Status chart_dynamics(Chart *chart, Error *err) MUST_CHECK;
void chart_done(Chart *chart);

/* The rate of expressions in x, xdot and time along the motion at xddot = 0. */
void chart_rate(const Chart *chart, const Expr *exprs, size_t count, Expr *ret);
/* Expressions of the model (in q, v, t), written in the chart. */
void chart_pull(const Chart *chart, const Expr *exprs, size_t count, Expr *ret);

/* The coordinate of the model that is coordinate k of the chart, with its name, or SIZE_MAX. */
size_t chart_identity(const Model *model, size_t k);
/* The name of the column and symbol of the chart's coordinate k. It has a prime if another
 * coordinate of the model has the same name. NULL if the arena is full. */
const char *chart_name(const Model *model, size_t k, Arena *arena);

/* Formulation.derive and .locate of the formulations intrinsic and moving-frame. */
Status chart_derive(const Model *model, const MotionOptions *options, Equations *eq,
                    Error *err) MUST_CHECK;
Status chart_locate(const MotionQuestion *question, double *y, Diagnostics *diag,
                    Error *err) MUST_CHECK;
/* Parts of Formulation.check; mistakes go to diag (then ERR_INVALID). There is a chart, with fewer
 * coordinates than the model (intrinsic) or as many. */
Status chart_check_size(const Model *model, bool fewer, Diagnostics *diag, Error *err) MUST_CHECK;
/* Its map has no corners, and Q_x has full rank somewhere. If it has fewer coordinates than the
 * model, it builds in every holonomic constraint and no constraint that the model lacks. */
Status chart_check_map(const MotionQuestion *question, Diagnostics *diag, Error *err) MUST_CHECK;

typedef struct ChartPrinter {
    Presentation *out;
    Chart chart; /* over out->pool */
    Expr *xddot; /* m symbols */
    Expr time;   /* t', if the chart's clock differs from the model's; else EXPR_NONE */
    /* Renamed symbols: coordinates of the chart that share a name with one of the model's. */
    Expr *from, *to;
    size_t n_renamed;
} ChartPrinter;

/* presentation_add() with the symbols renamed; rhs may be EXPR_NONE. */
void chart_print(ChartPrinter *printer, const char *role, const char *name, Expr lhs, Expr rhs);

/* Formulation.present: the map, l, forces, constraints, equations; print_more may be NULL. */
Status chart_present(const Model *model, const MotionOptions *options, bool fewer,
                     Status (*print_more)(ChartPrinter *printer, Error *err), Presentation *out,
                     Error *err) MUST_CHECK;

#endif
