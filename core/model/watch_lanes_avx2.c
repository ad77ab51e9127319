/* What is watched in lanes, four at a time. */
#define WATCH_KERNEL watch_kernel_avx2
#include "core/model/watch_lanes_body.h"
