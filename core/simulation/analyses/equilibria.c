/* Equilibria near a state, relative equilibria along the model's symmetries, and what becomes of
 * small deviations from them: by discs around the eigenvalues of the linearisation on the constraint
 * manifold (A. M. Lyapunov's first method; for families of equilibria, I. G. Malkin, Theory of
 * Stability of Motion, 1952), and by the energy (see equilibrium_proofs.h). */
#include <math.h>
#include <string.h>

#include "core/simulation/analyses/analyses.h"
#include "core/simulation/analyses/equilibrium_proofs.h"

enum { MOST_NEAR = 20 };
/* What the linearisation is known to at least, of its Frobenius norm, where solutions meet. */
static const double MEETING_ERROR = 1e-11;
/* Of its terms, by which a symmetry may fail to be one. */
static const double SYMMETRIC = 1e-9;
/* Speed, of that near which it was looked, that is none: it led to rest. */
static const double AT_REST = 1e-3;

typedef struct Equilibria {
    const AnalysisContext *context;
    Local local;
    size_t *fields; /* s of model->symmetries that are symmetries of the motion */
    size_t s;
    Drift drift;        /* along all of them */
    Eigenvalue *values; /* d */
    double *matrix;     /* d x d */
    double *error;      /* d x d: of its entries */
    double *near;       /* 2 n: where to look */
    Value *list;
    Arena memory; /* owns the arrays */
} Equilibria;

static void read_state(const Model *model, const Value *part, const char *what, double *ret,
                       Diagnostics *diag)
{
    if (!part)
        return;
    if (part->kind != VALUE_RECORD) {
        diagnostics_add(diag, part->pointer, -1, NULL, "\"%s\" is an object of numbers by name",
                        what);
        return;
    }
    for (const Value *value = part->first; value; value = value->next) {
        size_t i = 0;
        while (i < model->n && strcmp(model->coordinate_names[i], value->name) != 0)
            i++;
        if (i == model->n)
            diagnostics_add(diag, value->pointer, -1, NULL, "unknown coordinate \"%.80s\"",
                            value->name);
        else if (value->kind != VALUE_NUMBER || !isfinite(value->number))
            diagnostics_add(diag, value->pointer, -1, NULL, "%.80s must be a number", value->name);
        else
            ret[i] = value->number;
    }
}

/* Over what is in q and v. */
static void read_near(const Model *model, const Value *near, double *q, double *v,
                      Diagnostics *diag)
{
    if (near->kind != VALUE_RECORD) {
        diagnostics_add(diag, near->pointer, -1, "for example {\"q\": {\"x\": 1}}",
                        "a state to look near is an object with \"q\" and \"v\"");
        return;
    }
    for (const Value *part = near->first; part; part = part->next)
        if (strcmp(part->name, "q") != 0 && strcmp(part->name, "v") != 0)
            diagnostics_add(diag, part->pointer, -1, "put coordinates under \"q\"",
                            "a state to look near has \"q\" and \"v\", no \"%.80s\"", part->name);
    read_state(model, value_member(near, "q"), "q", q, diag);
    read_state(model, value_member(near, "v"), "v", v, diag);
}

/* The k-th state to look near: of a list, or the one given; NULL past the end. */
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

static Status equilibria_check(const Model *model, const Value *options, Diagnostics *diag,
                               Error *err)
{
    const Value *near = value_member(options, "near");
    const size_t before = diag->total;
    double *state = arena_doubles(diag->arena, 2 * model->n);
    if (!state)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    if (near && near->kind == VALUE_LIST && value_count(near) > MOST_NEAR)
        diagnostics_add(diag, near->pointer, -1, NULL,
                        "there may be at most %d states to look near", MOST_NEAR);
    for (size_t k = 0; k < MOST_NEAR && nth_near(options, k); k++)
        read_near(model, nth_near(options, k), state, state + model->n, diag);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of equilibria");
}

/* How far a generator is from carrying motions into motions at a state: its lift X = (u, u_q v) is
 * tangent to the constraints, and commutes with the equations of motion. Relative. */
