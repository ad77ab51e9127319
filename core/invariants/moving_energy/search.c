#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus.h"
#include "core/invariants/moving_energy/moving_energy.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/echelon.h"
#include "core/invariants/search/names.h"
#include "core/invariants/search/probe.h"

enum { MOST_FIELDS = 128, SPARE_STATES = 32, MOST_ROTATED = 8, SEED = 2900 };

static const double DEPENDENT = 1e-9, NOTHING = 1e-8;

/* Columns: fields of a list, then the energy. With rates of change along the motion as rows, and
 * the rest of the constraints where that is wanted too. */
typedef struct Search {
    ExprPool *pool;
    const ModelField *fields;
    size_t n_fields;
    bool at_rest; /* the constraints are to be satisfied by the velocities zeta */
    bool unique;  /* the coefficients must be determined */
} Search;

void moving_rest(ExprPool *pool, const Model *model, const Expr *zeta, Expr *ret_rest)
{
    const size_t n = model->n;
    Expr zero = expr_const(pool, 0);

    for (size_t a = 0; a < model->r; a++) {
        const Constraint *c = &model->constraints[a];
        const Expr *A = model->A + a * n;
        Expr rest = expr_dot(pool, n, A, zeta);
        if (c->kind == CONSTRAINT_NONLINEAR) {
            /* on phi = 0 a homogeneous constraint has A v = 0 */
            if (!c->homogeneous)
                rest = expr_sub(pool, rest, expr_dot(pool, n, A, model->v));
        } else {
            Expr s = c->phi;
            for (size_t i = 0; i < n; i++)
                expr_substitute(pool, &s, 1, &model->v[i], &zero, 1, &s);
            rest = expr_add(pool, rest, s);
        }
        expr_expand(pool, &rest, 1, &ret_rest[a]);
    }
}

/* The linear problem -------------------------------------------------------------------------- */

static Expr rate(ExprPool *pool, const Model *m, Expr e, Expr *scratch)
{
    const size_t n = m->n;
    Expr *symbols = scratch, *speeds = scratch + 2 * n + 1, result;

    memcpy(symbols, m->q, n * sizeof *symbols);
    memcpy(symbols + n, m->v, n * sizeof *symbols);
    symbols[2 * n] = m->t;
    memcpy(speeds, m->v, n * sizeof *speeds);
    memcpy(speeds + n, m->vdot, n * sizeof *speeds);
    speeds[2 * n] = expr_const(pool, 1);
    expr_directional(pool, &e, 1, symbols, speeds, 2 * n + 1, &result);
    return result;
}

/* exprs[n_fields + 1][1 + r]: rate and rests; of the energy -s, the rests of a field that is zero
 * with their sign turned. scratch: 5 n + 2. */
static void make_rows(const Search *s, const Model *m, Expr *scratch, Expr *exprs)
{
    const size_t width = 1 + m->r;
    Expr *zero = scratch + 4 * m->n + 2, *rest = exprs + s->n_fields * width;

    for (size_t i = 0; i < m->n; i++)
        zero[i] = expr_const(s->pool, 0);
    rest[0] = rate(s->pool, m, m->energy, scratch);
    moving_rest(s->pool, m, zero, rest + 1);
    for (size_t k = 0; k < s->n_fields; k++) {
        const Expr *Y = s->fields[k].components;
        Expr *row = exprs + k * width;
        row[0] = rate(s->pool, m, expr_dot(s->pool, m->n, m->p, Y), scratch);
        moving_rest(s->pool, m, Y, row + 1);
        for (size_t a = 0; a < m->r; a++)
            row[1 + a] = expr_sub(s->pool, row[1 + a], rest[1 + a]);
    }
    for (size_t a = 0; a < m->r; a++)
        rest[1 + a] = expr_neg(s->pool, rest[1 + a]);
}

/* The column of a field (or the energy) from the values of make_rows(), with each constraint's part
 * brought to the size of the rates. */
static double take_column(const Search *s, const Model *m, const double *values, size_t states,
                          size_t k, const double *size, double *column)
{
    const size_t width = 1 + m->r, rows = s->at_rest ? width : 1;
    double square = 0;

    for (size_t i = 0; i < states; i++)
        for (size_t j = 0; j < rows; j++) {
            double x = values[(i * (s->n_fields + 1) + k) * width + j];
            if (j > 0)
                x *= size[j] > 0 ? size[0] / size[j] : 0;
            column[i * rows + j] = x;
            square += x * x;
        }
    return sqrt(square);
}

