/* Combinations of columns, and short forms of them. */
#include "core/invariants/search/columns.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/numeric/vectors.h"

/* Columns taken one after the other: Householder QR (G. H. Golub, C. F. Van Loan, Matrix
 * Computations, 5.2.2), and the gap in their singular values. */

void echelon_init(Echelon *e, Arena *arena, size_t rows, size_t capacity)
{
    if (capacity > rows)
        capacity = rows;
    *e = (Echelon){.rows = rows,
                   .capacity = capacity,
                   .reflectors = arena_doubles(arena, capacity * rows),
                   .r = arena_doubles(arena, capacity * capacity),
                   .work = arena_doubles(arena, capacity)};
}

/* Four sums at a time, in a fixed order: one would wait for each addition. */
static double dot(const double *a, const double *b, size_t n)
{
    double s[4] = {0, 0, 0, 0};
    size_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            s[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static void subtract(double *restrict a, double factor, const double *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] -= factor * b[i];
}

/* Solves R x = b for the kept columns, in place. */
static void echelon_solve_upper(const Echelon *e, double *b)
{
    for (size_t k = e->rank; k-- > 0;) {
        const double *column = e->r + k * e->capacity;
        b[k] /= column[k];
        subtract(b, b[k], column, k);
    }
}

/* Solves R^T x = b, in place. */
static void echelon_solve_lower(const Echelon *e, double *b)
{
    for (size_t k = 0; k < e->rank; k++) {
        const double *column = e->r + k * e->capacity;
        b[k] = (b[k] - dot(column, b, k)) / column[k];
    }
}

static void keep(Echelon *e, const double *column, double length)
{
    const size_t k = e->rank;
    double *v = e->reflectors + k * e->rows + k, *r = e->r + k * e->capacity;
    double corner = column[k] > 0 ? -length : length;

    memcpy(r, column, k * sizeof *r);
    r[k] = corner;
    memcpy(v, column + k, (e->rows - k) * sizeof *v);
    v[0] -= corner;
    /* v.v = 2, so that the reflection is x - v (v.x) */
    double scale = 1 / sqrt(length * (length + fabs(column[k])));
    for (size_t i = 0; i < e->rows - k; i++)
        v[i] *= scale;
    e->rank++;
}

/* Turns the column into the axes of the kept ones; returns the length of the rest. */
static double reflect(const Echelon *e, double *column)
{
    for (size_t k = 0; k < e->rank; k++) {
        const double *v = e->reflectors + k * e->rows + k;
        subtract(column + k, dot(v, column + k, e->rows - k), v, e->rows - k);
    }
    const double *rest = column + e->rank;
    return sqrt(dot(rest, rest, e->rows - e->rank));
}

bool echelon_spans(const Echelon *e, double *column, double tolerance)
{
    return reflect(e, column) <= tolerance;
}

bool echelon_take(Echelon *e, double *column, double tolerance, double *ret_coefs)
{
    double length = reflect(e, column);
    if (length > tolerance) {
        if (e->rank < e->capacity)
            keep(e, column, length);
        return true;
    }
    e->dropped += length * length;
    if (ret_coefs) {
        memcpy(ret_coefs, column, e->rank * sizeof *ret_coefs);
        echelon_solve_upper(e, ret_coefs);
    }
    return false;
}

double echelon_gap(const Echelon *e)
{
    enum { ITERATIONS = 8 }; /* convention: the factor is needed to a digit */
    double *x = e->work, smallest = 1;

    /* a start with a part in most directions */
    for (size_t i = 0; i < e->rank; i++)
        x[i] = i % 2 ? -1 : 1;
    /* inverse iteration with R^T R: x grows by one over its smallest eigenvalue */
    for (int k = 0; k < ITERATIONS && e->rank; k++) {
        double length = sqrt(dot(x, x, e->rank));
        for (size_t i = 0; i < e->rank; i++)
            x[i] /= length;
        echelon_solve_lower(e, x);
        echelon_solve_upper(e, x);
        smallest = 1 / sqrt(sqrt(dot(x, x, e->rank)));
    }
    return smallest / sqrt(e->dropped);
}

/* A search: combinations by QR without pivoting, in units of the candidates. */

/* Adds candidate k as the sum of coefs times kept ones, all in units of their scales. */
static void add_combination(Columns *c, size_t k, const double *coefs)
{
    double *ret = c->combinations + c->n_combinations * c->n;

    for (size_t j = 0; j < c->n_kept; j++)
        ret[c->kept[j]] = -coefs[j];
    ret[k] = 1;
    c->combined[c->n_combinations++] = k;
}

/* Brings a combination to units of the candidates themselves. The error of a coefficient is the
 * remainder of the columns over the smallest singular value of the kept ones, one over the gap. */
static void scale_back(const Columns *c, size_t combination)
{
    const size_t candidate = c->combined[combination];
    double *coefs = c->combinations + combination * c->n;
    const double largest = vector_largest(coefs, c->n);
    const double rounding = fmax(ACCURACY_HALF, ERROR_MARGIN / c->gap) * largest;
    for (size_t k = 0; k < c->n; k++)
        if (k != candidate)
            coefs[k] = fabs(coefs[k]) > rounding ? coefs[k] * c->scale[candidate] / c->scale[k] : 0;
}

static Status take(const ColumnSource *source, Columns *c, Echelon *echelon, double *column,
                   double *coefs, Error *err)
{
    const double tolerance = source->tolerance > 0 ? source->tolerance : ACCURACY_COMPARED;
    const size_t count = source->which ? source->n_which : source->n;
    Status status = OK;

    for (size_t i = 0; i < count && status == OK; i++) {
        const size_t k = source->which ? source->which[i] : i;
        const double scale = source->fill(source->self, k, column);
        if (i % 16 == 15 && source->context)
            status = analysis_poll(source->context, err);
        if (!(scale > 0) || !isfinite(scale))
            continue;
        c->scale[k] = scale;
        for (size_t row = 0; row < source->rows; row++)
            column[row] /= scale;
        /* independent, or a combination of those before it */
        if (echelon_take(echelon, column, tolerance, coefs))
            c->kept[c->n_kept++] = k;
        else
            add_combination(c, k, coefs);
        if (source->most > 0 && c->n_combinations == source->most)
            break;
    }
    return status;
}

Status columns_search(const ColumnSource *source, Arena *arena, Columns *ret, Error *err)
{
    const size_t n = source->n, most = source->most > 0 ? source->most : n;
    Echelon echelon;
    Arena scratch = {0};

    *ret = (Columns){.n = n,
                     .scale = arena_doubles(arena, n),
                     .kept = arena_sizes(arena, n),
                     .combined = arena_sizes(arena, most),
                     .combinations = arena_doubles(arena, most * n)};
    echelon_init(&echelon, &scratch, source->rows, n);
    double *column = arena_doubles(&scratch, source->rows), *coefs = arena_doubles(&scratch, n);
    Status status = arena_status(&scratch, err);
    if (status == OK)
        status = arena_status(arena, err);
    if (status == OK)
        status = take(source, ret, &echelon, column, coefs, err);
    if (status == OK) {
        /* scaled only now: the rounding of coefficients follows from the gap of all columns */
        ret->gap = echelon_gap(&echelon);
        for (size_t k = 0; k < ret->n_combinations; k++)
            scale_back(ret, k);
    }
    arena_done(&scratch);
    return status;
}

const double *columns_combination(const Columns *columns, size_t k)
{
    for (size_t i = 0; i < columns->n_combinations; i++)
        if (columns->combined[i] == k)
            return columns->combinations + i * columns->n;
    return NULL;
}

/* Short forms: adds the multiple of a move that saves most, again and again. */

/* Moves that are added. Convention. */
enum { MAX_STEPS = 200 };

void moves_init(Moves *m, Arena *arena, size_t n, size_t capacity)
{
    *m = (Moves){.arena = arena,
                 .n = n,
                 .capacity = capacity,
                 .rows = ARENA_NEW(arena, capacity, const double *),
                 .support = ARENA_NEW(arena, capacity, size_t *)};
}

void moves_add(Moves *m, const double *row)
{
    size_t count = 0;

    for (size_t k = 0; k < m->n; k++)
        count += row[k] != 0;
    size_t *support = arena_sizes(m->arena, count + 1);
    if (m->count == m->capacity || arena_failed(m->arena))
        return;
    m->rows[m->count] = row;
    m->support[m->count++] = support;
    for (size_t k = 0; k < m->n; k++)
        if (row[k] != 0)
            *support++ = k;
    *support = SIZE_MAX;
}

static double moved(double before, double step)
{
    double after = before + step;
    /* the numbers cancel */
    return fabs(after) <= ACCURACY_HALF * (fabs(before) + fabs(step)) ? 0 : after;
}

/* The cost of vector + factor * move less that of vector. */
static double extra_cost(const Moves *m, size_t move, double factor, const double *cost,
                         const double *vector)
{
    const double *row = m->rows[move];
    double extra = 0;

    for (const size_t *k = m->support[move]; *k != SIZE_MAX; k++) {
        extra -= vector[*k] != 0 ? cost[*k] : 0;
        extra += moved(vector[*k], factor * row[*k]) != 0 ? cost[*k] : 0;
    }
    return extra;
}

static bool step(const Moves *m, const double *cost, double *vector)
{
    /* a smaller saving counts as none */
    double best = -ACCURACY_COMPARED, best_factor = 0;
    size_t best_move = 0;

    /* each move may clear one coefficient; the cheapest result counts */
    for (size_t move = 0; move < m->count; move++) {
        const double *row = m->rows[move];
        for (const size_t *k = m->support[move]; *k != SIZE_MAX; k++) {
            if (vector[*k] == 0)
                continue;
            double factor = -vector[*k] / row[*k];
            double extra = extra_cost(m, move, factor, cost, vector);
            if (extra < best) {
                best = extra;
                best_factor = factor;
                best_move = move;
            }
        }
    }
    if (best_factor == 0)
        return false;
    for (const size_t *k = m->support[best_move]; *k != SIZE_MAX; k++)
        vector[*k] = moved(vector[*k], best_factor * m->rows[best_move][*k]);
    return true;
}

void moves_shorten(const Moves *m, const double *cost, double *vector)
{
    int steps = 0;
    while (steps < MAX_STEPS && step(m, cost, vector))
        steps++;
}
