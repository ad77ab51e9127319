/* Chunks of 32 bits lie in words of 64, so that carries are passed on only after many additions. */
#include "core/numeric/exact_sum.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 32, MANTISSA = 52, BEFORE_CARRIES = 1 << 30 };

static void pass_carries(ExactSum *sum)
{
    for (int k = 0; k < EXACT_SUM_CHUNKS - 1; k++) {
        const int64_t carry = sum->chunk[k] >> CHUNK;
        sum->chunk[k] -= carry * (INT64_C(1) << CHUNK);
        sum->chunk[k + 1] += carry;
    }
    sum->pending = 0;
}

void exact_sum_add(ExactSum *sum, double x)
{
    uint64_t bits;

    if (!isfinite(x)) {
        if (isnan(x))
            sum->nan++;
        else
            sum->infinite[x > 0]++;
        return;
    }
    memcpy(&bits, &x, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> MANTISSA & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA) - 1);
    if (exponent)
        mantissa |= UINT64_C(1) << MANTISSA;
    const unsigned place = exponent ? exponent - 1 : 0, shift = place % CHUNK;
    int64_t *at = sum->chunk + place / CHUNK;
    /* the three digits of x, lowest first */
    const uint64_t low = mantissa << shift, high = shift ? mantissa >> (64 - shift) : 0;
    const int64_t digits[] = {(int64_t)(low & UINT32_MAX), (int64_t)(low >> CHUNK), (int64_t)high};

    for (int k = 0; k < 3; k++)
        at[k] += bits >> 63 ? -digits[k] : digits[k];
    if (++sum->pending == BEFORE_CARRIES)
        pass_carries(sum);
}

void exact_sum_add_product(ExactSum *sum, double a, double b)
{
    const double product = a * b;

    exact_sum_add(sum, product);
    if (isfinite(product))
        exact_sum_add(sum, fma(a, b, -product));
}

void exact_sum_merge(ExactSum *sum, const ExactSum *other)
{
    ExactSum more = *other;

    pass_carries(sum);
    pass_carries(&more);
    for (int k = 0; k < EXACT_SUM_CHUNKS; k++)
        sum->chunk[k] += more.chunk[k];
    sum->pending = 2;
    sum->infinite[0] += more.infinite[0];
    sum->infinite[1] += more.infinite[1];
    sum->nan += more.nan;
}

/* The highest three digits of a positive sum; the last bit is set if a lower digit is not zero. */
static double rounded(const int64_t *digit)
{
    int top = EXACT_SUM_CHUNKS - 1;

    while (top > 0 && digit[top] == 0)
        top--;
    /* at most 64 bits times 2^-1074: the conversion rounds 2^53 and above */
    if (top < 2)
        return ldexp((double)((uint64_t)digit[1] << CHUNK | (uint64_t)digit[0]), -1074);
    uint64_t leading = (uint64_t)digit[top] << CHUNK | (uint64_t)digit[top - 1];
    const int shift = __builtin_clzll(leading);
    leading = leading << shift | (shift ? (uint64_t)digit[top - 2] >> (CHUNK - shift) : 0);
    bool below = shift < CHUNK && ((uint64_t)digit[top - 2] << shift & UINT32_MAX) != 0;
    for (int k = 0; k < top - 2; k++)
        below = below || digit[k] != 0;
    return ldexp((double)(leading | below), CHUNK * (top - 1) - shift - 1074);
}

/* Makes the sum its absolute value, in digits of 32 bits. Returns true if it was negative. */
static bool make_magnitude(ExactSum *s)
{
    pass_carries(s);
    if (s->chunk[EXACT_SUM_CHUNKS - 1] >= 0)
        return false;
    for (int k = 0; k < EXACT_SUM_CHUNKS; k++)
        s->chunk[k] = -s->chunk[k];
    pass_carries(s);
    return true;
}

double exact_sum_value(const ExactSum *sum)
{
    ExactSum s = *sum;

    if (s.nan || (s.infinite[0] && s.infinite[1]))
        return NAN;
    if (s.infinite[0] || s.infinite[1])
        return s.infinite[1] ? INFINITY : -INFINITY;
    const bool negative = make_magnitude(&s);
    return negative ? -rounded(s.chunk) : rounded(s.chunk);
}

/* The first word: the sign, whether three words of non-finite addends follow, the number of zero
 * chunks below the stored ones, and the number of stored chunks, two in a word. */
#define NEGATIVE (UINT64_C(1) << 63)
#define NOT_FINITE (UINT64_C(1) << 62)
enum { BEFORE = 16 };

size_t exact_sum_pack(const ExactSum *sum, uint64_t *ret_words)
{
    ExactSum s = *sum;
    const bool negative = make_magnitude(&s), finite = !s.nan && !s.infinite[0] && !s.infinite[1];
    size_t first = 0, end = EXACT_SUM_CHUNKS, n = 1;

    /* leave out zero chunks at both ends */
    while (end > 0 && s.chunk[end - 1] == 0)
        end--;
    while (first < end && s.chunk[first] == 0)
        first++;
    ret_words[0] =
        (negative ? NEGATIVE : 0) | (finite ? 0 : NOT_FINITE) | first << BEFORE | (end - first);
    if (!finite) {
        ret_words[n++] = s.infinite[0];
        ret_words[n++] = s.infinite[1];
        ret_words[n++] = s.nan;
    }
    /* store the chunks, two in a word */
    for (size_t k = first; k < end; k += 2)
        ret_words[n++] =
            (uint64_t)s.chunk[k] | (k + 1 < end ? (uint64_t)s.chunk[k + 1] << CHUNK : 0);
    return n;
}

size_t exact_sum_unpack(const uint64_t *words, size_t n, ExactSum *ret_sum)
{
    ExactSum s = {.pending = 1};
    if (n == 0)
        return 0;
    const uint64_t head = words[0], most = EXACT_SUM_CHUNKS;
    const uint64_t first = head >> BEFORE & 0xffff, count = head & 0xffff;
    const size_t rest = (head & NOT_FINITE) != 0 ? 4 : 1, taken = rest + (size_t)(count + 1) / 2;

    /* refuse counts that no packed sum has */
    if (first > most || count > most - first || taken > n)
        return 0;
    if (head & NOT_FINITE) {
        s.infinite[0] = words[1];
        s.infinite[1] = words[2];
        s.nan = words[3];
    }
    /* read the chunks, two from a word */
    for (size_t k = 0; k < count; k++) {
        const int64_t digit = (int64_t)(words[rest + k / 2] >> (k % 2 ? CHUNK : 0) & UINT32_MAX);
        s.chunk[first + k] = (head & NEGATIVE) != 0 ? -digit : digit;
    }
    *ret_sum = s;
    return taken;
}
