/* The numbers behind the doubles of a pool, by their residues and by these doubles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/expr/graph/pool.h"

/* Beyond this number the pool counts as rounded. */
enum { MOST_REALS = 20000, FIRST_PLACES = 64 };

bool reals_copy(Reals *to, const Reals *from)
{
    bool failed = false;

    *to = *from;
    to->capacity = from->n;
    to->list = pool_copy(from->list, from->n, sizeof *from->list, &failed);
    to->by_residue =
        pool_copy(from->by_residue, from->by_residue_size, sizeof *from->by_residue, &failed);
    to->by_value = pool_copy(from->by_value, from->by_value_size, sizeof *from->by_value, &failed);
    return !failed;
}

void reals_done(Reals *reals)
{
    free(reals->list);
    free(reals->by_residue);
    free(reals->by_value);
    *reals = (Reals){0};
}

static size_t residue_place(const Reals *r, uint64_t residue)
{
    size_t place = residue & (r->by_residue_size - 1);

    while (r->by_residue[place] && r->list[r->by_residue[place] - 1].residue != residue)
        place = (place + 1) & (r->by_residue_size - 1);
    return place;
}

static bool reserve_residue(Reals *r)
{
    const size_t size = r->by_residue_size ? 2 * r->by_residue_size : FIRST_PLACES;

    if (!grow_array(&r->list, &r->capacity, r->n + 1, sizeof *r->list))
        return false;
    if (2 * (r->n + 1) <= r->by_residue_size)
        return true;
    uint32_t *places = alloc_array(size, sizeof *places);
    if (!places)
        return false;
    free(r->by_residue);
    r->by_residue = places;
    r->by_residue_size = size;
    for (size_t k = 0; k < r->n; k++)
        places[residue_place(r, r->list[k].residue)] = (uint32_t)k + 1;
    return true;
}

static size_t value_place(const Reals *r, double value)
{
    size_t place = hash_quick(&value, sizeof value) & (r->by_value_size - 1);

    while (r->by_value[place].value != 0 && r->by_value[place].value != value)
        place = (place + 1) & (r->by_value_size - 1);
    return place;
}

static bool reserve_value(Reals *r)
{
    const size_t size = r->by_value_size ? 2 * r->by_value_size : FIRST_PLACES;
    const Reals old = *r;

    if (2 * (r->n_values + 1) <= r->by_value_size)
        return true;
    RealPlace *places = alloc_array(size, sizeof *places);
    if (!places)
        return false;
    r->by_value = places;
    r->by_value_size = size;
    for (size_t k = 0; k < old.by_value_size; k++)
        if (old.by_value[k].value != 0)
            places[value_place(r, old.by_value[k].value)] = old.by_value[k];
    free(old.by_value);
    return true;
}

/* The place of a double without its sign; NULL if it is not in use. */
static const RealPlace *find_place(const ExprPool *pool, double value)
{
    const Reals *r = &pool->reals;
    const RealPlace *place = r->by_value_size ? &r->by_value[value_place(r, fabs(value))] : NULL;

    return place && place->value != 0 ? place : NULL;
}

static void put_place(ExprPool *pool, double value, uint32_t real)
{
    Reals *r = &pool->reals;

    if (!reserve_value(r)) {
        expr_pool_no_memory(pool);
        return;
    }
    r->by_value[value_place(r, fabs(value))] = (RealPlace){fabs(value), real};
    r->n_values++;
}

/* Doubles that are always in use: integers, and multiples of 1/1024. */
static bool is_common(double value)
{
    return !isfinite(value) || (fabs(value) < 0x1p53 && value == rint(value)) ||
           (fabs(value) < 32768 && value * 1024 == rint(value * 1024));
}

uint32_t expr_real_find(const ExprPool *pool, double value)
{
    const RealPlace *place =
        pool->reals.n == 0 || is_common(value) ? NULL : find_place(pool, value);
    return place ? place->real : 0;
}

const Real *expr_real(const ExprPool *pool, uint32_t real)
{
    return &pool->reals.list[real - 1];
}

bool real_is_plain(const ExprPool *pool, double value)
{
    return expr_real_find(pool, value) == 0;
}

bool real_rational(const ExprPool *pool, double value, Rational *ret)
{
    return real_is_plain(pool, value) && decimal_rational(value, ret);
}

/* Rational numbers are compared exactly; others by residue and value. */
static bool same(const Real *a, const Real *b)
{
    if (a->op == EXPR_CONST && b->op == EXPR_CONST && !a->vague && !b->vague)
        return rational_equal(&a->rational, &b->rational);
    return a->residue == b->residue && !(fabs(a->value - b->value) > a->error + b->error);
}

bool real_is(const ExprPool *pool, uint32_t a, uint32_t b)
{
    return a && b && same(expr_real(pool, a), expr_real(pool, b));
}

