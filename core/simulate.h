/* The facade of the dynamics core: a job in; samples, evidence and verdicts out.
 *
 *     compiled_new     document -> model, equations of motion, programs; shared, and cached by the
 *                      caller
 *     simulation_new   everything that can be decided without integrating
 *     simulation_run   integrates; rows leave through the sink as they come */
#ifndef CORE_SIMULATE_H
#define CORE_SIMULATE_H

#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "core/base/value.h"
#include "core/integrate/lane_work.h"
#include "core/invariants/verdict.h"
#include "core/job.h"
#include "core/model/model.h"
#include "core/motion/formulations.h"

/* Limit for initial.equilibrium, and for the matrices that the analysis linearise writes out. */
enum { LINEARISE_MAX_COORDINATES = 100 };

/* A model and its equations in one formulation: immutable, shared by threads, no parameter
 * values inside. */
typedef struct Compiled Compiled;

/* Mistakes go to diag (then ERR_INVALID). formulation NULL: lagrange-dalembert. */
Status compiled_new(const ModelDocument *document, const char *formulation, Diagnostics *diag,
                    Compiled **ret_compiled, Error *err) MUST_CHECK;
Compiled *compiled_ref(Compiled *compiled); /* thread-safe */
void compiled_unref(Compiled *compiled);    /* NULL is fine */
const Model *compiled_model(const Compiled *compiled);
const char *compiled_formulation(const Compiled *compiled);

/* One printed equation: "psi1: ... = ...". Strings live in the arena. */
typedef struct PrintedEquation {
    const char *name; /* the name of its coordinate or constraint */
    const char *role; /* "motion", "constraint", "lagrangian", "mass_matrix", "force", ... */
    const char *text;
} PrintedEquation;

typedef struct PrintedEquations {
    const PrintedEquation *items;
    size_t n;
    const char *whole; /* all of it as one readable text, LaTeX document fragment or C function */
} PrintedEquations;

/* The equations of the compiled formulation, with the choices (of a base, of an elimination)
 * that it makes at a generic state. If the formulation does not apply there, the reason goes to
 * diag (then ERR_INVALID). The C text is a function: of the matrices of lagrange-dalembert, of
 * the first-order system of other formulations. */
Status compiled_print(const Compiled *compiled, PrintFormat format, Arena *arena, Diagnostics *diag,
                      PrintedEquations *ret_equations, Error *err) MUST_CHECK;

/* The properties of a model that need no motion. Ranks are those at a generic (random) state
 * with the document's parameters. Arrays and strings live in the arena. */
typedef struct StructureConstraint {
    const char *name;
    ConstraintKind kind;
    bool time_dependent, homogeneous, redundant;
    const char *redundancy; /* "combination of c1 and c2", or NULL */
} StructureConstraint;

/* Whether a formulation applies at a generic state; a motion may start where it does not. */
typedef struct StructureFormulation {
    const char *name;
    bool applies;
    const char *reason; /* why not; else NULL */
} StructureFormulation;

typedef struct Structure {
    size_t coordinates, parameters;
    /* NULL, or the reason why no state was found from which a motion could start; then the four
     * members after `irregular` have no meaning. */
    const char *objection;
    bool
        irregular; /* the objection is that M is singular on the constraints, at all states tried */
    size_t degrees_of_freedom; /* n - rank */
    size_t rank;               /* of the constraint Jacobian */
    bool mass_positive;        /* M positive definite */
    double condition;          /* of M on the constraints */

    bool time_dependent; /* L, F or a constraint depends explicitly on t */
    const StructureConstraint *constraints;
    size_t n_constraints;
    const char *const *cyclic; /* coordinates that do not occur in L, F and the constraints */
    size_t n_cyclic;
    const StructureFormulation *formulations; /* all there are */
    size_t n_formulations;
    /* The findings at random states of the analyses that need no motion: verdicts, and the
     * record of the analysis "structure". */
    const Verdict *verdicts;
    size_t n_verdicts;
    const Value *findings; /* NULL: no admissible state was found */
    size_t switches;       /* corners in the equations */
    size_t program_length; /* operations per evaluation of the equations of motion */
} Structure;

Status compiled_structure(Compiled *compiled, Arena *arena, Structure *ret_structure,
                          Error *err) MUST_CHECK;

/* The analyses there are (core/invariants/analysis.h), in the order of their table; NULL past the
 * end. */
const struct Analysis *simulation_analysis(size_t k);

