/* A simulation job as a client wrote it, without its model: plain values, each with its place.
 *
 * Filled by api/documents; calls borrow it. */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/value.h"
#include "core/model/document.h"
#include "core/model/state.h"

typedef enum TimeKind { TIME_SAMPLES, TIME_EVERY, TIME_AT } TimeKind;

typedef struct TimeSpec {
    TimeKind kind;
    double end;       /* samples, every */
    uint64_t samples; /* TIME_SAMPLES: instants from initial.t to end, both included; >= 2 */
    bool samples_given;
    double every;     /* TIME_EVERY: > 0 */
    const double *at; /* TIME_AT: strictly monotone */
    size_t n_at;
} TimeSpec;

typedef enum EventKind { EVENT_WHEN, EVENT_EVERY, EVENT_AT } EventKind;

typedef struct EventSpec {
    const char *name;
    EventKind kind;
    NamedText when;   /* EVENT_WHEN; otherwise only name and pointer */
    double every;     /* EVENT_EVERY: the start and its multiples, the start itself left out; > 0 */
    double offset;    /* EVENT_EVERY: from the start to the first of them; >= 0 */
    const double *at; /* EVENT_AT: strictly monotone, from behind the start up to the end */
    size_t n_at;
    int direction; /* +1 rising, -1 falling, 0 any */
    bool terminal;
    const NamedText *set; /* name: "dot(y)" or a coordinate; text: the value after */
    size_t n_set;
    const char *pointer;
} EventSpec;

/* One end of a boundary value problem. */
typedef struct BoundaryEnd {
    double t;
    const NamedValue *q; /* of the model, or of its chart; those left out are 0 */
    size_t n_q;
} BoundaryEnd;

/* The velocities from which a solution is looked for. */
typedef struct BoundaryGuess {
    const NamedValue *v;
    size_t n_v;
} BoundaryGuess;

typedef struct BoundarySpec {
    bool given;    /* instead of initial: formulation least-action */
    bool in_chart; /* ends and guesses are in the coordinates of the model's chart */
    BoundaryEnd start, end;
    const BoundaryGuess *guesses; /* none: zeros and the straight path */
    size_t n_guesses;
} BoundarySpec;

/* A multiplier at the start: a number, or its value on a section mu = phi(q, v). */
typedef struct MultiplierSpec {
    const char *name; /* of the constraint; NULL: that of its place in the list */
    double value;     /* unless there is a text */
    const char *text; /* an expression in t, q, v and the parameters, or NULL */
    const char *pointer;
} MultiplierSpec;

/* Start from the equilibrium found near a given state, moved by the given offset. */
typedef struct EquilibriumSpec {
    bool given; /* instead of q and v */
    const NamedValue *near_q, *near_v;
    size_t n_near_q, n_near_v; /* coordinates left out are 0, velocities solve the constraints */
    const NamedValue *offset_q, *offset_v;
    size_t n_offset_q, n_offset_v; /* left out: 0 */
} EquilibriumSpec;

/* An analysis asked for; options: its other members, a record, or NULL. */
typedef struct AnalysisSpec {
    const char *name;
    const Value *options;
    const char *pointer;
} AnalysisSpec;

/* The reduction of a motion to one number, independent of the samples. NaN if the number does not
 * exist: an event that did not happen, a finding that was not made. */
typedef enum ReduceTake {
    REDUCE_LAST, /* at the end */
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_MEAN, /* over time */
    REDUCE_RMS,
    REDUCE_DRIFT, /* how far it was from its value at the start, at most, at the ends of steps */
    REDUCE_FIRST_EVENT, /* the nth event of a name: its time, or the value of an expression there */
    REDUCE_EVENT_COUNT,
    REDUCE_LABEL,   /* the number of the first condition that holds at the end */
    REDUCE_FINDING, /* of an analysis: "floquet.radius" */
} ReduceTake;

typedef struct ReduceCase {
    /* a condition, as in if(..), of what observables are made of; name: that of the reduction */
    NamedText when;
    double number;
} ReduceCase;

typedef struct ReduceSpec {
    const char *name;
    ReduceTake take;
    NamedText of; /* an expression like an observable; a path of REDUCE_FINDING; text NULL: none */
    const char *event;       /* REDUCE_FIRST_EVENT, REDUCE_EVENT_COUNT */
    uint64_t nth;            /* from 1 */
    const ReduceCase *cases; /* REDUCE_LABEL */
    size_t n_cases;
    double otherwise; /* REDUCE_LABEL: where no case holds */
    const char *pointer;
} ReduceSpec;

typedef struct InitialSpec {
    double t;
    const NamedValue *q; /* coordinates; those left out are 0 */
    size_t n_q;
    const NamedValue *v; /* velocities; those left out solve the constraints */
    size_t n_v;
    Consistency consistency;
    const NamedText *hold; /* coordinates that stay while others are projected; no text */
    size_t n_hold;
    /* Multipliers of formulations that keep them (vakonomic), or the momenta of the dependent
     * coordinates. */
    bool mu_given;
    const MultiplierSpec *mu;
    size_t n_mu;
    bool mu_momentum;
    /* The state in the coordinates of the model's chart, instead of q and v. */
    bool in_chart;
    const NamedValue *chart_q, *chart_v;
    size_t n_chart_q, n_chart_v;
    EquilibriumSpec equilibrium;
} InitialSpec;

typedef struct IntegratorSpec {
    const char *method; /* "auto" when the document has none */
    double rtol, atol;  /* atol 0: rtol / 100 */
    bool rtol_given, atol_given;
    const NamedValue *nominal; /* sizes of coordinates and of velocities, "dot(x)" */
    size_t n_nominal;
    double step;     /* fixed-step methods; 0: none given */
    double max_step; /* adaptive methods: the longest step; 0: none given */
    bool projection, projection_given;
    uint64_t max_steps; /* 0: 10^7, or the limit of the service if that is lower */
} IntegratorSpec;

typedef struct JobSpec {
    const NamedValue *parameters; /* overrides */
    size_t n_parameters;
    const char *formulation; /* "lagrange-dalembert" when the document has none */
    bool formulation_given;
    InitialSpec initial;
    BoundarySpec boundary;
    TimeSpec time;
    IntegratorSpec integrator;
    const NamedText *observe;
    size_t n_observe;
    size_t n_named; /* the first observables, which the job's further texts may name */
    const EventSpec *events;
    size_t n_events;
    const AnalysisSpec *analyses; /* NULL: the default ones; a list may be empty */
    size_t n_analyses;
    const char *const *compare; /* formulations in which the same motion is to be computed too */
    size_t n_compare;
    const NamedText *sensitivities; /* paths of numbers; only text and pointer */
    size_t n_sensitivities;
    const ReduceSpec *reduce;
    size_t n_reduce;
    bool brief;    /* nobody asks for condition numbers and seconds: they are 0 in the result */
    bool accepted; /* before, perhaps by a version without units: their mistakes are forgiven */
    bool accuracy; /* estimate the error of every column by a second run at tighter tolerance */
} JobSpec;

/* The defaults of the document format: rtol 1e-10, projection, 201 samples. */
void job_spec_init(JobSpec *spec);
/* The absolute tolerance, times the size of a component: rtol / 100 unless it is given. */
double job_spec_atol(const JobSpec *spec);

#endif
