/* Brackets, step by step until no rank grows. */
#include "core/invariants/structure/growth.h"

#include <math.h>
#include <string.h>

#include "core/invariants/proof.h"

/* The most brackets: fields, their components, and nodes of the pool; beyond them the question
 * is left open. Conventions. */
enum { MAX_FIELDS = 400, MAX_COMPONENTS = 20000, MAX_NODES = 40000 };

static bool affordable(const Fields *f, size_t more)
{
    return more <= MAX_FIELDS && f->count + more <= MAX_FIELDS &&
           (f->count + more) * f->dim <= MAX_COMPONENTS && expr_pool_size(f->pool) <= MAX_NODES;
}

/* Brackets beyond the limits are dropped and leave the question open. */
static bool outgrown(Fields *f, Growth *g, Status *status)
{
    if (*status != ERR_LIMIT)
        return false;
    fields_drop(f);
    g->complete = false;
    *status = OK;
    return true;
}

/* Ranks after the fields were added; *ret_gained: a rank grew. */
static Status add_step(Fields *f, size_t dim, Growth *g, bool *ret_gained, Error *err)
{
    FieldsRank rank = {0};
    Status status = fields_evaluate(f, err);

    if (status == OK)
        status = fields_rank(f, f->count, dim, &rank, err);
    if (status != OK)
        return status;
    const size_t k = g->length;
    /* more fields cannot lower a rank: a fall comes from rounding */
    g->blurred = k > 0 && rank.generic < g->generic[k - 1];
    g->states = rank.states;
    g->decided =
        (k == 0 || g->decided) && rank.generic == rank.most && rank.states >= VERDICT_ENOUGH_STATES;
    *ret_gained = k == 0 || rank.generic > g->generic[k - 1];
    g->generic[k] = rank.generic;
    g->start[k] = k > 0 && g->start[k - 1] > rank.start ? g->start[k - 1] : rank.start;
    g->fields[k] = f->count;
    g->length++;
    return OK;
}

/* Brackets of the fields [from_a, to_a) with [from_b, to_b); equal ranges: each pair once. */
static Status add_brackets(Fields *f, size_t from_a, size_t to_a, size_t from_b, size_t to_b,
                           Error *err)
{
    const size_t first = f->count;
    Status status = analysis_poll(&f->context, err);

    for (size_t i = from_a; status == OK && i < to_a; i++)
        for (size_t j = from_b; status == OK && j < to_b; j++)
            if (from_a != from_b || i < j)
                status = fields_add_bracket(f, i, j, first, err);
    return status;
}

/* Steps that only repeat the last rank are not part of the flags. */
static size_t without_repeats(const size_t *ranks, size_t length)
{
    while (length > 1 && ranks[length - 1] == ranks[length - 2])
        length--;
    return length;
}

static void trim(Growth *g)
{
    g->tried = g->length;
    g->length = without_repeats(g->generic, g->tried);
    g->start_length = without_repeats(g->start, g->tried);
}

void growth_sharpen(Fields *f, Growth *g)
{
    if (!g->blurred)
        return;
    fields_undo(f);
    g->blurred = false;
    g->length = g->tried - 1;
    trim(g);
}

Status growth_init(Growth *g, Fields *f, bool derived, size_t dim, size_t most, Error *err)
{
    const size_t m = f->count;
    size_t first = 0, last = m; /* the fields of the last step */
    bool gained = true;

    *g = (Growth){0};
    Status status = add_step(f, dim, g, &gained, err);
    while (status == OK && g->length < GROWTH_MAX_STEPS) {
        const size_t rank = g->generic[g->length - 1], fresh = last - first;
        g->complete = !g->blurred && (rank >= most || !gained);
        /* at a singular start the same rank may take more steps */
        const bool late = !derived && g->start[g->length - 1] < rank && g->length < m + 4;
        /* [D, fields of the last step] or, derived, [all before, those]; at first [D, D] */
        const size_t before = first == 0 || derived ? first : m;
        const bool own = first == 0 || derived; /* also brackets among the last */
        if (g->blurred || (g->complete && !late) ||
            !affordable(f, before * fresh + (own ? fresh * (fresh - (fresh > 0)) / 2 : 0)))
            break;
        if (before > 0)
            status = add_brackets(f, 0, before, first, last, err);
        if (status == OK && own)
            status = add_brackets(f, first, last, first, last, err);
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

static Status prove_step(const Fields *f, size_t dim, size_t count, GenericRank *ret, Error *err)
{
    Arena scratch = {0};
    Expr *entries = ARENA_NEW(&scratch, count * dim, Expr);
    const RankQuestion question = {
        .entries = entries, .rows = count, .columns = dim, .copies = 1, .states = &f->states};
    Status status = arena_status(&scratch, err);

    for (size_t k = 0; status == OK && k < count; k++)
        memcpy(entries + k * dim, f->components + k * f->dim, dim * sizeof *entries);
    if (status == OK)
        status = generic_rank_prove(&f->context, &question, ret, err);
    arena_done(&scratch);
    return status;
}

Status growth_prove(const Fields *f, size_t dim, size_t most, Growth *g, Error *err)
{
    size_t ranks[GROWTH_MAX_STEPS];
    Proof all = {.method = PROOF_INTERVAL};
    Status status = OK;

    g->proved = true;
    for (size_t k = 0; status == OK && g->proved && k < g->tried; k++) {
        GenericRank rank = {0};
        status = prove_step(f, dim, g->fields[k], &rank, err);
        ranks[k] = rank.most;
        g->proof = rank.proof;
        g->proved = status == OK && rank.least == rank.most;
        proof_join(&all, &rank.proof);
    }
    if (!g->proved)
        return status;
    g->proof = all;
    memcpy(g->generic, ranks, g->tried * sizeof *ranks);
    g->length = without_repeats(g->generic, g->tried);
    /* a round of brackets without a gain is the last that could have one */
    g->complete = g->generic[g->length - 1] >= most || g->length < g->tried;
    return OK;
}
