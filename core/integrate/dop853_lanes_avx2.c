/* Steps of lanes, four numbers at a time. */
#define DOP853_LANES dop853_lanes_avx2
#include "core/integrate/dop853_lanes_body.h"
