/* Provenance as JSON: version, build and host of the program that computed a result, and the values
 * it chose for open parts of the document. */
#include "api/documents/provenance.h"

#include "api/documents/values.h"
#include "core/program/program.h"

#ifndef DALEMBERT_VERSION
#define DALEMBERT_VERSION "unknown"
#endif

const char *origin_program(const Origin *origin)
{
    return origin && *origin->build ? origin->build : NULL;
}

static void member_known(JsonWriter *w, const char *name, const char *text)
{
    json_member_string(w, name, text && *text ? text : NULL);
}

static void put_methods(JsonWriter *w, const MethodsUsed *methods)
{
    json_member_array(w, "methods");
    for (size_t k = 0; k < methods->n; k++) {
        json_open_object(w);
        json_member_number(w, "t", methods->uses[k].t);
        json_member_string(w, "method", methods->uses[k].method);
        json_member_string(w, "because", methods->uses[k].because);
        json_close_object(w);
    }
    json_close_array(w);
}

void provenance_write(JsonWriter *w, const Origin *origin, const Value *choices,
                      const MethodsUsed *methods)
{
    json_member_object(w, "provenance");
    json_member_string(w, "version", DALEMBERT_VERSION);
    member_known(w, "build", origin ? origin->build : NULL);
    member_known(w, "host", origin ? origin->host : NULL);
    json_member_string(w, "evaluator", program_evaluator());
    /* its choices, and the methods of integration */
    if (choices) {
        json_member_array(w, "chosen");
        for (const Value *choice = choices->first; choice; choice = choice->next) {
            json_open_object(w);
            value_write_members(w, choice);
            json_close_object(w);
        }
        json_close_array(w);
    }
    if (methods)
        put_methods(w, methods);
    json_close_object(w);
}