/* A job, checked and ready to run; used by one thread. */
typedef struct Simulation Simulation;

/* Limits that only the service knows; 0: none. */
typedef struct SimulationLimits {
    uint64_t max_samples;
    uint64_t max_steps;
    uint64_t max_event_rows;
    uint64_t max_result_bytes; /* of the trajectory: 8 for each number */
} SimulationLimits;

/* Decides everything that needs no integration: names, observables, events, times, methods,
 * admissibility of the initial state. Mistakes go to diag (then ERR_INVALID). Keeps a reference to
 * compiled; borrows nothing from spec. */
Status simulation_new(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                      Diagnostics *diag, Simulation **ret_simulation, Error *err) MUST_CHECK;
void simulation_free(Simulation *simulation); /* NULL is fine */
/* The same simulation for another job, which differs in numbers only (parameters, initial.t, the
 * values of the initial state, the end): the document is not read again. Afterwards the
 * simulation is as if newly made; its earlier result is invalid. After ERR_INVALID the call can
 * be repeated with other numbers. Boundary problems and jobs with `compare` or `accuracy` cannot
 * be renewed. */
Status simulation_renew(Simulation *simulation, const JobSpec *spec, const SimulationLimits *limits,
                        Diagnostics *diag, Error *err) MUST_CHECK;
/* Finds the mistakes of a job, except those of its initial state, for jobs that differ in
 * numbers only. ret_reduced [spec->n_reduce]: the dimensions of its reductions. */
Status simulation_check(Compiled *compiled, const JobSpec *spec, const SimulationLimits *limits,
                        Dimension *ret_reduced, Diagnostics *diag, Error *err) MUST_CHECK;

/* Columns of the result and of every event table, in order. Live as long as the simulation. */
size_t simulation_columns(const Simulation *simulation, const char *const **ret_names);
/* The units of these columns; an element is NULL if its column has no unit. Returns NULL if the
 * model has no units. They are made by core/prepare/column_units.c. */
const char *const *simulation_units(const Simulation *simulation);
/* Event tables, in the order of the job's events; same columns. */
size_t simulation_tables(const Simulation *simulation, const char *const **ret_names);
uint64_t simulation_n_samples(const Simulation *simulation);

/* The instants of the samples of a job, from its time settings alone: *ret_n of them in
 * *ret_times (arena). *ret_times is NULL if *ret_n exceeds `most`. ERR_INVALID if the time
 * settings have mistakes. */
Status simulation_times(const JobSpec *spec, uint64_t most, Arena *arena, const double **ret_times,
                        uint64_t *ret_n, Error *err) MUST_CHECK;

/* The instant of sample k of a job without mistakes. */
double simulation_time(const JobSpec *spec, uint64_t k);

/* Further observables of a job that has run, evaluated on the rows of its result. A value has
 * the bits that it would have if the job had asked for the observable. Used by one thread. */
typedef struct RowObserver RowObserver;

/* Mistakes go to diag (then ERR_INVALID), at the pointers of observe[n]. An observable of
 * quantities that rows do not hold, such as accelerations, is a mistake. Keeps a reference to
 * compiled; borrows nothing else. */
Status row_observer_new(Compiled *compiled, const JobSpec *spec, const NamedText *observe, size_t n,
                        Diagnostics *diag, RowObserver **ret_observer, Error *err) MUST_CHECK;
void row_observer_free(RowObserver *observer); /* NULL is fine */
/* Names and units, as by simulation_columns() and simulation_units(): first the columns of the
 * rows, whose number is returned, then the n observables. */
size_t row_observer_columns(const RowObserver *observer, const char *const **ret_names,
                            const char *const **ret_units);
size_t row_observer_operations(const RowObserver *observer); /* for a row */
/* ret_values[n], perhaps not finite; row: at least the columns of the motion. */
void row_observer_eval(RowObserver *observer, const double *row, double *ret_values);

/* The same for the texts of a drawing. They may name the observables of the job. Rows in other
 * units than those of the SI are converted back, so values are right but for rounding. A value that
 * needs quantities without a column is undefined (row_observer_knows). */
Status row_observer_of_drawing(Compiled *compiled, const JobSpec *spec, const NamedText *texts,
                               size_t n, Diagnostics *diag, RowObserver **ret_observer,
                               Error *err) MUST_CHECK;

