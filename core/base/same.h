/* Whether numbers are the same bit by bit; of the few that a state has, without a call. */
#ifndef CORE_BASE_SAME_H
#define CORE_BASE_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool same_bits(const double *a, const double *b, size_t n)
{
    uint64_t differ = 0;

    for (size_t k = 0; k < n; k++) {
        uint64_t of_a, of_b;
        memcpy(&of_a, a + k, sizeof of_a);
        memcpy(&of_b, b + k, sizeof of_b);
        differ |= of_a ^ of_b;
    }
    return differ == 0;
}

#endif
