/* Lanes, eight at a time. */
#include "core/integrate/combine_lanes.h"

void combine_lanes_avx512(const StageSum *sum, size_t rows, size_t lanes, double *out)
{
    combine_lanes(sum, rows, lanes, out);
}
