/* Lowering separates factors that depend on inputs from those that do not. The value of a node is
 *
 *     scale * fixed * moving
 *
 * with a number, a value that depends on parameters only, and one that depends on inputs. Products
 * multiply the three separately and sums multiply their coefficients in. So each term of a sum has
 * one factor computed in advance, and signs become additions or subtractions. */
#include "core/program/compile/compile.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/memory.h"

typedef struct Parts {
    double scale;
    uint32_t fixed, moving; /* TAPE_NONE stands for the factor 1 */
} Parts;

enum { SINE_USED = 1, COSINE_USED = 2 };

typedef struct Lowering {
    const ExprPool *pool;
    Tape *tape;
    Parts *parts;          /* by node id */
    bool *reached, *done;  /* by node id */
    uint8_t *trigonometry; /* by node id: whether its sin and cos are used */
    uint32_t *divisors;    /* by node id: number of products that divide by it */
    Expr *meanings;        /* by node id: the meaning of a name */
    uint32_t *values;      /* work space: operands of one node */
    size_t values_capacity;
    Arena memory; /* owns the arrays by node id */
} Lowering;

/* A node on the path from the root, and its next operand. */
typedef struct Visit {
    uint32_t id, next;
} Visit;

static const uint8_t OPERATIONS[] = {[EXPR_SQRT] = OP_SQRT,
                                     [EXPR_ABS] = OP_ABS,
                                     [EXPR_SIGN] = OP_SIGN,
                                     [EXPR_MIN] = OP_MIN,
                                     [EXPR_MAX] = OP_MAX,
                                     [EXPR_LT] = OP_LT,
                                     [EXPR_LE] = OP_LE,
                                     [EXPR_EQ] = OP_EQ,
                                     [EXPR_NOT] = OP_NOT,
                                     [EXPR_AND] = OP_AND,
                                     [EXPR_OR] = OP_OR,
#define LOWER_OPERATION(name, operands, expression) [EXPR_##name] = OP_##name,
                                     PROGRAM_FUNCTION_LIST(LOWER_OPERATION)
#undef LOWER_OPERATION
};

static uint32_t lower_multiply(Lowering *low, uint32_t a, uint32_t b)
{
    if (a == TAPE_NONE)
        return b;
    if (b == TAPE_NONE)
        return a;
    return tape_binary(low->tape, OP_MUL, a, b);
}

/* scale * fixed; TAPE_NONE for 1. */
static uint32_t coefficient(Lowering *low, double scale, uint32_t fixed)
{
    if (scale == 1.0)
        return fixed;
    if (fixed == TAPE_NONE)
        return tape_const(low->tape, scale);
    if (scale == -1.0)
        return tape_unary(low->tape, OP_NEG, fixed);
    return tape_binary(low->tape, OP_MUL, tape_const(low->tape, scale), fixed);
}

static uint32_t lower_whole(Lowering *low, Parts parts)
{
    if (parts.moving == TAPE_NONE) {
        const uint32_t value = coefficient(low, parts.scale, parts.fixed);
        return value == TAPE_NONE ? tape_const(low->tape, 1.0) : value;
    }
    if (parts.scale == -1.0 && parts.fixed == TAPE_NONE)
        return tape_unary(low->tape, OP_NEG, parts.moving);
    return lower_multiply(low, coefficient(low, parts.scale, parts.fixed), parts.moving);
}

/* The parts of a value that stays whole. */
static Parts atom(const Lowering *low, uint32_t value)
{
    Parts parts = {1.0, TAPE_NONE, TAPE_NONE};
    if (tape_is_fixed(low->tape, value))
        parts.fixed = value;
    else
        parts.moving = value;
    return parts;
}

/* base^n for n >= 1 by squaring; the squares are shared by all powers of the base. */
static uint32_t lower_power(Lowering *low, uint32_t base, uint64_t n)
{
    uint32_t result = TAPE_NONE;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            result = lower_multiply(low, result, base);
        if (n > 1)
            base = lower_multiply(low, base, base);
    }
    return result;
}

