/* Brackets of symbolic fields, and the ranks of their spans at states by singular values. */
#include "core/invariants/structure/growth.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/generator.h"
#include "core/numeric/dense.h"

/* Size of a term, relative to those of other fields, down to which it may be the remainder of a
 * cancellation in them. Convention. */
static const double NOISE_FLOOR = 1e-4;

/* Random states up to the limit, then the start. */
static Status take_states(Fields *f, Error *err)
{
    const AnalysisContext *c = &f->context;
    const size_t n = c->model->n, most = FIELDS_MAX_STATES - 1;
    const size_t random = c->states->n_states < most ? c->states->n_states : most;
    const size_t count = random + 1;
    double *t = arena_doubles(&f->arena, count), *q = arena_doubles(&f->arena, count * n);
    double *v = arena_doubles(&f->arena, count * n), *vdot = arena_doubles(&f->arena, count * n);
    double *lambda = arena_doubles(&f->arena, count * c->model->r);
    f->usable = ARENA_NEW(&f->arena, count, bool);
    f->was_usable = ARENA_NEW(&f->arena, count, bool);
    Status status = arena_status(&f->arena, err);
    if (status != OK)
        return status;

    if (random) {
        memcpy(t, c->states->t, random * sizeof *t);
        memcpy(q, c->states->q, random * n * sizeof *q);
        memcpy(v, c->states->v, random * n * sizeof *v);
        memcpy(vdot, c->states->vdot, random * n * sizeof *vdot);
    }
    /* no field contains vdot or lambda: at the start they stay 0 */
    t[random] = c->t0;
    memcpy(q + random * n, c->q0, n * sizeof *q);
    memcpy(v + random * n, c->v0, n * sizeof *v);
    f->states =
        (Trajectory){.n_states = count, .t = t, .q = q, .v = v, .vdot = vdot, .lambda = lambda};
    for (size_t k = 0; k < count; k++)
        f->usable[k] = true;
    return OK;
}

Status fields_init(Fields *f, const AnalysisContext *context, size_t extra, Error *err)
{
    const size_t n = context->model->n;

    *f = (Fields){.context = *context,
                  .pool = expr_pool_clone(context->pool),
                  .n_symbols = n + 1,
                  .dim = n + 1 + extra};
    f->context.pool = f->pool;
    f->symbols = ARENA_NEW(&f->arena, n + 1, Expr);
    f->units = arena_doubles(&f->arena, f->dim);
    if (!f->symbols || !f->units || !f->pool)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    memcpy(f->symbols, context->model->sym.q, n * sizeof *f->symbols);
    f->symbols[n] = context->model->sym.t;
    for (size_t c = 0; c < f->dim; c++)
        f->units[c] = c < n ? context->range.size[c] : c == n ? analysis_time(context) : 1;
    return take_states(f, err);
}

void fields_done(Fields *f)
{
    expr_pool_free(f->pool);
    arena_done(&f->arena);
    *f = (Fields){0};
}

/* A larger copy of an array with `used` elements. */
static void *enlarge(Fields *f, const void *array, size_t used, size_t n, size_t size)
{
    void *larger = arena_alloc(&f->arena, n, size);
    if (larger && used)
        memcpy(larger, array, used * size);
    return larger;
}

static Status grow(Fields *f, Error *err)
{
    if (f->count < f->capacity)
        return OK;
    const size_t used = f->capacity, capacity = used ? 2 * used : 16, dim = f->dim;
    const size_t block = f->states.n_states * dim;
    f->components = enlarge(f, f->components, used * dim, capacity * dim, sizeof *f->components);
    f->field_units = enlarge(f, f->field_units, used, capacity, sizeof *f->field_units);
    f->sizes = enlarge(f, f->sizes, used * dim, capacity * dim, sizeof *f->sizes);
    f->slopes = enlarge(f, f->slopes, used, capacity, sizeof *f->slopes);
    f->numbers = enlarge(f, f->numbers, used * block, capacity * block, sizeof *f->numbers);
    f->number_sizes =
        enlarge(f, f->number_sizes, used * block, capacity * block, sizeof *f->number_sizes);
    f->capacity = capacity;
    return arena_status(&f->arena, err);
}

Status fields_add_sized(Fields *f, const Expr *components, const Expr *sizes, double unit,
                        Error *err)
{
    Status status = grow(f, err);
    if (status != OK)
        return status;
    memcpy(f->components + f->count * f->dim, components, f->dim * sizeof *components);
    memcpy(f->sizes + f->count * f->dim, sizes, f->dim * sizeof *sizes);
    f->field_units[f->count++] = unit;
    return expr_pool_status(f->pool, err);
}

