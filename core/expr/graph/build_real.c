/* Arithmetic of the numbers behind the doubles of a pool, and the residues that tell them apart. */
#include <float.h>
#include <math.h>

#include "core/base/accuracy.h"
#include "core/base/decimal.h"
#include "core/base/random.h"
#include "core/expr/graph/function.h"
#include "core/expr/graph/pool.h"

__extension__ typedef unsigned __int128 Wide;

static const Rational ONE = {.n = 1, .limbs = {1}, .denominator = 1}, ZERO = {.denominator = 1};

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a >= REAL_PRIME - b ? a - (REAL_PRIME - b) : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return (uint64_t)((Wide)a * b % REAL_PRIME);
}

static uint64_t to_power(uint64_t a, uint64_t exponent)
{
    uint64_t power = 1;

    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power = times(power, a);
        a = times(a, a);
    }
    return power;
}

/* A pseudo-random element for the function and its arguments, without an algebraic relation. */
static uint64_t unknown(ExprOp op, uint64_t a, uint64_t b)
{
    const uint64_t parts[] = {(uint64_t)op + 1, a, b};
    uint64_t seed = 0;
    Random random;

    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        random_init(&random, seed ^ parts[k]);
        seed = random_bits(&random);
    }
    return seed % REAL_PRIME;
}

/* A bound on the error of a function's value, if its arguments have errors. It comes from the
 * values at the ends of the argument intervals, which are short. */
static double spread(const Real *real, const Real *a, const Real *b)
{
    enum { UNITS = 8 };
    double most = 0;

    /* a longer interval says too little */
    if (!(a->error < NEGLIGIBLE_PART) || (b && !(b->error < NEGLIGIBLE_PART)))
        return INFINITY;
    for (int k = 0; k < 4; k++) {
        const double args[] = {a->value + (k % 2 ? a->error : -a->error),
                               b ? b->value + (k / 2 ? b->error : -b->error) : 0};
        const double off = fabs(function_value(real->op, args) - real->value);
        if (isnan(off))
            return INFINITY;
        most = fmax(most, off);
    }
    return 2 * most + UNITS * real_unit(real->value);
}

static void set_sum(Real *real, const Real *a, const Real *b)
{
    real->value = a->value + b->value;
    real->error = a->error + b->error + real_unit(real->value);
    real->residue = plus(a->residue, b->residue);
}

static void set_product(Real *real, const Real *a, const Real *b)
{
    real->value = a->value * b->value;
    real->error = fabs(a->value) * b->error + fabs(b->value) * a->error + a->error * b->error +
                  real_unit(real->value);
    real->residue = times(a->residue, b->residue);
}

/* An integer power. */
static void set_power(Real *real, const Real *a, double exponent)
{
    const double off = (a->error / fabs(a->value) + DBL_EPSILON) * (fabs(exponent) + 1);
    const uint64_t power = to_power(a->residue, (uint64_t)fabs(exponent));

    real->value = function_integer_power(a->value, exponent);
    /* the first-order bound holds up to such an error */
    real->error = off < NEGLIGIBLE_PART ? 2 * off * fabs(real->value) + DBL_MIN : INFINITY;
    real->residue = exponent < 0 ? to_power(power, REAL_PRIME - 2) : power;
}

/* True for a product of primes below 100 and at most one more prime, all squares in the field. */
static bool has_square_primes(uint64_t number)
{
    enum { SMALL = 100 };

    for (uint64_t p = 2; p < SMALL; p++)
        while (number > 1 && number % p == 0)
            number /= p;
    return number == 1 ||
           (number < (uint64_t)SMALL * SMALL && to_power(number, (REAL_PRIME - 1) / 2) == 1);
}

/* The residue of the square or cube root of a rational number; 0: no choice respects products.
 * Roots of primes have no relations except products (A. S. Besicovitch, J. London Math. Soc. 15
 * (1940) 3). So the field may take any of its roots for the positive one. */
static uint64_t root_residue(ExprOp op, const Real *a)
{
    if (a->op != EXPR_CONST || a->vague)
        return 0;
    if (op == EXPR_CBRT)
        return to_power(a->residue, (2 * (REAL_PRIME / 3) + 1));
    const Rational *number = &a->rational;
    return op == EXPR_SQRT && !number->negative && number->n == 1 &&
                   has_square_primes(number->limbs[0]) && has_square_primes(number->denominator)
               ? to_power(a->residue, (REAL_PRIME + 1) / 4)
               : 0;
}

static void set_function(Real *real, const Real *a, const Real *b)
{
    const double args[] = {a->value, b ? b->value : 0};

    real->value = function_value(real->op, args);
    real->error = spread(real, a, b);
    real->residue = root_residue(real->op, a);
    if (real->residue == 0)
        real->residue = unknown(real->op, a->residue, b ? b->residue : 0);
}

