/* Short forms of a combination: adds the multiple of a move that saves most, again and again. */
#include "core/invariants/search/columns.h"

#include <math.h>
#include <stdint.h>

#include "core/base/accuracy.h"

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
    /* add the best one */
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
