/* Analyses: derived quantities and verdicts on request; one file and one row each.
 *
 * An analysis gets the model, the facts about it at the start of a motion, and the motion itself
 * as a series of states (none when a model is analyzed alone). It adds findings: verdicts, which
 * come with a prediction, evidence and an observation, and a record of its own. */
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

/* The subject of a question. It decides whose jumps may invalidate a yes
 * (core/invariants/jumps.h). */
typedef enum Concern {
    CONCERN_MOTION,      /* changes along motions: L, constraints, the quantity itself */
    CONCERN_VOLUME,      /* volumes under the flow: also accelerations, by velocities */
    CONCERN_POWER,       /* of reactions: not L if multipliers may have any value */
    CONCERN_CONSTRAINTS, /* allowed velocities, or a function of positions and time: not L */
} Concern;

/* How a question is asked. */
typedef struct Inquiry {
    bool anywhere; /* `states` need not be admissible: the question is about all states */
    Concern concern;
    /* Parameters are symbols: a claim must hold for all their values; params are meaningless. */
    bool any_values;
    bool *open; /* set when verdict_predict() leaves something undecided; may be NULL */
} Inquiry;

/* How the steps of a motion were chosen. */
typedef struct MotionSteps {
    double rtol, atol;
    const double *nominal; /* 2 n: sizes of q and v on the motion, for atol; NULL: all 1 */
    double max_step;       /* 0: none */
} MotionSteps;

typedef struct AnalysisContext {
    const Model *model;
    ExprPool *pool; /* a clone of the model's, in which an analysis builds its expressions */
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
    StateRange range;             /* of random admissible states */
    const Trajectory *trajectory; /* NULL: no motion */
    Inquiry inquiry;
    /* Random admissible states, with the vdot and lambda of Lagrange-d'Alembert there; fewer than
     * requested if hard to find. If the formulation keeps its multipliers, lambda is random and
     * vdot meaningless. NULL: none were drawn yet, see analysis_draw_states(). */
    const Trajectory *states;
    struct Recall *recall; /* facts about the compiled model; NULL: nothing is stored */
    MotionSteps steps;     /* of the motion */
    /* OK to go on; ERR_CANCELLED or ERR_TIMEOUT to stop; call it every few milliseconds. */
    Status (*poll)(void *self, Error *err);
    void *self;
    Arena *arena;   /* everything found lives here */
    Arena *scratch; /* work arrays, released when the analysis ends */
} AnalysisContext;

/* Whether multipliers are part of the motion (vakonomic). */
static inline bool analysis_keeps_multipliers(const AnalysisContext *context)
{
    return context->formulation && context->formulation->keeps_multipliers;
}

static inline ConstrainedModel analysis_constrained(const AnalysisContext *context)
{
    return (ConstrainedModel){context->eval, context->model, context->rows, context->n_rows};
}

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
/* Adds a record with the members of another one. An analysis publishes its own part of the findings
 * after success only: if it fails, the failure is its record. */
void record_publish(Arena *arena, Value *parent, const char *name, const Value *record);
/* true, false, or null if undecided. */
void predicted_describe(Arena *arena, Value *record, const char *name, Predicted answer);
/* A record: the method and its figures, or the reason why there is no proof. */
void proof_describe(Arena *arena, Value *record, const Proof *proof);
Status findings_status(const Findings *findings, Error *err) MUST_CHECK;

typedef struct AnalysisOption {
    const char *name;
    const char *meaning;
    enum {
        OPTION_DERIVED, /* left out, it follows from model and job as the meaning says */
        OPTION_REQUIRED,
        OPTION_NUMBER,
        OPTION_FLAG,
        OPTION_FIELDS /* vector fields, which are checked before Analysis.check */
    } kind;
    double otherwise; /* the default: a number; of a flag 0 or 1 */
} AnalysisOption;

typedef struct Analysis {
    const char *name;    /* in documents */
    const char *meaning; /* the question it answers */
    /* The members it may have beside its name; NULL: none; ends with one without a name. */
    const AnalysisOption *options;
    bool by_default; /* part of every job that names no analyses, if it applies */
    bool (*applies)(const Model *model); /* of the default; NULL: always */
    /* Checks the options against the model; mistakes go to diag at the option's pointer, or at that
     * of the record, which is empty if the analysis has no options. pool: a clone of the model's.
     * NULL: nothing to check. */
    Status (*check)(const Model *model, ExprPool *pool, const Value *options, Diagnostics *diag,
                    Error *err);
    Status (*run)(const AnalysisContext *context, const Value *options, Findings *findings,
                  Error *err);
    /* If its findings are laws, instead of `run` (core/invariants/laws.h). They draw states
     * themselves if needed; for other analyses these are there. */
    const struct Laws *laws;
} Analysis;

