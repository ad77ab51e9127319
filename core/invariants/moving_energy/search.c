/* A field zeta for which E - p.zeta is conserved: B. Jovanovic, Prop. 3.3, read backwards. */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/invariants/moving_energy/moving_energy.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/columns.h"
#include "core/invariants/search/names.h"
#include "core/invariants/search/probe.h"
#include "core/model/rates.h"

/* Fields of the search; coordinates up to which rotations are among them, because their number
 * grows with the square; seed of the states. Conventions. */
enum { MAX_FIELDS = 128, MAX_ROTATED = 8, SEED = 2900 };

/* Columns: fields of a list, then the energy. Rows: rates of change along the motion, and if
 * requested the rest of the constraints. */
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
                rest = expr_sub(pool, rest, expr_dot(pool, n, A, model->sym.v));
        } else {
            Expr s = c->phi;
            for (size_t i = 0; i < n; i++)
                expr_substitute(pool, &s, 1, &model->sym.v[i], &zero, 1, &s);
            rest = expr_add(pool, rest, s);
        }
        expr_expand(pool, &rest, 1, &ret_rest[a]);
    }
}

/* exprs[n_fields + 1][1 + r]: rate and rests; of the energy -s, the rests of a field that is zero
 * with their sign turned. zero: that field. */
static void make_rows(const Search *s, const Model *m, const Expr *zero, Expr *exprs)
{
    const size_t width = 1 + m->r;
    Expr *rest = exprs + s->n_fields * width;

    /* the energy, whose rest is that of a zero field */
    rates_total(s->pool, m, &m->energy, 1, &rest[0]);
    moving_rest(s->pool, m, zero, rest + 1);
    for (size_t k = 0; k < s->n_fields; k++) {
        const Expr *Y = s->fields[k].components;
        const Expr momentum = expr_dot(s->pool, m->n, m->p, Y);
        Expr *row = exprs + k * width;
        rates_total(s->pool, m, &momentum, 1, &row[0]);
        moving_rest(s->pool, m, Y, row + 1);
        for (size_t a = 0; a < m->r; a++)
            row[1 + a] = expr_sub(s->pool, row[1 + a], rest[1 + a]);
    }
    /* the energy is on the other side of the equations */
    for (size_t a = 0; a < m->r; a++)
        rest[1 + a] = expr_neg(s->pool, rest[1 + a]);
}

/* Rows as numbers, with each constraint's part brought to the size of the rates. */
typedef struct Rows {
    const Search *search;
    size_t width, count, states; /* row kinds, those in use */
    const double *values;        /* [states][n_fields + 1][width], of make_rows() */
    double *size;                /* [width]: root of the sum of squares over all columns */
} Rows;

/* A field, or the energy. */
static double fill_rows(const void *self, size_t k, double *column)
{
    const Rows *r = self;
    const size_t n = r->search->n_fields;

    for (size_t i = 0; i < r->states; i++)
        for (size_t j = 0; j < r->count; j++) {
            const double unit = j == 0 ? 1 : r->size[j] > 0 ? r->size[0] / r->size[j] : 0;
            column[i * r->count + j] = unit * r->values[(i * (n + 1) + k) * r->width + j];
        }
    const double length = vector_length(column, r->states * r->count);
    /* the field's momentum is conserved by itself */
    return k < n && length <= ACCURACY_COMPARED * r->size[0] ? 0 : length;
}

/* Numbers.find: E - sum of ret_coefs[k] p.Y_k is conserved. */
static Status find(void *self, const AnalysisContext *context, double *ret_coefs, bool *ret_found,
                   Error *err)
{
    const Search *s = self;
    const Model *m = context->model;
    const size_t n = s->n_fields, width = 1 + m->r, states = context->states->n_states;
    Arena scratch = {0};
    Expr *exprs = ARENA_NEW(&scratch, (n + 1) * width, Expr);
    Expr *zero = exprs_zeros(s->pool, &scratch, m->n);
    double *values = arena_doubles(&scratch, states * (n + 1) * width);
    Rows rows = {.search = s,
                 .width = width,
                 .count = s->at_rest ? width : 1,
                 .states = states,
                 .values = values,
                 .size = arena_doubles(&scratch, width)};
    const ColumnSource source = {
        .n = n + 1, .rows = states * rows.count, .fill = fill_rows, .self = &rows};
    Columns columns = {0};
    Status status = arena_status(&scratch, err);

    /* the rates of E and of each p.Y_k at all states are the columns */
    if (status == OK) {
        make_rows(s, m, zero, exprs);
        status = analysis_evaluate(context, exprs, (n + 1) * width, context->states, values, err);
    }
    /* each row by its own size, so that no state outweighs the others */
    if (status == OK && states > n) {
        for (size_t i = 0; i < states * (n + 1) * width; i++)
            rows.size[i % width] += values[i] * values[i];
        for (size_t j = 0; j < width; j++)
            rows.size[j] = sqrt(rows.size[j]);
        status = columns_search(&source, &scratch, &columns, err);
    }
    /* the combination that vanishes, solved for E */
    const double *coefs = columns_combination(&columns, n);
    *ret_found = status == OK && coefs && (!s->unique || columns.n_kept == n);
    for (size_t k = 0; k < n && *ret_found; k++)
        ret_coefs[k] = -coefs[k];
    arena_done(&scratch);
    return status;
}