/* a / b; TAPE_NONE stands for 1. */
static uint32_t lower_divide(Lowering *low, uint32_t a, uint32_t b)
{
    if (b == TAPE_NONE)
        return a;
    if (a == TAPE_NONE)
        a = tape_const(low->tape, 1.0);
    return tape_binary(low->tape, OP_DIV, a, b);
}

static double scale_power(double scale, double exponent)
{
    if (fabs(scale) == 1.0)
        return fmod(exponent, 2.0) == 0.0 ? 1.0 : scale;
    return pow(scale, exponent);
}

/* The numerator and denominator of a product under construction. */
typedef struct Fraction {
    double scale;
    uint32_t fixed, moving, fixed_divisor, moving_divisor;
} Fraction;

static void multiply_power(Lowering *low, Fraction *product, Expr base, double exponent)
{
    Parts parts = low->parts[base.id];
    const double scale = scale_power(parts.scale, exponent);
    const uint64_t n = (uint64_t)fmin(fabs(exponent), 0x1p53);

    if (isnormal(scale) && isnormal(scale * product->scale))
        product->scale *= scale;
    else /* kept whole, so that a large and a small factor do not overflow separately */
        parts = atom(low, lower_whole(low, parts));
    if (parts.fixed != TAPE_NONE) {
        uint32_t *side = exponent > 0.0 ? &product->fixed : &product->fixed_divisor;
        *side = lower_multiply(low, *side, lower_power(low, parts.fixed, n));
    }
    if (parts.moving == TAPE_NONE)
        return;
    if (exponent > 0.0)
        product->moving = lower_multiply(low, product->moving, lower_power(low, parts.moving, n));
    else if (low->divisors[base.id] > 1) /* one division serves all products */
        product->moving = lower_multiply(
            low, product->moving, lower_power(low, lower_divide(low, TAPE_NONE, parts.moving), n));
    else
        product->moving_divisor =
            lower_multiply(low, product->moving_divisor, lower_power(low, parts.moving, n));
}

static Parts lower_product(Lowering *low, const ExprNode *node)
{
    Fraction product = {1.0, TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE};
    for (uint32_t k = 0; k < node->n; k++)
        multiply_power(low, &product, node->args[k], node->coefs[k]);
    product.fixed = lower_divide(low, product.fixed, product.fixed_divisor);
    product.moving = lower_divide(low, product.moving, product.moving_divisor);
    return (Parts){product.scale, product.fixed, product.moving};
}

/* The k-th term of a sum with its coefficient multiplied in. */
static Parts term_parts(const Lowering *low, const ExprNode *node, uint32_t k)
{
    Parts parts = low->parts[node->args[k].id];
    parts.scale *= node->coefs[k];
    return parts;
}

/* sum +- |scale| * fixed * moving; TAPE_NONE: the empty sum, which gets positive terms. */
static uint32_t add_term(Lowering *low, uint32_t sum, Parts term)
{
    const bool negative = term.scale < 0.0;
    term.scale = fabs(term.scale);
    const uint32_t value = lower_whole(low, term);
    if (sum == TAPE_NONE)
        return value;
    return tape_binary(low->tape, negative ? OP_SUB : OP_ADD, sum, value);
}

/* The constant and the terms that depend on parameters only. */
static uint32_t fixed_sum(Lowering *low, const ExprNode *node)
{
    uint32_t sum = node->value != 0.0 ? tape_const(low->tape, node->value) : TAPE_NONE;
    for (uint32_t k = 0; k < node->n; k++) {
        const Parts term = term_parts(low, node, k);
        if (term.moving != TAPE_NONE)
            continue;
        if (sum == TAPE_NONE)
            sum = lower_whole(low, term);
        else
            sum = add_term(low, sum, term);
    }
    return sum;
}

