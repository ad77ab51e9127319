/* Equilibria near a state, and the growth of small deviations from them, by the eigenvalues of the
 * linearisation on the constraint manifold (A. M. Lyapunov's first method; for families of
 * equilibria, I. G. Malkin, Theory of Stability of Motion, 1952), and by the energy (proofs.h). */
#include <math.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/numeric/vectors.h"
#include "core/stability/find/search.h"
#include "core/stability/linearise/linear.h"
#include "core/stability/prove/proofs.h"

/* Most states to search near in one analysis. Limits the work. */
enum { MOST_NEAR = 20 };
/* Least error of the linearisation relative to its norm (no unit) if solutions meet. Convention. */
static const double MEETING_ERROR = 1e-11;
/* Distances by which rounding may displace a root, in units of the coordinates: the last is for
 * multiple roots of order 3. Conventions. */
static const double MULTIPLE_ROOTS[] = {1e-12, 1e-9, 1e-6};

typedef struct Equilibria {
    const AnalysisContext *context;
    const AnalysedRun *run;
    EquilibriumSearch search;
    Eigenvalue *values; /* d */
    bool has_values;    /* or finding them takes too long */
    double *matrix;     /* d x d */
    double *error;      /* d x d: of its entries */
    double *near;       /* 2 n: the state to search near */
    Value *list;
    Arena memory; /* owns the arrays */
} Equilibria;

/* The k-th state to search near: of a list, or the only one. NULL past the end. */
static const Value *nth_near(const Value *options, size_t k)
{
    const Value *near = value_member(options, "near");

    if (!near || near->kind != VALUE_LIST)
        return k == 0 ? near : NULL;
    near = near->first;
    while (near && k-- > 0)
        near = near->next;
    return near;
}

static Status equilibria_check(const Model *model, ExprPool *pool, const Value *options,
                               Diagnostics *diag, Error *err)
{
    const Value *near = value_member(options, "near");
    const size_t before = diag->total;
    double *state = arena_doubles(diag->arena, 2 * model->n);
    if (!state)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    (void)pool;
    if (near && near->kind == VALUE_LIST && value_count(near) > MOST_NEAR)
        diagnostics_add(diag, near->pointer, -1, NULL,
                        "there may be at most %d states to look near", MOST_NEAR);
    for (size_t k = 0; k < MOST_NEAR && nth_near(options, k); k++)
        state_option_read(model, nth_near(options, k), state, state + model->n, diag);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of equilibria");
}

typedef struct Signs {
    size_t zero, growing, decaying, neutral;
} Signs;

/* A cluster counts as growing or decaying if all of its discs do. */
static Signs sort_eigenvalues(const Equilibria *x)
{
    Signs signs = {0};

    for (size_t i = 0; x->has_values && i < x->search.local.d; i++) {
        const Eigenvalue *value = &x->values[i];
        /* the interval that the discs of the whole cluster cover on the real axis */
        double least = INFINITY, most = -INFINITY;
        for (size_t j = 0; j < x->search.local.d; j++) {
            const Eigenvalue *other = &x->values[j];
            if (other->cluster != value->cluster)
                continue;
            least = fmin(least, other->re - other->radius);
            most = fmax(most, other->re + other->radius);
        }
        if (least > 0)
            signs.growing++;
        else if (most < 0)
            signs.decaying++;
        else if (hypot(value->re, value->im) <= value->radius)
            signs.zero++;
        else
            signs.neutral++;
    }
    return signs;
}

/* The eigenvalues and the family around it prove stability. */
static const char *stable_by_eigenvalues(const Equilibria *x, const Equilibrium *found,
                                         bool relative)
{
    if (found->family.states == 0)
        return "All eigenvalues have negative real parts: small deviations die out (Lyapunov's "
               "first method).";
    return arena_printf(x->context->arena,
                        "All eigenvalues have negative real parts but %zu zeros, which belong to "
                        "the family of %sequilibria around it: motions nearby %s (Lyapunov's and "
                        "Malkin's theorem).",
                        found->family.states, relative ? "relative " : "",
                        relative ? "approach the family" : "come to rest on the family");
}

