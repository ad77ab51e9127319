/* Floquet multipliers: what a small deviation from a periodic motion is multiplied by in a period.
 *
 * The linearised motion carries a basis Z of the tangent space of the constraint manifold over one
 * period; the eigenvalues of Z^T Phi Z are the multipliers. In a linear system with periodic
 * coefficients the deviations do not depend on the motion, so that any will do.
 *
 * Deviations dq are measured by the time of a radian of the period, dv by 1, both over the root of
 * the masses: their squares are energies, whatever the units of the model, and what is known of
 * the matrix, of its size, is known of each of its entries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/kinds.h"
#include "core/numeric/dense.h"
#include "core/simulation/analyses/analyses.h"
#include "core/simulation/analyses/cost.h"
#include "core/simulation/analyses/periodicity.h"
#include "core/simulation/analyses/reversal.h"

enum { NEWTON_STEPS = 30, TYPICAL_CORRECTIONS = 4, MATRIX_MOST = 30 };
static const double RTOL = 1e-12, ATOL = 1e-14;
static const double PI = 3.14159265358979323846;
/* Of the monodromy, relative, at these tolerances at least: with room. */
static const double MATRIX_ERROR = 1e-9;
/* Tolerances of a second integration are so much larger. What it differs by is about so many times the
 * error of the first, which is taken for no better. */
static const double LOOSER = 100;
/* Distance from its start, relative to the size of the motion, at which it counts as closed. */
static const double CLOSED = 1e-7, CORRECTED = 1e-11;
/* Change of the rates over a period that is none. */
static const double REPEATS = 1e-9;
/* Discs up to this radius serve to show that a multiplier lies on the circle. */
static const double SMALL = 0.01;

typedef struct Floquet {
    const AnalysisContext *context;
    Local local;
    Watch watch;
    const char *jump; /* where L or a constraint jumps on the way, as text; or NULL */
    double period, t0;
    bool correct;
    Repetition repetition;
    bool repeats;        /* the equations, after the period: proved */
    const char *pairing; /* why 1/mu is a multiplier with mu; NULL: not known to be */
    double return_error;
    double matrix_error; /* of the monodromy, of its size: what it is taken to be known to */
    size_t corrections;
    double *start;     /* dim: q, v at t0 */
    double *sizes;     /* dim: of a harmonic motion from there */
    double *y;         /* linearised_size + 1 */
    double *units;     /* dim: of deviations */
    double *Z;         /* dim x d: orthonormal in these units */
    double *dual;      /* dim x d: components along Z are dual^T (dq, dv) */
    double *monodromy; /* d x d, by Z */
    double *basis;     /* dim x d: that of the matrix told; orthonormal in those of the model */
    double *told;      /* d x d: the monodromy by it */
    double *miss;      /* dim: state after a period - start, angles by their periods */
    Eigenvalue *multipliers; /* d */
    Arena memory;            /* owns the arrays */
} Floquet;

/* A number, or a text over the model's parameters such as "2*pi/w". */
static bool read_period(const Model *model, const double *params, const Value *value,
                        Diagnostics *diag, double *ret)
{
    if (value->kind == VALUE_NUMBER) {
        *ret = value->number;
        return true;
    }
    if (value->kind != VALUE_TEXT) {
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "a period is a number or an expression of the parameters");
        return false;
    }
    ExprPool *pool = expr_pool_clone(model->pool);
    ExprScope *scope = pool ? model_scope(model, pool, false, NULL) : NULL;
    double *symbols = arena_doubles(diag->arena, model->first_free);
    const size_t before = diag->total;
    bool ok = scope && symbols;

    if (ok) {
        const Expr e = expr_parse(pool, scope, value->text, PARSE_EXPRESSION, value->pointer, diag);
        for (size_t k = 0; k < model->first_free; k++)
            symbols[k] = NAN; /* a period may not depend on time or the state */
        for (size_t k = 0; k < model->n_params; k++)
            symbols[expr_node(pool, model->params[k]).symbol] = params[k];
        ok = diag->total == before && expr_eval(pool, &e, 1, symbols, ret, NULL) == OK;
    }
    expr_scope_free(scope);
    expr_pool_free(pool);
    return ok;
}

