/* Sums of doubles without rounding: the same whatever their order, rounded once when they are read
 * (a fixed-point accumulator, U. Kulisch, Computer Arithmetic and Validity, 2013, 8.4). */
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
/* a b, without rounding where it is at least 2^-969 or zero; below, the last bits of its error are
 * lost. */
void exact_sum_add_product(ExactSum *sum, double a, double b);
void exact_sum_merge(ExactSum *sum, const ExactSum *other);

/* Rounded to nearest, ties to even; infinite beyond the range; NaN after a NaN or both
 * infinities. */
double exact_sum_value(const ExactSum *sum);

/* The sum in few words, which are the same for sums of the same addends, whatever their order:
 * returns how many of ret_words[EXACT_SUM_WORDS] it takes. */
enum { EXACT_SUM_WORDS = 4 + EXACT_SUM_CHUNKS / 2 };
size_t exact_sum_pack(const ExactSum *sum, uint64_t *ret_words);
/* What was packed, from the first of n words; returns how many it took, 0 where they are none of a
 * sum. */
size_t exact_sum_unpack(const uint64_t *words, size_t n, ExactSum *ret_sum);

#endif
