/* Whether dependent constraints are redundant, and whether M determines the motion. */
#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/model/initial.h"
#include "core/model/kinds.h"
#include "core/model/project.h"
#include "core/model/regularity.h"
#include "core/numeric/vectors.h"

void initial_contradiction(Initial *s, const Combination *c, double gap, bool derivative)
{
    const char *name = s->model->constraints[c->constraint].name;
    Text partners = TEXT_INIT;

    combination_partners(s->model, c, &partners);
    /* without partners, with partners in velocities, or in derivatives */
    if (partners.length == 0)
        diagnostics_add(s->diag, s->state->pointer, -1, NULL,
                        "the constraint %.80s cannot hold at the initial state: no velocity "
                        "changes it there, and it is off by %.6g",
                        name, gap);
    else if (derivative)
        diagnostics_add(s->diag, s->state->pointer, -1, "one of them is wrong or to be left out",
                        "the constraint %.80s contradicts %.400s: they hold at the initial state, "
                        "but their time derivatives cannot (off by %.6g)",
                        name, text_string(&partners), gap);
    else
        diagnostics_add(s->diag, s->state->pointer, -1, "one of them is wrong or to be left out",
                        "the constraint %.80s contradicts %.400s: where they hold, it is off by "
                        "%.6g",
                        name, text_string(&partners), gap);
    text_done(&partners);
}

/* The largest |x| of the kind of coordinate i; 1 if all are zero. */
static double size_of_kind(const Model *m, const double *x, size_t i)
{
    const double size = kinds_largest(m, x, i);
    return size > 0 ? size : 1;
}

/* A random admissible state near the initial one in q and v, and a little later, at *ret_t, because
 * rows may be dependent at one instant alone. */
static Status step_aside(Initial *s, double *ret_t, double *q, double *v, Error *err)
{
    const Model *m = s->model;
    const size_t n = m->n;
    double change, soon = INFINITY;
    Random random;
    Correction positions = {
        .positions = true, .rows = s->positions.independent, .n_rows = s->positions.rank};
    Correction velocities = {.rows = s->rank.independent, .n_rows = s->rank.rank};

    random_init(&random, 5);
    /* a thousandth of each size, and the time in which the fastest one covers that */
    for (size_t i = 0; i < n; i++) {
        const double size_q = size_of_kind(m, s->state->q, i);
        const double size_v = size_of_kind(m, s->state->v, i);
        q[i] = s->state->q[i] + 1e-3 * size_q * random_normal(&random);
        v[i] = s->state->v[i] + 1e-3 * size_v * random_normal(&random);
        soon = fmin(soon, 1e-3 * size_q / size_v);
    }
    *ret_t = s->state->t + soon;
    Status status = correction_apply(s->eval, &positions, *ret_t, q, v, &change, err);
    if (status == OK)
        status = correction_apply(s->eval, &velocities, *ret_t, q, v, &change, err);
    return status;
}

/* Whether the rank grows near the state. Then no constraint is redundant: the state is a singular
 * one, such as the apex of a cone. If no admissible state is found nearby, there is no verdict. */
static Status rank_drops_here(Initial *s, bool *ret_drops, Error *err)
{
    const Model *m = s->model;
    Arena scratch = {0};
    double *q = arena_doubles(&scratch, m->n), *v = arena_doubles(&scratch, m->n);
    double t = s->state->t;
    ConstraintRank nearby = {.independent = arena_sizes(&scratch, m->r)};
    Status status = arena_status(&scratch, err);

    *ret_drops = false;
    if (status == OK)
        status = step_aside(s, &t, q, v, err);
    if (status == OK) {
        /* the rank of all rows, not of the initial choice */
        ModelPoint point = model_point(s->eval, t, q, v);
        status = rank_find(m, &point, false, &nearby, err);
        *ret_drops = status == OK && nearby.rank > s->rank.rank;
    }
    arena_done(&scratch);
    return status == ERR_NUMERIC ? OK : status;
}

