/* Analyses: derived quantities and verdicts on request; one file and one row each.
 *
 * An analysis gets the model, what is known of it at the start of a motion, and the motion itself
 * as a series of states (none when a model is analysed by itself), and adds findings: verdicts,
 * which come with a prediction, evidence and an observation, and a record of its own. */
#ifndef CORE_INVARIANTS_ANALYSIS_H
#define CORE_INVARIANTS_ANALYSIS_H

#include "core/base/diagnostics.h"
#include "core/base/value.h"
#include "core/invariants/admissible.h"
#include "core/invariants/verdict.h"
#include "core/motion/motion.h"
#include "core/program/program.h"

/* States of a motion in order of time: at most some hundreds of its steps, evenly chosen. Row k
 * belongs to t[k]. */
typedef struct Trajectory {
    size_t n_states;
    const double *t;
    const double *q, *v, *vdot; /* [n_states][n] */
    const double *lambda;       /* [n_states][r], by constraint; of the equations as written */
} Trajectory;

/* What a question is about, which says whose jumps may upset a yes (core/invariants/jumps.h). */
typedef enum Concern {
    CONCERN_MOTION,      /* what changes along motions: L, constraints, the quantity itself */
    CONCERN_VOLUME,      /* what the flow does to volumes: also accelerations, by velocities */
    CONCERN_POWER,       /* of reactions: not L where multipliers may be any */
    CONCERN_CONSTRAINTS, /* allowed velocities, or a function of places and time: not L */
} Concern;

typedef struct AnalysisContext {
    const Model *model;
    const Formulation *formulation;
    const ModelPrograms *programs; /* for further evals; tell them the metric (model_eval_metric) */
    ModelEval *eval;               /* with the parameters bound */
    const double *params;          /* n_params */
    const size_t *rows;            /* independent constraints */
    size_t n_rows;
    const size_t *dependent; /* n_rows coordinates, see MotionOptions */
    double t0;
    const double *q0, *v0; /* n: a consistent state */
    double t_end;
    StateRange range;             /* where admissible states are tried */
    const Trajectory *trajectory; /* NULL: no motion */
    bool anywhere; /* `states` need not be admissible: what is asked is asked of any */
    Concern concern;
    bool any_values; /* parameters are symbols: only what holds for all their values is claimed,
                        and params mean nothing */
    const Trajectory *states; /* random admissible states, with the vdot and lambda of
                                     Lagrange-d'Alembert there; fewer than asked where hard to find.
                                     Where the formulation keeps its multipliers, lambda is random
                                     and vdot means nothing. NULL: none were drawn yet, see
                                     analysis_draw_states() */
    struct Recall *recall;    /* what is known of the compiled model; NULL: nothing is kept */
    bool *open;        /* set when verdict_predict() leaves something undecided; may be NULL */
    double rtol, atol; /* of the motion */
    const double
        *nominal;    /* 2 n: sizes of q and v on the motion, that atol is times; NULL: all 1 */
    double max_step; /* of the motion; 0: none */
    /* OK to go on; ERR_CANCELLED or ERR_TIMEOUT to stop; call it every few milliseconds. */
    Status (*poll)(void *self, Error *err);
    void *self;
    Arena *arena;   /* everything found lives here */
    Arena *scratch; /* work arrays, released when the analysis ends */
} AnalysisContext;

Status analysis_poll(const AnalysisContext *context, Error *err) MUST_CHECK;

typedef struct Findings {
    Arena *arena;
    Verdict *verdicts;
    size_t n_verdicts, capacity;
    Value *record; /* one member per analysis that has more to say than verdicts */
    Verdict spare; /* handed out when memory is gone */
    bool failed;   /* out of memory: sticky */
} Findings;

void findings_init(Findings *findings, Arena *arena);
/* A new, zeroed verdict; until the next is added. Never NULL. */
Verdict *findings_add(Findings *findings);
/* Makes a record of the analysis's own part of the findings: once all is well, as of an analysis that
 * fails the failure is its record. */
void findings_publish(Findings *findings, const char *name, const Value *record);
/* true, false, or null where undecided. */
void predicted_describe(Arena *arena, Value *record, const char *name, Predicted answer);
/* A record: the method and what belongs to it, or why there is no proof. */
void proof_describe(Arena *arena, Value *record, const char *name, const Proof *proof);
Status findings_status(const Findings *findings, Error *err) MUST_CHECK;

typedef struct AnalysisOption {
    const char *name;
    const char *meaning;
    enum {
        OPTION_DERIVED, /* left out, it follows from model and job as the meaning says */
        OPTION_REQUIRED,
        OPTION_NUMBER,
        OPTION_FLAG
    } kind;
    double otherwise; /* where it is left out: a number; of a flag 0 or 1 */
} AnalysisOption;