Status fields_add(Fields *f, const Expr *components, double unit, Error *err)
{
    Expr *sizes = ARENA_NEW(&f->arena, f->dim, Expr);
    if (!sizes)
        return arena_status(&f->arena, err);
    for (size_t c = 0; c < f->dim; c++)
        sizes[c] = expr_abs(f->pool, components[c]);
    return fields_add_sized(f, components, sizes, unit, err);
}

static const Expr *slopes_of(Fields *f, size_t k)
{
    if (!f->slopes[k]) {
        Expr *slopes = ARENA_NEW(&f->arena, f->dim * f->n_symbols, Expr);
        for (size_t c = 0; slopes && c < f->dim; c++)
            expr_gradient(f->pool, f->components[k * f->dim + c], f->symbols, f->n_symbols,
                          slopes + c * f->n_symbols);
        f->slopes[k] = slopes;
    }
    return f->slopes[k];
}

/* Adds sign X(g) and the sizes of its terms; slopes[n_symbols] are those of g. */
static void add_derivative(Fields *f, double sign, size_t x, const Expr *slopes, Expr *sum,
                           Expr *size)
{
    for (size_t k = 0; k < f->n_symbols; k++) {
        Expr term = expr_mul(f->pool, f->components[x * f->dim + k], slopes[k]);
        *sum = expr_add(f->pool, *sum, expr_scale(f->pool, sign, term));
        *size = expr_add(f->pool, *size, expr_abs(f->pool, term));
    }
}

/* Whether the field at the end vanishes, or repeats another. */
static bool superfluous(const Fields *f, const Expr *components, size_t first)
{
    for (size_t k = first; k < f->count; k++)
        if (memcmp(f->components + k * f->dim, components, f->dim * sizeof *components) == 0)
            return true;
    return exprs_are_zero(f->pool, components, f->dim);
}

Status fields_add_bracket(Fields *f, size_t i, size_t j, size_t first, Error *err)
{
    const Expr *of_i = slopes_of(f, i), *of_j = slopes_of(f, j);
    Status status = grow(f, err);
    if (status != OK)
        return status;

    Expr *sums = f->components + f->count * f->dim, *sizes = f->sizes + f->count * f->dim;
    for (size_t c = 0; c < f->dim; c++) {
        sums[c] = sizes[c] = expr_const(f->pool, 0);
        add_derivative(f, 1, i, of_j + c * f->n_symbols, &sums[c], &sizes[c]);
        add_derivative(f, -1, j, of_i + c * f->n_symbols, &sums[c], &sizes[c]);
    }
    f->field_units[f->count] = f->field_units[i] * f->field_units[j];
    if (!superfluous(f, sums, first))
        f->count++;
    return expr_pool_status(f->pool, err);
}

/* The component at a state; zero if it is the remainder of a cancellation. */
static double clean(Fields *f, size_t state, double value, double size, double column)
{
    const double relative = value == 0 ? 0 : fabs(value) / (size + NOISE_FLOOR * column);

    if (!isfinite(value) || !isfinite(relative)) {
        f->usable[state] = false;
        return 0;
    }
    if (relative < VERDICT_HOLDS)
        value = 0;
    else if (relative < VERDICT_FAILS)
        f->usable[state] = false;
    return value;
}

static void store(Fields *f, const double *values, size_t added)
{
    const size_t dim = f->dim, n_states = f->states.n_states, total = f->evaluated + added;

    /* numbers in units of fields and components */
    for (size_t k = 0; k < added; k++)
        for (size_t s = 0; s < n_states; s++) {
            const double *row = values + s * 2 * added * dim + k * dim;
            const size_t at = ((f->evaluated + k) * n_states + s) * dim;
            for (size_t c = 0; c < dim; c++) {
                const double unit = f->field_units[f->evaluated + k] / f->units[c];
                f->numbers[at + c] = row[c] * unit;
                f->number_sizes[at + c] = row[added * dim + c] * unit;
            }
        }
    /* clean them, against the largest size in each component */
    for (size_t s = 0; s < n_states; s++)
        for (size_t c = 0; c < dim; c++) {
            double column = 0;
            for (size_t k = 0; k < total; k++)
                column = fmax(column, f->number_sizes[(k * n_states + s) * dim + c]);
            for (size_t k = f->evaluated; k < total; k++) {
                const size_t at = (k * n_states + s) * dim + c;
                f->numbers[at] = clean(f, s, f->numbers[at], f->number_sizes[at], column);
            }
        }
    f->evaluated = total;
}

