#include "core/invariants/search/known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

enum { MOST_COLUMNS = 256 };

static const double SAME = 1e-8;

Status known_init(Known *k, size_t rows, unsigned degree, unsigned factors, Error *err)
{
    *k = (Known){.rows = rows,
                 .degree = degree,
                 .factors = factors,
                 .columns = alloc_array(MOST_COLUMNS, sizeof *k->columns),
                 .capacity = MOST_COLUMNS,
                 .work = alloc_array(rows, sizeof *k->work)};
    Status status = k->columns && k->work ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = echelon_init(&k->single, rows, MOST_COLUMNS, err);
    if (status == OK)
        status = echelon_init(&k->products, rows, MOST_COLUMNS, err);
    if (status == OK)
        status = echelon_init(&k->all, rows, MOST_COLUMNS, err);
    if (status != OK)
        return status;
    for (size_t i = 0; i < rows; i++)
        k->work[i] = 1;
    return known_add(k, k->work, 0, false, err);
}

void known_done(Known *k)
{
    for (size_t i = 0; k->columns && i < k->n; i++)
        free(k->columns[i].values);
    free(k->columns);
    free(k->work);
    echelon_done(&k->single);
    echelon_done(&k->products);
    echelon_done(&k->all);
    *k = (Known){0};
}

/* The values in units of their length, in known->work; false where they are all zero. */
static bool scaled(const Known *k, const double *values)
{
    double sum = 0;

    for (size_t i = 0; i < k->rows; i++)
        sum += values[i] * values[i];
    if (!(sum > 0))
        return false;
    for (size_t i = 0; i < k->rows; i++)
        k->work[i] = values[i] / sqrt(sum);
    return true;
}

static void take(const Known *k, Echelon *span, const double *values)
{
    if (scaled(k, values))
        (void)echelon_take(span, k->work, SAME, NULL);
}

static bool spans(const Known *k, const Echelon *span, const double *values)
{
    return !scaled(k, values) || echelon_spans(span, k->work, SAME);
}

Novelty known_judge(const Known *k, const double *values)
{
    if (!spans(k, &k->all, values))
        return NOVEL;
    return spans(k, &k->single, values) || spans(k, &k->products, values) ? REPEATED : REMAINDER;
}

static Status add_column(Known *k, const KnownColumn *a, const KnownColumn *b, Error *err)
{
    KnownColumn *column = &k->columns[k->n];

    if (k->n == k->capacity)
        return OK;
    *column = (KnownColumn){.velocities = a->velocities + b->velocities,
                            .factors = a->factors + b->factors,
                            .energy = a->energy || b->energy,
                            .values = alloc_array(k->rows, sizeof *column->values)};
    if (!column->values)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < k->rows; i++)
        column->values[i] = a->values[i] * b->values[i];
    k->n++;
    take(k, &k->all, column->values);
    if (!column->energy)
        take(k, &k->products, column->values);
    return OK;
}

Status known_add(Known *k, const double *values, unsigned velocities, bool energy, Error *err)
{
    double *copy = alloc_array(k->rows, sizeof *copy), *ones = alloc_array(k->rows, sizeof *ones);
    KnownColumn one = {.values = ones};
    KnownColumn added = {
        .velocities = velocities, .factors = k->n > 0, .energy = energy, .values = copy};
    Status status = copy && ones ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK) {
        memcpy(copy, values, k->rows * sizeof *copy);
        for (size_t i = 0; i < k->rows; i++)
            ones[i] = 1;
        take(k, &k->single, copy);
        status = add_column(k, &added, &one, err);
    }
    /* with everything before it, and with its own powers: those come later in the list */
    for (size_t i = 1; status == OK && i < k->n; i++) {
        const KnownColumn *other = &k->columns[i];
        if (other->factors + added.factors <= k->factors &&
            other->velocities + velocities <= k->degree && !(other->energy && energy))
            status = add_column(k, other, &added, err);
    }
    free(copy);
    free(ones);
    return status;
}
