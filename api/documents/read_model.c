/* Reading a model document into plain texts; expressions are parsed when the model is built. */
#include "api/documents/read.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Members of an object are sorted by name. A model is identified by the hash of its canonical text,
 * so equal models must give equal bits for any order of their members. */
static int text_by_name(const void *a, const void *b)
{
    const NamedText *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* A parameter and its unit. */
typedef struct Parameter {
    NamedValue value;
    UnitText unit;
} Parameter;

static int parameter_by_name(const void *a, const void *b)
{
    const Parameter *left = a, *right = b;
    return strcmp(left->value.name, right->value.name);
}

static void read_sorted_texts(JsonReader *reader, JsonValue object, const char *expected,
                              size_t most, const NamedText **ret_texts, size_t *ret_n)
{
    const NamedText *texts = NULL;
    size_t n = 0;

    read_named_texts(reader, object, expected, most, &texts, &n);
    NamedText *sorted = json_alloc(reader, n, sizeof *sorted);
    if (!sorted)
        return;
    memcpy(sorted, texts, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, text_by_name);
    *ret_texts = sorted;
    *ret_n = n;
}

static void read_unit(JsonReader *reader, JsonValue unit, UnitText *ret)
{
    if (json_present(unit) && json_string(reader, unit, "text", &ret->text))
        ret->pointer = unit.pointer;
}

/* A number, or an object with a number and its unit. */
static void read_parameter(JsonReader *reader, JsonValue value, Parameter *parameter)
{
    static const char *const MEMBERS[] = {"value", "unit"};
    static const char EXPECTED[] = "a number, or an object with \"value\" and \"unit\"";

    parameter->value = (NamedValue){.name = json_name(reader, value), .pointer = value.pointer};
    if (!cJSON_IsObject(value.item)) {
        json_number(reader, value, EXPECTED, &parameter->value.value);
        return;
    }
    json_object_of(reader, value, EXPECTED, MEMBERS, LENGTH(MEMBERS));
    JsonValue number = read_required(reader, value, "value");
    if (json_present(number) && json_number(reader, number, "a number", &parameter->value.value))
        parameter->value.pointer = number.pointer;
    read_unit(reader, json_member(reader, value, "unit"), &parameter->unit);
}

static void read_parameters(JsonReader *reader, JsonValue object, ModelDocument *document)
{
    size_t n = 0;

    if (!json_present(object) || !json_is_object(reader, object, "an object of numbers by name") ||
        !json_at_most(reader, object, MODEL_MAX_PARAMETERS))
        return;
    const size_t count = json_count(object);
    Parameter *sorted = json_alloc(reader, count, sizeof *sorted);
    NamedValue *values = json_alloc(reader, count, sizeof *values);
    UnitText *units = json_alloc(reader, count, sizeof *units);
    if (!sorted || !values || !units)
        return;
    /* read, sort, and separate the values from the units */
    for (JsonValue v = json_first(reader, object); json_present(v);
         v = json_following(reader, object, v))
        read_parameter(reader, v, &sorted[n++]);
    qsort(sorted, n, sizeof *sorted, parameter_by_name);
    for (size_t k = 0; k < n; k++) {
        values[k] = sorted[k].value;
        units[k] = sorted[k].unit;
    }
    document->parameters = values;
    document->parameter_units = units;
    document->n_parameters = n;
}

static void read_coordinate(JsonReader *reader, JsonValue value, CoordinateText *coordinate)
{
    static const char *const MEMBERS[] = {"name", "period", "unit"};

    coordinate->pointer = value.pointer;
    /* a name, or an object */
    if (cJSON_IsString(value.item)) {
        json_string(reader, value, "a name", &coordinate->name);
        return;
    }
    json_object_of(reader, value, "a name or an object with \"name\", \"period\", \"unit\"",
                   MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return;
    JsonValue name = read_required(reader, value, "name");
    JsonValue period = json_member(reader, value, "period");
    read_unit(reader, json_member(reader, value, "unit"), &coordinate->unit);
    if (json_present(name) && json_string(reader, name, "a name", &coordinate->name))
        coordinate->pointer = name.pointer;
    if (json_present(period) &&
        json_number(reader, period, "a positive number", &coordinate->period) &&
        !(coordinate->period > 0))
        json_expected(reader, period, "a positive number");
}

static void read_coordinates(JsonReader *reader, JsonValue list, const CoordinateText **ret,
                             size_t *ret_n)
{
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of coordinates") ||
        !json_at_most(reader, list, MODEL_MAX_COORDINATES))
        return;
    CoordinateText *items = json_alloc(reader, json_count(list), sizeof *items);
    if (!items) {
        json_wrong(reader, list, NULL, "at least one coordinate is needed");
        return;
    }
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v))
        read_coordinate(reader, v, &items[n++]);
    *ret = items;
    *ret_n = n;
}

static void read_constraint(JsonReader *reader, JsonValue value, NamedText *constraint)
{
    static const char *const MEMBERS[] = {"name", "equation"};

    constraint->pointer = value.pointer;
    /* an equation, or an object */
    if (cJSON_IsString(value.item)) {
        json_string(reader, value, "an equation", &constraint->text);
        return;
    }
    json_object_of(reader, value,
                   "an equation as text, or an object with \"name\" and \"equation\"", MEMBERS,
                   LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return;
    JsonValue name = json_member(reader, value, "name");
    JsonValue equation = read_required(reader, value, "equation");
    if (json_present(name) && json_string(reader, name, "a name", &constraint->name))
        constraint->name_pointer = name.pointer;
    if (json_present(equation) &&
        json_string(reader, equation, "an equation as text", &constraint->text))
        constraint->pointer = equation.pointer;
}

static void read_constraints(JsonReader *reader, JsonValue list, ModelDocument *document)
{
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of equations") ||
        !json_at_most(reader, list, MODEL_MAX_CONSTRAINTS))
        return;
    NamedText *items = json_alloc(reader, json_count(list), sizeof *items);
    if (!items)
        return;
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v))
        read_constraint(reader, v, &items[n++]);
    document->constraints = items;
    document->n_constraints = n;
}

