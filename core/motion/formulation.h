/* A formulation: the question it is asked, the equations it derives, its row of functions.
 *
 * A formulation (one file or folder, one row of FORMULATION_LIST) writes the first-order system
 * y' = f(t, y) of its state into an expression pool, together with the meaning of the state. */
#ifndef CORE_MOTION_FORMULATION_H
#define CORE_MOTION_FORMULATION_H

#include "core/base/arena.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/state.h"
#include "core/motion/algebra/eliminate.h"
#include "core/motion/formulations.h"
#include "core/motion/present.h"

typedef struct MotionOptions {
    const size_t *rows; /* independent constraints, ascending */
    size_t n_rows;
    /* n_rows coordinates, ascending, whose velocities the constraints determine best at the start:
     * the columns of A that form the best-conditioned square matrix, outside a given base. */
    const size_t *dependent;
    /* Formulations that reduce the equations take ELIMINATE_NULL_SPACE for an unrolled L D L^T of
     * their own mass matrix and refuse the other unrolled ones. */
    Elimination elimination;
    bool mass_positive; /* M is positive definite, so that its diagonal can be divided by */
    unsigned choice;    /* among alternatives of the formulation's own, made by check(); else 0 */
    const char *note;   /* the message of check() to the client; or NULL */
} MotionOptions;

/* The answer of check() in addition to its status; the caller sets it to {0}. */
typedef struct MotionAnswer {
    unsigned choice;  /* for options->choice of derive() */
    const char *note; /* a message to the client, in diag->arena; or NULL */
} MotionAnswer;

/* A consistent initial state, at which a formulation is asked whether it applies. */
typedef struct MotionQuestion {
    const Model *model;
    ModelEval *eval;      /* with the parameters bound; NULL: no state is known */
    const double *params; /* n_params */
    double t;
    const double *q, *v; /* n */
    const double *chart; /* 2 model->given.chart.n: the same state as given in the chart; or NULL */
    const MotionOptions *options;
    MotionAnswer *answer; /* may be NULL */
} MotionQuestion;

/* The result of a derivation: a first-order system and the meaning of its state. Expressions are
 * functions of t, the state and the parameters unless stated otherwise. */
typedef struct Equations {
    ExprPool *pool;       /* a clone of the model's, with the equations' nodes */
    Arena arena;          /* of the arrays and names, and of the work arrays of derive() */
    uint32_t next_symbol; /* numbers from here on are free: equations_symbol() */
    size_t n, n_rows, dim;
    Expr *state;  /* dim symbols: set by the formulation */
    Expr *rates;  /* dim */
    Expr *q, *v;  /* n: the model's coordinates and velocities */
    Expr *vdot;   /* n */
    Expr *lambda; /* n_rows: multipliers of the rows in use, of the equations as written */
    /* n_rows: d lambda/dt, if the formulation keeps the multipliers in its state. The reaction
     * is A^T lambda_rate then, else A^T lambda. */
    Expr *lambda_rate;
    Expr *regularity; /* n_regularity <= n + n_rows + 1, see KktSolution */
    size_t n_regularity;
    /* How well the constraints determine the velocities of options->dependent, in (0, 1]. If it
     * falls far below its value at their choice, the run continues with other dependent
     * coordinates, provided the motion otherwise has the same state. EXPR_NONE if it cannot
     * fall. */
    Expr determined;
    Expr orientation; /* changes its sign where `determined` vanishes; EXPR_NONE: none known */
    /* For velocities in given fields: the product of the inertia along each field. If it is far
     * above its value at the start, a field is near a pole; if far below, near a zero. EXPR_NONE:
     * it does not change. */
    Expr inertia;
    Expr power; /* (F + R).v - L_t: the rate of the energy (docs/explanation/numerics.md) */
    /* The state at given model->sym.q, model->sym.v (symbols, consistent) and model->sym.lambda of
     * the rows in use. It may use the state's symbols (those that are not the model's own) as a
     * nearby guess; then it is iterated to convergence. EXPR_NONE if the state is (q, v) itself. */
    Expr *restate; /* dim */
    /* Quantities for which the rates are solved by Newton steps from a guess: the symbols of the
     * guess, the solved values (functions of t, state and guess), and their values at given
     * model->sym.q, model->sym.v. The guess is renewed after every step. None: n_implicit = 0. */
    Expr *guess, *implicit, *implicit_start; /* n_implicit; made by equations_implicit() */
    size_t n_implicit;
    /* Result columns of the formulation's own; made by equations_columns(). */
    const char **own_names;
    Expr *own;
    size_t n_own;
} Equations;