static void report_rank_drop(Initial *s)
{
    for (size_t a = 0; a < s->model->r; a++)
        if (!initial_is_independent(&s->rank, a))
            diagnostics_add(s->diag, s->state->pointer, -1,
                            "start from another state: nearby the constraints are independent",
                            "the constraint %.80s is singular at the initial state: its rank drops "
                            "there, so the motion is not determined",
                            s->model->constraints[a].name);
}

static const char *print_combination(const Initial *s, const Combination *c)
{
    Text text = TEXT_INIT;
    combination_print(s->model, c, &text);
    const char *kept = text_keep(&text, s->diag->arena);
    return kept;
}

/* True when the second time derivative of the dependent constraint follows as well. */
static bool accelerations_agree(const Combination *c, const ModelPoint *point, double *ret_gap)
{
    double scale = point->psi_rounding[c->constraint];
    for (size_t k = 0; k < c->n_rows; k++)
        scale += fabs(c->coefs[k]) * point->psi_rounding[c->rows[k]];
    *ret_gap = combination_gap(c, point->psi);
    return fabs(*ret_gap) <= 1e-8 * scale;
}

static Status list_redundant(Initial *s, InitialReport *report, Error *err)
{
    const Model *m = s->model;
    const size_t count = m->r - s->rank.rank;
    const ModelPoint point = initial_point(s);
    size_t *rows = arena_alloc(s->diag->arena, count, sizeof *rows);
    const char **texts = arena_alloc(s->diag->arena, count, sizeof *texts);

    if (!rows || !texts)
        return error_set(err, ERR_NO_MEMORY, "out of memory for redundant constraints");
    for (size_t a = 0; a < m->r; a++) {
        double gap;
        if (initial_is_independent(&s->rank, a))
            continue;
        /* the combination of rows that it follows from */
        Combination c = {a, s->rank.independent, s->rank.rank, s->coefs};
        Status status = combination_find(m, point.A, &c, err);
        if (status != OK)
            return status;
        if (!accelerations_agree(&c, &point, &gap))
            initial_contradiction(s, &c, gap, true);
        rows[report->n_redundant] = a;
        texts[report->n_redundant] = print_combination(s, &c);
        if (!texts[report->n_redundant++])
            return error_set(err, ERR_NO_MEMORY, "out of memory for redundant constraints");
    }
    report->redundant = rows;
    report->redundant_texts = texts;
    return OK;
}

Status initial_dependencies(Initial *s, InitialReport *report, Error *err)
{
    bool drops = false;
    Status status = OK;

    if (s->rank.rank < s->model->r)
        status = rank_drops_here(s, &drops, err);
    if (status == OK && drops)
        report_rank_drop(s);
    else if (status == OK && s->rank.rank < s->model->r)
        status = list_redundant(s, report, err);
    return status;
}

static void print_velocity(const Initial *s, size_t i, Text *out)
{
    if (out->length < 200)
        text_printf(out, "%sdot(%.60s)", out->length ? ", " : "", s->model->names.coordinates[i]);
}

/* Whether row i of M is zero at all states. */
static bool without_mass(const Model *m, size_t i)
{
    bool none = true;

    for (size_t j = 0; j < m->n; j++)
        none = none && expr_is_zero(m->pool, m->M[i * m->n + j]);
    return none;
}

/* Lists the velocities of the direction that L does not contain, and those in which L is linear. */
static void print_massless(const Initial *s, Text *absent, Text *linear)
{
    const Model *m = s->model;
    bool *used = alloc_array(m->sym.first_free, sizeof *used);

    const bool known =
        used && expr_used_symbols(m->pool, &m->L, 1, used, m->sym.first_free, NULL) == OK;
    for (size_t i = 0; known && i < m->n; i++)
        if (fabs(s->direction[i]) > 0 && without_mass(m, i))
            print_velocity(s, i, used[1 + m->n + i] ? linear : absent);
    free(used);
}

/* "the mass matrix is singular on the constraints in the direction of x, y": the largest
 * components; then the velocities that L does not contain or is linear in. */