Status fields_evaluate(Fields *f, Error *err)
{
    const size_t added = f->count - f->evaluated;
    f->before = f->evaluated;
    memcpy(f->was_usable, f->usable, f->states.n_states * sizeof *f->usable);
    if (added == 0)
        return OK;

    /* all fields that have no numbers yet, with the sizes of their terms */
    Arena scratch = {0};
    Expr *exprs = ARENA_NEW(&scratch, 2 * added * f->dim, Expr);
    double *values = arena_doubles(&scratch, 2 * added * f->states.n_states * f->dim);
    Status status = arena_status(&scratch, err);
    if (status == OK) {
        memcpy(exprs, f->components + f->evaluated * f->dim, added * f->dim * sizeof *exprs);
        memcpy(exprs + added * f->dim, f->sizes + f->evaluated * f->dim,
               added * f->dim * sizeof *exprs);
        status = analysis_evaluate(&f->context, exprs, 2 * added * f->dim, &f->states, values, err);
    }
    if (status == OK)
        store(f, values, added);
    arena_done(&scratch);
    return status;
}

void fields_drop(Fields *f)
{
    for (size_t k = f->evaluated; k < f->count; k++)
        f->slopes[k] = NULL;
    f->count = f->evaluated;
}

void fields_undo(Fields *f)
{
    memcpy(f->usable, f->was_usable, f->states.n_states * sizeof *f->usable);
    f->evaluated = f->before;
    fields_drop(f);
}

/* Divides rows (stride apart, entries step apart) by their largest entries. */
static void equilibrate(double *a, size_t lines, size_t stride, size_t entries, size_t step)
{
    for (size_t k = 0; k < lines; k++) {
        double largest = 0;
        for (size_t i = 0; i < entries; i++)
            largest = fmax(largest, fabs(a[k * stride + i * step]));
        for (size_t i = 0; i < entries && largest > 0; i++)
            a[k * stride + i * step] /= largest;
    }
}

Status rank_of_matrix(double *a, size_t rows, size_t columns, size_t *ret_certain,
                      size_t *ret_possible, Error *err)
{
    const size_t least = rows < columns ? rows : columns;
    Arena scratch = {0};
    double *s = arena_doubles(&scratch, least);
    Status status = arena_status(&scratch, err);

    /* rows and columns of size 1, so that units do not matter */
    equilibrate(a, rows, columns, columns, 1);
    equilibrate(a, columns, 1, rows, columns);
    equilibrate(a, rows, columns, columns, 1);
    if (status == OK && least)
        status = dense_singular_values(a, rows, columns, s, err);
    /* singular values in between are possible, but not certain */
    if (status == OK) {
        *ret_certain = *ret_possible = 0;
        for (size_t k = 0; k < least && s[0] > 0; k++) {
            *ret_certain += s[k] > VERDICT_FAILS * s[0];
            *ret_possible += s[k] > VERDICT_HOLDS * s[0];
        }
    }
    arena_done(&scratch);
    return status;
}

/* The largest rank that two of the states attain. */
static size_t attained_twice(const size_t *ranks, size_t n)
{
    size_t first = 0, second = 0;

    for (size_t k = 0; k < n; k++) {
        if (ranks[k] >= first) {
            second = first;
            first = ranks[k];
        } else if (ranks[k] > second) {
            second = ranks[k];
        }
    }
    return second;
}

Status fields_rank(const Fields *f, size_t count, size_t dim, FieldsRank *ret, Error *err)
{
    const size_t n_states = f->states.n_states, start = n_states - 1;
    Arena scratch = {0};
    double *a = arena_doubles(&scratch, count * dim);
    size_t ranks[FIELDS_MAX_STATES] = {0}, possible;
    Status status = arena_status(&scratch, err);

    *ret = (FieldsRank){0};
    /* the rank at each usable state */
    for (size_t s = 0; status == OK && s < n_states; s++) {
        if (!f->usable[s])
            continue;
        for (size_t k = 0; k < count; k++)
            memcpy(a + k * dim, f->numbers + (k * n_states + s) * f->dim, dim * sizeof *a);
        status = rank_of_matrix(a, count, dim, &ranks[s], &possible, err);
        if (status != OK || s == start)
            continue;
        ret->states++;
        if (possible > ret->most)
            ret->most = possible;
    }
    ret->start = ranks[start];
    ret->generic = attained_twice(ranks, start);
    arena_done(&scratch);
    return status;
}
