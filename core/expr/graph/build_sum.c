/* The builder of sums: terms sorted, like terms collected, and sin^2 + cos^2 joined. Coefficients
 * and constants are exact rational numbers. A coefficient that no double means
 * (core/base/decimal.h) becomes several terms of the same operand, 1e14 x + 1e-14 x. A constant has
 * terms of the operand 1 beside its value, 1e16 + 1*1. Irrational numbers, such as sqrt(2), are
 * added as doubles, and the pool stores the exact numbers (core/expr/graph/real.h). */
#include "core/expr/graph/build.h"

#include <math.h>
#include <string.h>

#include "core/base/decimal.h"

/* Rounded coefficients that cancel down to their rounding error are zero; otherwise the structure
 * of a model would be hidden. No unit; convention. */
static const double CANCELLED = 0x1p-50;

SumBuild sum_begin(const ExprPool *pool)
{
    return (SumBuild){.base = pool->n_terms};
}

static void push_term(ExprPool *pool, SumBuild *sum, double coef, Expr e)
{
    if (coef != 0.0 && !pool_push_term(pool, e, coef))
        sum->failed = true;
}

/* Adds the doubles and the numbers they stand for. */
static void add_number(ExprPool *pool, SumBuild *sum, double value)
{
    if (!sum->made)
        sum->number = real_of(pool, sum->value);
    sum->number = real_add(pool, sum->number, real_of(pool, value));
    sum->value += value;
    sum->made = true;
}

static void push_constant(ExprPool *pool, SumBuild *sum, double value)
{
    const bool plain = !sum->made && real_is_plain(pool, sum->value) && real_is_plain(pool, value);
    double total;

    if (plain && decimal_add(sum->value, value, &total)) {
        real_result(pool, total);
        sum->value = total;
        return;
    }
    if (!plain || decimal_is_rounded(sum->value) || decimal_is_rounded(value)) {
        add_number(pool, sum, value);
        return;
    }
    /* else a separate term of the number 1 */
    const Expr one = expr_const(pool, 1.0);
    sum->split = true;
    if (expr_is_none(one))
        sum->failed = true;
    else
        push_term(pool, sum, value, one);
}

/* Writes p * q as a sum of doubles; returns their number. */
static size_t multiply(ExprPool *pool, double p, double q, double parts[DECIMAL_PARTS])
{
    Rational product, factor;
    size_t n = 1;

    parts[0] = p * q;
    if (fabs(p) == 1 || fabs(q) == 1 || !isfinite(p * q))
        return n;
    /* rational numbers multiply exactly, others as numbers of the pool */
    if (real_is_plain(pool, p) && real_is_plain(pool, q)) {
        if (decimal_multiply(p, q, &parts[0])) {
            real_result(pool, parts[0]);
            return n;
        }
        if (decimal_rational(p, &product) && decimal_rational(q, &factor) &&
            rational_multiply(&product, &factor) && real_write(pool, &product, parts, &n))
            return n;
    }
    parts[0] = real_stand(pool, p * q, real_multiply(pool, real_of(pool, p), real_of(pool, q)));
    return 1;
}

/* Adds p * q * e for an e that is not a sum; a constant e must be 1. EXPR_NONE stands for 1. */
static void push_multiple(ExprPool *pool, SumBuild *sum, double p, double q, Expr e)
{
    double parts[DECIMAL_PARTS];
    const size_t n = multiply(pool, p, q, parts);
    const bool constant = expr_is_none(e) || pool_op(pool, e) == EXPR_CONST;

    for (size_t k = 0; k < n && !sum->failed; k++) {
        if (constant)
            push_constant(pool, sum, parts[k]);
        else
            push_term(pool, sum, parts[k], e);
    }
}