/* The knowledge of the rows about a text. */
typedef struct RowKnowledge {
    bool is_constant; /* the text reads parameters alone */
    double value;     /* of a constant; perhaps not finite */
    bool has_rate;    /* the text reads t or coordinates, and nothing else */
    const char *gap;  /* the quantity that rows do not have, in words; NULL: rows have all */
} RowKnowledge;
/* texts[n]: those of row_observer_of_drawing(). ret[n]; the words are in the arena. */
Status row_observer_knows(RowObserver *observer, const NamedText *texts, size_t n, Arena *arena,
                          RowKnowledge *ret, Error *err) MUST_CHECK;

/* Finds the mistakes of such texts before the job runs; conditions[n] tells which of them are
 * conditions. Accelerations are mistakes, for no row has them. */
Status drawing_texts_check(const Compiled *compiled, const JobSpec *spec, const NamedText *texts,
                           const bool *conditions, size_t n, Diagnostics *diag,
                           Error *err) MUST_CHECK;

/* The cost of a job, estimated before it runs. The unit is one operation of a program, so the
 * estimate is the same on every machine. It is right to a factor of order one. */
typedef struct AnalysisEstimate {
    const char *name;
    double operations;  /* 0: not known before */
    bool more_than_run; /* the analysis costs more than the run; false if either cost is unknown */
    const char *reason; /* a sentence about the work of the analysis */
} AnalysisEstimate;

typedef struct SimulationEstimate {
    size_t operations_per_evaluation; /* of the equations of motion */
    double evaluations;               /* 0: not known before */
    double operations;                /* of the run: their product, or the evaluations if larger */
    const AnalysisEstimate *analyses; /* those of the job, in its order */
    size_t n_analyses;
} SimulationEstimate;

/* Makes some steps of the job, and leaves the simulation as it was. Strings live in the arena or as
 * long as the program. */
Status simulation_estimate(Simulation *simulation, Arena *arena, SimulationEstimate *ret,
                           Error *err) MUST_CHECK;

/* A row of evidence holds the time, then for each constraint (in the order of the columns
 * multiplier(..)) its residual relative to its terms, then these quantities. */
enum { EVIDENCE_ENERGY, EVIDENCE_RCOND, EVIDENCE_STEP, EVIDENCE_REST };
extern const char *const evidence_names[EVIDENCE_REST];

typedef struct SimulationSink {
    void *self;
    /* Rows [n_rows][columns], row-major, as soon as they are computed: mostly one a call. Table -1
     * is the trajectory, k >= 0 the k-th event table. Rows of one table come in order. The
     * trajectory has a row for each sample, and behind them one for the instant of a terminal
     * event that is no sample (RunEnd.between). */
    Status (*rows)(void *self, int table, const double *rows, size_t n_rows, Error *err);
    /* May be NULL. fraction in [0, 1] of the time interval; called at most every ~20 ms. */
    void (*progress)(void *self, double fraction, double t, uint64_t steps);
    /* OK to go on, ERR_CANCELLED or ERR_TIMEOUT to stop; polled about every millisecond of an
     * integration, else every few. May be NULL. */
    Status (*poll)(void *self, Error *err);
    /* May be NULL. The evidence at each row of the trajectory, the worst since the one before: t, a
     * residual a constraint, and evidence_names; NaN where there is none. In order; some time after
     * the rows. */
    Status (*evidence)(void *self, const double *row, size_t n, Error *err);
} SimulationSink;

typedef struct ConstraintEvidence {
    const char *name;
    const char *level;   /* "position" or "velocity" */
    double max, rms;     /* relative to the equation's own scale, over steps and samples */
    double max_absolute; /* |phi| itself */
} ConstraintEvidence;

/* The same motion computed by another formulation. Differences are the largest over the samples
 * that both reached, the rows of events, and, if both ended well, the last rows and the final
 * states. The size of a column is the largest |value| along both motions, and at least a share of
 * the error bound of its terms (docs/explanation/numerics.md). */
typedef struct Comparison {
    const char *formulation;
    Status status;                /* of that run, as in SimulationResult */
    const char *reason, *message; /* of a failure, else NULL */
    uint64_t samples, accepted;   /* rows of the trajectory compared; steps of that run */
    uint64_t event_rows;          /* that one motion has and the other has not, over all events */
    double longest_step;          /* of these */
    const double *absolute, *relative, *size; /* by column, see SimulationResult */
    const double *instants; /* of the largest differences, by column: t of the job's own run */
    double max_absolute, max_relative; /* of all columns */
    double rcond_min, t_reached;       /* of that run, see SimulationResult */
} Comparison;