static Status floquet_check(const Model *model, const Value *options, Diagnostics *diag, Error *err)
{
    const Value *value = value_member(options, "period"), *correct;
    const size_t before = diag->total;
    double period = 0;

    if (!value)
        diagnostics_add(diag, options->pointer, -1,
                        "{\"name\": \"floquet\", \"period\": \"2*pi/w\"}",
                        "floquet needs the period");
    else if (read_period(model, model->param_values, value, diag, &period) && !(period > 0))
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "the period must be positive, of parameters and numbers alone");
    correct = value_member(options, "correct");
    if (correct && correct->kind != VALUE_BOOL)
        diagnostics_add(diag, correct->pointer, -1, NULL, "\"correct\" is true or false");
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of floquet");
}

static Status set_period(Floquet *x, const Value *options, Error *err)
{
    const Value *correct = value_member(options, "correct");
    Diagnostics ignored;

    diagnostics_init(&ignored, x->context->arena);
    x->correct = correct && correct->boolean;
    if (!read_period(x->context->model, x->context->params, value_member(options, "period"),
                     &ignored, &x->period) ||
        !(x->period > 0) || !isfinite(x->period))
        return error_set(err, ERR_INVALID,
                         "with the parameters of this job the period is no positive number");
    return OK;
}

static Status floquet_allocate(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d;

    x->start = arena_doubles(&x->memory, dim);
    x->sizes = arena_doubles(&x->memory, dim);
    x->miss = arena_doubles(&x->memory, dim);
    x->y = arena_doubles(&x->memory, linearised_size(x->local.linearised) + 1);
    x->units = arena_doubles(&x->memory, dim);
    x->Z = arena_doubles(&x->memory, dim * d);
    x->dual = arena_doubles(&x->memory, dim * d);
    x->monodromy = arena_doubles(&x->memory, d * d);
    x->basis = arena_doubles(&x->memory, dim * d);
    x->told = arena_doubles(&x->memory, d * d);
    x->multipliers = ARENA_NEW(&x->memory, d, Eigenvalue);
    Status status = linearised_watch(x->local.linearised, 1, &x->watch, &x->memory, err);
    return status == OK ? arena_status(&x->memory, err) : status;
}

/* The energy of a deviation does not depend on what the model is measured in; of a coordinate without
 * mass it is taken with the largest. The least of them is 1, far above the absolute tolerance. */
static void set_units(Floquet *x)
{
    const size_t n = x->local.n;
    const double *M = model_point(x->context->eval, x->t0, x->start, x->start + n).M;
    double largest = 0, least = INFINITY;

    for (size_t i = 0; i < n; i++)
        largest = isfinite(M[i * n + i]) ? fmax(largest, fabs(M[i * n + i])) : largest;
    for (size_t i = 0; i < n; i++) {
        const double mass = fabs(M[i * n + i]);
        const double used = mass > 0 && isfinite(mass) ? mass : largest > 0 ? largest : 1;
        x->units[n + i] = -log2(used) / 2;
        x->units[i] = x->units[n + i] + log2(x->period / (2 * PI));
        least = fmin(least, fmin(x->units[i], x->units[n + i]));
    }
    for (size_t k = 0; k < x->local.dim; k++)
        x->units[k] = exp2(x->units[k] - least);
}

/* The basis Z at the start. */
static Status set_basis(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    Status status = tangent_space_basis(x->local.space, x->t0, x->start, x->start + x->local.n,
                                        x->units, x->Z, err);

    for (size_t k = 0; status == OK && k < x->local.dim; k++)
        for (size_t i = 0; i < d; i++)
            x->dual[k * d + i] = x->Z[k * d + i] / x->units[k] / x->units[k];
    return status;
}

/* How far the state in y is from the start. */
static void measure_return(Floquet *x)
{
    const Model *model = x->context->model;
    const size_t n = x->local.n;

    x->return_error = 0;
    kinds_sizes(model, x->start, x->start + n, x->period / (2 * PI), x->sizes, x->sizes + n);
    for (size_t i = 0; i < x->local.dim; i++) {
        const double period = i < n ? model->periods[i] : 0;
        x->miss[i] = x->y[i] - x->start[i];
        if (period > 0)
            x->miss[i] -= period * round(x->miss[i] / period);
        if (x->miss[i] != 0)
            x->return_error = fmax(x->return_error, fabs(x->miss[i]) / x->sizes[i]);
    }
}

