/* Arithmetic in the fields. */
#include "core/exact/field.h"

#include <flint/fmpz.h>
#include <flint/ulong_extras.h>

Field field_of(size_t index)
{
    /* below 2^62, drawn at random among primes with the properties in field.h */
    static const struct {
        mp_limb_t p, cosine, sine;
    } PRIMES[FIELD_PRIMES] = {
        {UINT64_C(2713472050052942639), UINT64_C(1728598450977275352),
         UINT64_C(508640285518158931)},
        {UINT64_C(3138984280886343119), UINT64_C(3031030294727064491),
         UINT64_C(2238197477173199377)},
        {UINT64_C(4320274854557637359), UINT64_C(1865623307521117750),
         UINT64_C(2329491386110896683)},
        {UINT64_C(4412557619741779199), UINT64_C(337781067783404053),
         UINT64_C(3770963597719567412)},
        {UINT64_C(2572225880547707999), UINT64_C(920832789566169682),
         UINT64_C(2004499969763762843)},
        {UINT64_C(3251075372604037439), UINT64_C(1865923177580415334),
         UINT64_C(291891994322232546)},
        {UINT64_C(2547487788087100319), UINT64_C(704179185606732064),
         UINT64_C(1210857548853300945)},
        {UINT64_C(3655604265115682879), UINT64_C(149814428441455991),
         UINT64_C(2663167361686028968)},
    };
    static const mp_limb_t OTHERS[FIELD_ALL - FIELD_PRIMES] = {
        UINT64_C(2434585471934283359), UINT64_C(3361691414947995359), UINT64_C(3994414751535294239),
        UINT64_C(2435229236088522719), UINT64_C(3697500482155640159), UINT64_C(4409713025269786079),
        UINT64_C(3489347496862513439), UINT64_C(2847415816747489679), UINT64_C(3847166243295661439),
        UINT64_C(2321711682061741199), UINT64_C(3372112385180043119), UINT64_C(3920265479814092639),
        UINT64_C(4169189696028310799), UINT64_C(3956529822480940319), UINT64_C(3532248797754544559),
        UINT64_C(4195676712205384559), UINT64_C(2374690412365785359), UINT64_C(3633475464409356719),
        UINT64_C(3242360644814435759), UINT64_C(3812845681260665279), UINT64_C(3383177822756756639),
        UINT64_C(3570301709409314879), UINT64_C(4548513581477213039), UINT64_C(2829284191883373839),
        UINT64_C(3190738474511834399), UINT64_C(4462748851839838559), UINT64_C(4525349011644827519),
        UINT64_C(4327541570314947599), UINT64_C(2453862418748627039), UINT64_C(4588882830017972639),
        UINT64_C(3962238199237145519), UINT64_C(3315699052781900399), UINT64_C(4079575214747192159),
        UINT64_C(4467391678355371919), UINT64_C(3578262203773303199), UINT64_C(4557381461109504719),
        UINT64_C(4560898897962293039), UINT64_C(3111443194586680799), UINT64_C(3370282399578180239),
        UINT64_C(2603943380869815599),
    };
    const bool turns = index < FIELD_PRIMES;
    const mp_limb_t p = turns ? PRIMES[index].p : OTHERS[index - FIELD_PRIMES];
    Field field = {.squares = (p - 1) / 2,
                   .cosine = turns ? PRIMES[index].cosine : 0,
                   .sine = turns ? PRIMES[index].sine : 0};

    nmod_init(&field.mod, p);
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

    /* powers of 0 */
    if (a == 0) {
        *ret = fmpq_is_zero(x) ? 1 : 0;
        return fmpq_sgn(x) >= 0;
    }
    /* the root exists if the denominator is invertible modulo the number of squares */
    const bool negative = !field_is_positive(field, a);
    if ((negative && even) || den == 0 || n_gcdinv(&inverse, den, field->squares) != 1)
        return false;
    const mp_limb_t size = negative ? nmod_neg(a, field->mod) : a;
    const mp_limb_t e = n_mulmod2(num, inverse, field->squares);
    const mp_limb_t power = nmod_pow_ui(size, e, field->mod);
    *ret = negative && odd_power ? nmod_neg(power, field->mod) : power;
    return true;
}

void field_turn(const Field *field, mp_limb_t cosine, mp_limb_t sine, ulong times,
                mp_limb_t *ret_cosine, mp_limb_t *ret_sine)
{
    const nmod_t mod = field->mod;
    mp_limb_t c = 1, s = 0;

    for (; times > 0; times /= 2) {
        if (times % 2 == 1) {
            mp_limb_t next = nmod_sub(nmod_mul(c, cosine, mod), nmod_mul(s, sine, mod), mod);
            s = nmod_add(nmod_mul(s, cosine, mod), nmod_mul(c, sine, mod), mod);
            c = next;
        }
        mp_limb_t twice = nmod_sub(nmod_mul(cosine, cosine, mod), nmod_mul(sine, sine, mod), mod);
        sine = nmod_mul(2, nmod_mul(cosine, sine, mod), mod);
        cosine = twice;
    }
    *ret_cosine = c;
    *ret_sine = s;
}

mp_limb_t field_unknown(const Field *field, unsigned function, mp_limb_t a, mp_limb_t b)
{
    Random random;
    uint64_t seed = field->key;

    /* each argument goes through the generator, so that their order matters */
    const uint64_t parts[] = {function + 1, a, b};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        random_init(&random, seed ^ parts[k]);
        seed = random_bits(&random);
    }
    return random_bits(&random) % field->mod.n;
}
