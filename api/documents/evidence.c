/* The evidence of a run as JSON: the diagnostics document (residuals, energy, steps, ...) and the
 * invariants document. */
#include "api/documents/documents.h"

#include "api/documents/values.h"
#include "api/documents/verdict.h"
#include "api/json/writer.h"

static void put_numbers(JsonWriter *w, const char *name, const double *items, size_t n)
{
    json_member_array(w, name);
    for (size_t i = 0; i < n && items; i++)
        json_put_number(w, items[i]);
    json_close_array(w);
}

static void put_constraints(JsonWriter *w, const SimulationResult *result)
{
    json_member_array(w, "constraints");
    for (size_t i = 0; i < result->n_constraints; i++) {
        const ConstraintEvidence *item = &result->constraints[i];
        json_open_object(w);
        json_member_string(w, "name", item->name);
        json_member_string(w, "level", item->level);
        json_member_number(w, "max", item->max);
        json_member_number(w, "rms", item->rms);
        json_member_number(w, "max_absolute", item->max_absolute);
        json_close_object(w);
    }
    json_close_array(w);
}

static void put_projection(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "projection");
    json_member_unsigned(w, "count", result->projection.count);
    json_member_string(w, "metric", result->projection.metric_is_mass ? "mass" : "euclidean");
    json_member_object(w, "position");
    json_member_number(w, "max", result->projection.max_position);
    json_member_number(w, "rms", result->projection.rms_position);
    json_member_number(w, "initial", result->projection.initial_position);
    json_close_object(w);
    json_member_object(w, "velocity");
    json_member_number(w, "max", result->projection.max_velocity);
    json_member_number(w, "rms", result->projection.rms_velocity);
    json_member_number(w, "initial", result->projection.initial_velocity);
    json_close_object(w);
    json_close_object(w);
}

static void put_impacts(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "impacts");
    json_member_unsigned(w, "count", result->impacts.count);
    json_member_object(w, "correction");
    json_member_number(w, "position", result->impacts.max_position);
    json_member_number(w, "velocity", result->impacts.max_velocity);
    json_close_object(w);
    json_close_object(w);
}

static void put_energy(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "energy");
    json_member_number(w, "initial", result->energy.initial);
    json_member_number(w, "final", result->energy.final);
    json_member_number(w, "max_drift", result->energy.max_drift);
    json_member_number(w, "work", result->energy.work);
    json_member_number(w, "projection_work", result->energy.projection_work);
    json_member_number(w, "impact_work", result->energy.impact_work);
    json_member_number(w, "balance_max", result->energy.balance_max);
    json_member_number(w, "balance_scaled", result->energy.balance_scaled);
    json_close_object(w);
}

static void put_algebra(JsonWriter *w, const SimulationResult *result)
{
    json_member_unsigned(w, "rank", result->rank.rank);
    json_member_strings(w, "redundant", result->rank.redundant_names,
                        result->rank.redundant_names ? result->rank.redundant : 0);
    json_member_object(w, "condition");
    json_member_number(w, "constraints_max", result->condition.constraints_max);
    json_member_number(w, "mass_max", result->condition.mass_max);
    json_member_number(w, "rcond_min", result->condition.rcond_min);
    json_close_object(w);
    json_member_string(w, "elimination", result->provenance.elimination);
}

static void put_undecided_events(JsonWriter *w, const SimulationResult *result)
{
    json_member_array(w, "undecided_events");
    for (size_t k = 0; k < result->features.n_undecided_events; k++) {
        json_open_object(w);
        json_member_string(w, "event", result->features.undecided_events[k].name);
        json_member_unsigned(w, "steps", result->features.undecided_events[k].steps);
        json_member_number(w, "t", result->features.undecided_events[k].t);
        json_close_object(w);
    }
    json_close_array(w);
}

