/* Sums of doubles without rounding: the order of the addends does not matter, and only reading the
 * sum rounds it, once (a fixed-point accumulator, U. Kulisch, Computer Arithmetic and Validity,
 * 2013, 8.4). */
#ifndef CORE_NUMERIC_EXACT_SUM_H
#define CORE_NUMERIC_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From 2^-1074 up, with room above 2^1024 for 2^60 of the largest addends. */
enum { EXACT_SUM_CHUNKS = 68 };

/* {0} is an empty sum. Chunk k counts 2^(32 k - 1074). */
typedef struct ExactSum {
    int64_t chunk[EXACT_SUM_CHUNKS];
    uint32_t pending;          /* additions since carries were passed on */
    uint64_t infinite[2], nan; /* addends: -inf, +inf; NaN */
} ExactSum;

void exact_sum_add(ExactSum *sum, double x);
/* Adds a b. The addition is exact if |a b| is at least 2^-969 or zero; below, the last bits of its
 * rounding error are lost. */
void exact_sum_add_product(ExactSum *sum, double a, double b);
void exact_sum_merge(ExactSum *sum, const ExactSum *other);

/* Rounded to nearest even; infinite beyond the range; NaN after a NaN or both infinities. */
double exact_sum_value(const ExactSum *sum);

/* Packs the sum into few words. Sums of the same addends in any order have the same words. Returns
 * the number of words used of ret_words[EXACT_SUM_WORDS]. */
enum { EXACT_SUM_WORDS = 4 + EXACT_SUM_CHUNKS / 2 };
size_t exact_sum_pack(const ExactSum *sum, uint64_t *ret_words);
/* Reads a packed sum from n words. Returns the number of words read, 0 if they are none. */
size_t exact_sum_unpack(const uint64_t *words, size_t n, ExactSum *ret_sum);

#endif
