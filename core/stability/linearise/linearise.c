/* The linearised equations at a state, in independent coordinates and velocities: about an
 * equilibrium, a relative equilibrium or any motion.
 *
 * With the exact derivative J of the rates, X the lifted generator of a relative equilibrium (else
 * 0) and deviations (dq, dv) = T (s, u), see reduced.h:
 *
 *     d/dt (s, u) = A (s, u),   A = the rows of s and u of (J - D X) T,
 *     M u' + C u + K s = 0,     M = N^T L_vv N,   (K C) = - M (the rows of u of A). */
#include <math.h>
#include <string.h>

#include "core/analyses/analyses.h"
#include "core/base/accuracy.h"
#include "core/linear/reduced.h"
#include "core/model/residuals.h"
#include "core/numeric/vectors.h"
#include "core/simulate.h"
#include "core/stability/find/search.h"
#include "core/stability/linearise/linear.h"

/* Operations for an eigenvector, relative to d^3 (no unit). An estimate that changes no result. */
static const double EIGENVECTOR_OPERATIONS = 6;

typedef struct Linearise {
    const AnalysisContext *context;
    EquilibriumSearch search;
    double *q, *v;             /* n each, one state: where it is linearised */
    double *jacobian, *error;  /* 2 n x 2 n: J - D X, and how wrong its entries may be */
    double *M, *C, *K, *A, *E; /* reduced; E: how wrong the entries of A may be */
    Eigenvalue *values;        /* d */
    Reduced reduced;
    Value *record;
    Arena memory; /* owns the arrays */
} Linearise;

static Status linearise_check(const Model *model, ExprPool *pool, const Value *options,
                              Diagnostics *diag, Error *err)
{
    const Value *at = value_member(options, "at"), *near = value_member(options, "near");
    const size_t before = diag->total;
    double *state = arena_doubles(diag->arena, 2 * model->n);
    if (!state)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    (void)pool;
    if (at && near)
        diagnostics_add(
            diag, near->pointer, -1, "leave one of them out",
            "linearise is \"at\" a state or about an equilibrium \"near\" one, not both");
    if (model->n > LINEARISE_MAX_COORDINATES)
        diagnostics_add(diag, options->pointer, -1, NULL,
                        "linearise takes models of at most %d coordinates, this one has %zu",
                        LINEARISE_MAX_COORDINATES, model->n);
    /* read for their mistakes only: the values are read again by the analysis */
    if (at)
        state_option_read(model, at, state, state + model->n, diag);
    if (near)
        state_option_read(model, near, state, state + model->n, diag);
    return diag->total == before ? OK : error_set(err, ERR_INVALID, "wrong options of linearise");
}

/* J at a corner of the equations: see branches_agree(). */
static Status take_branches(Linearise *x, Error *err)
{
    Branches *branches = &x->search.branches;
    Status status = branches_init(branches, &x->search.local, x->context, &x->memory, err);

    if (status == OK) {
        branches_choose(branches, x->q);
        status = branches_agree(branches, x->q, false, err);
    }
    if (status == OK)
        memcpy(x->jacobian, branches->here,
               x->search.local.dim * x->search.local.dim * sizeof *x->jacobian);
    return status;
}

/* J at the given state, which is projected onto the constraints to rounding. */
static Status take_state(Linearise *x, const Value *at, Error *err)
{
    const AnalysisContext *context = x->context;
    const Model *model = context->model;
    const size_t n = model->n, dim = 2 * n;
    double dq, dv;
    Diagnostics ignored;
    Status status = OK;

    diagnostics_init(&ignored, context->arena);
    /* the projection removes a residual within RESIDUAL_ADMISSIBLE */
    if (at)
        state_option_read(model, at, x->q, x->v, &ignored);
    const ModelPoint point = model_point(context->eval, context->t0, x->q, x->v);
    for (size_t a = 0; a < model->r; a++)
        if (!(point_position_residual(&point, a) <= RESIDUAL_ADMISSIBLE) ||
            !(point_velocity_residual(&point, a) <= RESIDUAL_ADMISSIBLE))
            return error_set(err, ERR_INVALID,
                             "the state to linearise at violates the constraint %s: its residual "
                             "is %.3g in positions, %.3g in velocities. What is left out of \"at\" "
                             "is that of the job's start",
                             model->constraints[a].name, point.f[a], point.phi[a]);
    status = model_project(context->eval, context->t0, x->q, x->v, context->rows, context->n_rows,
                           &dq, &dv, err);
    if (status != OK)
        return status;
    status = take_branches(x, err);
    for (size_t k = 0; k < dim * dim; k++)
        x->error[k] = ACCURACY_COMPUTED * fabs(x->jacobian[k]);
    value_add_text(context->arena, x->record, "kind", "state");
    local_report_state(context->arena, x->record, model, x->q, x->v);
    return status;
}