/* The expressions that are evaluated along the motion: first those of the rates. */
typedef struct EquationsPart {
    Expr *exprs;
    size_t n;
    bool measure; /* a measure of the equations: the motion does not depend on it */
} EquationsPart;
enum { EQUATIONS_PARTS = 13 };
void equations_parts(Equations *equations, EquationsPart ret_parts[EQUATIONS_PARTS]);

Status equations_init(Equations *equations, const Model *model, size_t n_rows, size_t dim,
                      Error *err) MUST_CHECK;
void equations_done(Equations *equations);
/* Whether the pool and the arena had enough memory: the end of derive(). */
Status equations_status(const Equations *equations, Error *err) MUST_CHECK;
/* A new symbol of the equations' pool. */
Expr equations_symbol(Equations *equations);
/* Allocates n implicit quantities and makes their guess symbols. */
Status equations_implicit(Equations *equations, size_t n, Error *err) MUST_CHECK;
/* Allocates n columns; the formulation fills names and expressions. */
Status equations_columns(Equations *equations, size_t n, Error *err) MUST_CHECK;

/* The quantities of the energy balance, along the motion. */
typedef struct PowerTerms {
    const Expr *F;      /* n: the model's forces */
    Expr L_t;           /* explicit time derivative of L */
    const Expr *A;      /* n_rows x n: the rows in use */
    const Expr *v;      /* n */
    const Expr *lambda; /* n_rows */
} PowerTerms;

/* The rate of the energy, (F + A^T lambda).v - L_t; homogeneous constraints have A v = 0. */
Expr equations_power(ExprPool *pool, const Model *model, const MotionOptions *options,
                     const PowerTerms *terms);

/* The name of the column that equals component k of the state, of equations derived with these
 * options; in the arena or the model's memory. NULL if there is none. */
const char *equations_state_name(const Equations *equations, const Model *model,
                                 const MotionOptions *options, size_t k, Arena *arena);

/* One description of motion. */
struct Formulation {
    const char *name;       /* the name in documents: as in FORMULATION_LIST */
    const char *title;      /* for printed equations */
    bool uses_dependent;    /* options->dependent is needed */
    bool keeps_multipliers; /* the multipliers are part of the state and of the initial data */
    /* Own columns that its motions may have: a name, or "w(*)" for w of any name. */
    const char *columns[2];
    bool chart_columns; /* its own columns are the coordinates of the chart and their velocities */
    bool keeps_momenta; /* L_v is in the state: at corners of L it is continuous, and the velocity
                           jumps */
    /* Ranks the coordinates for the choice of dependent ones: larger ranks first, if the
     * constraints determine them. ret_rank[n] is zeroed on entry. NULL: no preference. */
    Status (*prefer)(const Model *model, size_t n_rows, unsigned *ret_rank, Error *err);
    /* Reports the failed condition in diag (pointer "/formulation" or into the model; then
     * ERR_INVALID). NULL: it always applies. */
    Status (*check)(const MotionQuestion *question, Diagnostics *diag, Error *err);
    /* A state y[dim] (in: zeros) near the one at the question's (q, v), from which restate
     * converges; mistakes as in check. NULL: zeros are good enough. */
    Status (*locate)(const MotionQuestion *question, double *y, Diagnostics *diag, Error *err);
    /* Adds the formulation's own equations for printing. NULL: those of the model are printed. */
    Status (*present)(const Model *model, const MotionOptions *options, Presentation *presentation,
                      Error *err);
    /* Fills *equations (equations_init is its first call; the caller calls equations_done in any
     * case). ERR_NOT_FOUND if the elimination does not fit the model's structure. */
    Status (*derive)(const Model *model, const MotionOptions *options, Equations *equations,
                     Error *err);
};

#endif