/* A sum of moving terms; if all have the same factor: factor * (+-a +-b ...). */
static Parts lower_moving_sum(Lowering *low, const ExprNode *node, uint32_t start)
{
    Parts common = {0.0, TAPE_NONE, TAPE_NONE};
    uint32_t first = node->n;
    bool same = start == TAPE_NONE;

    /* find out whether all terms have one factor, and the first positive term */
    for (uint32_t k = 0; k < node->n; k++) {
        const Parts term = term_parts(low, node, k);
        if (term.moving == TAPE_NONE)
            continue;
        if (common.scale == 0.0)
            common = term;
        same = same && term.fixed == common.fixed && fabs(term.scale) == fabs(common.scale);
        if (first == node->n && term.scale > 0.0)
            first = k;
    }
    /* without a positive start, the sum of the negated terms is computed */
    const double sign = first == node->n && start == TAPE_NONE ? -1.0 : 1.0;
    uint32_t sum = start;
    if (start == TAPE_NONE && first < node->n) {
        Parts term = term_parts(low, node, first);
        if (same)
            term = (Parts){1.0, TAPE_NONE, term.moving};
        sum = add_term(low, sum, term);
    } else {
        first = node->n;
    }
    /* the other terms in their order */
    for (uint32_t k = 0; k < node->n; k++) {
        Parts term = term_parts(low, node, k);
        if (term.moving == TAPE_NONE || k == first)
            continue;
        term.scale *= sign;
        if (same)
            term = (Parts){term.scale < 0.0 ? -1.0 : 1.0, TAPE_NONE, term.moving};
        sum = add_term(low, sum, term);
    }
    if (same)
        return (Parts){sign * fabs(common.scale), common.fixed, sum};
    return (Parts){sign, TAPE_NONE, sum};
}

static Parts lower_sum(Lowering *low, const ExprNode *node)
{
    const uint32_t start = fixed_sum(low, node);
    uint32_t moving = 0;
    Parts last = {1.0, TAPE_NONE, TAPE_NONE};

    for (uint32_t k = 0; k < node->n; k++) {
        const Parts term = term_parts(low, node, k);
        if (term.moving != TAPE_NONE) {
            last = term;
            moving++;
        }
    }
    if (moving == 0)
        return atom(low, start == TAPE_NONE ? tape_const(low->tape, 0.0) : start);
    if (moving == 1 && start == TAPE_NONE)
        return last;
    return lower_moving_sum(low, node, start);
}

static uint32_t lower_operand(Lowering *low, const ExprNode *node, uint32_t k)
{
    return lower_whole(low, low->parts[node->args[k].id]);
}

/* Lowers the operands from number `from` on into low->values. */
static bool lower_gather(Lowering *low, const ExprNode *node, uint32_t from)
{
    if (!grow_array(&low->values, &low->values_capacity, node->n, sizeof *low->values)) {
        low->tape->failure = ERR_NO_MEMORY;
        return false;
    }
    for (uint32_t k = from; k < node->n; k++)
        low->values[k - from] = lower_operand(low, node, k);
    return true;
}

static uint32_t lower_factor(Lowering *low, const ExprNode *node)
{
    uint32_t n = 0;
    while ((n + 1) * (n + 1) <= node->n)
        n++;
    return lower_gather(low, node, 0) ? tape_factor(low->tape, low->values, n, node->symbol)
                                      : TAPE_NONE;
}

static uint32_t lower_solve(Lowering *low, const ExprNode *node)
{
    const uint32_t factor = lower_operand(low, node, 0);
    return lower_gather(low, node, 1) ? tape_solve(low->tape, factor, low->values, node->n - 1)
                                      : TAPE_NONE;
}