/* Whether the option itself contains a velocity. */
static bool asks_for_motion(const Value *near)
{
    const Value *v = value_member(near, "v");
    bool moves = false;

    for (const Value *one = v ? v->first : NULL; one; one = one->next)
        moves = moves || one->number != 0;
    return moves;
}

/* The equilibrium near the state: along the symmetries, if any, if the state moves. */
static Status take_equilibrium(Linearise *x, const Value *near, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->search.local.n, d = x->search.local.d;
    const char *reason = NULL;
    Diagnostics ignored;
    Equilibrium found;
    bool success = false;
    double *matrix = arena_doubles(&x->memory, d * d), *error = arena_doubles(&x->memory, d * d);
    Status status = arena_status(&x->memory, err);

    if (status != OK)
        return status;
    diagnostics_init(&ignored, context->arena);
    state_option_read(context->model, near, x->q, x->v, &ignored);
    if (x->search.s == 0 && asks_for_motion(near))
        return error_set(err, ERR_INVALID, "%s", EQUILIBRIUM_NO_SYMMETRY);
    const bool at_rest = x->search.s == 0 || vector_largest(x->v, n) == 0;
    status = at_rest ? equilibrium_search_near(&x->search, x->q, true, &found, &success, err)
                     : equilibrium_search_either(&x->search, x->q, &found, &success, err);
    if (status == OK && !equilibrium_search_success(&found, success, context->arena, &reason))
        status = error_set(err, ERR_NOT_FOUND, "no %sequilibrium to linearise about: %s",
                           at_rest ? "" : "relative ", reason);
    if (status == OK)
        status =
            branches_agree(&x->search.branches, found.q, false, err); /* q and v are one state */
    if (status == OK)
        status = equilibrium_linearise(&found, matrix, error, err);
    if (status == OK) {
        memcpy(x->q, found.q, 2 * n * sizeof *x->q);
        memcpy(x->jacobian, found.jacobian, 4 * n * n * sizeof *x->jacobian);
        memcpy(x->error, found.jacobian_error, 4 * n * n * sizeof *x->error);
        value_add_text(context->arena, x->record, "kind",
                       found.s ? "relative equilibrium" : "equilibrium");
        equilibrium_report(&x->search, &found, context->arena, x->record);
        value_add_number(context->arena, x->record, "residual", found.residual);
    }
    equilibrium_done(&found);
    return status;
}

/* A condition's value, the size of its terms, and its change if coordinates and velocities
 * change by ACCURACY_COMPARED of their sizes. */
static void guard_terms(const Linearise *x, ExprPool *pool, Expr guard, Expr *ret)
{
    const Model *model = x->context->model;
    const StateRange *range = &x->context->range;

    ret[0] = guard;
    ret[1] = expr_residual_scale(pool, guard);
    ret[2] = expr_const(pool, 0);
    for (size_t i = 0; i < 2 * model->n; i++) {
        const bool place = i < model->n;
        const Expr by = place ? model->sym.q[i] : model->sym.v[i - model->n];
        const double size = place ? range->size[i] : range->speed[i - model->n];
        ret[2] = expr_add(pool, ret[2],
                          expr_scale(pool, size, expr_abs(pool, expr_diff(pool, guard, by))));
    }
}

/* Refuses states at a jump: a jump of L or of a constraint does not show in the derivatives. */
static Status refuse_jump(Linearise *x, Error *err)
{
    AnalysisContext own = *x->context;
    const AnalysisContext *context = &own;
    const size_t n = own.model->n;
    Expr guards[LOCAL_MOST_GUARDS], terms[3 * LOCAL_MOST_GUARDS];
    double values[3 * LOCAL_MOST_GUARDS], *zeros = arena_doubles(&x->memory, n + context->model->r);
    size_t n_guards = 0;
    Status status = arena_status(&x->memory, err);

    own.pool = NULL;
    if (status == OK)
        status = analysis_clone_pool(&own, err);
    /* guards at which something may jump: value at the state, size of the terms, change nearby */
    if (status == OK)
        status = local_jumps(context, own.pool, guards, &n_guards, err);
    for (size_t k = 0; status == OK && k < n_guards; k++)
        guard_terms(x, own.pool, guards[k], terms + 3 * k);
    const Trajectory here = {
        .n_states = 1, .t = &context->t0, .q = x->q, .v = x->v, .vdot = zeros, .lambda = zeros + n};
    if (status == OK && n_guards)
        status = analysis_evaluate(context, terms, 3 * n_guards, &here, values, err);
    for (size_t k = 0; status == OK && k < n_guards; k++) {
        const double *value = values + 3 * k;
        /* within this of its zero set the side of a condition is not known */
        if (!(fabs(value[0]) > ACCURACY_HALF * value[1] + ACCURACY_COMPARED * value[2]))
            status =
                error_set(err, ERR_INVALID,
                          "the state lies where %s = 0, or too near to tell on which side, and "
                          "L or a constraint jumps there, or may: derivatives do not see a "
                          "jump",
                          analysis_text(context, guards[k], "(long)"));
    }
    expr_pool_free(own.pool);
    return status;
}

