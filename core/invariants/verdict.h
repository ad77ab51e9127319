/* What is said of a derived quantity: a prediction from the model, an observation on the motion. */
#ifndef CORE_INVARIANTS_VERDICT_H
#define CORE_INVARIANTS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Zero, what nobody has set, claims nothing. */
typedef enum Predicted { PREDICTED_UNDECIDED, PREDICTED_YES, PREDICTED_NO } Predicted;

typedef enum EvidenceKind {
    EVIDENCE_IDENTITY,       /* holds structurally, for all states */
    EVIDENCE_RANDOM_STATES,  /* held (or was undecided) at `states` random admissible states */
    EVIDENCE_COUNTEREXAMPLE, /* failed at random admissible states, by `largest` */
} EvidenceKind;

typedef enum ProofMethod {
    PROOF_SAMPLES,      /* none: what states in floating point say */
    PROOF_IDENTITY,     /* on the expression graph */
    PROOF_FINITE_FIELD, /* it vanishes at `points` random points over `primes` prime fields */
    PROOF_INTERVAL,     /* a ball of `bits` bits around its value leaves out zero */
} ProofMethod;

/* How a prediction was decided; see core/exact/exact.h. */
typedef struct Proof {
    ProofMethod method;
    size_t points, primes;
    double chance; /* that it vanishes at all those points by accident: at most */
    unsigned bits;
    Predicted likely;  /* of PREDICTED_UNDECIDED: what the samples say */
    const char *doubt; /* of PREDICTED_UNDECIDED: why no exact test decided, "it ..."; or NULL */
} Proof;

/* `predicted` is about all motions of the model, `observed` about this one. Strings live in the
 * arena of whoever asked. */
typedef struct Verdict {
    const char *name, *kind;
    const char *expression; /* text */
    Predicted predicted;
    EvidenceKind evidence;
    size_t states;
    double largest; /* |rate| / sum of |terms| */
    Proof proof;
    const char *jump; /* what vanishes where it jumps, or may jump: text; or NULL */
    const char
        *where;    /* of a no that was found far from the motion: "t = .., x = .., .."; or NULL */
    bool observed; /* there was a motion; else the next four mean nothing */
    double initial, final, max_drift; /* on this motion */
    bool conserved;                   /* on this motion, within the accuracy of the run */
    bool apart;         /* what is observed answers another question than what is predicted */
    const char *reason; /* one sentence */
} Verdict;

/* Residuals relative to their terms at random states. */
typedef struct Tally {
    size_t states, failures;
    double largest;
} Tally;

/* A state whose residual is not finite does not count. */
void tally_add(Tally *tally, double relative);
/* Whether the residual seems to vanish: no when it is above 1e-7 at two states, yes when it is below 1e-11
 * at 32 or more, else undecided. */
Predicted tally_predict(const Tally *tally);

/* Undecided, of coefficients that are rounded numbers: it holds at the samples, and nothing exact holds
 * for such. */
void verdict_leave_open(Verdict *verdict);

/* Where the motion does not keep what is expected to be constant: samples no longer count for it, and
 * the reason says what the motion does. impact: an event that set the state, or NULL. */
void verdict_face_motion(Arena *arena, Verdict *verdict, const char *impact);

/* Adds what another answer rests on to the proof of several: chances add up, points and bits are the
 * fewest. */
void proof_join(Proof *all, const Proof *one);

/* What is wrong where verdict->jump: a sentence in the arena. */
const char *verdict_jump_reason(Arena *arena, const Verdict *verdict);

/* Why nothing exact decided: "it ..." */
const char *proof_doubt(const Verdict *verdict);
/* "samples", "identity", "finite_field", "interval" */
const char *proof_name(const Verdict *verdict);
const char *proof_method_name(ProofMethod method);
const char *predicted_name(Predicted predicted); /* "yes", "no", "undecided" */
/* "identity", "random_states", "counterexample" */
const char *evidence_name(EvidenceKind evidence);

#endif
