/* The part of a graph that one question needs, in an order of evaluation. */
#include "core/exact/steps.h"

#include <math.h>

/* Data of the walk over the graph. */
typedef struct Walk {
    const ExactProblem *problem;
    bool loose;
    uint32_t *slot;  /* by id, +1; 0: not reached */
    uint8_t *level;  /* by id */
    uint8_t *stage;  /* by symbol: of an unknown, from 1 */
    uint32_t *known; /* by symbol: place in known, +1 */
    uint32_t n_symbols;
    Arena arena;
} Walk;

static void mark(Walk *w, const Expr *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        w->slot[e[i].id] = 1;
}

/* Marks all nodes below marked ones: operands have smaller ids. */
static void mark_below(Walk *w)
{
    for (uint32_t id = expr_pool_size(w->problem->pool); id > 0; id--) {
        if (!w->slot[id])
            continue;
        const ExprNode node = expr_node(w->problem->pool, (Expr){id});
        mark(w, node.args, node.n);
    }
}

static bool stage_counts(const Walk *w, const ExactStage *stage)
{
    return stage->linear || !w->loose;
}

/* From the last stage to the first: equations may need unknowns of earlier stages. */
static void mark_problem(Walk *w, Steps *s)
{
    const ExactProblem *p = w->problem;

    mark(w, p->terms, p->n_terms);
    mark_below(w);
    for (size_t k = p->n_stages; k-- > 0;) {
        const ExactStage *stage = &p->stages[k];
        for (size_t i = 0; stage->n_equations > 0 && i < stage->n_unknowns; i++)
            s->stages[k].used |= stage_counts(w, stage) && w->slot[stage->unknowns[i].id] != 0;
        if (!s->stages[k].used)
            continue;
        mark(w, stage->equations, stage->n_equations);
        mark(w, stage->jacobian, stage->n_equations * stage->n_unknowns);
        mark_below(w);
    }
}

static uint32_t symbol_number(const Walk *w, Expr e)
{
    return expr_node(w->problem->pool, e).symbol;
}

static uint32_t count_symbols(const ExprPool *pool)
{
    uint32_t count = 0;
    for (uint32_t id = 1; id <= expr_pool_size(pool); id++) {
        ExprNode node = expr_node(pool, (Expr){id});
        if (node.op == EXPR_SYMBOL && node.symbol >= count)
            count = node.symbol + 1;
    }
    return count;
}

static bool walk_init(Walk *w)
{
    const ExactProblem *p = w->problem;
    const size_t size = expr_pool_size(p->pool) + 1;

    w->n_symbols = count_symbols(p->pool);
    w->slot = ARENA_NEW(&w->arena, size, uint32_t);
    w->level = ARENA_NEW(&w->arena, size, uint8_t);
    w->stage = ARENA_NEW(&w->arena, w->n_symbols, uint8_t);
    w->known = ARENA_NEW(&w->arena, w->n_symbols, uint32_t);
    if (arena_failed(&w->arena))
        return false;
    for (size_t i = 0; i < p->n_known; i++)
        w->known[symbol_number(w, p->known[i])] = (uint32_t)i + 1;
    for (size_t k = 0; k < p->n_stages; k++)
        for (size_t i = 0; i < p->stages[k].n_unknowns; i++)
            w->stage[symbol_number(w, p->stages[k].unknowns[i])] = (uint8_t)(k + 1);
    return true;
}

/* A node's level; its operands have theirs already. */
static uint8_t level_of(const Walk *w, const Steps *s, const ExprNode *node)
{
    uint8_t level = 0;

    if (node->op == EXPR_SYMBOL) {
        level = w->stage[node->symbol];
        return level > 0 && s->stages[level - 1].used ? level : 0;
    }
    for (uint32_t k = 0; k < node->n; k++)
        if (w->level[node->args[k].id] > level)
            level = w->level[node->args[k].id];
    return level;
}

/* Computes levels of all reached nodes, and slots by level and then id. */
static void order(Walk *w, Steps *s)
{
    size_t start[258] = {0};
    const uint32_t size = expr_pool_size(w->problem->pool);

    /* levels, and the number of nodes of each */
    for (uint32_t id = 1; id <= size; id++) {
        if (!w->slot[id])
            continue;
        ExprNode node = expr_node(w->problem->pool, (Expr){id});
        w->level[id] = level_of(w, s, &node);
        start[w->level[id] + 1]++;
        s->n_args += node.n;
        s->n++;
    }
    /* slots, counted on from the start of each level */
    for (size_t k = 1; k < 257; k++)
        start[k] += start[k - 1];
    for (uint32_t id = 1; id <= size; id++)
        if (w->slot[id])
            w->slot[id] = (uint32_t)++start[w->level[id]];
}

/* The place of a number. Equal numbers share a place if they follow each other closely. */
static uint32_t number(Steps *s, double value, bool given)
{
    for (size_t k = s->n_numbers; k-- > 0 && k + 4 > s->n_numbers;)
        if (s->numbers[k] == value && s->given[k] == given)
            return (uint32_t)k;
    s->given[s->n_numbers] = given;
    s->numbers[s->n_numbers] = value;
    return (uint32_t)s->n_numbers++;
}

