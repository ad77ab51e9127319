/* Velocities that were not given satisfy the constraints with least v.M.v.
 *
 * With linear or affine constraints this is one linear problem. Other constraints are linearized
 * repeatedly, from several starting points. If minimizing v.M.v fails to converge, any admissible
 * velocities near the start are taken. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/finite.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/model/initial.h"
#include "core/model/kkt.h"
#include "core/model/rank.h"
#include "core/model/regularity.h"
#include "core/model/residuals.h"

enum { MAX_STEPS = 60, MAX_STARTS = 12, MAX_ALL_STEPS = 2 * MAX_STEPS * MAX_STARTS };

typedef struct Search {
    ModelEval *eval;
    const InitialState *state;
    size_t n, r, m;  /* coordinates, constraints, unknowns */
    size_t *unknown; /* m */
    bool mass;       /* the metric */
    double *v;       /* n: the attempt */
    double *begin;   /* n: its start */
    double *x;       /* m: its unknowns before a step */
    double *M, *A;   /* m x m; independent rows x m */
    double *rhs;     /* m + r */
    double *kkt;     /* kkt_doubles() */
    size_t *chosen;  /* r */
    size_t n_chosen;
    size_t *all; /* r: 0, 1, 2, ... */
    int budget;  /* steps that may still be made */
    Arena *scratch;
} Search;

static Search search_begin(Arena *scratch, ModelEval *eval, const InitialState *state)
{
    const size_t n = eval->model->n, r = eval->model->r;
    Search s = {.eval = eval,
                .state = state,
                .n = n,
                .r = r,
                .scratch = scratch,
                .budget = kkt_budget(n + r, MAX_ALL_STEPS)};
    const ArenaPiece pieces[] = {
        {&s.v, n},
        {&s.begin, n},
        {&s.x, n},
        {&s.M, n * n},
        {&s.A, r * n},
        {&s.rhs, n + r},
        {&s.kkt, kkt_doubles(n + r)},
    };

    arena_pieces(scratch, pieces, sizeof pieces / sizeof *pieces);
    /* three lists in one array */
    s.unknown = arena_sizes(scratch, n + 2 * r);
    s.chosen = s.unknown ? s.unknown + n : NULL;
    s.all = s.unknown ? s.chosen + r : NULL;
    return s;
}

static ModelPoint point_of(const Search *s)
{
    return model_point(s->eval, s->state->t, s->state->q, s->v);
}

/* Chooses independent rows of A restricted to the unknowns. A row's weight is the share of the
 * unknowns in it. */
static Status choose_rows(Search *s, const ModelPoint *point, Error *err)
{
    const ArenaMark mark = arena_mark(s->scratch);
    RowBasis b = row_basis(s->scratch, s->m, s->r);
    Status status = arena_status(s->scratch, err);

    s->n_chosen = 0;
    if (status != OK)
        return status;
    /* add the unknowns' part of each row, divided by the whole row's length */
    for (size_t a = 0; a < s->r; a++) {
        double *row = row_basis_add(&b), whole = 0;
        for (size_t i = 0; i < s->n; i++)
            whole = hypot(whole, point->A[a * s->n + i]);
        for (size_t k = 0; k < s->m && whole > 0; k++)
            row[k] = point->A[a * s->n + s->unknown[k]] / whole;
    }
    row_basis_choose(&b, s->r, s->r);
    for (size_t a = 0; a < s->r; a++)
        if (b.chosen[a])
            s->chosen[s->n_chosen++] = a;
    arena_release(s->scratch, mark);
    return OK;
}

