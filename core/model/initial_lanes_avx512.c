/* Initial states in lanes, eight at a time. */
#define INITIAL_KERNEL initial_kernel_avx512
#include "core/model/initial_lanes_body.h"
