/* The builder of products: equal factors are collected, numbers multiplied, roots and absolute
 * values of integer powers resolved. The canonical form is that of Cohen, Computer Algebra and
 * Symbolic Computation (2003), chapter 3, with integer exponents. */
#include "core/expr/graph/build.h"

#include <math.h>

#include "core/base/decimal.h"

ProductBuild product_begin(const ExprPool *pool)
{
    ProductBuild product;

    product.base = pool->n_terms;
    product.num = product.den = 1.0;
    product.state = PRODUCT_PLAIN;
    product.failed = product.zero = false;
    return product;
}

/* The power of a number in doubles; false if it is not exact. */
static bool plain_power(double base, uint64_t exponent, double *ret)
{
    bool plain = true;
    double square = base;

    *ret = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            plain = decimal_multiply(*ret, square, ret) && plain;
        if (exponent > 1)
            plain = decimal_multiply(square, square, &square) && plain;
    }
    return plain;
}

/* The exact quotient num / den; false if it is too long or not rational. */
static bool read_quotient(const ProductBuild *product, double num, double den, Rational *ret)
{
    Rational divisor;

    if (product->state == PRODUCT_EXACT) {
        *ret = product->rational;
        return true;
    }
    return decimal_rational(num, ret) && decimal_rational(den, &divisor) &&
           rational_divide(ret, &divisor);
}

/* The same quotient as a number of the pool. */
static uint32_t read_real(ExprPool *pool, const ProductBuild *product, double num, double den)
{
    Rational quotient;

    if (product->state == PRODUCT_REAL)
        return product->real;
    if (read_quotient(product, num, den, &quotient))
        return real_of_rational(pool, &quotient);
    return real_multiply(pool, real_of_plain(pool, num),
                         real_power(pool, real_of_plain(pool, den), -1));
}

/* quotient *= value^exponent; false if it is too long or not rational. */
static bool multiply_rational(ExprPool *pool, Rational *quotient, double value, double exponent)
{
    Rational power;

    if (!real_rational(pool, value, &power) || !rational_power(&power, (uint64_t)fabs(exponent)))
        return false;
    return exponent > 0 ? rational_multiply(quotient, &power) : rational_divide(quotient, &power);
}

static void push_number(ExprPool *pool, ProductBuild *product, double value, double exponent)
{
    const double num = product->num, den = product->den;
    double *part = exponent > 0.0 ? &product->num : &product->den, power;
    bool plain = plain_power(value, (uint64_t)fabs(exponent), &power);
    Rational quotient;

    plain = decimal_multiply(*part, power, part) && plain && real_is_plain(pool, value);
    product->zero = product->zero || value == 0.0;
    if (product->zero) /* zero times any number is zero */
        product->state = PRODUCT_PLAIN;
    if (product->zero || (product->state == PRODUCT_PLAIN && plain))
        return;
    /* the doubles are not exact */
    if (product->state != PRODUCT_REAL && read_quotient(product, num, den, &quotient) &&
        multiply_rational(pool, &quotient, value, exponent)) {
        product->state = PRODUCT_EXACT;
        product->rational = quotient;
        return;
    }
    product->real = real_multiply(pool, read_real(pool, product, num, den),
                                  real_power(pool, real_of(pool, value), exponent));
    product->state = PRODUCT_REAL;
}

static void push_factor(ExprPool *pool, ProductBuild *product, Expr e, double exponent)
{
    if (!pool_push_term(pool, e, exponent))
        product->failed = true;
}

/* True if the power is far from the ends of the range of doubles, unlike 50^-200 of (t/50)^200. */
static bool moderate(double content, double exponent)
{
    enum { MODERATE = 512 };
    return fabs(exponent * log2(fabs(content))) <= MODERATE;
}