static const char *undecided_by_eigenvalues(const Equilibria *x, const Equilibrium *found,
                                            Signs signs, bool family)
{
    Arena *arena = x->context->arena;

    /* too large for eigenvalues, zeros without a family, or eigenvalues near the axis */
    if (!x->has_values)
        return arena_printf(arena,
                            "More than %d equations are tied to each other: their eigenvalues are "
                            "not computed, and nothing else decides.",
                            SPECTRUM_MOST_ROWS);
    if (found->family.states && !family)
        return arena_printf(arena,
                            "No eigenvalue is shown to have a positive real part, and the "
                            "conditions do not change, to first order, along %zu directions, which "
                            "are not shown to lead to a family of %sequilibria: the linearisation "
                            "does not decide.",
                            found->family.states, found->s ? "relative " : "");
    return arena_printf(arena,
                        "No eigenvalue is shown to have a positive real part; on the imaginary "
                        "axis, or not separated from it by the bounds, there are %zu beside %zu "
                        "zeros, of which the family of %sequilibria around it explains %zu: the "
                        "linearisation does not decide.",
                        signs.neutral, signs.zero, found->s ? "relative " : "",
                        found->family.states);
}

/* Facts proved about an equilibrium. */
typedef struct Proved {
    bool family;           /* it belongs to one, or is isolated */
    bool dimension;        /* and to no larger one */
    bool stable, unstable; /* by its eigenvalues */
    bool minimum;          /* of the energy at the same momenta */
    EnergyShape energy;    /* at rest */
    const char *jump;      /* expression that vanishes at a possible jump; or NULL */
    bool rough;            /* derivatives that the proof needs have no values there */
} Proved;

static bool is_decided(const Proved *proved)
{
    return proved->stable || proved->unstable || proved->minimum || proved->energy.minimum ||
           proved->energy.falls;
}

/* Discs tell of one side, but no exact test proves it. */
static const char *unproved(const Equilibria *x, Signs signs)
{
    return arena_printf(x->context->arena,
                        "As far as discs around the eigenvalues tell, which rest on estimates, %s; "
                        "the exact tests do not prove it.",
                        signs.growing ? "small deviations grow" : "small deviations die out");
}

/* The directions in which the second derivatives of the potential energy vanish. */
static const char *flat_directions(Arena *arena, const EnergyShape *energy)
{
    return energy->flat
               ? arena_printf(arena, "the %zu directions in which its second derivatives vanish",
                              energy->flat)
               : "the one direction in which its second derivatives vanish";
}

/* The potential energy near an equilibrium at which it has no minimum, and the theorem. */
static const char *by_fall(const Equilibria *x, const EnergyShape *energy)
{
    Arena *arena = x->context->arena;
    const char *flat = flat_directions(arena, energy), *falls;

    /* with drag, then without forces: several flat directions, then one */
    if (energy->by_polygons)
        falls = arena_printf(arena,
                             "in %s, it is negative along a curve, by its Newton polygons. Drag "
                             "takes energy from every motion: some from rest nearby lead away (the "
                             "theorem of Krasovskii)",
                             flat);
    else if (energy->falls == ENERGY_FALLS_WITH_DRAG && energy->flat)
        falls = arena_printf(arena,
                             "in %s, its lowest part, of order %zu at most, is negative somewhere. "
                             "Drag takes energy from every motion: some from rest nearby lead away "
                             "(the theorem of Krasovskii)",
                             flat, energy->order);
    else if (energy->falls == ENERGY_FALLS_WITH_DRAG)
        falls = arena_printf(arena,
                             "along a line on which its second derivative vanishes, the first one "
                             "that does not, of order %zu, makes it fall. Drag takes energy from "
                             "every motion: those from rest on that line lead away (the theorem of "
                             "Krasovskii)",
                             energy->order);
    else if (energy->falls == ENERGY_FALLS_FREELY)
        falls = arena_printf(arena,
                             "its second derivatives are nowhere negative, and where they vanish "
                             "its lowest form beyond them, of order %zu, has no minimum. There are "
                             "motions that lead out of it (the theorem of Kozlov and Palamodov)",
                             energy->order);
    else if (energy->falls == ENERGY_FALLS_ALONG_RAYS)
        falls = arena_printf(arena,
                             "in %s, it is negative somewhere, and falls along rays wherever it "
                             "is. Motions from rest there lead away (Chetaev's method)",
                             flat);
    else
        falls = arena_printf(arena,
                             "in %s, the first derivative that does not, of order %zu, makes it "
                             "fall. There are motions from rest as near as one likes that lead "
                             "away (Chetaev's method)",
                             flat, energy->order);
    return arena_printf(arena, "The potential energy has no minimum there: %s.", falls);
}

