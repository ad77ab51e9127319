/* A prime field in which roots of positive numbers exist and agree. */
#include "core/exact/field.h"

#include <flint/fmpz.h>
#include <flint/ulong_extras.h>

Field field_of(size_t index)
{
    /* below 2^62, drawn at random among those that the header describes */
    static const mp_limb_t PRIMES[FIELD_PRIMES] = {
        UINT64_C(2732574707311741847), UINT64_C(3498026441424991199), UINT64_C(3975330488874570599),
        UINT64_C(2891639743255349123), UINT64_C(2388893973561582503), UINT64_C(4528675150486685267),
        UINT64_C(2475557232910161119), UINT64_C(2449630260520294883)};
    Field field = {.squares = (PRIMES[index % FIELD_PRIMES] - 1) / 2};

    nmod_init(&field.mod, PRIMES[index % FIELD_PRIMES]);
    return field;
}

mp_limb_t field_random(const Field *field, Random *random)
{
    return random_bits(random) % field->mod.n;
}

bool field_rational(const Field *field, const fmpq_t x, mp_limb_t *ret)
{
    mp_limb_t num = fmpz_fdiv_ui(fmpq_numref(x), field->mod.n);
    mp_limb_t den = fmpz_fdiv_ui(fmpq_denref(x), field->mod.n);

    if (den == 0)
        return false;
    *ret = den == 1 ? num : nmod_div(num, den, field->mod);
    return true;
}

bool field_is_positive(const Field *field, mp_limb_t a)
{
    return n_jacobi_unsigned(a, field->mod.n) == 1;
}

bool field_integer_power(const Field *field, mp_limb_t a, slong e, mp_limb_t *ret)
{
    if (a == 0 && e < 0)
        return false;
    if (e == 1) {
        *ret = a;
        return true;
    }
    const ulong size = e < 0 ? -(ulong)e : (ulong)e;
    const mp_limb_t power = nmod_pow_ui(a, size, field->mod);
    *ret = e < 0 ? nmod_inv(power, field->mod) : power;
    return true;
}

bool field_power(const Field *field, mp_limb_t a, const fmpq_t x, mp_limb_t *ret)
{
    const bool even = fmpz_is_even(fmpq_denref(x)), odd_power = fmpz_is_odd(fmpq_numref(x));
    const mp_limb_t num = fmpz_fdiv_ui(fmpq_numref(x), field->squares),
                    den = fmpz_fdiv_ui(fmpq_denref(x), field->squares);
    mp_limb_t inverse;

    if (a == 0) {
        *ret = fmpq_is_zero(x) ? 1 : 0;
        return fmpq_sgn(x) >= 0;
    }
    const bool negative = !field_is_positive(field, a);
    if ((negative && even) || den == 0 || n_gcdinv(&inverse, den, field->squares) != 1)
        return false;
    const mp_limb_t size = negative ? nmod_neg(a, field->mod) : a;
    const mp_limb_t e = n_mulmod2(num, inverse, field->squares);
    const mp_limb_t power = nmod_pow_ui(size, e, field->mod);
    *ret = negative && odd_power ? nmod_neg(power, field->mod) : power;
    return true;
}

mp_limb_t field_unknown(const Field *field, unsigned function, mp_limb_t a, mp_limb_t b)
{
    Random random;
    uint64_t seed = field->key;

    /* each argument goes through the generator, so that their order counts */
    const uint64_t parts[] = {function + 1, a, b};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        random_init(&random, seed ^ parts[k]);
        seed = random_bits(&random);
    }
    return random_bits(&random) % field->mod.n;
}
