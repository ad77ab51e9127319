/* combine_stages() for blocks of eight lanes, compiled once for each instruction set. */
#ifndef CORE_INTEGRATE_COMBINE_LANES_H
#define CORE_INTEGRATE_COMBINE_LANES_H

#include "core/integrate/combine.h"

static inline void combine_lanes(const StageSum *sum, size_t rows, size_t lanes, double *out)
{
    for (size_t block = 0; block < lanes; block += COMBINE_LANES) {
        const CombineLanes h = *(const CombineLanes *)(sum->h + block);
        for (size_t r = 0; r < rows; r++) {
            const size_t i = r * lanes + block;
            CombineLanes s = sum->w[0] * *(const CombineLanes *)(sum->k[0] + i);
            for (size_t j = 1; j < sum->n; j++)
                s += sum->w[j] * *(const CombineLanes *)(sum->k[j] + i);
            s *= h;
            if (sum->base != NULL)
                s += *(const CombineLanes *)(sum->base + i);
            *(CombineLanes *)(out + i) = s;
        }
    }
}

#endif
