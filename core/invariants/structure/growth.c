/* Flags of a distribution by brackets, step by step until no rank grows: the small and the
 * derived one. */
#include "core/invariants/structure/growth.h"

#include <math.h>

/* What is spent on brackets before the question is left open. */
enum { ENOUGH_STATES = 32, MOST_FIELDS = 400, MOST_COMPONENTS = 20000, MOST_NODES = 40000 };

static bool affordable(const Fields *f, size_t more)
{
    return more <= MOST_FIELDS && f->count + more <= MOST_FIELDS &&
           (f->count + more) * f->dim <= MOST_COMPONENTS && expr_pool_size(f->pool) <= MOST_NODES;
}

/* What outgrows its limits leaves the question open. */
static bool outgrown(Fields *f, Growth *g, Status *status)
{
    if (*status != ERR_LIMIT)
        return false;
    fields_drop(f);
    g->complete = false;
    *status = OK;
    return true;
}

/* Ranks after the fields were added; *ret_gained where a rank grew. */
static Status add_step(Fields *f, size_t dim, Growth *g, bool *ret_gained, Error *err)
{
    FieldsRank rank = {0};
    Status status = fields_evaluate(f, err);

    if (status == OK && g->length == 1)
        g->curvature = f->largest;
    if (status == OK)
        status = fields_rank(f, f->count, dim, &rank, err);
    if (status != OK)
        return status;
    const size_t k = g->length;
    g->states = rank.states;
    g->decided =
        (k == 0 || g->decided) && rank.generic == rank.most && rank.states >= ENOUGH_STATES;
    *ret_gained = k == 0 || rank.generic > g->generic[k - 1];
    g->generic[k] = rank.generic;
    g->start[k] = rank.start;
    g->length++;
    return OK;
}

/* Brackets of the fields [from_a, to_a) with [from_b, to_b); equal ranges: each pair once. */
static Status add_brackets(Fields *f, size_t from_a, size_t to_a, size_t from_b, size_t to_b,
                           Error *err)
{
    const size_t first = f->count;
    Status status = analysis_poll(f->context, err);

    for (size_t i = from_a; status == OK && i < to_a; i++)
        for (size_t j = from_b; status == OK && j < to_b; j++)
            if (from_a != from_b || i < j)
                status = fields_add_bracket(f, i, j, first, err);
    return status;
}

/* Steps that only repeat the last rank are not part of the flags. */
static void trim(Growth *g)
{
    g->start_length = g->length;
    while (g->length > 1 && g->generic[g->length - 1] == g->generic[g->length - 2])
        g->length--;
    while (g->start_length > 1 && g->start[g->start_length - 1] == g->start[g->start_length - 2])
        g->start_length--;
}

Status growth_small(Fields *f, size_t dim, size_t most, Growth *g, Error *err)
{
    const size_t m = f->count;
    size_t first = 0, last = m;
    bool gained = true;

    *g = (Growth){0};
    Status status = add_step(f, dim, g, &gained, err);
    while (status == OK && g->length < GROWTH_MAX_STEPS) {
        const size_t rank = g->generic[g->length - 1];
        g->complete = rank >= most || !gained;
        /* at a singular start the same rank may take more steps */
        const bool late = g->start[g->length - 1] < rank && g->length < m + 4;
        if (g->complete && !late)
            break;
        if (!affordable(f, first == 0 ? m * (m - 1) / 2 : m * (last - first)))
            break;
        /* [D, what the last step added]; at first [D, D] */
        status = add_brackets(f, 0, m, first, last, err);
        first = last;
        last = f->count;
        if (status == OK)
            status = add_step(f, dim, g, &gained, err);
        if (outgrown(f, g, &status))
            break;
    }
    trim(g);
    return status;
}

Status growth_derived(Fields *f, size_t dim, size_t most, Growth *g, Error *err)
{
    bool gained = true;

    *g = (Growth){0};
    Status status = add_step(f, dim, g, &gained, err);
    size_t known = 0, last = f->count;
    while (status == OK && g->length < GROWTH_MAX_STEPS) {
        g->complete = g->generic[g->length - 1] >= most || !gained;
        const size_t fresh = last - known;
        if (g->complete || !affordable(f, known * fresh + fresh * (fresh - (fresh > 0)) / 2))
            break;
        /* pairs of which one is new */
        if (known > 0)
            status = add_brackets(f, 0, known, known, last, err);
        if (status == OK)
            status = add_brackets(f, known, last, known, last, err);
        known = last;
        last = f->count;
        if (status == OK)
            status = add_step(f, dim, g, &gained, err);
        if (outgrown(f, g, &status))
            break;
    }
    trim(g);
    return status;
}
