/* The real numbers that doubles of a pool stand for, and which of them are rational. */
#include "core/exact/numbers.h"

#include <flint/fmpz.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/decimal.h"
#include "core/exact/field.h"

/* Longer rational numbers are left to the fields. */
enum { MOST_BITS = 20000, LIMB_DIGITS = 18 };

static void read_rational(fmpq_t ret, const Rational *a)
{
    fmpz_t power;

    fmpz_init(power);
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, LIMB_DIGITS);
    /* the whole number, limb by limb */
    fmpz_zero(fmpq_numref(ret));
    for (unsigned k = a->n; k-- > 0;) {
        fmpz_mul(fmpq_numref(ret), fmpq_numref(ret), power);
        fmpz_add_ui(fmpq_numref(ret), fmpq_numref(ret), a->limbs[k]);
    }
    fmpz_set_ui(fmpq_denref(ret), a->denominator);
    fmpq_canonicalise(ret);
    /* the power of ten and the sign */
    fmpz_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)abs(a->exponent));
    if (a->exponent < 0)
        fmpq_div_fmpz(ret, ret, power);
    else
        fmpq_mul_fmpz(ret, ret, power);
    if (a->negative)
        fmpq_neg(ret, ret);
    fmpz_clear(power);
}

void numbers_read(fmpq_t ret, double value, bool given)
{
    uint64_t digits, denominator = 1;
    int exponent;

    if (fabs(value) < 1e9 && value == rint(value)) {
        fmpq_set_si(ret, (slong)value, 1);
        return;
    }
    if (given)
        decimal_read(value, &digits, &exponent);
    else
        (void)decimal_meaning(value, &digits, &denominator, &exponent);
    const Rational exact = rational_of(value < 0, digits, exponent, denominator);
    read_rational(ret, &exact);
}

double numbers_doubt(double value)
{
    enum { UNITS = 8 };

    if (!decimal_is_rounded(value))
        return 0;
    int power;
    int64_t mantissa = (int64_t)ldexp(frexp(fabs(value), &power), 53);
    while (mantissa % 2 == 0) {
        mantissa /= 2;
        power++;
    }
    return UNITS * ldexp(1, power - 53);
}

/* An integer power of a rational number; false if it is too long. */
static bool raise_rational(fmpq_t ret, const fmpq_t a, const fmpq_t exponent)
{
    if (!fmpz_is_one(fmpq_denref(exponent)) || fmpz_bits(fmpq_numref(exponent)) > 30 ||
        fmpq_is_zero(a))
        return false;
    const slong e = fmpz_get_si(fmpq_numref(exponent));
    if ((double)fmpq_height_bits(a) * fabs((double)e) > MOST_BITS)
        return false;
    fmpq_pow_si(ret, a, e);
    return true;
}

/* False if the result is irrational or too long. */
static bool combine(const Numbers *r, Number *real)
{
    const Number *a = &r->list[real->a], *b = &r->list[real->b];

    if (real->op != EXPR_SUM && real->op != EXPR_PRODUCT && real->op != EXPR_POW)
        return false;
    if (!a->rational || !b->rational)
        return false;
    if (real->op == EXPR_POW)
        return raise_rational(real->exact, a->exact, b->exact);
    (real->op == EXPR_SUM ? fmpq_add : fmpq_mul)(real->exact, a->exact, b->exact);
    return fmpq_height_bits(real->exact) <= MOST_BITS;
}

/* Marks the operands of all wanted reals, too. */
static void mark(const ExprPool *pool, uint32_t *wanted, uint32_t most)
{
    for (uint32_t id = most; id > 0; id--) {
        const Real *real = wanted[id] ? expr_real(pool, id) : NULL;
        if (real && real->a)
            wanted[real->a] = 1;
        if (real && real->b)
            wanted[real->b] = 1;
    }
}

static void add(Numbers *r, const Real *real, const uint32_t *place)
{
    Number *own = &r->list[r->n++];

    *own = (Number){.op = real->op,
                    .real = real,
                    .a = real->a ? place[real->a] - 1 : 0,
                    .b = real->b ? place[real->b] - 1 : 0};
    fmpq_init(own->exact);
    own->rational = real->op == EXPR_CONST || combine(r, own);
    if (real->op == EXPR_CONST)
        read_rational(own->exact, &real->rational);
}

void numbers_init(Numbers *r, Arena *arena, const ExprPool *pool, const double *numbers,
                  const bool *given, size_t n)
{
    uint32_t most = 0, count = 0;

    *r = (Numbers){.numbers = numbers, .places = ARENA_NEW(arena, n, uint32_t)};
    /* the reals that the numbers stand for, and their operands */
    for (size_t k = 0; r->places && k < n; k++) {
        r->places[k] = given[k] ? 0 : expr_real_find(pool, numbers[k]);
        most = r->places[k] > most ? r->places[k] : most;
    }
    uint32_t *place = ARENA_NEW(arena, most + 1, uint32_t);
    if (!r->places || !place)
        return;
    for (size_t k = 0; k < n; k++)
        place[r->places[k]] = 1;
    mark(pool, place, most);
    place[0] = 0;
    for (uint32_t id = 1; id <= most; id++)
        place[id] = place[id] ? ++count : 0;
    r->list = ARENA_NEW(arena, count, Number);
    for (uint32_t id = 1; r->list && id <= most; id++)
        if (place[id])
            add(r, expr_real(pool, id), place);
    for (size_t k = 0; k < n; k++)
        r->places[k] = place[r->places[k]];
}

void numbers_done(Numbers *r)
{
    for (size_t i = 0; i < r->n; i++)
        fmpq_clear(r->list[i].exact);
    *r = (Numbers){0};
}

uint32_t numbers_split(const Numbers *r, uint32_t number, fmpq_t ret_factor)
{
    const Number *real = numbers_at(r, number);
    const bool multiple = real->op == EXPR_PRODUCT && r->list[real->a].rational;

    if (multiple)
        fmpq_set(ret_factor, r->list[real->a].exact);
    else
        fmpq_one(ret_factor);
    if (r->numbers[number] < 0)
        fmpq_neg(ret_factor, ret_factor);
    return multiple ? real->b : r->places[number] - 1;
}

/* acos(-1). */
static bool is_pi(const Numbers *r, const Number *real)
{
    const Number *a = real->op == EXPR_ACOS ? &r->list[real->a] : NULL;

    return a && a->rational && fmpz_is_one(fmpq_denref(a->exact)) &&
           fmpz_equal_si(fmpq_numref(a->exact), -1);
}

bool numbers_turns(const Numbers *r, uint32_t place, const fmpq *factor, slong *ret)
{
    const Number *real = &r->list[place];
    const bool multiple = real->op == EXPR_PRODUCT && r->list[real->a].rational;
    fmpq_t part;

    if (!is_pi(r, multiple ? &r->list[real->b] : real))
        return false;
    /* half turns in units of 1/FIELD_TURNS of a turn */
    fmpq_init(part);
    fmpq_set_si(part, FIELD_TURNS, 2);
    if (factor)
        fmpq_mul(part, part, factor);
    if (multiple)
        fmpq_mul(part, part, r->list[real->a].exact);
    const bool fits = fmpz_is_one(fmpq_denref(part)) && fmpz_fits_si(fmpq_numref(part));
    *ret = fits ? fmpz_get_si(fmpq_numref(part)) : 0;
    fmpq_clear(part);
    return fits;
}
