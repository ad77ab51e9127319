/* What residuals at random states say, and the names of answers. */
#include "core/invariants/verdict.h"

#include <math.h>

void tally_add(Tally *t, double relative)
{
    static const double FAILS = 1e-7;

    if (!isfinite(relative))
        return;
    t->states++;
    t->failures += relative > FAILS;
    t->largest = fmax(t->largest, relative);
}

Predicted tally_predict(const Tally *t)
{
    static const double HOLDS = 1e-11;
    enum { ENOUGH = 32 };

    if (t->failures >= 2)
        return PREDICTED_NO;
    return t->states >= ENOUGH && t->largest < HOLDS ? PREDICTED_YES : PREDICTED_UNDECIDED;
}

void verdict_leave_open(Verdict *verdict)
{
    verdict->predicted = PREDICTED_UNDECIDED;
    verdict->evidence = EVIDENCE_RANDOM_STATES;
    verdict->proof.method = PROOF_SAMPLES;
    verdict->proof.doubt = "its coefficients are rounded numbers";
}

const char *proof_name(const Verdict *verdict)
{
    static const char *const NAMES[] = {"samples", "identity", "finite_field", "interval"};
    const bool structural = verdict->evidence == EVIDENCE_IDENTITY;
    return NAMES[structural ? PROOF_IDENTITY : verdict->proof.method];
}

const char *proof_doubt(const Verdict *verdict)
{
    return verdict->proof.doubt ? verdict->proof.doubt : "it was not put to one";
}

const char *predicted_name(Predicted predicted)
{
    static const char *const NAMES[] = {"yes", "no", "undecided"};
    return NAMES[predicted];
}

const char *evidence_name(EvidenceKind evidence)
{
    static const char *const NAMES[] = {"identity", "random_states", "counterexample"};
    return NAMES[evidence];
}