static Status asymmetry(Equilibria *x, Drift *drift, size_t k, double *work, double *ret,
                        Error *err)
{
    const Trajectory *states = x->context->states;
    const size_t n = x->local.n, n_roots = x->local.dim - x->local.d;
    const double t = states->t[k], *q = states->q + k * n, *v = states->v + k * n, c = 1;
    double *lift = work, *state = lift + 2 * n, *rates = state + 2 * n, *along = rates + 2 * n;
    double *commuted = along + 2 * n, *roots = commuted + 2 * n, size = 1e-300, off = 0;
    const DirectionRows forward[] = {{rates, 2 * n}, {NULL, 1}};
    const double *w, *u = drift_velocity(drift, q, v, &c, &w);

    memcpy(lift, u, n * sizeof *lift);
    memcpy(lift + n, w, n * sizeof *lift);
    memcpy(state, q, n * sizeof *state);
    memcpy(state + n, v, n * sizeof *state);
    /* the bracket of the lift with the rates: D(rates) X - D(X) rates */
    linearised_state_rates(x->local.linearised, t, state, rates);
    linearised_along(x->local.linearised, t, state, lift, 1, along);
    drift_along(drift, q, v, &c, forward, 2, 1, commuted);
    for (size_t i = 0; i < 2 * n; i++) {
        off = fmax(off, fabs(along[i] - commuted[i]));
        size = fmax(size, fmax(fabs(along[i]), fabs(commuted[i])));
        size = fmax(size, fmax(fabs(lift[i]), fabs(rates[i])));
    }
    Status status = tangent_space_along(x->local.space, t, q, v, lift, 1, roots, err);
    for (size_t k_root = 0; status == OK && k_root < n_roots; k_root++)
        off = fmax(off, fabs(roots[k_root]));
    *ret = off / size;
    return status;
}

static Status is_symmetry(Equilibria *x, size_t field, bool *ret, Error *err)
{
    const size_t n = x->local.n, n_states = x->context->states->n_states;
    const ArenaMark mark = arena_mark(&x->memory);
    double *work = arena_doubles(&x->memory, 10 * n + x->local.dim - x->local.d), worst = 0;
    Drift drift = {0};
    Status status = arena_status(&x->memory, err);

    if (status == OK)
        status = drift_init(&drift, x->context->model, x->context->params, &field, 1, 1, err);

    for (size_t k = 0; status == OK && k < n_states; k++) {
        double here = 0;
        status = asymmetry(x, &drift, k, work, &here, err);
        worst = isnan(here) ? worst : fmax(worst, here);
    }
    *ret = n_states > 0 && worst <= SYMMETRIC;
    drift_done(&drift);
    arena_release(&x->memory, mark);
    return status;
}

static bool depends_on_time(const Model *model, const ModelField *field)
{
    bool used[1] = {false}; /* time is symbol 0 */

    return expr_used_symbols(model->pool, field->components, model->n, used, 1, NULL) != OK ||
           used[0];
}

static Status choose_fields(Equilibria *x, Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    for (size_t k = 0; status == OK && k < model->n_symmetries; k++) {
        bool ok = false;
        if (depends_on_time(model, &model->symmetries[k]))
            continue;
        status = is_symmetry(x, k, &ok, err);
        if (status == OK && ok)
            x->fields[x->s++] = k;
    }
    return status;
}

typedef struct Signs {
    size_t zero, growing, decaying, neutral;
} Signs;

