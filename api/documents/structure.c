/* The structure of a model as JSON, and its printed equations. */
#include "api/documents/documents.h"

#include "api/documents/values.h"
#include "api/documents/verdict.h"
#include "api/json/writer.h"

static void put_constraint(JsonWriter *w, const StructureConstraint *constraint)
{
    json_open_object(w);
    json_member_string(w, "name", constraint->name);
    json_member_string(w, "kind", constraint_kind_name(constraint->kind));
    json_member_bool(w, "time_dependent", constraint->time_dependent);
    json_member_bool(w, "homogeneous", constraint->homogeneous);
    json_member_bool(w, "redundant", constraint->redundant);
    if (constraint->redundancy)
        json_member_string(w, "redundancy", constraint->redundancy);
    json_close_object(w);
}

static void put_formulations(JsonWriter *w, const Structure *structure)
{
    json_member_object(w, "formulations");
    for (size_t i = 0; i < structure->n_formulations; i++) {
        const StructureFormulation *item = &structure->formulations[i];
        json_member_object(w, item->name);
        json_member_bool(w, "applies", item->applies);
        if (item->reason)
            json_member_string(w, "reason", item->reason);
        json_close_object(w);
    }
    json_close_object(w);
}

/* Are the constraints integrable? null if this is open, or if there are no constraints. */
static void put_integrable(JsonWriter *w, const Structure *structure)
{
    const Value *curvature = value_member(structure->findings, "curvature");
    const Value *answer = value_member(value_member(curvature, "extended"), "integrable");

    if (answer && answer->kind == VALUE_BOOL) {
        json_member_bool(w, "integrable", answer->boolean);
    } else {
        json_key(w, "integrable");
        json_put_null(w);
    }
}

static void put_findings(JsonWriter *w, const Structure *structure)
{
    put_integrable(w, structure);
    value_write_members(w, structure->findings);
    verdicts_write(w, "verdicts", structure->verdicts, structure->n_verdicts);
}

/* Writes the facts about a generic state; null if no such state was found, and the reason. */
static void put_regularity(JsonWriter *w, const Structure *structure)
{
    static const char *const NAMES[] = {"degrees_of_freedom", "regular", "mass_positive",
                                        "condition", "rank"};
    if (structure->objection) {
        for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
            json_key(w, NAMES[i]);
            if (i == 1 && structure->irregular)
                json_put_bool(w, false);
            else
                json_put_null(w);
        }
        json_member_string(w, "objection", structure->objection);
        return;
    }
    /* of a generic state */
    json_member_unsigned(w, NAMES[0], structure->degrees_of_freedom);
    json_member_bool(w, NAMES[1], true);
    json_member_bool(w, NAMES[2], structure->mass_positive);
    json_member_number(w, NAMES[3], structure->condition);
    json_member_unsigned(w, NAMES[4], structure->rank);
}

void structure_write(Text *out, const Structure *structure, const Model *model)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    json_member_string(w, "name", model->names.model);
    /* the generic state, names and constraints */
    put_regularity(w, structure);
    json_member_bool(w, "time_dependent", structure->time_dependent);
    json_member_strings(w, "coordinates", model->names.coordinates, model->n);
    json_member_strings(w, "parameters", model->names.params, model->n_params);
    json_member_array(w, "constraints");
    for (size_t i = 0; i < structure->n_constraints; i++)
        put_constraint(w, &structure->constraints[i]);
    json_close_array(w);
    /* findings and formulations */
    json_member_strings(w, "cyclic", structure->cyclic, structure->n_cyclic);
    put_findings(w, structure);
    put_formulations(w, structure);
    json_member_object(w, "units");
    json_member_bool(w, "used", model->units.known);
    json_member_string(w, "reason", model->units.warning);
    json_close_object(w);
    if (!structure->objection) {
        json_member_unsigned(w, "switches", structure->switches);
        json_member_unsigned(w, "program_length", structure->program_length);
    }
    json_close_object(w);
}

static const char *format_name(PrintFormat format)
{
    switch (format) {
    case PRINT_TEXT:
        return "text";
    case PRINT_LATEX:
        return "latex";
    case PRINT_C:
        return "c";
    }
    return "text";
}

void equations_write(Text *out, const PrintedEquations *equations, PrintFormat format,
                     const char *formulation)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    json_member_string(w, "formulation", formulation);
    json_member_string(w, "format", format_name(format));
    json_member_array(w, "equations");
    for (size_t i = 0; i < equations->n; i++) {
        json_open_object(w);
        json_member_string(w, "name", equations->items[i].name);
        json_member_string(w, "role", equations->items[i].role);
        json_member_string(w, "text", equations->items[i].text);
        json_close_object(w);
    }
    json_close_array(w);
    json_member_string(w, "whole", equations->whole);
    json_close_object(w);
}
