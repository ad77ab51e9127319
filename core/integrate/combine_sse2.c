/* Lanes, two at a time. */
#include "core/integrate/combine_lanes.h"

void combine_lanes_sse2(const StageSum *sum, size_t rows, size_t lanes, double *out)
{
    combine_lanes(sum, rows, lanes, out);
}