/* The proof of a strict minimum, from the most general one to second derivatives. */
static const char *by_minimum(const Equilibria *x, const EnergyShape *energy)
{
    Arena *arena = x->context->arena;
    const char *flat = flat_directions(arena, energy);
    const char *proof = "its second derivatives along the constraints are positive definite";

    /* if none of these holds, second derivatives are enough */
    if (energy->squares)
        proof = "the potential energy less that there is a sum of terms that are nowhere negative, "
                "and nowhere else nearby do all of them vanish";
    else if (energy->by_polygons)
        proof =
            arena_printf(arena, "in %s, it grows along all curves, by its Newton polygons", flat);
    else if (energy->flat)
        proof = arena_printf(arena,
                             "in %s, its lowest part, of order %zu at most, is positive definite",
                             flat, energy->order);
    else if (energy->order > 2)
        proof = arena_printf(arena,
                             "in %s, the first derivative that does not, of order %zu, is positive",
                             flat, energy->order);
    return arena_printf(arena,
                        "The energy has a strict minimum there (%s), and no force adds to it: "
                        "small deviations stay small (the theorem of Lagrange and Dirichlet).",
                        proof);
}

static const char *equilibria_judge(const Equilibria *x, const Equilibrium *found,
                                    const Proved *proved, const char **ret_reason)
{
    const Signs signs = sort_eigenvalues(x);

    if (proved->jump) {
        *ret_reason = arena_printf(x->context->arena,
                                   "At %s = 0 a condition changes, and it is not proved that L "
                                   "and the constraints are continuous there, or that the "
                                   "equilibrium is elsewhere: derivatives do not see a jump.",
                                   proved->jump);
        return "undecided";
    }
    /* first the linearisation, if it decides */
    if (proved->unstable) {
        *ret_reason = arena_printf(x->context->arena,
                                   "The largest real part of an eigenvalue is %.9g: small "
                                   "deviations grow.",
                                   x->values[0].re);
        return "no";
    }
    if (proved->stable) {
        *ret_reason = stable_by_eigenvalues(x, found, found->s > 0);
        return "yes";
    }
    /* then the energy */
    if (proved->minimum && found->s) {
        *ret_reason =
            "The energy has a strict minimum there among the motions with the same momenta "
            "(its second derivatives are positive definite), and no force acts: small "
            "deviations stay small but along the symmetries (the theorem of Routh).";
        return "yes";
    }
    if (proved->energy.minimum || proved->energy.falls) {
        *ret_reason =
            proved->energy.falls ? by_fall(x, &proved->energy) : by_minimum(x, &proved->energy);
        return proved->energy.minimum ? "yes" : "no";
    }
    const bool decided =
        signs.growing ||
        (proved->family && signs.decaying + found->family.states == x->search.local.d);
    *ret_reason =
        decided ? unproved(x, signs) : undecided_by_eigenvalues(x, found, signs, proved->family);
    if (!decided && proved->rough)
        *ret_reason = arena_printf(x->context->arena,
                                   "%s The energy is not asked: its derivatives divide by what "
                                   "vanishes there (a root, or a norm).",
                                   *ret_reason);
    return "undecided";
}

/* A line right of the imaginary axis: left of a cluster that grows, or very near the axis. */
static double line_before_growth(const Equilibria *x)
{
    /* distance of the line from the axis, relative to the largest eigenvalue; convention */
    static const double AXIS_FRACTION = 1e-24;
    const size_t d = x->search.local.d;
    double line = 0, largest = 0;

    for (size_t i = 0; i < d; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < d; j++)
            if (x->values[j].cluster == x->values[i].cluster)
                least = fmin(least, x->values[j].re - x->values[j].radius);
        line = fmax(line, least / 2);
        largest = fmax(largest, hypot(x->values[i].re, x->values[i].im));
    }
    return line > 0 ? line : AXIS_FRACTION * largest;
}

/* The side of the imaginary axis of all eigenvalues, or else whether one is right of a line. */
static Status prove_sides(const Equilibria *x, const Equilibrium *found, Enclosed *enclosed,
                          Proved *proved, Error *err)
{
    const size_t zeros = proved->family ? found->family.states : 0;
    const double line = line_before_growth(x);
    ExactRoots roots;
    Status status = enclosed_roots(enclosed, 0, zeros, &roots, err);

    if (status == OK && roots.counted)
        proved->stable = proved->family && roots.left + zeros == x->search.local.d;
    else if (status == OK && line > 0)
        status = enclosed_roots(enclosed, line, zeros, &roots, err);
    proved->unstable = status == OK && roots.counted && roots.right > 0;
    return status;
}