void product_push(ExprPool *pool, ProductBuild *product, Expr e, double exponent)
{
    double content = 1.0;
    Expr whole = e;

    if (pool->status != OK)
        e = EXPR_NONE;
    if (!expr_is_none(e))
        e = sum_split_content(pool, e, &content);
    /* a factor whose power could leave the range of doubles stays in its sum */
    if (!expr_is_none(e) && pool_op(pool, e) != EXPR_CONST && !moderate(content, exponent)) {
        push_factor(pool, product, whole, exponent);
        return;
    }
    if (expr_is_none(e)) {
        product->failed = true;
        return;
    }
    if (content != 1.0)
        push_number(pool, product, content, exponent);
    const Node *node = pool_node(pool, e);
    if (node->op == EXPR_CONST) {
        push_number(pool, product, node->value, exponent);
    } else if (node->op == EXPR_PRODUCT) {
        uint32_t n = node->n, first = node->first;
        for (uint32_t k = 0; k < n; k++)
            push_factor(pool, product, pool->args[first + k], exponent * pool->coefs[first + k]);
    } else {
        push_factor(pool, product, e, exponent);
    }
}

/* Adds the exponents of equal factors in terms[base ..], which are sorted. */
static void collect_factors(ExprPool *pool, size_t base)
{
    size_t out = base;

    for (size_t i = base; i < pool->n_terms;) {
        Term factor = pool->terms[i++];
        while (i < pool->n_terms && expr_same(pool->terms[i].e, factor.e))
            factor.coef += pool->terms[i++].coef;
        if (fabs(factor.coef) > PRODUCT_MAX_EXPONENT) {
            pool_fail(pool, ERR_INVALID, "an exponent is beyond %d", PRODUCT_MAX_EXPONENT);
            return;
        }
        if (factor.coef != 0.0)
            pool->terms[out++] = factor;
    }
    pool->n_terms = out;
}

/* hypot(u, w)^2 = u^2 + w^2 */
static Expr sum_of_squares(ExprPool *pool, Expr u, Expr w)
{
    Expr two = expr_const(pool, 2.0);
    return expr_add(pool, expr_pow(pool, u, two), expr_pow(pool, w, two));
}

/* Resolves known powers of roots and absolute values: sqrt(u)^2 = u, cbrt(u)^3 = u, abs(u)^2 = u^2,
 * hypot(u, w)^2 = u^2 + w^2. Takes the integer part of the power out of the factor at `place` and
 * pushes its value; true if there was one. */
static bool reduce_factor(ExprPool *pool, ProductBuild *product, size_t place)
{
    Term factor = pool->terms[place];
    ExprOp op = pool_op(pool, factor.e);
    double degree = op == EXPR_CBRT ? 3.0 : 2.0;

    if (op != EXPR_SQRT && op != EXPR_CBRT && op != EXPR_ABS && op != EXPR_HYPOT)
        return false;
    double whole = trunc(factor.coef / degree);
    if (whole == 0.0)
        return false;

    pool->terms[place].coef = factor.coef - whole * degree;
    Expr base = pool_arg(pool, factor.e, 0);
    if (op == EXPR_HYPOT)
        base = sum_of_squares(pool, base, pool_arg(pool, factor.e, 1));
    product_push(pool, product, base, op == EXPR_ABS ? 2.0 * whole : whole);
    return true;
}

/* The radicand: u of sqrt(u); u^2 + w^2 of hypot(u, w) if a sum may cancel it. */
static Expr under_root(ExprPool *pool, const ProductBuild *product, size_t end, const Term *root)
{
    bool sum = false;

    if (pool_op(pool, root->e) == EXPR_SQRT)
        return pool_arg(pool, root->e, 0);
    for (size_t i = product->base; i < end && pool_op(pool, root->e) == EXPR_HYPOT; i++)
        sum = sum || (pool_op(pool, pool->terms[i].e) == EXPR_SUM &&
                      pool->terms[i].coef * root->coef < 0.0);
    return sum ? sum_of_squares(pool, pool_arg(pool, root->e, 0), pool_arg(pool, root->e, 1))
               : EXPR_NONE;
}