/* A cluster counts as growing or decaying where all of its discs do. */
static Signs sort_eigenvalues(const Equilibria *x)
{
    Signs signs = {0};

    for (size_t i = 0; i < x->local.d; i++) {
        const Eigenvalue *value = &x->values[i];
        double least = INFINITY, most = -INFINITY;
        for (size_t j = 0; j < x->local.d; j++) {
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
    if (found->family == 0)
        return "All eigenvalues have negative real parts: small deviations die out (Lyapunov's "
               "first method).";
    return arena_printf(x->context->arena,
                        "All eigenvalues have negative real parts but %zu zeros, which belong to "
                        "the family of %sequilibria around it: motions nearby %s (Lyapunov's and "
                        "Malkin's theorem).",
                        found->family, relative ? "relative " : "",
                        relative ? "approach the family" : "come to rest on the family");
}

static const char *undecided_by_eigenvalues(const Equilibria *x, const Equilibrium *found,
                                            Signs signs, bool family)
{
    Arena *arena = x->context->arena;

    if (found->family && !family)
        return arena_printf(arena,
                            "No eigenvalue is shown to have a positive real part, and the "
                            "conditions do not change, to first order, along %zu directions, which "
                            "are not shown to lead to a family of %sequilibria: the linearisation "
                            "does not decide.",
                            found->family, found->s ? "relative " : "");
    return arena_printf(arena,
                        "No eigenvalue is shown to have a positive real part; on the imaginary "
                        "axis, or not separated from it by the bounds, there are %zu beside %zu "
                        "zeros, of which the family of %sequilibria around it explains %zu: the "
                        "linearisation does not decide.",
                        signs.neutral, signs.zero, found->s ? "relative " : "", found->family);
}

static const char *equilibria_judge(const Equilibria *x, const Equilibrium *found, bool family,
                                    bool minimum, const char **ret_reason)
{
    const Signs signs = sort_eigenvalues(x);

    if (signs.growing) {
        *ret_reason = arena_printf(x->context->arena,
                                   "The largest real part of an eigenvalue is %.9g: small "
                                   "deviations grow.",
                                   x->values[0].re);
        return "no";
    }
    if (family && signs.decaying + found->family == x->local.d) {
        *ret_reason = stable_by_eigenvalues(x, found, found->s > 0);
        return "yes";
    }
    if (minimum) {
        *ret_reason = "The energy has a strict minimum there (its second derivatives along the "
                      "constraints are positive definite), and no force adds to it: small "
                      "deviations stay small (the theorem of Lagrange and Dirichlet).";
        return "yes";
    }
    *ret_reason = undecided_by_eigenvalues(x, found, signs, family);
    return "undecided";
}

static void report_place(const Equilibria *x, const Equilibrium *found, Value *record)
{
    Arena *arena = x->context->arena;
    const Model *model = x->context->model;

    local_report_state(arena, record, model, found->q, found->v);
    if (found->s == 0)
        return;
    Value *along = value_add(arena, record, "along", VALUE_RECORD);
    for (size_t a = 0; a < found->s; a++)
        value_add_number(arena, along, model->symmetries[x->fields[a]].name, found->c[a]);
}

/* Where solutions meet, or may, the state is known to the root of the residual. */
static void blur(Equilibria *x, const Equilibrium *found)
{
    const size_t size = x->local.d * x->local.d;
    double norm = 0;

    for (size_t k = 0; k < size; k++)
        norm = hypot(norm, x->matrix[k]);
    norm *= fmax(MEETING_ERROR, sqrt(found->residual / found->scale));
    for (size_t k = 0; k < size; k++)
        x->error[k] += norm;
}

/* The eigenvalues, and what they say. */
static Status report_linearisation(Equilibria *x, Equilibrium *found, Value *record, Error *err)
{
    Arena *arena = x->context->arena;
    const size_t d = x->local.d;
    const char *reason = NULL;
    bool family = false, minimum = false;

    Status status = equilibrium_linearise(found, x->matrix, x->error, err);
    if (status == OK)
        status = equilibrium_family_proven(found, x->fields, &family, err);
    if (status == OK && !family)
        blur(x, found);
    if (status == OK)
        status = spectrum_discs(x->matrix, x->error, d, x->values, err);
    if (status == OK)
        status = equilibrium_minimum(found, &minimum, err);
    if (status != OK)
        return status;
    const Signs signs = sort_eigenvalues(x);
    const char *stable = equilibria_judge(x, found, family, minimum, &reason);
    if (!found->steady) {
        stable = "undecided";
        reason = "The linearisation depends on time: its eigenvalues, here those at the start, do "
                 "not decide (floquet does, if it is periodic).";
    }
    local_report_eigenvalues(arena, record, "eigenvalues", x->values, d, false);
    value_add_count(arena, record, "zero_eigenvalues", signs.zero);
    value_add_count(arena, record, "expected_zero_eigenvalues", found->same);
    value_add_text(arena, record, "stable", stable);
    value_add_text(arena, record, "reason", reason);
    return OK;
}

static Status report_found(Equilibria *x, Equilibrium *found, Value *record, Error *err)
{
    Arena *arena = x->context->arena;
    Error own = {0};

    report_place(x, found, record);
    value_add_number(arena, record, "residual", found->residual / found->scale);
    value_add_count(arena, record, "dimension", x->local.d);
    value_add_count(arena, record, "family", found->family);
    Status status = report_linearisation(x, found, record, &own);
    if (status == ERR_NUMERIC) { /* for example, the constraints lose rank at rest */
        value_add_text(arena, record, "stable", "undecided");
        value_add_text(arena, record, "reason", own.message);
        return OK;
    }
    return status == OK ? OK : error_set(err, status, "%s", own.message);
}

static double equilibria_size(const double *values, size_t n)
{
    double result = 0;

    for (size_t i = 0; i < n; i++)
        result = fmax(result, fabs(values[i]));
    return result;
}

static const char *not_found_reason(const Equilibria *x, const Equilibrium *equilibrium)
{
    if (!isfinite(equilibrium->residual))
        return "The equations of motion are not finite there.";
    return arena_printf(x->context->arena,
                        "None was found near the given state: the conditions were left with %.3g "
                        "of their size.",
                        equilibrium->residual / equilibrium->scale);
}

static Status report_look(Equilibria *x, Equilibrium *equilibrium, bool found, Error *err)
{
    Arena *arena = x->context->arena;
    Value *record = value_add(arena, x->list, NULL, VALUE_RECORD);

    value_add_text(arena, record, "kind",
                   equilibrium->s == 0 ? "equilibrium" : "relative equilibrium");
    value_add_bool(arena, record, "found", found && equilibrium->lasting);
    if (found && equilibrium->lasting)
        return report_found(x, equilibrium, record, err);
    value_add_text(arena, record, "reason",
                   found ? "The conditions hold at the start only: forces or constraints depend "
                           "on time."
                         : not_found_reason(x, equilibrium));
    return OK;
}

/* Looks near x->near, at rest or along the symmetries. */
static Status equilibria_look(Equilibria *x, bool at_rest, Error *err)
{
    const size_t n = x->local.n;
    Equilibrium equilibrium;
    Error own = {0};
    bool found = false;
    Status status =
        equilibrium_init(&equilibrium, x->context, &x->local, at_rest ? NULL : &x->drift, &own);

    if (status == OK) {
        memcpy(equilibrium.q, x->near, n * sizeof *x->near);
        memcpy(equilibrium.v, x->near + n, n * sizeof *x->near);
        status = equilibrium_find(&equilibrium, &found, &own);
    }
    if (status == ERR_NUMERIC) {
        found = false;
        equilibrium.residual = INFINITY;
        status = OK;
    }
    if (status != OK)
        error_set(err, status, "%s", own.message);
    else if (at_rest || !found ||
             equilibria_size(equilibrium.v, n) > AT_REST * equilibria_size(x->near + n, n))
        status = report_look(x, &equilibrium, found, err);
    equilibrium_done(&equilibrium);
    return status;
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
        read_near(model, near, x->near, x->near + n, &ignored);
    Status status = equilibria_look(x, true, err);
    if (status == OK && x->s && equilibria_size(x->near + n, n) > 0)
        status = equilibria_look(x, false, err);
    return status;
}

Status equilibria_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                      Findings *findings, Error *err)
{
    const Model *model = context->model;
    const size_t d = local_dimension(context);
    Equilibria x = {.context = context};

    /* the local problem, and the symmetries whose orbits may be relative equilibria */
    x.fields = arena_sizes(&x.memory, model->n_symmetries);
    x.values = ARENA_NEW(&x.memory, d, Eigenvalue);
    x.matrix = arena_doubles(&x.memory, d * d);
    x.error = arena_doubles(&x.memory, d * d);
    x.near = arena_doubles(&x.memory, 2 * model->n);
    Status status = arena_status(&x.memory, err);
    if (status == OK)
        status = local_init(&x.local, context, run, 2 * model->n, err);
    if (status == OK)
        status = choose_fields(&x, err);
    if (status == OK && x.s)
        status = drift_init(&x.drift, model, context->params, x.fields, x.s, 2 * model->n, err);
    if (status == OK)
        x.list = value_new_list(context->arena);
    /* one search from each place that is asked for, or from the start of the run */
    for (size_t k = 0; status == OK && k < MOST_NEAR && (k == 0 || nth_near(options, k)); k++)
        status = look_near(&x, nth_near(options, k), err);
    if (status == OK) {
        Value *list = value_add(findings->arena, findings->record, "equilibria", VALUE_LIST);
        if (list && x.list) {
            list->first = x.list->first;
            list->last = x.list->last;
        }
    }
    drift_done(&x.drift);
    local_done(&x.local);
    arena_done(&x.memory);
    return status;
}

static const char *const OPTIONS[] = {"near", NULL};

const Analysis analysis_equilibria = {
    .name = "equilibria", .options = OPTIONS, .check = equilibria_check};
