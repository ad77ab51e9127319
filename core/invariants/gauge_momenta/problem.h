/* The linear problem of a search for gauge momenta.
 *
 * Candidates are Y = sum over functions b of an ansatz and generators xi of c_b,xi b xi. At
 * random admissible states the conditions
 *
 *     Y^TQ(L) = 0,   R.Y = 0,   F.Y = 0
 *
 * are linear in c. Candidates come in order of complexity, and each is expressed by earlier ones
 * if possible: therefore the solutions are the simple ones. Two solutions with the same p.Y up
 * to a constant on the constraints make one momentum. */
#ifndef CORE_INVARIANTS_GAUGE_MOMENTA_PROBLEM_H
#define CORE_INVARIANTS_GAUGE_MOMENTA_PROBLEM_H

#include "core/invariants/analysis.h"
#include "core/invariants/generator.h"
#include "core/invariants/search/ansatz.h"

typedef struct GaugeProblem {
    const AnalysisContext *context; /* borrowed: its own states are not used */
    const Generators *generators;
    const Ansatz *ansatz; /* expanded */
} GaugeProblem;

typedef struct GaugeSolution {
    size_t n;         /* unknowns: candidate [function * generators + generator] */
    size_t states;    /* that were used */
    size_t dimension; /* of the solutions */
    size_t n_momenta; /* that are different on the constraints, and not constant there */
    size_t n_idle;    /* solutions whose p.Y is constant on the constraints */
    double **momenta; /* [n_momenta]: coefficients [n], the last that is not 0 is 1 */
    double **idle;    /* [n_idle] */
    double gap;       /* in the singular values of the conditions, see echelon_gap() */
    bool decided;     /* gap >= CLEAR_GAP */
} GaugeSolution;

/* Everything found lives in the arena. */
Status gauge_solve(const GaugeProblem *problem, Arena *arena, GaugeSolution *ret,
                   Error *err) MUST_CHECK;

/* Adds multiples of idle solutions to coefs[n] if that makes it shorter: its momentum changes by a
 * constant at most. */
Status gauge_shorten(const GaugeProblem *problem, const GaugeSolution *solution, double *coefs,
                     Error *err) MUST_CHECK;

/* The field of these coefficients, ret[n of the model]. */
void gauge_field(const GaugeProblem *problem, const double *coefs, Expr *ret);

/* The functions that multiply that many generators (at least one): products of up to `degree`
 * functions of the option "ansatz", or of the model's own (core/invariants/search/ansatz.h) with
 * the sine and cosine of every angle, a coordinate that has a period or occurs inside sines and
 * cosines alone. The degree is that of the option "degree", or 2 while there are not too many
 * products, else 1. ERR_LIMIT: the options ask for too many. Call ansatz_done() in any case. */
Status gauge_ansatz_init(const Model *model, ExprPool *pool, const Value *options,
                         size_t n_generators, Ansatz *ret, Diagnostics *diag,
                         Error *err) MUST_CHECK;

/* Whether the options "ansatz" and "degree" are right; mistakes go to diag. */
Status gauge_ansatz_check(const Model *model, ExprPool *pool, const Value *options,
                          Diagnostics *diag, Error *err) MUST_CHECK;

/* The projection of a generator onto the constraints.
 *
 * Along the kinetic metric M, Pi Y is the part of Y in D = ker S. If the constraints are linear
 * and p = M v, p.(Pi Y) = p.Y on the constraints: a momentum then has a generator in D. With an
 * affine part xi that is so only if (Pi Y - Y).M xi vanishes (F. Fasso, N. Sansonetto, section
 * 4.3). */

typedef struct Projection {
    Predicted generates; /* p.(Pi Y) = p.Y at all states */
    bool constant;       /* if not, they differ by a constant */
    double largest;      /* |p.(Pi Y - Y)| over the sum of its terms */
} Projection;

/* Tested at the context's states; undecided if M is degenerate on D. */
Status projection_judge(const AnalysisContext *context, const Expr *Y, Projection *ret,
                        Error *err) MUST_CHECK;

#endif