/* Symmetries and frames: named vector fields with their components in the member `components`. */
static void read_fields(JsonReader *reader, JsonValue list, const char *components,
                        const FieldText **ret, size_t *ret_n)
{
    const char *const members[] = {"name", components};
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of vector fields") ||
        !json_at_most(reader, list, MODEL_MAX_COORDINATES))
        return;
    FieldText *items = json_alloc(reader, json_count(list), sizeof *items);
    if (!items)
        return;
    /* each field */
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v), n++) {
        items[n].pointer = v.pointer;
        json_object_of(reader, v, "an object with a name and components", members, LENGTH(members));
        if (!cJSON_IsObject(v.item))
            continue;
        JsonValue name = read_required(reader, v, "name");
        JsonValue field = read_required(reader, v, components);
        if (json_present(name))
            json_string(reader, name, "a name", &items[n].name);
        read_sorted_texts(reader, field, "an object of expressions by coordinate",
                          MODEL_MAX_COORDINATES, &items[n].components, &items[n].n_components);
    }
    *ret = items;
    *ret_n = n;
}

static void read_base(JsonReader *reader, JsonValue list, ModelDocument *document)
{
    size_t n = 0;

    if (!json_present(list) || !json_is_array(reader, list, "a list of coordinates") ||
        !json_at_most(reader, list, MODEL_MAX_COORDINATES))
        return;
    NamedText *items = json_alloc(reader, json_count(list), sizeof *items);
    if (!items)
        return;
    for (JsonValue v = json_first(reader, list); json_present(v);
         v = json_following(reader, list, v), n++) {
        items[n].pointer = v.pointer;
        json_string(reader, v, "the name of a coordinate", &items[n].name);
    }
    document->base = items;
    document->n_base = n;
}

static void read_chart(JsonReader *reader, JsonValue value, ChartText *chart)
{
    static const char *const MEMBERS[] = {"coordinates", "map", "clock"};

    if (!json_present(value))
        return;
    json_object_of(reader, value, "an object with \"coordinates\", \"map\", \"clock\"", MEMBERS,
                   LENGTH(MEMBERS));
    if (!cJSON_IsObject(value.item))
        return;
    chart->pointer = value.pointer;
    /* the coordinates, the map to the model's coordinates, and the clock */
    read_coordinates(reader, read_required(reader, value, "coordinates"), &chart->coordinates,
                     &chart->n_coordinates);
    read_sorted_texts(reader, read_required(reader, value, "map"),
                      "an object of expressions by coordinate", MODEL_MAX_COORDINATES, &chart->map,
                      &chart->n_map);
    JsonValue clock = json_member(reader, value, "clock");
    if (json_present(clock))
        json_number(reader, clock, "a number", &chart->clock);
}

static void read_text_member(JsonReader *reader, JsonValue model, const char *name,
                             const char **ret_text)
{
    JsonValue member = json_member(reader, model, name);
    *ret_text = "";
    if (json_present(member))
        json_string(reader, member, "text", ret_text);
}

bool read_model(JsonReader *reader, JsonValue model, ModelDocument *ret_document)
{
    static const char *const MEMBERS[] = {"name",        "description", "coordinates", "parameters",
                                          "definitions", "lagrangian",  "constraints", "forces",
                                          "symmetries",  "base",        "frame",       "chart",
                                          "scene",       "figures"};
    const size_t mistakes = reader->diag->total, unknown = reader->unknown;
    ModelDocument *doc = ret_document;

    *doc = (ModelDocument){.name = "", .description = ""};
    json_object_of(reader, model, "a model document (an object)", MEMBERS, LENGTH(MEMBERS));
    if (!cJSON_IsObject(model.item))
        return false;
    /* names and numbers */
    read_text_member(reader, model, "name", &doc->name);
    read_text_member(reader, model, "description", &doc->description);
    read_coordinates(reader, read_required(reader, model, "coordinates"), &doc->coordinates,
                     &doc->n_coordinates);
    read_parameters(reader, json_member(reader, model, "parameters"), doc);
    read_sorted_texts(reader, json_member(reader, model, "definitions"),
                      "an object of expressions by name", MODEL_MAX_DEFINITIONS, &doc->definitions,
                      &doc->n_definitions);
    /* the mechanics */
    JsonValue lagrangian = read_required(reader, model, "lagrangian");
    doc->lagrangian.pointer = lagrangian.pointer;
    if (json_present(lagrangian))
        json_string(reader, lagrangian, "an expression as text", &doc->lagrangian.text);
    read_constraints(reader, json_member(reader, model, "constraints"), doc);
    read_sorted_texts(reader, json_member(reader, model, "forces"),
                      "an object of expressions by coordinate", MODEL_MAX_COORDINATES, &doc->forces,
                      &doc->n_forces);
    /* data for certain formulations and analyses */
    read_fields(reader, json_member(reader, model, "symmetries"), "generator", &doc->symmetries,
                &doc->n_symmetries);
    read_base(reader, json_member(reader, model, "base"), doc);
    read_fields(reader, json_member(reader, model, "frame"), "field", &doc->frame, &doc->n_frame);
    read_chart(reader, json_member(reader, model, "chart"), &doc->chart);
    return reader->diag->total - mistakes == reader->unknown - unknown;
}