/* Mean squares of the entries by row kind, over all columns. */
static void find_sizes(const Search *s, const Model *m, const double *values, size_t states,
                       double *size)
{
    const size_t width = 1 + m->r;

    memset(size, 0, width * sizeof *size);
    for (size_t i = 0; i < states * (s->n_fields + 1); i++)
        for (size_t j = 0; j < width; j++)
            size[j] += values[i * width + j] * values[i * width + j];
    for (size_t j = 0; j < width; j++)
        size[j] = sqrt(size[j]);
}

/* E - sum of ret_coefs[k] p.Y_k is conserved. */
static Status solve(const Search *s, const Model *m, const double *values, size_t states,
                    double *ret_coefs, bool *ret_found, Error *err)
{
    const size_t width = 1 + m->r, rows = states * (s->at_rest ? width : 1), n = s->n_fields;
    Echelon e = {0};
    double *size = alloc_array(width + rows + 3 * n, sizeof *size), *column = size + width,
           *length = column + rows, *coefs = length + n, largest = 0;
    size_t *kept = alloc_array(n, sizeof *kept), n_kept = 0;
    Status status = size && kept ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    *ret_found = false;
    if (status == OK)
        status = echelon_init(&e, rows, n, err);
    if (status == OK)
        find_sizes(s, m, values, states, size);
    for (size_t k = 0; k < n && status == OK; k++) {
        length[k] = take_column(s, m, values, states, k, size, column);
        if (!isfinite(length[k]) || length[k] <= DEPENDENT * size[0])
            continue;
        for (size_t i = 0; i < rows; i++)
            column[i] /= length[k];
        if (echelon_take(&e, column, DEPENDENT, NULL))
            kept[n_kept++] = k;
    }
    if (status == OK && (!s->unique || n_kept == n)) {
        double energy = take_column(s, m, values, states, n, size, column);
        for (size_t i = 0; i < rows; i++)
            column[i] /= energy > 0 ? energy : 1;
        *ret_found = energy > 0 && !echelon_take(&e, column, DEPENDENT, coefs);
        memset(ret_coefs, 0, n * sizeof *ret_coefs);
        for (size_t k = 0; k < n_kept && *ret_found; k++)
            largest = fmax(largest, fabs(coefs[k]));
        for (size_t k = 0; k < n_kept && *ret_found; k++)
            if (fabs(coefs[k]) > NOTHING * largest)
                ret_coefs[kept[k]] = coefs[k] * energy / length[kept[k]];
    }
    echelon_done(&e);
    free(size);
    free(kept);
    return status;
}

/* Numbers.find */
static Status find(void *self, const AnalysisContext *context, double *ret_coefs, bool *ret_found,
                   Error *err)
{
    const Search *s = self;
    const Model *m = context->model;
    const size_t width = (1 + m->r) * (s->n_fields + 1), states = context->states->n_states;
    Expr *exprs = alloc_array(width + 5 * m->n + 2, sizeof *exprs);
    double *values = alloc_array(width * states, sizeof *values);
    Status status = exprs && values ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    *ret_found = false;
    if (status == OK) {
        make_rows(s, m, exprs + width, exprs);
        status = analysis_evaluate(context, s->pool, exprs, width, context->states, values, err);
    }
    if (status == OK && states > s->n_fields)
        status = solve(s, m, values, states, ret_coefs, ret_found, err);
    free(exprs);
    free(values);
    return status;
}

/* With the fields that take part alone, for the names of their coefficients. */
static Status name_coefficients(const AnalysisContext *context, const Search *s,
                                const double *coefs, Expr *ret_zeta, bool *ret_found, Error *err)
{
    const size_t n = context->model->n;
    ModelField few[MOST_FIELDS];
    double values[MOST_FIELDS];
    Expr names[MOST_FIELDS];
    Search again = *s;

    again.fields = few;
    again.n_fields = 0;
    again.unique = true;
    for (size_t k = 0; k < s->n_fields; k++)
        if (coefs[k] != 0)
            few[again.n_fields++] = s->fields[k];
    Status status = find(&again, context, values, ret_found, err);
    const Numbers numbers = {
        .self = &again, .n = again.n_fields, .states = again.n_fields + SPARE_STATES, .find = find};
    if (status == OK && *ret_found)
        status = numbers_name(context, &numbers, values, s->pool, names, err);
    for (size_t i = 0; status == OK && *ret_found && i < n; i++) {
        ret_zeta[i] = expr_const(s->pool, 0);
        for (size_t k = 0; k < again.n_fields; k++)
            ret_zeta[i] =
                expr_add(s->pool, ret_zeta[i], expr_mul(s->pool, names[k], few[k].components[i]));
    }
    return status;
}