static bool is_whole(const Real *real)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): values are numbers */
    return real->op == EXPR_CONST && !real->vague && real->rational.denominator == 1 &&
           real->rational.exponent >= 0 && fabs(real->value) < 0x1p53;
}

static uint32_t make(ExprPool *pool, ExprOp op, uint32_t at, uint32_t bt)
{
    if (!at || (!bt && function_operands(op) != 1))
        return 0;
    const Real *a = expr_real(pool, at), *b = bt ? expr_real(pool, bt) : NULL;
    Real real = {.op = op, .a = at, .b = bt};

    if (op == EXPR_SUM)
        set_sum(&real, a, b);
    else if (op == EXPR_PRODUCT)
        set_product(&real, a, b);
    else if (op == EXPR_POW && is_whole(b))
        set_power(&real, a, b->value);
    else
        set_function(&real, a, b);
    if (real.residue != 0)
        return real_put(pool, &real);
    return fabs(real.value) > real.error ? 0 : real_of_rational(pool, &ZERO);
}

/* Writes a number as a rational multiple of another: 2 pi/3 is 2/3 of pi. 0 stands for 1. */
static uint32_t split(const ExprPool *pool, uint32_t real, Rational *ret_factor)
{
    const Real *a = expr_real(pool, real);
    const Real *factor = a->op == EXPR_PRODUCT ? expr_real(pool, a->a) : a;

    if (factor->op == EXPR_CONST && !factor->vague) {
        *ret_factor = factor->rational;
        return factor == a ? 0 : a->b;
    }
    *ret_factor = ONE;
    return real;
}

static bool is_one(const Rational *a)
{
    return a->n == 1 && a->limbs[0] == 1 && a->exponent == 0 && a->denominator == 1 && !a->negative;
}

static uint32_t multiple(ExprPool *pool, const Rational *factor, uint32_t real)
{
    if (is_one(factor) && real)
        return real;
    const uint32_t number = real_of_rational(pool, factor);
    return real && !rational_is_zero(factor) ? make(pool, EXPR_PRODUCT, number, real) : number;
}

uint32_t real_add(ExprPool *pool, uint32_t a, uint32_t b)
{
    Rational p, q;

    if (!a || !b)
        return 0;
    const uint32_t u = split(pool, a, &p), w = split(pool, b, &q);
    if (u == w && rational_add(&p, &q))
        return multiple(pool, &p, u);
    return make(pool, EXPR_SUM, a, b);
}

uint32_t real_multiply(ExprPool *pool, uint32_t a, uint32_t b)
{
    Rational p, q;

    if (!a || !b)
        return 0;
    uint32_t u = split(pool, a, &p), w = split(pool, b, &q);
    if (!rational_multiply(&p, &q))
        return make(pool, EXPR_PRODUCT, a, b);
    if (!u || !w)
        return multiple(pool, &p, u ? u : w);
    u = make(pool, EXPR_PRODUCT, u, w);
    return u ? multiple(pool, &p, u) : 0;
}

uint32_t real_power(ExprPool *pool, uint32_t a, double exponent)
{
    const Rational whole = rational_of(exponent < 0, (uint64_t)fabs(exponent), 0, 1);
    Rational p, one = ONE;

    if (!a || exponent == 1)
        return a;
    if (real_sign(expr_real(pool, a)) == 0)
        return exponent > 0 ? a : 0;
    const uint32_t u = split(pool, a, &p);
    const bool fits =
        rational_power(&p, (uint64_t)fabs(exponent)) && (exponent > 0 || rational_divide(&one, &p));
    const uint32_t number = real_of_rational(pool, &whole);
    if (!fits)
        return make(pool, EXPR_POW, a, number);
    const uint32_t power = u ? make(pool, EXPR_POW, u, number) : 0;
    return u && !power ? 0 : multiple(pool, exponent > 0 ? &p : &one, power);
}

static uint32_t pi(ExprPool *pool)
{
    return make(pool, EXPR_ACOS, real_of(pool, -1), 0);
}

static bool is_odd(ExprOp op)
{
    return op == EXPR_SIN || op == EXPR_TAN || op == EXPR_ASIN || op == EXPR_ATAN ||
           op == EXPR_SINH || op == EXPR_TANH || op == EXPR_ASINH || op == EXPR_ATANH ||
           op == EXPR_ERF || op == EXPR_CBRT || op == EXPR_ATAN2;
}

static bool is_even(ExprOp op)
{
    return op == EXPR_COS || op == EXPR_COSH;
}

/* The root of a perfect square or cube; 0 for other numbers. */
static uint32_t whole_root(ExprPool *pool, uint32_t a, double degree)
{
    const double value = expr_real(pool, a)->value;
    Rational near;

    if (!decimal_rational(degree == 2 ? sqrt(value) : cbrt(value), &near))
        return 0;
    const uint32_t root = real_of_rational(pool, &near);
    return real_is(pool, real_power(pool, root, degree), a) ? root : 0;
}