void sum_push(ExprPool *pool, SumBuild *sum, double coef, Expr e)
{
    if (expr_is_none(e) || pool->status != OK) {
        sum->failed = true;
        return;
    }
    const Node *node = pool_node(pool, e);
    if (node->op != EXPR_SUM && node->op != EXPR_CONST) {
        push_term(pool, sum, coef, e);
        return;
    }
    const uint32_t n = node->n, first = node->first;
    push_multiple(pool, sum, coef, node->value, EXPR_NONE);
    for (uint32_t k = 0; k < n && !sum->failed; k++)
        push_multiple(pool, sum, coef, pool->coefs[first + k], pool->args[first + k]);
}

void sum_push_product(ExprPool *pool, SumBuild *sum, double p, double q, Expr e)
{
    double parts[DECIMAL_PARTS];
    const size_t n = multiply(pool, p, q, parts);

    for (size_t k = 0; k < n; k++)
        sum_push(pool, sum, parts[k], e);
}

Expr sum_multiples(ExprPool *pool, const double *parts, size_t n, Expr e)
{
    SumBuild sum = sum_begin(pool);

    for (size_t k = 0; k < n; k++)
        sum_push(pool, &sum, parts[k], e);
    return sum_end(pool, &sum);
}

/* The sum of coefficients by addition of doubles. */
static size_t add_doubles(ExprPool *pool, const Term *terms, size_t n, double *ret)
{
    double sum = 0, largest = 0;
    uint32_t number = real_of(pool, 0);

    for (size_t k = 0; k < n; k++) {
        sum += terms[k].coef;
        largest = fmax(largest, fabs(terms[k].coef));
        number = real_add(pool, number, real_of(pool, terms[k].coef));
    }
    if (isfinite(sum) && fabs(sum) <= CANCELLED * largest)
        sum = 0;
    *ret = real_stand(pool, sum, number);
    return *ret != 0;
}

/* Writes the sum of the coefficients of n equal terms as a sum of doubles; returns their number. */
static size_t add_coefs(ExprPool *pool, const Term *terms, size_t n, double parts[DECIMAL_PARTS])
{
    double sum = terms[0].coef;
    bool plain = real_is_plain(pool, sum), exact = true;
    Rational total = {.denominator = 1}, next;
    size_t written;

    for (size_t k = 1; k < n && plain; k++)
        plain = real_is_plain(pool, terms[k].coef) && decimal_add(sum, terms[k].coef, &sum);
    parts[0] = sum;
    if (plain) {
        real_result(pool, sum);
        return sum != 0;
    }
    /* rational numbers, else rounded ones */
    for (size_t k = 0; k < n && exact; k++)
        exact = real_rational(pool, terms[k].coef, &next) && rational_add(&total, &next);
    if (exact && real_write(pool, &total, parts, &written))
        return written;
    return add_doubles(pool, terms, n, parts);
}

/* Makes room for n terms in terms[out .. *end); false if memory is out. */
static bool make_room(ExprPool *pool, size_t out, size_t n, size_t *end)
{
    const size_t missing = out + n > *end ? out + n - *end : 0, behind = pool->n_terms - *end;

    if (missing == 0)
        return true;
    for (size_t k = 0; k < missing; k++)
        if (!pool_push_term(pool, pool->terms[out].e, 0))
            return false;
    memmove(pool->terms + *end + missing, pool->terms + *end, behind * sizeof *pool->terms);
    *end += missing;
    return true;
}

/* Adds the coefficients of equal terms in terms[base ..], which are sorted. */
static void collect_terms(ExprPool *pool, size_t base)
{
    double parts[DECIMAL_PARTS];
    size_t out = base;

    for (size_t i = base, end; i < pool->n_terms; i = end) {
        Term term = pool->terms[i];
        for (end = i + 1; end < pool->n_terms && expr_same(pool->terms[end].e, term.e);)
            end++;
        if (end - i == 1) {
            if (term.coef != 0)
                pool->terms[out++] = term;
            continue;
        }
        const size_t left = add_coefs(pool, pool->terms + i, end - i, parts);
        if (!make_room(pool, out, left, &end))
            return;
        for (size_t k = 0; k < left; k++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): their number is n */
            term.coef = parts[k];
            pool->terms[out++] = term;
        }
    }
    pool->n_terms = out;
}