/* One period from the start, with tolerances so much looser; the monodromy and the return. */
static Status go_round(Floquet *x, double looser, Error *err)
{
    const AnalysisContext *c = x->context;
    const size_t dim = x->local.dim, d = x->local.d;
    const LinearisedDrive drive = {.rtol = looser * fmin(c->rtol, RTOL),
                                   .atol = looser * fmin(c->atol, ATOL),
                                   .max_step = c->max_step,
                                   .max_steps = 10000000,
                                   .poll = c->poll,
                                   .self = c->self,
                                   .watch = &x->watch};

    x->watch.features.undecided = 0;
    Status status = set_basis(x, err);
    if (status != OK)
        return status;
    /* the motion from its start, with the columns Z beside it */
    memcpy(x->y, x->start, dim * sizeof *x->y);
    memcpy(x->y + dim, x->Z, dim * d * sizeof *x->y);
    status = linearised_advance(x->local.linearised, &drive, x->t0, x->t0 + x->period, x->y, err);
    if (status != OK)
        return status;
    local_reduce(x->dual, x->y + dim, dim, d, x->monodromy);
    measure_return(x);
    return OK;
}

/* Newton's step for a closed motion: (Z^T Phi Z - 1) z + Z^T rates s = -Z^T miss, where s changes
 * the period of an autonomous system. The least step, as closed motions come in families; a change
 * of the period is as large as the way that the motion goes in it. */
static Status correct_once(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d, n = x->local.n;
    const size_t unknown = d + (x->repetition.autonomous ? 1 : 0);
    Arena scratch = {0};
    double *a = arena_doubles(&scratch, d * unknown), *b = arena_doubles(&scratch, d), dq, dv;
    double *step = arena_doubles(&scratch, unknown), *rates = arena_doubles(&scratch, dim);
    double *along = arena_doubles(&scratch, d), speed = 0;
    Status status = arena_status(&scratch, err);
    if (status != OK)
        goto out;
    /* a = [Z^T Phi Z - 1 | Z^T rates / speed], b = -Z^T miss */
    linearised_state_rates(x->local.linearised, x->t0 + x->period, x->y, rates);
    for (size_t i = 0; i < d; i++) {
        b[i] = 0;
        for (size_t k = 0; k < dim; k++) {
            b[i] -= x->dual[k * d + i] * x->miss[k];
            along[i] += x->dual[k * d + i] * rates[k];
        }
        speed = hypot(speed, along[i]);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++)
            a[i * unknown + j] = x->monodromy[i * d + j] - (double)(i == j);
        if (unknown > d)
            a[i * unknown + d] = speed > 0 ? along[i] / speed : 0;
    }
    status = dense_least_norm(a, d, unknown, b, 1e-9, step, err);
    /* the start moves along the tangent space, then back onto the constraints */
    for (size_t k = 0; status == OK && k < dim; k++)
        for (size_t i = 0; i < d; i++)
            x->start[k] += x->Z[k * d + i] * step[i];
    if (status == OK && unknown > d && speed > 0)
        x->period += step[d] / speed;
    if (status == OK && x->local.motion->n_rows)
        status = model_project(x->context->eval, x->t0, x->start, x->start + n, x->context->rows,
                               x->context->n_rows, &dq, &dv, err);
out:
    arena_done(&scratch);
    return status;
}

static Status find_closed_motion(Floquet *x, Error *err)
{
    const double given = x->period;
    double last = INFINITY;

    for (;;) {
        Status status = go_round(x, 1, err);
        if (status != OK || x->return_error <= CORRECTED)
            return status;
        if (x->return_error <= CLOSED && x->return_error >= last)
            return OK; /* rounding */
        if (++x->corrections > NEWTON_STEPS)
            break;
        last = x->return_error;
        status = correct_once(x, err);
        if (status != OK)
            return status;
        if (!(x->period > given / 2 && x->period < given * 2))
            break;
    }
    return error_set(err, ERR_NUMERIC,
                     "no motion of a period near %.9g was found near the start (it misses by %.3g)",
                     given, x->return_error);
}