/* Expressions too long to decide leave the question open, and so do derivatives that divide by zero
 * there, such as the third ones of a norm's cube. */
static Status leave_open(Status status, Proved *proved)
{
    proved->rough = proved->rough || status == ERR_INVALID;
    return status == ERR_LIMIT || status == ERR_INVALID ? OK : status;
}

/* Stability by eigenvalues or the energy, if time does not occur and generators are symmetries. */
static Status prove_stability(const Equilibria *x, const Equilibrium *found, Enclosed *enclosed,
                              Proved *proved, Error *err)
{
    const size_t *fields = x->search.fields;
    AnalysisContext own = *x->context;
    bool symmetric = false;

    own.pool = enclosed->pool;
    if (!local_is_autonomous(x->context->model))
        return OK;
    Status status = equilibrium_symmetric(found, fields, &symmetric, err);
    if (status != OK || !symmetric)
        return status == ERR_LIMIT ? OK : status;
    Expr guard;
    status = enclosed_jump(enclosed, &guard, err);
    if (status == OK && !expr_is_none(guard))
        proved->jump = analysis_text(&own, guard, "(long)");
    if (status != OK || proved->jump)
        return status == ERR_LIMIT ? OK : status;
    if (x->has_values)
        status = prove_sides(x, found, enclosed, proved, err);
    if (status == ERR_INVALID) /* no second derivatives, say: the energy may tell without */
        status = leave_open(status, proved);
    if (status == OK && !proved->stable && !proved->unstable)
        status = found->s
                     ? equilibrium_steady_minimum(found, enclosed, fields, &proved->minimum, err)
                     : equilibrium_energy(found, enclosed, &proved->energy, err);
    return leave_open(status, proved);
}

/* The family of the equilibrium, by the implicit function theorem or as a set; without a family,
 * whether it is at simple numbers. *ret_enclosed: a ball encloses it. */
static Status find_family(const Equilibria *x, Equilibrium *found, Enclosed *enclosed,
                          bool *ret_enclosed, Proved *proved, Error *err)
{
    const size_t *fields = x->search.fields;
    FamilySet set;
    bool shown = false;
    Status status = enclosed_init(enclosed, found, fields, NULL, err);

    /* regular conditions of the right rank prove the family */
    proved->family = found->family.sharp &&
                     (found->family.dimension == 0 || (status == OK && enclosed->regular));
    *ret_enclosed = status == OK && proved->family && enclosed->regular;
    if (*ret_enclosed || (status != OK && status != ERR_LIMIT))
        return status;
    /* otherwise try the family as a set, then a single point at simple numbers */
    enclosed_done(enclosed);
    status = family_set_init(&set, found, &found->memory, err);
    if (status == OK && found->family.sharp && found->family.dimension)
        status = equilibrium_family_shown(found, fields, false, &set, &shown, err);
    proved->family = proved->family || shown;
    if (status == OK && !shown)
        status = family_set_init(&set, found, &found->memory, err);
    if (status == OK && !shown)
        status = equilibrium_family_shown(found, fields, true, &set, &shown, err);
    if (status == OK && shown)
        status = enclosed_init(enclosed, found, fields, &set, err);
    *ret_enclosed = status == OK && shown;
    return status == ERR_LIMIT ? OK : status;
}

/* Whether no larger family contains it. Nothing is said of a family that is part of another. */
static Status prove_dimension(const Equilibrium *found, Enclosed *enclosed, Proved *proved,
                              Error *err)
{
    const Status status = enclosed_has_rank(enclosed, &proved->dimension, err);

    proved->family = proved->family && (found->family.dimension == 0 || proved->dimension);
    return status == ERR_LIMIT ? OK : status; /* too long to tell */
}