static bool sum_all_finite(const Term *terms, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(terms[k].coef))
            return false;
    return true;
}

/* The node of the canonical terms[base ..]. */
static Expr sum_node(ExprPool *pool, size_t base, double value)
{
    const Term *terms = pool->terms + base;
    size_t n = pool->n_terms - base;

    if (!isfinite(value) || !sum_all_finite(terms, n))
        return pool_fail(pool, ERR_INVALID, "a constant in a sum is not a finite number");
    if (n == 0)
        return expr_const(pool, value);
    if (n == 1 && value == 0.0 && terms[0].coef == 1.0)
        return terms[0].e;
    return pool_intern(pool, &(Shape){.op = EXPR_SUM,
                                      .n = (uint32_t)n,
                                      .terms = terms,
                                      .value = value + 0.0}); /* -0 becomes 0 */
}

/* If some constants are terms, the value becomes a term, too. */
static void gather_constants(ExprPool *pool, SumBuild *sum)
{
    if (sum->made)
        sum->value = real_stand(pool, sum->value, sum->number);
    sum->made = false;
    if (!sum->split)
        return;
    const double value = sum->value;
    sum->value = 0;
    push_term(pool, sum, value, expr_const(pool, 1.0));
}

/* The largest constant term becomes the value. */
static void take_value(ExprPool *pool, SumBuild *sum)
{
    if (!sum->split)
        return;
    const size_t place = pool_find_term(pool, sum->base, pool->n_terms, expr_const(pool, 1.0));
    if (place == pool->n_terms)
        return;
    sum->value = pool->terms[place].coef;
    memmove(pool->terms + place, pool->terms + place + 1,
            (--pool->n_terms - place) * sizeof *pool->terms);
}

Expr sum_end(ExprPool *pool, SumBuild *sum)
{
    Expr result = EXPR_NONE;

    if (!sum->failed && pool->status == OK) {
        do {
            gather_constants(pool, sum);
            pool_sort_terms(pool, sum->base);
            collect_terms(pool, sum->base);
        } while (!sum->failed && sum_join_squares(pool, sum));
        take_value(pool, sum);
        if (pool->status == OK && !sum->failed)
            result = sum_node(pool, sum->base, sum->value);
    }
    pool->n_terms = sum->base;
    return result;
}

bool sum_is_negative(const ExprPool *pool, Expr e)
{
    const Node *node = pool_node(pool, e);
    return node->op == EXPR_SUM && pool->coefs[node->first] < 0.0;
}

/* The common absolute value of all coefficients and the constant of a sum, or 1. */
static double common_size(const ExprPool *pool, const Node *sum)
{
    double size = fabs(pool->coefs[sum->first]);

    if (sum->value != 0.0 && fabs(sum->value) != size)
        return 1.0;
    for (uint32_t k = 1; k < sum->n; k++)
        if (fabs(pool->coefs[sum->first + k]) != size)
            return 1.0;
    return size;
}

Expr sum_split_content(ExprPool *pool, Expr e, double *ret_factor)
{
    const Node *node = pool_node(pool, e);

    *ret_factor = 1.0;
    if (node->op != EXPR_SUM || (node->flags & NODE_PRIMITIVE))
        return e;
    double factor = common_size(pool, node);
    if (pool->coefs[node->first] < 0.0)
        factor = -factor;
    *ret_factor = factor;
    uint32_t n = node->n, first = node->first;
    /* the quotients are 1, -1 and 0, or the factor is 1 or -1 */
    double value = node->value / factor;
    size_t base = pool->n_terms;
    for (uint32_t k = 0; k < n; k++)
        if (!pool_push_term(pool, pool->args[first + k], pool->coefs[first + k] / factor))
            return EXPR_NONE;
    Expr rest = sum_node(pool, base, value);
    pool->n_terms = base;
    return rest;
}
