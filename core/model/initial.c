/* Positions come first, then velocities at these positions. Contradictions between constraints are
 * looked for at states that satisfy the independent ones. So they are not confused with a wrong
 * initial value. */
#include "core/model/initial.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/base/number.h"
#include "core/model/nearest.h"
#include "core/model/project.h"
#include "core/model/regularity.h"
#include "core/model/residuals.h"
#include "core/numeric/vectors.h"

/* Allocates the work space, or clears it for another state. */
static Status initial_room(ModelEval *eval, size_t size, Error *err)
{
    if (eval->initial) {
        memset(eval->initial, 0, size * sizeof *eval->initial);
        return OK;
    }
    eval->initial_rows = arena_sizes(&eval->arena, 3 * eval->model->r);
    eval->initial = arena_doubles(&eval->arena, size);
    return arena_status(&eval->arena, err);
}

static Status initial_begin(Initial *s, ModelEval *eval, InitialState *state, Diagnostics *diag,
                            Error *err)
{
    const size_t n = eval->model->n, r = eval->model->r;
    const Status status = initial_room(eval, 3 * n + 3 * r, err);

    if (status != OK)
        return status;
    size_t *const rows = eval->initial_rows;
    *s = (Initial){
        .eval = eval,
        .model = eval->model,
        .state = state,
        .diag = diag,
        .mistakes_before = diag->total,
        .slopes = rows,
        .positions = {.independent = rows + r},
        .rank = {.independent = rows + 2 * r, .rank_only = true},
    };
    /* parts of one work space: n numbers each, then r each */
    s->given_q = eval->initial;
    s->given_v = s->given_q + n;
    s->direction = s->given_v + n;
    s->residuals = s->direction + n;
    s->relative = s->residuals + r;
    s->coefs = s->relative + r;
    memcpy(s->given_q, state->q, n * sizeof *s->given_q);
    memcpy(s->given_v, state->v, n * sizeof *s->given_v);
    return OK;
}

/* Allocates the matrices for corrections of positions, if any coordinate is held. */
static Status begin_held(Initial *s, Error *err)
{
    ModelEval *eval = s->eval;
    const size_t n = s->model->n;

    if (!s->state->held)
        return OK;
    if (!eval->held_M)
        eval->held_M = arena_doubles(&eval->arena, n * n + s->model->r * n);
    s->held_A = eval->held_M ? eval->held_M + n * n : NULL;
    return arena_status(&eval->arena, err);
}

static bool is_faultless(const Initial *s)
{
    return s->diag->total == s->mistakes_before;
}

ModelPoint initial_point(const Initial *s)
{
    return model_point(s->eval, s->state->t, s->state->q, s->state->v);
}

bool initial_is_independent(const ConstraintRank *rank, size_t a)
{
    for (size_t k = 0; k < rank->rank; k++)
        if (rank->independent[k] == a)
            return true;
    return false;
}

static double point_residual(const ModelPoint *point, bool positions, size_t a)
{
    return positions ? point_position_residual(point, a) : point_velocity_residual(point, a);
}

/* A hint: the one velocity whose change would repair constraint a, with the value it needs. */
static void print_hint(const Initial *s, bool positions, size_t a, double slope, Text *out)
{
    const double *x = positions ? s->given_q : s->given_v;
    double value = x[s->slopes[a]] - s->residuals[a] / slope;
    char number[NUMBER_TEXT_MAX];
    const bool linear = !positions && s->model->constraints[a].kind != CONSTRAINT_NONLINEAR;

    text_puts(out, "use \"consistency\": \"project\" for the nearest admissible state");
    if (linear && isfinite(value)) {
        number_print(value, number);
        text_printf(out, ", or dot(%.60s) = %s", s->model->names.coordinates[s->slopes[a]], number);
    }
}

/* Keeps the residuals at the given state, and the coordinate that changes each residual most. */
static void keep_residuals(Initial *s, const ModelPoint *given, bool positions)
{
    const Model *m = s->model;

    for (size_t a = 0; a < m->r; a++) {
        s->residuals[a] = positions ? given->f[a] : given->phi[a];
        s->relative[a] = point_residual(given, positions, a);
        s->slopes[a] = 0;
        for (size_t i = 1; i < m->n; i++)
            if (fabs(given->A[a * m->n + i]) > fabs(given->A[a * m->n + s->slopes[a]]))
                s->slopes[a] = i;
    }
}

