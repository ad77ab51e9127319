/* The verdicts of analyses as JSON: the prediction, the measurement, and the evidence. */
#include "api/documents/verdict.h"

/* The method of decision, as members of the evidence. */
static void write_proof(JsonWriter *w, const Verdict *verdict)
{
    const Proof *proof = &verdict->proof;

    json_member_string(w, "method", proof_name(verdict));
    if (proof->method == PROOF_FINITE_FIELD) {
        json_member_unsigned(w, "points", proof->points);
        json_member_unsigned(w, "primes", proof->primes);
        json_member_number(w, "chance", proof->chance);
    } else if (proof->method == PROOF_INTERVAL) {
        json_member_unsigned(w, "bits", proof->bits);
    }
    if (verdict->predicted != PREDICTED_UNDECIDED)
        return;
    json_member_string(w, "likely", predicted_name(proof->likely));
    if (proof->doubt)
        json_member_string(w, "doubt", proof->doubt);
}

static void verdict_write(JsonWriter *w, const Verdict *verdict)
{
    json_open_object(w);
    /* the prediction and its evidence */
    json_member_string(w, "name", verdict->name);
    json_member_string(w, "kind", verdict->kind);
    json_member_string(w, "expression", verdict->expression);
    json_member_string(w, "predicted", predicted_name(verdict->predicted));
    json_member_object(w, "evidence");
    json_member_string(w, "kind", evidence_name(verdict->evidence));
    json_member_unsigned(w, "states", verdict->states);
    json_member_number(w, "largest", verdict->largest);
    write_proof(w, verdict);
    json_close_object(w);
    /* the measurement */
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
