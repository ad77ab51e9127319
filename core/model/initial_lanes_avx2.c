/* Initial states in lanes, four at a time. */
#define INITIAL_KERNEL initial_kernel_avx2
#include "core/model/initial_lanes_body.h"