/* The simplest numbers at which exact tests prove it, within the error of a multiple root. */
static Status find_numbers(const Equilibria *x, Equilibrium *found, FamilySet *ret, bool *ret_shown,
                           Error *err)
{
    const size_t n_roots = sizeof MULTIPLE_ROOTS / sizeof MULTIPLE_ROOTS[0];
    Status status = OK;

    *ret_shown = false;
    for (size_t k = 0; status == OK && k < n_roots && !*ret_shown; k++) {
        for (size_t i = 0; i < found->n; i++)
            found->distance[i] =
                fmax(found->distance[i], MULTIPLE_ROOTS[k] * found->scales.unit[i]);
        status = family_set_init(ret, found, &found->memory, err);
        if (status == OK)
            status = equilibrium_family_shown(found, x->search.fields, true, ret, ret_shown, err);
        if (status == OK && *ret_shown)
            status = equilibrium_extends(found, ret->values, ret_shown, err);
    }
    return status;
}

/* Whether it is at simple numbers. Its energy may then decide although no ball encloses it: a
 * minimum that is flat in one direction is a multiple root of the conditions. */
static Status prove_at_numbers(const Equilibria *x, Equilibrium *found, Enclosed *enclosed,
                               Proved *proved, Error *err)
{
    FamilySet set;
    bool shown = false;
    Status status = find_numbers(x, found, &set, &shown, err);

    if (status != OK || !shown)
        return status;
    enclosed_done(enclosed);
    status = enclosed_init(enclosed, found, x->search.fields, &set, err);
    if (status == OK)
        status = prove_stability(x, found, enclosed, proved, err);
    /* by order 2 alone it may be another equilibrium; a proof by sums of squares has no order */
    if (status == OK && proved->energy.order == 2 && !proved->energy.squares)
        *proved = (Proved){
            .family = proved->family, .dimension = proved->dimension, .rough = proved->rough};
    return leave_open(status, proved);
}

/* If solutions meet, or may meet, the state is known only to the root of the residual. */
static void blur(Equilibria *x, const Equilibrium *found)
{
    const size_t size = x->search.local.d * x->search.local.d;
    double norm = 0;

    for (size_t k = 0; k < size; k++)
        norm = hypot(norm, x->matrix[k]);
    norm *= fmax(MEETING_ERROR, sqrt(found->residual));
    for (size_t k = 0; k < size; k++)
        x->error[k] += norm;
}

/* Discs around the eigenvalues without those of the family, which are zeros. */
static Status separate_family(Equilibria *x, Equilibrium *found, bool *ret_separated, Error *err)
{
    const size_t d = x->search.local.d, size = d - found->family.dimension;
    Arena scratch = {0};
    double *matrix = arena_doubles(&scratch, size * size),
           *error = arena_doubles(&scratch, size * size);
    Eigenvalue *values = ARENA_NEW(&scratch, size, Eigenvalue);
    size_t n = 0, at = 0;
    Status status = arena_status(&scratch, err);

    *ret_separated = false;
    if (status == OK)
        status = equilibrium_beside_family(found, x->matrix, x->error, matrix, error, ret_separated,
                                           err);
    if (status == OK && *ret_separated)
        status = spectrum_discs(matrix, error, size, values, err);
    /* merge the family's zeros into the list, which is sorted by real parts */
    if (status == OK && *ret_separated) {
        while (at < size && values[at].re > 0)
            x->values[n++] = values[at++];
        for (size_t k = 0; k < found->family.dimension; k++)
            x->values[n++] = (Eigenvalue){.cluster = d};
        while (at < size)
            x->values[n++] = values[at++];
    }
    arena_done(&scratch);
    return status;
}

/* Discs around all eigenvalues, or none if the work is too long. */
static Status find_discs(Equilibria *x, Equilibrium *found, const Proved *proved, Error *err)
{
    const size_t d = x->search.local.d;
    bool separated = false;
    const Status status = spectrum_discs(x->matrix, x->error, d, x->values, err);

    x->has_values = status == OK;
    if (status != OK)
        return status == ERR_LIMIT ? OK : status;
    return proved->family && found->family.dimension && found->family.dimension <= d &&
                   d <= SPECTRUM_MOST_ROWS
               ? separate_family(x, found, &separated, err)
               : OK;
}