static void put_singular(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "singular");
    json_member_unsigned(w, "count", result->n_singular);
    json_member_array(w, "passed");
    for (uint64_t k = 0; k < result->n_singular && k < SINGULAR_ITEMS; k++) {
        const SingularEvidence *item = &result->singular[k];
        json_open_object(w);
        json_member_number(w, "t", item->t);
        json_member_unsigned(w, "rank", item->rank);
        json_member_number(w, "smallest", item->smallest);
        json_member_number(w, "agreement", item->agreement);
        json_close_object(w);
    }
    json_close_array(w);
    json_close_object(w);
}

static void put_counts(JsonWriter *w, const char *method, uint64_t accepted, uint64_t rejected)
{
    json_member_object(w, method);
    json_member_unsigned(w, "accepted", accepted);
    json_member_unsigned(w, "rejected", rejected);
    json_close_object(w);
}

static void put_steps_of_methods(JsonWriter *w, const SimulationResult *result)
{
    const MethodsUsed *used = &result->methods;

    json_member_object(w, "methods");
    put_counts(w, result->provenance.method, result->steps.accepted - used->stiff_accepted,
               result->steps.rejected - used->stiff_rejected);
    if (used->stiff_method)
        put_counts(w, used->stiff_method, used->stiff_accepted, used->stiff_rejected);
    json_close_object(w);
}

static void put_steps(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "steps");
    json_member_unsigned(w, "accepted", result->steps.accepted);
    json_member_unsigned(w, "rejected", result->steps.rejected);
    json_member_number(w, "longest", result->steps.longest);
    put_steps_of_methods(w, result);
    json_member_object(w, "features");
    json_member_unsigned(w, "watched", result->features.watched);
    json_member_unsigned(w, "of", result->features.of);
    json_member_unsigned(w, "met", result->features.met);
    json_member_unsigned(w, "passed", result->features.passed);
    json_member_unsigned(w, "undecided", result->features.undecided);
    json_close_object(w);
    json_close_object(w);
}

static void put_timings(JsonWriter *w, const SimulationResult *result)
{
    json_member_object(w, "timings");
    json_member_number(w, "prepare_s", result->provenance.seconds_prepare);
    json_member_number(w, "integrate_s", result->provenance.seconds_integrate);
    json_member_number(w, "analyse_s", result->provenance.seconds_analyse);
    json_close_object(w);
}

static void put_integration(JsonWriter *w, const SimulationResult *result)
{
    json_member_string(w, "method", result->provenance.method);
    json_member_object(w, "tolerances");
    json_member_number(w, "rtol", result->provenance.rtol);
    json_member_number(w, "atol", result->provenance.atol);
    json_close_object(w);
    put_steps(w, result);
    json_member_unsigned(w, "evaluations", result->steps.evaluations);
    json_member_unsigned(w, "jacobians", result->steps.jacobians);
    json_member_unsigned(w, "switches", result->steps.switches);
    json_member_unsigned(w, "events", result->steps.events);
    put_undecided_events(w, result);
    json_member_unsigned(w, "samples", result->samples);
    put_timings(w, result);
}

static void put_other_run(JsonWriter *w, const Comparison *item)
{
    json_member_bool(w, "complete", item->status == OK);
    json_member_string(w, "reason", item->reason);
    json_member_string(w, "message", item->message);
    json_member_unsigned(w, "samples", item->samples);
    json_member_unsigned(w, "steps", item->accepted);
    json_member_number(w, "longest_step", item->longest_step);
    json_member_number(w, "rcond_min", item->rcond_min);
    json_member_number(w, "t_reached", item->t_reached);
}

static void put_differences(JsonWriter *w, const Comparison *item, const char *const *columns,
                            size_t n)
{
    json_member_unsigned(w, "event_rows", item->event_rows);
    json_member_number(w, "max_absolute", item->max_absolute);
    json_member_number(w, "max_relative", item->max_relative);
    json_member_object(w, "columns");
    for (size_t i = 0; i < n; i++) {
        json_member_object(w, columns[i]);
        json_member_number(w, "absolute", item->absolute[i]);
        json_member_number(w, "relative", item->relative[i]);
        json_member_number(w, "size", item->size[i]);
        json_close_object(w);
    }
    json_close_object(w);
}