/* The same job at tighter tolerance and with steps of half the length: its differences estimate the
 * errors; where it does not reach the end (finer.status) they are no estimate. In `finer`, columns
 * are all but t, in the order of the result. */
typedef struct Accuracy {
    Comparison finer;
    double rtol, atol, step; /* of that run; step 0 where the method chooses it, */
    double max_step;         /* up to half the longest step of the job's own run */
    bool coarser; /* there was no room below the job's rtol: it is the other run's errors that are
                     estimated, and these are larger */
} Accuracy;

/* A stationary path between the two ends of a least-action problem. */
typedef struct BoundarySolution {
    const double *v; /* n: the velocity at the start */
    /* n_chart: the velocity in the coordinates of the chart, if the ends were given in it */
    const double *chart_v;
    size_t n_chart;
    double action;
    double first_variation;    /* largest found along test directions, relative to its terms */
    size_t conjugate_points;   /* strictly between the ends, with their nullity: the index */
    double jacobi_determinant; /* of dq(t1)/dv(t0) in the coordinates of the ends; beside the
                                  constraints' rows where there are any */
    const char *kind;          /* "minimum", "saddle", "degenerate" or "undecided" */
} BoundarySolution;

/* An event with steps in which roots of it may have been missed. */
typedef struct UndecidedEvent {
    const char *name;
    uint64_t steps;
    double t; /* start of the first of these steps */
} UndecidedEvent;

/* A configuration in which the constraints in use lose rank, passed smoothly. */
typedef struct SingularEvidence {
    double t;
    size_t rank;      /* there */
    double smallest;  /* singular value of the rows there, over the largest */
    double agreement; /* of two ways to compute the motion across: difference, of the state */
} SingularEvidence;

enum { SINGULAR_ITEMS = 32 };

/* From t on a method integrated the motion. */
typedef struct MethodUse {
    double t;
    const char *method, *because;
} MethodUse;

/* The first one from the start; with method "auto" others may follow, 17 at most are listed. */
typedef struct MethodsUsed {
    const MethodUse *uses;
    size_t n;
    const char *stiff_method;                /* NULL: it was not used */
    uint64_t stiff_accepted, stiff_rejected; /* steps by it, among all */
} MethodsUsed;

/* How the run ended. */
typedef struct RunEnd {
    Status status; /* OK: ran to the end or was stopped by a terminal event */
    const char
        *reason; /* of a failure: "numeric", "limit", "timeout", "cancelled", "internal"; NULL */
    const char *message; /* of a failure, with t and the likely cause; NULL */
    bool complete;
    const char *stopped_by; /* the terminal event, or NULL */
    /* by that event, at an instant that is no sample: the last row, of the state before its
     * `set` */
    bool between;
    double t; /* the instant reached */
} RunEnd;

typedef struct FinalState {
    const double *q, *v; /* n each */
    size_t n;
} FinalState;

typedef struct ProjectionEvidence {
    uint64_t count; /* number of projections: one a step if the model has constraints */
    double max_position, rms_position, max_velocity, rms_velocity; /* sizes after steps */
    bool metric_is_mass;
    /* sizes of the changes that made the initial state admissible */
    double initial_position, initial_velocity;
} ProjectionEvidence;

typedef struct ImpactEvidence {
    uint64_t count; /* events that changed the state; then it was made admissible again: */
    double max_position, max_velocity; /* sizes of that, largest */
} ImpactEvidence;

typedef struct EnergyEvidence {
    double initial, final, max_drift;
    double balance_max;                  /* E - E0 - all work */
    double balance_scaled;               /* divided by max terms of E + max |work| */
    double work;                         /* integral of (F + R).v - L_t */
    double projection_work, impact_work; /* jumps of E by projections, by events */
} EnergyEvidence;

typedef struct RankEvidence {
    size_t rank, redundant;
    const char *const *redundant_names; /* "c3 = c1 + c2" ... ; redundant of them */
} RankEvidence;

/* The first two are 0 if the job is brief (JobSpec.brief). */
typedef struct ConditionEvidence {
    double constraints_max; /* of the row-normalised Jacobian, over samples */
    double mass_max;        /* of M on the constraints at the start */
    double rcond_min;       /* smallest reciprocal condition met in the solves */
} ConditionEvidence;

typedef struct StepCounts {
    uint64_t accepted, rejected, evaluations, jacobians, switches, events;
    double longest; /* step taken */
} StepCounts;