typedef struct Analysis {
    const char *name;    /* what clients write */
    const char *meaning; /* the question it answers */
    /* The members it may have beside its name; NULL: none; ends with one without a name. */
    const AnalysisOption *options;
    bool by_default; /* part of every job that names no analyses, where it applies */
    bool (*applies)(const Model *model); /* of the default; NULL: always */
    bool draws_states;                   /* itself, where it needs some; else they are there */
    /* Checks the options against the model; mistakes go to diag at the option's pointer, or at that
     * of the record, which is empty where the analysis has no options. NULL: nothing to check. */
    Status (*check)(const Model *model, const Value *options, Diagnostics *diag, Error *err);
    Status (*run)(const AnalysisContext *context, const Value *options, Findings *findings,
                  Error *err);
} Analysis;

/* Runs it with scratch memory of its own. */
Status analysis_run(const Analysis *analysis, const AnalysisContext *context, const Value *options,
                    Findings *findings, Error *err) MUST_CHECK;

/* What a rate is the rate of; {EXPR_NONE, NULL}: not said. */
typedef struct Quantity {
    Expr value;
    const Expr *field; /* n: of whose momentum; or NULL */
} Quantity;

/* Whether a sum of terms[n_terms] (functions of t, q, v, vdot, lambda) vanishes on all motions:
 * decides predicted, evidence and proof; states and largest tell of context->states. Yes where the
 * terms vanish structurally or exact_identity() says so; no at a state where exact_difference() does;
 * else undecided, likely what the samples say. `scale`: an expression whose size is added to the sum
 * of |terms|, against which samples count a rate that is only rounding as small; EXPR_NONE: none.
 * ret_worst[n_terms]: the terms at the state of `largest`, of a no at the state that proves it; may
 * be NULL. Where L or a constraint may jump (core/invariants/jumps.h) yes is undecided. */
Status verdict_predict(const AnalysisContext *context, ExprPool *pool, const Expr *terms,
                       size_t n_terms, Expr scale, Verdict *verdict, double *ret_worst,
                       Error *err) MUST_CHECK;

/* The same where the terms add up to the rate of a quantity: a yes is about its jumps as well. */
Status verdict_predict_rate(const AnalysisContext *context, ExprPool *pool,
                            const Quantity *quantity, const Expr *terms, size_t n_terms, Expr scale,
                            Verdict *verdict, double *ret_worst, Error *err) MUST_CHECK;

/* The same as verdict_predict() of whether each of exprs[n] vanishes by itself, not their sum: no where one does not, yes
 * where all do; chances add up. scales[n], or NULL. */
Status verdict_predict_each(const AnalysisContext *context, ExprPool *pool, const Expr *exprs,
                            size_t n, const Expr *scales, Verdict *verdict, Error *err) MUST_CHECK;

/* The program of expressions of t, q, v, vdot, lambda (symbols of the model) and of more[n_more]
 * symbols, its last inputs; and the first ones at state k. */
Status analysis_compile(const Model *model, const ExprPool *pool, const Expr *exprs, size_t n,
                        const Expr *more, size_t n_more, Program **ret, Error *err) MUST_CHECK;
size_t analysis_n_inputs(const Model *model);
void analysis_inputs(const Model *model, const Trajectory *states, size_t k, double *ret);

/* Values of such expressions at every state: ret_values[n_states][n], row-major. */
Status analysis_evaluate(const AnalysisContext *context, const ExprPool *pool, const Expr *exprs,
                         size_t n, const Trajectory *states, double *ret_values,
                         Error *err) MUST_CHECK;

/* v.M.v with its terms' signs dropped is no smooth expression; this is L_v.v, of the same size: the
 * usual `scale`. */
Expr analysis_kinetic_scale(const Model *model, ExprPool *pool);

/* The text of an expression over the model's symbols; long ones come out as `instead`. */
const char *analysis_text(const AnalysisContext *context, const ExprPool *pool, Expr e,
                          const char *instead);

/* Whether velocities occur in any of the expressions; true, too, when out of memory. */
bool analysis_has_velocities(const Model *model, const ExprPool *pool, const Expr *exprs, size_t n);

/* Fills context->states with up to `wanted` random admissible states (arena). */
Status analysis_make_states(AnalysisContext *context, size_t wanted, uint64_t seed,
                            Error *err) MUST_CHECK;
/* Those that the analyses share, where there are none yet. */
Status analysis_draw_states(AnalysisContext *context, Error *err) MUST_CHECK;

#endif
