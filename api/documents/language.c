/* GET /v1/language: the names that documents may use, from the tables of the readers. */
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/read.h"
#include "api/json/writer.h"
#include "core/expr/parse/words.h"
#include "core/integrate/method.h"
#include "core/integrate/methods.h"
#include "core/invariants/analysis.h"
#include "core/motion/formulation.h"
#include "core/simulate.h"
#include "core/units/unit.h"

/* Splits "y, x" into ["y", "x"]. */
static void put_arguments(JsonWriter *writer, const char *arguments)
{
    json_member_array(writer, "arguments");
    while (*arguments) {
        const size_t length = strcspn(arguments, ",");
        if (writer->comma)
            text_putc(writer->out, ',');
        json_quote(writer->out, arguments, length);
        writer->comma = true;
        arguments += length;
        arguments += strspn(arguments, ", ");
    }
    json_close_array(writer);
}

static void put_words(JsonWriter *writer, const char *name, ExprWordKind kind)
{
    const ExprWord *words;
    const size_t n = expr_words(&words);

    json_member_array(writer, name);
    for (size_t k = 0; k < n; k++) {
        if (words[k].kind != kind)
            continue;
        json_open_object(writer);
        json_member_string(writer, "name", words[k].name);
        if (words[k].arguments)
            put_arguments(writer, words[k].arguments);
        json_member_string(writer, "meaning", words[k].meaning);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_reserved(JsonWriter *writer)
{
    const ExprWord *words;
    const size_t n = expr_words(&words);

    json_member_array(writer, "reserved");
    for (size_t k = 0; k < n; k++)
        if (words[k].reserved)
            json_put_string(writer, words[k].name);
    json_close_array(writer);
}

static void put_formulations(JsonWriter *writer, const JobSpec *defaults)
{
    const char *const *names;
    const size_t n = formulation_names(&names);

    json_member_array(writer, "formulations");
    for (size_t k = 0; k < n; k++) {
        json_open_object(writer);
        json_member_string(writer, "name", names[k]);
        json_member_string(writer, "meaning", formulation_find(names[k])->title);
        json_member_bool(writer, "default", strcmp(names[k], defaults->formulation) == 0);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_integrator_options(JsonWriter *writer, const OdeMethod *method,
                                   const JobSpec *defaults)
{
    const IntegratorOption *options;
    const size_t n = integrator_options(&options);

    json_member_array(writer, "options");
    for (size_t k = 0; k < n; k++) {
        const IntegratorOption *option = &options[k];
        const char *place = (const char *)defaults;
        /* only the options of this kind of method */
        if (!(method->fixed_step ? option->fixed : option->free))
            continue;
        json_open_object(writer);
        json_member_string(writer, "name", option->name);
        json_member_string(writer, "meaning", option->meaning);
        json_member_bool(writer, "required", option->required);
        /* its default is a number, a flag or missing */
        const double number = option->number ? *(const double *)(place + option->number) : 0;
        if (number > 0)
            json_member_number(writer, "default", number);
        else if (option->flag)
            json_member_bool(writer, "default", *(const bool *)(place + option->flag));
        else
            json_member_raw(writer, "default", NULL);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_methods(JsonWriter *writer, const JobSpec *defaults)
{
    const char *const *names;
    const size_t n = ode_method_names(&names);

    json_member_array(writer, "methods");
    for (size_t k = 0; k < n; k++) {
        const OdeMethod *method = ode_method_find(names[k]);
        json_open_object(writer);
        json_member_string(writer, "name", names[k]);
        json_member_string(writer, "stands_for", ode_method_name(method)); /* of "auto" another */
        json_member_bool(writer, "default", strcmp(names[k], defaults->integrator.method) == 0);
        json_member_unsigned(writer, "order", method->order);
        json_member_bool(writer, "fixed_step", method->fixed_step);
        put_integrator_options(writer, method, defaults);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_analysis_options(JsonWriter *writer, const AnalysisOption *option)
{
    json_member_array(writer, "options");
    for (; option && option->name; option++) {
        json_open_object(writer);
        json_member_string(writer, "name", option->name);
        json_member_string(writer, "meaning", option->meaning);
        json_member_bool(writer, "required", option->kind == OPTION_REQUIRED);
        if (option->kind == OPTION_NUMBER)
            json_member_number(writer, "default", option->otherwise);
        else if (option->kind == OPTION_FLAG)
            json_member_bool(writer, "default", option->otherwise != 0);
        else
            json_member_raw(writer, "default", NULL);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_analyses(JsonWriter *writer)
{
    const Analysis *analysis;

    json_member_array(writer, "analyses");
    for (size_t k = 0; (analysis = simulation_analysis(k)); k++) {
        json_open_object(writer);
        json_member_string(writer, "name", analysis->name);
        json_member_string(writer, "meaning", analysis->meaning);
        json_member_bool(writer, "default", analysis->by_default);
        put_analysis_options(writer, analysis->options);
        json_close_object(writer);
    }
    json_close_array(writer);
}

static void put_units(JsonWriter *writer)
{
    Unit unit;
    const char *name;
    bool prefixes;

    json_member_array(writer, "units");
    for (size_t k = 0; (name = unit_name(k, &unit, &prefixes)); k++) {
        /* its coherent SI unit */
        Text si = TEXT_INIT;
        const Unit coherent = unit_of(&unit.dimension);
        unit_print(&coherent, &si);
        json_open_object(writer);
        json_member_string(writer, "name", name);
        json_member_number(writer, "value", unit_to_si(&unit, 1));
        json_member_string(writer, "si", text_string(&si));
        json_member_bool(writer, "prefixes", prefixes);
        json_close_object(writer);
        text_done(&si);
    }
    json_close_array(writer);
}

void language_write(Text *out)
{
    JobSpec defaults;
    JsonWriter writer;

    job_spec_init(&defaults);
    json_writer_init(&writer, out);
    json_open_object(&writer);
    /* expressions */
    put_words(&writer, "functions", WORD_FUNCTION);
    put_words(&writer, "derivatives", WORD_DERIVATIVE);
    put_words(&writer, "quantities", WORD_QUANTITY);
    put_words(&writer, "choices", WORD_CHOICE);
    put_words(&writer, "connectives", WORD_CONNECTIVE);
    put_words(&writer, "constants", WORD_CONSTANT);
    put_words(&writer, "variables", WORD_VARIABLE);
    put_reserved(&writer);
    put_units(&writer);
    /* jobs */
    put_formulations(&writer, &defaults);
    put_methods(&writer, &defaults);
    put_analyses(&writer);
    json_close_object(&writer);
}