/* Computes x->values and proves their sides. */
static Status judge_linearisation(Equilibria *x, Equilibrium *found, Enclosed *enclosed,
                                  Proved *proved, Error *err)
{
    bool is_enclosed = false;
    Status status = equilibrium_linearise(found, x->matrix, x->error, err);

    if (status == OK)
        status = find_family(x, found, enclosed, &is_enclosed, proved, err);
    if (status == OK && is_enclosed)
        status = prove_dimension(found, enclosed, proved, err);
    /* the family explains as many zeros as it has states */
    proved->family =
        proved->family && found->family.states + found->family.n_idle == found->family.dimension;
    if (status == OK && !proved->family)
        blur(x, found);
    if (status == OK)
        status = find_discs(x, found, proved, err);
    if (status == OK && is_enclosed)
        status = prove_stability(x, found, enclosed, proved, err);
    if (status == OK && !(is_enclosed && enclosed->at_known) && !proved->jump &&
        !is_decided(proved) && equilibrium_energy_may_tell(found))
        status = prove_at_numbers(x, found, enclosed, proved, err);
    return status;
}

/* Reports the dimension of the family, or of the flat directions if no family is proved. */
static void report_family(Arena *arena, Value *record, const Equilibrium *found, bool proven)
{
    if (proven)
        value_add_count(arena, record, "family", found->family.states);
    else
        value_add(arena, record, "family", VALUE_NULL);
    value_add_bool(arena, record, "family_proven", proven);
}

/* Reports the eigenvalues and the verdict that follows from them. */
static Status report_linearisation(Equilibria *x, Equilibrium *found, Value *record, Error *err)
{
    Arena *arena = x->context->arena;
    const char *reason = NULL;
    Enclosed enclosed = {0};
    Proved proved = {0};
    Status status = judge_linearisation(x, found, &enclosed, &proved, err);

    enclosed_done(&enclosed);
    if (status != OK)
        return status;
    const Signs signs = sort_eigenvalues(x);
    const char *stable = equilibria_judge(x, found, &proved, &reason);
    /* a verdict from the matrix at one instant would not hold for later ones */
    if (!found->steady) {
        stable = "undecided";
        reason = "The linearisation depends on time: its eigenvalues, here those at the start, do "
                 "not decide (floquet does, if it is periodic).";
    }
    report_family(arena, record, found, proved.family && proved.dimension);
    if (x->has_values) {
        local_report_eigenvalues(arena, record, "eigenvalues", x->values, x->search.local.d, false);
        value_add_count(arena, record, "zero_eigenvalues", signs.zero);
    }
    value_add_count(arena, record, "expected_zero_eigenvalues", found->family.same);
    value_add_text(arena, record, "stable", stable);
    value_add_text(arena, record, "reason", reason);
    return OK;
}

static Status report_found(Equilibria *x, Equilibrium *found, Value *record, Error *err)
{
    Arena *arena = x->context->arena;
    Error own = {0};

    equilibrium_report(&x->search, found, arena, record);
    value_add_number(arena, record, "residual", found->residual);
    value_add_count(arena, record, "dimension", x->search.local.d);
    value_add_count(arena, record, "flat_directions", found->family.states);
    Status status = report_linearisation(x, found, record, &own);
    if (status == ERR_NUMERIC) { /* for example, the constraints lose rank at rest */
        report_family(arena, record, found, false);
        value_add_text(arena, record, "stable", "undecided");
        value_add_text(arena, record, "reason", own.message);
        return OK;
    }
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}

static Status report_look(Equilibria *x, Equilibrium *equilibrium, bool found, Error *err)
{
    Arena *arena = x->context->arena;
    Value *record = value_add(arena, x->list, NULL, VALUE_RECORD);

    value_add_text(arena, record, "kind",
                   equilibrium->s == 0 ? "equilibrium" : "relative equilibrium");
    const char *reason = NULL;
    found = equilibrium_search_success(equilibrium, found, arena, &reason);
    value_add_bool(arena, record, "found", found);
    if (!found) {
        value_add_text(arena, record, "reason", reason);
        return OK;
    }
    /* if velocities alone make the corner, the energy at rest does not depend on it */
    const Status status = branches_agree(&x->search.branches, equilibrium->q, true, err);
    return status == OK ? report_found(x, equilibrium, record, err) : status;
}

/* Searches near x->near, at rest or along the symmetries. */
static Status look_once(Equilibria *x, bool at_rest, Error *err)
{
    Equilibrium equilibrium;
    bool found = false, rests = false;
    Status status =
        equilibrium_search_near(&x->search, x->near, at_rest, &equilibrium, &found, err);

    if (status == OK && found && !at_rest)
        status = equilibrium_search_rests(&x->search, x->near, &equilibrium, &rests, err);
    /* the search at rest has found the equilibrium already */
    if (status == OK && !rests)
        status = report_look(x, &equilibrium, found, err);
    equilibrium_done(&equilibrium);
    return status;
}