/* The integer n with a = n b; false if there is none or it is large. */
static bool whole_times(ExprPool *pool, uint32_t a, uint32_t b, double *ret)
{
    enum { MOST = 1000000 };

    if (!b)
        return false;
    *ret = rint(expr_real(pool, a)->value / expr_real(pool, b)->value);
    return fabs(*ret) <= MOST && real_is(pool, real_multiply(pool, real_of(pool, *ret), b), a);
}

/* The value at a multiple of a quarter turn; 0 for other arguments. */
static uint32_t turned(ExprPool *pool, ExprOp op, uint32_t a)
{
    static const double SINE[] = {0, 1, 0, -1};
    double n;

    if (!whole_times(pool, a, real_multiply(pool, real_of(pool, 0.5), pi(pool)), &n))
        return 0;
    const size_t quarter = (size_t)(fmod(n, 4) + 4) % 4;
    if (op == EXPR_TAN)
        return quarter % 2 == 0 ? real_of(pool, 0) : 0;
    return real_of(pool, SINE[(quarter + (op == EXPR_COS)) % 4]);
}

/* Known values of functions. */
static const struct {
    ExprOp op;
    double at, value, turns; /* value + turns * pi */
} KNOWN[] = {
    {EXPR_SINH, 0, 0, 0},  {EXPR_COSH, 0, 1, 0},  {EXPR_TANH, 0, 0, 0},   {EXPR_ASIN, 0, 0, 0},
    {EXPR_ATAN, 0, 0, 0},  {EXPR_ASINH, 0, 0, 0}, {EXPR_ATANH, 0, 0, 0},  {EXPR_ERF, 0, 0, 0},
    {EXPR_EXP, 0, 1, 0},   {EXPR_LOG, 1, 0, 0},   {EXPR_ACOSH, 1, 0, 0},  {EXPR_ACOS, 1, 0, 0},
    {EXPR_ACOS, 0, 0, .5}, {EXPR_ASIN, 1, 0, .5}, {EXPR_ATAN, 1, 0, .25},
};

static uint32_t known_value(ExprPool *pool, ExprOp op, uint32_t a)
{
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++)
        if (KNOWN[k].op == op && real_is(pool, a, real_of(pool, KNOWN[k].at)))
            return real_add(pool, real_of(pool, KNOWN[k].value),
                            real_multiply(pool, real_of(pool, KNOWN[k].turns), pi(pool)));
    return 0;
}

/* A function value that is a simpler number; 0 if it is an unknown of its own. */
static uint32_t simple_value(ExprPool *pool, ExprOp op, uint32_t a, uint32_t b)
{
    if (op == EXPR_SQRT || op == EXPR_CBRT)
        return whole_root(pool, a, op == EXPR_SQRT ? 2 : 3);
    if (op == EXPR_SIN || op == EXPR_COS || op == EXPR_TAN)
        return turned(pool, op, a);
    if (op == EXPR_LOG10) {
        const double n = rint(log10(expr_real(pool, a)->value));
        return real_is(pool, real_power(pool, real_of(pool, 10), n), a) ? real_of(pool, n) : 0;
    }
    if (op == EXPR_ATAN2)
        return real_is(pool, a, real_of(pool, 0)) && expr_real(pool, b)->value > 0 ? a : 0;
    return known_value(pool, op, a);
}

/* A fractional power: a power of a root if the exponent is a multiple of a half or a third. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static uint32_t broken_power(ExprPool *pool, uint32_t a, uint32_t b)
{
    enum { MOST = 1000 };
    const double exponent = expr_real(pool, b)->value;

    for (double degree = 2; degree <= 3; degree++) {
        const double times = rint(degree * exponent);
        const uint32_t whole = real_multiply(pool, real_of(pool, degree), b);
        if (fabs(times) <= MOST && real_is(pool, whole, real_of(pool, times)))
            return real_power(pool, real_call(pool, degree == 2 ? EXPR_SQRT : EXPR_CBRT, a, 0),
                              times);
    }
    return make(pool, EXPR_POW, a, b);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
uint32_t real_call(ExprPool *pool, ExprOp op, uint32_t a, uint32_t b)
{
    if (!a || (!b && function_operands(op) != 1))
        return 0;
    const bool negative = expr_real(pool, a)->value < 0;
    if (negative && (is_odd(op) || is_even(op))) {
        const uint32_t minus = real_of(pool, -1);
        const uint32_t value = real_call(pool, op, real_multiply(pool, minus, a), b);
        return is_odd(op) ? real_multiply(pool, minus, value) : value;
    }
    if (op == EXPR_HYPOT)
        return real_call(pool, EXPR_SQRT,
                         real_add(pool, real_power(pool, a, 2), real_power(pool, b, 2)), 0);
    if (op == EXPR_POW)
        return broken_power(pool, a, b);
    const uint32_t simple = simple_value(pool, op, a, b);
    return simple ? simple : make(pool, op, a, b);
}