/* How much the monodromy changes, of its size, when it is integrated less accurately. */
static Status measure_error(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    const double return_error = x->return_error;
    Arena scratch = {0};
    double *fine = arena_doubles(&scratch, d * d), size = 0, change = 0;
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        memcpy(fine, x->monodromy, d * d * sizeof *fine);
        status = go_round(x, LOOSER, err);
    }
    for (size_t k = 0; status == OK && k < d * d; k++) {
        size = hypot(size, fine[k]);
        change = hypot(change, fine[k] - x->monodromy[k]);
        x->monodromy[k] = fine[k];
    }
    x->return_error = return_error;
    x->matrix_error = size > 0 ? fmax(MATRIX_ERROR, change / size) : INFINITY;
    arena_done(&scratch);
    return status;
}

/* The eigenvalues of the monodromy, which is known to matrix_error of its size. */
static Status find_multipliers(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    Arena scratch = {0};
    double *errors = arena_doubles(&scratch, d * d), size = 0;
    Status status = arena_status(&scratch, err);

    for (size_t k = 0; k < d * d; k++)
        size = hypot(size, x->monodromy[k]);
    for (size_t k = 0; status == OK && k < d * d; k++)
        errors[k] = x->matrix_error * size;
    if (status == OK)
        status = spectrum_discs(x->monodromy, errors, d, x->multipliers, err);
    arena_done(&scratch);
    return status;
}

/* The multipliers of Hamilton's equations come in pairs mu, 1/mu (H. Poincare, A. M. Lyapunov), and
 * so do those of linear equations that read the same backwards in time. */
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

/* ret = A B, all of them [n x n]. */
static void multiply(const double *A, const double *B, size_t n, double *ret)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            ret[i * n + j] = sum;
        }
}

/* The monodromy in the units of the model: W^T Phi W = (W^T Z) (Z^T Phi Z) (Z^T W). */
static Status express_monodromy(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d;
    Arena scratch = {0};
    double *to = arena_doubles(&scratch, d * d), *from = arena_doubles(&scratch, d * d);
    double *half = arena_doubles(&scratch, d * d);
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = tangent_space_basis(x->local.space, x->t0, x->start, x->start + x->local.n, NULL,
                                     x->basis, err);
    if (status == OK) {
        local_reduce(x->basis, x->Z, dim, d, to);
        local_reduce(x->dual, x->basis, dim, d, from);
        multiply(to, x->monodromy, d, half);
        multiply(half, from, d, x->told);
    }
    arena_done(&scratch);
    return status;
}

/* States at random have told what is not so; that a term is small, or somewhere else, makes nothing periodic or linear. */
static Status prove_repetition(Floquet *x, Error *err)
{
    bool linear;
    Status status = local_repetition_proof(x->context, x->period, &x->repeats, &linear, err);

    x->repetition.linear = x->repetition.linear && linear;
    return status;
}

static Status floquet_compute(Floquet *x, Error *err)
{
    set_units(x);
    Status status =
        local_repetition(&x->local, x->context, x->period, x->units, &x->repetition, err);

    x->repetition.autonomous = x->repetition.autonomous && local_is_autonomous(x->context->model);

    if (status == OK && x->repetition.change > REPEATS)
        return error_set(err, ERR_INVALID,
                         "the equations of motion at t + %.9g are not those at t (they differ by "
                         "%.3g of their size): this is not a period of theirs",
                         x->period, x->repetition.change);
    if (status == OK)
        status = prove_repetition(x, err);
    if (status == OK)
        status =
            x->correct && !x->repetition.linear ? find_closed_motion(x, err) : go_round(x, 1, err);
    if (status == OK && !x->repetition.linear && x->return_error > CLOSED)
        return error_set(err, ERR_INVALID,
                         "the motion does not return after %.9g: it misses its start by %.3g "
                         "(relative); Floquet multipliers belong to periodic motions "
                         "(\"correct\": true looks for one nearby)",
                         x->period, x->return_error);
    if (status == OK)
        status = measure_error(x, err);
    if (status == OK) {
        /* that of a motion that is not quite closed is not quite that of the closed one */
        const double gap = x->repetition.linear ? 0 : 10 * x->return_error;
        x->matrix_error = fmax(x->matrix_error, gap);
        status = find_multipliers(x, err);
    }
    if (status == OK)
        status = express_monodromy(x, err);
    if (status == OK)
        status = find_pairing(x, err);
    return status;
}