/* Is M positive definite on the unknowns that the constraints leave free? */
static Status choose_metric(Search *s, const ModelPoint *point, Error *err)
{
    Regularity result = {0};

    s->mass = all_finite(point->M, s->n * s->n);
    if (!s->mass)
        return OK;
    /* the right side is not in use yet: it takes the rounding errors of M */
    for (size_t a = 0; a < s->m; a++) {
        s->rhs[a] = point->M_rounding[s->unknown[a]];
        for (size_t b = 0; b < s->m; b++)
            s->M[a * s->m + b] = point->M[s->unknown[a] * s->n + s->unknown[b]];
    }
    for (size_t row = 0; row < s->n_chosen; row++) {
        s->all[row] = row;
        for (size_t k = 0; k < s->m; k++)
            s->A[row * s->m + k] = point->A[s->chosen[row] * s->n + s->unknown[k]];
    }
    Status status = regularity_of(&(RegularityMatrices){s->m, s->M, s->rhs, s->A}, s->all,
                                  s->n_chosen, &result, err);
    s->mass = status == OK && result.positive;
    return status;
}

/* One linearized problem: the unknowns x with A x = A x_old - phi and least v.M.v, or nearest to
 * x_old. False if it has no solution. */
static bool solve_linearised(Search *s, const ModelPoint *point, bool nearest)
{
    const size_t n = s->n, m = s->m;

    /* rows of M: with the given velocities on the right, or x_old for the nearest */
    for (size_t a = 0; a < m; a++) {
        const double *row = point->M + s->unknown[a] * n;
        for (size_t b = 0; b < m; b++)
            s->M[a * m + b] = row[s->unknown[b]];
        s->rhs[a] = 0;
        for (size_t i = 0; i < n && s->mass; i++)
            if (s->state->v_given[i] ? !nearest : nearest)
                s->rhs[a] += (nearest ? row[i] : -row[i]) * s->v[i];
        if (!s->mass && nearest)
            s->rhs[a] = s->x[a];
    }
    for (size_t k = 0; k < s->n_chosen; k++) {
        const double *row = point->A + s->chosen[k] * n;
        s->rhs[m + k] = -point->phi[s->chosen[k]];
        for (size_t a = 0; a < m; a++) {
            s->A[k * m + a] = row[s->unknown[a]];
            s->rhs[m + k] += row[s->unknown[a]] * s->x[a];
        }
    }
    return kkt_solve(m, s->mass ? s->M : NULL, s->n_chosen, s->A, s->rhs, s->kkt);
}

static double velocities_worst(const Search *s, const ModelPoint *point)
{
    double largest = 0;
    for (size_t a = 0; a < s->r; a++) {
        double ratio = point_velocity_residual(point, a);
        if (!isfinite(ratio))
            return INFINITY;
        largest = fmax(largest, ratio);
    }
    return largest;
}

static double unknown_change(const Search *s, size_t k)
{
    return fabs(s->v[s->unknown[k]] - s->x[k]);
}

/* Convergence: in each constraint, and in each row of M v, the unknowns changed by rounding
 * only. */
static bool is_settled(const Search *s, const ModelPoint *point)
{
    const double least = SETTLED_CHANGE * (double)s->n;

    /* written so that NaN is not settled */
    for (size_t a = 0; a < s->r; a++) {
        double change = 0;
        for (size_t k = 0; k < s->m; k++)
            change += fabs(point->A[a * s->n + s->unknown[k]]) * unknown_change(s, k);
        if (!(change <= least * point->phi_rounding[a]))
            return false;
    }
    for (size_t k = 0; k < s->m && s->mass; k++) {
        const double *row = point->M + s->unknown[k] * s->n;
        double size = 0;
        for (size_t i = 0; i < s->n; i++)
            size += fabs(row[i] * s->v[i]);
        if (!(fabs(row[s->unknown[k]]) * unknown_change(s, k) <= least * size))
            return false;
    }
    return true;
}

