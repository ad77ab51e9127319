/* Ensembles: one job for many members, which are that job with other numbers. A member's row has the same bits as the
 * same job run alone, whoever runs it and whatever runs beside it.
 *
 *     ensemble_new   everything that can be decided without integrating
 *     ensemble_run   a range of members; their rows leave through the sink as they end */
#ifndef CORE_ENSEMBLE_ENSEMBLE_H
#define CORE_ENSEMBLE_ENSEMBLE_H

#include "core/ensemble/design.h"
#include "core/ensemble/member_state.h"
#include "core/ensemble/over_time.h"
#include "core/simulate.h"

typedef enum EnsembleKeep {
    KEEP_SUMMARY,      /* a row a member */
    KEEP_EVENTS,       /* and the rows of its events */
    KEEP_TRAJECTORIES, /* and its samples */
} EnsembleKeep;

/* What a document says of its ensemble, apart from the job. Borrowed for the calls it is passed to. */
typedef struct EnsembleSpec {
    DesignSpec design;
    EnsembleKeep keep;
    bool stop_on_error; /* the first member that fails ends the ensemble */
    double timeout;     /* seconds for all of it; 0: none */
    /* Columns of the trajectory whose statistics over time are kept, whatever else is: names, and their places. */
    const NamedText *over_time; /* n_over_time */
    size_t n_over_time;
} EnsembleSpec;

/* An ensemble, checked and ready to run; used by one thread. */
typedef struct Ensemble Ensemble;

/* Mistakes go to diag (then ERR_INVALID): of the design, of what is varied, and all of the job's that members have in
 * common. A member whose initial state is not admissible is none: it fails alone. most_members: the limit, 0: none.
 * Keeps a reference to compiled; borrows what the specs point to. A job that names no analyses has none. */
Status ensemble_new(Compiled *compiled, const JobSpec *job, const EnsembleSpec *spec,
                    const SimulationLimits *limits, uint64_t most_members, Diagnostics *diag,
                    Ensemble **ret_ensemble, Error *err) MUST_CHECK;
void ensemble_free(Ensemble *ensemble); /* NULL is fine */

const Design *ensemble_design(const Ensemble *ensemble);

/* The columns of the summary: "member", the varied paths, the reductions by name, "final.t", "final.q.NAME" and
 * "final.v.NAME", "worst_residual", "energy_balance", "drift.energy", "drift.NAME" of the momentum of each symmetry that the
 * model names, "steps", "warnings" (how many), "state". What a member has no value of is NaN: of one that failed the final state, the reductions
 * and drifts of momenta, but not "final.t", up to where it came. Live as long as the ensemble. */
size_t ensemble_columns(const Ensemble *ensemble, const char *const **ret_names);
/* Their units, NULL where one has none; NULL: those of the model are not known. */
const char *const *ensemble_units(const Ensemble *ensemble);
/* What is kept beside it, in order: "trajectory" for KEEP_TRAJECTORIES, the job's events for it and KEEP_EVENTS. They have
 * the columns of simulation_columns() with "member" before them. */
size_t ensemble_tables(const Ensemble *ensemble, const char *const **ret_names);
size_t ensemble_table_columns(const Ensemble *ensemble, const char *const **ret_names);

const char *const *ensemble_table_units(const Ensemble *ensemble);
/* What is told of members over time, all 0 where nothing is asked for. */
OverTimeShape ensemble_over_time(const Ensemble *ensemble);

/* The summary row of a member that nobody has run to its end: its number, its inputs and its state. */
void ensemble_lost_row(const Ensemble *ensemble, uint64_t member, MemberState state,
                       double *ret_row);

/* The job of member k, until the next call: what has to be run alone for the same bits. */
const JobSpec *ensemble_member(Ensemble *ensemble, uint64_t k);

typedef struct EnsembleSink {
    void *self;
    /* The summary row of a member, as they end: in any order. reason and message of a failure, else NULL. */
    Status (*member)(void *self, uint64_t k, const double *row, const char *reason,
                     const char *message, Error *err);
    /* Rows [n_rows][table columns] of a member's table, in order, before its summary row; those of members that run beside
     * each other come by turns. NULL: nothing is kept. */
    Status (*rows)(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                   Error *err);
    /* The cells of a member, before its summary row; NaN where it did not come. Of one that could not begin, or was lost,
     * nothing is told. Only where statistics over time are asked for; may be NULL. */
    Status (*over_time)(void *self, uint64_t k, const double *cells, Error *err);
    /* OK to go on; else members that were begun and have not ended are told as cancelled. Polled every few milliseconds. May
     * be NULL. */
    Status (*poll)(void *self, Error *err);
    /* True: no more members are begun; those begun are run to their end. Polled before members are begun. May be NULL. */
    bool (*enough)(void *self);
    /* The members to be run after those of this range, whose last ones may still be under way: their lanes are not left empty.
     * None (*ret_n 0): asked again when another member has ended. May be NULL. */
    Status (*more)(void *self, uint64_t *ret_first, uint64_t *ret_n, Error *err);
    double member_timeout; /* seconds; 0: none */
    LaneWork *work;        /* counted on; may be NULL */
} EnsembleSink;

/* Runs members first .. first + n - 1, then those of the ranges that the sink has more. Of the last range all below its
 * first + *ret_done are told, of those before it all: fewer than n only after `enough`, a cancel, or a failure that
 * stops the ensemble. Fails only with what the sink fails with, or ERR_NO_MEMORY. */
Status ensemble_run(Ensemble *ensemble, uint64_t first, uint64_t n, const EnsembleSink *sink,
                    uint64_t *ret_done, Error *err) MUST_CHECK;

#endif