static void print_singular(const Initial *s, bool cancels, Text *out)
{
    const size_t n = s->model->n;
    Text absent = TEXT_INIT, linear = TEXT_INIT;
    const double largest = vector_largest(s->direction, n);

    text_printf(out, "the mass matrix is singular on the constraints in the direction of");
    const char *between = "";
    for (size_t i = 0; i < n && out->length < 300; i++)
        if (fabs(s->direction[i]) >= 0.3 * largest) {
            text_printf(out, "%s %.60s", between, s->model->names.coordinates[i]);
            between = ",";
        }
    /* if terms cancel, L contains these velocities */
    if (!cancels)
        print_massless(s, &absent, &linear);
    if (absent.length || linear.length)
        text_printf(out, ": the Lagrangian %s %s",
                    absent.length ? "does not contain" : "is linear in",
                    text_string(absent.length ? &absent : &linear));
    text_done(&absent);
    text_done(&linear);
}

/* Is M regular on the constraints nearby? If no admissible state is found nearby: false. */
static Status is_regular_nearby(Initial *s, bool *ret_regular, Error *err)
{
    const Model *m = s->model;
    const ConstraintRank *rank = &s->rank;
    Arena scratch = {0};
    double *q = arena_doubles(&scratch, m->n), *v = arena_doubles(&scratch, m->n);
    double t = s->state->t;
    Regularity nearby = {0};
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = step_aside(s, &t, q, v, err);
    /* with the rows that are independent at the initial state */
    if (status == OK) {
        const ModelPoint point = model_point(s->eval, t, q, v);
        status = regularity_of(&(RegularityMatrices){m->n, point.M, point.M_rounding, point.A},
                               rank->independent, rank->rank, &nearby, err);
    }
    *ret_regular = nearby.regular;
    arena_done(&scratch);
    return status == ERR_NUMERIC ? OK : status;
}

static void report_singular(Initial *s, const char *singular, bool cancels, bool regular_nearby)
{
    const char *here = regular_nearby ? " at this state; choose another start" : "";

    if (cancels)
        diagnostics_add(s->diag, s->state->pointer, -1, singular,
                        "the accelerations are not determined: on the velocities that the "
                        "constraints allow, the kinetic energy is zero%s",
                        here);
    else
        diagnostics_add(s->diag, s->state->pointer, -1,
                        "the accelerations are not determined there: a mass that is 0, or a "
                        "singular chart, perhaps",
                        "%s%s", singular, here);
}

/* Refuses a state at which M is singular on the constraints. */
static Status refuse_singular(Initial *s, bool cancels, InitialReport *report, Error *err)
{
    Text text = TEXT_INIT;
    bool regular_nearby = false;

    Status status = is_regular_nearby(s, &regular_nearby, err);
    print_singular(s, cancels, &text);
    report->singular = text_keep(&text, s->diag->arena);
    if (status == OK && !report->singular)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        report_singular(s, report->singular, cancels, regular_nearby);
    return status;
}

Status initial_regularity(Initial *s, InitialReport *report, Error *err)
{
    const size_t n = s->model->n, *rows = s->rank.independent, n_rows = s->rank.rank;
    const ModelPoint point = initial_point(s);
    const RegularityMatrices matrices = {n, point.M, point.M_rounding, point.A};
    Regularity constrained = {.direction = s->direction}, free_motion = {0};
    Status status = regularity_of(&matrices, NULL, 0, &free_motion, err);

    /* a positive definite matrix is regular on every kernel */
    constrained.regular = free_motion.positive;
    if (status == OK && !constrained.regular)
        status = regularity_of(&matrices, rows, n_rows, &constrained, err);
    if (status == OK && !s->state->no_conditions)
        status = mass_condition(n, point.M, point.A, rows, n_rows, &report->condition_M, err);
    report->mass_positive = free_motion.positive;
    if (status != OK)
        return status;
    report->mass_divides = free_motion.positive && mass_divides(n, point.M, point.A, rows, n_rows);
    return constrained.regular ? OK : refuse_singular(s, constrained.cancels, report, err);
}