static void fill_step(const Walk *w, Steps *s, uint32_t id, uint32_t *first)
{
    ExprNode node = expr_node(w->problem->pool, (Expr){id});
    const uint32_t slot = w->slot[id] - 1;
    Step *step = &s->step[slot];

    /* operands by their slots; a sum has exact coefficients */
    *step = (Step){.op = node.op, .level = w->level[id], .n = node.n, .first = *first};
    *first += node.n;
    for (uint32_t k = 0; k < node.n; k++) {
        s->args[step->first + k] = w->slot[node.args[k].id] - 1;
        s->coefs[step->first + k] = node.coefs ? node.coefs[k] : 0;
        if (node.op == EXPR_SUM)
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): sums have coefficients */
            s->weights[step->first + k] = number(s, node.coefs[k], false);
    }
    /* a symbol is a known number, an unknown of a stage, or free */
    if (node.op == EXPR_SYMBOL) {
        uint32_t known = w->known[node.symbol];
        uint8_t stage = w->stage[node.symbol];
        s->symbols[slot] = node.symbol;
        step->known = known != 0;
        step->value = known ? w->problem->values[known - 1] : 0;
        step->stage = stage && s->stages[stage - 1].used ? stage : 0;
    } else if (node.op == EXPR_CONST || node.op == EXPR_SUM) {
        step->value = node.value;
    }
    step->number = number(s, step->value, step->known);
    /* a linear system has one step, which stores its solution; elements read from it */
    if (node.op == EXPR_ELEMENT)
        step->part = node.symbol;
    if (node.op == EXPR_SOLVE) {
        step->part = (uint32_t)s->n_store;
        s->n_store += node.n - 1;
        if (node.n - 1 > EXACT_MAX_UNKNOWNS)
            s->why = "it holds a system of too many unknowns";
    }
    /* reasons against an exact value */
    if (node.op == EXPR_RCOND)
        s->why = "it holds an estimate of a condition";
    if (!isfinite(step->value))
        s->why = "it holds a parameter that is not a finite number";
}

static uint32_t slot_of(const Walk *w, Expr e)
{
    return w->slot[e.id] ? w->slot[e.id] - 1 : SLOT_NONE;
}

static uint32_t *slots_of(const Walk *w, Steps *s, const Expr *e, size_t n)
{
    uint32_t *slots = ARENA_NEW(&s->arena, n, uint32_t);
    for (size_t i = 0; slots && i < n; i++)
        slots[i] = slot_of(w, e[i]);
    return slots;
}

static void read_numbers(Steps *s)
{
    s->exact = ARENA_NEW(&s->arena, s->n_numbers, fmpq);
    for (size_t i = 0; s->exact && i < s->n_numbers; i++) {
        const Number *real = numbers_at(&s->reals, (uint32_t)i);
        fmpq_init(s->exact + i);
        if (real && real->rational && s->numbers[i] < 0)
            fmpq_neg(s->exact + i, real->exact);
        else if (real && real->rational)
            fmpq_set(s->exact + i, real->exact);
        else if (!real && isfinite(s->numbers[i]))
            numbers_read(s->exact + i, s->numbers[i], s->given[i]);
    }
}

static void fill(const Walk *w, Steps *s)
{
    const ExactProblem *p = w->problem;
    uint32_t first = 0;

    s->step = ARENA_NEW(&s->arena, s->n, Step);
    s->symbols = ARENA_NEW(&s->arena, s->n, uint32_t);
    s->args = ARENA_NEW(&s->arena, s->n_args, uint32_t);
    s->coefs = arena_doubles(&s->arena, s->n_args);
    s->weights = ARENA_NEW(&s->arena, s->n_args, uint32_t);
    s->numbers = arena_doubles(&s->arena, s->n_args + s->n);
    s->given = ARENA_NEW(&s->arena, s->n_args + s->n, bool);
    if (arena_failed(&s->arena))
        return;
    /* operands come before the nodes that use them */
    for (uint32_t id = 1; id <= expr_pool_size(p->pool); id++)
        if (w->slot[id])
            fill_step(w, s, id, &first);
    s->n_terms = p->n_terms;
    s->terms = slots_of(w, s, p->terms, p->n_terms);
    for (size_t k = 0; k < p->n_stages; k++) {
        const ExactStage *stage = &p->stages[k];
        StepStage *own = &s->stages[k];
        own->stage = stage;
        own->unknowns = slots_of(w, s, stage->unknowns, stage->n_unknowns);
        own->equations = slots_of(w, s, stage->equations, stage->n_equations);
        own->jacobian = slots_of(w, s, stage->jacobian, stage->n_equations * stage->n_unknowns);
        if (own->used && stage->n_unknowns > EXACT_MAX_UNKNOWNS)
            s->why = "its equations have too many unknowns";
    }
    numbers_init(&s->reals, &s->arena, p->pool, s->numbers, s->given, s->n_numbers);
    if (!arena_failed(&s->arena))
        read_numbers(s);
}

Status steps_init(Steps *steps, const ExactProblem *problem, bool loose, Error *err)
{
    Walk walk = {.problem = problem, .loose = loose};
    Status status = expr_pool_status(problem->pool, err);
    if (status != OK)
        return status;

    *steps = (Steps){.n_stages = problem->n_stages};
    steps->stages = ARENA_NEW(&steps->arena, problem->n_stages, StepStage);
    bool made = steps->stages && walk_init(&walk);
    /* mark the nodes that the problem reaches, then number them */
    if (made) {
        mark_problem(&walk, steps);
        order(&walk, steps);
    }
    if (steps->n > EXACT_MAX_STEPS)
        steps->why = "it is too large";
    else if (made)
        fill(&walk, steps);
    if (expr_pool_rounded(problem->pool))
        steps->why = "its constants cannot be told apart";
    made = made && !arena_failed(&steps->arena);
    arena_done(&walk.arena);
    return made ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void steps_done(Steps *steps)
{
    for (size_t i = 0; steps->exact && i < steps->n_numbers; i++)
        fmpq_clear(steps->exact + i);
    numbers_done(&steps->reals);
    arena_done(&steps->arena);
    *steps = (Steps){0};
}