static void report_residuals(Initial *s, bool positions)
{
    const Model *m = s->model;
    const ModelPoint point = model_point(s->eval, s->state->t, s->given_q, s->given_v);

    for (size_t a = 0; a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        if (s->relative[a] <= RESIDUAL_ADMISSIBLE || (positions && c->kind != CONSTRAINT_HOLONOMIC))
            continue;
        /* the hint changes the velocity that matters most to this constraint */
        Text hint = TEXT_INIT;
        print_hint(s, positions, a, point.A[a * m->n + s->slopes[a]], &hint);
        diagnostics_add(s->diag, s->state->pointer, -1, text_string(&hint),
                        "%s constraint %.80s is violated by %.6g (relative %.2g) at the initial "
                        "state",
                        c->kind == CONSTRAINT_HOLONOMIC && !positions ? "the time derivative of the"
                                                                      : "the",
                        c->name, s->residuals[a], s->relative[a]);
        text_done(&hint);
    }
}

/* Reports dependent constraints that are violated although the independent ones hold. If no
 * admissible state was found, only constraints are reported that are dependent at every state. */
static Status report_contradictions(Initial *s, const ConstraintRank *rank, bool positions,
                                    bool found, Error *err)
{
    const Model *m = s->model;

    if (rank->rank == (positions ? m->n_holonomic : m->r))
        return OK;
    const ModelPoint point = initial_point(s);
    const double *values = positions ? point.f : point.phi;
    /* skip constraints that are independent, hold, or may become independent elsewhere */
    for (size_t a = 0; a < m->r; a++) {
        if (initial_is_independent(rank, a) ||
            point_residual(&point, positions, a) <= RESIDUAL_ADMISSIBLE ||
            (positions && m->constraints[a].kind != CONSTRAINT_HOLONOMIC) ||
            (!found && m->constraints[a].kind == CONSTRAINT_NONLINEAR))
            continue;
        /* the combination of independent rows that it contradicts */
        Combination c = {a, rank->independent, rank->rank, s->coefs};
        Status status = combination_find(m, point.A, &c, err);
        if (status != OK)
            return status;
        initial_contradiction(s, &c, values[a], false);
    }
    return OK;
}

/* Whether M is a metric on the kernel of the rows. */
static Status is_metric(const Initial *s, const ModelPoint *point, const ConstraintRank *rank,
                        Regularity *ret_mass, Error *err)
{
    const size_t n = s->model->n;

    *ret_mass = (Regularity){0};
    if (!all_finite(point->M, n * n))
        return OK;
    return regularity_of(&(RegularityMatrices){n, point->M, point->M_rounding, point->A},
                         rank->independent, rank->rank, ret_mass, err);
}

/* Corrects as requested, with the metric of M; if that fails, with the Euclidean metric. */
static Status correct_somehow(Initial *s, bool positions, const ConstraintRank *rank, bool mass,
                              double *ret_change, Error *err)
{
    Status (*const correct)(ModelEval *, const Correction *, double, double *, double *, double *,
                            Error *) =
        s->state->consistency == CONSISTENCY_PROJECT ? nearest_apply : correction_apply;
    Correction c = {
        .positions = positions,
        .rows = rank->independent,
        .n_rows = rank->rank,
        .mass = mass,
        .untouched = ROUNDING_FEW,
    };
    c.held = positions ? s->state->held : NULL;
    c.whole = correction_is_flat(s->model, &c);
    Status status = correct(s->eval, &c, s->state->t, s->state->q, s->state->v, ret_change, err);

    /* the failed attempt has moved nothing */
    if (status == ERR_NUMERIC && c.mass) {
        c.mass = false;
        status = correct(s->eval, &c, s->state->t, s->state->q, s->state->v, ret_change, err);
    }
    return status;
}

/* Rank of the rows, and the metric of corrections. free_only: only coordinates that are not
 * held. */
