/* The diagnostics of an ensemble as JSON: the outcome of its members, and the worst of their
 * evidence. */
#include "api/documents/documents.h"
#include "api/json/writer.h"

static void put_counts(JsonWriter *w, const EnsembleEvidence *evidence)
{
    const uint64_t *states = evidence->states;
    uint64_t failed = 0;

    for (int state = MEMBER_MODEL; state < MEMBER_STATES; state++)
        failed += states[state];
    json_member_object(w, "members");
    json_member_unsigned(w, "total", evidence->total);
    json_member_unsigned(w, "done", states[MEMBER_SUCCEEDED] + failed);
    json_member_unsigned(w, "succeeded", states[MEMBER_SUCCEEDED]);
    json_member_unsigned(w, "failed", failed);
    json_close_object(w);
    json_member_object(w, "reasons");
    for (int state = MEMBER_MODEL; state < MEMBER_STATES; state++)
        if (states[state] > 0)
            json_member_unsigned(w, member_state_reason((MemberState)state), states[state]);
    json_close_object(w);
}

static void put_failures(JsonWriter *w, const EnsembleEvidence *evidence)
{
    json_member_array(w, "failures");
    for (size_t i = 0; i < evidence->n_failures; i++) {
        const MemberFailure *failure = &evidence->failures[i];
        json_open_object(w);
        json_member_unsigned(w, "member", failure->member);
        json_member_string(w, "reason", member_state_reason(failure->state));
        json_member_string(w, "message", failure->message);
        json_close_object(w);
    }
    json_close_array(w);
}

void ensemble_evidence_write(Text *out, const EnsembleEvidence *evidence, const Origin *origin)
{
    JsonWriter writer, *w = &writer;

    json_writer_init(w, out);
    json_open_object(w);
    put_counts(w, evidence);
    json_member_number(w, "worst_residual", evidence->worst_residual);
    json_member_number(w, "energy_balance_max", evidence->energy_balance_max);
    json_member_unsigned(w, "steps", evidence->steps);
    json_member_unsigned(w, "warned", evidence->warned);
    put_failures(w, evidence);
    provenance_write(w, origin, NULL, NULL);
    json_close_object(w);
}