/* Repeats the search with the fields that take part alone, and names their coefficients. */
static Status name_coefficients(const AnalysisContext *context, const Search *s,
                                const double *coefs, Expr *ret_zeta, bool *ret_found, Error *err)
{
    const size_t n = context->model->n;
    ModelField few[MAX_FIELDS];
    double values[MAX_FIELDS];
    Expr names[MAX_FIELDS];
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
    /* their coefficients as formulas of the parameters, and the field */
    if (status == OK && *ret_found)
        status = numbers_name(context, &numbers, values, names, NULL, err);
    for (size_t i = 0; status == OK && *ret_found && i < n; i++) {
        ret_zeta[i] = expr_const(s->pool, 0);
        for (size_t k = 0; k < again.n_fields; k++)
            ret_zeta[i] =
                expr_add(s->pool, ret_zeta[i], expr_mul(s->pool, names[k], few[k].components[i]));
    }
    return status;
}

Status moving_search(const AnalysisContext *context, const ModelField *fields, size_t n_fields,
                     Expr *ret_zeta, bool *ret_found, Error *err)
{
    Search s = {.pool = context->pool,
                .fields = fields,
                .n_fields = n_fields < MAX_FIELDS ? n_fields : MAX_FIELDS,
                .at_rest = context->model->r > 0};
    double coefs[MAX_FIELDS] = {0};
    Probe probe = {0};
    Status status = probe_init(&probe, context, NULL, 2 * s.n_fields + SPARE_STATES, 1, SEED, err);

    *ret_found = false;
    /* first with the constraints, then without */
    if (status == OK)
        status = find(&s, &probe.context, coefs, ret_found, err);
    if (status == OK && !*ret_found && s.at_rest) {
        s.at_rest = false;
        status = find(&s, &probe.context, coefs, ret_found, err);
    }
    bool any = false;
    for (size_t k = 0; k < s.n_fields && *ret_found; k++)
        any |= coefs[k] != 0;
    *ret_found = *ret_found && any; /* otherwise the energy itself is conserved */
    if (status == OK && *ret_found)
        status = name_coefficients(&probe.context, &s, coefs, ret_zeta, ret_found, err);
    probe_done(&probe);
    return status;
}

static void add_translation(const Model *m, ExprPool *pool, Arena *arena, size_t i, ModelField *ret)
{
    Expr *components = exprs_zeros(pool, arena, m->n);

    if (components)
        components[i] = expr_const(pool, 1);
    *ret = (ModelField){arena_printf(arena, "d/d%s", m->names.coordinates[i]), components};
}

/* q_i d/dq_j - q_j d/dq_i */
static void add_rotation(const Model *m, ExprPool *pool, Arena *arena, size_t i, size_t j,
                         ModelField *ret)
{
    const char *const *names = m->names.coordinates;
    Expr *components = exprs_zeros(pool, arena, m->n);

    if (components) {
        components[j] = m->sym.q[i];
        components[i] = expr_neg(pool, m->sym.q[j]);
    }
    *ret = (ModelField){arena_printf(arena, "%s,%s", names[i], names[j]), components};
}

Status moving_candidates(const Model *m, ExprPool *pool, Arena *arena,
                         const ModelField **ret_fields, size_t *ret_n, Error *err)
{
    const size_t pairs = m->n <= MAX_ROTATED ? m->n * (m->n - 1) / 2 : 0;
    ModelField *fields = arena_alloc(arena, m->given.n_symmetries + m->n + pairs, sizeof *fields);
    Ansatz ansatz = {0};
    size_t n = 0;
    Status status = fields ? ansatz_init(&ansatz, pool, m, err) : arena_status(arena, err);

    /* symmetries, translations, rotations */
    for (size_t k = 0; status == OK && k < m->given.n_symmetries && n < MAX_FIELDS; k++)
        fields[n++] = m->given.symmetries[k];
    for (size_t i = 0; status == OK && i < m->n && n < MAX_FIELDS; i++)
        add_translation(m, pool, arena, i, &fields[n++]);
    for (size_t i = 0; status == OK && pairs && i < m->n; i++)
        for (size_t j = i + 1; j < m->n && n < MAX_FIELDS; j++)
            if (!exprs_contain(ansatz.bare, ansatz.n_bare, m->sym.q[i]) &&
                !exprs_contain(ansatz.bare, ansatz.n_bare, m->sym.q[j]))
                add_rotation(m, pool, arena, i, j, &fields[n++]);
    ansatz_done(&ansatz);
    if (status == OK)
        status = arena_status(arena, err);
    *ret_fields = fields;
    *ret_n = n;
    return status;
}