/* Features of the model narrower than a step: see docs/explanation/numerics.md. */
typedef struct FeatureEvidence {
    size_t watched, of; /* functions */
    uint64_t met;       /* steps taken again so as not to pass something */
    uint64_t passed;    /* fixed steps that have */
    uint64_t undecided; /* steps that may have */
    const UndecidedEvent *undecided_events;
    size_t n_undecided_events;
} FeatureEvidence;

/* How the result was computed. */
typedef struct Provenance {
    const char *method;
    double rtol, atol;
    const char *elimination; /* how the equations of motion were solved for the accelerations */
    /* list of records {what, value, reason}, one for each choice that the job left open; NULL if
     * the job is brief */
    const Value *choices;
    double seconds_prepare, seconds_integrate, seconds_analyse; /* 0 if the job is brief */
} Provenance;

/* Records of the changes to the initial state that the job gives. */
typedef struct InitialChange {
    const Value *change;      /* by column: the change that made it admissible */
    const Value *equilibrium; /* the equilibrium found for initial.equilibrium; else NULL */
} InitialChange;

/* The findings of the analyses. */
typedef struct Found {
    const Verdict *verdicts;
    size_t n_verdicts;
    const Value *findings; /* a record: the findings other than verdicts */
} Found;

typedef struct SecondOpinions {
    const Comparison *comparisons; /* none when the run itself failed */
    size_t n_comparisons;
    const Accuracy *accuracy;   /* NULL: not asked for, or the run failed */
    const char *const *columns; /* n_columns: those of the result but t */
    size_t n_columns;
    /* coordinates, velocities, multipliers and observables: those every formulation has */
    const char *const *compared_columns;
    size_t n_compared_columns;
} SecondOpinions;

typedef struct SimulationResult {
    RunEnd end;
    FinalState final;
    uint64_t samples;      /* rows of the trajectory that left */
    const double *reduced; /* of the job's reductions, in order; NaN: none */
    const ConstraintEvidence *constraints;
    size_t n_constraints;
    ProjectionEvidence projection;
    ImpactEvidence impacts;
    EnergyEvidence energy;
    RankEvidence rank;
    ConditionEvidence condition;
    StepCounts steps;
    const SingularEvidence *singular; /* the first SINGULAR_ITEMS of n_singular */
    uint64_t n_singular;
    MethodsUsed methods;
    FeatureEvidence features;
    Provenance provenance;
    InitialChange initial;
    const BoundarySolution *solutions; /* least action: all found; the first is the trajectory */
    size_t n_solutions;
    Found found;
    SecondOpinions second;
    const char *const *warnings;
    size_t n_warnings;
} SimulationResult;

/* Runs the job. A motion that fails is no error of this call: see RunEnd. Errors come from
 * outside the motion (the sink failed, out of memory); then *ret_result is not written.
 * Everything in the result lives as long as the simulation. */
Status simulation_run(Simulation *simulation, const SimulationSink *sink,
                      SimulationResult *ret_result, Error *err) MUST_CHECK;

/* The largest of the residuals of all constraints; 0 if the model has no constraints. */
double simulation_worst_residual(const SimulationResult *result);

/* Many simulations, some beside each other: see simulations_run(). */
typedef struct SimulationQueue {
    void *self;
    /* The next simulation, to start in this lane, and its sink; both are borrowed until the
     * simulation has ended. All free lanes are asked before the first of these simulations starts.
     * NULL: no simulation can start before another one has ended. NULL while none is running ends
     * simulations_run(). */
    Status (*next)(void *self, size_t lane, Simulation **ret_simulation,
                   const SimulationSink **ret_sink, Error *err);
    /* A simulation has ended, with the result of simulation_run(). Its lane is free. */
    Status (*ended)(void *self, Simulation *simulation, const SimulationResult *result, Error *err);
    LaneWork *work; /* work counters of the lanes, increased; may be NULL */
} SimulationQueue;

enum { SIMULATION_LANES = 16 }; /* number of lanes beyond which bench/ shows no gain */

/* Runs simulations, up to `lanes` of them at a time, with the same bits as simulation_run().
 * Simulations of one Compiled with a Runge-Kutta method evaluate their rates together. They end
 * in any order, and calls of their sinks alternate. An error of one simulation (see
 * simulation_run()) or of the queue ends all of them. `lanes` is a multiple of 8. */
Status simulations_run(const SimulationQueue *queue, size_t lanes, Error *err) MUST_CHECK;

#endif