static Status look_at_positions(Initial *s, bool free_only, Error *err)
{
    const size_t n = s->model->n;
    ModelPoint point = initial_point(s);
    Regularity mass;

    for (size_t k = 0; free_only && k < s->model->r * n; k++)
        s->held_A[k] = s->state->held[k % n] ? 0 : point.A[k];
    point.A = free_only ? s->held_A : point.A;
    Status status = rank_find(s->model, &point, true, &s->positions, err);
    if (status == OK)
        status = is_metric(s, &point, &s->positions, &mass, err);
    if (status == OK)
        s->eval->metric.mass_for_positions = mass.positive;
    return status;
}

/* Corrects the positions twice, because far from the constraints the rank may differ. */
static Status move_positions(Initial *s, Error *err)
{
    const bool held = s->state->held != NULL;
    Status status = OK;

    for (int pass = 0; pass < 2 && status == OK; pass++) {
        double change = 0;
        status = look_at_positions(s, held, err);
        if (status == OK)
            status = correct_somehow(s, true, &s->positions, s->eval->metric.mass_for_positions,
                                     &change, err);
    }
    /* along the motion all coordinates move */
    return status == OK && held ? look_at_positions(s, false, err) : status;
}

static bool violated(const Initial *s, bool positions)
{
    for (size_t a = 0; a < s->model->r; a++)
        if (!(positions && s->model->constraints[a].kind != CONSTRAINT_HOLONOMIC) &&
            !(s->relative[a] <= RESIDUAL_ADMISSIBLE))
            return true;
    return false;
}

/* If coordinates are held: reports the residual of each constraint at the best positions found. */
static void report_rest(Initial *s)
{
    const size_t n = s->model->n;
    const ModelPoint point = initial_point(s);
    size_t n_held = 0;

    keep_residuals(s, &point, true);
    for (size_t i = 0; i < n; i++)
        n_held += s->state->held[i] != NULL;
    /* if all are held, point to the held value that changes the residual most */
    for (size_t a = 0; a < s->model->r; a++) {
        if (s->model->constraints[a].kind != CONSTRAINT_HOLONOMIC ||
            s->relative[a] <= RESIDUAL_ADMISSIBLE)
            continue;
        diagnostics_add(s->diag,
                        n_held == n ? s->state->held[s->slopes[a]]
                                    : arena_join(s->diag->arena, s->state->pointer, "/hold", ""),
                        -1, "hold fewer coordinates, or other values of them",
                        "the constraint %.80s is violated by %.6g (relative %.2g)%s",
                        s->model->constraints[a].name, s->residuals[a], s->relative[a],
                        n_held == n ? ", and all coordinates are held"
                                    : " at the best positions found of those that are not held");
    }
}

static Status make_positions(Initial *s, InitialReport *report, Error *err)
{
    const bool require = s->state->consistency == CONSISTENCY_REQUIRE;

    report->position_change = 0;
    if (s->model->n_holonomic == 0)
        return OK;
    if (!initial_check_finite(s->eval, s->state, true, s->diag))
        return OK;
    const ModelPoint given = initial_point(s);
    keep_residuals(s, &given, true);
    /* contradictions are reported before residuals, which they would cause */
    const size_t bytes = s->model->n * sizeof *s->state->q;
    memcpy(s->eval->best, s->state->q, bytes);
    Status moved = move_positions(s, err), status = OK;
    if (moved != OK && moved != ERR_NUMERIC)
        return moved;
    if (moved != OK && s->state->held)
        memcpy(s->state->q, s->eval->best, bytes);
    if (s->state->held)
        report_rest(s);
    else if (moved == OK)
        status = report_contradictions(s, &s->positions, true, true, err);
    if (status != OK || !is_faultless(s))
        return status;
    if (require && violated(s, true))
        report_residuals(s, true);
    else if (moved != OK)
        diagnostics_add(s->diag, s->state->pointer, -1, "start nearer to the constraints",
                        "no positions that satisfy the constraints were found near the given ones");
    report->position_change = vector_distance(s->state->q, s->given_q, s->model->n);
    return OK;
}

static bool any_missing(const InitialState *state, size_t n)
{
    for (size_t i = 0; state->v_given && i < n; i++)
        if (!state->v_given[i])
            return true;
    return false;
}

