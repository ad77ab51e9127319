/* Ensembles: one job for many members, which are that job with other numbers. A member's row has
 * the same bits as the row of the same job run alone. It depends neither on the worker nor on
 * the other members.
 *
 *     ensemble_new   everything that can be decided without integrating
 *     ensemble_run   a range of members; their rows leave through the sink as they end */
#ifndef CORE_ENSEMBLE_ENSEMBLE_H
#define CORE_ENSEMBLE_ENSEMBLE_H

#include "core/ensemble/design.h"
#include "core/ensemble/member.h"
#include "core/ensemble/over_time.h"
#include "core/simulate.h"

typedef enum EnsembleKeep {
    KEEP_SUMMARY,      /* a row a member */
    KEEP_EVENTS,       /* and the rows of its events */
    KEEP_TRAJECTORIES, /* and its samples */
} EnsembleKeep;

/* The part of a document that describes the ensemble rather than the job. Borrowed for each
 * call. */
typedef struct EnsembleSpec {
    DesignSpec design;
    EnsembleKeep keep;
    bool stop_on_error; /* the first member that fails ends the ensemble */
    double timeout;     /* seconds for all of it; 0: none */
    /* Columns of the trajectory with statistics over time, whatever `keep` is: names and
     * pointers. */
    const NamedText *over_time; /* n_over_time */
    size_t n_over_time;
} EnsembleSpec;

/* An ensemble, checked and ready to run; used by one thread. */
typedef struct Ensemble Ensemble;

typedef struct EnsembleLimits {
    const SimulationLimits *of_member; /* NULL: none */
    uint64_t most_members;             /* 0: none */
} EnsembleLimits;

/* Errors go to diag (then ERR_INVALID): those of the design, of the varied numbers, and all
 * errors of the job that its members have in common. An initial state that is not admissible is
 * none of these: that member fails alone. Keeps a reference to compiled; borrows the arrays of
 * the specs. A job that names no analyses has none. */
Status ensemble_new(Compiled *compiled, const JobSpec *job, const EnsembleSpec *spec,
                    const EnsembleLimits *limits, Diagnostics *diag, Ensemble **ret_ensemble,
                    Error *err) MUST_CHECK;
void ensemble_free(Ensemble *ensemble); /* NULL is fine */

const Design *ensemble_design(const Ensemble *ensemble);

/* The columns of the summary: "member", the varied paths, the reductions by name, "final.t",
 * "final.q.NAME" and "final.v.NAME", "worst_residual", "energy_balance", "drift.energy",
 * "drift.NAME" of the momentum of each symmetry that the model names, "steps", "warnings" (their
 * number), "state". Values that a member does not have are NaN: if it failed, these are the
 * final state, the reductions and the drifts of momenta; "final.t" is the time reached. Live as
 * long as the ensemble. */
size_t ensemble_columns(const Ensemble *ensemble, const char *const **ret_names);
/* Their units, NULL if a column has none; NULL: those of the model are not known. */
const char *const *ensemble_units(const Ensemble *ensemble);
/* The retained tables in order: "trajectory" for KEEP_TRAJECTORIES, then the job's events for it
 * and for KEEP_EVENTS. They have the columns of simulation_columns() with "member" before them. */
size_t ensemble_tables(const Ensemble *ensemble, const char *const **ret_names);
size_t ensemble_table_columns(const Ensemble *ensemble, const char *const **ret_names);

const char *const *ensemble_table_units(const Ensemble *ensemble);
/* The shape of the statistics over time; all 0: none are requested. */
OverTimeShape ensemble_over_time(const Ensemble *ensemble);

/* The summary row of a member that did not run to its end: its number, its inputs and its state. */
void ensemble_lost_row(const Ensemble *ensemble, uint64_t member, MemberState state,
                       double *ret_row);

/* The job of member k, until the next call. Run alone, it gives the same bits. */
const JobSpec *ensemble_member(Ensemble *ensemble, uint64_t k);

typedef struct EnsembleSink {
    void *self;
    /* The summary row of a member, in the order in which members end. reason and message of a
     * failure, otherwise NULL. */
    Status (*member)(void *self, uint64_t k, const double *row, const char *reason,
                     const char *message, Error *err);
    /* Rows [n_rows][table columns] of a member's table, in order, before its summary row. Rows
     * of members that run side by side are interleaved. NULL: no rows are retained. */
    Status (*rows)(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                   Error *err);
    /* The cells of a member, before its summary row; NaN for instants that it did not reach. Not
     * called for a member that could not begin or was lost. Only if statistics over time are
     * requested; may be NULL. */
    Status (*over_time)(void *self, uint64_t k, const double *cells, Error *err);
    /* OK to go on; otherwise the running members are reported as cancelled. Polled about every
     * millisecond of an integration, else every few. May be NULL. */
    Status (*poll)(void *self, Error *err);
    /* True: no more members are begun; the running ones end as usual. Polled before members are
     * begun. May be NULL. */
    bool (*enough)(void *self);
    /* The next range of members. Members of this range may still be running: the range fills the
     * lanes that they leave free. None (*ret_n 0): asked again when another member has ended.
     * May be NULL. */
    Status (*more)(void *self, uint64_t *ret_first, uint64_t *ret_n, Error *err);
    double member_timeout; /* seconds; 0: none */
    LaneWork *work;        /* counted on; may be NULL */
} EnsembleSink;

/* Runs members first .. first + n - 1, then those of the sink's further ranges. Reports every
 * member of the earlier ranges, and of the last range the members below its first + *ret_done.
 * These are fewer than n only after `enough`, a cancel, or a failure that stops the ensemble.
 * Fails only if the sink fails, or with ERR_NO_MEMORY. */
Status ensemble_run(Ensemble *ensemble, uint64_t first, uint64_t n, const EnsembleSink *sink,
                    uint64_t *ret_done, Error *err) MUST_CHECK;

#endif
