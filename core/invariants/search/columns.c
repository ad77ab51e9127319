/* Combinations of columns by QR without pivoting; their coefficients in units of the candidates
 * and without rounding. */
#include "core/invariants/search/columns.h"

#include <math.h>

#include "core/base/accuracy.h"
#include "core/numeric/vectors.h"

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

    /* each candidate in its order, in units of its scale */
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
    /* collect, then scale the combinations */
    if (status == OK)
        status = take(source, ret, &echelon, column, coefs, err);
    if (status == OK) {
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