Status moving_search(const AnalysisContext *context, ExprPool *pool, const ModelField *fields,
                     size_t n_fields, Expr *ret_zeta, bool *ret_found, Error *err)
{
    Search s = {.pool = pool,
                .fields = fields,
                .n_fields = n_fields < MOST_FIELDS ? n_fields : MOST_FIELDS,
                .at_rest = context->model->r > 0};
    double coefs[MOST_FIELDS] = {0};
    Probe probe = {0};
    Status status = probe_init(&probe, context, NULL, 2 * s.n_fields + SPARE_STATES, 1, SEED, err);

    *ret_found = false;
    if (status == OK)
        status = find(&s, &probe.context, coefs, ret_found, err);
    if (status == OK && !*ret_found && s.at_rest) {
        s.at_rest = false;
        status = find(&s, &probe.context, coefs, ret_found, err);
    }
    bool any = false;
    for (size_t k = 0; k < s.n_fields && *ret_found; k++)
        any |= coefs[k] != 0;
    *ret_found = *ret_found && any; /* otherwise it is the energy itself */
    if (status == OK && *ret_found)
        status = name_coefficients(&probe.context, &s, coefs, ret_zeta, ret_found, err);
    probe_done(&probe);
    return status;
}

/* Rigid motions -------------------------------------------------------------------------------- */

/* Zero components for the caller to fill in; NULL when out of memory. */
static Expr *add_field(const Model *m, ExprPool *pool, Arena *arena, const char *name,
                       ModelField *ret)
{
    Expr *components = arena_alloc(arena, m->n, sizeof *components);

    *ret = (ModelField){.name = name, .components = components};
    for (size_t i = 0; components && i < m->n; i++)
        components[i] = expr_const(pool, 0);
    return name ? components : NULL;
}

static bool add_translation(const Model *m, ExprPool *pool, Arena *arena, size_t i, ModelField *ret)
{
    const char *name = arena_printf(arena, "d/d%s", m->coordinate_names[i]);
    Expr *components = add_field(m, pool, arena, name, ret);
    if (components)
        components[i] = expr_const(pool, 1);
    return components != NULL;
}

/* q_i d/dq_j - q_j d/dq_i */
static bool add_rotation(const Model *m, ExprPool *pool, Arena *arena, size_t i, size_t j,
                         ModelField *ret)
{
    const char *name = arena_printf(arena, "%s,%s", m->coordinate_names[i], m->coordinate_names[j]);
    Expr *components = add_field(m, pool, arena, name, ret);
    if (components) {
        components[j] = m->q[i];
        components[i] = expr_neg(pool, m->q[j]);
    }
    return components != NULL;
}

static bool is_angle(const Ansatz *ansatz, Expr q)
{
    for (size_t k = 0; k < ansatz->n_bare; k++)
        if (expr_same(ansatz->bare[k], q))
            return true;
    return false;
}

Status moving_candidates(const Model *m, ExprPool *pool, Arena *arena,
                         const ModelField **ret_fields, size_t *ret_n, Error *err)
{
    const size_t pairs = m->n <= MOST_ROTATED ? m->n * (m->n - 1) / 2 : 0;
    ModelField *fields = arena_alloc(arena, m->n_symmetries + m->n + pairs, sizeof *fields);
    Ansatz ansatz = {0};
    size_t n = 0;
    bool room = fields != NULL;
    Status status = ansatz_init(&ansatz, pool, m, err);

    for (size_t k = 0; room && k < m->n_symmetries && n < MOST_FIELDS; k++)
        fields[n++] = m->symmetries[k];
    for (size_t i = 0; status == OK && room && i < m->n && n < MOST_FIELDS; i++)
        room = add_translation(m, pool, arena, i, &fields[n++]);
    for (size_t i = 0; status == OK && room && pairs && i < m->n; i++)
        for (size_t j = i + 1; room && j < m->n && n < MOST_FIELDS; j++)
            if (!is_angle(&ansatz, m->q[i]) && !is_angle(&ansatz, m->q[j]))
                room = add_rotation(m, pool, arena, i, j, &fields[n++]);
    ansatz_done(&ansatz);
    if (status == OK && !room)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret_fields = fields;
    *ret_n = n;
    return status;
}
