/* The verdicts of analyses as JSON: what was predicted, what was measured, and the evidence. */
#include "api/documents/verdict.h"

static void verdict_write(JsonWriter *w, const Verdict *verdict)
{
    json_open_object(w);
    json_member_string(w, "name", verdict->name);
    json_member_string(w, "kind", verdict->kind);
    json_member_string(w, "expression", verdict->expression);
    json_member_string(w, "predicted", predicted_name(verdict->predicted));
    json_member_object(w, "evidence");
    json_member_string(w, "kind", evidence_name(verdict->evidence));
    json_member_unsigned(w, "states", verdict->states);
    json_member_number(w, "largest", verdict->largest);
    json_close_object(w);
    if (verdict->observed) {
        json_member_object(w, "observed");
        json_member_number(w, "initial", verdict->initial);
        json_member_number(w, "final", verdict->final);
        json_member_number(w, "max_drift", verdict->max_drift);
        json_member_bool(w, "conserved", verdict->conserved);
        json_close_object(w);
    }
    json_member_string(w, "reason", verdict->reason);
    json_close_object(w);
}

void verdicts_write(JsonWriter *w, const char *name, const Verdict *verdicts, size_t n)
{
    json_member_array(w, name);
    for (size_t i = 0; i < n; i++)
        verdict_write(w, &verdicts[i]);
    json_close_array(w);
}
