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

/* Residuals relative to their terms at random states. */
typedef struct Tally {
    size_t states, failures;
    double largest;
} Tally;

/* A state whose residual is not finite does not count. */
void tally_add(Tally *tally, double relative);
/* Whether the residual vanishes: no when it is above 1e-7 at two states, yes when it is below 1e-11
 * at 32 or more, else undecided. */
Predicted tally_predict(const Tally *tally);

const char *predicted_name(Predicted predicted); /* "yes", "no", "undecided" */
/* "identity", "random_states", "counterexample" */
const char *evidence_name(EvidenceKind evidence);

#endif
