/* Initial states in lanes, two at a time. */
#define INITIAL_KERNEL initial_kernel_sse2
#include "core/model/initial_lanes_body.h"
