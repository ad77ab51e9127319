/* Answers from residuals at random states, and their names. */
#include "core/invariants/verdict.h"

#include <math.h>

void tally_add(Tally *t, double relative)
{
    if (!isfinite(relative))
        return;
    t->states++;
    t->failures += relative > VERDICT_FAILS;
    t->largest = fmax(t->largest, relative);
}

Predicted tally_predict(const Tally *t)
{
    if (t->failures >= 2)
        return PREDICTED_NO;
    return t->states >= VERDICT_ENOUGH_STATES && t->largest < VERDICT_HOLDS ? PREDICTED_YES
                                                                            : PREDICTED_UNDECIDED;
}

void verdict_leave_open(Verdict *verdict)
{
    verdict->predicted = PREDICTED_UNDECIDED;
    verdict->evidence = EVIDENCE_RANDOM_STATES;
    verdict->proof.method = PROOF_SAMPLES;
    if (!verdict->jump)
        verdict->proof.doubt = "its coefficients are rounded numbers";
}

void verdict_face_motion(Arena *arena, Verdict *v, const char *impact)
{
    const char *why =
        "which no exact motion does: an error of the motion as computed, or of its evaluation";

    if (!v->observed || v->conserved || v->apart || v->predicted == PREDICTED_NO)
        return;
    if (v->predicted == PREDICTED_UNDECIDED) {
        if (v->proof.likely != PREDICTED_YES)
            return;
        why = "more than its accuracy explains: that it is constant is not likely";
        if (!impact)
            v->proof.likely = PREDICTED_NO;
    }
    if (impact)
        why = arena_printf(arena, "where the event %s may have set it", impact);
    v->reason = arena_printf(arena, "%s%sOn this motion it changes by %.3g, %s.",
                             v->reason ? v->reason : "", v->reason ? " " : "", v->max_drift, why);
}

const char *verdict_jump_reason(Arena *arena, const Verdict *v)
{
    if (v->predicted == PREDICTED_NO)
        return arena_printf(arena,
                            "At %s = 0 a condition changes, and the quantity jumps there on "
                            "motions that cross it.",
                            v->jump);
    return arena_printf(arena, "Between jumps nothing changes it; but %s (at %s = 0).",
                        proof_doubt(v), v->jump);
}

const char *verdict_open_reason(Arena *arena, const char *what, const Verdict *v)
{
    return arena_printf(arena,
                        "%s was at most %.3g at %zu random admissible states; no exact test "
                        "decides: %s.",
                        what, v->largest, v->states, proof_doubt(v));
}

void proof_join(Proof *all, const Proof *one)
{
    const bool first = all->method != PROOF_FINITE_FIELD;

    if (one->bits && (!all->bits || one->bits < all->bits))
        all->bits = one->bits;
    if (one->method != PROOF_FINITE_FIELD)
        return;
    all->method = PROOF_FINITE_FIELD;
    all->points = first || one->points < all->points ? one->points : all->points;
    all->primes = one->primes;
    all->chance = fmin(1, all->chance + one->chance);
}

const char *proof_method_name(ProofMethod method)
{
    static const char *const NAMES[] = {"samples", "identity", "finite_field", "interval"};
    return NAMES[method];
}

const char *proof_name(const Verdict *verdict)
{
    const bool structural = verdict->evidence == EVIDENCE_IDENTITY;
    return proof_method_name(structural ? PROOF_IDENTITY : verdict->proof.method);
}

const char *proof_doubt(const Verdict *verdict)
{
    return verdict->proof.doubt ? verdict->proof.doubt : "it was not put to one";
}

const char *predicted_name(Predicted predicted)
{
    static const char *const NAMES[] = {"undecided", "yes", "no"};
    return NAMES[predicted];
}

const char *evidence_name(EvidenceKind evidence)
{
    static const char *const NAMES[] = {"identity", "random_states", "counterexample"};
    return NAMES[evidence];
}
