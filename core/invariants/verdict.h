/* Statements about a derived quantity: a prediction from the model, an observation on the
 * motion. */
#ifndef CORE_INVARIANTS_VERDICT_H
#define CORE_INVARIANTS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Zero is undecided: a verdict that was never set claims nothing. */
typedef enum Predicted { PREDICTED_UNDECIDED, PREDICTED_YES, PREDICTED_NO } Predicted;

typedef enum EvidenceKind {
    EVIDENCE_IDENTITY,       /* holds structurally, for all states */
    EVIDENCE_RANDOM_STATES,  /* held (or was undecided) at `states` random admissible states */
    EVIDENCE_COUNTEREXAMPLE, /* failed at random admissible states, by `largest` */
} EvidenceKind;

typedef enum ProofMethod {
    PROOF_SAMPLES,      /* none: only states in floating point */
    PROOF_IDENTITY,     /* on the expression graph */
    PROOF_FINITE_FIELD, /* it vanishes at `points` random points over `primes` prime fields */
    PROOF_INTERVAL,     /* a ball of `bits` bits around its value leaves out zero */
} ProofMethod;

/* The decision of a prediction; see core/exact/exact.h. */
typedef struct Proof {
    ProofMethod method;
    size_t points, primes;
    double chance; /* that it vanishes at all those points by accident: at most */
    unsigned bits;
    Predicted likely;  /* of PREDICTED_UNDECIDED: the answer of the samples */
    const char *doubt; /* of PREDICTED_UNDECIDED: why no exact test decided, "it ..."; or NULL */
} Proof;

/* Residuals at random states, relative to the sum of their terms: below the first they count as
 * zero, above the second as not zero; in between nothing is claimed. Rounding is near 1e-16, and
 * cancellation within the terms enlarges it. Conventions. */
static const double VERDICT_HOLDS = 1e-11, VERDICT_FAILS = 1e-7;
/* States at which a residual must be zero. Convention. */
enum { VERDICT_ENOUGH_STATES = 32 };

/* `predicted` is about all motions of the model, `observed` about this one. Strings live in the
 * arena of the caller. */
typedef struct Verdict {
    const char *name, *kind;
    const char *expression; /* text */
    Predicted predicted;
    EvidenceKind evidence;
    size_t states;
    double largest; /* |rate| / sum of |terms| */
    Proof proof;
    const char *jump;  /* it vanishes at the place of a (possible) jump: text; or NULL */
    const char *where; /* the state of a no far from the motion: "t = .., x = .., .."; or NULL */
    bool observed;     /* there was a motion; otherwise the next four are meaningless */
    double initial, final, max_drift; /* on this motion */
    bool conserved;                   /* on this motion, within the accuracy of the run */
    bool apart;         /* the observation answers another question than the prediction */
    const char *reason; /* one sentence */
} Verdict;

/* Residuals relative to their terms at random states. */
typedef struct Tally {
    size_t states, failures;
    double largest;
} Tally;

/* A state whose residual is not finite does not count. */
void tally_add(Tally *tally, double relative);
/* Whether the residual seems to vanish: no if it is above VERDICT_FAILS at two states, yes if it
 * is below VERDICT_HOLDS at VERDICT_ENOUGH_STATES or more, else undecided. */
Predicted tally_predict(const Tally *tally);

/* Makes it undecided because coefficients are rounded numbers: it holds at the samples, and
 * exact tests do not apply. */
void verdict_leave_open(Verdict *verdict);

/* Compares with a motion that does not keep a quantity that should be constant: samples no
 * longer count for it, and the reason names the change. impact: an event that set the state, or
 * NULL. */
void verdict_face_motion(Arena *arena, Verdict *verdict, const char *impact);

/* Adds the evidence of another answer to the proof of several: chances add up, points and bits
 * are the fewest. */
void proof_join(Proof *all, const Proof *one);

/* The objection if verdict->jump: a sentence in the arena. */
const char *verdict_jump_reason(Arena *arena, const Verdict *verdict);

/* The reason of an undecided verdict whose samples were small: "<what> was at most ..". */
const char *verdict_open_reason(Arena *arena, const char *what, const Verdict *verdict);

/* Why no exact test decided: "it ..." */
const char *proof_doubt(const Verdict *verdict);
/* "samples", "identity", "finite_field", "interval" */
const char *proof_name(const Verdict *verdict);
const char *proof_method_name(ProofMethod method);
const char *predicted_name(Predicted predicted); /* "yes", "no", "undecided" */
/* "identity", "random_states", "counterexample" */
const char *evidence_name(EvidenceKind evidence);

#endif