/* Gives the context a clone of the model's pool, which is the caller's to free. */
Status analysis_clone_pool(AnalysisContext *context, Error *err) MUST_CHECK;

/* A sum of terms[n], functions of t, q, v, vdot, lambda. `scale`: an expression whose size is
 * added to the sum of |terms|; samples count a rate as small against both; EXPR_NONE: none. */
typedef struct TermSum {
    const Expr *terms;
    size_t n;
    Expr scale;
    Expr rate_of;      /* the quantity whose rate the terms are; EXPR_NONE: none */
    const Expr *field; /* n: of whose momentum; or NULL */
} TermSum;

/* Whether a sum vanishes on all motions: decides predicted, evidence and proof; states and largest
 * report on context->states. Yes if the terms vanish structurally or exact_identity() says so; no
 * if exact_difference() refutes it at a state; else undecided, with the answer of the samples as
 * likely. ret_worst[n]: the terms at the state of `largest`, of a no at the state that proves it;
 * may be NULL. If L, a constraint or the quantity may jump (core/invariants/jumps.h), yes becomes
 * undecided. Name, kind and texts stay the caller's. */
Status verdict_predict(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                       double *ret_worst, Error *err) MUST_CHECK;

/* The same, of which the answer alone matters. */
Status verdict_answer(const AnalysisContext *context, const TermSum *sum, Predicted *ret,
                      Error *err) MUST_CHECK;

/* The same as verdict_predict() for each of exprs[n] instead of their sum: no if one does not
 * vanish, yes if all do; chances add up. scales[n], or NULL. Overwrites the verdict. */
Status verdict_predict_each(const AnalysisContext *context, const Expr *exprs, size_t n,
                            const Expr *scales, Verdict *verdict, Error *err) MUST_CHECK;

/* Expressions of t, q, v, vdot, lambda (symbols of the model) and of more[n_more] symbols. */
typedef struct AnalysisOutputs {
    const Expr *exprs;
    size_t n;
    const Expr *more;
    size_t n_more;
} AnalysisOutputs;

/* Their program, whose last inputs are `more`; and the first inputs at state k. */
Status analysis_compile(const Model *model, const ExprPool *pool, const AnalysisOutputs *outputs,
                        Program **ret, Error *err) MUST_CHECK;
size_t analysis_n_inputs(const Model *model);
void analysis_inputs(const Model *model, const Trajectory *states, size_t k, double *ret);
/* State k as a series of one state; borrows the arrays. */
Trajectory analysis_state_at(const Model *model, const Trajectory *states, size_t k);

/* Values of such expressions at every state: ret_values[n_states][n], row-major. */
Status analysis_evaluate(const AnalysisContext *context, const Expr *exprs, size_t n,
                         const Trajectory *states, double *ret_values, Error *err) MUST_CHECK;

/* The text of an expression over the model's symbols; long ones come out as `instead`. The second:
 * as it is written or multiplied out, whichever is shorter. */
const char *analysis_text(const AnalysisContext *context, Expr e, const char *instead);
const char *analysis_short_text(const AnalysisContext *context, Expr e, const char *instead);

/* phi of each of the rows, and f of a holonomic one; returns their number. rows NULL: 0, 1, .. */
size_t constraint_roots(const Model *model, const size_t *rows, size_t n_rows, Expr *ret);

/* n times the constant 0; NULL: out of memory. */
Expr *exprs_zeros(ExprPool *pool, Arena *arena, size_t n);
/* Whether all of exprs[n] are zero as they are written. */
bool exprs_are_zero(const ExprPool *pool, const Expr *exprs, size_t n);
/* Whether e is one of list[n], and x one of the others. */
bool exprs_contain(const Expr *list, size_t n, Expr e);
bool sizes_contain(const size_t *list, size_t n, size_t x);

/* Whether velocities occur in any of the expressions; true, too, when out of memory. */
bool analysis_has_velocities(const Model *model, const ExprPool *pool, const Expr *exprs, size_t n);

/* Fills context->states with up to `wanted` random admissible states (arena). */
Status analysis_make_states(AnalysisContext *context, size_t wanted, uint64_t seed,
                            Error *err) MUST_CHECK;
/* Draws the states that the analyses share, unless they are there. */
Status analysis_draw_states(AnalysisContext *context, Error *err) MUST_CHECK;

/* The analyses of this folder, one file each; the table is core/prepare/chosen_analyses.c. */
extern const Analysis analysis_energy;
extern const Analysis analysis_momenta;
extern const Analysis analysis_consistency;
extern const Analysis analysis_reactions;
extern const Analysis analysis_reaction_annihilator;
extern const Analysis analysis_structure;
extern const Analysis analysis_measure;
extern const Analysis analysis_discovery;
extern const Analysis analysis_moving_energy;
extern const Analysis analysis_gauge_momenta;

#endif
