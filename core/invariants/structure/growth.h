/* Flags of a distribution: the spans of its brackets.
 *
 * The small flag, whose ranks are the growth vector: D_1 = D, D_{k+1} = D_k + [D, D_k]. The
 * derived flag: D^(0) = D, D^(k+1) = D^(k) + [D^(k), D^(k)]; the annihilator of D^(k) is the k-th
 * derived system of the constraint forms. Both end at the smallest involutive distribution that
 * contains D, whose leaves no motion can leave. */
#ifndef CORE_INVARIANTS_STRUCTURE_GROWTH_H
#define CORE_INVARIANTS_STRUCTURE_GROWTH_H

#include "core/invariants/structure/fields.h"

/* Steps of a flag. Convention. */
enum { GROWTH_MAX_STEPS = 12 };

typedef struct Growth {
    size_t length;                    /* at least 1 when there are fields */
    size_t tried;                     /* steps that were made: the last ones may repeat a rank */
    size_t generic[GROWTH_MAX_STEPS]; /* ranks almost everywhere: at random states, or proved */
    size_t fields[GROWTH_MAX_STEPS];  /* the number of fields after each step */
    size_t start[GROWTH_MAX_STEPS];   /* ranks at the start; may take longer than elsewhere */
    size_t start_length;
    bool decided;     /* the ranks hold at VERDICT_ENOUGH_STATES, none was close to another */
    bool complete;    /* the last rank is that of the involutive closure */
    bool blurred;     /* rounding hides the last brackets; they may be proved */
    bool proved;      /* `generic` and `complete` are: see growth_prove() */
    Proof proof;      /* of all steps; PROOF_SAMPLES with a doubt: there is none */
    double curvature; /* largest component of a bracket of two fields, relative to its terms */
    size_t states;
} Growth;

/* The fields come as the generators of D alone; their brackets are appended. Stops if nothing is
 * gained, if `most` is reached, or if there are too many brackets or rounding hides them: then
 * not complete. dim: of the components that count. */
Status growth_small(Fields *fields, size_t dim, size_t most, Growth *ret, Error *err) MUST_CHECK;
/* The same of the derived flag; start and start_length are not filled. */
Status growth_derived(Fields *fields, size_t dim, size_t most, Growth *ret, Error *err) MUST_CHECK;
/* Drops the last brackets if they are blurred: the flag is then as far as numbers show it. */
void growth_sharpen(Fields *fields, Growth *growth);

/* Tries to prove the generic ranks; changes only these, `complete` and the proof. The fields are
 * those of the flag. */
Status growth_prove(const Fields *fields, size_t dim, size_t most, Growth *growth,
                    Error *err) MUST_CHECK;

#endif
