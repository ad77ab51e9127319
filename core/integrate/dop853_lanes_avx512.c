/* Steps of lanes, eight numbers at a time. */
#define DOP853_LANES dop853_lanes_avx512
#include "core/integrate/dop853_lanes_body.h"