static uint32_t lower_call(Lowering *low, const ExprNode *node)
{
    const uint32_t a = lower_operand(low, node, 0);
    if (node->n == 2)
        return tape_binary(low->tape, OPERATIONS[node->op], a, lower_operand(low, node, 1));
    /* sine and cosine of one operand are computed together */
    const bool both = low->trigonometry[node->args[0].id] == (SINE_USED | COSINE_USED);
    if (both && (node->op == EXPR_SIN || node->op == EXPR_COS))
        return tape_part(low->tape, tape_unary(low->tape, OP_SINCOS, a),
                         node->op == EXPR_SIN ? 0 : 1);
    return tape_unary(low->tape, OPERATIONS[node->op], a);
}

static Parts lower_node(Lowering *low, const ExprNode *node)
{
    Tape *tape = low->tape;
    switch (node->op) {
    case EXPR_CONST: /* a number, so that it can be a coefficient */
        if (isnormal(node->value))
            return (Parts){node->value, TAPE_NONE, TAPE_NONE};
        return atom(low, tape_const(tape, node->value));
    case EXPR_SYMBOL:
        tape->failure = ERR_INTERNAL;
        return atom(low, TAPE_NONE);
    case EXPR_SUM:
        return lower_sum(low, node);
    case EXPR_PRODUCT:
        return lower_product(low, node);
    case EXPR_IF:
        return atom(low, tape_if(tape, lower_operand(low, node, 0), lower_operand(low, node, 1),
                                 lower_operand(low, node, 2)));
    case EXPR_FACTOR:
        return atom(low, lower_factor(low, node));
    case EXPR_SOLVE:
        return atom(low, lower_solve(low, node));
    case EXPR_ELEMENT:
        return atom(low, tape_part(tape, lower_operand(low, node, 0), node->symbol));
    case EXPR_RCOND:
        return atom(low, tape_rcond(tape, lower_operand(low, node, 0)));
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_EQ:
    case EXPR_NOT:
    case EXPR_AND:
    case EXPR_OR:
#define LOWER_FUNCTION(op, name, operands, arguments, meaning) case op:
        EXPR_FUNCTION_LIST(LOWER_FUNCTION)
#undef LOWER_FUNCTION
        break;
    }
    return atom(low, lower_call(low, node));
}

/* Marks the nodes that outputs need, and counts uses that decide the way of lowering. */
static void lower_survey(Lowering *low, const ProgramSpec *spec)
{
    for (size_t k = 0; k < spec->n_outputs; k++)
        low->reached[spec->outputs[k].id] = true;
    for (size_t k = 0; k < spec->n_names; k++)
        low->meanings[spec->names[k].id] = spec->meanings[k];
    /* users have larger ids than their operands, and names than their meanings */
    for (uint32_t id = expr_pool_size(low->pool); id > 0; id--) {
        if (!low->reached[id])
            continue;
        const ExprNode node = expr_node(low->pool, (Expr){id});
        low->reached[low->meanings[id].id] = true;
        for (uint32_t k = 0; k < node.n; k++) {
            const uint32_t arg = node.args[k].id;
            low->reached[arg] = true;
            if (node.op == EXPR_SIN)
                low->trigonometry[arg] |= SINE_USED;
            if (node.op == EXPR_COS)
                low->trigonometry[arg] |= COSINE_USED;
            if (node.op == EXPR_PRODUCT && node.coefs[k] < 0.0)
                low->divisors[arg]++;
        }
    }
}

/* Lowers all nodes below the root, operands first, with an explicit stack. */
static Status lower_root(Lowering *low, Expr root, Visit **stack, size_t *capacity, Error *err)
{
    size_t depth = 0;
    Visit visit = {root.id, 0};

    if (low->done[root.id])
        return OK;
    for (;;) {
        /* the next operand that is not lowered goes first */
        const ExprNode node = expr_node(low->pool, (Expr){visit.id});
        while (visit.next < node.n && low->done[node.args[visit.next].id])
            visit.next++;
        if (visit.next < node.n) {
            if (!grow_array(stack, capacity, depth + 1, sizeof **stack))
                return error_set(err, ERR_NO_MEMORY, "out of memory");
            (*stack)[depth++] = visit;
            visit = (Visit){node.args[visit.next].id, 0};
            continue;
        }
        low->parts[visit.id] = lower_node(low, &node);
        low->done[visit.id] = true;
        if (low->tape->failure == ERR_INTERNAL)
            return error_set(err, ERR_INTERNAL, "symbol %u is neither input, parameter nor name",
                             (unsigned)node.symbol);
        if (low->tape->failure != OK)
            return tape_status(low->tape, err);
        if (depth == 0)
            return OK;
        visit = (*stack)[--depth];
    }
}