/* A, and with the mass matrix M, C and K. */
static Status reduce(Linearise *x, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t d = x->search.local.d;
    const MotionOptions options = {.rows = context->rows, .n_rows = context->n_rows};
    const MotionQuestion at = {.model = context->model,
                               .eval = context->eval,
                               .params = context->params,
                               .t = context->t0,
                               .q = x->q,
                               .v = x->v,
                               .options = &options};
    Reduced *r = &x->reduced;

    Status status = reduced_coordinates(&at, x->search.local.space, &x->memory, r, err);
    if (status != OK)
        return status;
    x->M = arena_doubles(&x->memory, r->n_u * r->n_u);
    x->C = arena_doubles(&x->memory, r->n_u * r->n_u);
    x->K = arena_doubles(&x->memory, r->n_u * r->n_s);
    x->A = arena_doubles(&x->memory, d * d);
    x->E = arena_doubles(&x->memory, d * d);
    x->values = ARENA_NEW(&x->memory, d, Eigenvalue);
    status = arena_status(&x->memory, err);
    if (status != OK)
        return status;
    /* C and K are -M times the rows of the velocities' rates */
    reduced_matrix(r, x->jacobian, false, x->A);
    reduced_matrix(r, x->error, true, x->E);
    reduced_mass(r, model_point(context->eval, context->t0, x->q, x->v).M, x->M);
    for (size_t i = 0; i < r->n_u; i++)
        for (size_t k = 0; k < r->n_u; k++) {
            const double mass = x->M[i * r->n_u + k], *rates = x->A + (r->n_s + k) * d;
            for (size_t j = 0; j < r->n_s; j++)
                x->K[i * r->n_s + j] -= mass * rates[j];
            for (size_t j = 0; j < r->n_u; j++)
                x->C[i * r->n_u + j] -= mass * rates[r->n_s + j];
        }
    return spectrum_discs(x->A, x->E, d, x->values, err);
}

static void report_matrix(Linearise *x, const char *name, const double *matrix, size_t rows,
                          size_t columns)
{
    Value *list = value_add(x->context->arena, x->record, name, VALUE_LIST);

    for (size_t i = 0; i < rows; i++)
        value_add_numbers(x->context->arena, list, NULL, matrix + i * columns, columns);
}

static void report_names(Linearise *x, const char *name, const size_t *coordinates, size_t n)
{
    Value *list = value_add(x->context->arena, x->record, name, VALUE_LIST);

    for (size_t k = 0; k < n; k++)
        value_add_text(x->context->arena, list, NULL,
                       x->context->model->names.coordinates[coordinates[k]]);
}

/* Normalizes dq[n] and, behind it, its imaginary part by the largest entry, which becomes 1. Of
 * entries that differ only by rounding, the first one is taken. */
static void normalise(double *dq, size_t n)
{
    double *im = dq + n, largest = 0;
    size_t first = 0;

    for (size_t i = 0; i < n; i++)
        if (hypot(dq[i], im[i]) > largest * (1 + ACCURACY_COMPARED)) {
            largest = hypot(dq[i], im[i]);
            first = i;
        }
    if (!(largest > 0))
        return;
    /* divide by it as a complex number */
    const double c = dq[first] / largest, s = im[first] / largest;
    for (size_t i = 0; i < n; i++) {
        const double re = dq[i] / largest;
        dq[i] = re * c + im[i] / largest * s;
        im[i] = im[i] / largest * c - re * s;
    }
    dq[first] = 1;
    im[first] = 0;
}

/* dq = T (s, u) of an eigenvector (s, u). */
static void report_vector(Linearise *x, Value *list, const double *re, const double *im)
{
    const size_t n = x->reduced.n, d = x->search.local.d;
    Arena *arena = x->context->arena;
    double *dq = x->error; /* which has served */

    memset(dq, 0, 2 * n * sizeof *dq);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d; k++) {
            dq[i] += x->reduced.T[i * d + k] * re[k];
            dq[n + i] += x->reduced.T[i * d + k] * im[k];
        }
    normalise(dq, n);
    Value *vector = value_add(arena, list, NULL, VALUE_RECORD);
    value_add_numbers(arena, vector, "re", dq, n);
    value_add_numbers(arena, vector, "im", dq + n, n);
}

