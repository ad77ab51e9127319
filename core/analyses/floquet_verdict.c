/* The verdict on a periodic motion by its multipliers, and further conditions of it. */
#include <math.h>

#include "core/analyses/floquet.h"
#include "core/analyses/periodicity.h"
#include "core/base/accuracy.h"

/* Multipliers of Hamilton's equations come in pairs mu, 1/mu (H. Poincare, A. M. Lyapunov). So
 * do those of linear equations that are invariant under time reversal. */
static Status find_pairing(Floquet *x, Error *err)
{
    bool hamiltonian = false, reversible = false;
    Status status = reversal_is_hamiltonian(x->context, &hamiltonian, err);

    if (status == OK && hamiltonian)
        x->pairing = "the equations are Hamilton's";
    if (status != OK || hamiltonian || !x->repetition.linear || x->local.d != x->local.dim)
        return status;
    status = reversal_is_proven(x->context, &reversible, err);
    if (status == OK && reversible)
        x->pairing = "the equations read the same backwards in time";
    return status;
}

/* Whether something jumps at a place; a jump at a given time alone is no impulse. */
static Status find_jump(Floquet *x, Error *err)
{
    const AnalysisContext *context = x->context;
    const Model *model = context->model;
    Expr guards[LOCAL_MOST_GUARDS];
    size_t n = 0;

    Status status = local_jumps(context, context->pool, guards, &n, err);
    for (size_t k = 0; status == OK && k < n && !x->jump; k++) {
        bool positions = false, velocities = false;
        /* a guard that depends on q or v counts */
        status = expr_uses(context->pool, &guards[k], 1, model->sym.q, model->n, &positions, err);
        if (status == OK)
            status =
                expr_uses(context->pool, &guards[k], 1, model->sym.v, model->n, &velocities, err);
        if (status == OK && (positions || velocities))
            x->jump = analysis_text(context, guards[k], "(long)");
    }
    return status;
}

Status floquet_survey(Floquet *x, Error *err)
{
    Status status = find_pairing(x, err);

    return status == OK ? find_jump(x, err) : status;
}

static double modulus(const Eigenvalue *value)
{
    return hypot(value->re, value->im);
}

/* Counts of multipliers by their proved place. */
typedef struct Moduli {
    size_t outside, inside, on_circle, open; /* open: the bounds do not decide */
    bool shift;                              /* one is open, and its disc contains 1 */
} Moduli;

/* Whether a multiplier is alone in its disc and the disc of the reflected 1/conj(mu) meets no
 * other. The reflection is a multiplier as well, so both are the same, of modulus 1. */
static bool is_own_reflection(const Floquet *x, size_t i)
{
    const Eigenvalue *value = &x->multipliers[i];

    /* only a small disc shows that a multiplier lies on the unit circle */
    if (!(value->radius < NEGLIGIBLE_PART))
        return false;
    for (size_t j = 0; j < x->local.d; j++) {
        const Eigenvalue *other = &x->multipliers[j];
        const double apart = hypot(value->re - other->re, value->im - other->im);
        if (j != i && !(apart > other->radius + 6 * value->radius))
            return false;
    }
    return true;
}

static Moduli sort_moduli(const Floquet *x)
{
    Moduli result = {0};

    for (size_t i = 0; i < x->local.d; i++) {
        const Eigenvalue *value = &x->multipliers[i];
        /* the interval that the discs of the whole cluster cover */
        double least = INFINITY, most = 0;
        for (size_t j = 0; j < x->local.d; j++) {
            const Eigenvalue *other = &x->multipliers[j];
            if (other->cluster != value->cluster)
                continue;
            least = fmin(least, modulus(other) - other->radius);
            most = fmax(most, modulus(other) + other->radius);
        }
        if (least > 1) {
            result.outside++;
        } else if (most < 1) {
            result.inside++;
        } else if (x->pairing && is_own_reflection(x, i)) {
            result.on_circle++;
        } else {
            result.open++;
            result.shift = hypot(value->re - 1, value->im) <= value->radius;
        }
    }
    return result;
}

/* The unproved assumption on which the multipliers rest; NULL: there is none. */
static const char *open_assumption(const Floquet *x)
{
    Arena *arena = x->context->arena;

    /* narrow features, then jumps, then the period of the equations */
    if (watch_is_blind(&x->watch))
        return "The motion may have passed something narrower than a step (a barrier, a pulse): "
               "nothing tells that there is none, and the multipliers rest on it.";
    if (x->jump)
        return arena_printf(arena,
                            "At %s = 0 L or a constraint jumps, and the multipliers do not "
                            "contain the jump; it is not proved that the motion stays on one side.",
                            x->jump);
    if (!x->repeats)
        return arena_printf(
            arena,
            "Not proved is that the equations at t + %.9g are those at t: at random states they "
            "differ by no more than %.3g of their size, but time occurs in them otherwise than in "
            "sines and cosines of which that is a period. The multipliers rest on it.",
            x->period, x->repetition.change);
    return NULL;
}

const char *floquet_judge(const Floquet *x, const char **ret_reason)
{
    Arena *arena = x->context->arena;
    const Moduli moduli = sort_moduli(x);
    const Eigenvalue *largest = &x->multipliers[0];

    *ret_reason = open_assumption(x);
    if (*ret_reason)
        return "undecided";
    if (moduli.outside) {
        *ret_reason = arena_printf(arena,
                                   "A multiplier has the modulus %.9g: deviations along its "
                                   "direction grow by that factor every period.",
                                   modulus(largest));
        return "no";
    }
    if (moduli.inside == x->local.d) {
        *ret_reason = arena_printf(arena,
                                   "All multipliers lie inside the unit circle (the largest "
                                   "modulus is %.9g): deviations die out.",
                                   modulus(largest));
        return "yes";
    }
    /* on the circle only the shift along the motion (Andronov, Vitt), or simple multipliers in
     * pairs, decide */
    if (moduli.open == 1 && moduli.inside + 1 == x->local.d && moduli.shift &&
        x->repetition.autonomous && !x->repetition.linear) {
        *ret_reason = "One multiplier is 1, that of a shift along the motion, and all others lie "
                      "inside the unit circle: neighbouring motions approach this one.";
        return "yes";
    }
    if (moduli.on_circle == x->local.d) {
        *ret_reason =
            arena_printf(arena,
                         "All multipliers are simple and lie on the unit circle: with mu also "
                         "1/conj(mu) is one, as %s, and no other is near enough to be it. "
                         "Deviations stay bounded%s.",
                         x->pairing, x->repetition.linear ? "" : " in the linear approximation");
        return "yes";
    }
    *ret_reason = arena_printf(arena,
                               "%zu multipliers near the unit circle meet, or are not shown to lie "
                               "on it or to one side: whether deviations grow, slowly, the "
                               "multipliers do not decide%s.",
                               moduli.open,
                               x->repetition.autonomous
                                   ? " (one of an autonomous system is 1: a shift along the motion)"
                                   : "");
    return "undecided";
}