static Status check_spec(const ProgramSpec *spec, Error *err)
{
    const Status status = expr_pool_status(spec->pool, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < spec->n_outputs; k++)
        if (expr_is_none(spec->outputs[k]))
            return error_set(err, ERR_INTERNAL, "output %zu is no expression", k);
    if (spec->n_inputs > TAPE_MAX_ENTRIES || spec->n_params > TAPE_MAX_ENTRIES)
        return error_set(err, ERR_LIMIT, "the program has more than %d inputs or parameters",
                         TAPE_MAX_ENTRIES);
    return OK;
}

static void lower_symbols(Lowering *low, ProgramOp op, const Expr *symbols, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        low->parts[symbols[k].id] = atom(low, tape_given(low->tape, op, (uint32_t)k));
        low->done[symbols[k].id] = true;
    }
}

static Status lowering_allocate(Lowering *low, Error *err)
{
    const size_t n = (size_t)expr_pool_size(low->pool) + 1;
    low->parts = ARENA_NEW(&low->memory, n, Parts);
    low->reached = ARENA_NEW(&low->memory, n, bool);
    low->done = ARENA_NEW(&low->memory, n, bool);
    low->trigonometry = ARENA_NEW(&low->memory, n, uint8_t);
    low->divisors = ARENA_NEW(&low->memory, n, uint32_t);
    low->meanings = ARENA_NEW(&low->memory, n, Expr);
    return arena_status(&low->memory, err);
}

/* Lowers the needed names in the order of their ids, because meanings may use earlier names. */
static Status lower_names(Lowering *low, Visit **stack, size_t *capacity, Error *err)
{
    Status status = OK;

    for (uint32_t id = 1; status == OK && id <= expr_pool_size(low->pool); id++) {
        const Expr meaning = low->meanings[id];
        if (expr_is_none(meaning) || !low->reached[id])
            continue;
        status = lower_root(low, meaning, stack, capacity, err);
        if (status == OK) {
            low->parts[id] = atom(low, lower_whole(low, low->parts[meaning.id]));
            low->done[id] = true;
        }
    }
    return status;
}

Status lower_graph(const ProgramSpec *spec, Tape *tape, uint32_t *ret_outputs, Error *err)
{
    Lowering low = {.pool = spec->pool, .tape = tape};
    Visit *stack = NULL;
    size_t capacity = 0;

    Status status = check_spec(spec, err);
    if (status == OK)
        status = lowering_allocate(&low, err);
    /* parameters and inputs first, then names, then outputs */
    if (status == OK) {
        lower_survey(&low, spec);
        lower_symbols(&low, OP_PARAM, spec->params, spec->n_params);
        lower_symbols(&low, OP_INPUT, spec->inputs, spec->n_inputs);
        status = tape_status(tape, err);
    }
    if (status == OK && spec->n_names)
        status = lower_names(&low, &stack, &capacity, err);
    for (size_t k = 0; status == OK && k < spec->n_outputs; k++) {
        status = lower_root(&low, spec->outputs[k], &stack, &capacity, err);
        if (status == OK)
            ret_outputs[k] = lower_whole(&low, low.parts[spec->outputs[k].id]);
    }
    if (status == OK)
        status = tape_status(tape, err);
    free(stack);
    free(low.values);
    arena_done(&low.memory);
    return status;
}