static Status move_velocities(Initial *s, const ModelPoint *given, Error *err)
{
    Regularity mass;
    double change = 0;
    Status status = rank_find(s->model, given, false, &s->rank, err);

    if (status == OK)
        status = is_metric(s, given, &s->rank, &mass, err);
    if (status != OK)
        return status;
    s->eval->metric.mass_for_velocities = mass.positive;
    status = correct_somehow(s, false, &s->rank, mass.positive, &change, err);
    /* only rows of nonlinear constraints depend on the velocities, and so may their rank */
    if (status != OK || model_is_linear(s->model, NULL, s->model->r))
        return status;
    const ModelPoint point = initial_point(s);
    return rank_find(s->model, &point, false, &s->rank, err);
}

/* Whether all constraints, also the dependent ones, hold at the current state. */
static bool holds_now(const Initial *s)
{
    const ModelPoint point = initial_point(s);
    for (size_t a = 0; a < s->model->r; a++)
        if (!(point_velocity_residual(&point, a) <= RESIDUAL_ADMISSIBLE))
            return false;
    return true;
}

static Status make_velocities(Initial *s, InitialReport *report, Error *err)
{
    const size_t n = s->model->n;
    const bool require = s->state->consistency == CONSISTENCY_REQUIRE;
    bool found = true;
    Status status = OK;

    report->velocity_change = 0;
    /* find missing velocities before checking them */
    if (any_missing(s->state, n))
        status = initial_find_velocities(s->eval, s->state, &found, err);
    if (status != OK || !initial_check_finite(s->eval, s->state, false, s->diag))
        return status;
    memcpy(s->given_v, s->state->v, n * sizeof *s->given_v);
    memcpy(s->given_q, s->state->q, n * sizeof *s->given_q);
    const ModelPoint given = initial_point(s);
    keep_residuals(s, &given, false);
    Status moved = move_velocities(s, &given, err);
    if (moved == OK)
        status = report_contradictions(s, &s->rank, false, found, err);
    else if (moved != ERR_NUMERIC)
        return moved;
    if (status != OK || !is_faultless(s))
        return status;
    if (!found && (require || !holds_now(s))) {
        memcpy(s->state->v, s->given_v, n * sizeof *s->given_v);
        initial_report_velocities(s->eval, s->state, s->diag);
    } else if (require && violated(s, false)) {
        report_residuals(s, false);
    } else if (moved != OK) {
        diagnostics_add(s->diag, s->state->pointer, -1, "give other velocities",
                        "no velocities that satisfy the constraints were found near the given "
                        "ones");
    }
    report->velocity_change = vector_distance(s->state->v, s->given_v, n);
    return OK;
}

static void fill_report(const Initial *s, InitialReport *report)
{
    report->rank = s->rank.rank;
    report->rank_is_clear = s->rank.smallest >= ACCURACY_CLEAR * s->rank.largest;
    memcpy(report->independent, s->rank.independent, s->rank.rank * sizeof *report->independent);
    report->metric_is_mass = s->eval->metric.mass_for_velocities &&
                             (s->model->n_holonomic == 0 || s->eval->metric.mass_for_positions);
}

Status model_initial_state(ModelEval *eval, InitialState *state, InitialReport *ret_report,
                           Diagnostics *diag, Error *err)
{
    Initial s;
    InitialReport report = {.independent = ret_report->independent};
    Status status = initial_begin(&s, eval, state, diag, err);

    if (status == OK)
        status = begin_held(&s, err);
    if (status == OK)
        status = make_positions(&s, &report, err);
    if (status == OK && is_faultless(&s))
        status = make_velocities(&s, &report, err);
    if (status == OK && is_faultless(&s) && !initial_check_finite(eval, state, false, diag))
        status = error_set(err, ERR_INVALID, "the initial state is not finite");
    if (status == OK && is_faultless(&s))
        status = initial_dependencies(&s, &report, err);
    if (status == OK && is_faultless(&s))
        status = initial_regularity(&s, &report, err);
    if (status == OK && !is_faultless(&s))
        status = error_set(err, ERR_INVALID, "the initial state is not admissible: %s",
                           s.mistakes_before < diag->count ? diag->items[s.mistakes_before].message
                                                           : "too many mistakes");
    /* a refused state, too, tells why M is singular there */
    ret_report->singular = report.singular;
    if (status == OK) {
        fill_report(&s, &report);
        *ret_report = report;
    }
    return status;
}