/* u / sqrt(u) = sqrt(u) and sqrt(u) / u = 1 / sqrt(u), also for multiples of u. */
static bool reduce_root(ExprPool *pool, ProductBuild *product, size_t end, size_t place)
{
    const Term root = pool->terms[place];
    double content = 1;

    const Expr u = root.coef == 0.0 ? EXPR_NONE : under_root(pool, product, end, &root);
    if (expr_is_none(u))
        return false;
    /* the power of u, or of its primitive part */
    size_t other = pool_find_term(pool, product->base, end, u);
    if (other == end) {
        const Expr part = sum_split_content(pool, u, &content);
        other = expr_is_none(part) ? end : pool_find_term(pool, product->base, end, part);
    }
    if (other == end || pool->terms[other].coef * root.coef >= 0.0)
        return false;
    pool->terms[other].coef += root.coef;
    pool->terms[place].coef = -root.coef;
    if (content != 1.0)
        push_number(pool, product, content, root.coef);
    return true;
}

/* exp(u)^n = exp(n u) */
static bool reduce_exponential(ExprPool *pool, ProductBuild *product, size_t place)
{
    Term factor = pool->terms[place];

    if (pool_op(pool, factor.e) != EXPR_EXP || factor.coef == 1.0)
        return false;
    pool->terms[place].coef = 0.0;
    Expr u = expr_scale(pool, factor.coef, pool_arg(pool, factor.e, 0));
    product_push(pool, product, expr_call(pool, EXPR_EXP, &u, 1), 1.0);
    return true;
}

static bool reduce_factors(ExprPool *pool, ProductBuild *product)
{
    size_t end = pool->n_terms;
    bool reduced = false;

    for (size_t i = product->base; i < end && !product->failed; i++)
        reduced |= reduce_factor(pool, product, i) || reduce_exponential(pool, product, i) ||
                   reduce_root(pool, product, end, i);
    return reduced;
}

/* Writes the numeric factor as a sum of doubles; returns their number. */
static size_t write_number(ExprPool *pool, ProductBuild *product, double parts[DECIMAL_PARTS])
{
    const double num = product->num, den = product->den;
    Rational quotient;
    size_t n = 1;

    if (product->state == PRODUCT_PLAIN && decimal_divide(num, den, &parts[0])) {
        real_result(pool, parts[0]);
        return n;
    }
    if (product->state != PRODUCT_REAL && read_quotient(product, num, den, &quotient) &&
        real_write(pool, &quotient, parts, &n))
        return n;
    parts[0] = real_stand(pool, num / den, read_real(pool, product, num, den));
    return 1;
}

/* The node of the canonical factors, times the numeric factor. */
static Expr product_node(ExprPool *pool, ProductBuild *product)
{
    const Term *factors = pool->terms + product->base;
    size_t n = pool->n_terms - product->base;
    double parts[DECIMAL_PARTS];

    if (product->den == 0.0)
        return pool_fail(pool, ERR_INVALID, "division by zero");
    const size_t n_parts = write_number(pool, product, parts);
    if (!isfinite(parts[0]))
        return pool_fail(pool, ERR_INVALID, "a constant in a product is not a finite number");
    if (parts[0] == 0.0 && !product->zero)
        return pool_fail(pool, ERR_INVALID,
                         "a constant in a product is too close to zero for a number");
    if (n == 0 && n_parts == 1)
        return expr_const(pool, parts[0]);
    /* the product, and its multiples */
    Expr node = n == 0 ? expr_const(pool, 1.0) : factors[0].e;
    if (n > 1 || (n == 1 && factors[0].coef != 1.0))
        node = pool_intern(
            pool, &(Shape){.op = EXPR_PRODUCT, .n = (uint32_t)n, .terms = factors, .value = 0.0});
    if (n_parts == 1 && parts[0] == 1.0)
        return node;
    return sum_multiples(pool, parts, n_parts, node);
}

Expr product_end(ExprPool *pool, ProductBuild *product)
{
    Expr result = EXPR_NONE;

    if (!product->failed && pool->status == OK) {
        do {
            pool_sort_terms(pool, product->base);
            collect_factors(pool, product->base);
        } while (pool->status == OK && reduce_factors(pool, product));
        if (pool->status == OK && !product->failed)
            result = product_node(pool, product);
    }
    pool->n_terms = product->base;
    return result;
}

Expr product_power(ExprPool *pool, Expr base, double exponent)
{
    ProductBuild product = product_begin(pool);

    product_push(pool, &product, base, exponent);
    return product_end(pool, &product);
}