static bool is_conjugate(const Eigenvalue *a, const Eigenvalue *b)
{
    return a->im > 0 && a->re == b->re && a->im == -b->im;
}

static Status report_spectrum(Linearise *x, Error *err)
{
    const size_t d = x->search.local.d;
    Arena *arena = x->context->arena;
    double *re = arena_doubles(&x->memory, d), *im = arena_doubles(&x->memory, d);
    Status status = arena_status(&x->memory, err);
    Value *list;

    if (status != OK)
        return status;
    list = value_add(arena, x->record, "eigenvalues", VALUE_LIST);
    for (size_t i = 0; i < d; i++) {
        Value *value = value_add(arena, list, NULL, VALUE_RECORD);
        value_add_number(arena, value, "re", x->values[i].re);
        value_add_number(arena, value, "im", x->values[i].im);
        value_add_number(arena, value, "radius", x->values[i].radius);
    }
    /* the second of a conjugate pair has the conjugate vector */
    list = value_add(arena, x->record, "eigenvectors", VALUE_LIST);
    for (size_t i = 0; status == OK && i < d; i++) {
        if (i > 0 && is_conjugate(&x->values[i - 1], &x->values[i]))
            for (size_t k = 0; k < d; k++)
                im[k] = -im[k];
        else
            status = spectrum_vector(x->A, d, &x->values[i], i, re, im, err);
        if (status == OK)
            report_vector(x, list, re, im);
        if (status == OK)
            status = analysis_poll(x->context, err);
    }
    return status;
}

static Status report(Linearise *x, Error *err)
{
    const Reduced *r = &x->reduced;

    report_names(x, "coordinates", r->positions, r->n_s);
    report_names(x, "velocities", r->velocities, r->n_u);
    report_matrix(x, "M", x->M, r->n_u, r->n_u);
    report_matrix(x, "C", x->C, r->n_u, r->n_u);
    report_matrix(x, "K", x->K, r->n_u, r->n_s);
    report_matrix(x, "A", x->A, r->n_s + r->n_u, r->n_s + r->n_u);
    return report_spectrum(x, err);
}

Status linearise_run(const AnalysisContext *context, const AnalysedRun *run, const Value *options,
                     Findings *findings, Error *err)
{
    const Value *near = value_member(options, "near");
    const size_t n = context->model->n;
    Linearise x = {.context = context, .record = value_new_record(context->arena)};

    /* allocate; by default linearise at the start of the job */
    x.q = arena_doubles(&x.memory, 2 * n); /* q and v are one state */
    x.v = x.q + n;
    x.jacobian = arena_doubles(&x.memory, 4 * n * n);
    x.error = arena_doubles(&x.memory, 4 * n * n);
    Status status = arena_status(&x.memory, err);
    if (status == OK && near)
        status = equilibrium_search_init(&x.search, context, run, err);
    x.search.local.at_place = !near;
    if (status == OK && !near)
        status = local_init(&x.search.local, context, run, 2 * n, err);
    if (status == OK) {
        memcpy(x.q, context->q0, n * sizeof *x.q);
        memcpy(x.v, context->v0, n * sizeof *x.v);
        value_add_number(context->arena, x.record, "t", context->t0);
        status = near ? take_equilibrium(&x, near, err)
                      : take_state(&x, value_member(options, "at"), err);
    }
    if (status == OK)
        status = refuse_jump(&x, err);
    if (status == OK)
        status = reduce(&x, err);
    if (status == OK)
        status = report(&x, err);
    if (status == OK)
        record_publish(findings->arena, findings->record, "linearise", x.record);
    equilibrium_search_done(&x.search);
    arena_done(&x.memory);
    return status;
}

double linearise_cost(const CostQuestion *question, const char **ret_reason)
{
    const double d = (double)question->dimension;
    const bool searches = value_member(question->options, "near") != NULL;

    *ret_reason = arena_printf(question->arena,
                               "%sthe linearised equations are derived, and each of %zu "
                               "eigenvectors is a system of up to %zu equations.",
                               searches ? "An equilibrium is looked for, then " : "First ",
                               question->dimension, 2 * question->dimension);
    return cost_of_linearising(question) + (searches ? cost_of_equilibrium(question) : 0) +
           EIGENVECTOR_OPERATIONS * d * d * d * d;
}

static const AnalysisOption OPTIONS[] = {
    {.name = "at", .meaning = "a state {q, v}; left out, as near is: the start of the job"},
    {.name = "near", .meaning = "a state {q, v} near an equilibrium, which is looked for"},
    {.name = NULL}};

const Analysis analysis_linearise = {.name = "linearise",
                                     .meaning = "The linear equations of small deviations from an "
                                                "equilibrium, a relative one or any state.",
                                     .options = OPTIONS,
                                     .check = linearise_check};
