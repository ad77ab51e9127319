/* Roots of rational numbers are products of roots of primes, which are independent of each other
 * (A. S. Besicovitch, J. London Math. Soc. 15 (1940) 3). A field may choose any of its roots for
 * them: sums and products that vanish for the real roots vanish for every choice, others only by
 * accident. The square roots of 2, 3, 5, 7 and 11 depend on the angles of 1/FIELD_TURNS of a turn
 * and come from these: sqrt(2) = 2 cos(1/8), sqrt(3) = 2 cos(1/12), and sums of C. F. Gauss. A
 * prime without a square root in a field gets an independent unknown. */
#include "core/exact/field.h"

#include <flint/fmpz.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>

/* Longer numbers are not factored, nor raised to higher powers. */
enum { MOST_BITS = 48, MOST_POWER_BITS = 10, SQUARE_ROOT = 2000 };

/* The cosine and sine of `turns` times 1/FIELD_TURNS of a turn. */
static mp_limb_t cosine_of(const Field *field, ulong turns, mp_limb_t *ret_sine)
{
    mp_limb_t cosine;

    field_turn(field, field->cosine, field->sine, turns, &cosine, ret_sine);
    return cosine;
}

/* For p = 1 mod 4 the sum of (k/p) cos(k/p turns) is sqrt(p); for p = 3 mod 4 that of the sines. */
static mp_limb_t gauss(const Field *field, ulong p)
{
    mp_limb_t sum = 0, sine;

    for (ulong k = 1; k < p; k++) {
        const mp_limb_t cosine = cosine_of(field, FIELD_TURNS / p * k, &sine);
        const mp_limb_t part = p % 4 == 1 ? cosine : sine;
        sum = n_jacobi_unsigned(k, p) == 1 ? nmod_add(sum, part, field->mod)
                                           : nmod_sub(sum, part, field->mod);
    }
    return sum;
}

static mp_limb_t root_of_prime(const Field *field, ulong p)
{
    mp_limb_t sine;

    if (p == 2 || p == 3)
        return nmod_mul(2, cosine_of(field, FIELD_TURNS / (p == 2 ? 8ul : 12ul), &sine),
                        field->mod);
    if (FIELD_TURNS % p == 0)
        return gauss(field, p);
    if (field_is_positive(field, p))
        return nmod_pow_ui(p, (field->squares + 1) / 2, field->mod);
    return field_unknown(field, SQUARE_ROOT, p, 0);
}

/* p^(sixths/6) */
static bool multiply(const Field *field, ulong p, slong sixths, mp_limb_t *value)
{
    const slong halves = (sixths % 2 + 2) % 2, rest = sixths - 3 * halves;
    const slong thirds = ((rest / 2) % 3 + 3) % 3;
    mp_limb_t power, cube_root = 0;
    fmpq_t third;

    /* p^whole sqrt(p)^halves cbrt(p)^thirds */
    if (!field_integer_power(field, p, (rest - 2 * thirds) / 6, &power))
        return false;
    *value = nmod_mul(*value, power, field->mod);
    if (halves)
        *value = nmod_mul(*value, root_of_prime(field, p), field->mod);
    fmpq_init(third);
    fmpq_set_si(third, 1, 3);
    const bool made = field_power(field, p, third, &cube_root);
    fmpq_clear(third);
    *value = nmod_mul(*value, nmod_pow_ui(cube_root, (ulong)thirds, field->mod), field->mod);
    return made;
}

static bool multiply_all(const Field *field, const fmpz_t number, slong sixths, mp_limb_t *value)
{
    n_factor_t factors;
    bool made = true;

    n_factor_init(&factors);
    n_factor(&factors, fmpz_get_ui(number), 0);
    for (int k = 0; made && k < factors.num; k++)
        made = multiply(field, factors.p[k], sixths * factors.exp[k], value);
    return made;
}

bool radical_value(const Field *field, const fmpq_t base, const fmpq_t exponent, mp_limb_t *ret)
{
    if (fmpq_sgn(base) <= 0 || fmpz_bits(fmpq_numref(base)) > MOST_BITS ||
        fmpz_bits(fmpq_denref(base)) > MOST_BITS || fmpz_cmp_ui(fmpq_denref(exponent), 6) > 0 ||
        fmpz_bits(fmpq_numref(exponent)) > MOST_POWER_BITS)
        return false;
    const slong under = fmpz_get_si(fmpq_denref(exponent));
    const slong sixths = fmpz_get_si(fmpq_numref(exponent)) * (6 / under);

    *ret = 1;
    return 6 % under == 0 && multiply_all(field, fmpq_numref(base), sixths, ret) &&
           multiply_all(field, fmpq_denref(base), -sixths, ret);
}
