#include "core/invariants/verdict.h"

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
