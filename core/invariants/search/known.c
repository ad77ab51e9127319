/* Products of known first integrals as columns of values, and whether others lie in their span. */
#include "core/invariants/search/problem.h"

#include "core/base/accuracy.h"
#include "core/invariants/search/columns.h"

/* Products that are listed; later ones are ignored. Convention. */
enum { MAX_COLUMNS = 256 };

Status known_init(Known *k, Arena *arena, size_t rows, unsigned degree, unsigned factors,
                  Error *err)
{
    *k = (Known){.arena = arena,
                 .rows = rows,
                 .degree = degree,
                 .factors = factors,
                 .columns = ARENA_NEW(arena, MAX_COLUMNS, KnownColumn),
                 .capacity = MAX_COLUMNS,
                 .work = arena_doubles(arena, rows),
                 .ones = arena_doubles(arena, rows)};
    /* spans of single integrals, products, and sums with the energy */
    echelon_init(&k->single, arena, rows, MAX_COLUMNS);
    echelon_init(&k->products, arena, rows, MAX_COLUMNS);
    echelon_init(&k->rest, arena, rows, MAX_COLUMNS);
    echelon_init(&k->all, arena, rows, MAX_COLUMNS);
    Status status = arena_status(arena, err);
    if (status != OK)
        return status;
    /* constants are known from the beginning */
    for (size_t i = 0; i < rows; i++)
        k->ones[i] = 1;
    return known_add(k, k->ones, 0, false, err);
}

/* The values in units of their length, in known->work; false: they are all zero. */
static bool scaled(const Known *k, const double *values)
{
    const double length = vector_length(values, k->rows);

    for (size_t i = 0; i < k->rows && length > 0; i++)
        k->work[i] = values[i] / length;
    return length > 0;
}

static void take(const Known *k, Echelon *span, const double *values)
{
    /* a column of length 1 is a combination if less remains */
    if (scaled(k, values))
        (void)echelon_take(span, k->work, ACCURACY_HALF, NULL);
}

static bool spans(const Known *k, const Echelon *span, const double *values)
{
    return !scaled(k, values) || echelon_spans(span, k->work, ACCURACY_HALF);
}

Novelty known_judge(const Known *k, const double *values)
{
    if (!spans(k, &k->all, values))
        return NOVEL;
    if (spans(k, &k->single, values) || spans(k, &k->products, values))
        return REPEATED;
    return spans(k, &k->rest, values) ? REMAINDER : REPEATED;
}

/* Adds the product of two known columns. */
static Status add_product(Known *k, const KnownColumn *a, const KnownColumn *b, Error *err)
{
    KnownColumn *column = &k->columns[k->n];

    if (k->n == k->capacity)
        return OK;
    *column = (KnownColumn){.velocities = a->velocities + b->velocities,
                            .factors = a->factors + b->factors,
                            .energy = a->energy || b->energy,
                            .values = arena_doubles(k->arena, k->rows)};
    Status status = arena_status(k->arena, err);
    if (status != OK)
        return status;
    /* its values, and the spans to which it belongs */
    for (size_t i = 0; i < k->rows; i++)
        column->values[i] = a->values[i] * b->values[i];
    k->n++;
    take(k, &k->all, column->values);
    if (!column->energy)
        take(k, &k->products, column->values);
    if (!column->energy || column->factors <= 1)
        take(k, &k->rest, column->values);
    return OK;
}

Status known_add(Known *k, const double *values, unsigned velocities, bool energy, Error *err)
{
    const KnownColumn one = {.values = k->ones};
    const KnownColumn added = {.velocities = velocities,
                               .factors = k->n > 0,
                               .energy = energy,
                               .values = arena_copy_doubles(k->arena, values, k->rows)};
    Status status = arena_status(k->arena, err);

    if (status != OK)
        return status;
    take(k, &k->single, added.values);
    status = add_product(k, &added, &one, err);
    /* with everything before it, and with its own powers: those come later in the list */
    for (size_t i = 1; status == OK && i < k->n; i++) {
        const KnownColumn *other = &k->columns[i];
        if (other->factors + added.factors <= k->factors &&
            other->velocities + velocities <= k->degree)
            status = add_product(k, other, &added, err);
    }
    return status;
}