int real_sign(const Real *real)
{
    if (real->value == 0 && real->error == 0)
        return 0;
    return fabs(real->value) > real->error ? (real->value > 0) - (real->value < 0) : 2;
}

uint32_t real_put(ExprPool *pool, const Real *real)
{
    Reals *r = &pool->reals;

    if (pool->status != OK || pool->rounded)
        return 0;
    if (!reserve_residue(r)) {
        expr_pool_no_memory(pool);
        return 0;
    }
    /* an equal number, or a conflict */
    const size_t place = residue_place(r, real->residue);
    const uint32_t other = r->by_residue[place];
    if (other)
        return same(expr_real(pool, other), real) ? other : 0;
    if (r->n == MOST_REALS) {
        pool->rounded = true;
        return 0;
    }
    r->list[r->n++] = *real;
    pool->work++;
    return r->by_residue[place] = (uint32_t)r->n;
}

uint32_t real_of_rational(ExprPool *pool, const Rational *rational)
{
    if (pool->rounded)
        return 0; /* the numbers are not used any more */
    Real real = {.op = EXPR_CONST,
                 .rational = *rational,
                 .value = rational_nearest(rational),
                 .residue = rational_residue(rational, REAL_PRIME)};
    Rational nearest;

    /* a common double is its number, to the last bit */
    if (!is_common(real.value) || !decimal_rational(real.value, &nearest) ||
        rational_residue(&nearest, REAL_PRIME) != real.residue)
        real.error = real_unit(real.value);
    return real_put(pool, &real);
}

uint32_t real_of_plain(ExprPool *pool, double value)
{
    enum { UNITS = 8 }; /* as in core/exact */
    Real real = {.op = EXPR_CONST, .value = value, .error = UNITS * DBL_EPSILON * fabs(value)};
    uint64_t digits;
    int exponent;

    if (decimal_rational(value, &real.rational))
        return real_of_rational(pool, &real.rational);
    if (!isfinite(value))
        return 0;
    decimal_read(value, &digits, &exponent);
    real.rational = rational_of(value < 0, digits, exponent, 1);
    real.residue = rational_residue(&real.rational, REAL_PRIME);
    real.vague = true;
    return real_put(pool, &real);
}

uint32_t real_of(ExprPool *pool, double value)
{
    const uint32_t real = expr_real_find(pool, value);

    if (pool->rounded)
        return 0;
    if (!real)
        return real_of_plain(pool, value);
    const Rational minus = {.negative = true, .n = 1, .limbs = {1}, .denominator = 1};
    return value < 0 ? real_multiply(pool, real, real_of_rational(pool, &minus)) : real;
}

void real_use(ExprPool *pool, double value)
{
    if (!is_common(value) && !find_place(pool, value))
        put_place(pool, value, 0);
}

double real_stand(ExprPool *pool, double value, uint32_t real)
{
    if (!isfinite(value) || pool->rounded)
        return value;
    if (!real) {
        pool->rounded = true;
        return value;
    }
    /* the double must have the number's sign */
    const int sign = (value > 0) - (value < 0), own = real_sign(expr_real(pool, real));
    if (own == 0)
        return 0;
    if (own != sign) {
        pool->rounded = true;
        return value;
    }
    if (value < 0)
        real = real_multiply(pool, real_of(pool, -1), real);
    /* register the double, unless it stands for another number */
    const uint32_t other = expr_real_find(pool, value);
    if (real_is(pool, real, other ? other : real_of_plain(pool, fabs(value))))
        real_use(pool, value);
    else if (other || is_common(value) || find_place(pool, value))
        pool->rounded = true;
    else
        put_place(pool, value, real);
    return value;
}

void real_result(ExprPool *pool, double value)
{
    const uint32_t other = expr_real_find(pool, value);

    if (pool->rounded)
        return;
    if (other)
        pool->rounded |= !real_is(pool, other, real_of_plain(pool, fabs(value)));
    else
        real_use(pool, value);
}

bool real_write(ExprPool *pool, const Rational *number, double ret_parts[DECIMAL_PARTS],
                size_t *ret_n)
{
    if (!decimal_write(number, ret_parts, ret_n))
        return false;
    for (size_t k = 0; k < *ret_n; k++)
        real_result(pool, ret_parts[k]);
    return true;
}

void real_compare(ExprPool *pool, double a, double b)
{
    if (real_is_plain(pool, a) && real_is_plain(pool, b))
        return;
    const uint32_t difference =
        real_add(pool, real_of(pool, a), real_multiply(pool, real_of(pool, -1), real_of(pool, b)));
    if (!difference || real_sign(expr_real(pool, difference)) != (a > b) - (a < b))
        pool->rounded = true;
}
