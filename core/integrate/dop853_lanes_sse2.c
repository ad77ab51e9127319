/* Steps of lanes, two numbers at a time. */
#define DOP853_LANES dop853_lanes_sse2
#include "core/integrate/dop853_lanes_body.h"