static void put_comparisons(JsonWriter *w, const SimulationResult *result)
{
    json_member_array(w, "compare");
    for (size_t i = 0; i < result->second.n_comparisons; i++) {
        json_open_object(w);
        json_member_string(w, "formulation", result->second.comparisons[i].formulation);
        put_other_run(w, &result->second.comparisons[i]);
        put_differences(w, &result->second.comparisons[i], result->second.compared_columns,
                        result->second.n_compared_columns);
        json_close_object(w);
    }
    json_close_array(w);
}

static void put_accuracy(JsonWriter *w, const SimulationResult *result)
{
    const Accuracy *accuracy = result->second.accuracy;
    const bool complete = accuracy->finer.status == OK;

    json_member_object(w, "accuracy");
    json_member_string(w, "estimate", !complete ? "none" : accuracy->coarser ? "bound" : "error");
    if (accuracy->step != 0) {
        json_member_number(w, "step", accuracy->step);
    } else {
        json_member_number(w, "rtol", accuracy->rtol);
        json_member_number(w, "atol", accuracy->atol);
        json_member_number(w, "max_step", accuracy->max_step);
    }
    put_other_run(w, &accuracy->finer);
    if (complete)
        put_differences(w, &accuracy->finer, result->second.columns, result->second.n_columns);
    json_close_object(w);
}

/* For a least-action problem: all paths found; the first is the trajectory. */
static void put_solutions(JsonWriter *w, const SimulationResult *result)
{
    json_member_array(w, "solutions");
    for (size_t i = 0; i < result->n_solutions; i++) {
        const BoundarySolution *solution = &result->solutions[i];
        json_open_object(w);
        /* the velocities at the start, then the evidence of extremality */
        put_numbers(w, "v", solution->v, result->final.n);
        if (solution->n_chart) {
            json_member_object(w, "chart");
            put_numbers(w, "v", solution->chart_v, solution->n_chart);
            json_close_object(w);
        }
        json_member_number(w, "action", solution->action);
        json_member_number(w, "first_variation", solution->first_variation);
        json_member_string(w, "kind", solution->kind);
        json_member_unsigned(w, "conjugate_points", solution->conjugate_points);
        json_member_number(w, "jacobi_determinant", solution->jacobi_determinant);
        json_close_object(w);
    }
    json_close_array(w);
}

void diagnostics_write(Text *out, const SimulationResult *result, const Origin *origin)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    /* the end of the run */
    json_member_bool(w, "complete", result->end.complete);
    json_member_string(w, "reason", result->end.reason);
    json_member_string(w, "message", result->end.message);
    json_member_string(w, "stopped_by", result->end.stopped_by);
    json_member_number(w, "t_reached", result->end.t);
    /* residuals of the equations, and singular instants */
    put_constraints(w, result);
    put_projection(w, result);
    put_impacts(w, result);
    put_energy(w, result);
    put_algebra(w, result);
    put_singular(w, result);
    /* the integration, and other evidence of accuracy */
    put_integration(w, result);
    put_comparisons(w, result);
    if (result->second.accuracy)
        put_accuracy(w, result);
    /* the start, if it was computed, and the final state */
    if (result->n_solutions)
        put_solutions(w, result);
    if (result->initial.change) {
        json_member_object(w, "initial");
        json_member_object(w, "change");
        value_write_members(w, result->initial.change);
        json_close_object(w);
        json_close_object(w);
    }
    if (result->initial.equilibrium) {
        json_member_object(w, "equilibrium");
        value_write_members(w, result->initial.equilibrium);
        json_close_object(w);
    }
    json_member_object(w, "final");
    put_numbers(w, "q", result->final.q, result->final.n);
    put_numbers(w, "v", result->final.v, result->final.n);
    json_close_object(w);
    json_member_strings(w, "warnings", result->warnings, result->n_warnings);
    provenance_write(w, origin, result->provenance.choices, &result->methods);
    json_close_object(w);
}

void invariants_write(Text *out, const SimulationResult *result)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    verdicts_write(w, "invariants", result->found.verdicts, result->found.n_verdicts);
    value_write_members(w, result->found.findings);
    json_close_object(w);
}