static bool is_undecided(const Value *record)
{
    const Value *stable = value_member(record, "stable");
    return stable && strcmp(stable->text, "undecided") == 0;
}

/* Repeats the search along translations only, if the last verdict is undecided: a family that
 * rotations mix is not proved, but a straight motion is one along translations, too. */
static Status look_along_translations(Equilibria *x, Error *err)
{
    const EquilibriumSearch all = x->search;
    Value *list = x->list, *last = list ? list->last : NULL;

    if (!last || !is_undecided(last))
        return OK;
    x->search = (EquilibriumSearch){.translations = true};
    x->list = value_new_list(x->context->arena);
    Status status = equilibrium_search_init(&x->search, x->context, x->run, err);
    if (status == OK && x->search.s && x->search.s < all.s)
        status = look_once(x, false, err);
    const Value *found = x->list ? x->list->first : NULL;
    /* keep the new record only if it decides */
    if (status == OK && found && value_member(found, "stable") && !is_undecided(found)) {
        last->first = found->first;
        last->last = found->last;
    }
    equilibrium_search_done(&x->search);
    x->search = all;
    x->list = list;
    return status;
}

static Status equilibria_look(Equilibria *x, bool at_rest, Error *err)
{
    const Value *last = x->list ? x->list->last : NULL;
    const Status status = look_once(x, at_rest, err);

    return status == OK && !at_rest && x->list && x->list->last != last
               ? look_along_translations(x, err)
               : status;
}

static Status look_near(Equilibria *x, const Value *near, Error *err)
{
    const Model *model = x->context->model;
    const size_t n = model->n;
    Diagnostics ignored;

    diagnostics_init(&ignored, x->context->arena);
    memcpy(x->near, x->context->q0, n * sizeof *x->near);
    memcpy(x->near + n, x->context->v0, n * sizeof *x->near);
    if (near)
        state_option_read(model, near, x->near, x->near + n, &ignored);
    Status status = equilibria_look(x, true, err);
    if (status == OK && x->search.s && vector_largest(x->near + n, n) > 0)
        status = equilibria_look(x, false, err);
    return status;
}

Status equilibria_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                      Findings *findings, Error *err)
{
    const Model *model = context->model;
    const size_t d = local_dimension(context);
    Equilibria x = {.context = context, .run = run};

    x.values = ARENA_NEW(&x.memory, d, Eigenvalue);
    x.matrix = arena_doubles(&x.memory, d * d);
    x.error = arena_doubles(&x.memory, d * d);
    x.near = arena_doubles(&x.memory, 2 * model->n);
    Status status = arena_status(&x.memory, err);
    /* the local problem, and the symmetries whose orbits may be relative equilibria */
    if (status == OK)
        status = equilibrium_search_init(&x.search, context, run, err);
    if (status == OK)
        x.list = value_new_list(context->arena);
    for (size_t k = 0; status == OK && k < MOST_NEAR && (k == 0 || nth_near(options, k)); k++)
        status = look_near(&x, nth_near(options, k), err);
    if (status == OK) {
        Value *list = value_add(findings->arena, findings->record, "equilibria", VALUE_LIST);
        if (list && x.list) {
            list->first = x.list->first;
            list->last = x.list->last;
        }
    }
    equilibrium_search_done(&x.search);
    arena_done(&x.memory);
    return status;
}

double equilibria_cost(const CostQuestion *question, const char **ret_reason)
{
    const size_t both = question->model->given.n_symmetries ? 2 : 1;
    size_t looks = 1;

    while (looks < MOST_NEAR && nth_near(question->options, looks))
        looks++;
    *ret_reason =
        arena_printf(question->arena,
                     "Equilibria are looked for %zu times by Gauss-Newton steps, each a "
                     "decomposition of a matrix of %zu columns.",
                     looks * both, question->model->n + question->model->given.n_symmetries);
    return cost_of_linearising(question) + (double)(looks * both) * cost_of_equilibrium(question);
}

static const AnalysisOption OPTIONS[] = {
    {.name = "near", .meaning = "a state {q, v} or a list of them; left out: the start of the job"},
    {.name = NULL}};

const Analysis analysis_equilibria = {.name = "equilibria",
                                      .meaning = "Where near a state can it rest, or keep on along "
                                                 "its symmetries; do small deviations grow?",
                                      .options = OPTIONS,
                                      .check = equilibria_check};
