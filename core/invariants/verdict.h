/* What is said of a derived quantity: a prediction from the model, an observation on the motion. */
#ifndef CORE_INVARIANTS_VERDICT_H
#define CORE_INVARIANTS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum Predicted { PREDICTED_YES, PREDICTED_NO, PREDICTED_UNDECIDED } Predicted;

typedef enum EvidenceKind {
    EVIDENCE_IDENTITY,       /* holds structurally, for all states */
    EVIDENCE_RANDOM_STATES,  /* held (or was undecided) at `states` random admissible states */
    EVIDENCE_COUNTEREXAMPLE, /* failed at random admissible states, by `largest` */
} EvidenceKind;

/* `predicted` is about all motions of the model, `observed` about this one. Strings live in the
 * arena of whoever asked. */
typedef struct Verdict {
    const char *name, *kind;
    const char *expression; /* text */
    Predicted predicted;
    EvidenceKind evidence;
    size_t states;
    double largest;                   /* |rate| / sum of |terms| */
    bool observed;                    /* there was a motion; else the next four mean nothing */
    double initial, final, max_drift; /* on this motion */
    bool conserved;                   /* on this motion, within the accuracy of the run */
    const char *reason;               /* one sentence */
} Verdict;

const char *predicted_name(Predicted predicted); /* "yes", "no", "undecided" */
const char *
evidence_name(EvidenceKind evidence); /* "identity", "random_states", "counterexample" */

#endif