static double modulus(const Eigenvalue *value)
{
    return hypot(value->re, value->im);
}

static int compare_moduli(const void *a, const void *b)
{
    const double x = modulus(a), y = modulus(b);
    return (x < y) - (x > y);
}

/* Multipliers by where they are shown to lie. */
typedef struct Moduli {
    size_t outside, inside, on_circle, open; /* open: the bounds do not tell */
    bool shift;                              /* one is open, and its disc contains 1 */
} Moduli;

/* The only one in its disc, with the reflected 1/conj(mu) in no other disc: as that is a multiplier
 * too, both are the same, of modulus 1. */
static bool is_own_reflection(const Floquet *x, size_t i)
{
    const Eigenvalue *value = &x->multipliers[i];

    if (!(value->radius < SMALL))
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

/* Whether something jumps that moves with the state; what jumps at its time alone is no impulse. */
static Status find_jump(Floquet *x, Error *err)
{
    enum { MOST_GUARDS = 32 };
    const Model *model = x->context->model;
    bool *used = ARENA_NEW(&x->memory, model->first_free, bool);
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr guards[MOST_GUARDS];
    size_t n = 0;
    Status status =
        pool ? arena_status(&x->memory, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = local_jumps(x->context, pool, guards, MOST_GUARDS, &n, err);
    for (size_t k = 0; status == OK && k < n && !x->jump; k++) {
        bool moves = false;
        status = expr_used_symbols(pool, &guards[k], 1, used, model->first_free, err);
        for (size_t i = 0; i < model->n; i++)
            moves = moves || used[expr_node(pool, model->q[i]).symbol] ||
                    used[expr_node(pool, model->v[i]).symbol];
        if (status == OK && moves)
            x->jump = analysis_text(x->context, pool, guards[k], "(long)");
    }
    expr_pool_free(pool);
    return status;
}

static const char *floquet_judge(const Floquet *x, const char **ret_reason)
{
    Arena *arena = x->context->arena;
    const Moduli moduli = sort_moduli(x);
    const Eigenvalue *largest = &x->multipliers[0];

    /* what the steps may have passed, the multipliers do not know */
    if (watch_is_blind(&x->watch)) {
        *ret_reason = "The motion may have passed something narrower than a step (a barrier, a "
                      "pulse): nothing tells that there is none, and the multipliers rest on it.";
        return "undecided";
    }
    if (x->jump) {
        *ret_reason =
            arena_printf(arena,
                         "Where %s = 0 L or a constraint jumps, of which the multipliers "
                         "know nothing, and it is not proved that the motion stays beside.",
                         x->jump);
        return "undecided";
    }
    if (!x->repeats) {
        *ret_reason = arena_printf(
            arena,
            "Not proved is that the equations at t + %.9g are those at t: at random states they "
            "differ by no more than %.3g of their size, but time occurs in them otherwise than in "
            "sines and cosines of which that is a period. The multipliers rest on it.",
            x->period, x->repetition.change);
        return "undecided";
    }
    /* off the circle the multipliers decide */
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
    /* on it only the shift along the motion (Andronov, Vitt), or simple ones in pairs, do */
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

static void report_matrix(const Floquet *x, Value *record)
{
    Arena *arena = x->context->arena;
    const size_t d = x->local.d, dim = x->local.dim;

    if (d > MATRIX_MOST)
        return;
    Value *rows = value_add(arena, record, "monodromy", VALUE_LIST);
    for (size_t i = 0; i < d; i++)
        value_add_numbers(arena, rows, NULL, x->told + i * d, d);
    if (d == dim)
        return; /* the basis is that of q, v */
    rows = value_add(arena, record, "basis", VALUE_LIST);
    for (size_t i = 0; i < dim; i++)
        value_add_numbers(arena, rows, NULL, x->basis + i * d, d);
}

static void floquet_report(Floquet *x, Findings *findings)
{
    Arena *arena = findings->arena;
    Value *record = value_add(arena, findings->record, "floquet", VALUE_RECORD);
    const size_t d = x->local.d;
    const char *reason = NULL;
    double trace = 0, re = 1, im = 0;

    /* the product of the multipliers is the determinant, their sum the trace */
    qsort(x->multipliers, d, sizeof *x->multipliers, compare_moduli);
    for (size_t i = 0; i < d; i++) {
        const Eigenvalue *value = &x->multipliers[i];
        const double next = re * value->re - im * value->im;
        im = re * value->im + im * value->re;
        re = next;
        trace += x->monodromy[i * d + i];
    }
    const char *stable = floquet_judge(x, &reason);
    value_add_number(arena, record, "period", x->period);
    value_add_count(arena, record, "dimension", d);
    value_add_bool(arena, record, "linear", x->repetition.linear);
    value_add_bool(arena, record, "autonomous", x->repetition.autonomous);
    value_add_number(arena, record, "return_error", x->return_error);
    value_add_number(arena, record, "matrix_error", x->matrix_error);
    value_add_text(arena, record, "rests_on",
                   "an estimate of the error of the integration, not a bound");
    if (x->correct) {
        value_add_count(arena, record, "corrections", x->corrections);
        local_report_state(arena, value_add(arena, record, "start", VALUE_RECORD),
                           x->context->model, x->start, x->start + x->local.n);
    }
    local_report_eigenvalues(arena, record, "multipliers", x->multipliers, d, true);
    value_add_number(arena, record, "radius", hypot(x->multipliers[0].re, x->multipliers[0].im));
    value_add_number(arena, record, "trace", trace);
    value_add_number(arena, record, "determinant", re);
    report_matrix(x, record);
    watch_report(&x->watch, arena, record);
    value_add_text(arena, record, "stable", stable);
    value_add_text(arena, record, "reason", reason);
}

Status floquet_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                   Findings *findings, Error *err)
{
    Floquet x = {.context = context, .t0 = context->t0};
    Status status = local_init(&x.local, context, run, local_dimension(context), err);

    if (status == OK && x.local.d == 0)
        status = error_set(err, ERR_INVALID, "the constraints leave no deviation");
    if (status == OK && x.local.d > SPECTRUM_MOST_ROWS)
        status = error_set(err, ERR_INVALID, "there are %zu multipliers; at most %d are computed",
                           x.local.d, SPECTRUM_MOST_ROWS);
    if (status == OK)
        status = set_period(&x, options, err);
    if (status == OK)
        status = floquet_allocate(&x, err);
    if (status == OK) {
        memcpy(x.start, context->q0, x.local.n * sizeof *x.start);
        memcpy(x.start + x.local.n, context->v0, x.local.n * sizeof *x.start);
        status = floquet_compute(&x, err);
    }
    if (status == OK)
        status = find_jump(&x, err);
    if (status == OK)
        floquet_report(&x, findings);
    watch_done(&x.watch);
    local_done(&x.local);
    arena_done(&x.memory);
    return status;
}

double floquet_cost(const CostQuestion *question, const char **ret_reason)
{
    const Value *correct = value_member(question->options, "correct");
    const bool corrects = correct && correct->boolean;
    double period = 0;
    Diagnostics ignored;

    diagnostics_init(&ignored, question->arena);
    if (!read_period(question->model, question->params, value_member(question->options, "period"),
                     &ignored, &period))
        return 0;
    *ret_reason = arena_printf(question->arena,
                               "A motion of %.6g units of time, where the job's has %.6g, is "
                               "integrated with %zu columns of its linearisation, and once more "
                               "less accurately%s.",
                               period, question->span, question->dimension,
                               corrects ? ", again after each correction of the start" : "");
    return cost_of_linearising(question) +
           (corrects ? TYPICAL_CORRECTIONS : 1) *
               cost_of_motion(question, period, RTOL, (double)question->dimension) +
           cost_of_motion(question, period, LOOSER * RTOL, (double)question->dimension);
}

static const AnalysisOption OPTIONS[] = {
    {.name = "period",
     .meaning = "an expression in parameters and numbers",
     .kind = OPTION_REQUIRED},
    {.name = "correct",
     .meaning = "whether the start is corrected to one that returns",
     .kind = OPTION_FLAG,
     .otherwise = 0},
    {.name = NULL}};

const Analysis analysis_floquet = {.name = "floquet",
                                   .meaning = "Do deviations from a periodic motion grow?",
                                   .options = OPTIONS,
                                   .check = floquet_check};