/* Iterates from the unknowns in s->v; true if admissible velocities were reached. */
static Status velocities_settle(Search *s, bool nearest, bool *ret_settled, Error *err)
{
    ModelPoint point = point_of(s);

    *ret_settled = false;
    for (int step = 0; step < MAX_STEPS && s->budget > 0; step++, s->budget--) {
        if (!all_finite(point.A, s->r * s->n) || !all_finite(point.phi, s->r))
            return OK;
        /* choose the rows at each step, the metric at the first */
        Status status = choose_rows(s, &point, err);
        if (status == OK && step == 0)
            status = choose_metric(s, &point, err);
        if (status != OK)
            return status;
        for (size_t k = 0; k < s->m; k++)
            s->x[k] = s->v[s->unknown[k]];
        if (!solve_linearised(s, &point, nearest))
            return OK;
        for (size_t k = 0; k < s->m; k++)
            s->v[s->unknown[k]] = s->rhs[k];
        point = point_of(s);
        if (is_settled(s, &point)) {
            *ret_settled = velocities_worst(s, &point) <= RESIDUAL_ADMISSIBLE;
            return OK;
        }
    }
    *ret_settled = nearest && velocities_worst(s, &point) <= 1e-12;
    return OK;
}

/* Starts: all zero; all of the size of the given ones, positive, then negative; random. */
static void set_start(Search *s, int start, Random *random)
{
    double size = 0;

    memcpy(s->v, s->state->v, s->n * sizeof *s->v);
    for (size_t i = 0; i < s->n; i++)
        if (s->state->v_given[i])
            size = fmax(size, fabs(s->v[i]));
    size = size > 0 ? size : 1;
    for (size_t k = 0; k < s->m; k++) {
        double *x = &s->v[s->unknown[k]];
        *x = start == 0 ? 0 : start == 1 ? size : start == 2 ? -size : size * random_normal(random);
    }
}

static Status try_starts(Search *s, bool *ret_found, Error *err)
{
    Random random;
    Status status = OK;
    bool found = false;

    random_init(&random, 17);
    for (int start = 0; start < MAX_STARTS && status == OK && !found; start++) {
        set_start(s, start, &random);
        /* minimize v.M.v; if that does not converge, go to the nearest admissible velocities */
        memcpy(s->begin, s->v, s->n * sizeof *s->v);
        status = velocities_settle(s, false, &found, err);
        if (status == OK && !found) {
            memcpy(s->v, s->begin, s->n * sizeof *s->v);
            status = velocities_settle(s, true, &found, err);
        }
    }
    if (status == OK && !found) { /* the least-norm attempt has the most informative residuals */
        bool ignored;
        s->budget = 2;
        set_start(s, 0, &random);
        status = velocities_settle(s, false, &ignored, err);
    }
    *ret_found = found;
    return status;
}

Status initial_find_velocities(ModelEval *eval, const InitialState *state, bool *ret_found,
                               Error *err)
{
    Arena scratch = {0};
    Search s = search_begin(&scratch, eval, state);
    bool found = true;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < s.n; i++)
        if (!state->v_given[i])
            s.unknown[s.m++] = i;
    if (status == OK && s.m > 0)
        status = try_starts(&s, &found, err);
    /* also if none were found: the residuals of the attempt are reported */
    if (status == OK) {
        if (s.m > 0)
            memcpy(state->v, s.v, s.n * sizeof *s.v);
        *ret_found = found;
    }
    arena_done(&scratch);
    return status;
}

void initial_report_velocities(ModelEval *eval, const InitialState *state, Diagnostics *diag)
{
    const Model *m = eval->model;
    const ModelPoint point = model_point(eval, state->t, state->q, state->v);
    Text unknown = TEXT_INIT, broken = TEXT_INIT;

    /* long lists are cut, to fit in a message */
    for (size_t i = 0; i < m->n; i++)
        if (!state->v_given[i] && unknown.length < 300)
            text_printf(&unknown, "%s%.60s", unknown.length ? ", " : "", m->names.coordinates[i]);
    for (size_t a = 0; a < m->r; a++) {
        if (!(point_velocity_residual(&point, a) <= RESIDUAL_ADMISSIBLE) && broken.length < 400)
            text_printf(&broken, "%s%.60s (off by %.3g)", broken.length ? ", " : "",
                        m->constraints[a].name, point.phi[a]);
    }
    diagnostics_add(diag, state->pointer, -1,
                    "leave more velocities to be found, or change the given ones",
                    "no velocities of %s satisfy the constraints with the given ones: %s",
                    text_string(&unknown), text_string(&broken));
    text_done(&unknown);
    text_done(&broken);
}
