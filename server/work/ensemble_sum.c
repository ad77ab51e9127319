/* Counts and extremes over the members of an ensemble. */
#include "server/work/ensemble_sum.h"

#include <math.h>
#include <string.h>

static size_t column_of(const char *const *names, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

Status ensemble_sum_init(EnsembleSum *ret_sum, const PreparedJob *job, const MemberText *said,
                         size_t n_said, Arena *arena, Error *err)
{
    const Design *design = ensemble_design(job->ensemble);
    const JobSpec *spec = &job->input.spec;
    const char *const *names;
    const size_t n = ensemble_columns(job->ensemble, &names);
    MemberFailure *failures = ARENA_NEW(arena, MEMBER_TEXTS_MAX, MemberFailure);
    bool *reduced = ARENA_NEW(arena, spec->n_reduce, bool);
    if (arena_failed(arena))
        return arena_status(arena, err);
    /* find the columns by name */
    *ret_sum = (EnsembleSum){
        .evidence = {.total = design_count(design),
                     .worst_residual = NAN,
                     .energy_balance_max = NAN,
                     .failures = failures},
        .said = said,
        .n_said = n_said,
        .failures = failures,
        .n_columns = n,
        .worst_residual = column_of(names, n, "worst_residual"),
        .energy_balance = column_of(names, n, "energy_balance"),
        .steps = column_of(names, n, "steps"),
        .warnings = column_of(names, n, "warnings"),
        .reduce = spec->reduce,
        .n_reduce = spec->n_reduce,
        .first_reduced = 1 + design_axes(design),
        .reduced = reduced,
        .arena = arena,
    };
    return OK;
}

static double greater(double a, double b)
{
    return b > a || isnan(a) ? b : a;
}

static void add_failure(EnsembleSum *sum, uint64_t member, MemberState state)
{
    EnsembleEvidence *evidence = &sum->evidence;
    const char *message = NULL;
    if (evidence->n_failures == MEMBER_TEXTS_MAX)
        return;
    while (sum->next_said < sum->n_said && sum->said[sum->next_said].member < member)
        sum->next_said++;
    if (sum->next_said < sum->n_said && sum->said[sum->next_said].member == member)
        message = sum->said[sum->next_said].text;
    sum->failures[evidence->n_failures++] = (MemberFailure){member, state, message};
}

void ensemble_sum_add(EnsembleSum *sum, const double *row)
{
    EnsembleEvidence *evidence = &sum->evidence;
    /* count the state */
    const double number = row[sum->n_columns - 1];
    const MemberState state =
        number >= 0.0 && number < MEMBER_STATES ? (MemberState)number : MEMBER_INTERNAL;
    evidence->states[state]++;
    if (state != MEMBER_SUCCEEDED)
        add_failure(sum, (uint64_t)row[0], state);
    /* extremes of the evidence */
    if (sum->worst_residual < sum->n_columns)
        evidence->worst_residual = greater(evidence->worst_residual, row[sum->worst_residual]);
    if (sum->energy_balance < sum->n_columns)
        evidence->energy_balance_max =
            greater(evidence->energy_balance_max, fabs(row[sum->energy_balance]));
    if (sum->steps < sum->n_columns && row[sum->steps] >= 0.0)
        evidence->steps += (uint64_t)row[sum->steps];
    /* findings and warnings */
    for (size_t k = 0; k < sum->n_reduce; k++)
        sum->reduced[k] = sum->reduced[k] || !isnan(row[sum->first_reduced + k]);
    if (sum->warnings < sum->n_columns && row[sum->warnings] > 0.0 && evidence->warned++ == 0)
        evidence->first_warned = (uint64_t)row[0];
}

/* A path without a value is a mistake that shows only after an analysis. */
static const char *warn_of_findings(const EnsembleSum *sum)
{
    const bool any = sum->evidence.states[MEMBER_SUCCEEDED] > 0;
    const ReduceSpec *first = NULL;
    size_t n = 0;

    for (size_t k = 0; any && k < sum->n_reduce; k++)
        if (sum->reduce[k].take == REDUCE_FINDING && !sum->reduced[k] && n++ == 0)
            first = &sum->reduce[k];
    const char *more = n > 1 ? arena_printf(sum->arena, " (and %zu more)", n - 1) : "";
    if (n == 0 || !more)
        return NULL;
    return arena_printf(
        sum->arena,
        "the reduction %.80s is null for all members: there is no number at \"%.200s\"%s",
        first->name, first->of.text, more);
}

static const char *warn_of_members(const EnsembleSum *sum)
{
    const EnsembleEvidence *evidence = &sum->evidence;

    if (evidence->warned == 0)
        return NULL;
    return arena_printf(sum->arena,
                        "%llu of %llu members have warnings, member %llu the first: those where "
                        "warnings > 0",
                        (unsigned long long)evidence->warned, (unsigned long long)evidence->total,
                        (unsigned long long)evidence->first_warned);
}

size_t ensemble_sum_warnings(const EnsembleSum *sum, const char *ret_warnings[ENSEMBLE_WARNINGS])
{
    const char *const warnings[ENSEMBLE_WARNINGS] = {warn_of_members(sum), warn_of_findings(sum)};
    size_t n = 0;

    for (size_t k = 0; k < ENSEMBLE_WARNINGS; k++)
        if (warnings[k])
            ret_warnings[n++] = warnings[k];
    return n;
}

/* The state that most failed members have; MEMBER_SUCCEEDED: none has failed. */
static MemberState most_failed(const EnsembleEvidence *evidence)
{
    MemberState most = MEMBER_SUCCEEDED;
    for (int state = MEMBER_MODEL; state < MEMBER_CANCELLED; state++)
        if (evidence->states[state] > (most ? evidence->states[most] : 0))
            most = (MemberState)state;
    return most;
}

/* If nobody has cancelled the ensemble, and a failure does not stop the other members, members that
 * were never run mean that time was up. */
const char *ensemble_sum_reason(const EnsembleSum *sum, bool stops)
{
    const EnsembleEvidence *evidence = &sum->evidence;
    const MemberState most = most_failed(evidence);
    if (most != MEMBER_SUCCEEDED && (stops || evidence->states[MEMBER_SUCCEEDED] == 0))
        return member_state_reason(most);
    uint64_t told = 0;
    for (int state = 0; state < MEMBER_CANCELLED; state++)
        told += evidence->states[state];
    return told < evidence->total ? "timeout" : NULL;
}
